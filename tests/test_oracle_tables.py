"""The oracle's bots, what comes between hands, and its rows."""

from __future__ import annotations

from sim import rules as rule_sets
from sim import schema
from sim.rules import load
from sim.tiles import KIND_NAMES, KIND_OF, TILE_SETS, parse
from tests.oracle import play_hand, play_table
from tests.oracle.bots import Move, UkeireBot, best_discard
from tests.oracle.deal import build_wall
from tests.oracle.state import plus
from tests.oracle.table import Standing, next_standing
from tests.scripted import view

SHIPPED = rule_sets.names()


# Bots


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
