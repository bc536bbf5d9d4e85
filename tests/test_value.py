"""`value` and `defend` equal their slow twins move by move."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from sim import weights
from sim.rules import load, names
from tests.options import random_rules
from tests.twin import first_difference

GREAT_BASE = {"maima": 122_238, "huapai": 604_584, "xinzhang": 466_033}  # the greatest that are allowed
_NO_KONG_MONEY = {"kong.direct": 0, "kong.added": 0, "kong.concealed": 0}


@pytest.mark.parametrize("variant", names())
def test_shipped_rule_sets(variant: str) -> None:
    assert first_difference(load(variant), ("value", "defend", "ukeire", "defend"), 31, 0, 3, "session") is None


@pytest.mark.parametrize("least", [1, 3])
def test_minimum_fan(least: int) -> None:
    rules = load("xinzhang", {"win.min_fan": least})
    assert first_difference(rules, ("value", "defend", "value", "ukeire"), 32, 0, 2, "session") is None


def test_the_greatest_prices() -> None:
    prices = {"patterns.dianpao.value": 1_000, "patterns.zimo.value": 1, "patterns.qianggang.value": 1}
    flat = {"win.payers": "all", "win.multiple": "nearest", "horses.kind": "none", "horses.count": 0}
    none = {"horses.count_discard": 0, "horses.hit": "class", "horses.price": "hand", "horses.fixed": 0}
    rules = load("jiandan", prices | flat | none | {"scoring.base": 238_609} | _NO_KONG_MONEY)
    for seed in range(2):
        assert first_difference(rules, ("defend", "value", "defend", "ukeire"), seed, 0, 2, "session") is None


@pytest.mark.parametrize("variant", ["maima", "huapai", "xinzhang"])
def test_great_prices_of_hands(variant: str) -> None:
    rules = load(variant, {"scoring.base": GREAT_BASE[variant]})
    assert first_difference(rules, ("defend", "value", "defend", "ukeire"), 33, 0, 2, "session") is None


@pytest.mark.parametrize("forms", [["seven_pairs"], ["seven_pairs", "thirteen_orphans"]])
def test_forms_without_sets(forms: list[str]) -> None:
    """A pung rules all of them out: what is impossible then is no plan."""
    rules = load("maima", {"win.forms": forms})
    assert first_difference(rules, ("value", "defend", "value", "random"), 34, 0, 2, "session") is None


_MULTIPLES = {"multiples.opened": 20, "multiples.opened_each": True, "multiples.feeder": 15, "multiples.zimo": 12}
_CAPS = {"scoring.loss_cap": 8, "scoring.loss_cap_all": 12}


@pytest.mark.parametrize(
    ("variant", "overrides"),
    [
        ("koukoufan", {}),
        ("koukoufan", {"multiples.opened_each": False, "win.payers": "discarder", "win.rob_shares": 1}),
        ("koukoufan", {"win.rob_shares": 1, "scoring.loss_cap": 20, "scoring.loss_cap_all": 30}),
        ("jipinghu", _MULTIPLES | _CAPS),
        ("maima", _MULTIPLES),
        ("huapai", _MULTIPLES | {"win.payers": "all", "win.multiple": "nearest"}),
    ],
)
def test_multiples_feared_in_all_parts_of_a_hand(
    monkeypatch: pytest.MonkeyPatch, variant: str, overrides: dict[str, Any]
) -> None:
    families = deepcopy(weights._read())
    families["multiplied"]["defend"] |= {"early": 48, "middle": 64, "late": 96}
    monkeypatch.setattr(weights, "_read", lambda: families)
    rules = load(variant, overrides)
    assert weights.family(rules) == "multiplied"
    assert first_difference(rules, ("value", "defend", "ukeire", "defend"), 35, 0, 4, "session") is None


@pytest.mark.parametrize(("variant", "count", "fine"), [("jipinghu", 4, 1), ("maima", 8, 20), ("huapai", 8, 20)])
def test_fines_that_make_a_win_a_loss(variant: str, count: int, fine: int) -> None:
    """A win that is allowed and costs its winner is still the one that a seat's melds tell."""
    drawn = {"horses.kind": "drawn", "horses.count": count, "horses.count_discard": count, "horses.fine": fine}
    rules = load(variant, drawn)
    for seed in range(3):
        assert first_difference(rules, ("defend", "value", "defend", "value"), seed, 0, 3, "session") is None


@pytest.mark.parametrize("seed", range(500, 512))
def test_random_options(seed: int) -> None:
    assert first_difference(random_rules(seed), ("value", "random", "defend", "value"), seed, 0, 2, "session") is None


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(600, 680))
def test_eighty_option_sets(seed: int) -> None:
    assert first_difference(random_rules(seed), ("value", "defend", "value", "random"), seed, 0, 6, "session") is None
