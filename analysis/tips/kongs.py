"""Kongs that are robbed: T30, T33."""

from __future__ import annotations

import math

import numpy as np
import polars as pl

from analysis.labels import Label
from analysis.tips.matched import against_level
from analysis.tips.model import Check, Found, Tip
from analysis.tips.moves import Rows, Trace, folded, frame
from analysis.tips.needs import added_kongs_robbed
from sim.rules import Rules
from sim.schema import GANG_ADDED, QIANGGANG
from sim.tiles import FIRST_HONOUR

_SAFE = 0.005


def added_kongs(trace: Trace) -> tuple[Rows, np.ndarray[tuple[int], np.dtype[np.bool_]]]:
    """Announced added kongs, and whether they were robbed."""
    events = trace.events.filter(pl.col("move") == GANG_ADDED).collect()
    ends = trace.hands.select("table", "hand", "outcome", "win_tile", loser="from_seat").collect()
    rows = Rows(events.join(ends, on=["table", "hand"], how="left"), trace.rules)
    robbed = (rows["outcome"] == QIANGGANG) & (rows["loser"] == rows.seat) & (rows["win_tile"] == rows.kind)
    return rows, robbed


def _can_never(rules: Rules) -> bool:
    """Whether nobody can wait for the fourth copy of a ponged honour: no ghosts, no thirteen orphans."""
    return rules.ghost.mode == "none" and "thirteen_orphans" not in rules.win.forms


def _honours_robbed(trace: Trace) -> Found:
    """Robbed kongs of honours: none where that is impossible, else their share against one in two hundred."""
    rows, robbed = added_kongs(trace)
    at = rows.kind >= FIRST_HONOUR
    n, events = int(at.sum()), int(robbed[at].sum())
    note = Label(f"{n}次补杠字牌，{events}次被抢", f"{n} added kongs of honours, {events} robbed")
    if n == 0:
        return Found(math.nan, math.nan, 0, 0, trace.n_hands, math.nan, note=note)
    if _can_never(trace.rules):
        return Found(
            events / n,
            0.0,
            0,
            n,
            trace.n_hands,
            math.nan,
            case_mean=events / n,
            base_mean=0.0,
            is_exact=True,
            note=note,
        )
    sample = frame(rows.take(at), y=robbed[at])
    found = against_level(sample, _SAFE, trace.n_hands)
    return Found(**{**{k: getattr(found, k) for k in found.__dataclass_fields__}, "note": note})


def _suit_kongs(trace: Trace) -> pl.DataFrame:
    """Look at added kongs of suit tiles (robbed?) and discards of tiles whose other copies are all seen (won on?)."""
    rows, robbed = added_kongs(trace)
    at = rows.kind < FIRST_HONOUR
    kongs = rows.take(at)
    cases = frame(kongs, case=np.ones(len(kongs), bool), y=robbed[at], tile=folded(kongs.kind), turn=kongs["turn"] // 3)
    others = trace.rows("tiles", "seen", "won_by", where=pl.col("kind") < FIRST_HONOUR)
    others = others.take(others.live(others.kind, others.seat) == 0)
    controls = frame(
        others,
        case=np.zeros(len(others), bool),
        y=others["won_by"] > 0,
        tile=folded(others.kind),
        turn=others["turn"] // 3,
    )
    return pl.concat([cases, controls])


TIPS = (
    Tip(
        "T30",
        Label("补杠字牌很安全", "Added kongs of honours are safe"),
        Label("补杠字牌", "an added kong of an honour"),
        Label("被抢", "robbed"),
        Label("零；有鬼牌或十三幺时为千分之五", "zero; with ghosts or thirteen orphans one in two hundred"),
        (
            Check(
                Label(
                    "从不被抢（有鬼牌或十三幺时：少于千分之五）",
                    "never robbed (with ghosts or thirteen orphans: less than once in two hundred)",
                ),
                "exact",
                -1,
                0.0,
                "",
                find=_honours_robbed,
                needs=added_kongs_robbed,
            ),
        ),
    ),
    Tip(
        "T33",
        Label("补杠危险，会被抢", "An added kong is dangerous: it can be robbed"),
        Label("补杠序数牌", "an added kong of a suit tile"),
        Label("被抢；净分", "robbed; net points"),
        Label(
            "打出同类而其余三张都已看见的牌；不杠",
            "discards of like tiles whose three other copies are seen; holding the tile",
        ),
        (
            Check(
                Label(
                    "补杠被抢比打同类绝张被胡更常见",
                    "kongs are robbed more often than like tiles are won on when discarded",
                ),
                "log",
                1,
                1.0,
                "robbed",
                _suit_kongs,
                ("tile", "turn"),
                Label("牌类、巡目、未见张数（零）", "tile class, turn, live copies (none)"),
                needs=added_kongs_robbed,
            ),
            Check(Label("不补杠净分更多", "not making them pays"), "duel", 1, None, "play", a="{bot}+T33"),
        ),
    ),
)
