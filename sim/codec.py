"""What log files hold, and how it becomes the columns of `sim.schema` again.

Payments, points, the wall's rest and the winners' table all follow from a few facts and the rule set, so files store
the facts: four small seat columns share one integer, winners share the hand's row (slots a, b, c in seat order),
payments are left out. `encode` and `decode` are exact inverses for every row the kernel writes (tested on the rows
themselves, of many rule sets). One million maima hands take 27 bytes a hand as plain columns with zstd, 12 like this.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from operator import add
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from sim import tiles
from sim.rules import Rules
from sim.schema import HAND_COLUMNS, MAX_WINNERS, POOL_COLUMNS, QIANGGANG, WASHOUT, WIN_COLUMNS, ZIMO, H, W

Columns = dict[str, NDArray[Any]]

SLOTS = "abc"
MAX_DRAWN = 20  # horses that one hand can open
# Seat columns that share one integer: name -> (bits of one seat, what is added before packing).
_PACKED = {"shanten_deal": (4, 1), "ready_turn": (8, 0), "calls": (4, 0), "ghosts": (4, 0)}
_KONGS = ("gang_exposed", "gang_added", "gang_concealed", "gang_fed")
_KONG_BITS = 3
_PLAIN = {
    "table": np.uint32,
    "hand": np.uint16,
    "rotation": np.uint8,
    "dealer": np.uint8,
    "round_wind": np.uint8,
    "repeat": np.uint8,
    "outcome": np.uint8,
    "winners": np.uint8,
    "from_seat": np.int8,
    "win_tile": np.int8,
    "turns": np.uint8,
    "n_horses": np.uint8,
    "horse_tiles": np.uint64,
}
_SLOT = {
    "points": np.int32,
    "fan": np.int16,
    "patterns": np.uint64,
    "concealed": np.uint8,
    "waits": np.uint8,
    "live": np.uint8,
    "liable": np.int8,
}
_POOL = {"pool_0": np.uint8, "pool_1": np.uint8, "pool_2": np.uint8, "pool_3": np.uint8, "pool_classes": np.uint32}
_SEATS = range(tiles.N_SEATS)


def in_pool_sample(table: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Whether a table's hands stand in the pool log: the first 1,024 tables, then every sixteenth."""
    sampled: NDArray[np.bool_] = (table < 1024) | (table % 16 == 0)
    return sampled


def _by_seat(name: str) -> tuple[str, ...]:
    return tuple(f"{name}_{seat}" for seat in _SEATS)


def stored_plainly(rules: Rules) -> tuple[str, ...]:
    """Columns that do not follow from the other facts under these rules, so that files hold them as they are."""
    columns: tuple[str, ...] = ()
    horses = rules.horses
    if horses.hit != "class" or horses.price != "hand" or horses.fine or horses.four_ghosts_hit:
        columns += (*_by_seat("horse"), "n_horse_hits")
    elif horses.kind == "drawn" and (rules.scoring.loss_cap or rules.kong.follow_horses):
        columns += _by_seat("horse")
    if rules.tiles in tiles.FLOWERS or rules.dealer.follow_points:
        columns += _by_seat("kong")
    if rules.tiles in tiles.FLOWERS:
        columns += (*_by_seat("flowers"), "wall_left")
    return columns


def _narrow(values: NDArray[np.int64], dtype: Any) -> NDArray[Any]:
    """Cast to the dtype of a stored column; columns of 64 bits are masks and keep their bits.

    Raises
    ------
    OverflowError
        When a value does not fit; a cast alone would wrap it.
    """
    narrow: NDArray[Any] = values.astype(dtype)
    if narrow.itemsize < 8 and (narrow != values).any():
        raise OverflowError(f"{values[narrow != values][0]} does not fit {np.dtype(dtype).name}")
    return narrow


