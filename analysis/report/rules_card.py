"""What a rule set says: its sentences by topic, with pictures of the tiles that they name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from analysis import possible, tiles_svg
from analysis.examples import EXAMPLES
from analysis.labels import Label, pattern_label
from analysis.rule_words import TOPICS, sentences
from sim import tiles
from sim.flags import successor
from sim.rules import Rules

_SHOWN_INDICATORS = ("5p", "9m", "N", "B")  # a turned ghost is shown on these, where the deck has them


@dataclass(frozen=True)
class Picture:
    """Tiles and what they stand for."""

    text: Label
    tiles: Markup


@dataclass(frozen=True)
class Topic:
    """Sentences under one heading, then pictures."""

    heading: Label
    sentences: list[Label]
    pictures: list[Picture]


@dataclass(frozen=True)
class PatternCard:
    """A pattern, and a hand that has it."""

    name: Label
    hand: Markup


def topics(rules: Rules) -> list[Topic]:
    """Everything that a rule set says, apart from the prices of patterns."""
    pictures = {"tiles": _ghosts(rules), "horses": _horses(rules), "win": _barred(rules)}
    said = sentences(rules)
    made = []
    for key, heading in TOPICS.items():
        told = [Label(one.zh, one.en) for one in said if one.topic == key]
        if told:
            made.append(Topic(Label(*heading), told, pictures.get(key, [])))
    return made


def patterns(rule_sets: Iterable[Rules]) -> list[PatternCard]:
    """Every pattern that one of the rule sets prices and that can be shown; the name is the first rule set's."""
    found: dict[str, Label] = {}
    for rules in rule_sets:
        for slug in possible.priced_patterns(rules):
            found.setdefault(slug, pattern_label(slug, rules))
    return [
        PatternCard(found[slug], tiles_svg.hand(example.groups(), example.name()))
        for slug, example in EXAMPLES.items()
        if slug in found
    ]


def _picture(text: Label, groups: Sequence[Sequence[int]]) -> Picture:
    name = " ".join("".join(tiles.tile_name(kind) for kind in group) for group in groups)
    return Picture(text, tiles_svg.hand(groups, name))


def _ghosts(rules: Rules) -> list[Picture]:
    if rules.ghost.mode == "none":
        return []
    if rules.ghost.mode == "fixed":
        return [_picture(Label("鬼", "ghost"), [[tiles.KIND_OF[name] for name in rules.ghost.kinds]])]
    follower = successor(rules.ghost.honour_cycle)
    deck = tiles.TILE_SETS[rules.tiles]
    made = []
    for name in _SHOWN_INDICATORS:
        kind = tiles.KIND_OF[name]
        if kind in deck:
            ghosts = [int(follower[kind])]
            if rules.ghost.mode == "turned_two":
                ghosts.append(int(follower[ghosts[0]]))
            made.append(_picture(Label("翻出 → 鬼", "turned → ghost"), [[kind], ghosts]))
    return made


def _horses(rules: Rules) -> list[Picture]:
    if rules.horses.kind == "none" or rules.horses.hit == "number":
        return []
    seats = (Label("本家", "the seat itself"), Label("下家", "+1"), Label("对家", "+2"), Label("上家", "+3"))
    deck = tiles.TILE_SETS[rules.tiles]
    made = []
    for seat, names in zip(seats, rules.horses.map, strict=True):
        numbers = [name for name in names if name.isdigit()]
        groups = [[tiles.KIND_OF[n + suit] for n in numbers] for suit in tiles.SUITS]
        groups.append([tiles.KIND_OF[name] for name in names if not name.isdigit()])
        shown = [[kind for kind in group if kind in deck] for group in groups]
        made.append(_picture(seat, [group for group in shown if group]))
    return made


def _barred(rules: Rules) -> list[Picture]:
    if not rules.win.barred:
        return []
    return [_picture(Label("持有不能胡", "bars from winning"), [[tiles.KIND_OF[name] for name in rules.win.barred]])]
