"""Hands of four `value` bots, played again as `sim.measure` does for the fits."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from sim.engine import Plan, Player
from sim.measure import N_PLAN_COLUMNS, replay
from sim.policy.weights import N_AIMS, N_CLASSES, N_KEPT, N_NEAR, N_UNSEEN, N_WHILES
from sim.rules import Rules
from sim.schema import H
from sim.state import CHAIR, DEALER, GAME, REPEAT, ROUND_WIND, new_state
from sim.tables import load as load_tables

Ints = NDArray[np.int64]


def replays(rules: Rules, n_hands: int, seed: int) -> Iterator[tuple[Ints, Ints, Ints, Ints]]:
    """Yield of each hand its row, the rows of its discards, the state at its end, and the rules' array."""
    player = Player(Plan(rules, n_hands, ("value",) * 4, seed, "session", 1))
    tables, s, trace = load_tables(), new_state(), np.zeros((1024, 4), np.int64)
    plans = np.zeros((256, N_PLAN_COLUMNS), np.int64)
    ready, aims = np.zeros((5 * N_WHILES * N_KEPT, 2), np.int64), np.zeros((N_AIMS, 2), np.int64)
    waits = np.zeros((4, N_CLASSES * N_UNSEEN * N_NEAR, 2), np.int64)
    for table in range(n_hands):
        played = player.rows(table, 1, 1, trace)
        row = played.rows[0]
        s[GAME, DEALER] = s[GAME, CHAIR] = row[H["dealer"]]
        s[GAME, ROUND_WIND] = s[GAME, REPEAT] = 0
        n = replay(s, player.rules, tables, trace, len(played.trace), plans, ready, waits, aims)
        yield row, plans[:n], s, player.rules
