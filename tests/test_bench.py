"""Speed measurements: figures, the page, peers that answer, fail or cannot be installed. No test asks how fast."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from analysis import cli
from analysis.bench import hands, kernels, logs, page, peers, play, start
from analysis.bench.figure import AT_LEAST, AT_MOST, Aim, Figure, from_dict, in_turns, rates
from analysis.bench.growth import Grown
from analysis.bench.peers import PEERS, PeerError
from analysis.labels import counting
from sim.jit import CODE_HASH
from tests.oracle.shanten import is_complete

FIGURES = (
    Figure("kernels", "shanten", "hands/s", (30e6, 50e6, 41e6), Aim(AT_LEAST, 40e6), "the cache"),
    Figure("logs", "bytes of a hand", "bytes", (11.0,), Aim(AT_MOST, 10.0), "entropy"),
    Figure(peers.SECTION, "shanten: gdmj", "/s", (20.0, 30.0, 40.0)),
    Figure(peers.SECTION, "shanten: other 1.0 (Rust)", "/s", (10.0, 10.0, 10.0)),
)
GROWN = (Grown("hand", 10_000, 2.0, 1.0, 200_000_000, 100_000), Grown("hand", 20_000, 3.1, 1.0, 200_000_000, 180_000))


def test_a_figure_is_its_median_and_meets_an_aim_on_its_side() -> None:
    assert [f.median for f in FIGURES[:2]] == [41e6, 11.0]
    assert [f.is_met for f in FIGURES] == [True, False, None, None]
    assert [from_dict(json.loads(json.dumps(f.to_dict()))) for f in FIGURES] == list(FIGURES)


def test_jobs_run_in_turns() -> None:
    order: list[str] = []

    def job(name: str, value: float) -> float:
        order.append(name)
        return value

    assert in_turns([lambda: job("a", 1.0), lambda: job("b", 2.0)], 3) == [(1.0,) * 3, (2.0,) * 3]
    assert order == ["a", "b"] * 3


def test_rates_run_once_more_than_they_count() -> None:
    calls: list[int] = []
    assert len(rates(lambda: calls.append(1), 5, 4)) == 4
    assert len(calls) == 5


def test_hands_are_what_they_say() -> None:
    dealt = hands.dealt(500, 13, 3)
    assert (dealt.sum(axis=1) == 13).all()
    assert dealt.max() <= 4
    for n_ghosts in (0, 2, 4):
        complete = hands.complete(20, n_ghosts)
        assert (complete.sum(axis=1) == 14 - n_ghosts).all()
        assert all(is_complete(tuple(row), 0, n_ghosts, ("standard",)) for row in complete.tolist())


def test_kernels_are_measured_under_the_given_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("N_HANDS", "N_DISCARDS", "N_WINS"):
        monkeypatch.setattr(kernels, name, 200)
    found = list(kernels.measure(["guigang"], 1))
    assert [f.what for f in found if "reading" in f.what] == [
        f"best reading, guigang, {counting(n, 'ghost')}" for n in range(5)
    ]
    assert all(value > 0 for f in found for value in f.values)


def test_play_and_logs_are_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(play, "BOTS", {"random": 1, "ukeire": 1})
    monkeypatch.setattr(logs, "HANDS", 256)
    monkeypatch.setattr(logs, "PIECE", 2)
    found = [*play.measure(["maima"], 1), *logs.measure(["maima"], 1)]
    assert all(value > 0 for f in found for value in f.values)
    (share,) = [f for f in found if f.what.startswith("share")]
    assert 0 < share.median < 100


def test_start_takes_an_empty_cache_first(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []

    def timed(argv: list[str], environment: dict[str, str]) -> tuple[float, float, int]:
        seen.append(environment["GDMJ_CACHE_DIR"])
        return 2.0, 1.0, 1

    monkeypatch.setattr(start, "timed", timed)
    cold, warm, _ = start.measure(["maima"])
    assert (cold.values, len(warm.values)) == ((1.0,), start.N_WARM)
    assert len(set(seen)) == 1
    assert not Path(seen[0]).exists()


def test_page_tells_aims_reasons_ratios_and_growth(tmp_path: Path) -> None:
    written = page.write(tmp_path, FIGURES, GROWN, ["x 1.0 cannot be installed"], {"code": "abc"})
    text = written.read_text(encoding="utf-8")
    assert "| shanten | 41.00M hands/s | 30.00M to 50.00M (3) | at least 40.00M | yes |" in text
    assert "- bytes of a hand: 11.00 bytes. What bounds it: entropy." in text
    assert "| shanten | other 1.0 (Rust) | 3 | 2 to 4 |" in text
    assert "| 10,000 | `hand` | 10,000 | +5.0% |" in text
    assert "- Not measured: x 1.0 cannot be installed." in text
    assert {path.name for path in tmp_path.iterdir()} == {
        "bench.md", "bench.json", "bench-aims.png", "bench-peers.png",
    }  # fmt: skip


def test_figures_of_the_same_code_stay(tmp_path: Path) -> None:
    page.write(tmp_path, FIGURES, GROWN, [], {"code": "abc"})
    assert page.kept(tmp_path, "abc") == (list(FIGURES), list(GROWN), {"code": "abc"})
    assert page.kept(tmp_path, "other") == ([], [], {})
    assert page.kept(tmp_path / "none", "abc") == ([], [], {})


def driver(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, body: str) -> None:
    """Let a small program stand in for a peer."""
    script = tmp_path / "driver.py"
    script.write_text(f"import json, sys\nhands = json.loads(sys.stdin.readline())\n{body}\n", encoding="utf-8")
    monkeypatch.setattr(peers, "DRIVER", script)
    monkeypatch.setattr(peers, "environment", lambda peer: Path(sys.executable))
    monkeypatch.setattr(peers, "REPEATED", 2)


def test_a_peer_is_measured_beside_us(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    body = """
for line in sys.stdin:
    wrong = [9] * len(hands["dealt"])
    print(json.dumps(wrong if line == "answers\\n" else {"items": 10, "seconds": 2.0}), flush=True)"""
    driver(tmp_path, monkeypatch, body)
    differ, mine, theirs = peers.measure(PEERS[3]._replace(n_hands=50), "maima", 2)
    assert differ.values == (50,)
    assert theirs.values == (5.0, 5.0)
    assert mine.median > 0
    assert "xiangting" in theirs.what


def test_a_peer_that_fails_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    driver(tmp_path, monkeypatch, "raise ValueError('no such tile')")
    with pytest.raises(PeerError, match=r"xiangting .* fails at answers \(ValueError: no such tile\)"):
        list(peers.measure(PEERS[3]._replace(n_hands=50), "maima", 1))


def test_a_peer_that_cannot_be_installed_is_one_line(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def run(argv: list[str], **_: Any) -> subprocess.CompletedProcess[str]:
        failed = "pip" in argv
        return subprocess.CompletedProcess(argv, int(failed), "", "WARNING: x\nERROR: No matching distribution\n")

    monkeypatch.setattr(subprocess, "run", run)
    monkeypatch.setattr(peers, "cache_root", lambda: tmp_path)
    assert cli.main(["bench", "--only", "none", "--against", "mjx", "--json"]) == 0
    printed = capsys.readouterr()
    (line,) = printed.err.splitlines()
    assert "mjx 0.1.0 cannot be installed" in line
    assert "as a wheel (No matching distribution)" in line
    record = json.loads(printed.out)
    assert record["facts"]["code"] == CODE_HASH
    assert record["figures"] == []
    assert len(record["not_measured"]) == 1


def test_unknown_peers_and_rules_are_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    for argv in (["--against", "nobody"], ["--rules", "nothing"]):
        assert cli.main(["bench", "--only", "none", *argv]) == 2
        (line,) = capsys.readouterr().err.splitlines()
        assert line.startswith("gdmj: error: ")
    assert cli.main(["bench", "--only", "none", "play"]) == 2
    assert "--only: none and play exclude each other" in capsys.readouterr().err


def test_the_driver_turns_hands_into_tiles() -> None:
    from analysis.bench.peer_driver import _tiles

    counts: NDArray[np.uint8] = hands.dealt(1, 13)[0]
    tiles = _tiles(counts.tolist())
    assert np.bincount(np.array(tiles) // 4, minlength=34).tolist() == counts.tolist()
    assert len(set(tiles)) == 13
