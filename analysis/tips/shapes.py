"""Shapes of many hands at once, as arrays: counts int8 (n, 34), distance to a standard hand, pair waits, twin chows."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations_with_replacement

import numpy as np
from numpy.typing import NDArray

from sim import tables
from sim.tables import N_ONE, N_THREE, NEED_OF, OFFSET, PAIR, TRIPLE
from sim.tiles import FIRST_HONOUR, N_KINDS

Ints = NDArray[np.int64]
Counts = NDArray[np.int8]
Bools = NDArray[np.bool_]

LOW_KINDS = 21  # kinds of the first of two words that pack counts, three bits a kind
_POWER = np.array([5 ** (k % 9) for k in range(N_KINDS)], np.int64)


def unpack(low: NDArray[np.uint64], high: NDArray[np.uint64]) -> Counts:
    """Return counts int8 (n, 34) of two words, three bits a kind."""
    shifts = 3 * np.arange(N_KINDS, dtype=np.uint64)
    shifts[LOW_KINDS:] -= np.uint64(3 * LOW_KINDS)
    words = np.where(np.arange(N_KINDS) < LOW_KINDS, low[:, None], high[:, None])
    return ((words >> shifts) & np.uint64(7)).astype(np.int8)


def count_of(low: NDArray[np.uint64], high: NDArray[np.uint64], kind: Ints) -> Ints:
    """Return the copies of each row's own kind."""
    is_low = kind < LOW_KINDS
    shift = (3 * np.where(is_low, kind, kind - LOW_KINDS)).astype(np.uint64)
    return ((np.where(is_low, low, high) >> shift) & np.uint64(7)).astype(np.int64)


def keys(counts: Counts) -> Ints:
    """Base-5 keys of the four suits, int64 (n, 4)."""
    key: Ints = np.stack([counts[:, a:b] @ _POWER[a:b] for a, b in ((0, 9), (9, 18), (18, 27), (27, 34))], axis=1)
    return key


@lru_cache(maxsize=1)
def _tables() -> NDArray[np.uint8]:
    return tables.load()


def need(counts: Counts, n_melds: Ints, n_ghosts: Ints) -> Ints:
    """Draws still needed for the standard form (`sim.shanten.need`), int64 (n,); ghosts are not among the counts."""
    t, key = _tables(), keys(counts)
    version = (n_ghosts > 0).astype(np.int64)
    one = [t[OFFSET[version, suit] + key[:, suit]].astype(np.int64) for suit in range(4)]
    two = t[PAIR + one[0] * N_ONE + one[1]].astype(np.int64)
    three = t[TRIPLE + two * N_ONE + one[2]].astype(np.int64)
    to_add = t[NEED_OF + ((4 - n_melds) * N_ONE + one[3]) * N_THREE + three].astype(np.int64)
    found: Ints = np.maximum(to_add - n_ghosts, 0)
    return found


def helps(counts: Counts, n_melds: Ints, n_ghosts: Ints, kind: Ints) -> Bools:
    """Whether one more tile of each row's kind brings the standard form nearer; never a fifth copy."""
    rows = np.arange(len(counts))
    has_four = counts[rows, kind] >= 4
    more = counts.copy()
    more[rows, kind] += ~has_four
    return ~has_four & (need(more, n_melds, n_ghosts) < need(counts, n_melds, n_ghosts))


@lru_cache(maxsize=1)
def _whole_suits() -> tuple[Ints, Ints]:
    """Sorted keys of a suit, and of the honours, that consist of sets alone."""
    found = []
    for n_kinds, chows in ((9, True), (7, False)):
        sets = [3 * np.eye(n_kinds, dtype=np.int64)[k] for k in range(n_kinds)]
        if chows:
            sets += [np.eye(n_kinds, dtype=np.int64)[k : k + 3].sum(axis=0) for k in range(n_kinds - 2)]
        sums = {
            tuple(sum(chosen, np.zeros(n_kinds, np.int64)).tolist())
            for size in range(5)
            for chosen in combinations_with_replacement(sets, size)
        }
        good = np.array([total for total in sums if max(total) <= 4], np.int64)
        found.append(np.unique(good @ (5 ** np.arange(n_kinds, dtype=np.int64))))
    return found[0], found[1]


def is_sets(counts: Counts) -> Bools:
    """Whether the tiles are sets and nothing else."""
    suits, honours = _whole_suits()
    key = keys(counts)
    return np.isin(key[:, :3], suits).all(axis=1) & np.isin(key[:, 3], honours)


def is_pair_wait(counts: Counts, kind: Ints) -> Bools:
    """Whether a hand is sets and one tile of ``kind``, which it waits to pair."""
    rows = np.arange(len(counts))
    holds = counts[rows, kind] > 0
    less = counts.copy()
    less[rows, kind] -= holds
    return holds & is_sets(less)


@lru_cache(maxsize=1)
def _chows() -> Counts:
    return np.array([[int(k - d in (0, 1, 2)) for k in range(N_KINDS)] for d in _chow_starts()], np.int8)


def _chow_starts() -> list[int]:
    return [k for k in range(FIRST_HONOUR) if k % 9 <= 6]


def has_two_bellies(counts: Counts) -> Bools:
    """Whether two shapes a, a, a+1, a+2 and a pair beside them are in the hand."""
    units = _chows().copy()
    units[np.arange(len(units)), _chow_starts()] += 1
    found = np.zeros(len(counts), bool)
    fits = [(counts >= unit).all(axis=1) for unit in units]
    for i in range(len(units)):
        for j in range(i, len(units)):
            at = np.flatnonzero(fits[i] & fits[j] & ~found)
            if len(at):
                rest = counts[at] - units[i] - units[j]
                found[at] |= (rest >= 0).all(axis=1) & (rest >= 2).any(axis=1)
    return found


def has_twin_chows(total: Counts) -> Bools:
    """Whether 14 tiles are two pairs of equal chows and a pair (双龙抱)."""
    chows = _chows()
    found = np.zeros(len(total), bool)
    fits = [(total >= 2 * chow).all(axis=1) for chow in chows]
    for i in range(len(chows)):
        for j in range(i, len(chows)):
            at = np.flatnonzero(fits[i] & fits[j] & ~found)
            if len(at):
                rest = total[at] - 2 * chows[i] - 2 * chows[j]
                found[at] |= (rest >= 0).all(axis=1) & (rest == 2).any(axis=1) & (rest.sum(axis=1) == 2)
    return found
