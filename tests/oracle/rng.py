"""Random numbers of one hand: the streams of `sim/PLAY.md`, drawn from NumPy's own Philox."""

from __future__ import annotations

from collections.abc import MutableSequence
from typing import Any

import numpy as np

LOW_HALF = 0xFFFFFFFF


class Stream:
    """32-bit numbers of key ``(seed, stream)`` and counter ``(0, hand, table, 0)``, low halves first."""

    def __init__(self, seed: int, stream: int, hand: int, table: int) -> None:
        key = np.array([seed, stream], np.uint64)
        counter = np.array([0, hand, table, 0], np.uint64)
        self._philox = np.random.Philox(key=key, counter=counter)
        self._high: int | None = None

    def u32(self) -> int:
        """Return the next number, 0 .. 2^32 - 1."""
        if self._high is not None:
            high, self._high = self._high, None
            return high
        both = int(self._philox.random_raw())
        self._high = both >> 32
        return both & LOW_HALF

    def below(self, n: int) -> int:
        """Return a number in 0 .. n - 1."""
        return (self.u32() * n) >> 32

    def shuffle(self, items: MutableSequence[Any]) -> None:
        """Swap place i with place i + below(n - i), for every i but the last."""
        n = len(items)
        for i in range(n - 1):
            j = i + self.below(n - i)
            items[i], items[j] = items[j], items[i]
