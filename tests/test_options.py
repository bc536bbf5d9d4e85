"""Every field of the model: what it changes, on common walls, and that it changes nothing else.

``ENTRIES`` is the table: for each field two values, the columns that may differ, and a law. A law takes the same hand
under both values and says whether the documented situation is there (and asserts what then differs); where it is not,
both hands are the same. A field of money (``Money``) leaves every move alone; of a field of play (``Play``) the law
looks at the first move that differs.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import pairwise
from math import prod
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from pydantic import BaseModel

from sim.coins import to_coins
from sim.engine import Plan, Player, Rows
from sim.flags import to_flags
from sim.game import play_hand
from sim.patterns import IMPLIES, INDEX, SHAPE_MASK
from sim.policy import UKEIRE
from sim.rules import Rules, load
from sim.schema import DIANPAO, QIANGGANG, WASHOUT, ZIMO, H, W
from sim.state import COUNTED, GAME, LIABLE, N_TRACE, N_WINNERS, PAY_HAND, SEATED, WALL, WINNERS, new_state
from sim.tables import load as load_tables
from sim.tiles import FLOWERS, HONOURS, TILE_SETS, parse
from tests import settle
from tests.complete import ghost_after, is_complete
from tests.hands_played import MAX_MOVES, Hand, named
from tests.settle import moves

Law = Callable[[Hand, Hand, Rules, Rules], bool]
Named = tuple[str, int, int, int]
MONEY = ("points_", "hand_", "horse_", "n_horse_hits")  # what follows from a winner's share
SHARE = ("points", "fan", "patterns")
HORSES = ("points_", "horse_", "n_horse", "horse_tiles")
KONG = ("points_", "kong_")
ALL_WAYS = ["zimo", "dianpao", "qianggang"]
TWO_GHOSTS = {"ghost.mode": "turned_two"}
SEED = 5


@dataclass(frozen=True)
class Entry:
    """One field, two of its values and what differs between them."""

    path: str
    low: Any
    high: Any
    law: Law
    preset: str = "jipinghu"
    common: dict[str, Any] = field(default_factory=dict)  # overrides of both sides
    also: dict[str, Any] = field(default_factory=dict)  # overrides that must go with the second value
    bot: str = "ukeire"
    n_tables: int = 400
    n_hands: int = 4

    @property
    def rules(self) -> tuple[Rules, Rules]:
        """The rule sets of both values."""
        high = self.common | self.also | {self.path: self.high}
        return load(self.preset, self.common | {self.path: self.low}), load(self.preset, high)


@dataclass(frozen=True)
class Money(Entry):
    """A field that changes nothing but these columns (by their beginnings) of hands and of winners."""

    columns: tuple[str, ...] = MONEY
    win_columns: tuple[str, ...] = ()


@dataclass(frozen=True)
class Play(Entry):
    """A field of play; each table plays its first hand, so that both sides meet the same walls and dealers."""

    always: Callable[[Hand, Rules], None] = lambda hand, rules: None  # what holds in each hand of the second value
    n_tables: int = 1_500
    n_hands: int = 1


@dataclass(frozen=True)
class Session(Entry):
    """A field of the table: it says who deals the next hand."""

    n_tables: int = 150


# Playing and comparing


@lru_cache(maxsize=512)
def _play(rules_json: str, bot: str, n_tables: int, n_hands: int) -> tuple[Player, Rows]:
    rules = Rules.model_validate_json(rules_json)
    player = Player(Plan(rules, n_tables * n_hands, (bot,) * 4, SEED, "session", n_hands))
    return player, player.rows(0, n_tables, n_hands)


def play(entry: Entry, rules: Rules) -> tuple[Player, Rows]:
    """The entry's hands under one of its rule sets."""
    return _play(json.dumps(rules.to_dict()), entry.bot, entry.n_tables, entry.n_hands)


