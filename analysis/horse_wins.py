"""Whom a horse pays in each won hand: rows from which every horse question is answered, for any kind and origin.

A *place* is a seat counted from the winner in turn order: 0 the winner, 1..3 the others. Each row is one win and one
holder of horses: for ``drawn`` the winner, for ``held`` each of the four seats. A horse whose tile means place m
moves ``share_m`` shares to the holder, a share being the unit that horses copy: all of the winner's payments
(drawn; so shares are hits) or one payer's payment (held). The rules of payment are those of `sim/PLAY.md`, with
any kind and origin put in place of the rule set's own.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
import polars as pl
from numpy.typing import NDArray

from analysis.scan import N_SEATS, ahead, has_won
from sim import tiles
from sim.rules import Rules
from sim.schema import N_POOL_CLASSES, QIANGGANG

Kind = Literal["drawn", "held"]
Origin = Literal["dealer", "winner", "previous_winner"]
KINDS: tuple[Kind, ...] = ("drawn", "held")
ORIGINS: tuple[Origin, ...] = ("dealer", "winner", "previous_winner")
PLACES = range(N_SEATS)


def deck_classes(rules: Rules) -> NDArray[np.int64]:
    """Tiles of each horse class in the whole deck, int64 (4,)."""
    first = [tiles.KIND_NAMES[kind][0] for kind in tiles.TILE_SETS[rules.tiles]]
    return np.array([tiles.COPIES * sum(name in group for name in first) for group in rules.horses.map])


def horse_wins(pools: pl.LazyFrame, rules: Rules, kind: Kind, origin: Origin) -> pl.LazyFrame:
    """Return one row for each win and holder.

    Returns
    -------
    ``table, holder_role`` (winner, payer, uninvolved), ``is_dealer`` (the holder deals), ``unit_points`` (one
    share, Int64), ``n_pool`` (tiles that may be horses), ``class_share_0..3`` (shares that a horse of class c
    moves, Int64), ``pool_0..3, pool_classes``.
    """
    wins = pl.concat([_payments(pools, rules, origin, winner) for winner in PLACES])
    holders = [0] if kind == "drawn" else list(PLACES)
    return pl.concat([_holder(wins, rules, kind, place) for place in holders])


def _payments(pools: pl.LazyFrame, rules: Rules, origin: Origin, winner: int) -> pl.LazyFrame:
    """Find what each place paid to ``winner``, without horses, and the place that class 0 means."""
    is_single = pl.col("winners").bitwise_count_ones() == 1
    payer = ahead(pl.col("from_seat").cast(pl.Int8), pl.lit(winner, pl.Int8))
    count_from = {"dealer": pl.col("dealer"), "winner": pl.lit(winner, pl.UInt8), "previous_winner": pl.col("origin")}
    origin_seat = count_from[origin].cast(pl.Int8)
    if rules.horses.origin_multiple == "from_seat":
        origin_seat = pl.when(is_single).then(origin_seat).otherwise("from_seat")
    paid = {
        f"paid_{place}": pl.when(is_single)
        .then(-pl.col(f"hand_{(winner + place) % N_SEATS}").cast(pl.Int64))
        .when(payer == place)
        .then(pl.col(f"hand_{winner}").cast(pl.Int64))
        .otherwise(0)
        for place in PLACES[1:]
    }
    return pools.filter(has_won(winner)).select(
        "table",
        "outcome",
        "pool_classes",
        *(f"pool_{c}" for c in PLACES),
        origin_place=ahead(origin_seat, pl.lit(winner, pl.Int8)),
        dealer_place=ahead(pl.col("dealer"), pl.lit(winner, pl.Int8)),
        **paid,
    )


def _shares(rules: Rules, kind: Kind, holder: int) -> tuple[pl.Expr, list[pl.Expr]]:
    """Points of a share, and shares to the holder from a horse that means each place."""
    pays = {place: (pl.col(f"paid_{place}") > 0).cast(pl.Int64) for place in PLACES[1:]}
    n_payers = pl.sum_horizontal(pays.values())
    if kind == "drawn":
        draws = pl.lit(1) if rules.horses.on_rob else (pl.col("outcome") != QIANGGANG).cast(pl.Int64)
        return pl.sum_horizontal(f"paid_{place}" for place in PLACES[1:]), [draws, *(pl.lit(0) for _ in range(3))]
    one = pl.max_horizontal(f"paid_{place}" for place in PLACES[1:])
    if holder == 0:
        return one, [n_payers, *(pl.lit(0) for _ in range(3))]
    return one, [n_payers - pays[holder], *(-pays[place] for place in PLACES[1:])]


def _holder(wins: pl.LazyFrame, rules: Rules, kind: Kind, holder: int) -> pl.LazyFrame:
    unit, shares = _shares(rules, kind, holder)
    role = (
        pl.lit("winner")
        if holder == 0
        else pl.when(pl.col(f"paid_{holder}") > 0).then(pl.lit("payer")).otherwise(pl.lit("uninvolved"))
    )
    return wins.select(
        "table",
        "pool_classes",
        *(f"pool_{c}" for c in PLACES),
        holder_role=role,
        is_dealer=pl.col("dealer_place") == holder,
        unit_points=unit,
        n_pool=pl.sum_horizontal(pl.col(f"pool_{c}").cast(pl.Int64) for c in PLACES),
        **{f"class_share_{c}": _at_place(shares, c).cast(pl.Int64) for c in PLACES},
    )


def _at_place(by_place: list[pl.Expr], horse_class: int) -> pl.Expr:
    """Value at the place that a horse class means."""
    origin = pl.col("origin_place")
    return (
        pl.when(origin == 0)
        .then(by_place[horse_class])
        .when(origin == 1)
        .then(by_place[(horse_class + 1) % N_SEATS])
        .when(origin == 2)
        .then(by_place[(horse_class + 2) % N_SEATS])
        .otherwise(by_place[(horse_class + 3) % N_SEATS])
    )


def drawn_shares(n_horses: int) -> list[pl.Expr]:
    """Shares from the pool's first 1, 2, .. ``n_horses`` tiles, at most `sim.schema.N_POOL_CLASSES`, Int64.

    The pool is in random order, so its first k tiles stand for the k horses of any holder.
    """
    if not 0 <= n_horses <= N_POOL_CLASSES:
        raise ValueError(f"n_horses: 0 to {N_POOL_CLASSES} are logged, not {n_horses}")
    single = []
    for position in range(n_horses):
        horse_class = pl.col("pool_classes") // 4**position & 3
        single.append(
            pl.when(pl.col("n_pool") <= position)
            .then(0)
            .when(horse_class == 0)
            .then("class_share_0")
            .when(horse_class == 1)
            .then("class_share_1")
            .when(horse_class == 2)
            .then("class_share_2")
            .otherwise("class_share_3")
        )
    return [pl.sum_horizontal(single[: i + 1]) for i in range(n_horses)]
