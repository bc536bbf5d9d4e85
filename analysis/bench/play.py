"""How many hands a second do bots play, on one thread and on two."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from analysis.bench.figure import AT_LEAST, Aim, Figure, in_turns, rates
from sim.engine import Plan, Player
from sim.rules import load

SECTION = "play"
TABLE_HANDS = 64
BOTS = {"random": 256, "shanten": 64, "ukeire": 64}  # tables of one run
AIMS = {"random": 60e3, "shanten": 40e3, "ukeire": 25e3}
AIM_RULES = "zhuama"
BOUND = "what bots look up and the rules that they play by; see CHANGELOG, Speed"
TWO_THREADS = Aim(AT_LEAST, 1.9)


def player(name: str, bot: str, tables: int) -> Player:
    """Return who plays tables of one rule set with four equal bots."""
    return Player(Plan(load(name), tables * TABLE_HANDS, (bot,) * 4, 1, "session", TABLE_HANDS))


def measure(rules: list[str], runs: int) -> Iterator[Figure]:
    """Hands a CPU second with full rules, before they are stored, and what a second thread brings."""
    for bot, tables in BOTS.items():
        for name in rules:
            playing = player(name, bot, tables)
            values = rates(partial(playing.rows, 0, tables, TABLE_HANDS), tables * TABLE_HANDS, runs)
            aim = Aim(AT_LEAST, AIMS[bot]) if name == AIM_RULES or bot != "ukeire" else None
            yield Figure(SECTION, f"four `{bot}`, {name}", "hands/s", values, aim, BOUND)
    yield from _two_threads(rules[0], runs)


def _two_threads(name: str, runs: int) -> Iterator[Figure]:
    tables = BOTS["ukeire"]
    playing = player(name, "ukeire", 2 * tables)

    def seconds(threads: int) -> float:
        start = time.perf_counter()
        with ThreadPoolExecutor(threads) as workers:
            list(workers.map(lambda first: playing.rows(first, tables, TABLE_HANDS), (0, tables)))
        return time.perf_counter() - start

    def cpu(threads: int) -> float:
        start = time.process_time()
        seconds(threads)
        return time.process_time() - start

    one, two, cpu_one, cpu_two = in_turns(
        [lambda: seconds(1), lambda: seconds(2), lambda: cpu(1), lambda: cpu(2)], runs
    )
    gains = tuple(a / b for a, b in zip(one, two, strict=True))
    bound = (
        "other programs, also those of the host, which no load shows: it is by the clock; by CPU time see the next row"
    )
    yield Figure(SECTION, f"two threads against one, {name}, by the clock", "times", gains, TWO_THREADS, bound)
    same = tuple(2 * a / b for a, b in zip(cpu_one, cpu_two, strict=True))
    yield Figure(
        SECTION, f"two threads against one, {name}, by CPU time (2 less what they take from each other)", "times", same
    )
