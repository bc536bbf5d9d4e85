"""Rule sets in words: nothing is forgotten, nothing fails, and what changes a rule changes the words."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any, get_args

import pytest

from analysis.rule_words import (
    TOPICS,
    differences,
    flatten,
    prices,
    sentences,
    value_words,
    without_effect,
    words,
)
from sim import patterns
from sim.rules import Rules, RulesError, from_dict, load, names
from tests.options import random_rules

SEEDS = range(100)
LISTS = {
    "win.ways": [["zimo"], ["zimo", "qianggang"], ["zimo", "dianpao"], ["zimo", "dianpao", "qianggang"]],
    "win.chicken_ways": [[], ["zimo"], ["dianpao"], ["zimo", "dianpao", "qianggang"]],
    "win.forms": [["standard"], ["standard", "seven_pairs"], ["standard", "thirteen_orphans"]],
    "win.natural_forms": [[], ["seven_pairs"], ["thirteen_orphans"], ["seven_pairs", "thirteen_orphans"]],
    "win.barred": [[], ["Z"], ["1m", "9s"]],
    "win.rob_kongs": [["added"], ["direct"], ["added", "direct", "concealed"]],
    "ghost.kinds": [["5p"], ["5p", "6s"]],
    "ghost.honour_cycle": ["ESWNFB", "ZFB", "ESWNZFB"],
    "horses.map": [
        ["159E", "26SZ", "37WF", "48NB"],
        ["159EZ", "26SF", "37WB", "48N"],
        ["147E", "258S", "369W", "NZFB"],
    ],
}
ROLES = {"sum": ["none", "item", "double"], "fan": ["none", "pattern", "extra", "special", "floor"]}


def some_rules() -> list[Rules]:
    return [*map(load, names()), *map(random_rules, SEEDS)]


def _choices(path: str) -> list[Any]:
    """What a field may be by name, [] for a number."""
    part, _, leaf = path.rpartition(".")
    model: Any = Rules.model_fields[part].annotation if part else Rules
    return list(get_args(model.model_fields[leaf].annotation))


def _others(rules: Rules, path: str, value: Any) -> Iterator[Any]:
    """Other values that a field might have; not all are valid."""
    if path.startswith("patterns."):
        yield {"role": "none", "value": 0}
        for role in ROLES[rules.scoring.method]:
            yield value | {"role": role, "value": value["value"] + 1}
        yield value | {"name": "别名"}
    elif path in LISTS:
        yield from LISTS[path]
    elif isinstance(value, bool):
        yield not value
    elif isinstance(value, int) and not _choices(path):
        yield from (0, 1, value + 1, value + 4)
    else:
        yield from _choices(path)


def _with(rules: Rules, path: str, value: Any) -> Rules | None:
    """The rule set with one field changed, None when that is refused."""
    data = rules.to_dict()
    *parents, leaf = path.split(".")
    node = data
    for part in parents:
        node = node[part]
    node[leaf] = value
    try:
        return from_dict(data, "test")
    except RulesError:
        return None


def test_words_of_every_rule_set() -> None:
    for rules in some_rules():
        told = words(rules)
        assert all(topic in TOPICS and zh.endswith("。") and en.endswith(".") for topic, zh, en in told)
        assert all(en[0].isupper() or en[0].isdigit() for _, _, en in told)
        assert len(set(told)) == len(told)
        order = [list(TOPICS).index(entry.topic) for entry in told]
        assert order == sorted(order)
        assert {entry.topic for entry in told} >= {"tiles", "claims", "win", "worth", "dealer"}


def test_every_value_has_words() -> None:
    for rules in some_rules():
        for path, value in flatten(rules).items():
            assert all(value_words(path, value)), path


def test_fields_without_effect_are_fields() -> None:
    paths = {path for path in flatten(load("maima")) if not path.startswith("patterns.")}
    paths |= {f"patterns.{pattern.slug}" for pattern in patterns.PATTERNS}
    for rules in some_rules():
        assert without_effect(rules) <= paths


def test_a_difference_for_every_field_that_differs() -> None:
    rng = random.Random(1)
    found = some_rules()
    for _ in range(200):
        first, second = rng.sample(found, 2)
        a, b = flatten(first), flatten(second)
        expected = {path for path in {*a, *b} if a.get(path) != b.get(path)}
        told = differences(first, second)
        assert {difference.path for difference in told} == expected
        for d in told:
            assert all(d.label)
            worded = d.first != d.second
            assert worded or {a.get(d.path, {}).get("role", "none"), b.get(d.path, {}).get("role", "none")} == {"none"}


@pytest.mark.parametrize("name", names())
def test_a_changed_field_changes_the_words_or_has_no_effect_in_shipped_rule_sets(name: str) -> None:
    _changes(load(name))


@pytest.mark.parametrize("first", range(0, len(SEEDS), 50))
def test_a_changed_field_changes_the_words_or_has_no_effect_in_random_rule_sets(first: int) -> None:
    rng = random.Random(first)
    for seed in range(first, first + 50):
        _changes(random_rules(seed), rng)


def _changes(rules: Rules, rng: random.Random | None = None) -> None:
    """Change every field alone, to all other values or to a random one."""
    before, idle = words(rules), without_effect(rules)
    for path, value in flatten(rules).items():
        others = [other for other in _others(rules, path, value) if other != value]
        for other in rng.sample(others, min(1, len(others))) if rng else others:
            changed = _with(rules, path, other)
            if changed is None:
                continue
            after, after_idle = words(changed), without_effect(changed)
            (difference,) = differences(rules, changed)
            assert difference.path == path
            is_same = path == "ghost.honour_cycle" and changed.honour_cycle == rules.honour_cycle
            assert difference.effect == (not is_same and (path not in idle or path not in after_idle))
            if difference.effect:
                assert before != after, (path, value, other)
                assert difference.first != difference.second, (path, value, other)


def test_nothing_is_said_of_what_is_off() -> None:
    rules = load("zhuama", {"win.passed": "off", "liability.gangkai_direct": False, "liability.dragons_winds": False})
    topics = {sentence.topic for sentence in sentences(rules)}
    told = "".join(sentence.zh for sentence in sentences(rules))
    assert topics >= {"horses", "kongs"}
    assert [word for word in ("鬼", "漏胡", "花", "币", "杠上开花：点杠") if word in told] == []
    assert not {sentence.topic for sentence in sentences(load("xinzhang"))} & {"horses"}


def test_the_table_is_ordered_by_value_and_names_are_the_houses() -> None:
    rows = prices(load("huapai"))
    items = [int(row.worth_en) for row in rows if row.worth_en.isdigit()]
    assert items == sorted(items, reverse=True)
    assert {row.zh for row in rows} >= {"大哥", "杂色"}
    assert "yinghu" not in {row.slug for row in prices(load("maima", {"ghost.mode": "none"}))}


def _told(name: str, **changes: Any) -> tuple[str, str]:
    found = sentences(load(name, {path.replace("__", "."): value for path, value in changes.items()}))
    return "".join(entry.zh for entry in found), "".join(entry.en for entry in found)


def test_three_payers_and_multiples_are_told() -> None:
    zh, en = _told("koukoufan")
    assert "点炮胡，三家都付。" in zh
    assert "自摸乘1.5。" in zh
    assert [text for text in ("owes a winner at most 300", "each owes 500", "multiplies by 4.") if text not in en] == []
    assert "每开一次口乘2" in zh
    assert "开口乘2" in _told("koukoufan", multiples__opened_each=False)[0]
    assert "抢杠胡，三家都付。" in _told("koukoufan", win__rob_shares=1)[0]
    assert "乘" not in _told("jipinghu")[0]


def test_three_shares_are_told_only_where_they_are_equal() -> None:
    zh, en = _told("koukoufan", liability__gangkai_direct=True)
    assert [zh.count("三家输分之和"), en.count("pays what all three owe")] == [3, 3]
    assert "三份" not in zh
    alone = {f"multiples.{name}": 10 for name in ("opened", "concealed_kong", "exposed_kong")}
    plain = load("koukoufan", alone | {"liability.gangkai_direct": True})
    told = [entry.en for entry in sentences(plain)]
    assert "The robbed player pays all three shares." in told
    assert "Win on the replacement of a direct kong: its feeder pays all three shares." in told
    assert any("four exposed sets pays what all three owe" in text for text in told)  # its feeder's own part is more


def test_free_kongs_are_told_unless_they_multiply() -> None:
    told = {name: "杠不计分。" in _told(name)[0] for name in ("jipinghu", "lisi", "koukoufan", "maima")}
    assert told == {"jipinghu": True, "lisi": True, "koukoufan": False, "maima": False}


def test_the_plain_hands_gloss_is_true_beside_other_patterns() -> None:
    glosses = {row.slug: row.en for row in prices(load("lisi"))}
    assert glosses.keys() == {"chicken", "quemen"}
    assert "no other" not in glosses["chicken"]


def test_only_honours_that_are_there_go_round() -> None:
    def told(**changes: Any) -> list[str]:
        rules = load("maima", {path.replace("__", "."): value for path, value in changes.items()})
        return [entry.zh for entry in sentences(rules) if "9之后是1" in entry.zh]

    assert told() == ["9之后是1，字牌按东南西北中发白循环。"]
    assert told(tiles="120") == ["9之后是1，字牌按中发白循环。"]
    assert told(tiles="120", ghost__honour_cycle="ESWNFB") == ["9之后是1，字牌按发白循环，中不做鬼。"]
    assert told(tiles="120", ghost__honour_cycle="ESWN") == ["9之后是1，字牌之后是它自己。"]
    assert told(tiles="112") == ["9之后是1，字牌之后是它自己。"]
    assert told(tiles="108") == ["9之后是1。"]
    whole, dragons = load("maima", {"tiles": "120"}), load("maima", {"tiles": "120", "ghost.honour_cycle": "ZFB"})
    assert [(d.path, d.effect) for d in differences(whole, dragons)] == [("ghost.honour_cycle", False)]


def test_what_needs_melds_is_not_told_where_no_melded_hand_wins() -> None:
    liable = {"liability.twelve_tiles": "on", "liability.gangkai_direct": True, "liability.dragons_winds": True}
    fields = set(liable)
    pairs = load("maima", liable | {"win.forms": ["seven_pairs"]})
    assert fields <= without_effect(pairs)
    assert not [entry for entry in sentences(pairs) if entry.topic == "liability"]
    assert "gangkai" not in {row.slug for row in prices(pairs)}
    four = load("maima", liable | {"win.forms": ["seven_pairs"], "ghost.four": "win"})
    assert fields & without_effect(four) == {"liability.twelve_tiles"}  # it wins with three melds, not with four
    assert not fields & without_effect(load("maima", liable))


def test_doubles_alone_are_told_where_a_hand_can_have_them() -> None:
    double = {"patterns.pengpeng": {"role": "double", "value": 2}}

    def told(**changes: Any) -> bool:
        rules = load("maima", double | {path.replace("__", "."): value for path, value in changes.items()})
        return any("先按鸡胡算" in entry.zh for entry in sentences(rules))

    assert told()
    assert told(scoring__items="multiply")
    assert not told(win__forms=["seven_pairs"])
    assert "先按" not in _told("maima")[0]
    assert "chicken" in {row.slug for row in prices(load("maima", double | {"win.chicken_ways": []}))}


def test_standing_tiles_and_declaring_are_told() -> None:
    zh, en = _told("lisi")
    assert [
        text for text in ("4张立牌", "报听才能胡", "漏碰", "再留2张", "自摸也不行", "有杠则下家做庄") if text not in zh
    ] == []
    assert "听牌时必须打出其中一张才能听" in zh
    assert "must discard one of them, and they are discarded only then" in en
    assert not [text for text in ("立牌", "报听", "漏碰") if text in _told("maima")[0]]


def test_what_a_declared_hand_cannot_have_has_no_effect() -> None:
    """No kong of one's own after declaring, and no win before the first own discard."""
    rows = {
        f"patterns.{slug}": {"role": "item", "value": 5} for slug in ("tianhu", "dihu", "renhu", "gangkai", "haidi")
    }
    rules = load("lisi", rows)
    told = {row.slug for row in prices(rules)}
    assert told & {"tianhu", "dihu", "renhu", "gangkai", "haidi"} == {"haidi"}
    assert {"win.first_turn_closed_by", "liability.gangkai_direct"} <= without_effect(rules)


def test_a_fine_is_told_only_where_a_horse_can_miss() -> None:
    def fine(**changes: Any) -> tuple[bool, bool]:
        rules = load("zhuama", {"horses.fine": 1} | {path.replace("__", "."): v for path, v in changes.items()})
        told = any("罚马" in entry.zh for entry in sentences(rules))
        return told, "horses.fine" in without_effect(rules)

    assert fine() == (True, False)
    assert fine(horses__hit="number") == (True, False)  # honours have the number 0
    assert fine(horses__hit="number", horses__honour_number=1) == (False, True)
    assert fine(horses__hit="number", tiles="108") == (False, True)


def test_a_single_dragon_makes_no_patterns_of_two() -> None:
    rows = {
        f"patterns.{slug}": {"role": "item", "value": 5} for slug in ("ziyise", "dragon_1", "dragon_2", "dasanyuan")
    }
    assert {row.slug for row in prices(load("zhuama", rows | {"tiles": "112"}))} & {
        "ziyise", "dragon_1", "dragon_2", "dasanyuan",
    } == {"dragon_1"}  # fmt: skip
