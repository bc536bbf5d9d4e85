"""One compilation serves every rule set, option, mode and bot."""

from __future__ import annotations

import pytest

from sim.engine import Plan, Player
from sim.rules import load, names
from sim.session import play_tables
from tests.options import random_rules


@pytest.mark.parametrize("mode", ["session", "duplicate"])
def test_one_signature_for_all_rules_modes_and_bots(mode: str) -> None:
    all_rules = [load(name) for name in names()] + [random_rules(seed) for seed in range(10)]
    for rules in all_rules:
        for bots in (("ukeire",) * 4, ("random", "ukeire", "random", "random")):
            Player(Plan(rules, 8, bots, 1, mode, 4)).rows(0, 2, 4)
    assert len(play_tables.signatures) == 1
