"""The oracle itself: the worked cases of the rule sets, brute force on small things, and hand-made games."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations_with_replacement
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sim import rules as rule_sets
from sim import schema
from sim.patterns import INDEX, PATTERNS
from sim.rules import Rules, load
from sim.tiles import HONOURS, KIND_NAMES, KIND_OF, N_KINDS, TILE_SETS, counts, parse, parse_one, tile_name
from tests.oracle import Hand, play_hand, play_table
from tests.oracle.bots import Move, UkeireBot, View, best_discard
from tests.oracle.deal import build_wall, deck, successor, turned_ghosts
from tests.oracle.horses import Hits, count_hits, horse_class, horse_origins, n_to_draw, settle_drawn, settle_held
from tests.oracle.readings import Reading, chow_of, of_melds, pair_of, pung_of, readings
from tests.oracle.rng import Stream
from tests.oracle.scoring import Score, Win, best_score, role, seat_wind
from tests.oracle.settlement import (
    NOBODY,
    Debt,
    Payment,
    at_most,
    kong_payments,
    liable_seat,
    owed_to,
    payments,
    share_of,
    total,
    win_debt,
)
from tests.oracle.shanten import (
    exact_by_form,
    exact_discards,
    exact_shanten,
    exact_ukeire,
    is_complete,
    need,
    seven_pairs_need,
    standard_need,
)
from tests.oracle.state import Meld, plus, split
from tests.oracle.table import Standing, next_standing

CASES = json.loads((Path(__file__).parent / "data" / "cases.json").read_text(encoding="utf-8"))["cases"]
SHIPPED = rule_sets.names()
ALL_FORMS = ("standard", "seven_pairs", "thirteen_orphans")
SOURCES = {"zimo": schema.ZIMO, "dianpao": schema.DIANPAO, "qianggang": schema.QIANGGANG}


def hand(text: str) -> tuple[int, ...]:
    return tuple(int(c) for c in counts(parse(text)))


def cases(*kinds: str) -> list[Any]:
    chosen = [c for c in CASES if c["kind"] in kinds and c["preset"] in (*SHIPPED, "shape")]
    return [pytest.param(c, id=c["id"]) for c in chosen]


def melds_of(case: dict[str, Any]) -> tuple[Meld, ...]:
    return tuple(
        Meld(
            schema.MELD_NAMES.index(m["t"]),
            min(parse(m["tiles"])),
            -1 if m.get("from") is None else m["from"],
        )
        for m in case["melds"]
    )


def rules_of(case: dict[str, Any]) -> Rules:
    overrides = {f"win.{name}": case[name] for name in ("min_fan", "rob_shares") if name in case}
    return load(case["preset"], overrides)


def win_of(rules: Rules, case: dict[str, Any], part: dict[str, Any], source: int) -> Win:
    ghost = case.get("ghost")
    return Win(
        hand=hand(part["hand"]),
        tile=parse_one(part["win"]),
        melds=melds_of(part),
        source=source,
        ghosts=frozenset([parse_one(ghost)] if ghost else []),
        seat_wind=seat_wind(part["winner"], case["dealer"]),
        round_wind=HONOURS.index(case.get("round_wind", "E")),
        events=frozenset(case.get("flags", [])),
    )


def fans(rules: Rules, score: Score) -> list[str]:
    """Names as `gdmj score` lists them: neither doubles nor floors."""
    return [
        rules.pattern_name(i)
        for i, pattern in enumerate(PATTERNS)
        if pattern.slug in score.counted and role(rules, pattern.slug) not in ("double", "floor")
    ]


def debt_of(rules: Rules, winner: int, source: int, from_seat: int, share: int, liable: int = NOBODY) -> Debt:
    """What is owed for a win when nobody's melds multiply it."""
    return win_debt(rules, winner, source, from_seat, owed_to(rules, winner, share), liable)


# Worked cases


