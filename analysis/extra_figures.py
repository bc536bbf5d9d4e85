"""What results of other commands look like: effects of rules, verdicts on tips, sessions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from matplotlib.ticker import MaxNLocator

from analysis import chart
from analysis.chart import BLUE, FAINT, INK, ORANGE, PURPLE
from analysis.digits import written
from analysis.labels import Label, Language

WIDE, _PANEL = 7.6, 3.4  # inch: width of a chart of many rows, height of one of sessions
_MOST_EMS, _TIP_EMS = 17.0, 24.0  # width of a row's name
_FULL = 0.5  # relative change that has the full colour
_SMALL = 8.5  # point
EFFECT_HEADS: dict[str, Label] = {
    "win_rate": Label("胡牌率", "wins"),
    "washout": Label("流局", "washouts"),
    "win_points": Label("每胡分", "per win"),
    "points_sd": Label("波动", "spread"),
    "dealer_net": Label("庄净分", "dealer"),
    "chicken_share": Label("鸡胡", "chicken"),
    "turns": Label("摸牌数", "length"),
}
ROUNDING = 1e-7  # an effect below is none
EFFECT_RATES = ("win_rate", "washout", "chicken_share")
# Verdict -> colour and marker.
VERDICT_MARKS = {
    "supported": (BLUE, "o"),
    "refuted": (ORANGE, "s"),
    "open": (PURPLE, "D"),
    "untestable": (INK, "x"),
    "not_applicable": (INK, "+"),
}
VERDICTS: dict[str, Label] = {
    "supported": Label("成立", "supported"),
    "refuted": Label("不成立", "refuted"),
    "open": Label("未定", "open"),
    "untestable": Label("无法检验", "untestable"),
    "not_applicable": Label("不适用", "not applicable"),
}


def effect_chart(effects: pl.DataFrame, language: Language) -> Figure:
    """Heat map: contrasts down, measures across; colour by relative change, where the interval leaves out 0.

    Parameters
    ----------
    effects
        ``contrast, measure, base, effect, low, high``, one row for each pair.
    """
    contrasts = effects["contrast"].unique(maintain_order=True).to_list()
    measures = effects["measure"].unique(maintain_order=True).to_list()
    names = [chart.shortened(name, _MOST_EMS) for name in contrasts]
    with chart.style():
        figure, axes = chart.canvas(0.3 * len(names) + 1.0, names, top=0.75, bottom=0.25, width=WIDE)
        for row in effects.iter_rows(named=True):
            _cell(axes, measures.index(row["measure"]), contrasts.index(row["contrast"]), row)
        chart.rows(axes, names)
        heads = [EFFECT_HEADS.get(name, Label(name, name)).of(language) for name in measures]
        axes.set_xlim(-0.5, len(measures) - 0.5)
        axes.xaxis.tick_top()
        ems = WIDE * axes.get_position().width * 72 / chart.FONT_SIZE / len(measures)
        axes.set_xticks(
            range(len(measures)), [chart.drawable(chart.shortened(head, ems)) for head in heads], va="baseline"
        )
        axes.tick_params(axis="x", length=0)
        axes.grid(visible=False)
        for side in ("left", "bottom"):
            axes.spines[side].set_visible(False)
        chart.title(
            axes,
            Label("每个开关改变什么（蓝：增加，橙：减少）", "What each switch does (blue: more, orange: less)").of(
                language
            ),
        )
    return figure


def _cell(axes: Axes, x: int, y: int, row: Mapping[str, Any]) -> None:
    effect, low, high, base = (row[name] for name in ("effect", "low", "high", "base"))
    if not isinstance(effect, float):
        return
    is_clear = isinstance(low, float) and isinstance(high, float) and (low > ROUNDING or high < -ROUNDING)
    if is_clear:
        share = abs(effect / base) if isinstance(base, float) and base else _FULL
        color = BLUE if effect > 0 else ORANGE
        alpha = 0.12 + 0.48 * min(share / _FULL, 1.0)
        axes.add_patch(Rectangle((x - 0.48, y - 0.46), 0.96, 0.92, facecolor=color, alpha=round(alpha, 2), lw=0))
    axes.text(x, y, _effect_text(row), ha="center", va="center", fontsize=_SMALL)


def _effect_text(row: Mapping[str, Any]) -> str:
    """Effect with the digits that the table gives it, and its sign."""
    effect, is_rate = row["effect"], row["measure"] in EFFECT_RATES
    if abs(effect) <= ROUNDING:
        return "0"
    text, _ = written(effect, row["low"], row["high"], 100.0 if is_rate else 1.0)
    return f"{'+' if effect > 0 and text != '0' else ''}{text}{'pp' if is_rate else ''}"


def tip_chart(verdicts: pl.DataFrame, names: Sequence[Label], language: Language) -> Figure:
    """Effect of each tip in units of the smallest one that would matter; colour and marker tell the verdict.

    Parameters
    ----------
    verdicts
        ``effect, low, high, smallest, verdict``; rows without an effect show their name only.
    names
        Name of each row; it may have several lines.
    """
    lines = [
        [part for line in name.of(language).split("\n") for part in chart.wrapped(line, _TIP_EMS)] for name in names
    ]
    shown = ["\n".join(each) for each in lines]
    row_height = 0.08 + 0.17 * max(map(len, lines), default=1)
    unit = np.abs(chart.column(verdicts, "smallest"))
    value, low, high = (chart.column(verdicts, name) / unit for name in ("effect", "low", "high"))
    at = np.arange(len(shown))
    with chart.style():
        figure, axes = chart.canvas(
            row_height * len(shown) + 1.35, [part for each in lines for part in each], top=0.7, width=WIDE
        )
        axes.axvspan(-1, 1, color=FAINT, alpha=0.5, lw=0)
        axes.axvline(0, color=INK, lw=0.8)
        for verdict, (color, marker) in VERDICT_MARKS.items():
            chosen = (verdicts["verdict"] == verdict).to_numpy() & np.isfinite(value)
            if chosen.any():
                axes.errorbar(
                    value[chosen],
                    at[chosen],
                    xerr=chart.whiskers(value, low, high)[:, chosen],
                    fmt=marker,
                    color=color,
                    ms=5,
                    capsize=2.5,
                    lw=1.2,
                    label=VERDICTS[verdict].of(language),
                )
        axes.set_xscale("symlog", linthresh=2)
        axes.xaxis.set_major_formatter(chart.plain_number())
        chart.rows(axes, shown)
        axes.set_xlabel(
            Label(
                "效果，以值得在意的最小效果为1（灰带内不值得在意）",
                "effect; 1 is the smallest that would matter (grey: it does not)",
            ).of(language)
        )
        if axes.get_legend_handles_labels()[0]:
            axes.legend(loc="lower right", bbox_to_anchor=(1.0, 1.0), ncols=5, borderaxespad=0, handletextpad=0.2)
        chart.title(axes, Label("各条打法的效果", "What tips are worth").of(language))
    return figure


class Sessions(NamedTuple):
    """Sessions of one bot under one rule set, as they are drawn.

    ``quantiles`` maps 0.05, 0.25, 0.5, 0.75, 0.95 to the result after each of ``hands``; ``ruin`` holds bankrolls.
    """

    heading: Label
    unit: Label
    hands: Sequence[int]
    quantiles: Mapping[float, Sequence[float]]
    ruin: Sequence[float]


def session_chart(panels: Sequence[Sessions], language: Language) -> Figure:
    """Fan of a seat's result on the way through a session, and lines where a bankroll is lost; one panel each."""
    height = _PANEL * len(panels)
    with chart.style():
        figure = Figure(figsize=(chart.WIDTH, height))
        for i, panel in enumerate(panels):
            bottom = height - _PANEL * (i + 1) + 0.55
            box = (0.95 / chart.WIDTH, bottom / height, 1 - 1.15 / chart.WIDTH, (_PANEL - 1.2) / height)
            axes = figure.add_axes(box)
            _fan(axes, panel, language)
            name = chart.drawable(chart.shortened(panel.heading.of(language), 32))
            axes.set_title(name, loc="left", x=-0.85 / (chart.WIDTH - 1.15), pad=25)
    return figure


