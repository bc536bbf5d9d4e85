"""The oracle itself: the worked cases of the rule sets, brute force on small things, and hand-made games."""

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
from sim.patterns import INDEX, PATTERNS
from sim.rules import Rules, load
from sim.tiles import HONOURS, KIND_NAMES, KIND_OF, N_KINDS, TILE_SETS, counts, parse, parse_one
from tests.oracle import Hand, play_hand, play_table
from tests.oracle.bots import Move, UkeireBot, View, best_discard
from tests.oracle.deal import build_wall, successor
from tests.oracle.readings import Reading, chow_of, of_melds, pair_of, pung_of, readings
from tests.oracle.rng import Stream
from tests.oracle.scoring import Score, Win, best_score, role, seat_wind
from tests.oracle.settlement import (
    horse_class,
    horse_origins,
    kong_points,
    liable_seat,
    settle_drawn,
    settle_held,
    total,
    win_payments,
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
    payments = win_payments(rules, winner, source, from_seat, score.points, liable)
    points, moved = score.points, [total(payments)]
    origins = horse_origins(rules, [winner], from_seat, case["dealer"], case.get("origin", -1))
    horses = case.get("horses")
    if isinstance(horses, dict):
        held = [
            (int(holder), horse_class(rules, parse_one(tile))) for holder, tiles in horses.items() for tile in tiles
        ]
        moved.append(settle_held(payments, held, origins, origins[winner]).points)
    elif horses:
        classes = [horse_class(rules, parse_one(tile)) for tile in horses]
        settled = settle_drawn(payments, classes, origins)
        moved.append(settled.points)
        points *= 1 + settled.n_hits
    assert points == expected["points"]
    moved += case.get("kong_pay", [])
    assert [sum(seat) for seat in zip(*moved, strict=True)] == expected["payments"]


@pytest.mark.parametrize("case", cases("multi"))
def test_several_winners_case(case: dict[str, Any]) -> None:
    rules = rules_of(case)
    payments = []
    for part in case["winners"]:
        score = best_score(rules, win_of(rules, case, part, schema.DIANPAO))
        assert score is not None
        payments += win_payments(rules, part["winner"], schema.DIANPAO, case["from"], score.points)
    assert total(payments) == case["expected"]["payments"]


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
    assert kong_points(rules_of(case), t, case["owner"], case.get("from", -1)) == case["expected"]["payments"]


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


# Settlement


def test_direct_kongs_may_be_paid_by_all() -> None:
    rules = load("maima", {"kong.direct_payer": "all", "kong.direct": 1, "scoring.base": 2})
    assert kong_points(rules, schema.MELD_EXPOSED, 1, 3) == [-2, 6, -2, -2]


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
    payments = win_payments(rules, 1, schema.DIANPAO, 0, 16) + win_payments(rules, 3, schema.DIANPAO, 0, 32)
    settled = settle_held(payments, [(2, 0), (1, 1), (0, 3), (3, 2)], origins, 0)
    # Seat 2 holds the loser and pays both again; seat 1 holds itself; seat 0, the loser, a winner: nothing.
    assert settled.points == [-16, 16 + 16, -16 - 32, 32]
    assert (settled.n_horses, settled.n_hits) == (4, 3)


# Whole hands


class Script:
    """Makes the listed moves in its turns, and the listed claims whenever they are legal; else it passes."""

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


def stacked(hands: Sequence[str], draws: str, tail: str = "", tile_set: str = "136") -> list[int]:
    """Build a wall that deals these hands from the dealer on; ``tail`` is taken from its end."""
    front = [k for text in hands for k in parse(text)]
    assert len(front) == 52
    front += parse(draws)
    back = parse(tail)[::-1]
    rest = [k for k in TILE_SETS[tile_set] for _ in range(4)]
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
        (schema.MOVES[code], seat, KIND_NAMES[kind] if kind >= 0 else "", other)
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
    rules = load("zhuama", {"horses.count": 2})
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
    rules = load("jipinghu", {"tiles": '"100"', "play.last_tiles_reserved": 40, "play.chi": False})
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


def test_turned_ghost_and_held_horses_leave_from_the_tail() -> None:
    wall = stacked(["123m456p789s55sEE", *JUNK], "E", tail="9mZ5p6s8p")
    game = played(load("maima"), wall, Script("hu E"), Script(), Script(), Script())
    assert moves_of(game)[:5] == [
        ("indicator", -1, "9m", 0),
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
        assert sorted(wall) == [k for k in TILE_SETS[tile_set] for _ in range(4)]


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
    assert len({tuple(r.trace[:57]) for r in results}) == 1
    assert len({r.row["dealer"] for r in results}) == 1
