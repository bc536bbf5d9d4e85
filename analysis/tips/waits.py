"""Which waits win: T16, T17, T18."""

from __future__ import annotations

from functools import partial

import numpy as np
import polars as pl

from analysis.labels import Label
from analysis.tips.gone_tiles import has_won, natural_waits, ready, single_wait
from analysis.tips.model import Check, Tip
from analysis.tips.moves import Trace, frame
from analysis.tips.shapes import is_pair_wait
from sim.rules import Rules
from sim.schema import DIANPAO
from sim.tiles import FIRST_HONOUR, N_SEATS

_MANY_LIVE = 5


def _only_self_draw(rules: Rules) -> bool:
    return "dianpao" not in rules.win.ways


def _ready(trace: Trace, by: str) -> pl.DataFrame:
    """Ready seats by live copies (``live``), or by kinds (``kinds``) where the copies are equal."""
    rows = ready(trace, "accept")
    live = rows.at("accept", rows.seat)
    kinds = np.bitwise_count(natural_waits(rows)).astype(np.int64)
    y, turn = has_won(rows), rows["turn"]
    if by == "live":
        return frame(rows, case=live >= _MANY_LIVE, y=y, turn=turn, kinds=np.minimum(kinds, 3))
    return frame(rows, case=kinds >= 2, y=y, turn=turn, live=live)


def _single(trace: Trace, case: str) -> pl.DataFrame:
    """Seats that wait for one kind: honours or terminals against 2 to 8; wins by discard, or all where those are none.

    Where only self-draws win, copies count that are still in the wall: no other ones can be drawn.
    """
    rows, kind = single_wait(ready(trace, "tiles", "seen"))
    is_honour = kind >= FIRST_HONOUR
    is_middle = ~is_honour & ~np.isin(kind % 9, (0, 8))
    is_case = is_honour if case == "honour" else ~is_honour & ~is_middle
    live = rows.live(kind, rows.seat)
    y = has_won(rows)
    if _only_self_draw(trace.rules):
        live = live - sum(rows.held((rows.seat + j) % N_SEATS, kind) for j in range(1, N_SEATS))
    else:
        y &= rows["outcome"] == DIANPAO
    at = is_case | is_middle
    return frame(rows, at, case=is_case, y=y, turn=rows["turn"] // 2, live=live)


def _pair_waits(trace: Trace) -> pl.DataFrame:
    """Seats without ghosts that wait to pair one tile of a suit: 2, 5, 8 against the others."""
    rows, kind = single_wait(ready(trace, "tiles", "seen"))
    counts, ghosts = rows.hands(rows.seat)
    at = (kind < FIRST_HONOUR) & (ghosts == 0) & is_pair_wait(counts, kind)
    rows, kind = rows.take(at), kind[at]
    case = np.isin(kind % 9 + 1, (2, 5, 8))
    return frame(rows, case=case, y=has_won(rows), turn=rows["turn"] // 2, live=rows.live(kind, rows.seat))


_ON = Label("巡目、未见张数", "turn and live copies")
_READY = Label("打牌后听牌", "ready after a discard")

TIPS = (
    Tip(
        "T16",
        Label("叫牌宁可多门，但要数海里的张数", "Wait on more kinds, but count the table"),
        _READY,
        Label("胡牌", "wins the hand"),
        Label(
            "巡目与门数相同而活张少；活张相同而只叫一门",
            "the same turn and kinds with fewer live copies; equal copies of one kind",
        ),
        (
            Check(
                Label(
                    "门数相同，活张五张以上胡得更多", "with the same number of kinds five or more live copies win more"
                ),
                "log",
                1,
                3.0,
                "live",
                partial(_ready, by="live"),
                ("turn", "kinds"),
                Label("巡目、门数", "turn and number of kinds"),
            ),
            Check(
                Label("活张相同，门数多并不更好", "with equal live copies more kinds make little difference"),
                "log",
                0,
                3.0,
                "kinds",
                partial(_ready, by="kinds"),
                ("turn", "live"),
                _ON,
            ),
        ),
    ),
    Tip(
        "T17",
        Label("叫边张、字牌容易胡", "Waits for honours and terminals win more easily"),
        Label("打牌后听牌且只叫一门", "ready after a discard, for one kind"),
        Label("别人打出而胡（只能自摸时：胡牌）", "wins by discard (where only self-draws win: wins)"),
        Label(
            "单叫二至八，未见张数相同（只能自摸时：牌墙里的张数相同）",
            "waits for one kind of 2 to 8 with equal live copies (where only self-draws win: equal copies in the wall)",
        ),
        tuple(
            Check(
                label,
                "log",
                1,
                2.0,
                name,
                partial(_single, case=name),
                ("turn", "live"),
                _ON,
                falsifier=_only_self_draw,
            )
            for name, label in (
                (
                    "honour",
                    Label("单叫字牌比单叫二至八容易", "a wait for an honour wins more easily than one for 2 to 8"),
                ),
                (
                    "terminal",
                    Label("单叫一、九比单叫二至八容易", "a wait for 1 or 9 wins more easily than one for 2 to 8"),
                ),
            )
        ),
    ),
    Tip(
        "T18",
        Label("单钓二、五、八较难胡", "A single wait to pair 2, 5 or 8 wins less"),
        Label("打牌后单钓一张序数牌，手上没有鬼", "waiting after a discard to pair one suit tile, no ghost in hand"),
        Label("胡牌", "wins the hand"),
        Label("单钓其他序数牌", "waiting to pair another suit tile"),
        (
            Check(
                Label("单钓二、五、八胡得较少", "waits to pair 2, 5 or 8 win less"),
                "log",
                -1,
                2.0,
                "",
                _pair_waits,
                ("turn", "live"),
                _ON,
            ),
        ),
    ),
)