def _fan(axes: Axes, panel: Sessions, language: Language) -> None:
    at = [0, *panel.hands]
    lines = {p: np.array([0.0, *values]) for p, values in panel.quantiles.items()}
    for low, high, alpha in ((0.05, 0.95, 0.18), (0.25, 0.75, 0.35)):
        if low in lines and high in lines:
            share = f"{high - low:.0%}"
            name = Label(f"{share}的场次", f"{share} of sessions").of(language)
            axes.fill_between(at, lines[low], lines[high], color=BLUE, alpha=alpha, lw=0, label=name)
    if 0.5 in lines:
        axes.plot(at, lines[0.5], color=BLUE, lw=1.4, label=Label("中位数", "median").of(language))
    axes.axhline(0, color=INK, lw=0.8)
    axes.set_ylim(bottom=min([axes.get_ylim()[0], *(-1.18 * bankroll for bankroll in panel.ruin)]))
    for bankroll in panel.ruin:
        axes.axhline(-bankroll, color=ORANGE, lw=1.2, ls="--")
        name = Label(f"输光{bankroll:,.0f}", f"{bankroll:,.0f} lost").of(language)
        axes.annotate(name, (0, -bankroll), xytext=(3, -2), textcoords="offset points", va="top", fontsize=_SMALL)
    axes.yaxis.set_major_formatter(chart.plain_number())
    axes.xaxis.set_major_locator(MaxNLocator(integer=True, nbins=9))
    axes.set_xlim(0, at[-1])
    axes.set_xlabel(Label("打过的局数", "hands played").of(language))
    axes.set_ylabel(chart.drawable(chart.shortened(panel.unit.of(language), 15)))
    axes.legend(loc="lower left", bbox_to_anchor=(0.0, 1.0), ncols=3, borderaxespad=0.2)
