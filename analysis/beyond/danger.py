"""How dangerous is a discard: how often it completes another hand, by turn, tile and what lies beside it.

A hand is completed when the kind is among its waits, whatever the rule set lets a discard win, so that rule sets
where discards never lose can be compared.
"""

from __future__ import annotations

import polars as pl

from analysis.events import after, completes, held, is_ghost, mover, visible
from sim.schema import DISCARD
from sim.tiles import FIRST_HONOUR

CLASSES = ("honour", "edge", "near", "middle")  # honours; 1 9; 2 3 7 8; 4 5 6
MOST_TURNS = 14
LATE = 9


def tile_class(kind: pl.Expr) -> pl.Expr:
    """Place of a kind's class in CLASSES."""
    rank = kind % 9
    edge = pl.min_horizontal(rank, 8 - rank)
    return pl.when(kind >= FIRST_HONOUR).then(0).when(edge == 0).then(1).when(edge < 3).then(2).otherwise(3)


def discards(events: pl.LazyFrame) -> pl.LazyFrame:
    """Return every discard of a natural tile with ``turn`` (from 1), ``tile`` (class) and ``hit``."""
    kind = pl.col("kind")
    completed = pl.any_horizontal(completes(after(offset), kind) for offset in (1, 2, 3))
    shown = events.filter((pl.col("move") == DISCARD) & ~is_ghost(kind))
    return shown.with_columns(turn=pl.col("turn") + 1, tile=tile_class(kind), hit=completed)


def by_turn(events: pl.LazyFrame) -> pl.LazyFrame:
    """Return the discards of the first MOST_TURNS turns."""
    return discards(events).filter(pl.col("turn") <= MOST_TURNS).select("table", "tile", "turn", "hit")


def late(events: pl.LazyFrame) -> pl.LazyFrame:
    """Return the discards from turn LATE on."""
    return discards(events).filter(pl.col("turn") >= LATE).select("table", "tile", "hit")


def by_neighbour(events: pl.LazyFrame) -> pl.LazyFrame:
    """Return suit discards from turn LATE on with ``seen``: copies of the more seen neighbour, 2 to 4.

    2 stands for two and fewer. A neighbour is the kind one rank below or above; the discarder sees its own tiles too.
    """
    kind = pl.col("kind")
    shown = discards(events).filter((pl.col("turn") >= LATE) & (kind < FIRST_HONOUR))
    sides = []
    for step, exists in ((-1, kind % 9 > 0), (1, kind % 9 < 8)):
        beside = pl.when(exists).then(kind.cast(pl.Int16) + step).otherwise(0)
        copies = visible(beside).cast(pl.Int16) + held(mover(), beside).cast(pl.Int16)
        sides.append(pl.when(exists).then(copies).otherwise(0))
    return shown.select("table", "tile", "hit", seen=pl.max_horizontal(sides).clip(2, 4))
