"""What `defend` fears is what discards cost: expected and paid losses of `value` bots agree, early and late.

A table of who is ready that knew nothing of wins that are passed for dearer ones expected twenty times too much of the
first discards; four times too much or too little is what a product of three averages may err by. Left out is
`koukoufan`, whose multiples it does not look at.
"""

from __future__ import annotations

import numpy as np
import pytest

from sim.engine import Plan, Player
from sim.measure import N_PLAN_COLUMNS, P_LEFT, P_LOSS, replay
from sim.policy.weights import N_AIMS, N_CLASSES, N_KEPT, N_NEAR, N_UNSEEN, N_WHILES
from sim.rules import load
from sim.schema import OUTCOMES, H
from sim.state import CHAIR, DEALER, GAME, REPEAT, ROUND_WIND, new_state
from sim.tables import load as load_tables

N_HANDS = 6_000


@pytest.mark.parametrize(
    ("variant", "overrides"),
    [("jipinghu", {}), ("xinzhang", {"win.min_fan": 1}), ("maima", {}), ("huapai", {}), ("jiandan", {}), ("lisi", {})],
)
def test_expected_losses_are_those_paid(variant: str, overrides: dict[str, int]) -> None:
    player = Player(Plan(load(variant, overrides), N_HANDS, ("value",) * 4, 99, "session", 1))
    tables, s, trace = load_tables(), new_state(), np.zeros((1024, 4), np.int64)
    plans = np.zeros((256, N_PLAN_COLUMNS), np.int64)
    ready, aims = np.zeros((5 * N_WHILES * N_KEPT, 2), np.int64), np.zeros((N_AIMS, 2), np.int64)
    waits = np.zeros((4, N_CLASSES * N_UNSEEN * N_NEAR, 2), np.int64)
    expected, paid, n_paid = np.zeros(2), np.zeros(2), np.zeros(2)
    for table in range(N_HANDS):
        played = player.rows(table, 1, 1, trace)
        row = played.rows[0]
        s[GAME, DEALER] = s[GAME, CHAIR] = row[H["dealer"]]
        s[GAME, ROUND_WIND] = s[GAME, REPEAT] = 0
        n = replay(s, player.rules, tables, trace, len(played.trace), plans, ready, waits, aims)
        late = plans[:n, P_LEFT] < plans[0, P_LEFT] // 2
        expected += np.bincount(late, plans[:n, P_LOSS] / 4096, 2)
        if OUTCOMES[row[H["outcome"]]] == "dianpao":
            paid[int(late[n - 1])] -= row[H["hand_0"] + row[H["from_seat"]]]
            n_paid[int(late[n - 1])] += 1
    assert n_paid.min() > 100
    assert (expected < 4 * paid).all(), (expected, paid)
    assert (expected > paid / 4).all(), (expected, paid)
