"""What a rule set's report says in plain words: sentences with numbers from its tables."""

from __future__ import annotations

from typing import Any

import polars as pl

from analysis import possible
from analysis.digits import even
from analysis.horse_wins import departures, own_number
from analysis.labels import Label, counting, pattern_label
from analysis.scan import Run
from analysis.tables import Tables
from sim.patterns import PATTERNS

Row = dict[str, Any]


def _with_interval(row: Row, as_percent: bool = False) -> str:
    value, interval = even(row["value"], row["low"], row["high"], 100.0 if as_percent else 1.0)
    return f"{value}{'%' if as_percent else ''} {interval}".strip()


def _ending(picked: dict[str, Row]) -> Label:
    zh, en = [], []
    for name, word, gloss in (
        ("win_by_zimo", "自摸", "self-draw"),
        ("win_by_dianpao", "点炮", "a discard"),
        ("win_by_qianggang", "抢杠", "robbing a kong"),
    ):
        if picked[name]["value"] > 0:
            zh.append(f"{word}{_with_interval(picked[name], True)}")
            en.append(f"{_with_interval(picked[name], True)} end by {gloss}")
    washout, turn = _with_interval(picked["washout"], True), _with_interval(picked["win_turn"])
    return Label(
        f"结束方式：{'，'.join(zh)}，流局{washout}。平均在自己打出{turn}张后胡牌。",
        f"Of all hands, {', '.join(en)}, {washout} are washouts. A win comes after {turn} own discards on average.",
    )


def _lead(picked: dict[str, Row]) -> Label:
    row = picked["dealer_lead"]
    value = _with_interval(
        row | {key: None if row[key] is None else 100 * row[key] for key in ("value", "low", "high")}
    )
    if row["low"] is None or row["low"] <= 0 <= row["high"]:
        return Label(
            f"庄家与闲家的胡牌率看不出差别（相差{value}个百分点）。",
            f"Dealer and other seats do not differ clearly in win rate (difference {value} percentage points).",
        )
    more = row["value"] > 0
    return Label(
        f"庄家的胡牌率比一个闲家{'高' if more else '低'}，相差{value}个百分点。",
        f"The dealer wins {'more' if more else 'less'} often than another seat (difference {value} percentage points).",
    )


def _dealing(picked: dict[str, Row]) -> Label:
    points = _with_interval(picked["dealer_points"])
    if "deal_points" not in picked or picked["deal_hands"]["value"] is None:
        return Label(f"做庄每局净得{points}分。", f"A hand as dealer is worth {points} points.")
    hands, turn = _with_interval(picked["deal_hands"]), _with_interval(picked["deal_points"])
    return Label(
        f"做庄每局净得{points}分；每次做庄平均{hands}局，共净得{turn}分。",
        f"A hand as dealer is worth {points} points; a turn as dealer lasts {hands} hands and is worth {turn} points.",
    )


def _patterns(run: Run, tables: Tables) -> Label | None:
    """Commonest pattern of the tiles themselves; how a hand was won is told elsewhere."""
    shapes = [pattern.slug for pattern in PATTERNS if pattern.scope == "shape"]
    can = possible.priced_patterns(run.rules)
    priced = tables["fan_frequency"].filter(pl.col("pattern").is_in([slug for slug in shapes if slug in can]))
    seen = priced.filter(pl.col("count") > 0)
    if seen.is_empty():
        return None
    first = seen.row(0, named=True)
    common = pattern_label(first["pattern"], run.rules)
    share = even(first["win_share"], first["win_share_low"], first["win_share_high"], 100.0)
    zh = f"最常见的牌型是{common.zh}，占胡牌的{share[0]}% {share[1]}"
    en = f"The commonest pattern of tiles is '{common.en}', in {share[0]}% {share[1]} of wins"
    unseen = priced.height - seen.height
    if unseen:
        zh, en = (
            f"{zh}；{unseen}种牌型没有出现",
            f"{en}; {unseen} of {priced.height} {'was' if unseen == 1 else 'were'} never seen",
        )
    return Label(f"{zh}。", f"{en}.")


def _horses(run: Run, picked: dict[str, Row]) -> Label | None:
    if "horse_points" not in picked:
        return None
    value, n = _with_interval(picked["horse_points"]), own_number(run.rules)
    if run.rules.horses.kind == "held":
        return Label(
            f"每家持{n}匹马，胡牌人每次胡牌平均因四家的马共净得{value}分。",
            f"Each seat holds {counting(n, 'horse')}; a winner nets {value} points from the horses of all"
            " seats in a win on average.",
        )
    if departures(run.rules):
        return Label(
            f"胡牌人抓马，每次胡牌平均多得{value}分。",
            f"The winner draws horses, worth {value} points in a win on average.",
        )
    return Label(
        f"胡牌人抓{n}匹马，每次胡牌平均多得{value}分。",
        f"The winner draws {counting(n, 'horse')}, worth {value} points in a win on average.",
    )


def summary(run: Run, tables: Tables, headline: pl.DataFrame) -> list[Label]:
    """Sentences about one rule set."""
    picked = {row["measure"]: row for row in headline.iter_rows(named=True)}
    opening = Label(
        f"{run.n_hands:,}局，机器人 {'、'.join(dict.fromkeys(run.manifest['bots']))}。",
        f"{counting(run.n_hands, 'hand')}, bots {', '.join(dict.fromkeys(run.manifest['bots']))}.",
    )
    sentences = [opening, _ending(picked) if "win_turn" in picked else None, _lead(picked), _dealing(picked)]
    return [sentence for sentence in (*sentences, _patterns(run, tables), _horses(run, picked)) if sentence]
