"""Sessions: streaks, ruin and spread against closed forms and plain Python; coins as the rooms count them."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from analysis import session_risk as risk
from analysis.cli import main
from analysis.report.found import look
from sim.coins import to_coins
from sim.rules import load
from sim.trial import F
from sim.trials import Trial, TrialPlayer

UKEIRE = ("ukeire",) * 4
NO_FAN = risk.Fan([], {})


def test_streaks_are_those_of_a_loop() -> None:
    lost = np.random.default_rng(1).random((40, 30, 2)) < 0.6
    for table in range(40):
        for seat in range(2):
            text = "".join("x" if hand else " " for hand in lost[table, :, seat])
            assert risk.longest_streak(lost)[table, seat] == max(map(len, text.split()), default=0)


def test_results_are_points_or_coins_after_the_rake() -> None:
    rules = (load("maima"), load("maima", {"coins.factor": 7, "coins.rake": 3}))
    facts = TrialPlayer(Trial(rules, (UKEIRE,), 2, "session", 8)).play(0, 5).facts
    changed = risk.results(facts, rules)
    points = facts[:, :, 0, F["points_0"] : F["points_0"] + 4]
    np.testing.assert_array_equal(changed[:, :, 0], points)
    for hand, coins in zip(points.reshape(-1, 4), changed[:, :, 1].reshape(-1, 4), strict=True):
        assert to_coins(hand.astype(int).tolist(), rules[1]) == coins.tolist()


def test_a_random_walk_is_ruined_as_often_as_the_reflection_principle_says() -> None:
    """20,000 walks of 50 steps; z-bound 4.9, false-alarm rate 1e-6."""
    n, hands, bankroll = 20_000, 50, 10
    steps = np.random.default_rng(3).integers(0, 2, (n, hands, 1)) * 2 - 1
    path = steps.cumsum(axis=1)
    found = risk._describe(
        load("maima"), "x", hands, [bankroll], path[:, -1].astype(float), path.min(axis=1).astype(float), path[:, 0],
        fan=NO_FAN,
    )  # fmt: skip
    up = stats.binom(hands, 0.5)
    at_or_beyond = sum(up.pmf(k) for k in range(hands + 1) if 2 * k - hands >= bankroll)
    beyond = sum(up.pmf(k) for k in range(hands + 1) if 2 * k - hands > bankroll)
    exact = at_or_beyond + beyond
    assert abs(found.ruin[bankroll].value - exact) < 4.9 * math.sqrt(exact * (1 - exact) / n)
    assert found.ruin[bankroll].low < exact < found.ruin[bankroll].high
    assert found.sd.value == pytest.approx(math.sqrt(hands), rel=0.03)
    assert found.sd.low < math.sqrt(hands) < found.sd.high


def test_skill_outgrows_luck_after_n0_hands() -> None:
    rng = np.random.default_rng(4)
    ends = rng.normal(20.0, 30.0, (5_000, 1))
    found = risk._describe(load("maima"), "x", 25, [60], ends, ends, np.ones((5_000, 1), np.int64), fan=NO_FAN)
    assert found.n0 == pytest.approx(found.sd_hand**2 / found.mean_hand.value**2)
    assert found.n0 == pytest.approx((30**2 / 25) / (20 / 25) ** 2, rel=0.1)
    assert found.ruin_ever[60] == pytest.approx(math.exp(-2 * 0.8 * 60 / 36), rel=0.15)
    assert found.quantiles[0.5].low < 20.0 < found.quantiles[0.5].high


def test_four_equal_bots_play_an_even_game_and_the_rake_is_lost() -> None:
    even, raked = risk.session_risk(
        [load("zhuama"), load("zhuama", {"coins.factor": 2, "coins.rake": 3})], UKEIRE, hands=8, sessions=100
    )
    assert even.mean_hand == risk.Estimate(0.0, 0.0, 0.0)
    assert even.n0 == math.inf
    assert raked.mean_hand.value == pytest.approx(-3.0)
    assert raked.sd.value == pytest.approx(2 * even.sd.value)
    assert raked.unit == "coins"
    assert even.label == "zhuama, ukeire"
    assert raked.label == "zhuama, ukeire (coins.factor=2, coins.rake=3)"


def test_bots_of_a_line_up_have_their_own_sessions() -> None:
    found = risk.session_risk([load("maima")], ("ukeire", "random", "random", "random"), hands=16, sessions=100)
    assert [one.bot for one in found] == ["ukeire", "random"]
    assert found[0].mean_hand.low > 0
    assert found[0].mean_hand.value == pytest.approx(-3 * found[1].mean_hand.value)
    assert found[0].n0 < 1_000


def test_the_command_prints_text_and_json(capsys: pytest.CaptureFixture[str]) -> None:
    line = ["session", "maima", "--sessions", "60", "--length", "8", "--bankroll", "50"]
    assert main(line) == 0
    assert "bankroll 50 lost in a session" in capsys.readouterr().out
    assert main([*line, "--json"]) == 0
    (one,) = json.loads(capsys.readouterr().out)["sessions"]
    assert (one["sessions"], one["hands"], one["n0"]) == (60, 8, None)
    assert set(one["ruin"]) == {"50"}


def test_the_fan_ends_where_the_sessions_do() -> None:
    (one,) = risk.session_risk([load("maima")], UKEIRE, hands=80, sessions=60)
    assert one.fan.hands == sorted(set(one.fan.hands))
    assert (one.fan.hands[0], one.fan.hands[-1], len(one.fan.hands)) == (1, 80, 64)
    assert {p: values[-1] for p, values in one.fan.quantiles.items()} == {p: one.quantiles[p].value for p in risk.FAN}
    spread = [high - low for low, high in zip(one.fan.quantiles[0.05], one.fan.quantiles[0.95], strict=True)]
    assert spread[0] < spread[20] < spread[-1]


def test_the_fan_of_a_known_walk() -> None:
    way = np.arange(12.0).reshape(2, 3, 2)  # sessions, points, seats
    fan = risk._fan(np.array([1, 5, 9]), way)
    assert fan.quantiles[0.5] == [1.0, 3.0, 5.0]
    assert fan.quantiles[0.95] == [7.0, 9.0, 11.0]


def test_the_command_draws_and_leaves_its_results(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    line = ["session", "maima", "zhuama", "--sessions", "60", "--length", "8", "--bankroll", "50", "--json"]
    assert main([*line, "--out", str(tmp_path / "run"), "--plot", str(tmp_path / "fan.png")]) == 0
    stored = json.loads((tmp_path / "run" / "session.json").read_text(encoding="utf-8"))
    assert stored == json.loads(capsys.readouterr().out)
    assert (tmp_path / "fan.png").read_bytes().startswith(b"\x89PNG")
    found = look(tmp_path / "run").sessions
    assert found is not None
    assert [one.rules for one in found.sessions] == ["maima", "zhuama"]
    assert list(found.sessions[0].ruin) == [50.0]
    assert main([*line, "--plot", str(tmp_path / "fan.nothing")]) == 2
    assert "--plot" in capsys.readouterr().err


@pytest.mark.parametrize("where", ["--plot x.foo", "--plot no/x.png", "--plot .", "--out file", "--out file/run"])
def test_a_place_that_cannot_be_written_is_said_before_anything_is_played(
    where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def played(*_: object, **__: object) -> None:
        raise AssertionError("played")

    monkeypatch.setattr("analysis.session_risk.session_risk", played)
    monkeypatch.chdir(tmp_path)
    Path("file").touch()
    assert main(["session", "maima", *where.split()]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert where.split()[0] in line


def test_what_was_set_is_told_whole_and_read_back_by_the_report(tmp_path: Path) -> None:
    """Also more than three fields, of which labels elsewhere show the first, and names that would move a cursor."""
    kongs = ["kong.direct=1", "kong.added=2", "kong.concealed=3"]
    line = ["session", "jipinghu", "--sessions", "60", "--length", "4", "--out", str(tmp_path)]
    assert main([*line, "--set", *kongs, r'patterns.pinghu.name="a\u001b[31m"', "play.standing=0"]) == 0
    (one,) = json.loads((tmp_path / "session.json").read_text(encoding="utf-8"))["sessions"]
    told = one["changes"].split(", ")
    assert {*kongs, "play.standing=0"} < {*told}
    assert len(told) == 5
    assert one["changes"].isprintable()
    assert main(["report", str(tmp_path)]) == 0
