"""The four reports of one rule set: win rate, fan frequency, dealer advantage, horses."""

from __future__ import annotations

from functools import partial

import polars as pl

from analysis import figures, possible
from analysis.dealer_advantage import PARTS
from analysis.labels import Label, counting, label, pattern_label
from analysis.report import alt
from analysis.report.blocks import Chart, Section, Table, draw, table
from analysis.report.cells import Cell, of_row, percentage_points, words
from analysis.report.columns import Row, counted, gap, n_of, named, pivot, value, value_in, where
from analysis.report.horses import horse_section
from analysis.scan import Run
from analysis.tables import Tables


def sections(run: Run, tables: Tables, key: str) -> list[Section]:
    """Every section of a rule set's report; ``key`` is unique to it on the page."""
    return [
        _win_rate(run, tables, key),
        _fan_frequency(run, tables, key),
        _dealer_advantage(run, tables, key),
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


def _dealer_advantage(run: Run, tables: Tables, key: str) -> Section:
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