def hand_of(entry: Entry, player: Player, rows: Rows, i: int) -> Hand:
    """Hand ``i`` of the entry with its moves; its row also has the table's first dealer, ``chair``."""
    table, n = divmod(i, entry.n_hands)
    trace = player.rows(table, 1, n + 1, np.zeros((MAX_MOVES, 4), np.int64)).trace
    hand = named(rows, i, [(a, b, c, d) for a, b, c, d in trace.tolist()])
    hand.row["chair"] = int(rows.rows[table * entry.n_hands, H["dealer"]])
    return hand


def pairs(entry: Entry, n_different: int = 120, n_equal: int = 25) -> Iterator[tuple[bool, Hand, Hand]]:
    """Hands under both values: some that differ, some that do not, with all their moves."""
    sides = [play(entry, rules) for rules in entry.rules]
    (_, a), (_, b) = sides
    same = (a.rows == b.rows).all(1) & (a.wins == b.wins).all((1, 2)) & (a.n_wins == b.n_wins)
    for is_same, n in ((False, n_different), (True, n_equal)):
        for i in np.flatnonzero(same == is_same)[:n]:
            one, other = (hand_of(entry, player, rows, int(i)) for player, rows in sides)
            yield is_same, one, other


def without_horses(hand: Hand) -> list[Named]:
    """Moves without horses."""
    return [move for move in moves(hand) if move[0] != "horse"]


def without_walls(hand: Hand) -> list[Named]:
    """Moves without horses and without the number of tiles left."""
    drawn = ("draw", "draw_tail", "flower")
    return [(m, seat, kind, -1 if m in drawn else other) for m, seat, kind, other in without_horses(hand)]


def first_difference(a: list[Named], b: list[Named]) -> int:
    """Place of the first move that differs."""
    return next(i for i, (x, y) in enumerate(zip([*a, None], [*b, None], strict=False)) if x != y)


def differing(a: Hand, b: Hand) -> tuple[Named, Named, int]:
    """The first two moves that differ, and their place."""
    one, other = moves(a), moves(b)
    i = first_difference(one, other)
    return one[i], other[i], i


def has(hand: Hand, *slugs: str) -> bool:
    """Whether any of some patterns counted for any winner."""
    return any(win["patterns"] >> INDEX[slug] & 1 for win in hand.wins for slug in slugs)


def counted(win: dict[str, int]) -> set[str]:
    """Patterns that counted for a winner."""
    return {slug for slug, i in INDEX.items() if win["patterns"] >> i & 1}


def both(a: Hand, b: Hand) -> Iterator[tuple[dict[str, int], dict[str, int]]]:
    """Winners of both hands, seat by seat."""
    assert [win["winner"] for win in a.wins] == [win["winner"] for win in b.wins]
    return zip(a.wins, b.wins, strict=True)


# Laws of money


def settled(happens: Callable[[Hand, Hand], bool]) -> Law:
    """A price: `tests.settle` works out both sides from the same shares; it counts where ``happens`` says so."""

    def law(a: Hand, b: Hand, ra: Rules, rb: Rules) -> bool:
        return happens(a, b)

    return law


def ever(*outcomes: int) -> Callable[[Hand, Hand], bool]:
    """Whether the hand ended in one of some ways."""
    return lambda a, b: a.row["outcome"] in outcomes


def made(*names: str) -> Law:
    """Kongs of some kinds were made."""
    return settled(lambda a, b: any(a.row[f"gang_{name}_{seat}"] for name in names for seat in range(4)))


def times_base(a: Hand, b: Hand, ra: Rules, rb: Rules) -> bool:
    factor = rb.scoring.base // ra.scoring.base
    for part in ("points", "hand", "kong", "horse"):
        for seat in range(4):
            assert b.row[f"{part}_{seat}"] == factor * a.row[f"{part}_{seat}"]
    for x, y in both(a, b):
        assert y["points"] == factor * x["points"]
    return any(a.row[f"{part}_{seat}"] for part in ("hand", "kong") for seat in range(4))


