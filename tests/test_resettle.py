"""Settling a played hand again equals playing it under the other rule set, fact by fact."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from sim import trials
from sim.engine import Plan, Player
from sim.play_key import moves_depend_on_worth, play_key
from sim.rules import Rules, RulesError, load, names
from sim.schema import H
from sim.trial import F
from sim.trials import Trial, TrialPlayer, play_in_order, rotations
from tests.options import random_rules

# Score-only options and values to try; those that a rule set refuses or that change its play key are left out.
OPTIONS: dict[str, list[Any]] = {
    "scoring.base": [3],
    "scoring.cap": [0, 2, 4, 10],
    "scoring.items": ["add", "highest", "multiply"],
    "scoring.implied": ["drop", "add"],
    "scoring.chicken_with_event": [0, 5],
    "scoring.rob_is_zimo": [True, False],
    "scoring.luxury_natural": [True, False],
    "scoring.loss_cap": [0, 3, 20],
    "patterns.chicken": [{"role": "item", "value": 3}, {"role": "pattern", "value": 1}],
    "patterns.qingyise.value": [2, 12],
    "patterns.pengpeng.value": [1, 12],
    "patterns.seven_pairs": [{"role": "none", "value": 0}],
    "patterns.menqing": [{"role": "item", "value": 2}, {"role": "extra", "value": 1}],
    "patterns.triple_win": [{"role": "double", "value": 2}, {"role": "floor", "value": 4}],
    "patterns.dianpao": [{"role": "double", "value": 2}, {"role": "extra", "value": 1}],
    "liability.gangkai_direct": [True, False],
    "liability.twelve_tiles": ["off", "on", "big"],
    "liability.dragons_winds": [True, False],
    "liability.quanqiuren": [True, False],
    "multiples.zimo": [10, 20],
    "multiples.feeder": [10, 15],
    "multiples.opened": [10, 15],
    "multiples.opened_each": [True, False],
    "multiples.concealed_kong": [10, 30],
    "multiples.exposed_kong": [10, 20],
    "scoring.loss_cap_all": [0, 30],
    "win.payers": ["discarder", "all"],
    "kong.direct": [0, 5],
    "kong.direct_payer": ["feeder", "all"],
    "kong.added": [0, 4],
    "kong.concealed": [0, 6],
    "kong.on_washout": ["kept", "void"],
    "kong.follow_horses": [True, False],
    "horses.kind": ["none", "drawn"],
    "horses.count": [0, 1, 3, 8],
    "horses.count_discard": [0, 2, 5],
    "horses.without_ghost": [0, 2],
    "horses.per_repeat": [0, 1],
    "horses.rob_extra": [0, 2],
    "horses.on_rob": [True, False],
    "horses.map": [["159E", "26SZ", "37WF", "48NB"], ["159EZ", "26SF", "37WB", "48N"]],
    "horses.origin": ["dealer", "winner", "previous_winner"],
    "horses.origin_multiple": ["same", "from_seat"],
    "horses.hit": ["class", "number"],
    "horses.honour_number": [0, 10],
    "horses.price": ["hand", "double"],
    "horses.fine": [0, 1],
    "horses.four_ghosts_hit": [True, False],
    "win.rob_shares": [1, 3],
    "play.flower_price": [0, 2],
    "dealer.seat_wind": ["deal", "chair"],
    "dealer.repeat_mode": ["none", "double"],
    "dealer.follow_points": [0, 2],
}


def priced_otherwise(base: Rules, bots: set[str], seed: int, n: int) -> list[Rules]:
    """``n`` random rule sets that are played as ``base`` is."""
    rng = random.Random(seed)
    found: list[Rules] = []
    while len(found) < n:
        changes = {path: rng.choice(values) for path, values in OPTIONS.items() if rng.random() < 0.25}
        data = base.to_dict() | {"source": {}}
        for path, value in changes.items():
            *tables, leaf = path.split(".")
            node = data
            for table in tables:
                node = node.setdefault(table, {})
            node[leaf] = value
        try:
            rules = Rules.model_validate(data)
        except ValueError:
            continue
        if play_key(rules, bots) == play_key(base, bots) and rules.digest() != base.digest():
            found.append(rules)
    return found


def facts(rules: list[Rules], line_up: tuple[str, str, str, str], mode: str, n_tables: int) -> np.ndarray[Any, Any]:
    return TrialPlayer(Trial(tuple(rules), (line_up,), 5, mode, 12)).play(0, n_tables).facts


def check(base: Rules, bot: str, seed: int, mode: str = "session", n_tables: int = 12) -> int:
    """Settle random prices from one play of ``base`` and play each of them; return the values that differ from base."""
    others = priced_otherwise(base, {bot}, seed, 4)
    line_up = (bot,) * 4
    together = facts([base, *others], line_up, mode, n_tables)
    for k, rules in enumerate([base, *others]):
        np.testing.assert_array_equal(together[:, :, k], facts([rules], line_up, mode, n_tables)[:, :, 0])
    return int((together[:, :, 1:] != together[:, :, :1]).sum())


@pytest.mark.parametrize("bot", ["random", "ukeire"])
@pytest.mark.parametrize("variant", names())
def test_shipped_rule_sets(variant: str, bot: str) -> None:
    base = load(variant)
    if moves_depend_on_worth(base, {bot}):
        assert play_key(base, {bot}) != play_key(load(variant, {"kong.direct": 7}), {bot})
        return
    least = -1 if (variant, bot) == ("lisi", "random") else 20  # who declares at random hardly ever wins
    assert check(base, bot, 1) > least
    assert check(base, bot, 2, "duplicate", 100) > least


@pytest.mark.parametrize("seed", range(40))
def test_random_options(seed: int) -> None:
    base = random_rules(seed)
    for bot in ("random", "ukeire"):
        if not moves_depend_on_worth(base, {bot}):
            check(base, bot, seed)


def test_settling_the_played_rules_again_changes_nothing() -> None:
    """The kernel's own settlement during play is the log's; the trial's comes from the state at the hand's end."""
    for seed in range(60):
        rules = random_rules(seed)
        for bot in ("random", "ukeire"):
            line_up = (bot,) * 4
            rows = Player(Plan(rules, 120, line_up, 5, "session", 12)).rows(0, 10, 12).rows.reshape(10, 12, -1)
            again = facts([rules], line_up, "session", 10)[:, :, 0]
            for name in ("dealer", "outcome", "turns", "winners"):
                np.testing.assert_array_equal(again[:, :, F[name]], rows[:, :, H[name]], f"{seed} {bot} {name}")
            for place in range(4):
                np.testing.assert_array_equal(
                    again[:, :, F["points_0"] + place], rows[:, :, H["points_0"] + place], f"{seed} {bot}"
                )


@pytest.mark.parametrize(
    "change",
    [
        {"ghost.mode": "none"},
        {"win.passed": "off"},
        {"win.multiple": "nearest"},
        {"play.chi": True},
        {"play.last_tiles_reserved": 4},
        {"win.must": True},
        {"horses.count": 2},  # held: more tiles leave the wall
        {"win.min_fan": 3},
        {"patterns.quanqiuren": {"role": "item", "value": 8}},  # no 鸡胡 any more, so it may be won by discard
        {"dealer.next": "next_seat"},
    ],
    ids=lambda change: next(iter(change)),
)
def test_what_changes_play_has_another_key(change: dict[str, Any]) -> None:
    assert play_key(load("maima", change), {"ukeire"}) != play_key(load("maima"), {"ukeire"})


def test_prices_have_another_key_for_bots_that_read_them() -> None:
    base, other = load("maima"), load("maima", {"kong.direct": 5})
    assert play_key(base, {"ukeire"}) == play_key(other, {"ukeire"})
    assert play_key(base, {"ukeire", "another"}) != play_key(other, {"ukeire", "another"})


def test_needs_are_those_of_the_deal() -> None:
    """Against the log's shanten where only the standard form is allowed and there are no ghosts."""
    rules = load("zhuama", {"win.forms": ["standard"], "ghost.mode": "none"})
    rows = Player(Plan(rules, 400, ("ukeire",) * 4, 5, "duplicate")).rows(0, 100, 4).rows[::4]
    found = TrialPlayer(Trial((rules, load("maima")), (("ukeire",) * 4,), 5)).play(0, 100).facts[:, 0]
    for seat in range(4):
        np.testing.assert_array_equal(found[:, 0, F["need_0"] + seat], rows[:, H["shanten_deal_0"] + seat] + 1)
        np.testing.assert_array_equal(found[:, 1, F["need_0"] + seat], found[:, 0, F["need_0"] + seat])


