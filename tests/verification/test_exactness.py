"""Need, win and best discard equal the slow twin: on every suit pattern, and on a million hands."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from sim import batch, tables
from sim.flags import FLAG, FORM_ORPHANS, FORM_PAIRS, FORM_STANDARD, R_FORMS, to_flags
from sim.rules import load
from sim.state import GAME, GHOST_MASK, new_state
from tests.oracle import bots
from tests.oracle.shanten import is_complete
from tests.oracle.targets import cost, merge
from tests.verification.exactness import Hands, answer, pattern_hands, random_hands

ALL = FORM_STANDARD | FORM_PAIRS | FORM_ORPHANS
FORMS = ("standard", "seven_pairs", "thirteen_orphans")
N_PATTERNS = {9: 405_350, 7: 43_130}
PIECES, PIECE = 100, 10_000  # a million random hands


def patterns(n_kinds: int) -> NDArray[np.int64]:
    """All counts of a suit with at most 14 tiles, (n, n_kinds)."""
    counts = np.stack([np.arange(5**n_kinds) // 5**i % 5 for i in range(n_kinds)], axis=1)
    return counts[counts.sum(axis=1) <= 14]


@pytest.mark.parametrize("n_kinds", [9, 7])
@pytest.mark.parametrize("limited", [True, False])
def test_every_pattern_alone(lookup: NDArray[np.uint8], n_kinds: int, limited: bool) -> None:
    """All ten numbers of each pattern's vector, and what the classes make of it, in every suit, for 0 to 4 melds."""
    found = patterns(n_kinds)
    assert len(found) == N_PATTERNS[n_kinds]
    vectors = tables.suit_vectors(n_kinds, n_kinds == 9, limited)[found @ 5 ** np.arange(n_kinds)]
    twin = [cost(tuple(pattern), limited) for pattern in found.tolist()]
    assert (vectors == np.minimum(twin, 99)).all()

    empty, no_honours = cost((0,) * 9, limited), cost((0,) * 7, limited)
    beside = merge(merge(empty, empty), no_honours if n_kinds == 9 else empty)
    totals = np.array([merge(one, beside) for one in twin])
    out = np.empty(len(found), np.int8)
    n_ghosts = np.full(len(found), 0 if limited else 1, np.uint8)
    for first in (0, 9, 18) if n_kinds == 9 else (27,):
        counts = np.zeros((len(found), 34), np.uint8)
        counts[:, first : first + n_kinds] = found
        for melds in range(5):
            n_melds = np.full(len(found), melds, np.uint8)
            batch.needs(lookup, counts, n_melds, n_ghosts, FORM_STANDARD, out)
            assert (out == np.maximum(totals[:, 2 * (4 - melds) + 1] - n_ghosts, 0)).all()


def check(lookup: NDArray[np.uint8], hands: Hands, ghost: int) -> None:
    """Compare the kernels with the twin on every hand."""
    n = len(hands.melds)
    needs, wins, best = np.empty(n, np.int8), np.empty(n, np.int8), np.empty((n, 3), np.int64)
    batch.needs(lookup, hands.counts, hands.melds, hands.ghosts, ALL, needs)
    batch.wins(lookup, hands.counts, hands.melds, hands.ghosts, ALL, wins)
    s, r = new_state(), to_flags(load("maima"))
    r[FLAG, R_FORMS] = ALL
    for has_ghosts in (False, True):
        s[GAME, GHOST_MASK] = has_ghosts << ghost
        chosen = (hands.ghosts > 0) == has_ghosts
        part = Hands(*(column[chosen] for column in hands))
        out = np.empty((int(chosen.sum()), 3), np.int64)
        batch.best_discards(s, r, lookup, *part[:3], part.visible, out)
        best[chosen] = out
    counts, melds, ghosts, visible = (column.tolist() for column in hands)
    for i in range(n):
        hand = tuple(counts[i])
        expected = answer(hand, melds[i], ghosts[i], tuple(visible[i]), ghost)
        assert (needs[i], tuple(best[i])) == expected, (hand, melds[i], ghosts[i], visible[i])
        if expected.need <= 1:
            assert wins[i] == is_complete(hand, melds[i], ghosts[i], FORMS), (hand, melds[i], ghosts[i])
        else:
            assert wins[i] == 0


def test_the_quick_twin_is_the_plain_one() -> None:
    for ghost in (0, 13, 33):
        hands = random_hands(7, 600, ghost)
        for counts, melds, ghosts, visible in zip(*(column.tolist() for column in hands), strict=True):
            tiles = [*counts[:ghost], ghosts, *counts[ghost + 1 :]]
            live = tuple(4 - a - b for a, b in zip(visible, counts, strict=True))
            kinds = frozenset({ghost} if ghosts else ())
            view = bots.View(tuple(tiles), melds, kinds, FORMS, live, discard_ghosts=False)
            expected = bots.best_discard(view, [k for k in range(34) if counts[k]])
            assert answer(tuple(counts), melds, ghosts, tuple(visible), ghost) == (view.need(), expected)


def test_every_pattern_among_other_tiles(lookup: NDArray[np.uint8]) -> None:
    """Each pattern in a hand whose other tiles, melds and ghosts are drawn at random."""
    found = patterns(9)
    kept = found[found.sum(axis=1) > 0]  # a hand needs a tile to discard
    for ghost in range(27, 34):
        part = kept[ghost - 27 :: 7]
        check(lookup, pattern_hands(3, part.sum(axis=1), part.astype(np.uint8), ghost), ghost)


@pytest.mark.parametrize("piece", range(PIECES))
def test_random_hands(lookup: NDArray[np.uint8], piece: int) -> None:
    """With 0 to 4 ghosts and 0 to 4 melds; the kind of the ghosts changes from piece to piece."""
    ghost = piece % 34
    check(lookup, random_hands(piece, PIECE, ghost), ghost)
