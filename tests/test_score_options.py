"""Scores under the less common options, worked by hand: multiples, caps, bars, two ghosts, repeat deals, 马跟杠."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from analysis.cli.score import answer, answer_and_explain
from sim.explain import explain
from sim.explain_payments import total
from sim.rules import Rules, load
from sim.score import Claim, Meld, ScoreError, Table, score
from sim.tiles import parse
from tests.test_score import PLAIN, claim

KOUKOUFAN = {"ghost.mode": "none", "ghost.kong": "forbidden", "scoring.yinghu": "no_ghost"}
PLAIN_GAME = KOUKOUFAN | {"multiples.opened_each": False, "scoring.loss_cap_all": 400}
BY_DISCARD = replace(PLAIN, source="dianpao", from_seat=0)


def meld(kind: str, tiles: str, feeder: int | None) -> Meld:
    return Meld(kind, tuple(parse(tiles)), feeder)


def paid(rules: Rules, hand: Claim, table: Table) -> list[int]:
    """Payments, after a look whether the explanation adds up to them."""
    results, payments = score(rules, [hand], table)
    assert results[0].is_win
    assert total(explain(rules, [hand], table, results)[1]) == payments
    return payments


def test_multiples_of_winner_and_losers() -> None:
    """点 are two points: 1 x2 (one opened meld) = 4; feeder x1.5 = 6; konger x2 x4 = 32; the third 4."""
    hand = claim("456p789s55sEE", "5s", melds=(meld("peng", "111m", 0),))
    table = replace(BY_DISCARD, other_melds={2: (meld("minggang", "9999p", 3),)})
    assert paid(load("koukoufan", KOUKOUFAN), hand, table) == [-6, 42, -32, -4]


def test_a_self_draw_multiplies_the_winner() -> None:
    """2 x2 (concealed kong) x1.5 = 6 each; the loser with a concealed kong pays 12."""
    hand = claim("456p789s55sEE", "5s", melds=(meld("angang", "1111m", None),))
    table = replace(PLAIN, other_melds={3: (meld("angang", "9999p", None),)})
    assert paid(load("koukoufan", KOUKOUFAN), hand, table) == [-6, 24, -6, -12]


def test_each_opened_meld_doubles_and_once_in_the_plain_game() -> None:
    """2 x2 x2 = 8, the feeder 12; 2 x2 = 4, the feeder 6."""
    hand = claim("789s55sEE", "5s", melds=(meld("peng", "111m", 0), meld("chi", "456p", 0)))
    assert paid(load("koukoufan", KOUKOUFAN), hand, BY_DISCARD) == [-12, 28, -8, -8]
    assert paid(load("koukoufan", PLAIN_GAME), hand, BY_DISCARD) == [-6, 14, -4, -4]


def test_golden_cap_when_all_three_are_above() -> None:
    """清一色 碰碰胡: 20 点 = 40; two direct kongs x2 x2 x4 x4 = 2560, capped at 600; all above: 1000 each.

    In the plain game x2 x4 x4 = 1280: 800 each.
    """
    melds = (meld("minggang", "1111m", 0), meld("minggang", "2222m", 3))
    hand = claim("333444m5m", "5m", melds=melds)
    rules = load("koukoufan", KOUKOUFAN)
    assert paid(rules, hand, BY_DISCARD) == [-1000, 3000, -1000, -1000]
    assert paid(load("koukoufan", PLAIN_GAME), hand, BY_DISCARD) == [-800, 2400, -800, -800]
    uncapped = load("koukoufan", KOUKOUFAN | {"scoring.loss_cap_all": 0})
    assert paid(uncapped, hand, BY_DISCARD) == [-600, 1800, -600, -600]
    # One direct kong: 40 x2 x4 = 320 each; only the feeder with a kong of his own is above: 320 x2 x4 x1.5, capped.
    hand = claim("222333444m5m", "5m", melds=melds[:1])
    table = replace(BY_DISCARD, other_melds={0: (meld("minggang", "9999p", 3),)})
    assert paid(rules, hand, table) == [-600, 1240, -320, -320]


def test_who_feeds_an_exposed_hand_unready_pays_what_all_owe() -> None:
    """全求人 10 点 = 20 x2 for each of four melds = 320; feeder x1.5: 480 + 320 + 320; plain game 60 + 40 + 40."""
    melds = (meld("peng", "111m", 0), meld("chi", "456p", 0), meld("peng", "999s", 2), meld("chi", "123s", 0))
    hand, rules = claim("E", "E", melds=melds), load("koukoufan", KOUKOUFAN)
    unready = replace(BY_DISCARD, is_from_ready=False)
    assert paid(rules, hand, BY_DISCARD) == [-480, 1120, -320, -320]
    assert paid(rules, hand, unready) == [-1120, 1120, 0, 0]
    assert paid(load("koukoufan", PLAIN_GAME), hand, BY_DISCARD) == [-60, 140, -40, -40]
    assert paid(load("koukoufan", PLAIN_GAME), hand, unready) == [-140, 140, 0, 0]


def test_a_robbed_seat_pays_what_all_owe() -> None:
    """抢杠 10 点 = 20; the konger has its pung (x2): 40 + 20 + 20; no feeder's multiple."""
    hand = claim("123m456p789s46sEE", "5s")
    table = Table("qianggang", 0, 0, 0, (), None, None, (), other_melds={0: (meld("peng", "555s", 2),)})
    assert paid(load("koukoufan", KOUKOUFAN), hand, table) == [-80, 80, 0, 0]


