"""Strategy tips for a ready hand late that is about to discard what is hardly seen: fold (T23), change the wait (T26).

Arguments as in `sim.policy.tip_discards`.
"""

from __future__ import annotations

from sim.flags import FLAG, R_WAYS
from sim.jit import kernel, lowest_bit
from sim.patterns import P_DIANPAO, P_ZIMO
from sim.policy.moves import move
from sim.policy.tip_discards import keeping, most_seen, need_without
from sim.policy.worth import BY_DISCARD, BY_DRAW, seat_wind, state_patterns
from sim.readings import best_reading
from sim.schema import DISCARD
from sim.scoring import price
from sim.shanten import best_discard, need
from sim.state import (
    CLAIMED,
    DISCARDS,
    DRAWN,
    GAME,
    HELD,
    MELD_KIND,
    N_MELDS,
    ROUND_WIND,
    VISIBLE,
    add_tile,
    is_ghost,
    live,
    take_tiles,
)
from sim.tiles import FIRST_HONOUR, N_KINDS

_SUIT = (1 << 9) - 1
TENTH = 9  # own discards before the tenth turn


@kernel
def _can_win_more(s, r, t, seat, kind):
    """Whether some live wait after a discard scores more, by draw or by discard, than a hand without any pattern.

    That hand counts 0 where it may not win.
    """
    waits = 0
    for k in range(N_KINDS):
        if k != kind and not is_ghost(s, k) and live(s, r, seat, k) > 0:
            waits |= 1 << k
    take_tiles(s, seat, kind, 1)
    own, by_round = seat_wind(s, r, seat), FIRST_HONOUR + s[GAME, ROUND_WIND]
    more = False
    while waits != 0 and not more:
        k = lowest_bit(waits)
        waits &= waits - 1
        add_tile(s, seat, k)
        if need(s, r, t, seat, 0) == 0:
            for way in (BY_DRAW, BY_DISCARD):
                if r[FLAG, R_WAYS] & way != 0:
                    event = 1 << (P_ZIMO if way == BY_DRAW else P_DIANPAO)
                    points = best_reading(s, r, seat, k, state_patterns(s, seat) | event, way, own, by_round)[0]
                    more |= points > max(price(r, event, way)[0], 0)
        take_tiles(s, seat, k, 1)
    add_tile(s, seat, kind)
    return more


@kernel
def _suits_of(s, seat):
    """Return the number of suits among a seat's natural tiles and melds."""
    kinds = s[seat, HELD]
    for i in range(s[seat, N_MELDS]):
        kinds |= 1 << s[seat, MELD_KIND + i]
    n = 0
    for suit in range(3):
        if kinds & (_SUIT << (9 * suit)):
            n += 1
    return n


@kernel
def t23(s, r, t, seat, obeys, level, kinds, answer):
    """Late, ready with a hand of several suits, about to discard what is hardly seen: the safest tile instead."""
    k = answer % 64
    if s[seat, DISCARDS] < TENTH or (kinds >> k) & 1 == 0 or s[VISIBLE, k] > 1 or _suits_of(s, seat) < 2:
        return answer
    if need_without(s, r, t, seat, k) != 1:
        return answer
    if level and (s[VISIBLE, k] != (level - 1) % 2 or _can_win_more(s, r, t, seat, k) != (level > 2)):
        return answer
    if obeys:
        return move(DISCARD, most_seen(s, kinds, 1))
    return move(DISCARD, best_discard(s, r, t, seat, 0, kinds)[0])


@kernel
def t26(s, r, t, seat, obeys, kinds, answer):
    """Late and ready, the tile just drawn hardly seen: another discard that keeps the hand ready and is seen more."""
    k = s[GAME, DRAWN]
    if s[seat, DISCARDS] < TENTH or s[GAME, CLAIMED] or k < 0 or k >= N_KINDS or (kinds >> k) & 1 == 0:
        return answer
    if s[VISIBLE, k] > 1 or need_without(s, r, t, seat, k) != 1:
        return answer
    kept = keeping(s, r, t, seat, kinds & ~(1 << k), 1)
    safe = 0
    while kept != 0:
        d = lowest_bit(kept)
        kept &= kept - 1
        if s[VISIBLE, d] >= 2:
            safe |= 1 << d
    if safe == 0:
        return answer
    return move(DISCARD, most_seen(s, safe, 1) if obeys else k)
