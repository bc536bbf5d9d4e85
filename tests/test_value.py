"""`value` and `defend` equal their slow twins move by move."""

from __future__ import annotations

import pytest

from sim.rules import load, names
from tests.options import random_rules
from tests.twin import first_difference


@pytest.mark.parametrize("variant", names())
def test_shipped_rule_sets(variant: str) -> None:
    assert first_difference(load(variant), ("value", "defend", "ukeire", "defend"), 31, 0, 3, "session") is None


@pytest.mark.parametrize("least", [1, 3])
def test_minimum_fan(least: int) -> None:
    rules = load("xinzhang", {"win.min_fan": least})
    assert first_difference(rules, ("value", "defend", "value", "ukeire"), 32, 0, 2, "session") is None


@pytest.mark.parametrize("seed", range(500, 512))
def test_random_options(seed: int) -> None:
    assert first_difference(random_rules(seed), ("value", "random", "defend", "value"), seed, 0, 2, "session") is None


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(600, 680))
def test_eighty_option_sets(seed: int) -> None:
    assert first_difference(random_rules(seed), ("value", "defend", "value", "random"), seed, 0, 6, "session") is None
