"""Replay: the logged row again, and tiles conserved at every move."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import polars as pl
import pytest

from sim import schema
from sim.engine import Plan, PlanError, simulate
from sim.logs import scan
from sim.replay import replay
from sim.rules import load, names
from sim.schema import MOVES
from tests.options import random_rules


@pytest.mark.parametrize("variant", names())
def test_a_replayed_row_is_the_logged_one(tmp_path: Path, variant: str) -> None:
    rules = load(variant)
    manifest = simulate(Plan(rules, 256, ("ukeire", "random", "ukeire", "ukeire"), 5, "session", 32), tmp_path)
    hands = scan(tmp_path, manifest, rules).hands.collect()
    for table, hand in ((0, 0), (3, 17), (7, 31)):
        again = replay(manifest, table, hand)
        logged = hands.row(by_predicate=(pl.col("table") == table) & (pl.col("hand") == hand), named=True)
        assert {k: v for k, v in again.row.items() if k in logged} == logged


@pytest.mark.parametrize("place", [(-1, 0), (4, 0), (0, 16), (0, -1)])
def test_hands_that_the_run_does_not_have(tmp_path: Path, place: tuple[int, int]) -> None:
    manifest = simulate(Plan(load("zhuama"), 64, ("random",) * 4, 1, "session", 16), tmp_path)
    with pytest.raises(PlanError, match=r"table|hand"):
        replay(manifest, *place)


def conserved(trace: list[tuple[int, int, int, int]], copies: int) -> None:
    """Walk a trace with nothing but tile bookkeeping: no tile comes from nowhere or twice."""
    hands = [Counter[int]() for _ in range(4)]
    seen = Counter[int]()  # every tile that ever left the wall
    river: list[int] = []
    melds = [Counter[int]() for _ in range(4)]
    aside = 0
    for move, seat, kind, other in trace:
        name = MOVES[move]
        if name in ("deal", "draw", "draw_tail"):
            hands[seat][kind] += 1
            seen[kind] += 1
        elif name in ("indicator", "horse"):
            seen[kind] += 1
        elif name == "discard":
            hands[seat][kind] -= 1
            river.append(kind)
        elif name in ("peng", "gang_exposed", "chi"):
            claimed = river.pop()
            tiles = [kind, kind + 1, kind + 2] if name == "chi" else [kind] * (3 if name == "peng" else 4)
            tiles.remove(claimed)
            for k in tiles:
                hands[seat][k] -= 1
                melds[seat][k] += 1
            melds[seat][claimed] += 1
            assert other != seat
        elif name == "gang_concealed":
            hands[seat][kind] -= 4
            melds[seat][kind] += 4
        elif name == "gang_added":
            hands[seat][kind] -= 1
            melds[seat][kind] += 1
        assert all(n >= 0 for hand in hands for n in hand.values())
        assert all(n <= copies for n in seen.values())
        held = sum((hand.total() + meld.total() for hand, meld in zip(hands, melds, strict=True)), len(river))
        aside += name in ("indicator", "horse")
        assert seen.total() == held + aside
    assert trace[-1][0] == schema.END


@pytest.mark.parametrize("seed", range(12))
def test_tiles_are_conserved_at_every_move(tmp_path: Path, seed: int) -> None:
    rules = random_rules(seed) if seed > 2 else load(names()[seed])
    bots = ("ukeire", "random", "ukeire", "random")
    manifest = simulate(Plan(rules, 24, bots, seed, "session", 8), tmp_path)
    for table in range(3):
        for hand in range(8):
            conserved(replay(manifest, table, hand).trace, 4)
