"""Plays what checks need and gives their rows: traces for all log checks of a rule set and bot, duels one by one."""

from __future__ import annotations

import math
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

import polars as pl

from analysis.duel.run import FEW_EVENTS, duel, seatings
from analysis.labels import Label
from analysis.luck import PILOT_HANDS
from analysis.overrides import changes
from analysis.scan import N_SEATS, Run, open_run
from analysis.tips.judge import judge
from analysis.tips.matched import Sums, against_level_of, joined, matched_of, sums_of
from analysis.tips.model import POINTS, WINS_EACH, WINS_IN_100, Check, Found, Row, Tip
from analysis.tips.moves import Trace
from sim import engine
from sim import rules as rule_sets
from sim.jit import CODE_HASH
from sim.logs import HandLog
from sim.rules import Rules
from sim.trials import Trial, TrialPlayer

RULES = ("jipinghu", "maima", "zhuama")
BOTS = ("ukeire", "value")
SEED = 2026
_TRACE_SHARE = 0.35  # of the budget, where there are duels too
_ANALYSIS_SECONDS = 8e-4  # a traced hand, all checks
_PILOT_HANDS, _TIMED_HANDS = 1_024, 128
_LEAST_HANDS, _MOST_TRACED = 1_024, 400_000
_LUCK_PAYS = 6 * PILOT_HANDS  # hands of a duel from which the luck's table is worth its pilot
_CHUNK = 4  # tables that a thread plays at a time


class Tell(Protocol):
    """Takes hands done since the last call and a word on how it stands."""

    def __call__(self, hands: int, note: str) -> None:
        """Tell."""


Bar = Callable[[str, int], AbstractContextManager[Tell]]


@dataclass(frozen=True)
class Effort:
    """How much is played: seconds for everything, or hands of each trace and of each duel."""

    seconds: float | None = None
    trace_hands: int = 100_000
    duel_hands: int = 200_000


@dataclass(frozen=True)
class Task:
    """One check in one rule set with one bot; ``why_not`` where the rule set cannot show it."""

    tip: Tip
    check: Check
    rules: Rules
    bot: str
    why_not: Label | None = None

    @property
    def place(self) -> str:
        """Rule set with what was changed in it."""
        changed = changes(self.rules)
        return f"{self.rules.slug} {changed}" if changed else self.rules.slug

    def row(self) -> Row:
        """Row without a result."""
        check = self.check
        return Row(
            self.tip.id, check.name, check.claim.zh, check.claim.en, check.method, self.place, self.bot,
            unit=POINTS if check.method == "duel" else check.unit, direction=check.direction,
            smallest=math.nan if check.smallest is None else check.smallest,
            matched_on_zh=check.matched_on.zh, matched_on_en=check.matched_on.en,
            is_falsifier=check.falsifier(self.rules),
        )  # fmt: skip


def load_rules(spec: str, overrides: Iterable[tuple[str, str]] = ()) -> Rules:
    """Read ``VARIANT`` or ``VARIANT:path=value;path=value``."""
    name, _, fields = spec.partition(":")
    own = dict(field.split("=", 1) for field in fields.split(";") if field)
    return rule_sets.load(name, {**own, **dict(overrides)})


def plan(
    tips: Sequence[Tip], rules: Sequence[str] | None, bots: Sequence[str], overrides: Iterable[tuple[str, str]] = ()
) -> list[Task]:
    """List what to try; ``rules`` None: the default ones, or those that a check names for itself."""
    changed = tuple(overrides)
    loaded: dict[str, Rules] = {}
    tasks = []
    for tip in tips:
        for check in tip.checks:
            for spec in rules or check.rules or dict.fromkeys((*RULES, *check.also)):
                if spec not in loaded:
                    loaded[spec] = load_rules(spec, changed)
                why_not = check.needs(loaded[spec])
                for bot in ("",) if why_not else check.bots or bots:
                    tasks.append(Task(tip, check, loaded[spec], bot, why_not))
    return tasks


