"""The table during one hand: one int64 array, allocated once and reset for each hand.

Rows 0..3 are the seats, with the columns named below; the other rows are named ``GAME``, ``VISIBLE`` and so on. One
array instead of a tuple of many keeps calls between kernels cheap: with 18 arrays the same hands took 5 times as
long and 3 times as long to compile.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sim.flags import COPIES
from sim.jit import kernel, lowest_bit
from sim.tiles import N_KINDS

# Columns of the seats' rows.
HAND = 0  # 34 concealed counts, ghosts included
KEYS = 34  # 4 keys of the natural concealed tiles by suit: sum of count * 5**rank
MELD_TYPE = 38  # 4 codes of sim.schema
MELD_KIND = 42  # 4 lowest kinds
MELD_FROM = 46  # 4 feeders, -1 for a concealed kong
STREAM = 50  # 6 words of the policy stream (sim.rng)
(
    HELD,  # mask of natural kinds in the concealed hand
    FOURS,  # mask of natural kinds held four times
    PUNGS,  # mask of kinds of exposed pungs
    GHOSTS,  # ghosts in the concealed hand
    NEED,  # shanten + 1 of the hand between turns
    N_MELDS,
    CALLS,  # chi, peng and direct kongs made
    PASSED,  # mask of kinds on which a win was passed (漏胡)
    DRAWS,
    DISCARDS,
    READY_TURN,
    SHANTEN_DEAL,
    TWELVE_FEEDER,  # seat liable for this seat's twelve exposed tiles, -1 nobody
    N_EXPOSED,  # direct kongs
    N_ADDED,
    N_CONCEALED,
    N_FED,  # direct kongs of others that this seat fed
    N_FLOWERS,
    PASSED_POINTS,  # most points of a win passed since the last draw or call, -1 none
    PASSED_PENG,  # mask of kinds on which a pung was passed (漏碰)
    DECLARED,  # 1 once the seat has declared ready
    DECLARES,  # on the seat's turn: mask of kinds whose discard may declare ready
    SAFE,  # mask of kinds discarded since the seat's hand changed or it declared, none of which it won on then
    KEPT,  # own discards in a row of a kind just drawn, which leave the hand as it was
    WINDS_OUT,  # what tips remember: 1 + own discards when three winds were out, 0 not yet
    FLUSH,  # 1 + suit of the flush that the seat goes for, 0 none
    PONGS,  # 1 once the seat has had four pairs early, two of one number (at a level of T12: no two)
) = range(56, 83)
N_SEAT_COLUMNS = 83
STANDING = N_SEAT_COLUMNS  # 34 counts of the concealed tiles that stand apart, kept where the rule set has them

# Rows after the seats.
(
    GAME,  # columns below
    VISIBLE,  # tiles of each kind that everybody sees
    WALL,  # kinds in drawing order
    PAY_HAND,  # points of the seats from wins
    PAY_KONG,  # points of the seats from kongs
    PAY_HORSE,  # points of the seats from horses
    HORSE_KIND,
    HORSE_HOLDER,
    WINNERS,  # seats, in turn order
    POINTS,  # of the winners: one payer's share
    LIABLE,  # of the winners: liable seat or -1
    FAN,  # of the winners, -1 none
    COUNTED,  # of the winners: mask of counted patterns
    FOLLOW_PAID,  # points of the seats from 跟庄, which a washout does not void
    OWED,  # what each seat owes the winner who is being settled
    GROWN,  # the same with drawn horses
    WORTH,  # of the winners, after `sim.resettle`: points before repeat deals, multiples and caps
    KONGS,  # 4 rows, one a seat: what each seat paid it for kongs
) = range(4, 22)
WORK = 25  # first of the scratch rows
PLANS = WORK + 5  # first of the rows in which a bot lists its plans
CHOICES = PLANS + 6  # the moves that a bot weighs
THREATS = CHOICES + 1  # 2 rows: what a bot thinks of the other seats
SCORES = THREATS + 2  # of each kind: what `value` expects of its discard, in 1/16384 points
SUMS = SCORES + 1  # 2 rows, of each answer tried: points beside the first one, and their squares; tiles dealt anew
RIVER = SUMS + 2  # 4 rows, one a seat: its discards of each kind
LIES_AT = RIVER + 4  # of seats' own walls: where each tile of the shuffled wall lies now
LYING_AT = LIES_AT + 1  # which of these tiles lies at each place
N_ROWS = LYING_AT + 1
N_COLUMNS = 144

# Columns of row GAME.
(
    HEAD,  # next place of the wall to draw
    TAIL,  # last place that can be drawn
    DEALER,
    ROUND_WIND,  # 0..3
    ORIGIN,  # previous winner
    CHAIR,  # seat of the first dealer
    GHOST_MASK,
    UNTOUCHED,  # 1 while nobody has claimed or konged
    KONG_FEEDER,  # feeder of the direct kong whose replacement was drawn last, -1 another kong
    TWELVE_USED,  # mask of seats that have completed somebody's twelve tiles
    TURNS,
    N_TRACE,
    N_HORSES,
    SEED,
    TABLE,
    HAND_NUMBER,
    OUTCOME,
    FROM_SEAT,
    WIN_TILE,
    HORSE_HITS,
    N_WINNERS,
    REPEAT,  # hands the dealer has dealt in a row before this one
    FOLLOWED,  # discards so far that equal the first one, from the hand's start without a break; -1 after a break
    FOLLOW_KIND,  # kind of the first discard
    N_KONGS,  # kongs made by anybody
    HELD_BACK,  # tiles at the wall's end that are the seats' horses
    AS_THEMSELVES,  # 1 while a hand is priced with its ghosts as natural tiles of their own kind
) = range(27)
SEATED = 27  # 4 codes of the seats' bots
(
    VALUE_ENTRY,  # addresses of what is called by address (`sim.policy.entries`)
    PLAY_ENTRY,
    THINK_ENTRY,
    TIPS_ENTRY,
    LOOKS,  # 1: the state at the start of each turn is kept for a bot that looks ahead
    TURN_SEAT,  # the turn that begins: seat, tile drawn, whether it is a kong's replacement, whether the turn was
    DRAWN,  # claimed, and whether nothing was discarded before
    REPLACED,
    CLAIMED,
    FIRST,
    LAST_MOVE,  # answer of the seat whose turn it is
    SCRIPTED,  # 1 in a playout until its known moves are repeated (`sim.policy.script`)
    SCRIPT_SEAT,
    SCRIPT_QUESTION,
    SCRIPT_MOVE,
    SCRIPT_ANSWER,
    EVENTS,  # of the last legal win: mask of patterns of scope event
    LOG_ENTRY,  # address of what writes the events of a hand (`sim.events`), 0 while none are written
    LOG_AT,  # address of the columns that take them, and how many events these have room for
    LOG_ROOM,
    N_LOGGED,  # events so far, those without room counted
    STEP,  # events of this hand so far
) = range(31, 53)
# Kept while events are written, 4 words each, one a seat: the first ten discards; the last one.
FIRST_DISCARDS, LAST_DISCARD = 53, 57
# Of bots from outside the project (`sim.user_bots`).
USER_VIEW = 64  # address of the rows in which they see the table, with a row for faults behind them
DECLARING = 65  # 1 when the last answer of a turn was to declare ready
# Of seats' own walls (`sim.deal`): whether there are any, and the seats' next tiles, 4 numbers.
SEAT_WALLS, OWN_TILE = 66, 67


MAX_HORSES = 20


def new_state(n_blocks: int = 1) -> NDArray[np.int64]:
    """Allocate the state, int64 (N_ROWS, N_COLUMNS), zeros; ``n_blocks`` times the rows for bots that look ahead."""
    return np.zeros((n_blocks * N_ROWS, N_COLUMNS), np.int64)


POWER = 5 ** (np.arange(N_KINDS, dtype=np.int64) % 9)  # what one tile of a kind adds to its suit's key


@kernel
def keep_start(s):
    """Copy the state into the rows after it, where a bot that looks ahead finds it."""
    for i in range(N_ROWS):
        for j in range(N_COLUMNS):
            s[N_ROWS + i, j] = s[i, j]


@kernel
def is_ghost(s, kind):
    """Whether ``kind`` is a ghost in this hand."""
    return (s[GAME, GHOST_MASK] >> kind) & 1 == 1


@kernel
def stop_following(s):
    """Break the row of equal discards (跟庄), unless all four were made."""
    if s[GAME, FOLLOWED] < 4:
        s[GAME, FOLLOWED] = -1


@kernel
def has_four_ghosts(s, seat):
    """Whether the seat's concealed hand holds all four tiles of a kind of ghost."""
    if s[seat, GHOSTS] < 4:
        return False
    rest = s[GAME, GHOST_MASK]
    while rest != 0:
        if s[seat, HAND + lowest_bit(rest)] == 4:
            return True
        rest &= rest - 1
    return False


