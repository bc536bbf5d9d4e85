"""What an ended hand moves under other prices: kongs, wins and horses settled again from the state at its end.

Rule sets with the same `sim.prices.play_key` are played move by move alike, so one played hand answers for all of
them. The state keeps all that a settlement needs: melds with their feeders, flowers, the winners' hands, the events of
the win and the tiles never drawn.
"""

from __future__ import annotations

from sim.flags import FLAG, HORSES_HELD, R_FLOWER_PRICE, R_HORSES, R_KONG_VOID, R_ROB_IS_ZIMO
from sim.jit import kernel
from sim.patterns import GANGKAI, P_ZIMO
from sim.schema import MELD_EXPOSED, QIANGGANG, ZIMO
from sim.settlement import pay_each, pay_follow, pay_kong
from sim.state import (
    EVENTS,
    FOLLOW_PAID,
    FOLLOWED,
    FROM_SEAT,
    GAME,
    HORSE_HITS,
    KONGS,
    MELD_FROM,
    MELD_TYPE,
    N_FLOWERS,
    N_HORSES,
    N_MELDS,
    N_WINNERS,
    OUTCOME,
    PAY_HAND,
    PAY_HORSE,
    PAY_KONG,
    POINTS,
    WIN_TILE,
    WINNERS,
    WORTH,
    add_tile,
    take_tiles,
)
from sim.winning import pay_wins, value


@kernel
def _side_money(s, r):
    """Kongs, flowers and 跟庄."""
    for seat in range(4):
        for i in range(s[seat, N_MELDS]):
            if s[seat, MELD_TYPE + i] >= MELD_EXPOSED:
                pay_kong(s, r, s[seat, MELD_TYPE + i], seat, s[seat, MELD_FROM + i])
        pay_each(s, r, seat, s[seat, N_FLOWERS] * r[FLAG, R_FLOWER_PRICE])
    if s[GAME, FOLLOWED] == 4:
        pay_follow(s, r)


@kernel
def resettle(s, r, no_trace):
    """Write an ended hand's payments, worth, liable seats and horses under the rule set ``r`` into the state.

    ``no_trace`` int64 (0, 4). The rows of payments and winners end up as if the hand had been played under ``r``,
    for any ``r`` with the play key of the rule set that it was played under.
    """
    outcome, n, win = s[GAME, OUTCOME], s[GAME, N_WINNERS], s[GAME, WIN_TILE]
    s[PAY_HAND : PAY_HORSE + 1, :4] = 0
    s[KONGS : KONGS + 4, :4] = 0
    s[FOLLOW_PAID, :4] = 0
    _side_money(s, r)
    if n == 0:
        if r[FLAG, R_KONG_VOID]:
            for seat in range(4):
                s[PAY_KONG, seat] = s[FOLLOW_PAID, seat]
        return
    if r[FLAG, R_HORSES] != HORSES_HELD:
        s[GAME, N_HORSES] = 0
    events = s[GAME, EVENTS]
    if outcome == QIANGGANG:
        events &= ~(1 << P_ZIMO)
        if r[FLAG, R_ROB_IS_ZIMO]:
            events |= 1 << P_ZIMO
    for i in range(n):
        seat = s[WINNERS, i]
        if outcome != ZIMO:
            add_tile(s, seat, win)
        value(s, r, seat, win, outcome, events, i)
        s[WORTH, i] = s[POINTS, i]
        if outcome != ZIMO:
            take_tiles(s, seat, win, 1)
    replacement = (events >> GANGKAI) & 1
    s[GAME, HORSE_HITS] = pay_wins(s, r, n, outcome, s[GAME, FROM_SEAT], win, replacement, no_trace)
