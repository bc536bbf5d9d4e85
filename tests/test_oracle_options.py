"""The oracle's house options that came later: each ruling on a small hand-made case."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import pytest

from sim import schema
from sim.rules import Rules, load
from sim.tiles import KIND_OF, N_KINDS, parse, tile_name
from tests.complete import ghost_after
from tests.oracle import Hand, ending, play_table
from tests.oracle.bots import Move, RandomBot, UkeireBot, View
from tests.oracle.deal import deal, deck, turned_ghosts
from tests.oracle.declaring import discards_of
from tests.oracle.game import Game
from tests.oracle.horses import Hits, settle_drawn
from tests.oracle.rng import Stream
from tests.oracle.scoring import best_score
from tests.oracle.settlement import liable_discarder, owed_to, payments, share_of, total, win_debt
from tests.oracle.shanten import forms_with
from tests.oracle.state import Meld
from tests.oracle.table import Standing, first_dealer, next_standing
from tests.oracle.wall import Wall
from tests.oracle.winning import can_draw_win
from tests.scripted import (
    FOUR_GHOSTS,
    GHOST_B,
    JUNK,
    KONG_ROBBED,
    Script,
    debt_of,
    moves_of,
    played,
    scored,
    stacked,
    view,
    win,
)

PENG_Z = Meld(schema.MELD_PENG, KIND_OF["Z"], 2)
ANGANG = Meld(schema.MELD_CONCEALED, KIND_OF["E"])
MINGGANG = Meld(schema.MELD_EXPOSED, KIND_OF["S"], 2)
CHI = Meld(schema.MELD_CHI, KIND_OF["1m"], 2)
FIXED_B = {"ghost.mode": "fixed", "ghost.kinds": ["B"]}


class Watching(Script):
    """Remembers every question."""

    def __init__(self, turns: str = "", claims: str = "") -> None:
        super().__init__(turns, claims)
        self.turns_asked: list[list[str]] = []
        self.claims_asked: list[list[str]] = []

    @staticmethod
    def _shown(moves: Sequence[Move]) -> list[str]:
        return [f"{schema.MOVES[code]} {tile_name(kind)}" for code, kind in moves]

    def turn(self, view: View, moves: Sequence[Move]) -> Move:
        self.turns_asked.append(self._shown(moves))
        return super().turn(view, moves)

    def claim(self, view: View, moves: Sequence[Move], kind: int) -> Move:
        self.claims_asked.append(self._shown(moves))
        return super().claim(view, moves, kind)


def at_turn(rules: Rules, hand: str, draw: str, others: Sequence[str] = JUNK) -> Game:
    """A game in which seat 0 has just drawn its first tile."""
    game = Hand(rules, stacked([hand, *others], draw), [Script() for _ in range(4)])
    deal(game)
    game.drawn = game.wall.from_head()
    game.seats[0].hand[game.drawn] += 1
    return game


def kinds(text: str) -> tuple[int, ...]:
    return tuple(parse(text))


# Standing tiles and declaring ready


def test_the_first_tiles_that_are_no_flowers_stand_and_leave_last() -> None:
    rules = load("lisi", {"tiles": '"144"', "play.standing": 3})
    game = Hand(rules, stacked(["f15m5m5m9m123456p7s8s", *JUNK], "E", tile_set="144"), [Script() for _ in range(4)])
    deal(game)
    seat = game.seats[0]
    assert (seat.standing[KIND_OF["5m"]], sum(seat.standing)) == (3, 3)
    seat.hand[KIND_OF["5m"]] += 1
    seat.give(KIND_OF["5m"])
    assert seat.standing[KIND_OF["5m"]] == 3
    seat.give(KIND_OF["5m"], 2)
    assert (seat.hand[KIND_OF["5m"]], seat.standing[KIND_OF["5m"]]) == (1, 1)


DECLARE: dict[str, Any] = {"play.declare": "needed", "play.chi": False}


def test_nobody_wins_before_declaring() -> None:
    rules = load("jipinghu", DECLARE | {"win.must": True})
    wall = stacked(["123m456p789s55sEE", *JUNK], "EE")
    game = played(rules, wall, Script("discard E, declare E"), Script("discard E"), Script(), Script())
    assert moves_of(game)[:4] == [
        ("declare", 0, "E", -1),
        ("discard", 0, "E", -1),
        ("discard", 1, "E", -1),
        ("hu", 0, "E", 1),
    ]


def test_who_has_declared_discards_what_it_draws_and_calls_nothing() -> None:
    bot = Watching("discard N, declare N", claims="peng E")
    others = [Script("discard E, discard S"), Script("discard S"), Script("discard S")]
    wall = stacked(["555s123m456p78sEE", *JUNK], "NESS5sS")[:58]
    game = played(load("zhuama", DECLARE), wall, bot, *others)
    assert (len(bot.turns_asked), bot.claims_asked) == (1, [])
    assert [move[:3] for move in moves_of(game) if move[1] == 0] == [
        ("declare", 0, "N"),
        ("discard", 0, "N"),
        ("discard", 0, "5s"),
    ]


def test_even_a_ghost_is_discarded_after_declaring() -> None:
    game = at_turn(load("zhuama", DECLARE | FIXED_B), "123m456p789s55sEE", "B")
    game.seats[0].declared = True
    assert discards_of(game, game.seats[0]) == (kinds("B"), ())


def test_without_standing_tiles_any_discard_that_leaves_ready_may_declare() -> None:
    game = at_turn(load("zhuama", DECLARE), "123m456p789s56sEE", "E")
    plain, ready = discards_of(game, game.seats[0])
    assert plain == kinds("123m456p56789sE")
    assert ready == kinds("5689sE")


STAND_ONE = DECLARE | {"play.standing": 1}


def test_a_standing_tile_is_discarded_only_to_declare() -> None:
    game = at_turn(load("zhuama", STAND_ONE), "E123m456p789s56sN", "E")
    assert discards_of(game, game.seats[0]) == (kinds("123m456p56789sEN"), ())
    game = at_turn(load("zhuama", STAND_ONE), "N123m456p789s56sE", "E")
    assert discards_of(game, game.seats[0]) == (kinds("123m456p56789sE"), kinds("N"))
    bots = [Script("discard N"), Script("discard S"), Script(), Script()]
    wall = stacked(["N123m456p789s56sE", *JUNK], "ES")[:54]
    assert moves_of(played(load("zhuama", STAND_ONE), wall, *bots))[0] == ("declare", 0, "N", -1)


@pytest.mark.parametrize("declares", [True, False])
def test_who_could_discard_either_copy_is_asked(declares: bool) -> None:
    bots = [Script("discard E, declare E" if declares else "discard E"), Script("discard S"), Script(), Script()]
    wall = stacked(["E123m456p789s56sE", *JUNK], "ES")[:54]
    game = played(load("zhuama", STAND_ONE), wall, *bots)
    assert (moves_of(game)[0][0] == "declare") == declares
    assert game.seats[0].declared == declares


def test_standing_tiles_are_discarded_when_nothing_else_may_be() -> None:
    rules = load("zhuama", DECLARE | FIXED_B | {"play.standing": 13})
    game = at_turn(rules, "147m147p147sESWN", "B", [text.replace("B", "S") for text in JUNK])
    assert discards_of(game, game.seats[0]) == (kinds("147m147p147sESWN"), ())


# Claims, passed wins, kongs


@pytest.mark.parametrize(("option", "n_asked"), [("off", 2), ("same_tile", 1)])
def test_a_passed_pung_is_not_offered_again(option: str, n_asked: int) -> None:
    seat_2 = Watching("discard E")
    wall = stacked([JUNK[0], JUNK[1], "55s369m369p1sWNZF", JUNK[2]], "5s5sE")[:55]
    rules = load("zhuama", {"play.passed_peng": option})
    played(rules, wall, Script("discard 5s"), Script("discard 5s"), seat_2, Script())
    assert seat_2.claims_asked == [["pass 5s", "peng 5s"]] * n_asked


def test_a_passed_pung_is_offered_again_after_a_draw() -> None:
    seat_2 = Watching("discard E")
    wall = stacked([JUNK[0], JUNK[1], "55s369m369p1sWNZF", JUNK[2]], "5sEE5sS")[:57]
    others = [Script("discard 5s, discard S"), Script("discard E"), seat_2, Script("discard 5s")]
    played(load("zhuama", {"play.passed_peng": "same_tile"}), wall, *others)
    assert seat_2.claims_asked == [["pass 5s", "peng 5s"]] * 2


def test_a_win_passed_may_block_the_rest_of_the_hand() -> None:
    hands = [*JUNK, "123m456p789s46sEE"]
    bot = Watching("discard 5s")
    others = [Script("discard 5s"), Script("discard 5s"), Script("discard 5s")]
    rules = load("jipinghu", {"play.chi": False, "win.passed": "rest_of_hand"})
    played(rules, stacked(hands, "5s5s5s5s")[:56], bot, *others, dealer=1)
    assert bot.claims_asked == [["pass 5s", "hu 5s"]]
    assert not [move for moves in bot.turns_asked for move in moves if move.startswith("hu")]


def test_tiles_that_stay_are_the_last_ones() -> None:
    wall = Wall(range(12), 2)
    assert (wall.from_tail(), wall.reserve) == (9, [10, 11])
    wall.keep(1)
    assert (wall.left, wall.from_tail()) == (8, 7)
    wall.keep(0)  # half a stack is whole again: 8 may be drawn, and is the last one
    assert (wall.left, wall.from_tail()) == (8, 8)
    wall.keep(100)
    assert wall.left == 0


def test_each_kong_after_the_first_lets_more_tiles_stay() -> None:
    hands = ["EEEESSSSWWWWN", *(f"1112223334445{suit}" for suit in "mps")]
    bots = [Script(f"{', '.join(f'gang_concealed {k}' for k in 'ESW')}, discard N"), Script("discard 5m")]
    rules = load("zhuama", {"play.reserve_per_kong": 2, "play.odd_tile_stays": True})
    game = played(rules, stacked(hands, "Z")[:62], *bots, Script(), Script())
    # 9, then each replacement, after which 1, 2 and 5 stay in all.
    assert [move[3] for move in moves_of(game) if move[0] == "draw_tail"] == [8, 6, 4]
    assert [left for code, _, _, left in game.trace if code == schema.DRAW] == [9, 0]


def test_four_ghosts_may_be_a_kong_and_lie_as_themselves() -> None:
    others = [text.replace("B", "S") for text in JUNK]
    wall = stacked(["BBB123m456p78s55s", *others], "B", tail="9s")
    bots = [Watching("gang_concealed B, hu 9s"), Script(), Script(), Script()]
    game = played(load("maima", FIXED_B | {"ghost.kong": "allowed"}), wall, *bots)
    assert game.seats[0].melds == [Meld(schema.MELD_CONCEALED, KIND_OF["B"])]
    assert game.wins[0].score.counted >= {"yinghu", "zimo", "gangkai"}
    assert game.seats[0].ghosts_at_end == 0
    watching = Watching("discard 1m")
    played(load("maima", FIXED_B), [*wall[:53], *parse("SEEEE")], watching, Script("discard S"), Script(), Script())
    assert not [move for move in watching.turns_asked[0] if move.startswith("gang")]


# Held horses


def test_the_horses_of_the_seats_are_the_first_tiles_left() -> None:
    wall = Wall(range(12), 1, 4)
    assert (wall.left, wall.from_head(), wall.from_tail()) == (7, 0, 10)
    wall.keep(100)
    assert (wall.left, wall.open_horses(), wall.left) == (0, [1, 2, 3, 4], 0)


@pytest.mark.parametrize(("drawn", "outcome"), [("5s", schema.ZIMO), ("B", schema.WASHOUT)])
def test_held_horses_end_the_wall_earlier_and_lie_there_until_somebody_wins(drawn: str, outcome: int) -> None:
    """Of 8 tiles to draw 4 are horses; after a washout nobody sees them."""
    few = {"tiles": "100", "play.last_tiles_reserved": 40, "win.forms": ["standard"], "play.chi": False}
    rules = load("jipinghu", few | {"horses.kind": "held", "horses.count": 1})
    hands = ["147p1479sSWNZFB", "258p2588sSWNZFB", "369p369sSWWNZFB", "123p456p789s46sEE"]
    wall = stacked(hands, f"EES{drawn}8s1s9pN", tile_set="100")
    last = Script("hu 5s" if outcome == schema.ZIMO else "discard B")
    game = played(rules, wall, Script("discard E"), Script("discard E"), Script("discard S"), last)
    assert game.outcome == outcome
    assert (game.turns, game.wall_left) == (4, 0)
    opened = [move for move in moves_of(game) if move[0] == "horse"]
    if outcome == schema.WASHOUT:
        assert (opened, game.horses.n_horses, game.pool_classes) == ([], 0, [])
        return
    assert moves_of(game)[-6:] == [("hu", 3, "5s", -1), *opened, ("end", -1, "", schema.ZIMO)]
    assert [move[:3] for move in opened] == [("horse", seat, kind) for seat, kind in enumerate(("8s", "1s", "9p", "N"))]
    assert game.pool_classes == [move[3] for move in opened]
    assert "haidi" in game.wins[0].score.counted


@pytest.mark.parametrize("count", [1, 2])
def test_more_held_horses_take_more_of_the_same_tiles(count: int) -> None:
    wall = stacked(["123m456p789s55sEE", *JUNK], "NE1m2m3m4m5m6m7m8m")
    rules = load("jipinghu", {"horses.kind": "held", "horses.count": count})
    bots = [Script("discard N", "hu E"), Script("discard E"), Script(), Script()]
    game = played(rules, wall, *bots)
    opened = [move[1:3] for move in moves_of(game) if move[0] == "horse"]
    assert opened == [(i // count, f"{i + 1}m") for i in range(4 * count)]
    assert game.wall_left == 82 - 4 * count


# Winning


def test_ghosts_do_not_fill_natural_forms() -> None:
    assert forms_with(1, ("standard", "seven_pairs"), ("seven_pairs",)) == ("standard",)
    assert forms_with(0, ("standard", "seven_pairs"), ("seven_pairs",)) == ("standard", "seven_pairs")
    natural = {"win.natural_forms": ["seven_pairs"]}
    with_ghosts = win("1122m33p44p55s66sB", "B", ghosts=GHOST_B)
    assert best_score(load("maima"), with_ghosts)
    assert best_score(load("maima", natural), with_ghosts) is None
    as_itself = FIXED_B | {"scoring.yinghu": "as_itself"}
    assert best_score(load("maima", natural | as_itself), with_ghosts) is None  # the hand holds ghosts all the same
    assert best_score(load("maima", natural), win("1122m33p44p55s66sN", "N", ghosts=GHOST_B))
    held = view("1122m33p44p55s66sB", "B")._replace(forms=("standard", "seven_pairs"))
    assert (held.need(), held._replace(natural_forms=("seven_pairs",)).need()) == (1, 3)


def test_who_holds_a_barred_tile_does_not_win() -> None:
    rules = load("jipinghu", {"win.barred": ["Z"]})
    others = [text.replace("Z", "E") for text in JUNK]
    assert can_draw_win(at_turn(rules, "123m456p789s55sSS", "S", others), 0)
    assert not can_draw_win(at_turn(rules, "123m456p789s5sZZZ", "5s", others), 0)
    assert not can_draw_win(at_turn(rules, "123m456p789s55sZZ", "Z", others), 0)
    game = at_turn(rules, "123m456p789s55sSS", "S", others)
    game.ghosts = frozenset([KIND_OF["Z"]])
    assert can_draw_win(game, 0)
    game = at_turn(rules, "123m456p789s55sZZ", "Z", others)
    game.ghosts = frozenset([KIND_OF["Z"]])
    assert can_draw_win(game, 0)
    game = at_turn(rules, "123m456p789s55sSS", "S", others)
    for kind in parse("123m"):
        game.seats[0].give(kind)
    for meld, wins in ((PENG_Z, False), (ANGANG, True)):
        game.seats[0].melds = [meld]
        assert can_draw_win(game, 0) == wins


def test_ghosts_as_themselves_are_a_hard_hand() -> None:
    as_itself = FIXED_B | {"scoring.yinghu": "as_itself"}
    a_win = win("123m456p789s55sBB", "B", ghosts=GHOST_B)
    assert scored(load("maima", FIXED_B), a_win).counted == {"chicken", "zimo"}
    assert scored(load("maima", as_itself), a_win).counted == {"chicken", "zimo", "yinghu"}
    soft = win("123m456p789s55sBE", "E", ghosts=GHOST_B)  # B is the third E
    assert scored(load("maima", as_itself), soft).counted == {"chicken", "zimo"}
    gates = load("maima", as_itself | {"ghost.kinds": ["5p"], "patterns.jiulian": {"role": "item", "value": 99}})
    for text, is_hard in (("111234567899m5p", False), ("1112345678999m", True)):
        counted = scored(gates, win(text, "9m", ghosts=frozenset(parse("5p")))).counted
        assert "jiulian" in counted
        assert ("yinghu" in counted) == is_hard


def test_a_hand_of_doubles_alone_has_the_item_of_a_chicken() -> None:
    prices: dict[str, Any] = {"patterns.pengpeng": {"role": "double", "value": 4}}
    rules = load("maima", prices | {"win.ways": ["zimo", "dianpao"], "win.chicken_ways": ["zimo"]})
    text = "111m555m999p22s44s"
    by_discard = scored(rules, win(text, "4s", schema.DIANPAO))
    assert (by_discard.points, by_discard.counted) == (2 * 4, frozenset({"chicken", "pengpeng"}))
    assert scored(rules, win(text, "4s")).points == 2 * 4 * 2
    after_kong = win(text, "4s", events=frozenset(["gangkai"]))
    assert scored(rules, after_kong).counted == {"gangkai", "pengpeng", "zimo"}  # gangkai is an item
    events = prices | {"patterns.gangkai": {"role": "double", "value": 2}, "scoring.chicken_with_event": 5}
    for items in ("add", "highest", "multiply"):
        score = scored(load("maima", events | {"scoring.items": items}), after_kong)
        assert (score.points, "chicken" in score.counted) == (5 * 4 * 2 * 2, True)
    for items, points in (("add", 0), ("multiply", 4 * 2)):
        nothing = load("maima", prices | {"patterns.chicken.role": "none", "scoring.items": items})
        assert scored(nothing, win(text, "4s")).points == points


def test_four_ghosts_as_themselves_still_are_four_ghosts() -> None:
    options = FOUR_GHOSTS | {"scoring.yinghu": "as_itself", "scoring.luxury_natural": True}
    rules = load("maima", options | {"patterns.four_ghosts": {"role": "item", "value": 10}})
    score = scored(rules, win("11m22m33p44p55sBBB", "B", ghosts=GHOST_B))
    assert score.counted == {"luxury_seven_pairs", "four_ghosts", "zimo", "yinghu"}


# Settlement


def test_all_may_pay_for_a_discard() -> None:
    options = {"win.payers": "all", "win.multiple": "nearest"}
    rules = load("jipinghu", options)
    assert total(payments([debt_of(rules, 1, schema.DIANPAO, 0, 8)])) == [-8, 24, -8, -8]
    assert total(payments([debt_of(rules, 1, schema.DIANPAO, 0, 8, 2)])) == [0, 24, -24, 0]
    assert total(payments([debt_of(rules, 1, schema.QIANGGANG, 3, 8)])) == [0, 24, 0, -24]
    one_share = load("jipinghu", options | {"win.rob_shares": 1})
    assert total(payments([debt_of(one_share, 1, schema.QIANGGANG, 3, 8)])) == [-8, 24, -8, -8]


def multiplied(**tenths: Any) -> Rules:
    return load("zhuama", {f"multiples.{name}": value for name, value in tenths.items()})


def test_multiples_of_the_winner_are_rounded_down_one_by_one() -> None:
    melds = [MINGGANG, ANGANG, PENG_Z]
    tenths = {"opened": 12, "concealed_kong": 15, "exposed_kong": 15, "zimo": 20}
    assert share_of(multiplied(**tenths), 7, 0, melds) == 18  # 7, 8, 12, 18
    assert share_of(multiplied(**tenths), 7, 0, melds, is_zimo=True) == 36
    assert share_of(multiplied(**tenths, opened_each=True), 7, 0, melds) == 19  # 7, 8, 9, 13, 19
    assert share_of(multiplied(**tenths), 7, 0, [ANGANG]) == 10


def test_each_loser_owes_what_its_own_multiples_make_of_the_share() -> None:
    rules = multiplied(opened=20, concealed_kong=15, exposed_kong=30, feeder=15)
    melds = [[CHI, PENG_Z], [MINGGANG], [ANGANG, ANGANG], []]
    assert owed_to(rules, 1, 10, melds) == (20, 0, 22, 10)
    assert owed_to(rules, 1, 10, melds, feeder=0) == (30, 0, 22, 10)
    owed = owed_to(rules, 1, 10, melds)
    assert total(payments([win_debt(rules, 1, schema.ZIMO, -1, owed)])) == [-20, 52, -22, -10]
    assert total(payments([win_debt(rules, 1, schema.DIANPAO, 2, owed)])) == [0, 22, -22, 0]
    assert total(payments([win_debt(rules, 1, schema.QIANGGANG, 3, owed)])) == [0, 52, 0, -52]
    assert total(payments([win_debt(rules, 1, schema.ZIMO, -1, owed, liable=0)])) == [-52, 52, 0, 0]


def test_multiples_of_a_played_hand() -> None:
    rules = load("jipinghu", {"multiples.feeder": 15, "multiples.opened": 20, "play.chi": False})
    hands = ["258m258p28sWNZFB", "123m456p789s46sEE", "11s147m147p17sWNZ", "369m369p39sNZFBB"]
    bots = [Script("discard W, discard 5s"), Script("discard 1s", "hu 5s"), Script("discard 4m", "peng 1s")]
    game = played(rules, stacked(hands, "S1s9m5s"), *bots, Script("discard 9m"))
    assert (game.wins[0].score.points, game.wins[0].share) == (2, 2)
    assert (game.debts[0].owed, game.hand_points()) == ((3, 0, 4, 2), [-3, 3, 0, 0])


def test_three_over_the_cap_owe_more() -> None:
    caps = {"scoring.loss_cap": 30, "scoring.loss_cap_all": 40, "scoring.base": 2}
    rules = load("zhuama", caps)
    assert owed_to(rules, 1, 60) == (60, 0, 60, 60)
    assert owed_to(rules, 1, 61) == (80, 0, 80, 80)
    rules = load("zhuama", caps | {"multiples.opened": 20})
    assert owed_to(rules, 1, 40, [[CHI], [], [CHI], []]) == (60, 0, 60, 40)
    debt = debt_of(load("zhuama", caps | {"horses.fine": 3}), 1, schema.ZIMO, -1, 40)
    settled = settle_drawn(load("zhuama", caps | {"horses.fine": 3}), [debt], [], 2, {1: Hits(1, 1)})
    assert settled.points == [-34, 102, -34, -34]  # 40 + 40, hence 80, less 3 x 2


def test_an_unready_discarder_pays_for_four_exposed_melds() -> None:
    rules = load("jipinghu", {"liability.quanqiuren": True})
    four = [CHI, PENG_Z, MINGGANG, CHI]
    assert [liable_discarder(rules, four, 2, need) for need in (2, 1)] == [2, -1]
    assert liable_discarder(rules, [*four[:3], ANGANG], 2, 2) == -1
    assert liable_discarder(rules, four[:3], 2, 2) == -1
    assert liable_discarder(load("jipinghu"), four, 2, 2) == -1


@pytest.mark.parametrize(("discarder", "liable"), [("258m258p28sWNZFB", 0), ("123m456p789s46sWW", -1)])
def test_the_discarder_pays_for_all_only_when_it_is_not_ready(discarder: str, liable: int) -> None:
    rules = load("jipinghu", {"liability.quanqiuren": True})
    game = Hand(rules, stacked([discarder, *JUNK[1:], "3m7pEE1p9s12m47p3s5s9m"], ""), [Script() for _ in range(4)])
    deal(game)
    winner = game.seats[1]
    winner.hand = [int(k == KIND_OF["E"]) for k in range(N_KINDS)]
    winner.melds = [CHI, PENG_Z, MINGGANG, Meld(schema.MELD_PENG, KIND_OF["9p"], 3)]
    ending.win(game, [1], schema.DIANPAO, 0, KIND_OF["E"])
    share = game.wins[0].share
    assert game.wins[0].liable == liable
    assert game.hand_points() == [-share if liable < 0 else -3 * share, share if liable < 0 else 3 * share, 0, 0]


def test_a_robbed_seat_is_no_feeder() -> None:
    rules = load("zhuama", {"win.rob_kongs": ["concealed"], "multiples.feeder": 15})
    bots = [Script("gang_concealed 5s"), Script(), Script(claims="hu 5s"), Script()]
    assert played(rules, stacked(KONG_ROBBED, "5s"), *bots).hand_points() == [-60, 0, 60, 0]


# Between hands, tiles


def test_who_deals_first_and_after_a_washout() -> None:
    assert {first_dealer(load("jipinghu", {"dealer.first": "east"}), 1, table) for table in range(9)} == {0}
    assert {first_dealer(load("jipinghu"), 1, table) for table in range(9)} == {0, 1, 2, 3}
    rules = load("jipinghu", {"dealer.on_washout": "kong_passes"})
    assert next_standing(rules, Standing(0, 2), set(), -1, had_kong=True).dealer == 3
    assert next_standing(rules, Standing(0, 2), set(), -1, had_kong=False).dealer == 2


def test_a_table_passes_the_deal_after_washouts_with_kongs() -> None:
    zimo_only = {"win.ways": ["zimo"], "win.chicken_ways": ["zimo"]}
    rules = load("jipinghu", zimo_only | {"dealer.on_washout": "kong_passes", "dealer.first": "east"})
    rows = [result.row for result in play_table(rules, 4, 0, 24, ("random",) * 4)]
    seen = set()
    for row, following in pairwise(rows):
        if row["outcome"] == schema.WASHOUT:
            had_kong = any(row[f"gang_{kind}_{s}"] for kind in ("exposed", "added", "concealed") for s in range(4))
            assert (following["dealer"] != row["dealer"]) == had_kong
            seen.add(had_kong)
    assert rows[0]["dealer"] == 0
    assert seen == {False, True}


def test_the_deck_with_one_dragon() -> None:
    tiles = deck(load("zhuama", {"tiles": '"112"'}))
    assert len(tiles) == 112
    assert set(tiles) == {*range(27), KIND_OF["Z"]}


@pytest.mark.parametrize(
    ("tile_set", "cycle", "indicator", "ghosts"),
    [
        ("112", "ESWNZFB", "Z", "ZZ"),
        ("112", "ESWN", "Z", "ZZ"),
        ("120", "ESWNZFB", "B", "ZF"),
        ("120", "ESWNFB", "Z", "FB"),
        ("120", "BESFWZ", "Z", "BF"),
        ("136", "ESWNZFB", "B", "ES"),
        ("108", "ESWNZFB", "9s", "1s2s"),
    ],
)
def test_a_turned_ghost_goes_round_the_honours_of_the_deck(
    tile_set: str, cycle: str, indicator: str, ghosts: str
) -> None:
    options = {"tiles": f'"{tile_set}"', "ghost.mode": "turned_two", "ghost.honour_cycle": cycle}
    rules = load("zhuama", options | {"win.forms": ["standard"]})
    assert turned_ghosts(rules, KIND_OF[indicator]) == list(kinds(ghosts))
    assert ghost_after(rules, KIND_OF[indicator]) == kinds(ghosts)[0]


# Bots


def discards_in(held: View) -> list[Move]:
    return [Move(schema.DISCARD, k) for k in held.discards()]


def test_ukeire_declares_as_soon_as_it_may() -> None:
    held = view("123m456p789s55sEEN")._replace(ready=frozenset(parse("5s")))
    assert UkeireBot().turn(held, discards_in(held)) == Move(schema.DISCARD, KIND_OF["5s"])
    assert UkeireBot().declares()


def test_ukeire_gets_rid_of_barred_tiles() -> None:
    bot, barred = UkeireBot(), frozenset(parse("9sZ"))
    held = view("1111m456p799sEEEN")._replace(barred=barred)
    kong = Move(schema.GANG_CONCEALED, KIND_OF["1m"])
    assert bot.turn(held, [kong, *discards_in(held)]) == Move(schema.DISCARD, KIND_OF["9s"])
    assert bot.turn(held._replace(barred=frozenset(parse("Z"))), [kong, *discards_in(held)]) == kong
    ready = held._replace(ready=frozenset(parse("1mN")))
    assert bot.turn(ready, discards_in(ready)).kind in parse("1mN")
    claim = [Move(schema.PASS, KIND_OF["9s"]), Move(schema.PENG, KIND_OF["9s"])]
    assert bot.claim(held, claim, KIND_OF["9s"]) == claim[0]
    assert bot.claim(held._replace(barred=frozenset()), claim, KIND_OF["9s"]) == claim[1]


def test_ukeire_discards_the_lowest_of_nothing_but_ghosts() -> None:
    held = view("5m9m", "5m9m", 4)
    assert UkeireBot().turn(held, discards_in(held)) == Move(schema.DISCARD, KIND_OF["5m"])


def test_random_declares_by_one_number_below_two() -> None:
    a, b = RandomBot(Stream(3, 2, 0, 0)), Stream(3, 2, 0, 0)
    answers = [a.declares() for _ in range(20)]
    assert answers == [b.below(2) == 1 for _ in range(20)]
    assert set(answers) == {False, True}
