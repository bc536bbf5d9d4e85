"""Hands of the oracle that go as they are told: wins, kongs, flowers, ghosts, the wall's end."""

from __future__ import annotations

import re
from typing import Any

import pytest

from sim import schema
from sim.rules import load
from sim.tiles import KIND_OF, parse
from tests.oracle.deal import turned_ghosts
from tests.oracle.state import Meld
from tests.scripted import FOUR_GHOSTS, JUNK, KONG_ROBBED, Script, moves_of, played, stacked

# Whole hands


def test_tianhu() -> None:
    wall = stacked(["123m456p789s55sEE", *JUNK], "E")
    game = played(load("jipinghu"), wall, Script("hu E"), Script(), Script(), Script())
    assert game.hand_points() == [192, -64, -64, -64]
    assert moves_of(game) == [("hu", 0, "E", -1), ("end", -1, "", schema.ZIMO)]
    assert (game.turns, game.wall_left) == (1, 83)
    assert (game.wins[0].waits, game.wins[0].live) == (2, 4)
    assert game.wins[0].score.counted == {"tianhu"}
    assert game.seats[0].shanten_deal == 0
    assert game.seats[0].ready_turn == 0


def test_dihu_ends_with_any_call() -> None:
    hands = ["258m258p28sWNZFB", "123m456p789s55sEE", "147m147p11sWWNZF", "369m369p39sNZFBB"]
    wall = stacked(hands, "8pE")
    bots = [Script("discard 8p"), Script("hu E"), Script(), Script()]
    assert played(load("jipinghu"), wall, *bots).wins[0].score.counted == {"dihu"}
    wall = stacked(hands, "WSB5s")
    bots = [
        Script("discard W, discard B"),
        Script("hu 5s"),
        Script("discard F", "peng W"),
        Script("discard S"),
    ]
    game = played(load("jipinghu"), wall, *bots)
    assert game.wins[0].score.counted == {"chicken", "zimo"}


def test_renhu_with_three_winners() -> None:
    hands = ["258m258p28sSWNZF", "123p456p77p46sEEE", "123m456m77m46sSSS", "789m789p99m46sWWW"]
    takers = [Script(claims="hu 5s") for _ in range(3)]
    wall = stacked(hands, "5s")
    game = played(load("jipinghu"), wall, Script("discard 5s"), *takers)
    assert [log.seat for log in game.wins] == [1, 2, 3]
    assert {log.score.counted for log in game.wins} == {frozenset({"renhu", "triple_win"})}
    assert game.hand_points() == [-192, 64, 64, 64]
    nearest = played(load("jipinghu", {"win.multiple": "nearest"}), wall, Script("discard 5s"), *takers)
    assert [log.seat for log in nearest.wins] == [1]
    # By points: seat 1 has chows, seats 2 and 3 a pung; without 人和 all are 鸡胡, seat 1's E counts double.
    rules = load("jipinghu", {"win.multiple": "biggest", "patterns.renhu.role": "none"})
    biggest = played(rules, wall, Script("discard 5s"), *takers)
    assert [log.seat for log in biggest.wins] == [1]
    biggest = played(rules, wall, Script("discard 5s"), *takers, round_wind=2)
    assert [log.seat for log in biggest.wins] == [3]


def test_passed_wins_block_the_tile_until_the_next_draw() -> None:
    hands = ["258m258p28sWNZFB", "147m147p17sWNZFB", "369m369p39sWNZFB", "123m456p789s46sEE"]
    wall = stacked(hands, "5s5s5s5s")
    bots = [Script("hu 5s"), *(Script("discard 5s") for _ in range(3))]
    game = played(load("jipinghu", {"play.chi": False}), wall, *bots, dealer=1)
    expected = [("discard", 1, "5s", -1), ("pass", 0, "5s", 1), ("discard", 2, "5s", -1)]
    expected += [("discard", 3, "5s", -1), ("hu", 0, "5s", -1), ("end", -1, "", schema.ZIMO)]
    assert moves_of(game) == expected
    assert (game.wins[0].waits, game.wins[0].live) == (1, 1)
    bots = [Script("hu 5s"), *(Script("discard 5s") for _ in range(3))]
    game = played(load("jipinghu", {"play.chi": False, "win.passed": "off"}), wall, *bots, dealer=1)
    assert [move[3] for move in moves_of(game) if move[0] == "pass"] == [1, 2, 3]


