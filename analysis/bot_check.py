"""Does a user bot break anything, by illegal moves, exceptions, or hands that it plays otherwise when they come again.

The conformance test for authors of bots. It seats the bot under every shipped rule set and under random options, four
of it and one among `random` bots, and plays every table twice, in another order.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from analysis.progress import hands_progress
from sim import rules as rule_sets
from sim.engine import Plan, Player
from sim.rules import Rules, RulesError
from sim.user_bots import BotError

N_RANDOM = 20  # rule sets with random options
_TABLE_HANDS = 4
_MOST_FAULTS = 10  # different ones
# What differs between two cases of one fault: where it happened, and what would have been allowed there.
_CASE = re.compile(r"\(seat[^)]*\)|table \d+| on \S+(?=,)|answered .*|; allowed: .*")
# Options that lead bots into questions which the shipped rule sets rarely ask; each is set or not, by chance.
_OPTIONS: tuple[dict[str, object], ...] = (
    {"play.chi": True},
    {"play.declare": "needed"},
    {"play.standing": 4},
    {"play.passed_peng": "same_tile"},
    {"win.ways": ["zimo", "dianpao", "qianggang"], "win.chicken_ways": ["zimo", "dianpao", "qianggang"]},
    {"win.must": True},
    {"win.passed": "all_tiles"},
    {"win.rob_kongs": ["added", "concealed", "direct"]},
    {"ghost.mode": "turned_two", "ghost.kinds": []},
    {"ghost.mode": "none", "ghost.kinds": [], "ghost.four": "nothing"},
    {"ghost.discard": "allowed"},
    {"ghost.kong": "allowed"},
    {"tiles": "144"},
)


@dataclass(frozen=True)
class Verdict:
    """What a check found: the bot's identity, faults (none for a bot that may be seated), hands and seconds played."""

    bot: str
    faults: tuple[str, ...]
    n_hands: int
    n_rules: int
    seconds: float

    @property
    def hands_per_second(self) -> float:
        """Speed on one core, four of the bot and one among others taken together."""
        return self.n_hands / self.seconds

    @property
    def is_sound(self) -> bool:
        """Whether nothing was found."""
        return not self.faults

    def __str__(self) -> str:
        shipped = len(rule_sets.names())
        kinds = f"{shipped} shipped and {self.n_rules - shipped} with random options"
        under = f"{self.n_rules} rule sets{f': {kinds}' if self.n_rules > shipped else ''}"
        head = f"{self.bot}: {self.n_hands:,} hands under {under}; {self.hands_per_second:,.0f} hands/s"
        found = [f"  {fault}" for fault in self.faults]
        return "\n".join([f"{head}; {'sound' if self.is_sound else 'faults:'}", *found])

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre>"


class _Fault(NamedTuple):
    """A fault: the first rule set under which it came, how it was told there, under how many it came."""

    slug: str
    text: str
    n_rules: int

    def __str__(self) -> str:
        more = f" (so under {self.n_rules} rule sets)" if self.n_rules > 1 else ""
        return f"{self.slug}: {self.text}{more}"


def check_bot(bot: str, *, hands: int = 200, seed: int = 1, is_quiet: bool = False) -> Verdict:
    """Play a bot under many rule sets.

    Parameters
    ----------
    bot
        What `sim.user_bots.resolve` gives.
    hands
        Of each rule set and line-up, rounded up to whole tables.

    Raises
    ------
    BotError
        When it cannot be compiled or is not here.
    """
    found = list(_rule_sets(seed))
    n_tables = max(-(-hands // _TABLE_HANDS), 2)
    faults: dict[str, _Fault] = {}
    line_ups = ((bot,) * 4, (bot, "random", "random", "random"))
    n_hands = 2 * _TABLE_HANDS * n_tables * len(line_ups) * len(found)
    with hands_progress(f"check of {bot}", n_hands, is_quiet) as progress:
        n_rules, played, seconds = 0, 0, 0.0
        for rules in found:
            n_rules += 1
            for line_up in line_ups:
                player = Player(Plan(rules, n_tables * _TABLE_HANDS, line_up, seed, "session", _TABLE_HANDS))
                start = time.perf_counter()
                fault = _fault(player, n_tables)
                seconds += time.perf_counter() - start
                played += 2 * n_tables * _TABLE_HANDS
                progress.advance(2 * n_tables * _TABLE_HANDS)
                if fault is not None:
                    kind = _CASE.sub("", fault)
                    first = faults.get(kind, _Fault(rules.slug, fault, 0))
                    faults[kind] = first._replace(n_rules=first.n_rules + 1)
                    break
            if len(faults) >= _MOST_FAULTS:
                break
    return Verdict(bot, tuple(map(str, faults.values())), played, n_rules, seconds)


def _rule_sets(seed: int) -> Iterator[Rules]:
    """Every shipped rule set, then some with random options; those that cannot be are drawn anew."""
    rng, names, n_made = np.random.default_rng(seed), rule_sets.names(), 0
    yield from (rule_sets.load(name) for name in names)
    while n_made < N_RANDOM:
        chosen = [option for option in _OPTIONS if rng.random() < 0.3]
        changes = {path: value for option in chosen for path, value in option.items()}
        name = names[int(rng.integers(len(names)))]
        try:
            made = rule_sets.load(name, {**changes, "slug": f"{name}-{n_made + 1}"})
        except RulesError:
            continue
        n_made += 1
        yield made


def _fault(player: Player, n_tables: int) -> str | None:
    """Play tables forwards and backwards; say what went wrong first."""
    try:
        forwards = [_rows(player, table) for table in range(n_tables)]
        backwards = [_rows(player, table) for table in reversed(range(n_tables))][::-1]
    except BotError as error:
        return str(error)
    for table, (first, second) in enumerate(zip(forwards, backwards, strict=True)):
        if not np.array_equal(first, second):
            return (
                f"table {table} was played otherwise the second time: a bot must not remember other hands, and draws"
                " random numbers with view.random alone"
            )
    return None


def _rows(player: Player, table: int) -> NDArray[np.int64]:
    return player.rows(table, 1, _TABLE_HANDS).rows
