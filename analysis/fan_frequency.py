"""Which patterns (番型) win, how often, and how much of the points they bring."""

from __future__ import annotations

import polars as pl

from analysis import estimate, intervals
from sim import patterns
from sim.rules import Rules
from sim.schema import DIANPAO, QIANGGANG

PATTERN_ORDER = tuple(pattern.slug for pattern in patterns.PATTERNS)


def paid_points(rules: Rules) -> pl.Expr:
    """Points that all payers of a win pay together, without horses, Int64."""
    shares = (
        pl.when(pl.col("source") == DIANPAO)
        .then(1)
        .when(pl.col("source") == QIANGGANG)
        .then(rules.win.rob_shares)
        .otherwise(3)
    )
    return pl.col("points").cast(pl.Int64) * shares


def priced(rules: Rules) -> list[str]:
    """Patterns that the rule set gives a role, in the order of `sim.patterns.PATTERNS`."""
    return [slug for slug in PATTERN_ORDER if slug in rules.patterns and rules.patterns[slug].role != "none"]


def _counted(wins: pl.LazyFrame, rules: Rules) -> pl.LazyFrame:
    """Wins and points of each pattern beside those of all wins, by cluster."""
    paid, turn = paid_points(rules), pl.col("win_turn").cast(pl.Int64)
    has = {slug: (pl.col("patterns") & (1 << patterns.INDEX[slug])) != 0 for slug in priced(rules)}
    return (
        wins.group_by(estimate.cluster())
        .agg(
            pl.len().cast(pl.Float64).alias("n_wins"),
            paid.sum().cast(pl.Float64).alias("all_points"),
            *(
                pl.struct(
                    count=event.sum().cast(pl.Float64),
                    points=paid.filter(event).sum().cast(pl.Float64),
                    turns=turn.filter(event).sum().cast(pl.Float64),
                ).alias(slug)
                for slug, event in has.items()
            ),
        )
        .unpivot(index=["cluster", "n_wins", "all_points"], variable_name="pattern", value_name="sums")
        .unnest("sums")
    )


def _all_clusters(hands: pl.LazyFrame, wins: pl.LazyFrame, rules: Rules) -> pl.LazyFrame:
    """Put the hands of each cluster beside `_counted`, clusters without a win included."""
    return (
        hands.group_by(estimate.cluster())
        .agg(n_hands=pl.len().cast(pl.Float64))
        .join(pl.LazyFrame({"pattern": priced(rules)}), how="cross")
        .join(_counted(wins, rules), on=["cluster", "pattern"], how="left")
        .with_columns(pl.col("n_wins", "all_points", "count", "points", "turns").fill_null(0.0))
    )


def fan_frequency(hands: pl.LazyFrame, wins: pl.LazyFrame, rules: Rules) -> pl.LazyFrame:
    """Frequency and worth of each pattern that the rule set prices, whether it was seen or not.

    A win counts for each of its patterns, so shares may add up to more than 1. Points are those that all payers of
    a win pay together, without horses and kongs. Up to ten wins the intervals of counts are exact, and that of the
    share of points is the exact one of the count, the points of those wins taken as given.

    Returns
    -------
    ``pattern, n_hands, n_wins, count``, then value, low and high of ``per_1000_hands, win_share, points_share,
    mean_points, mean_turn``; the commonest first, equal ones in the order of `sim.patterns.PATTERNS`.
    """
    counted = _all_clusters(hands, wins, rules)
    y, x = pl.col, pl.col
    per_hand = estimate.frequencies(counted.select("pattern", y=y("count"), x=x("n_hands")), ["pattern"])
    win_share = estimate.rates(counted.select("pattern", y=y("count"), x=x("n_wins")), ["pattern"])
    points_share = estimate.means(counted.select("pattern", y=y("points"), x=x("all_points")), ["pattern"])
    mean_points = estimate.means(counted.select("pattern", y=y("points"), x=x("count")), ["pattern"])
    mean_turn = estimate.means(counted.select("pattern", y=y("turns"), x=x("count")), ["pattern"])
    return (
        per_hand.select(
            "pattern",
            "count",
            n_hands="n",
            per_1000_hands=1000 * pl.col("frequency"),
            per_1000_hands_low=1000 * pl.col("low"),
            per_1000_hands_high=1000 * pl.col("high"),
        )
        .join(estimate.named(win_share, ["pattern"], "rate", "win_share", n="n_wins"), on="pattern", how="left")
        .join(estimate.named(points_share, ["pattern"], "mean", "points_share"), on="pattern", how="left")
        .join(estimate.named(mean_points, ["pattern"], "mean", "mean_points"), on="pattern", how="left")
        .join(estimate.named(mean_turn, ["pattern"], "mean", "mean_turn"), on="pattern", how="left")
        .with_columns(_share_limits())
        .with_columns(pl.col("mean_points_low", "mean_turn_low").clip(0))
        .sort(
            pl.col("count"),
            -pl.col("pattern").cast(pl.Enum(PATTERN_ORDER)).to_physical().cast(pl.Int64),
            descending=True,
        )
        .select("pattern", "n_hands", "n_wins", pl.exclude("pattern", "n_hands", "n_wins"))
    )


def _share_limits() -> list[pl.Expr]:
    """Interval of the share of points: the exact one of the count, scaled, where ten wins or fewer were seen."""
    count = pl.col("count")
    return [
        pl.when(count > estimate.EXACT_COUNT)
        .then(f"points_share_{side}")
        .when(count > 0)
        .then((pl.col("points_share") * limit / count).clip(upper_bound=1))
        .alias(f"points_share_{side}")
        for side, limit in zip(("low", "high"), intervals.garwood(count, pl.lit(1.0)), strict=True)
    ]
