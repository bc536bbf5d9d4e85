"""Strategy tips about discards and kongs: in which state each acts, and what it answers there (README.md).

Each kernel takes the bot's answer and returns it, or another one where its state holds. ``obeys`` is 1, or 0 for the
opposite behaviour; ``level`` the tip's level, 0 for none (`sim.policy.LEVELS`).
"""

from __future__ import annotations

from sim.flags import DEFEND_WEIGHTS, VALUE_WEIGHTS
from sim.jit import call_entry, kernel, lowest_bit, n_bits
from sim.policy import BASE, SHANTEN, VALUE, shanten_bot
from sim.policy.moves import ASK_TURN, move
from sim.schema import DISCARD, GANG_ADDED, MELD_ADDED, MELD_CONCEALED, MELD_EXPOSED
from sim.shanten import DISCARD_RANK, best_discard, need
from sim.state import (
    CLAIMED,
    DISCARDS,
    DRAWN,
    FLUSH,
    GAME,
    HAND,
    HELD,
    MELD_KIND,
    MELD_TYPE,
    N_MELDS,
    PUNGS,
    RIVER,
    VALUE_ENTRY,
    VISIBLE,
    WINDS_OUT,
    add_tile,
    take_tiles,
)
from sim.tiles import FIRST_HONOUR, HONOUR_MASK, N_KINDS

_SUIT = (1 << 9) - 1
_SUITS = (1 << FIRST_HONOUR) - 1
_WINDS = 0b1111 << FIRST_HONOUR
_MIDDLE = 0b000111000  # 4 5 6 of the first suit
LATE = (8, 7, 9, 11)  # own discards from which T03 speaks, by level
FIRST_TURNS = 4  # own discards during which T10 speaks (T06: chis)
EARLY = 6  # own discards during which T01 speaks
FLUSH_TILES = 8  # of one suit, melds included: more than seven


@kernel
def _of_base(s, r, t, bot, seat, kinds):
    """Answer with the bot's own choice among the discards of some natural kinds."""
    base = bot % BASE
    if base >= VALUE:
        w = VALUE_WEIGHTS if base == VALUE else DEFEND_WEIGHTS
        return call_entry(s[GAME, VALUE_ENTRY], s, r, t, seat, w, ASK_TURN, 0, kinds, 0)
    if base == SHANTEN:
        return shanten_bot.turn(s, r, t, seat, False, False, kinds)
    return move(DISCARD, best_discard(s, r, t, seat, 0, kinds)[0])


@kernel
def need_without(s, r, t, seat, kind):
    """Return the need after the discard of a kind."""
    take_tiles(s, seat, kind, 1)
    after = need(s, r, t, seat, 0)
    add_tile(s, seat, kind)
    return after


@kernel
def keeping(s, r, t, seat, kinds, limit):
    """Mask of the kinds after whose discard the need is at most ``limit``."""
    kept = 0
    while kinds != 0:
        k = lowest_bit(kinds)
        kinds &= kinds - 1
        if need_without(s, r, t, seat, k) <= limit:
            kept |= 1 << k
    return kept


@kernel
def most_seen(s, kinds, sign):
    """Return the kind of which most copies lie open (``sign`` 1) or fewest (-1), the first by rank among equals."""
    best = lowest_bit(kinds)
    while kinds != 0:
        k = lowest_bit(kinds)
        kinds &= kinds - 1
        gain = sign * (s[VISIBLE, k] - s[VISIBLE, best])
        if gain > 0 or (gain == 0 and DISCARD_RANK[k] < DISCARD_RANK[best]):
            best = k
    return best


@kernel
def _by_rank(kinds):
    """Return the first kind in the order in which equally good discards go."""
    best = lowest_bit(kinds)
    while kinds != 0:
        k = lowest_bit(kinds)
        kinds &= kinds - 1
        if DISCARD_RANK[k] < DISCARD_RANK[best]:
            best = k
    return best


@kernel
def _in_river(s, seat, suit):
    """Discards of a suit that a seat has made."""
    n = 0
    for k in range(9 * suit, 9 * suit + 9):
        n += s[RIVER + seat, k]
    return n


@kernel
def t01(s, r, t, seat, bot, obeys, kinds, answer):
    """First turns: no 1 or 9 as a suit's first discard while any of its 2 to 8 is held."""
    if s[seat, DISCARDS] >= EARLY:
        return answer
    k = answer % 64
    for suit in range(3):
        if _in_river(s, seat, suit) > 0:
            continue
        ends, inner = 0b100000001 << (9 * suit), 0b011111110 << (9 * suit)
        if obeys:
            rest = kinds & ~ends
            if (ends >> k) & 1 and s[seat, HELD] & inner and rest:
                return _of_base(s, r, t, bot, seat, rest)
        elif n_bits(s[seat, HELD] & (0b001111100 << (9 * suit))) >= 2:
            rest = kinds & ends
            while rest != 0:
                e = lowest_bit(rest)
                rest &= rest - 1
                if s[seat, HAND + e] == 1:
                    return move(DISCARD, e)
    return answer


@kernel
def t03(s, r, t, seat, obeys, level, kinds, answer):
    """Late and not ready: of the discards that keep the need, the one of which most copies lie open."""
    now = need(s, r, t, seat, 0)
    if s[seat, DISCARDS] < LATE[level] or now <= 1:
        return answer
    kept = keeping(s, r, t, seat, kinds, now)
    if kept == 0:
        return answer
    return move(DISCARD, most_seen(s, kept, 1 if obeys else -1))


