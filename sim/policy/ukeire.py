"""``ukeire``: lowest shanten, then most live acceptance (进张); claims that lower shanten; kongs that do not raise it.

It looks at its own tiles and at how many copies of each kind are still unseen, nothing else.
"""

from __future__ import annotations

from sim.jit import kernel, lowest_bit
from sim.policy.moves import move
from sim.schema import CHI, DISCARD, GANG_ADDED, GANG_CONCEALED, GANG_EXPOSED, HU, PASS, PENG
from sim.shanten import best_discard, need
from sim.state import FOURS, HELD, NEED, PUNGS, VISIBLE, add_tile, take_tiles


@kernel
def _kong(s, r, t, seat, kinds, n_tiles, limit):
    """First kind of the mask whose kong of ``n_tiles`` concealed tiles leaves a need of at most ``limit``; -1 none."""
    while kinds != 0:
        k = lowest_bit(kinds)
        kinds &= kinds - 1
        take_tiles(s, seat, k, n_tiles)
        after = need(s, r, t, seat, 1 if n_tiles == 4 else 0)
        for _ in range(n_tiles):
            add_tile(s, seat, k)
        if after <= limit:
            return k
    return -1


@kernel
def turn(s, r, t, seat, can_hu, can_kong, discards):
    """Answer the seat's own turn; ``discards`` is the mask of legal discards."""
    if can_hu:
        return move(HU, 0)
    if can_kong:
        fours, added = s[seat, FOURS], s[seat, PUNGS] & s[seat, HELD]
        if fours | added:
            limit = max(need(s, r, t, seat, 0), 1)
            k = _kong(s, r, t, seat, fours, 4, limit)
            if k >= 0:
                return move(GANG_CONCEALED, k)
            k = _kong(s, r, t, seat, added, 1, limit)
            if k >= 0:
                return move(GANG_ADDED, k)
    if s[seat, HELD] & discards == 0:
        return move(DISCARD, lowest_bit(discards))
    return move(DISCARD, best_discard(s, r, t, seat, 0, discards)[0])


@kernel
def claim(s, r, t, seat, kind, can_peng, can_gang):
    """Answer the question for a pung or kong of ``kind``."""
    now = s[seat, NEED]
    answer = PASS
    if can_gang:
        take_tiles(s, seat, kind, 3)
        if need(s, r, t, seat, 1) <= now:
            answer = GANG_EXPOSED
        for _ in range(3):
            add_tile(s, seat, kind)
    if answer == PASS and can_peng:
        take_tiles(s, seat, kind, 2)
        if max(need(s, r, t, seat, 1), 1) < now:
            answer = PENG
        for _ in range(2):
            add_tile(s, seat, kind)
    return answer


@kernel
def chi(s, r, t, seat, kind, lows):
    """Answer the question for a chi of ``kind``; ``lows`` is the mask of possible lowest kinds."""
    now = s[seat, NEED]
    best, best_acceptance, answer = now, -1, move(PASS, 0)
    while lows != 0:
        low = lowest_bit(lows)
        lows &= lows - 1
        for k in range(low, low + 3):
            if k != kind:
                take_tiles(s, seat, k, 1)
                s[VISIBLE, k] += 1
        after = max(need(s, r, t, seat, 1), 1)
        if after < now and after <= best:
            acceptance = best_discard(s, r, t, seat, 1, s[seat, HELD])[2]
            if after < best or acceptance > best_acceptance:
                best, best_acceptance, answer = after, acceptance, move(CHI, low)
        for k in range(low, low + 3):
            if k != kind:
                add_tile(s, seat, k)
                s[VISIBLE, k] -= 1
    return answer
