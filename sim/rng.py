"""Random numbers: Philox4x64-10, counter-based, bit-exact with ``numpy.random.Philox``.

Key = (seed, stream), counter = (block, hand, table, 0): any hand replays alone, and two rule sets or bots on the
same (seed, table, hand) see the same wall. Source: Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC11.
"""

from __future__ import annotations

import numpy as np

from sim.jit import kernel, mulhi

_M0 = np.uint64(0xD2E7470EE14C6C93)
_M1 = np.uint64(0xCA5A826395121157)
_W0 = np.uint64(0x9E3779B97F4A7C15)
_W1 = np.uint64(0xBB67AE8584CAA73B)
_LOW = np.uint64(0xFFFFFFFF)
_SHIFT = np.uint64(32)
_ONE = np.uint64(1)
_ZERO = np.uint64(0)

STREAM_WORDS = 6  # of a stream: next block, numbers left in the buffer, four words


@kernel
def philox(key0, key1, block, hand, table):
    """Return the four uint64 of one counter value; all arguments uint64."""
    c0, c1, c2, c3 = block, hand, table, _ZERO
    for _ in range(10):
        high0, low0 = mulhi(_M0, c0), _M0 * c0
        high1, low1 = mulhi(_M1, c2), _M1 * c2
        c0, c1, c2, c3 = high1 ^ c1 ^ key0, low1, high0 ^ c3 ^ key1, low0
        key0 += _W0
        key1 += _W1
    return c0, c1, c2, c3


@kernel
def shuffle(deck, n, seed, table, hand, wall):
    """Write a uniformly random order of ``deck`` (int64, its first ``n`` entries) into ``wall`` (int64).

    Fisher-Yates with one 32-bit number a place, ``place + (u32 * left >> 32)``: bias below 2**-24 of a chance.
    """
    for i in range(n):
        wall[i] = deck[i]
    block = _ZERO
    i = 0
    while i < n - 1:
        block += _ONE
        for word in philox(np.uint64(seed), _ZERO, block, np.uint64(hand), np.uint64(table)):
            for number in (word & _LOW, word >> _SHIFT):
                if i < n - 1:
                    j = i + np.int64((number * np.uint64(n - i)) >> _SHIFT)
                    wall[i], wall[j] = wall[j], wall[i]
                    i += 1


@kernel
def dice(seed, table, n):
    """Return one number below ``n`` from the table's dice stream."""
    word = philox(np.uint64(seed), _ONE, _ONE, _ZERO, np.uint64(table))[0]
    return np.int64(((word & _LOW) * np.uint64(n)) >> _SHIFT)


@kernel
def below(words, stream, seed, table, hand, n):
    """Return the next number below ``n`` of a stream whose state is kept in ``words``.

    ``words`` int64 (STREAM_WORDS,): next block, numbers left in the buffer, four buffered words; zeros at the start.
    """
    if words[1] == 0:
        words[0] += 1
        word = philox(np.uint64(seed), np.uint64(stream), np.uint64(words[0]), np.uint64(hand), np.uint64(table))
        for i in range(4):
            words[2 + i] = np.int64(word[i])
        words[1] = 8
    used = 8 - words[1]
    words[1] -= 1
    both = np.uint64(words[2 + used // 2])
    number = both >> _SHIFT if used % 2 else both & _LOW
    return np.int64((number * np.uint64(n)) >> _SHIFT)
