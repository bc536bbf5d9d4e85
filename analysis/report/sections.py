"""The four reports of one rule set: win rate, fan frequency, dealer advantage, horses."""

from __future__ import annotations

from functools import partial
from typing import Any

import polars as pl

from analysis import figures
from analysis.horse_wins import KINDS, ORIGINS
from analysis.labels import Label, label, pattern_label
from analysis.report.blocks import Section, Table, draw, table
from analysis.report.cells import Cell, count, of_row, words
from analysis.scan import Run
from analysis.tables import Tables, shown_horses

Row = dict[str, Any]


def sections(run: Run, tables: Tables, key: str) -> list[Section]:
    """Every section of a rule set's report; ``key`` is unique to it on the page."""
    return [
        _win_rate(run, tables, key),
        _fan_frequency(run, tables, key),
        _dealer_advantage(tables, key),
        _horses(run, tables, key),
    ]


def _text(name: str, prefix: str = "") -> Any:
    return lambda row: words(label(prefix + row[name]))


def _n(row: Row) -> Cell:
    return count(row["n"])


def _value(name: str, as_percent: bool = False) -> Any:
    return lambda row: of_row(row, name, as_percent)


def _pivot(frame: pl.DataFrame, index: str, name: str, columns: list[str]) -> list[Row]:
    """One row for each ``index`` with a row of the frame under each column's name."""
    rows: dict[str, Row] = {}
    for row in frame.iter_rows(named=True):
        rows.setdefault(row[index], {index: row[index], "n": row["n"]})[row[name]] = row
    return [row for row in rows.values() if all(column in row for column in columns)]


def _win_rate(run: Run, tables: Tables, key: str) -> Section:
    ways = [f"won_{way}" for way in ("zimo", "dianpao", "qianggang") if way in run.rules.win.ways]
    columns = ["won", *ways, *(["dealt_in"] if ways != ["won_zimo"] else [])]
    heads = [label("group"), label("n"), *(label(name) for name in columns)]
    cells = [_text("group"), _n, *(partial(_rate_of, name=name) for name in columns)]

    def by_group(name: str, caption: Label) -> Table:
        return table(caption, heads, _pivot(tables[name], "group", "measure", columns), cells, name)

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
            [_text("outcome"), _n, lambda row: count(row["count"]), _value("rate", True)],
            "outcomes",
        ),
        table(
            Label("平均胡牌巡目（自己打出的张数）", "Mean win turn (own discards)"),
            [label("source"), label("n_wins"), label("mean")],
            tables["mean_win_turn"].to_dicts(),
            [_text("source"), _n, _value("mean")],
            "mean_win_turn",
        ),
        table(
            Label("胡牌巡目的分布", "Distribution of the win turn"),
            [label("turn"), label("count"), label("share_of_wins")],
            tables["win_turns"].to_dicts(),
            [lambda row: count(row["win_turn"]), lambda row: count(row["count"]), _value("rate", True)],
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


def _rate_of(row: Row, name: str) -> Cell:
    return of_row(row[name], "rate", as_percent=True)


def _fan_frequency(run: Run, tables: Tables, key: str) -> Section:
    frame = tables["fan_frequency"]
    heading = Label("番型频率", "Fan frequency")
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
                    for name in ("pattern", "count", "per_1000_hands", "win_share", "points_share", "mean_points", "mean_turn")
                ],
                frame.to_dicts(),
                [
                    lambda row: words(pattern_label(row["pattern"], run.rules)),
                    lambda row: count(row["count"]),
                    _value("per_1000_hands"),
                    _value("win_share", True),
                    _value("points_share", True),
                    _value("mean_points"),
                    _value("mean_turn"),
                ],
                "fan_frequency",
            )
        ],
        notes=[
            Label(
                f"局数 {frame['n_hands'].max():,}，胡牌 {frame['n_wins'].max() or 0:,}。",
                f"{frame['n_hands'].max():,} hands, {frame['n_wins'].max() or 0:,} wins.",
            )
        ]
        if frame.height
        else [],
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
            _pivot(frame, "measure", "group", groups),
            [_text("measure"), _n, *(partial(_dealer_cell, group=group) for group in groups)],
            "dealer_advantage",
        ),
        table(
            Label("庄家胡牌率领先的来源", "Where the dealer's lead in wins comes from"),
            [label("part"), label("n_hands"), label("dealer_lead")],
            tables["first_draw"].to_dicts(),
            [_text("part"), _n, _value("mean", True)],
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
                [_text("measure"), _n, _value("mean")],
                "deal_turn",
            ),
            table(
                Label("连庄", "Repeat deals"),
                [label(name) for name in ("length", "n", "keep_rate", "reach_rate")],
                tables["repeat_lengths"].to_dicts(),
                [lambda row: count(row["length"]), _n, _value("keep_rate", True), _value("reach_rate", True)],
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
                "'From drawing first': the dealer acts first in each round, so when a hand ends the others have often had one"
                " chance fewer; the difference in win rates is split by turn (Kitagawa 1955). 'The rest' is the difference at"
                " equal turns: where tiles are claimed it is often below zero, since later seats have then seen more discards.",
            )
        ],
        charts=charts,
        tables=made,
    )


