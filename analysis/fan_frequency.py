"""Which patterns (番型) win, how often, and how much of the points they bring."""

from __future__ import annotations

import polars as pl

from analysis import estimate
from analysis.scan import N_SEATS, at_seat
from sim import codec, patterns
from sim.rules import Rules
from sim.schema import DIANPAO, QIANGGANG

_MEAN_LIMITS = pl.col("^(points_share|mean_points|mean_turn)_(low|high)$")
PATTERN_ORDER = tuple(pattern.slug for pattern in patterns.PATTERNS)


def with_paid(hands: pl.LazyFrame, wins: pl.LazyFrame, rules: Rules) -> pl.LazyFrame:
    """Add ``paid`` to wins: points that all payers of a win pay together, without horses, Int64.

    Where payers may owe unequally it is what the winner got, since no winner pays for another one's win.
    """
    if not codec.owes_unequally(rules):
        return wins.with_columns(paid=_paid_shares(rules))
    got = hands.select("table", "hand", *(f"hand_{seat}" for seat in range(N_SEATS)))
    return wins.join(got, on=["table", "hand"]).with_columns(paid=at_seat("hand", pl.col("winner")).cast(pl.Int64))


def _paid_shares(rules: Rules) -> pl.Expr:
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


def _counted(hands: pl.LazyFrame, wins: pl.LazyFrame, rules: Rules) -> pl.LazyFrame:
    """Wins and points of each pattern beside those of all wins, by cluster."""
    names = ("n_wins", "all_points", "count", "points", "turns")
    if not priced(rules):
        return pl.LazyFrame(schema={"cluster": pl.UInt32, "pattern": pl.String} | dict.fromkeys(names, pl.Float64))
    paid, turn = pl.col("paid"), pl.col("win_turn").cast(pl.Int64)
    has = {slug: (pl.col("patterns") & (1 << patterns.INDEX[slug])) != 0 for slug in priced(rules)}
    return (
        with_paid(hands, wins, rules)
        .group_by(estimate.cluster())
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


def fan_frequency_sums(hands: pl.LazyFrame, wins: pl.LazyFrame, rules: Rules) -> pl.LazyFrame:
    """Add up the sums of `fan_frequency`: hands and all wins beside those of each pattern, with clusters without a win.

    Returns
    -------
    ``cluster, pattern, n_hands, n_wins, all_points, count, points, turns``.
    """
    return (
        hands.group_by(estimate.cluster())
        .agg(n_hands=pl.len().cast(pl.Float64))
        .join(pl.LazyFrame({"pattern": priced(rules)}, {"pattern": pl.String}), how="cross")
        .join(_counted(hands, wins, rules), on=["cluster", "pattern"], how="left")
        .with_columns(pl.col("n_wins", "all_points", "count", "points", "turns").fill_null(0.0))
    )


def fan_frequency_of(counted: pl.LazyFrame) -> pl.LazyFrame:
    """`fan_frequency` from its sums."""
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
        .with_columns(pl.when(pl.col("count") > estimate.EXACT_COUNT).then(_MEAN_LIMITS))
        .with_columns(pl.col("mean_points_low", "mean_turn_low").clip(0))
        .sort(
            pl.col("count"),
            -pl.col("pattern").cast(pl.Enum(PATTERN_ORDER)).to_physical().cast(pl.Int64),
            descending=True,
        )
        .select("pattern", "n_hands", "n_wins", pl.exclude("pattern", "n_hands", "n_wins"))
    )


def fan_frequency(hands: pl.LazyFrame, wins: pl.LazyFrame, rules: Rules) -> pl.LazyFrame:
    """Frequency and worth of each pattern that the rule set prices, whether it was seen or not.

    A win counts for each of its patterns, so shares may add up to more than 1. Points are those that all payers of
    a win pay together, without horses and kongs. Patterns are those that counted for the price, not all that the hand
    had. Up to ten wins with a pattern, the frequency and the share of wins have exact intervals, the others none.

    Returns
    -------
    ``pattern, n_hands, n_wins, count``, then value, low and high of ``per_1000_hands, win_share, points_share,
    mean_points, mean_turn``; the commonest first, equal ones in the order of `sim.patterns.PATTERNS`.
    """
    return fan_frequency_of(fan_frequency_sums(hands, wins, rules))
