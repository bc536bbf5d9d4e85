"""How facts share small columns, so that a hand takes few bytes.

Parquet keeps a column of few values as places in a list of them, of as many bits as their number needs, and zstd then
codes bytes. Where places fill bytes evenly (1, 2, 4 or 8 bits) the file comes to within some per cent of the column's
entropy; with 3, 5 or 7 bits it loses up to a third. So seats' facts are put together to 8 bits or cut to 2 and 4, and
places that mean nothing (a winner's tile where nobody won) repeat the commonest value.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from sim.patterns import PATTERNS
from sim.schema import DIANPAO, NEVER, QIANGGANG, WASHOUT, ZIMO, H, W
from sim.tiles import N_SEATS

Columns = dict[str, NDArray[np.generic]]

_LATE, _NEVER = 14, 15  # codes of ready_turn in four bits: this many discards or more, never
_FOUR = 4 ** np.arange(N_SEATS)  # weights of two bits a seat
_NOBODY = -1  # win_tile and from_seat where there is none
if len(PATTERNS) > 48:
    raise AssertionError("the mask of patterns does not leave 16 bits of a word free")
# What means nothing where nobody won.
_OF_THE_WIN = (
    "win_suit", "win_rank", "n_horses", "worth_a", "beyond_a", "liable_a", "lag_a", "waits_a", "wider_a",
)  # fmt: skip


def pack_seats(rows: NDArray[np.int64]) -> Columns:
    """Pack shanten as dealt, ready turn, calls and ghosts of the seats.

    ``start_s``: bits 0 to 3 the ready turn (14 later, 15 never), bits 4 to 6 the low ones of shanten + 1, bit 7 whether
    the calls are odd. ``late_s``: discards from 14 on; ``pairs_of_calls_s``: calls // 2; ``far``: bit s the fourth one
    of seat s's shanten + 1; ``ghost_pair_0``, ``_2``: the low two bits of two seats' ghosts; ``many_ghosts``: the rest.
    """
    ghosts = rows[:, H["ghosts_0"] : H["ghosts_0"] + N_SEATS]
    columns: Columns = {f"ghost_pair_{s}": ((ghosts[:, s : s + 2] & 3) @ _FOUR[:2]).astype(np.uint8) for s in (0, 2)}
    columns["many_ghosts"] = ((ghosts >> 2) @ _FOUR).astype(np.uint8)
    far = np.zeros(len(rows), np.uint8)
    for seat in range(N_SEATS):
        turn, calls = rows[:, H[f"ready_turn_{seat}"]], rows[:, H[f"calls_{seat}"]]
        distance = rows[:, H[f"shanten_deal_{seat}"]] + 1
        code = np.where(turn == NEVER, _NEVER, np.minimum(turn, _LATE))
        columns[f"start_{seat}"] = (code + 16 * (distance & 7) + 128 * (calls & 1)).astype(np.uint8)
        columns[f"late_{seat}"] = np.where(code == _LATE, turn - _LATE, 0).astype(np.uint8)
        columns[f"pairs_of_calls_{seat}"] = (calls >> 1).astype(np.uint8)
        far |= (distance >> 3 << seat).astype(np.uint8)
    columns["far"] = far
    return columns


def _two_bits(name: str, place: int) -> pl.Expr:
    bits: pl.Expr = (pl.col(name) // 4**place) & 3
    return bits


def unpack_seats() -> dict[str, pl.Expr]:
    """Return the seats' columns from those of `pack_seats`."""
    columns = {}
    for seat in range(N_SEATS):
        start = pl.col(f"start_{seat}").cast(pl.Int16)
        code, low = start & 15, (start // 16) & 7
        columns[f"ready_turn_{seat}"] = pl.when(code == _NEVER).then(NEVER).otherwise(code + pl.col(f"late_{seat}"))
        columns[f"shanten_deal_{seat}"] = low + 8 * ((pl.col("far") // (1 << seat)) & 1).cast(pl.Int16) - 1
        few, many = (_two_bits(f"ghost_pair_{seat // 2 * 2}", seat % 2), _two_bits("many_ghosts", seat))
        columns[f"ghosts_{seat}"] = few + 4 * many
        columns[f"calls_{seat}"] = start // 128 + 2 * pl.col(f"pairs_of_calls_{seat}")
    return columns


def pack_end(rows: NDArray[np.int64], concealed: NDArray[np.generic]) -> Columns:
    """Pack how the hand ended; ``concealed`` is the first winner's.

    The outcome follows from ``winners``, ``from_seat`` and ``robbed``; ``end`` is twice the turns and ``concealed``.
    """
    tile = np.maximum(rows[:, H["win_tile"]], 0)
    return {
        "robbed": (rows[:, H["outcome"]] == QIANGGANG).astype(np.uint8),
        "win_suit": (tile // 9).astype(np.uint8),
        "win_rank": (tile % 9).astype(np.uint8),
        "end": (2 * rows[:, H["turns"]] + concealed.astype(np.int64)).astype(np.uint16),
    }


def unpack_end() -> dict[str, pl.Expr]:
    """Return the hand's columns from those of `pack_end`, and the number of horses."""
    nobody = pl.col("winners") == 0
    won = (
        pl.when(pl.col("from_seat") == _NOBODY)
        .then(ZIMO)
        .when(pl.col("robbed") == 1)
        .then(QIANGGANG)
        .otherwise(DIANPAO)
    )
    tile = (9 * pl.col("win_suit") + pl.col("win_rank")).cast(pl.Int8)
    return {
        "outcome": pl.when(nobody).then(WASHOUT).otherwise(won).cast(pl.UInt8),
        "win_tile": pl.when(nobody).then(pl.lit(_NOBODY, pl.Int8)).otherwise(tile),
        "turns": (pl.col("end") // 2).cast(pl.UInt8),
        "concealed_a": (pl.col("end") & 1).cast(pl.UInt8),
        "n_horses": pl.when(nobody).then(pl.lit(0, pl.UInt8)).otherwise(pl.col("n_horses")),
    }


def pack_win(win: NDArray[np.int64], slot: str) -> Columns:
    """Pack what a winner won with and for; ``win`` (n, N_WIN_COLUMNS), where there is none zeros and fan -1.

    ``worth``: the patterns from bit 16, fan + 1 in four bits from bit 12, the low twelve of the points, which mostly
    follow from one another; ``beyond``: what does not fit, the points' part from bit 12. ``waits``: 16 times the kinds
    waited for, and how many of their tiles the winner saw, each 15 at most; ``wider``: what is more, from bit 8 and
    from bit 0.
    """
    points, fan, waits, live = (win[:, W[name]] for name in ("points", "fan", "waits", "live"))
    seen = (4 * waits - live) & 255
    few, seen_few = np.minimum(waits, 15), np.minimum(seen, 15)
    return {
        f"worth_{slot}": ((win[:, W["patterns"]] << 16) + (((fan + 1) & 15) << 12) + (points & 4095)).astype(np.uint64),
        f"beyond_{slot}": ((points >> 12 << 12) + ((fan + 1) >> 4)).astype(np.uint32),
        f"waits_{slot}": (16 * few + seen_few).astype(np.uint8),
        f"wider_{slot}": (256 * (waits - few) + seen - seen_few).astype(np.uint16),
    }


def unpack_win(slot: str) -> dict[str, pl.Expr]:
    """Return a winner's columns from those of `pack_win`."""
    worth, beyond = pl.col(f"worth_{slot}"), pl.col(f"beyond_{slot}")
    few, wider = pl.col(f"waits_{slot}").cast(pl.UInt16), pl.col(f"wider_{slot}")
    waits = few // 16 + wider // 256
    seen = (few & 15) + (wider & 255)
    return {
        f"patterns_{slot}": worth // 65_536,
        f"fan_{slot}": (((worth // 4096) & 15).cast(pl.Int16) + 16 * (beyond & 4095).cast(pl.Int16) - 1),
        f"points_{slot}": ((worth & 4095).cast(pl.Int32) + (beyond // 4096 * 4096).cast(pl.Int32)),
        f"waits_{slot}": waits.cast(pl.UInt8),
        f"live_{slot}": ((4 * waits + 256 - seen) & 255).cast(pl.UInt8),
    }


def fill_unused(stored: pl.DataFrame) -> pl.DataFrame:
    """Put the commonest value of the wins (of several the least) where nobody won; no reader looks there."""
    wins = stored.filter(pl.col("winners") != 0)
    if wins.height in (0, stored.height):
        return stored
    return _with_unused(stored, wins.select(pl.col(name).mode().min() for name in _OF_THE_WIN).row(0, named=True))


def clear_unused(stored: pl.DataFrame) -> pl.DataFrame:
    """Put 0 where nobody won, as before `fill_unused`."""
    return _with_unused(stored, dict.fromkeys(_OF_THE_WIN, 0))


def _with_unused(stored: pl.DataFrame, values: dict[str, Any]) -> pl.DataFrame:
    return stored.with_columns(
        pl.when(pl.col("winners") == 0).then(pl.lit(value, stored.schema[name])).otherwise(pl.col(name)).alias(name)
        for name, value in values.items()
    )