def sum_points(win: dict[str, int], rules: Rules) -> int:
    """Share of a sum table from the patterns that counted, before repeat deals."""
    slugs = counted(win)
    items = {slug: rules.patterns[slug].value for slug in slugs if rules.patterns[slug].role == "item"}
    if "chicken" in items and slugs & {"gangkai", "qianggang", "haidi"}:
        items["chicken"] = rules.scoring.chicken_with_event
    total = prod(items.values()) if rules.scoring.items == "multiply" else sum(items.values())
    total *= prod(rules.patterns[slug].value for slug in slugs if rules.patterns[slug].role == "double")
    return (min(total, rules.scoring.cap) if rules.scoring.cap else total) * rules.scoring.base


def n_items(win: dict[str, int], rules: Rules) -> int:
    """How many items counted."""
    return sum(rules.patterns[slug].role == "item" for slug in counted(win))


def items_law(a: Hand, b: Hand, ra: Rules, rb: Rules) -> bool:
    for x, y in both(a, b):
        assert x["points"] == sum_points(x, ra)
        if rb.scoring.items == "highest":
            assert n_items(y, rb) == 1
            assert y["points"] <= x["points"]
        if "chicken" not in counted(y):
            assert y["points"] == sum_points(y, rb)
    return any(n_items(win, ra) > 1 for win in a.wins)


def cap_law(a: Hand, b: Hand, ra: Rules, rb: Rules) -> bool:
    is_fan, happened = ra.scoring.method == "fan", False
    cap = rb.scoring.cap
    for x, y in both(a, b):
        if is_fan:
            special = any(rb.patterns[slug].role == "special" for slug in counted(x))
            assert y["fan"] == (x["fan"] if special else min(x["fan"], cap))
            assert y["points"] == rb.scoring.base * 2 ** y["fan"]
        else:
            assert y["points"] == min(x["points"], cap * rb.scoring.base)
        happened |= x["points"] != y["points"]
    return happened


def chicken_event_law(a: Hand, b: Hand, ra: Rules, rb: Rules) -> bool:
    happened = False
    for x, y in both(a, b):
        raised = "chicken" in counted(x) and bool(counted(x) & {"gangkai", "qianggang", "haidi"})
        assert y["points"] == (sum_points(x, rb) if raised else x["points"])
        happened |= raised
    return happened


def implied_law(a: Hand, b: Hand, ra: Rules, rb: Rules) -> bool:
    happened = False
    for x, y in both(a, b):
        implied = {slug for counting in counted(y) for slug in IMPLIES.get(counting, ())} & counted(y)
        assert x["points"] == sum_points(x, ra)
        assert y["points"] == sum_points(y, rb) >= x["points"]
        happened |= bool(implied)
    return happened


def method_law(a: Hand, b: Hand, ra: Rules, rb: Rules) -> bool:
    """Without any priced pattern a fan table pays base x 2^0, a sum table base x 0."""
    for x, y in both(a, b):
        assert (x["points"], x["fan"], y["points"], y["fan"]) == (1, 0, 0, -1)
    return bool(a.wins)


def rob_is_zimo_law(a: Hand, b: Hand, ra: Rules, rb: Rules) -> bool:
    for x, y in both(a, b):
        if a.row["outcome"] == QIANGGANG and "zimo" in counted(x):
            assert counted(x) - counted(y) == {"zimo"}
            assert y["fan"] == min(x["fan"] - 1, y["fan"])
    return a.row["outcome"] == QIANGGANG and has(a, "zimo")


def luxury_law(a: Hand, b: Hand, ra: Rules, rb: Rules) -> bool:
    lost = False
    for x, y in both(a, b):
        if "luxury_seven_pairs" in counted(x) - counted(y):
            lost = True
            assert a.row[f"ghosts_{x['winner']}"] or a.row["win_tile"] in settle.ghosts(a, ra)
            assert y["points"] < x["points"]
    return lost


