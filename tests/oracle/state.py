"""Melds and hands: the small data that the other modules pass around."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import NamedTuple

from sim import schema


class Meld(NamedTuple):
    """One set laid down: its schema code, its lowest kind, and the seat that fed it (-1: none)."""

    t: int
    kind: int
    feeder: int = -1

    @property
    def is_exposed(self) -> bool:
        """Say whether it is anything but a concealed kong."""
        return self.t != schema.MELD_CONCEALED

    @property
    def is_kong(self) -> bool:
        """Say whether it holds four tiles."""
        return self.t in (schema.MELD_EXPOSED, schema.MELD_ADDED, schema.MELD_CONCEALED)

    @property
    def tiles(self) -> list[int]:
        """Return its tiles."""
        if self.t == schema.MELD_CHI:
            return [self.kind, self.kind + 1, self.kind + 2]
        return [self.kind] * (4 if self.is_kong else 3)


def is_concealed(melds: Iterable[Meld]) -> bool:
    """Say whether no chi, peng, direct or added kong was made (门清)."""
    return not any(meld.is_exposed for meld in melds)


def plus(hand: Iterable[int], kind: int, n: int = 1) -> tuple[int, ...]:
    """Return the counts with n more of a kind (n may be negative)."""
    counts = list(hand)
    counts[kind] += n
    return tuple(counts)


def split(hand: Iterable[int], ghosts: Collection[int]) -> tuple[tuple[int, ...], int]:
    """Split a hand into its natural tiles and its number of ghosts."""
    counts = list(hand)
    n_ghosts = sum(counts[k] for k in ghosts)
    for k in ghosts:
        counts[k] = 0
    return tuple(counts), n_ghosts