def test_a_tile_can_bar_from_winning() -> None:
    rules = load("koukoufan", KOUKOUFAN)
    results, payments = score(rules, [claim("123m456p789s55sZZ", "5s")], PLAIN)
    assert (results[0].is_win, results[0].reason, payments) == (False, "barred", [0, 0, 0, 0])
    melded = claim("456p789s55sEE", "5s", melds=(meld("peng", "ZZZ", 0),))
    assert score(rules, [melded], PLAIN)[0][0].reason == "barred"


def test_ghosts_as_themselves_are_no_ghosts() -> None:
    """A pair of ghosts as their own kind: 硬胡 doubles; as wild tiles it would not."""
    table = replace(PLAIN, ghosts=(5,))
    hand = claim("123m66m456p789s55s", "5s")
    assert paid(load("koukoufan"), hand, table) == [-6, 18, -6, -6]  # 1 点 x2 x1.5 = 6 points
    assert paid(load("koukoufan", {"scoring.yinghu": "no_ghost"}), hand, table) == [-3, 9, -3, -3]


def test_two_ghosts() -> None:
    """7m and 8m both fill up; they follow one another as the two kinds after an indicator do."""
    rules = load("maima", {"ghost.mode": "turned_two"})
    hand = claim("12m78m456p789s55sE", "E")
    results, _ = score(rules, [hand], replace(PLAIN, ghosts=(6, 7)))
    assert results[0].is_win
    with pytest.raises(ScoreError, match="follow one another"):
        score(rules, [hand], replace(PLAIN, ghosts=(6, 8)))
    with pytest.raises(ScoreError, match="follow one another"):
        score(rules, [hand], replace(PLAIN, ghosts=(6,)))


@pytest.mark.parametrize(
    ("preset", "ghosts", "message"),
    [
        ("jipinghu", (3,), "jipinghu has no ghosts, not 4m"),
        ("app-hongzhong", (3,), "the ghosts of app-hongzhong are Z, not 4m"),
        ("maima", (3, 4), "turns one kind of ghost that follows another tile, not 4m, 5m"),
    ],
)
def test_ghosts_that_a_rule_set_lacks_are_refused(preset: str, ghosts: tuple[int, ...], message: str) -> None:
    with pytest.raises(ScoreError, match=message):
        score(load(preset), [claim("123m456p789s55sEE", "5s")], replace(PLAIN, ghosts=ghosts))


