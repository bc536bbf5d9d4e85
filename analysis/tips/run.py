"""Plays what checks need and gives their rows: traces for all log checks of a rule set and bot, duels one by one."""

from __future__ import annotations

import math
import tempfile
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from analysis.labels import Label
from analysis.overrides import changes
from analysis.scan import N_SEATS
from analysis.tips.judge import judge
from analysis.tips.levels import SHARE
from analysis.tips.matched import Sums, against_level_of, joined, matched_of, sums_of
from analysis.tips.model import POINTS, Check, Found, Row, Tip
from analysis.tips.moves import Trace
from analysis.tips.play import SEED, Bar, Pilots, Tell, load_rules, play_duel, silent, trace, traced_hands, warm_up
from sim import engine
from sim.jit import CODE_HASH
from sim.rules import Rules

RULES = ("jipinghu", "maima", "zhuama")
BOTS = ("ukeire", "value")
_TRACE_SHARE = 0.35  # of the budget, where there are duels too
_LEAST_HANDS = 1_024
_NO_TIME = Label("时间已用完，未打", "not played: the time was used up")


@dataclass(frozen=True)
class Effort:
    """How much is played: seconds for everything, or hands of each trace and of each duel (of levels: a share)."""

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
            is_falsifier=check.falsifier(self.rules), is_level=check.is_level,
            tip_zh=self.tip.claim.zh, tip_en=self.tip.claim.en,
        )  # fmt: skip


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
    _compile(tasks, seed)
    start = time.monotonic()
    rows = {id(task): task.row() for task in tasks}
    units: dict[tuple[str, str], list[Task]] = {}
    duels: list[Task] = []
    levels: list[Task] = []
    for task in tasks:
        if task.why_not is not None:
            rows[id(task)].verdict = "not_applicable"
            rows[id(task)].note(task.why_not)
        elif task.check.method == "duel":
            (levels if task.check.is_level else duels).append(task)
        else:
            units.setdefault((task.place, task.bot), []).append(task)
    shares = _shares(effort, len(units), len(duels) + SHARE * len(levels))
    played: dict[str, int] = {}
    pilots, stopped = Pilots(seed), False
    try:
        for (place, bot), group in units.items():
            hands = effort.trace_hands
            if shares is not None:
                hands = traced_hands(group[0].rules, bot, shares[0], seed, threads)
            results = _logs(group, hands, seed, threads, bar)
            played[f"{place}, {bot}"] = hands
            for task, found in zip(group, results, strict=True):
                _fill(rows[id(task)], found)
        each = 0.0 if shares is None else shares[1]
        for group, later in ((duels, SHARE * each * len(levels)), (levels, 0.0)):  # first what verdicts rest on
            for n, task in enumerate(group):
                seconds, hands = None, effort.duel_hands
                if task.check.is_level:
                    hands = max(int(SHARE * hands), _LEAST_HANDS)
                if effort.seconds is not None:
                    left = effort.seconds - later - (time.monotonic() - start)
                    if left <= 0 and task.check.is_level:
                        rows[id(task)].note(_NO_TIME)
                        continue
                    seconds = max(left, 0.2 * each) / (len(group) - n)
                a, b = (text.format(bot=task.bot) for text in (task.check.a, task.check.b))
                found = play_duel(task.rules, a, b, hands, seconds, pilots=pilots, seed=seed, threads=threads, bar=bar)
                _fill(rows[id(task)], found)
    except KeyboardInterrupt:  # what is known by then is worth telling
        stopped = True
    found_rows = list(rows.values()) + [_untestable(tip) for tip in tips if tip.untestable]
    judge(found_rows)
    order = [tip.id for tip in tips]
    found_rows.sort(key=lambda row: order.index(row.id))
    facts = {
        "seed": seed, "interrupted": stopped, "budget_seconds": effort.seconds,
        "seconds": round(time.monotonic() - start),
        "threads": threads, "code_hash": CODE_HASH, "traced_hands": played,
        "duel_hands": {f"{_switch(t)} {t.place}, {t.bot}": rows[id(t)].hands for t in [*duels, *levels]},
        "family": sum(row.found is not None and not row.found.is_exact for row in found_rows),
        "rules": {task.place: task.rules.digest() for task in tasks},
        "versions": _versions(),
    }  # fmt: skip
    return found_rows, facts


def _switch(task: Task) -> str:
    return task.tip.id + (task.check.name if task.check.is_level else "")


def _compile(tasks: Sequence[Task], seed: int) -> None:
    """Let every bot play a few hands: what the compiler takes is no part of the budget."""
    known: set[tuple[str, bool]] = set()
    for task in tasks:
        key = (task.bot, task.check.method == "duel")
        if task.why_not is None and key not in known:
            known.add(key)
            warm_up(task.rules, task.bot, task.check.a.format(bot=task.bot) if key[1] else None, seed)


def _versions() -> dict[str, str]:
    """Versions of what played and counted."""
    facts: dict[str, str] = engine.Plan(load_rules(RULES[0]), 1, ("ukeire",) * N_SEATS).facts(0, 1)["versions"]
    return facts


def _shares(effort: Effort, n_units: int, n_duels: float) -> tuple[float, float] | None:
    """Seconds of each trace and each main duel (levels count by their weight); None where hands are given."""
    if effort.seconds is None:
        return None
    for_traces = effort.seconds * (0 if not n_units else 1 if not n_duels else _TRACE_SHARE)
    return for_traces / max(n_units, 1), (effort.seconds - for_traces) / max(n_duels, 1)


def _untestable(tip: Tip) -> Row:
    row = Row(tip.id, "", tip.claim.zh, tip.claim.en, "none", "", "", verdict="untestable")
    row.tip_zh, row.tip_en = tip.claim.zh, tip.claim.en
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


def _logs(group: Sequence[Task], hands: int, seed: int, threads: int, bar: Bar) -> list[Found]:
    """Results of all log checks of one rule set and bot, from one trace."""
    first = group[0]
    with tempfile.TemporaryDirectory(prefix="gdmj-tips-") as folder:
        with bar(f"trace {first.place} {first.bot}", hands) as tell:
            played = trace(first.rules, first.bot, hands, Path(folder) / "run", seed, threads, tell)
        whole = Trace.of(played, first.bot)
        with bar(f"read {first.place} {first.bot}", hands) as tell:
            return read(whole, [task.check for task in group], tell)


def read(whole: Trace, checks: Sequence[Check], tell: Tell = silent) -> list[Found]:
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
