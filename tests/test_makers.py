"""The programs that write pages and weights refuse bad input in one line, with exit status 2, before they play."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest

from analysis.arguments import count, folder, number, one_of


@pytest.mark.parametrize(
    ("program", "options", "message"),
    [
        ("ladder", "--bots nonsense", "one of random, shanten"),
        ("ladder", "--rules nonsense", "xinzhang, 1 fan at least"),
        ("ladder", "--scale 0", "a number from 0.001"),
        ("ladder", "--out nowhere", "'nowhere': no such folder"),
        ("fit_bots", "nonsense", "one of flat, draw"),
        ("fit_bots", "flat --seconds inf", "a number from 1"),
        ("fit_danger", "nonsense", "one of flat, draw"),
        ("fit_danger", "--candidates -1", "a number from 0 to 1024"),
        ("sanity", "--rules nonsense", "one of app-100"),
        ("beyond.__main__", "--hands 0", "a number from 1"),
        ("scaling", "--hands 1.5", "a whole number is needed"),
        ("scaling", "--compared 8", "a number from 16"),
    ],
)
def test_bad_input_is_one_line(
    program: str, options: str, message: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", [program, *options.split()])
    with pytest.raises(SystemExit) as end:
        import_module(f"analysis.{program}").main()
    assert end.value.code == 2
    last = capsys.readouterr().err.splitlines()[-1]
    assert "error:" in last
    assert message in last


def test_good_input_is_read(tmp_path: Path) -> None:
    assert count(1, 10**9)("2.5m") == 2_500_000
    assert one_of(["a", "b"])("b") == "b"
    assert number(0, 1)("1e-3") == 0.001
    assert folder(str(tmp_path)) == tmp_path
