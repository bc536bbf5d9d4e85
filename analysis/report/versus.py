"""What changes from one rule set to another, in plain words: which rules differ, and what that does.

The two runs are taken as independent of each other, which errs on the wide side where they share their walls.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import polars as pl

from analysis.digits import even
from analysis.labels import Label
from analysis.overrides import base_file
from analysis.report.blocks import Table
from analysis.report.cells import words
from analysis.report.found import Comparison
from analysis.rule_words import Difference, differences
from sim.rules import Rules

Row = Mapping[str, Any]
_FEW_FIELDS = 3  # so many changed rules are named in the sentence itself
# Measures of `analysis.compare.measures` that ask the same as a clause.
_COMPARED = {"washout": "washout", "points_sd": "points_sd", "dealer_net": "dealer_points"}
_MANY = 4_000  # with fewer events a number without an interval is not compared


class Value(NamedTuple):
    """A number, half the width of its interval and its limits; None where they are unknown."""

    value: float
    half: float | None
    low: float | None = None
    high: float | None = None


class Clause(NamedTuple):
    """What is said of one number: its name, and the words for more and for less of it."""

    measure: str
    unit: str  # ratio: in per cent of the first; rate: percentage points; plain: as it is
    is_points: bool  # only told where a point is the same in both rule sets
    name: Label
    more: Label
    less: Label


_CLAUSES = (
    Clause(
        "pay",
        "ratio",
        True,
        Label("每次胡牌的收分", "what a win pays"),
        Label("每次胡牌（连马，不计杠）多收{}", "a win, horses included, pays {} more"),
        Label("每次胡牌（连马，不计杠）少收{}", "a win, horses included, pays {} less"),
    ),
    Clause(
        "points_sd",
        "ratio",
        True,
        Label("得分的波动", "the spread of points"),
        Label(
            "每局得分的波动（标准差）增大{}，一场牌的波动也约增大这么多",
            "the spread of a seat's points in a hand, and about so that of a session, grows by {}",
        ),
        Label(
            "每局得分的波动（标准差）减小{}，一场牌的波动也约减小这么多",
            "the spread of a seat's points in a hand, and about so that of a session, shrinks by {}",
        ),
    ),
    Clause(
        "washout",
        "rate",
        False,
        Label("流局", "washouts"),
        Label("流局多{}", "hands are washed out more often, by {}"),
        Label("流局少{}", "hands are washed out less often, by {}"),
    ),
    Clause(
        "win_by_zimo",
        "rate",
        False,
        Label("自摸", "self-draws"),
        Label("自摸结束的多{}", "hands end by self-draw more often, by {}"),
        Label("自摸结束的少{}", "hands end by self-draw less often, by {}"),
    ),
    Clause(
        "win_turn",
        "plain",
        False,
        Label("胡牌的早晚", "when hands are won"),
        Label("胡牌晚{}巡", "a win comes {} own discards later"),
        Label("胡牌早{}巡", "a win comes {} own discards earlier"),
    ),
    Clause(
        "dealer_lead",
        "rate",
        False,
        Label("庄家胡牌率的领先", "the dealer's lead in win rate"),
        Label("庄家胡牌率的领先大{}", "the dealer's lead in win rate is larger by {}"),
        Label("庄家胡牌率的领先小{}", "the dealer's lead in win rate is smaller by {}"),
    ),
    Clause(
        "dealer_points",
        "plain",
        True,
        Label("庄家每局净分", "the dealer's points in a hand"),
        Label("庄家每局净分多{}", "the dealer's points in a hand are more, by {}"),
        Label("庄家每局净分少{}", "the dealer's points in a hand are fewer, by {}"),
    ),
)


@dataclass(frozen=True)
class Versus:
    """One rule set against another: sentences, and the table of the rules that differ."""

    heading: Label
    sentences: list[Label]
    rules: Table


def versus(
    first: Rules,
    second: Rules,
    names: tuple[Label, Label],
    numbers: tuple[pl.DataFrame, pl.DataFrame],
    compared: Comparison | None = None,
) -> Versus:
    """Tell what ``second`` does differently from ``first``.

    Parameters
    ----------
    numbers
        Headline numbers of both (`analysis.headline.headline`).
    compared
        A comparison on common walls, which may have found what the runs alone do not show.
    """
    found = [one for one in differences(first, second) if one.effect]
    before, after = (_values(frame) for frame in numbers)
    told = [*_effects(before, after, shares_points(first, second, found))]
    clear = [text for _, text, is_clear in told if is_clear]
    differ = compared.measures_that_differ(first.digest(), second.digest()) if compared else set()
    seen = {_COMPARED[measure] for measure in differ if measure in _COMPARED}
    finer = [text for measure, text, is_clear in told if not is_clear and measure in seen]
    unclear = [text for measure, text, is_clear in told if not is_clear and measure not in seen]
    sentences = [_changes(found, clear)]
    if finer:
        sentences.append(
            Label(
                f"只凭这两次模拟看不出，但在同样的牌墙上gdmj compare看出差别的：{'、'.join(name.zh for name in finer)}"
                "（见「逐项比较规则」）。",
                "These runs alone do not show it, but on common walls gdmj compare finds a difference in"
                f" {_listed(finer)} (see 'Switches of the rules, one by one').",
            )
        )
    if unclear:
        sentences.append(
            Label(
                f"只凭这两次模拟看不出差别的：{'、'.join(name.zh for name in unclear)}。"
                "gdmj compare用同样的牌墙，能看出更小的差别。",
                f"These runs alone show no clear difference in {_listed(unclear)};"
                " gdmj compare, on common walls, sees finer ones.",
            )
        )
    return Versus(
        Label(f"{names[1].zh}，与{names[0].zh}相比", f"{names[1].en}, against {names[0].en}"),
        sentences,
        _table(found, names),
    )


def _listed(names: list[Label]) -> str:
    return ", ".join(name.en for name in names)


_MOST_AND_LEAST = (
    ("washout", True, Label("流局", "washouts")),
    ("win_turn", False, Label("胡牌前自己打出的张数", "own discards before a win")),
    ("dealer_lead", True, Label("庄家胡牌率的领先", "the dealer's lead in win rate")),
    ("swing", False, Label("每局得分的波动，以平均每次胡牌的收分为1", "spread of a hand's points, in average wins")),
)
_MUCH = 1.1  # a ratio of spreads, which have no intervals here, that is worth a sentence


def extremes(names: Mapping[str, Label], numbers: Mapping[str, pl.DataFrame]) -> list[Label]:
    """Which of three or more rule sets has most and least of what needs no common unit; only what clearly differs."""
    if len(numbers) < 3:
        return []
    values = {key: _values(frame) for key, frame in numbers.items()}
    told = []
    for measure, is_rate, what in _MOST_AND_LEAST:
        known = {key: found[measure] for key, found in values.items() if measure in found}
        if len(known) < 3:
            continue
        least, most = (pick(known, key=lambda key: known[key].value) for pick in (min, max))
        if _is_apart(known[least], known[most]):
            low, high = (_short(known[key], is_rate) for key in (least, most))
            told.append(
                Label(
                    f"{what.zh}：最多{names[most].zh}（{high}），最少{names[least].zh}（{low}）。",
                    f"{_capital(what.en)}: most in {names[most].en} ({high}), least in {names[least].en} ({low}).",
                )
            )
    return told


def _short(found: Value, is_rate: bool) -> str:
    text, interval = even(found.value, found.low, found.high, 100.0 if is_rate else 1.0)
    return f"{text}{'%' if is_rate else ''} {interval}".strip()


def _is_apart(least: Value, most: Value) -> bool:
    if least.half is None or most.half is None:
        return most.value > _MUCH * least.value
    return most.value - most.half > least.value + least.half


def shares_points(first: Rules, second: Rules, found: list[Difference]) -> bool:
    """Whether a point is the same in both: one is the other with fields changed, or they differ in few."""
    bases = {base_file(first) or f"{first.slug}.toml", base_file(second) or f"{second.slug}.toml"}
    is_few = len(found) <= 2 * _FEW_FIELDS
    return (len(bases) == 1 or is_few) and first.scoring.base == second.scoring.base


def _values(numbers: pl.DataFrame) -> dict[str, Value]:
    """Headline numbers that can be compared, and two made of them: ``pay`` and ``swing``."""
    known = {}
    for row in numbers.iter_rows(named=True):
        if row["value"] is None or math.isnan(row["value"]):
            continue
        if row["low"] is not None:
            known[row["measure"]] = Value(row["value"], (row["high"] - row["low"]) / 2, row["low"], row["high"])
        elif row["n"] >= _MANY:
            # A mean that never varies has no interval; a spread may come from wins that are still to be seen.
            known[row["measure"]] = Value(row["value"], None if row["measure"] == "points_sd" else 0.0)
    if "win_points" in known:
        known["pay"] = _sum(known["win_points"], known.get("horse_points", Value(0.0, 0.0)))
        if known["pay"].value > 0 and "points_sd" in known:
            known["swing"] = Value(known["points_sd"].value / known["pay"].value, None)
    return known


def _sum(a: Value, b: Value) -> Value:
    """Sum of two means of the same wins; whatever their correlation, the errors add up to no more."""
    return Value(a.value + b.value, None if a.half is None or b.half is None else a.half + b.half)


def _effects(
    before: Mapping[str, Value], after: Mapping[str, Value], is_same_point: bool
) -> list[tuple[str, Label, bool]]:
    """Measures with clauses of what clearly changed (True), and names of what did not."""
    return [
        (clause.measure, *_clause(before[clause.measure], after[clause.measure], clause))
        for clause in _CLAUSES
        if clause.measure in before and clause.measure in after and (is_same_point or not clause.is_points)
    ]


def _clause(a: Value, b: Value, clause: Clause) -> tuple[Label, bool]:
    if clause.unit == "ratio" and min(a.value, b.value) <= 0:
        return clause.name, False
    is_known = a.half is not None and b.half is not None
    gap, half = _ratio(a, b) if clause.unit == "ratio" else _difference(a, b)
    if gap == 0 or (is_known and abs(gap) <= half):
        return clause.name, False
    ends = [gap, gap - half, gap + half]
    if clause.unit == "ratio":
        ends = [math.expm1(value) for value in ends]
    value, low, high = abs(ends[0]), *sorted(map(abs, ends[1:]))
    scale = 1.0 if clause.unit == "plain" else 100.0
    text, interval = even(value, low, high, scale) if is_known else (f"{scale * value:.2g}", "")
    zh_unit, en_unit = {"ratio": ("%", "%"), "rate": ("个百分点", " percentage points"), "plain": ("", "")}[clause.unit]
    about = ("", "") if is_known else ("约", "about ")
    told = clause.more if gap > 0 else clause.less
    return Label(
        told.zh.format(f"{about[0]}{text}{zh_unit} {interval}".strip()),
        told.en.format(f"{about[1]}{text}{en_unit} {interval}".strip()),
    ), True


def _ratio(a: Value, b: Value) -> tuple[float, float]:
    """Logarithm of b / a and half the width of its interval."""
    return math.log(b.value / a.value), math.hypot((a.half or 0) / a.value, (b.half or 0) / b.value)


def _difference(a: Value, b: Value) -> tuple[float, float]:
    return b.value - a.value, math.hypot(a.half or 0, b.half or 0)


def _changes(found: list[Difference], clear: list[Label]) -> Label:
    """One sentence: the rules that differ, or how many, and what clearly changes."""
    zh, en = "；".join(text.zh for text in clear), "; ".join(text.en for text in clear)
    if not found:
        opening = Label("两套规则打起来没有不同", "no rule differs in effect")
    elif len(found) > _FEW_FIELDS:
        opening = Label(f"有{len(found)}条规则不同", f"{len(found)} rules differ")
    else:
        opening = Label(
            "，".join(f"{one.label[0]}{one.second[0]}（而不是{one.first[0]}）" for one in found),
            f"with {', '.join(map(_in_words, found))}",
        )
    return Label(f"{opening.zh}{'：' if zh else ''}{zh}。", f"{_capital(opening.en)}{': ' if en else ''}{en}.")


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _in_words(one: Difference) -> str:
    if one.path == "horses.count":
        return f"{one.second[1]} horse{'' if one.second[1] == '1' else 's'} instead of {one.first[1]}"
    return f"{one.label[1]} '{one.second[1]}' instead of '{one.first[1]}'"


def _table(found: list[Difference], names: tuple[Label, Label]) -> Table:
    return Table(
        Label("不同的规则", "Rules that differ"),
        [Label("规则", "rule"), *names],
        [[words(Label(*one.label)), words(Label(*one.first)), words(Label(*one.second))] for one in found],
        is_folded=True,
    )
