from importlib import import_module

import matplotlib.ft2font
import pytest

from analysis import chart, headline, horse_wins, labels, overrides, own_horses
from sim import patterns
from sim import rules as rule_sets
from sim.schema import OUTCOMES
from tests import synthetic

# The package's own names are functions (`analysis.__all__`).
dealer_advantage, horse_expectation, win_rate = (
    import_module(f"analysis.{name}") for name in ("dealer_advantage", "horse_expectation", "win_rate")
)
CODES = [
    *win_rate.GROUPS,
    *win_rate.BOTS,
    *win_rate.MEASURES,
    *win_rate.SOURCES,
    *OUTCOMES,
    *dealer_advantage.GROUPS,
    *dealer_advantage.MEASURES,
    *dealer_advantage.SPLIT_PARTS,
    *dealer_advantage.TURN_MEASURES,
    *horse_wins.KINDS,
    *own_horses.MEASURES,
    *horse_expectation.QUANTITIES,
    *(f"origin.{origin}" for origin in horse_wins.ORIGINS),
    *(f"role.{role}" for role in horse_expectation.ROLES),
    *(pick.name for pick in headline.PICKS),
]


@pytest.mark.parametrize("code", sorted(set(CODES)))
def test_every_code_has_both_texts(code):
    label = labels.label(code)
    assert label.zh.strip()
    assert label.en.isascii()
    assert labels.text(code, "zh") == label.zh
    assert labels.text(code, "en") == label.en


def test_every_pattern_has_a_name_and_the_rule_sets_own_comes_first():
    rules = synthetic.load("zhuama")
    names = [labels.pattern_label(pattern.slug, rules) for pattern in patterns.PATTERNS]
    assert len({name.en for name in names}) == len(names)
    assert labels.pattern_label("qianggang", rules).zh == "抢杠"
    assert labels.pattern_label("qianggang", synthetic.load("maima")).zh == "抢杠胡"


def test_the_font_draws_every_label():
    known = matplotlib.ft2font.FT2Font(str(chart.FONT)).get_charmap()
    texts = [text for label in labels.LABELS.values() for text in label]
    texts += [pattern.zh for pattern in patterns.PATTERNS]
    assert not {char for text in texts for char in text if ord(char) not in known}


def test_unknown_codes_are_refused():
    with pytest.raises(KeyError):
        labels.label("no such code")


def test_one_thing_is_no_plural():
    assert [labels.counting(n, "hand") for n in (0, 1, 2, 1000)] == ["0 hands", "1 hand", "2 hands", "1,000 hands"]


def test_changed_fields_stand_in_a_rule_sets_name():
    changed = {"horses.count": 2, "win.must": True, "play.chi": True, "play.last_tiles_reserved": 4, "name.en": "Mine"}
    name = labels.rules_label(rule_sets.load("maima", changed))
    assert name.en == "Mine · play.chi=true, play.last_tiles_reserved=4, horses.count=2, +1"
    assert labels.rules_label(rule_sets.load("maima")).en == rule_sets.load("maima").name.en


def test_names_that_collide_get_their_keys():
    same, other = rule_sets.load("maima"), rule_sets.load("maima", {"horses.count": 2})
    names = labels.rules_labels({"a": same, "b": same, "c": other})
    assert [name.en for name in names.values()] == [
        f"{same.name.en} (a)",
        f"{same.name.en} (b)",
        f"{same.name.en} · horses.count=2",
    ]


@pytest.mark.parametrize("slug", rule_sets.names())
def test_a_rule_set_written_as_toml_is_read_back(slug, tmp_path):
    rules = rule_sets.load(slug, {"summary": '{zh = "一\\n二", en = "a\\u007f\\"b"}'})
    (tmp_path / "x.toml").write_text(overrides.document(rules), encoding="utf-8")
    assert rule_sets.load(tmp_path / "x.toml") == rules
