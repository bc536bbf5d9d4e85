"""Every way to place s sets and p pairs in one suit, and what a suit's tiles still miss for each (s, p).

This is the definition of need written down: the fewest tiles to add is the minimum, over all placements, of
the tiles that the placement asks for and the suit does not hold.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations_with_replacement

import numpy as np
from numpy.typing import NDArray

SHAPES = tuple((sets, pairs) for sets in range(5) for pairs in range(2))  # order of a cost vector
MAX_HELD = 5  # copies of a kind in hand, one that is only tried out included

Bytes = NDArray[np.uint8]


def suits_of(hand: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """Split counts of 34 kinds into the three suits and the honours."""
    return hand[:9], hand[9:18], hand[18:27], hand[27:]


def _sets(n_ranks: int) -> list[tuple[int, ...]]:
    """Return the counts of each pung and, in a numbered suit, each chow."""
    pungs = [tuple(3 * (i == rank) for i in range(n_ranks)) for rank in range(n_ranks)]
    if n_ranks < 9:
        return pungs
    return pungs + [tuple(int(low <= i <= low + 2) for i in range(9)) for low in range(7)]


def _placements(n_ranks: int, sets: int, pairs: int) -> Iterator[list[int]]:
    for chosen in combinations_with_replacement(_sets(n_ranks), sets):
        tiles = [sum(column) for column in zip(*chosen, strict=True)] if chosen else [0] * n_ranks
        if not pairs:
            yield tiles
        for rank in range(n_ranks if pairs else 0):
            yield [n + 2 * (i == rank) for i, n in enumerate(tiles)]


@cache
def placements(n_ranks: int, limit: bool) -> tuple[Bytes, NDArray[np.int64]]:
    """Return all placements' counts, (n, n_ranks), shape after shape, and where each shape begins.

    With ``limit`` only those that ask for at most four copies of any kind.
    """
    groups = []
    for sets, pairs in SHAPES:
        tiles = np.unique(np.array(list(_placements(n_ranks, sets, pairs)), np.uint8), axis=0)
        groups.append(tiles[tiles.max(axis=1) <= 4] if limit else tiles)
    starts = np.cumsum([0] + [len(group) for group in groups[:-1]])
    return np.concatenate(groups), starts


@cache
def _missing(n_ranks: int, limit: bool) -> list[list[Bytes]]:
    """Per rank and copies held: the tiles of that rank that each placement misses."""
    asked, _ = placements(n_ranks, limit)
    columns = [np.ascontiguousarray(asked[:, rank]) for rank in range(n_ranks)]
    return [
        [np.where(column > held, column - held, 0).astype(np.uint8) for held in range(MAX_HELD + 1)]
        for column in columns
    ]


@cache
def cost(suit: tuple[int, ...], limit: bool) -> tuple[int, ...]:
    """Fewest tiles that make the suit hold s sets and p pairs, in the order of ``SHAPES``."""
    table = _missing(len(suit), limit)
    total = table[0][suit[0]].copy()
    for rank, held in enumerate(suit[1:], 1):
        total += table[rank][held]
    _, starts = placements(len(suit), limit)
    return tuple(int(x) for x in np.minimum.reduceat(total, starts))


@cache
def merge(a: tuple[int, ...], b: tuple[int, ...]) -> tuple[int, ...]:
    """Costs of two suits together: the cheapest split of every (s, p)."""
    return tuple(
        min(a[2 * i + j] + b[2 * (sets - i) + pairs - j] for i in range(sets + 1) for j in range(pairs + 1))
        for sets, pairs in SHAPES
    )
