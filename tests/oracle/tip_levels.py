"""In which states a tip acts at one of its levels: slow twins as `STATES` of `tests.oracle.tips`."""

from __future__ import annotations

from collections.abc import Callable

from sim import schema
from sim.rules import Rules
from sim.tiles import N_KINDS, N_SEATS, TILE_SETS

from .scoring import Score, Win, best_score, fan_score, sum_score
from .state import plus
from .tips import STATES, Seen, State, single_winds, t03, t12


def _within(name: str, holds: Callable[[Seen], bool]) -> State:
    """States of a tip in which something more holds."""
    return lambda v, earlier: STATES[name](v, earlier) if holds(v) else None


def chicken_points(rules: Rules, source: int) -> int:
    """One payer's points for a hand without any pattern, 0 where it may not win."""
    way = schema.OUTCOMES[source]
    if way not in rules.win.chicken_ways:
        return 0
    score: Score
    score, worth = (sum_score if rules.scoring.method == "sum" else fan_score)(rules, frozenset({way, "chicken"}))
    least = max(rules.win.min_fan, rules.win.min_fan_discard if source == schema.DIANPAO else 0)
    return 0 if worth < least else score.points


def can_win_more(v: Seen) -> bool:
    """Whether some tile that may still come makes the hand after its discard worth more than a chicken."""
    rules, row = v.rules, v.row
    hand = plus(v.hand, row["kind"], -1)
    deck = set(TILE_SETS[rules.tiles])
    for k in range(N_KINDS):
        if k == row["kind"] or k in v.ghosts or k not in deck or v.visible(k) + v.hand[k] >= 4:
            continue
        if v.need(plus(hand, k)) > 0:
            continue
        wind = (row["seat"] - row["dealer"]) % N_SEATS
        for source in (schema.ZIMO, schema.DIANPAO):
            if schema.OUTCOMES[source] in rules.win.ways:
                score = best_score(rules, Win(hand, k, v.melds, source, v.ghosts, wind, row["round_wind"]))
                if score is not None and score.points > chicken_points(rules, source):
                    return True
    return False


def _t03(sign: str, first: int) -> State:
    return lambda v, _: t03(v, 1 if sign == "+" else -1, first)


def _t06(name: str, turns: int) -> State:
    return _within(name, lambda v: v.row["turn"] < turns)


def _t10(name: str, level: int) -> State:
    return _within(name, lambda v: min(len(single_winds(v)), 3) == level)


def _t23(name: str, level: int) -> State:
    risk, dear = (level - 1) % 2, level > 2
    return _within(name, lambda v: v.visible(v.row["kind"]) == risk and can_win_more(v) == dear)


def _by_level(sign: str) -> dict[str, State]:
    found: dict[str, State] = {}
    for level, first in ((1, 7), (2, 9), (3, 11)):
        found[f"{sign}T03.{level}"] = _t03(sign, first)
    for level in (1, 2, 3, 4):
        found[f"{sign}T06.{level}"] = _t06(f"{sign}T06", level)
    for level in (1, 2, 3):
        found[f"{sign}T10.{level}"] = _t10(f"{sign}T10", level)
    answer = schema.PENG if sign == "+" else schema.PASS
    found[f"{sign}T12.1"] = lambda v, earlier: t12(v, earlier, answer, False)
    for level in (1, 2, 3, 4):
        found[f"{sign}T23.{level}"] = _t23(f"{sign}T23", level)
    return found


LEVEL_STATES: dict[str, State] = {**_by_level("+"), **_by_level("-")}
