"""Section on what switches of the rules do, from a comparison on common walls."""

from __future__ import annotations

from functools import partial
from typing import Any

import polars as pl

from analysis import extra_figures as figures
from analysis.extra_figures import EFFECT_HEADS, EFFECT_RATES, ROUNDING
from analysis.labels import Label, counting
from analysis.report.blocks import Section, Table, draw
from analysis.report.cells import Cell, dash, number, p_value, percent, percentage_points, plain, words
from analysis.report.found import Comparison, frame_of

MOST_DRAWN = 60  # rows of a chart; the table has all


def section(found: Comparison) -> Section:
    """Effects of every switch, as a map and in numbers."""
    frame = frame_of(found.effects).with_columns(pl.col("base", "effect", "low", "high").cast(pl.Float64))
    contrasts = frame["contrast"].unique(maintain_order=True)[:MOST_DRAWN]
    drawn = frame.filter(pl.col("contrast").is_in(contrasts.implode()))
    measures = frame["measure"].unique(maintain_order=True).to_list()
    cells = {(row["contrast"], row["measure"]): row for row in frame.iter_rows(named=True)}
    clear = [
        row
        for row in frame.iter_rows(named=True)
        if row["low"] is not None and (row["low"] > ROUNDING or row["high"] < -ROUNDING)
    ]
    title = Label("每个开关改变什么", "What each switch does")
    return Section(
        "effects",
        Label("逐项比较规则", "Switches of the rules, one by one"),
        text=[
            Label(
                f"以{found.base}为基准，同样的牌墙，{found.hands:,}局，机器人{'、'.join(dict.fromkeys(found.bots))}。"
                "区间对整张表一起成立（95%），含0的也照写；没有区间的变化来自太少的桌（有差别的不到11桌，或总共不到30桌），不能当作结论。"
                "比例的变化以百分点（pp）计；颜色表示相对变化，只在区间不含0时上色。",
                f"Against {found.base}, on the same walls, {counting(found.hands, 'hand')}, bots"
                f" {', '.join(dict.fromkeys(found.bots))}. Intervals hold for the whole table together (95%), those"
                " that include 0 too. A change without one rests on too few tables (ten or fewer that differ, or fewer"
                " than 30 in all) and settles nothing. Colour is relative change, given only where the interval leaves"
                " out 0.",
            )
        ],
        charts=[
            draw(
                partial(figures.effect_chart, drawn),
                "effects-map",
                title,
                Label(
                    f"{len(contrasts)}行，{len(measures)}列；共{len(clear)}处变化的区间不含0。下面的表列出全部数字。",
                    f"{counting(len(contrasts), 'row')}, {counting(len(measures), 'column')};"
                    f" {counting(len(clear), 'effect')} with an interval that leaves out 0. The tables below have all"
                    " numbers.",
                ),
                is_wide=True,
            )
        ],
        tables=[
            Table(
                title,
                [Label("开关", "switch"), *(EFFECT_HEADS.get(name, plain(name)) for name in measures)],
                [
                    [words(plain(contrast)), *(_effect(cells.get((contrast, measure))) for measure in measures)]
                    for contrast in frame["contrast"].unique(maintain_order=True)
                ],
                "effects",
            ),
            Table(
                Label("每一项：基准值、p值、一局顶几局", "Each effect: base, p, what one hand is worth"),
                [
                    Label("开关", "switch"), Label("项目", "measure"), Label("基准值", "base"),
                    Label("变化", "effect"), Label("p（Holm）", "p (Holm)"), Label("一局顶几局", "worth"),
                ],
                [
                    [
                        words(plain(row["contrast"])),
                        words(EFFECT_HEADS.get(row["measure"], plain(row["measure"]))),
                        (percent if row["measure"] in EFFECT_RATES else number)(row["base"]),
                        _effect(row),
                        p_value(row["p"]),
                        number(row["worth"]),
                    ]
                    for row in frame.iter_rows(named=True)
                ],
                "effects",
                is_folded=True,
            ),
        ],
    )  # fmt: skip


def _effect(row: dict[str, Any] | None) -> Cell:
    if row is None or row["effect"] is None:
        return dash()
    if all(abs(row[name] or 0.0) < ROUNDING for name in ("effect", "low", "high")):
        return number(0.0)
    return (percentage_points if row["measure"] in EFFECT_RATES else number)(row["effect"], row["low"], row["high"])
