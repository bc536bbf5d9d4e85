"""Hands that the kernel played, each with its named row, its winners and its moves."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from sim.engine import Plan, Player, Rows
from sim.rules import Rules
from sim.schema import ROW_COLUMNS, WIN_COLUMNS

MAX_MOVES = 1024
Move = tuple[int, int, int, int]
_ROW_NAMES = [column.name for column in ROW_COLUMNS]
_WIN_NAMES = [column.name for column in WIN_COLUMNS]


class Hand(NamedTuple):
    """One hand: its row by name, its winners in the order in which they are paid, its moves."""

    row: dict[str, int]
    wins: list[dict[str, int]]
    moves: list[Move]


class Table(NamedTuple):
    """The hands of one table, and the same as kernel rows."""

    hands: list[Hand]
    rows: Rows


def named(rows: Rows, i: int, moves: list[Move]) -> Hand:
    """Hand ``i`` of some kernel rows."""
    wins = rows.wins[i, : rows.n_wins[i]].tolist()
    return Hand(
        dict(zip(_ROW_NAMES, rows.rows[i].tolist(), strict=True)),
        [dict(zip(_WIN_NAMES, win, strict=True)) for win in wins],
        moves,
    )


def tables(
    rules: Rules, bots: tuple[str, ...], seed: int, n_tables: int, n_hands: int, mode: str = "session"
) -> Iterator[Table]:
    """Tables of ``n_hands`` hands with all their moves; the kernel gives those of a table's last hand only."""
    player = Player(Plan(rules, n_tables * n_hands, bots, seed, mode, n_hands))
    for table in range(n_tables):
        moves, rows = [], None
        for hand in range(n_hands):
            rows = player.rows(table, 1, hand + 1, np.zeros((MAX_MOVES, 4), np.int64))
            moves.append([(a, b, c, d) for a, b, c, d in rows.trace.tolist()])
        assert rows is not None
        yield Table([named(rows, i, moves[i]) for i in range(n_hands)], rows)