def run(
    tips: Sequence[Tip], tasks: Sequence[Task], effort: Effort, *, seed: int = SEED, threads: int = 1, bar: Bar
) -> tuple[list[Row], dict[str, Any]]:
    """Try everything; returns the rows, judged, in the order of the tips, and the provenance."""
    start = time.monotonic()
    rows = {id(task): task.row() for task in tasks}
    units: dict[tuple[str, str], list[Task]] = {}
    duels = []
    for task in tasks:
        if task.why_not is not None:
            rows[id(task)].verdict = "not_applicable"
            rows[id(task)].note(task.why_not)
        elif task.check.method == "duel":
            duels.append(task)
        else:
            units.setdefault((task.place, task.bot), []).append(task)
    shares = _shares(effort, len(units), len(duels))
    played: dict[str, int] = {}
    for (place, bot), group in units.items():
        hands = effort.trace_hands if shares is None else _traced_hands(group[0], shares[0], seed, threads)
        played[f"{place}, {bot}"] = hands
        for task, found in zip(group, _logs(group, hands, seed, threads, bar), strict=True):
            _fill(rows[id(task)], found)
    for n, task in enumerate(duels):
        if shares is None:
            seconds = None
        else:
            assert effort.seconds is not None
            left = effort.seconds - (time.monotonic() - start)
            seconds = max(left, 0.2 * shares[1]) / (len(duels) - n)
        _fill(rows[id(task)], play_duel(task, effort.duel_hands, seconds, seed, threads, bar))
    found_rows = list(rows.values()) + [_untestable(tip) for tip in tips if tip.untestable]
    judge(found_rows)
    order = [tip.id for tip in tips]
    found_rows.sort(key=lambda row: order.index(row.id))
    facts = {
        "seed": seed, "budget_seconds": effort.seconds, "seconds": round(time.monotonic() - start),
        "threads": threads, "code_hash": CODE_HASH, "traced_hands": played,
        "duel_hands": {f"{t.tip.id} {t.place}, {t.bot}": rows[id(t)].hands for t in duels},
        "family": sum(row.found is not None and not row.found.is_exact for row in found_rows),
        "rules": {task.place: task.rules.digest() for task in tasks},
    }  # fmt: skip
    return found_rows, facts


def _shares(effort: Effort, n_units: int, n_duels: int) -> tuple[float, float] | None:
    """Seconds of each trace and each duel; None where hands are given."""
    if effort.seconds is None:
        return None
    for_traces = effort.seconds * (0 if not n_units else 1 if not n_duels else _TRACE_SHARE)
    return for_traces / max(n_units, 1), (effort.seconds - for_traces) / max(n_duels, 1)


def _untestable(tip: Tip) -> Row:
    row = Row(tip.id, "", tip.claim.zh, tip.claim.en, "none", "", "", verdict="untestable")
    assert tip.untestable is not None
    row.note(tip.untestable)
    return row


def _fill(row: Row, found: Found) -> None:
    """Write a result into its row, shares in percentage points."""
    by = 100.0 if row.unit == "pp" else 1.0
    row.found = found
    row.effect, row.p, row.n, row.hands = found.effect * by, found.p, found.n, found.hands
    row.case_mean, row.base_mean = found.case_mean, found.base_mean
    row.dropped, row.changed = found.dropped, found.changed
    if found.smallest is not None:
        row.smallest = found.smallest
    row.note(found.note)


