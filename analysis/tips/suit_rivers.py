"""What two discards of a suit tell of the rest of it: T01, T04, T05."""

from __future__ import annotations

from functools import partial

import numpy as np
import polars as pl

from analysis.labels import Label
from analysis.tips.model import Check, Tip
from analysis.tips.moves import Rows, Trace, folded, frame, mirrored, numbers
from analysis.tips.shapes import Bools, Ints, helps
from sim.tiles import FIRST_HONOUR, N_SEATS

_EARLY = 6  # own discards
_TURN, _LIVE = Label("巡目", "turn"), Label("未见张数", "live copies")


def _first_terminals(trace: Trace) -> Rows:
    """Discards of a 1 or 9 that are the seat's first of the suit, among its first six."""
    is_terminal = (pl.col("kind") < FIRST_HONOUR) & (pl.col("kind") % 9).is_in([0, 8])
    rows = trace.rows("tiles", "river", "seen", "n_melds", where=is_terminal & (pl.col("turn") < _EARLY))
    return rows.take(rows.suit_in_river(rows.seat, rows.kind // 9) == 0)


def _wanted(rows: Rows, suit: Ints, number: int) -> tuple[Bools, Ints, Ints]:
    """Whether the discarder wants the number, seen from the end that it discarded; with class and live copies."""
    at_top = rows.kind % 9 == 8
    kind = 9 * suit + np.where(at_top, 9 - number, number - 1)
    counts, ghosts = rows.hands(rows.seat)
    return helps(counts, rows.at("n_melds", rows.seat), ghosts, kind), folded(kind), rows.live(kind)


def _after_a_one(trace: Trace, inner: bool) -> pl.DataFrame:
    """Numbers 3, 4, 7 of the suit against those of unshown suits, or (``inner``) against 2 and 5 of the same suit."""
    rows = _first_terminals(trace)
    parts = []
    for shift in range(1 if inner else 3):
        suit = (rows.kind // 9 + shift) % 3
        fits = rows if shift == 0 else rows.take(rows.suit_in_river(rows.seat, suit) == 0)
        own = (fits.kind // 9 + shift) % 3
        for number in (2, 3, 4, 5, 7) if inner else (3, 4, 7):
            wants, tile, live = _wanted(fits, own, number)
            is_case = number in (3, 4, 7) if inner else shift == 0
            case = np.full(len(fits), is_case)
            parts.append(frame(fits, case=case, y=wants, tile=tile, turn=fits["turn"], live=live))
    return pl.concat(parts)


def _two_shown(seen: Ints, pattern: tuple[int, ...], absent: tuple[int, ...]) -> tuple[Bools, Bools]:
    """Rivers with two numbers of a suit, none of ``absent``: those that are the pattern, and the others."""
    fits = (np.bitwise_count(seen) == 2) & ((seen & numbers(*absent)) == 0)
    is_case = seen == numbers(*pattern)
    return fits & is_case, fits & ~is_case


def _holds(
    trace: Trace, pattern: tuple[int, ...], absent: tuple[int, ...], held: tuple[int, ...], both: bool
) -> pl.DataFrame:
    """Whether a seat holds the numbers, where its discard has just made two numbers of the suit lie in its river."""
    rows = trace.rows("tiles", "river", "seen", where=pl.col("kind") < FIRST_HONOUR)
    suit = rows.kind // 9
    before = rows.suit_in_river(rows.seat, suit)
    seen = before | (1 << (3 * (rows.kind % 9)))
    new = (seen != before) & (np.bitwise_count(seen) == 2)
    rows, suit, seen = rows.take(new), suit[new], seen[new]
    parts = []
    for turned in (False, True):
        ranks = [mirrored(*r) if turned else r for r in (pattern, absent, held)]
        case, control = _two_shown(seen, ranks[0], ranks[1])
        at = case | control
        some = rows.take(at)
        has = [some.held(some.seat, 9 * suit[at] + r - 1) > 0 for r in ranks[2]]
        live = sum(some.live(9 * suit[at] + r - 1) for r in ranks[2])
        y = has[0] & has[1] if both else has[0] | has[1]
        parts.append(frame(some, case=case[at], y=y, turn=some["turn"] // 2, live=live))
    return pl.concat(parts)


def _takes(trace: Trace, pattern: tuple[int, ...], absent: tuple[int, ...], beware: tuple[int, ...]) -> pl.DataFrame:
    """Whether a seat claims or wins on one of the numbers, by what lies in its river."""
    ranks = sorted({*beware, *mirrored(*beware)})
    where = (pl.col("kind") < FIRST_HONOUR) & (pl.col("kind") % 9 + 1).is_in(ranks)
    rows = trace.rows("river", "seen", "taken_by", where=where)
    live = rows.live(rows.kind)
    parts = []
    for ahead in range(1, N_SEATS):
        other = (rows.seat + ahead) % N_SEATS
        seen = rows.suit_in_river(other, rows.kind // 9)
        for turned in (False, True):
            shown, none, aims = (mirrored(*r) if turned else r for r in (pattern, absent, beware))
            case, control = _two_shown(seen, shown, none)
            at = (case | control) & np.isin(rows.kind % 9 + 1, aims)
            some = rows.take(at)
            y = (some["taken_by"] >> other[at]) & 1
            number = some.kind % 9 + 1
            parts.append(
                frame(
                    some, case=case[at], y=y, turn=some["turn"] // 2, live=live[at],
                    number=10 - number if turned else number, ahead=np.full(len(some), ahead),
                )
            )  # fmt: skip
    return pl.concat(parts)


_ON_TILE = Label("同一类牌、巡目、未见张数", "tile class, turn and live copies")
_ON_RIVER = Label(
    "巡目、未见张数；基准为打过同花色另两种牌",
    "turn and live copies; baseline: two other numbers of the suit discarded",
)
_ON_CLAIM = Label(
    "点数、座位、巡目、未见张数；基准为打过同花色另两种牌",
    "number, seat, turn and live copies; baseline: two other numbers of the suit discarded",
)

TIPS = (
    Tip(
        "T01",
        Label(
            "下家先打一万，三、四、七万他多半不要，二、五万或许要（其余花色、九同理）",
            "The next player opens a suit with its 1 (or 9): 3, 4, 7 are hardly wanted, 2 and 5 may be",
        ),
        Label("该花色首张打出的是一（或九），前六巡", "first discard of the suit is 1 (or 9), within six discards"),
        Label("那张牌能使其向听减少", "the tile would lower that player's shanten"),
        Label(
            "同一时刻他未打过的花色的同点数牌；同花色的二、五",
            "the same numbers of suits of which nothing was discarded; 2 and 5 of the suit",
        ),
        (
            Check(
                Label(
                    "三、四、七比未露面花色的同点数牌更少有人要",
                    "3, 4, 7 are wanted less than the same numbers of a suit that was not shown",
                ),
                "log",
                -1,
                2.0,
                "suits",
                partial(_after_a_one, inner=False),
                ("tile", "turn", "live"),
                _ON_TILE,
            ),
            Check(
                Label("三、四、七比同花色的二、五更少有人要", "3, 4, 7 are wanted less than 2 and 5 of the suit"),
                "log",
                -1,
                2.0,
                "numbers",
                partial(_after_a_one, inner=True),
                ("turn", "live"),
                Label("巡目、未见张数", "turn and live copies"),
            ),
        ),
    ),
    Tip(
        "T04",
        Label(
            "下家打过三和八，手上可能有五、六，提防四、七",
            "The next player discarded 3 and 8 of a suit: may hold 5 and 6, beware of 4 and 7",
        ),
        Label("三、八在河里，四至七未打过（二、七对称）", "3 and 8 in the river, none of 4 to 7 (or mirrored)"),
        Label("手上五、六都有；四或七被他叫牌或胡", "holds 5 and 6; claims or wins on 4 or 7"),
        Label(
            "打过该花色另两种点数、同样未打四至七的人",
            "players with two other numbers of the suit in the river, none of 4 to 7",
        ),
        (
            Check(
                Label("五、六都在他手上的可能更大", "holds both 5 and 6 more often"),
                "log",
                1,
                2.0,
                "holds",
                partial(_holds, pattern=(3, 8), absent=(4, 5, 6, 7), held=(5, 6), both=True),
                ("turn", "live"),
                _ON_RIVER,
            ),
            Check(
                Label("打四、七更容易被他吃碰胡", "4 and 7 are claimed or won on more often"),
                "log",
                1,
                1.0,
                "takes",
                partial(_takes, pattern=(3, 8), absent=(4, 5, 6, 7), beware=(4, 7)),
                ("number", "ahead", "turn", "live"),
                _ON_CLAIM,
            ),
        ),
    ),
    Tip(
        "T05",
        Label(
            "下家打过八和九，手上可能有四或七，提防四、七",
            "The next player discarded 8 and 9 of a suit: may hold 4 or 7, beware of 4 and 7",
        ),
        Label("八、九在河里，四、七未打过（一、二对称）", "8 and 9 in the river, neither 4 nor 7 (or mirrored)"),
        Label("手上有四或七；四或七被他叫牌或胡", "holds 4 or 7; claims or wins on 4 or 7"),
        Label(
            "打过该花色另两种点数、同样未打四、七的人",
            "players with two other numbers of the suit in the river, neither 4 nor 7",
        ),
        (
            Check(
                Label("四或七在他手上的可能更大", "holds 4 or 7 more often"),
                "log",
                1,
                2.0,
                "holds",
                partial(_holds, pattern=(8, 9), absent=(4, 7), held=(4, 7), both=False),
                ("turn", "live"),
                _ON_RIVER,
            ),
            Check(
                Label("打四、七更容易被他吃碰胡", "4 and 7 are claimed or won on more often"),
                "log",
                1,
                1.0,
                "takes",
                partial(_takes, pattern=(8, 9), absent=(4, 7), beware=(4, 7)),
                ("number", "ahead", "turn", "live"),
                _ON_CLAIM,
            ),
        ),
    ),
)
