"""How sure a mean, a rate or a frequency is when hands of one table belong together.

The unit of analysis is the table (session mode) or the deal block (duplicate mode). `sums` adds up a numerator
``y`` and a denominator ``x`` for each measure and cluster; `means`, `rates` and `frequencies` turn them into one
row for each measure, with the interval last.

Standard error of the ratio R = sum y / sum x: linearised residuals e = y - R x of each cluster, and
se^2 = G / (G - 1) sum e^2 / (sum x)^2 (Cochran 1977, Sampling Techniques, sections 6.3 and 9A; Binder 1983, Int.
Stat. Rev. 51:279).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import polars as pl
from scipy import special

from analysis import intervals
from analysis.intervals import LEVEL, Floats

# Tables are independent, so any fixed grouping of them is a set of independent clusters (random groups: Wolter 2007,
# Introduction to Variance Estimation, ch. 2). 1,024 groups know the standard error to 2.2 % and keep sums small.
N_CLUSTERS = 1024
# Groups that a jackknife leaves out in turn; 63 degrees of freedom widen an interval by 2 %.
N_GROUPS = 64
# Tables whose pools are all logged, and the step from one to the next among the later ones (`sim.codec`).
_ALL_POOLS, _POOL_STEP = 1024, 16
# Up to this count (or this count of non-events) the exact interval is used.
EXACT_COUNT = 10
# With fewer clusters a design effect below 1 is taken for luck.
FEW_CLUSTERS = 30

Measures = Mapping[str, tuple[pl.Expr, pl.Expr]]


def cluster(number: pl.Expr | None = None, n_clusters: int = N_CLUSTERS) -> pl.Expr:
    """Cluster of a row, from the running ``number`` of its table: the ``table`` itself unless given."""
    return ((pl.col("table") if number is None else number) % n_clusters).alias("cluster")


def pool_number() -> pl.Expr:
    """Count a row's ``table`` among those whose pools are logged (`sim.codec.in_pool_sample`), from 0.

    Later tables in the sample are all multiples of 16: by ``table`` alone they would fall into a few clusters.
    """
    table = pl.col("table")
    return pl.when(table < _ALL_POOLS).then(table).otherwise(_ALL_POOLS + (table - _ALL_POOLS) // _POOL_STEP)


def sums(frame: pl.LazyFrame, measures: Measures, by: Sequence[str] = ()) -> pl.LazyFrame:
    """Add up numerators and denominators in each cluster.

    Parameters
    ----------
    frame
        Rows with a ``table``.
    measures
        Name -> (numerator, denominator), both aggregations such as ``pl.col("won").sum()`` and ``pl.len()``.
        Small integers must be cast before their sum: Polars lets them wrap.
    by
        Columns that split the rows into groups.

    Returns
    -------
    One row for each group, cluster and measure: ``*by, cluster, measure, y, x`` (float64).
    """
    return (
        frame.group_by(*by, cluster())
        .agg(
            pl.struct(y=y.cast(pl.Float64), x=x.cast(pl.Float64)).alias(f"measure:{name}")
            for name, (y, x) in measures.items()
        )
        .unpivot(index=[*by, "cluster"], variable_name="measure", value_name="pair")
        .with_columns(pl.col("measure").str.strip_prefix("measure:"))
        .unnest("pair")
    )


def _ratio(y: pl.Expr, x: pl.Expr) -> pl.Expr:
    return pl.when(x.sum() != 0).then(y.sum() / x.sum())


def ratio_error(y: pl.Expr, x: pl.Expr) -> pl.Expr:
    """Linearised standard error of sum y / sum x over clusters; null for a single cluster."""
    residual = y - _ratio(y, x) * x
    spread = (residual.pow(2).sum() * pl.len() / (pl.len() - 1)).sqrt()
    return pl.when(pl.len() > 1).then(spread / x.sum().abs())


def error_degrees(y: pl.Expr, x: pl.Expr) -> pl.Expr:
    """Degrees of freedom of `ratio_error`, by the kurtosis of the residuals: 2 G / (kurtosis - 1), at most G - 1.

    Those of the chi-square with the mean and variance of the squared error (Satterthwaite 1946, Biometrics Bull.
    2:110): G - 1 for normal residuals, twice their number where few clusters differ from the others.
    """
    residual = y - _ratio(y, x) * x
    kurtosis = residual.pow(4).mean() / residual.pow(2).mean().pow(2)
    # A kurtosis is at least 1 but for rounding.
    return pl.min_horizontal(2 * pl.len() / (kurtosis.clip(1) - 1), pl.len().cast(pl.Float64) - 1)


def variance_error(y: pl.Expr, y2: pl.Expr, x: pl.Expr) -> pl.Expr:
    """Linearised standard error of the variance sum y2 / sum x - (sum y / sum x)^2 over clusters."""
    mean, square = _ratio(y, x), _ratio(y2, x)
    influence = (y2 - square * x) - 2 * mean * (y - mean * x)
    spread = (influence.pow(2).sum() * pl.len() / (pl.len() - 1)).sqrt()
    return pl.when(pl.len() > 1).then(spread / x.sum().abs())


def t_limits(value: pl.Expr, se: pl.Expr, n_clusters: pl.Expr, level: float = LEVEL) -> intervals.Limits:
    """Interval of an estimate from its standard error, Student's t with n_clusters - 1 degrees of freedom.

    Null where the standard error is zero: clusters that do not differ (nobody has won yet) tell nothing of it.
    """
    half = intervals.t_value(n_clusters.cast(pl.Int64) - 1, level) * pl.when(se > 0).then(se)
    return value - half, value + half


def _totals(cluster_sums: pl.LazyFrame, by: Sequence[str]) -> pl.LazyFrame:
    y, x = pl.col("y"), pl.col("x")
    return (
        cluster_sums.filter((x != 0) | (y != 0))
        .group_by(*by)
        .agg(
            n=x.sum().round().cast(pl.Int64),
            count=y.sum().round().cast(pl.Int64),
            n_clusters=pl.len().cast(pl.Int64),
            value=_ratio(y, x),
            se=ratio_error(y, x),
            degrees=error_degrees(y, x),
        )
    )


def means(cluster_sums: pl.LazyFrame, by: Sequence[str] = ("measure",), level: float = LEVEL) -> pl.LazyFrame:
    """Ratio of sums for each group with a cluster-robust interval.

    Returns
    -------
    ``*by, n`` (sum of x), ``n_clusters, mean, low, high``; the interval is null when there is only one cluster.
    """
    low, high = t_limits(pl.col("value"), pl.col("se"), pl.col("n_clusters"), level)
    return _totals(cluster_sums, by).select(*by, "n", "n_clusters", mean="value", low=low, high=high)


def without_few(estimates: pl.LazyFrame) -> pl.LazyFrame:
    """Drop the interval of means over ``n`` events where there are too few for Student's t, ten or fewer."""
    return estimates.with_columns(pl.when(pl.col("n") > EXACT_COUNT).then(pl.col("low", "high")))


