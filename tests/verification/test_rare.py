"""Multilevel splitting against brute force where brute force can reach. False-alarm rate of each: 1e-6."""

from __future__ import annotations

import math

import numpy as np
import pytest

from analysis.splitting import choose_distances, rare
from sim import patterns
from sim.engine import Plan, Player
from sim.rules import load
from sim.schema import W

N_HANDS, PART = 1_500_000, 100_000


def brute_force(variant: str, seed: int) -> dict[str, int]:
    """Hands of ``N_HANDS`` that were won with each pattern."""
    found = dict.fromkeys(patterns.INDEX, 0)
    player = Player(Plan(load(variant), N_HANDS, ("ukeire",) * 4, seed, "session", 1))
    for first in range(0, N_HANDS, PART):
        rows = player.rows(first, PART, 1)
        used = np.arange(3) < rows.n_wins[:, None]
        counted = np.bitwise_or.reduce(np.where(used, rows.wins[:, :, W["patterns"]], 0), axis=1)
        for slug, place in patterns.INDEX.items():
            found[slug] += int(((counted >> place) & 1).sum())
    return found


@pytest.mark.parametrize("variant", ["jipinghu"])
def test_splitting_agrees_with_brute_force(variant: str) -> None:
    counts = brute_force(variant, 21)
    compared = 0
    for pattern in ("thirteen_orphans", "dasanyuan"):
        rules = load(variant)
        found = rare(rules, pattern, choose_distances(rules, pattern), hands=2_000, repetitions=24)
        rate = counts[pattern] / N_HANDS
        error = math.hypot(found.se, math.sqrt(max(rate, 1 / N_HANDS) / N_HANDS))
        assert abs(found.rate - rate) < 4.9 * error, pattern
        compared += counts[pattern] > 10
    assert compared == 2
