"""The example hands hold the patterns that they stand for, by the kernels that score."""

from __future__ import annotations

import pytest

from analysis.examples import EXAMPLES
from sim import patterns, score, tiles
from sim import rules as rule_sets

RULES = {name: rule_sets.load(name) for name in rule_sets.names()}


def scored(rules, example):
    melds = tuple(
        score.Meld("chi" if len(set(text)) == 4 else "peng", tuple(tiles.parse(text)), 0) for text in example.melds
    )
    win = tiles.KIND_OF[example.win]
    claim = score.Claim(1, tuple(tiles.parse(example.concealed)), win, melds, frozenset())
    source = "zimo" if "zimo" in rules.win.ways and example.melds != EXAMPLES["quanqiuren"].melds else "dianpao"
    from_seat = None if source == "zimo" else 0
    table = score.Table(source, from_seat, 0, 0, rule_ghosts(rules), None, 0, ())
    (result,), _ = score.score(rules, [claim], table)
    return result


def rule_ghosts(rules):
    return tuple(tiles.KIND_OF[name] for name in rules.ghost.kinds) if rules.ghost.mode == "fixed" else ()


@pytest.mark.parametrize("slug", EXAMPLES)
def test_an_example_counts_as_its_pattern(slug):
    example = EXAMPLES[slug]
    kinds = [kind for group in example.groups() for kind in group]
    assert len(kinds) == 14
    assert max(kinds.count(kind) for kind in kinds) <= 4
    counted = []
    for rules in RULES.values():
        if slug not in rules.patterns:
            continue
        try:
            result = scored(rules, example)
        except score.ScoreError:
            continue  # a tile that this rule set does not have, or a claim that it forbids
        if result.is_win:
            counted.append(bool(result.counted >> patterns.INDEX[slug] & 1))
    assert any(counted), slug


def test_every_pattern_of_the_tiles_has_an_example_but_four_ghosts():
    shapes = {pattern.slug for pattern in patterns.PATTERNS if pattern.scope in ("shape", "honours")}
    assert shapes - set(EXAMPLES) == {"four_ghosts"}
