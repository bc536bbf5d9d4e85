"""Parts of a plan become one run: same files for hands, same sums; no gap, no overlap, no mixture."""

from __future__ import annotations

import dataclasses
import json
import shutil
from pathlib import Path

import pytest

from analysis import cli
from analysis.agg_log import AggLog
from analysis.merge import merge, parts_by_slug
from analysis.scan import RunError, open_run
from analysis.tables import tables
from sim.engine import Plan, simulate
from sim.logs import HandLog, LogError
from sim.manifest import Shard
from sim.rules import load
from sim.store import Store
from tests.test_agg import same

PLAN = Plan(load("maima"), 500, ("random",) * 4, 1, "session", 16)
N = 3


def part(root: Path, i: int, plan: Plan = PLAN, level: str = "hand") -> Path:
    folder = root / f"maima-{i}of{N}"
    simulate(plan, folder, shard=(i, N), sink=AggLog(plan, 64) if level == "agg" else HandLog(100))
    return folder


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("parts")
    for i in range(1, N + 1):
        part(root, i)
    simulate(PLAN, root / "whole", sink=HandLog(100))
    return root


@pytest.fixture
def parts(made: Path, tmp_path: Path) -> Path:
    for folder in made.glob("maima-*"):
        shutil.copytree(folder, tmp_path / "parts" / folder.name)
    return tmp_path / "parts"


def test_files_and_checksums_are_kept(parts: Path, made: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = parts.parent / "merged"
    assert cli.main(["merge", str(parts), "--out", str(out)]) == 0
    assert capsys.readouterr().out == f"{out}/maima: 500 hands of 3 parts\n"
    manifest = json.loads((out / "maima" / "manifest.json").read_text(encoding="utf-8"))
    told = [json.loads((p / "manifest.json").read_text(encoding="utf-8")) for p in sorted(parts.iterdir())]
    assert manifest["shards"] == [shard for one in told for shard in one["shards"]]
    assert (manifest["n_hands"], manifest["first_table"], manifest["n_tables"]) == (500, 0, 32)
    assert not list((out / "maima").glob("shard-*"))
    (merged,), (whole,) = open_run(out), open_run(made / "whole")
    assert merged.hands.collect().equals(whole.hands.collect())
    assert cli.main(["verify", str(out), "--tables", "3"]) == 0
    assert cli.main(["merge", str(parts), "--out", str(out)]) == 0  # done already
    plan = ["maima", "--hands", "500", "--bots", "random", "--hands-per-table", "16"]
    assert cli.main(["simulate", *plan, "--out", str(out)]) == 0
    assert "were there already" in capsys.readouterr().out


def test_a_stopped_merge_goes_on(parts: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from analysis import merge as module

    copy, calls = module._copy, iter(range(100))

    def failing(source: Store, target: Store, shard: Shard) -> None:
        if next(calls) == 3:
            raise OSError(28, "No space left on device")
        copy(source, target, shard)

    found = parts_by_slug([parts])["maima"]
    with monkeypatch.context() as patch:
        patch.setattr(module, "_copy", failing)
        with pytest.raises(OSError, match="No space"):
            merge(found, parts.parent / "out")
    assert len(list((parts.parent / "out").glob("shard-*.json"))) == 3
    assert merge(found, parts.parent / "out")["n_hands"] == 500


def test_sums_are_added_up(tmp_path: Path, made: Path) -> None:
    for i in range(1, N + 1):
        part(tmp_path / "parts", i, level="agg")
    assert cli.main(["merge", str(tmp_path / "parts"), "--out", str(tmp_path / "out")]) == 0
    assert len(list((tmp_path / "out" / "maima").glob("*.parquet"))) == 1
    (merged,), (whole,) = open_run(tmp_path / "out"), open_run(made / "whole")
    same(tables(merged), tables(whole))
    assert cli.main(["merge", str(tmp_path / "parts"), "--out", str(tmp_path / "out")]) == 0
    assert json.loads((tmp_path / "out" / "maima" / "manifest.json").read_text())["n_hands"] == 500


@pytest.mark.parametrize(("gone", "words"), [(1, "tables 0 to 9 are in none"), (2, "gap")])
def test_gaps_are_refused(gone: int, words: str, parts: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.rmtree(parts / f"maima-{gone}of{N}")
    assert cli.main(["merge", str(parts), "--out", str(parts.parent / "out")]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert words in line
    assert not (parts.parent / "out" / "maima" / "manifest.json").exists()


def test_a_part_that_stands_twice_is_refused(parts: Path) -> None:
    shutil.copytree(parts / "maima-2of3", parts / "again")
    with pytest.raises(RunError, match="overlap"):
        merge(parts_by_slug([parts])["maima"], parts.parent / "out")


@pytest.mark.parametrize(("change", "words"), [({"seed": 2}, "seed"), ({"level": "agg"}, "level")])
def test_mixtures_are_refused(change: dict[str, object], words: str, parts: Path) -> None:
    shutil.rmtree(parts / "maima-2of3")
    if "seed" in change:
        part(parts, 2, dataclasses.replace(PLAN, seed=2))
    else:
        part(parts, 2, level="agg")
    with pytest.raises(RunError, match=rf"another run of maima .*\({words} differ\)"):
        parts_by_slug([parts])


def test_damaged_parts_are_refused(parts: Path) -> None:
    file = parts / "maima-2of3" / "hands-0000000012.parquet"
    data = bytearray(file.read_bytes())
    data[100] ^= 8
    file.write_bytes(data)
    with pytest.raises(RunError, match=r"hands-0000000012\.parquet: its checksum"):
        merge(parts_by_slug([parts])["maima"], parts.parent / "out")


def test_another_run_is_not_overwritten(parts: Path) -> None:
    other = dataclasses.replace(PLAN, seed=5)
    simulate(other, parts.parent / "out" / "maima", sink=HandLog(100))
    with pytest.raises(LogError, match="seed differ"):
        merge(parts_by_slug([parts])["maima"], parts.parent / "out" / "maima")


def test_out_must_be_a_new_folder(parts: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["merge", str(parts), "--out", str(parts)]) == 2
    assert "--out" in capsys.readouterr().err
