"""Dealt hands against exact combinatorics."""

from __future__ import annotations

from math import comb

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from analysis.deal_need import need_counts
from sim.engine import Plan, Player
from sim.rules import load
from sim.schema import H

FALSE_ALARM = 1e-6


def test_every_hand_is_counted(lookup: NDArray[np.uint8]) -> None:
    assert sum(need_counts(lookup, 13, 3, True).values()) == comb(136, 13)
    assert sum(need_counts(lookup, 14, 3, True).values()) == comb(136, 14)
    assert sum(need_counts(lookup, 13, 3, False).values()) == comb(108, 13)


def test_shanten_of_the_deal(lookup: NDArray[np.uint8]) -> None:
    """Chi-square of the first hand of 60,000 tables, one seat each, against the exact distribution."""
    for tile_set, honours in (("136", True), ("108", False)):
        rules = load("zhuama", {"tiles": tile_set})
        rows = Player(Plan(rules, 60_000, ("random",) * 4, 2, "session", 1)).rows(0, 60_000, 1).rows
        exact = need_counts(lookup, 13, 3, honours)
        total = sum(exact.values())
        needs = sorted(exact)
        expected = np.array([60_000 * exact[need] / total for need in needs])
        found = np.array([(rows[:, H["shanten_deal_2"]] + 1 == need).sum() for need in needs])
        common = expected >= 5
        found = np.append(found[common], found[~common].sum())
        expected = np.append(expected[common], expected[~common].sum())
        statistic = ((found - expected) ** 2 / np.maximum(expected, 1e-9)).sum()
        assert statistic < stats.chi2(len(found) - 1).isf(FALSE_ALARM)


def test_complete_deals_of_the_dealer(lookup: NDArray[np.uint8]) -> None:
    """天和 of the standard form happens about three times in a million deals; the exact chance."""
    chance = need_counts(lookup, 14, 3, True)[0] / comb(136, 14)
    assert 2e-6 < chance < 5e-6


def test_horse_tiles_hit_as_often_as_their_number_says() -> None:
    """The horses' classes over the deck are 40/32/32/32 (worked numbers); held horses are drawn fairly."""
    rules = load("maima")
    rows = Player(Plan(rules, 40_000, ("random",) * 4, 4, "session", 1)).rows(0, 40_000, 1).rows
    rows = rows[rows[:, H["outcome"]] != 0]
    classes = (rows[:, H["horse_tiles"], None] >> (2 * np.arange(4))) & 3
    found = np.bincount(classes.ravel(), minlength=4)
    expected = found.sum() * np.array([40, 32, 32, 32]) / 136
    assert ((found - expected) ** 2 / expected).sum() < stats.chi2(3).isf(FALSE_ALARM)
