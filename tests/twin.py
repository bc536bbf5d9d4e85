"""Play the same hands with the kernel and with its slow twin and say where they first differ."""

from __future__ import annotations

import numpy as np

from sim.engine import Plan, Player
from sim.rules import Rules
from sim.schema import MOVES, ROW_COLUMNS, WIN_COLUMNS
from tests.oracle import play_table


def first_difference(rules: Rules, bots: tuple[str, ...], seed: int, table: int, n_hands: int, mode: str) -> str | None:
    """Compare moves, rows and winners of one table; None when all agree."""
    plan = Plan(rules, n_hands, bots, seed, mode, n_hands)
    player = Player(plan)
    slow = play_table(rules, seed, table, n_hands, bots, mode)
    for hand, expected in enumerate(slow):
        got = player.rows(table, 1, hand + 1, np.zeros((1024, 4), np.int64))
        where = f"{rules.slug} {bots} seed {seed} table {table} hand {hand}"
        moves = [tuple(m) for m in got.trace.tolist()]
        for i, (a, b) in enumerate(zip(moves, expected.trace, strict=False)):
            if a != b:
                return f"{where}: move {i}: kernel {MOVES[a[0]]} {a[1:]}, twin {MOVES[b[0]]} {b[1:]}"
        if len(moves) != len(expected.trace):
            return f"{where}: kernel {len(moves)} moves, twin {len(expected.trace)}"
        row = dict(zip((c.name for c in ROW_COLUMNS), got.rows[-1].tolist(), strict=True))
        wrong = [f"{k}: kernel {row[k]}, twin {v}" for k, v in expected.row.items() if row[k] != v]
        if wrong or set(row) != set(expected.row):
            return f"{where}: {wrong or set(row) ^ set(expected.row)}"
        wins = got.wins[-1, : got.n_wins[-1]].tolist()
        for win, twin in zip(wins, expected.wins, strict=True):
            named = dict(zip((c.name for c in WIN_COLUMNS), win, strict=True))
            if named != twin:
                return f"{where}: win: kernel {named}, twin {twin}"
    return None
