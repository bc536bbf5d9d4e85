"""The dealer report of one rule set."""

from __future__ import annotations

from functools import partial

import polars as pl

from analysis import figures, possible
from analysis.dealer_advantage import PARTS
from analysis.labels import Label, label
from analysis.report import alt
from analysis.report.blocks import Section, draw, table
from analysis.report.cells import Cell, of_row, percentage_points
from analysis.report.columns import Row, counted, gap, n_of, named, pivot, value, where
from analysis.scan import Run
from analysis.tables import Tables

_TURN = Label(
    "一次做庄：第一局取所有上庄后的第一局；以后各局按做到那一局的比例计入，所以一桌结束不造成偏差。"
    "比见过的最长连庄更长的没有计入，每桌只打几局时会偏少。",
    "A turn as dealer: its first hand is the mean of all first hands; a later one counts with the share of turns that"
    " get there, so the end of a table biases nothing. Repeat hands later than any that was seen are left out, which"
    " matters for tables of a few hands only.",
)
_SIDE = Label("杠分包括花分和跟庄。", "Points from kongs include flowers and a followed dealer's payments.")


def _dealer_cell(row: Row, group: str) -> Cell:
    if row["measure"] not in ("won", "dealt_in"):
        return of_row(row[group], "mean")
    if group == "difference":
        return percentage_points(*(row[group][name] for name in ("mean", "low", "high")))
    return of_row(row[group], "mean", as_percent=True)


def dealer_section(run: Run, tables: Tables, key: str) -> Section:
    """Dealer report of one rule set: a hand, a turn as dealer, where the lead comes from."""
    frame, heading = tables["dealer_advantage"], Label("庄家优势", "Dealer advantage")
    groups = ["dealer", "others", "difference"]
    can = possible.dealer_measures(run.rules)
    shown = frame.filter(pl.col("measure").is_in(can))
    gaps = shown.filter((pl.col("group") == "difference") & pl.col("measure").is_in(PARTS))
    charts = [
        draw(
            partial(figures.dealer_chart, shown),
            f"{key}-dealer",
            Label("庄家比一个闲家每局多得的分，按来源", "Points of the dealer less another seat in a hand, by part"),
            alt.ends([label(measure) for measure in gaps["measure"]], gaps["mean"].to_list()),
        )
    ]
    made = [
        table(
            Label("每局：庄家与闲家", "In a hand: dealer and other seats"),
            [label("measure"), label("n_hands"), *(label(group) for group in groups)],
            pivot(frame, "measure", "group", groups),
            [
                named("measure"),
                n_of,
                *(where("measure", can, partial(_dealer_cell, group=group)) for group in groups),
            ],
            "dealer_advantage",
        ),
        table(
            Label("庄家胡牌率领先的来源", "Where the dealer's lead in wins comes from"),
            [label("part"), label("n_hands"), label("dealer_lead")],
            tables["first_draw"].to_dicts(),
            [named("part"), n_of, gap("mean")],
            "first_draw",
        ),
    ]
    if "deal_turn" in tables:
        repeats = tables["repeat_lengths"]
        charts.append(
            draw(
                partial(figures.repeat_chart, repeats),
                f"{key}-repeat",
                Label("连庄：至少做庄这么多局的比例", "Repeat deals: share of turns at least so long"),
                alt.ends(
                    alt.numbered(repeats["length"].to_list(), label("length")),
                    repeats["reach_rate"].to_list(),
                    as_percent=True,
                ),
            )
        )
        made += [
            table(
                Label("一次做庄（从上庄到下庄）", "One turn as dealer, until the deal moves on"),
                [label("measure"), label("n"), label("mean")],
                tables["deal_turn"].to_dicts(),
                [named("measure"), n_of, value("mean")],
                "deal_turn",
            ),
            table(
                Label("连庄", "Repeat deals"),
                [label(name) for name in ("length", "n", "keep_rate", "reach_rate")],
                tables["repeat_lengths"].to_dicts(),
                [counted("length"), n_of, value("keep_rate", as_percent=True), value("reach_rate", as_percent=True)],
                "repeat_lengths",
                is_folded=True,
            ),
        ]
    return Section(
        f"{key}-dealer",
        heading,
        text=[
            Label(
                "「先摸牌」：同一巡里庄家先摸，牌局结束时别家往往少一次机会；按巡目把胡牌率之差分解（Kitagawa 1955）。"
                "「其余」是同巡次的差别：有吃碰时通常为负，因为同一巡次后手见过的弃牌更多。",
                "'From drawing first': the dealer acts first in each round, so when a hand ends the others have often"
                " had one chance fewer; the difference in win rates is split by turn (Kitagawa 1955). 'The rest' is the"
                " difference at equal turns: where tiles are claimed it is often below zero, since later seats have"
                " then seen more discards.",
            ),
            *([_TURN] if "deal_turn" in tables else []),
            *([_SIDE] if run.rules.play.flower_price or run.rules.dealer.follow_points else []),
        ],
        charts=charts,
        tables=made,
    )
