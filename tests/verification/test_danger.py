"""What `defend` fears is what discards cost: expected and paid losses of `value` bots agree, early and late.

A table of who is ready that knew nothing of wins that are passed for dearer ones expected twenty times too much of the
first discards; four times too much or too little is what a product of three averages may err by. Left out is
`koukoufan`, whose multiples it does not look at.
"""

from __future__ import annotations

import numpy as np
import pytest

from sim.measure import P_LEFT, P_LOSS
from sim.rules import load
from sim.schema import OUTCOMES, H
from tests.measured import replays

N_HANDS = 6_000


@pytest.mark.parametrize(
    ("variant", "overrides"),
    [("jipinghu", {}), ("xinzhang", {"win.min_fan": 1}), ("maima", {}), ("huapai", {}), ("jiandan", {}), ("lisi", {})],
)
def test_expected_losses_are_those_paid(variant: str, overrides: dict[str, int]) -> None:
    expected, paid, n_paid = np.zeros(2), np.zeros(2), np.zeros(2)
    for row, plans, _, _ in replays(load(variant, overrides), N_HANDS, 99):
        late = plans[:, P_LEFT] < plans[0, P_LEFT] // 2
        expected += np.bincount(late, plans[:, P_LOSS] / 4096, 2)
        if OUTCOMES[row[H["outcome"]]] == "dianpao":
            paid[int(late[-1])] -= row[H["hand_0"] + row[H["from_seat"]]]
            n_paid[int(late[-1])] += 1
    assert n_paid.min() > 100
    assert (expected < 4 * paid).all(), (expected, paid)
    assert (expected > paid / 4).all(), (expected, paid)
