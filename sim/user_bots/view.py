"""What a bot in Python sees when it is asked: a read-only view of the table from its seat, and its legal moves."""

from __future__ import annotations

from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.flags import COPIES, FLAG, R_STANDING
from sim.policy import random_bot
from sim.policy.user import acceptance, added_kongs, after
from sim.schema import HU, MELD_CHI, MELD_NAMES, MOVES, OUTCOMES, PASS, ZIMO
from sim.shanten import need
from sim.state import (
    DEALER,
    DECLARED,
    DECLARES,
    DISCARDS,
    FOURS,
    GAME,
    GHOST_MASK,
    GHOSTS,
    HAND,
    HEAD,
    HELD_BACK,
    MELD_FROM,
    MELD_KIND,
    MELD_TYPE,
    N_FLOWERS,
    N_MELDS,
    REPEAT,
    RIVER,
    ROUND_WIND,
    STANDING,
    TAIL,
    VISIBLE,
)
from sim.tiles import N_KINDS, N_SEATS, show, tile_name
from sim.user_bots.fault import QUESTIONS, kinds, legal_moves, words

Counts = tuple[int, ...]


class Move(NamedTuple):
    """One move: its name (`sim.schema.MOVES`) and the kind that it moves, for a chi its lowest kind, -1 for none."""

    name: str
    kind: int

    def __str__(self) -> str:
        return words(MOVES.index(self.name), self.kind)

    @property
    def tile(self) -> str:
        """The kind in notation, such as ``5m``; empty for none."""
        return tile_name(self.kind) if self.kind >= 0 else ""


class Meld(NamedTuple):
    """One meld: chi, peng, minggang (direct), bugang (added), angang (concealed); its lowest kind; its feeder or -1."""

    name: str
    kind: int
    from_seat: int

    @property
    def kinds(self) -> tuple[int, ...]:
        """Kinds of its tiles."""
        if self.name == MELD_NAMES[MELD_CHI]:
            return (self.kind, self.kind + 1, self.kind + 2)
        return (self.kind,) * (3 if self.name == "peng" else 4)