def test_robbed_kong() -> None:
    rules = load("zhuama", {"horses.count_discard": 2})
    hands = ["55s147m147p17sNZF", JUNK[0], "123m456p789s46sSS", JUNK[2]]
    wall = stacked(hands, "E5sEEE5s3m1p")
    game = played(
        rules,
        wall,
        Script("discard E, discard N, gang_added 5s", "peng 5s"),
        Script("discard 5s, discard E"),
        Script("discard E", "hu 5s"),
        Script("discard E"),
        origin=0,
    )
    assert moves_of(game)[-6:] == [
        ("discard", 3, "E", -1),
        ("gang_added", 0, "5s", -1),
        ("hu", 2, "5s", 0),
        ("horse", -1, "3m", 2),
        ("horse", -1, "1p", 0),
        ("end", -1, "", schema.QIANGGANG),
    ]
    assert game.hand_points() == [-60, 0, 60, 0]
    assert game.horses == ([-60, 0, 60, 0], 2, 1)
    assert game.kong == [0, 0, 0, 0]
    assert game.seats[0].melds == [Meld(schema.MELD_PENG, KIND_OF["5s"], 1)]
    assert game.seats[0].hand[KIND_OF["5s"]] == 0
    assert (game.wins[0].waits, game.wins[0].live) == (1, 1)


def test_direct_kong_then_gangkai_is_paid_by_the_feeder() -> None:
    hands = [JUNK[0], JUNK[1], "555s123m456p78sEE", JUNK[2]]
    wall = stacked(hands, "5s", tail="9s")
    bots = [Script("discard 5s"), Script(), Script("hu 9s", "gang_exposed 5s"), Script()]
    game = played(load("jipinghu"), wall, *bots)
    assert moves_of(game)[1:3] == [("gang_exposed", 2, "5s", 0), ("draw_tail", 2, "9s", 82)]
    assert game.wins[0].score.counted == {"chicken", "zimo", "gangkai"}
    assert game.wins[0].liable == 0
    assert game.hand_points() == [-24, 0, 24, 0]


def test_gangpao_is_the_discard_after_a_replacement() -> None:
    rules = load("jipinghu", {"patterns.gangpao": '{ role = "extra", value = 1 }'})
    hands = [JUNK[0], "147m147p17sWWZFB", "555s123m456p78sEE", "789m789p99m123pNN"]
    wall = stacked(hands, "5s", tail="N")
    bots = [Script("discard 5s"), Script(), Script("discard N", "gang_exposed 5s"), Script(claims="hu N")]
    game = played(rules, wall, *bots)
    assert game.wins[0].score.counted == {"chicken", "seat_wind", "gangpao"}


def test_the_last_tile() -> None:
    rules = load(
        "jipinghu",
        {"tiles": "100", "play.last_tiles_reserved": 40, "play.chi": False, "win.forms": ["standard"]},
    )
    junk = ["147p1479sSWNZFB", "258p2588sSWNZFB", "369p369sSWWNZFB"]
    hands = [*junk, "123p456p789s46sEE"]
    wall = stacked(hands, "EESN1sZ1s5s", tile_set="100")
    game = played(
        rules,
        wall,
        Script("discard E, discard 1s"),
        Script("discard E, discard Z"),
        Script("discard S, discard 1s"),
        Script("discard N, hu 5s"),
    )
    assert game.wall_left == 0
    assert game.wins[0].score.counted == {"pinghu", "zimo", "haidi"}
    wall = stacked(hands, "EESN1sZ1sB", tile_set="100")
    game = played(
        rules,
        wall,
        Script("discard E, discard 1s"),
        Script("discard E, discard Z"),
        Script("discard S, discard 1s"),
        Script("discard N, discard B"),
    )
    assert game.outcome == schema.WASHOUT
    assert game.turns == 8


