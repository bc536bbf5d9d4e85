"""What a decision of the trace log says about any seat: expressions over the columns of `sim.schema.EVENT_COLUMNS`.

A seat is a number or an expression: ``after(1)`` is the one after the mover (下家), ``after(3)`` the one before (上家).
``held(2, 27)`` is how many East winds seat 2 holds, ``discarded(after(1), 0)`` how many 1m the next player has
discarded. All of it is as it was before the move, but acceptance and waits of the mover.

>>> events = open_run("run")[0].events
>>> discards = events.filter((pl.col("move") == DISCARD) & ready(after(1)))
>>> discards.select(completes(after(1), pl.col("kind")).mean()).collect()
"""

from __future__ import annotations

import polars as pl

from sim.schema import (
    GANG_EXPOSED,
    HU,
    MELD_ADDED,
    MELD_CHI,
    MELD_CONCEALED,
    MELD_EXPOSED,
    MELD_PENG,
    N_FIRST,
    PASS,
    PENG,
)
from sim.tiles import COPIES, N_KINDS, N_SEATS

Seat = int | pl.Expr
Kind = int | pl.Expr
_LOW_KINDS = 21
_MELD_BITS = 12
_MAX_MELDS = 4


def mover() -> pl.Expr:
    """Seat that moved or passed."""
    return pl.col("seat")


def after(offset: int, seat: Seat | None = None) -> pl.Expr:
    """Seat ``offset`` places after ``seat`` in turn order, the mover's unless given: 1 is 下家, 3 is 上家."""
    origin = mover() if seat is None else _number(seat)
    return (origin.cast(pl.Int16) + offset) % N_SEATS


def at(prefix: str, seat: Seat) -> pl.Expr:
    """Column ``prefix_0`` .. ``prefix_3`` of a seat."""
    if isinstance(seat, int):
        return pl.col(f"{prefix}_{seat % N_SEATS}")
    columns = [pl.col(f"{prefix}_{s}") for s in range(N_SEATS)]
    return (
        pl.when(seat == 0)
        .then(columns[0])
        .when(seat == 1)
        .then(columns[1])
        .when(seat == 2)
        .then(columns[2])
        .otherwise(columns[3])
    )


def relative(prefix: str, offset: int) -> pl.Expr:
    """Column of the seat ``offset`` places after the mover; 0 is the mover's own."""
    return at(prefix, after(offset))


def count(prefix: str, seat: Seat, kind: Kind) -> pl.Expr:
    """Count a kind in a seat's packed columns ``prefix_lo`` and ``prefix_hi`` (``hand`` or ``river``). UInt8."""
    return _count(at(f"{prefix}_lo", seat), at(f"{prefix}_hi", seat), kind)


def held(seat: Seat, kind: Kind) -> pl.Expr:
    """Concealed copies of a kind in a seat's hand. UInt8."""
    return count("hand", seat, kind)


def discarded(seat: Seat, kind: Kind) -> pl.Expr:
    """Count a kind among a seat's discards, claimed ones too. UInt8."""
    return count("river", seat, kind)


def first_discard(seat: Seat, place: int) -> pl.Expr:
    """Kind of a seat's discard number ``place`` (from 0, below 10); -1 if it has made none yet. Int8."""
    if not 0 <= place < N_FIRST:
        raise ValueError(f"place: the log holds the first {N_FIRST} discards, not number {place}")
    return _bits(at("first", seat), 6 * place, 6).cast(pl.Int8) - 1


def last_discard(seat: Seat) -> pl.Expr:
    """Kind that a seat discarded last; -1 if it has discarded none. Int8."""
    return at("last", seat)


def has_meld(seat: Seat, place: int) -> pl.Expr:
    """Whether a seat has made at least ``place`` + 1 melds."""
    return at("n_melds", seat) > place


def meld_code(seat: Seat, place: int) -> pl.Expr:
    """Code of a seat's meld number ``place`` (`sim.schema.MELD_CHI` and so on); null where there is none."""
    return pl.when(has_meld(seat, place)).then(_bits(at("melds", seat), _MELD_BITS * place, 3))


def meld_kind(seat: Seat, place: int) -> pl.Expr:
    """Kind of a seat's meld number ``place``, of a chi the lowest; null where there is none."""
    return pl.when(has_meld(seat, place)).then(_bits(at("melds", seat), _MELD_BITS * place + 3, 6))


def meld_feeder(seat: Seat, place: int) -> pl.Expr:
    """Seat that fed a seat's meld number ``place``, 7 nobody; null where there is none."""
    return pl.when(has_meld(seat, place)).then(_bits(at("melds", seat), _MELD_BITS * place + 9, 3))


