"""One chart for each question beyond the tips."""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from analysis import chart
from analysis.beyond.danger import CLASSES
from analysis.labels import Label, Language

CLASS_LABELS = dict(
    zip(
        CLASSES,
        (
            Label("字牌", "honours"),
            Label("一、九", "1 and 9"),
            Label("二三七八", "2, 3, 7, 8"),
            Label("四五六", "4, 5, 6"),
        ),
        strict=True,
    )
)
FEWEST = 40  # cases of a number that is shown


def _lines(axes: Axes, series: Mapping[str, pl.DataFrame], x: str) -> None:
    """Draw a line with intervals for each of at most four frames."""
    for (name, frame), (color, marker) in zip(series.items(), chart.SERIES, strict=False):
        shown = frame.filter(pl.col("n") >= FEWEST)
        if shown.is_empty():
            continue
        rate = chart.column(shown, "rate")
        limits = chart.whiskers(rate, chart.column(shown, "low"), chart.column(shown, "high"))
        axes.errorbar(
            chart.column(shown, x), rate, yerr=limits, fmt=f"{marker}-", color=color, ms=4, lw=1.2, capsize=2,
            label=chart.drawable(name),
        )  # fmt: skip
    axes.xaxis.set_major_locator(MaxNLocator(integer=True, nbins=12))
    if axes.get_legend_handles_labels()[0]:
        axes.legend(loc="best")


def _of_rates(series: Mapping[str, pl.DataFrame], x: str, axis: Label, title: Label, language: Language) -> Figure:
    with chart.style():
        figure, axes = chart.canvas(3.1)
        _lines(axes, series, x)
        axes.set_ylim(bottom=0)
        axes.yaxis.set_major_formatter(chart.percent())
        axes.set_xlabel(axis.of(language))
        chart.title(axes, title.of(language))
    return figure


def danger_chart(found: pl.DataFrame, language: Language) -> Figure:
    """Chance that a discard completes another hand, by turn, a line for each class."""
    series = {
        CLASS_LABELS[name].of(language): found.filter(pl.col("tile") == place) for place, name in enumerate(CLASSES)
    }
    axis = Label("自己的第几张打牌", "own discard number")
    title = Label("打出的牌正中别家所听（任一家）", "A discard meets another hand's wait")
    return _of_rates(series, "turn", axis, title, language)


def ready_chart(series: Mapping[str, pl.DataFrame], language: Language) -> Figure:
    """Share of seats still playing that are ready."""
    axis = Label("自己的第几张打牌", "own discard number")
    title = Label("还在打的各家中已听牌的比例", "Ready, of those still playing")
    return _of_rates(series, "turn", axis, title, language)


def waits_chart(found: pl.DataFrame, language: Language) -> Figure:
    """Chance to win by live copies, a line for each number of kinds."""
    names = {1: Label("听一种", "one kind"), 2: Label("听两种", "two kinds"), 3: Label("三种及以上", "three and more")}
    series = {name.of(language): found.filter(pl.col("kinds") == kinds) for kinds, name in names.items()}
    axis = Label("初听时所听牌未见的张数（10：十张及以上）", "live copies when first ready (10: ten and more)")
    title = Label("初听后胡牌的机会", "Chance to win once ready")
    return _of_rates(series, "copies", axis, title, language)


def points_chart(series: Mapping[str, pl.DataFrame], x: str, axis: Label, title: Label, language: Language) -> Figure:
    """Mean points by some count, a line for each frame."""
    with chart.style():
        figure, axes = chart.canvas(3.1)
        axes.axhline(0, color=chart.INK, lw=0.8)
        _lines(axes, series, x)
        axes.yaxis.set_major_formatter(chart.plain_number())
        axes.set_xlabel(axis.of(language))
        chart.title(axes, title.of(language))
    return figure
