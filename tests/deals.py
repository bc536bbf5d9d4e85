"""Exact distribution of the deal: how many of all hands have each need, by counting suit patterns."""

from __future__ import annotations

from math import comb

import numpy as np
from numpy.typing import NDArray

from sim import tables


def need_counts(lookup: NDArray[np.uint8], n_tiles: int, n_suits: int, honours: bool) -> dict[int, int]:
    """Number of hands of ``n_tiles`` from a deck, by need of the standard form (limited tables), exact integers.

    Every pattern of a suit stands for prod C(4, c) choices of physical tiles; patterns with the same class and
    number of tiles are counted together, and suits are joined class by class.
    """
    parts = [_suit(lookup, i, 9) for i in range(n_suits)] + ([_suit(lookup, 3, 7)] if honours else [])
    while len(parts) < 4:  # a suit without tiles
        parts.append({(tables.class_of(lookup, 0, 0, 0), 0): 1})
    two: dict[tuple[int, int], int] = {}
    for (a, n), x in parts[0].items():
        for (b, m), y in parts[1].items():
            if n + m <= n_tiles:
                key = (int(tables.pair_class(lookup, a, b)), n + m)
                two[key] = two.get(key, 0) + x * y
    three: dict[tuple[int, int], int] = {}
    for (a, n), x in two.items():
        for (b, m), y in parts[2].items():
            if n + m <= n_tiles:
                key = (int(tables.triple_class(lookup, a, b)), n + m)
                three[key] = three.get(key, 0) + x * y
    result: dict[int, int] = {}
    for (a, n), x in three.items():
        for (b, m), y in parts[3].items():
            if n + m == n_tiles:
                need = int(tables.tiles_to_add(lookup, 4, b, a))
                result[need] = result.get(need, 0) + x * y
    return result


def _suit(lookup: NDArray[np.uint8], suit: int, n_kinds: int) -> dict[tuple[int, int], int]:
    keys = np.arange(5**n_kinds)
    digits = [keys // 5**i % 5 for i in range(n_kinds)]
    n = sum(digits)
    weight = np.prod([np.array([comb(4, c) for c in range(5)], np.int64)[d] for d in digits], axis=0)
    start = int(tables.OFFSET[0, suit])
    classes = lookup[start : start + 5**n_kinds].astype(np.int64)
    few = n <= 14
    joint = np.bincount((classes * 15 + n)[few], weights=weight[few].astype(np.float64))
    return {(i // 15, i % 15): int(w) for i, w in enumerate(joint) if w}
