"""Luck of draws in comparisons: no figure moves, intervals narrow; runs go on from their file."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from analysis import saved
from analysis.cli import main
from analysis.compare import run as running
from analysis.compare.arms import plan
from analysis.compare.luck import LuckTables, fit, pilot
from analysis.compare.measures import COLUMNS, MEASURES, C, columns
from analysis.compare.run import Comparison, compare
from analysis.sequence import Target
from sim.luck import N_LUCK
from sim.rules import load
from sim.trials import Trial, TrialPlayer
from tests.test_compare import effect

UKEIRE = ("ukeire",) * 4


def compared(base: str, toggles: list[str], **options: Any) -> Comparison:
    arms, contrasts = plan(base, [], toggles, {}, mode=options.get("mode", "duplicate"))
    return compare(arms, contrasts, **options)


@pytest.fixture
def with_few_hands(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take luck off in short runs too, by short pilots."""
    monkeypatch.setattr(running, "LUCK_HANDS", 0)
    monkeypatch.setattr(running, "pilot", lambda trial: pilot(trial, 2_048))


@pytest.mark.parametrize(("variant", "change"), [("maima", {"ghost.mode": "none"}), ("jipinghu", {"play.chi": False})])
def test_no_column_of_a_comparison_moves(variant: str, change: dict[str, Any]) -> None:
    """What is taken off has mean zero in every column and arm: z-bound 5.3 for 32 of them, false-alarm rate 4e-6."""
    trial = Trial((load(variant), load(variant, change)), (UKEIRE,), 8, seat_walls=True)
    tables = pilot(trial, 4_096)
    piece = TrialPlayer(trial, with_luck=True).play(0, 8_000)
    off, each = tables.of(piece)[:, 0], columns(piece.facts)[:, 0]
    assert off.shape == each.shape == (8_000, 2, len(COLUMNS))
    np.testing.assert_allclose(off[..., C["hands"]], 0.0, atol=1e-12)
    z = off[..., 1:].mean(axis=0) / np.maximum(off[..., 1:].std(axis=0), 1e-12) * math.sqrt(len(off))
    assert np.abs(z).max() < 5.3
    for column in ("turns", "dealer_mean"):  # squares have a long tail, of which so short a pilot knows little
        for arm in range(2):
            assert (each - off)[:, arm, C[column]].var() < 0.9 * each[:, arm, C[column]].var(), (column, arm)


def test_a_fit_is_shrunk_to_what_holds_elsewhere() -> None:
    rng = np.random.default_rng(4)
    x = rng.normal(size=(2_000, 40))
    weights = rng.normal(size=40)
    y = np.column_stack([x @ weights, rng.standard_t(2.1, size=2_000), np.zeros(2_000)])
    found = fit(x, y)
    np.testing.assert_allclose(found[:, 0], weights, atol=0.01)
    plain = np.linalg.lstsq(x, y[:, 1], rcond=None)[0]
    assert np.abs(found[:, 1]).sum() < 0.5 * np.abs(plain).sum()
    assert (found[:, 2] == 0).all()


def test_the_tables_are_frozen_before_the_evaluation() -> None:
    trial = Trial((load("jipinghu"), load("jipinghu", {"play.chi": False})), (UKEIRE,), 3, seat_walls=True)
    one, again = pilot(trial, 512), pilot(trial, 512)
    assert one.digest == again.digest
    assert one.weights.shape == (2, 2 * N_LUCK, len(COLUMNS))
    assert isinstance(one, LuckTables)
    assert one.to_dict()["first_table"] == 2**31


@pytest.mark.usefixtures("with_few_hands")
def test_effects_agree_and_their_errors_shrink() -> None:
    """Same walls, with and without: estimates differ by what was taken off, within 4.9 of its standard errors."""
    options: dict[str, Any] = {"hands": 4_000, "seed": 4}
    lucky = compared("maima", ["ghost=none", "kong.concealed=6"], **options)
    plain = compared("maima", ["ghost=none", "kong.concealed=6"], adjust_luck=False, **options)
    assert lucky.luck is not None
    assert plain.luck is None
    for one, other in zip(lucky.effects, plain.effects, strict=True):
        assert one.n_events == other.n_events
        assert one.is_exact == other.is_exact
        assert abs(one.effect - other.effect) <= 4.9 * math.hypot(one.se, other.se) + 1e-9
        assert other.by_luck == 1.0
    one, other = (effect(result, "ghost=none", "dealer_net") for result in (lucky, plain))
    assert one.se < other.se
    assert one.by_luck == pytest.approx((other.se / one.se) ** 2, rel=1e-6)
    assert one.worth == pytest.approx(other.worth * one.by_luck, rel=1e-6)
    assert effect(lucky, "kong.concealed=6", "win_rate").effect == 0.0