def skewed_means(cluster_sums: pl.LazyFrame, level: float = LEVEL) -> pl.LazyFrame:
    """`means` of values with a long tail: t-interval corrected for the skewness of the clusters' residuals.

    The cubic transformation of Hall (1992, J. R. Stat. Soc. B 54:221), which is monotone.
    """
    y, x = pl.col("y"), pl.col("x")
    residual = y - _ratio(y, x) * x
    skewness = (
        cluster_sums.filter((x != 0) | (y != 0))
        .group_by("measure")
        .agg(skew=residual.pow(3).mean() / residual.pow(2).mean().pow(1.5), se=ratio_error(y, x))
    )
    g, n = pl.col("skew"), pl.col("n_clusters")

    def moved(t: pl.Expr) -> pl.Expr:
        z = t / n.sqrt() - g / (6 * n)
        return pl.when(g.abs() > 1e-6).then(3 / g * ((1 + g * z).cbrt() - 1)).otherwise(z) * n.sqrt()

    t = intervals.t_value(n - 1, level)
    se = pl.when(pl.col("se") > 0).then("se")
    limits = {"low": pl.col("mean") - se * moved(t), "high": pl.col("mean") - se * moved(-t)}
    return means(cluster_sums).join(skewness, on="measure").with_columns(**limits).drop("skew", "se")


def _effective_n(plain_variance: pl.Expr, level: float, degrees: pl.Expr) -> pl.Expr:
    """Return the number of independent trials that would give this standard error.

    n / deff with deff = se^2 / (plain_variance / n), times (z / t)^2 for the ``degrees`` of freedom (Korn and
    Graubard 1998, Survey Methodology 24:193). Plain n where the standard error is unknown or zero.
    """
    n, se, n_clusters = pl.col("n"), pl.col("se"), pl.col("n_clusters")
    shrink = (intervals.z_value(level) / intervals.t_value(degrees, level)).pow(2)
    effective = plain_variance / se.pow(2) * shrink
    return (
        pl.when(se.is_null() | (se == 0) | (plain_variance <= 0))
        .then(n)
        .when(n_clusters < FEW_CLUSTERS)
        .then(pl.min_horizontal(effective, n))
        .otherwise(effective)
    )


def _choose(is_exact: pl.Expr, exact: intervals.Limits, score: intervals.Limits) -> dict[str, pl.Expr]:
    return {side: pl.when(is_exact).then(exact[i]).otherwise(score[i]) for i, side in enumerate(("low", "high"))}