def test_repeat_deals() -> None:
    hand = claim("123m456p789s55sEE", "5s")
    added = load("zhuama", {"dealer.repeat_mode": "add", "dealer.repeat_points": 3})
    assert paid(added, hand, replace(PLAIN, repeat=2)) == [-26, 78, -26, -26]
    assert paid(load("zhuama", {"dealer.repeat_mode": "double"}), hand, replace(PLAIN, repeat=2)) == [
        -80,
        240,
        -80,
        -80,
    ]


def test_horses_follow_kongs() -> None:
    """Two hits: a share of 20 becomes 60, the kong's 60 are paid twice more; another seat's kong is not."""
    hand = claim("456p789s55sEE", "5s", melds=(meld("angang", "1111m", None),))
    table = replace(PLAIN, horses=tuple(parse("19p")), origin=1, kong_pay=((-20, 60, -20, -20), (-10, -10, 30, -10)))
    rules = load("zhuama", {"kong.follow_horses": True})
    assert paid(rules, hand, table) == [-60 - 60 - 10, 180 + 180 - 10, -60 - 60 + 30, -60 - 60 - 10]
    with pytest.raises(ScoreError, match="one kong's payment"):
        score(rules, [hand], replace(table, kong_pay=((10, 50, -30, -30),)))


# The command's fields


def request(**fields: Any) -> dict[str, Any]:
    hand = {"hand": "123m456p789s55sNN", "win": "5s", "source": "zimo", "winner": 1}
    return {"preset": "jipinghu"} | hand | fields


def test_an_added_kong_made_last() -> None:
    melds = [{"t": "bugang", "tiles": "1111m", "from": 0}, {"t": "minggang", "tiles": "9999m", "from": 2}]
    short = {"hand": "456p55sNN", "flags": ["gangkai"]}
    assert answer(request(melds=melds, **short))["payments"] == [0, 24, -24, 0]
    assert answer(request(melds=[melds[0] | {"last": True}, melds[1]], **short))["payments"] == [-8, 24, -8, -8]


def test_flowers_as_horses() -> None:
    """H1 means the origin (seat 0, the dealer), whose holder pays again; H6, another 2, the winner, who is next."""
    held = answer(request(preset="huapai", horses={"0": ["H1"], "2": ["H6"]}, win="5s"))
    plain = answer(request(preset="huapai"))
    moved = [a - b for a, b in zip(held["payments"], plain["payments"], strict=True)]
    share = plain["points"]
    assert moved == [-2 * share, share, 2 * share, -share]


