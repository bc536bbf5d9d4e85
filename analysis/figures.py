"""What the numbers look like: one function for each chart, from a report's frame to a figure in one language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import polars as pl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator, NullLocator

from analysis import chart
from analysis.chart import BLUE, FAINT, INK, ORANGE, SERIES
from analysis.dealer_advantage import PARTS, RATES
from analysis.labels import Label, Language, counting, pattern_label, text
from sim.rules import Rules
from sim.schema import OUTCOMES

_MOST_EMS = 18.0  # width of a rule set's name beside a chart


def _dots(axes: Axes, at: Any, frame: pl.DataFrame, name: str, series: int = 0, label: str | None = None) -> None:
    """Draw values with their intervals along the x axis."""
    value, low, high = (chart.column(frame, column) for column in _interval(name))
    color, marker = SERIES[series]
    axes.errorbar(
        value,
        at,
        xerr=chart.whiskers(value, low, high),
        fmt=marker,
        color=color,
        ms=5,
        capsize=2.5,
        lw=1.2,
        label=label,
    )


def _interval(name: str) -> tuple[str, str, str]:
    return (name, "low", "high") if name in ("rate", "mean") else (name, f"{name}_low", f"{name}_high")


def win_rate_chart(win_rate: pl.DataFrame, language: Language) -> Figure:
    """Win rate of each seat and of each place after the dealer."""
    shown = win_rate.filter((pl.col("measure") == "won") & (pl.col("group") != "others"))
    names = [text(group, language) for group in shown["group"]]
    with chart.style():
        figure, axes = chart.canvas(0.27 * len(names) + 1.1, names)
        _dots(axes, range(len(names)), shown, "rate")
        axes.axhline(3.5, color=FAINT, lw=1)
        chart.rows(axes, names)
        axes.xaxis.set_major_formatter(chart.percent())
        axes.set_xlabel(text("share_of_hands", language))
        chart.title(axes, Label("各座位与庄闲的胡牌率", "Win rate by seat and by place").of(language))
    return figure


def fan_chart(fan_frequency: pl.DataFrame, rules: Rules, language: Language) -> Figure:
    """Wins with each pattern per 1,000 hands on a log axis; a pattern never seen shows its upper limit."""
    names = [pattern_label(slug, rules).of(language) for slug in fan_frequency["pattern"]]
    seen = fan_frequency["count"].to_numpy() > 0
    at = np.arange(len(names))
    with chart.style():
        figure, axes = chart.canvas(0.235 * len(names) + 1.1, names)
        _dots(axes, at[seen], fan_frequency.filter(seen), "per_1000_hands")
        limit = chart.column(fan_frequency, "per_1000_hands_high")[~seen]
        axes.plot(limit, at[~seen], "<", color=ORANGE, ms=5, mfc="none")
        axes.set_xscale("log")
        chart.rows(axes, names)
        axes.xaxis.set_major_formatter(chart.plain_number())
        axes.xaxis.set_minor_locator(NullLocator())
        axes.set_xlabel(
            Label("每千局次数（对数轴）", "per 1,000 hands, log axis").of(language)
            if seen.all()
            else Label(
                "每千局次数（对数轴；◁ 未出现，示95%上限）", "per 1,000 hands, log axis; ◁ never seen, 95% limit"
            ).of(language)
        )
        chart.title(axes, Label("番型频率", "How often each pattern wins").of(language))
    return figure


def turn_chart(win_turns: pl.DataFrame, language: Language) -> Figure:
    """Distribution of the win turn."""
    with chart.style():
        figure, axes = chart.canvas(2.9)
        turn, rate = chart.column(win_turns, "win_turn"), chart.column(win_turns, "rate")
        limits = chart.whiskers(rate, chart.column(win_turns, "low"), chart.column(win_turns, "high"))
        axes.bar(turn, rate, color=BLUE, width=0.8)
        axes.errorbar(turn, rate, yerr=limits, fmt="none", color=INK, lw=0.9, capsize=1.5)
        axes.yaxis.set_major_formatter(chart.percent())
        axes.xaxis.set_major_locator(MaxNLocator(integer=True, nbins=12))
        axes.grid(visible=False, axis="x")
        axes.set_xlabel(text("turn", language))
        chart.title(axes, Label("第几巡胡牌（占胡牌的比例）", "When hands are won (share of wins)").of(language))
    return figure


def ready_chart(ready_turns: pl.DataFrame, win_turns: pl.DataFrame, language: Language) -> Figure:
    """Share of seats that are ready, and that have won, with at most so many own discards."""
    with chart.style():
        figure, axes = chart.canvas(2.9)
        turn, rate = chart.column(ready_turns, "turn"), chart.column(ready_turns, "rate")
        limits = chart.whiskers(rate, chart.column(ready_turns, "low"), chart.column(ready_turns, "high"))
        axes.errorbar(
            turn, rate, yerr=limits, fmt="o-", color=BLUE, ms=4, lw=1.2, capsize=2, label=text("ready", language)
        )
        wins = {row["win_turn"]: row["count"] for row in win_turns.iter_rows(named=True)}
        won = np.array([sum(n for at, n in wins.items() if at <= t) for t in turn]) / ready_turns["n"].to_numpy()
        axes.plot(turn, won, "s--", color=ORANGE, ms=3.5, lw=1.2, label=text("won_by_then", language))
        axes.set_ylim(bottom=0)
        axes.yaxis.set_major_formatter(chart.percent())
        axes.xaxis.set_major_locator(MaxNLocator(integer=True, nbins=12))
        axes.set_xlabel(text("own_discards", language))
        axes.legend(loc="upper left")
        chart.title(axes, Label("多快听牌、胡牌（占各家）", "How soon a seat is ready, and wins").of(language))
    return figure


def dealer_chart(dealer_advantage: pl.DataFrame, language: Language) -> Figure:
    """Win and deal-in rates of dealer and others above, the dealer's lead in points by part below."""
    rates, parts = ([name for name in names if name in set(dealer_advantage["measure"])] for names in (RATES, PARTS))
    rate_names = [text(name, language) for name in rates]
    part_names = [text(name, language) for name in parts]
    with chart.style():
        figure, lower = chart.canvas(4.0, [*rate_names, *part_names], top=2.05)
        box = lower.get_position()
        upper = figure.add_axes((box.x0, 1 - 1.6 / 4.0, box.width, 0.95 / 4.0))
        for series, group in enumerate(("dealer", "others")):
            shown = dealer_advantage.filter((pl.col("group") == group) & pl.col("measure").is_in(rates))
            _dots(upper, np.arange(len(rates)) + 0.22 * series - 0.11, shown, "mean", series, text(group, language))
        chart.rows(upper, rate_names)
        upper.xaxis.set_major_formatter(chart.percent())
        upper.set_xlim(left=0)
        upper.legend(loc="lower right", bbox_to_anchor=(1.0, 0.97), ncols=2, borderaxespad=0, handletextpad=0.2)
        gap = dealer_advantage.filter((pl.col("group") == "difference") & pl.col("measure").is_in(parts))
        _dots(lower, range(len(parts)), gap, "mean")
        lower.axvline(0, color=INK, lw=0.8)
        lower.xaxis.set_major_locator(MaxNLocator(nbins=6))
        lower.xaxis.set_major_formatter(chart.plain_number())
        chart.rows(lower, part_names)
        lower.set_xlabel(
            Label("庄家比一个闲家每局多得的分", "points in a hand, dealer less one other seat").of(language)
        )
        chart.title(upper, Label("庄家优势", "What the dealer gains").of(language))
    return figure


