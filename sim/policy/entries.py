"""The bots that are compiled on their own and called by address: only who seats them waits for their compiling."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from sim.flags import N_COLUMNS as N_RULE_COLUMNS
from sim.flags import N_ROWS as N_RULE_ROWS
from sim.jit import entry, view
from sim.policy import DEFEND, VALUE, value
from sim.state import ENTRIES, GAME, N_COLUMNS, N_ROWS
from sim.tables import N_BYTES

VALUE_ENTRY = 0  # place among the addresses


def value_entry(s, r, t, seat, w, question, kind, options, points):
    """Answer a question as ``value`` or ``defend``."""
    rows, rules, tables = view(s, N_ROWS, N_COLUMNS), view(r, N_RULE_ROWS, N_RULE_COLUMNS), view(t, 1, N_BYTES)
    return value.answer(rows, rules, tables[0], seat, w, question, kind, options, points)


def prepare(s: NDArray[np.int64], bots: Iterable[int]) -> None:
    """Compile what the bots need, or load it from the cache, and write the addresses into the state."""
    if {VALUE, DEFEND} & set(bots):
        s[GAME, ENTRIES + VALUE_ENTRY] = entry(value_entry).address