def encode(
    rules: Rules, rows: NDArray[np.int64], wins: NDArray[np.int64], n_wins: NDArray[np.int64]
) -> tuple[Columns, Columns]:
    """Turn kernel rows into the stored hand and pool columns.

    Parameters
    ----------
    rules
        Rule set of the rows; it decides what must be stored as it is.
    rows
        (n, N_ROW_COLUMNS).
    wins, n_wins
        (n, 3, N_WIN_COLUMNS) and (n,): winners of each hand in turn order.
    """
    hands: Columns = {name: _narrow(rows[:, H[name]], dtype) for name, dtype in _PLAIN.items()}
    hands["origin_offset"] = ((rows[:, H["origin"]] - rows[:, H["dealer"]]) % 4).astype(np.uint8)
    for name, (bits, offset) in _PACKED.items():
        first = H[f"{name}_0"]
        weights = 1 << (bits * np.arange(4, dtype=np.int64))
        hands[name] = ((rows[:, first : first + 4] + offset) @ weights).astype(np.uint32 if bits == 8 else np.uint16)
    kongs = np.zeros(len(rows), np.int64)
    for i, name in enumerate(_KONGS):
        first = H[f"{name}_0"]
        kongs += rows[:, first : first + 4] @ (1 << (_KONG_BITS * (4 * i + np.arange(4, dtype=np.int64))))
    hands["kongs"] = kongs.astype(np.uint64)

    valid = np.arange(MAX_WINNERS) < n_wins[:, None]
    if (n_wins > 1).any():
        order = np.argsort(np.where(valid, wins[:, :, W["winner"]], 9), axis=1, kind="stable")
        wins = np.take_along_axis(wins, order[:, :, None], axis=1)
    points_0 = H["points_0"]
    for seat in _SEATS:  # not stored, but the log's readers compute it
        _narrow(rows[:, points_0 + seat], np.int32)
    for i, slot in enumerate(SLOTS):
        used = valid[:, i]
        for name, dtype in _SLOT.items():
            hands[f"{name}_{slot}"] = _narrow(np.where(used, wins[:, i, W[name]], 0), dtype)
        lag = rows[:, H["turns"]] // 4 - wins[:, i, W["win_turn"]]
        hands[f"lag_{slot}"] = np.where(used, lag, 0).astype(np.int8)

    dtypes = {c.name: np.dtype(c.dtype.lower()) for c in HAND_COLUMNS}
    hands |= {name: _narrow(rows[:, H[name]], dtypes[name]) for name in stored_plainly(rules)}

    sampled = rows[in_pool_sample(rows[:, H["table"]])]
    pool: Columns = {name: sampled[:, H[name]].astype(_PLAIN[name]) for name in ("table", "hand")}
    pool |= {name: sampled[:, H[name]].astype(dtype) for name, dtype in _POOL.items()}
    return hands, pool