def test_the_seats_horses_are_the_next_tiles_after_a_win() -> None:
    wall = stacked(["123m456p789s55sEE", *JUNK], "EZ5p6s8p", tail="9m")
    game = played(load("maima"), wall, Script("hu E"), Script(), Script(), Script())
    assert moves_of(game)[:6] == [
        ("indicator", -1, "9m", 0),
        ("hu", 0, "E", -1),
        ("horse", 0, "Z", 1),
        ("horse", 1, "5p", 0),
        ("horse", 2, "6s", 1),
        ("horse", 3, "8p", 3),
    ]
    assert game.wall_left == 78
    assert game.pool_classes[:4] == [1, 0, 1, 3]
    assert game.ghosts == {0}
    # 1m in hand is the ghost here: 鸡胡 2 x 自摸 2.
    assert game.wins[0].score.points == 4
    assert game.horses == ([8, 8, -8, -8], 4, 4)


def test_flowers_of_the_deal_are_replaced_before_play() -> None:
    rules = load("jipinghu", {"tiles": '"144"', "play.flower_price": 2})
    junk = [*JUNK[:2], "369m369p39sWNZFf8"]
    wall = stacked(["123m456p789s55sf2f1", *junk], "E", tail="Ef3EB", tile_set="144")
    game = played(rules, wall, *(Script(), Script("hu E"), Script(), Script()), dealer=1)
    assert moves_of(game) == [
        ("flower", 1, "H1", 92),
        ("flower", 1, "H2", 92),
        ("draw_tail", 1, "E", 91),
        ("draw_tail", 1, "H3", 90),
        ("flower", 1, "H3", 90),
        ("draw_tail", 1, "E", 89),
        ("flower", 0, "H8", 89),
        ("draw_tail", 0, "B", 88),
        ("hu", 1, "E", -1),
        ("end", -1, "", schema.ZIMO),
    ]
    assert [seat.flowers for seat in game.seats] == [1, 3, 0, 0]
    assert game.kong == [6 - 6, 18 - 2, -8, -8]
    assert (game.turns, game.seats[1].shanten_deal, game.seats[1].ready_turn) == (1, 0, 0)
    assert game.wins[0].score.counted == {"tianhu"}


def test_a_flower_is_replaced_and_the_draw_stays_what_it_was() -> None:
    rules = load("jipinghu", {"tiles": '"140"', "play.flower_price": 1})
    wall = stacked(["123m456p789s55sEE", *JUNK], "f4", tail="f1E", tile_set="140")
    game = played(rules, wall, Script("hu E"), Script(), Script(), Script())
    assert moves_of(game)[:4] == [
        ("flower", 0, "H4", 87),
        ("draw_tail", 0, "H1", 86),
        ("flower", 0, "H1", 86),
        ("draw_tail", 0, "E", 85),
    ]
    assert game.trace[52] == (schema.DRAW, 0, 37, 87)
    assert game.wins[0].score.counted == {"tianhu"}
    assert (game.turns, game.kong) == (3, [6, -2, -2, -2])
    hands = [JUNK[0], JUNK[1], "555s123m456p78sEE", JUNK[2]]
    wall = stacked(hands, "5s", tail="f19s", tile_set="140")
    bots = [Script("discard 5s"), Script(), Script("hu 9s", "gang_exposed 5s"), Script()]
    assert played(rules, wall, *bots).wins[0].score.counted == {"chicken", "zimo", "gangkai"}


@pytest.mark.parametrize(("washout", "kong"), [("kept", [-1, 3, -1, -1]), ("void", [0, 0, 0, 0])])
def test_a_flower_without_a_replacement_ends_the_hand(washout: str, kong: list[int]) -> None:
    rules = load("jipinghu", {"tiles": '"144"', "play.flower_price": 1, "kong.on_washout": washout})
    wall = stacked([*JUNK, "123m456p789s55sEE"], "1mf5", tile_set="144")[:54]
    game = played(rules, wall, Script("discard 1m"), Script(), Script(), Script())
    assert moves_of(game)[-2:] == [("flower", 1, "H5", 0), ("end", -1, "", schema.WASHOUT)]
    assert (game.turns, game.wall_left, game.seats[1].flowers, game.kong) == (2, 0, 1, kong)


