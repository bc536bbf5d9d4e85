"""Plays for tips: traced hands, and two policies on common walls with what is needed to judge their difference."""

from __future__ import annotations

import math
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

import polars as pl

from analysis.duel.run import FEW_EVENTS, duel, seatings
from analysis.labels import Label
from analysis.luck import PILOT_HANDS
from analysis.scan import N_SEATS, Run, open_run
from analysis.tips.model import WINS_EACH, WINS_IN_100, Found
from analysis.tips.moves import Trace
from sim import engine
from sim import rules as rule_sets
from sim.logs import HandLog
from sim.rules import Rules
from sim.trials import Trial, TrialPlayer

SEED = 1
_ANALYSIS_SECONDS = 8e-4  # a traced hand, all checks
_PILOT_HANDS, _TIMED_HANDS = 1_024, 128
_LEAST_HANDS, _MOST_TRACED = 1_024, 400_000
_LUCK_PAYS = 6 * PILOT_HANDS  # hands of a duel from which the luck's table is worth its pilot
_CHUNK_HANDS = 256  # that a thread plays at a time


class Tell(Protocol):
    """Takes hands done since the last call and a word on how it stands."""

    def __call__(self, hands: int, note: str) -> None:
        """Tell."""


Bar = Callable[[str, int], AbstractContextManager[Tell]]


def load_rules(spec: str, overrides: Iterable[tuple[str, str]] = ()) -> Rules:
    """Read ``VARIANT`` or ``VARIANT:path=value;path=value``."""
    name, _, fields = spec.partition(":")
    own = dict(field.split("=", 1) for field in fields.split(";") if field)
    return rule_sets.load(name, {**own, **dict(overrides)})


def trace(
    rules: Rules, bot: str, hands: int, folder: Path, seed: int, threads: int, tell: Tell, per_table: int = 64
) -> Run:
    """Play traced hands of four equal bots."""
    engine.simulate(
        engine.Plan(rules, hands, (bot,) * N_SEATS, seed, "session", per_table),
        folder,
        threads=threads,
        chunk=_CHUNK_HANDS // per_table,
        sink=HandLog(None, "trace"),
        progress=lambda done: tell(done, ""),
    )
    return open_run(folder)[0]


def silent(hands: int, note: str) -> None:
    """Tell nobody."""


@contextmanager
def quiet(label: str, hands: int) -> Iterator[Tell]:
    """Show no progress."""
    yield silent


def traced(variant: str, bot: str, hands: int, seed: int = SEED, threads: int = 1) -> Trace:
    """Traced hands in memory, for a closer look; a piece at a time is `Trace.pieces`."""
    with tempfile.TemporaryDirectory(prefix="gdmj-tips-") as folder:
        played = trace(load_rules(variant), bot, hands, Path(folder), seed, threads, silent)
        whole = Trace.of(played, bot)
        frames = pl.collect_all([whole.events, whole.hands, whole.wins, whole.pools])
    events, all_hands, wins, pools = (frame.lazy() for frame in frames)
    return replace(whole, events=events, hands=all_hands, wins=wins, pools=pools)


def warm_up(rules: Rules, bot: str, other: str | None, seed: int) -> None:
    """Play a few hands, traced, or with ``other`` a duel's."""
    with tempfile.TemporaryDirectory(prefix="gdmj-tips-") as folder:
        trace(rules, other or bot, 4, Path(folder), seed, 1, silent)
    if other:
        TrialPlayer(Trial((rules,), seatings(other, bot), seed), with_luck=True).play(0, 2)


def traced_hands(rules: Rules, bot: str, seconds: float, seed: int, threads: int) -> int:
    """Hands that fit into a trace's seconds."""
    with tempfile.TemporaryDirectory(prefix="gdmj-tips-") as folder:
        start = time.perf_counter()
        trace(rules, bot, _TIMED_HANDS, Path(folder) / "timed", seed, 1, silent)
        each = (time.perf_counter() - start) / _TIMED_HANDS
    hands = int(seconds / (each / threads + _ANALYSIS_SECONDS))
    return min(max(hands, _LEAST_HANDS), _MOST_TRACED)


