"""Compile what most tests play, before workers of pytest would each compile it: ``python -m tests.warm PART``."""

from __future__ import annotations

import subprocess
import sys

from analysis.duel.run import seatings
from sim.engine import Plan, Player
from sim.jit import is_cached
from sim.policy import bot_codes
from sim.policy.entries import state_for
from sim.rules import load
from sim.session import play_tables
from sim.trials import Trial, TrialPlayer


def play() -> None:
    """What plays hands, and what plays them for comparisons."""
    rules = load("maima")
    Player(Plan(rules, 1, ("ukeire",) * 4, 1)).play(0, 1)
    TrialPlayer(Trial((rules,), seatings("ukeire", "shanten"), 1), with_luck=True).play(0, 1)


def bots() -> None:
    """The bots that are called by address, and the trace log."""
    state_for(bot_codes(("value", "search", "ukeire+T02")), with_events=True)


PARTS = {"play": play, "bots": bots}


def compile_all() -> None:
    """Compile all parts side by side, unless that was done."""
    if is_cached(play_tables):
        return
    running = [subprocess.Popen([sys.executable, "-m", "tests.warm", part]) for part in PARTS]
    for process in running:
        process.wait()


if __name__ == "__main__":
    PARTS[sys.argv[1]]()
