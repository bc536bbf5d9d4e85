"""Invariants of the rules that hold in every run."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from sim import patterns
from sim.engine import Plan, Player
from sim.flags import SUCCESSOR, to_flags
from sim.rules import Rules, load, names
from sim.schema import DIANPAO, DRAW, DRAW_TAIL, FLOWER, INDICATOR, MOVES, QIANGGANG, ZIMO, H
from sim.shanten import need
from sim.state import CHAIR, COUNTED, DEALER, GAME, POINTS
from sim.tiles import TILE_SETS
from sim.winning import value
from tests.hands import Dealt, dealt, sit
from tests.test_readings import complete

UKEIRE = ("ukeire",) * 4
DRAWN = (DRAW, DRAW_TAIL, FLOWER)  # moves that say how many tiles are left


def rows(variant: str, n_tables: int = 100, **overrides: object) -> NDArray[np.int64]:
    rules = load(variant, {key.replace("__", "."): v for key, v in overrides.items()})
    return Player(Plan(rules, n_tables * 64, UKEIRE, 8)).rows(0, n_tables, 64).rows


def test_added_kongs_of_honours_are_never_robbed() -> None:
    """Without ghosts and thirteen orphans all four copies are with the konger (worked numbers of the rules page)."""
    played = rows("zhuama", 300)
    robbed = played[played[:, H["outcome"]] == QIANGGANG]
    assert len(robbed) > 50
    assert (robbed[:, H["win_tile"]] < 27).all()


NO_HORSES = {
    "kong.follow_horses": False,
    "horses.kind": "none",
    "horses.pool": "wall",
    "horses.hit": "class",
    "horses.price": "hand",
    "horses.four_ghosts_hit": False,
    **{f"horses.{name}": 0 for name in ("count", "count_discard", "without_ghost", "per_repeat", "rob_extra")},
}
HORSE_COLUMNS = ("points", "horse", "n_horse")


@pytest.mark.parametrize("count", [2, 8])
def test_drawn_horses_never_change_play(count: int) -> None:
    base, other = (
        rows("zhuama", horses__kind=kind, horses__count=n, horses__count_discard=n)
        for kind, n in (("none", 0), ("drawn", count))
    )
    moved = [H[n] for n in H if n.startswith(HORSE_COLUMNS)]
    kept = [i for i in range(base.shape[1]) if i not in moved]
    np.testing.assert_array_equal(base[:, kept], other[:, kept])
    assert (base[:, moved] != other[:, moved]).any()


def play_until_the_end(player: Player, table: int) -> list[tuple[int, ...]]:
    """Moves of a table's first hand up to its last draw, without numbers of tiles left."""
    trace = player.rows(table, 1, 1, np.zeros((1024, 4), np.int64)).trace.tolist()
    last = max(i for i, (move, *_) in enumerate(trace) if move in (DRAW, DRAW_TAIL))
    return [tuple(row[:3] if row[0] in DRAWN else row) for row in trace[: last + 1]]


@pytest.mark.parametrize("count", [1, 5])
@pytest.mark.parametrize("variant", ["zhuama", "maima", "huapai", "lisi", "app-100"])
def test_held_horses_change_play_only_at_the_end_of_the_wall(variant: str, count: int) -> None:
    plain = load(variant, NO_HORSES)
    held = load(variant, NO_HORSES | {"horses.kind": "held", "horses.count": count})
    a, b = (Player(Plan(rules, 2_000, UKEIRE, 8, "session", 1)) for rules in (plain, held))
    base, other = (player.rows(0, 2_000, 1) for player in (a, b))
    ended = other.rows[:, H["wall_left"]] == 0
    assert 0 < ended.sum() < 1_500
    moved = [H[n] for n in H if n.startswith(("wall_left", *HORSE_COLUMNS))]
    kept = [i for i in range(base.rows.shape[1]) if i not in moved]
    np.testing.assert_array_equal(base.rows[~ended][:, kept], other.rows[~ended][:, kept])
    np.testing.assert_array_equal(base.wins[~ended], other.wins[~ended])
    assert (base.rows[~ended][:, H["wall_left"]] - other.rows[~ended][:, H["wall_left"]] == 4 * count).all()
    assert (other.rows[~ended][:, H["n_horses"]] == 4 * count).all()
    for table in np.flatnonzero(ended)[:40].tolist():
        until = play_until_the_end(b, table)
        assert play_until_the_end(a, table)[: len(until)] == until


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


def permuted(case: Dealt, order: list[int], mirror: bool) -> tuple[Dealt, list[int]]:
    """The same hand with suits permuted and numbers mirrored, and what each kind becomes."""
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
    return Dealt(tuple(hand), melds, tuple(to[k] for k in case.ghosts), (0,) * 34), to


WAYS = {ZIMO: patterns.P_ZIMO, DIANPAO: patterns.P_DIANPAO, QIANGGANG: patterns.P_QIANGGANG}
EVENTS = {ZIMO: (patterns.GANGKAI, patterns.HAIDI), DIANPAO: (patterns.GANGPAO, patterns.RENHU), QIANGGANG: ()}


def is_of(case: Dealt, rules: Rules) -> bool:
    """Whether a hand can be of a rule set's tiles."""
    held = {k for k in range(34) if case.hand[k]} | {k for meld in case.melds for k in meld.tiles} | {*case.ghosts}
    return held <= {*TILE_SETS[rules.tiles]} and max(case.naturals) <= 4


