"""Who is ready, and who draws the win: T24, T25, T27."""

from __future__ import annotations

import numpy as np
import polars as pl

from analysis.labels import Label
from analysis.tips.model import Check, Tip
from analysis.tips.moves import NOTHING, Trace, frame, mover
from sim.schema import HU, PENG
from sim.tiles import N_SEATS

_TENTH = 9  # own discards before the tenth
_MOST_COPIES = 8


def _tenth_turn(trace: Trace) -> pl.DataFrame:
    rows = trace.rows("shanten", where=pl.col("turn") == _TENTH)
    return frame(rows, y=rows.at("shanten", rows.seat) <= 1)


def _ready_by_the_tenth(trace: Trace) -> pl.DataFrame:
    """Whether a seat was ready by its tenth discard, over all seats of all hands."""
    turns = [pl.col(f"ready_turn_{s}") for s in range(N_SEATS)]
    hands = trace.hands.select("table", pl.concat_list(turns).alias("turn")).explode("turn").collect()
    return hands.select("table", y=pl.col("turn") <= _TENTH + 1)


def _somebody_else(trace: Trace) -> pl.DataFrame:
    """Discards that leave the seat ready: whether some opponent is ready."""
    rows = trace.rows("shanten", where=mover("waits") != 0)
    others = np.min([rows.at("shanten", (rows.seat + j) % N_SEATS) for j in range(1, N_SEATS)], axis=0)
    return frame(rows, y=others <= 0)


def _next_draw(trace: Trace) -> pl.DataFrame:
    """Discards that nobody takes: whether the next player wins by its draw, after a pung or after a draw."""
    rows = trace.rows(
        "before", "taken_by", "next_move", "next_from", "shanten", "accept", where=pl.col("taken_by") == 0
    )
    rows = rows.take(rows["next_move"] != NOTHING)
    following = (rows.seat + 1) % N_SEATS
    ready = rows.at("shanten", following) == 0
    y = (rows["next_move"] == HU) & (rows["next_from"] < 0)
    accept = np.where(ready, np.minimum(rows.at("accept", following), _MOST_COPIES), -1)
    return frame(rows, case=rows["before"] == PENG, y=y, turn=rows["turn"], accept=accept)


TIPS = (
    Tip(
        "T24",
        Label("第十巡起，多半已听或一向听", "From the tenth turn on most are ready or one away"),
        Label("打第十张", "the tenth discard"),
        Label("打后向听不超过一；第十巡前听过牌", "shanten at most 1 after it; ready by then"),
        Label("一半", "one half"),
        (
            Check(
                Label(
                    "第十巡的人过半已听或一向听（未胡完的局）",
                    "of those who make a tenth discard more than half are ready or one away",
                ),
                "level",
                1,
                0.0,
                "near",
                _tenth_turn,
                level=0.5,
            ),
            Check(
                Label(
                    "听牌巡目的中位数不超过十（所有人）", "the median turn of readiness is at most ten, over all seats"
                ),
                "level",
                1,
                0.0,
                "median",
                _ready_by_the_tenth,
                level=0.5,
            ),
        ),
    ),
    Tip(
        "T25",
        Label("上碰下自摸", "After the previous player pongs, the next one self-draws"),
        Label(
            "上家碰后打牌，无人要，轮到下家摸",
            "the previous player pongs and discards, nobody takes it, the next one draws",
        ),
        Label("这一摸自摸胡", "wins by that draw"),
        Label(
            "上家摸牌后打牌，下家同样听否、活张相同",
            "the previous player drew and discarded; equal readiness and live copies",
        ),
        (
            Check(
                Label("碰后下家这一摸更容易自摸", "the draw after a pung wins more often"),
                "log",
                1,
                0.5,
                "",
                _next_draw,
                ("turn", "accept"),
                Label("巡目、下家听否与未见张数", "turn, whether ready, live copies of the waits"),
            ),
        ),
    ),
    Tip(
        "T27",
        Label("我听时别人也听，十有九", "When I am ready so is somebody else, nine times in ten"),
        Label("打牌后听牌", "ready after a discard"),
        Label("至少一个对手已听", "at least one opponent is ready"),
        Label("九成", "nine in ten"),
        (
            Check(
                Label("九成以上的时候有对手已听", "some opponent is ready more than nine times in ten"),
                "level",
                1,
                0.0,
                "",
                _somebody_else,
                level=0.9,
            ),
        ),
    ),
)
