"""Rare patterns: distances, splits that repeat the past, agreement with brute force."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

from analysis import splitting
from analysis.cli import main
from analysis.cli import rare as rare_command
from analysis.cli.rare import describe
from analysis.splitting import SplittingError, _Player, choose_distances, rare
from sim import patterns
from sim.engine import Plan, Player
from sim.rules import load
from sim.schema import W
from sim.splitting import FAR, distance
from sim.tiles import parse


def lacking(text: str, pattern: str, melded: bool = False) -> int:
    counts = np.zeros(41, np.int64)
    for kind in parse(text):
        counts[kind] += 1
    counts[40] = melded
    return int(distance(counts, patterns.INDEX[pattern]))


@pytest.mark.parametrize(
    ("text", "pattern", "expected"),
    [
        ("19m19p19sESWNZFBB", "thirteen_orphans", 0),
        ("19m19p19sESWNZFB", "thirteen_orphans", 1),
        ("119m234p19sESSWN", "thirteen_orphans", 5),
        ("ZZZFFFBB123m11p", "dasanyuan", 1),
        ("123456789m", "dasanyuan", 9),
        ("EEESSSWWNN", "dasixi", 2),
        ("1112345678999m", "jiulian", 0),
        ("1112345678999p", "jiulian", 0),
        ("112345678m1112s", "jiulian", 4),
        ("111999m111999p11s", "qingyaojiu", 0),
        ("111999m111p99s", "qingyaojiu", 3),
    ],
)
def test_distances(text: str, pattern: str, expected: int) -> None:
    assert lacking(text, pattern) == expected


def test_melds_end_what_must_be_concealed() -> None:
    assert lacking("19m19p19sESWNZFB", "thirteen_orphans", melded=True) == FAR
    assert lacking("ZZZFFFBBB", "dasanyuan", melded=True) == 0


def test_a_split_repeats_the_past_and_shuffles_the_future() -> None:
    player = _Player(load("jipinghu"), "ukeire", "dasanyuan", 3)
    first = player.first(200)
    d = 5
    near = np.flatnonzero(first.nearest[:, d, 0] >= 0)
    assert len(near) > 20
    again = player.play(first.walls[near].copy(), first.points(d)[near])
    np.testing.assert_array_equal(again.nearest[:, d:], first.nearest[near][:, d:])
    changed = 0
    for wall, other, (place, left) in zip(first.walls[near], again.walls, first.points(d)[near], strict=True):
        np.testing.assert_array_equal(wall[:place], other[:place])
        np.testing.assert_array_equal(wall[place + left :], other[place + left :])
        np.testing.assert_array_equal(np.sort(wall), np.sort(other))
        changed += int((wall != other).any())
    assert changed == len(near)


def brute_force(variant: str, pattern: str, n: int, seed: int) -> float:
    """Share of hands that are won with a pattern."""
    rows = Player(Plan(load(variant), n, ("ukeire",) * 4, seed, "session", 1)).rows(0, n, 1)
    counted = (rows.wins[:, :, W["patterns"]] >> patterns.INDEX[pattern]) & 1
    used = np.arange(3) < rows.n_wins[:, None]
    return float((counted.astype(bool) & used).any(axis=1).mean())


def test_it_agrees_with_brute_force() -> None:
    """z-bound 4.9 on both errors together: false-alarm rate about 1e-6."""
    rules, n = load("jipinghu"), 120_000
    distances = choose_distances(rules, "dasanyuan", hands=600)
    assert list(distances) == sorted(distances, reverse=True)
    found = rare(rules, "dasanyuan", distances, hands=600, repetitions=12)
    brute = brute_force("jipinghu", "dasanyuan", n, 5)
    error = math.hypot(found.se, math.sqrt(max(brute, 1 / n) / n))
    assert abs(found.rate - brute) < 4.9 * error
    assert 0 < found.rate < 1e-2


def test_without_distances_it_is_brute_force() -> None:
    found = rare(load("jipinghu"), "dasanyuan", (), hands=5_000, repetitions=2)
    assert found.hands == 10_000
    assert (found.rate * 10_000) == pytest.approx(round(found.rate * 10_000))


def test_what_cannot_be_split_is_refused() -> None:
    with pytest.raises(SplittingError, match="has no distance; allowed: thirteen_orphans"):
        choose_distances(load("jipinghu"), "pinghu")
    with pytest.raises(SplittingError, match="has no price"):
        choose_distances(load("maima"), "dasixi")
    with pytest.raises(SplittingError, match="takes random numbers"):
        choose_distances(load("jipinghu"), "dasixi", "random", hands=50)
    with pytest.raises(SplittingError, match="sees the wall"):
        choose_distances(load("jipinghu"), "dasixi", "oracle")


def test_the_command_prints_text_and_json(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    line = ["rare", "jipinghu", "dasanyuan", "--hands", "300", "--repetitions", "3"]
    assert main(line) == 0
    assert "大三元 three dragon pungs (dasanyuan)" in capsys.readouterr().out
    assert main([*line, "--json"]) == 0
    (one,) = json.loads(capsys.readouterr().out)["patterns"]
    assert {"rate", "low", "high", "gain", "distances"} <= set(one)
    assert set(splitting.PATTERNS) <= set(patterns.INDEX)
    assert rare_command.PATTERNS == splitting.PATTERNS
    assert main(["rare", "jipinghu", "pinghu"]) == 2
    assert "has no distance" in capsys.readouterr().err


def test_where_nothing_came_through_there_is_an_upper_limit() -> None:
    none = splitting._summary("x", "y", "dasixi", [0.0] * 20, 100, (), (0, 40_000))
    assert none.low == 0
    assert none.high == pytest.approx(1 - 0.05 ** (1 / 40_000), rel=1e-6)  # the rule of three, 3 / n
    assert "below 74.9 in a million" in describe(none)


def test_an_interval_takes_ten_repetitions_that_came_through() -> None:
    few = splitting._summary("x", "y", "dasixi", [0.0] * 11 + [1e-6] * 9, 100, (), (0, 2_000))
    assert few.rate > 0
    assert math.isnan(few.low)
    assert math.isnan(few.high)
    assert "worth" not in describe(few)
    many = splitting._summary("x", "y", "z", [0.0] * 10 + [1e-6] * 10, 100, (), (0, 2_000))
    assert many.rate == pytest.approx(5e-7)
    assert many.low < many.rate < many.high
