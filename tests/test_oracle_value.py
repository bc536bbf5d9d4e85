"""The oracle's values and settlements, by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from sim import schema
from sim.patterns import INDEX
from sim.rules import load
from sim.tiles import KIND_OF
from tests.oracle.horses import Hits, count_hits, horse_class, horse_origins, n_to_draw, settle_drawn, settle_held
from tests.oracle.scoring import best_score
from tests.oracle.settlement import (
    Payment,
    at_most,
    kong_payments,
    liable_seat,
    owed_to,
    payments,
    share_of,
    total,
)
from tests.oracle.state import Meld
from tests.scripted import FOUR_GHOSTS, GHOST_B, debt_of, scored, tiles_of, win

SOURCES = {"zimo": schema.ZIMO, "dianpao": schema.DIANPAO, "qianggang": schema.QIANGGANG}


# Value


def test_implied_items_are_dropped_or_added() -> None:
    a_win = win("111m999m111p99p11s", "9p")
    assert scored(load("maima"), a_win).points == 32 * 2
    assert scored(load("maima", {"scoring.implied": "add"}), a_win).points == (32 + 8) * 2


def test_chicken_with_an_event() -> None:
    a_win = win("123m456p789s46sEE", "5s", events=frozenset(["gangkai", "haidi"]))
    assert scored(load("maima"), a_win).points == (8 + 8) * 2
    assert scored(load("maima", {"scoring.chicken_with_event": 2}), a_win).points == (2 + 8 + 8) * 2


def test_sum_cap_comes_before_base() -> None:
    a_win = win("123m345m567m78m99m", "9m")
    assert scored(load("maima", {"scoring.cap": 20, "scoring.base": 5}), a_win).points == 100


def test_minimum_counts_extras_and_not_the_cap() -> None:
    chicken = win("123m456p789s55sEE", "5s", schema.DIANPAO)
    assert best_score(load("jipinghu", {"win.min_fan": 1}), chicken) is None
    assert best_score(load("jipinghu", {"win.min_fan": 4}), win("111m333p55s99sSSS", "5s"))  # 2 + 1 + 1
    robbed = win("123m456p789s55sEE", "5s", schema.QIANGGANG)
    assert scored(load("jipinghu", {"win.min_fan": 3}), robbed).fan == 3  # the floor reaches it
    assert best_score(load("jipinghu", {"win.min_fan": 5}), robbed) is None


def test_chicken_ways_look_at_each_reading() -> None:
    ghosts = frozenset([KIND_OF["6m"]])
    by_discard = win("111m333p55s99sEE6m", "5s", schema.DIANPAO, ghosts=ghosts)
    score = scored(load("maima"), by_discard)
    assert score.counted == {"pengpeng"}


def test_nine_gates() -> None:
    rules = load("jipinghu")
    assert scored(rules, win("1112345678999m", "9m")).counted == {"jiulian"}
    assert scored(rules, win("1112345678899m", "9m")).counted == {"qingyise"}
    ghosts = frozenset([KIND_OF["Z"]])
    assert scored(rules, win("111234567899mZ", "5m", ghosts=ghosts)).counted == {"jiulian"}
    assert scored(rules, win("111234567899mZ", "Z", ghosts=ghosts)).counted == {"jiulian"}
    assert scored(rules, win("111234567789mZ", "9m", ghosts=ghosts)).counted == {"qingyise"}


def test_one_wind_pung_counts_for_seat_and_round() -> None:
    score = scored(load("jipinghu"), win("123m456p789s44sEE", "E", schema.DIANPAO, seat_wind=0))
    assert score.counted == {"chicken", "seat_wind", "round_wind"}
    assert score.fan == 2
    assert score.mask == sum(1 << INDEX[slug] for slug in score.counted)


def test_triple_win_is_a_floor() -> None:
    score = scored(load("jipinghu"), win("123m456p789s55sEE", "5s", schema.DIANPAO, events=frozenset(["triple_win"])))
    assert (score.fan, score.points) == (3, 8)
    assert score.counted == {"chicken", "triple_win"}


def test_the_minimum_of_a_sum_table_is_items_times_doubles() -> None:
    chicken = win("123m456p789s46sEE", "5s")  # 2 x 2
    assert best_score(load("maima", {"win.min_fan": 5}), chicken) is None
    assert scored(load("maima", {"win.min_fan": 4, "scoring.base": 3, "scoring.cap": 3}), chicken).points == 9


def test_a_discard_may_have_a_minimum_of_its_own() -> None:
    for slug, text, n in (("maima", "111m333p55s99sEEE", 8), ("jipinghu", "123m456p789s44sEE", 1)):
        reached, missed = (load(slug, {"win.min_fan_discard": least}) for least in (n, n + 1))
        tile = text[-1] if slug == "jipinghu" else "5s"
        assert best_score(reached, win(text, tile, schema.DIANPAO))
        assert best_score(missed, win(text, tile, schema.DIANPAO)) is None
        assert best_score(missed, win(text, tile))
        assert best_score(missed, win(text, tile, schema.QIANGGANG))


def test_four_ghosts_win_with_any_tiles() -> None:
    special = {"patterns.four_ghosts": {"role": "special", "value": 4}}
    a_win = win("BBB147m258p369sE", "B", ghosts=GHOST_B)
    assert scored(load("jipinghu", FOUR_GHOSTS | special), a_win).counted == {"four_ghosts"}
    assert scored(load("jipinghu", FOUR_GHOSTS), a_win).counted == {"chicken", "zimo"}
    assert best_score(load("jipinghu", FOUR_GHOSTS | {"ghost.four": "nothing"}), a_win) is None
    assert best_score(load("jipinghu", FOUR_GHOSTS), replace(a_win, source=schema.DIANPAO)) is None
    assert best_score(load("jipinghu", FOUR_GHOSTS), win("BB147m258p369sEE", "B", ghosts=GHOST_B)) is None


def test_four_ghosts_stand_beside_the_patterns_of_a_winning_hand() -> None:
    price = {"patterns.four_ghosts": {"role": "item", "value": 10}}
    rules = load("maima", FOUR_GHOSTS | price | {"win.forms": ["standard"]})
    score = scored(rules, win("BBB111m999p55sEE", "B", ghosts=GHOST_B))
    assert score.counted == {"pengpeng", "four_ghosts", "zimo"}
    assert score.points == (8 + 10) * 2
    assert scored(rules, win("BBBB147m258p369s", "E", ghosts=GHOST_B)).points == 10 * 2


def test_luxury_pairs_may_have_to_be_natural() -> None:
    made = win("111m22m33p44p55s66s", "B", ghosts=GHOST_B)
    natural = win("1111m22m33p44p55s6s", "6s", ghosts=GHOST_B)
    assert scored(load("maima"), made).counted == {"luxury_seven_pairs", "zimo"}
    rules = load("maima", {"scoring.luxury_natural": True})
    assert scored(rules, made).counted == {"seven_pairs", "zimo"}
    assert scored(rules, natural).counted == {"luxury_seven_pairs", "zimo", "yinghu"}


def test_quemen_is_one_suit_missing() -> None:
    rules = load("jipinghu", {"patterns.quemen": {"role": "extra", "value": 1}})
    assert scored(rules, win("123m456m789s55sNN", "5s")).counted == {"chicken", "quemen", "zimo"}
    assert scored(rules, win("123m456p789s55sNN", "5s")).counted == {"chicken", "zimo"}
    assert "quemen" in scored(rules, win("123m456p9mBNNN78m", "9m", ghosts=GHOST_B)).counted  # B is 6m or 9m
    melds = [Meld(schema.MELD_CHI, KIND_OF["1p"], 2)]
    assert "quemen" not in scored(rules, win("456m789s55sNN", "5s", melds=melds)).counted


# Settlement


def test_direct_kongs_may_be_paid_by_all() -> None:
    rules = load("maima", {"kong.direct_payer": "all", "kong.direct": 1, "scoring.base": 2})
    assert total(kong_payments(rules, schema.MELD_EXPOSED, 1, 3)) == [-2, 6, -2, -2]


def test_only_the_first_player_completed_is_covered() -> None:
    rules = load("jipinghu")
    melds = [Meld(schema.MELD_CHI, k, 2) for k in (0, 9, 18, 3)]
    assert liable_seat(rules, 3, melds, None, [(2, 3)]) == 2
    assert liable_seat(rules, 3, melds, None, [(2, 1), (2, 3)]) == -1
    assert liable_seat(rules, 3, melds, None, [(0, 1), (2, 3), (2, 0)]) == 2


def test_concealed_kongs_are_not_on_the_table() -> None:
    rules = load("jipinghu")
    melds = [Meld(schema.MELD_PENG, 31, 0), Meld(schema.MELD_CONCEALED, 32), Meld(schema.MELD_ADDED, 33, 1)]
    assert liable_seat(rules, 3, melds, None, []) == -1
    melds[1] = Meld(schema.MELD_EXPOSED, 32, 2)
    assert liable_seat(rules, 3, melds, None, []) == 1
    assert liable_seat(rules, 3, melds, melds[1], []) == 2


def test_held_horses_of_two_winners_count_from_the_discarder() -> None:
    rules = load("maima")
    origins = horse_origins(rules, [1, 3], 0, 2, 2)
    assert origins == {1: 0, 3: 0}
    debts = [debt_of(rules, 1, schema.DIANPAO, 0, 16), debt_of(rules, 3, schema.DIANPAO, 0, 32)]
    settled = settle_held(payments(debts), [(2, 0), (1, 1), (0, 3), (3, 2)], origins, 0)
    # Seat 2 holds the loser and pays both again; seat 1 holds itself; seat 0, the loser, a winner: nothing.
    assert settled.points == [-16, 16 + 16, -16 - 32, 32]
    assert (settled.n_horses, settled.n_hits) == (4, 3)


def test_twelve_tiles_may_only_count_for_big_hands() -> None:
    rules = load("jipinghu", {"liability.twelve_tiles": "big"})
    melds = [Meld(schema.MELD_CHI, k, 2) for k in (0, 9, 18, 3)]
    assert liable_seat(rules, 3, melds, None, [(2, 3)], ["chicken", "zimo"]) == -1
    assert liable_seat(rules, 3, melds, None, [(2, 3)], ["pinghu", "zimo"]) == -1
    assert liable_seat(rules, 3, melds, None, [(2, 3)], ["hunyise"]) == 2
    rules = load("jipinghu", {"liability.twelve_tiles": "off"})
    assert liable_seat(rules, 3, melds, None, [(2, 3)], ["hunyise"]) == -1


def test_repeat_deals_then_the_loss_cap_change_a_share() -> None:
    assert share_of(load("zhuama"), 20, 3) == 20
    add: dict[str, Any] = {"dealer.repeat_mode": "add", "dealer.repeat_points": 5, "scoring.base": 2}
    assert [share_of(load("zhuama", add), 20, n) for n in (0, 3, 12)] == [20, 50, 120]
    double = {"dealer.repeat_mode": "double"}
    assert [share_of(load("zhuama", double), 2, n) for n in (0, 3, 12)] == [2, 16, 2048]
    rules = load("zhuama", add | {"scoring.loss_cap": 40})
    assert share_of(rules, 20, 12) == 120
    assert at_most(rules, 120) == 80
    assert owed_to(rules, 1, 120) == (80, 0, 80, 80)


def test_how_many_horses_are_drawn() -> None:
    options: dict[str, Any] = {"horses.count": 4, "horses.count_discard": 2, "horses.rob_extra": 5}
    options |= {"horses.without_ghost": 3, "horses.per_repeat": 1}
    rules = load("zhuama", options)
    assert [n_to_draw(rules, how, 0, True) for how in SOURCES.values()] == [4, 2, 7]
    assert n_to_draw(rules, schema.ZIMO, 0, False) == 7
    assert [n_to_draw(rules, schema.DIANPAO, n, True) for n in (1, 12)] == [3, 12]
    assert n_to_draw(rules, schema.QIANGGANG, 12, False) == 20
    assert n_to_draw(load("zhuama", options | {"horses.on_rob": False}), schema.QIANGGANG, 1, False) == 0


def test_horses_hit_by_class_or_by_number() -> None:
    drawn = tiles_of("1m5pZf1f6")
    assert [horse_class(load("zhuama"), k) for k in drawn] == [0, 0, 1, 0, 1]
    assert [count_hits(load("zhuama"), drawn, d) for d in (0, 1, 2)] == [(3, 2), (2, 3), (0, 5)]
    rules = load("zhuama", {"horses.four_ghosts_hit": True})
    assert [count_hits(rules, drawn, 1, four) for four in (False, True)] == [(2, 3), (5, 0)]
    for number, expected in ((0, (9, 1)), (10, (19, 0))):
        rules = load("zhuama", {"horses.hit": "number", "horses.honour_number": number})
        assert [count_hits(rules, drawn, d) for d in (0, 1)] == [expected] * 2


@pytest.mark.parametrize(
    ("options", "share"),
    [
        ({}, 20 + 2 * 20),
        ({"horses.price": "fixed", "horses.fixed": 7}, 20 + 2 * 7),
        ({"horses.price": "double"}, 20 * 4),
        ({"scoring.loss_cap": 50}, 50),
        ({"horses.fine": 2}, 60 - 3 * 2),
        ({"horses.fine": 30}, 60 - 3 * 30),
        ({"horses.fine": 2, "scoring.loss_cap": 50}, 50 - 3 * 2),
    ],
)
def test_what_hits_and_misses_do_to_a_share(options: dict[str, Any], share: int) -> None:
    rules, hits = load("zhuama", options), {1: Hits(2, 3)}
    drawn = debt_of(rules, 1, schema.ZIMO, -1, 20)
    assert settle_drawn(rules, [drawn], [], 5, hits).points == [20 - share, 3 * (share - 20), 20 - share, 20 - share]
    for whole in (debt_of(rules, 1, schema.ZIMO, -1, 20, 3), debt_of(rules, 1, schema.QIANGGANG, 3, 20)):
        assert settle_drawn(rules, [whole], [], 5, hits) == ([0, 3 * (share - 20), 0, 3 * (20 - share)], 5, 2)


def test_a_share_doubles_at_most_ten_times() -> None:
    rules = load("zhuama", {"horses.price": "double"})
    settled = settle_drawn(rules, [debt_of(rules, 1, schema.DIANPAO, 0, 2)], [], 20, {1: Hits(300, 0)})
    assert settled == ([2 - 2048, 2048 - 2, 0, 0], 20, 255)


def test_kongs_of_winners_may_follow_the_horses() -> None:
    kongs = [Payment(0, 1, 3), Payment(2, 1, 5), Payment(1, 3, 7)]
    settled = settle_drawn(load("zhuama", {"kong.follow_horses": True}), [], kongs, 4, {1: Hits(2, 2)})
    assert settled.points == [-6, 16, -10, 0]
    assert settle_drawn(load("zhuama"), [], kongs, 4, {1: Hits(2, 2)}).points == [0, 0, 0, 0]
