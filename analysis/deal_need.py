"""How good are dealt hands? The exact distribution of their need, by counting suit patterns, and what it is good for.

Post-stratification: a mean over hands, with every class of deals weighted by its exact chance instead of by how often
it happened to come (Cochran 1977, Sampling Techniques, section 5A.9).
"""

from __future__ import annotations

from collections.abc import Collection
from math import comb

import numpy as np
from numpy.typing import NDArray

from sim import tables

_FEW = 10  # hands, below which a stratum does not stand alone


def need_counts(
    lookup: NDArray[np.uint8], n_tiles: int, n_suits: int, honours: bool, only_pairs: bool = False
) -> dict[int, int]:
    """Count the hands of ``n_tiles`` from a deck, by need of the standard form (limited tables): exact integers.

    Every pattern of a suit stands for prod C(4, c) choices of physical tiles; patterns with the same class and
    number of tiles are counted together, and suits are joined class by class. With ``only_pairs`` only hands of none,
    two or four tiles of each kind are counted.
    """
    parts = [_suit(lookup, i, 9, only_pairs) for i in range(n_suits)]
    parts += [_suit(lookup, 3, 7, only_pairs)] if honours else []
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


def _suit(lookup: NDArray[np.uint8], suit: int, n_kinds: int, only_pairs: bool) -> dict[tuple[int, int], int]:
    keys = np.arange(5**n_kinds)
    digits = [keys // 5**i % 5 for i in range(n_kinds)]
    n = sum(digits)
    weight = np.prod([np.array([comb(4, c) for c in range(5)], np.int64)[d] for d in digits], axis=0)
    start = int(tables.OFFSET[0, suit])
    classes = lookup[start : start + 5**n_kinds].astype(np.int64)
    few = n <= 14
    if only_pairs:
        few &= ~np.any([d % 2 for d in digits], axis=0)
    joint = np.bincount((classes * 15 + n)[few], weights=weight[few].astype(np.float64))
    return {(i // 15, i % 15): int(w) for i, w in enumerate(joint) if w}


def complete_deals(lookup: NDArray[np.uint8], n_suits: int, honours: bool, forms: Collection[str]) -> int:
    """Count the fourteen-tile hands that are complete as dealt (天和) in any of the allowed forms, without ghosts."""
    standard = need_counts(lookup, 14, n_suits, honours)[0]
    pairs = need_counts(lookup, 14, n_suits, honours, only_pairs=True)
    total = standard if "standard" in forms else 0
    if "seven_pairs" in forms:
        total += sum(pairs.values()) - (pairs[0] if "standard" in forms else 0)
    if "thirteen_orphans" in forms:
        total += 13 * comb(4, 2) * 4**12
    return total


def shares(lookup: NDArray[np.uint8], n_tiles: int, n_suits: int, honours: bool) -> NDArray[np.float64]:
    """Chance of each need 0, 1, .. of a dealt hand, float64."""
    counts = need_counts(lookup, n_tiles, n_suits, honours)
    total = sum(counts.values())
    return np.array([counts.get(need, 0) / total for need in range(max(counts) + 1)])


def poststratified(
    values: NDArray[np.float64], needs: NDArray[np.int64], chances: NDArray[np.float64]
) -> tuple[float, float]:
    """Return the mean of ``values`` (n,) by the exact chances of their strata ``needs``, and its standard error.

    At both ends strata of fewer than ten hands are joined with the next ones.
    """
    counts = np.bincount(needs, minlength=len(chances))
    first = int(np.argmax(counts.cumsum() >= _FEW))
    last = len(counts) - 1 - int(np.argmax(counts[::-1].cumsum() >= _FEW))
    stratum = np.clip(needs, first, max(first, last))
    mean = variance = 0.0
    for need in np.unique(stratum):
        low, high = (0 if need == first else need), (len(chances) if need == last else need + 1)
        chosen, weight = values[stratum == need], chances[low:high].sum()
        mean += weight * chosen.mean()
        variance += weight**2 * chosen.var(ddof=1) / len(chosen)
    return float(mean), float(np.sqrt(variance))
