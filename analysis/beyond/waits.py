"""What is a wait worth: the chance to win of a hand that has just become ready, by kinds and live copies."""

from __future__ import annotations

import polars as pl

from analysis.events import at, mover, n_waits
from sim.schema import DISCARD

MOST_KINDS, MOST_COPIES = 3, 10


def first_ready(events: pl.LazyFrame, wins: pl.LazyFrame) -> pl.LazyFrame:
    """Return one row for each seat that was ever ready after a discard: ``kinds``, ``copies`` (live) and ``hit``.

    ``kinds`` 3 stands for three and more, ``copies`` 10 for ten and more.
    """
    ready = (
        events.filter(pl.col("move") == DISCARD)
        .with_columns(waits=at("waits", mover()), copies=at("accept", mover()), kinds=n_waits(mover()))
        .filter(pl.col("waits") != 0)
        .group_by("table", "hand", "seat")
        .agg(pl.col("kinds", "copies").sort_by("step").first())
    )
    won = wins.select("table", "hand", seat="winner", hit=pl.lit(True))
    joined = ready.join(won, on=["table", "hand", "seat"], how="left")
    return joined.select(
        "table",
        kinds=pl.col("kinds").clip(1, MOST_KINDS),
        copies=pl.col("copies").clip(0, MOST_COPIES),
        hit=pl.col("hit").fill_null(False),
    )
