"""Every field of the model: what it changes, on common walls, and that it changes nothing else.

The table of `tests/toggles` has two values of each field. A field of money (``Money``) leaves every move alone and
changes only the columns that its entry names; of a field of play (``Play``) the law looks at the first move that
differs, and both sides follow their own rules; a field of the table (``Session``) changes who deals next.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any, TypeVar

import numpy as np
import pytest
from numpy.typing import NDArray
from pydantic import BaseModel

from sim.coins import to_coins
from sim.flags import to_flags
from sim.game import play_hand
from sim.patterns import INDEX
from sim.policy import UKEIRE
from sim.rules import Rules, load
from sim.schema import QIANGGANG, ZIMO, H, W
from sim.state import COUNTED, GAME, LIABLE, N_TRACE, N_WINNERS, PAY_HAND, SEATED, WALL, WINNERS, new_state
from sim.tables import load as load_tables
from sim.tiles import parse
from tests import settle
from tests.complete import is_complete
from tests.hands_played import MAX_MOVES, Hand, named
from tests.referee import follow
from tests.settle import moves
from tests.toggles import claims, dealer, deck, horses, payers, shares, wins
from tests.toggles.entries import LEAST, Entry, Money, Play, Session, pairs, play
from tests.toggles.looks import Named, anything, without_horses

AnEntry = TypeVar("AnEntry", bound=Entry)
ENTRIES = [entry for part in (deck, claims, wins, shares, payers, horses, dealer) for entry in part.ENTRIES]

# Fields with a test of their own below.
ALONE = {"win.first_turn_closed_by", "liability.dragons_winds", "coins.factor", "coins.rake"}


def _ids(entry: Entry) -> str:
    return f"{entry.path}-{entry.preset}-{entry.high}"


def with_pattern(entry: AnEntry) -> AnEntry:
    """The entry of a pattern's field, for one pattern."""
    return replace(entry, path=entry.path.replace("SLUG", "pengpeng"))


def _fields(model: type[BaseModel], prefix: str = "") -> Iterator[str]:
    for name, info in model.model_fields.items():
        part: Any = info.annotation
        if name == "patterns":
            yield from (f"patterns.SLUG.{leaf}" for leaf in ("role", "value", "name"))
        elif isinstance(part, type) and issubclass(part, BaseModel):
            yield from _fields(part, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}"


def test_every_field_has_an_entry() -> None:
    texts = {"slug", "name.zh", "name.en", "summary", "source", "patterns.SLUG.name"}
    assert {entry.path for entry in ENTRIES} | ALONE == set(_fields(Rules)) - texts


@pytest.mark.parametrize("entry", [e for e in ENTRIES if isinstance(e, Money)], ids=_ids)
def test_money(entry: Money) -> None:
    entry = with_pattern(entry)
    rules = entry.rules
    (_, a), (_, b) = (play(entry, side) for side in rules)
    kept = [i for name, i in H.items() if not name.startswith(entry.columns)]
    np.testing.assert_array_equal(a.rows[:, kept], b.rows[:, kept])
    np.testing.assert_array_equal(a.n_wins, b.n_wins)
    kept = [i for name, i in W.items() if name not in entry.win_columns]
    np.testing.assert_array_equal(a.wins[:, :, kept], b.wins[:, :, kept])
    n_different = 0
    for is_same, one, other in pairs(entry):
        assert without_horses(one) == without_horses(other)
        for hand, side in zip((one, other), rules, strict=True):
            settle.check(hand, side)
        assert entry.law(one, other, *rules) or is_same
        n_different += not is_same
    assert n_different >= LEAST


@pytest.mark.parametrize("entry", [e for e in ENTRIES if isinstance(e, Play)], ids=_ids)
def test_play(entry: Play) -> None:
    entry = with_pattern(entry)
    rules = entry.rules
    n_different = n_seen = 0
    for is_same, one, other in pairs(entry):
        for hand, side in zip((one, other), rules, strict=True):
            follow(side, hand, hand.row["chair"])
        entry.always(other, rules[1])
        if not is_same or moves(one) != moves(other):  # the same row may come of other discards
            assert entry.law(one, other, *rules)
            n_different += 1
            n_seen += entry.seen(other, rules[1])
    assert n_different >= LEAST
    assert n_seen >= LEAST


def next_dealer(rules: Rules, row: dict[str, int]) -> int:
    """Who deals after a hand."""
    last, following = row["dealer"], (row["dealer"] + 1) % 4
    if not row["winners"]:
        had_kong = any(row[f"gang_{name}_{seat}"] for name in ("exposed", "added", "concealed") for seat in range(4))
        return {"keep": last, "next_seat": following, "kong_passes": following if had_kong else last}[
            rules.dealer.on_washout
        ]
    winners = [seat for seat in range(4) if row["winners"] >> seat & 1]
    if last in winners:
        return last
    if row["outcome"] == QIANGGANG and rules.dealer.after_rob == "robbed":
        return row["from_seat"]
    start = row["from_seat"] if row["outcome"] != ZIMO else 0
    return min(winners, key=lambda w: (w - start) % 4) if rules.dealer.next == "winner" else following