def trace(
    rules: Rules, bot: str, hands: int, folder: Path, seed: int, threads: int, tell: Tell, per_table: int = 64
) -> Run:
    """Play traced hands of four equal bots."""
    engine.simulate(
        engine.Plan(rules, hands, (bot,) * N_SEATS, seed, "session", per_table),
        folder,
        threads=threads,
        chunk=max(_CHUNK * 64 // per_table, 1),
        sink=HandLog(None, "trace"),
        progress=lambda done: tell(done, ""),
    )
    return open_run(folder)[0]


def _silent(hands: int, note: str) -> None:
    pass


@contextmanager
def quiet(label: str, hands: int) -> Iterator[Tell]:
    """Show no progress."""
    yield _silent


def traced(variant: str, bot: str, hands: int, seed: int = SEED, threads: int = 1) -> Trace:
    """Traced hands in memory, for a closer look; a piece at a time is `Trace.pieces`."""
    with tempfile.TemporaryDirectory(prefix="gdmj-tips-") as folder:
        played = trace(load_rules(variant), bot, hands, Path(folder), seed, threads, _silent)
        whole = Trace.of(played, bot)
        frames = pl.collect_all([whole.events, whole.hands, whole.wins, whole.pools])
    events, all_hands, wins, pools = (frame.lazy() for frame in frames)
    return replace(whole, events=events, hands=all_hands, wins=wins, pools=pools)


def _traced_hands(task: Task, seconds: float, seed: int, threads: int) -> int:
    """Hands that fit into a trace's seconds."""
    with tempfile.TemporaryDirectory(prefix="gdmj-tips-") as folder:
        start = time.perf_counter()
        trace(task.rules, task.bot, _TIMED_HANDS, Path(folder) / "first", seed, 1, _silent)  # compiles
        start = time.perf_counter()
        trace(task.rules, task.bot, _TIMED_HANDS, Path(folder) / "timed", seed, 1, _silent)
        each = (time.perf_counter() - start) / _TIMED_HANDS
    hands = int(seconds / (each / threads + _ANALYSIS_SECONDS))
    return min(max(hands, _LEAST_HANDS), _MOST_TRACED)


def _logs(group: Sequence[Task], hands: int, seed: int, threads: int, bar: Bar) -> list[Found]:
    """Results of all log checks of one rule set and bot, from one trace."""
    first = group[0]
    with tempfile.TemporaryDirectory(prefix="gdmj-tips-") as folder:
        with bar(f"trace {first.place} {first.bot}", hands) as tell:
            played = trace(first.rules, first.bot, hands, Path(folder) / "run", seed, threads, tell)
        whole = Trace.of(played, first.bot)
        with bar(f"read {first.place} {first.bot}", hands) as tell:
            return read(whole, [task.check for task in group], tell)


def read(whole: Trace, checks: Sequence[Check], tell: Tell = _silent) -> list[Found]:
    """Results of checks on a trace, piece by piece."""
    parts: dict[int, list[Sums]] = {i: [] for i, check in enumerate(checks) if check.sample}
    for piece in whole.pieces() if parts else ():
        for i, found in parts.items():
            sample = checks[i].sample
            assert sample is not None
            found.append(sums_of(sample(piece), checks[i].match))
        tell(piece.n_hands, "")
    results = []
    for i, check in enumerate(checks):
        if check.find is not None:
            results.append(check.find(whole))
        else:
            sums = joined(parts.pop(i))
            of_level = check.method == "level"
            results.append(
                against_level_of(sums, check.level, whole.n_hands)
                if of_level
                else matched_of(sums, check.match, whole.n_hands)
            )
    return results


@dataclass(frozen=True)
class Pilot:
    """What a short play of both policies tells before a duel."""

    changed: float  # share of hands in which a seat's policy changes a move
    n_changed: int  # hands in which some seat's does
    hands: int
    worth: float  # points that an average win moves, kongs and horses apart


def pilot(rules: Rules, a: str, b: str, seed: int, hands: int = _PILOT_HANDS) -> Pilot:
    """Play the same hands with four of each policy and count those whose moves differ."""
    with tempfile.TemporaryDirectory(prefix="gdmj-tips-") as folder:
        runs = [
            trace(rules, bot, hands, Path(folder) / f"{i}", seed, 1, _silent, per_table=1)
            for i, bot in enumerate((a, b))
        ]
        moves = [
            run_.events.select("table", "step", "move", "seat", "kind")
            .group_by("table")
            .agg(pl.struct("step", "move", "seat", "kind").sort_by("step").implode().hash(0).first().alias("moves"))
            .collect()
            for run_ in runs
        ]
        n_changed = moves[0].join(moves[1], on="table", how="inner", suffix="_b").filter(
            pl.col("moves") != pl.col("moves_b")
        ).height  # fmt: skip
        won = runs[1].hands.select(
            moved=pl.sum_horizontal(pl.col(f"hand_{s}").cast(pl.Int64).clip(0) for s in range(N_SEATS))
        ).filter(pl.col("moved") > 0).collect()  # fmt: skip
    some = (n_changed + 0.5) / (hands + 1)
    worth = float(won["moved"].mean() or math.nan)  # type: ignore[arg-type]
    return Pilot(1 - (1 - some) ** (1 / N_SEATS), n_changed, hands, worth)


def smallest_of_interest(found: Pilot) -> float:
    """Least effect of interest of a policy, points in 100 hands (`analysis.tips.model`)."""
    return found.worth * min(WINS_IN_100, 100 * WINS_EACH * found.changed)


def play_duel(task: Task, hands: int, seconds: float | None, seed: int, threads: int, bar: Bar) -> Found:
    """Play one duel, for its hands or its seconds."""
    start = time.perf_counter()
    a, b = (text.format(bot=task.bot) for text in (task.check.a, task.check.b))
    before = pilot(task.rules, a, b, seed)
    if seconds is not None:
        hands = _duel_hands(task.rules, a, b, seconds - (time.perf_counter() - start), seed, threads)
    with bar(f"{task.tip.id} {task.place} {a} - {b}", hands) as tell:
        result = duel(
            a, b, task.rules, hands=hands, seed=seed, threads=threads, adjust_luck=hands >= _LUCK_PAYS, progress=tell
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
    player.play(0, 2)
    start = time.perf_counter()
    player.play(2, _TIMED_HANDS)
    each = (time.perf_counter() - start) / (2 * _TIMED_HANDS)
    return max(int(max(seconds, 0.1) * threads / each), _LEAST_HANDS)
