"""What notebooks call: quick to import, the same numbers as the commands, nothing played twice, errors of one line."""

from __future__ import annotations

import ast
import doctest
import importlib
import inspect
import json
import os
import re
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pytest
from polars.testing import assert_frame_equal

import analysis
from analysis import cli
from analysis.api import answers
from analysis.checks import RequestError
from analysis.compare.arms import ToggleError
from analysis.scan import RunError, open_run
from analysis.tables import tables
from sim.engine import PlanError
from sim.rules import RulesError
from tests import sample_bots

MODULES = ("runs", "answers", "versus", "hands", "plot", "bots")
HANDS = 256


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    """A folder for runs without one of their own, apart from the user's."""
    with pytest.MonkeyPatch.context() as patch:
        folder = tmp_path_factory.mktemp("cache")
        patch.setattr("analysis.api.runs.cache_root", lambda: folder)
        yield folder


@pytest.fixture(scope="module")
def run(cache):
    return analysis.simulate("maima", HANDS, progress=False)


def test_import_is_quick_and_help_loads_nothing_heavy():
    code = (
        "import sys, analysis; dir(analysis); heavy = {'numba', 'polars', 'matplotlib', 'scipy', 'IPython'};"
        "print(*heavy & set(sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip() == ""


@pytest.mark.parametrize("first", ["analysis.win_rate", "analysis.sums", "analysis.compare.run", "analysis.duel.run"])
def test_names_are_functions_whatever_was_imported_before(first):
    code = f"import {first}; from analysis import win_rate, compare, duel; print(win_rate.__module__, compare, duel)"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert out.startswith("analysis.api.answers <function compare")


def test_every_name_is_there_typed_and_documented():
    assert set(analysis.__all__) <= set(dir(analysis))
    for name in analysis.__all__:
        function = getattr(analysis, name)
        assert function.__name__ == name
        assert function.__doc__
        assert inspect.signature(function).return_annotation is not inspect.Signature.empty
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = analysis.nothing
    source = inspect.getsource(analysis)
    assert all(f"import {name} as {name}" in source for name in analysis.__all__)  # what type checkers see


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings(name, cache):
    module = importlib.import_module(f"analysis.api.{name}")
    found = doctest.testmod(module, optionflags=doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL)
    assert found.attempted > 0
    assert found.failed == 0


def test_tables_are_those_of_the_report(run):
    made = tables(run)
    asked = [name for name in dir(answers) if name in analysis.__all__ and name not in ("summary", "bot_win_rate")]
    assert len(asked) == 11
    for name in asked:
        assert_frame_equal(getattr(analysis, name)(run), made[name], rel_tol=1e-12)  # sums come in any order


def test_a_run_is_that_of_the_command(run, tmp_path):
    assert cli.main(["simulate", "maima", "--hands", str(HANDS), "--out", str(tmp_path)]) == 0
    (other,) = open_run(tmp_path)
    assert other.hands.collect().equals(run.hands.collect())
    assert other.manifest["bots"] == run.manifest["bots"]


def test_nothing_is_played_twice(run, cache, monkeypatch):
    monkeypatch.setattr("sim.engine.Player.play", lambda *_: pytest.fail("played again"))
    monkeypatch.setattr("sim.engine.warm_up", lambda *_: 0.0)
    again = analysis.simulate("maima", float(HANDS), threads=2, progress=False)
    assert again.path == run.path
    with pytest.raises(pytest.fail.Exception, match="played again"):
        analysis.simulate("maima", HANDS, seed=2, progress=False)


def test_runs_of_the_cache_go_when_nobody_asks_for_them(run, cache, monkeypatch):
    other = analysis.simulate("jipinghu", 64, progress=False)
    monkeypatch.setattr("analysis.api.runs.KEPT_SECONDS", -1.0)
    old = [folder for folder in (cache / "runs").iterdir() if folder not in map(lambda r: r.path.parent, (run, other))]
    monkeypatch.setattr("analysis.api.runs.KEPT_SECONDS", 3600.0)
    os.utime(other.path.parent, (1, 1))
    analysis.simulate("maima", HANDS, progress=False)
    assert not other.path.exists()
    assert run.path.exists()
    assert all(folder.exists() for folder in old)


def test_a_folder_of_its_own_goes_on(tmp_path):
    short = analysis.simulate("jipinghu", 64, out=tmp_path, progress=False)
    longer = analysis.simulate("jipinghu", 128, out=tmp_path, progress=False)
    assert (short.path, short.n_hands, longer.n_hands) == (tmp_path / "jipinghu", 64, 128)
    sums = analysis.simulate("jipinghu", 128, level="agg", out=tmp_path / "sums", progress=False)
    assert_frame_equal(analysis.win_rate(sums), analysis.win_rate(longer), rel_tol=1e-12)


def test_until_stops_early(cache):
    run = analysis.simulate("jipinghu", 1e6, until="halfwidth(win_rate) < 0.2", progress=False)
    assert run.n_hands == 1 << 16


def test_changed_rules_are_the_same_however_they_are_given():
    by_name = analysis.rules("maima", {"horses.count": 4, "slug": "four"})
    by_object = analysis.rules(analysis.rules("maima"), {"horses.count": 4, "slug": "four"})
    assert by_name == by_object
    assert by_object.source["horses.count"] == "override of maima.toml: was 1"
    third = analysis.rules(by_object, {"horses.hit": "class"})
    assert third.source["horses.hit"].startswith("override of maima.toml")


def test_a_comparison_is_that_of_the_command(capsys):
    found = analysis.compare(
        "zhuama", toggle={"horses.count": [2], "win.rob_kongs": [["added", "concealed"]]}, hands=256, progress=False
    )
    toggles = ["horses.count=2", 'win.rob_kongs=["added", "concealed"]']
    assert cli.main(["compare", "zhuama", "--toggle", *toggles, "--hands", "256", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["effects"] == found.to_dict()["effects"]
    assert found.frame.height == len(found.effects)
    assert found.frame.columns == list(asdict(found.effects[0]))
    assert cli.main(["compare", "zhuama", "--toggle", *toggles, "--hands", "256"]) == 0
    assert capsys.readouterr().out == f"{found}\n" == f"{found!r}\n"


def test_a_bot_of_ones_own_can_be_compared_and_duelled():
    result = analysis.duel(sample_bots.like_ukeire, "ukeire", "jipinghu", hands=256, luck=False, progress=False)
    assert result.a.startswith("tests.sample_bots:like_ukeire@")
    assert result.mean == 0
    assert result.differing_blocks == 0
    assert str(result).startswith("jipinghu: first minus second")


def test_wrong_input_is_told_in_one_line(run, tmp_path):
    asked = [
        (lambda: analysis.simulate("no-such"), RulesError, "unknown rule set"),
        (lambda: analysis.simulate("maima", 1.5), RequestError, "a whole number is needed"),
        (lambda: analysis.simulate("maima", True), RequestError, "a whole number is needed"),
        (lambda: analysis.simulate("maima", 64, level="trice"), PlanError, "level: allowed are"),
        (lambda: analysis.simulate("maima", 64, level="agg", until="halfwidth(washout) < 1"), PlanError, "until: sums"),
        (lambda: analysis.compare("maima"), ToggleError, "nothing to compare"),
        (lambda: analysis.compare("maima", toggle={"horses.count": 8}), ToggleError, "^toggle horses.count=8: "),
        (lambda: analysis.plot(run, "nothing"), RunError, "plot: allowed are outcomes, "),
        (lambda: analysis.plot([run, run], "win_rate"), RunError, "is drawn of one run"),
        (lambda: analysis.plot(3), RunError, "runs, sessions or a comparison"),
        (lambda: analysis.plot([]), RunError, "runs, sessions or a comparison"),
        (lambda: analysis.plot(run, language="de"), RunError, "language: allowed are"),
        (lambda: analysis.plot(run).save(tmp_path / "no" / "chart.svg"), RunError, "cannot be written"),
        (lambda: analysis.bot_win_rate(run), RunError, "needs a run with different bots"),
        (lambda: analysis.replay(run, 99), PlanError, "table: the run has tables"),
        (lambda: analysis.replay(run, "a"), RequestError, "table: a whole number"),
        (lambda: analysis.replay(run, 0, 1.5), RequestError, "hand: a whole number"),
        (lambda: analysis.replay(str(run.path), 0), RunError, "replay: a run is needed, such as open_run"),
        (lambda: analysis.win_rate("../tr"), RunError, "win_rate: a run is needed, such as open_run"),
        (lambda: analysis.outcomes([run]), RunError, "outcomes: a run is needed, such as open_run"),
        (lambda: analysis.open_run(3), RequestError, "path: a path"),
        (lambda: analysis.tiles(3), RequestError, "tiles: a text"),
        (lambda: analysis.hand("1m", melds=3), RequestError, "melds: "),
        (lambda: analysis.hand("1m", melds=[3]), RequestError, "melds: "),
        (lambda: analysis.hand("1m", forms=3), RequestError, "forms: "),
        (lambda: analysis.write_rules(3, tmp_path / "x.toml"), RulesError, "3"),
        (lambda: analysis.write_rules("maima", 3), RequestError, "path: a path"),
        (lambda: analysis.check_bot("ukeire", hands=0), RequestError, "hands: "),
        (lambda: analysis.check_bot("ukeire", seed=1.5), RequestError, "seed: "),
        (lambda: analysis.summary([]), RunError, "summary: at least one run"),
        (lambda: analysis.summary(None), RunError, "summary: a run is needed"),
        (lambda: analysis.write_report([], tmp_path), RunError, "write_report: at least one run"),
        (lambda: analysis.write_report(run, 3), RequestError, "out: a path"),
    ]
    for call, kind, told in asked:
        with pytest.raises(kind, match=told) as caught:
            call()
        assert "\n" not in str(caught.value)


def _simulate(**given):
    return analysis.simulate("jipinghu", **{"hands": 64, "progress": False, **given})


def _compare(**given):
    return analysis.compare("jipinghu", "maima", **{"hands": 64, "progress": False, **given})


def _duel(**given):
    return analysis.duel("ukeire", "random", "jipinghu", **{"hands": 64, "progress": False, **given})


def _session(**given):
    return analysis.session("jipinghu", **{"length": 4, "sessions": 4, "progress": False, **given})


PLAYED = [
    *((call, "hands", value) for call in (_simulate, _compare, _duel) for value in (0, -1, 1.5, "64", None, np.nan)),
    *(
        (call, name, value)
        for call in (_simulate, _compare, _duel, _session)
        for name, value in (
            ("seed", 1.5), ("seed", -1), ("seed", 2**63), ("seed", "1"), ("threads", 0), ("threads", -1),
            ("threads", 1.5), ("threads", True), ("set", 3), ("set", {3: 4}),
        )
    ),
    *((call, "bots", value) for call in (_simulate, _compare, _session) for value in (3, None, [], [3], ["value"] * 3)),
    *((call, "until", 3) for call in (_simulate, _compare, _duel)),
    *((call, "hands_per_table", value) for call in (_simulate, _compare) for value in (2.5, 0, 65_536)),
    *((_session, "length", value) for value in (0, -1, 1.5, 65_536, np.inf)),
    *((_session, "sessions", value) for value in (0, -1, 1, 1.5, 1e9)),
    *((_session, "bankroll", value) for value in ([-5], [np.nan], 0, -1, "5", ["5"], None, [None], 1e13)),
    *((_compare, "toggle", value) for value in (3, [3], {3: 4}, None)),
    *((_duel, "sprt", value) for value in ((1,), (), 3, "abcd", ("0", 1, 0.1, 0.1), (0, np.nan, 0.1, 0.1))),
    (_simulate, "out", 3),
    (_simulate, "scheduler", 3),
    (_compare, "walls", 3),
    (_duel, "walls", "own"),
    (_compare, "save", 3),
    (_duel, "save", 3),
    (_compare, "mode", 3),
    (_simulate, "mode", []),
    (_simulate, "level", 3),
]  # fmt: skip


@pytest.mark.parametrize(("call", "name", "value"), PLAYED)
def test_what_a_command_refuses_is_refused_before_anything_is_played(cache, call, name, value):
    with pytest.raises(ValueError, match=rf"{name.replace('_', '.')}|nothing to compare|a bot is") as caught:
        call(**{name: value})
    assert type(caught.value) is not ValueError
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 300


def test_numbers_of_numpy_and_a_single_bankroll_are_taken(cache):
    few = _simulate(hands=np.int64(64), seed=np.uint8(2), hands_per_table=np.int32(16), threads=np.int8(1))
    assert few.n_hands == 64
    assert few.manifest["seed"] == 2
    (one,) = _session(bankroll=500)
    assert list(one.ruin) == [500]
    (two,) = _session(bankroll=np.array([5, 50]), length=np.int64(4))
    assert list(two.ruin) == [5, 50]


def test_a_run_that_keeps_decisions_can_stop_at_a_precision(cache):
    run = _simulate(level="trace", hands=64, until="halfwidth(washout) < 0.9")
    assert run.n_hands == 64
    assert run.events.head(1).collect().height == 1


def test_charts_of_every_table(run, tmp_path):
    names = ("win_rate", "win_turns", "fan_frequency", "dealer_advantage", "repeat_lengths", "horse_expectation")
    for i, name in enumerate(("outcomes", *names, "ready_turns", "horse_distribution")):
        assert analysis.plot(run, name, ("zh", "en")[i % 2])._repr_svg_().startswith("<?xml")
    assert analysis.plot([run, run]).save(tmp_path / "ends.svg").stat().st_size > 1_000


def test_a_report_is_one_page(run, tmp_path):
    page = analysis.write_report([run], tmp_path / "page")
    assert page.read_text(encoding="utf-8").startswith("<!")


def test_answers_about_single_hands():
    scored = analysis.score(
        "jipinghu", "123m456p789s5s", "5s", "zimo", 1, melds=[{"t": "peng", "tiles": "NNN", "from": 0}], explain=True
    )
    assert scored["is_win"]
    assert "explain" in scored
    assert len(scored.groups) == 3
    two = analysis.score(
        "jipinghu",
        from_seat=0,
        winners=[
            {"winner": 1, "hand": "123m456p789s55sNN", "win": "5s"},
            {"winner": 2, "hand": "123m456p789m46sZZ", "win": "5s"},
        ],
    )
    assert two["is_win"] == [True, True]
    assert analysis.hand("11m", melds=[{"t": "chi", "tiles": "123p"}] * 4)["shanten"] == -1


def test_the_readme_names_what_is_there():
    text = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", text, flags=re.DOTALL)
    nodes = [node for block in blocks for node in ast.walk(ast.parse(block)) if isinstance(node, ast.ImportFrom)]
    imported = {alias.name for node in nodes if node.module == "analysis" for alias in node.names}
    assert len(imported) >= 8
    assert imported <= set(analysis.__all__)


@pytest.mark.parametrize("seed", [1.5, "1", True, -1, 2**63])
def test_seeds_are_checked_before_anything_is_played(seed, tmp_path):
    calls = (
        lambda: analysis.simulate("jipinghu", hands=8, seed=seed, out=tmp_path / "run", progress=False),
        lambda: analysis.compare("maima", toggle={"horses.count": 2}, hands=8, seed=seed, progress=False),
        lambda: analysis.duel("ukeire", "random", "jipinghu", hands=8, seed=seed, progress=False),
        lambda: analysis.session("jipinghu", sessions=8, length=4, seed=seed, progress=False),
    )
    for call in calls:
        with pytest.raises(RequestError, match=r"^seed: a "):
            call()
    assert not (tmp_path / "run").exists()