class View:
    """The table as one seat sees it at one question.

    ``question`` is ``turn`` (own turn), ``win`` (another seat's tile), ``claim`` (pung or kong) or ``chi``; ``kind``
    the tile that is asked about, -1 on the own turn; ``points`` what one payer would pay for a win that is legal now.
    Kinds are 0..33 (`sim.tiles`), seats 0..3 in turn order. Nothing in it tells of the wall or of other hands.
    """

    def __init__(
        self, seen: NDArray[np.int64], rules: NDArray[np.int64], tables: NDArray[np.uint8], seat: int, question: int,
        kind: int, options: int, can: int, points: int,
    ) -> None:  # fmt: skip
        self._s, self._r, self._t, self._question = seen, rules, tables, question
        self.seat, self.question, self.kind, self._masks = seat, QUESTIONS[question], kind, (options, can)
        self.points = points if question == 1 or (question == 0 and can & 1) else 0

    def __repr__(self) -> str:
        asked = f" on {tile_name(self.kind)}" if self.kind >= 0 else ""
        return f"<View of seat {self.seat}, asked {self.question}{asked}: {', '.join(map(str, self.options))}>"

    @cached_property
    def options(self) -> tuple[Move, ...]:
        """Every legal answer, in the order of `sim/PLAY.md`."""
        options, can = self._masks
        row = self._s[self.seat]
        declares = int(row[DECLARES]) if self.question == "turn" and not row[DECLARED] else 0
        apart = [k for k in kinds(declares) if self._r[FLAG, R_STANDING] and row[HAND + k] <= row[STANDING + k]]
        found = legal_moves(
            self._question, self.kind, options, can, int(row[FOURS]), int(added_kongs(self._s, self.seat)), declares,
            sum(1 << k for k in apart),
        )  # fmt: skip
        return tuple(Move(MOVES[code], kind) for code, kind in found)

    def option(self, name: str) -> Move | None:
        """First legal move of a name, such as ``hu``; None where there is none."""
        return next((move for move in self.options if move.name == name), None)

    @property
    def way(self) -> str:
        """How a win that is legal now would be won: zimo, dianpao or qianggang; empty where there is none."""
        if self.question == "win":
            return OUTCOMES[self._masks[1]]
        return OUTCOMES[ZIMO] if self.option(MOVES[HU]) else ""

    @cached_property
    def hand(self) -> Counts:
        """Own concealed tiles of each kind, ghosts included, (34,)."""
        return self._counts(self.seat, HAND)

    @property
    def tiles(self) -> str:
        """Own concealed tiles in notation."""
        return show(k for k in range(N_KINDS) for _ in range(self.hand[k]))

    @cached_property
    def melds(self) -> tuple[tuple[Meld, ...], ...]:
        """Melds of the four seats, in the order they were made."""
        return tuple(
            tuple(
                Meld(MELD_NAMES[row[MELD_TYPE + i]], row[MELD_KIND + i], row[MELD_FROM + i])
                for i in range(row[N_MELDS])
            )
            for row in self._s[:N_SEATS].tolist()
        )

    @cached_property
    def rivers(self) -> tuple[Counts, ...]:
        """What each seat has discarded of each kind, claimed tiles included, (4, 34)."""
        return tuple(self._counts(RIVER + seat, 0) for seat in range(N_SEATS))

    @cached_property
    def visible(self) -> Counts:
        """Tiles of each kind that lie open: discards, melds, the ghosts' indicator, (34,)."""
        return self._counts(VISIBLE, 0)

    @cached_property
    def unseen(self) -> Counts:
        """Tiles of each kind that this seat cannot see, (34,)."""
        copies = self._counts_of(self._r[COPIES])
        return tuple(n - v - h for n, v, h in zip(copies, self.visible, self.hand, strict=True))

    @property
    def ghosts(self) -> tuple[int, ...]:
        """Kinds of this hand's ghosts."""
        return tuple(kinds(int(self._s[GAME, GHOST_MASK])))

    @property
    def n_ghosts(self) -> int:
        """Ghosts in the own concealed hand."""
        return int(self._s[self.seat, GHOSTS])

    @property
    def dealer(self) -> int:
        """Seat of the dealer."""
        return int(self._s[GAME, DEALER])

    @property
    def round_wind(self) -> int:
        """0 East, 1 South, 2 West, 3 North."""
        return int(self._s[GAME, ROUND_WIND])

    @property
    def repeat(self) -> int:
        """Hands that the dealer has dealt in a row before this one."""
        return int(self._s[GAME, REPEAT])

    @property
    def wall_left(self) -> int:
        """Tiles that can still be drawn."""
        game = self._s[GAME]
        return max(int(game[TAIL] - game[HEAD] + 1 - game[HELD_BACK]), 0)

    @property
    def n_discards(self) -> Counts:
        """Discards that each seat has made."""
        return self._of_seats(DISCARDS)

    @property
    def n_flowers(self) -> Counts:
        """Flowers that lie before each seat."""
        return self._of_seats(N_FLOWERS)

    @property
    def declared(self) -> tuple[bool, ...]:
        """Which seats have declared ready."""
        return tuple(map(bool, self._of_seats(DECLARED)))

    @property
    def shanten(self) -> int:
        """Shanten of the own tiles as they are: 0 ready, -1 complete; with 14 tiles, that after the best discard."""
        return int(need(self._s, self._r, self._t, self.seat, 0)) - 1

    def after(self, move: Move) -> tuple[int, int]:
        """Shanten after a move and the live acceptance (进张), unseen tiles that lower it; a claim's best discard made.

        (-1, 0) after ``hu``; a pass leaves the hand as it is.
        """
        code = MOVES.index(move.name)
        if code == HU:
            return -1, 0
        if code == PASS:
            return self.shanten, int(acceptance(self._s, self._r, self._t, self.seat, 0))
        kind = self.kind if self.kind >= 0 else move.kind
        left, accepted = after(self._s, self._r, self._t, self.seat, code, kind, move.kind)
        return int(left) - 1, int(accepted)

    def random(self, n: int) -> int:
        """Return a random number below ``n`` (1 to 2^24), from the seat's own stream: the same in every replay."""
        if not 1 <= n <= 1 << 24:
            raise ValueError(f"random: a number from 1 to 2^24 is needed, not {n}")
        return int(random_bot.pick(self._s, self.seat, n))

    def _counts(self, row: int, first: int) -> Counts:
        return self._counts_of(self._s[row, first : first + N_KINDS])

    def _counts_of(self, row: Any) -> Counts:
        return tuple(row.tolist()[:N_KINDS])

    def _of_seats(self, column: int) -> Counts:
        return tuple(self._s[:N_SEATS, column].tolist())
