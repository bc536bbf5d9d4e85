"""Progress: lines where stderr is no terminal, a bar where it is; what was there is not counted as work."""

from __future__ import annotations

import pytest

from analysis import progress


def test_lines_tell_what_is_left(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    clock = [0.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: clock[0])
    with progress.hands_progress("maima", 1_000) as told:
        told.skip(400)
        for _ in range(3):
            clock[0] += 4
            told.advance(100)
    (line,) = capsys.readouterr().err.splitlines()
    assert line == "maima: 200 of 600 hands, 25 hands/s, 16 s left"


def test_a_bar_takes_both(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(progress.sys.stderr, "isatty", lambda: True)
    with progress.hands_progress("maima", 1_000) as told:
        told.skip(400)
        told.advance(600)
    assert "600 of 600" in capsys.readouterr().err