def repeat_chart(repeat_lengths: pl.DataFrame, language: Language) -> Figure:
    """Share of turns as dealer that last at least so many hands, log axis."""
    with chart.style():
        figure, axes = chart.canvas(2.9)
        length, value = chart.column(repeat_lengths, "length"), chart.column(repeat_lengths, "reach_rate")
        low, high = (chart.column(repeat_lengths, f"reach_rate_{side}") for side in ("low", "high"))
        axes.errorbar(
            length, value, yerr=chart.whiskers(value, low, high), fmt="o-", color=BLUE, ms=4.5, lw=1, capsize=2.5
        )
        axes.set_yscale("log")
        axes.yaxis.set_major_formatter(chart.percent())
        axes.yaxis.set_minor_locator(NullLocator())
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.set_xlabel(text("length", language))
        chart.title(
            axes, Label("连庄：至少做庄这么多局的比例", "Repeat deals: share of turns at least so long").of(language)
        )
    return figure


def horse_mean_chart(
    horse_expectation: pl.DataFrame, kind: str, origin: str, own_number: int, language: Language
) -> Figure:
    """Mean points from 0..10 horses: exact with its band, sampled with intervals, naive; the own number is marked."""
    role = "winner" if kind == "drawn" else "all"
    shown = horse_expectation.filter(
        (pl.col("kind") == kind)
        & (pl.col("origin") == origin)
        & (pl.col("role") == role)
        & (pl.col("quantity") == "points")
    )
    k = chart.column(shown, "n_horses")
    with chart.style():
        figure, axes = chart.canvas(3.1)
        if own_number:
            axes.axvline(own_number, color=FAINT, lw=5, zorder=0)
        exact, low, high = (chart.column(shown, name) for name in _interval("exact"))
        axes.fill_between(k, low, high, color=BLUE, alpha=0.25, lw=0)
        axes.plot(k, exact, color=BLUE, lw=1.4, label=text("exact", language))
        axes.plot(k, chart.column(shown, "naive"), color=INK, lw=1, ls="--", label=text("naive", language))
        value, low, high = (chart.column(shown, name) for name in _interval("sampled"))
        axes.errorbar(
            k, value, yerr=chart.whiskers(value, low, high), fmt="s", color=ORANGE, ms=4, lw=1, capsize=2.5,
            label=text("sampled", language),
        )  # fmt: skip
        axes.xaxis.set_major_locator(MaxNLocator(integer=True, nbins=11))
        axes.set_xlabel(text("n_horses", language))
        axes.legend(loc="upper left")
        chart.title(
            axes,
            Label(
                f"马分：{text(f'role.{role}', 'zh')}，每次胡牌，{text(f'origin.{origin}', 'zh')}",
                f"Horse points for each win: {text(f'role.{role}', 'en')}, {text(f'origin.{origin}', 'en')}",
            ).of(language),
        )
    return figure


