"""Look-up tables for distance to a complete hand: built once from the definition of a set, cached on disk.

For the counts of one suit, the *vector* of that suit holds ten small numbers: the fewest tiles to add so that it
contains s = 0..4 sets and 0 or 1 pair. Suits combine by min-plus. Only 130 vectors occur with at most 15 tiles, so
each pattern is one byte (its class), and merged classes again fit a byte.

Two versions: *limited* (index 0): no added tile may be a fifth copy among the concealed tiles; *free* (index 1): no
such limit, for hands with ghosts (a ghost may stand for any kind, R28).
"""

from __future__ import annotations

import itertools
import os
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.jit import CODE_HASH, cache_root, kernel

Vectors = NDArray[np.uint8]  # (n, 10): [s * 2 + pair] tiles to add
_MAX_TILES = 15  # a hand of 14 and one tile more
_FAR = 15


# Layout of the tables' one array of bytes.
N_ONE, N_TWO, N_THREE = 130, 180, 180  # classes of one suit, of two and of three merged
_SUIT_KEYS, _HONOUR_KEYS = 5**9, 5**7
_HONOUR = 2 * _SUIT_KEYS
PAIR = _HONOUR + 2 * _HONOUR_KEYS
TRIPLE = PAIR + N_ONE * N_ONE
NEED_OF = TRIPLE + N_TWO * N_ONE
N_BYTES = NEED_OF + 5 * N_ONE * N_THREE
# Where the classes of a suit's keys begin: [limited or free, suit].
OFFSET = np.array([[v * _SUIT_KEYS] * 3 + [_HONOUR + v * _HONOUR_KEYS] for v in range(2)], np.int64)


@kernel
def class_of(t, version, suit, key):
    """Class of one suit's key; ``version`` 0 limited, 1 free; suit 3 is the honours."""
    return np.int64(t[OFFSET[version, suit] + key])


@kernel
def pair_class(t, a, b):
    """Class of two suits' classes merged."""
    return np.int64(t[PAIR + a * N_ONE + b])


@kernel
def triple_class(t, two, one):
    """Class of a merged pair and one suit more."""
    return np.int64(t[TRIPLE + two * N_ONE + one])


@kernel
def tiles_to_add(t, sets, one, three):
    """Fewest tiles to add for ``sets`` sets and a pair over one suit and three merged ones."""
    return np.int64(t[NEED_OF + (sets * N_ONE + one) * N_THREE + three])


def _targets(n_kinds: int, chows: bool) -> dict[tuple[int, int], NDArray[np.int64]]:
    """All counts that consist of s sets and p pairs: (s, p) -> (n, n_kinds)."""
    units = [3 * np.eye(n_kinds, dtype=np.int64)]
    if chows:
        runs = np.stack([np.eye(n_kinds, k=d, dtype=np.int64) for d in range(3)]).sum(axis=0)
        units.append(runs[: n_kinds - 2])
    sets = np.concatenate(units)
    result = {}
    for s in range(5):
        chosen = np.array(list(itertools.combinations_with_replacement(range(len(sets)), s)), np.int64)
        total = sets[chosen].sum(axis=1) if s else np.zeros((1, n_kinds), np.int64)
        result[s, 0] = total
        result[s, 1] = (total[:, None] + 2 * np.eye(n_kinds, dtype=np.int64)).reshape(-1, n_kinds)
    return result


def suit_vectors(n_kinds: int, chows: bool, limited: bool) -> Vectors:
    """Compute the vector of every key of a suit, uint8 (5**n_kinds, 10).

    The cost of reaching a target t from counts c is sum(max(t - c, 0)), separable by kind, so that the minimum over all
    targets is a distance transform: one sweep up and one down each axis.
    """
    weights = 5 ** np.arange(n_kinds)
    vectors = np.empty((5**n_kinds, 10), np.uint8)
    for (s, p), target in _targets(n_kinds, chows).items():
        if limited:
            target = target[(target <= 4).all(axis=1)]
        over = np.maximum(target - 4, 0).sum(axis=1)
        cost = np.full(5**n_kinds, 99, np.uint8)
        np.minimum.at(cost, np.minimum(target, 4) @ weights, over.astype(np.uint8))
        grid = cost.reshape((5,) * n_kinds)
        for axis in range(n_kinds):
            line = np.moveaxis(grid, axis, 0)
            for c in range(3, -1, -1):
                np.minimum(line[c], line[c + 1] + 1, out=line[c])
            for c in range(1, 5):
                np.minimum(line[c], line[c - 1], out=line[c])
        vectors[:, 2 * s + p] = cost
    return vectors


