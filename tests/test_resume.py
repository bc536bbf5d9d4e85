"""Unfinished, damaged and shorter runs: what is whole is kept, what is missing is played, nothing is mixed."""

from __future__ import annotations

import dataclasses
import json
import multiprocessing
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sim import logs
from sim.engine import Plan, simulate
from sim.lock import Lock
from sim.logs import HandLog, LogError
from sim.manifest import Shard
from sim.rules import load
from sim.shards import missing, without_overlap
from sim.store import Folder

PLAN = Plan(load("zhuama"), 500, ("random",) * 4, 1, "session", 16)  # shards of 6, 6, 6, 6, 6, 2 tables
Undisturbed = dict[str, bytes]


def play(out: Path, plan: Plan = PLAN, **options: Any) -> dict[str, Any]:
    return simulate(plan, out, sink=HandLog(100), **options)


def files(folder: Path) -> Undisturbed:
    """Bytes of the shards."""
    return {path.name: path.read_bytes() for path in sorted(folder.glob("*.parquet"))}


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Undisturbed:
    folder = tmp_path_factory.mktemp("undisturbed")
    play(folder)
    assert len(files(folder)) == 12
    return files(folder)


class Stop(Exception):
    """Something that ends a run."""


def stopped(out: Path, after: int, plan: Plan = PLAN) -> None:
    """Play and stop after some hands."""
    played = 0

    def progress(hands: int) -> None:
        nonlocal played
        played += hands
        if played >= after:
            raise Stop

    with pytest.raises(Stop):
        play(out, plan, chunk=1, progress=progress)


@pytest.mark.parametrize("after", [1, 120, 300, 480])
def test_an_interrupted_run_goes_on(after: int, tmp_path: Path, undisturbed: Undisturbed) -> None:
    stopped(tmp_path, after)
    assert not (tmp_path / "manifest.json").exists()
    assert not list(tmp_path.glob("_*"))
    entries = len(list(tmp_path.glob("shard-*.json")))
    assert after // 96 - 1 <= entries <= after // 96
    seen: list[int] = []
    opened: list[tuple[int, list[str]]] = []
    manifest = play(tmp_path, resume=True, progress=seen.append, opened=lambda *told: opened.append(told))
    assert opened == [(96 * entries, [])]
    assert sum(seen) == 500 - 96 * entries
    assert files(tmp_path) == undisturbed
    assert manifest["n_hands"] == 500
    assert {path.suffix for path in tmp_path.iterdir()} == {".parquet", ".json"}
    assert [path.name for path in tmp_path.glob("*.json")] == ["manifest.json"]


def test_without_resume_an_unfinished_run_is_left_alone(tmp_path: Path) -> None:
    stopped(tmp_path, 300)
    before = {path: path.stat().st_mtime_ns for path in tmp_path.iterdir()}
    with pytest.raises(LogError, match=r"unfinished run \((192|288) of 500 hands\); --resume"):
        play(tmp_path)
    assert {path: path.stat().st_mtime_ns for path in tmp_path.iterdir()} == before


def test_resume_starts_where_nothing_is(tmp_path: Path, undisturbed: Undisturbed) -> None:
    play(tmp_path / "new", resume=True)
    assert files(tmp_path / "new") == undisturbed


