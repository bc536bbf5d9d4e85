"""What log files hold, and how it becomes the columns of `sim.schema` again.

Payments, points, the wall's rest and the winners' table all follow from a few facts and the rule set, so files store
the facts: winners share the hand's row (slots a, b, c in seat order), payments are left out, small facts share columns
(`sim.packing`). `encode` and `decode` are exact inverses for every row the kernel writes (tested on the rows
themselves, of many rule sets). One million maima hands take 27 bytes a hand as plain columns with zstd, 10 like this.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from sim import tiles
from sim.flags import to_flags
from sim.packing import pack_end, pack_seats, pack_win, unpack_end, unpack_seats, unpack_win
from sim.payments import N_RESULT_ROWS, derive
from sim.rules import Rules
from sim.schema import EVENT_COLUMNS, HAND_COLUMNS, MAX_WINNERS, POOL_COLUMNS, WIN_COLUMNS, ZIMO, H, W

Columns = dict[str, NDArray[Any]]

SLOTS = "abc"
MAX_DRAWN = 20  # horses that one hand can open
_KONGS = ("gang_exposed", "gang_added", "gang_concealed", "gang_fed")
_KONG_BITS = 3
_PLAIN = {
    "table": np.uint32,
    "hand": np.uint16,
    "rotation": np.uint8,
    "dealer": np.uint8,
    "round_wind": np.uint8,
    "repeat": np.uint8,
    "winners": np.uint8,
    "from_seat": np.int8,
    "n_horses": np.uint8,
    "horse_tiles": np.uint64,
}
_WON = {"points": np.int32, "fan": np.int16, "waits": np.uint8, "live": np.uint8}  # packed, and must fit these
_SLOT = {"concealed": np.uint8, "liable": np.int8}
_POOL = {"pool_0": np.uint8, "pool_1": np.uint8, "pool_2": np.uint8, "pool_3": np.uint8, "pool_classes": np.uint32}
_SEATS = range(tiles.N_SEATS)


def in_pool_sample(table: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Whether a table's hands stand in the pool log: the first 1,024 tables, then every sixteenth."""
    sampled: NDArray[np.bool_] = (table < 1024) | (table % 16 == 0)
    return sampled


def _by_seat(name: str) -> tuple[str, ...]:
    return tuple(f"{name}_{seat}" for seat in _SEATS)


def owes_unequally(rules: Rules) -> bool:
    """Whether what a seat pays for a win may be other than a share or three of one who discarded or was robbed."""
    multiples = rules.multiples.model_dump(exclude={"opened_each"}).values()
    all_alike = all(times == 10 for times in multiples) and not rules.scoring.loss_cap_all
    return not all_alike or rules.win.payers == "all" or rules.liability.quanqiuren


def stored_plainly(rules: Rules) -> tuple[str, ...]:
    """Columns that do not follow from the other facts under these rules, so that files hold them as they are."""
    columns: tuple[str, ...] = ()
    horses = rules.horses
    if horses.hit != "class" or horses.price != "hand" or horses.fine or horses.four_ghosts_hit:
        columns += (*_by_seat("horse"), "n_horse_hits")
    elif horses.kind == "drawn" and (rules.scoring.loss_cap or rules.kong.follow_horses):
        columns += _by_seat("horse")
    if owes_unequally(rules):
        columns += _by_seat("hand")
    if rules.tiles in tiles.FLOWERS or rules.dealer.follow_points:
        columns += _by_seat("kong")
    if rules.tiles in tiles.FLOWERS:
        columns += _by_seat("flowers")
    if rules.tiles in tiles.FLOWERS or rules.play.reserve_per_kong or rules.play.odd_tile_stays:
        columns += ("wall_left",)
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
    hands |= pack_seats(rows)
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
    _narrow(rows[:, H["turns"]], np.uint8)
    for i, slot in enumerate(SLOTS):
        used = valid[:, i]
        win = np.where(used[:, None], wins[:, i], 0)
        win[~used, W["fan"]] = -1
        for name, dtype in _WON.items():
            _narrow(win[:, W[name]], dtype)
        hands |= pack_win(win, slot)
        for name, dtype in _SLOT.items():
            hands[f"{name}_{slot}"] = _narrow(win[:, W[name]], dtype)
        lag = rows[:, H["turns"]] // 4 - wins[:, i, W["win_turn"]]
        hands[f"lag_{slot}"] = np.where(used, lag, 0).astype(np.int8)
    hands |= pack_end(rows, hands.pop("concealed_a"))

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


