"""The four reports of one rule set: win rate, fan frequency, dealer advantage, horses."""

from __future__ import annotations

from functools import partial

import polars as pl

from analysis import figures, possible
from analysis.labels import Label, counting, label, pattern_label
from analysis.report import alt
from analysis.report.blocks import Chart, Section, Table, draw, table
from analysis.report.cells import words
from analysis.report.columns import counted, n_of, named, pivot, value, value_in, where
from analysis.report.dealer import dealer_section
from analysis.report.horses import horse_section
from analysis.scan import Run
from analysis.tables import Tables


def sections(run: Run, tables: Tables, key: str) -> list[Section]:
    """Every section of a rule set's report; ``key`` is unique to it on the page."""
    return [
        _win_rate(run, tables, key),
        _fan_frequency(run, tables, key),
        dealer_section(run, tables, key),
        horse_section(run, tables, key),
    ]


def _win_rate(run: Run, tables: Tables, key: str) -> Section:
    ways = [f"won_{way}" for way in ("zimo", "dianpao", "qianggang") if way in run.rules.win.ways]
    columns = ["won", *ways, *(["dealt_in"] if ways != ["won_zimo"] else [])]
    ends = possible.outcomes(run.rules)
    heads = [label("group"), label("n"), *(label(name) for name in columns)]
    cells = [named("group"), n_of, *(value_in(name, "rate", as_percent=True) for name in columns)]

    def by_group(name: str, caption: Label) -> Table:
        return table(caption, heads, pivot(tables[name], "group", "measure", columns), cells, name)

    ready = tables["ready_turns"]
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
            [
                named("outcome"),
                n_of,
                *(where("outcome", ends, cell) for cell in (counted("count"), value("rate", as_percent=True))),
            ],
            "outcomes",
        ),
        table(
            Label("平均胡牌巡目（自己打出的张数）", "Mean win turn (own discards)"),
            [label("source"), label("n_wins"), label("mean")],
            tables["mean_win_turn"].to_dicts(),
            [named("source"), *(where("source", {"all", *ends}, cell) for cell in (n_of, value("mean")))],
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
    if ready.height:
        made.append(
            table(
                Label(
                    "多快听牌（没听牌就结束的也算在内）", "How soon a seat is ready (hands that end before count too)"
                ),
                [label("own_discards"), label("n"), label("count"), label("ready_share")],
                ready.to_dicts(),
                [counted("turn"), n_of, counted("count"), value("rate", as_percent=True)],
                "ready_turns",
                is_folded=True,
            )
        )
    return Section(
        f"{key}-win",
        Label("胡牌率", "Win rate"),
        charts=_win_charts(tables, key),
        tables=made,
    )


def _win_charts(tables: Tables, key: str) -> list[Chart]:
    """Win rate of seats and places, when hands are won, how soon seats are ready."""
    won = tables["win_rate"].filter((pl.col("measure") == "won") & (pl.col("group") != "others"))
    turns, ready = tables["win_turns"], tables["ready_turns"]
    groups = [label(group) for group in won["group"]]
    charts = [
        draw(
            partial(figures.win_rate_chart, tables["win_rate"]),
            f"{key}-win",
            Label("各座位与庄闲的胡牌率", "Win rate by seat and by place"),
            alt.ends(groups, won["rate"].to_list(), as_percent=True),
        ),
        draw(
            partial(figures.turn_chart, turns),
            f"{key}-turn",
            Label("第几巡胡牌", "When hands are won"),
            alt.ends(_turns(turns["win_turn"]), turns["rate"].to_list(), as_percent=True),
        ),
    ]
    if ready.height:
        charts.append(
            draw(
                partial(figures.ready_chart, ready, turns),
                f"{key}-ready",
                Label("多快听牌、胡牌", "How soon a seat is ready, and wins"),
                alt.ends(_turns(ready["turn"]), ready["rate"].to_list(), as_percent=True),
            )
        )
    return charts


def _turns(numbers: pl.Series) -> list[Label]:
    return alt.numbered(numbers.to_list(), label("own_discards"))


def _fan_frequency(run: Run, tables: Tables, key: str) -> Section:
    frame, heading = tables["fan_frequency"], Label("番型频率", "Fan frequency")
    can = possible.priced_patterns(run.rules)
    shown = frame.filter(pl.col("pattern").is_in(can))
    n_hands, n_wins = run.n_hands, int(tables["win_turns"]["count"].sum())
    return Section(
        f"{key}-fan",
        heading,
        text=[
            Label(
                "一次胡牌的每个番型各算一次，所以比例之和可超过100%。只计算分时起作用的番型：特殊牌型不再计别的番，"
                "被包含的番不另计，抢杠可能算作自摸，所以次数可少于牌面上出现的次数。"
                "次数不超过10的，每千局次数和占胡牌用精确区间，其余各列不给区间。"
                "分数是所有付分人付的总分，不计杠和马。",
                "A win counts for each of its patterns, so shares may add up to more than 100%. Only patterns that"
                " counted for the price are told: a special hand hides its extras, an implied pattern is dropped, a rob"
                " may count as self-draw; so a pattern can be seen more often on the table than stands here. Up to ten"
                " wins the frequency and the share of wins have exact intervals and the other columns none. Points are"
                " what all payers pay together, kongs and horses apart.",
            )
        ]
        if frame.height
        else [Label("本规则没有计分的番型。", "This rule set prices no pattern.")],
        charts=[
            draw(
                partial(figures.fan_chart, shown, run.rules),
                f"{key}-fan",
                Label("每千局的番型次数，对数轴", "Patterns in 1,000 hands, log axis"),
                alt.ends(
                    [pattern_label(slug, run.rules) for slug in shown["pattern"]], shown["per_1000_hands"].to_list()
                ),
            )
        ]
        if shown.height
        else [],
        tables=[
            table(
                Label("各番型", "By pattern"),
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
                    *(
                        where("pattern", can, cell)
                        for cell in (
                            counted("count"),
                            value("per_1000_hands"),
                            value("win_share", as_percent=True),
                            value("points_share", as_percent=True),
                            value("mean_points"),
                            value("mean_turn"),
                        )
                    ),
                ],
                "fan_frequency",
            )
        ],
        notes=[
            Label(f"局数 {n_hands:,}，胡牌 {n_wins:,}。", f"{counting(n_hands, 'hand')}, {counting(n_wins, 'win')}.")
        ],
    )
