"""What the seat that horses count from gains: T29."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import polars as pl

from analysis.horse_wins import deck_classes, drawn, horse_wins, own_number
from analysis.labels import Label
from analysis.scan import N_SEATS
from analysis.tips.matched import against_level, matched
from analysis.tips.model import Check, Found, Tip
from analysis.tips.moves import Trace
from sim.rules import Rules

HITS = "hits a win"


def _uneven(rules: Rules) -> Label | None:
    """Drawn horses whose first class has more tiles, counted from a seat that need not be the winner."""
    horses = rules.horses
    if horses.kind != "drawn" or horses.hit != "class":
        return Label("胡牌人不按座位抓马", "the winner draws no horses by seat")
    if horses.origin == "winner":
        return Label("马从胡牌人数起，一、五、九总中", "horses count from the winner: 1, 5, 9 always hit")
    deck = deck_classes(rules)
    return None if deck[0] > deck[1:].max() else Label("四组马一样多", "the four classes have equally many tiles")


def hits(trace: Trace) -> pl.DataFrame:
    """Count the hits of each logged win.

    Returns
    -------
    ``table, seat_one`` (the winner is who horses count from), ``exact`` (mean hits given the tiles
    that could be drawn), ``sampled``.
    """
    rules = trace.rules
    n = own_number(rules)
    wins = horse_wins(trace.pools, rules, "drawn", rules.horses.origin)
    classes = [pl.col(f"class_shares_{c}") for c in range(N_SEATS)]
    share = pl.sum_horizontal(pl.col(f"pool_{c}") * classes[c] for c in range(N_SEATS)) / pl.col("n_pool").clip(1)
    return wins.select(
        "table",
        seat_one=classes[0] > 0,
        exact=pl.min_horizontal(pl.lit(n), "n_pool").cast(pl.Float64) * share,
        sampled=drawn(n)[-1].cast(pl.Float64),
    ).collect()


def deck_gain(rules: Rules) -> float:
    """Hits that the first class has more than the mean of the others, from the whole deck."""
    deck = deck_classes(rules)
    return float(own_number(rules) * (deck[0] - np.mean(deck[1:])) / deck.sum())


def _gain(trace: Trace) -> Found:
    frame = hits(trace)
    if not frame.height:
        return Found(math.nan, math.nan, 0, 0, trace.n_hands, math.nan)
    found = matched(frame.select("table", case="seat_one", y="exact"), (), trace.n_hands)
    sampled = matched(frame.select("table", case="seat_one", y="sampled"), (), trace.n_hands)
    note = Label(
        f"抽到的马：{sampled.effect:+.4f}；全副牌推算：{deck_gain(trace.rules):+.4f}",
        f"by the horses drawn {sampled.effect:+.4f}; by the whole deck {deck_gain(trace.rules):+.4f}",
    )
    return dataclasses.replace(found, note=note)


def _sampled_less_exact(trace: Trace) -> Found:
    frame = hits(trace).filter("seat_one")
    if not frame.height:
        return Found(math.nan, math.nan, 0, 0, trace.n_hands, math.nan)
    return against_level(frame.select("table", y=pl.col("sampled") - pl.col("exact")), 0.0, trace.n_hands)


TIPS = (
    Tip(
        "T29",
        Label("坐“一”的位子多八张马", "Seat “1” has eight more horse tiles"),
        Label("抓马，从上局胡牌人数起", "drawn horses, counted from the previous winner"),
        Label("胡牌时中的马数", "horses that hit in a win"),
        Label("坐其他位子的胡牌人", "winners in the other seats"),
        (
            Check(
                Label(
                    "坐“一”的人胡牌时中马更多（按每局剩下的牌精确计算）",
                    "seat “1” hits more in a win (exact, given the tiles left)",
                ),
                "exact",
                1,
                0.05,
                "gain",
                find=_gain,
                needs=_uneven,
                unit=HITS,
            ),
            Check(
                Label("实际抽到的与精确值一致", "the horses drawn agree with the exact value"),
                "exact",
                0,
                0.05,
                "agrees",
                find=_sampled_less_exact,
                needs=_uneven,
                unit=HITS,
            ),
        ),
    ),
)
