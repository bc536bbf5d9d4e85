"""What tiles that are gone make of their neighbour: T08 (log), T09, T19."""

from __future__ import annotations

from functools import partial

import numpy as np
import polars as pl

from analysis.labels import Label
from analysis.tips.model import Check, Tip
from analysis.tips.moves import Rows, Trace, frame, mover
from analysis.tips.shapes import Bools, Ints
from sim.tiles import COPIES, FIRST_DRAGON, FIRST_HONOUR, N_SEATS

_WINDS = range(FIRST_HONOUR, FIRST_DRAGON)
_LOOK_AT = (4, 6, 8, 10, 12)  # own discards before which a table is looked at
_ENDS = ((9, 8, 7), (1, 2, 3))  # the end of a suit, its neighbour and the one after


def ends_of_suits(trace: Trace) -> pl.DataFrame:
    """Look at ends of suits as a player sees them, and whether some opponent holds two of the end.

    Returns
    -------
    ``table, y, case`` (the third from the end ponged and two of its neighbour seen, against neither), ``turn, live``
    (copies of the end that the player cannot see) and ``own`` (that it holds).
    """
    rows = trace.rows("tiles", "melds", "seen", where=pl.col("turn").is_in(_LOOK_AT))
    parts = []
    for suit in range(3):
        for end, neighbour, third in _ENDS:
            kinds = [np.full(len(rows), 9 * suit + r - 1) for r in (end, neighbour, third)]
            own = rows.held(rows.seat, kinds[0])
            live = rows.live(kinds[0], rows.seat)
            ponged = rows.is_ponged(kinds[2])
            two_seen = COPIES - rows.live(kinds[1], rows.seat) >= 2
            others = [rows.held((rows.seat + j) % N_SEATS, kinds[0]) for j in range(1, N_SEATS)]
            case = np.where(ponged & two_seen, 1, np.where(~ponged & ~two_seen, 0, -1))
            at = (live >= COPIES - 1) & (case >= 0)
            y = np.max(others, axis=0) >= 2
            parts.append(frame(rows, at, case=case == 1, y=y, turn=rows["turn"], live=live, own=own))
    return pl.concat(parts)


def ready(trace: Trace, *names: str) -> Rows:
    """Discards that leave their seat ready, with the hands' ends; ``names`` as in `Trace.rows`."""
    return trace.rows("waits", "ghosts", *names, where=mover("waits") != 0).with_ends(trace.ends())


def has_won(rows: Rows) -> Bools:
    """Whether the discarder wins the hand."""
    return np.asarray((rows["winners"] >> rows.seat) & 1 == 1, bool)


def natural_waits(rows: Rows) -> Ints:
    """Kinds that the discarder waits for, as masks, without ghosts, on which every wait is won."""
    return rows.at("waits", rows.seat) & ~rows["ghosts"]


def single_wait(rows: Rows) -> tuple[Rows, Ints]:
    """Ready seats that wait for one kind, ghosts aside, and the kind."""
    waits = natural_waits(rows)
    one = np.bitwise_count(waits) == 1
    kind = np.log2(np.maximum(waits[one], 1).astype(np.float64)).round().astype(np.int64)
    return rows.take(one), kind


