"""How the income from a given number of horses is distributed, in shares.

Exact beside sampled, as in `analysis.horse_expectation`: with ``n_up`` tiles in the pool that move ``up`` shares
to the holder and ``n_down`` that move one share away, the numbers of both among k horses are bivariate
hypergeometric.
"""

from __future__ import annotations

from itertools import product

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy import special

from analysis import estimate, intervals
from analysis.estimate import N_GROUPS
from analysis.horse_wins import PLACES, Kind, Origin, drawn, horse_wins
from analysis.intervals import LEVEL
from sim.rules import Rules
from sim.schema import N_POOL_CLASSES

_LOG_FACTORIAL = special.gammaln(np.arange(200) + 1.0)
Ints = NDArray[np.int64]


def _log_choose(n: Ints, k: Ints) -> NDArray[np.float64]:
    possible = (k >= 0) & (k <= n)
    safe_k = np.where(possible, k, 0)
    result = _LOG_FACTORIAL[n] - _LOG_FACTORIAL[safe_k] - _LOG_FACTORIAL[n - safe_k]
    return np.where(possible, result, -np.inf)


def bivariate_hypergeometric(n_pool: Ints, n_up: Ints, n_down: Ints, k: Ints, x: int, y: int) -> NDArray[np.float64]:
    """Chance that ``k`` of ``n_pool`` tiles hold ``x`` of ``n_up`` and ``y`` of ``n_down`` tiles, elementwise."""
    log = (
        _log_choose(n_up, np.full_like(n_up, x))
        + _log_choose(n_down, np.full_like(n_down, y))
        + _log_choose(n_pool - n_up - n_down, k - x - y)
        - _log_choose(n_pool, k)
    )
    return np.exp(log)


def _pools(wins: pl.LazyFrame) -> pl.LazyFrame:
    """Wins with the same chances, counted by group of tables."""
    up = pl.max_horizontal(0, *(f"class_shares_{c}" for c in PLACES))
    n_up = pl.sum_horizontal(
        pl.when(pl.col(f"class_shares_{c}") > 0).then(pl.col(f"pool_{c}").cast(pl.Int64)).otherwise(0) for c in PLACES
    )
    n_down = pl.sum_horizontal(
        pl.when(pl.col(f"class_shares_{c}") < 0).then(pl.col(f"pool_{c}").cast(pl.Int64)).otherwise(0) for c in PLACES
    )
    group = estimate.cluster(estimate.pool_number(), N_GROUPS).alias("group")
    return wins.group_by(group, "n_pool", up=up, n_up=n_up, n_down=n_down).agg(n=pl.len().cast(pl.Float64))


def _spread(pools: pl.DataFrame, n_horses: int) -> pl.DataFrame:
    """Expect a number of wins with each income, by group; ``cluster, shares, y`` where it is not 0."""
    n_pool, n_up, n_down, up = (pools[name].to_numpy() for name in ("n_pool", "n_up", "n_down", "up"))
    group, n = pools["group"].to_numpy().astype(np.int64), pools["n"].to_numpy()
    k = np.minimum(n_horses, n_pool)
    lowest, width = -n_horses, n_horses * (int(up.max(initial=0)) + 1) + 1
    expected = np.zeros(N_GROUPS * width)
    for x, y in product(range(n_horses + 1), repeat=2):
        if x + y <= n_horses:
            chance = bivariate_hypergeometric(n_pool, n_up, n_down, k, x, y)
            cell = group * width + (up * x - y - lowest)
            expected += np.bincount(cell, weights=n * chance, minlength=len(expected))
    table = expected.reshape(N_GROUPS, width)
    row, column = np.nonzero(table)
    return pl.DataFrame({"cluster": row.astype(np.uint32), "shares": column + lowest, "y": table[row, column]})


def _sampled_sums(wins: pl.LazyFrame, n_horses: int) -> pl.LazyFrame:
    """Count the wins with each income from the pool's first tiles; no row for more horses than tiles were logged."""
    is_logged = n_horses <= N_POOL_CLASSES
    shares = drawn(n_horses)[-1] if n_horses and is_logged else pl.lit(0, pl.Int64)
    return (
        wins.filter(is_logged)
        .select("table", shares=shares)
        .pipe(estimate.distribution_sums, "shares", estimate.pool_number())
    )


def horse_distribution_sums(
    pools: pl.LazyFrame, rules: Rules, kind: Kind, origin: Origin, n_horses: int
) -> pl.LazyFrame:
    """Add up the sums of `horse_distribution`: wins with each income, expected (``exact``) and seen.

    Returns
    -------
    ``value`` (exact, sampled), ``cluster, shares, y``.
    """
    wins = horse_wins(pools, rules, kind, origin)
    schema = {"cluster": pl.UInt32, "shares": pl.Int64, "y": pl.Float64}
    exact = _pools(wins).map_batches(lambda pools: _spread(pools, n_horses), schema=schema)
    frames = {"exact": exact, "sampled": _sampled_sums(wins, n_horses)}
    return pl.concat([frame.select(pl.lit(name).alias("value"), *schema) for name, frame in frames.items()])


def horse_distribution_of(sums: pl.LazyFrame, n_horses: int, level: float = LEVEL) -> pl.LazyFrame:
    """`horse_distribution` from its sums."""
    exact, sampled = (sums.filter(pl.col("value") == name).drop("value") for name in ("exact", "sampled"))
    is_unseen = pl.col("count").is_null() & (n_horses <= N_POOL_CLASSES)
    low, high = intervals.clopper_pearson(pl.lit(0), pl.col("n"), level)
    unseen = {"count": pl.lit(0), "sampled": pl.lit(0.0), "sampled_low": low, "sampled_high": high}
    seen = estimate.named(estimate.distribution_of(sampled, "shares", level), ["shares", "count"], "rate", "sampled")
    return (
        estimate.means(estimate.dense(exact, "shares"), ["shares"], level)
        .pipe(estimate.named, ["shares"], "mean", "exact", n="n")
        .with_columns(pl.col("exact_low", "exact_high").clip(0, 1))
        .join(seen, on="shares", how="left")
        .with_columns(pl.when(is_unseen).then(value).otherwise(name).alias(name) for name, value in unseen.items())
        .sort("shares")
        .select("shares", "n", "exact", "exact_low", "exact_high", "count", "sampled", "sampled_low", "sampled_high")
    )


def horse_distribution(
    pools: pl.LazyFrame, rules: Rules, kind: Kind, origin: Origin, n_horses: int, level: float = LEVEL
) -> pl.LazyFrame:
    """Share of wins (and holders) in which ``n_horses`` horses bring each income.

    Parameters
    ----------
    pools, rules, kind, origin
        As in `analysis.horse_expectation.horse_income`.
    n_horses
        Horses drawn by the winner, or held by one seat. Sampled values end at ten, the tiles logged.

    Returns
    -------
    ``shares`` (drawn: hits; held: payments gained less payments made), ``n`` (wins, times holders), ``exact,
    exact_low, exact_high, count, sampled, sampled_low, sampled_high``.
    """
    return horse_distribution_of(horse_distribution_sums(pools, rules, kind, origin, n_horses), n_horses, level)
