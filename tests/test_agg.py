"""Level ``agg``: the sums of parts give the report of the whole log, figure by figure."""

from __future__ import annotations

import dataclasses
import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from analysis import agg_log, cli, scan, sums
from analysis.agg_log import AggLog
from analysis.report import TABLES, write_report
from analysis.scan import RunError, open_run
from analysis.tables import table, tables
from sim.engine import Plan, simulate
from sim.logs import HandLog, LogError
from sim.rules import load

BOTS = ("ukeire", "random", "random", "random")
PLANS = {
    "held": Plan(load("maima"), 1_500, ("random",) * 4, 3, "session", 16),
    "drawn": Plan(load("zhuama"), 1_500, ("random",) * 4, 3, "session", 16),
    "no horses, several bots": Plan(load("jipinghu"), 1_500, BOTS, 3, "session", 16),
    "duplicate": Plan(load("maima"), 1_500, BOTS, 3, "duplicate"),
    "unequal payers": Plan(load("koukoufan"), 1_000, ("random",) * 4, 3, "session", 16),
    "short last table": Plan(load("huapai"), 1_005, ("random",) * 4, 3, "session", 16),
}


def same(found: dict[str, pl.DataFrame], wanted: dict[str, pl.DataFrame]) -> None:
    assert found.keys() == wanted.keys()
    for name, frame in wanted.items():
        assert_frame_equal(found[name], frame, rel_tol=1e-9, abs_tol=1e-9, check_exact=False)
        for column, kind in frame.schema.items():
            if kind.is_integer():  # counts are exact
                assert found[name][column].to_list() == frame[column].to_list(), (name, column)


@pytest.fixture(params=PLANS)
def plan(request: pytest.FixtureRequest) -> Plan:
    return PLANS[request.param]


