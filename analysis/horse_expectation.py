"""What horses (马) bring, for any number, kind and origin of them.

Three answers side by side for each win. *Exact*: given the tiles that could be drawn, the horses are a sample
without replacement from the pool, so mean and variance of the income are known for each hand (multivariate
hypergeometric) and only hands differ (Rao-Blackwell). *Sampled*: the pool's first tiles. *Naive*: k n / N from
the whole deck, as if no tile had been played.

With p_c the pool's share of class c and v_c its income, one horse has mean m = sum p_c v_c and variance s = sum
p_c v_c^2 - m^2; k of P tiles have mean k m and variance k s (P - k) / (P - 1) (Cochran 1977, Sampling Techniques,
theorem 2.2).
"""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from analysis import estimate, scan
from analysis.horse_wins import (
    KINDS,
    ORIGINS,
    PLACES,
    Kind,
    Origin,
    Unit,
    deck_classes,
    departures,
    drawn,
    horse_wins,
    own_number,
)
from analysis.intervals import LEVEL
from sim.rules import Rules
from sim.schema import N_POOL_CLASSES

ROLES = ("all", "winner", "payer", "uninvolved", "dealer")
QUANTITIES: tuple[Unit, ...] = ("shares", "points")
_ROLE = pl.Enum(ROLES)
_QUANTITY = pl.Enum(QUANTITIES)
_CLUSTER = estimate.cluster(estimate.pool_number())


def _one_horse(rules: Rules, quantity: Unit) -> dict[str, pl.Expr]:
    """Mean and variance of one horse in a quantity, from the pool, and its mean from the whole deck."""
    deck = deck_classes(rules)
    n_pool = pl.col("n_pool").clip(1).cast(pl.Float64)
    income = [pl.col(f"class_{quantity}_{c}").cast(pl.Float64) for c in PLACES]
    pool = [pl.col(f"pool_{c}").cast(pl.Float64) for c in PLACES]
    mean = pl.sum_horizontal(p * v for p, v in zip(pool, income, strict=True)) / n_pool
    square = pl.sum_horizontal(p * v * v for p, v in zip(pool, income, strict=True)) / n_pool
    naive = pl.sum_horizontal(int(n) * v for n, v in zip(deck, income, strict=True)) / int(deck.sum())
    return {"mean": mean, "variance": square - mean * mean, "naive": naive}


def _with_roles(sums: pl.LazyFrame, keys: Sequence[str]) -> pl.LazyFrame:
    """Add up to one row for each role and key; a holder is in ``all``, in its own role, and maybe in ``dealer``."""
    roles = [pl.lit("all"), pl.col("holder_role"), pl.when(pl.col("is_dealer")).then(pl.lit("dealer"))]
    return (
        sums.with_columns(role=pl.concat_list(role.cast(_ROLE) for role in roles))
        .drop("holder_role", "is_dealer")
        .explode("role")
        .drop_nulls("role")
        .group_by("role", *keys)
        .agg(pl.all().sum())
    )


def _exact_sums(wins: pl.LazyFrame, rules: Rules, most: int) -> pl.LazyFrame:
    """Add up over wins what one horse brings: mean, second moment, variance and the naive value.

    Returns
    -------
    ``cluster, holder_role, is_dealer, most_horses`` (tiles in the pool, ``most`` where there are more), ``quantity,
    x`` (wins) and the sums.
    """
    moments = {
        f"{quantity}:{name}": value for quantity in QUANTITIES for name, value in _one_horse(rules, quantity).items()
    }
    one = {
        quantity: pl.struct(
            mean=pl.col(f"{quantity}:mean").sum(),
            mean2=pl.col(f"{quantity}:mean").pow(2).sum(),
            variance=pl.col(f"{quantity}:variance").sum(),
            correction=(pl.col(f"{quantity}:variance") / (pl.col("n_pool") - 1).clip(1)).sum(),
            naive=pl.col(f"{quantity}:naive").sum(),
        )
        for quantity in QUANTITIES
    }
    return (
        wins.with_columns(**moments)
        .group_by(_CLUSTER, "holder_role", "is_dealer", most_horses=pl.col("n_pool").clip(upper_bound=most))
        .agg(pl.len().cast(pl.Float64).alias("x"), **one)
        .unpivot(
            list(QUANTITIES),
            index=["cluster", "holder_role", "is_dealer", "most_horses", "x"],
            variable_name="quantity",
            value_name="sums",
        )
        .unnest("sums")
    )


