"""Rule sets: what the files say, where each number comes from, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sim import patterns, tiles
from sim.flags import horse_classes, successor
from sim.rules import VARIANTS, RulesError, from_dict, load, names

DATA = Path(__file__).parent / "data"
CASES: list[dict[str, Any]] = json.loads((DATA / "cases.json").read_text(encoding="utf-8"))["cases"]


def leaves(node: object, path: str = "") -> list[str]:
    if isinstance(node, dict) and node:
        return [leaf for key, value in node.items() for leaf in leaves(value, f"{path}.{key}" if path else key)]
    return [path]


@pytest.mark.parametrize("variant", names())
def test_every_number_has_a_source(variant: str) -> None:
    rules = load(variant)
    data = rules.to_dict()
    for part in ("slug", "name", "summary", "source"):
        data.pop(part)
    for leaf in leaves(data):
        assert any(leaf == key or leaf.startswith(f"{key}.") for key in rules.source), leaf


@pytest.mark.parametrize("variant", names())
def test_every_source_names_a_field(variant: str) -> None:
    data = load(variant).to_dict()
    for key in load(variant).source:
        node: Any = data
        for part in key.split("."):
            assert part in node, key
            node = node[part]


@pytest.mark.parametrize("variant", names())
def test_a_rule_set_survives_the_manifest(variant: str) -> None:
    rules = load(variant, {"win.passed": "off"})
    again = from_dict(json.loads(json.dumps(rules.to_dict())), "manifest")
    assert again == rules
    assert again.digest() == rules.digest() != load(variant).digest()


def test_digest_ignores_names_and_sources() -> None:
    """A digest is of what decides play and payments."""
    rules = load("tuidaohu")
    named = {
        "name.en": "Something else",
        "slug": "mine",
        "patterns.chicken.name": "鸡胡",
        "patterns.pengpeng.name": "对对胡",
    }
    assert load("tuidaohu", named).digest() == rules.digest()
    assert load("tuidaohu", {"patterns.haidi.role": "none"}).digest() != rules.digest()
    assert load("tuidaohu", {"patterns.menqing": {"role": "none", "value": 3}}).digest() == rules.digest()
    assert len({load(name).digest() for name in names()}) == len(names())


@pytest.mark.parametrize("case", [c for c in CASES if c["kind"] == "horse_count"], ids=lambda c: c["id"])
def test_horse_tiles_of_each_seat(case: dict[str, Any]) -> None:
    rules = load(case["preset"])
    classes = horse_classes(rules.horses.map)
    copies = tiles.copies(rules.tiles)
    classes = classes[: tiles.N_KINDS]
    assert [int(copies[classes == c].sum()) for c in range(4)] == case["expected"]["counts"]


@pytest.mark.parametrize(
    ("cycle", "indicator", "ghost"),
    [
        ("ESWNZFB", "5m", "6m"),
        ("ESWNZFB", "9p", "1p"),
        ("ESWNZFB", "N", "Z"),
        ("ESWNZFB", "B", "E"),
        ("ESWNFB", "N", "F"),
        ("ESWNFB", "Z", "F"),
        ("ESWNFB", "B", "E"),
    ],
)
def test_the_ghost_follows_its_indicator(cycle: str, indicator: str, ghost: str) -> None:
    assert successor(cycle)[tiles.KIND_OF[indicator]] == tiles.KIND_OF[ghost]


@pytest.mark.parametrize(
    ("overrides", "message"),
    [
        ({"horses.conut": 4}, "horses.conut: no such field"),
        ({"horse.count": 4}, "horse.count: no such field"),
        ({"horses.count": "-1"}, "horses.count: must be at least 0 .*-1"),
        ({"horses.count": "four"}, "horses.count: a whole number is needed .*four"),
        ({"horses.count": 0}, "horses.count: 0 does not go with horses.kind 'held'"),
        ({"horses.count": 6}, "horses.count: at most 5"),
        ({"horses.map": ["159E", "26S", "37WF", "48NB"]}, "horses.map: each of 1-9"),
        ({"patterns.foo": {"role": "item", "value": 1}}, "unknown pattern 'foo'"),
        ({"patterns.zimo.role": "extra"}, "patterns.zimo.role: 'extra' does not go with scoring.method 'sum'"),
        ({"patterns.zimo.value": 0}, "patterns.zimo.value: a double must be at least 1"),
        ({"win.rob_kongs": []}, "win.rob_kongs: needed where win.ways has qianggang"),
        ({"horses.fine": 1}, "horses.fine: 1 does not go with horses.kind 'held'"),
        ({"dealer.repeat_points": 1}, "dealer.repeat_points: needs dealer.repeat_mode 'add'"),
        ({"play.flower_price": 1}, "play.flower_price: the 136 tiles have no flowers"),
        ({"ghost.mode": "none", "ghost.four": "win"}, "ghost.four: 'win' needs ghosts"),
        ({"ghost.mode": "none", "ghost.kong": "allowed"}, "ghost.kong: 'allowed' needs ghosts"),
        ({"ghost.mode": "none", "scoring.yinghu": "as_itself"}, "scoring.yinghu: 'as_itself' needs ghosts"),
        ({"win.natural_forms": ["thirteen_orphans"]}, "win.natural_forms: every form must also stand in win.forms"),
        ({"win.natural_forms": ["standard"]}, "win.natural_forms.*'seven_pairs' or 'thirteen_orphans'"),
        ({"win.payers": "all"}, "win.payers: 'all' does not go with win.multiple 'all'.*allowed: nearest"),
        (
            {"win.payers": "all", "win.multiple": "nearest", "win.ways": ["zimo"], "win.chicken_ways": ["zimo"]},
            "win.payers: 'all' needs dianpao in win.ways",
        ),
        ({"win.barred": ["5x"]}, "win.barred: .*unknown character"),
        ({"win.barred": ["Z"], "tiles": "108"}, "win.barred: Z is not among the 108 tiles"),
        ({"win.barred": ["B", "Z"], "ghost.mode": "fixed", "ghost.kinds": ["B"]}, "win.barred: B is a ghost"),
        ({"play.standing": 4}, "play.standing: .*play.declare 'needed' is needed"),
        ({"play.standing": 14, "play.declare": "needed"}, "play.standing: must be at most 13"),
        ({"play.reserve_per_kong": 5}, "play.reserve_per_kong: must be at most 4"),
        ({"scoring.loss_cap_all": 400}, "scoring.loss_cap_all: .*scoring.loss_cap, which must be set.*400 beside 0"),
        ({"scoring.loss_cap": 300, "scoring.loss_cap_all": 200}, "scoring.loss_cap_all: .*not 200 beside 300"),
        ({"multiples.feeder": 5}, "multiples.feeder: must be at least 10 .*5"),
        ({"multiples.opened": 1.5}, "multiples.opened: a whole number is needed .*1.5"),
        ({"coins.rake": 250}, "coins.rake: needs coins.factor"),
        ({"dealer.on_washout": "kong"}, "dealer.on_washout: .*'kong_passes'.*kong"),
        ({"win.multiple": "some"}, "win.multiple: .*'all', 'nearest', 'biggest' or 'from_dealer'.*some"),
        ({"win.ways": ["zimo"]}, "win.chicken_ways: every way must also stand in win.ways"),
        ({"ghost.mode": "fixed"}, "ghost.kinds: needed"),
        ({"ghost.mode": "fixed", "ghost.kinds": ["5x"]}, "ghost.kinds: .*unknown character"),
        ({"ghost.mode": "fixed", "ghost.kinds": ["B"], "tiles": "108"}, "ghost.kinds: B is not among the 108 tiles"),
        ({"ghost.honour_cycle": "EE"}, "ghost.honour_cycle: .*at most once"),
        *(
            ({f"win.{name}": values}, f"win.{name}: each may be named once")
            for name, values in {
                "ways": ["zimo", "qianggang", "zimo"],
                "chicken_ways": ["zimo", "zimo"],
                "forms": ["standard", "standard"],
                "natural_forms": ["seven_pairs", "seven_pairs"],
                "barred": ["1m", "Z", "1m"],
                "rob_kongs": ["added", "added"],
            }.items()
        ),
        ({"win.barred": list(tiles.KIND_NAMES)}, "win.barred: at least one kind must not bar from winning"),
        ({"win.rob_shares": True}, "win.rob_shares: allowed: 1 or 3 .*true"),
        ({"win.rob_shares": 1.0}, "win.rob_shares: allowed: 1 or 3 .*1.0"),
        ({"win.rob_shares": 2}, "win.rob_shares: allowed: 1 or 3 .*2"),
        ({"tiles": 72}, "tiles: .*'136', '108', '100'"),
        ({"scoring.base": 1_000_000}, "scoring.base: a hand could move"),
        (
            {"tiles": "100", "play.last_tiles_reserved": 40, "horses.count": 5},
            "play.last_tiles_reserved: .*left to draw",
        ),
    ],
)
def test_what_is_refused(overrides: dict[str, Any], message: str) -> None:
    with pytest.raises(RulesError, match=message) as caught:
        load("maima", overrides)
    assert str(caught.value).startswith("maima.toml: ")
    assert "\n" not in str(caught.value)


def test_a_misspelt_key_is_named(tmp_path: Path) -> None:
    text = (VARIANTS / "maima.toml").read_text(encoding="utf-8").replace("rob_shares = 1", "rob_share = 1")
    (tmp_path / "mine.toml").write_text(text, encoding="utf-8")
    with pytest.raises(RulesError, match=r"win\.rob_share: no such field; is rob_shares meant\?"):
        load(tmp_path / "mine.toml")


@pytest.mark.parametrize("value", ["9" * 6000, "[" * 5000, '5\nslug = "zz"'])
def test_overrides_that_are_no_values(value: str) -> None:
    with pytest.raises(RulesError, match=r"scoring\.base"):
        load("maima", {"scoring.base": value})


def test_overrides_read_toml_values() -> None:
    rules = load("maima", {"horses.count": "2", "tiles": "108", "win.forms": '["standard"]', "play.chi": "true"})
    assert (rules.horses.count, rules.tiles, rules.win.forms, rules.play.chi) == (2, "108", ("standard",), True)
    assert rules.source["horses.count"] == "override of maima.toml: was 1"


def test_files_that_are_no_rule_sets(tmp_path: Path) -> None:
    bad = tmp_path / "bad.toml"
    for content, message in (
        (b"slug = ", "not valid TOML"),
        (b"\xff\xfe", "not UTF-8"),
        (b"slug = 'x'\n", "is missing"),
    ):
        bad.write_bytes(content)
        with pytest.raises(RulesError, match=message):
            load(bad)
    with pytest.raises(RulesError, match="cannot be read"):
        load(tmp_path / "absent.toml")
    with pytest.raises(RulesError, match=r"unknown rule set 'nothing'; allowed: .*zhuama"):
        load("nothing")


@pytest.mark.parametrize("ending", ["", ".toml"])
def test_a_name_that_no_file_can_have_is_one_line(ending: str) -> None:
    with pytest.raises(RulesError, match=r"unknown rule set .xxx|cannot be read") as caught:
        load("x" * 1_000 + ending)
    assert "\n" not in str(caught.value)


def test_pattern_order_and_constants() -> None:
    assert patterns.PATTERNS[patterns.YINGHU].slug == "yinghu"
    assert patterns.PATTERNS[patterns.SEVEN_PAIRS].slug == "seven_pairs"
    assert len(patterns.INDEX) == patterns.N_PATTERNS <= 63
    for slug, implied in patterns.IMPLIES.items():
        assert slug in patterns.INDEX
        assert set(implied) <= set(patterns.INDEX)


def test_a_rule_set_prints_in_one_line() -> None:
    rules = load("maima")
    assert str(rules) == f"maima {rules.name.zh} {rules.name.en} ({rules.digest()})"
    assert repr({"a": rules}) == f"{{'a': <Rules {rules}>}}"
