"""Section on what a session brings."""

from __future__ import annotations

from functools import partial
from typing import Any

import polars as pl

from analysis import extra_figures as figures
from analysis.labels import Label, counting, label
from analysis.report.blocks import Section, Table, draw
from analysis.report.cells import Cell, count, dash, number, percent, plain, words
from analysis.report.effects import MOST_DRAWN
from analysis.report.found import Estimate, Session, Sessions


def section(found: Sessions) -> Section:
    """Fans of results, and what sessions end with."""
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
                plain(one.label),
                _fan_in_words(one),
            )
            for i, one in enumerate(found.sessions[:MOST_DRAWN])
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
                        words(plain(one.label)),
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
    name = plain(one.label)
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


def frame(found: Sessions) -> pl.DataFrame:
    """One row for each rule set and bot."""
    return pl.DataFrame(list(map(_session_row, found.sessions)), infer_schema_length=None)


def _session_row(one: Session) -> dict[str, Any]:
    """Flat row of a session: estimates become three columns."""
    plain_columns = ("rules", "changes", "bot", "unit", "sessions", "hands", "n0")
    row: dict[str, Any] = {name: getattr(one, name) for name in plain_columns}
    estimates = {"mean_hand": one.mean_hand, "sd": one.sd, "ahead": one.ahead}
    estimates |= {f"quantile_{p:g}": value for p, value in one.quantiles.items()}
    estimates |= {f"ruin_{bankroll:g}": value for bankroll, value in one.ruin.items()}
    for name, value in estimates.items():
        row |= {name: value.value, f"{name}_low": value.low, f"{name}_high": value.high}
    return row
