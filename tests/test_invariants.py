"""Invariants of the rules that hold in every run."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from sim import patterns
from sim.engine import Plan, Player
from sim.flags import to_flags
from sim.rules import load
from sim.schema import MOVES, QIANGGANG, ZIMO, H
from sim.shanten import need
from sim.state import CHAIR, COUNTED, DEALER, GAME, POINTS
from sim.winning import value
from tests.hands import Dealt, dealt, sit
from tests.test_readings import complete

UKEIRE = ("ukeire",) * 4


def rows(variant: str, n_tables: int = 100, **overrides: object) -> NDArray[np.int64]:
    rules = load(variant, {key.replace("__", "."): v for key, v in overrides.items()})
    return Player(Plan(rules, n_tables * 64, UKEIRE, 8)).rows(0, n_tables, 64).rows


def test_added_kongs_of_honours_are_never_robbed() -> None:
    """Without ghosts and thirteen orphans all four copies are with the konger (worked numbers of the rules page)."""
    played = rows("zhuama", 300)
    robbed = played[played[:, H["outcome"]] == QIANGGANG]
    assert len(robbed) > 50
    assert (robbed[:, H["win_tile"]] < 27).all()


@pytest.mark.parametrize("count", [0, 2, 8])
def test_drawn_horses_never_change_play(count: int) -> None:
    kind = "drawn" if count else "none"
    base = rows("zhuama")
    other = rows("zhuama", horses__kind=kind, horses__count=count, horses__count_discard=count)
    moved = [H[n] for n in H if n.startswith(("points", "horse", "n_horse", "pool"))]
    kept = [i for i in range(base.shape[1]) if i not in moved]
    np.testing.assert_array_equal(base[:, kept], other[:, kept])
    assert (base[:, moved] != other[:, moved]).any()


def test_a_price_changes_nothing_but_the_payments() -> None:
    base, other = rows("maima"), rows("maima", patterns__qingyise__value=64)
    moved = [H[n] for n in H if n.startswith(("points", "hand_", "horse_"))]
    kept = [i for i in range(base.shape[1]) if i not in moved]
    np.testing.assert_array_equal(base[:, kept], other[:, kept])


def test_rob_shares_are_exactly_three() -> None:
    one, three = rows("maima", win__rob_shares=1), rows("maima", win__rob_shares=3)
    robbed = one[:, H["outcome"]] == QIANGGANG
    hand = slice(H["hand_0"], H["hand_0"] + 4)
    np.testing.assert_array_equal(3 * one[robbed][:, hand], three[robbed][:, hand])
    np.testing.assert_array_equal(one[~robbed], three[~robbed])


def permuted(case: Dealt, order: tuple[int, ...], mirror: bool) -> Dealt:
    """The same hand with suits permuted and numbers mirrored."""
    to = list(range(34))
    for k in range(27):
        rank = 8 - k % 9 if mirror else k % 9
        to[k] = 9 * order[k // 9] + rank
    hand = [0] * 34
    for k in range(34):
        hand[to[k]] = case.hand[k]
    melds = tuple(
        m._replace(kind=to[m.kind + 2] if mirror and m.t == 0 and m.kind < 27 else to[m.kind]) for m in case.melds
    )
    return Dealt(tuple(hand), melds, tuple(to[k] for k in case.ghosts), (0,) * 34)


@settings(max_examples=150)
@given(
    case=st.one_of(dealt(13), complete()),
    order=st.permutations((0, 1, 2)),
    mirror=st.booleans(),
    variant=st.sampled_from(["maima", "jipinghu"]),
)
def test_suits_permuted_or_mirrored_give_the_same(
    lookup: NDArray[np.uint8], case: Dealt, order: list[int], mirror: bool, variant: str
) -> None:
    if max(case.naturals) > 4:
        return
    other = permuted(case, tuple(order), mirror)
    r, a, b = to_flags(load(variant)), sit(case), sit(other)
    left = need(a, r, lookup, 0, 0)
    assert need(b, r, lookup, 0, 0) == left
    if left == 0:
        events = 1 << patterns.P_ZIMO
        ghost = case.ghosts[0] if case.ghosts and case.n_ghosts else None
        tiles = [ghost] * 2 if ghost is not None else [k for k in (27, 28) if case.hand[k]] * 2
        if len(tiles) < 2:
            return
        win_a, win_b = tiles[0], other.ghosts[0] if ghost is not None else tiles[0]
        results = []
        for s, win in ((a, win_a), (b, win_b)):
            s[GAME, DEALER] = s[GAME, CHAIR] = 1
            results.append((value(s, r, 0, win, ZIMO, events, 0), s[POINTS, 0], s[COUNTED, 0]))
        assert results[0] == results[1]


@settings(max_examples=200)
@given(case=complete(), data=st.data())
def test_a_ghost_never_scores_less_than_the_tile_it_stands_for(
    lookup: NDArray[np.uint8], case: Dealt, data: st.DataObject
) -> None:
    """硬胡 aside, which needs a hand without ghosts: here it is not priced."""
    if not case.n_ghosts or max(case.naturals) > 4:
        return
    r = to_flags(load("maima", {"patterns.yinghu.role": "none"}))
    soft = sit(case)
    if need(soft, r, lookup, 0, 0) != 0:
        return
    kind = data.draw(st.sampled_from([k for k in range(34) if k not in case.ghosts and case.hand[k] < 4]))
    ghost = case.ghosts[0]
    counts = list(case.hand)
    counts[ghost] -= 1
    counts[kind] += 1
    hard = sit(case._replace(hand=tuple(counts)))
    if need(hard, r, lookup, 0, 0) != 0:
        return
    events = 1 << patterns.P_ZIMO
    value(soft, r, 0, ghost, ZIMO, events, 0)
    value(hard, r, 0, kind, ZIMO, events, 0)
    assert soft[POINTS, 0] >= hard[POINTS, 0]


def test_hands_end_within_bounds() -> None:
    """No hand draws more tiles than the wall has, nor makes more moves than draws and claims allow."""
    plan = Plan(load("jipinghu"), 64, ("random",) * 4, 5)
    player = Player(plan)
    for hand in range(0, 64, 4):
        played = player.rows(0, 1, hand + 1, np.zeros((1024, 4), np.int64))
        assert len(played.trace) < 400
        assert played.rows[-1, H["turns"]] <= 84
        assert MOVES[played.trace[-1][0]] == "end"