def loss_cap_law(a: Hand, b: Hand, ra: Rules, rb: Rules) -> bool:
    cap = rb.scoring.loss_cap * rb.scoring.base
    for x, y in both(a, b):
        assert y["points"] == min(x["points"], cap)
    return bool(a.wins)


def repeat_law(a: Hand, b: Hand, ra: Rules, rb: Rules) -> bool:
    n = min(a.row["repeat"], 10)
    for x, y in both(a, b):
        if rb.dealer.repeat_mode == "double":
            assert y["points"] == x["points"] * 2**n
        else:
            more = rb.dealer.repeat_points - ra.dealer.repeat_points
            assert y["points"] == x["points"] + n * more * rb.scoring.base
    return n > 0 and bool(a.wins)


def value_law(a: Hand, b: Hand, ra: Rules, rb: Rules) -> bool:
    for x, y in both(a, b):
        assert y["points"] == sum_points(y, rb)
        assert ("pengpeng" in counted(x)) <= ("pengpeng" in counted(y))
    return has(b, "pengpeng")


def seat_wind_law(a: Hand, b: Hand, ra: Rules, rb: Rules) -> bool:
    for x, y in both(a, b):
        assert counted(x) ^ counted(y) <= {"seat_wind", "chicken"}
    return a.row["chair"] != a.row["dealer"] and (has(a, "seat_wind") or has(b, "seat_wind"))


def claims_of(hand: Hand, seat: int) -> list[Named]:
    """Melds that a seat claimed, in order."""
    return [move for move in moves(hand, "chi", "peng", "gang_exposed") if move[1] == seat]


def nobody_else_liable(a: Hand, b: Hand) -> Iterator[tuple[dict[str, int], dict[str, int]]]:
    """Winners whose liable seat differs; the first value makes nobody liable."""
    for x, y in both(a, b):
        assert x["liable"] == -1
        if y["liable"] >= 0:
            assert b.row["outcome"] == ZIMO
            yield x, y


def gangkai_law(a: Hand, b: Hand, ra: Rules, rb: Rules) -> bool:
    happened = False
    for _, win in nobody_else_liable(a, b):
        happened = True
        last = [m for m in moves(b) if m[1] == win["winner"] and m[0].startswith(("gang", "discard"))][-1]
        assert (last[0], last[3]) == ("gang_exposed", win["liable"])
    return happened


def twelve_law(a: Hand, b: Hand, ra: Rules, rb: Rules) -> bool:
    happened = False
    for _, win in nobody_else_liable(a, b):
        happened = True
        claims = claims_of(b, win["winner"])
        assert len(claims) == 4
        assert claims[-1][3] == win["liable"]
    return happened


def big_twelve_law(a: Hand, b: Hand, ra: Rules, rb: Rules) -> bool:
    """From on to big: small hands are free."""
    big = SHAPE_MASK & ~(1 << INDEX["pinghu"])
    for x, y in both(a, b):
        assert y["liable"] == (x["liable"] if x["patterns"] & big else -1)
    return any(win["liable"] >= 0 and not win["patterns"] & big for win in a.wins)


def drawn(what: Callable[[Hand, Hand], bool] = lambda a, b: True) -> Law:
    """Horses drawn: `tests.settle` knows their number and price."""

    def law(a: Hand, b: Hand, ra: Rules, rb: Rules) -> bool:
        return bool(a.wins) and what(a, b)

    return law


def n_winners(n: int) -> Callable[[Hand, Hand], bool]:
    """Whether at least ``n`` seats won."""
    return lambda a, b: len(a.wins) >= n


# Laws of play


def at_first_difference(what: Callable[[Named, Named, Hand, Hand], bool]) -> Law:
    """Moves differ, first in the way that ``what`` says."""

    def law(a: Hand, b: Hand, ra: Rules, rb: Rules) -> bool:
        one, other, _ = differing(a, b)
        assert what(one, other, a, b), (one, other)
        return True

    return law


