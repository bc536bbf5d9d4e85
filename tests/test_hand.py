"""``sim.hand`` is exact: against the twin, and how rarely the engine's tables differ from it."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from sim.flags import FLAG, FORM_STANDARD, R_FORMS, to_flags
from sim.hand import FORMS, analyse
from sim.rules import load
from sim.schema import MELD_NAMES
from sim.score import Meld
from sim.shanten import need
from sim.tiles import KIND_OF
from tests.hands import Dealt, dealt, sit
from tests.oracle.exact import exact_by_form, exact_discards, exact_shanten, exact_ukeire


def query(case: Dealt, forms: list[str]) -> tuple[dict[str, Any], tuple[tuple[int, ...], ...]]:
    hand = [k for k in range(34) for _ in range(case.naturals[k])]
    melds = [Meld(MELD_NAMES[m.t], tuple(m.tiles), m.feeder) for m in case.melds]
    melded = tuple(np.bincount([k for m in case.melds for k in m.tiles], minlength=34).tolist())
    return analyse(hand, melds, case.n_ghosts, forms), (case.naturals, melded)


@settings(max_examples=60)
@given(case=st.one_of(dealt(13), dealt(14)), forms=st.lists(st.sampled_from(FORMS), min_size=1, unique=True))
def test_exact_by_the_twin(case: Dealt, forms: list[str]) -> None:
    answer, (hand, melded) = query(case, forms)
    if case.melds and "standard" not in forms:
        assert answer["shanten"] is None
        return
    shanten = exact_shanten(hand, melded, case.n_ghosts, forms)
    assert answer["shanten"] == shanten
    by_form = exact_by_form(hand, melded, case.n_ghosts, forms)
    assert {form: v for form, v in answer["by_form"].items() if v is not None} == {
        form: v for form, v in by_form.items() if not case.melds or form == "standard"
    }
    if "ukeire" in answer:
        kinds = [KIND_OF[tile] for tile in answer["ukeire"]]
        assert kinds == sorted(exact_ukeire(hand, melded, case.n_ghosts, forms))
    else:
        twin = exact_discards(hand, melded, case.n_ghosts, forms)
        for tile, after in answer["discards"].items():
            shanten, kinds = twin[KIND_OF[tile]]
            assert (after["shanten"], [KIND_OF[t] for t in after["ukeire"]]) == (shanten, sorted(kinds))


def test_a_meld_can_use_up_the_tile_that_is_missing() -> None:
    """All four 1p lie exposed as a kong: 23p waits for 4p alone."""
    meld = [Meld("minggang", (9,) * 4, 0)]
    waits = analyse([10, 11, 0, 1, 2, 3, 4, 5, 20, 20], meld, 0, ["standard"])["ukeire"]
    assert waits == ["4p"]


def test_the_tables_differ_from_exact_only_over_melds(lookup: NDArray[np.uint8]) -> None:
    """Engine tables look at concealed copies only: without melds and ghosts never different, with melds rarely."""
    r = to_flags(load("zhuama"))
    r[FLAG, R_FORMS] = FORM_STANDARD
    rng = np.random.default_rng(1)
    different = {0: 0, 2: 0}
    n = 300
    for n_melds in different:
        for _ in range(n):
            deck = rng.permutation(np.repeat(np.arange(34), 4)).tolist()
            melds = []
            for _ in range(n_melds):
                kind = next(k for k in deck if deck.count(k) >= 3)
                deck = [k for i, k in enumerate(deck) if k != kind or deck[:i].count(k) >= 3]
                melds.append(kind)
            hand = tuple(np.bincount(deck[: 13 - 3 * n_melds], minlength=34).tolist())
            kinds = [k for k in range(34) for _ in range(hand[k])]
            exact = analyse(kinds, [Meld("peng", (k,) * 3, 0) for k in melds], 0, ["standard"])["shanten"]
            s = sit(Dealt(hand, (), (), (0,) * 34))
            different[n_melds] += int(need(s, r, lookup, 0, n_melds) - 1 != exact)
    assert different[0] == 0
    assert different[2] <= 3
