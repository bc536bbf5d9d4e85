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
from sim.tiles import N_KINDS, TILE_SETS

FILE = Path(__file__).parent / "policy" / "weights.toml"
_OF_THE_HAND = {p.slug for p in PATTERNS if p.scope != "event" and p.slug != "chicken"}


def family(rules: Rules) -> str:
    """Return which rule sets' weights fit: by what a hand may be worth and whether discards can lose.

    ``flat``: every hand pays the same; ``draw``: discards cannot lose; ``minimum``: a hand needs so many fan; ``dear``:
    a chicken hand cannot win on a discard, ``short`` if the deck lacks kinds besides; else ``fan`` or ``sum`` by the
    method of scoring.
    """
    if not any(price.role != "none" for slug, price in rules.patterns.items() if slug in _OF_THE_HAND):
        return "flat"
    if "dianpao" not in rules.win.ways:
        return "draw"
    if max(rules.win.min_fan, rules.win.min_fan_discard) > 0:
        return "minimum"
    if "dianpao" not in rules.win.chicken_ways:
        return "short" if len(TILE_SETS[rules.tiles]) < N_KINDS else "dear"
    return rules.scoring.method


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
