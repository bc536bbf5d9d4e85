"""What do horses (马) bring, for any number, kind and origin of them?

Three answers side by side for each win. *Exact*: given the tiles that could be drawn, the horses are a sample without replacement from
the pool, so mean and variance of the income are known for each hand (multivariate hypergeometric) and only hands differ
(Rao-Blackwell). *Sampled*: the pool's first tiles. *Naive*: k n / N from the whole deck, as if no tile had been played.

With p_c the pool's share of class c and v_c its income, one horse has mean m = sum p_c v_c and variance s = sum p_c v_c^2 - m^2;
k of P tiles have mean k m and variance k s (P - k) / (P - 1) (Cochran 1977, Sampling Techniques, theorem 2.2).
"""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from analysis import estimate
from analysis.horse_wins import KINDS, ORIGINS, PLACES, Kind, Origin, deck_classes, drawn_shares, horse_wins
from analysis.intervals import LEVEL
from sim.rules import Rules
from sim.schema import N_HORSE_CLASSES

ROLES = ("all", "winner", "payer", "uninvolved", "dealer")
QUANTITIES = ("shares", "points")
METHODS = ("exact", "sampled", "naive")
_KEYS = ("cluster", "holder_role", "is_dealer", "most_horses")


def _one_horse(rules: Rules) -> dict[str, pl.Expr]:
    """Mean and variance of one horse in shares, from the pool and from the whole deck."""
    deck = deck_classes(rules)
    n_pool = pl.col("n_pool").clip(1).cast(pl.Float64)
    share = [pl.col(f"class_share_{c}").cast(pl.Float64) for c in PLACES]
    pool = [pl.col(f"pool_{c}").cast(pl.Float64) for c in PLACES]
    mean = pl.sum_horizontal(p * v for p, v in zip(pool, share, strict=True)) / n_pool
    square = pl.sum_horizontal(p * v * v for p, v in zip(pool, share, strict=True)) / n_pool
    naive = pl.sum_horizontal(int(n) * v for n, v in zip(deck, share, strict=True)) / int(deck.sum())
    return {"mean": mean, "variance": square - mean * mean, "naive": naive}


def _sums(wins: pl.LazyFrame, rules: Rules) -> pl.LazyFrame:
    """Sums over wins that give mean and second moment for every number of horses, by cluster and role."""
    one, drawn = _one_horse(rules), drawn_shares(N_HORSE_CLASSES)
    aggregates: list[pl.Expr] = [pl.len().cast(pl.Float64).alias("x")]
    for quantity, unit in (("shares", pl.lit(1.0)), ("points", pl.col("unit_points").cast(pl.Float64))):
        mean, variance = pl.col("mean") * unit, pl.col("variance") * unit * unit
        prefix = [pl.col(f"drawn_{k}") * unit for k in range(1, N_HORSE_CLASSES + 1)]
        aggregates += [
            pl.struct(
                mean=mean.sum(),
                mean2=(mean * mean).sum(),
                variance=variance.sum(),
                correction=(variance / (pl.col("n_pool") - 1).clip(1)).sum(),
                naive=(pl.col("naive") * unit).sum(),
                drawn=pl.concat_list(pl.lit(0.0), *(p.sum() for p in prefix)),
                drawn2=pl.concat_list(pl.lit(0.0), *((p * p).sum() for p in prefix)),
            ).alias(quantity)
        ]
    return (
        wins.with_columns(
            **one,
            **{f"drawn_{k}": expr.cast(pl.Float64) for k, expr in enumerate(drawn, 1)},
            most_horses=pl.col("n_pool").clip(upper_bound=N_HORSE_CLASSES),
            cluster=estimate.cluster(),
        )
        .group_by(*_KEYS)
        .agg(aggregates)
        .unpivot(list(QUANTITIES), index=[*_KEYS, "x"], variable_name="quantity", value_name="sums")
        .unnest("sums")
    )


def _for_each_number(sums: pl.LazyFrame, numbers: Sequence[int]) -> pl.LazyFrame:
    """First and second moment sums (y, y2) of each method for each number of horses."""
    k = pl.min_horizontal("n_horses", "most_horses").cast(pl.Float64)
    exact2 = k * pl.col("variance") - k * (k - 1) * pl.col("correction") + k * k * pl.col("mean2")
    return sums.join(pl.LazyFrame({"n_horses": numbers}, {"n_horses": pl.Int64}), how="cross").select(
        *_KEYS,
        "quantity",
        "n_horses",
        "x",
        exact=k * pl.col("mean"),
        exact2=exact2,
        sampled=pl.col("drawn").list.get(pl.col("n_horses")),
        sampled2=pl.col("drawn2").list.get(pl.col("n_horses")),
        naive=pl.col("n_horses") * pl.col("naive"),
    )