def worth(case: Dealt, r: NDArray[np.int64], win: int, source: int, events: int) -> tuple[int, int]:
    """Points (-1: no win) and counted patterns of a complete hand."""
    s = sit(case)
    s[GAME, DEALER] = s[GAME, CHAIR] = 1
    if not value(s, r, 0, win, source, events, 0):
        return -1, 0
    return int(s[POINTS, 0]), int(s[COUNTED, 0])


@pytest.mark.parametrize("variant", names())
@settings(max_examples=60)
@given(mirror=st.booleans(), source=st.sampled_from([ZIMO, DIANPAO, QIANGGANG]), data=st.data())
def test_suits_permuted_or_mirrored_give_the_same(
    lookup: NDArray[np.uint8], variant: str, mirror: bool, source: int, data: st.DataObject
) -> None:
    rules = load(variant)
    deck = TILE_SETS[rules.tiles]
    case = data.draw(st.one_of(dealt(13), complete(deck), complete(deck), complete(deck)))
    if not is_of(case, rules):
        return
    order, suits = [0, 1, 2], sorted({k // 9 for k in deck if k < 27})
    for suit, other_suit in zip(suits, data.draw(st.permutations(suits)), strict=True):
        order[suit] = other_suit
    other, to = permuted(case, order, mirror)
    r = to_flags(rules)
    left = need(sit(case), r, lookup, 0, 0)
    assert need(sit(other), r, lookup, 0, 0) == left
    if left == 0:
        win = data.draw(st.sampled_from([k for k in range(34) if case.hand[k]]))
        events = sum(1 << event for event in EVENTS[source] if data.draw(st.booleans())) | 1 << WAYS[source]
        assert worth(case, r, win, source, events) == worth(other, r, to[win], source, events)


# What ghosts may not stand for in some houses is a rule of its own.
FREE_GHOSTS = {"scoring.luxury_natural": False, "win.natural_forms": []}
WITH_GHOSTS = [name for name in names() if load(name).ghost.mode != "none"]


@pytest.mark.parametrize("variant", WITH_GHOSTS)
@settings(max_examples=60)
@given(source=st.sampled_from([ZIMO, DIANPAO, QIANGGANG]), data=st.data())
def test_no_tile_in_the_place_of_a_ghost_scores_more(
    lookup: NDArray[np.uint8], variant: str, source: int, data: st.DataObject
) -> None:
    """Of all tiles that could be there; only 硬胡, which needs a hand without ghosts, makes one worth more."""
    rules = load(variant, FREE_GHOSTS)
    case = data.draw(complete(TILE_SETS[rules.tiles]))
    if not case.n_ghosts or not is_of(case, rules):
        return
    r, ghost = to_flags(rules), case.ghosts[0]
    win = data.draw(st.sampled_from([k for k in range(34) if case.hand[k]]))
    assert need(sit(case), r, lookup, 0, 0) == 0
    is_win_replaced = win == ghost and (case.hand[ghost] == 1 or data.draw(st.booleans()))
    soft, _ = worth(case, r, win, source, 1 << WAYS[source])
    n_complete = 0
    for kind in TILE_SETS[rules.tiles]:
        if kind in case.ghosts or case.hand[kind] == 4:
            continue
        counts = list(case.hand)
        counts[ghost] -= 1
        counts[kind] += 1
        hard = case._replace(hand=tuple(counts))
        if need(sit(hard), r, lookup, 0, 0) != 0:
            continue
        n_complete += 1
        points, counted = worth(hard, r, kind if is_win_replaced else win, source, 1 << WAYS[source])
        assert points <= soft or counted >> patterns.YINGHU & 1
    assert n_complete


TURNED = [
    (tile_set, mode, cycle)
    for tile_set in TILE_SETS
    for mode in ("turned", "turned_two")
    for cycle in ("ESWNZFB", "ESWNFB", "ZFB", "ESWN")
]


@pytest.mark.parametrize(("tile_set", "mode", "cycle"), TURNED)
def test_a_turned_ghost_is_a_tile_of_the_deck(tile_set: str, mode: str, cycle: str) -> None:
    """After every indicator that can lie there, and in deals."""
    options = {"tiles": tile_set, "ghost.mode": mode, "ghost.honour_cycle": cycle, "win.forms": ["standard"]}
    rules, deck = load("zhuama", options), TILE_SETS[tile_set]
    following = to_flags(rules)[SUCCESSOR]
    ghosts = {kind: (following[kind], following[following[kind]]) for kind in deck}
    assert {int(ghost) for pair in ghosts.values() for ghost in pair} <= {*deck}
    player = Player(Plan(rules, 40, UKEIRE, 8, "session", 1))
    for table in range(40):
        trace = player.rows(table, 1, 1, np.zeros((1024, 4), np.int64)).trace
        ((_, _, indicator, ghost),) = trace[trace[:, 0] == INDICATOR].tolist()
        assert ghost == ghosts[indicator][0]


def test_hands_end_within_bounds() -> None:
    """No hand draws more tiles than the wall has, nor makes more moves than draws and claims allow."""
    plan = Plan(load("jipinghu"), 64, ("random",) * 4, 5)
    player = Player(plan)
    for hand in range(0, 64, 4):
        played = player.rows(0, 1, hand + 1, np.zeros((1024, 4), np.int64))
        assert len(played.trace) < 400
        assert played.rows[-1, H["turns"]] <= 84
        assert MOVES[played.trace[-1][0]] == "end"
