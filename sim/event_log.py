"""Where the events of a task are written, and the columns that they become."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sim.codec import Columns
from sim.events import N_PACKED, N_WORDS
from sim.schema import EVENT_COLUMNS
from sim.state import GAME, LOG_AT, LOG_ROOM, N_LOGGED

_PER_HAND = 96  # events for which room is made at first
_DTYPES = {c.name: np.dtype("bool" if c.dtype == "Boolean" else c.dtype.lower()) for c in EVENT_COLUMNS}


def _places() -> dict[str, tuple[int, int]]:
    """Word and byte of each column: packed ones one after the other, none across two words."""
    places, at = {}, 0
    for name, dtype in _DTYPES.items():
        if at // 8 != (at + dtype.itemsize - 1) // 8:
            at = (at // 8 + 1) * 8
        places[name] = (at // 8, at % 8)
        at += dtype.itemsize
    return places


_PLACES = _places()


class EventBuffer:
    """Takes the events of one task on one thread."""

    def __init__(self) -> None:
        self._words = np.zeros((N_WORDS, 0), np.int64)

    def attach(self, state: NDArray[np.int64], n_hands: int) -> None:
        """Let play write here, from the first column on."""
        self._grow(_PER_HAND * n_hands)
        state[GAME, LOG_AT], state[GAME, LOG_ROOM] = self._words.ctypes.data, self._words.shape[1]
        state[GAME, N_LOGGED] = 0

    def holds(self, state: NDArray[np.int64]) -> bool:
        """Whether all events had room; if not, there is room for them now, and the hands are to be played again."""
        n = int(state[GAME, N_LOGGED])
        if n <= self._words.shape[1]:
            return True
        self._grow(n)
        return False

    def columns(self, state: NDArray[np.int64]) -> Columns:
        """Copy the events out as the columns of EVENT_COLUMNS."""
        n = int(state[GAME, N_LOGGED])
        columns: Columns = {}
        for name, dtype in _DTYPES.items():
            word, byte = _PLACES[name]
            words = self._words[word, :n].astype("<i8", copy=False)
            if word < N_PACKED:
                inside = words.view(np.uint8).reshape(n, 8)[:, byte : byte + dtype.itemsize]
                columns[name] = np.ascontiguousarray(inside).view(dtype.newbyteorder("<"))[:, 0].astype(dtype)
            else:
                columns[name] = words.astype(dtype)
        return columns

    def _grow(self, room: int) -> None:
        if room > self._words.shape[1]:
            self._words = np.empty((N_WORDS, room), np.int64)
