"""How fast are the look-ups: shanten, wins, the best discard, the best reading of a win; rows of counts in and out."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from analysis.bench.figure import AT_LEAST, Aim, Figure, rates
from analysis.bench.hands import GHOST, complete, dealt
from analysis.labels import counting
from sim import batch, tables
from sim.flags import FORM_BITS, to_flags
from sim.rules import load
from sim.state import GAME, GHOST_MASK, new_state

SECTION = "kernels"
N_HANDS, N_DISCARDS, N_WINS = 500_000, 30_000, 20_000
ALL_FORMS = sum(FORM_BITS.values())
MOST_GHOSTS = 4
FAST = Aim(AT_LEAST, 40e6)
WALK = (
    "the walk over readings: with four ghosts some 180 partial ones a hand end in 70 whole ones, of which 2 differ in"
    " their patterns"
)


def measure(rules: list[str], runs: int) -> Iterator[Figure]:
    """Measure each; readings under the given rule sets."""
    t = tables.load()
    for size in (13, 14):
        hands = dealt(N_HANDS, size)
        none, out = np.zeros(N_HANDS, np.uint8), np.empty(N_HANDS, np.int8)
        for what, forms in (("standard form", FORM_BITS["standard"]), ("all forms", ALL_FORMS)):
            yield Figure(
                SECTION,
                f"shanten, {size} tiles, {what}",
                "hands/s",
                rates(partial(batch.needs, t, hands, none, none, forms, out), N_HANDS, runs),
                FAST,
            )
    wins = np.resize(complete(N_WINS, 0), (N_HANDS, 34))
    hands[::2] = wins[::2]  # half of them complete
    for n_ghosts in range(MOST_GHOSTS + 1):
        ghosts = np.full(N_HANDS, n_ghosts, np.uint8)
        yield Figure(
            SECTION,
            f"win check, {counting(n_ghosts, 'ghost')}",
            "hands/s",
            rates(partial(batch.wins, t, hands, none, ghosts, ALL_FORMS, out), N_HANDS, runs),
            FAST,
        )
    yield _best_discard(t, runs)
    for name in rules:
        for n_ghosts in range(MOST_GHOSTS + 1):
            yield _reading(name, n_ghosts, runs)


def _best_discard(t: np.ndarray[tuple[int], np.dtype[np.uint8]], runs: int) -> Figure:
    hands, none, seen = dealt(N_DISCARDS, 14), np.zeros(N_DISCARDS, np.uint8), np.zeros((N_DISCARDS, 34), np.uint8)
    s, r, out = new_state(), to_flags(load("zhuama")), np.empty((N_DISCARDS, 3), np.int64)
    values = rates(lambda: batch.best_discards(s, r, t, hands, none, none, seen, out), N_DISCARDS, runs)
    return Figure(SECTION, "best discard of 14 tiles, live acceptance", "hands/s", values)


def _reading(name: str, n_ghosts: int, runs: int) -> Figure:
    s, r, out = new_state(), to_flags(load(name)), np.empty(N_WINS, np.int64)
    s[GAME, GHOST_MASK] = (n_ghosts > 0) << GHOST
    hands, ghosts = complete(N_WINS, n_ghosts), np.full(N_WINS, n_ghosts, np.uint8)
    win = hands.argmax(axis=1)
    values = rates(lambda: batch.prices(s, r, hands, ghosts, win, out), N_WINS, runs)
    aim = Aim(AT_LEAST, 0.3e6 if n_ghosts else 2e6)
    return Figure(SECTION, f"best reading, {name}, {counting(n_ghosts, 'ghost')}", "hands/s", values, aim, WALK)
