"""What `defend` learns from: the wins that `value` bots would take are those that they take."""

from __future__ import annotations

import pytest

from sim.measure import winning
from sim.rules import load
from sim.schema import OUTCOMES, H
from sim.state import VISIBLE
from sim.tables import load as load_tables
from tests.measured import replays


@pytest.mark.parametrize(
    ("variant", "overrides"), [("jipinghu", {}), ("xinzhang", {"win.min_fan": 1}), ("maima", {}), ("jiandan", {})]
)
def test_wins_on_discards_were_foreseen(variant: str, overrides: dict[str, int]) -> None:
    tables = load_tables()
    won = foreseen = 0
    for row, _, s, r in replays(load(variant, overrides), 400, 98):
        if OUTCOMES[row[H["outcome"]]] == "dianpao":
            kind = row[H["win_tile"]]
            s[VISIBLE, kind] -= 1  # as before the discard
            for seat in range(4):
                if (row[H["winners"]] >> seat) & 1:
                    won += 1
                    foreseen += (winning(s, r, tables, seat) >> kind) & 1
    assert won > 30
    assert foreseen >= 0.95 * won
