"""What `value` takes a win for where each payer owes something else: worked by hand from the rules of `koukoufan`.

The unit is half a point; amounts are quarters of it. Exposed melds double, exposed kongs double once and four times
more, concealed kongs double, self-draws and feeding count half as much again; one owes at most 600, all three 1,000.
"""

from __future__ import annotations

from typing import Any

import pytest

from sim.flags import to_flags
from sim.policy.worth import expected_pay, feeder_pays
from sim.rules import load
from sim.schema import DIANPAO, MELD_CHI, MELD_CONCEALED, MELD_EXPOSED, MELD_PENG, QIANGGANG, ZIMO
from sim.state import add_meld, new_state

WINNER = 2
SMALL = 2  # 小胡: one point
MELDS = {0: [], 1: [MELD_CHI, MELD_PENG], WINNER: [MELD_CHI], 3: [MELD_CONCEALED]}


def pay(points: int, source: int, n_shares: int, overrides: dict[str, Any] | None = None) -> float:
    """Expected pay in units."""
    s, r = new_state(), to_flags(load("koukoufan", overrides))
    for seat, melds in MELDS.items():
        for i, kind_of_meld in enumerate(melds):
            add_meld(s, seat, kind_of_meld, 9 * (i % 3), -1)
    return float(expected_pay(s, r, WINNER, False, points, source, n_shares)) / 4


def test_a_self_draw_takes_from_each_by_its_own_melds() -> None:
    share = SMALL * 2 * 1.5
    assert pay(SMALL, ZIMO, 3) == share * (1 + 4 + 2) == 42


def test_a_discard_costs_its_feeder_more_whoever_that_is() -> None:
    share = SMALL * 2
    owed = [share, share * 4, share * 2]
    assert pay(SMALL, DIANPAO, 3) == pytest.approx(sum(owed) + 0.5 * sum(owed) / 3, abs=0.25)
    assert pay(SMALL, DIANPAO, 1) == pytest.approx(1.5 * sum(owed) / 3, abs=0.25)
    assert pay(SMALL, QIANGGANG, 3) == sum(owed)


def test_what_a_seat_pays_that_feeds() -> None:
    s, r = new_state(), to_flags(load("koukoufan"))
    add_meld(s, WINNER, MELD_CHI, 0, -1)
    add_meld(s, 1, MELD_EXPOSED, 0, -1)
    share = SMALL * 2
    assert feeder_pays(s, r, WINNER, 0, False, SMALL) == 4 * share * 1.5
    assert feeder_pays(s, r, WINNER, 1, False, SMALL) == 4 * share * 2 * 4 * 1.5


def test_caps_hold_for_each_payer_and_are_raised_when_all_three_are_above() -> None:
    assert pay(200, ZIMO, 3) == 200 * 3 * 1 + 600 + 600 == 600 + 600 + 600  # the first owes just the cap
    assert pay(202, ZIMO, 3) == 3 * 1_000
    assert pay(100, ZIMO, 3) == 300 + 600 + 600
    assert pay(202, ZIMO, 3, {"scoring.loss_cap_all": 0}) == 3 * 600


def test_drawn_horses_come_on_top_of_what_each_owes() -> None:
    """Four horses, one of which is expected to hit, double a share; with a fine each miss costs a unit."""
    horses = {"horses.kind": "drawn", "horses.count": 4, "horses.count_discard": 4}
    assert pay(SMALL, ZIMO, 3, horses) == 2 * 42
    assert pay(SMALL, ZIMO, 3, horses | {"horses.fine": 1}) == 2 * 42 - 3 * 3 * 2
    assert pay(SMALL, QIANGGANG, 3, horses) == 2 * pay(SMALL, QIANGGANG, 3)
    assert pay(SMALL, QIANGGANG, 3, horses | {"horses.on_rob": False}) == pay(SMALL, QIANGGANG, 3)


def test_where_all_owe_alike_it_is_the_share_times_the_payers() -> None:
    once = {f"multiples.{name}": 10 for name in ("zimo", "feeder", "opened", "concealed_kong", "exposed_kong")}
    plain = once | {"scoring.loss_cap": 3, "scoring.loss_cap_all": 0}
    assert pay(SMALL, ZIMO, 3, plain) == 3 * SMALL
    assert pay(50, DIANPAO, 1, plain) == 6
    assert pay(50, DIANPAO, 3, plain | {"scoring.loss_cap_all": 4}) == 3 * 8
