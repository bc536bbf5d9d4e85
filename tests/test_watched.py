"""Runs that stop by themselves: measures of the log equal the report's, the run is an ordinary one."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from analysis import swing
from analysis.cli import main
from analysis.compare.measures import COLUMNS, C, columns
from analysis.scan import open_run
from analysis.sequence import Look, Target
from analysis.watched import FIRST_HANDS, Watched, next_hands, table_sums
from analysis.win_rate import outcomes
from sim.engine import Plan, simulate
from sim.rules import load
from sim.trials import Trial, TrialPlayer

UKEIRE = ("ukeire",) * 4


def test_sums_of_the_log_are_those_of_the_hands(tmp_path: Path) -> None:
    rules = load("jipinghu")
    simulate(Plan(rules, 640, UKEIRE, 3, "session", 16), tmp_path / "jipinghu")
    (run,) = open_run(tmp_path)
    facts = TrialPlayer(Trial((rules,), (UKEIRE,), 3, "session", 16)).play(0, 40).facts
    expected = columns(facts[:, :, 0]).sum(axis=1)
    found = table_sums(run, 0).to_numpy()
    drawn = [i for i, name in enumerate(COLUMNS) if name != "dealer_mean"]
    np.testing.assert_allclose(found[:, drawn], expected[:, drawn])
    np.testing.assert_allclose(found[:, C["dealer_mean"]], expected[:, C["dealer"]])
    np.testing.assert_array_equal(table_sums(run, 30).to_numpy(), found[30:])


def test_measures_are_the_reports(tmp_path: Path) -> None:
    simulate(Plan(load("maima"), 6_400, UKEIRE, 3), tmp_path / "maima")
    (run,) = open_run(tmp_path)
    watched = Watched()
    watched.add(run)
    looks = watched.looks()
    ends = outcomes(run.hands).collect()
    assert looks["washout"].value == pytest.approx(ends.filter(outcome="washout")["rate"].item())
    assert looks["win_points"].value == pytest.approx(
        swing.win_points(run.hands, run.wins, run.rules).collect()["mean"].item()
    )
    assert looks["points_sd"].value == pytest.approx(swing.points_sd(run.hands).collect()["mean"].item())
    assert looks["dealer_net"].n == 100


def test_the_next_part_is_as_long_as_the_precision_foretells() -> None:
    looks = {"a": Look(0, 1, 5_000, 500, 0.2)}
    assert next_hands(1_000_000, (Target("a", 0.1),), looks, 10**9) == pytest.approx(4.2e6, rel=1e-6)
    assert next_hands(1_000_000, (Target("a", 0.001),), looks, 10**9) == 8_000_000
    assert next_hands(1_000_000, (Target("a", 0.199),), looks, 10**9) == 1_000_000 + FIRST_HANDS
    assert next_hands(1_000_000, (Target("a", 0.1),), looks, 2_000_000) == 2_000_000


def test_a_run_stops_by_itself_and_is_an_ordinary_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("analysis.watched.FIRST_HANDS", 4_096)
    line = ["simulate", "jipinghu", "--hands-per-table", "4", "--until", "halfwidth(dealer_net) < 0.25", "--json"]
    assert main([*line, "--hands", "1e5", "--out", str(tmp_path)]) == 0
    (result,) = json.loads(capsys.readouterr().out)["runs"]
    assert result["stop"].startswith("precision reached: dealer_net")
    assert 4_096 <= result["hands"] < 100_000
    (run,) = open_run(tmp_path)
    assert run.n_hands == result["hands"]
    simulate(Plan(load("jipinghu"), result["hands"], UKEIRE, 1, "session", 4), tmp_path / "plain")
    plain = next(r for r in open_run(tmp_path / "plain"))
    assert run.hands.collect().equals(plain.hands.collect())
    assert main([*line, "--hands", "1e5", "--out", str(tmp_path)]) == 0
    (again,) = json.loads(capsys.readouterr().out)["runs"]
    assert (again["hands"], again["kept"]) == (result["hands"], result["hands"])


def test_a_run_that_cannot_get_there_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    line = ["simulate", "jipinghu", "--until", "halfwidth(turns) < 1e-6", "--hands", "640", "--out", str(tmp_path)]
    assert main(line) == 0
    assert "all hands were played before the precision was reached" in capsys.readouterr().out


def test_a_narrow_interval_from_few_tables_is_not_called_wide(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    line = ["simulate", "jipinghu", "--until", "halfwidth(turns) < 500", "--hands", "640", "--out", str(tmp_path)]
    assert main(line) == 0
    told = capsys.readouterr().out
    assert "narrow enough, but an interval is trusted from 1,000 tables or walls on, and these are 10" in told
    assert "before the precision" not in told


def test_a_part_of_a_plan_takes_no_target(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    line = ["simulate", "jipinghu", "--until", "halfwidth(turns) < 1", "--hands", "6400", "--out", str(tmp_path)]
    assert main([*line, "--shard", "1/2"]) == 2
    assert "leave out --shard" in capsys.readouterr().err
