"""Horses: who has them, how many, whom they mean and what they move."""

from __future__ import annotations

from collections.abc import Callable

from sim.rules import Rules
from sim.schema import DIANPAO, QIANGGANG, ZIMO
from tests import settle
from tests.hands_played import Hand
from tests.toggles.claims import tail_law
from tests.toggles.entries import HORSES, TWO_GHOSTS, Entry, Law, Money, Play
from tests.toggles.looks import ever, n_winners

DRAWN = {"horses.kind": "drawn", "horses.count": 4, "horses.count_discard": 4}
RESERVED = {"play.last_tiles_reserved": 12}


def drawn(what: Callable[[Hand, Hand], bool] = lambda a, b: True) -> Law:
    """Horses drawn: `tests.settle` knows their number and price."""

    def law(a: Hand, b: Hand, ra: Rules, rb: Rules) -> bool:
        return bool(a.wins) and what(a, b)

    return law


ENTRIES: list[Entry] = [
    Money("horses.kind", "none", "drawn", drawn(), also=DRAWN, columns=HORSES),
    Play("horses.kind", "none", "held", tail_law, also={"horses.count": 2}),
    Money("horses.count", 2, 7, drawn(ever(ZIMO)), common=DRAWN, columns=HORSES),
    Play("horses.count", 1, 2, tail_law, "maima"),
    Money("horses.count_discard", 2, 7, drawn(ever(DIANPAO, QIANGGANG)), common=DRAWN, columns=HORSES),
    Money("horses.without_ghost", 0, 2, drawn(), common=DRAWN | {"ghost.mode": "turned"}, columns=HORSES),
    Money("horses.per_repeat", 0, 2, drawn(lambda a, b: a.row["repeat"] > 0), common=DRAWN, columns=HORSES),
    Money("horses.on_rob", True, False, drawn(ever(QIANGGANG)), "zhuama", columns=HORSES),
    Money("horses.rob_extra", 0, 3, drawn(ever(QIANGGANG)), "zhuama", columns=HORSES),
    Money(
        "horses.pool", "wall", "reserved", drawn(), common=DRAWN | RESERVED, columns=(*HORSES, "pool_"),
    ),
    Money(
        "horses.map", ["159EZ", "26SF", "37WB", "48N"], ["48N", "159EZ", "26SF", "37WB"], drawn(), common=DRAWN,
        columns=(*HORSES, "pool_"),
    ),
    *(
        Money("horses.origin", "dealer", high, drawn(), common=DRAWN, columns=HORSES)
        for high in ("winner", "previous_winner")
    ),
    Money("horses.origin", "winner", "dealer", drawn(), "maima", columns=HORSES),
    Money("horses.origin_multiple", "same", "from_seat", drawn(n_winners(2)), common=DRAWN, columns=HORSES),
    Money("horses.origin_multiple", "same", "from_seat", drawn(n_winners(2)), "maima", columns=HORSES, n_tables=6_000),
    Money("horses.hit", "class", "number", drawn(), common=DRAWN, columns=HORSES),
    Money("horses.honour_number", 0, 10, drawn(), common=DRAWN | {"horses.hit": "number"}, columns=HORSES),
    Money("horses.price", "hand", "fixed", drawn(), common=DRAWN, also={"horses.fixed": 3}, columns=HORSES),
    Money("horses.price", "hand", "double", drawn(), common=DRAWN, columns=HORSES),
    Money("horses.fixed", 1, 3, drawn(), common=DRAWN | {"horses.price": "fixed"}, columns=HORSES),
    Money("horses.fine", 0, 2, drawn(), common=DRAWN, columns=HORSES),
    Money(
        "horses.four_ghosts_hit", False, True,
        lambda a, b, ra, rb: any(settle.four_ghosts(a, ra, win["winner"]) for win in a.wins),
        common=DRAWN | TWO_GHOSTS, columns=HORSES, n_tables=4_000,
    ),
]  # fmt: skip