def _flip(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


DAMAGES: dict[str, Callable[[Path], object]] = {
    "checksum": _flip,
    "bytes": lambda path: path.write_bytes(path.read_bytes()[:-7]),
    "missing": lambda path: path.unlink(),
    "Parquet": lambda path: path.write_bytes(b""),
}


@pytest.mark.parametrize("is_finished", [True, False], ids=["finished", "unfinished"])
@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("kind", ["hands", "pool"])
def test_a_damaged_shard_is_played_again(
    kind: str, damage: str, is_finished: bool, tmp_path: Path, undisturbed: Undisturbed
) -> None:
    if is_finished:
        play(tmp_path)
    else:
        stopped(tmp_path, 480)
    DAMAGES[damage](tmp_path / f"{kind}-0000000006.parquet")
    opened: list[tuple[int, list[str]]] = []
    play(tmp_path, resume=True, opened=lambda *told: opened.append(told))
    ((_, (fault,)),) = opened
    assert f"{kind}-0000000006.parquet" in fault
    assert damage in fault or "bytes" in fault
    assert files(tmp_path) == undisturbed


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"format": 2}', b"\xff"])
def test_damaged_records_cost_the_work_but_nothing_else(
    content: bytes, tmp_path: Path, undisturbed: Undisturbed
) -> None:
    play(tmp_path)
    (tmp_path / "manifest.json").write_bytes(content)
    with pytest.raises(LogError):
        play(tmp_path)
    play(tmp_path, resume=True)
    assert files(tmp_path) == undisturbed
    stopped(tmp_path / "b", 300)
    (tmp_path / "b" / "shard-0000000000.json").write_bytes(content)
    play(tmp_path / "b", resume=True)
    assert files(tmp_path / "b") == undisturbed


@pytest.mark.parametrize("is_finished", [True, False], ids=["finished", "unfinished"])
@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"seed": 2}, "seed"),
        ({"rules": load("zhuama", {"horses.count": 2})}, "rules"),
        ({"bots": ("ukeire", "random", "random", "random")}, "bots"),
        ({"mode": "duplicate"}, "mode, hands_per_table"),
        ({"hands_per_table": 8}, "hands_per_table"),
    ],
)
def test_plans_are_never_mixed(change: dict[str, Any], words: str, is_finished: bool, tmp_path: Path) -> None:
    if is_finished:
        play(tmp_path)
    else:
        stopped(tmp_path, 300)
    before = files(tmp_path)
    for resume in (False, True):
        with pytest.raises(LogError, match=rf"holds another run \({words} differ\)"):
            play(tmp_path, dataclasses.replace(PLAN, **change), resume=resume)
    assert files(tmp_path) == before


def test_code_is_never_mixed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stopped(tmp_path, 300)
    monkeypatch.setattr(logs, "CODE_HASH", "another")
    with pytest.raises(LogError, match="code_hash differ"):
        play(tmp_path, resume=True)


def test_another_run_without_a_readable_record_is_not_overwritten(tmp_path: Path) -> None:
    play(tmp_path)
    (tmp_path / "manifest.json").write_bytes(b"")
    before = files(tmp_path)
    with pytest.raises(LogError, match="another run"):
        play(tmp_path, dataclasses.replace(PLAN, seed=2), resume=True)
    (tmp_path / "manifest.json").unlink()
    with pytest.raises(LogError, match="another run"):
        play(tmp_path, dataclasses.replace(PLAN, seed=2))
    assert files(tmp_path) == before


def test_a_run_is_extended(tmp_path: Path) -> None:
    longer = dataclasses.replace(PLAN, n_hands=1_000)
    play(tmp_path / "whole", longer)
    play(tmp_path / "grown")
    with pytest.raises(LogError, match="holds 500 hands of this plan; --resume extends it to 1,000"):
        play(tmp_path / "grown", longer)
    kept: list[int] = []
    stopped_at = 700

    def progress(hands: int) -> None:
        kept.append(hands)
        if sum(kept) > stopped_at - 480:
            raise Stop

    with pytest.raises(Stop):  # killed on the way, then again to the end
        play(tmp_path / "grown", longer, resume=True, chunk=1, progress=progress)
    manifest = play(tmp_path / "grown", longer, resume=True)
    assert manifest["n_hands"] == 1_000
    assert _rows(tmp_path / "grown") == _rows(tmp_path / "whole")


def _rows(folder: Path) -> list[Any]:
    import polars as pl

    shards = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))["shards"]
    return [
        pl.concat([pl.read_parquet(folder / s["files"][k]["name"]) for s in shards]).rows() for k in ("hands", "pool")
    ]


