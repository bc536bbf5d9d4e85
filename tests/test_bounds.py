"""The bound on a hand's worth: never below what is played, and not so high that houses are refused."""

from __future__ import annotations

import pytest

from sim.bounds import most_together
from sim.engine import Plan, Player
from sim.rules import Rules, RulesError, load, names
from sim.schema import H
from tests.options import random_rules


@pytest.mark.parametrize("rules", [*map(load, names()), *map(random_rules, range(40))], ids=lambda r: r.slug)
def test_no_hand_moves_more_than_the_bound(rules: Rules) -> None:
    rows = Player(Plan(rules, 640, ("ukeire", "random", "ukeire", "ukeire"), 3)).rows(0, 10, 64).rows
    points = abs(rows[:, H["points_0"] : H["points_0"] + 4]).max()
    assert points <= rules._most_points()


@pytest.mark.parametrize(
    ("variant", "change"),
    [
        ("app-tuidaohu", {"dealer.repeat_mode": "double"}),
        ("maima", {"scoring.items": "multiply"}),
        ("huapai", {"scoring.items": "highest"}),
        ("app-tuidaohu", {"scoring.items": "multiply"}),
    ],
)
def test_options_of_real_tables_are_not_refused(variant: str, change: dict[str, str]) -> None:
    load(variant, change)


def test_fines_of_several_robbers_are_bounded() -> None:
    """Twenty misses, three shares, three robbers: a run of these once wrapped."""
    with pytest.raises(RulesError, match="a hand could move"):
        load(
            "zhuama",
            {"horses.fine": 1_000_000, "scoring.base": 30, "horses.count": 20, "horses.count_discard": 20},
        )


def test_held_horses_copy_what_was_capped() -> None:
    one, two = (load("maima", {"scoring.loss_cap": 2, "horses.count": count})._most_points() for count in (1, 2))
    assert two > one > load("maima", {"scoring.loss_cap": 1})._most_points()


def test_multiples_are_bounded_before_the_cap_on_losses() -> None:
    """A kernel multiplies first and caps then: all multiples at ten would wrap."""
    names = ("zimo", "opened", "concealed_kong", "exposed_kong")
    ten = {f"multiples.{name}": 100 for name in names} | {"multiples.opened_each": True}
    with pytest.raises(RulesError, match="a hand could move"):
        load("koukoufan", ten)
    load("koukoufan")


def test_tenths_fit_before_they_are_divided_off() -> None:
    """Prices whose owed amounts stay below 2^62, but not times a multiple in tenths: what is expected had wrapped."""
    small = {"jiangyise", "ziyise", "gangkai", "qianggang", "haidi", "chicken"}
    prices = {"pengpeng": 10**6, "qingyise": 10**6, "quanqiuren": 2 * 10**5} | dict.fromkeys(small, 1)
    items = {f"patterns.{slug}.value": value for slug, value in prices.items()} | {"scoring.items": "multiply"}
    once = {f"multiples.{name}": 10 for name in ("opened", "concealed_kong", "exposed_kong")}
    with pytest.raises(RulesError, match="a hand could move"):
        load("koukoufan", items | once | {"multiples.zimo": 40, "multiples.feeder": 40})


def test_patterns_that_exclude_each_other_do_not_add_up() -> None:
    values = {"pinghu": 1, "pengpeng": 8, "seven_pairs": 16, "zimo": 2, "dianpao": 3, "qingyise": 10}
    assert most_together(values, "add", True) == 16 + 10 + 3
    assert most_together(values, "add", False) == 1 + 8 + 16 + 10 + 3
    assert most_together(values, "highest", True) == 16
    assert most_together(values, "multiply", True) == 16 * 10 * 3
    assert most_together({}, "multiply", True) == 1
