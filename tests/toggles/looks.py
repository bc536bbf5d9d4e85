"""Looking at two hands: where their moves part, and what counted for their winners."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress

from sim.patterns import INDEX
from sim.rules import Rules
from tests.hands_played import Hand
from tests.referee import Referee
from tests.settle import moves
from tests.toggles.entries import Law

Named = tuple[str, int, int, int]


def without_horses(hand: Hand) -> list[Named]:
    """Moves without horses."""
    return [move for move in moves(hand) if move[0] != "horse"]


def without_walls(hand: Hand) -> list[Named]:
    """Moves without horses and without the number of tiles left."""
    drawn = ("draw", "draw_tail", "flower")
    return [(m, seat, kind, -1 if m in drawn else other) for m, seat, kind, other in without_horses(hand)]


def shifted(hand: Hand, fewer: int) -> list[Named]:
    """Moves without horses, as if so many tiles fewer could be drawn (the indicator's flowers have no such number)."""
    drawn = ("draw", "draw_tail", "flower")
    return [
        (m, seat, kind, other - fewer if m in drawn and seat >= 0 else other)
        for m, seat, kind, other in without_horses(hand)
    ]


def first_difference(a: list[Named], b: list[Named]) -> int:
    """Place of the first move that differs."""
    return next(i for i, (x, y) in enumerate(zip([*a, None], [*b, None], strict=False)) if x != y)


def differing(a: Hand, b: Hand) -> tuple[Named, Named, int]:
    """The first two moves that differ, and their place."""
    one, other = moves(a), moves(b)
    i = first_difference(one, other)
    return one[i], other[i], i


class _Stopped(Exception):
    """The referee has come to the move where it stops."""


class Position(Referee):
    """A hand as it stood before one of its moves: hands, melds, what stands apart, tiles left."""

    def __init__(self, rules: Rules, hand: Hand, i: int) -> None:
        super().__init__(rules, hand, hand.row["chair"])
        self.stop = i
        with suppress(_Stopped):
            self.follow()

    def take(self, *names: str) -> Named:
        """Take the next move unless it is the one to stop at."""
        if self.at == self.stop:
            raise _Stopped
        return super().take(*names)


def at_first_difference(what: Callable[[Named, Named, Hand, Hand], bool]) -> Law:
    """Moves differ, first in the way that ``what`` says."""

    def law(a: Hand, b: Hand, ra: Rules, rb: Rules) -> bool:
        one, other, _ = differing(a, b)
        assert what(one, other, a, b), (one, other)
        return True

    return law


def has(hand: Hand, *slugs: str) -> bool:
    """Whether any of some patterns counted for any winner."""
    return any(win["patterns"] >> INDEX[slug] & 1 for win in hand.wins for slug in slugs)


def counted(win: dict[str, int]) -> set[str]:
    """Patterns that counted for a winner."""
    return {slug for slug, i in INDEX.items() if win["patterns"] >> i & 1}


def both(a: Hand, b: Hand) -> Iterator[tuple[dict[str, int], dict[str, int]]]:
    """Winners of both hands, seat by seat."""
    assert [win["winner"] for win in a.wins] == [win["winner"] for win in b.wins]
    return zip(a.wins, b.wins, strict=True)


def has_win(hand: Hand, rules: Rules) -> bool:
    """Whether anybody won."""
    return bool(hand.wins)


def win_of(hand: Hand, seat: int) -> dict[str, int]:
    """The winner's row of a seat."""
    return next(win for win in hand.wins if win["winner"] == seat)


def settled(happens: Callable[[Hand, Hand], bool]) -> Law:
    """A price: `tests.settle` works out both sides from the same shares; it counts where ``happens`` says so."""

    def law(a: Hand, b: Hand, ra: Rules, rb: Rules) -> bool:
        return happens(a, b)

    return law


def ever(*outcomes: int) -> Callable[[Hand, Hand], bool]:
    """Whether the hand ended in one of some ways."""
    return lambda a, b: a.row["outcome"] in outcomes


def n_winners(n: int) -> Callable[[Hand, Hand], bool]:
    """Whether at least ``n`` seats won."""
    return lambda a, b: len(a.wins) >= n


def anything(a: Hand, b: Hand, ra: Rules, rb: Rules) -> bool:
    """Everything may differ; what holds stands in ``always``."""
    return True
