"""What may be claimed, declared and drawn."""

from __future__ import annotations

from sim.rules import Rules
from tests.hands_played import Hand
from tests.settle import moves
from tests.toggles.entries import KONG, Entry, Law, Money, Play
from tests.toggles.looks import (
    Position,
    at_first_difference,
    differing,
    first_difference,
    has_win,
    settled,
    without_horses,
    without_walls,
)

DECLARE = {"play.declare": "needed"}
POOL = [f"pool_{i}" for i in range(4)]


def tail_law(a: Hand, b: Hand, ra: Rules, rb: Rules) -> bool:
    """Tiles that leave the wall's tail change replacements, and the hand's end."""
    one, other = without_walls(a), without_walls(b)
    if one == other:
        return True
    i = first_difference(one, other)
    left = [move[3] for move in without_horses(b)[: i + 1] if move[0].startswith("draw")]
    at_the_end = bool(left) and left[-1] == 0
    assert at_the_end or {one[i][0], other[i][0]} == {"draw_tail"}
    return True


class Asked(Position):
    """A position, and who was asked again for a pung of a kind passed since its last draw."""

    def __init__(self, rules: Rules, hand: Hand, i: int) -> None:
        self.again: set[int] = set()
        super().__init__(rules, hand, i)

    def pass_pengs(self, discarder: int, kind: int, move: str) -> None:
        """Note who could make the pung but for an earlier pass."""
        passed = [s for s in range(4) if s != discarder and kind in self.passed_pengs[s] and self.hands[s][kind] >= 2]
        self.again.update(passed)
        super().pass_pengs(discarder, kind, move)


def passed_peng_law(a: Hand, b: Hand, ra: Rules, rb: Rules) -> bool:
    """The seat that parts the hands would have been asked once more for a pung that it has passed."""
    one, other, i = differing(a, b)
    assert Asked(rb, b, i).again & {one[1], other[1]}
    return True


def declare_law(a: Hand, b: Hand, ra: Rules, rb: Rules) -> bool:
    """The same discard declares, or a win comes too early."""
    one, other, i = differing(a, b)
    if other[0] == "declare":
        assert one[0] == "discard"
        assert one == moves(b)[i + 1]
    else:
        assert one[0] == "hu"
        assert one[1] not in [move[1] for move in moves(b)[:i] if move[0] == "declare"]
    return True


def declared_first(hand: Hand, rules: Rules) -> None:
    """Every winner has declared; who has declared discards what it draws and does nothing else but win."""
    declared: dict[int, int] = {}
    played = moves(hand)
    for i, (name, seat, kind, _) in enumerate(played):
        if name == "declare":
            assert seat not in declared
            declared[seat] = i
        if name == "hu":
            assert seat in declared
        if seat in declared and i > declared[seat] + 1:
            assert name in ("draw", "discard", "hu", "pass")
            assert name != "discard" or played[i - 1][:3] in (("draw", seat, kind), ("pass", seat, kind))


def standing_law(a: Hand, b: Hand, ra: Rules, rb: Rules) -> bool:
    """A discard of a kind of which all copies stand, or a declaration with one of which none does."""
    one, _, i = differing(a, b)
    name, seat, kind, _ = one
    position = Position(rb, b, i)
    if name == "declare":
        assert not position.standing[seat][kind]
    else:
        assert name == "discard"
        assert position.standing[seat][kind] == position.hands[seat][kind]
    return True


def stays_law(n_kongs: int) -> Law:
    """After so many kongs one tile fewer can be drawn; nothing else differs before the wall's end or a replacement."""

    def law(a: Hand, b: Hand, ra: Rules, rb: Rules) -> bool:
        if moves(a) == moves(b):
            changed = {name for name in a.row if a.row[name] != b.row[name]}
            assert changed <= {"wall_left", "pool_classes", *POOL}
            assert sum(a.row[name] - b.row[name] for name in POOL) == a.row["wall_left"] - b.row["wall_left"] == 1
            return True
        one, other, i = differing(a, b)
        position = Position(rb, b, i)
        assert position.n_kongs >= n_kongs
        if position.left:
            assert one[0] == other[0]
            assert one[:3] == other[:3] or one[0] == "draw_tail"
            assert one[3] - other[3] == 1
        return True

    return law


def no_chi(hand: Hand, rules: Rules) -> None:
    assert not moves(hand, "chi")


ENTRIES: list[Entry] = [
    Play("play.chi", True, False, at_first_difference(lambda one, other, a, b: one[0] == "chi"), always=no_chi),
    Play(
        "play.passed_peng", "off", "same_tile", passed_peng_law, bot="random"
    ),
    Play("play.declare", "none", "needed", declare_law, always=declared_first, seen=has_win, n_tables=60),
    Play("play.standing", 0, 4, standing_law, common=DECLARE, always=declared_first, seen=has_win, n_tables=40),
    Play("play.standing", 0, 13, standing_law, common=DECLARE, always=declared_first, seen=has_win, n_tables=40),
    Play("play.last_tiles_reserved", 0, 14, tail_law),
    Play("play.reserve_per_kong", 0, 1, stays_law(2), n_tables=4_000),
    Play("play.odd_tile_stays", False, True, stays_law(1), common={"play.reserve_per_kong": 1}),
    Money(
        "play.flower_price", 1, 3, settled(lambda a, b: any(a.row[f"flowers_{seat}"] for seat in range(4))), "huapai",
        columns=KONG,
    ),
]  # fmt: skip
