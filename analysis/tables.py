"""All tables of a rule set's report, from one reading of its logs or of its sums."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import polars as pl

from analysis import own_horses, scan, swing
from analysis.dealer_advantage import deal_turn_of, dealer_advantage_of, first_draw_of, repeat_lengths_of
from analysis.fan_frequency import fan_frequency_of
from analysis.horse_distribution import horse_distribution_of
from analysis.horse_expectation import horse_expectation_of
from analysis.ready_turns import ready_turns_of
from analysis.scan import Run, RunError
from analysis.sums import QUESTIONS, WHAT_IF, Sums, asked, shown_horses, sums_of
from analysis.win_rate import bot_win_rate_of, mean_win_turn_of, outcomes_of, win_rate_of, win_turns_of
from sim.rules import Rules

Tables = dict[str, pl.DataFrame]
__all__ = ["WHAT_IF", "Tables", "shown_horses", "table", "tables"]

# Questions of tables that need other sums than those of their name.
_SUMS = {
    "horse_expectation": ("horses_exact", "horses_sampled"),
    "first_draw": ("first_draw", "dealer_advantage"),
}
# Tables that follow from the sums of the same name.
_ANSWERS: dict[str, Callable[[pl.LazyFrame], pl.LazyFrame]] = {
    "win_rate": win_rate_of,
    "outcomes": outcomes_of,
    "win_turns": win_turns_of,
    "mean_win_turn": mean_win_turn_of,
    "ready_turns": ready_turns_of,
    "fan_frequency": fan_frequency_of,
    "dealer_advantage": dealer_advantage_of,
    "own_horses": own_horses.own_horses_of,
    "win_points": swing.win_points_of,
    "points_sd": swing.points_sd_of,
    "repeat_lengths": repeat_lengths_of,
    "deal_turn": deal_turn_of,
    "bot_win_rate": bot_win_rate_of,
}


def _added_up(run: Run, questions: Sequence[str] | None = None) -> Sums:
    """Compute the sums of a run: tables read them many times, and as one plan each reading would compute them anew."""
    sums = sums_of(run, questions)
    return {name: frame.lazy() for name, frame in zip(sums, scan.collect(list(sums.values())), strict=True)}


def _answers(sums: Sums, rules: Rules) -> dict[str, pl.LazyFrame]:
    """Tables of sums."""
    frames = {name: answer(sums[name]) for name, answer in _ANSWERS.items() if name in sums}
    if "first_draw" in sums:
        frames["first_draw"] = first_draw_of(sums["first_draw"], sums["dealer_advantage"])
    if "horses_exact" in sums:
        frames["horse_expectation"] = horse_expectation_of(sums["horses_exact"], sums["horses_sampled"], rules)
    if "horse_distribution" in sums:
        n_horses = shown_horses(rules)[2]
        frames["horse_distribution"] = horse_distribution_of(sums["horse_distribution"], n_horses)
    return frames


def tables(run: Run) -> Tables:
    """Compute every table of a run.

    Returns
    -------
    Name -> frame; the names are those of the functions that make them.
    """
    frames = _answers(_added_up(scan.loaded(run)), run.rules)
    return dict(zip(frames, scan.collect(list(frames.values())), strict=True))


def table(run: Run, name: str) -> pl.DataFrame:
    """Compute one table.

    Raises
    ------
    RunError
        When a run of this mode and line-up has no such table.
    """
    questions = _SUMS.get(name, (name,))
    if not set(questions) <= set(asked(run.manifest["mode"], run.manifest["bots"])):
        needs = {"session": "a moving deal (session mode)", "bots": "different bots"}[QUESTIONS[questions[0]].needs]
        raise RunError(f"{run.path}: {name} needs a run with {needs}")
    read = scan.loaded(run) if name.startswith("horse") else run  # these read each row many times
    (frame,) = scan.collect([_answers(_added_up(read, questions), run.rules)[name]])
    return frame
