"""Sections from what other commands left in the folder: effects of switches, verdicts on tips, sessions."""

from __future__ import annotations

from functools import partial
from typing import Any

import polars as pl

from analysis import extra_figures as figures
from analysis.extra_figures import EFFECT_HEADS, EFFECT_RATES, ROUNDING, VERDICTS
from analysis.labels import Label, counting, label
from analysis.report.blocks import Section, Table, draw
from analysis.report.cells import Cell, count, dash, number, percent, percentage_points, plain, words
from analysis.report.found import Comparison, Estimate, Found, Session, Sessions, Verdict, Verdicts

Frames = dict[str, pl.DataFrame]
_MOST_DRAWN = 60  # rows of a chart; the table has all


def sections(found: Found) -> list[Section]:
    """Sections of everything that was found."""
    made = []
    if found.comparison:
        made.append(_comparison(found.comparison))
    if found.verdicts:
        made.append(_verdicts(found.verdicts))
    if found.sessions:
        made.append(_sessions(found.sessions))
    return made


def frames(found: Found) -> Frames:
    """Frame behind each section, for download."""
    made = {}
    if found.comparison:
        made["effects"] = _frame(found.comparison.effects)
    if found.verdicts:
        made["tips"] = _frame(found.verdicts.verdicts)
    if found.sessions:
        made["sessions"] = pl.DataFrame(list(map(_session_row, found.sessions.sessions)), infer_schema_length=None)
    return made


def _frame(rows: list[Any]) -> pl.DataFrame:
    """One row for each model; lists become text."""
    data = [
        {name: ", ".join(map(str, v)) if isinstance(v, list) else v for name, v in row.model_dump().items()}
        for row in rows
    ]
    return pl.DataFrame(data, infer_schema_length=None)


# Effects of switches


def _comparison(found: Comparison) -> Section:
    frame = _frame(found.effects).with_columns(pl.col("base", "effect", "low", "high").cast(pl.Float64))
    contrasts = frame["contrast"].unique(maintain_order=True)[:_MOST_DRAWN]
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
                "区间对整张表一起成立（95%）；比例的变化以百分点（pp）计；颜色表示相对变化，只在区间不含0时上色。",
                f"Against {found.base}, on the same walls, {counting(found.hands, 'hand')}, bots"
                f" {', '.join(dict.fromkeys(found.bots))}. Intervals hold for the whole table together (95%). Colour is"
                " relative change, given only where the interval leaves out 0.",
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
                        _p(row["p"]),
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


def _p(value: float | None) -> Cell:
    if value is None:
        return dash()
    return Cell(plain("< 0.0001" if value < 0.0001 else f"{value:.4f}"), order=value)


# Verdicts on tips


def _verdicts(found: Verdicts) -> Section:
    frame = _frame(found.verdicts).with_columns(pl.col("effect", "low", "high", "smallest").cast(pl.Float64))
    # A tip without a smallest effect has no place on the chart's axis.
    drawn = frame.filter(pl.col("effect").is_not_null() & (pl.col("smallest") != 0)).head(_MOST_DRAWN)
    names = [Label(f"{row['id']} {row['zh']}", f"{row['id']} {row['en']}") for row in drawn.iter_rows(named=True)]
    counts = {key: sum(v.verdict == key for v in found.verdicts) for key in VERDICTS}
    told = Label(
        "，".join(f"{VERDICTS[key].zh}{n}条" for key, n in counts.items() if n),
        ", ".join(f"{n} {VERDICTS[key].en}" for key, n in counts.items() if n),
    )
    title = Label("各条打法的效果", "What tips are worth")
    return Section(
        "tips",
        Label("打法检验", "Tips, put to the test"),
        text=[
            Label(
                f"共{len(found.verdicts):,}条：{told.zh}。区间95%；p值按Holm校正。机器人照着打或反着打，看得分差多少。",
                f"{counting(len(found.verdicts), 'tip')}: {told.en}. 95% intervals; p by Holm. A bot that follows a tip"
                " is set against one that does not.",
            )
        ],
        charts=[
            draw(
                partial(figures.tip_chart, drawn, names),
                "tips-forest",
                title,
                Label(f"{told.zh}。下面的表列出全部数字。", f"{told.en}. The table below has all numbers."),
                is_wide=True,
            )
        ]
        if drawn.height
        else [],
        tables=[
            Table(
                title,
                [
                    Label("说法", "claim"), Label("结论", "verdict"), Label("效果", "effect"),
                    Label("单位", "unit"), Label("值得在意的最小效果", "smallest that matters"), Label("样本数", "n"),
                    Label("p（Holm）", "p (Holm)"), Label("规则", "rules"), Label("方法", "method"),
                    Label("还要多少局", "hands needed"), Label("说明", "note"),
                ],
                [_verdict(one) for one in found.verdicts],
                "tips",
            )
        ],
    )  # fmt: skip