def test_two_ghosts_follow_the_indicator_and_flowers_do_not_indicate() -> None:
    rules = load("maima", {"tiles": '"144"', "ghost.mode": "turned_two"})
    wall = stacked(["123p456p789s55sEE", *JUNK], "EZf25p6s", tail="f58m", tile_set="144")
    game = played(rules, wall, Script("hu E"), Script(), Script(), Script())
    assert moves_of(game)[:6] == [
        ("flower", -1, "H5", -1),
        ("indicator", -1, "8m", KIND_OF["9m"]),
        ("hu", 0, "E", -1),
        ("horse", 0, "Z", 1),
        ("horse", 1, "H2", 1),
        ("horse", 2, "5p", 0),
    ]
    assert moves_of(game)[6:] == [("horse", 3, "6s", 1), ("end", -1, "", schema.ZIMO)]
    assert game.ghosts == {KIND_OF["9m"], KIND_OF["1m"]}
    assert [seat.flowers for seat in game.seats] == [0, 0, 0, 0]
    assert game.wins[0].score.counted == {"chicken", "zimo", "yinghu"}
    rules = load("maima", {"tiles": '"120"', "ghost.mode": "turned_two", "ghost.honour_cycle": "ZFB"})
    assert turned_ghosts(rules, KIND_OF["F"]) == [KIND_OF["B"], KIND_OF["Z"]]


def test_four_ghosts_win_at_once() -> None:
    junk = [text.replace("B", "S") for text in JUNK]
    wall = stacked(["BBB147m258p369sE", *junk], "B")
    prices = {"patterns.four_ghosts": {"role": "pattern", "value": 3}, "patterns.tianhu.role": "none"}
    game = played(load("jipinghu", FOUR_GHOSTS | prices), wall, Script("hu B"), Script(), Script(), Script())
    assert game.wins[0].score.counted == {"four_ghosts", "zimo"}
    assert game.hand_points() == [24, -8, -8, -8]
    assert (game.wins[0].waits, game.wins[0].live) == (0, 0)
    assert game.seats[0].ghosts_at_end == 4


THREE_WAIT = ["123p456p77p46sEEE", "258m258p28sWNZFB", "123m456m77m46sSSS", "789m789p99m46sWWW"]


def test_of_several_winners_the_one_after_the_dealer() -> None:
    wall = stacked(THREE_WAIT, "N5s")
    for multiple, winners in (("all", [2, 3, 0]), ("nearest", [2]), ("from_dealer", [0])):
        bots = [Script("discard N", "hu 5s"), Script("discard 5s"), *(Script(claims="hu 5s") for _ in range(2))]
        game = played(load("jipinghu", {"win.multiple": multiple, "play.chi": False}), wall, *bots)
        assert [log.seat for log in game.wins] == winners


def test_a_win_may_have_to_be_taken() -> None:
    rules = load("jipinghu", {"win.must": True})
    wall = stacked(["123m456p789s55sEE", *JUNK], "E")
    game = played(rules, wall, Script(), Script(), Script(), Script())
    assert game.wins[0].score.counted == {"tianhu"}
    wall = stacked(THREE_WAIT, "N5s")
    game = played(rules, wall, Script("discard N"), Script("discard 5s"), Script(), Script())
    assert [log.seat for log in game.wins] == [2, 3, 0]


def test_a_passed_win_blocks_those_that_are_not_worth_more() -> None:
    rules = load("jipinghu", {"play.chi": False, "win.passed": "same_value", "patterns.renhu.role": "none"})
    # 5s is worth 1, E with the round's wind 2.
    for draws, passes in (("E5sE", [("E", 1)]), ("5sE5s", [("5s", 1), ("E", 2)])):
        wall = stacked([*JUNK, "123m456p789s55sEE"], draws)[:55]
        discards = [Script(f"discard {tile}") for tile in re.findall(r"5s|E", draws)]
        game = played(rules, wall, Script(), *discards, dealer=1)
        assert [(tile, other) for code, _, tile, other in moves_of(game) if code == "pass"] == passes


def test_concealed_kongs_may_be_robbed() -> None:
    rules = load("zhuama", {"win.rob_kongs": ["concealed"], "horses.count_discard": 1})
    bots = [Script("gang_concealed 5s"), Script(), Script(claims="hu 5s"), Script()]
    game = played(rules, stacked(KONG_ROBBED, "5s2m"), *bots)
    assert moves_of(game) == [
        ("gang_concealed", 0, "5s", -1),
        ("hu", 2, "5s", 0),
        ("horse", -1, "2m", 1),
        ("end", -1, "", schema.QIANGGANG),
    ]
    assert (game.hand_points(), game.kong) == ([-60, 0, 60, 0], [0, 0, 0, 0])
    assert (game.seats[0].hand[KIND_OF["5s"]], game.seats[0].melds) == (3, [])
    assert (game.wins[0].waits, game.wins[0].live) == (1, 4)
    bots = [Script("gang_concealed 5s, discard B"), *(Script(claims="hu 5s") for _ in range(3))]
    game = played(load("zhuama"), [*stacked(KONG_ROBBED, "5s")[:53], *parse("B")], *bots)
    assert game.outcome == schema.WASHOUT
    assert game.kong == [60, -20, -20, -20]


