"""Signals: the first ends a run cleanly with what was finished kept, the second ends it at once."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

COMMAND = (sys.executable, "-m", "analysis.cli", "simulate", "zhuama", "--bots", "random", "--threads", "1")
SHARDS = ("--shard-hands", "2k", "--chunk", "1")
LIMIT = 240  # seconds; the first run may have to compile


def start(out: Path, hands: str, *more: str) -> subprocess.Popen[str]:
    argv = [*COMMAND, "--hands", hands, *SHARDS, "--out", str(out), *more]
    return subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def wait_for_shards(folder: Path, n: int, run: subprocess.Popen[Any]) -> None:
    end = time.monotonic() + LIMIT
    while len(list(folder.glob("shard-*.json"))) < n:
        assert run.poll() is None, run.stderr
        assert time.monotonic() < end
        time.sleep(0.01)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_first_signal_keeps_what_is_finished_and_says_how_to_go_on(number: signal.Signals, tmp_path: Path) -> None:
    run = start(tmp_path, "1e9")
    folder = tmp_path / "zhuama"
    wait_for_shards(folder, 2, run)
    run.send_signal(number)
    _, errors = run.communicate(timeout=LIMIT)
    assert run.returncode == 130
    assert "Traceback" not in errors
    assert "stopping; once more ends at once" in errors
    n = len(list(folder.glob("shard-*.json")))
    last = errors.splitlines()[-1]
    kept = rf"gdmj: interrupted: ([\d,]+) of 1,000,000,000 hands are kept in {folder}; to go on: (.*)"
    found = re.fullmatch(kept, last)
    assert found
    assert int(found[1].replace(",", "")) == n * 1984  # 31 tables of 64 hands
    assert found[2].startswith("gdmj simulate zhuama ")
    assert found[2].endswith(" --resume")
    assert not list(folder.glob("_*"))


def test_the_second_signal_ends_at_once(tmp_path: Path) -> None:
    # A table of 40,000 hands is a task of its own, and the first signal waits for it.
    argv = [*COMMAND, "--hands", "1e9", "--hands-per-table", "40000", "--bots", "ukeire", "--out", str(tmp_path)]
    run = subprocess.Popen([*argv, "--shard-hands", "40000"], stderr=subprocess.PIPE)
    assert run.stderr is not None
    wait_for_shards(tmp_path / "zhuama", 1, run)
    run.send_signal(signal.SIGINT)
    while b"stopping" not in run.stderr.readline():
        pass
    run.send_signal(signal.SIGINT)
    assert run.wait(LIMIT) == -signal.SIGINT
    run.stderr.close()
    check = [sys.executable, "-m", "analysis.cli", "verify", str(tmp_path), "--tables", "1"]
    verified = subprocess.run(check, capture_output=True, text=True, check=False)
    assert (verified.returncode, verified.stderr) == (1, "")
    assert "UNFINISHED" in verified.stdout
