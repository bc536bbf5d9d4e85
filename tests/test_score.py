"""``sim.score`` against the hand-checked cases and hand-worked numbers."""

from __future__ import annotations

import pytest

from sim.rules import load
from sim.score import Claim, Meld, ScoreError, Table, score
from sim.tiles import KIND_OF, parse

NO_MELDS: tuple[Meld, ...] = ()
PLAIN = Table("zimo", None, 0, 0, (), None, None, ())


def claim(hand: str, win: str, winner: int = 1, melds: tuple[Meld, ...] = NO_MELDS, flags: str = "") -> Claim:
    return Claim(winner, tuple(parse(hand)), KIND_OF[win], melds, frozenset(flags.split()))


def test_twelve_tiles_only_when_all_four_sets_are_exposed() -> None:
    rules = load("jipinghu")
    melds = (
        Meld("chi", tuple(parse("123m")), 0),
        Meld("angang", tuple(parse("5555p")), None),
        Meld("peng", tuple(parse("999s")), 0),
        Meld("chi", tuple(parse("456s")), 0),
    )
    assert score(rules, [claim("Z", "Z", melds=melds)], PLAIN)[1] == [-2, 6, -2, -2]


def test_a_liable_seat_pays_exactly_three_shares() -> None:
    rules = load("jipinghu")
    melds = tuple(Meld("peng", tuple(parse(t)), f) for t, f in (("ZZZ", 0), ("FFF", 3), ("BBB", 2)))
    assert score(rules, [claim("123m1p", "1p", melds=melds)], PLAIN)[1] == [0, 192, -192, 0]


def test_three_winners_raise_each_hand_to_the_cap() -> None:
    rules = load("jipinghu")
    claims = [claim("123m456p789s46sEE", "5s", winner) for winner in (1, 2, 3)]
    table = Table("dianpao", 0, 0, 1, (), None, None, ())
    results, payments = score(rules, claims, table)
    assert [r.points for r in results] == [8, 8, 8]
    assert payments == [-24, 8, 8, 8]


def test_kong_money_is_added_and_never_mirrored() -> None:
    rules = load("maima")
    table = Table("zimo", None, 0, 0, (KIND_OF["6m"],), {0: (KIND_OF["1p"],)}, 1, ((6, -2, -2, -2),))
    hand = claim("456p789s55sEE", "5s", melds=(Meld("angang", tuple(parse("1111m")), None),))
    plain = score(rules, [hand], Table("zimo", None, 0, 0, (KIND_OF["6m"],), {0: (KIND_OF["1p"],)}, 1, ()))[1]
    assert [a - b for a, b in zip(score(rules, [hand], table)[1], plain, strict=True)] == [6, -2, -2, -2]


@pytest.mark.parametrize(
    ("hand", "table", "message"),
    [
        (claim("123m456p789s55sEE", "5s", flags="gangpao"), PLAIN, "gangpao goes with source dianpao"),
        (claim("123m456p789s55sEE", "5s", flags="gangkai"), PLAIN, "needs a kong"),
        (claim("123m456p789s55sEE", "5s", flags="tianhu"), PLAIN, "dealer"),
        (claim("123m456p789s55sEE", "5s", 0, flags="dihu"), PLAIN, "tianhu"),
    ],
)
def test_impossible_flags(hand: Claim, table: Table, message: str) -> None:
    with pytest.raises(ScoreError, match=message):
        score(load("jipinghu"), [hand], table)


def test_the_previous_winner_must_be_known() -> None:
    horses = (KIND_OF["3m"],)
    with pytest.raises(ScoreError, match="origin"):
        score(load("zhuama"), [claim("123m456p789s55sEE", "5s")], Table("zimo", None, 0, 0, (), horses, None, ()))


def test_horses_of_the_wrong_kind_are_refused() -> None:
    for variant in ("maima", "jipinghu"):
        with pytest.raises(ScoreError, match="horses"):
            score(load(variant), [claim("123m456p789s55sEE", "5s")], Table("zimo", None, 0, 0, (), (3,), 0, ()))


def test_reasons() -> None:
    by_discard = Table("dianpao", 0, 0, 0, (), None, None, ())
    assert score(load("jipinghu"), [claim("123m456p789s57sEE", "5s")], PLAIN)[0][0].reason == "shape"
    assert score(load("zhuama"), [claim("123m456p789s55sEE", "5s")], by_discard)[0][0].reason == "source"
    assert score(load("maima"), [claim("123m456p789s55sEE", "5s")], by_discard)[0][0].reason == "source"
    minimum = load("jipinghu", {"win.min_fan": 1})
    assert score(minimum, [claim("123m456p789s55sEE", "5s")], by_discard)[0][0].reason == "minimum"


def test_the_first_from_the_dealer_wins_alone() -> None:
    rules = load("jipinghu", {"win.multiple": "from_dealer"})
    claims = [claim("123m456p789s46sEE", "5s", winner) for winner in (1, 2, 3)]
    table = Table("dianpao", 0, 3, 1, (), None, None, ())
    results, payments = score(rules, claims, table)
    assert [result.is_paid for result in results] == [False, False, True]
    assert payments == [-results[2].points, 0, 0, results[2].points]
    assert "一炮三响" not in {fan for result in results for fan in result.fans}


def test_points_hold_what_horses_and_caps_make_of_a_share() -> None:
    horses = (KIND_OF["1p"], KIND_OF["9s"], KIND_OF["2m"])
    table = Table("zimo", None, 1, 0, (), horses, 1, ())
    hand = [claim("123m456p789s55sEE", "5s")]
    for overrides, points in (
        ({}, 60),
        ({"horses.price": "fixed", "horses.fixed": 7}, 34),
        ({"horses.price": "double"}, 80),
        ({"horses.price": "double", "scoring.loss_cap": 50, "horses.fine": 1}, 49),
        ({"horses.hit": "number"}, 20 * 13),
        ({"scoring.loss_cap": 15}, 15),
    ):
        results, payments = score(load("zhuama", overrides), hand, table)
        assert (results[0].points, payments) == (points, [-points, 3 * points, -points, -points])


def test_four_ghosts_win_without_a_shape() -> None:
    hand = [claim("2222m13579m28p45s", "7s")]
    table = Table("zimo", None, 0, 0, (KIND_OF["2m"],), None, None, ())
    rules = load("maima", {"ghost.four": "win", "patterns.four_ghosts": {"role": "item", "value": 10}})
    results, payments = score(rules, hand, table)
    assert (results[0].fans, payments) == (("四鬼胡",), [-20, 60, -20, -20])
    assert score(load("maima"), hand, table)[0][0].reason == "shape"


def test_the_minimum_of_a_discard_is_a_reason() -> None:
    rules = load("jipinghu", {"win.min_fan_discard": 1})
    by_discard = Table("dianpao", 0, 0, 0, (), None, None, ())
    assert score(rules, [claim("123m456p789s55sEE", "5s")], by_discard)[0][0].reason == "minimum"
    assert score(rules, [claim("123m456p789s55sEE", "5s")], PLAIN)[0][0].is_win


def test_the_minimum_is_the_reason_for_a_hand_that_would_win_without_it() -> None:
    rules = load("maima", {"win.min_fan_discard": 100})
    table = Table("dianpao", 0, 0, 0, (KIND_OF["6p"],), None, None, ())
    assert score(rules, [claim("111m444p777s55sNN", "5s")], table)[0][0].reason == "minimum"
    assert score(rules, [claim("123m456p789s55sNN", "5s")], table)[0][0].reason == "source"
