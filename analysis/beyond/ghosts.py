"""What is a ghost worth: points and wins by how many ghosts a seat holds at its first discard."""

from __future__ import annotations

import polars as pl

from analysis.events import mover, n_ghosts
from analysis.scan import at_seat, has_won
from sim.schema import DISCARD

MOST = 3


def at_first_discard(events: pl.LazyFrame, hands: pl.LazyFrame) -> pl.LazyFrame:
    """Return one row for each seat that discarded: ``ghosts`` (3 stands for more), ``points`` and ``hit`` (won)."""
    first = events.filter((pl.col("move") == DISCARD) & (pl.col("turn") == 0)).select(
        "table", "hand", "seat", ghosts=n_ghosts(mover()).clip(0, MOST)
    )
    won = pl.any_horizontal((pl.col("seat") == s) & has_won(s) for s in range(4))
    ended = hands.select("table", "hand", "winners", *(f"points_{s}" for s in range(4)))
    joined = first.join(ended, on=["table", "hand"])
    return joined.select("table", "ghosts", points=at_seat("points", pl.col("seat")), hit=won)
