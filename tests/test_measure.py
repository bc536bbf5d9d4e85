"""What `defend` learns from: the wins that `value` bots would take are those that they take."""

from __future__ import annotations

import numpy as np
import pytest

from sim.engine import Plan, Player
from sim.measure import N_PLAN_COLUMNS, replay, winning
from sim.policy.weights import N_AIMS, N_CLASSES, N_KEPT, N_NEAR, N_UNSEEN, N_WHILES
from sim.rules import load
from sim.schema import OUTCOMES, H
from sim.state import CHAIR, DEALER, GAME, REPEAT, ROUND_WIND, VISIBLE, new_state
from sim.tables import load as load_tables


@pytest.mark.parametrize(
    ("variant", "overrides"), [("jipinghu", {}), ("xinzhang", {"win.min_fan": 1}), ("maima", {}), ("jiandan", {})]
)
def test_wins_on_discards_were_foreseen(variant: str, overrides: dict[str, int]) -> None:
    n_hands = 400
    player = Player(Plan(load(variant, overrides), n_hands, ("value",) * 4, 98, "session", 1))
    tables, s, trace = load_tables(), new_state(), np.zeros((1024, 4), np.int64)
    plans = np.zeros((256, N_PLAN_COLUMNS), np.int64)
    ready, aims = np.zeros((5 * N_WHILES * N_KEPT, 2), np.int64), np.zeros((N_AIMS, 2), np.int64)
    waits = np.zeros((4, N_CLASSES * N_UNSEEN * N_NEAR, 2), np.int64)
    won = foreseen = 0
    for table in range(n_hands):
        played = player.rows(table, 1, 1, trace)
        row = played.rows[0]
        s[GAME, DEALER] = s[GAME, CHAIR] = row[H["dealer"]]
        s[GAME, ROUND_WIND] = s[GAME, REPEAT] = 0
        replay(s, player.rules, tables, trace, len(played.trace), plans, ready, waits, aims)
        if OUTCOMES[row[H["outcome"]]] == "dianpao":
            kind = row[H["win_tile"]]
            s[VISIBLE, kind] -= 1  # as before the discard
            for seat in range(4):
                if (row[H["winners"]] >> seat) & 1:
                    won += 1
                    foreseen += (winning(s, player.rules, tables, seat) >> kind) & 1
    assert won > 30
    assert foreseen >= 0.95 * won