@kernel
def t04(s, r, t, seat, bot, obeys, kinds, answer):
    """With a 5 and a 6 of a suit its 3 or 8 goes where that does not raise the need."""
    beside = 0
    for suit in range(3):
        both = 0b000110000 << (9 * suit)
        if s[seat, HELD] & both == both:
            beside |= 0b010000100 << (9 * suit)
    if obeys:
        kept = keeping(s, r, t, seat, kinds & beside, max(need(s, r, t, seat, 0), 1)) if kinds & beside else 0
        return move(DISCARD, lowest_bit(kept)) if kept else answer
    rest = kinds & ~beside
    if (beside >> (answer % 64)) & 1 and rest:
        return _of_base(s, r, t, bot, seat, rest)
    return answer


@kernel
def t08(s, r, t, seat, bot, obeys, kinds, answer):
    """For two rounds after three winds are out the wind of which no copy lies open is kept."""
    unseen, n_out = -1, 0
    for k in range(FIRST_HONOUR, FIRST_HONOUR + 4):
        if s[VISIBLE, k] == 0:
            unseen = k
        elif s[VISIBLE, k] >= 2:
            n_out += 1
    if unseen < 0 or n_out < 3:
        return answer
    if s[seat, WINDS_OUT] == 0:
        s[seat, WINDS_OUT] = s[seat, DISCARDS] + 1
    if s[seat, DISCARDS] + 1 - s[seat, WINDS_OUT] >= 2 or (kinds >> unseen) & 1 == 0:
        return answer
    if not obeys:
        return move(DISCARD, unseen)
    rest = kinds & ~(1 << unseen)
    if answer % 64 == unseen and rest:
        return _of_base(s, r, t, bot, seat, rest)
    return answer


@kernel
def _isolated(s, seat, kinds):
    """Mask of the suit tiles among some kinds that stand alone: one copy, nothing within two ranks."""
    alone = 0
    rest = kinds & _SUITS
    while rest != 0:
        k = lowest_bit(rest)
        rest &= rest - 1
        near = 0b11111 << (k - 2) if k >= 2 else 0b11111 >> (2 - k)
        near &= _SUIT << (9 * (k // 9))
        if s[seat, HAND + k] == 1 and s[seat, HELD] & near == 1 << k:
            alone |= 1 << k
    return alone


@kernel
def t10(s, seat, obeys, level, kinds, answer):
    """First turns: an isolated suit tile before a single wind, but a wind first while there are more than two."""
    if s[seat, DISCARDS] >= FIRST_TURNS:
        return answer
    alone, winds = _isolated(s, seat, kinds), 0
    for k in range(FIRST_HONOUR, FIRST_HONOUR + 4):
        if (kinds >> k) & 1 and s[seat, HAND + k] == 1:
            winds |= 1 << k
    if alone == 0 or winds == 0:
        return answer
    if level and min(n_bits(winds), 3) != level:
        return answer
    wind_first = n_bits(winds) > 2
    if wind_first != bool(obeys):
        return move(DISCARD, _by_rank(alone))
    return move(DISCARD, lowest_bit(winds))


@kernel
def _flush_suit(s, seat):
    """Return the suit of which a seat has at least FLUSH_TILES natural tiles, melds included; -1 none."""
    for suit in range(3):
        n = 0
        rest = s[seat, HELD] & (_SUIT << (9 * suit))
        while rest != 0:
            n += s[seat, HAND + lowest_bit(rest)]
            rest &= rest - 1
        for i in range(s[seat, N_MELDS]):
            k = s[seat, MELD_KIND + i]
            if k // 9 == suit:
                n += 4 if s[seat, MELD_TYPE + i] in (MELD_EXPOSED, MELD_ADDED, MELD_CONCEALED) else 3
            elif k < FIRST_HONOUR:
                n = -N_KINDS  # a meld of another suit
        if n >= FLUSH_TILES:
            return suit
    return -1


@kernel
def t11(s, r, t, seat, bot, obeys, kinds, answer):
    """With more than seven tiles of a suit in the first two rounds the others go first, from then on."""
    suit = _flush_suit(s, seat) if s[seat, DISCARDS] < 2 else -1
    if obeys:
        if suit >= 0 and s[seat, FLUSH] == 0:
            s[seat, FLUSH] = suit + 1
        if s[seat, FLUSH] == 0:
            return answer
        rest = kinds & ~HONOUR_MASK & ~(_SUIT << (9 * (s[seat, FLUSH] - 1)))
    else:
        rest = kinds & (_SUIT << (9 * suit)) if suit >= 0 else 0
    return _of_base(s, r, t, bot, seat, rest) if rest else answer


@kernel
def t15(s, r, t, seat, bot, obeys, kinds, answer):
    """Before the hand is ready a 4, 5 or 6 never goes straight from the draw."""
    k = s[GAME, DRAWN]
    if s[GAME, CLAIMED] or k < 0 or k >= FIRST_HONOUR or (kinds >> k) & 1 == 0 or (_MIDDLE >> (k % 9)) & 1 == 0:
        return answer
    if need(s, r, t, seat, 0) <= 1:
        return answer
    if not obeys:
        return move(DISCARD, k)
    rest = kinds & ~(1 << k)
    if answer % 64 == k and rest:
        return _of_base(s, r, t, bot, seat, rest)
    return answer


@kernel
def t33(s, r, t, seat, bot, obeys, may_kong, kinds, answer):
    """No added kong of a suit tile."""
    code, k = answer // 64, answer % 64
    if obeys:
        if code == GANG_ADDED and k < FIRST_HONOUR and kinds:
            return _of_base(s, r, t, bot, seat, kinds)
        return answer
    added = s[seat, PUNGS] & s[seat, HELD] & _SUITS
    if may_kong and added and code == DISCARD:
        return move(GANG_ADDED, lowest_bit(added))
    return answer
