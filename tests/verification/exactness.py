"""Hands for the look-up kernels and what the slow twin says of them, organised so that a million can be asked.

The twin is `tests.oracle`: the cheapest placement of sets in each suit (`cost`) and the cheapest split of several
suits (`merge`). What is new here is only that a discard changes one suit, so that the others are merged once;
`test_exactness` holds that against the twin's plain `best_discard`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tests.oracle.bots import discard_rank
from tests.oracle.shanten import NO_FORM, orphans_need, seven_pairs_need
from tests.oracle.targets import cost, merge, suits_of

MAX_MELDS = MAX_GHOSTS = 4
SUITS = ((0, 9), (9, 18), (18, 27), (27, 34))
_UNITS = np.array(
    [[3 * (k == i) for k in range(34)] for i in range(34)]
    + [[int(9 * s + r <= k <= 9 * s + r + 2) for k in range(34)] for s in range(3) for r in range(7)]
)

Counts = NDArray[np.uint8]


class Hands(NamedTuple):
    """Rows of natural tiles (n, 34), melds and ghosts (n,), visible tiles (n, 34)."""

    counts: Counts
    melds: Counts
    ghosts: Counts
    visible: Counts


class Answer(NamedTuple):
    """Need of the hand, and kind, need and acceptance of its best discard."""

    need: int
    discard: tuple[int, int, int]


def _drawn(rng: np.random.Generator, pool: NDArray[np.integer], size: int) -> NDArray[np.int64]:
    """Counts (34,) of ``size`` tiles of a pool of kinds."""
    return np.bincount(rng.permutation(pool)[:size], minlength=34)


def _shaped(rng: np.random.Generator, ghost: int, n_melds: int) -> NDArray[np.int64]:
    """Counts of a complete hand, up to three tiles exchanged; now and then five of a kind."""
    few = rng.integers(0, 2) * 9 * rng.integers(0, 3)
    total = np.zeros(34, np.int64)
    for _ in range(4 - n_melds):
        total += _UNITS[rng.integers(34, 55) if rng.random() < 0.6 else rng.integers(0, 34)]
    total[rng.integers(0, 34)] += 2
    if few:  # one suit, or one suit and honours
        total[few : few + 9] += sum(total[9 * s : 9 * s + 9] for s in range(3) if 9 * s != few)
        total[[k for k in range(27) if not few <= k < few + 9]] = 0
    total[ghost] = 0
    return total


def random_hands(seed: int, n: int, ghost: int) -> Hands:
    """Hands of 14 tiles less three a meld, half of them dealt at random, half near complete.

    ``ghost`` is the kind of the ghosts, of which no natural tile exists.
    """
    rng = np.random.default_rng([seed, ghost])
    melds = rng.integers(0, MAX_MELDS + 1, n)
    ghosts = np.minimum(rng.integers(0, MAX_GHOSTS + 1, n), 13 - 3 * melds)
    deck = np.repeat(np.delete(np.arange(34), ghost), 4)
    counts = np.zeros((n, 34), np.int64)
    for i in range(n):
        size = 14 - 3 * melds[i] - ghosts[i]
        held = np.zeros(34, np.int64)
        if i % 2:
            shaped = np.repeat(np.arange(34), np.minimum(_shaped(rng, ghost, melds[i]), 4))
            held = _drawn(rng, shaped, max(size - rng.integers(0, 4), 0))
        rest = deck[np.arange(132) % 4 >= held[deck]]  # of each kind the copies that are left
        counts[i] = held + _drawn(rng, rest, size - held.sum())
    return _seen(rng, counts, melds, ghosts, ghost)


def pattern_hands(seed: int, n_tiles: NDArray[np.int64], patterns: Counts, ghost: int) -> Hands:
    """Return a hand for each pattern of one suit, (n, 9): the suit is chosen at random, and so are the other tiles."""
    rng = np.random.default_rng([seed, ghost])
    n = len(patterns)
    melds = np.minimum(rng.integers(0, MAX_MELDS + 1, n), (14 - n_tiles) // 3)
    ghosts = np.minimum(rng.integers(0, MAX_GHOSTS + 1, n), 14 - 3 * melds - n_tiles)
    counts = np.zeros((n, 34), np.int64)
    for i in range(n):
        first = 9 * rng.integers(0, 3)
        counts[i, first : first + 9] = patterns[i]
        others = np.repeat(np.array([k for k in range(34) if not first <= k < first + 9 and k != ghost]), 4)
        counts[i] += _drawn(rng, others, 14 - 3 * melds[i] - ghosts[i] - n_tiles[i])
    return _seen(rng, counts, melds, ghosts, ghost)


def _seen(
    rng: np.random.Generator,
    counts: NDArray[np.int64],
    melds: NDArray[np.int64],
    ghosts: NDArray[np.int64],
    ghost: int,
) -> Hands:
    visible = np.minimum(rng.integers(0, 5, counts.shape) * rng.integers(0, 2, counts.shape), 4 - counts)
    visible[:, ghost] = 0
    n = (counts.astype(np.uint8), melds.astype(np.uint8), ghosts.astype(np.uint8), visible.astype(np.uint8))
    return Hands(*n)


def _others(hand: tuple[int, ...], n_melds: int, n_ghosts: int) -> int:
    """Need of the forms without sets."""
    return NO_FORM if n_melds else min(seven_pairs_need(hand, n_ghosts), orphans_need(hand, n_ghosts))


def answer(hand: tuple[int, ...], n_melds: int, n_ghosts: int, visible: tuple[int, ...], ghost: int) -> Answer:
    """Say of a hand what the twin says, over all forms."""
    limit, place = n_ghosts == 0, 2 * (4 - n_melds) + 1
    suits = suits_of(hand)
    costs = [cost(suit, limit) for suit in suits]
    (m, p, s, h) = costs
    rest = [merge(merge(p, s), h), merge(merge(m, s), h), merge(merge(m, p), h), merge(merge(m, p), s)]
    other = _others(hand, n_melds, n_ghosts)
    now = min(max(merge(m, rest[0])[place] - n_ghosts, 0), other)

    def changed(suit: tuple[int, ...], rank: int, by: int) -> tuple[int, ...]:
        return cost((*suit[:rank], suit[rank] + by, *suit[rank + 1 :]), limit)

    needs = {}
    for k in range(34):
        if hand[k]:
            i, rank = min(k // 9, 3), k - SUITS[min(k // 9, 3)][0]
            need = max(merge(changed(suits[i], rank, -1), rest[i])[place] - n_ghosts, 0)
            if other <= need:
                need = min(need, _others((*hand[:k], hand[k] - 1, *hand[k + 1 :]), n_melds, n_ghosts))
            needs[k] = need
    least = min(needs.values())
    live = [(k, 4 - visible[k] - hand[k]) for k in range(34) if k != ghost or not n_ghosts]
    live = [(k, n) for k, n in live if n > 0]
    added = {k: changed(suits[min(k // 9, 3)], k - SUITS[min(k // 9, 3)][0], 1) for k, _ in live}
    widths = {}
    for d, need in needs.items():
        if need > least:
            continue
        i = min(d // 9, 3)
        rank = d - SUITS[i][0]
        suit = (*suits[i][:rank], suits[i][rank] - 1, *suits[i][rank + 1 :])
        own = cost(suit, limit)
        fewer = [*costs[:i], own, *costs[i + 1 :]]
        (m, p, s, h) = fewer
        rests = [merge(merge(p, s), h), merge(merge(m, s), h), merge(merge(m, p), h), merge(merge(m, p), s)]
        width = 0
        for k, n in live:
            j = min(k // 9, 3)
            with_k = added[k] if j != i else changed(suit, k - SUITS[j][0], 1)
            lower = merge(with_k, rests[j])[place] - n_ghosts < least
            if not lower and other <= least:  # a tile more takes one off at most
                tried = list(hand)
                tried[d] -= 1
                tried[k] += 1
                lower = _others(tuple(tried), n_melds, n_ghosts) < least
            width += n if lower else 0
        widths[d] = width
    best = min(widths, key=lambda k: (-widths[k], discard_rank(k)))
    return Answer(now, (best, least, widths[best]))
