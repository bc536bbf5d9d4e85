"""What horses brought under the rule set's own horse rules, as logged, whatever those are."""

from __future__ import annotations

import polars as pl

from analysis import estimate
from analysis.scan import N_SEATS, has_won
from sim.rules import Rules

MEASURES = ("n_horses", "hits", "horse")


def own_horses_sums(hands: pl.LazyFrame, rules: Rules) -> pl.LazyFrame:
    """Add up the sums of `own_horses` (`estimate.sums`)."""
    n_winners = pl.col("winners").bitwise_count_ones().cast(pl.Int64)
    points = pl.sum_horizontal(
        pl.when(has_won(seat)).then(pl.col(f"horse_{seat}").cast(pl.Int64)).otherwise(0) for seat in range(N_SEATS)
    )
    measures = {
        "n_horses": (pl.col("n_horses").cast(pl.Int64).sum(), pl.len()),
        "hits": (pl.col("n_horse_hits").cast(pl.Int64).sum(), n_winners.sum()),
        "horse": (points.sum(), n_winners.sum()),
    }
    if rules.horses.kind != "drawn":
        del measures["hits"]
    won = hands.filter((pl.col("winners") != 0) & (rules.horses.kind != "none"))
    return estimate.sums(won, measures)


def own_horses_of(sums: pl.LazyFrame) -> pl.LazyFrame:
    """`own_horses` from its sums."""
    return estimate.means(sums).pipe(estimate.without_few).sort(pl.col("measure").cast(pl.Enum(MEASURES)))


def own_horses(hands: pl.LazyFrame, rules: Rules) -> pl.LazyFrame:
    """Horses opened in a won hand, a winner's hits, and a winner's points from horses.

    Returns
    -------
    ``measure`` (`MEASURES`; no ``hits`` for held horses), ``n`` (won hands; wins for the others), ``n_clusters, mean,
    low, high``; no row for a rule set without horses.
    """
    return own_horses_of(own_horses_sums(hands, rules))
