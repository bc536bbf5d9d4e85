"""``shanten``: lowest shanten, nothing else; ties go by the fixed order of discards. Wins, kongs, pungs as ``ukeire``.

It looks at its own tiles only.
"""

from __future__ import annotations

from sim.jit import kernel, lowest_bit
from sim.policy.moves import move
from sim.policy.ukeire import win_or_kong
from sim.schema import CHI, DISCARD, PASS
from sim.shanten import DISCARD_RANK, need
from sim.state import HELD, NEED, add_tile, take_tiles


@kernel
def turn(s, r, t, seat, can_hu, can_kong, discards):
    """Answer the seat's own turn; ``discards`` is the mask of discards to consider."""
    answer = win_or_kong(s, r, t, seat, can_hu, can_kong)
    if answer >= 0:
        return answer
    rest = s[seat, HELD] & discards
    best, best_kind = 99, lowest_bit(discards)
    while rest != 0:
        k = lowest_bit(rest)
        rest &= rest - 1
        take_tiles(s, seat, k, 1)
        after = need(s, r, t, seat, 0)
        add_tile(s, seat, k)
        if after < best or (after == best and DISCARD_RANK[k] < DISCARD_RANK[best_kind]):
            best, best_kind = after, k
    return move(DISCARD, best_kind)


@kernel
def chi(s, r, t, seat, kind, lows):
    """Answer the question for a chi of ``kind``: the lowest of those that leave the least need, if that lowers it."""
    best, answer = s[seat, NEED], move(PASS, 0)
    while lows != 0:
        low = lowest_bit(lows)
        lows &= lows - 1
        for k in range(low, low + 3):
            if k != kind:
                take_tiles(s, seat, k, 1)
        after = max(need(s, r, t, seat, 1), 1)
        if after < best:
            best, answer = after, move(CHI, low)
        for k in range(low, low + 3):
            if k != kind:
                add_tile(s, seat, k)
    return answer
