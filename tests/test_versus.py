"""What is said of two rule sets: the rules that differ, and only what clearly changes."""

from __future__ import annotations

import math

import polars as pl
import pytest

from analysis.labels import Label
from analysis.report.base import base
from analysis.report.found import Comparison
from analysis.report.versus import extremes, versus
from sim import rules as rule_sets

A, B = Label("甲", "A"), Label("乙", "B")


def numbers(**measures):
    """Headline numbers: name -> (value, half width or None) or (value, half width, n)."""
    rows = []
    for name, (value, half, *n) in measures.items():
        limits = (None, None) if half is None else (value - half, value + half)
        rows.append((name, "mean", n[0] if n else 100_000, float(value), *limits))
    columns = ("measure", "unit", "n", "value", "low", "high")
    return pl.DataFrame(rows, schema=list(columns), orient="row")


def told(first, second, before, after):
    found = versus(first, second, (A, B), (before, after))
    return found, " ".join(sentence.en for sentence in found.sentences)


def test_more_horses_are_told_in_a_sentence():
    two, four = (rule_sets.load("zhuama", {"horses.count": n}) for n in (2, 4))
    before = numbers(win_points=(60, None), horse_points=(40, 1), points_sd=(50, 0.5), washout=(0.1, 0.01))
    after = numbers(win_points=(60, None), horse_points=(78, 1), points_sd=(65, 0.5), washout=(0.1, 0.01))
    found, text = told(two, four, before, after)
    # 138 / 100; the logarithm's half width is the root of (1/100)^2 + (1/138)^2
    half = math.hypot(0.01, 1 / 138)
    low, high = (100 * (1.38 * math.exp(sign * half) - 1) for sign in (-1, 1))
    assert f"With 4 horses instead of 2: a win, horses included, pays 38.0% [{low:.1f}, {high:.1f}] more" in text
    assert "grows by 30.0% [28.4, 31.7]" in text
    assert (
        "These runs alone show no clear difference in washouts; gdmj compare, on common walls, sees finer ones." in text
    )
    assert [[cell.text.en for cell in row] for row in found.rules.rows] == [["number of horses", "2", "4"]]
    zh = found.sentences[0].zh
    assert zh.startswith("马数4（而不是2）：每次胡牌（连马，不计杠）多收38.0%")


def test_less_is_told_as_less_whichever_rule_set_comes_first():
    two, four = (rule_sets.load("zhuama", {"horses.count": n}) for n in (2, 4))
    low, high = numbers(points_sd=(50, 0.5), win_turn=(9.0, 0.1)), numbers(points_sd=(100, 1), win_turn=(8.0, 0.1))
    _, text = told(four, two, high, low)
    assert "shrinks by 50.0% [49.3, 50.7]" in text
    assert "a win comes 1.00 [0.86, 1.14] own discards later" in text


def test_what_few_hands_cannot_tell_is_not_told():
    rules = rule_sets.load("maima")
    before, after = numbers(washout=(0.1, None, 50)), numbers(washout=(0.9, None, 50))
    _, text = told(rules, rule_sets.load("maima", {"kong.concealed": 9}), before, after)
    assert "washed out" not in text
    assert "concealed kong (base units, from each) '9' instead of '2'" in text


def test_points_are_compared_only_where_a_point_is_the_same():
    before, after = numbers(win_points=(10, 0.1)), numbers(win_points=(20, 0.1))
    for names, is_same in ((("maima", "zhuama"), False), (("maima", "maima"), True)):
        _, text = told(rule_sets.load(names[0]), rule_sets.load(names[1]), before, after)
        assert ("pays" in text) == is_same
    _, text = told(rule_sets.load("maima"), rule_sets.load("zhuama"), before, after)
    assert " rules differ." in text


@pytest.mark.parametrize("halves", [(0.01, 0.01), (0.2, 0.2)])
def test_most_and_least_are_named_where_they_clearly_differ(halves):
    names = {key: Label(key, key) for key in "abc"}
    frames = {
        key: numbers(washout=(value, half))
        for (key, value), half in zip({"a": 0.1, "b": 0.3, "c": 0.2}.items(), (*halves, 0.01), strict=True)
    }
    sentences = extremes(names, frames)
    assert [s.en for s in sentences] == (
        ["Washouts: most in b (30.0% [29.0, 31.0]), least in a (10.0% [9.0, 11.0])."] if halves[0] < 0.1 else []
    )
    assert extremes(names, {key: frames[key] for key in "ab"}) == []


def test_what_a_comparison_on_common_walls_found_is_not_called_alike():
    two, four = (rule_sets.load("zhuama", {"horses.count": n}) for n in (2, 4))
    same = numbers(points_sd=(50, 0.5), washout=(0.1, 0.01), dealer_points=(1.0, 0.5))
    found = {
        "base": "zhuama", "bots": ["ukeire"], "mode": "duplicate", "hands": 1000, "seed": 1,
        "rule_sets": [{"label": "zhuama", "digest": two.digest()}, {"label": "four", "digest": four.digest()}],
        "effects": [
            {"contrast": "four", "measure": measure, "base": 1.0, "effect": 0.5, "low": low, "high": low and 0.9}
            for measure, low in (("dealer_net", 0.1), ("washout", -0.1), ("points_sd", None))
        ],
    }  # fmt: skip
    compared = Comparison.model_validate(found)
    for pair in ((two, four), (four, two)):
        text = [sentence.en for sentence in versus(*pair, (A, B), (same, same), compared).sentences]
        assert "finds a difference in the dealer's points in a hand (see" in text[1]
        assert text[2].startswith("These runs alone show no clear difference in the spread of points, washouts;")
    other = rule_sets.load("zhuama", {"horses.count": 6})
    assert not compared.measures_that_differ(two.digest(), other.digest())


def test_the_base_is_the_rule_set_that_others_are_edited_from():
    edited, own = rule_sets.load("maima", {"horses.count": 2}), rule_sets.load("jipinghu")
    names = dict.fromkeys(("own", "edited", "shipped"), A)
    picked = base({"own": own, "edited": edited, "shipped": rule_sets.load("maima")}, names)
    assert picked.key == "shipped"
    assert "1 of the other rule sets here is made from it" in picked.reason.en
    alone = base({"own": own, "edited": edited}, names)
    assert alone.key == "own"
    assert "(own) comes first" in alone.reason.en