def win_of(hand: Hand, seat: int) -> dict[str, int]:
    """The winner's row of a seat."""
    return next(win for win in hand.wins if win["winner"] == seat)


def other_winner_law(a: Hand, b: Hand, ra: Rules, rb: Rules) -> bool:
    """Of several winners one is left, by the rule's name."""
    assert len(a.wins) > 1
    seats = [win["winner"] for win in a.wins]
    assert seats == sorted(seats, key=lambda seat: (seat - a.row["from_seat"]) % 4)
    dealer = a.row["dealer"]
    right = {
        "nearest": seats[0],
        "from_dealer": min(seats, key=lambda seat: (seat - dealer) % 4),
        "biggest": max(a.wins, key=lambda win: win["points"])["winner"],
    }[rb.win.multiple]
    assert [win["winner"] for win in b.wins] == [right]
    assert b.row["from_seat"] == a.row["from_seat"]
    return True


def one_winner(hand: Hand, rules: Rules) -> None:
    assert len(hand.wins) < 2


def passed_law(a: Hand, b: Hand, ra: Rules, rb: Rules) -> bool:
    """The seat that is asked once more under "off" has passed a win since its last draw or call."""
    one, _, i = differing(a, b)
    assert one[0] in ("pass", "hu")
    seat, before = one[1], []
    for move in reversed(moves(a)[:i]):
        if move[1] == seat and move[0] in ("draw", "draw_tail", "chi", "peng", "gang_exposed"):
            break
        before += [move] if move[0] == "pass" and move[1] == seat else []
    assert before
    if rb.win.passed == "same_tile":
        assert one[2] in [move[2] for move in before]
    return True


def robbed_after(name: str) -> Law:
    """The second side robs a kong of one kind."""

    def law(a: Hand, b: Hand, ra: Rules, rb: Rules) -> bool:
        _, other, i = differing(a, b)
        assert other[0] in ("hu", "pass")
        last = [move for move in moves(b)[:i] if move[0] not in ("hu", "pass")][-1]
        assert last[:3] == (name, other[3], other[2])
        return True

    return law


def forms_law(a: Hand, b: Hand, ra: Rules, rb: Rules) -> bool:
    """Random bots that must win: the form changes wins, and what is said of the distance to one."""
    if moves(a) != moves(b):
        _, other, _ = differing(a, b)
        assert other[0] == "hu"
        assert has(b, "seven_pairs")
        return True
    distance = ("shanten_deal_", "ready_turn_")
    changed = [name for name in a.row if a.row[name] != b.row[name] and not name.startswith(distance)]
    assert not changed or has(b, "seven_pairs")
    for x, y in both(a, b):
        assert counted(x) == counted(y) or "seven_pairs" in counted(y)
    return True


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


def ghost_discard_law(a: Hand, b: Hand, ra: Rules, rb: Rules) -> bool:
    one, other, i = differing(a, b)
    seat = other[1]
    assert one[1] == seat
    held = [move[2] for move in moves(b)[:i] if move[1] == seat and move[0] in ("deal", "draw", "draw_tail")]
    assert set(held) & set(settle.ghosts(b, rb))
    return True


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


def anything(a: Hand, b: Hand, ra: Rules, rb: Rules) -> bool:
    """Everything may differ; what holds stands in ``always``."""
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


def no_chi(hand: Hand, rules: Rules) -> None:
    assert not moves(hand, "chi")


def no_pass(hand: Hand, rules: Rules) -> None:
    assert not moves(hand, "pass")


def at_least_fan(hand: Hand, rules: Rules) -> None:
    for win in hand.wins:
        least = rules.win.min_fan
        if win["source"] == DIANPAO:
            least = max(least, rules.win.min_fan_discard)
        assert win["fan"] >= min(least, rules.scoring.cap)


