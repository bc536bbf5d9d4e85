"""Simulated frequencies against exact combinatorics and symmetry. Each assertion has a false-alarm rate of 1e-6."""

from __future__ import annotations

from math import comb, sqrt

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from analysis.deal_need import complete_deals, need_counts
from sim.flags import to_flags
from sim.rules import load
from sim.state import new_state
from sim.tables import load as load_tables
from sim.trial import F
from sim.trials import Trial, TrialPlayer
from tests.verification.deals import count_needs

FALSE_ALARM = 1e-6
Z = 4.9
UKEIRE = ("ukeire",) * 4


def chi_square(found: NDArray[np.float64], expected: NDArray[np.float64]) -> None:
    """Compare counts with expected ones; cells that expect less than five are put together."""
    common = expected >= 5
    found = np.append(found[common], found[~common].sum())
    expected = np.append(expected[common], expected[~common].sum())
    cells = expected > 0
    statistic = ((found - expected)[cells] ** 2 / expected[cells]).sum()
    assert statistic < stats.chi2(cells.sum() - 1).isf(FALSE_ALARM)


@pytest.mark.parametrize(("tile_set", "honours"), [("136", True), ("108", False)])
def test_shanten_of_two_million_deals(lookup: NDArray[np.uint8], tile_set: str, honours: bool) -> None:
    n = 2_000_000
    r = to_flags(load("zhuama", {"tiles": tile_set, "win.forms": ["standard"]}))
    counts = np.zeros(20, np.int64)
    count_needs(new_state(), r, load_tables(), 13, n, 3, counts)
    exact = need_counts(lookup, 13, 3, honours)
    total = sum(exact.values())
    chi_square(counts.astype(float), np.array([n * exact.get(need, 0) / total for need in range(20)]))


@pytest.mark.parametrize(("tile_set", "honours", "n"), [("136", True, 30_000_000), ("108", False, 10_000_000)])
def test_complete_deals_of_fourteen_tiles(lookup: NDArray[np.uint8], tile_set: str, honours: bool, n: int) -> None:
    r = to_flags(load("zhuama", {"tiles": tile_set, "win.forms": ["standard"]}))
    counts = np.zeros(20, np.int64)
    count_needs(new_state(), r, load_tables(), 14, n, 4, counts)
    exact = need_counts(lookup, 14, 3, honours)
    expected = n * exact[0] / sum(exact.values())
    assert expected > 50
    low, high = stats.poisson(expected).ppf([FALSE_ALARM / 2, 1 - FALSE_ALARM / 2])
    assert low <= counts[0] <= high
    assert sum(exact.values()) == comb(136 if honours else 108, 14)


def test_complete_deals_of_all_forms(lookup: NDArray[np.uint8]) -> None:
    forms = ("standard", "seven_pairs", "thirteen_orphans")
    n = 20_000_000
    r = to_flags(load("zhuama", {"win.forms": list(forms)}))
    counts = np.zeros(20, np.int64)
    count_needs(new_state(), r, load_tables(), 14, n, 5, counts)
    expected = n * complete_deals(lookup, 3, True, forms) / comb(136, 14)
    assert expected > 50
    low, high = stats.poisson(expected).ppf([FALSE_ALARM / 2, 1 - FALSE_ALARM / 2])
    assert low <= counts[0] <= high


def test_the_seat_of_the_first_class_has_more_hits_by_the_worked_numbers() -> None:
    """With four horses counted from the dealer: mean multiplier 1 + hits of 2.176 for the dealer, 1.941 for others.

    These are of the whole deck. What is left of the wall has its honours and terminals thinned out by play, so bots
    come close, not there: within 0.02.
    """
    rules = (
        load("zhuama", {"horses.origin": "dealer"}),
        load("zhuama", {"horses.kind": "none", "horses.count": 0, "horses.count_discard": 0}),
    )
    facts = TrialPlayer(Trial(rules, (UKEIRE,), 3)).play(0, 300_000).facts[:, 0]
    single = facts[:, 0, F["n_wins"]] == 1
    facts = facts[single]
    winner = np.log2(facts[:, 0, F["winners"]]).astype(int)
    won = [np.take_along_axis(facts[:, k, F["mean_0"] : F["mean_0"] + 4], winner[:, None], 1)[:, 0] for k in (0, 1)]
    multiplier = 1 + (won[0] - won[1]) / facts[:, 0, F["win_points"]]
    deals = winner == facts[:, 0, F["dealer"]]
    for seat, worked in ((deals, 1 + 4 * 40 / 136), (~deals, 1 + 4 * 32 / 136)):
        assert worked == pytest.approx({True: 2.176, False: 1.941}[seat is deals], abs=5e-4)
        assert abs(multiplier[seat].mean() - worked) < 0.02
        drawn = facts[seat][:, 0, F["points_0"] : F["points_0"] + 4]
        sampled = np.take_along_axis(drawn, winner[seat][:, None], 1)[:, 0]
        gap = sampled - won[0][seat]
        assert abs(gap.mean()) < Z * gap.std() / sqrt(len(gap))


@pytest.mark.parametrize("variant", ["maima", "jipinghu", "zhuama", "huapai"])
def test_seats_are_exchangeable(variant: str) -> None:
    """The dealer is random, so the seats' points, wins and deals are alike; points add up to zero."""
    facts = TrialPlayer(Trial((load(variant),), (UKEIRE,), 11)).play(0, 60_000).facts[:, 0, 0]
    points = facts[:, F["points_0"] : F["points_0"] + 4]
    assert (points.sum(axis=1) == 0).all()
    winners = facts[:, F["winners"]].astype(int)
    deal = facts[:, F["need_0"] : F["need_0"] + 4]
    won = ((winners[:, None] >> np.arange(4)) & 1).astype(float)
    for values in (points, won, deal):
        for seat in range(3):
            gap = values[:, seat] - values[:, seat + 1]
            assert abs(gap.mean()) < Z * gap.std() / sqrt(len(gap))


def test_bots_that_are_alike_win_nothing_from_each_other() -> None:
    from analysis.duel.run import duel

    noisy = duel("random", "random", load("maima"), hands=200_000, seed=3, level=1 - FALSE_ALARM)
    assert noisy.low < 0 < noisy.high
    same = duel("ukeire", "ukeire", load("maima"), hands=20_000, seed=3)
    assert (same.mean, same.sd) == (0.0, 0.0)
