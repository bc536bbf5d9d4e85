"""How soon are hands ready: the shanten of seats still playing, by their own turn."""

from __future__ import annotations

import polars as pl

from analysis.events import at, mover
from sim.schema import DISCARD

MOST_TURNS = 16


def by_turn(events: pl.LazyFrame) -> pl.LazyFrame:
    """Return every discard with ``turn`` (from 1) and ``hit``: whether the hand is ready after it."""
    shown = events.filter((pl.col("move") == DISCARD) & (pl.col("turn") < MOST_TURNS))
    return shown.select("table", turn=pl.col("turn") + 1, hit=at("waits", mover()) != 0)