def _waits_on_end(trace: Trace, n_gone: int) -> pl.DataFrame:
    """Seats that wait for a 9 (or 1) alone: with ``n_gone`` of its two neighbours gone, and with none gone."""
    rows, kind = single_wait(ready(trace, "tiles", "melds", "seen"))
    is_end = (kind < FIRST_HONOUR) & np.isin(kind % 9, (0, 8))
    rows, kind = rows.take(is_end), kind[is_end]
    inward = np.where(kind % 9 == 8, -1, 1)
    gone = sum(
        (rows.is_ponged(kind + j * inward) | (rows.live(kind + j * inward, rows.seat) <= 0)).astype(np.int64)
        for j in (1, 2)
    )
    at = (gone == n_gone) | (gone == 0)
    live = rows.live(kind, rows.seat)
    return frame(rows, at, case=gone == n_gone, y=has_won(rows), turn=rows["turn"] // 2, live=live)


def _last_wind(trace: Trace) -> pl.DataFrame:
    """Discards of a wind of which none is seen: whether anybody takes it, by what is seen of the other winds."""
    rows = trace.rows("seen", "taken_by", where=pl.col("kind").is_between(FIRST_HONOUR, FIRST_DRAGON - 1))
    rows = rows.take(rows.seen(rows.kind) == 0)
    seen = np.stack([rows.seen(np.full(len(rows), wind)) for wind in _WINDS], axis=1)
    others = np.where(np.array(list(_WINDS)) == rows.kind[:, None], COPIES, seen)
    return frame(rows, case=(others >= 2).all(axis=1), y=rows["taken_by"] > 0, turn=rows["turn"])


_ON_END = Label(
    "牌类（一、九）、巡目、看不见的张数、自己持有数", "tile class (1, 9), turn, copies not seen, own copies"
)
_ON_WAIT = Label(
    "牌类（单叫一、九）、巡目、看不见的张数", "tile class (waiting for 1 or 9 alone), turn, copies not seen"
)

TIPS = (
    Tip(
        "T08",
        Label("东以外的风都出了，两圈内别打东", "All winds but East are out: do not discard East for two rounds"),
        Label("一种风未见一张，其余各见两张以上", "one wind with no copy seen, two or more of each other one"),
        Label("打出的那张风被吃碰杠胡；净分", "the wind is claimed or won on; net points"),
        Label("同样一张未见的风，其余的风未出齐", "winds of which no copy is seen while the others are not out"),
        (
            Check(
                Label("打这张风更容易被碰或胡", "the wind is claimed or won on more often"),
                "log",
                1,
                2.0,
                "taken",
                _last_wind,
                ("turn",),
                Label("牌类（风）、巡目、未见张数（四张）", "tile class (winds), turn, live copies (all four)"),
            ),
            Check(
                Label("留着它净分更多", "holding it pays"),
                "duel",
                1,
                None,
                "play",
                a="{bot}+T08",
            ),
        ),
    ),
    Tip(
        "T09",
        Label("七已碰，八见两张，九多半有人成对", "7 is ponged and two 8s are seen: somebody usually has two 9s"),
        Label(
            "七被碰（杠），八见两张以上，九至多见一张（三、二、一对称）",
            "7 ponged, two or more 8s seen, at most one 9 (or mirrored)",
        ),
        Label("有对手手里九两张以上", "some opponent holds two or more 9s"),
        Label("七未碰、八见得少于两张", "7 not ponged and fewer than two 8s seen"),
        (
            Check(
                Label("有对手持两张九的可能更大", "some opponent holds two 9s more often"),
                "log",
                1,
                3.0,
                "",
                ends_of_suits,
                ("turn", "live", "own"),
                _ON_END,
            ),
        ),
    ),
    Tip(
        "T19",
        Label("七、八绝，叫九好", "7 and 8 gone: waiting for 9 is good"),
        Label(
            "单叫九，七、八已碰或见尽（三、二、一对称）",
            "waiting for 9 alone; 7 and 8 ponged or all seen (or mirrored)",
        ),
        Label("胡牌", "wins the hand"),
        Label("单叫九而七、八都未绝", "waiting for 9 alone with neither gone"),
        (
            Check(
                Label("七、八都绝时胡得更多", "wins more with both gone"),
                "log",
                1,
                3.0,
                "both",
                partial(_waits_on_end, n_gone=2),
                ("turn", "live"),
                _ON_WAIT,
            ),
            Check(
                Label("只绝一种时胡得更多", "wins more with one of them gone"),
                "log",
                1,
                3.0,
                "one",
                partial(_waits_on_end, n_gone=1),
                ("turn", "live"),
                _ON_WAIT,
            ),
        ),
    ),
)