def _for_numbers(exact: pl.LazyFrame, numbers: Sequence[int]) -> pl.LazyFrame:
    """Add up the sums of the expectation (y) of each number of horses, its second moment (y2) and the naive value."""
    k = pl.min_horizontal("n_horses", "most_horses").cast(pl.Float64)
    mean, variance, naive = pl.col("mean"), pl.col("variance"), pl.col("naive")
    return (
        exact.pipe(_with_roles, ("cluster", "most_horses", "quantity"))
        .join(pl.LazyFrame({"n_horses": list(numbers)}, {"n_horses": pl.Int64}), how="cross")
        .group_by("cluster", "role", "n_horses", "quantity")
        .agg(
            x=pl.col("x").sum(),
            y=(k * mean).sum(),
            y2=(k * variance - k * (k - 1) * pl.col("correction") + k * k * pl.col("mean2")).sum(),
            naive=(pl.col("n_horses") * naive).sum(),
        )
    )


def _sampled_sums(wins: pl.LazyFrame, numbers: Sequence[int]) -> pl.LazyFrame:
    """Add up over wins the income from the pool's first tiles (y) and its square (y2).

    Returns
    -------
    ``cluster, holder_role, is_dealer, quantity, n_horses, x`` (wins) and the sums.
    """
    most = max(numbers, default=0)
    income = {
        f"{quantity}:{k}": value.cast(pl.Float64)
        for quantity in QUANTITIES
        for k, value in enumerate([pl.lit(0), *drawn(most, quantity)])
        if k in numbers
    }
    return (
        wins.with_columns(**income)
        .group_by(_CLUSTER, "holder_role", "is_dealer")
        .agg(
            pl.len().cast(pl.Float64).alias("x"),
            *(pl.struct(y=pl.col(name).sum(), y2=pl.col(name).pow(2).sum()).alias(name) for name in income),
        )
        .unpivot(
            list(income),
            index=["cluster", "holder_role", "is_dealer", "x"],
            variable_name="name",
            value_name="sums",
        )
        .unnest("sums")
        .with_columns(pl.col("name").str.split_exact(":", 1).struct.rename_fields(["quantity", "n_horses"]))
        .unnest("name")
        .with_columns(pl.col("n_horses").cast(pl.Int64))
    )


def _moments(sums: pl.LazyFrame, name: str, level: float, extra: Sequence[pl.Expr] = ()) -> pl.LazyFrame:
    """Mean and variance with their intervals, as ``name..`` and ``name_variance..``, and extra aggregates."""
    y, y2, x = pl.col("y"), pl.col("y2"), pl.col("x")
    value, variance = name, f"{name}_variance"
    aggregated = sums.group_by("role", "n_horses", "quantity").agg(
        x.sum().cast(pl.Int64).alias("n"),
        pl.len().cast(pl.Int64).alias("n_clusters"),
        (y.sum() / x.sum()).alias(value),
        (y2.sum() / x.sum() - (y.sum() / x.sum()).pow(2)).alias(variance),
        estimate.ratio_error(y, x).alias(f"{value}_se"),
        estimate.variance_error(y, y2, x).alias(f"{variance}_se"),
        *extra,
    )
    limits: dict[str, pl.Expr] = {}
    for key in (value, variance):
        low, high = estimate.t_limits(pl.col(key), pl.col(f"{key}_se"), pl.col("n_clusters"), level)
        limits |= {f"{key}_low": low, f"{key}_high": high}
    return aggregated.with_columns(**limits).drop(f"{value}_se", f"{variance}_se")


def horse_income(
    pools: pl.LazyFrame,
    rules: Rules,
    kind: Kind,
    origin: Origin,
    numbers: Sequence[int] = range(N_POOL_CLASSES + 1),
    level: float = LEVEL,
) -> pl.LazyFrame:
    """Mean and variance of the income from horses of one kind and origin, for each win and holder.

    Parameters
    ----------
    pools, rules
        Hands with their pools (`analysis.scan.Run.pools`) and their rule set; the rule set's own number, kind and
        origin of horses play no part; map, robs, several winners and a fixed price do, and the rest is left out
        (`horse_wins.departures`).
    kind
        ``drawn``: the winner draws ``n_horses``; ``held``: every seat has ``n_horses``, the row tells of those of
        one seat.
    origin
        Seat that class 0 means, unless several won and the rule set counts from the discarder.
    numbers
        Numbers of horses. Fewer are drawn where the pool is smaller. Sampled values end at ten, the tiles logged.

    Returns
    -------
    ``role`` (holder: all, winner, payer, uninvolved, dealer), ``n_horses, quantity`` (shares or points, see
    `analysis.horse_wins`), ``n`` (wins, times holders), ``n_clusters, naive``, then value, low and high of
    ``exact, sampled, exact_variance, sampled_variance``. A hand with several winners counts once for each.
    """
    exact, sampled = _income_sums(horse_wins(pools, rules, kind, origin), rules, numbers)
    return _income_of(exact, sampled, numbers, level)


