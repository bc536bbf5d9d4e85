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


def test_a_notebook_gets_a_bar_that_goes_when_all_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    from IPython import display

    shown: list[str] = []

    class Handle:
        def display(self, html: display.HTML) -> None:
            shown.append(html.data)

        update = display

    monkeypatch.setattr(progress, "in_notebook", lambda: True)
    monkeypatch.setattr(progress, "CELL_SECONDS", -1.0)
    monkeypatch.setattr(display, "DisplayHandle", Handle)
    with progress.hands_progress("<house>", 1_000) as told:
        told.note("± 0.1")
        told.advance(250)
    assert 'value="0.250"' in shown[-2]
    assert "&lt;house&gt;: 250 of 1,000 hands" in shown[-2]
    assert "± 0.1" in shown[-2]
    assert shown[-1] == ""


def test_quiet_is_quiet(capsys: pytest.CaptureFixture[str]) -> None:
    with progress.hands_progress("maima", 1_000, is_quiet=True) as told:
        told.skip(1)
        told.tell(999, "")
    assert capsys.readouterr().err == ""
