"""Philox against NumPy's, the shuffle, and independence of streams."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim.rng import STREAM_WORDS, below, dice, philox, shuffle
from tests.oracle.rng import Stream

SEEDS = st.integers(0, 2**63 - 1)
SMALL = st.integers(0, 2**32 - 1)


def numpy_words(seed: int, stream: int, hand: int, table: int, n: int) -> list[int]:
    bits = np.random.Philox(key=np.array([seed, stream], np.uint64), counter=np.array([0, hand, table, 0], np.uint64))
    return [int(word) for word in bits.random_raw(n)]


@given(seed=SEEDS, stream=st.integers(0, 5), hand=SMALL, table=SMALL)
def test_philox_is_numpys(seed: int, stream: int, hand: int, table: int) -> None:
    words = []
    for block in (1, 2):
        words += [int(w) for w in philox(*(np.uint64(v) for v in (seed, stream, block, hand, table)))]
    assert words == numpy_words(seed, stream, hand, table, 8)


@given(seed=SEEDS, table=SMALL, hand=SMALL, n=st.integers(2, 144))
def test_shuffle_follows_the_written_rule(seed: int, table: int, hand: int, n: int) -> None:
    deck, wall = np.arange(n), np.zeros(n, np.int64)
    shuffle(deck, n, seed, table, hand, wall)
    halves = [h for w in numpy_words(seed, 0, hand, table, n) for h in (w & 0xFFFFFFFF, w >> 32)]
    expected = list(range(n))
    for i in range(n - 1):
        j = i + (halves[i] * (n - i) >> 32)
        expected[i], expected[j] = expected[j], expected[i]
    assert wall.tolist() == expected


@given(seed=SEEDS, table=SMALL, hand=SMALL, bounds=st.lists(st.integers(1, 60), min_size=1, max_size=20))
def test_policy_streams_equal_the_twins(seed: int, table: int, hand: int, bounds: list[int]) -> None:
    words = np.zeros(STREAM_WORDS, np.int64)
    twin = Stream(seed, 3, hand, table)
    assert [below(words, 3, seed, table, hand, n) for n in bounds] == [twin.below(n) for n in bounds]


def test_every_place_is_equally_likely_for_every_tile() -> None:
    """Chi-square of 24 orders of four tiles over 24,000 walls; false alarm 1e-6."""
    wall = np.zeros(4, np.int64)
    orders: dict[tuple[int, ...], int] = {}
    for hand in range(24_000):
        shuffle(np.arange(4), 4, 7, 11, hand, wall)
        orders[tuple(wall.tolist())] = orders.get(tuple(wall.tolist()), 0) + 1
    assert len(orders) == 24
    assert sum((n - 1000) ** 2 / 1000 for n in orders.values()) < 77.6  # chi2(23).isf(1e-6)


@pytest.mark.parametrize(("a", "b"), [((1, 0, 1), (2, 0, 0)), ((1, 1, 0), (1, 0, 1)), ((5, 3, 0), (5, 4, 0))])
def test_neighbouring_counters_give_unrelated_walls(a: tuple[int, int, int], b: tuple[int, int, int]) -> None:
    deck = np.repeat(np.arange(34), 4)
    walls = np.zeros((2, 136), np.int64)
    for wall, (seed, table, hand) in zip(walls, (a, b), strict=True):
        shuffle(deck, 136, seed, table, hand, wall)
    assert (walls[0] == walls[1]).sum() < 30  # 4 expected


def test_dice_are_fair() -> None:
    counts = np.bincount([dice(9, table, 4) for table in range(8000)], minlength=4)
    assert ((counts - 2000) ** 2 / 2000).sum() < 30.7  # chi2(3).isf(1e-6)