DRAWN = {"horses.kind": "drawn", "horses.count": 4, "horses.count_discard": 4}
NO_BAO = {"liability.gangkai_direct": False, "liability.twelve_tiles": "off", "liability.dragons_winds": False}
SHAPES_NONE = {f"patterns.{slug}.role": "none" for slug in load("jipinghu").patterns}
RESERVED = {"play.last_tiles_reserved": 12}
WIN_ONLY = ("points", "liable")
STANDARD = {"win.forms": ["standard"]}  # 十三幺 needs every kind

ENTRIES: list[Entry] = [
    # The deck and ghosts
    *(
        Play("tiles", "136", n, anything, common=STANDARD, always=in_deck, n_tables=300)
        for n in ("108", "100", "120", "140", "144")
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
        "ghost.four", "nothing", "win",
        four_law,
        common=TWO_GHOSTS | {"patterns.four_ghosts": {"role": "special", "value": 8}},
    ),
    # Claims and the wall
    Play("play.chi", True, False, at_first_difference(lambda one, other, a, b: one[0] == "chi"), always=no_chi),
    Play("play.last_tiles_reserved", 0, 14, tail_law),
    Money(
        "play.flower_price", 1, 3, settled(lambda a, b: any(a.row[f"flowers_{seat}"] for seat in range(4))), "huapai",
        columns=KONG,
    ),
    # Wins
    Play(
        "win.ways", ["zimo", "qianggang"], ALL_WAYS,
        at_first_difference(lambda one, other, a, b: other[0] == "hu" and b.row["outcome"] == DIANPAO),
        "xinzhang", {"win.chicken_ways": ["zimo"]},
    ),
    Play(
        "win.ways", ALL_WAYS, ["zimo", "dianpao"],
        at_first_difference(lambda one, other, a, b: one[0] == "hu" and a.row["outcome"] == QIANGGANG),
        "xinzhang", {"win.chicken_ways": ["zimo", "dianpao"]}, n_tables=8_000,
    ),
    Play(
        "win.chicken_ways", ["zimo", "qianggang"], ALL_WAYS,
        at_first_difference(
            lambda one, other, a, b: other[0] == "hu"
            and b.row["outcome"] == DIANPAO
            and "chicken" in counted(win_of(b, other[1]))
        ),
        "maima",
    ),
    Play(
        "win.forms", ["standard"], ["standard", "seven_pairs"], forms_law,
        common=TWO_GHOSTS | {"win.must": True, "patterns.seven_pairs": {"role": "special", "value": 9}},
        bot="random", n_tables=20_000,
    ),
    Play(
        "win.min_fan", 0, 2,
        at_first_difference(lambda one, other, a, b: one[0] == "hu" and win_of(a, one[1])["fan"] < 2),
        always=at_least_fan,
    ),
    Play(
        "win.min_fan_discard", 0, 2,
        at_first_difference(
            lambda one, other, a, b: one[0] == "hu" and a.row["outcome"] == DIANPAO and win_of(a, one[1])["fan"] < 2
        ),
        always=at_least_fan,
    ),
    Play(
        "win.must", False, True, at_first_difference(lambda one, other, a, b: other[0] == "hu" != one[0]),
        common=TWO_GHOSTS, bot="random", always=no_pass,
    ),
    *(
        Play("win.multiple", "all", high, other_winner_law, preset, common, always=one_winner, n_tables=3_000)
        for preset, common in (("maima", {"win.chicken_ways": ALL_WAYS}),)
        for high in ("nearest", "from_dealer", "biggest")
    ),
    *(
        Play("win.passed", "off", high, passed_law, common=TWO_GHOSTS, bot="random", n_tables=20_000)
        for high in ("same_tile", "all_tiles", "same_value")
    ),
    Play(
        "win.rob_kongs", ["added"], ["added", "concealed"], robbed_after("gang_concealed"), "zhuama", TWO_GHOSTS,
        n_tables=6_000,
    ),
    Play(
        "win.rob_kongs", ["added"], ["added", "direct"], robbed_after("gang_exposed"), "zhuama", n_tables=6_000
    ),
    Money("win.rob_shares", 1, 3, settled(ever(QIANGGANG)), "zhuama"),
    # Shares
    Money("scoring.method", "fan", "sum", method_law, common=SHAPES_NONE, win_columns=SHARE),
    Money("scoring.base", 1, 5, times_base, "maima", columns=(*MONEY, *KONG), win_columns=("points",)),
    Money("scoring.items", "add", "highest", items_law, "maima", win_columns=SHARE),
    Money("scoring.items", "add", "multiply", items_law, "maima", {"scoring.cap": 1000}, win_columns=SHARE),
    Money("scoring.cap", 3, 1, cap_law, win_columns=("points", "fan")),
    Money("scoring.cap", 0, 10, cap_law, "maima", win_columns=SHARE),
    Money("scoring.chicken_with_event", 0, 2, chicken_event_law, "maima", win_columns=SHARE),
    Money("scoring.implied", "drop", "add", implied_law, "maima", win_columns=SHARE, n_tables=3_000),
    Money("scoring.rob_is_zimo", True, False, rob_is_zimo_law, "xinzhang", win_columns=SHARE, n_tables=1_500),
    Money("scoring.luxury_natural", False, True, luxury_law, "maima", TWO_GHOSTS, win_columns=SHARE, n_tables=2_000),
    Money("scoring.loss_cap", 0, 3, loss_cap_law, win_columns=("points",)),
    Money("scoring.loss_cap", 0, 50, loss_cap_law, "zhuama", win_columns=("points",)),
    Play(
        "patterns.SLUG.role", "item", "none", lambda a, b, ra, rb: has(a, "pengpeng"), "maima",
    ),
    Money("patterns.SLUG.value", 8, 16, value_law, "maima", win_columns=SHARE),
    # Liability
    Money("liability.gangkai_direct", False, True, gangkai_law, common=NO_BAO, win_columns=("liable",), n_tables=3_000),
    Money("liability.twelve_tiles", "off", "on", twelve_law, common=NO_BAO, win_columns=("liable",), n_tables=1_000),
    Money(
        "liability.twelve_tiles", "on", "big", big_twelve_law, common=NO_BAO, win_columns=("liable",), n_tables=1_000
    ),
    # Kongs
    Money("kong.direct", 30, 12, made("exposed"), "zhuama", columns=KONG),
    Money("kong.direct_payer", "feeder", "all", made("exposed"), "zhuama", columns=KONG),
    Money("kong.added", 10, 12, made("added"), "zhuama", columns=KONG),
    Money("kong.concealed", 20, 25, made("concealed"), "zhuama", columns=KONG),
    Money(
        "kong.on_washout", "kept", "void",
        settled(lambda a, b: a.row["outcome"] == WASHOUT and any(a.row[f"kong_{seat}"] for seat in range(4))),
        "zhuama", columns=KONG,
    ),
    Money(
        "kong.follow_horses", False, True,
        lambda a, b, ra, rb: bool(a.row["n_horse_hits"]) and bool(settle.kong_payments(a, ra)),
        "zhuama", columns=("points_", "horse_"),
    ),
    # Horses
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
    Money("horses.origin_multiple", "same", "from_seat", drawn(n_winners(2)), "maima", columns=HORSES, n_tables=1_500),
    Money("horses.hit", "class", "number", drawn(), common=DRAWN, columns=HORSES),
    Money("horses.honour_number", 0, 10, drawn(), common=DRAWN | {"horses.hit": "number"}, columns=HORSES),
    Money("horses.price", "hand", "fixed", drawn(), common=DRAWN, also={"horses.fixed": 3}, columns=HORSES),
    Money("horses.price", "hand", "double", drawn(), common=DRAWN, columns=HORSES),
    Money("horses.fixed", 1, 3, drawn(), common=DRAWN | {"horses.price": "fixed"}, columns=HORSES),
    Money("horses.fine", 0, 2, drawn(), common=DRAWN, columns=HORSES),
    Money(
        "horses.four_ghosts_hit", False, True,
        lambda a, b, ra, rb: any(settle.four_ghosts(a, ra, win["winner"]) for win in a.wins),
        common=DRAWN | TWO_GHOSTS, columns=HORSES,
    ),
    # The table
    Session("dealer.next", "winner", "next_seat", anything),
    Session("dealer.after_rob", "as_next", "robbed", anything, "zhuama"),
    Session("dealer.on_washout", "keep", "next_seat", anything, "zhuama"),
    Money("dealer.seat_wind", "deal", "chair", seat_wind_law, "xinzhang", win_columns=SHARE, n_hands=6),
    Money("dealer.repeat_mode", "none", "add", repeat_law, also={"dealer.repeat_points": 2}, win_columns=("points",)),
    Money("dealer.repeat_mode", "none", "double", repeat_law, win_columns=("points",)),
    Money(
        "dealer.repeat_points", 1, 3, repeat_law, common={"dealer.repeat_mode": "add"}, win_columns=("points",),
    ),
    Money(
        "dealer.follow_points", 0, 2, lambda a, b, ra, rb: settle.follows(a), columns=KONG, n_tables=3_000,
    ),
]  # fmt: skip