def test_a_run_does_not_shrink(tmp_path: Path) -> None:
    play(tmp_path)
    before = files(tmp_path)
    for n_hands in (499, 480, 16):
        with pytest.raises(LogError, match=r"\(500 hands\) of this plan, more than"):
            play(tmp_path, dataclasses.replace(PLAN, n_hands=n_hands), resume=True)
    assert files(tmp_path) == before


def test_other_shard_sizes_may_be_mixed(tmp_path: Path) -> None:
    play(tmp_path / "whole")
    stopped(tmp_path / "mixed", 300)
    simulate(PLAN, tmp_path / "mixed", sink=HandLog(40), resume=True)
    assert _rows(tmp_path / "mixed") == _rows(tmp_path / "whole")


def _shard(first: int, end: int) -> Shard:
    return Shard(first, end - first, 0, {})


def test_what_is_missing() -> None:
    kept = [_shard(2, 4), _shard(8, 13)]
    assert missing(0, 20, kept, 4) == [(0, 2), (4, 4), (13, 3), (16, 4)]
    assert missing(2, 13, kept, 100) == [(4, 4)]
    assert missing(0, 5, [_shard(0, 5)], 1) == []


def test_of_overlapping_shards_the_longest_is_kept() -> None:
    shards = [_shard(0, 2), _shard(0, 8), _shard(2, 4), _shard(8, 10), _shard(9, 12)]
    assert without_overlap(shards) == [_shard(0, 8), _shard(9, 12)]


def _hold(folder: str, ready: Any, done: Any) -> None:
    lock = Lock(Path(folder))
    ready.set()
    done.wait(60)
    lock.release()


def test_two_runs_do_not_write_into_one_folder(tmp_path: Path) -> None:
    spawn = multiprocessing.get_context("spawn")
    ready, done = spawn.Event(), spawn.Event()
    holder = spawn.Process(target=_hold, args=(str(tmp_path), ready, done))
    holder.start()
    try:
        assert ready.wait(60)
        with pytest.raises(LogError, match=rf"another run is writing here \(process {holder.pid} on"):
            play(tmp_path)
    finally:
        done.set()
        holder.join(60)
    play(tmp_path)


def test_the_lock_of_a_dead_process_is_none(tmp_path: Path, undisturbed: Undisturbed) -> None:
    code = f"import os; from pathlib import Path; from sim.lock import Lock; Lock(Path({str(tmp_path)!r})); os._exit(9)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 9
    assert (tmp_path / "_lock").exists()
    (tmp_path / "_tmp-killed").mkdir()
    play(tmp_path)
    assert not list(tmp_path.glob("_*"))
    assert files(tmp_path) == undisturbed


def test_a_released_lock_can_be_taken_again(tmp_path: Path) -> None:
    first = Lock(tmp_path)
    with pytest.raises(BlockingIOError, match=str(os.getpid())):
        Lock(tmp_path)
    first.release()
    first.release()
    Lock(tmp_path).release()
    assert not list(tmp_path.iterdir())


def test_what_was_published_is_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file gets its name only after its bytes are on disk."""
    order: list[str] = []
    replace, fsync = Path.replace, os.fsync
    monkeypatch.setattr(os, "fsync", lambda fd: (order.append("flush"), fsync(fd))[1])
    monkeypatch.setattr(Path, "replace", lambda self, to: (order.append("name"), replace(self, to))[1])
    Folder(tmp_path).write("a", b"x")
    assert order == ["flush", "name", "flush"]
    assert (tmp_path / "a").read_bytes() == b"x"


def test_a_clock_that_jumps_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, undisturbed: Undisturbed
) -> None:
    import time

    jumps = iter(range(10**6))
    monkeypatch.setattr(time, "time", lambda: 1e9 * (-1) ** next(jumps))
    stopped(tmp_path, 300)
    play(tmp_path, resume=True)
    assert files(tmp_path) == undisturbed
