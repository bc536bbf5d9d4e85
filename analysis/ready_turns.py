"""How soon a hand is ready (听牌)."""

from __future__ import annotations

import polars as pl

from analysis import estimate
from analysis.scan import N_SEATS

LAST_TURN = 20  # own discards; few hands last longer


def ready_turns_sums(hands: pl.LazyFrame) -> pl.LazyFrame:
    """Add up the sums of `ready_turns` (`estimate.sums`)."""
    seats = N_SEATS * pl.len().cast(pl.Int64)

    def ready(turn: int) -> pl.Expr:
        return pl.sum_horizontal((pl.col(f"ready_turn_{seat}") <= turn).sum() for seat in range(N_SEATS))

    return estimate.sums(hands, {str(turn): (ready(turn), seats) for turn in range(LAST_TURN + 1)})


def ready_turns_of(sums: pl.LazyFrame) -> pl.LazyFrame:
    """`ready_turns` from its sums."""
    return (
        estimate.rates(sums)
        .with_columns(pl.col("measure").cast(pl.Int64).alias("turn"))
        .select("turn", pl.exclude("turn", "measure"))
        .sort("turn")
    )


def ready_turns(hands: pl.LazyFrame) -> pl.LazyFrame:
    """Share of seats that have been ready with at most so many own discards.

    Every seat of every hand counts; one whose hand ended before it was ready never was.

    Returns
    -------
    ``turn`` (0 to `LAST_TURN`), ``n`` (seats' hands), ``count, n_clusters, rate, low, high``.
    """
    return ready_turns_of(ready_turns_sums(hands))
