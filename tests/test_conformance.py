"""Every rule set and many random options: hands end, sums are zero, moves are legal, the log holds all of it."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
import pytest

from sim.engine import Rows
from sim.rules import Rules, load, names
from tests.hands_played import MAX_MOVES, tables
from tests.options import random_rules
from tests.referee import follow
from tests.test_codec import round_trip

BOTS = ("random", "ukeire")
N_HANDS = 8


def check(rules: Rules, bot: str, seed: int, n_hands: int) -> None:
    """Play ``n_hands`` hands of four equal bots and check them; one table in five thoroughly."""
    played = []
    for i, table in enumerate(tables(rules, (bot,) * 4, seed, n_hands // N_HANDS, N_HANDS)):
        chair = table.hands[0].row["dealer"]
        for n, hand in enumerate(table.hands):
            assert 0 < len(hand.moves) < MAX_MOVES
            try:
                follow(rules, hand, chair, thorough=i % 5 == 0)
            except (AssertionError, ValueError, KeyError) as error:
                raise AssertionError(f"{rules.slug} {bot} seed {seed} table {i} hand {n}: {error}") from error
        played.append(table.rows)
    rows = Rows(*(np.concatenate([getattr(t, name) for t in played]) for name in Rows._fields))
    round_trip(rules, *rows[:3])


@pytest.mark.parametrize("bot", BOTS)
@pytest.mark.parametrize("variant", names())
def test_shipped_rule_sets(variant: str, bot: str) -> None:
    check(load(variant), bot, 21, 96)


@pytest.mark.parametrize("bot", BOTS)
@pytest.mark.parametrize("seed", range(12))
def test_random_options(seed: int, bot: str) -> None:
    check(random_rules(seed), bot, seed, 96)


@pytest.mark.slow
@pytest.mark.parametrize("bot", BOTS)
@pytest.mark.parametrize("variant", names())
def test_two_thousand_hands_of_shipped_rule_sets(variant: str, bot: str) -> None:
    check(load(variant), bot, 22, 2_000)


@pytest.mark.slow
@pytest.mark.parametrize("bot", BOTS)
@pytest.mark.parametrize("seed", range(200))
def test_two_thousand_hands_of_random_options(seed: int, bot: str) -> None:
    check(random_rules(1_000 + seed), bot, seed, 2_000)


DECLARE = {"play.declare": "needed"}
GHOSTS = {"ghost.mode": "turned_two"}
ONE_STAYS = {"play.reserve_per_kong": 1}


@pytest.mark.parametrize(
    ("played", "judged", "message"),
    [
        ({}, {"play.chi": False}, "chi is not allowed"),
        ({}, {"win.ways": ["zimo", "qianggang"], "win.chicken_ways": ["zimo", "qianggang"]}, "dianpao|where only"),
        ({}, {"win.min_fan_discard": 3}, "not legal"),
        ({}, {"win.must": True}, "必胡"),
        ({"win.passed": "off"} | GHOSTS, GHOSTS, "not legal"),
        ({}, {"win.multiple": "nearest"}, "won by"),
        ({"win.rob_kongs": ["added", "concealed", "direct"]}, {}, "where only|wrong|draws"),
        ({"ghost.mode": "turned", "ghost.discard": "allowed"}, {"ghost.mode": "turned"}, "a ghost was discarded"),
        ({"win.forms": ["standard", "seven_pairs"]} | GHOSTS, GHOSTS, "legal"),
        (DECLARE, {}, "declared where nobody declares"),
        ({}, DECLARE, "not legal"),
        (DECLARE, DECLARE | {"play.standing": 4}, "a standing tile was discarded"),
        ({}, {"play.passed_peng": "same_tile"}, "漏碰"),
        ({}, {"play.reserve_per_kong": 1}, "wall's rest"),
        (ONE_STAYS, ONE_STAYS | {"play.odd_tile_stays": True}, "wall's rest"),
        (GHOSTS | {"ghost.kong": "allowed"}, GHOSTS, "a kong of ghosts"),
        ({}, {"win.barred": ["5m", "5p", "5s"]}, "not legal"),
        ({"win.passed": "off"}, {"win.passed": "rest_of_hand"}, "not legal|after a passed win"),
    ],
    ids=lambda value: "+".join(value) if isinstance(value, dict) else None,
)
def test_the_referee_stops_hands_of_other_rules(
    played: dict[str, object], judged: dict[str, object], message: str
) -> None:
    rules, other = load("jipinghu", played), load("jipinghu", judged)
    assert any(re.search(message, fault) for bot in BOTS for fault in faults(rules, other, bot))


def faults(played: Rules, judged: Rules, bot: str) -> Iterator[str]:
    """What the referee of one rule set says to hands of another one."""
    for table in tables(played, (bot,) * 4, 2, 600, 2):
        for hand in table.hands:
            try:
                follow(judged, hand, table.hands[0].row["dealer"])
            except (AssertionError, ValueError) as error:
                yield str(error)
