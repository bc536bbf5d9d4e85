"""What an entry of the table is, and the hands of its two sides."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np

from sim.engine import Plan, Player, Rows
from sim.rules import Rules, load
from sim.schema import H
from tests.hands_played import MAX_MOVES, Hand, named

Law = Callable[[Hand, Hand, Rules, Rules], bool]
MONEY = ("points_", "hand_", "horse_", "n_horse_hits")  # what follows from a winner's share
SHARE = ("points", "fan", "patterns")
HORSES = ("points_", "horse_", "n_horse", "horse_tiles")
KONG = ("points_", "kong_")
ALL_WAYS = ["zimo", "dianpao", "qianggang"]
TWO_GHOSTS = {"ghost.mode": "turned_two"}
LEAST = 5  # hands that must differ, so that no test passes on nothing
SEED = 5


@dataclass(frozen=True)
class Entry:
    """One field, two of its values and what differs between them."""

    path: str
    low: Any
    high: Any
    law: Law
    preset: str = "jipinghu"
    common: dict[str, Any] = field(default_factory=dict)  # overrides of both sides
    also: dict[str, Any] = field(default_factory=dict)  # overrides that must go with the second value
    bot: str = "ukeire"
    n_tables: int = 400
    n_hands: int = 4

    @property
    def rules(self) -> tuple[Rules, Rules]:
        """The rule sets of both values."""
        high = self.common | self.also | {self.path: self.high}
        return load(self.preset, self.common | {self.path: self.low}), load(self.preset, high)


@dataclass(frozen=True)
class Money(Entry):
    """A field that changes nothing but these columns (by their beginnings) of hands and of winners."""

    columns: tuple[str, ...] = MONEY
    win_columns: tuple[str, ...] = ()


@dataclass(frozen=True)
class Play(Entry):
    """A field of play; each table plays its first hand, so that both sides meet the same walls and dealers."""

    always: Callable[[Hand, Rules], None] = lambda hand, rules: None  # what holds in each hand of the second value
    seen: Callable[[Hand, Rules], bool] = lambda hand, rules: True  # what hands of the second value must show
    n_tables: int = 1_500
    n_hands: int = 1


@dataclass(frozen=True)
class Session(Entry):
    """A field of the table: it says who deals the next hand."""

    n_tables: int = 150


# Playing


@lru_cache(maxsize=512)
def _play(rules_json: str, bot: str, n_tables: int, n_hands: int) -> tuple[Player, Rows]:
    rules = Rules.model_validate_json(rules_json)
    player = Player(Plan(rules, n_tables * n_hands, (bot,) * 4, SEED, "session", n_hands))
    return player, player.rows(0, n_tables, n_hands)


def play(entry: Entry, rules: Rules) -> tuple[Player, Rows]:
    """The entry's hands under one of its rule sets."""
    return _play(json.dumps(rules.to_dict()), entry.bot, entry.n_tables, entry.n_hands)


def hand_of(entry: Entry, player: Player, rows: Rows, i: int) -> Hand:
    """Hand ``i`` of the entry with its moves; its row also has the table's first dealer, ``chair``."""
    table, n = divmod(i, entry.n_hands)
    trace = player.rows(table, 1, n + 1, np.zeros((MAX_MOVES, 4), np.int64)).trace
    hand = named(rows, i, [(a, b, c, d) for a, b, c, d in trace.tolist()])
    hand.row["chair"] = int(rows.rows[table * entry.n_hands, H["dealer"]])
    return hand


def pairs(entry: Entry, n_different: int = 60, n_equal: int = 15) -> Iterator[tuple[bool, Hand, Hand]]:
    """Hands under both values: some that differ, some that do not, with all their moves."""
    sides = [play(entry, rules) for rules in entry.rules]
    (_, a), (_, b) = sides
    same = (a.rows == b.rows).all(1) & (a.wins == b.wins).all((1, 2)) & (a.n_wins == b.n_wins)
    for is_same, n in ((False, n_different), (True, n_equal)):
        for i in np.flatnonzero(same == is_same)[:n]:
            one, other = (hand_of(entry, player, rows, int(i)) for player, rows in sides)
            yield is_same, one, other
