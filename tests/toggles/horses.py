"""Horses: who has them, how many, whom they mean and what they move."""

from __future__ import annotations

from collections.abc import Callable

from sim.rules import Rules
from sim.schema import DIANPAO, QIANGGANG, ZIMO
from tests import settle
from tests.hands_played import Hand
from tests.toggles.entries import HORSES, TWO_GHOSTS, Entry, Law, Money, Play
from tests.toggles.looks import ever, first_difference, n_winners, shifted

DRAWN = {"horses.kind": "drawn", "horses.count": 4, "horses.count_discard": 4}
RESERVED = {"play.last_tiles_reserved": 12}


def drawn(what: Callable[[Hand, Hand], bool] = lambda a, b: True) -> Law:
    """Horses drawn: `tests.settle` knows their number and price."""

    def law(a: Hand, b: Hand, ra: Rules, rb: Rules) -> bool:
        return bool(a.wins) and what(a, b)

    return law


def n_held(rules: Rules) -> int:
    """Horses that the seats get."""
    return 4 * rules.horses.count if rules.horses.kind == "held" else 0


def held_law(a: Hand, b: Hand, ra: Rules, rb: Rules) -> bool:
    """More held horses end the wall earlier; until then nothing differs. They are the next tiles of the wall."""
    fewer = n_held(rb) - n_held(ra)
    one, other = shifted(a, fewer), shifted(b, 0)
    if one != other:
        i = first_difference(one, other)
        drawn = [move[3] for move in other[:i] if move[0] in ("draw", "draw_tail")]
        assert drawn[-1] == 0
        return True
    changed = {name for name in a.row if a.row[name] != b.row[name]}
    at_the_end = b.row["wall_left"] == 0  # 海底
    assert a.wins == b.wins or at_the_end
    assert at_the_end or all(name.startswith((*HORSES, "wall_left")) for name in changed)
    assert a.row["wall_left"] - b.row["wall_left"] == fewer
    opened = settle.moves(b, "horse")
    assert [move[2] for move in settle.moves(a, "horse")] == [move[2] for move in opened][: n_held(ra)]
    assert len(opened) == n_held(rb)
    for name in ("pool_0", "pool_1", "pool_2", "pool_3", "pool_classes"):
        assert a.row[name] == b.row[name]
    settle.check(b, rb)
    return True


ENTRIES: list[Entry] = [
    Money("horses.kind", "none", "drawn", drawn(), also=DRAWN, columns=HORSES),
    Play("horses.kind", "none", "held", held_law, also={"horses.count": 2}),
    Play("horses.kind", "none", "held", held_law, also={"horses.count": 5}),
    Money("horses.count", 2, 7, drawn(ever(ZIMO)), common=DRAWN, columns=HORSES),
    Play("horses.count", 1, 2, held_law, "maima"),
    Play("horses.count", 1, 5, held_law, "huapai"),
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