def _horses(run: Run, tables: Tables, key: str) -> Section:
    kind, origin, n_horses = shown_horses(run.rules)
    frame, heading = tables["horse_expectation"], Label("买马期望", "Horse expectation")
    own = run.rules.horses
    setting = Label(
        f"{label(kind).zh}，{label(f'origin.{origin}').zh}，{n_horses}匹" + ("" if own.count else "（假设）"),
        f"{label(kind).en}, {label(f'origin.{origin}').en}, {n_horses} horses" + ("" if own.count else " (what if)"),
    )
    shown = frame.filter((pl.col("kind") == kind) & (pl.col("origin") == origin))
    return Section(
        f"{key}-horse",
        heading,
        text=[
            Label(
                "精确值：每局已知可能成为马的牌，马是其中不放回的抽样，期望与方差可直接算出。抽样值：用实际翻出的牌。"
                "粗算：用整副牌的比例 k×n/N。每次胡牌为一个单位。净份数：从马得到的付分次数减去付出的次数。",
                "Exact: given the tiles that could become horses, they are a sample without replacement, so mean and variance of"
                " each hand are known. Sampled: the tiles that came. Naive: shares of the whole deck, k×n/N. The unit is one win."
                " Net shares: payments gained from horses less payments made.",
            )
        ],
        charts=[
            draw(partial(figures.horse_mean_chart, frame, kind, origin, own.count), f"{key}-horse", heading),
            draw(
                partial(figures.horse_distribution_chart, tables["horse_distribution"], kind, n_horses),
                f"{key}-hits",
                label(f"shares.{kind}"),
            ),
        ],
        tables=[
            _horse_roles(shown.filter(pl.col("n_horses") == n_horses), kind, setting),
            _horse_numbers(shown, kind, setting),
            _what_if(frame, run),
        ],
    )


def _sd(row: Row) -> Cell:
    """Standard deviation from a variance and its interval."""
    root = [None if v is None else max(v, 0.0) ** 0.5 for v in (row[f"exact_variance{s}"] for s in ("", "_low", "_high"))]
    return of_row({"sd": root[0], "low": root[1], "high": root[2]}, "sd")


def _horse_roles(frame: pl.DataFrame, kind: str, setting: Label) -> Table:
    rows = _pivot(frame, "role", "quantity", ["shares", "points"])
    return table(
        setting,
        [
            label("role"),
            label("n"),
            label(f"shares.{kind}"),
            *(Label(f"{label('horse').zh}·{label(m).zh}", f"{label('horse').en}, {label(m).en}") for m in ("exact", "sampled", "naive")),
            label("sd"),
        ],
        rows,
        [
            _text("role", "role."),
            _n,
            lambda row: of_row(row["shares"], "exact"),
            lambda row: of_row(row["points"], "exact"),
            lambda row: of_row(row["points"], "sampled"),
            lambda row: of_row({"naive": row["points"]["naive"]}, "naive"),
            lambda row: _sd(row["points"]),
        ],
        "horse_expectation",
    )


def _horse_numbers(frame: pl.DataFrame, kind: str, setting: Label) -> Table:
    role = "winner" if kind == "drawn" else "all"
    chosen = frame.filter((pl.col("role") == role) & (pl.col("quantity") == "shares"))
    name = label(f"shares.{kind}")
    return table(
        Label(
            f"{name.zh}的期望，{label(f'role.{role}').zh}，按马数（{setting.zh.rsplit('，', 1)[0]}）",
            f"Mean {name.en} by number of horses, {label(f'role.{role}').en} ({setting.en.rsplit(', ', 1)[0]})",
        ),
        [label("n_horses"), label("n"), label("exact"), label("sampled"), label("naive"), label("sd")],
        chosen.to_dicts(),
        [
            lambda row: count(row["n_horses"]),
            _n,
            _value("exact"),
            _value("sampled"),
            lambda row: of_row({"naive": row["naive"]}, "naive"),
            _sd,
        ],
        "horse_expectation",
        is_folded=True,
    )


def _what_if(frame: pl.DataFrame, run: Run) -> Table:
    wanted = frame.filter(
        (pl.col("quantity") == "points")
        & (((pl.col("kind") == "drawn") & (pl.col("role") == "winner")) | ((pl.col("kind") == "held") & (pl.col("role") == "all")))
    ).with_columns(setting=pl.col("kind") + ":" + pl.col("origin"))
    columns = [f"{kind}:{origin}" for kind in KINDS for origin in ORIGINS]
    own = run.rules.horses

    def head(name: str) -> Label:
        kind, origin = name.split(":")
        mark = " ★" if (own.kind, own.origin) == (kind, origin) else ""
        return Label(
            f"{label(kind).zh}，{label(f'origin.{origin}').zh}{mark}", f"{label(kind).en}, {label(f'origin.{origin}').en}{mark}"
        )

    def cell(name: str) -> Any:
        return lambda row: of_row(row[name], "exact")

    return table(
        Label(
            "假如：每次胡牌的马分（精确值；奖马为胡牌人，买马为任一家）" + ("；★ 本规则" if own.count else ""),
            "What if: horse points in a win (exact; drawn: the winner's, held: any seat's)" + ("; ★ own rule" if own.count else ""),
        ),
        [label("n_horses"), *(head(name) for name in columns)],
        _pivot(wanted, "n_horses", "setting", columns),
        [lambda row: count(row["n_horses"]), *(cell(name) for name in columns)],
        "horse_expectation",
        is_folded=True,
    )