def rates(cluster_sums: pl.LazyFrame, by: Sequence[str] = ("measure",), level: float = LEVEL) -> pl.LazyFrame:
    """Proportion for each group: y counts events, x trials, y <= x.

    Clopper-Pearson when at most ten events (or non-events) were seen, otherwise Wilson on the number of trials
    adjusted by the design effect (Dean and Pagano 2015, J. Surv. Stat. Methodol. 3:484); never Wald.

    Returns
    -------
    ``*by, n`` (trials), ``count, n_clusters, rate, low, high``.
    """
    n, count, rate = pl.col("n"), pl.col("count"), pl.col("value")
    return (
        _totals(cluster_sums, by)
        .with_columns(effective_n=_effective_n(rate * (1 - rate), level, pl.col("n_clusters") - 1))
        .select(
            *by,
            "n",
            "count",
            "n_clusters",
            rate="value",
            **_choose(
                (count <= EXACT_COUNT) | (n - count <= EXACT_COUNT),
                intervals.clopper_pearson(count, n, level),
                intervals.wilson(rate, pl.col("effective_n"), level),
            ),
        )
    )


def frequencies(cluster_sums: pl.LazyFrame, by: Sequence[str] = ("measure",), level: float = LEVEL) -> pl.LazyFrame:
    """Events for each unit of exposure, where one unit may hold several: y counts events, x units.

    Garwood's exact interval up to ten events, otherwise the Poisson score interval on the exposure adjusted by
    the design effect, with the degrees of freedom of its standard error (`error_degrees`): where nearly every unit
    holds one event, the few that hold none or two are all that it knows. With three of them it covers 98 %, not 95.

    Returns
    -------
    ``*by, n`` (units), ``count, n_clusters, frequency, low, high``.
    """
    count, rate = pl.col("count"), pl.col("value")
    return (
        _totals(cluster_sums, by)
        .with_columns(effective_n=_effective_n(rate, level, pl.col("degrees")))
        .select(
            *by,
            "n",
            "count",
            "n_clusters",
            frequency="value",
            **_choose(
                count <= EXACT_COUNT,
                intervals.garwood(count, pl.col("n"), level),
                intervals.poisson_score(rate * pl.col("effective_n"), pl.col("effective_n"), level),
            ),
        )
    )


def distribution_sums(frame: pl.LazyFrame, key: str, number: pl.Expr | None = None) -> pl.LazyFrame:
    """Count the rows with each value of ``key``; ``number`` as in `cluster`.

    Returns
    -------
    ``cluster, key, y``; only what occurs.
    """
    return frame.group_by(cluster(number), key).agg(y=pl.len().cast(pl.Float64))


def dense(counts: pl.LazyFrame, key: str) -> pl.LazyFrame:
    """Add what does not occur, and ``x``, the sum of ``y`` over all values of ``key``, to `distribution_sums`."""
    rows = counts.group_by("cluster").agg(x=pl.col("y").sum())
    return (
        counts.select(pl.col(key).unique())
        .join(rows, how="cross")
        .join(counts, on=["cluster", key], how="left")
        .with_columns(pl.col("y").fill_null(0.0))
    )


def distribution_of(counts: pl.LazyFrame, key: str, level: float = LEVEL) -> pl.LazyFrame:
    """Share of rows with each value of ``key``, from `distribution_sums`.

    Returns
    -------
    ``key, n`` (rows), ``count, n_clusters, rate, low, high``; one row for each value that occurs.
    """
    return rates(dense(counts, key), [key], level).sort(key)


def distribution(frame: pl.LazyFrame, key: str, level: float = LEVEL, number: pl.Expr | None = None) -> pl.LazyFrame:
    """`distribution_of` the rows of a frame; ``number`` as in `cluster`."""
    return distribution_of(distribution_sums(frame, key, number), key, level)


def jackknife(
    groups: Sequence[Floats], statistic: Callable[..., Floats], level: float = LEVEL
) -> tuple[Floats, Floats, Floats]:
    """Value, low and high of a statistic of totals: delete-a-group jackknife (Kott 2001, J. Off. Stat. 17:521).

    Parameters
    ----------
    groups
        Arrays with one row for each group of tables; ``statistic`` takes their sums over the groups.

    Returns
    -------
    Three arrays; limits are NaN where there is one group only or leaving one out changes nothing.
    """
    n_groups = len(groups[0])
    totals = [part.sum(axis=0) for part in groups]
    value = statistic(*totals)
    half = np.full_like(value, np.nan)
    if n_groups > 1:
        left_out = np.array(
            [statistic(*(total - part[i] for total, part in zip(totals, groups, strict=True))) for i in range(n_groups)]
        )
        spread = np.sqrt((n_groups - 1) * left_out.var(axis=0))
        # Sums of floats differ in their last digits even where the groups do not.
        spread = np.where(spread > 1e-12 * np.maximum(1.0, np.abs(value)), spread, np.nan)
        half = special.stdtrit(n_groups - 1, (1 + level) / 2) * spread
    return value, value - half, value + half


def named(estimates: pl.LazyFrame, by: Sequence[str], value: str, name: str, n: str | None = None) -> pl.LazyFrame:
    """Keep value and interval of an estimate as ``name, name_low, name_high``, and its ``n`` under a name if given."""
    kept = [pl.col("n").alias(n)] if n else []
    return estimates.select(
        *by,
        *kept,
        pl.col(value).alias(name),
        pl.col("low").alias(f"{name}_low"),
        pl.col("high").alias(f"{name}_high"),
    )
