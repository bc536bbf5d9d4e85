"""Codes and columns that kernels, logs and pipelines share.

``HAND_COLUMNS`` (one row a hand), ``WIN_COLUMNS`` (one row a winner) and ``POOL_COLUMNS`` (one row for each hand of
a sample of tables) are the log as pipelines see it: name, dtype and meaning of each column. The kernel writes rows
of int64 with the columns of ``ROW_COLUMNS``. What files hold is less, since much can be derived (`sim.codec`).
"""

from __future__ import annotations

from typing import NamedTuple

# Modes of a run.
SESSION, DUPLICATE = 0, 1
MODES = ("session", "duplicate")

# Outcomes and win sources.
WASHOUT, ZIMO, DIANPAO, QIANGGANG = 0, 1, 2, 3
OUTCOMES = ("washout", "zimo", "dianpao", "qianggang")

# Moves of a hand: what bots answer and what a trace holds.
(
    PASS,
    DISCARD,
    HU,
    PENG,
    GANG_EXPOSED,
    GANG_ADDED,
    GANG_CONCEALED,
    CHI,
    DEAL,
    DRAW,
    DRAW_TAIL,
    INDICATOR,
    HORSE,
    END,
    FLOWER,
    DECLARE,
) = range(16)
MOVES = (
    "pass",
    "discard",
    "hu",
    "peng",
    "gang_exposed",
    "gang_added",
    "gang_concealed",
    "chi",
    "deal",
    "draw",
    "draw_tail",
    "indicator",
    "horse",
    "end",
    "flower",
    "declare",
)

# What a seat could do where it was asked: bits of an event's ``offers``.
OFFER_HU, OFFER_PENG, OFFER_GANG, OFFER_CHI = 1, 2, 4, 8

# Kinds of meld, as stored in state and taken by the scorer.
MELD_CHI, MELD_PENG, MELD_EXPOSED, MELD_ADDED, MELD_CONCEALED = range(5)
MELD_NAMES = ("chi", "peng", "minggang", "bugang", "angang")

# Philox streams of one hand.
STREAM_WALL, STREAM_DICE, STREAM_POLICY, STREAM_USER = 0, 1, 2, 6

NEVER = 255  # ready_turn of a seat that never was ready
N_POOL_CLASSES = 10  # length of the logged sequence of horse classes


class Column(NamedTuple):
    """One column of a log."""

    name: str
    dtype: str  # a Polars dtype by name
    meaning: str


def _seats(name: str, dtype: str, meaning: str) -> tuple[Column, ...]:
    return tuple(Column(f"{name}_{s}", dtype, meaning.format(s)) for s in range(4))


HAND_COLUMNS: tuple[Column, ...] = (
    Column("table", "UInt32", "table (session mode) or deal block (duplicate mode), from 0"),
    Column("hand", "UInt16", "hand within the table; in duplicate mode the rotation, 0..3"),
    Column("rotation", "UInt8", "seat s is played by bot (s - rotation) mod 4 of the line-up; 0 in session mode"),
    Column("dealer", "UInt8", "seat of the dealer"),
    Column("round_wind", "UInt8", "0 E, 1 S, 2 W, 3 N"),
    Column("repeat", "UInt8", "how many hands in a row the dealer has dealt before this one"),
    Column("origin", "UInt8", "previous winner's seat (the first dealer before any win)"),
    Column("outcome", "UInt8", "0 washout, 1 zimo, 2 dianpao, 3 qianggang"),
    Column("winners", "UInt8", "bit s is set when seat s won"),
    Column("from_seat", "Int8", "discarder or robbed seat; -1 for zimo and washout"),
    Column("win_tile", "Int8", "kind that was won on; -1 for a washout"),
    Column("turns", "UInt8", "tiles drawn in play, the dealer's fourteenth and replacements included"),
    Column("wall_left", "UInt8", "tiles that could still be drawn, held horses left out, drawn horses counted"),
    *_seats("points", "Int32", "net points of seat {}: hand + kong + horse"),
    *_seats("hand", "Int32", "points of seat {} from wins, without horses"),
    *_seats("kong", "Int32", "points of seat {} from kongs, flowers and 跟庄"),
    *_seats("horse", "Int32", "points of seat {} from horses"),
    Column("n_horses", "UInt8", "horse tiles that were opened (held: all four seats' together); 0 for a washout"),
    Column(
        "horse_tiles", "UInt64", "classes of the opened horses, 2 bits each from bit 0, in order (held: dealer's first)"
    ),
    Column("n_horse_hits", "UInt8", "of them, how many meant a winner (drawn) or a seat that won or paid (held)"),
    *_seats("gang_exposed", "UInt8", "direct kongs of seat {}"),
    *_seats("gang_added", "UInt8", "added kongs of seat {} that were not robbed"),
    *_seats("gang_concealed", "UInt8", "concealed kongs of seat {}"),
    *_seats("gang_fed", "UInt8", "direct kongs of others that seat {} fed"),
    *_seats("flowers", "UInt8", "flowers of seat {}"),
    *_seats(
        "ghosts", "UInt8", "ghosts in seat {}'s concealed hand at the end (a winning tile won by self-draw included)"
    ),
    *_seats("shanten_deal", "Int8", "shanten of the 13 tiles dealt to seat {}"),
    *_seats("ready_turn", "UInt8", "discards seat {} had made when first ready; 0 ready as dealt; 255 never"),
    *_seats("calls", "UInt8", "chi, peng and direct kongs of seat {}"),
)