@pytest.mark.parametrize("entry", [e for e in ENTRIES if isinstance(e, Session)], ids=_ids)
def test_session(entry: Session) -> None:
    """Tables are the same up to the first hand after which the two values name different dealers."""
    n, different, both = entry.n_hands, 0, entry.rules
    sides = [play(entry, rules)[1] for rules in both]
    hands = [[named(rows, i, []).row for i in range(entry.n_tables * n)] for rows in sides]
    for table in range(entry.n_tables):
        one, other = (side[table * n : (table + 1) * n] for side in hands)
        for rules, rows in zip(both, (one, other), strict=True):
            for row, after in pairwise(rows):
                assert after["dealer"] == next_dealer(rules, row)
                kept = after["dealer"] == row["dealer"]
                assert after["repeat"] == (row["repeat"] + 1 if kept else 0)
        for row, twin in zip(one, other, strict=True):
            assert row == twin
            if len({next_dealer(rules, row) for rules in both}) > 1:
                different += 1
                break
    assert different >= LEAST


# Fields with a test of their own


def play_wall(hands: tuple[str, ...], then: str, seed: int, rules: Rules) -> tuple[NDArray[np.int64], list[Named]]:
    """Play a hand of four ukeire bots: the given deal, the dealer (seat 0) first, and next tiles, the rest shuffled.

    Returns the state and the moves.
    """
    wall = [kind for hand in (*hands, then) for kind in parse(hand)]
    rest = [k for k in range(34) for _ in range(4)]
    for kind in wall:
        rest.remove(kind)
    s = new_state()
    s[WALL, :136] = [*wall, *np.random.default_rng(seed).permutation(rest)]
    s[GAME, SEATED : SEATED + 4] = UKEIRE
    trace = np.zeros((MAX_MOVES, 4), np.int64)
    play_hand(s, to_flags(rules), load_tables(), trace)
    return s, moves(Hand({}, [], [(a, b, c, d) for a, b, c, d in trace[: s[GAME, N_TRACE]].tolist()]))


@pytest.mark.parametrize(("value", "counts"), [("any_call", False), ("chi_peng", True)])
def test_a_kong_leaves_the_first_turn_open_only_when_the_rules_say_so(value: str, counts: bool) -> None:
    """The dealer makes a concealed kong at once, and the next seat wins on its first draw."""
    hands = ("EEEE19m19p19s147m", "123m456p789s55sSS", "2468m2468p2468sN", "3579m3579p3579sW")
    s, _ = play_wall(hands, "ZS", 0, load("jipinghu", {"win.first_turn_closed_by": value}))
    assert (s[GAME, N_WINNERS], s[WINNERS, 0]) == (1, 1)
    assert bool(s[COUNTED, 0] >> INDEX["dihu"] & 1) == counts


DRAGONS = ("Z147m258p369s29m9p", "ZZFFBB259m146p7s", "F258m147p369s36m9p", "B369m258p147s48m3p")
WINDS = ("EN47m258p369s29m9p", "EESSWWNN259m14p", "S258m147p369s36m9p", "W369m258p147s48m3p")


@pytest.mark.parametrize(
    ("hands", "seed", "feeder"), [(DRAGONS, 57, 3), (DRAGONS, 14, 2), (DRAGONS, 62, 0), (WINDS, 4, 3), (WINDS, 6, 0)]
)
def test_who_feeds_the_last_dragon_or_wind_pays_for_all_three(hands: tuple[str, ...], seed: int, feeder: int) -> None:
    others = {"win.ways": ["zimo"], "win.chicken_ways": [], "liability.twelve_tiles": "off"}
    (free, one), (bao, other) = (
        play_wall(hands, "", seed, load("jipinghu", others | {"liability.dragons_winds": on})) for on in (False, True)
    )
    assert one == other
    honours = [move for move in one if move[0] == "peng" and move[1] == 1 and move[2] >= 27]
    assert len(honours) == (3 if hands is DRAGONS else 4)
    assert honours[-1][3] == feeder
    assert (free[LIABLE, 0], bao[LIABLE, 0]) == (-1, feeder)
    assert free[PAY_HAND, :4].tolist() == [-64, 192, -64, -64]
    assert bao[PAY_HAND, :4].tolist() == [192 if seat == 1 else -192 * (seat == feeder) for seat in range(4)]


@pytest.mark.parametrize("path", ["coins.factor", "coins.rake"])
def test_coins_change_no_hand(path: str) -> None:
    entry = Play(path, 600, 250, anything)
    (_, a), (_, b) = (play(entry, rules) for rules in entry.rules)
    for one, other in zip(a, b, strict=True):
        np.testing.assert_array_equal(one, other)


def test_coins_of_points() -> None:
    rules = load("jipinghu", {"coins.factor": 600, "coins.rake": 250})
    assert to_coins([-4, 12, -4, -4], rules) == [-2650, 6950, -2650, -2650]
    assert sum(to_coins([-8, 8, 0, 0], rules)) == -4 * 250
    assert to_coins([-4, 12, -4, -4], load("jipinghu", {"coins.factor": 0, "coins.rake": 0})) == [0, 0, 0, 0]


def test_a_name_changes_no_hand_but_the_name() -> None:
    named_rules = load("maima", {"patterns.pengpeng": {"role": "item", "value": 8, "name": "对对胡"}})
    entry = Play("win.must", False, False, anything, "maima", n_tables=200)
    (_, a), (_, b) = (play(entry, rules) for rules in (load("maima"), named_rules))
    for one, other in zip(a, b, strict=True):
        np.testing.assert_array_equal(one, other)
    names = [rules.pattern_name(INDEX["pengpeng"]) for rules in (load("maima"), named_rules)]
    assert names == ["碰碰胡", "对对胡"]


def test_the_seven_pairs_of_the_law_are_no_standard_hand() -> None:
    pairs_only = [2 if k in (0, 2, 4, 9, 20, 27, 33) else 0 for k in range(34)]
    assert not is_complete(pairs_only, 0, 0, ("standard",))
    assert is_complete(pairs_only, 0, 0, ("standard", "seven_pairs"))
