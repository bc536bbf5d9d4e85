"""Seats' own walls: as in the slow twin, nothing but another order of an ordinary wall, and no statistic changes."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from sim.flags import DECK, FLAG, R_N_TILES, to_flags
from sim.game import play_hand
from sim.policy import bot_codes
from sim.rng import shuffle
from sim.rules import Rules, load, names
from sim.schema import DRAW, WASHOUT
from sim.session import start_table
from sim.state import DEALER, GAME, N_TRACE, PAY_HAND, PAY_HORSE, PAY_KONG, REPEAT, SEAT_WALLS, SEATED, WALL, new_state
from sim.tables import load as load_tables
from sim.trial import F
from sim.trials import Trial, TrialPlayer
from tests.options import random_rules
from tests.oracle import play_hand as play_slowly

SEED = 9
LINE_UPS = (("ukeire",) * 4, ("random", "ukeire", "slip", "random"))
Bots = tuple[str, str, str, str]


def played(rules: Rules, bots: Bots, table: int, seat_walls: bool, wall: Any = None) -> tuple[Any, NDArray[np.int64]]:
    """State after a hand, and its moves; on ``wall`` if given."""
    s, r, trace = new_state(), to_flags(rules), np.zeros((1024, 4), np.int64)
    start_table(s, r, SEED, table)
    shuffle(r[DECK], r[FLAG, R_N_TILES], SEED, table, 0, s[WALL])
    if wall is not None:
        s[WALL] = wall
    s[GAME, REPEAT], s[GAME, SEAT_WALLS] = 0, int(seat_walls)
    s[GAME, SEATED : SEATED + 4] = bot_codes(bots)
    play_hand(s, r, load_tables(), trace)
    return s, trace[: s[GAME, N_TRACE]]


def check_with_twin(rules: Rules, bots: Bots, table: int) -> None:
    s, trace = played(rules, bots, table, True)
    dealer = int(s[GAME, DEALER])
    slow = play_slowly(
        rules, SEED, table, 0, dealer=dealer, round_wind=0, repeat=0, origin=dealer, chair_dealer=dealer, bots=bots,
        seat_walls=True,
    )  # fmt: skip
    assert [tuple(move) for move in trace.tolist()] == slow.trace
    for seat in range(4):
        points = s[PAY_HAND, seat] + s[PAY_KONG, seat] + s[PAY_HORSE, seat]
        assert points == slow.row[f"points_{seat}"]


@pytest.mark.parametrize("variant", names())
def test_shipped_rule_sets_are_dealt_as_in_the_twin(variant: str) -> None:
    for bots in LINE_UPS:
        for table in range(2):
            check_with_twin(load(variant), bots, table)


@pytest.mark.parametrize("seed", range(16))
def test_any_options_are_dealt_as_in_the_twin(seed: int) -> None:
    rules = random_rules(seed)
    for table in range(4):
        check_with_twin(rules, LINE_UPS[1], table)


@pytest.mark.parametrize("variant", names())
def test_a_hand_is_one_of_an_ordinary_wall_in_another_order(variant: str) -> None:
    """Which is what makes it unbiased: every order of the tiles has the same chance, and none looks at them."""
    rules, moved = load(variant), 0
    for bots in LINE_UPS:
        for table in range(20):
            own, moves = played(rules, bots, table, True)
            shared, again = played(rules, bots, table, False, own[WALL])
            np.testing.assert_array_equal(moves, again)
            np.testing.assert_array_equal(own[WALL], shared[WALL])
            moved += (played(rules, bots, table, False)[0][WALL] != own[WALL]).any()
    assert moved > 10


def test_calls_of_others_do_not_move_a_seats_draws() -> None:
    """Each seat draws its own tiles one after another, whatever the bots are, until its wall is used up."""
    rules = load("maima")
    for table in range(30):
        wall = None
        for bots in (*LINE_UPS, ("shanten",) * 4):
            s, moves = played(rules, bots, table, True)
            if wall is None:
                wall = played(rules, bots, table, False)[0][WALL]
            for seat in range(4):
                drawn = moves[(moves[:, 0] == DRAW) & (moves[:, 1] == seat), 2][:12]
                own = wall[52 + (seat - s[GAME, DEALER]) % 4 :: 4][: len(drawn)]
                np.testing.assert_array_equal(drawn, own)


def test_a_wall_is_the_same_for_every_line_up() -> None:
    """Play puts it in another order, so it is shuffled anew for each hand of a wall."""
    rules = (load("maima"), load("maima", {"ghost.mode": "none"}))
    ukeire: Bots = ("ukeire",) * 4
    facts = TrialPlayer(Trial(rules, (ukeire, ("slip",) * 4, ukeire), 4, seat_walls=True)).play(0, 40).facts
    np.testing.assert_array_equal(facts[:, 0], facts[:, 2])
    assert (facts[:, 0] != facts[:, 1]).any()


def test_a_bot_that_sees_the_wall_shares_it() -> None:
    """It would know what its calls change, and so win less than it does."""
    trial = Trial((load("zhuama"),), (("oracle", "random", "random", "random"),), 5, seat_walls=True)
    assert not trial.has_seat_walls
    shared = dataclasses.replace(trial, seat_walls=False)
    np.testing.assert_array_equal(TrialPlayer(trial).play(0, 3).facts, TrialPlayer(shared).play(0, 3).facts)


def statistics(facts: NDArray[np.float64]) -> dict[str, NDArray[np.float64]]:
    """What a rule set is judged by, one value for each hand."""
    dealer = facts[:, F["dealer"]].astype(int)
    points = facts[:, F["points_0"] : F["points_0"] + 4]
    winners = facts[:, F["winners"]].astype(int)
    return {
        "dealer's points": np.take_along_axis(points, dealer[:, None], 1)[:, 0],
        "next seat's points": np.take_along_axis(points, (dealer[:, None] + 1) % 4, 1)[:, 0],
        "squares": (points**2).sum(axis=1),
        "washout": (facts[:, F["outcome"]] == WASHOUT).astype(float),
        "by discard": (facts[:, F["outcome"]] == 2).astype(float),
        "dealer wins": ((winners >> dealer) & 1).astype(float),
        "third seat wins": ((winners >> (dealer + 2) % 4) & 1).astype(float),
        "turns": facts[:, F["turns"]],
        "points of wins": facts[:, F["win_points"]],
        "chickens": facts[:, F["n_chickens"]],
    }


def compare_statistics(variant: str, n: int) -> None:
    """On independent walls; Welch's z for each of 10 means and a chi-square of the turns, 1e-6 for all together."""
    own = TrialPlayer(Trial((load(variant),), LINE_UPS[:1], 61, seat_walls=True)).play(0, n).facts[:, 0, 0]
    shared = TrialPlayer(Trial((load(variant),), LINE_UPS[:1], 62)).play(0, n).facts[:, 0, 0]
    a, b = statistics(own), statistics(shared)
    for name in a:
        gap = a[name].mean() - b[name].mean()
        assert abs(gap) < 5.4 * np.sqrt((a[name].var() + b[name].var()) / n) + 1e-12, name
    counts = np.array([np.bincount(x["turns"].astype(int), minlength=150)[:150] for x in (a, b)])
    counts = counts[:, counts.sum(axis=0) >= 20]
    assert stats.chi2_contingency(counts).pvalue > 1e-7


@pytest.mark.parametrize("variant", ["maima", "jipinghu", "huapai"])
def test_no_statistic_changes(variant: str) -> None:
    compare_statistics(variant, 10_000)