@pytest.mark.parametrize("case", cases("score"))
def test_score_case(case: dict[str, Any]) -> None:
    rules, expected = rules_of(case), case["expected"]
    source, winner, from_seat = SOURCES[case["source"]], case["winner"], case.get("from", -1)
    win = win_of(rules, case, case, source)
    score = best_score(rules, win)
    assert (score is not None) == expected["is_win"]
    if score is None:
        return
    assert fans(rules, score) == expected["fans"]
    if "fan" in expected:
        assert score.fan == expected["fan"]
    liable = -1
    if source == schema.ZIMO:
        kongs = [meld for meld in win.melds if meld.is_kong]
        replacement_of = kongs[-1] if "gangkai" in win.events else None
        completions = [(win.melds[3].feeder, winner)] if len(win.melds) == 4 else []
        liable = liable_seat(rules, winner, win.melds, replacement_of, completions)
    assert liable == case.get("bao", -1)
    debt = debt_of(rules, winner, source, from_seat, score.points, liable)
    points, moved = score.points, [total(payments([debt]))]
    origins = horse_origins(rules, [winner], from_seat, case["dealer"], case.get("origin", -1))
    horses = case.get("horses")
    if isinstance(horses, dict):
        held = [
            (int(holder), horse_class(rules, parse_one(tile))) for holder, tiles in horses.items() for tile in tiles
        ]
        moved.append(settle_held(payments([debt]), held, origins, origins[winner]).points)
    elif horses:
        drawn = [parse_one(tile) for tile in horses]
        hits = {winner: count_hits(rules, drawn, (winner - origins[winner]) % 4)}
        settled = settle_drawn(rules, [debt], [], len(drawn), hits)
        moved.append(settled.points)
        points *= 1 + settled.n_hits
    assert points == expected["points"]
    moved += case.get("kong_pay", [])
    assert [sum(seat) for seat in zip(*moved, strict=True)] == expected["payments"]


@pytest.mark.parametrize("case", cases("multi"))
def test_several_winners_case(case: dict[str, Any]) -> None:
    rules = rules_of(case)
    debts = []
    for part in case["winners"]:
        score = best_score(rules, win_of(rules, case, part, schema.DIANPAO))
        assert score is not None
        debts.append(debt_of(rules, part["winner"], schema.DIANPAO, case["from"], score.points))
    assert total(payments(debts)) == case["expected"]["payments"]


@pytest.mark.parametrize("case", cases("shape"))
def test_shape_case(case: dict[str, Any]) -> None:
    ghosts = [parse_one(case["ghost"])] if "ghost" in case else []
    naturals, n_ghosts = split(plus(hand(case["hand"]), parse_one(case["win"])), ghosts)
    standard = ("standard",)
    melds = melds_of(case)
    expected = case["expected"]["standard"]
    assert is_complete(naturals, len(melds), n_ghosts, standard) == expected
    assert bool(readings(naturals, n_ghosts, melds, standard)) == expected
    assert (need(naturals, len(melds), n_ghosts, standard) == 0) == expected


@pytest.mark.parametrize("case", [c for c in cases("kong_pay") if c.values[0]["kong"] != "added_robbed"])
def test_kong_pay_case(case: dict[str, Any]) -> None:
    t = {"concealed": schema.MELD_CONCEALED, "direct": schema.MELD_EXPOSED}[case["kong"]]
    paid = kong_payments(rules_of(case), t, case["owner"], case.get("from", -1))
    assert total(paid) == case["expected"]["payments"]


@pytest.mark.parametrize("case", cases("dealer_next"))
def test_dealer_next_case(case: dict[str, Any]) -> None:
    winners = {int(part.removeprefix("seat")[0]) for part in case["result"].split("+")}
    after = next_standing(rules_of(case), Standing(0, case["dealer"]), winners, 1)
    assert after.dealer == case["expected"]["next_dealer"]


@pytest.mark.parametrize("case", cases("horse_count"))
def test_horse_count_case(case: dict[str, Any]) -> None:
    rules = rules_of(case)
    deck = [k for k in TILE_SETS[rules.tiles] for _ in range(4)]
    tally = np.bincount([horse_class(rules, k) for k in deck])
    assert tally.tolist() == case["expected"]["counts"]


