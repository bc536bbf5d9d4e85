"""What `defend` fears is what discards cost: expected and paid losses of `value` bots agree, small ones and great ones.

One table of who is ready for rule sets that were too unlike, and prices of the plainest hand that melds allow, had
expected a tenth of what was paid (`app-100`), or three times too much early and a third late (`maima`). In `xinzhang`
from three fan on the first discards of a hand cost less than their sum says, the last ones more; by size they agree.
"""

from __future__ import annotations

import numpy as np
import pytest

from sim.measure import P_LEFT, P_LOSS
from sim.rules import load
from sim.schema import OUTCOMES, H
from tests.measured import replays

N_HANDS = 6_000
PARTS = (0.5, 0.9, 0.98)  # of the discards by expected loss


@pytest.mark.parametrize(
    ("variant", "overrides", "factor"),
    [
        ("jipinghu", {}, 2),
        ("guigang", {}, 2),
        ("app-jihu", {}, 2),
        ("xinzhang", {}, 2),
        ("xinzhang", {"win.min_fan": 1}, 2),
        ("xinzhang", {"win.min_fan": 3}, 3),
        ("maima", {}, 2),
        ("app-100", {}, 2),
        ("huapai", {}, 2),
        ("jiandan", {}, 2),
        ("lisi", {}, 2),
        ("koukoufan", {}, 2),
    ],
)
def test_expected_losses_are_those_paid(variant: str, overrides: dict[str, int], factor: int) -> None:
    """Early and late, and of each part of the discards but the safest half, within a factor and three errors."""
    rules, parts = load(variant, overrides), []
    accounts = ["hand_0", "horse_0"] if rules.horses.kind == "drawn" else ["hand_0"]
    for row, plans, _, _ in replays(rules, N_HANDS, 99):
        if len(plans) == 0:
            continue  # won as dealt
        part = np.zeros((len(plans), 3))
        part[:, 0] = plans[:, P_LOSS] / 4096
        part[:, 1] = plans[:, P_LEFT] < plans[0, P_LEFT] // 2
        if OUTCOMES[row[H["outcome"]]] == "dianpao":
            part[-1, 2] = -sum(row[H[account] + row[H["from_seat"]]] for account in accounts)
        parts.append(part)
    expected, late, paid = np.concatenate(parts).T
    place = np.searchsorted(np.quantile(expected, PARTS), expected)
    for chosen in (late == 0, late == 1, place == 1, place == 2, place == 3):
        assert (paid[chosen] > 0).sum() > 50
        mean, error = paid[chosen].mean(), 3 * paid[chosen].std() / np.sqrt(chosen.sum())
        assert (mean - error) / factor < expected[chosen].mean() < factor * (mean + error), (
            expected[chosen].mean(),
            mean,
            error,
        )