@pytest.mark.usefixtures("with_few_hands")
def test_luck_is_left_in_where_it_cannot_or_need_not_be_known() -> None:
    assert compared("maima", ["kong.concealed=6"], hands=100).luck is None  # all from one play
    seeing = ("oracle", "random", "random", "random")
    result = compared("maima", ["ghost=none"], hands=4, bots=seeing)
    assert result.luck is None
    assert not result.trial.has_seat_walls


@pytest.mark.usefixtures("with_few_hands")
def test_tables_with_a_moving_deal_lose_luck_too() -> None:
    result = compared("jipinghu", ["play.chi=false"], hands=4_000, mode="session", hands_per_table=8)
    assert result.n_tables == 500
    assert effect(result, "play.chi=false", "turns").by_luck > 1.1


@pytest.mark.usefixtures("with_few_hands")
def test_a_run_goes_on_from_its_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, options = tmp_path / "sums.json", {"hands": 2_500, "seed": 3}
    toggles = ["play.chi=false", "scoring.cap=4"]
    whole = compared("jipinghu", toggles, **options)
    monkeypatch.setattr(saved, "SECONDS", 0.0)

    def stop(_: int, note: str) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        compared("jipinghu", toggles, save=file, progress=stop, **options)
    begun = json.loads(file.read_text())["sums"]["sums"]["tables"]["n"]
    assert 0 < begun < 2_500
    seen: list[int] = []
    resumed = compared("jipinghu", toggles, save=file, progress=lambda n, _: seen.append(n), **options)
    assert seen[0] == begun
    assert sum(seen) == 2_500
    for one, other in zip(resumed.effects, whole.effects, strict=True):
        assert one.effect == pytest.approx(other.effect, rel=1e-9, abs=1e-12)
        assert one.se == pytest.approx(other.se, rel=1e-9)
    again = compared("jipinghu", toggles, save=file, **options)
    assert json.dumps(again.to_dict()) == json.dumps(resumed.to_dict())
    with pytest.raises(saved.SavedError, match=r"another run \(seed, luck differ\)"):
        compared("jipinghu", toggles, save=file, hands=2_500, seed=4)
    with pytest.raises(saved.SavedError, match="contrasts"):
        compared("jipinghu", toggles[:1], save=file, **options)


def test_a_run_that_was_precise_plays_nothing_more(tmp_path: Path) -> None:
    options: dict[str, Any] = {"hands": 40_000, "seed": 2, "targets": (Target("dealer_net", 0.6),)}
    one = compared("zhuama", ["horses.origin=winner"], save=tmp_path / "sums.json", **options)
    again = compared("zhuama", ["horses.origin=winner"], save=tmp_path / "sums.json", **options)
    assert "precision reached" in one.stop
    assert again.n_hands == one.n_hands < 40_000


def test_how_precise_it_is_is_told_while_it_plays() -> None:
    notes: list[str] = []
    compared("maima", ["kong.concealed=6"], hands=8_000, progress=lambda _, note: notes.append(note))
    assert notes[-1].startswith("halfwidth(dealer_net) 0.")


@pytest.mark.usefixtures("with_few_hands")
def test_the_command_writes_what_it_prints(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    line = ["compare", "maima", "--toggle", "ghost=none", "--hands", "600", "--out", str(tmp_path / "a" / "b")]
    assert main(line) == 0
    text = capsys.readouterr().out
    assert "luck x" in text
    assert "Every seat draws from its own part of the wall" in text
    assert main([*line, "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert json.loads((tmp_path / "a" / "b" / "compare.json").read_text(encoding="utf-8")) == data
    assert data["seat_walls"] is True
    assert data["luck"]["hands"] == 2_048
    assert {e["measure"] for e in data["effects"]} == set(MEASURES)
    assert main([*line[:-2], "--walls", "shared", "--no-luck"]) == 0
    text = capsys.readouterr().out
    assert "One wall for all seats" in text
    assert "luck x" not in text
    (tmp_path / "file").write_text("")
    assert main([*line[:-1], str(tmp_path / "file")]) == 2
    assert capsys.readouterr().err.count("\n") == 1
