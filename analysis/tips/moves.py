"""What tips read of a trace: discards with what came before and after them, and what each seat held and saw.

A `Trace` is read in pieces; a piece has its discards with columns that take the order of play to know:

``taken_by, won_by``  masks of the seats that claimed or won on the discard
``next_move, next_seat, next_from``  the move after it that was no pass; 255 and -1 where the hand ended
``before``  the move before it that was no pass, 255 for the hand's first

`Rows` holds some of them as arrays.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from analysis.scan import Run, at_seat
from analysis.tips import shapes
from analysis.tips.shapes import Bools, Counts, Ints
from sim.rules import Rules
from sim.schema import (
    CHI,
    DISCARD,
    GANG_EXPOSED,
    HU,
    MELD_PENG,
    PASS,
    PENG,
)
from sim.tiles import COPIES, FIRST_HONOUR, N_KINDS, N_SEATS

NOTHING = 255
_KEY = ["table", "hand", "step"]
_LOOK_AHEAD = 3  # moves on one discard at most: three winners
_TAKES = (HU, PENG, GANG_EXPOSED, CHI)
# Columns of a seat that are read together.
_GROUPS = {"tiles": ("hand_lo", "hand_hi"), "river": ("river_lo", "river_hi"), "melds": ("melds", "n_melds")}
_ALL_NUMBERS = 0o111111111
_HANDS_AT_ONCE = 8_192
_ALWAYS = ("table", "hand", "step", "seat", "kind", "turn", "wall_left")


def mover(name: str) -> pl.Expr:
    """Value of ``name_0`` .. ``name_3`` at the seat that moves."""
    return at_seat(name, pl.col("seat"))


def prepare_events(events: pl.DataFrame) -> pl.DataFrame:
    """Return the discards of whole hands with the columns of the module's docstring.

    ``events`` are in order of play.
    """
    acts = events.filter(pl.col("move") != PASS).select(*_KEY, "move", "seat", "kind", "from_seat")
    hand = pl.struct("table", "hand")

    def later(name: str, by: int, otherwise: int) -> pl.Expr:
        return pl.when(hand.shift(-by) == hand).then(pl.col(name).shift(-by)).otherwise(otherwise)

    def taken(moves: Sequence[int]) -> pl.Expr:
        """Mask of the seats that made one of the moves on the discard of this row."""
        bits = [
            pl.when(
                (hand.shift(-by) == hand)
                & (pl.col("from_seat").shift(-by) == pl.col("seat").cast(pl.Int8))
                & pl.col("move").shift(-by).is_in(moves)
            )
            .then(pl.lit(2, pl.UInt32).pow(pl.col("seat").shift(-by)).cast(pl.UInt8))
            .otherwise(0)
            for by in range(1, _LOOK_AHEAD + 1)
        ]
        return (bits[0] | bits[1] | bits[2]).cast(pl.UInt8)

    derived = (
        acts.with_columns(
            taken_by=taken(_TAKES),
            won_by=taken((HU,)),
            next_move=later("move", 1, NOTHING).cast(pl.UInt8),
            next_seat=later("seat", 1, NOTHING).cast(pl.UInt8),
            next_from=later("from_seat", 1, -1).cast(pl.Int8),
            before=pl.when(hand.shift(1) == hand).then(pl.col("move").shift(1)).otherwise(NOTHING).cast(pl.UInt8),
        )
        .filter(pl.col("move") == DISCARD)
        .drop("move", "seat", "kind", "from_seat")
    )
    return events.filter(pl.col("move") == DISCARD).join(derived, on=_KEY, how="left", maintain_order="left")


@dataclass(frozen=True)
class Trace:
    """Traced hands of one rule set and bot, or a piece of them that fits into memory and knows its `discards`."""

    rules: Rules
    bot: str
    n_hands: int
    events: pl.LazyFrame
    hands: pl.LazyFrame
    wins: pl.LazyFrame
    pools: pl.LazyFrame
    discards: pl.DataFrame

    @classmethod
    def of(cls, run: Run, bot: str) -> Trace:
        """All of a run; its pieces know the discards."""
        return cls(run.rules, bot, run.n_hands, run.events, run.hands, run.wins, run.pools, pl.DataFrame())

    def pieces(self) -> Iterator[Trace]:
        """Tables by and by."""
        hands = self.hands.collect()
        n_tables = int(hands["table"].to_numpy().max()) + 1 if hands.height else 0
        per_table = max(hands.height // max(n_tables, 1), 1)
        step = max(_HANDS_AT_ONCE // per_table, 1)
        for first in range(0, n_tables, step):
            here = pl.col("table").is_between(first, first + step - 1)
            events = self.events.filter(here).collect().sort(_KEY)
            some = hands.filter(here)
            yield replace(
                self,
                n_hands=some.height,
                events=events.lazy(),
                hands=some.lazy(),
                wins=self.wins.filter(here),
                pools=self.pools.filter(here),
                discards=prepare_events(events),
            )

    def rows(self, *names: str, where: pl.Expr | None = None) -> Rows:
        """Read a piece's discards.

        ``names`` are columns, those of all seats by their beginning, ``tiles`` (hands), ``river``, or ``seen`` (what
        lies open).
        """
        wanted: list[str] = list(_ALWAYS)
        for name in names:
            if name == "seen":
                wanted += ["visible_lo", "visible_hi"]
            elif name in self.discards.columns:
                wanted.append(name)
            else:
                wanted += [f"{part}_{s}" for part in _GROUPS.get(name, (name,)) for s in range(N_SEATS)]
        if "tiles" in names:
            wanted.append("ghosts")
        chosen: pl.DataFrame = self.discards if where is None else self.discards.filter(where)
        return Rows(chosen.select(*(pl.col(name) for name in dict.fromkeys(wanted))), self.rules)

    def ends(self) -> pl.DataFrame:
        """How each hand ended: ``table, hand, outcome, winners, loser, points_0..3``."""
        columns: list[str | pl.Expr] = ["table", "hand", "outcome", "winners", pl.col("from_seat").alias("loser")]
        return self.hands.select(*columns, *(f"points_{s}" for s in range(N_SEATS))).collect()


class Rows:
    """Discards as arrays: a column by name, a seat's value by `at`; seats and kinds are int64 (n,)."""

    def __init__(self, frame: pl.DataFrame, rules: Rules) -> None:
        self.frame = frame
        self.rules = rules

    def __len__(self) -> int:
        return self.frame.height

    def __getitem__(self, name: str) -> Ints:
        """Return a column, int64 (masks keep their bits)."""
        column = self.frame[name]
        if column.dtype == pl.UInt64:
            return column.to_numpy().view(np.int64)
        return column.cast(pl.Int64).to_numpy()

    def take(self, at: NDArray[np.bool_] | Ints) -> Rows:
        """Return the rows of a mask or of indices, which may repeat."""
        index = np.flatnonzero(at) if at.dtype == bool else at
        return Rows(self.frame[index], self.rules)

    @property
    def seat(self) -> Ints:
        """Who discards."""
        return self["seat"]

    @property
    def kind(self) -> Ints:
        """What is discarded."""
        return self["kind"]

    def at(self, name: str, seat: Ints) -> Ints:
        """Value of ``name_0..3`` at each row's own seat."""
        columns = np.stack([self[f"{name}_{s}"] for s in range(N_SEATS)])
        found: Ints = columns[seat, np.arange(len(self))]
        return found

    def words(self, name: str, seat: Ints) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
        """Return the two words of ``hand`` or ``river`` at each row's own seat."""
        return self.at(f"{name}_lo", seat).view(np.uint64), self.at(f"{name}_hi", seat).view(np.uint64)

    def held(self, seat: Ints, kind: Ints) -> Ints:
        """Return the copies of a kind in a seat's concealed hand (a discard is still in it)."""
        return shapes.count_of(*self.words("hand", seat), kind)

    def hands(self, seat: Ints) -> tuple[Counts, Ints]:
        """Concealed natural tiles (n, 34) and ghosts of a seat; the mover's without the discard."""
        counts = shapes.unpack(*self.words("hand", seat))
        counts[np.arange(len(self)), self.kind] -= seat == self.seat
        return self.without_ghosts(counts)

    def without_ghosts(self, counts: Counts) -> tuple[Counts, Ints]:
        """Part tiles into natural ones (n, 34) and a number of ghosts."""
        is_ghost = ((self["ghosts"][:, None] >> np.arange(N_KINDS)) & 1).astype(np.int8)
        return counts * (1 - is_ghost), (counts * is_ghost).sum(axis=1).astype(np.int64)

    def in_river(self, seat: Ints, kind: Ints) -> Ints:
        """Return the copies of a kind that a seat has discarded before."""
        return shapes.count_of(*self.words("river", seat), kind)

    def suit_in_river(self, seat: Ints, suit: Ints) -> Ints:
        """Which numbers of a suit a seat has discarded before, as `numbers` writes them."""
        low, high = self.words("river", seat)
        upper = ((low >> np.uint64(54)) & np.uint64(0o777)) | ((high & np.uint64(0o777777)) << np.uint64(9))
        packed = np.where(suit == 2, upper, low >> (27 * np.minimum(suit, 1)).astype(np.uint64)).astype(np.int64)
        return (packed | packed >> 1 | packed >> 2) & _ALL_NUMBERS

    def sets(self, seat: Ints) -> tuple[Ints, Ints]:
        """Kind of meld (-1 for none) and (lowest) tile of a seat's four melds, int64 (n, 4) each."""
        packed, n = self.at("melds", seat), self.at("n_melds", seat)
        parts = (packed[:, None] >> (12 * np.arange(4))) & 0xFFF
        made = np.arange(4) < n[:, None]
        return np.where(made, parts & 7, -1), np.where(made, (parts >> 3) & 63, -1)

    def pungs(self, seat: Ints) -> tuple[Bools, Ints]:
        """Which of a seat's four melds are pungs or kongs, and their kinds."""
        code, kind = self.sets(seat)
        return code >= MELD_PENG, kind

    def is_ponged(self, kind: Ints) -> Bools:
        """Whether a pung or kong of the kind lies open at some seat."""
        found = np.zeros(len(self), bool)
        for s in range(N_SEATS):
            is_pung, kinds = self.pungs(np.full(len(self), s))
            found |= (is_pung & (kinds == kind[:, None])).any(axis=1)
        return found

    def seen(self, kind: Ints) -> Ints:
        """Return the copies of a kind that lie open before the discard: rivers, melds, the indicator."""
        return shapes.count_of(self.frame["visible_lo"].to_numpy(), self.frame["visible_hi"].to_numpy(), kind)

    def live(self, kind: Ints, seat: Ints | None = None) -> Ints:
        """Return the copies that do not lie open; with a ``seat``, less those in its hand before the discard."""
        own = self.held(seat, kind) if seat is not None else 0
        return COPIES - self.seen(kind) - own

    def with_ends(self, ends: pl.DataFrame) -> Rows:
        """Add how the hands ended."""
        return Rows(self.frame.join(ends, on=["table", "hand"], how="left", maintain_order="left"), self.rules)


def numbers(*ranks: int) -> int:
    """Mask of numbers of a suit: bit 3 (r - 1) for the number r."""
    return sum(1 << 3 * (r - 1) for r in ranks)


def mirrored(*ranks: int) -> tuple[int, ...]:
    """Numbers seen from the other end of the suit."""
    return tuple(10 - r for r in ranks)


def rank(kind: Ints) -> Ints:
    """Return the number of a suit tile, 1 to 9; 0 for an honour."""
    return np.where(kind < FIRST_HONOUR, kind % 9 + 1, 0)


def folded(kind: Ints) -> Ints:
    """Class of a tile: 1 for 1 and 9, .. 5 for 5; 0 for an honour."""
    number = rank(kind)
    return np.where(number > 0, np.minimum(number, 10 - number), 0)


def frame(rows: Rows, where: Any = None, **columns: Any) -> pl.DataFrame:
    """Sample for an estimate: the rows' tables, hands and these columns; only the rows of a mask ``where``."""
    arrays = {name: np.asarray(values) for name, values in columns.items()}
    whole = pl.DataFrame({"table": rows.frame["table"], "hand": rows.frame["hand"], **arrays})
    return whole if where is None else whole[np.flatnonzero(where)]