def _bits(name: str, first: int, n: int) -> pl.Expr:
    """``n`` bits of a stored integer from bit ``first``."""
    return (pl.col(name) // (1 << first)) & ((1 << n) - 1)


def _winner(seat: int) -> pl.Expr:
    return _bits("winners", seat, 1) == 1


def _in_slot(seat: int, name: str) -> pl.Expr:
    """Value of a winner's column for ``seat``, which must be a winner: its slot counts the winners before it."""
    before = (pl.col("winners") & ((1 << seat) - 1)).bitwise_count_ones()
    a, b, c = (pl.col(f"{name}_{slot}") for slot in SLOTS)
    if seat == 0:
        return a
    second = pl.when(before == 1).then(b).otherwise(c) if seat > 1 else b
    return pl.when(before == 0).then(a).otherwise(second)


def payment(payer: int, winner: int) -> pl.Expr:
    """Return what ``payer`` pays ``winner`` for the hand, without horses, from hand_0..3 (Int64, 0 if nothing)."""
    by_draw = pl.col("outcome") == ZIMO
    return (
        pl.when(_winner(winner) & by_draw)
        .then(-pl.col(f"hand_{payer}").cast(pl.Int64))
        .when(_winner(winner) & (pl.col("from_seat") == payer))
        .then(pl.col(f"hand_{winner}").cast(pl.Int64))
        .otherwise(0)
    )


def horse_origin(rules: Rules, winner: int, origin: str | None = None) -> pl.Expr:
    """Return the seat that counts as "1" for the payments to ``winner`` (Int64).

    ``origin`` is a value of ``horses.origin``: the rule set's own unless given.
    """
    one_winner = {
        "dealer": pl.col("dealer").cast(pl.Int64),
        "winner": pl.lit(winner, pl.Int64),
        "previous_winner": pl.col("origin").cast(pl.Int64),
    }[origin or rules.horses.origin]
    if rules.horses.origin_multiple == "same":
        return one_winner
    several = pl.col("winners").bitwise_count_ones() > 1
    return pl.when(several).then(pl.col("from_seat").cast(pl.Int64)).otherwise(one_winner)


def _sum(terms: list[pl.Expr]) -> pl.Expr:
    total: pl.Expr = reduce(add, terms)
    return total


def _hand_points(rules: Rules, seat: int) -> pl.Expr:
    """Points of a seat from wins, without horses."""
    shares = _sum([pl.col(f"points_{slot}").cast(pl.Int64) for slot in SLOTS])
    factor = pl.when(pl.col("outcome") == QIANGGANG).then(rules.win.rob_shares).otherwise(1)
    liable = pl.col("liable_a")
    by_draw = (
        pl.when(_winner(seat))
        .then(3 * shares)
        .when(liable == seat)
        .then(-3 * shares)
        .when(liable < 0)
        .then(-shares)
        .otherwise(0)
    )
    by_tile = (
        pl.when(_winner(seat))
        .then(_in_slot(seat, "points").cast(pl.Int64) * factor)
        .when(pl.col("from_seat") == seat)
        .then(-shares * factor)
        .otherwise(0)
    )
    return (
        pl.when(pl.col("outcome") == WASHOUT)
        .then(0)
        .when(pl.col("outcome") == ZIMO)
        .then(by_draw)
        .otherwise(by_tile)
        .cast(pl.Int32)
    )


def _kong_points(rules: Rules, seat: int) -> pl.Expr:
    """Points of a seat from kongs."""
    kong = rules.kong

    def made(name: str, by: int) -> pl.Expr:
        return pl.col(f"{name}_{by}").cast(pl.Int64)

    def from_each(name: str, price: int) -> pl.Expr:
        return _sum([made(name, by) * (3 * price if by == seat else -price) for by in _SEATS])

    direct = (
        from_each("gang_exposed", kong.direct)
        if kong.direct_payer == "all"
        else (made("gang_exposed", seat) - made("gang_fed", seat)) * kong.direct
    )
    total = direct + from_each("gang_added", kong.added) + from_each("gang_concealed", kong.concealed)
    if kong.on_washout == "void":
        total = pl.when(pl.col("outcome") == WASHOUT).then(0).otherwise(total)
    return (total * rules.scoring.base).cast(pl.Int32)


def _matching(horses: pl.Expr, n: int, horse_class: pl.Expr) -> pl.Expr:
    """How many of the first ``n`` 2-bit classes in ``horses`` equal ``horse_class`` (Int64)."""
    low_bits = (4**n - 1) // 3
    different = horses ^ (horse_class.cast(pl.UInt64) * low_bits)
    unequal: pl.Expr = ((different | (different // 2)) & low_bits).bitwise_count_ones().cast(pl.Int64)
    return n - unequal


def _drawn_hits(rules: Rules, winner: int) -> pl.Expr:
    """Horses drawn on a winner; classes of horses that were not there to draw read as 0 and are taken off."""
    own = (winner - horse_origin(rules, winner)) % 4
    missing = pl.when(own == 0).then(MAX_DRAWN - pl.col("n_horses").cast(pl.Int64)).otherwise(0)
    hits = _matching(pl.col("horse_tiles"), MAX_DRAWN, own) - missing
    return pl.when(_winner(winner)).then(hits).otherwise(0)


def _own_horses(rules: Rules, holder: int) -> pl.Expr:
    """Classes of the horses that a seat held, 2 bits each (UInt64)."""
    n = rules.horses.count
    places = [
        _bits("horse_tiles", 2 * n * p, 2 * n) * ((holder - pl.col("dealer").cast(pl.Int8)) % 4 == p).cast(pl.UInt64)
        for p in _SEATS
    ]
    return _sum(places)


def _held_on(rules: Rules, holder: int, means: int, winner: int) -> pl.Expr:
    """How many horses of ``holder`` mean seat ``means`` in the payments to ``winner``; needs the columns _own_0..3."""
    wanted = (means - horse_origin(rules, winner)) % 4
    return _matching(pl.col(f"_own_{holder}"), rules.horses.count, wanted)


def _pay(payer: int, winner: int) -> pl.Expr:
    return pl.col(f"_pay_{payer}_{winner}")


def _drawn_points(seat: int) -> pl.Expr:
    others = [s for s in _SEATS if s != seat]
    gains = _sum([_pay(payer, seat) for payer in others]) * pl.col(f"_hits_{seat}")
    return gains - _sum([_pay(seat, winner) * pl.col(f"_hits_{winner}") for winner in others])


def _held_points(rules: Rules, seat: int) -> pl.Expr:
    total = []
    for winner in _SEATS:
        losers = [p for p in _SEATS if p != winner]
        # Horses on the winner: every payer pays the holder again, except for the holder's own part.
        received = _sum([_pay(p, winner) for p in losers if p != seat])
        total.append(_held_on(rules, seat, winner, winner) * received)
        if seat != winner:
            others = _sum([_held_on(rules, h, winner, winner) for h in _SEATS if h != seat])
            total.append(-_pay(seat, winner) * others)
        # Horses on a payer: the holder pays the winner again.
        for p in losers:
            holders = losers if seat == winner else [seat]
            again = _sum([_held_on(rules, h, p, winner) for h in holders]) * _pay(p, winner)
            total.append(again if seat == winner else -again)
    return _sum(total)


def _with_horses(frame: pl.LazyFrame, rules: Rules, plain: tuple[str, ...]) -> pl.LazyFrame:
    """Add horse_0..3 and n_horse_hits as far as they are not stored as they are."""
    kind = rules.horses.kind
    if kind == "none":
        nothing = {f"horse_{seat}": pl.lit(0, pl.Int32) for seat in _SEATS}
        return frame.with_columns(**nothing, n_horse_hits=pl.lit(0, pl.UInt8))
    pays = {f"_pay_{p}_{w}": payment(p, w) for w in _SEATS for p in _SEATS if p != w}
    own: dict[str, pl.Expr]
    columns: dict[str, pl.Expr]
    if kind == "drawn":
        own = {f"_hits_{seat}": _drawn_hits(rules, seat) for seat in _SEATS}
        columns = {f"horse_{seat}": _drawn_points(seat).cast(pl.Int32) for seat in _SEATS}
        columns["n_horse_hits"] = _sum([pl.col(name) for name in own])
    else:
        own = {f"_own_{seat}": _own_horses(rules, seat) for seat in _SEATS}
        columns = {f"horse_{seat}": _held_points(rules, seat).cast(pl.Int32) for seat in _SEATS}
        columns["n_horse_hits"] = _held_hits(rules)
    return frame.with_columns(**pays, **own).with_columns(**{n: c for n, c in columns.items() if n not in plain})


def _held_hits(rules: Rules) -> pl.Expr:
    """Horses on seats that won or paid, counted from the first winner in turn order."""
    source = pl.col("from_seat").cast(pl.Int64)
    total: pl.Expr = pl.lit(0, pl.Int64)
    for winner in _SEATS:
        others = [w for w in _SEATS if w != winner]
        is_first = reduce(
            lambda a, b: a & b,
            [~(_winner(w) & ((w - source) % 4 < (winner - source) % 4)) for w in others],
            _winner(winner),
        )
        moved = _sum([
            (pl.col(f"hand_{means}") != 0).cast(pl.Int64) * _held_on(rules, holder, means, winner)
            for means in _SEATS
            for holder in _SEATS
        ])  # fmt: skip
        total = pl.when(is_first).then(moved).otherwise(total)
    return total


def _wall_left(rules: Rules) -> pl.Expr:
    """Tiles of the deck that were neither dealt, turned, held as horses nor drawn."""
    drawable = len(tiles.TILE_SETS[rules.tiles]) * tiles.COPIES - rules.play.last_tiles_reserved - 52
    drawable -= rules.ghost.mode.startswith("turned")
    drawable -= 4 * rules.horses.count if rules.horses.kind == "held" else 0
    return (drawable - pl.col("turns").cast(pl.Int16)).cast(pl.UInt8)


def decode_hands(stored: pl.LazyFrame, rules: Rules) -> pl.LazyFrame:
    """Turn stored hands into the columns of ``HAND_COLUMNS``; what is not asked for is not computed."""
    spread = {
        f"{name}_{seat}": (_bits(name, bits * seat, bits).cast(pl.Int16) - offset)
        for name, (bits, offset) in _PACKED.items()
        for seat in _SEATS
    } | {
        f"{name}_{seat}": _bits("kongs", _KONG_BITS * (4 * i + seat), _KONG_BITS)
        for i, name in enumerate(_KONGS)
        for seat in _SEATS
    }
    plain = stored_plainly(rules)

    def derived(columns: dict[str, pl.Expr]) -> dict[str, pl.Expr]:
        return {name: column for name, column in columns.items() if name not in plain}

    frame = stored.with_columns(
        **spread,
        origin=(pl.col("origin_offset") + pl.col("dealer")) % 4,
        **derived({"wall_left": _wall_left(rules)} | {name: pl.lit(0, pl.UInt8) for name in _by_seat("flowers")}),
        **{f"hand_{seat}": _hand_points(rules, seat) for seat in _SEATS},
    )
    frame = frame.with_columns(**derived({f"kong_{seat}": _kong_points(rules, seat) for seat in _SEATS}))
    frame = _with_horses(frame, rules, plain).with_columns(
        **{
            f"points_{seat}": pl.col(f"hand_{seat}") + pl.col(f"kong_{seat}") + pl.col(f"horse_{seat}")
            for seat in _SEATS
        }
    )
    return frame.select(pl.col(c.name).cast(getattr(pl, c.dtype)) for c in HAND_COLUMNS)


def decode_wins(stored: pl.LazyFrame) -> pl.LazyFrame:
    """Turn stored hands into the winners' table, the columns of ``WIN_COLUMNS``, in order of table, hand and seat."""
    keys = ("table", "hand", "outcome", "turns", "winners")
    slots = []
    for i, slot in enumerate(SLOTS):
        rest = pl.col("winners")
        for _ in range(i):
            rest = rest & (rest - 1).cast(pl.UInt8)
        slots.append(
            stored.filter(pl.col("winners").bitwise_count_ones() > i).select(
                *keys, *(pl.col(f"{name}_{slot}").alias(name) for name in _SLOT), pl.col(f"lag_{slot}").alias("lag"),
                winner=rest.bitwise_trailing_zeros(),
            )
        )  # fmt: skip
    return (
        pl.concat(slots)
        .with_columns(
            source=pl.col("outcome"),
            win_turn=pl.col("turns").cast(pl.Int16) // 4 - pl.col("lag"),
        )
        .select(pl.col(c.name).cast(getattr(pl, c.dtype)) for c in WIN_COLUMNS)
        .sort("table", "hand", "winner")
    )


POOL_DTYPES = {"table": pl.UInt32, "hand": pl.UInt16} | {c.name: getattr(pl, c.dtype) for c in POOL_COLUMNS}


def stored_dtypes(rules: Rules) -> Mapping[str, np.dtype[Any]]:
    """Names and dtypes of the stored hand columns."""
    rows, wins = np.zeros((0, len(H)), np.int64), np.zeros((0, MAX_WINNERS, len(W)), np.int64)
    return {name: values.dtype for name, values in encode(rules, rows, wins, np.zeros(0, np.int64))[0].items()}
