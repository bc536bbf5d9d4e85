"""Charts for notebooks: those of the report, in one language."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import polars as pl
from matplotlib.figure import Figure

from analysis import chart, checks, figures
from analysis.compare.run import Comparison
from analysis.extra_figures import Sessions, effect_chart, session_chart
from analysis.labels import LANGUAGES, Label, Language, label, rules_labels
from analysis.scan import Run, RunError
from analysis.session_risk import SessionRisk
from analysis.tables import shown_horses, table

_Draw = Callable[[Run, pl.DataFrame, Language], Figure]


class Chart(NamedTuple):
    """A chart, drawn in a notebook; ``figure`` is matplotlib's."""

    figure: Figure
    name: str

    def __repr__(self) -> str:
        return f"<Chart {self.name}>"

    def _repr_svg_(self) -> str:
        return chart.to_svg(self.figure)

    def save(self, path: str | Path) -> Path:
        """Write it as a picture; the suffix says which kind.

        Raises
        ------
        analysis.scan.RunError
            When it cannot be written.
        """
        try:
            with chart.style():
                self.figure.savefig(path, dpi=150, facecolor="white")
        except (OSError, ValueError) as error:
            raise RunError(f"{path}: cannot be written ({error})") from None
        return Path(path)


def _mean(run: Run, frame: pl.DataFrame, language: Language) -> Figure:
    kind, origin, _ = shown_horses(run.rules)
    return figures.horse_mean_chart(frame, kind, origin, run.rules.horses.count, language)


def _spread(run: Run, frame: pl.DataFrame, language: Language) -> Figure:
    kind, _, n_horses = shown_horses(run.rules)
    return figures.horse_distribution_chart(frame, kind, n_horses, language)


def _ready(run: Run, frame: pl.DataFrame, language: Language) -> Figure:
    return figures.ready_chart(frame, table(run, "win_turns"), language)


_CHARTS: dict[str, _Draw] = {
    "win_rate": lambda _, frame, language: figures.win_rate_chart(frame, language),
    "win_turns": lambda _, frame, language: figures.turn_chart(frame, language),
    "ready_turns": _ready,
    "fan_frequency": lambda run, frame, language: figures.fan_chart(frame, run.rules, language),
    "dealer_advantage": lambda _, frame, language: figures.dealer_chart(frame, language),
    "repeat_lengths": lambda _, frame, language: figures.repeat_chart(frame, language),
    "horse_expectation": _mean,
    "horse_distribution": _spread,
}


def plot(
    thing: Run | Comparison | SessionRisk | Sequence[Run] | Sequence[SessionRisk],
    what: str = "outcomes",
    language: Language | None = None,
) -> Chart:
    """Draw a chart of a run, of a comparison, or of sessions.

    Parameters
    ----------
    thing
        A run, or several for ``outcomes``; what `analysis.compare` or `analysis.session` gave.
    what
        The table of a run that it shows: outcomes, win_rate, win_turns, ready_turns, fan_frequency, dealer_advantage,
        repeat_lengths, horse_expectation or horse_distribution.
    language
        ``zh`` or ``en``; by default the environment's (``GDMJ_LANGUAGE``, then ``LANG``), else English.

    Raises
    ------
    analysis.scan.RunError
        For another chart, or one that this run cannot have.

    Examples
    --------
    >>> from analysis import plot, simulate
    >>> plot(simulate("jipinghu", hands=256, progress=False), "win_rate", language="en")
    <Chart win_rate of jipinghu>
    """
    tongue = language or _own_language()
    if tongue not in LANGUAGES:
        raise RunError(f"language: allowed are {', '.join(LANGUAGES)}, not {tongue!r:.60}")
    if isinstance(thing, Comparison):
        return Chart(effect_chart(thing.frame, tongue), f"effects on {thing.arms[0].label}")
    listed = list(thing) if isinstance(thing, Iterable) and not isinstance(thing, str) else [thing]
    risks = [one for one in listed if isinstance(one, SessionRisk)]
    runs = [one for one in listed if isinstance(one, Run)]
    if len(risks) + len(runs) != len(listed) or not listed or (risks and runs):
        raise RunError(f"plot: runs, sessions or a comparison are needed, not {checks.shown(thing)}")
    if risks:
        return Chart(session_chart([_panel(risk) for risk in risks], tongue), f"sessions of {risks[0].label}")
    name = f"{what} of {', '.join(run.rules.slug for run in runs)}"
    return Chart(_of_runs(runs, what, tongue), name)


def _of_runs(runs: Sequence[Run], what: str, language: Language) -> Figure:
    if what == "outcomes":
        keyed = {f"{i + 1}": run for i, run in enumerate(runs)}
        labels = rules_labels({key: run.rules for key, run in keyed.items()})
        return figures.outcome_chart({key: table(run, what) for key, run in keyed.items()}, labels, language)
    if what not in _CHARTS:
        raise RunError(f"plot: allowed are {', '.join(['outcomes', *_CHARTS])}, not {what!r:.60}")
    if len(runs) != 1:
        raise RunError(f"plot: {what} is drawn of one run, not of {len(runs)}")
    return _CHARTS[what](runs[0], table(runs[0], what), language)


def _panel(risk: SessionRisk) -> Sessions:
    heading = Label(*[risk.label] * 2)
    return Sessions(heading, label(risk.unit), risk.fan.hands, risk.fan.quantiles, [*risk.ruin])


def _own_language() -> Language:
    wanted = os.environ.get("GDMJ_LANGUAGE") or os.environ.get("LANG", "")
    return "zh" if wanted.startswith("zh") else "en"
