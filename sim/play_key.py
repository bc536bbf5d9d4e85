"""Which rule sets are played move by move alike, so that they differ in nothing but what a hand pays.

A *score-only* option (prices, caps, liability, kongs, drawn horses) changes no move as long as nothing that decides a
move depends on worth: no minimum, no 漏胡 by value, no choice of the biggest winner, no bot that reads prices. Two rule
sets with the same `play_key` differ in score-only options alone; `sim.resettle` settles one played hand under both.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from sim import patterns
from sim.policy import is_blind_to_prices
from sim.rules import Rules

# Fields that no move depends on, whatever else is set.
_NEVER = ("slug", "name", "summary", "source", "coins")
# Fields that change no move where nothing depends on worth.
_SCORE_ONLY: dict[str, tuple[str, ...]] = {
    "win": ("rob_shares", "payers"),
    "play": ("flower_price",),
    "dealer": ("seat_wind", "repeat_mode", "repeat_points", "follow_points"),
}
_SCORE_ONLY_TABLES = ("patterns", "multiples", "liability", "kong")
# What held horses take from the wall before play; all other fields of horses are score-only.
_HELD = ("kind", "count")
_SHAPES = [p.slug for p in patterns.PATTERNS if p.scope == "shape" and p.slug != "chicken"]


def moves_depend_on_worth(rules: Rules, bots: Iterable[str]) -> bool:
    """Whether what a hand is worth decides a move, by rule or by bot."""
    win = rules.win
    by_rule = win.min_fan > 0 or win.min_fan_discard > 0 or win.passed == "same_value" or win.multiple == "biggest"
    return by_rule or not is_blind_to_prices(bots)


def play_key(rules: Rules, bots: Iterable[str]) -> str:
    """Return a text that is equal for two rule sets only if these bots play both alike."""
    data: dict[str, Any] = rules.to_dict()
    for name in _NEVER:
        data.pop(name)
    for price in data["patterns"].values():
        price.pop("name")
    if not moves_depend_on_worth(rules, bots):
        chicken = _is_chicken_known_by(rules)
        for name in _SCORE_ONLY_TABLES:
            data.pop(name)
        data["scoring"] = rules.scoring.yinghu  # as_itself adds readings
        for table, names in _SCORE_ONLY.items():
            for name in names:
                data[table].pop(name)
        horses = data.pop("horses")
        data["horses"] = [horses[name] for name in _HELD] if rules.horses.kind == "held" else None
        data["chicken"] = chicken
    return json.dumps(data, sort_keys=True)


def _is_chicken_known_by(rules: Rules) -> list[str] | None:
    """Return what decides whether a hand is a 鸡胡, where that decides whether it may win; else None."""
    if set(rules.win.chicken_ways) == set(rules.win.ways):
        return None
    priced = [slug for slug in _SHAPES if slug in rules.patterns and rules.patterns[slug].role != "none"]
    return [*priced, str(rules.scoring.luxury_natural)]