def test_unpaid_winners_are_marked() -> None:
    """截胡: only the bigger hand is paid."""
    small = {"winner": 1, "hand": "123m456p789s46sNN", "win": "5s"}
    big = {"winner": 2, "hand": "111222333s46sEE", "win": "5s"}
    reply = answer_and_explain({"preset": "huapai", "winners": [small, big], "from": 0})
    assert reply["is_win"] == [True, True]
    assert reply["paid"] == [False, True]
    assert {entry["to"] for entry in reply["explain"]["payments"]} == {2}


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"others": {"1": {}}}, 'others: seats that did not win are needed, not "1"'),
        ({"others": {"0": {"melds": [{"t": "peng", "tiles": "55s5s", "from": 2}]}}}, "copies of 5s"),
        ({"others": {"0": {"ready": 1}}}, "others.0.ready: true or false is needed, not 1"),
        ({"repeat": -1}, "repeat: a number from 0 to 255"),
        ({"ghost": ["1m", "1m"], "preset": "maima"}, "ghost: each kind may be named once"),
        ({"ghost": ["1m", "2m", "3m"], "preset": "maima"}, "ghost: at most 2 entries"),
        ({"horses": {"0": ["H1", "H1"]}, "preset": "huapai"}, "2 copies of H1, at most 1"),
        ({"horses": {"0": ["H1"]}, "preset": "maima"}, "H1 is not among the 136 tiles of maima"),
        ({"horses": {"0": ["H9"]}, "preset": "huapai"}, "horses.0"),
        (
            {"melds": [{"t": "peng", "tiles": "111m", "from": 0, "last": True}], "hand": "456p789s55sNN"},
            "last: is for kongs",
        ),
    ],
)
def test_refusals(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        answer(request(**fields))


DECLARED = {"play.declare": "needed"}
CHI = {"melds": [{"t": "chi", "tiles": "123s", "from": 1}]}
PUNG = {"melds": [{"t": "peng", "tiles": "666m", "from": 1}]}
NO_FIVES = {"hand": "123m456p789s46sNN"}


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"preset": "koukoufan", "ghost": "Z"}, "turns one kind of ghost that follows another tile, not Z"),
        (
            {"preset": "maima", "rules": {"tiles": "112"}, "ghost": "F", "hand": "123m456p789s55sZZ"},
            "F is not among the 112 tiles",
        ),
        ({"preset": "app-hongzhong", "ghost": []}, "ghost: one or two kinds are needed, not none"),
        ({"rules": DECLARED, "flags": ["tianhu"], "winner": 0}, "tianhu is impossible where a win needs a declared"),
        ({"flags": ["tianhu", "haidi"], "winner": 0}, "tianhu comes before the last tile"),
        ({"flags": ["dihu"], "others": {"2": CHI}}, "others have a chi"),
        ({"preset": "lisi", "others": {"2": CHI}}, "played without chi"),
        ({"preset": "koukoufan", "ghost": "6m", "others": {"0": PUNG}}, "a ghost cannot be melded"),
        ({"preset": "zhuama", "origin": 0, "horses": ["1m", "3m", "1p", "3p", "1s", "3s", "E"] * 3}, "at most 20 are"),
        (
            {"preset": "maima", "ghost": "5s", "source": "qianggang", "from": 0, **NO_FIVES},
            "of which nobody makes a kong",
        ),
    ],
)
def test_what_the_rule_set_excludes_is_refused(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        answer(request(**fields))


def test_a_robbed_seat_has_its_pung() -> None:
    """The konger's pung is open: x2 of what it owes, said or not."""
    fields = {"preset": "koukoufan", "ghost": "6m", "hand": "123m456p789s46sEE", "source": "qianggang", "from": 0}
    pung = {"0": {"melds": [{"t": "peng", "tiles": "555s", "from": 2}]}}
    assert answer(request(**fields))["payments"] == answer(request(others=pung, **fields))["payments"]


def test_multiples_are_told_apart() -> None:
    """The winner's opening is the winner's, also beside what another seat owes."""
    melds = [{"t": "peng", "tiles": "111m", "from": 0}]
    fields = {"preset": "koukoufan", "ghost": "8m", "hand": "456p789s55sEE", "melds": melds, "source": "dianpao"}
    entries = answer_and_explain(request(**{"from": 0}, **fields))["explain"]["payments"]
    parts = {entry["seat"]: entry for entry in entries if entry["reason"] == "multiples"}
    opened, feeder = {"field": "opened", "times": 2.0}, {"field": "feeder", "times": 1.5}
    assert parts[2]["winners"] == parts[0]["winners"] == [opened]
    assert (parts[2]["losers"], parts[0]["losers"]) == ([], [feeder])


def test_doubles_alone_double_the_plain_hand() -> None:
    """四鬼胡 as a double without any item: the plain hand's 1, twice."""
    double = {"role": "double", "value": 2}
    rules = load("app-tuidaohu", {"ghost.four": "win", "patterns.four_ghosts": double})
    results, _ = score(rules, [claim("BBB147p258s369s1m", "B")], replace(PLAIN, ghosts=(33,)))
    assert results[0].points == 2
