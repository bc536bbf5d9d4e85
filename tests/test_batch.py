"""Rows of hands: the same needs, wins, best discards and prices as hand by hand."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from sim import batch
from sim.flags import FLAG, FORM_BITS, R_FORMS, to_flags
from sim.hand import FORMS
from sim.patterns import P_ZIMO
from sim.rules import load
from sim.schema import ZIMO
from sim.shanten import best_discard, need
from sim.state import GAME, GHOST_MASK, HELD, N_MELDS, POINTS, VISIBLE, add_tile, new_state
from sim.winning import value
from tests.oracle import shanten
from tests.verification.exactness import random_hands

GHOST = 31


def state(hand: list[int], n_melds: int, n_ghosts: int) -> NDArray[np.int64]:
    """A state in which seat 0 holds the hand, ghosts of kind ``GHOST``."""
    s = new_state()
    s[GAME, GHOST_MASK] = 1 << GHOST
    for kind, n in enumerate([*hand[:GHOST], n_ghosts, *hand[GHOST + 1 :]]):
        for _ in range(n):
            add_tile(s, 0, kind)
    s[0, N_MELDS] = n_melds
    return s


@pytest.mark.parametrize("forms", [FORMS, FORMS[:1], FORMS[1:2], FORMS[2:]])
def test_needs_and_wins_equal_the_twin(lookup: NDArray[np.uint8], forms: tuple[str, ...]) -> None:
    hands = random_hands(1, 400, GHOST)
    needs, wins = np.empty(400, np.int8), np.empty(400, np.int8)
    bits = sum(FORM_BITS[form] for form in forms)
    batch.needs(lookup, hands.counts, hands.melds, hands.ghosts, bits, needs)
    batch.wins(lookup, hands.counts, hands.melds, hands.ghosts, bits, wins)
    rows = zip(*(column.tolist() for column in hands[:3]), strict=True)
    expected = [shanten.need(tuple(hand), melds, ghosts, forms) for hand, melds, ghosts in rows]
    assert needs.tolist() == [max(n, 0) for n in expected]
    assert wins.tolist() == [int(n <= 0) for n in expected]
    assert 0 < wins.sum() < 400 or forms == FORMS[2:]


def test_best_discards_are_those_of_one_hand(lookup: NDArray[np.uint8]) -> None:
    hands = random_hands(2, 300, GHOST)
    s, r, out = new_state(), to_flags(load("maima")), np.empty((300, 3), np.int64)
    r[FLAG, R_FORMS] = sum(FORM_BITS.values())
    s[GAME, GHOST_MASK] = 1 << GHOST
    batch.best_discards(s, r, lookup, *hands, out)
    for i, (hand, melds, ghosts, visible) in enumerate(zip(*(column.tolist() for column in hands), strict=True)):
        one = state(hand, melds, ghosts)
        one[VISIBLE, :34] = visible
        assert tuple(out[i]) == best_discard(one, r, lookup, 0, 0, int(one[0, HELD]))


@pytest.mark.parametrize("variant", ["jipinghu", "maima"])
def test_prices_are_those_of_one_hand(lookup: NDArray[np.uint8], variant: str) -> None:
    hands = random_hands(3, 3_000, GHOST)
    r = to_flags(load(variant))
    kept = [
        i
        for i in range(3_000)
        if hands.melds[i] == 0 and need(state(hands.counts[i].tolist(), 0, int(hands.ghosts[i])), r, lookup, 0, 0) == 0
    ]
    assert len(kept) > 50
    s, win, out = new_state(), hands.counts[kept].argmax(axis=1), np.empty(len(kept), np.int64)
    s[GAME, GHOST_MASK] = 1 << GHOST
    batch.prices(s, r, hands.counts[kept], hands.ghosts[kept], win, out)
    for i, kind, points in zip(kept, win.tolist(), out.tolist(), strict=True):
        one = state(hands.counts[i].tolist(), 0, int(hands.ghosts[i]))
        value(one, r, 0, kind, ZIMO, 1 << P_ZIMO, 0)
        assert points == one[POINTS, 0]
