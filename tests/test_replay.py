"""Replay: the logged row again."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from sim.engine import Plan, PlanError, simulate
from sim.logs import scan
from sim.replay import replay
from sim.rules import load, names


@pytest.mark.parametrize("variant", names())
def test_a_replayed_row_is_the_logged_one(tmp_path: Path, variant: str) -> None:
    rules = load(variant)
    manifest = simulate(Plan(rules, 256, ("ukeire", "random", "ukeire", "ukeire"), 5, "session", 32), tmp_path)
    hands = scan(tmp_path, manifest, rules).hands.collect()
    for table, hand in ((0, 0), (3, 17), (7, 31)):
        again = replay(manifest, table, hand)
        logged = hands.row(by_predicate=(pl.col("table") == table) & (pl.col("hand") == hand), named=True)
        assert {k: v for k, v in again.row.items() if k in logged} == logged


@pytest.mark.parametrize("place", [(-1, 0), (4, 0), (0, 16), (0, -1)])
def test_hands_that_the_run_does_not_have(tmp_path: Path, place: tuple[int, int]) -> None:
    manifest = simulate(Plan(load("zhuama"), 64, ("random",) * 4, 1, "session", 16), tmp_path)
    with pytest.raises(PlanError, match=r"table|hand"):
        replay(manifest, *place)