@pytest.mark.parametrize("case", [c for c in CASES if c["kind"] == "ghost_indicator"], ids=lambda c: c["id"])
def test_ghost_indicator_case(case: dict[str, Any]) -> None:
    rules = load("maima", {"ghost.honour_cycle": "ESWNFB"})
    assert successor(rules, parse_one(case["indicator"])) == parse_one(case["expected"]["ghost"])


def test_a_left_out_honour_has_the_next_one_as_ghost() -> None:
    rules = load("maima", {"ghost.honour_cycle": "ESWNFB"})
    assert successor(rules, KIND_OF["Z"]) == KIND_OF["F"]
    assert successor(load("maima"), KIND_OF["N"]) == KIND_OF["Z"]


# Random numbers


def test_stream_gives_philox_low_halves_first() -> None:
    raw = np.random.Philox(key=np.array([7, 3], np.uint64), counter=np.array([0, 5, 2, 0], np.uint64))
    words = [int(x) for x in raw.random_raw(3)]
    stream = Stream(7, 3, hand=5, table=2)
    assert [stream.u32() for _ in range(6)] == [h for w in words for h in (w & 0xFFFFFFFF, w >> 32)]


def test_shuffle_uses_one_number_a_place() -> None:
    a, b = Stream(1, 0, 0, 0), Stream(1, 0, 0, 0)
    items = list(range(10))
    a.shuffle(items)
    expected = list(range(10))
    for i in range(9):
        j = i + b.below(10 - i)
        expected[i], expected[j] = expected[j], expected[i]
    assert items == expected
    assert a.u32() == b.u32()


# Need


def _is_sets_and_pair(tiles: tuple[int, ...], has_pair: bool = False) -> bool:
    """Take groups from the lowest tile up: the textbook check, without ghosts."""
    lowest = next((k for k in range(N_KINDS) if tiles[k]), None)
    if lowest is None:
        return has_pair
    if tiles[lowest] >= 2 and not has_pair and _is_sets_and_pair(plus(tiles, lowest, -2), True):
        return True
    if tiles[lowest] >= 3 and _is_sets_and_pair(plus(tiles, lowest, -3), has_pair):
        return True
    if lowest < 27 and lowest % 9 < 7 and tiles[lowest + 1] and tiles[lowest + 2]:
        return _is_sets_and_pair(plus(plus(plus(tiles, lowest, -1), lowest + 1, -1), lowest + 2, -1), has_pair)
    return False


def _random_hand(draw: random.Random, n: int, kinds: Sequence[int]) -> tuple[int, ...]:
    tiles = draw.sample([k for k in kinds for _ in range(4)], n)
    return tuple(int(c) for c in counts(tiles))


def _suits(draw: random.Random) -> Sequence[int]:
    return draw.choice([range(9), range(18), range(34), range(18, 34), range(27, 34)])


def test_need_is_0_exactly_for_winning_hands_and_falls_one_draw_at_a_time() -> None:
    draw = random.Random(1)
    for _ in range(150):
        n_melds = draw.randrange(5)
        tiles = _random_hand(draw, 13 - 3 * n_melds, _suits(draw))
        drawn = [plus(tiles, k) for k in range(N_KINDS) if tiles[k] < 4]
        now = standard_need(tiles, n_melds, 0)
        assert now == 1 + min(standard_need(more, n_melds, 0) for more in drawn)
        for more in drawn:
            assert (standard_need(more, n_melds, 0) == 0) == _is_sets_and_pair(more)


def test_a_ghost_is_worth_the_best_tile() -> None:
    draw = random.Random(2)
    for _ in range(40):
        tiles = _random_hand(draw, 12, _suits(draw))
        for forms in (("standard",), ("seven_pairs",), ("thirteen_orphans",), ALL_FORMS):
            one_ghost = need(tiles, 0, 1, forms)
            stand_ins = [plus(tiles, k) for k in range(N_KINDS)]
            if max(tiles) < 4:
                assert one_ghost == min(need(more, 0, 0, forms) for more in stand_ins if max(more) <= 4)
            assert one_ghost in (need(tiles, 0, 0, forms) - 1, need(tiles, 0, 0, forms))