@dataclass(frozen=True)
class Pilot:
    """What a short play of both policies tells before a duel."""

    changed: float  # share of hands in which a seat's policy changes a move
    n_changed: int  # hands in which some seat's does
    hands: int
    worth: float  # points that an average win moves, kongs and horses apart


class Pilots:
    """Short plays of four equal bots each, every one played once, and what two of them tell of a difference."""

    def __init__(self, seed: int, hands: int = _PILOT_HANDS) -> None:
        self._seed, self._hands = seed, hands
        self._played: dict[tuple[str, str], tuple[pl.DataFrame, float]] = {}

    def compare(self, rules: Rules, a: str, b: str) -> Pilot:
        """Count the hands whose moves differ between four of each policy."""
        (first, _), (second, worth) = self._play(rules, a), self._play(rules, b)
        both = first.join(second, on="table", suffix="_b")
        n_changed = both.filter(pl.col("moves") != pl.col("moves_b")).height
        some = (n_changed + 0.5) / (self._hands + 1)
        return Pilot(1 - (1 - some) ** (1 / N_SEATS), n_changed, self._hands, worth)

    def _play(self, rules: Rules, bot: str) -> tuple[pl.DataFrame, float]:
        """Return ``table, moves`` (a hash of all moves of its only hand) and the points that an average win moves."""
        key = (rules.digest(), bot)
        if key not in self._played:
            with tempfile.TemporaryDirectory(prefix="gdmj-tips-") as folder:
                run = trace(rules, bot, self._hands, Path(folder), self._seed, 1, silent, per_table=1)
                move = pl.struct("step", "move", "seat", "kind")
                moves = run.events.group_by("table").agg(moves=move.sort_by("step").implode().hash(0).first()).collect()
                won = [pl.col(f"hand_{s}").cast(pl.Int64).clip(0) for s in range(N_SEATS)]
                moved = run.hands.select(moved=pl.sum_horizontal(won)).collect()["moved"].to_numpy()
            self._played[key] = moves, float(moved[moved > 0].mean()) if (moved > 0).any() else math.nan
        return self._played[key]


def smallest_of_interest(found: Pilot) -> float:
    """Least effect of interest of a policy, points in 100 hands (`analysis.tips.model`)."""
    return found.worth * min(WINS_IN_100, 100 * WINS_EACH * found.changed)


def play_duel(
    rules: Rules,
    a: str,
    b: str,
    hands: int,
    seconds: float | None,
    *,
    pilots: Pilots,
    seed: int,
    threads: int,
    bar: Bar,
) -> Found:
    """Play one duel, for its hands or its seconds."""
    start = time.perf_counter()
    before = pilots.compare(rules, a, b)
    if seconds is not None:
        hands = _duel_hands(rules, a, b, seconds - (time.perf_counter() - start), seed, threads)
    with bar(f"{rules.slug} {a} - {b}", hands) as tell:
        result = duel(
            a, b, rules, hands=hands, seed=seed, threads=threads, adjust_luck=hands >= _LUCK_PAYS, progress=tell
        )
    se = 100 * result.sd / math.sqrt(result.blocks)
    enough = result.differing_blocks > FEW_EVENTS
    chance = before.n_changed / before.hands
    note = Label(
        f"四家都照做时{chance:.1%}的牌局有不同的打法；{result.differing_blocks:,}/{result.blocks:,}面墙结果不同",
        f"moves differ in {chance:.1%} of hands where all four obey;"
        f" {result.differing_blocks:,} of {result.blocks:,} walls told the two apart",
    )
    return Found(
        100 * result.mean if enough else math.nan, se, result.blocks - 1, result.hands, result.hands,
        result.p if enough else math.nan, changed=before.changed, smallest=smallest_of_interest(before), note=note,
    )  # fmt: skip


def _duel_hands(rules: Rules, a: str, b: str, seconds: float, seed: int, threads: int) -> int:
    """Hands of a duel that fit into some seconds."""
    player = TrialPlayer(Trial((rules,), seatings(a, b), seed))
    start = time.perf_counter()
    player.play(0, _TIMED_HANDS)
    each = (time.perf_counter() - start) / (2 * _TIMED_HANDS)
    return max(int(max(seconds, 0.1) * threads / each), _LEAST_HANDS)
