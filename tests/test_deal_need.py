"""Post-stratification on the deal: against statsmodels' weighted means, and on hands whose truth is known."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray
from statsmodels.stats.weightstats import DescrStatsW

from analysis.deal_need import complete_deals, need_counts, poststratified, shares
from sim.rules import load
from sim.trial import F
from sim.trials import Trial, TrialPlayer


def test_chances_are_shares_of_all_hands(lookup: NDArray[np.uint8]) -> None:
    chances = shares(lookup, 13, 3, True)
    counts = need_counts(lookup, 13, 3, True)
    assert chances.sum() == pytest.approx(1.0)
    assert chances[4] == counts[4] / sum(counts.values())


def test_the_mean_is_that_of_weighted_strata() -> None:
    rng = np.random.default_rng(1)
    needs = rng.integers(1, 4, 600)
    values = needs + rng.normal(size=600)
    chances = np.array([0.0, 0.2, 0.5, 0.3])
    weights = chances[needs] / np.bincount(needs)[needs]
    mean, error = poststratified(values, needs, chances)
    assert mean == pytest.approx(DescrStatsW(values, weights=weights).mean)
    parts = [DescrStatsW(values[needs == k]).std_mean * chances[k] for k in (1, 2, 3)]
    assert error == pytest.approx(math.hypot(*parts), rel=0.02)


def test_rare_strata_are_joined_with_the_next() -> None:
    needs = np.array([1] * 3 + [2] * 50 + [3] * 50 + [4] * 2)
    values = np.arange(105.0)
    chances = np.array([0.01, 0.04, 0.5, 0.4, 0.05])
    mean, error = poststratified(values, needs, chances)
    assert mean == pytest.approx(0.55 * values[needs <= 2].mean() + 0.45 * values[needs >= 3].mean())
    assert math.isfinite(error)


def test_adjusted_and_plain_means_agree(lookup: NDArray[np.uint8]) -> None:
    """z-bound 4.9 with the plain error, false-alarm rate 1e-6; the adjusted error is not larger."""
    facts = TrialPlayer(Trial((load("jipinghu"),), (("ukeire",) * 4,), 12)).play(0, 20_000).facts[:, 0, 0]
    dealer = facts[:, F["dealer"]].astype(int)[:, None]
    needs = np.take_along_axis(facts[:, F["need_0"] : F["need_0"] + 4], dealer, 1)[:, 0].astype(int)
    values = np.take_along_axis(facts[:, F["mean_0"] : F["mean_0"] + 4], dealer, 1)[:, 0]
    mean, error = poststratified(values, needs, shares(lookup, 13, 3, True))
    plain = values.std() / math.sqrt(len(values))
    assert abs(mean - values.mean()) < 4.9 * plain
    assert error < plain


def test_complete_deals_of_the_forms(lookup: NDArray[np.uint8]) -> None:
    """Seven pairs by counting kinds; hands that are both are counted once."""
    pairs = sum(math.comb(34, a) * math.comb(34 - a, 7 - 2 * a) * 6 ** (7 - 2 * a) for a in range(4))
    assert complete_deals(lookup, 3, True, ["seven_pairs"]) == pairs
    standard = complete_deals(lookup, 3, True, ["standard"])
    both = standard + pairs - complete_deals(lookup, 3, True, ["standard", "seven_pairs"])
    assert 0 < both < standard
    orphans = complete_deals(lookup, 3, True, ["thirteen_orphans"])
    assert orphans == 13 * 6 * 4**12
    assert complete_deals(lookup, 3, True, ["standard", "thirteen_orphans"]) == standard + orphans
