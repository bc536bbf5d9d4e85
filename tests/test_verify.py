"""`gdmj verify`: whole, unfinished, damaged and changed runs."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from analysis import cli
from analysis.agg_log import AggLog
from analysis.verify import runs_in, verify
from sim.engine import Plan, simulate
from sim.logs import HandLog
from sim.rules import load
from sim.store import Folder
from tests.synthetic import refact, told

PLAN = Plan(load("maima"), 250, ("random",) * 4, 7, "session", 16)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made") / "maima"
    simulate(PLAN, folder, sink=HandLog(100))
    return folder


@pytest.fixture
def run(made: Path, tmp_path: Path) -> Path:
    shutil.copytree(made, tmp_path / "maima")
    return tmp_path / "maima"


def test_a_whole_run(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    verdict = verify(Folder(run))
    assert verdict == (str(run), "hand", 250, 3, 250, True, [])
    assert verify(Folder(run), 0).n_replayed == 0
    assert verify(Folder(run), 1).n_replayed in (16 + 10, 16 + 16 + 10)  # first and last, which is shorter, and one
    assert cli.main(["verify", str(run.parent)]) == 0
    assert capsys.readouterr().out == f"{run}: 250 hands in 3 shards, whole, 250 hands played again and the same\n"
    assert cli.main(["verify", str(run), "--json"]) == 0
    (entry,) = json.loads(capsys.readouterr().out)["runs"]
    assert (entry["n_hands"], entry["is_finished"], entry["faults"]) == (250, True, [])


def test_an_unfinished_run_has_status_1(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    class Stop(Exception):
        pass

    def progress(_: int) -> None:
        if len(list((run.parent / "part").glob("shard-*"))):
            raise Stop

    with pytest.raises(Stop):
        simulate(PLAN, run.parent / "part", sink=HandLog(32), chunk=1, progress=progress)
    assert cli.main(["verify", str(run.parent)]) == 1
    printed = capsys.readouterr()
    assert "UNFINISHED" in printed.out
    assert "whole so far" in printed.out
    assert printed.err == ""
    assert len(runs_in(Folder(run.parent))) == 2


@pytest.mark.parametrize(
    ("facts", "words"),
    [
        ({"seed": 8}, "differs from its replay"),
        ({"bots": ["ukeire", "random", "random", "random"]}, "differs from its replay"),
        ({"rules": load("maima", {"horses.count": 2}).to_dict()}, "digest differs"),
        ({"code_hash": "0" * 16, "seed": 9}, "played by other code"),
    ],
)
def test_facts_that_are_not_those_that_were_played(facts: dict[str, Any], words: str, run: Path) -> None:
    refact(run, **facts)
    verdict = verify(Folder(run))
    assert verdict.faults
    assert all(words in fault for fault in verdict.faults)


def test_a_single_changed_number_is_found_where_its_table_is_played_again(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    manifest = json.loads((run / "manifest.json").read_text(encoding="utf-8"))
    entry = manifest["shards"][1]["files"]["hands"]
    file = run / entry["name"]
    frame, facts = pl.read_parquet(file), pl.read_parquet_metadata(file)["gdmj"]
    changed = pl.when((pl.col("table") == 9) & (pl.col("hand") == 3)).then(pl.col("far") + 1).otherwise("far")
    frame.with_columns(far=changed.cast(pl.UInt8)).write_parquet(file, metadata={"gdmj": facts})
    entry |= told(file)
    (run / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    assert cli.main(["verify", str(run)]) == 1
    printed = capsys.readouterr()
    assert "NOT whole" in printed.out
    (line,) = printed.err.splitlines()
    assert line == f"gdmj: error: {file}: table 9 differs from its replay"


@pytest.mark.parametrize(
    ("kind", "name"), [("hands", "table"), ("hands", "winners"), ("hands", "wider_a"), ("pool", "hand")]
)
def test_a_column_that_is_not_there_or_another_is_told(kind: str, name: str, run: Path) -> None:
    manifest = json.loads((run / "manifest.json").read_text(encoding="utf-8"))
    files = manifest["shards"][1]["files"]
    file = run / files[kind]["name"]
    frame, facts = pl.read_parquet(file), pl.read_parquet_metadata(file)["gdmj"]
    for changed in (frame.drop(name), frame.with_columns(pl.col(name).cast(str))):
        changed.write_parquet(file, metadata={"gdmj": facts})
        files[kind] |= told(file)
        (run / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
        found = verify(Folder(run), 16).faults
        assert found
        assert all(str(run / files["hands"]["name"]) in fault and "\n" not in fault for fault in found)


def test_every_damaged_file_is_named(run: Path) -> None:
    for name in ("hands-0000000000.parquet", "pool-0000000006.parquet", "hands-0000000012.parquet"):
        (run / name).write_bytes((run / name).read_bytes()[:-1])
    faults = verify(Folder(run)).faults
    assert [fault.split(":")[0].rsplit("/", 1)[1] for fault in faults] == [
        "hands-0000000000.parquet",
        "pool-0000000006.parquet",
        "hands-0000000012.parquet",
    ]
    (run / "manifest.json").write_bytes(b"{")
    assert "not valid JSON" in verify(Folder(run)).faults[0]


def test_sums_are_added_up_again(tmp_path: Path) -> None:
    simulate(PLAN, tmp_path / "sums", sink=AggLog(PLAN, 100))
    assert verify(Folder(tmp_path / "sums")) == (str(tmp_path / "sums"), "agg", 250, 1, 250, True, [])
    assert verify(Folder(tmp_path / "sums"), 15).n_replayed == 0  # the run has 16 tables
    refact(tmp_path / "sums", seed=8)
    assert "differs from its replay" in verify(Folder(tmp_path / "sums")).faults[0]


def test_nothing_to_verify_is_wrong_input(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["verify", str(tmp_path)]) == 2
    assert "holds no run" in capsys.readouterr().err
    assert cli.main(["verify", str(tmp_path / "nowhere")]) == 2
