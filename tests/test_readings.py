"""The best reading of a hand, its patterns and price, against the twin."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given, reject, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from sim import patterns
from sim.flags import to_flags
from sim.rules import Rules, RulesError, load
from sim.schema import DIANPAO, QIANGGANG, ZIMO
from sim.shanten import need
from sim.state import CHAIR, COUNTED, DEALER, FAN, GAME, POINTS, ROUND_WIND
from sim.winning import value
from tests.hands import Dealt, dealt, sit
from tests.oracle import scoring
from tests.oracle.state import plus

SUM_ROLES = ["none", "item", "double"]
FAN_ROLES = ["none", "pattern", "extra", "special", "floor"]
FORMS = ["standard", "seven_pairs", "thirteen_orphans"]


@st.composite
def priced(draw: st.DrawFn) -> Rules:
    """A rule set with random prices."""
    method = draw(st.sampled_from(["sum", "fan"]))
    roles = SUM_ROLES if method == "sum" else FAN_ROLES
    overrides: dict[str, Any] = {
        "scoring.method": method,
        "scoring.items": draw(st.sampled_from(["add", "add", "highest", "multiply"])),
        "scoring.cap": draw(st.sampled_from([0, 3, 5, 10])),
        "scoring.implied": draw(st.sampled_from(["drop", "add"])),
        "scoring.chicken_with_event": draw(st.integers(0, 3)),
        "scoring.rob_is_zimo": draw(st.booleans()),
        "win.forms": FORMS,
        "win.ways": ["zimo", "dianpao", "qianggang"],
        "win.chicken_ways": draw(st.sampled_from([["zimo"], ["zimo", "dianpao", "qianggang"]])),
        "win.min_fan": draw(st.integers(0, 3)) if method == "fan" else 0,
        "horses.kind": "none",
        "horses.count": 0,
    }
    for pattern in patterns.PATTERNS:
        role = draw(st.sampled_from(roles))
        price = draw(st.integers(1, 2) if role in ("double", "extra") else st.integers(0, 6))
        overrides[f"patterns.{pattern.slug}"] = {"role": role, "value": price}
    try:
        return load("maima", overrides)
    except RulesError:
        reject()  # a hand could move more points than a column holds


def both(rules: Rules, lookup: NDArray[np.uint8], case: Dealt, source: int, dealer: int, wind: int, tile: int) -> None:
    """Compare the kernel and the twin on one hand that contains the winning tile."""
    r, s = to_flags(rules), sit(case)
    if need(s, r, lookup, 0, 0) != 0:
        return
    s[GAME, DEALER] = s[GAME, CHAIR] = dealer
    s[GAME, ROUND_WIND] = wind
    before = s[:5].copy()
    events = {ZIMO: 1 << patterns.P_ZIMO, DIANPAO: 1 << patterns.P_DIANPAO, QIANGGANG: 1 << patterns.P_QIANGGANG}[
        source
    ]
    if source == QIANGGANG and rules.scoring.rob_is_zimo:
        events |= 1 << patterns.P_ZIMO
    won = value(s, r, 0, tile, source, events, 0)
    expected = scoring.best_score(
        rules,
        scoring.Win(
            hand=plus(case.hand, tile, -1),
            tile=tile,
            melds=case.melds,
            source=source,
            ghosts=frozenset(case.ghosts),
            seat_wind=(0 - dealer) % 4,
            round_wind=wind,
        ),
    )
    assert (s[:5] == before).all()
    assert won == (expected is not None)
    if expected is not None:
        assert (s[POINTS, 0], s[FAN, 0], s[COUNTED, 0]) == (expected.points, expected.fan, expected.mask)


@st.composite
def complete(draw: st.DrawFn, deck: tuple[int, ...] = tuple(range(34))) -> Dealt:
    """A standard hand of random sets of the deck's kinds, some tiles replaced by ghosts; up to five of a kind."""
    case = Dealt((0,) * 34, (), (), (0,) * 34)
    counts = [0] * 34
    suit = draw(st.sampled_from(sorted({k // 9 for k in deck})))
    narrow = draw(st.booleans())
    for i in range(5):
        kinds = [k for k in deck if not narrow or k // 9 in (suit, 3)]
        kind = draw(st.sampled_from(kinds))
        if i == 4:
            counts[kind] += 2
        elif kind < 27 and kind % 9 < 7 and draw(st.booleans()):
            for k in range(kind, kind + 3):
                counts[k] += 1
        else:
            counts[kind] += 3
    n = draw(st.integers(0, 4))
    held = [k for k, c in enumerate(counts) for _ in range(c)]
    for i in draw(st.permutations(range(14)))[:n]:
        counts[held[i]] -= 1
    absent = [k for k in deck if counts[k] == 0]
    ghost = draw(st.sampled_from(absent))
    counts[ghost] += n
    return case._replace(hand=tuple(counts), ghosts=(ghost,))


@settings(max_examples=400)
@given(case=complete(), rules=priced(), data=st.data())
def test_complete_hands(lookup: NDArray[np.uint8], case: Dealt, rules: Rules, data: st.DataObject) -> None:
    if max(case.naturals) > 4:
        return
    tile = data.draw(st.sampled_from([k for k in range(34) if case.hand[k]]))
    source = data.draw(st.sampled_from([ZIMO, DIANPAO, QIANGGANG]))
    both(rules, lookup, case, source, data.draw(st.integers(0, 3)), data.draw(st.integers(0, 3)), tile)


@settings(max_examples=100)
@given(case=dealt(14), rules=priced(), data=st.data())
def test_dealt_hands(lookup: NDArray[np.uint8], case: Dealt, rules: Rules, data: st.DataObject) -> None:
    held = [k for k in range(34) if case.hand[k]]
    if held:
        tile = data.draw(st.sampled_from(held))
        both(rules, lookup, case, data.draw(st.sampled_from([ZIMO, DIANPAO])), 1, 2, tile)
