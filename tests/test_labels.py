import matplotlib.ft2font
import pytest

from analysis import chart, dealer_advantage, headline, horse_expectation, horse_wins, labels, win_rate
from sim import patterns
from sim.schema import OUTCOMES
from tests import synthetic

CODES = [
    *win_rate.GROUPS,
    *win_rate.BOTS,
    *win_rate.MEASURES,
    *win_rate.SOURCES,
    *OUTCOMES,
    *dealer_advantage.GROUPS,
    *dealer_advantage.MEASURES,
    *dealer_advantage.SPLIT_PARTS,
    *horse_wins.KINDS,
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
