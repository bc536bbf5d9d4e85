"""Look-up tables against the definition of a set."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from numpy.typing import NDArray

from sim import tables
from tests.oracle.targets import cost


@pytest.mark.parametrize(("n_kinds", "n_patterns"), [(9, 405_350), (7, 43_130)])
def test_number_of_patterns_with_at_most_14_tiles(n_kinds: int, n_patterns: int) -> None:
    counts = sum(np.arange(5**n_kinds) // 5**i % 5 for i in range(n_kinds))
    assert (counts <= 14).sum() == n_patterns


def test_layout(lookup: NDArray[np.uint8]) -> None:
    assert lookup.shape == (tables.N_BYTES,)
    assert lookup.dtype == np.uint8


@pytest.mark.parametrize("limited", [True, False])
@pytest.mark.parametrize("n_kinds", [9, 7])
def test_vectors_equal_the_twin_on_random_patterns(n_kinds: int, limited: bool) -> None:
    vectors = tables.suit_vectors(n_kinds, n_kinds == 9, limited)
    rng = np.random.default_rng(5)
    for _ in range(300):
        counts = rng.multinomial(rng.integers(0, 15), np.ones(n_kinds) / n_kinds)
        if counts.max() > 4:
            continue
        key = int(counts @ 5 ** np.arange(n_kinds))
        assert vectors[key].tolist() == [min(c, 99) for c in cost(tuple(counts.tolist()), limit=limited)]


def test_merged_classes_give_the_min_plus_sum(lookup: NDArray[np.uint8]) -> None:
    rng = np.random.default_rng(6)
    suit, honour = tables.suit_vectors(9, True, True), tables.suit_vectors(7, False, True)
    for _ in range(200):
        counts = np.minimum(rng.multinomial(14, np.ones(34) / 34), 4)
        keys = [int(counts[9 * i : 9 * i + 9] @ 5 ** np.arange(9)) for i in range(3)]
        keys.append(int(counts[27:] @ 5 ** np.arange(7)))
        classes = [tables.class_of(lookup, 0, i, key) for i, key in enumerate(keys)]
        three = tables.triple_class(lookup, tables.pair_class(lookup, classes[0], classes[1]), classes[2])
        rows = [suit[keys[0]], suit[keys[1]], suit[keys[2]], honour[keys[3]]]
        for sets in range(5):
            expected = min(
                sum(int(row[2 * n + p]) for row, n, p in zip(rows, split, pair, strict=True))
                for split in itertools.product(range(sets + 1), repeat=4)
                if sum(split) == sets
                for pair in itertools.product(range(2), repeat=4)
                if sum(pair) == 1
            )
            assert tables.tiles_to_add(lookup, sets, classes[3], three) == expected