def test_no_fifth_copy_is_waited_for_without_a_ghost() -> None:
    tiles = hand("1111m456p789s999s")
    assert standard_need(tiles, 0, 0) == 2  # 1m alone would need a fifth
    assert standard_need(hand("111m1m456p789s99s"), 0, 1) == 1


def test_seven_pairs_counts_four_of_a_kind_twice() -> None:
    assert seven_pairs_need(hand("1111m22m33p44p55sE"), 0) == 1
    assert seven_pairs_need(hand("1111m22m33p44p5sE"), 1) == 1
    assert seven_pairs_need(hand("1111m22m33p44p5s"), 1) == 1 + seven_pairs_need(hand("1111m22m33p44p5s"), 3)


# Exact shanten


def test_exact_shanten_agrees_where_no_meld_holds_a_copy() -> None:
    draw = random.Random(3)
    for _ in range(60):
        tiles = _random_hand(draw, 13, _suits(draw))
        assert exact_shanten(tiles, [0] * N_KINDS, 0, ("standard",)) == standard_need(tiles, 0, 0) - 1
        exact = exact_shanten(tiles, [0] * N_KINDS, 0, ("thirteen_orphans",))
        assert exact == need(tiles, 0, 0, ("thirteen_orphans",)) - 1


def test_exact_shanten_counts_the_copies_in_melds() -> None:
    melded = counts(parse("111m444m999p"))
    assert standard_need(hand("23mEE"), 3, 0) == 1
    assert exact_shanten(hand("23mEE"), melded, 0, ("standard",)) == 0  # one 1m and one 4m are left
    assert exact_ukeire(hand("23mEE"), melded, 0, ("standard",)) == [KIND_OF["1m"], KIND_OF["4m"]]
    melded = counts(parse("1111m4444m999p"))
    assert exact_shanten(hand("23mEE"), melded, 0, ("standard",)) == 1
    assert exact_shanten(hand("23mE"), melded, 1, ("standard",)) == 0  # the ghost may be a fifth 1m or 4m
    assert exact_ukeire(hand("23mE"), melded, 1, ("standard",)) == [KIND_OF["E"]]


def test_exact_seven_pairs_never_takes_a_fifth_copy_from_the_wall() -> None:
    tiles = hand("1111m22m33p44p55sE")
    assert exact_by_form(tiles, [0] * N_KINDS, 0, ALL_FORMS)["seven_pairs"] == 0
    assert exact_ukeire(tiles, [0] * N_KINDS, 0, ("seven_pairs",)) == [KIND_OF["E"]]


def test_exact_ukeire_and_discards() -> None:
    melded = [0] * N_KINDS
    assert exact_ukeire(hand("123m456p789s55sEE"), melded, 0, ("standard",)) == [KIND_OF["5s"], KIND_OF["E"]]
    found = exact_discards(hand("123m456p789s55sEEN"), melded, 0, ("standard",))
    assert found[KIND_OF["N"]] == (0, [KIND_OF["5s"], KIND_OF["E"]])
    assert found[KIND_OF["1m"]][0] == 1


# Readings


def _decompositions(tiles: tuple[int, ...], pairs: int = 1) -> Iterator[Reading]:
    lowest = next((k for k in range(N_KINDS) if tiles[k]), None)
    if lowest is None:
        yield Reading()
        return
    if pairs and tiles[lowest] >= 2:
        yield from (pair_of(lowest).join(r) for r in _decompositions(plus(tiles, lowest, -2), 0))
    if tiles[lowest] >= 3:
        yield from (pung_of(lowest).join(r) for r in _decompositions(plus(tiles, lowest, -3), pairs))
    if lowest < 27 and lowest % 9 < 7 and tiles[lowest + 1] and tiles[lowest + 2]:
        rest = plus(plus(plus(tiles, lowest, -1), lowest + 1, -1), lowest + 2, -1)
        yield from (chow_of(lowest).join(r) for r in _decompositions(rest, pairs))


