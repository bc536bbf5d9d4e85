"""The ladder's pairs and its page."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

from analysis import ladder
from analysis.duel.run import duel
from analysis.ladder import Pair, page, pair, sanity
from sim.rules import load


def test_points_of_a_pair_are_those_of_its_duel_and_of_both_sides() -> None:
    found = pair("maima", load("maima"), "ukeire", "random", 64, 3, 2)
    other = pair("maima", load("maima"), "random", "ukeire", 64, 3, 1)
    assert found.hands == 64
    assert found.mean > 0 > other.mean
    assert found.low < found.mean < found.high
    assert found.mean == pytest.approx(100 * duel("ukeire", "random", load("maima"), hands=64, seed=3).mean)


def test_bots_that_play_alike_have_no_interval() -> None:
    found = pair("zhuama", load("zhuama"), "defend", "value", 8, 1, 1)
    assert (found.mean, math.isnan(found.low)) == (0.0, True)


def test_close_pairs_play_more_hands_where_discards_can_lose(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ladder, "OTHER_HANDS", 8)
    monkeypatch.setitem(ladder.CLOSE_HANDS, frozenset(("value", "defend")), 16)
    monkeypatch.setattr(ladder, "FINE", {"maima": 2})
    for name, hands in (("jiandan", 16), ("maima", 32), ("tuidaohu", 8)):
        assert [found.hands for found in ladder.play(name, load(name), ("value", "defend"), (), 1.0, 1, 1)] == [hands]


def test_sanity_shares_are_shares() -> None:
    found = sanity(load("jipinghu"), "ukeire", 4, 1)
    assert 0 <= found["washout"] <= 1
    assert 0 < found["deal_in"] < 0.25
    assert found["win_turn"] > 1


def test_page_names_every_duel() -> None:
    pairs = [Pair("maima", "value", "ukeire", 12.34, 6.67, 18.01, 400, "abc")]
    checks = {"maima": {"value": sanity(load("maima"), "ukeire", 1, 1)}}
    text = page(pairs, checks, {"seed": 1})
    assert "+12.3 [+6.7, +18.0]" in text
    assert "| maima | value |" in text
    assert "played by code abc: value - ukeire 400." in text


def test_a_page_keeps_rule_sets_that_are_not_played_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def run(*args: str) -> dict[str, Any]:
        given = ["ladder", "--bots", "shanten", "random", "--scale", "0.001", "--out", str(tmp_path), *args]
        monkeypatch.setattr("sys.argv", given)
        ladder.main()
        record: dict[str, Any] = json.loads((tmp_path / "ladder.json").read_text())
        return record

    first = run("--rules", "zhuama")
    monkeypatch.setattr(ladder, "CODE_HASH", "new")
    second = run("--rules", "jipinghu")
    assert [found["rules"] for found in second["pairs"]] == ["jipinghu", "zhuama"]
    assert second["pairs"][1:] == first["pairs"]
    assert [found["code"] for found in second["pairs"]] == ["new", first["pairs"][0]["code"]]

    monkeypatch.setattr(ladder, "play", lambda name, *_: [Pair(name, "shanten", "random", 1.0, 1.0, 1.0, 8, "new")])
    third = run("--rules", "zhuama", "jipinghu", "--resume")
    assert third["pairs"][0] == second["pairs"][0]
    assert third["pairs"][1]["mean"] == 1.0
    assert [found["rules"] for found in run("--rules", "zhuama", "--seed", "3")["pairs"]] == ["zhuama"]


def test_a_page_keeps_pairs_of_bots_that_are_not_played_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def run(*args: str, bots: str = "random shanten ukeire") -> list[dict[str, Any]]:
        given = ["ladder", "--bots", *bots.split(), "--scale", "0.001", "--rules", "zhuama", "--out", str(tmp_path)]
        monkeypatch.setattr("sys.argv", [*given, *args])
        ladder.main()
        pairs: list[dict[str, Any]] = json.loads((tmp_path / "ladder.json").read_text())["pairs"]
        return pairs

    def refuse(*args: str, bots: str = "random shanten ukeire") -> str:
        before = (tmp_path / "ladder.json").read_text()
        with pytest.raises(SystemExit) as error:
            run(*args, bots=bots)
        assert error.value.code == 2
        assert (tmp_path / "ladder.json").read_text() == before
        return capsys.readouterr().err

    first = run()
    names = [(found["a"], found["b"]) for found in first]
    monkeypatch.setattr(ladder, "CODE_HASH", "new")
    second = run("--again", "ukeire")
    assert [(found["a"], found["b"]) for found in second] == names
    assert second[0] == first[0]
    assert [found["code"] == "new" for found in second] == [False, True, True]
    assert "code new: ukeire - random 8, ukeire - shanten 8." in (tmp_path / "ladder.md").read_text()

    # What an interrupted run has played stays; what is missing is played.
    file = tmp_path / "ladder.json"
    record = json.loads(file.read_text())
    del record["pairs"][2]
    record["pairs"][1]["mean"] = 123.0
    file.write_text(json.dumps(record))
    third = run("--again", "ukeire", "--resume")
    assert [(found["a"], found["b"]) for found in third] == names
    assert third[1]["mean"] == 123.0
    assert [found["code"] == "new" for found in third] == [False, True, True]
    assert [found["code"] for found in run("--resume")] == ["new"] * 3

    assert "value not among --bots" in refuse("--again", "value")
    assert '"seed": 2026' in refuse("--again", "ukeire", "--seed", "3")
    assert "was played with" in refuse("--again", "ukeire", bots="shanten ukeire")
