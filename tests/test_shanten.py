"""Need, completion and the best discard against the twin."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from sim.flags import FLAG, FORM_BITS, R_FORMS, to_flags
from sim.hand import FORMS
from sim.rules import load
from sim.shanten import DISCARD_RANK, best_discard, completes, need
from sim.state import HELD
from tests.hands import Dealt, dealt, sit
from tests.oracle import bots, shanten
from tests.oracle.state import plus

ALL_FORMS = st.lists(st.sampled_from(FORMS), min_size=1, unique=True)


def flags(forms: list[str]) -> NDArray[np.int64]:
    r = to_flags(load("maima"))
    r[FLAG, R_FORMS] = sum(FORM_BITS[form] for form in forms)
    return r


@settings(max_examples=500)
@given(case=st.one_of(dealt(13), dealt(14)), forms=ALL_FORMS)
def test_need_equals_the_twin(lookup: NDArray[np.uint8], case: Dealt, forms: list[str]) -> None:
    s = sit(case)
    expected = shanten.need(case.naturals, len(case.melds), case.n_ghosts, forms)
    assert need(s, flags(forms), lookup, 0, 0) == expected


@settings(max_examples=200)
@given(case=dealt(13), forms=ALL_FORMS, kind=st.integers(0, 33))
def test_completes_equals_the_twin(lookup: NDArray[np.uint8], case: Dealt, forms: list[str], kind: int) -> None:
    if case.hand[kind] == 4:
        return
    before = sit(case)
    s = before.copy()
    ghosts = case.n_ghosts + (kind in case.ghosts)
    naturals = case.naturals if kind in case.ghosts else plus(case.naturals, kind)
    assert completes(s, flags(forms), lookup, 0, kind) == shanten.is_complete(naturals, len(case.melds), ghosts, forms)
    assert (s == before).all()


@settings(max_examples=200)
@given(case=dealt(14), forms=ALL_FORMS)
def test_best_discard_equals_the_twin(lookup: NDArray[np.uint8], case: Dealt, forms: list[str]) -> None:
    if not any(case.naturals):
        return
    s = sit(case)
    live = tuple(4 - case.visible[k] - case.hand[k] for k in range(34))
    view = bots.View(case.hand, len(case.melds), frozenset(case.ghosts), tuple(forms), live, discard_ghosts=False)
    assert best_discard(s, flags(forms), lookup, 0, 0, int(s[0, HELD])) == bots.best_discard(view, view.discards())


def test_discard_rank_is_a_permutation_with_honours_first() -> None:
    assert sorted(DISCARD_RANK.tolist()) == list(range(34))
    assert set(np.argsort(DISCARD_RANK)[:7].tolist()) == set(range(27, 34))


def test_a_fifth_copy_does_not_make_a_hand_ready(lookup: NDArray[np.uint8]) -> None:
    """123456789m1111p waits for a fifth 1p, which does not exist (case S15)."""
    hand = tuple([1] * 9 + [4] + [0] * 24)
    s = sit(Dealt(hand, (), (), (0,) * 34))
    assert need(s, flags(["standard"]), lookup, 0, 0) == 2
