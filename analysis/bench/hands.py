"""Hands that are asked about: dealt at random, and complete ones with ghosts."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sim.tiles import COPIES, N_KINDS

GHOST = 33  # kind of the ghosts where there are some: no natural tile of it then
Counts = NDArray[np.uint8]

_DECK = np.repeat(np.arange(N_KINDS), COPIES)
_CHOWS = [9 * suit + rank for suit in range(3) for rank in range(7)]


def dealt(n: int, size: int, seed: int = 1) -> Counts:
    """Hands of ``size`` tiles dealt from 136, uint8 (n, 34)."""
    rng = np.random.default_rng(seed)
    counts = np.zeros((n, N_KINDS), np.uint8)
    rows = np.arange(n)
    order = rng.random((n, len(_DECK))).argpartition(size, axis=1)[:, :size]
    for column in _DECK[order].T:
        np.add.at(counts, (rows, column), 1)
    return counts


def complete(n: int, n_ghosts: int, seed: int = 1) -> Counts:
    """Hands of four sets and a pair without kind ``GHOST``, ``n_ghosts`` tiles of them replaced; uint8 (n, 34)."""
    rng = np.random.default_rng([seed, n_ghosts])
    found: list[NDArray[np.int64]] = []
    while len(found) < n:
        counts = np.zeros(N_KINDS, np.int64)
        for _ in range(4):
            if rng.random() < 0.6:
                first = rng.choice(_CHOWS)
                counts[first : first + 3] += 1
            else:
                counts[rng.integers(GHOST)] += 3
        counts[rng.integers(GHOST)] += 2
        if counts.max() <= COPIES:
            tiles = rng.permutation(np.repeat(np.arange(N_KINDS), counts))
            found.append(np.bincount(tiles[n_ghosts:], minlength=N_KINDS))
    return np.array(found).astype(np.uint8)
