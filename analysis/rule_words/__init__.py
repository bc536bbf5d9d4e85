"""A rule set as a player would tell it: short sentences in Chinese and English, and what differs between two.

Pure functions. `sentences` and `prices` leave out what is off or cannot happen; `without_effect` names the fields that
change nothing with the others as they are. A base unit (底) is ``scoring.base`` points; a share (份) is what one loser
pays. Each section of a rule set's file has a module here; `facts` says what is possible, `values` tells single values.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from analysis.rule_labels import label
from analysis.rule_words import coins, dealer, ghost, horses, kong, liability, multiples, play, scoring, win
from analysis.rule_words.facts import Facts
from analysis.rule_words.text import Both, capital
from analysis.rule_words.values import price as price_words
from analysis.rule_words.values import value_words
from sim import patterns
from sim.rules import Rules

__all__ = [
    "TOPICS",
    "Difference",
    "Price",
    "Words",
    "differences",
    "flatten",
    "prices",
    "sentences",
    "value_words",
    "without_effect",
    "words",
]

TOPICS: dict[str, Both] = {
    "tiles": ("牌与鬼", "Tiles and ghosts"),
    "claims": ("吃碰杠", "Claims"),
    "win": ("胡牌", "Winning"),
    "worth": ("算分", "What a hand is worth"),
    "kongs": ("杠分", "Kongs"),
    "horses": ("马", "Horses"),
    "liability": ("包牌", "Liability"),
    "dealer": ("庄家", "Dealer and repeats"),
    "coins": ("游戏币", "Coins"),
}


class Words(NamedTuple):
    """One sentence under its topic."""

    topic: str
    zh: str
    en: str


class Price(NamedTuple):
    """One row of the table of patterns."""

    slug: str
    zh: str
    en: str
    worth_zh: str
    worth_en: str


class Difference(NamedTuple):
    """One field in which two rule sets differ, in words; ``effect`` is false where it changes nothing in either."""

    path: str
    label: Both
    first: Both
    second: Both
    effect: bool


_GROUPS = {"item": 0, "special": 0, "pattern": 0, "extra": 1, "floor": 2, "double": 3}  # of the table, in this order


def flatten(rules: Rules) -> dict[str, Any]:
    """Return dotted path -> value of every field that is a rule; a pattern's price is one value (a dict)."""
    flat: dict[str, Any] = {}
    for key, value in rules.to_dict().items():
        if key in ("slug", "name", "summary", "source"):
            continue
        if isinstance(value, dict):
            flat |= {f"{key}.{name}": item for name, item in value.items()}
        else:
            flat[key] = value
    return flat


def without_effect(rules: Rules) -> frozenset[str]:
    """Return the paths of the fields whose values change nothing with the other options as they are."""
    can = Facts(rules)
    sections = (ghost, win, scoring, multiples, liability, kong, horses, dealer)
    fields = {path for section in sections for path, is_idle in section.idle(rules, can) if is_idle}
    return frozenset(fields | {f"patterns.{p.slug}" for p in patterns.PATTERNS if not can.priced(p.slug)})


def _told(rules: Rules) -> Iterator[tuple[str, Iterator[Both]]]:
    """Yield topics, in the order of ``TOPICS``, with what sections say to them."""
    can = Facts(rules)
    yield "tiles", ghost.tell(rules, can)
    yield "tiles", play.tell_wall(rules)
    yield "claims", play.tell_claims(rules)
    yield "win", win.tell(rules, can)
    yield "worth", scoring.tell(rules, can)
    yield "worth", multiples.tell(rules, can)
    yield "worth", scoring.tell_losses(rules)
    yield "kongs", kong.tell(rules, can)
    yield "horses", horses.tell(rules, can)
    yield "liability", liability.tell(rules, can)
    yield "dealer", dealer.tell(rules, can)
    yield "coins", coins.tell(rules)


def sentences(rules: Rules) -> list[Words]:
    """Return what a rule set says, apart from the prices of patterns, in the order of ``TOPICS``."""
    return [Words(topic, zh, capital(en)) for topic, told in _told(rules) for zh, en in told]


def prices(rules: Rules) -> list[Price]:
    """Return the table of patterns that can be had: by role, the most valuable first."""
    can = Facts(rules)
    order = [pattern.slug for pattern in patterns.PATTERNS if can.priced(pattern.slug)]
    order.sort(key=lambda slug: (_GROUPS[rules.patterns[slug].role], -rules.patterns[slug].value))
    rows = []
    for slug in order:
        index, price = patterns.INDEX[slug], rules.patterns[slug]
        rows.append(
            Price(slug, rules.pattern_name(index), patterns.PATTERNS[index].en, *price_words(price.role, price.value))
        )
    return rows


def words(rules: Rules) -> list[Words]:
    """Return everything that a rule set says: its sentences, and one for each pattern under ``worth``."""
    told = [
        Words("worth", f"{row.zh}：{row.worth_zh}。", f"{capital(row.en)}: {row.worth_en}.") for row in prices(rules)
    ]
    found = sentences(rules)
    after = max(i for i, entry in enumerate(found) if entry.topic == "worth") + 1
    return [*found[:after], *told, *found[after:]]


def differences(first: Rules, second: Rules) -> list[Difference]:
    """Return each field in which two rule sets differ, in words."""
    a, b = flatten(first), flatten(second)
    idle = without_effect(first) & without_effect(second)
    if ghost.same_successors(first, second):
        idle |= {"ghost.honour_cycle"}
    paths = [*a, *(path for path in b if path not in a)]
    return [
        Difference(path, label(path), value_words(path, a.get(path)), value_words(path, b.get(path)), path not in idle)
        for path in paths
        if a.get(path) != b.get(path)
    ]
