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
from sim.schema import N_POOL_CLASSES

ROLES = ("all", "winner", "payer", "uninvolved", "dealer")
QUANTITIES = ("shares", "points")
_KEYS = ("cluster", "holder_role", "is_dealer", "most_horses")


def _one_horse(rules: Rules) -> dict[str, pl.Expr]:
    """Mean and variance of one horse in shares, from the pool, and its mean from the whole deck."""
    deck = deck_classes(rules)
    n_pool = pl.col("n_pool").clip(1).cast(pl.Float64)
    share = [pl.col(f"class_share_{c}").cast(pl.Float64) for c in PLACES]
    pool = [pl.col(f"pool_{c}").cast(pl.Float64) for c in PLACES]
    mean = pl.sum_horizontal(p * v for p, v in zip(pool, share, strict=True)) / n_pool
    square = pl.sum_horizontal(p * v * v for p, v in zip(pool, share, strict=True)) / n_pool
    naive = pl.sum_horizontal(int(n) * v for n, v in zip(deck, share, strict=True)) / int(deck.sum())
    return {"mean": mean, "variance": square - mean * mean, "naive": naive}


def _units() -> dict[str, pl.Expr]:
    """Worth of a share in each quantity."""
    return {"shares": pl.lit(1.0), "points": pl.col("unit_points").cast(pl.Float64)}


def _grouped(wins: pl.LazyFrame, aggregates: Sequence[pl.Expr]) -> pl.LazyFrame:
    """Sums (a struct for each quantity) by cluster, role and number of horses that the pool can give."""
    return (
        wins.group_by(
            estimate.cluster(),
            "holder_role",
            "is_dealer",
            most_horses=pl.col("n_pool").clip(upper_bound=N_POOL_CLASSES),
        )
        .agg(pl.len().cast(pl.Float64).alias("x"), *aggregates)
        .unpivot(list(QUANTITIES), index=[*_KEYS, "x"], variable_name="quantity", value_name="sums")
        .unnest("sums")
    )


def _exact_sums(wins: pl.LazyFrame, rules: Rules, numbers: pl.LazyFrame) -> pl.LazyFrame:
    """Sums over wins of the expectation given the pool (y), of its second moment (y2), and of the naive value."""
    k = pl.min_horizontal("n_horses", "most_horses").cast(pl.Float64)
    mean, variance, naive = pl.col("mean"), pl.col("variance"), pl.col("naive")
    one = [
        pl.struct(
            mean=(mean * unit).sum(),
            mean2=(mean * mean * unit * unit).sum(),
            variance=(variance * unit * unit).sum(),
            correction=(variance * unit * unit / (pl.col("n_pool") - 1).clip(1)).sum(),
            naive=(naive * unit).sum(),
        ).alias(quantity)
        for quantity, unit in _units().items()
    ]
    return (
        _grouped(wins.with_columns(**_one_horse(rules)), one)
        .join(numbers, how="cross")
        .select(
            *_KEYS,
            "quantity",
            "n_horses",
            "x",
            y=k * mean,
            y2=k * variance - k * (k - 1) * pl.col("correction") + k * k * pl.col("mean2"),
            naive=pl.col("n_horses") * naive,
        )
    )


def _sampled_sums(wins: pl.LazyFrame, numbers: pl.LazyFrame) -> pl.LazyFrame:
    """Sums over wins of the income from the pool's first tiles (y) and of its square (y2)."""
    drawn = [pl.col(f"drawn_{k}") for k in range(1, N_POOL_CLASSES + 1)]
    prefix = [
        pl.struct(
            y=pl.concat_list(pl.lit(0.0), *((d * unit).sum() for d in drawn)),
            y2=pl.concat_list(pl.lit(0.0), *((d * d * unit * unit).sum() for d in drawn)),
        ).alias(quantity)
        for quantity, unit in _units().items()
    ]
    shares = {f"drawn_{k}": expr.cast(pl.Float64) for k, expr in enumerate(drawn_shares(N_POOL_CLASSES), 1)}
    return (
        _grouped(wins.with_columns(**shares), prefix)
        .join(numbers, how="cross")
        .with_columns(pl.col("y", "y2").list.get(pl.col("n_horses")))
    )


