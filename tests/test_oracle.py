"""The oracle itself: the worked cases of the rule sets, and brute force on small things."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sim import rules as rule_sets
from sim import schema
from sim.patterns import PATTERNS
from sim.rules import Rules, load
from sim.tiles import HONOURS, KIND_OF, N_KINDS, TILE_SETS, counts, parse, parse_one
from tests.oracle.deal import successor
from tests.oracle.horses import count_hits, horse_class, horse_origins, settle_drawn, settle_held
from tests.oracle.readings import Reading, chow_of, of_melds, pair_of, pung_of, readings
from tests.oracle.rng import Stream
from tests.oracle.scoring import Score, Win, best_score, role, seat_wind
from tests.oracle.settlement import (
    kong_payments,
    liable_seat,
    payments,
    total,
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
from tests.scripted import debt_of, hand

CASES = json.loads((Path(__file__).parent / "data" / "cases.json").read_text(encoding="utf-8"))["cases"]
SHIPPED = rule_sets.names()
ALL_FORMS = ("standard", "seven_pairs", "thirteen_orphans")
SOURCES = {"zimo": schema.ZIMO, "dianpao": schema.DIANPAO, "qianggang": schema.QIANGGANG}


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
