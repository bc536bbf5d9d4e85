"""Stored columns decode to exactly what the kernel wrote."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from numpy.typing import NDArray

from sim import codec
from sim.engine import Plan, Player
from sim.rules import Rules, load, names
from sim.schema import HAND_COLUMNS, MAX_WINNERS, POOL_COLUMNS, WIN_COLUMNS, H, W
from tests.options import random_rules


def check(rules: Rules, bots: tuple[str, ...], n_tables: int, mode: str = "session") -> None:
    n_hands = 4 if mode == "duplicate" else 32
    rows, wins, n_wins, _ = Player(Plan(rules, n_tables * n_hands, bots, 3, mode, n_hands)).rows(0, n_tables, n_hands)
    round_trip(rules, rows, wins, n_wins)


def round_trip(rules: Rules, rows: NDArray[np.int64], wins: NDArray[np.int64], n_wins: NDArray[np.int64]) -> None:
    """Kernel rows survive being stored; the tables must be of the pool's sample."""
    stored, pool = codec.encode(rules, rows, wins, n_wins)
    hands = codec.decode_hands(pl.DataFrame(stored).lazy(), rules).collect()
    assert hands.columns == [c.name for c in HAND_COLUMNS]
    for column in HAND_COLUMNS:
        assert hands[column.name].dtype == getattr(pl, column.dtype)
        np.testing.assert_array_equal(hands[column.name].to_numpy(), rows[:, H[column.name]], err_msg=column.name)
    flat = wins[np.arange(MAX_WINNERS) < n_wins[:, None]]
    flat = flat[np.lexsort((flat[:, W["winner"]], flat[:, W["hand"]], flat[:, W["table"]]))]
    decoded = codec.decode_wins(pl.DataFrame(stored).lazy()).collect()
    for column in WIN_COLUMNS:
        np.testing.assert_array_equal(decoded[column.name].to_numpy(), flat[:, W[column.name]], err_msg=column.name)
    for column in POOL_COLUMNS:
        np.testing.assert_array_equal(pool[column.name], rows[:, H[column.name]], err_msg=column.name)


@pytest.mark.parametrize("variant", names())
@pytest.mark.parametrize("mode", ["session", "duplicate"])
def test_shipped_rule_sets(variant: str, mode: str) -> None:
    check(load(variant), ("ukeire",) * 4, 40, mode)
    check(load(variant), ("random", "ukeire", "ukeire", "random"), 20, mode)


@pytest.mark.parametrize("seed", range(40))
def test_random_options(seed: int) -> None:
    check(random_rules(seed), ("ukeire", "ukeire", "random", "ukeire"), 20)


def test_pool_sample_is_a_function_of_the_table() -> None:
    kept = codec.in_pool_sample(np.array([0, 1023, 1024, 1025, 1040]))
    assert kept.tolist() == [True, True, True, False, True]


def test_fields_fit_their_bits() -> None:
    """The widest values a hand can have survive packing."""
    rules = load("maima")
    rows = np.zeros((1, len(H)), np.int64)
    for name, top in (("ghosts", 8), ("calls", 4), ("shanten_deal", 8), ("ready_turn", 255), ("gang_exposed", 4)):
        for seat in range(4):
            rows[0, H[f"{name}_{seat}"]] = top
    stored, _ = codec.encode(rules, rows, np.zeros((1, 3, len(W)), np.int64), np.zeros(1, np.int64))
    hands = codec.decode_hands(pl.DataFrame(stored).lazy(), rules).collect()
    for name, top in (("ghosts", 8), ("calls", 4), ("shanten_deal", 8), ("ready_turn", 255), ("gang_exposed", 4)):
        assert [hands[f"{name}_{seat}"][0] for seat in range(4)] == [top] * 4