def test_direct_kongs_may_be_robbed_by_the_two_others() -> None:
    rules = load("zhuama", {"win.rob_kongs": ["direct"], "horses.count_discard": 1})
    hands = ["123m456p789s46sEE", *KONG_ROBBED[:1], *KONG_ROBBED[2:]]
    bots = [Script("discard 5s", "hu 5s"), Script(claims="gang_exposed 5s"), Script(claims="hu 5s"), Script()]
    game = played(rules, stacked(hands, "5s2m"), *bots)
    assert moves_of(game)[:3] == [("discard", 0, "5s", -1), ("gang_exposed", 1, "5s", 0), ("hu", 2, "5s", 1)]
    assert (game.hand_points(), game.kong) == ([0, -60, 60, 0], [0, 0, 0, 0])
    assert (game.seats[1].hand[KIND_OF["5s"]], game.seats[1].melds, game.seats[1].calls) == (3, [], 0)
    assert game.visible[KIND_OF["5s"]] == 0
    assert (game.wins[0].waits, game.wins[0].live) == (1, 4)
    bots = [Script("discard 5s"), Script("discard B", claims="gang_exposed 5s"), Script(), Script()]
    game = played(rules, [*stacked(hands, "5s")[:53], *parse("B")], *bots)
    assert [move[0] for move in moves_of(game)[1:4]] == ["gang_exposed", "pass", "draw_tail"]
    assert (game.visible[KIND_OF["5s"]], game.seats[1].calls) == (4, 1)


def test_horses_from_the_reserve() -> None:
    rules = load("zhuama", {"play.last_tiles_reserved": 2, "horses.pool": "reserved"})
    wall = stacked(["123m456p789s55sEE", *JUNK], "E", tail="3m1p")
    game = played(rules, wall, Script("hu E"), Script(), Script(), Script())
    assert moves_of(game)[1:3] == [("horse", -1, "1p", 0), ("horse", -1, "3m", 2)]
    assert game.horses == ([60, -20, -20, -20], 2, 1)
    assert (game.pool_classes[:2], len(game.pool_classes), game.wall_left) == ([0, 2], 83, 81)


def test_repeat_deals_ghosts_and_kongs_bring_horses() -> None:
    options: dict[str, Any] = {"horses.count": 0, "horses.per_repeat": 1, "horses.without_ghost": 1}
    options |= {"kong.follow_horses": True, "dealer.repeat_mode": "add", "dealer.repeat_points": 5}
    rules = load("zhuama", options | {"ghost.mode": "fixed", "ghost.kinds": ["B"]})
    hands = ["555s123m456p78sEE", *JUNK]
    bots = [Script("gang_concealed 5s, hu 9s"), Script(), Script(), Script()]
    game = played(rules, stacked(hands, "5s1m3m", tail="9s"), *bots, repeat=1)
    assert moves_of(game)[-3:-1] == [("horse", -1, "1m", 0), ("horse", -1, "3m", 2)]
    assert game.wins[0].share == 25
    assert (game.hand_points(), game.kong) == ([75, -25, -25, -25], [60, -20, -20, -20])
    assert game.horses == ([75 + 60, -45, -45, -45], 2, 1)


def test_the_dealer_pays_when_all_follow() -> None:
    rules = load("jipinghu", {"dealer.follow_points": 2, "kong.on_washout": "void", "scoring.base": 3})
    hands = [*(text.replace("B", "E") for text in JUNK), "123m456p789s46sSE"]
    wall = stacked(hands, "1m2m3m9m")
    bots = [Script("discard E") for _ in range(4)]
    game = played(rules, wall[:56], *bots, dealer=2)
    assert (game.outcome, game.kong) == (schema.WASHOUT, [6, 6, -18, 6])
    bots = [*(Script("discard E") for _ in range(3)), Script("discard S")]
    assert played(rules, wall[:56], *bots).kong == [0, 0, 0, 0]
