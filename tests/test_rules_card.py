"""What the page says of a rule set: its sentences, and pictures of the tiles that they name."""

from __future__ import annotations

import re

import pytest

from analysis.report import rules_card
from analysis.rule_words import sentences
from sim import rules as rule_sets
from sim import tiles


def drawn(picture):
    return [tiles.tile_name(int(kind)) for kind in re.findall("#tile-([0-9]+)", picture.tiles)]


def pictures(rules, heading):
    return {
        p.text.en: drawn(p) for topic in rules_card.topics(rules) if topic.heading.en == heading for p in topic.pictures
    }


@pytest.mark.parametrize("name", rule_sets.names())
def test_every_sentence_stands_there_once(name):
    rules = rule_sets.load(name)
    told = [(s.zh, s.en) for topic in rules_card.topics(rules) for s in topic.sentences]
    assert told == [(one.zh, one.en) for one in sentences(rules)]
    deck = set(tiles.TILE_SETS[rules.tiles])
    for topic in rules_card.topics(rules):
        for picture in topic.pictures:
            assert {tiles.KIND_OF[tile] for tile in drawn(picture)} <= deck


def test_ghosts_and_horses_are_shown():
    rules = rule_sets.load("maima")
    (turned,) = [topic for topic in rules_card.topics(rules) if topic.heading.en == "Tiles and ghosts"]
    assert [drawn(p) for p in turned.pictures] == [["5p", "6p"], ["9m", "1m"], ["N", "Z"], ["B", "E"]]
    horses = pictures(rules, "Horses")
    assert horses["the seat itself"] == ["1m", "5m", "9m", "1p", "5p", "9p", "1s", "5s", "9s", "E"]
    assert sum(map(len, horses.values())) == 34
    assert pictures(rule_sets.load("maima", {"ghost.mode": "fixed", "ghost.kinds": '["B"]'}), "Tiles and ghosts") == {
        "ghost": ["B"]
    }
    assert pictures(rule_sets.load("jipinghu"), "Horses") == {}


def test_patterns_are_those_that_some_rule_set_prices():
    names = [card.name.zh for card in rules_card.patterns([rule_sets.load("jipinghu"), rule_sets.load("maima")])]
    assert {"十三幺", "豪华七对"} <= set(names)
    assert len(set(names)) == len(names)
    assert rules_card.patterns([]) == []