def _income_sums(wins: pl.LazyFrame, rules: Rules, numbers: Sequence[int]) -> tuple[pl.LazyFrame, pl.LazyFrame]:
    """Add up the sums of one kind and origin, exact and sampled."""
    logged = [n for n in numbers if n <= N_POOL_CLASSES]
    return _exact_sums(wins, rules, max(numbers, default=0)), _sampled_sums(wins, logged)


def _income_of(
    exact_sums: pl.LazyFrame, sampled_sums: pl.LazyFrame, numbers: Sequence[int], level: float = LEVEL
) -> pl.LazyFrame:
    """`horse_income` from its sums."""
    key = ["role", "n_horses", "quantity"]
    naive = (pl.col("naive").sum() / pl.col("x").sum()).alias("naive")
    exact = _moments(_for_numbers(exact_sums, numbers), "exact", level, [naive])
    by_role = _with_roles(sampled_sums, ("cluster", "quantity", "n_horses"))
    sampled = _moments(by_role, "sampled", level)
    values = ("exact", "sampled", "exact_variance", "sampled_variance")
    return (
        exact.join(sampled.drop("n", "n_clusters"), on=key, how="left")
        .sort("role", "n_horses", pl.col("quantity").cast(_QUANTITY))
        .select(
            pl.col("role").cast(pl.String),
            "n_horses",
            "quantity",
            "n",
            "n_clusters",
            "naive",
            *(f"{value}{side}" for value in values for side in ("", "_low", "_high")),
        )
    )


def own_numbers(rules: Rules) -> list[int]:
    """Numbers of horses that `horse_expectation` tells of: 0..10 and the rule set's own."""
    return sorted({*range(N_POOL_CLASSES + 1), own_number(rules)})


def horse_expectation_sums(
    pools: pl.LazyFrame, rules: Rules, numbers: Sequence[int] | None = None
) -> tuple[pl.LazyFrame, pl.LazyFrame]:
    """Add up the sums of `horse_expectation`, exact and sampled: ``kind, origin``, then those of one of each."""
    wanted = own_numbers(rules) if numbers is None else numbers
    parts: tuple[list[pl.LazyFrame], list[pl.LazyFrame]] = ([], [])
    for kind in KINDS:
        for origin in ORIGINS:
            found = _income_sums(horse_wins(pools, rules, kind, origin), rules, wanted)
            for part, sums in zip(parts, found, strict=True):
                part.append(sums.select(pl.lit(kind).alias("kind"), pl.lit(origin).alias("origin"), pl.all()))
    return pl.concat(parts[0]), pl.concat(parts[1])


def horse_expectation_of(
    exact: pl.LazyFrame, sampled: pl.LazyFrame, rules: Rules, numbers: Sequence[int] | None = None
) -> pl.LazyFrame:
    """`horse_expectation` from its sums."""
    own, n_own, is_told = rules.horses, own_number(rules), not departures(rules)
    wanted = own_numbers(rules) if numbers is None else numbers
    found = []
    for kind in KINDS:
        for origin in ORIGINS:
            here = (pl.col("kind") == kind) & (pl.col("origin") == origin)
            income = _income_of(
                exact.filter(here).drop("kind", "origin"), sampled.filter(here).drop("kind", "origin"), wanted
            )
            is_own = (pl.col("n_horses") == n_own) & ((own.kind, own.origin) == (kind, origin) and is_told)
            found.append(
                income.filter((pl.lit(kind) == "held") | (pl.col("role") == "winner")).select(
                    pl.lit(kind).alias("kind"), pl.lit(origin).alias("origin"), is_own.alias("is_own"), pl.all()
                )
            )
    return pl.concat(found)


def horse_expectation(pools: pl.LazyFrame, rules: Rules, numbers: Sequence[int] | None = None) -> pl.LazyFrame:
    """`horse_income` of every kind and origin, whatever the rule set's own, which ``is_own`` marks.

    ``numbers`` are 0..10 and the rule set's own unless given. For drawn horses only the role ``winner`` is kept.
    No row is a rule set's own whose horses differ in more than number, kind and origin (`horse_wins.departures`).
    Reads the pools at once, not when it is collected.

    Returns
    -------
    ``kind, origin, is_own`` and the columns of `horse_income`.
    """
    exact, sampled = (sums.lazy() for sums in scan.collect(horse_expectation_sums(pools, rules, numbers)))
    return horse_expectation_of(exact, sampled, rules, numbers)
