"""How fast are others at the same: programs that install from PyPI, each in an environment of its own, run in turns.

No peer plays Guangdong rules, so what is compared is what they share: shanten and wins of the same random hands, the
value of the same complete hands under each one's own rules, rounds of random moves.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from analysis.bench.figure import Figure, cpu_seconds, in_turns
from analysis.bench.hands import Counts, complete, dealt
from analysis.bench.kernels import ALL_FORMS
from analysis.bench.play import BOTS, TABLE_HANDS, player
from sim import batch, tables
from sim.flags import to_flags
from sim.jit import cache_root
from sim.rules import load
from sim.state import new_state

SECTION = "peers"
RULES = "jipinghu"  # fan tables, discard wins: nearest to what peers play
REPEATED = 50  # how often our kernels get the same hands in one run, which would be too short to time
DRIVER = Path(__file__).with_name("peer_driver.py")
INSTALL_SECONDS = 600


class PeerError(RuntimeError):
    """A peer that cannot be measured here; the message is one line."""


class Peer(NamedTuple):
    """A program to compare with: its package, version, language, jobs, hands of one run, how it installs."""

    name: str
    version: str
    made_of: str
    jobs: tuple[str, ...]
    n_hands: int
    wheels_only: bool = True


PEERS = (
    Peer("riichienv", "0.4.11", "Rust", ("shanten", "score", "random"), 5_000),
    Peer("mahjong", "2.1.0", "Python", ("shanten", "win", "score"), 500),
    Peer("pymahjonggb", "1.4.0", "C++, built from source", ("shanten", "score"), 2_000, wheels_only=False),
    Peer("xiangting", "6.0.2", "Rust", ("shanten",), 20_000),
    Peer("mjx", "0.1.0", "C++", ("random",), 1),
)
BY_NAME = {peer.name: peer for peer in PEERS}
JOBS = {
    "shanten": "shanten of 13 tiles, all forms",
    "win": "win check of complete hands",
    "score": "value of a complete hand won by self-draw (theirs by riichi or Chinese official rules, ours by {rules})",
    "random": "rounds of random legal moves (theirs by riichi rules, ours by {rules})",
}
OURS = "gdmj"


def environment(peer: Peer) -> Path:
    """Return the Python of a peer's environment, made the first time.

    Raises
    ------
    PeerError
        When it cannot be installed.
    """
    root = cache_root() / "peers" / f"{peer.name}-{peer.version}-py{sys.version_info[0]}.{sys.version_info[1]}"
    python, done = root / "bin" / "python", root / "installed"
    if done.exists():
        return python
    wheels = ["--only-binary", ":all:"] if peer.wheels_only else []
    pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *wheels]
    for argv in ([sys.executable, "-m", "venv", "--clear", str(root)], [*pip, f"{peer.name}=={peer.version}"]):
        try:
            made = subprocess.run(argv, capture_output=True, text=True, timeout=INSTALL_SECONDS, check=False)
        except (OSError, subprocess.TimeoutExpired) as error:
            raise PeerError(f"{peer.name} {peer.version} cannot be installed ({type(error).__name__})") from None
        if made.returncode:
            reasons = [line for line in made.stderr.splitlines() if line.startswith("ERROR")] or ["no reason given"]
            raise PeerError(
                f"{peer.name} {peer.version} cannot be installed on Python"
                f" {sys.version_info[0]}.{sys.version_info[1]}"
                f"{' as a wheel' if peer.wheels_only else ''} ({reasons[-1].removeprefix('ERROR: ')})"
            )
    done.touch()
    return python


@contextmanager
def running(peer: Peer, hands: dict[str, Counts]) -> Iterator[Callable[[str], Any]]:
    """Start a peer's driver; yields what does one job and returns its answer."""
    argv = [str(environment(peer)), str(DRIVER), peer.name]
    with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as on:
        assert on.stdin
        assert on.stdout
        assert on.stderr
        stdin, stdout, stderr = on.stdin, on.stdout, on.stderr

        def ask(job: str) -> Any:
            try:
                stdin.write(job + "\n")
                stdin.flush()
                line = stdout.readline()
            except BrokenPipeError:
                line = ""
            if not line:
                last = (stderr.read().strip().splitlines() or ["no reason given"])[-1]
                raise PeerError(f"{peer.name} {peer.version} fails at {job} ({last:.200})")
            return json.loads(line)

        try:
            stdin.write(json.dumps({name: counts.tolist() for name, counts in hands.items()}) + "\n")
            yield ask
        finally:
            on.kill()


def ours(name: str, hands: dict[str, Counts]) -> dict[str, Callable[[], float]]:
    """Return our side of every job, rates a CPU second."""
    t, s, r = tables.load(), new_state(), to_flags(load(name))
    n = len(hands["dealt"]) * REPEATED
    rows, wins = (np.tile(hands[which], (REPEATED, 1)) for which in ("dealt", "complete"))
    none, small, large = np.zeros(n, np.uint8), np.empty(n, np.int8), np.empty(n, np.int64)
    win = wins.argmax(axis=1)
    playing, tables_played = player(name, "random", BOTS["random"]), BOTS["random"]
    jobs: dict[str, tuple[Callable[[], object], int]] = {
        "shanten": (partial(batch.needs, t, rows, none, none, ALL_FORMS, small), n),
        "win": (partial(batch.wins, t, wins, none, none, ALL_FORMS, small), n),
        "score": (partial(batch.prices, s, r, wins, none, win, large), n),
        "random": (partial(playing.rows, 0, tables_played, TABLE_HANDS), tables_played * TABLE_HANDS),
    }
    return {job: partial(_rate, *what) for job, what in jobs.items()}


def _rate(job: Callable[[], object], n: int) -> float:
    """How many of ``n`` things a CPU second does."""
    return n / max(cpu_seconds(job), 1e-9)


def _shanten(hands: Counts) -> np.ndarray[Any, np.dtype[np.int8]]:
    none, out = np.zeros(len(hands), np.uint8), np.empty(len(hands), np.int8)
    batch.needs(tables.load(), hands, none, none, ALL_FORMS, out)
    out -= 1
    return out


def measure(peer: Peer, rules: str, runs: int) -> Iterator[Figure]:
    """Measure a peer and ourselves in turns, job by job.

    Raises
    ------
    PeerError
        When the peer cannot be installed or fails.
    """
    hands = {"dealt": dealt(peer.n_hands, 13), "complete": complete(peer.n_hands, 0)}
    with running(peer, hands) as ask:
        mine = ours(rules, hands)

        def theirs(job: str) -> float:
            done = ask(job)
            return float(done["items"]) / max(float(done["seconds"]), 1e-9)

        if "shanten" in peer.jobs:
            differ = int((np.array(ask("answers")) != _shanten(hands["dealt"])).sum())
            what = f"shanten of {peer.n_hands:,} hands, answers that differ: {peer.name} {peer.version}"
            yield Figure(SECTION, what, "hands", (differ,))
        for job in peer.jobs:
            theirs(job), mine[job]()  # imports, compiles
            a, b = in_turns([mine[job], partial(theirs, job)], runs)
            what = JOBS[job].format(rules=rules)
            yield Figure(SECTION, f"{what}: {OURS}", "/s", a)
            yield Figure(SECTION, f"{what}: {peer.name} {peer.version} ({peer.made_of})", "/s", b)