POOL_COLUMNS: tuple[Column, ...] = (
    *tuple(
        Column(
            f"pool_{c}",
            "UInt8",
            f"tiles of horse class {c} in the pool: held horses and tiles never drawn; 0 for a washout",
        )
        for c in range(4)
    ),
    Column(
        "pool_classes",
        "UInt32",
        "classes of the pool's first ten tiles (held horses as dealt, then the wall), 2 bits each; 0 for a washout",
    ),
)

WIN_COLUMNS: tuple[Column, ...] = (
    Column("table", "UInt32", "as in the hand log"),
    Column("hand", "UInt16", "as in the hand log"),
    Column("winner", "UInt8", "winning seat"),
    Column("source", "UInt8", "1 zimo, 2 dianpao, 3 qianggang"),
    Column("fan", "Int16", "fan after floor and cap; -1 where the rule set counts none"),
    Column("points", "Int32", "one payer's share without horses"),
    Column("patterns", "UInt64", "bit p is set when pattern p counted (sim.patterns.PATTERNS)"),
    Column("concealed", "UInt8", "1 when no chi, peng, exposed or added kong was made"),
    Column("waits", "UInt8", "kinds, not all in the own hand, that completed the hand's shape before the win"),
    Column("live", "UInt8", "copies of those kinds that the winner could not see, the winning tile included"),
    Column("liable", "Int8", "seat that paid for all three (包); -1 none"),
    Column("win_turn", "UInt8", "the winner's own discards before the win"),
)

# The trace log: one row for each decision. Narrow columns come first: the kernel packs them into words (`sim.events`).
N_FIRST = 10  # discards that ``first`` holds
EVENT_COLUMNS: tuple[Column, ...] = (
    Column("table", "UInt32", "as in the hand log"),
    Column("hand", "UInt16", "as in the hand log"),
    Column("step", "UInt16", "place in the hand, from 0"),
    Column("move", "UInt8", "code of MOVES; pass: one row for each question (win, pung or kong, chi) answered so"),
    Column("seat", "UInt8", "who moved or passed"),
    Column("kind", "Int8", "kind discarded, claimed, konged, won or passed on"),
    Column("from_seat", "Int8", "who discarded, or announced the kong, that was claimed, won or passed on; else -1"),
    Column("offers", "UInt8", "what the seat could do here: 1 hu + 2 peng + 4 gang + 8 chi"),
    Column("chi_low", "Int8", "lowest kind of the chi that was made; else -1"),
    Column("from_draw", "Boolean", "the discard is of the kind just drawn"),
    Column("turn", "UInt8", "discards that the seat had made"),
    Column("wall_left", "UInt8", "tiles that could still be drawn"),
    Column("drawn", "Int8", "own turn: the tile just drawn; -1 after a claim, and for moves on others' tiles"),
    Column("dealer", "UInt8", "as in the hand log"),
    Column("round_wind", "UInt8", "as in the hand log"),
    *_seats(
        "shanten", "Int8", "shanten of seat {} (mover: after its best discard that is no ghost; self-drawn win: -1)"
    ),
    *_seats(
        "accept", "UInt8", "copies that seat {} cannot see of the kinds that lower its shanten (mover: after the move)"
    ),
    *_seats("n_melds", "UInt8", "melds of seat {}"),
    *_seats("last", "Int8", "kind that seat {} discarded last; -1 none yet"),
    *_seats("waits", "UInt64", "mask of kinds that complete seat {}'s shape, 0 unless ready (mover: after the move)"),
    *_seats("hand_lo", "UInt64", "concealed tiles of seat {}, kinds 0..20: 3 bits each"),
    *_seats("hand_hi", "UInt64", "the same for kinds 21..33"),
    *_seats("melds", "UInt64", "melds of seat {} in order, 12 bits each: code, kind << 3, feeder << 9 (7 nobody)"),
    *_seats("river_lo", "UInt64", "discards of seat {} of kinds 0..20, claimed ones too: 3 bits each"),
    *_seats("river_hi", "UInt64", "the same for kinds 21..33"),
    *_seats("first", "UInt64", "first ten discards of seat {} in order: kind + 1, 6 bits each"),
    Column("visible_lo", "UInt64", "tiles that everybody sees (rivers, melds, indicator), kinds 0..20: 3 bits each"),
    Column("visible_hi", "UInt64", "the same for kinds 21..33"),
    Column("ghosts", "UInt64", "mask of the ghost kinds"),
)

ROW_COLUMNS = HAND_COLUMNS + POOL_COLUMNS
H = {column.name: i for i, column in enumerate(ROW_COLUMNS)}
W = {column.name: i for i, column in enumerate(WIN_COLUMNS)}
N_ROW_COLUMNS = len(ROW_COLUMNS)
N_WIN_COLUMNS = len(WIN_COLUMNS)
MAX_WINNERS = 3
