"""The sanity page: its measures against another way to count them, its figures and addresses."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

from analysis import ladder, sanity
from analysis.sanity import MEASURES, PUBLISHED, play, written
from sim.rules import load


@pytest.mark.parametrize("variant", ["jipinghu", "maima"])
def test_measures_are_those_of_the_ladder(variant: str) -> None:
    """The ladder counts rows before they are stored; the page reads logs."""
    found = play(variant, "ukeire", 16 * 24, 5)
    assert found["measure"].cast(pl.String).to_list() == list(MEASURES)
    mean = dict(zip(found["measure"].cast(pl.String), found["mean"], strict=True))
    expected = ladder.sanity(load(variant), "ukeire", 24, 5)
    for name in ("washout", "win_turn", "kongs"):
        assert mean[name] == pytest.approx(expected[name])
    assert mean["half_flush"] + mean["full_flush"] == pytest.approx(expected["flush"])
    assert mean["deal_in"] >= expected["deal_in"]  # robbed seats too
    assert 0 < mean["dealer"] < 0.5
    assert 2 < mean["shanten"] < 4.5


def test_values_are_written_as_their_measure_is() -> None:
    assert written(0.1234, 0.005, "percent") == "12.3 % ± 0.5"
    assert written(35.04, None, "one") == "35.0"
    assert written(None, None, "two") == "–"


def test_published_figures_have_an_address_and_a_day() -> None:
    for one in PUBLISHED:
        assert one.address.startswith("http")
        assert len(one.read) == 10
        assert set(one.figures) <= set(MEASURES)
        assert all(value < 1 for name, value in one.figures.items() if MEASURES[name][1] == "percent")


def test_page_has_a_row_for_each_bot_and_source(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    argv = ["--rules", "zhuama", "--bots", "ukeire", "random", "--hands", "64", "--out", str(tmp_path)]
    sanity.main(argv)
    assert capsys.readouterr().out.strip() == str(tmp_path / "sanity.md")
    text = (tmp_path / "sanity.md").read_text(encoding="utf-8")
    assert text.count("| `zhuama` |") == 2
    assert all(one.address in text for one in PUBLISHED)
    assert len(json.loads((tmp_path / "sanity.json").read_text(encoding="utf-8"))["played"]) == 2
