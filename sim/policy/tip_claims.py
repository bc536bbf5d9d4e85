"""Strategy tips about claims: in which state each acts, and what it answers there (README.md).

Each kernel takes the bot's answer and returns it, or another one where its state holds. ``obeys`` is 1, or 0 for the
opposite behaviour; ``level`` the tip's level, 0 for none (`sim.policy.LEVELS`). ``offers`` of a claim: 1 for a legal
pung + 2 for a kong; ``lows``: mask of a chi's lowest kinds.
"""

from __future__ import annotations

from sim.deal import wall_left
from sim.flags import FLAG, R_N_TILES, R_RESERVED
from sim.jit import kernel, lowest_bit
from sim.policy import ukeire
from sim.policy.moves import move
from sim.policy.tip_discards import FIRST_TURNS, LATE
from sim.schema import CHI, GANG_EXPOSED, MELD_CONCEALED, PASS, PENG
from sim.shanten import need
from sim.state import (
    DISCARDS,
    FLUSH,
    GAME,
    GHOSTS,
    HAND,
    HELD,
    KEYS,
    MELD_TYPE,
    N_MELDS,
    NEED,
    PONGS,
    TURN_SEAT,
    add_tile,
    take_tiles,
)
from sim.tiles import FIRST_HONOUR, HONOUR_MASK

_SUIT = (1 << 9) - 1
_SHOWN = 3  # exposed sets that show a good hand
_N_DEALT = 52


@kernel
def _need_after_peng(s, r, t, seat, kind):
    take_tiles(s, seat, kind, 2)
    after = max(need(s, r, t, seat, 1), 1)
    add_tile(s, seat, kind)
    add_tile(s, seat, kind)
    return after


@kernel
def _need_after_chi(s, r, t, seat, kind, low):
    for k in range(low, low + 3):
        if k != kind:
            take_tiles(s, seat, k, 1)
    after = max(need(s, r, t, seat, 1), 1)
    for k in range(low, low + 3):
        if k != kind:
            add_tile(s, seat, k)
    return after


@kernel
def _pung_or_pass(kind, offers, pungs, answer):
    """Pung where that is legal, or pass a pung; a kong stays."""
    if answer // 64 == GANG_EXPOSED or offers & 1 == 0:
        return answer
    return move(PENG, kind) if pungs else move(PASS, kind)


@kernel
def t02(s, r, t, seat, obeys, kind, offers, answer):
    """Past half the wall: no pung of a wind that the previous seat discards, unless it makes the hand ready."""
    drawable = r[FLAG, R_N_TILES] - r[FLAG, R_RESERVED] - _N_DEALT
    is_wind = FIRST_HONOUR <= kind < FIRST_HONOUR + 4
    if not is_wind or 2 * wall_left(s) >= drawable or s[GAME, TURN_SEAT] != (seat + 3) % 4:
        return answer
    if offers & 1 == 0 or _need_after_peng(s, r, t, seat, kind) == 1:
        return answer
    return _pung_or_pass(kind, offers, not obeys, answer)


@kernel
def t03(s, r, t, seat, obeys, level, kind, offers, answer):
    """Late and not ready: no claims."""
    if s[seat, DISCARDS] < LATE[level] or s[seat, NEED] <= 1:
        return answer
    if obeys:
        return move(PASS, kind)
    if answer // 64 == PASS and offers & 1 and _need_after_peng(s, r, t, seat, kind) <= s[seat, NEED]:
        return move(PENG, kind)
    return answer


@kernel
def t03_chi(s, r, t, seat, obeys, level, kind, lows, answer):
    """Late and not ready: no chis."""
    if s[seat, DISCARDS] < LATE[level] or s[seat, NEED] <= 1:
        return answer
    if obeys:
        return move(PASS, 0)
    while answer // 64 == PASS and lows != 0:
        low = lowest_bit(lows)
        lows &= lows - 1
        if _need_after_chi(s, r, t, seat, kind, low) <= s[seat, NEED]:
            return move(CHI, low)
    return answer


@kernel
def _is_open_ended(kind, low):
    """Whether a chi uses two tiles that two kinds complete."""
    return (kind == low and low % 9 < 6) or (kind == low + 2 and low % 9 > 0)


