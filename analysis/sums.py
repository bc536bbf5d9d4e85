"""Which sums does a report need, and how do the sums of parts become those of the whole.

A report's tables all follow from additive sums: counts, sums, squares and cross products by cluster of tables (a few
thousand numbers a question, however many hands). A run at level ``hand`` computes them from its log, a run at level
``agg`` has kept nothing else; from there on both take the same way (`analysis.tables`). Rows of the same keys add up,
so pieces, shards and parts of a plan can be joined in any way. Counts are exact; sums of broken numbers agree to
rounding.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

import polars as pl

from analysis import own_horses, swing
from analysis.dealer_advantage import deal_turn_sums, dealer_advantage_sums, first_draw_sums, repeat_lengths_sums
from analysis.fan_frequency import fan_frequency_sums
from analysis.horse_distribution import horse_distribution_sums
from analysis.horse_expectation import horse_expectation_sums
from analysis.horse_wins import Kind, Origin, own_number
from analysis.ready_turns import ready_turns_sums
from analysis.scan import Logs, Run, RunError
from analysis.win_rate import bot_win_rate_sums, mean_win_turn_sums, outcomes_sums, win_rate_sums, win_turns_sums
from sim.rules import Rules
from sim.shards import UNREADABLE

Sums = dict[str, pl.LazyFrame]
# Rule sets without horses are shown with the commonest ones, the winner's draw of four counted from the dealer.
WHAT_IF: tuple[Kind, Origin, int] = ("drawn", "dealer", 4)
QUESTION = "question"  # column that tells rows apart where all sums share a file
_STRINGS = ("measure", "pattern", "quantity", "kind", "origin", "holder_role", "value")
_FLAGS = ("is_dealer",)


class Question(NamedTuple):
    """Sums of one table: the columns that say what a row is of, those that add up, and where they come from."""

    keys: tuple[str, ...]
    values: tuple[str, ...]
    add_up: Callable[[Logs, Rules], pl.LazyFrame]
    needs: str = ""  # session: a moving deal; bots: several


def shown_horses(rules: Rules) -> tuple[Kind, Origin, int]:
    """Kind, origin and number of horses that a report draws: the rule set's own, or `WHAT_IF`."""
    own = rules.horses
    if own.kind == "none":
        return WHAT_IF
    return own.kind, own.origin, own_number(rules)


_PLAIN = (("cluster", "measure"), ("y", "x"))
_HORSES = ("kind", "origin", "cluster", "holder_role", "is_dealer", "quantity")
QUESTIONS: dict[str, Question] = {
    "win_rate": Question(*_PLAIN, lambda logs, _: win_rate_sums(logs.hands)),
    "outcomes": Question(*_PLAIN, lambda logs, _: outcomes_sums(logs.hands)),
    "win_turns": Question(("cluster", "win_turn"), ("y",), lambda logs, _: win_turns_sums(logs.wins)),
    "mean_win_turn": Question(*_PLAIN, lambda logs, _: mean_win_turn_sums(logs.wins)),
    "ready_turns": Question(*_PLAIN, lambda logs, _: ready_turns_sums(logs.hands)),
    "fan_frequency": Question(
        ("cluster", "pattern"),
        ("n_hands", "n_wins", "all_points", "count", "points", "turns"),
        lambda logs, rules: fan_frequency_sums(logs.hands, logs.wins, rules),
    ),
    "dealer_advantage": Question(*_PLAIN, lambda logs, _: dealer_advantage_sums(logs.hands)),
    "first_draw": Question(
        ("group", "place", "turn", "drawn"),
        ("wins", "shared", "n_hands", "washed_out"),
        lambda logs, _: first_draw_sums(logs.hands, logs.wins),
    ),
    "horses_exact": Question(
        (*_HORSES, "most_horses"),
        ("x", "mean", "mean2", "variance", "correction", "naive"),
        lambda logs, rules: horse_expectation_sums(logs.pools, rules)[0],
    ),
    "horses_sampled": Question(
        (*_HORSES, "n_horses"),
        ("x", "y", "y2"),
        lambda logs, rules: horse_expectation_sums(logs.pools, rules)[1],
    ),
    "horse_distribution": Question(
        ("value", "cluster", "shares"),
        ("y",),
        lambda logs, rules: horse_distribution_sums(logs.pools, rules, *shown_horses(rules)),
    ),
    "own_horses": Question(*_PLAIN, lambda logs, rules: own_horses.own_horses_sums(logs.hands, rules)),
    "win_points": Question(*_PLAIN, lambda logs, rules: swing.win_points_sums(logs.hands, logs.wins, rules)),
    "points_sd": Question(*_PLAIN, lambda logs, _: swing.points_sd_sums(logs.hands)),
    "repeat_lengths": Question(
        ("cluster", "repeat"), ("y", "x"), lambda logs, _: repeat_lengths_sums(logs.hands), "session"
    ),
    "deal_turn": Question(
        ("group", "repeat"),
        ("n", "points", "n_followed"),
        lambda logs, _: deal_turn_sums(logs.hands),
        "session",
    ),
    "bot_win_rate": Question(*_PLAIN, lambda logs, _: bot_win_rate_sums(logs.hands), "bots"),
}