def _by_assignment(naturals: tuple[int, ...], n_ghosts: int) -> set[Reading]:
    """Every reading by naming what each ghost stands for."""
    found: set[Reading] = set()
    for kinds in combinations_with_replacement(range(N_KINDS), n_ghosts):
        tiles = naturals
        for k in kinds:
            tiles = plus(tiles, k)
        found |= set(_decompositions(tiles))
    return found


@pytest.mark.parametrize(
    ("text", "n_ghosts"),
    [
        ("11122233344m", 0),
        ("111222333mEE55p", 0),
        ("1112345678999m", 1),
        ("123m456p789s55sE", 1),
        ("ZZZFFFBB123m1p", 2),
        ("EEESSSWWN99m", 2),
        ("111222333m44m", 2),
        ("2223334445m", 1),
        ("11123m", 2),
        ("1m", 1),
        ("Z9p", 0),
        ("Z", 4),
        ("135m7p", 1),
    ],
)
def test_readings_equal_those_by_assignment(text: str, n_ghosts: int) -> None:
    naturals = hand(text)
    n_sets = (sum(naturals) + n_ghosts - 2) // 3
    melds = [Meld(schema.MELD_PENG, KIND_OF["9s"], 0)] * (4 - n_sets)
    expected = {r.join(of_melds(melds)) for r in _by_assignment(naturals, n_ghosts)}
    if (sum(naturals) + n_ghosts) % 3 != 2:
        expected = set()
    assert set(readings(naturals, n_ghosts, melds, ("standard",))) == expected


def test_a_ghost_may_be_a_fifth_copy() -> None:
    assert readings(hand("1111m456p789s99s"), 2, (), ("standard",))
    assert is_complete(hand("1111m"), 3, 1, ("standard",))


def test_many_ghosts_make_many_readings() -> None:
    found = readings(hand("11122m33p44sE"), 4, (), ALL_FORMS)
    assert {r.form for r in found} == {"standard", "seven_pairs"}
    assert readings(hand("2m5p8sEZF"), 8, (), ALL_FORMS)


# Value


def win(text: str, tile: str, source: int = schema.ZIMO, melds: Sequence[Meld] = (), **more: Any) -> Win:
    fields: dict[str, Any] = {"ghosts": frozenset(), "seat_wind": 1, "round_wind": 0, **more}
    return Win(hand=hand(text), tile=parse_one(tile), melds=tuple(melds), source=source, **fields)


def scored(rules: Rules, a_win: Win) -> Score:
    score = best_score(rules, a_win)
    assert score is not None
    return score


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


FOUR_GHOSTS = {"ghost.mode": "fixed", "ghost.kinds": ["B"], "ghost.four": "win"}
GHOST_B = frozenset([KIND_OF["B"]])


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


# Whole hands


class Script:
    """Makes the listed moves in its turns, and the listed claims whenever they are legal; else it passes.

    Asked whether it declares by the discard just made, it does if ``declare`` is listed next.
    """

    def __init__(self, turns: str = "", claims: str = "") -> None:
        """Read moves such as ``"discard 5s, gang_added 5s"``."""
        self.turns, self.claims = self._read(turns), self._read(claims)

    @staticmethod
    def _read(text: str) -> list[Move]:
        pairs = [part.split() for part in text.split(",") if part]
        return [Move(schema.MOVES.index(code), parse_one(tile)) for code, tile in pairs]

    def turn(self, view: View, moves: Sequence[Move]) -> Move:
        move = self.turns.pop(0)
        assert move in moves
        return move

    def claim(self, view: View, moves: Sequence[Move], kind: int) -> Move:
        return next((move for move in moves if move in self.claims), moves[0])

    def declares(self) -> bool:
        is_next = bool(self.turns) and self.turns[0].code == schema.DECLARE
        if is_next:
            self.turns.pop(0)
        return is_next


def tiles_of(text: str) -> list[int]:
    """Read kinds as `parse` does, and flowers as f1 to f8."""
    parts = re.findall(r"f\d|[^f]+", text)
    return [k for part in parts for k in ([33 + int(part[1])] if part[0] == "f" else parse(part))]