def _verdict(one: Verdict) -> list[Cell]:
    return [
        words(Label(f"{one.id} {one.zh}", f"{one.id} {one.en}")),
        words(VERDICTS[one.verdict]),
        number(one.effect, one.low, one.high),
        words(plain(one.unit)),
        number(one.smallest),
        count(one.n),
        _p(one.p_holm),
        words(plain(_listed(one.rules))),
        words(plain(one.method)),
        count(None if one.needed is None else round(one.needed)),
        words(Label(one.note_zh, one.note_en)),
    ]


def _listed(value: str | list[str]) -> str:
    return value if isinstance(value, str) else ", ".join(value)


# Sessions


def _sessions(found: Sessions) -> Section:
    bankrolls = sorted({bankroll for one in found.sessions for bankroll in one.ruin})
    return Section(
        "sessions",
        Label("一场牌的输赢", "What a session brings"),
        text=[
            Label(
                "一家打完一场的得失：色带是5%到95%和25%到75%的场次，虚线是输光本钱。"
                "N0：打多少局以后，平均得失才超过波动。",
                "What one seat wins or loses in a session: bands hold 90% and 50% of sessions, dashed lines are lost"
                " bankrolls. N0: hands after which the mean exceeds the spread.",
            )
        ],
        charts=[
            draw(
                partial(figures.session_chart, [_drawn(one)]),
                f"session-{i}",
                plain(f"{one.rules}, {one.bot}"),
                _fan_in_words(one),
            )
            for i, one in enumerate(found.sessions[:_MOST_DRAWN])
        ],
        tables=[
            Table(
                Label("一场牌", "A session"),
                [
                    Label("规则，机器人", "rules, bot"), Label("场数", "sessions"), Label("每场局数", "hands in it"),
                    Label("单位", "unit"), Label("标准差", "standard deviation"), Label("赢钱的场次", "ends ahead"),
                    Label("最差5%", "worst 5%"), Label("最好5%", "best 5%"), Label("N0（局）", "N0 (hands)"),
                    *(Label(f"输光{bankroll:,.0f}", f"{bankroll:,.0f} lost") for bankroll in bankrolls),
                ],
                [
                    [
                        words(plain(f"{one.rules}, {one.bot}")),
                        count(one.sessions),
                        count(one.hands),
                        words(_unit(one.unit)),
                        _estimate(one.sd),
                        _estimate(one.ahead, as_percent=True),
                        _estimate(one.quantiles.get(0.05)),
                        _estimate(one.quantiles.get(0.95)),
                        count(None if one.n0 is None else round(one.n0)),
                        *(_estimate(one.ruin.get(bankroll), as_percent=True) for bankroll in bankrolls),
                    ]
                    for one in found.sessions
                ],
                "sessions",
            )
        ],
    )  # fmt: skip


def _drawn(one: Session) -> figures.Sessions:
    name = plain(f"{one.rules}, {one.bot}")
    return figures.Sessions(name, _unit(one.unit), one.fan.hands, one.fan.quantiles, sorted(one.ruin))


def _unit(name: str) -> Label:
    return label(name) if name in ("points", "coins") else plain(name)


def _estimate(one: Estimate | None, as_percent: bool = False) -> Cell:
    if one is None:
        return dash()
    return (percent if as_percent else number)(one.value, one.low, one.high)


def _fan_in_words(one: Session) -> Label:
    low, high = (one.fan.quantiles.get(p, [float("nan")])[-1] for p in (0.05, 0.95))
    return Label(
        f"打完{one.hands}局，九成的场次在{low:,.0f}与{high:,.0f}之间。下面的表列出全部数字。",
        f"After {counting(one.hands, 'hand')}, nine in ten sessions lie between {low:,.0f} and {high:,.0f}. The table"
        " below has all numbers.",
    )


def _session_row(one: Session) -> dict[str, Any]:
    """Flat row of a session: estimates become three columns."""
    row: dict[str, Any] = {name: getattr(one, name) for name in ("rules", "bot", "unit", "sessions", "hands", "n0")}
    estimates = {"mean_hand": one.mean_hand, "sd": one.sd, "ahead": one.ahead}
    estimates |= {f"quantile_{p:g}": value for p, value in one.quantiles.items()}
    estimates |= {f"ruin_{bankroll:g}": value for bankroll, value in one.ruin.items()}
    for name, value in estimates.items():
        row |= {name: value.value, f"{name}_low": value.low, f"{name}_high": value.high}
    return row