def _key(name: str) -> pl.DataType:
    if name in _STRINGS:
        return pl.String()
    return pl.Boolean() if name in _FLAGS else pl.Int64()


def schema(question: str) -> dict[str, pl.DataType]:
    """Columns of a question's sums: keys, then values."""
    asked = QUESTIONS[question]
    return {name: _key(name) for name in asked.keys} | {name: pl.Float64() for name in asked.values}


FILE_SCHEMA: dict[str, pl.DataType] = {QUESTION: pl.String()}
for _name in QUESTIONS:
    FILE_SCHEMA |= schema(_name)


def asked(mode: str, bots: Sequence[str]) -> list[str]:
    """Questions that a run of this mode and line-up answers."""
    has = {"": True, "session": mode == "session", "bots": len(set(bots)) > 1}
    return [name for name, question in QUESTIONS.items() if has[question.needs]]


def count(logs: Logs, rules: Rules, questions: Iterable[str]) -> Sums:
    """Compute the sums of a log."""
    return {
        name: QUESTIONS[name].add_up(logs, rules).select(pl.col(key).cast(kind) for key, kind in schema(name).items())
        for name in questions
    }


def as_file(parts: Sequence[Mapping[str, pl.DataFrame]]) -> pl.DataFrame:
    """Add up the sums of parts and put all questions into one frame (`FILE_SCHEMA`), sorted."""
    names = list(parts[0])
    frames = [
        _added(pl.concat([part[name].lazy() for part in parts]), name)
        .sort(QUESTIONS[name].keys)
        .select(pl.lit(name).alias(QUESTION), pl.all())
        for name in names
    ]
    empty = pl.LazyFrame(schema=FILE_SCHEMA)
    return pl.concat([empty, *frames], how="diagonal").collect()


def of_file(stored: pl.LazyFrame, questions: Iterable[str]) -> Sums:
    """Take the questions apart again and add up what several files have of each."""
    return {name: _added(stored.filter(pl.col(QUESTION) == name).select(*schema(name)), name) for name in questions}


def _added(rows: pl.LazyFrame, name: str) -> pl.LazyFrame:
    """Add up rows of the same keys; a value that is null in all of them stays null."""
    keys, values = QUESTIONS[name].keys, QUESTIONS[name].values
    total = (pl.when(pl.col(value).is_not_null().any()).then(pl.col(value).sum()).alias(value) for value in values)
    return rows.group_by(keys).agg(*total)


def sums_of(run: Run, questions: Sequence[str] | None = None) -> Sums:
    """Return the sums of a run, of all questions that it answers unless some are given.

    Raises
    ------
    RunError
        When the files of a run at level ``agg`` do not hold them.
    """
    wanted = asked(run.manifest["mode"], run.manifest["bots"]) if questions is None else questions
    if run.stored_sums is None:
        return count(Logs(run.hands, run.wins, run.pools), run.rules, wanted)
    try:
        found = run.stored_sums.collect_schema()
    except UNREADABLE:
        raise RunError(f"{run.path}: the sums cannot be read as Parquet") from None
    if wrong := [name for name, kind in FILE_SCHEMA.items() if found.get(name) != kind]:
        raise RunError(f"{run.path}: column {wrong[0]} of the sums is missing or of another type")
    return of_file(run.stored_sums, wanted)
