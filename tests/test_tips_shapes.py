"""Shapes of many hands at once, against the exact answer about single hands."""

import numpy as np
import pytest

from analysis.tips import shapes
from analysis.tips.moves import folded, mirrored, numbers, rank
from sim import hand
from sim.tiles import N_KINDS, counts, parse


def _counts(text):
    return counts(parse(text)).astype(np.int8)[None, :]


def _kinds(hand_counts):
    return np.repeat(np.arange(N_KINDS), hand_counts).tolist()


def _packed(hands):
    low = sum(hands[:, k].astype(np.uint64) << np.uint64(3 * k) for k in range(shapes.LOW_KINDS))
    high = sum(
        hands[:, k].astype(np.uint64) << np.uint64(3 * (k - shapes.LOW_KINDS)) for k in range(shapes.LOW_KINDS, N_KINDS)
    )
    return low, high


def _random_hands(n, size=13, seed=1):
    rng = np.random.default_rng(seed)
    deck = np.repeat(np.arange(N_KINDS), 4)
    return np.stack([np.bincount(rng.permutation(deck)[:size], minlength=N_KINDS) for _ in range(n)]).astype(np.int8)


def test_words_are_unpacked():
    hands = _random_hands(200)
    low, high = _packed(hands)
    assert np.array_equal(shapes.unpack(low, high), hands)
    kind = np.arange(200) % N_KINDS
    assert np.array_equal(shapes.count_of(low, high, kind), hands[np.arange(200), kind])


@pytest.mark.parametrize("n_ghosts", [0, 1, 2])
def test_need_is_that_of_single_hands(n_ghosts):
    hands = _random_hands(150, 13 - n_ghosts, seed=n_ghosts)
    none = np.zeros(150, np.int64)
    found = shapes.need(hands, none, none + n_ghosts)
    wanted = [hand.analyse(_kinds(h), [], n_ghosts, ["standard"])["shanten"] + 1 for h in hands]
    assert np.array_equal(found, wanted)


def test_a_tile_helps_where_it_lowers_the_need():
    one = _counts("1234567m1122pES")
    none = np.zeros(1, np.int64)
    helped = {k for k in range(N_KINDS) if shapes.helps(one, none, none, np.array([k]))[0]}
    answer = hand.analyse(_kinds(one[0]), [], 0, ["standard"])
    assert helped == {parse(name)[0] for name in answer["ukeire"]}


@pytest.mark.parametrize(
    ("tiles", "wait", "is_pair"),
    [
        ("123m456m789p555s2s", "2s", True),
        ("123m456m55p222s13s", "2s", False),  # a closed wait with copies in hand
        ("123m456m789pEEE2s", "2s", True),
        ("123m456m789p1222s", "1s", True),
        ("NN1234567m111p9s", "9s", False),  # not ready for it
    ],
)
def test_pair_waits(tiles, wait, is_pair):
    assert shapes.is_pair_wait(_counts(tiles), np.array(parse(wait)))[0] == is_pair


@pytest.mark.parametrize(
    ("tiles", "has"),
    [
        ("1123m4456p99sEWN", True),
        ("1123m1123pEE9sSN", True),
        ("1123m4456pESWNZ", False),  # no pair
        ("11223344556677m", True),  # 1123 + 4456 leaves 2 3 5 6 7 7
        ("1123m456p99sEWNZ", False),  # one of them
        ("1223m4456p99sEWN", False),  # the middle tile twice
    ],
)
def test_bellies(tiles, has):
    assert shapes.has_two_bellies(_counts(tiles))[0] == has


@pytest.mark.parametrize(
    ("tiles", "has"),
    [
        ("112233m445566pEE", True),
        ("11122233344455m", False),  # 14 tiles, but no two pairs of equal chows and a pair
        ("111222333444m11p", False),
        ("22334455667788m", True),
        ("112233m456p456sEE", False),
        ("11112222333344m", True),
    ],
)
def test_twin_chows(tiles, has):
    assert shapes.has_twin_chows(_counts(tiles))[0] == has


def test_numbers_of_tiles():
    kinds = np.array(parse("159m37pES9s"))
    assert rank(kinds).tolist() == [1, 5, 9, 3, 7, 0, 0, 9]
    assert folded(kinds).tolist() == [1, 5, 1, 3, 3, 0, 0, 1]
    assert mirrored(3, 8) == (7, 2)
    assert numbers(1, 9) == 1 | 1 << 24
