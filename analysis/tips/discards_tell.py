"""What a discard or three pungs tell of a player: T15, T20, T21, T22."""

from __future__ import annotations

from functools import partial

import numpy as np
import polars as pl

from analysis.labels import Label
from analysis.tips.model import Check, Tip
from analysis.tips.moves import Trace, folded, frame
from analysis.tips.needs import discards_win
from sim.tiles import FIRST_HONOUR, N_SEATS

_FROM_TURN = 5  # T15: own discards before
_LATE = 8  # T21, T22
_PUNGS = 3


def _straight_from_the_draw(trace: Trace) -> pl.DataFrame:
    """Discards of the tile just drawn: 4 to 6 against 1, 9 and honours; whether the seat is ready after it."""
    rows = trace.rows(
        "waits", "from_draw", "n_melds", "seen", where=pl.col("from_draw") & (pl.col("turn") >= _FROM_TURN)
    )
    tile = folded(rows.kind)
    at = (tile <= 1) | (tile >= 4)
    rows, tile = rows.take(at), tile[at]
    y = rows.at("waits", rows.seat) != 0
    melds = rows.at("n_melds", rows.seat)
    return frame(rows, case=tile >= 4, y=y, turn=rows["turn"], melds=melds, live=rows.live(rows.kind))


def _same_number_as_pungs(trace: Trace, won: bool) -> pl.DataFrame:
    """Suit tiles discarded against a player with three pungs: of a number that it has ponged, or of another one."""
    many = pl.any_horizontal(*(pl.col(f"n_melds_{s}") >= _PUNGS for s in range(N_SEATS)))
    rows = trace.rows("melds", "seen", "taken_by", "won_by", where=(pl.col("kind") < FIRST_HONOUR) & many)
    live, parts = rows.live(rows.kind), []
    for ahead in range(1, N_SEATS):
        other = (rows.seat + ahead) % N_SEATS
        is_pung, kinds = rows.pungs(other)
        in_suits = is_pung & (kinds < FIRST_HONOUR)
        same = (in_suits & (kinds % 9 == rows.kind[:, None] % 9)).any(axis=1)
        at = (is_pung.sum(axis=1) >= _PUNGS) & in_suits.any(axis=1)
        some = rows.take(at)
        y = (some["won_by" if won else "taken_by"] >> other[at]) & 1
        parts.append(frame(some, case=same[at], y=y, tile=folded(some.kind), turn=some["turn"] // 3, live=live[at]))
    return pl.concat(parts)


def _after_number(trace: Trace, number: int, beware: tuple[int, ...]) -> pl.DataFrame:
    """Tiles that may be discarded against a player whose last discard was ``number`` of a suit; 7 counts as a 3.

    Cases are the numbers to beware of in that suit, the baseline the same numbers while its last discard was of another
    suit or an honour; whether the player waits for the tile.
    """
    turned = 10 - number
    last_is = pl.any_horizontal(*(pl.col(f"last_{s}") >= 0 for s in range(N_SEATS)))
    rows = trace.rows(
        "seen", "waits", "last", "n_melds", where=(pl.col("kind") < FIRST_HONOUR) & (pl.col("turn") >= _LATE) & last_is
    )
    live, parts = rows.live(rows.kind), []
    rank, suit = rows.kind % 9 + 1, rows.kind // 9
    for ahead in range(1, N_SEATS):
        other = (rows.seat + ahead) % N_SEATS
        last = rows.at("last", other)
        same_suit = (last >= 0) & (last < FIRST_HONOUR) & (last // 9 == suit)
        waits = (rows.at("waits", other) >> rows.kind) & 1
        melds = rows.at("n_melds", other)
        for at_number in {number, turned}:
            aims = beware if at_number == number else tuple(10 - r for r in beware)
            case = same_suit & (last % 9 + 1 == at_number)
            at = np.isin(rank, aims) & (last >= 0) & (case | ~same_suit)
            parts.append(
                frame(
                    rows.take(at), case=case[at], y=waits[at], turn=rows["turn"][at] // 2, live=live[at],
                    number=rank[at] if at_number == number else 10 - rank[at], melds=melds[at],
                )
            )  # fmt: skip
    return pl.concat(parts)


_ON_TILE = Label("牌类、巡目、未见张数、对方副露数", "tile class, turn, live copies, the player's melds")

TIPS = (
    Tip(
        "T15",
        Label(
            "摸到中张（四至六）随即打出：牌好，多半已听",
            "A middle tile discarded straight from the draw: a good hand, often ready",
        ),
        Label("第六巡起摸打四至六", "a 4, 5 or 6 discarded as drawn, from the sixth discard on"),
        Label("打出后听牌", "ready after the discard"),
        Label("摸打一、九、字牌", "a 1, 9 or honour discarded as drawn"),
        (
            Check(
                Label("摸打中张的人更常已听牌", "who discards a middle tile as drawn is ready more often"),
                "log",
                1,
                3.0,
                "",
                _straight_from_the_draw,
                ("turn", "melds", "live"),
                Label("巡目、副露数、未见张数", "turn, melds, live copies"),
            ),
        ),
    ),
    Tip(
        "T20",
        Label("人家已碰三副，别打同点数的牌", "Three pungs shown: avoid tiles of the same number"),
        Label("对手有三副碰杠，其中有序数牌", "an opponent with three pungs or kongs, some of a suit"),
        Label("被他碰杠胡；被他胡", "claimed or won on by that opponent; won on"),
        Label("打别的点数的序数牌", "suit tiles of other numbers"),
        (
            Check(
                Label("同点数的牌更容易被他碰或胡", "tiles of the same number are claimed or won on more often"),
                "log",
                1,
                1.0,
                "taken",
                partial(_same_number_as_pungs, won=False),
                ("tile", "turn", "live"),
                Label("牌类、巡目、未见张数", "tile class, turn, live copies"),
            ),
            Check(
                Label("同点数的牌更容易点炮", "tiles of the same number are won on more often"),
                "log",
                1,
                1.0,
                "won",
                partial(_same_number_as_pungs, won=True),
                ("tile", "turn", "live"),
                Label("牌类、巡目、未见张数", "tile class, turn, live copies"),
                needs=discards_win,
            ),
        ),
    ),
    Tip(
        "T21",
        Label("有人打五，提防一、四、六、九", "A player discards 5: beware of 1, 4, 6, 9"),
        Label("第九巡起，他上一张打的是五", "from the ninth discard on, its last discard was a 5"),
        Label("他正叫这张牌", "the player waits for the tile"),
        Label("同点数的牌，他上一张打的是别的花色", "the same numbers while its last discard was of another suit"),
        (
            Check(
                Label("这时他叫同花色一、四、六、九的可能更大", "it waits for 1, 4, 6, 9 of that suit more often"),
                "log",
                1,
                1.0,
                "",
                partial(_after_number, number=5, beware=(1, 4, 6, 9)),
                ("number", "turn", "live", "melds"),
                _ON_TILE,
            ),
        ),
    ),
    Tip(
        "T22",
        Label("有人打三，提防一、四和二、五", "A player discards 3: beware of 1, 4 and 2, 5"),
        Label(
            "第九巡起，他上一张打的是三（七对称）",
            "from the ninth discard on, its last discard was a 3 (or 7, mirrored)",
        ),
        Label("他正叫这张牌", "the player waits for the tile"),
        Label("同点数的牌，他上一张打的是别的花色", "the same numbers while its last discard was of another suit"),
        (
            Check(
                Label("这时他叫同花色一、四、二、五的可能更大", "it waits for 1, 4, 2, 5 of that suit more often"),
                "log",
                1,
                1.0,
                "",
                partial(_after_number, number=3, beware=(1, 4, 2, 5)),
                ("number", "turn", "live", "melds"),
                _ON_TILE,
            ),
        ),
    ),
)
