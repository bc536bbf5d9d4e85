"""Fitted weights of the bots ``value`` and ``defend``: those of a rule set's family, from ``policy/weights.toml``."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.patterns import PATTERNS
from sim.policy.weights import MEASURED, NAMES, UNIT
from sim.rules import Rules

FILE = Path(__file__).parent / "policy" / "weights.toml"
_LOW_MINIMUM = 2  # fan: between the minimums of 1 and 3 of xinzhang, which the two families are fitted on
_STEEP_CAP = 5  # fan: between jipinghu (3) and app-jihu (4), xinzhang and guigang (5)
_OF_THE_HAND = {p.slug for p in PATTERNS if p.scope != "event" and p.slug != "chicken"}


def family(rules: Rules) -> str:
    """Return which rule sets' weights fit: by what a hand may be worth and whether discards can lose.

    The first that fits. ``flat``: every hand pays the same; ``draw``: discards cannot lose; ``multiplied``: melds,
    self-draws or feeding multiply; ``minimum``: a hand needs one or two fan, ``high_minimum`` more. Where fan double,
    ``steep_fan``: five times or more; ``fan``: less often. Where items are added, ``quick`` and ``dear``: a chicken
    hand cannot win on a discard, with two turned ghosts and otherwise; ``sum``: it can.
    """
    if not any(price.role != "none" for slug, price in rules.patterns.items() if slug in _OF_THE_HAND):
        return "flat"
    if "dianpao" not in rules.win.ways:
        return "draw"
    if rules.multiples.any:
        return "multiplied"
    minimum = max(rules.win.min_fan, rules.win.min_fan_discard)
    if minimum > 0:
        return "minimum" if minimum <= _LOW_MINIMUM else "high_minimum"
    if rules.scoring.method == "fan":
        return "steep_fan" if rules.scoring.cap == 0 or rules.scoring.cap >= _STEEP_CAP else "fan"
    if "dianpao" not in rules.win.chicken_ways:
        return "quick" if rules.ghost.mode == "turned_two" else "dear"
    return "sum"


@cache
def _read() -> dict[str, dict[str, dict[str, Any]]]:
    families: dict[str, dict[str, dict[str, Any]]] = tomllib.loads(FILE.read_text(encoding="utf-8"))["family"]
    return families


def columns(given: Mapping[str, Any]) -> NDArray[np.int64]:
    """Weights by name as columns of the rules' array, int64 (N_WEIGHTS,)."""
    measured = [x for name in MEASURED for x in np.ravel(given[name]).tolist()]
    return np.array([*(given[name] for name in NAMES), *measured, int(UNIT)], np.int64)


def read(rules: Rules, bot: str) -> dict[str, Any]:
    """Return a bot's weights for a rule set, by name."""
    return _read()[family(rules)][bot]


def of(rules: Rules, bot: str) -> NDArray[np.int64]:
    """Return a bot's weights for a rule set, int64 (N_WEIGHTS,)."""
    return columns(read(rules, bot))
