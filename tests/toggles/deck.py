"""Tile sets and ghosts."""

from __future__ import annotations

from sim.rules import Rules
from sim.schema import WASHOUT
from sim.tiles import FLOWERS, HONOURS, TILE_SETS
from tests import settle
from tests.complete import ghost_after
from tests.hands_played import Hand
from tests.settle import moves
from tests.toggles.entries import TWO_GHOSTS, Entry, Play
from tests.toggles.looks import Position, anything, differing, has

STANDARD = {"win.forms": ["standard"]}  # 十三幺 needs every kind


def ghost_discard_law(a: Hand, b: Hand, ra: Rules, rb: Rules) -> bool:
    one, other, i = differing(a, b)
    seat = other[1]
    assert one[1] == seat
    held = [move[2] for move in moves(b)[:i] if move[1] == seat and move[0] in ("deal", "draw", "draw_tail")]
    assert set(held) & set(settle.ghosts(b, rb))
    return True


def ghost_kong_law(a: Hand, b: Hand, ra: Rules, rb: Rules) -> bool:
    """The moves of a seat that holds four ghosts of a kind are one more."""
    one, other, i = differing(a, b)
    position = Position(rb, b, i)
    assert one[1] == other[1]
    assert any(position.hands[other[1]][ghost] == 4 for ghost in position.ghosts)
    return True


def has_ghost_kong(hand: Hand, rules: Rules) -> bool:
    return any(move[2] in settle.ghosts(hand, rules) for move in moves(hand, "gang_concealed"))


def four_law(a: Hand, b: Hand, ra: Rules, rb: Rules) -> bool:
    """Four ghosts win at once, or are a pattern more of a hand that wins anyhow."""
    assert has(b, "four_ghosts")
    assert any(settle.four_ghosts(b, rb, win["winner"]) for win in b.wins)
    return moves(a) == moves(b) or differing(a, b)[1][0] == "hu"


def cycle_law(a: Hand, b: Hand, ra: Rules, rb: Rules) -> bool:
    (one,), (other,) = moves(a, "indicator"), moves(b, "indicator")
    assert one[2] == other[2]
    assert (HONOURS[one[2] - 27], HONOURS[one[3] - 27], HONOURS[other[3] - 27]) == ("N", "Z", "F")
    return True


def in_deck(hand: Hand, rules: Rules) -> None:
    deck = {*TILE_SETS[rules.tiles], *(34 + i for i in range(FLOWERS.get(rules.tiles, 0)))}
    seen = [move[2] for move in moves(hand, "deal", "draw", "draw_tail", "indicator", "horse")]
    assert set(seen) <= deck
    if hand.row["outcome"] == WASHOUT and rules.horses.kind == "none":
        assert sorted(seen) == sorted([k for k in deck if k < 34] * 4 + [k for k in deck if k >= 34])


def ghosts_turned(hand: Hand, rules: Rules) -> None:
    ((_, _, kind, ghost),) = moves(hand, "indicator")
    assert ghost == ghost_after(rules, kind)
    no_ghost_leaves(hand, rules)


def no_ghost_leaves(hand: Hand, rules: Rules) -> None:
    """No ghost is discarded or melded; some hands hold them."""
    gone = {move[2] for move in moves(hand, "discard", "peng", "gang_exposed", "gang_added", "gang_concealed")}
    assert not gone & set(settle.ghosts(hand, rules))


ENTRIES: list[Entry] = [
    *(
        Play("tiles", "136", n, anything, common=STANDARD, always=in_deck, n_tables=300)
        for n in ("108", "100", "112", "120", "140", "144")
    ),
    Play("ghost.mode", "none", "turned", anything, always=ghosts_turned, n_tables=300),
    Play("ghost.mode", "turned", "turned_two", anything, always=ghosts_turned, n_tables=300),
    Play("ghost.mode", "none", "fixed", anything, also={"ghost.kinds": ["B"]}, always=no_ghost_leaves, n_tables=300),
    Play(
        "ghost.kinds", ["B"], ["Z", "5m"], anything, common={"ghost.mode": "fixed"}, always=no_ghost_leaves,
        n_tables=300,
    ),
    Play("ghost.honour_cycle", "ESWNZFB", "ESWNFB", cycle_law, common={"ghost.mode": "turned"}),
    Play(
        "ghost.discard", "forbidden", "allowed", ghost_discard_law, common={"ghost.mode": "turned"}, bot="random"
    ),
    Play(
        "ghost.kong", "forbidden", "allowed", ghost_kong_law, common=TWO_GHOSTS, bot="random", seen=has_ghost_kong,
    ),
    Play(
        "ghost.four", "nothing", "win",
        four_law,
        common=TWO_GHOSTS | {"patterns.four_ghosts": {"role": "special", "value": 8}}, n_tables=4_000,
    ),
]  # fmt: skip
