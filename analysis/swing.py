"""How much a win is worth, and how much a seat's points swing from hand to hand."""

from __future__ import annotations

import polars as pl

from analysis import estimate
from analysis.fan_frequency import paid_points
from analysis.scan import N_SEATS
from sim.rules import Rules


def win_points(wins: pl.LazyFrame, rules: Rules) -> pl.LazyFrame:
    """Mean points that all payers pay together for a win, without horses and kongs.

    Returns
    -------
    ``measure`` (win_points), ``n`` (wins), ``n_clusters, mean, low, high``.
    """
    return estimate.means(estimate.sums(wins, {"win_points": (paid_points(rules).sum(), pl.len())}))


def points_sd(hands: pl.LazyFrame) -> pl.LazyFrame:
    """Return the standard deviation of a seat's net points in a hand.

    Points of a hand add up to nothing, so over all seats the mean is zero and the variance is the mean square.

    Returns
    -------
    ``measure`` (points_sd), ``n`` (seats' hands), ``n_clusters, mean, low, high``.
    """
    squares = pl.sum_horizontal(pl.col(f"points_{seat}").cast(pl.Float64).pow(2) for seat in range(N_SEATS))
    return estimate.means(
        estimate.sums(hands, {"points_sd": (squares.sum(), N_SEATS * pl.len().cast(pl.Int64))})
    ).with_columns(pl.col("mean", "low", "high").clip(0).sqrt())