def _with_roles(sums: pl.LazyFrame) -> pl.LazyFrame:
    """Add up to one row for each cluster and role; a holder is in ``all``, in its own role, and maybe in ``dealer``."""
    dealer = pl.when(pl.col("is_dealer")).then(pl.lit("dealer"))
    return (
        sums.with_columns(role=pl.concat_list(pl.lit("all"), "holder_role", dealer))
        .drop("holder_role", "is_dealer", "most_horses")
        .explode("role")
        .drop_nulls("role")
        .group_by("cluster", "role", "n_horses", "quantity")
        .agg(pl.all().sum())
    )


def _moments(sums: pl.LazyFrame, name: str, level: float, extra: Sequence[pl.Expr] = ()) -> pl.LazyFrame:
    """Mean and variance with their intervals, as ``name..`` and ``name_variance..``, and extra aggregates."""
    y, y2, x = pl.col("y"), pl.col("y2"), pl.col("x")
    value, variance = f"{name}", f"{name}_variance"
    aggregated = sums.group_by("role", "n_horses", "quantity").agg(
        x.sum().cast(pl.Int64).alias("n"),
        pl.len().cast(pl.Int64).alias("n_clusters"),
        (y.sum() / x.sum()).alias(value),
        (y2.sum() / x.sum() - (y.sum() / x.sum()).pow(2)).alias(variance),
        estimate.ratio_error(y, x).alias(f"{value}_se"),
        estimate.variance_error(y, y2, x).alias(f"{variance}_se"),
        *extra,
    )
    limits = {}
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
        Hands with their pools (`analysis.scan.Run.pools`) and their rule set; the rule set's own number, kind and origin of horses play no part, the rest of
        its horse rules (map, robs, several winners) does.
    kind
        ``drawn``: the winner draws ``n_horses``; ``held``: every seat has ``n_horses``, the row tells of those of one seat.
    origin
        Seat that class 0 means, unless several won and the rule set counts from the discarder.
    numbers
        Numbers of horses, 0..10. Fewer are drawn where the pool is smaller.

    Returns
    -------
    ``role`` (holder: all, winner, payer, uninvolved, dealer), ``n_horses, quantity`` (shares or points, see
    `analysis.horse_wins`), ``n`` (wins, times holders), ``n_clusters, naive``, then value, low and high of ``exact, sampled,
    exact_variance, sampled_variance``. A hand with several winners counts once for each.
    """
    key = ["role", "n_horses", "quantity"]
    wins = horse_wins(pools, rules, kind, origin)
    wanted = pl.LazyFrame({"n_horses": list(numbers)}, {"n_horses": pl.Int64})
    naive = (pl.col("naive").sum() / pl.col("x").sum()).alias("naive")
    exact = _moments(_with_roles(_exact_sums(wins, rules, wanted)), "exact", level, [naive])
    sampled = _moments(_with_roles(_sampled_sums(wins, wanted)), "sampled", level)
    values = ("exact", "sampled", "exact_variance", "sampled_variance")
    return (
        exact.join(sampled.drop("n", "n_clusters"), on=key)
        .sort(pl.col("role").cast(pl.Enum(ROLES)), "n_horses", pl.col("quantity").cast(pl.Enum(QUANTITIES)))
        .select(
            *key, "n", "n_clusters", "naive", *(f"{value}{side}" for value in values for side in ("", "_low", "_high"))
        )
    )


def horse_expectation(
    pools: pl.LazyFrame, rules: Rules, numbers: Sequence[int] = range(N_POOL_CLASSES + 1)
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
            horse_income(pools, rules, kind, origin, numbers)
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
