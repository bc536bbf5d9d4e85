"""Whole hands: the kernel equals its slow twin move by move, row by row."""

from __future__ import annotations

import pytest

from sim.rules import load, names
from tests.options import random_rules
from tests.twin import first_difference

BOTS = ("random", "ukeire", "shanten")


@pytest.mark.parametrize("bot", BOTS)
@pytest.mark.parametrize("variant", names())
def test_shipped_rule_sets(variant: str, bot: str) -> None:
    for table in range(6 if bot == "random" else 2):
        assert first_difference(load(variant), (bot,) * 4, 101, table, 8, "session") is None


def test_duplicate_mode_with_a_mixed_line_up() -> None:
    for table in range(3):
        line_up = ("ukeire", "random", "ukeire", "ukeire")
        assert first_difference(load("maima"), line_up, 7, table, 4, "duplicate") is None


@pytest.mark.parametrize("seed", range(24))
def test_random_options(seed: int) -> None:
    rules = random_rules(seed)
    assert first_difference(rules, ("ukeire",) * 4, seed, 0, 3, "session") is None
    assert first_difference(rules, ("random", "ukeire", "random", "ukeire"), seed, 1, 4, "session") is None
    assert first_difference(rules, ("random",) * 4, seed, 2, 8, "session") is None
    assert first_difference(rules, ("shanten", "slip", "shanten", "random"), seed, 3, 3, "session") is None


def test_slip_slips() -> None:
    for table in range(3):
        assert first_difference(load("maima"), ("slip",) * 4, 102, table, 8, "session") is None


@pytest.mark.slow
@pytest.mark.parametrize("bot", BOTS)
@pytest.mark.parametrize("variant", names())
def test_two_thousand_hands(variant: str, bot: str) -> None:
    for table in range(32):
        assert first_difference(load(variant), (bot,) * 4, 11, table, 64, "session") is None


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 300))
def test_two_hundred_option_sets(seed: int) -> None:
    rules = random_rules(seed)
    for bots in (("ukeire",) * 4, ("random", "ukeire", "ukeire", "random"), ("random",) * 4):
        assert first_difference(rules, bots, seed, 0, 16, "session") is None