def test_a_trial_plays_once_what_is_played_alike() -> None:
    rules = (load("maima"), load("maima", {"ghost.mode": "none"}), load("maima", {"kong.direct": 5}))
    trial = Trial(rules, (("ukeire",) * 4,), 5)
    assert trial.groups == ((0, 2), (1,))
    together = TrialPlayer(trial).play(3, 20).facts
    for k, alone in enumerate(rules):
        np.testing.assert_array_equal(
            together[:, :, k], TrialPlayer(Trial((alone,), (("ukeire",) * 4,), 5)).play(3, 20).facts[:, :, 0]
        )


def test_facts_come_in_order_whatever_the_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trials, "TASK_HANDS", 32)
    player = TrialPlayer(Trial((load("zhuama"),), rotations(("ukeire", "random", "random", "random")), 5))
    whole = player.play(7, 100).facts
    for threads in (1, 3):
        pieces = list(play_in_order(player, 7, 100, threads))
        assert [piece.first_table for piece in pieces] == list(range(7, 107, 8))
        np.testing.assert_array_equal(np.concatenate([piece.facts for piece in pieces]), whole)


def test_equal_bots_have_one_rotation() -> None:
    assert rotations(("a", "a", "a", "a")) == (("a", "a", "a", "a"),)
    assert rotations(("a", "b", "a", "b")) == (("a", "b", "a", "b"), ("b", "a", "b", "a"))
    assert len(rotations(("a", "a", "a", "b"))) == 4


def test_options_are_known() -> None:
    known = {path for path, values in OPTIONS.items() if _is_known(path, values[0])}
    assert known == set(OPTIONS)


def _is_known(path: str, value: Any) -> bool:
    try:
        load("jipinghu", {path: value})
    except RulesError as error:
        return "no such field" not in str(error)
    return True
