"""Which tiles a seat may discard, and which of them declare that it is ready (报听)."""

from __future__ import annotations

from typing import NamedTuple

from .game import Game, Seat


class Discards(NamedTuple):
    """The legal discards of a turn, kinds ascending; a kind may be in both parts."""

    plain: tuple[int, ...]  # without declaring
    ready: tuple[int, ...]  # by which the seat declares

    @property
    def legal(self) -> list[int]:
        """Return the kinds of both parts."""
        return sorted({*self.plain, *self.ready})


def discards_of(game: Game, seat: Seat) -> Discards:
    """Return what a seat may discard; who has declared discards the tile just drawn."""
    held = tuple(game.view(seat).discards())
    if game.rules.play.declare == "none":
        return Discards(held, ())
    if seat.declared:
        return Discards((game.drawn,), ())
    standing = game.rules.play.standing > 0
    plain = tuple(k for k in held if not standing or seat.hand[k] > seat.standing[k])
    ready = tuple(k for k in held if (not standing or seat.standing[k]) and _is_ready_without(game, seat, k))
    return Discards(plain, ready) if plain or ready else Discards(held, ())


def _is_ready_without(game: Game, seat: Seat, kind: int) -> bool:
    return game.view(seat).without(kind, 1).need() == 1


def declares(seat: Seat, discards: Discards, kind: int) -> bool:
    """Say whether a discard declares; a seat that may do either is asked."""
    if kind not in discards.ready:
        return False
    return kind not in discards.plain or seat.bot.declares()
