"""What `defend` learns from: the wins that `value` bots would take are those that they take, and what feeders pay."""

from __future__ import annotations

import pytest

from sim.flags import DEFEND_WEIGHTS
from sim.measure import paid, winning
from sim.policy.danger import list_threats, suspected_kinds, tells
from sim.policy.weights import W_PRICES, W_READY
from sim.rules import load
from sim.schema import OUTCOMES, H
from sim.state import DECLARED, THREATS, VISIBLE
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


@pytest.mark.parametrize("variant", ["jipinghu", "guigang", "maima", "koukoufan"])
def test_feeders_paid_what_is_measured(variant: str) -> None:
    """But for what comes of the moment: the last tile, the discard after a kong."""
    n = equal = 0
    for row, _, s, r in replays(load(variant), 1_500, 97):
        winners = [seat for seat in range(4) if (row[H["winners"]] >> seat) & 1]
        if OUTCOMES[row[H["outcome"]]] == "dianpao" and len(winners) == 1:
            cost, told = paid(s, r, winners[0], row[H["from_seat"]], row[H["win_tile"]])
            n += 1
            equal += cost == -4 * row[H["hand_0"] + row[H["from_seat"]]]
            assert told > 0
    assert n > 100
    assert equal >= 0.95 * n


def test_a_threat_costs_its_price_and_only_who_has_declared_is_one_where_that_is_asked() -> None:
    seen = set()
    for _, _, s, r in replays(load("jipinghu"), 60, 96):
        list_threats(s, r, 0, DEFEND_WEIGHTS, THREATS)
        before = s[THREATS, 1:4].copy()
        r = r.copy()
        r[DEFEND_WEIGHTS, W_PRICES] *= 2
        list_threats(s, r, 0, DEFEND_WEIGHTS, THREATS)
        for seat in (1, 2, 3):
            told = tells(s, seat, suspected_kinds(s, seat))
            seen.add(told)
            assert s[THREATS, seat] == pytest.approx(before[seat - 1] * (1 if told else 2), rel=0.01, abs=300)
    assert seen == {False, True}

    for _, _, s, r in replays(load("lisi"), 20, 95):
        assert r[DEFEND_WEIGHTS, W_READY : W_READY + 10].min() > 0
        list_threats(s, r, 0, DEFEND_WEIGHTS, THREATS)
        assert ((s[THREATS, 1:4] > 0) == (s[1:4, DECLARED] == 1)).all()
