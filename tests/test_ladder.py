"""The ladder's observations and its page."""

from __future__ import annotations

import numpy as np

from analysis.ladder import Duel, block_points, page, sanity
from sim.rules import load


def test_equal_bots_gain_nothing_in_any_block() -> None:
    """Four rotations of one deal among equal bots: the seats' points sum to zero."""
    assert np.abs(block_points(load("maima"), ("ukeire",) * 4, 6, 3, 1)).max() == 0.0


def test_points_of_the_first_two_bots_are_those_of_the_others_with_the_other_sign() -> None:
    ours = block_points(load("maima"), ("ukeire", "ukeire", "random", "random"), 8, 3, 2)
    theirs = block_points(load("maima"), ("random", "random", "ukeire", "ukeire"), 8, 3, 1)
    assert ours.mean() > 0 > theirs.mean()


def test_sanity_shares_are_shares() -> None:
    found = sanity(load("jipinghu"), "ukeire", 4, 1)
    assert 0 <= found["washout"] <= 1
    assert 0 < found["deal_in"] < 0.25
    assert found["win_turn"] > 1


def test_page_names_every_duel() -> None:
    duels = [Duel("maima", "value", "ukeire", 12.34, 5.67, 100, 9_000.0)]
    checks = {"maima": {"value": sanity(load("maima"), "ukeire", 1, 1)}}
    text = page(duels, checks, {"code": "abc", "seed": 1})
    assert "+12.3 ± 5.7" in text
    assert "| maima | value |" in text
    assert "value - ukeire 400" in text