def _pack(vectors: NDArray[np.integer]) -> NDArray[np.int64]:
    packed: NDArray[np.int64] = np.minimum(vectors, _FAR).astype(np.int64) @ (
        16 ** np.arange(9, -1, -1, dtype=np.int64)
    )
    return packed


def _unpack(packed: NDArray[np.int64]) -> NDArray[np.int64]:
    return (packed[:, None] >> (4 * np.arange(9, -1, -1, dtype=np.int64))) & 15


def _merge(a: NDArray[np.int64], b: NDArray[np.int64]) -> NDArray[np.int64]:
    """Min-plus combination of every vector of ``a`` with every one of ``b``: (len(a), len(b), 10)."""
    merged = np.full((len(a), len(b), 10), _FAR, np.int64)
    for s, p in itertools.product(range(5), range(2)):
        for i, q in itertools.product(range(s + 1), range(p + 1)):
            both = a[:, None, 2 * i + q] + b[None, :, 2 * (s - i) + p - q]
            np.minimum(merged[:, :, 2 * s + p], both, out=merged[:, :, 2 * s + p])
    return merged


def _n_tiles(n_kinds: int) -> NDArray[np.int64]:
    return sum((np.arange(5**n_kinds) // 5**i % 5 for i in range(n_kinds)), np.zeros(5**n_kinds, np.int64))


def build() -> NDArray[np.uint8]:
    """Build all tables (under a second)."""
    packed, valid = [], []
    for n_kinds, chows in ((9, True), (7, False)):
        few = _n_tiles(n_kinds) <= _MAX_TILES
        for limited in (True, False):
            packed.append(_pack(suit_vectors(n_kinds, chows, limited)))
            valid.append(few)
    single = np.unique(np.concatenate([p[ok] for p, ok in zip(packed, valid, strict=True)]))
    classes = [
        np.where(ok, np.searchsorted(single, p), 0).astype(np.uint8) for p, ok in zip(packed, valid, strict=True)
    ]
    one = _unpack(single)
    two_packed, pair = np.unique(_pack(_merge(one, one).reshape(-1, 10)), return_inverse=True)
    two = _unpack(two_packed)
    three_packed, triple = np.unique(_pack(_merge(two, one).reshape(-1, 10)), return_inverse=True)
    whole = _merge(one, _unpack(three_packed))
    if (len(single), len(two_packed), len(three_packed)) != (N_ONE, N_TWO, N_THREE):
        raise AssertionError("the layout's numbers of classes do not fit")
    need = np.moveaxis(whole[:, :, 1::2], 2, 0)
    parts: list[NDArray[Any]] = [*classes, pair, triple, need]
    return np.concatenate([part.astype(np.uint8).ravel() for part in parts])


def load() -> NDArray[np.uint8]:
    """Read the tables, uint8 (N_BYTES,), from the cache folder, or build and store them there."""
    path = cache_root() / f"tables-{CODE_HASH}.npy"
    try:
        stored: NDArray[np.uint8] = np.load(path, allow_pickle=False)
        if stored.shape == (N_BYTES,):
            return stored
    except (OSError, ValueError, EOFError):
        pass
    tables = build()
    try:
        _store(path, tables)
    except OSError:
        return tables  # no place to keep them: build again next time
    return tables


def _store(path: Path, tables: NDArray[np.uint8]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    for old in path.parent.glob("tables-*.npy"):
        old.unlink(missing_ok=True)
    partial = path.with_suffix(f".{os.getpid()}.npy")
    np.save(partial, tables)
    partial.replace(path)
