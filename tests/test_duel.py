"""Duels: differences are those of the hands, a bot equals itself, a planted flaw is found, runs go on."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from analysis import saved
from analysis.cli import main
from analysis.duel.run import Goal, differences, duel, seatings
from analysis.saved import SavedError, read, write
from analysis.sequence import Target
from analysis.sprt import Sprt
from sim.rules import load
from sim.trial import F
from sim.trials import Trial, TrialPlayer


def test_differences_are_those_of_the_hands() -> None:
    facts = TrialPlayer(Trial((load("maima"),), seatings("ukeire", "random"), 4, seat_walls=True)).play(0, 200).facts
    units = differences(facts)
    points = facts[:, :, 0, F["points_0"] : F["points_0"] + 4]
    first = (points[:, 0, 0] + points[:, 0, 2] - points[:, 0, 1] - points[:, 0, 3]) / 2
    second = (points[:, 1, 1] + points[:, 1, 3] - points[:, 1, 0] - points[:, 1, 2]) / 2
    np.testing.assert_allclose(units[:, 4], first)
    np.testing.assert_allclose(units[:, 5], second)
    result = duel("ukeire", "random", load("maima"), hands=400, seed=4, adjust_luck=False)
    one = stats.ttest_1samp(units[:, 0], 0.0)
    low, high = one.confidence_interval(0.95)
    assert (result.mean, result.blocks, result.hands) == (pytest.approx(units[:, 0].mean()), 200, 400)
    assert (result.low, result.high) == (pytest.approx(low), pytest.approx(high))
    assert result.p == pytest.approx(one.pvalue)
    wins = facts[:, :, 0, F["winners"]].astype(int)
    own = sum(((wins[:, 0] >> s) & 1) + ((wins[:, 1] >> (s + 1)) & 1) for s in (0, 2)).sum()
    other = sum(((wins[:, 0] >> (s + 1)) & 1) + ((wins[:, 1] >> s) & 1) for s in (0, 2)).sum()
    assert result.win_rate == pytest.approx((own - other) / 2 / 400)


def test_turning_the_bots_around_turns_the_sign() -> None:
    """With bots that take no random numbers; then both orders play the same hands."""
    one = duel("ukeire", "shanten", load("jipinghu"), hands=2_000, adjust_luck=False)
    other = duel("shanten", "ukeire", load("jipinghu"), hands=2_000, adjust_luck=False)
    assert one.mean == pytest.approx(-other.mean)
    assert one.mean > 0


def test_a_bot_equals_itself() -> None:
    result = duel("ukeire", "ukeire", load("maima"), hands=2_000, goal=Goal(Sprt(0, 0.1)))
    assert (result.mean, result.sd, result.differing_blocks) == (0.0, 0.0, 0)
    assert math.isnan(result.low)
    assert "no wall told the bots apart" in result.stop
    noisy = duel("random", "random", load("maima"), hands=4_000)
    assert noisy.low < 0 < noisy.high


def test_a_planted_flaw_is_found_and_its_hands_are_worth_more_than_four() -> None:
    result = duel("ukeire", "slip", load("maima"), hands=100_000, goal=Goal(Sprt(0, 0.3)))
    assert result.decision == "d1"
    assert result.hands < 50_000
    assert result.worth > 4
    assert result.llr > math.log(19)
    same = duel("ukeire", "ukeire", load("maima"), hands=2_000, goal=Goal(Sprt(0, 0.3)))
    assert same.decision == ""


def test_a_precision_target_stops() -> None:
    result = duel("ukeire", "shanten", load("jipinghu"), hands=100_000, goal=Goal(targets=(Target("points", 0.25),)))
    assert result.hands < 100_000
    assert (result.high - result.low) / 2 < 0.25
    assert "precision reached" in result.stop


def test_a_run_goes_on_from_its_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, rules = tmp_path / "sums.json", load("jipinghu")
    whole = duel("ukeire", "slip", rules, hands=12_000)
    monkeypatch.setattr(saved, "SECONDS", 0.0)

    def stop(_: int, note: str) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        duel("ukeire", "slip", rules, hands=12_000, save=file, progress=stop)
    begun = json.loads(file.read_text())["sums"]["moments"]["n"]
    assert 0 < begun < 6_000
    seen: list[int] = []
    resumed = duel("ukeire", "slip", rules, hands=12_000, save=file, progress=lambda n, _: seen.append(n))
    assert seen[0] == 2 * begun
    assert sum(seen) == 12_000
    assert resumed.mean == pytest.approx(whole.mean, rel=1e-12)
    assert resumed.sd == pytest.approx(whole.sd, rel=1e-12)
    again = duel("ukeire", "slip", rules, hands=12_000, save=file)
    assert again == resumed


def test_another_runs_file_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "sums.json"
    write(file, {"seed": 1}, {"n": 3})
    assert read(file, {"seed": 1}) == {"n": 3}
    assert read(tmp_path / "none.json", {"seed": 1}) is None
    with pytest.raises(SavedError, match=r"another run \(seed differ\)"):
        read(file, {"seed": 2})
    file.write_text("[1]")
    with pytest.raises(SavedError, match="not the sums"):
        read(file, {})
    file.write_bytes(b"\xff{")
    with pytest.raises(SavedError, match="cannot be read"):
        read(file, {})


def test_the_command_prints_pairs_a_matrix_and_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["duel", "ukeire", "shanten", "random", "--rules", "jipinghu", "--hands", "400"]) == 0
    text = capsys.readouterr().out
    assert text.count("plain ones") == 3
    assert "points for 100 hands" in text
    assert main(["duel", "ukeire", "shanten", "--hands", "400", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert {"mean", "low", "high", "hands", "blocks", "stop"} <= set(data)
    assert data["hands"] == 400
    assert len(data["duels"]) == 1
    assert main(["duel", "ukeire", "slip", "--hands", "2000", "--plan", "0.1"]) == 0
    assert "nine times in ten" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (["duel", "ukeire"], "two bots are needed"),
        (["duel", "ukeire", "nobody"], "unknown bot"),
        (["duel", "ukeire", "slip", "--sprt", "0", "0", "0.05", "0.05"], "must differ"),
        (["duel", "ukeire", "slip", "--until", "halfwidth(luck) < 1"], "allowed: points, win_rate"),
        (["duel", "ukeire", "slip", "--plan", "-1"], "above 0"),
        (["duel", "ukeire", "slip", "random", "--save", "x.json"], "--save"),
    ],
)
def test_wrong_commands_are_one_line(line: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(line) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert message in err
    assert err.count("\n") == 1
