"""Runs: the same columns whatever the threads, chunks and shards; facts in the files; refusals."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from sim import engine
from sim.engine import Plan, PlanError, simulate
from sim.jit import CODE_HASH
from sim.logs import HandLog, LogError, scan
from sim.packing import clear_unused
from sim.rules import load, names

UKEIRE = ("ukeire",) * 4


def stored(folder: Path, kind: str) -> pl.DataFrame:
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    frame = pl.concat([pl.read_parquet(folder / shard["files"][kind]["name"]) for shard in manifest["shards"]])
    return clear_unused(frame) if kind == "hands" else frame  # what fills unused places differs by shard


@pytest.mark.parametrize("mode", ["session", "duplicate"])
def test_columns_do_not_depend_on_threads_chunks_or_halves(tmp_path: Path, mode: str) -> None:
    plan = Plan(load("maima"), 1_000, UKEIRE, 3, mode, 16)
    simulate(plan, tmp_path / "one", threads=1, chunk=7)
    simulate(plan, tmp_path / "two", threads=2, chunk=3)
    simulate(plan, tmp_path / "first", threads=2, shard=(1, 2))
    simulate(plan, tmp_path / "second", threads=1, chunk=1, shard=(2, 2))
    for kind in ("hands", "pool"):
        one = stored(tmp_path / "one", kind)
        assert_frame_equal(one, stored(tmp_path / "two", kind))
        assert_frame_equal(one, pl.concat([stored(tmp_path / half, kind) for half in ("first", "second")]))
        names = [f"{kind}-0000000000.parquet"]
        assert [(tmp_path / "one" / n).read_bytes() for n in names] == [
            (tmp_path / "two" / n).read_bytes() for n in names
        ]


def test_shards_are_cut_at_tables(tmp_path: Path) -> None:
    plan = Plan(load("zhuama"), 500, UKEIRE, 1, "session", 16)
    simulate(plan, tmp_path / "whole")
    manifest = simulate(plan, tmp_path / "cut", threads=2, chunk=4, sink=HandLog(100))
    assert [shard["n_tables"] for shard in manifest["shards"]] == [6, 6, 6, 6, 6, 2]
    assert sum(shard["n_hands"] for shard in manifest["shards"]) == 500
    assert_frame_equal(stored(tmp_path / "whole", "hands"), stored(tmp_path / "cut", "hands"))


def test_number_of_hands_is_exact(tmp_path: Path) -> None:
    assert simulate(Plan(load("zhuama"), 77, UKEIRE, 1, "session", 16), tmp_path / "a")["n_hands"] == 77
    assert simulate(Plan(load("zhuama"), 77, UKEIRE, 1, "duplicate"), tmp_path / "b")["n_hands"] == 80
    assert stored(tmp_path / "a", "hands").height == 77


def test_provenance_is_in_manifest_and_files(tmp_path: Path) -> None:
    rules = load("jipinghu", {"scoring.cap": 4})
    manifest = simulate(Plan(rules, 64, UKEIRE, 9), tmp_path)
    in_file = json.loads(pl.read_parquet_metadata(tmp_path / "hands-0000000000.parquet")["gdmj"])
    for facts in (manifest, in_file):
        assert facts["rules"]["scoring"]["cap"] == 4
        assert facts["rules_digest"] == rules.digest()
        assert (facts["seed"], facts["bots"], facts["code_hash"]) == (9, list(UKEIRE), CODE_HASH)
    assert not (tmp_path / "_tmp").exists()


def test_a_finished_run_is_kept_and_another_one_refused(tmp_path: Path) -> None:
    plan = Plan(load("zhuama"), 64, UKEIRE, 1)
    first = simulate(plan, tmp_path)
    assert simulate(plan, tmp_path) == first
    with pytest.raises(LogError, match=r"another run \(seed differ"):
        simulate(Plan(load("zhuama"), 64, UKEIRE, 2), tmp_path)


def test_progress_counts_every_hand(tmp_path: Path) -> None:
    seen: list[int] = []
    simulate(Plan(load("zhuama"), 1_000, UKEIRE), tmp_path, chunk=2, progress=seen.append)
    assert sum(seen) == 1_000
    assert len(seen) == 8


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"n_hands": 0}, "hands"),
        ({"n_hands": -5}, "hands"),
        ({"seed": -1}, "seed"),
        ({"mode": "solo"}, "mode"),
        ({"bots": ("ukeire", "nobody", "random", "random")}, "nobody.*allowed: random, ukeire"),
        ({"bots": ("ukeire", "ukeire")}, "bots"),
        ({"hands_per_table": 0}, "hands per table"),
    ],
)
def test_impossible_plans(change: dict[str, Any], message: str) -> None:
    good: dict[str, Any] = {"rules": load("zhuama"), "n_hands": 10, "bots": UKEIRE}
    with pytest.raises(PlanError, match=message):
        Plan(**{**good, **change})


@pytest.mark.parametrize("variant", names())
def test_points_sum_to_zero_in_every_row(tmp_path: Path, variant: str) -> None:
    rules = load(variant)
    hands = scan(tmp_path, simulate(Plan(rules, 4_000, UKEIRE), tmp_path), rules).hands
    parts = ("points", "hand", "kong", "horse")
    sums = hands.select(pl.sum_horizontal(f"{part}_{s}" for s in range(4)).alias(part) for part in parts)
    assert sums.select(pl.all().abs().sum()).collect().row(0) == (0, 0, 0, 0)


def test_a_damaged_finished_run_is_not_taken_for_done(tmp_path: Path) -> None:
    plan = Plan(load("zhuama"), 64, UKEIRE, 1)
    simulate(plan, tmp_path)
    file = tmp_path / "hands-0000000000.parquet"
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 1
    file.write_bytes(data)
    with pytest.raises(LogError, match=r"damaged.*--resume"):
        simulate(plan, tmp_path)
    file.unlink()
    with pytest.raises(LogError, match=r"missing.*--resume"):
        simulate(plan, tmp_path)


def test_tasks_are_bounded_in_hands() -> None:
    sizes = [n for _, n, _ in engine._tasks([(0, 1000)], min(10**9, engine.MAX_TASK_HANDS // 64))]
    assert max(sizes) * 64 <= engine.MAX_TASK_HANDS
    assert sum(sizes) == 1000
