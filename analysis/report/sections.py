"""The four reports of one rule set: win rate, fan frequency, dealer advantage, horses."""

from __future__ import annotations

from functools import partial

from analysis import figures
from analysis.labels import Label, label, pattern_label
from analysis.report.blocks import Section, Table, draw, table
from analysis.report.cells import Cell, of_row, words
from analysis.report.columns import Row, counted, n_of, named, pivot, value, value_in
from analysis.report.horses import horse_section
from analysis.scan import Run
from analysis.tables import Tables


def sections(run: Run, tables: Tables, key: str) -> list[Section]:
    """Every section of a rule set's report; ``key`` is unique to it on the page."""
    return [
        _win_rate(run, tables, key),
        _fan_frequency(run, tables, key),
        _dealer_advantage(tables, key),
        horse_section(run, tables, key),
    ]


def _win_rate(run: Run, tables: Tables, key: str) -> Section:
    ways = [f"won_{way}" for way in ("zimo", "dianpao", "qianggang") if way in run.rules.win.ways]
    columns = ["won", *ways, *(["dealt_in"] if ways != ["won_zimo"] else [])]
    heads = [label("group"), label("n"), *(label(name) for name in columns)]
    cells = [named("group"), n_of, *(value_in(name, "rate", as_percent=True) for name in columns)]

    def by_group(name: str, caption: Label) -> Table:
        return table(caption, heads, pivot(tables[name], "group", "measure", columns), cells, name)

    made = [by_group("win_rate", Label("各座位与庄闲", "By seat and by place"))]
    if "bot_win_rate" in tables:
        bots = Label(
            "机器人：" + "，".join(f"{i}={name}" for i, name in enumerate(run.manifest["bots"], 1)),
            "Bots: " + ", ".join(f"{i} = {name}" for i, name in enumerate(run.manifest["bots"], 1)),
        )
        made.append(by_group("bot_win_rate", bots))
    made += [
        table(
            Label("牌局怎样结束", "How hands end"),
            [label("outcome"), label("n_hands"), label("count"), label("rate")],
            tables["outcomes"].to_dicts(),
            [named("outcome"), n_of, counted("count"), value("rate", as_percent=True)],
            "outcomes",
        ),
        table(
            Label("平均胡牌巡目（自己打出的张数）", "Mean win turn (own discards)"),
            [label("source"), label("n_wins"), label("mean")],
            tables["mean_win_turn"].to_dicts(),
            [named("source"), n_of, value("mean")],
            "mean_win_turn",
        ),
        table(
            Label("胡牌巡目的分布", "Distribution of the win turn"),
            [label("turn"), label("count"), label("share_of_wins")],
            tables["win_turns"].to_dicts(),
            [counted("win_turn"), counted("count"), value("rate", as_percent=True)],
            "win_turns",
            is_folded=True,
        ),
    ]
    return Section(
        f"{key}-win",
        Label("胡牌率", "Win rate"),
        charts=[
            draw(partial(figures.win_rate_chart, tables["win_rate"]), f"{key}-win", label("win_rate")),
            draw(partial(figures.turn_chart, tables["win_turns"]), f"{key}-turn", label("win_turn")),
        ],
        tables=made,
    )


def _fan_frequency(run: Run, tables: Tables, key: str) -> Section:
    frame, heading = tables["fan_frequency"], Label("番型频率", "Fan frequency")
    n_hands, n_wins = (f"{run.n_hands:,}", f"{tables['win_turns']['count'].sum():,}")
    return Section(
        f"{key}-fan",
        heading,
        text=[
            Label(
                "一次胡牌的每个番型各算一次，所以比例之和可超过100%。次数不超过10的用精确区间。"
                "分数是所有付分人付的总分，不计杠和马。",
                "A win counts for each of its patterns, so shares may add up to more than 100%. Up to ten wins the"
                " intervals are exact. Points are what all payers pay together, kongs and horses apart.",
            )
        ],
        charts=[draw(partial(figures.fan_chart, frame, run.rules), f"{key}-fan", heading)],
        tables=[
            table(
                heading,
                [
                    label(name)
                    for name in (
                        "pattern",
                        "count",
                        "per_1000_hands",
                        "win_share",
                        "points_share",
                        "mean_points",
                        "mean_turn",
                    )
                ],
                frame.to_dicts(),
                [
                    lambda row: words(pattern_label(row["pattern"], run.rules)),
                    counted("count"),
                    value("per_1000_hands"),
                    value("win_share", as_percent=True),
                    value("points_share", as_percent=True),
                    value("mean_points"),
                    value("mean_turn"),
                ],
                "fan_frequency",
            )
        ],
        notes=[Label(f"局数 {n_hands}，胡牌 {n_wins}。", f"{n_hands} hands, {n_wins} wins.")],
    )


def _dealer_cell(row: Row, group: str) -> Cell:
    return of_row(row[group], "mean", as_percent=row["measure"] in ("won", "dealt_in"))


def _dealer_advantage(tables: Tables, key: str) -> Section:
    frame, heading = tables["dealer_advantage"], Label("庄家优势", "Dealer advantage")
    groups = ["dealer", "others", "difference"]
    charts = [draw(partial(figures.dealer_chart, frame), f"{key}-dealer", heading)]
    made = [
        table(
            Label("每局：庄家与闲家", "In a hand: dealer and other seats"),
            [label("measure"), label("n_hands"), *(label(group) for group in groups)],
            pivot(frame, "measure", "group", groups),
            [named("measure"), n_of, *(partial(_dealer_cell, group=group) for group in groups)],
            "dealer_advantage",
        ),
        table(
            Label("庄家胡牌率领先的来源", "Where the dealer's lead in wins comes from"),
            [label("part"), label("n_hands"), label("dealer_lead")],
            tables["first_draw"].to_dicts(),
            [named("part"), n_of, value("mean", as_percent=True)],
            "first_draw",
        ),
    ]
    if "deal_turn" in tables:
        charts.append(draw(partial(figures.repeat_chart, tables["repeat_lengths"]), f"{key}-repeat", label("length")))
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
            )
        ],
        charts=charts,
        tables=made,
    )