def _with_roles(sums: pl.LazyFrame) -> pl.LazyFrame:
    """Add up to one row for each cluster and role; a holder is in ``all``, in its own role, and maybe in ``dealer``."""
    roles = [
        sums.with_columns(role=pl.lit("all")),
        sums.with_columns(role=pl.col("holder_role")),
        sums.filter("is_dealer").with_columns(role=pl.lit("dealer")),
    ]
    return (
        pl.concat(roles)
        .group_by("cluster", "role", "quantity", "n_horses")
        .agg(pl.col("x", "exact", "exact2", "sampled", "sampled2", "naive").sum())
    )


def _estimates(sums: pl.LazyFrame, level: float) -> pl.LazyFrame:
    """Mean of every method, variance of exact and sampled, each with its interval."""
    x, n_clusters = pl.col("x"), pl.col("n_clusters")
    aggregates = [x.sum().cast(pl.Int64).alias("n"), pl.len().cast(pl.Int64).alias("n_clusters")]
    limits = []
    for method in METHODS:
        y = pl.col(method)
        aggregates += [(y.sum() / x.sum()).alias(method), estimate.ratio_error(y, x).alias(f"{method}_se")]
    for method in METHODS[:2]:
        y, y2, name = pl.col(method), pl.col(f"{method}2"), f"{method}_variance"
        aggregates += [
            (y2.sum() / x.sum() - (y.sum() / x.sum()).pow(2)).alias(name),
            estimate.variance_error(y, y2, x).alias(f"{name}_se"),
        ]
    names = [*METHODS, *(f"{method}_variance" for method in METHODS[:2])]
    for name in names:
        low, high = estimate.t_limits(pl.col(name), pl.col(f"{name}_se"), n_clusters, level)
        limits += [pl.col(name), low.alias(f"{name}_low"), high.alias(f"{name}_high")]
    return (
        sums.group_by("role", "quantity", "n_horses")
        .agg(aggregates)
        .select("role", "n_horses", "quantity", "n", "n_clusters", *limits)
    )


def horse_income(
    hands: pl.LazyFrame,
    rules: Rules,
    kind: Kind,
    origin: Origin,
    numbers: Sequence[int] = range(N_HORSE_CLASSES + 1),
    level: float = LEVEL,
) -> pl.LazyFrame:
    """Mean and variance of the income from horses of one kind and origin, for each win and holder.

    Parameters
    ----------
    hands, rules
        A log and its rule set; the rule set's own number, kind and origin of horses play no part, the rest of
        its horse rules (map, robs, several winners) does.
    kind
        ``drawn``: the winner draws ``n_horses``; ``held``: every seat has ``n_horses``, the row tells of those of one seat.
    origin
        Seat that class 0 means, unless several won and the rule set counts from the discarder.
    numbers
        Numbers of horses, 0..10. Fewer are drawn where the pool is smaller.

    Returns
    -------
    ``role`` (holder: all, winner, payer, uninvolved, dealer), ``n_horses, quantity`` (shares or points, see `analysis.horse_wins`),
    ``n`` (wins, times holders), ``n_clusters``, then value, low and high of ``exact, sampled, naive, exact_variance,
    sampled_variance``. A hand with several winners counts once for each.
    """
    return (
        _sums(horse_wins(hands, rules, kind, origin), rules)
        .pipe(_for_each_number, list(numbers))
        .pipe(_with_roles)
        .pipe(_estimates, level)
        .sort(
            pl.col("role").cast(pl.Enum(ROLES)), "n_horses", pl.col("quantity").cast(pl.Enum(QUANTITIES))
        )
    )


def horse_expectation(
    hands: pl.LazyFrame, rules: Rules, numbers: Sequence[int] = range(N_HORSE_CLASSES + 1)
) -> pl.LazyFrame:
    """`horse_income` of every kind and origin, whatever the rule set's own, which ``is_own`` marks.

    For drawn horses only the role ``winner`` is kept.

    Returns
    -------
    ``kind, origin, is_own`` and the columns of `horse_income`.
    """
    own = rules.horses
    return pl.concat(
        [
            horse_income(hands, rules, kind, origin, numbers)
            .filter((pl.lit(kind) == "held") | (pl.col("role") == "winner"))
            .select(
                pl.lit(kind).alias("kind"),
                pl.lit(origin).alias("origin"),
                ((pl.col("n_horses") == own.count) & (own.kind == kind) & (own.origin == origin)).alias("is_own"),
                pl.all(),
            )
            for kind in KINDS
            for origin in ORIGINS
        ]
    )