def horse_distribution_chart(horse_distribution: pl.DataFrame, kind: str, n_horses: int, language: Language) -> Figure:
    """Distribution of hits (drawn) or net shares (held): exact bars, sampled dots."""
    with chart.style():
        figure, axes = chart.canvas(2.9)
        shares, exact = chart.column(horse_distribution, "shares"), chart.column(horse_distribution, "exact")
        axes.bar(shares, exact, color=BLUE, width=0.7, label=text("exact", language))
        value, low, high = (chart.column(horse_distribution, name) for name in _interval("sampled"))
        axes.errorbar(
            shares, value, yerr=chart.whiskers(value, low, high), fmt="s", color=ORANGE, ms=4, lw=1, capsize=2.5,
            label=text("sampled", language),
        )  # fmt: skip
        axes.yaxis.set_major_formatter(chart.percent())
        axes.xaxis.set_major_locator(MaxNLocator(integer=True, nbins=14))
        axes.grid(visible=False, axis="x")
        axes.set_xlabel(text(f"shares.{kind}", language))
        axes.legend(loc="upper right")
        chart.title(
            axes,
            Label(
                f"{n_horses}匹马的收入分布", f"What {counting(n_horses, 'horse')} bring{'s' if n_horses == 1 else ''}"
            ).of(language),
        )
    return figure


def _two_lines(name: str) -> str:
    """Put the changed fields of a rule set's name under it, each line cut where it would leave the chart no room."""
    return "\n".join(chart.shortened(line, _MOST_EMS) for line in name.split(" · ", 1))


def outcome_chart(outcomes: Mapping[str, pl.DataFrame], names: Mapping[str, Label], language: Language) -> Figure:
    """How hands end in each rule set, stacked to 100 %; what no rule set has a row for is left out."""
    rows = [_two_lines(names[slug].of(language)) for slug in outcomes]
    with chart.style():
        figure, axes = chart.canvas(0.42 * len(rows) + 1.3, [line for row in rows for line in row.split("\n")], top=0.7)
        start = np.zeros(len(rows))
        known = {name for frame in outcomes.values() for name in frame["outcome"]}
        for (color, _), outcome in zip(SERIES, (*OUTCOMES[1:], OUTCOMES[0]), strict=True):
            if outcome not in known:
                continue
            width = np.array([frame.filter(pl.col("outcome") == outcome)["rate"].sum() for frame in outcomes.values()])
            axes.barh(range(len(rows)), width, left=start, height=0.6, color=color, label=text(outcome, language))
            start += width
        chart.rows(axes, rows)
        axes.set_xlim(0, 1)
        axes.xaxis.set_major_formatter(chart.percent())
        axes.set_xlabel(text("share_of_hands", language))
        axes.legend(
            loc="lower right", bbox_to_anchor=(1.0, 1.0), ncols=4, borderaxespad=0, handlelength=1, columnspacing=1
        )
        chart.title(axes, Label("牌局怎样结束", "How hands end").of(language))
    return figure
