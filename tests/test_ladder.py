"""The ladder's pairs and its page."""

from __future__ import annotations

import math

import pytest

from analysis.duel.run import duel
from analysis.ladder import Pair, page, pair, sanity
from sim.rules import load


def test_points_of_a_pair_are_those_of_its_duel_and_of_both_sides() -> None:
    found = pair("maima", load("maima"), "ukeire", "random", 64, 3, 2)
    other = pair("maima", load("maima"), "random", "ukeire", 64, 3, 1)
    assert found.hands == 64
    assert found.mean > 0 > other.mean
    assert found.low < found.mean < found.high
    assert found.mean == pytest.approx(100 * duel("ukeire", "random", load("maima"), hands=64, seed=3).mean)


def test_bots_that_play_alike_have_no_interval() -> None:
    found = pair("zhuama", load("zhuama"), "defend", "value", 8, 1, 1)
    assert (found.mean, math.isnan(found.low)) == (0.0, True)


def test_sanity_shares_are_shares() -> None:
    found = sanity(load("jipinghu"), "ukeire", 4, 1)
    assert 0 <= found["washout"] <= 1
    assert 0 < found["deal_in"] < 0.25
    assert found["win_turn"] > 1


def test_page_names_every_duel() -> None:
    pairs = [Pair("maima", "value", "ukeire", 12.34, 6.67, 18.01, 400)]
    checks = {"maima": {"value": sanity(load("maima"), "ukeire", 1, 1)}}
    text = page(pairs, checks, {"code": "abc", "seed": 1})
    assert "+12.3 [+6.7, +18.0]" in text
    assert "| maima | value |" in text
    assert "value - ukeire 400" in text
