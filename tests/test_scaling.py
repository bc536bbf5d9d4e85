"""The scaling study: a small one from end to end, and the arithmetic of its plan."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest

from analysis import scaling
from analysis.scaling import Measured, cpu_per_hand, plan


def test_the_plan_is_plain_arithmetic() -> None:
    costs = plan(36e-6, 12.0)
    assert costs.core_hours == pytest.approx(10_000)
    assert costs.days == pytest.approx(10_000 / 1_000 / 24)
    assert costs.dollars == pytest.approx(400)
    assert costs.hand_bytes == pytest.approx(12e12)
    assert costs.hand_dollars_month == pytest.approx(276)
    assert costs.n_seeds == 4
    assert 10**12 / costs.n_seeds / scaling.TABLE_HANDS <= 2**32


def test_start_up_is_taken_off() -> None:
    start, run = Measured("", 64, 2.0, 3.0, 1, 1), Measured("", 1_000, 9.0, 13.0, 1, 1)
    assert cpu_per_hand(run, start) == pytest.approx(0.01)


def test_the_page_has_every_table_filled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    groups = ("start", "threads", "workers", "shards", "sizes hand", "sizes agg", "reports hand", "reports agg")
    runs = [Measured("1", 1_000 * i, 2.0 * i, 3.0 * i, 5 * 10**7, 9_000 * i) for i in (1, 2)]
    found = dict.fromkeys(groups, runs)
    monkeypatch.setattr(scaling, "study", lambda sizes, compared: found)
    scaling.main(["--out", str(tmp_path)])
    assert capsys.readouterr().out.strip() == str(tmp_path / "scaling.md")
    text = (tmp_path / "scaling.md").read_text(encoding="utf-8")
    kept = json.loads((tmp_path / "scaling.json").read_text(encoding="utf-8"))
    assert kept["runs"]["threads"] == [run._asdict() for run in runs]
    assert text.count("\n## ") == 6
    assert f"- code: {kept['facts']['code']}" in text
    assert text.count("\n| 1 | 1,000 | 667 | 9.00 | 50 |") == 5  # the second run of each but start-up
    assert not re.search(r"nan|inf\b|None", text)


def test_a_run_is_measured(tmp_path: Path) -> None:
    run = scaling.measure("sums", 500, tmp_path / "run", "--level", "agg")
    assert (run.what, run.hands) == ("sums", 500)
    assert run.seconds > 0
    assert run.cpu_seconds > 0
    assert run.memory > 10**7
    assert run.bytes > 1_000


@pytest.mark.slow
def test_a_small_study_fills_every_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(scaling, "SHARDS", (256,))
    monkeypatch.setattr(scaling.os, "cpu_count", lambda: 1)
    scaling.main(["--hands", "1e3", "--compared", "1024", "--out", str(tmp_path)])
    assert capsys.readouterr().out.strip() == str(tmp_path / "scaling.md")
    text = (tmp_path / "scaling.md").read_text(encoding="utf-8")
    assert text.count("\n## ") == 6
    assert not re.search(r"nan|inf\b|None", text)
    kept = json.loads((tmp_path / "scaling.json").read_text(encoding="utf-8"))["runs"]
    assert [run["what"] for run in kept["shards"]] == ["256"]
    for runs in kept.values():
        assert all(run["seconds"] > 0 and run["memory"] > 10**7 for run in runs)
    assert kept["sizes hand"][0]["bytes"] > 1_000


def test_memory_is_that_of_the_program_and_not_of_who_measures() -> None:
    held = bytearray(200_000_000)
    held[::4096] = b"x" * len(held[::4096])
    _, _, small = scaling.timed([sys.executable, "-c", "pass"])
    _, _, large = scaling.timed([sys.executable, "-c", "x = bytearray(b'x') * 100_000_000"])
    assert small < 60e6
    assert 100e6 < large < 160e6


def test_a_run_that_fails_is_told(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="--shard-hands"):
        scaling.measure("x", 64, tmp_path, "--shard-hands", "0")