def melded(seat: Seat, kind: Kind) -> pl.Expr:
    """Count a kind in a seat's melds. UInt8."""
    number = _number(kind)
    total: pl.Expr = pl.lit(0, pl.UInt8)
    for place in range(_MAX_MELDS):
        code, lowest = meld_code(seat, place), meld_kind(seat, place)
        is_chi = code == MELD_CHI
        copies = (
            pl.when(is_chi & (number >= lowest) & (number.cast(pl.Int16) - 2 <= lowest))
            .then(1)
            .when((code == MELD_PENG) & (number == lowest))
            .then(3)
            .when(code.is_in([MELD_EXPOSED, MELD_ADDED, MELD_CONCEALED]) & (number == lowest))
            .then(4)
            .otherwise(0)
        )
        total = total + copies.cast(pl.UInt8)
    return total


def has_set_of(seat: Seat, kind: Kind) -> pl.Expr:
    """Whether a seat has a pung or kong of a kind among its melds."""
    return melded(seat, kind) >= 3


def n_exposed(seat: Seat) -> pl.Expr:
    """Melds of a seat that are no concealed kongs, UInt8."""
    codes = [(meld_code(seat, place) != MELD_CONCEALED).fill_null(False).cast(pl.UInt8) for place in range(_MAX_MELDS)]
    return pl.sum_horizontal(codes).cast(pl.UInt8)


def visible(kind: Kind) -> pl.Expr:
    """Count a kind among the tiles that everybody sees: rivers, melds and the indicator. UInt8."""
    return _count(pl.col("visible_lo"), pl.col("visible_hi"), kind)


def live(seat: Seat, kind: Kind) -> pl.Expr:
    """Count the copies of a kind of the deck that a seat cannot see. Int8."""
    return (COPIES - visible(kind).cast(pl.Int8) - held(seat, kind).cast(pl.Int8)).cast(pl.Int8)


def ready(seat: Seat) -> pl.Expr:
    """Whether a seat is ready (听牌)."""
    return at("waits", seat) != 0


def completes(seat: Seat, kind: Kind) -> pl.Expr:
    """Whether a kind completes a seat's shape, which says nothing of minimums or 漏胡."""
    return (at("waits", seat) // _power(_number(kind).cast(pl.Int64))) & 1 == 1


def n_waits(seat: Seat) -> pl.Expr:
    """Kinds that complete a seat's shape."""
    return at("waits", seat).bitwise_count_ones()


def is_ghost(kind: Kind) -> pl.Expr:
    """Whether a kind is a ghost in the hand."""
    return (pl.col("ghosts") // _power(_number(kind).cast(pl.Int64))) & 1 == 1


def n_ghosts(seat: Seat) -> pl.Expr:
    """Ghosts in a seat's concealed hand, UInt8."""
    return pl.sum_horizontal(pl.when(is_ghost(k)).then(held(seat, k)).otherwise(0) for k in range(N_KINDS)).cast(
        pl.UInt8
    )


def of_suit(seat: Seat, suit: int) -> pl.Expr:
    """Concealed tiles of a suit (0 m, 1 p, 2 s) in a seat's hand, ghosts of the suit too. UInt8."""
    return pl.sum_horizontal(held(seat, k) for k in range(9 * suit, 9 * suit + 9)).cast(pl.UInt8)


def is_claim() -> pl.Expr:
    """Whether the event takes another seat's discard for a pung, kong or chi."""
    return pl.col("chi_low").ge(0) | pl.col("move").is_in([PENG, GANG_EXPOSED])


def is_refusal(offer: int) -> pl.Expr:
    """Whether the event is a pass of what ``offer`` names (`sim.schema.OFFER_HU` and so on)."""
    return (pl.col("move") == PASS) & (pl.col("offers") & offer != 0)


def is_win() -> pl.Expr:
    """Whether the event is a win."""
    return pl.col("move") == HU


def _number(value: int | pl.Expr) -> pl.Expr:
    return pl.lit(value, pl.Int16) if isinstance(value, int) else value


def _power(exponent: pl.Expr) -> pl.Expr:
    """Two to a power below 64, UInt64."""
    return pl.lit(2, pl.UInt64).pow(exponent.cast(pl.UInt32))


def _bits(word: pl.Expr, first: int, n: int) -> pl.Expr:
    return (word // (1 << first) & ((1 << n) - 1)).cast(pl.UInt8)


def _count(low: pl.Expr, high: pl.Expr, kind: Kind) -> pl.Expr:
    """Read three bits of one of two words, UInt8."""
    if isinstance(kind, int):
        return _bits(low, 3 * kind, 3) if kind < _LOW_KINDS else _bits(high, 3 * (kind - _LOW_KINDS), 3)
    is_low = kind < _LOW_KINDS
    place = pl.when(is_low).then(kind).otherwise(kind - _LOW_KINDS)
    return (pl.when(is_low).then(low).otherwise(high) // _power(3 * place.cast(pl.Int64)) & 7).cast(pl.UInt8)
