"""How often hands of each worth are won: T14, T34."""

from __future__ import annotations

import dataclasses
import math
from functools import partial

import numpy as np
import polars as pl

from analysis.labels import Label, pattern_label
from analysis.tips.matched import against_level
from analysis.tips.model import Check, Found, Tip
from analysis.tips.moves import Trace
from analysis.tips.needs import chicken_minimum, priced, several_worths
from sim import patterns
from sim.rules import Rules

_POOR = 4  # shanten of the thirteen tiles dealt
_SMALLEST = 1.0


def _counted(slug: str) -> pl.Expr:
    return (pl.col("patterns") & (1 << patterns.INDEX[slug])) != 0


def _rivals(rules: Rules, of_shape: bool) -> list[str]:
    """Priced patterns other than 平胡: those of the hand's shape, or all that are worth a fan by themselves."""
    return [
        p.slug
        for p in patterns.PATTERNS
        if p.slug in rules.patterns
        and rules.patterns[p.slug].role != "none"
        and p.slug != "pinghu"
        and (p.scope == "shape" if of_shape else rules.patterns[p.slug].value > 0)
    ]


def _commonest(trace: Trace, poor: bool) -> Found:
    """Share of wins with 平胡 less the share with the commonest other pattern: the least of all differences.

    That 平胡 beats every other one is true only if it beats the worst for it, so the least difference alone is judged
    (intersection-union test: Berger 1982, Technometrics 24:295).
    """
    wins = trace.wins
    if poor:
        dealt = trace.hands.select("table", "hand", *(f"shanten_deal_{s}" for s in range(4)))
        at = pl.concat_list(f"shanten_deal_{s}" for s in range(4)).list.get(pl.col("winner"))
        wins = wins.join(dealt, on=["table", "hand"]).filter(at >= _POOR)
    rivals = _rivals(trace.rules, not poor)
    frame = wins.select("table", *(_counted(slug).cast(pl.Int8).alias(slug) for slug in ("pinghu", *rivals))).collect()
    found = []
    for slug in rivals:
        sample = frame.select("table", y=(pl.col("pinghu") - pl.col(slug)).cast(pl.Float64))
        found.append((against_level(sample, 0.0, trace.n_hands), slug))
    if not found or not frame.height:
        return Found(math.nan, math.nan, 0, 0, trace.n_hands, math.nan)
    least, slug = min(found, key=lambda pair: pair[0].effect)
    name = pattern_label(slug, trace.rules)
    share, other = frame.select(a=pl.col("pinghu").mean(), b=pl.col(slug).mean()).row(0)
    note = Label(
        f"平胡占{share:.1%}，最常见的另一种是{name.zh}，占{other:.1%}",
        f"all chows {share:.1%} of wins, the commonest other one is {name.en} with {other:.1%}",
    )
    return dataclasses.replace(least, case_mean=share, base_mean=other, note=note)


def _low_against_high(trace: Trace) -> Found:
    """Wins of less than the middle of the worths that occur less those of more; worth in fan, or points of a share."""
    wins = trace.wins.select("table", worth=pl.when(pl.col("fan") >= 0).then("fan").otherwise("points")).collect()
    levels = np.unique(wins["worth"].to_numpy())
    if len(levels) < 2:
        return Found(math.nan, math.nan, 0, 0, trace.n_hands, math.nan)
    middle = float(np.median(levels))
    sample = wins.select("table", y=(middle - pl.col("worth")).sign().cast(pl.Float64))
    rates = wins["worth"].value_counts().sort("worth")
    falls = int((rates["count"].diff().drop_nulls().cast(pl.Int64) < 0).sum())
    note = Label(
        f"共{len(levels)}种大小，逐级比较{len(levels) - 1}次，{falls}次越大越少",
        f"{len(levels)} worths; of {len(levels) - 1} steps up {falls} are to a rarer one",
    )
    return dataclasses.replace(against_level(sample, 0.0, trace.n_hands), note=note)


MINIMA = ("xinzhang:win.min_fan=1",)

TIPS = (
    Tip(
        "T14",
        Label(
            "有起胡番数而牌差：做最容易的番，依次是将、独听、平胡、缺五、短幺",
            "A poor hand under a minimum: the easiest fans, in the order 将, 独听, 平胡, 缺五, 短幺",
        ),
        Label(
            "新章一番起胡，起手四向听以上；五种里只有平胡在这里算番",
            "xinzhang with minimum 1, four or more shanten at the deal; of the five only 平胡 is a fan here",
        ),
        Label("胡牌时算到的番", "the fans that the win counted"),
        Label("最常见的另一种番", "the commonest other fan"),
        (
            Check(
                Label("靠平胡起胡的最多", "平胡 is the commonest fan of such wins"),
                "log",
                1,
                _SMALLEST,
                rules=MINIMA,
                find=partial(_commonest, poor=True),
                needs=lambda rules: chicken_minimum(rules) or priced("pinghu")(rules),
            ),
        ),
    ),
    Tip(
        "T34",
        Label("番越高越难胡，平胡最常见", "The higher the fan, the harder the hand; 平胡 is the commonest"),
        Label("所有胡牌", "all wins"),
        Label("番数；番型", "fan; pattern"),
        Label("其余番型", "other patterns"),
        (
            Check(
                Label(
                    "小牌比大牌多（以出现过的番数的中点为界）",
                    "small wins are commoner than big ones (parted at the middle of the worths that occur)",
                ),
                "log",
                1,
                _SMALLEST,
                "worth",
                find=_low_against_high,
                needs=several_worths,
            ),
            Check(
                Label("平胡比任何别的牌型都常见", "平胡 is commoner than any other shape"),
                "log",
                1,
                _SMALLEST,
                "pinghu",
                find=partial(_commonest, poor=False),
                needs=priced("pinghu"),
                also=("xinzhang", "guigang"),
            ),
        ),
    ),
)