# Fields with a test of their own below.
ALONE = {"win.first_turn_closed_by", "liability.dragons_winds", "coins.factor", "coins.rake"}


def _ids(entry: Entry) -> str:
    return f"{entry.path}-{entry.preset}-{entry.high}"


def with_pattern(entry: Entry) -> Entry:
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
    assert n_different


@pytest.mark.parametrize("entry", [e for e in ENTRIES if isinstance(e, Play)], ids=_ids)
def test_play(entry: Play) -> None:
    entry = with_pattern(entry)
    rules = entry.rules
    n_different = 0
    for is_same, one, other in pairs(entry):
        entry.always(other, rules[1])
        if not is_same or moves(one) != moves(other):  # the same row may come of other discards
            assert entry.law(one, other, *rules)
            n_different += 1
    assert n_different


def next_dealer(rules: Rules, row: dict[str, int]) -> int:
    """Who deals after a hand."""
    dealer, following = row["dealer"], (row["dealer"] + 1) % 4
    if not row["winners"]:
        return dealer if rules.dealer.on_washout == "keep" else following
    winners = [seat for seat in range(4) if row["winners"] >> seat & 1]
    if dealer in winners:
        return dealer
    if row["outcome"] == QIANGGANG and rules.dealer.after_rob == "robbed":
        return row["from_seat"]
    start = row["from_seat"] if row["outcome"] != ZIMO else 0
    return min(winners, key=lambda w: (w - start) % 4) if rules.dealer.next == "winner" else following


@pytest.mark.parametrize("entry", [e for e in ENTRIES if isinstance(e, Session)], ids=_ids)
def test_session(entry: Session) -> None:
    """Tables are the same up to the first hand after which the two values name different dealers."""
    n, different = entry.n_hands, 0
    sides = [play(entry, rules)[1] for rules in entry.rules]
    hands = [[named(rows, i, []).row for i in range(entry.n_tables * n)] for rows in sides]
    for table in range(entry.n_tables):
        one, other = (side[table * n : (table + 1) * n] for side in hands)
        for rules, rows in zip(entry.rules, (one, other), strict=True):
            for row, after in pairwise(rows):
                assert after["dealer"] == next_dealer(rules, row)
                kept = after["dealer"] == row["dealer"]
                assert after["repeat"] == (row["repeat"] + 1 if kept else 0)
        for row, twin in zip(one, other, strict=True):
            assert row == twin
            if len({next_dealer(rules, row) for rules in entry.rules}) > 1:
                different += 1
                break
    assert different


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
    assert to_coins([-4, 12, -4, -4], load("jipinghu", {"coins.factor": 0})) == [0, 0, 0, 0]


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
