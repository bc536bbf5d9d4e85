"""The referee and the plain settlement agree with the slow twin; the settlement stops hands played at other prices."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from sim.rules import Rules, load
from tests import settle
from tests.hands_played import Hand
from tests.options import random_rules
from tests.oracle import play_table
from tests.referee import follow

BOTS = (("random",) * 4, ("ukeire", "random", "ukeire", "ukeire"))


def hands(rules: Rules, seed: int, bots: tuple[str, str, str, str], n_hands: int) -> Iterator[tuple[Hand, int]]:
    """Hands of the twin, and the table's first dealer."""
    results = play_table(rules, seed, 0, n_hands, bots)
    chair = results[0].row["dealer"]
    for result in results:
        yield Hand(result.row | {"chair": chair}, result.wins, result.trace), chair


@pytest.mark.parametrize("seed", range(400, 416))
def test_hands_of_the_twin_follow_the_rules(seed: int) -> None:
    rules = random_rules(seed)
    for bots, n_hands in zip(BOTS, (6, 3), strict=True):
        for hand, chair in hands(rules, seed, bots, n_hands):
            follow(rules, hand, chair, thorough=True)
            settle.check(hand, rules)


@pytest.mark.parametrize(
    ("played", "judged"),
    [
        ({"multiples.opened": 20}, {}),
        ({"multiples.opened": 20, "multiples.opened_each": True}, {"multiples.opened": 20}),
        ({"multiples.feeder": 15}, {}),
        ({"win.payers": "all", "win.multiple": "nearest"}, {"win.multiple": "nearest"}),
        ({"scoring.loss_cap": 2, "scoring.loss_cap_all": 3}, {"scoring.loss_cap": 2}),
    ],
    ids=lambda value: "+".join(value),
)
def test_the_settlement_stops_hands_of_other_prices(played: dict[str, Any], judged: dict[str, Any]) -> None:
    rules, other = load("jipinghu", played), load("jipinghu", judged)
    wrong = 0
    for hand, _ in hands(rules, 5, ("ukeire",) * 4, 12):
        settle.check(hand, rules)
        try:
            settle.check(hand, other)
        except AssertionError:
            wrong += 1
    assert wrong