def test_the_report_of_the_sums_is_that_of_the_hands(
    plan: Plan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(AggLog, "piece_hands", 300)
    monkeypatch.setattr(agg_log, "_TOGETHER", 3)
    simulate(plan, tmp_path / "hands", threads=2)
    manifest = simulate(plan, tmp_path / "sums", threads=2, chunk=3, sink=AggLog(plan, 350))
    assert len(manifest["shards"]) == 1
    assert manifest["n_hands"] == plan.hands_of(0, plan.n_tables)
    (hands,), (added) = open_run(tmp_path / "hands"), open_run(tmp_path / "sums")
    same(tables(added[0]), tables(hands))
    assert added[0].n_hands == hands.n_hands
    for name in ("outcomes", "win_rate"):
        assert_frame_equal(table(added[0], name), table(hands, name))


def test_parts_add_up(tmp_path: Path) -> None:
    plan = PLANS["held"]
    simulate(plan, tmp_path / "hands")
    for i in (1, 2, 3):
        simulate(plan, tmp_path / "parts" / f"maima-{i}of3", shard=(i, 3), sink=AggLog(plan))
    (hands,), (added,) = open_run(tmp_path / "hands"), open_run(tmp_path / "parts")
    assert added.n_hands == 1_500
    same(tables(added), tables(hands))


def test_a_run_of_sums_is_resumed_extended_and_not_mixed_with_hands(tmp_path: Path) -> None:
    plan = PLANS["drawn"]
    longer = dataclasses.replace(plan, n_hands=2_500)
    simulate(longer, tmp_path / "whole", sink=AggLog(longer, 500))
    simulate(plan, tmp_path / "grown", sink=AggLog(plan, 500))
    manifest = simulate(longer, tmp_path / "grown", sink=AggLog(longer, 400), resume=True)
    assert [path.name for path in sorted((tmp_path / "grown").iterdir())] == [
        "manifest.json",
        "sums-0000000000.parquet",
    ]
    assert (manifest["n_hands"], len(manifest["shards"])) == (2_500, 1)
    (whole,), (grown,) = open_run(tmp_path / "whole"), open_run(tmp_path / "grown")
    same(tables(grown), tables(whole))
    with pytest.raises(LogError, match="level differ"):
        simulate(longer, tmp_path / "grown", sink=HandLog(), resume=True)


def test_a_run_killed_while_it_folds_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = PLANS["drawn"]
    simulate(plan, tmp_path / "whole", sink=AggLog(plan, 500))

    class Killed(Exception):
        pass

    def killed(*_: Any) -> None:
        raise Killed

    fold = AggLog.fold
    for when in ("before", "after"):
        folder = tmp_path / when
        monkeypatch.setattr(AggLog, "fold", killed if when == "before" else lambda *a: (fold(*a), killed()))
        with pytest.raises(Killed):
            simulate(plan, folder, sink=AggLog(plan, 500))
        monkeypatch.setattr(AggLog, "fold", fold)
        kept: list[int] = []
        simulate(plan, folder, sink=AggLog(plan, 500), resume=True, opened=lambda n, _, kept=kept: kept.append(n))
        assert kept == [1_500]
        (whole,), (found,) = open_run(tmp_path / "whole"), open_run(folder)
        same(tables(found), tables(whole))


def test_hands_of_a_run_of_sums_are_asked_for_in_vain(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plan = PLANS["drawn"]
    simulate(plan, tmp_path / "zhuama", sink=AggLog(plan))
    (run,) = open_run(tmp_path)
    for name in ("hands", "wins", "pools"):
        with pytest.raises(RunError, match="holds sums and no hands"):
            getattr(run, name)
    assert scan.loaded(run) is run
    assert cli.main(["replay", str(tmp_path), "--table", "0", "--hand", "0"]) == 2
    assert "holds sums" in capsys.readouterr().err
    assert cli.main(["verify", str(tmp_path)]) == 0


def test_the_command_line_from_hands_to_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    argv = ["simulate", "maima", "--hands", "2k", "--bots", "random", "--threads", "1"]
    for level in ("hand", "agg"):
        assert cli.main([*argv, "--level", level, "--out", str(tmp_path / level)]) == 0
        assert cli.main(["report", str(tmp_path / level), "--picture", str(tmp_path / f"{level}.png")]) == 0
    pages = [(tmp_path / level / "report.html").read_text(encoding="utf-8") for level in ("hand", "agg")]
    assert "--level agg" in pages[1]
    assert "--level agg" not in pages[0]
    for csv in (tmp_path / "hand" / TABLES / "maima").glob("*.csv"):
        found, wanted = (pl.read_csv(tmp_path / level / TABLES / "maima" / csv.name) for level in ("agg", "hand"))
        assert_frame_equal(found, wanted, rel_tol=1e-9, abs_tol=1e-9)
    assert capsys.readouterr().out.count("2,000 hands in") == 2


@pytest.mark.parametrize("change", ["missing", "type"])
def test_sums_of_another_shape_are_refused(change: str, tmp_path: Path) -> None:
    from tests.synthetic import told

    plan = PLANS["drawn"]
    simulate(plan, tmp_path, sink=AggLog(plan))
    file = tmp_path / "sums-0000000000.parquet"
    frame, facts = pl.read_parquet(file), pl.read_parquet_metadata(file)["gdmj"]
    frame = frame.drop("x") if change == "missing" else frame.with_columns(pl.col("x").cast(pl.Float32))
    frame.write_parquet(file, metadata={"gdmj": facts})
    manifest = json.loads((tmp_path / "manifest.json").read_text(encoding="utf-8"))
    manifest["shards"][0]["files"]["sums"] |= told(file)
    (tmp_path / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    with pytest.raises(RunError, match="column x of the sums"):
        write_report(open_run(tmp_path), tmp_path / "out")


def test_every_question_has_keys_and_values_of_one_type_over_all_questions() -> None:
    kinds: dict[str, set[str]] = {}
    for name in sums.QUESTIONS:
        for column, kind in sums.schema(name).items():
            kinds.setdefault(column, set()).add(str(kind))
    assert {column: found for column, found in kinds.items() if len(found) > 1} == {}


def test_adding_up_is_the_same_in_any_order_and_grouping() -> None:
    """A column may hold a key in one question and a value in another; nothing is lost or counted twice."""
    plan = PLANS["held"]
    parts = []
    for first, end in pairwise((0, 3, 20, 21, 64)):
        sink = AggLog(plan)
        from sim.engine import Player

        sink.take([Player(plan).play(first, end - first)])
        parts.append(sink.frames()["sums"])
    names = sums.asked(plan.mode, plan.bots)

    def added(frames: list[pl.DataFrame]) -> pl.DataFrame:
        split = [{k: v.collect() for k, v in sums.of_file(frame.lazy(), names).items()} for frame in frames]
        return sums.as_file(split)

    once = added(parts)
    assert_frame_equal(once, added(parts[::-1]), rel_tol=1e-12)
    assert_frame_equal(once, added([added(parts[:2]), added(parts[2:])]), rel_tol=1e-12)
    assert once.filter(pl.col("question") == "outcomes")["y"].sum() == 64 * 16