@kernel
def t06(s, r, t, seat, obeys, level, kind, lows, answer):
    """First turns: chis of closed and edge shapes alone."""
    if s[seat, DISCARDS] >= (level if level else FIRST_TURNS):
        return answer
    if answer // 64 == CHI:
        return move(PASS, 0) if _is_open_ended(kind, answer % 64) == bool(obeys) else answer
    while not obeys and lows != 0:
        low = lowest_bit(lows)
        lows &= lows - 1
        if _is_open_ended(kind, low) and _need_after_chi(s, r, t, seat, kind, low) <= s[seat, NEED]:
            return move(CHI, low)
    return answer


@kernel
def t07(s, r, t, seat, obeys, kind, lows, answer):
    """With a 1 and two 2s, and a ghost in hand, no chi of the 3 (9, 8 8, 7), unless it makes the hand ready."""
    if s[seat, GHOSTS] == 0:
        return answer
    low = -1
    if kind % 9 == 2 and s[seat, HAND + kind - 1] >= 2:
        low = kind - 2
    elif kind % 9 == 6 and s[seat, HAND + kind + 1] >= 2:
        low = kind
    if low < 0 or (lows >> low) & 1 == 0 or _need_after_chi(s, r, t, seat, kind, low) == 1:
        return answer
    if not obeys:
        return move(CHI, low)
    return move(PASS, 0) if answer == move(CHI, low) else answer


@kernel
def _hide(s, r, t, seat):
    """Leave nothing but a flush's suit and honours for the question of a claim."""
    suit = s[seat, FLUSH] - 1
    s[seat, HELD] &= (_SUIT << (9 * suit)) | HONOUR_MASK
    for other in range(3):
        if other != suit:
            s[seat, KEYS + other] = 0
    s[seat, NEED] = need(s, r, t, seat, 0)


@kernel
def t11(s, r, t, seat, obeys, kind, options, is_chi, answer):
    """With a flush in view: claims of ``ukeire``, of nothing but the suit and honours."""
    if not obeys or s[seat, FLUSH] == 0:
        return answer
    if kind < FIRST_HONOUR and kind // 9 != s[seat, FLUSH] - 1:
        return move(PASS, kind)
    held, now = s[seat, HELD], s[seat, NEED]
    a, b, c = s[seat, KEYS], s[seat, KEYS + 1], s[seat, KEYS + 2]
    _hide(s, r, t, seat)
    if is_chi:
        answer = ukeire.chi(s, r, t, seat, kind, options)
    else:
        answer = move(ukeire.claim(s, r, t, seat, kind, options & 1, options & 2), kind)
    s[seat, HELD], s[seat, NEED] = held, now
    s[seat, KEYS], s[seat, KEYS + 1], s[seat, KEYS + 2] = a, b, c
    return answer


@kernel
def note_pairs(s, seat, level):
    """Note a hand that has four pairs in the first two rounds, two of them of one number (level 1: no two)."""
    if s[seat, DISCARDS] > 2 or s[seat, PONGS]:
        return
    n_pairs, pairs = 0, 0
    rest = s[seat, HELD]
    while rest != 0:
        k = lowest_bit(rest)
        rest &= rest - 1
        if s[seat, HAND + k] >= 2:
            n_pairs += 1
            pairs |= 1 << k
    m, p, x = pairs & _SUIT, (pairs >> 9) & _SUIT, (pairs >> 18) & _SUIT
    are_of_one_number = ((m & p) | (m & x) | (p & x)) != 0
    if n_pairs >= 4 and are_of_one_number == (level == 0):
        s[seat, PONGS] = 1


@kernel
def t12(s, seat, obeys, kind, offers, answer):
    """With four pairs, not yet ready: every pung."""
    if s[seat, PONGS] == 0 or s[seat, NEED] <= 1:
        return answer
    return _pung_or_pass(kind, offers, obeys, answer)


@kernel
def t32(s, r, t, seat, obeys, kind, offers, answer):
    """No pung while the next seat shows three exposed sets, unless it makes the hand ready."""
    following, n = (seat + 1) % 4, 0
    for i in range(s[following, N_MELDS]):
        n += 1 if s[following, MELD_TYPE + i] != MELD_CONCEALED else 0
    if n < _SHOWN or offers & 1 == 0 or _need_after_peng(s, r, t, seat, kind) == 1:
        return answer
    return _pung_or_pass(kind, offers, not obeys, answer)


@kernel
def t35(s, r, t, seat, obeys, kind, options, is_chi):
    """Claims whenever that lowers the need, as ``ukeire``; the opposite: never."""
    if not obeys:
        return move(PASS, 0)
    if is_chi:
        return ukeire.chi(s, r, t, seat, kind, options)
    return move(ukeire.claim(s, r, t, seat, kind, options & 1, options & 2), kind)
