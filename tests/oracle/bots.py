"""The two bots: `random` plays any legal move, `ukeire` keeps the hand that most tiles improve."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from sim import schema
from sim.tiles import FIRST_HONOUR, N_KINDS

from .rng import Stream
from .shanten import forms_with, need
from .state import plus, split


class Move(NamedTuple):
    """One legal move: its schema code and kind (of a chi the lowest; of a pass the tile passed)."""

    code: int
    kind: int


class View(NamedTuple):
    """What a bot sees of its own hand and of the table."""

    hand: tuple[int, ...]  # concealed tiles, ghosts as the kind they are
    n_melds: int
    ghosts: frozenset[int]
    forms: tuple[str, ...]
    live: tuple[int, ...]  # copies of each kind that the seat cannot see
    discard_ghosts: bool  # whether the rules let ghosts be discarded
    natural_forms: tuple[str, ...] = ()  # of the forms, those that are not there with a ghost in hand
    barred: frozenset[int] = frozenset()  # kinds whose holder cannot win
    ready: frozenset[int] = frozenset()  # kinds whose discard may declare ready

    def discards(self) -> list[int]:
        """Return the kinds that may be discarded: ghosts only when allowed or when nothing else is held."""
        held = [k for k in range(N_KINDS) if self.hand[k]]
        naturals = [k for k in held if k not in self.ghosts]
        return held if self.discard_ghosts or not naturals else naturals

    def need(self) -> int:
        """Return the need of the hand."""
        naturals, n_ghosts = split(self.hand, self.ghosts)
        return need(naturals, self.n_melds, n_ghosts, forms_with(n_ghosts, self.forms, self.natural_forms))

    def without(self, kind: int, n: int, melds: int = 0) -> View:
        """Return the view with n tiles of a kind fewer and some melds more."""
        return self._replace(hand=plus(self.hand, kind, -n), n_melds=self.n_melds + melds)


class Bot(Protocol):
    """Chooses one of several legal moves, given in canonical order."""

    def turn(self, view: View, moves: Sequence[Move]) -> Move:
        """Choose after a draw or a claim: hu, a kong or a discard."""

    def claim(self, view: View, moves: Sequence[Move], kind: int) -> Move:
        """Choose whether to win on, claim or pass another seat's tile."""

    def declares(self) -> bool:
        """Choose whether to declare ready by the discard just chosen."""


class RandomBot:
    """Uniform over the legal moves."""

    def __init__(self, stream: Stream) -> None:
        self.stream = stream

    def turn(self, view: View, moves: Sequence[Move]) -> Move:
        """Choose any."""
        return moves[self.stream.below(len(moves))]

    def claim(self, view: View, moves: Sequence[Move], kind: int) -> Move:
        """Choose any."""
        return moves[self.stream.below(len(moves))]

    def declares(self) -> bool:
        """Choose either."""
        return self.stream.below(2) == 1


def discard_rank(kind: int) -> tuple[int, int]:
    """Order among equal discards: honours, 1 9, 2 8, 3 7, 4 6, 5; kinds ascending within."""
    if kind >= FIRST_HONOUR:
        return 0, kind
    rank = kind % 9 + 1
    return min(rank, 10 - rank), kind


def acceptance(view: View) -> int:
    """Live copies of the natural kinds that lower the need of a hand after its discard."""
    now = view.need()
    return sum(
        view.live[k]
        for k in range(N_KINDS)
        if view.live[k] > 0 and k not in view.ghosts and view.without(k, -1).need() < now
    )


def best_discard(view: View, kinds: Sequence[int]) -> tuple[int, int, int]:
    """Return the kind to discard, the need after it and its acceptance."""
    needs = {k: view.without(k, 1).need() for k in kinds}
    least = min(needs.values())
    widths = {k: acceptance(view.without(k, 1)) for k in kinds if needs[k] == least}
    best = min(widths, key=lambda k: (-widths[k], discard_rank(k)))
    return best, least, widths[best]


class UkeireBot:
    """Wins, kongs and claims whenever that does not take the hand back; else discards for the widest wait."""

    def turn(self, view: View, moves: Sequence[Move]) -> Move:
        """Choose hu, else a harmless kong, else the best discard."""
        if moves[0].code == schema.HU:
            return moves[0]
        holds_barred = any(view.hand[k] for k in view.barred)
        for move in moves:
            if holds_barred or move.code == schema.DISCARD:
                continue
            is_concealed = move.code == schema.GANG_CONCEALED
            after = view.without(move.kind, 4, melds=1) if is_concealed else view.without(move.kind, 1)
            if after.need() <= max(view.need(), 1):
                return move
        considered = [m.kind for m in moves if m.code == schema.DISCARD]
        for preferred in (view.ready, view.barred):
            considered = [k for k in considered if k in preferred] or considered
        naturals = [k for k in considered if k not in view.ghosts]
        return Move(schema.DISCARD, best_discard(view, naturals)[0] if naturals else considered[0])

    def claim(self, view: View, moves: Sequence[Move], kind: int) -> Move:
        """Choose hu, else a kong or peng or chi that helps, else pass."""
        legal = {move.code: move for move in moves}
        if schema.HU in legal:
            return legal[schema.HU]
        if kind in view.barred:
            return legal[schema.PASS]
        if schema.CHI in legal:
            return self._chi(view, moves, kind)
        now = view.need()
        if schema.GANG_EXPOSED in legal and view.without(kind, 3, melds=1).need() <= now:
            return legal[schema.GANG_EXPOSED]
        if schema.PENG in legal and max(view.without(kind, 2, melds=1).need(), 1) < now:
            return legal[schema.PENG]
        return legal[schema.PASS]

    def declares(self) -> bool:
        """Declare ready whenever that is legal."""
        return True

    def _chi(self, view: View, moves: Sequence[Move], kind: int) -> Move:
        best, best_key = moves[0], (view.need(), 0)  # pass, unless the need falls
        for move in moves[1:]:
            after = view._replace(n_melds=view.n_melds + 1)
            for k in range(move.kind, move.kind + 3):
                after = after if k == kind else after.without(k, 1)
            lowered = max(after.need(), 1)
            if lowered >= view.need():
                continue
            _, _, width = best_discard(after, [k for k in after.discards() if k not in after.ghosts])
            key = (lowered, -width)
            if key < best_key:
                best, best_key = move, key
        return best


def make(name: str, stream: Stream) -> Bot:
    """Return a bot by name."""
    if name == "random":
        return RandomBot(stream)
    if name == "ukeire":
        return UkeireBot()
    raise ValueError(f"unknown bot {name!r}; allowed: random, ukeire")