def stacked(hands: Sequence[str], draws: str, tail: str = "", tile_set: str = "136") -> list[int]:
    """Build a wall that deals these hands from the dealer on; ``tail`` is taken from its end."""
    front = [k for text in hands for k in tiles_of(text)]
    assert len(front) == 52
    front += tiles_of(draws)
    back = tiles_of(tail)[::-1]
    rest = deck(load("zhuama", {"tiles": f'"{tile_set}"'}))
    for k in front + back:
        rest.remove(k)
    return front + rest + back


def played(rules: Rules, wall: list[int], *bots: Script, **where: int) -> Hand:
    game = Hand(rules, wall, bots, **where)
    game.play()
    assert not any(bot.turns for bot in bots)
    return game


def moves_of(game: Hand) -> list[tuple[str, int, str, int]]:
    """Return the moves after the deal, draws from the head left out."""
    skipped = (schema.DEAL, schema.DRAW)
    return [
        (schema.MOVES[code], seat, tile_name(kind) if kind >= 0 else "", other)
        for code, seat, kind, other in game.trace
        if code not in skipped
    ]


JUNK = ("258m258p28sWNZFB", "147m147p17sWNZFB", "369m369p39sWNZFB")


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


KONG_ROBBED = ["555s147m147p17sNZ", JUNK[0], "123m456p789s46sSS", JUNK[2]]


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


# Bots


def view(text: str, ghosts: str = "", n_melds: int = 0, discard_ghosts: bool = False) -> View:
    tiles = hand(text)
    live = tuple(4 - c for c in tiles)
    return View(tiles, n_melds, frozenset(parse(ghosts)), ALL_FORMS[:1], live, discard_ghosts)


def test_ghosts_are_discarded_only_when_nothing_else_is_held() -> None:
    assert view("5m5pZZ", "Z").discards() == [KIND_OF["5m"], KIND_OF["5p"]]
    assert view("ZZ", "Z", 4).discards() == [KIND_OF["Z"]]
    assert view("5mZ", "Z", 4, discard_ghosts=True).discards() == [KIND_OF["5m"], KIND_OF["Z"]]


def test_best_discard_keeps_need_then_width_then_order() -> None:
    assert best_discard(view("123m456p789s55sEEN"), parse("1m5sEN"))[0] == KIND_OF["N"]
    kind, after, width = best_discard(view("123m456p23s55s99sE1p"), parse("1mE1p5s9s2s"))
    assert (KIND_NAMES[kind], after, width) == ("E", 2, 4 + 4 + 2 + 2)
    assert best_discard(view("5p9m", n_melds=4), parse("9m5p"))[0] == KIND_OF["9m"]
    assert best_discard(view("1pE", n_melds=4), parse("1pE"))[0] == KIND_OF["E"]


def test_ukeire_kongs_only_when_the_hand_is_not_set_back() -> None:
    bot = UkeireBot()
    kong = Move(schema.GANG_CONCEALED, KIND_OF["1m"])
    held = view("1111m456p789s99sEE")
    discards = [Move(schema.DISCARD, k) for k in held.discards()]
    assert bot.turn(held, [kong, *discards]) == kong
    held = view("1111m23m456p789s9s")
    discards = [Move(schema.DISCARD, k) for k in held.discards()]
    assert bot.turn(held, [kong, *discards]) == Move(schema.DISCARD, KIND_OF["9s"])


def test_ukeire_chi_that_leaves_the_wider_hand() -> None:
    bot = UkeireBot()
    held = view("2356m456p789sEE1s")
    called = KIND_OF["4m"]
    options = [Move(schema.PASS, called), *(Move(schema.CHI, KIND_OF[low]) for low in ("2m", "3m", "4m"))]
    assert bot.claim(held, options, called) == Move(schema.CHI, KIND_OF["2m"])  # a tie: the lowest
    without_7m = held._replace(live=plus(held.live, KIND_OF["7m"], -4))
    assert bot.claim(without_7m, options, called) == Move(schema.CHI, KIND_OF["4m"])
    ready = view("23m456p789s11sEEE")
    assert bot.claim(ready, options[:2], called) == options[0]  # the need does not fall


# Between hands


