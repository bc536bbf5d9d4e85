"""Exact shanten and ukeire of a hand by itself, where no natural tile exists more than four times.

Copies in hand, melds and draws together never exceed four of a kind; a missing tile beyond them must be a
ghost that is already held.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

import numpy as np

from sim.tiles import COPIES, HONOUR_MASK, N_KINDS, TERMINAL_MASK

from .targets import SHAPES, placements, suits_of

Counts = tuple[int, ...]
# (sets, pairs, ghosts needed beyond the fourth copies) -> tiles missing
Costs = dict[tuple[int, int, int], int]


@lru_cache(maxsize=65536)
def _suit_costs(suit: Counts, melded: Counts, n_ghosts: int) -> Costs:
    asked, starts = placements(len(suit), limit=False)
    missing = np.maximum(asked.astype(np.int64) - np.array(suit), 0)
    over = np.maximum(missing - np.maximum(COPIES - np.array(suit) - np.array(melded), 0), 0).sum(axis=1)
    missing = missing.sum(axis=1)
    costs: Costs = {}
    for i, (sets, pairs) in enumerate(SHAPES):
        end = starts[i + 1] if i + 1 < len(SHAPES) else len(asked)
        group = slice(starts[i], end)
        for ghosts in range(n_ghosts + 1):
            fits = missing[group][over[group] == ghosts]
            if fits.size:
                costs[sets, pairs, ghosts] = int(fits.min())
    return costs


def _join(a: Costs, b: Costs, max_sets: int, n_ghosts: int) -> Costs:
    joined: Costs = {}
    for (s1, p1, g1), cost1 in a.items():
        for (s2, p2, g2), cost2 in b.items():
            key = (s1 + s2, p1 + p2, g1 + g2)
            if key[0] <= max_sets and key[1] <= 1 and key[2] <= n_ghosts:
                joined[key] = min(cost1 + cost2, joined.get(key, 99))
    return joined


def _standard_missing(hand: Counts, melded: Counts, n_ghosts: int, n_sets: int) -> int:
    costs: Costs = {(0, 0, 0): 0}
    for suit, melds in zip(suits_of(hand), suits_of(melded), strict=True):
        costs = _join(costs, _suit_costs(suit, melds, n_ghosts), n_sets, n_ghosts)
    return min(cost for (sets, pairs, _), cost in costs.items() if sets == n_sets and pairs == 1)


def _seven_pairs_missing(hand: Counts, n_ghosts: int) -> int:
    best = {(0, 0): 0}  # (pairs, ghosts beyond the fourth copies) -> tiles missing
    for held in hand:
        step: dict[tuple[int, int], int] = {}
        for (pairs, over), missing in best.items():
            for more in range(8 - pairs):
                key = (pairs + more, over + max(2 * more - max(COPIES, held), 0))
                cost = missing + max(2 * more - held, 0)
                if key[1] <= n_ghosts:
                    step[key] = min(cost, step.get(key, 99))
        best = step
    return min(missing for (pairs, _), missing in best.items() if pairs == 7)


def _orphans_missing(hand: Counts) -> int:
    orphans = [k for k in range(N_KINDS) if (HONOUR_MASK | TERMINAL_MASK) >> k & 1]
    return min(sum(max(1 + (k == twice) - hand[k], 0) for k in orphans) for twice in orphans)


def exact_by_form(
    hand: Iterable[int], meld_counts: Iterable[int], n_ghosts: int, forms: Iterable[str]
) -> dict[str, int]:
    """Return the exact shanten of each allowed form that the hand can still have.

    Parameters
    ----------
    hand
        Concealed natural tiles, counts (34,).
    meld_counts
        Tiles in melds, counts (34,).
    n_ghosts
        Ghosts held.
    forms
        Of standard, seven_pairs, thirteen_orphans; the last two only without melds.
    """
    hand, melded = tuple(int(c) for c in hand), tuple(int(c) for c in meld_counts)
    n_sets = (sum(hand) + n_ghosts - 1) // 3
    result = {}
    for form in forms:
        if form == "standard":
            result[form] = _standard_missing(hand, melded, n_ghosts, n_sets) - n_ghosts - 1
        elif n_sets == 4:
            is_pairs = form == "seven_pairs"
            missing = _seven_pairs_missing(hand, n_ghosts) if is_pairs else _orphans_missing(hand)
            result[form] = max(missing - n_ghosts, 0) - 1
    return result


def exact_shanten(hand: Iterable[int], meld_counts: Iterable[int], n_ghosts: int, forms: Iterable[str]) -> int:
    """Return the smallest exact shanten over the allowed forms, -1 complete."""
    return min(exact_by_form(hand, meld_counts, n_ghosts, forms).values())


def exact_ukeire(hand: Iterable[int], meld_counts: Iterable[int], n_ghosts: int, forms: Iterable[str]) -> list[int]:
    """Return the kinds that lower the exact shanten and that can still be drawn, ascending."""
    hand, melded, forms = list(hand), list(meld_counts), tuple(forms)
    now = exact_shanten(hand, melded, n_ghosts, forms)
    kinds = []
    for k in range(N_KINDS):
        if hand[k] + melded[k] < COPIES:
            hand[k] += 1
            if exact_shanten(hand, melded, n_ghosts, forms) < now:
                kinds.append(k)
            hand[k] -= 1
    return kinds


def exact_discards(
    hand: Iterable[int], meld_counts: Iterable[int], n_ghosts: int, forms: Iterable[str]
) -> dict[int, tuple[int, list[int]]]:
    """Return, for each natural kind in a hand of 14, the shanten and ukeire after discarding it."""
    hand, melded, forms = list(hand), list(meld_counts), tuple(forms)
    result = {}
    for k in range(N_KINDS):
        if hand[k]:
            hand[k] -= 1
            shanten = exact_shanten(hand, melded, n_ghosts, forms)
            result[k] = (shanten, exact_ukeire(hand, melded, n_ghosts, forms))
            hand[k] += 1
    return result