@kernel
def live(s, r, seat, kind):
    """Return the copies of ``kind`` that ``seat`` cannot see."""
    return r[COPIES, kind] - s[VISIBLE, kind] - s[seat, HAND + kind]


@kernel
def add_tile(s, seat, kind):
    """Put one tile into a seat's concealed hand."""
    s[seat, HAND + kind] += 1
    if is_ghost(s, kind):
        s[seat, GHOSTS] += 1
        return
    s[seat, KEYS + kind // 9] += POWER[kind]
    s[seat, HELD] |= 1 << kind
    if s[seat, HAND + kind] == 4:
        s[seat, FOURS] |= 1 << kind


@kernel
def take_tiles(s, seat, kind, n):
    """Take ``n`` tiles of a kind out of a seat's concealed hand."""
    s[seat, HAND + kind] -= n
    if is_ghost(s, kind):
        s[seat, GHOSTS] -= n
        return
    s[seat, KEYS + kind // 9] -= n * POWER[kind]
    s[seat, FOURS] &= ~(1 << kind)
    if s[seat, HAND + kind] == 0:
        s[seat, HELD] &= ~(1 << kind)


@kernel
def lay_standing(s, seat, kind):
    """Note that tiles of a kind have left the hand: those that do not stand went first."""
    s[seat, STANDING + kind] = min(s[seat, STANDING + kind], s[seat, HAND + kind])


@kernel
def add_meld(s, seat, kind_of_meld, kind, feeder):
    """Append a meld to a seat."""
    n = s[seat, N_MELDS]
    s[seat, MELD_TYPE + n] = kind_of_meld
    s[seat, MELD_KIND + n] = kind
    s[seat, MELD_FROM + n] = feeder
    s[seat, N_MELDS] = n + 1