def payment(rules: Rules, payer: int, winner: int) -> pl.Expr:
    """Return what ``payer`` pays ``winner`` for the hand, without horses, from hand_0..3 (Int64, 0 if nothing)."""
    only_winner = (pl.col("outcome") == ZIMO) | (rules.win.payers == "all")
    return (
        pl.when(_winner(winner) & only_winner)
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


_FACTS = (
    "outcome", "winners", "from_seat", "dealer", "origin", "liable_a", *(f"points_{slot}" for slot in SLOTS), "kongs",
    "n_horses", "horse_tiles",
)  # fmt: skip
_PAYMENTS = (*_by_seat("hand"), *_by_seat("kong"), *_by_seat("horse"), "n_horse_hits")


def _payments(rules: Rules) -> pl.Expr:
    """Return a struct of the columns `_PAYMENTS`, Int64, as they follow from the stored facts."""
    flags = to_flags(rules)
    given = [name for name in _by_seat("hand") if name in stored_plainly(rules)]

    def derived(rows: pl.Series) -> pl.Series:
        columns = rows.struct.unnest()
        out = np.zeros((N_RESULT_ROWS, len(rows)), np.int64)
        for row, name in enumerate(given):
            out[row] = columns[name].to_numpy()
        facts = {name: columns[name].to_numpy() for name in _FACTS}
        points = np.stack([facts[f"points_{slot}"] for slot in SLOTS])
        derive(
            flags, facts["outcome"], facts["winners"], facts["from_seat"], facts["dealer"], facts["origin"],
            facts["liable_a"], points, facts["kongs"], facts["n_horses"], facts["horse_tiles"], bool(given), out,
        )  # fmt: skip
        return pl.DataFrame(dict(zip(_PAYMENTS, out, strict=True))).to_struct()

    dtype = pl.Struct(dict.fromkeys(_PAYMENTS, pl.Int64))
    return pl.struct(*_FACTS, *given).map_batches(derived, return_dtype=dtype, is_elementwise=True)


def _wall_left(rules: Rules) -> pl.Expr:
    """Tiles of the deck that were neither dealt, turned, held as horses nor drawn."""
    drawable = len(tiles.TILE_SETS[rules.tiles]) * tiles.COPIES - rules.play.last_tiles_reserved - 52
    drawable -= rules.ghost.mode.startswith("turned")
    drawable -= 4 * rules.horses.count if rules.horses.kind == "held" else 0
    return (drawable - pl.col("turns").cast(pl.Int16)).cast(pl.UInt8)


def _winners() -> dict[str, pl.Expr]:
    return {name: column for slot in SLOTS for name, column in unpack_win(slot).items()}


def decode_hands(stored: pl.LazyFrame, rules: Rules) -> pl.LazyFrame:
    """Turn stored hands into the columns of ``HAND_COLUMNS``; what is not asked for is not computed."""
    kongs = {
        f"{name}_{seat}": _bits("kongs", _KONG_BITS * (4 * i + seat), _KONG_BITS)
        for i, name in enumerate(_KONGS)
        for seat in _SEATS
    }
    plain = stored_plainly(rules)

    def derived(columns: dict[str, pl.Expr]) -> dict[str, pl.Expr]:
        return {name: column for name, column in columns.items() if name not in plain}

    frame = (
        stored.with_columns(**unpack_end(), **_winners())
        .with_columns(
            **kongs,
            **unpack_seats(),
            origin=(pl.col("origin_offset") + pl.col("dealer")) % 4,
            **derived({"wall_left": _wall_left(rules)} | {name: pl.lit(0, pl.UInt8) for name in _by_seat("flowers")}),
        )
        .with_columns(_payments=_payments(rules))
    )
    frame = frame.with_columns(
        **derived({name: pl.col("_payments").struct.field(name) for name in _PAYMENTS})
    ).with_columns(
        **{
            f"points_{seat}": pl.col(f"hand_{seat}") + pl.col(f"kong_{seat}") + pl.col(f"horse_{seat}")
            for seat in _SEATS
        }
    )
    return frame.select(pl.col(c.name).cast(getattr(pl, c.dtype)) for c in HAND_COLUMNS)


def decode_wins(stored: pl.LazyFrame) -> pl.LazyFrame:
    """Turn stored hands into the winners' table, the columns of ``WIN_COLUMNS``, in order of table, hand and seat."""
    keys = ("table", "hand", "outcome", "turns", "winners")
    stored = stored.with_columns(**unpack_end(), **_winners())
    slots = []
    for i, slot in enumerate(SLOTS):
        rest = pl.col("winners")
        for _ in range(i):
            rest = rest & (rest - 1).cast(pl.UInt8)
        slots.append(
            stored.filter(pl.col("winners").bitwise_count_ones() > i).select(
                *keys, *(pl.col(f"{name}_{slot}").alias(name) for name in (*_WON, *_SLOT, "patterns", "lag")),
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


POOL_DTYPES = pl.Schema({"table": pl.UInt32, "hand": pl.UInt16} | {c.name: getattr(pl, c.dtype) for c in POOL_COLUMNS})
EVENT_DTYPES = pl.Schema({c.name: getattr(pl, c.dtype) for c in EVENT_COLUMNS})


def stored_dtypes(rules: Rules) -> Mapping[str, np.dtype[Any]]:
    """Names and dtypes of the stored hand columns."""
    rows, wins = np.zeros((0, len(H)), np.int64), np.zeros((0, MAX_WINNERS, len(W)), np.int64)
    return {name: values.dtype for name, values in encode(rules, rows, wins, np.zeros(0, np.int64))[0].items()}