def test_standing_after_hands() -> None:
    rules = load("jipinghu")
    start = Standing(2, 2)
    kept = next_standing(rules, start, set(), -1)
    assert (kept.dealer, kept.repeat, kept.moves, kept.origin) == (2, 1, 0, 2)
    moved = next_standing(rules, kept, {0, 1}, 3)
    assert (moved.dealer, moved.repeat, moved.moves, moved.origin) == (3, 0, 1, 0)
    after_draw = next_standing(rules, moved, set(), -1)
    assert after_draw.origin == 0
    both = next_standing(rules, after_draw, {1, 3}, 0)
    assert (both.dealer, both.origin) == (3, 3)
    assert Standing(0, 0, moves=7).round_wind == 1
    assert Standing(0, 0, moves=17).round_wind == 0


def test_the_winner_deals_where_the_rules_say_so() -> None:
    rules = load("zhuama", {"dealer.on_washout": "next_seat"})
    assert next_standing(rules, Standing(0, 0), {2, 3}, 1).dealer == 2
    assert next_standing(rules, Standing(0, 0), {3}, -1).dealer == 3
    washout = next_standing(rules, Standing(0, 3), set(), -1)
    assert (washout.dealer, washout.moves, washout.origin) == (0, 1, 0)


def test_the_robbed_seat_may_deal() -> None:
    rules = load("jipinghu", {"dealer.after_rob": "robbed"})
    after = next_standing(rules, Standing(0, 0), {2, 3}, 1, is_rob=True)
    assert (after.dealer, after.moves, after.origin) == (1, 1, 2)
    after = next_standing(rules, Standing(0, 0, repeat=1), {2}, 0, is_rob=True)
    assert (after.dealer, after.moves, after.repeat) == (0, 0, 2)
    assert next_standing(rules, Standing(0, 0), {0, 2}, 3, is_rob=True).dealer == 0
    assert next_standing(rules, Standing(0, 0), {2}, 3).dealer == 1


# Rows


def test_wall_and_rows_of_shipped_rule_sets() -> None:
    names = {column.name for column in schema.ROW_COLUMNS}
    win_names = [column.name for column in schema.WIN_COLUMNS]
    for slug in SHIPPED:
        for result in play_table(load(slug), 11, 2, 6, ("ukeire", "ukeire", "random", "ukeire")):
            row = result.row
            assert set(row) == names
            for part in ("points", "hand", "kong", "horse"):
                assert sum(row[f"{part}_{s}"] for s in range(4)) == 0
            assert row["winners"].bit_count() == len(result.wins)
            assert all(list(log) == win_names for log in result.wins)
            assert [t[0] for t in result.trace[:52]] == [schema.DEAL] * 52
            assert result.trace[-1] == (schema.END, -1, -1, row["outcome"])


def test_walls_hold_every_tile() -> None:
    for tile_set in TILE_SETS:
        wall = build_wall(load("zhuama", {"tiles": f'"{tile_set}"'}), 1, 2, 3)
        flowers = {"140": 4, "144": 8}.get(tile_set, 0)
        assert sorted(wall) == [k for k in TILE_SETS[tile_set] for _ in range(4)] + list(range(34, 34 + flowers))


def test_hands_replay_alone() -> None:
    rules = load("maima")
    results = play_table(rules, 5, 9, 3, ("random", "ukeire", "ukeire", "ukeire"))
    row = results[2].row
    again = play_hand(
        rules,
        5,
        9,
        2,
        dealer=row["dealer"],
        round_wind=row["round_wind"],
        repeat=row["repeat"],
        origin=row["origin"],
        chair_dealer=results[0].row["dealer"],
        bots=("random", "ukeire", "ukeire", "ukeire"),
    )
    assert again == results[2]


def test_duplicate_rotations_share_the_wall() -> None:
    results = play_table(load("maima"), 5, 1, 4, ("ukeire", "random", "random", "random"), "duplicate")
    assert [r.row["rotation"] for r in results] == [0, 1, 2, 3]
    assert len({tuple(r.trace[:53]) for r in results}) == 1
    assert len({r.row["dealer"] for r in results}) == 1
