"""Whom a horse pays in each won hand: rows from which every horse question is answered, for any kind and origin.

A *place* is a seat counted from the winner in turn order: 0 the winner, 1..3 the others. Each row is one win and one
holder of horses: for ``drawn`` the winner, for ``held`` each of the four seats. A horse whose tile means a place
moves shares and points to the holder, a share being what horses copy: all of the winner's payments (drawn; so shares
are hits) or one payer's payment (held), whatever its size. With ``horses.price = "fixed"`` a drawn horse's share is
that price from every seat that owes. The rules of payment are those of `sim/PLAY.md`, with any number, kind and origin
put in place of the rule set's own; what a rule set has beyond that is left out, and `departures` names it.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
import polars as pl
from numpy.typing import NDArray

from analysis.scan import N_SEATS, ahead, has_won
from sim import codec, tiles
from sim.rules import Rules
from sim.schema import DIANPAO, N_POOL_CLASSES, QIANGGANG, ZIMO

Kind = Literal["drawn", "held"]
Unit = Literal["shares", "points"]
Origin = Literal["dealer", "winner", "previous_winner"]
KINDS: tuple[Kind, ...] = ("drawn", "held")
ORIGINS: tuple[Origin, ...] = ("dealer", "winner", "previous_winner")
PLACES = range(N_SEATS)


def deck_classes(rules: Rules) -> NDArray[np.int64]:
    """Tiles of each horse class in the whole deck, int64 (4,); a flower's class is that of its number (1-4, twice)."""
    first = tiles.COPIES * [tiles.KIND_NAMES[kind][0] for kind in tiles.TILE_SETS[rules.tiles]]
    first += [str(1 + flower % 4) for flower in range(tiles.FLOWERS.get(rules.tiles, 0))]
    return np.array([sum(name in group for name in first) for group in rules.horses.map])


def own_number(rules: Rules) -> int:
    """Horses that the winner draws after a self-draw (or after other wins, if only then), or that a seat holds."""
    return rules.horses.count or rules.horses.count_discard


def departures(rules: Rules) -> list[str]:
    """Fields by which a rule set's own horses differ from what `horse_wins` can tell of them.

    Without any, the own horses are exactly those of the same number, kind and origin. Held horses never differ.
    """
    horses, wins = rules.horses, set(rules.win.ways)
    if horses.kind != "drawn":
        return []
    has_ghosts, has_robs = rules.ghost.mode != "none", "qianggang" in wins and horses.on_rob
    differs = {
        "horses.count_discard": horses.count_discard != own_number(rules) and ("dianpao" in wins or has_robs),
        "horses.count": horses.count != own_number(rules) and "zimo" in wins,
        "horses.without_ghost": horses.without_ghost and has_ghosts,
        "horses.per_repeat": horses.per_repeat,
        "horses.rob_extra": horses.rob_extra and has_robs,
        "horses.pool": horses.pool == "reserved" and rules.play.last_tiles_reserved < own_number(rules),
        "horses.hit": horses.hit == "number",
        "horses.price": horses.price == "double",
        "horses.fine": horses.fine,
        "horses.four_ghosts_hit": horses.four_ghosts_hit and has_ghosts,
        "scoring.loss_cap": rules.scoring.loss_cap,
        "liability.quanqiuren": rules.liability.quanqiuren and horses.price == "fixed" and "dianpao" in wins,
        "kong.follow_horses": rules.kong.follow_horses,
    }
    return [path for path, does in differs.items() if does]


def horse_wins(pools: pl.LazyFrame, rules: Rules, kind: Kind, origin: Origin) -> pl.LazyFrame:
    """Return one row for each win and holder.

    Returns
    -------
    ``table, holder_role`` (winner, payer, uninvolved), ``is_dealer`` (the holder deals), ``n_pool`` (tiles that may
    be horses), ``class_shares_0..3`` and ``class_points_0..3`` (shares and points that a horse of class c moves to the
    holder, Int64), ``pool_0..3, pool_classes``.
    """
    wins = pl.concat([_payments(pools, rules, origin, winner) for winner in PLACES])
    holders = [0] if kind == "drawn" else list(PLACES)
    return pl.concat([_holder(wins, rules, kind, place) for place in holders])


def _payments(pools: pl.LazyFrame, rules: Rules, origin: Origin, winner: int) -> pl.LazyFrame:
    """Find what each place paid to ``winner``, without horses, and the place that class 0 means."""
    paid = {f"paid_{place}": codec.payment(rules, (winner + place) % N_SEATS, winner) for place in PLACES[1:]}
    return pools.filter(has_won(winner)).select(
        "table",
        "outcome",
        "pool_classes",
        *(f"pool_{c}" for c in PLACES),
        origin_place=ahead(codec.horse_origin(rules, winner, origin), pl.lit(winner, pl.Int8)),
        dealer_place=ahead(pl.col("dealer"), pl.lit(winner, pl.Int8)),
        **paid,
    )


_Moves = tuple[list[pl.Expr], list[pl.Expr]]  # shares, points to the holder from a horse that means each place


def _drawn_moves(rules: Rules) -> _Moves:
    draws = pl.lit(1) if rules.horses.on_rob else (pl.col("outcome") != QIANGGANG).cast(pl.Int64)
    points = pl.sum_horizontal(f"paid_{place}" for place in PLACES[1:])
    if rules.horses.price == "fixed":
        all_owe = rules.win.payers == "all"
        by_discard, by_rob = (3 if all_owe else shares for shares in (1, rules.win.rob_shares))
        n_owing = pl.when(pl.col("outcome") == ZIMO).then(3).when(pl.col("outcome") == DIANPAO).then(by_discard)
        points = n_owing.otherwise(by_rob) * (rules.horses.fixed * rules.scoring.base)
    nothing = [pl.lit(0) for _ in range(3)]
    return [draws, *nothing], [draws * points, *nothing]


def _held_moves(holder: int) -> _Moves:
    paid = {place: pl.col(f"paid_{place}") for place in PLACES[1:]}
    pays = {place: (points > 0).cast(pl.Int64) for place, points in paid.items()}

    def moves(of: dict[int, pl.Expr]) -> list[pl.Expr]:
        gains = pl.sum_horizontal(value for place, value in of.items() if place != holder)
        return [gains, *(-value if holder else pl.lit(0) for value in of.values())]

    return moves(pays), moves(paid)


def _holder(wins: pl.LazyFrame, rules: Rules, kind: Kind, holder: int) -> pl.LazyFrame:
    shares, points = _drawn_moves(rules) if kind == "drawn" else _held_moves(holder)
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
        n_pool=pl.sum_horizontal(pl.col(f"pool_{c}").cast(pl.Int64) for c in PLACES),
        **{f"class_shares_{c}": _at_place(shares, c).cast(pl.Int64) for c in PLACES},
        **{f"class_points_{c}": _at_place(points, c).cast(pl.Int64) for c in PLACES},
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


def drawn(n_horses: int, unit: Unit = "shares") -> list[pl.Expr]:
    """Shares, or points, from the pool's first 1, 2, .. ``n_horses`` tiles, at most `sim.schema.N_POOL_CLASSES`, Int64.

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
            .then(f"class_{unit}_0")
            .when(horse_class == 1)
            .then(f"class_{unit}_1")
            .when(horse_class == 2)
            .then(f"class_{unit}_2")
            .otherwise(f"class_{unit}_3")
        )
    return [pl.sum_horizontal(single[: i + 1]) for i in range(n_horses)]
