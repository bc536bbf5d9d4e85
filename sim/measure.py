"""What recorded hands teach the bots: chances to win by plan, need and acceptance; who is ready; what they wait for.

Hands are played again from their traces, all tiles seen. `analysis.fit_bots` turns the counts into weights.
"""

from __future__ import annotations

import numpy as np

from sim.deal import change_hand
from sim.flags import (
    DEFEND_WEIGHTS,
    FLAG,
    GHOST_TURNED_TWO,
    R_GHOST_MASK,
    R_GHOST_MODE,
    R_WAYS,
    SUCCESSOR,
    VALUE_WEIGHTS,
)
from sim.jit import kernel, lowest_bit
from sim.patterns import P_DIANPAO
from sim.policy.danger import expected_loss, list_threats, ready_place, suspected_kinds, told_cost, wait_place
from sim.policy.moves import ASK_WIN, move
from sim.policy.outlook import relief, waiting
from sim.policy.plans import ALL_KINDS, PLAN_FOLLOWED, list_plans
from sim.policy.value import answer
from sim.policy.weights import PUNGS_AIM, W_MARGIN
from sim.policy.worth import BY_DISCARD, feeder_pays, is_clean
from sim.schema import (
    CHI,
    DEAL,
    DECLARE,
    DIANPAO,
    DISCARD,
    DRAW,
    DRAW_TAIL,
    GANG_ADDED,
    GANG_CONCEALED,
    GANG_EXPOSED,
    HU,
    INDICATOR,
    MELD_ADDED,
    MELD_CHI,
    MELD_CONCEALED,
    MELD_EXPOSED,
    MELD_PENG,
    PENG,
)
from sim.shanten import completes, need
from sim.state import (
    DECLARED,
    DISCARDS,
    GAME,
    GHOST_MASK,
    HAND,
    HEAD,
    HELD,
    KEPT,
    MELD_KIND,
    MELD_TYPE,
    N_MELDS,
    N_SEAT_COLUMNS,
    POINTS,
    RIVER,
    SAFE,
    TAIL,
    THREATS,
    VISIBLE,
    add_meld,
    add_tile,
    take_tiles,
)
from sim.tiles import N_KINDS
from sim.winning import value

# Columns of a plan's row.
P_SEAT, P_NUMBER, P_NEED, P_ACCEPTANCE, P_LEFT, P_LOSS = range(6)
N_PLAN_COLUMNS = 6
# What is known of a ready seat and a tile: nothing, in its river, of its flush, of another suit than that.
PLAIN, AGAIN, INSIDE, OUTSIDE = range(4)


@kernel
def _count_aims(s, seat, kinds, aims):
    """Count whether a ready seat has the flush or the pungs that its melds point to."""
    held = s[seat, HELD] & ~s[GAME, GHOST_MASK]
    n = s[seat, N_MELDS]
    if kinds != ALL_KINDS:
        aims[n - 2, 0] += 1
        aims[n - 2, 1] += held & ~kinds == 0
    if n == 3:
        for i in range(3):
            if s[seat, MELD_TYPE + i] == MELD_CHI:
                return
        rest = held & (held - 1)
        aims[PUNGS_AIM, 0] += 1
        aims[PUNGS_AIM, 1] += rest & (rest - 1) == 0


@kernel
def winning(s, r, t, seat):
    """Return the mask of the kinds on whose discard the seat, a `value` bot, wins: may win and waits for no more."""
    found = np.int64(0)
    if need(s, r, t, seat, 0) != 1:
        return found
    for k in range(N_KINDS):
        if s[seat, HAND + k] < 4 and completes(s, r, t, seat, k):
            add_tile(s, seat, k)
            may = value(s, r, seat, k, DIANPAO, 1 << P_DIANPAO, 0)
            take_tiles(s, seat, k, 1)
            s[VISIBLE, k] += 1  # as the tile lies open when the seat is asked
            if may and answer(s, r, t, seat, VALUE_WEIGHTS, ASK_WIN, DIANPAO, 0, s[POINTS, 0]) == move(HU, 0):
                found |= 1 << k
            s[VISIBLE, k] -= 1
    return found


@kernel
def paid(s, r, seat, feeder, kind):
    """Return what a seat's win on the discard ``kind`` cost, and what its melds told: quarter points; /65536.

    Without what comes of the moment; (0, 0) where only that made it a win.
    """
    add_tile(s, seat, kind)
    may = value(s, r, seat, kind, DIANPAO, 1 << P_DIANPAO, 0)
    clean = is_clean(s, seat)
    take_tiles(s, seat, kind, 1)
    if not may:
        return 0, 0
    cost = feeder_pays(s, r, seat, feeder, clean, s[POINTS, 0])
    return cost, told_cost(s, r, DEFEND_WEIGHTS, seat, feeder, suspected_kinds(s, seat))


@kernel
def _count_waits(s, r, t, seat, ready, waits, aims):
    """Count for the seats other than ``seat`` who is ready, for what, and on which of its tiles they would win.

    Ready is who wins on some discard: who may only draw, or waits for a dearer hand, is no threat.
    """
    for j in range(1, 4):
        other = (seat + j) % 4
        place = ready_place(s, other)
        ready[place, 0] += 1
        takes = winning(s, r, t, other)
        if takes == 0:
            continue
        ready[place, 1] += 1
        kinds = suspected_kinds(s, other)
        _count_aims(s, other, kinds, aims)
        rest = s[seat, HELD] & ~s[other, SAFE]
        while rest != 0:
            k = lowest_bit(rest)
            rest &= rest - 1
            what = PLAIN
            if s[RIVER + other, k] > 0:
                what = AGAIN
            elif kinds != ALL_KINDS:
                what = INSIDE if (kinds >> k) & 1 else OUTSIDE
            wait = wait_place(s, r, seat, k)
            waits[what, wait, 0] += 1
            waits[what, wait, 1] += (takes >> k) & 1


@kernel
def replay(s, r, t, trace, n_moves, plans, ready, waits, aims):
    """Play a traced hand again and count; return the number of rows of ``plans`` filled.

    Parameters
    ----------
    s
        A state with DEALER, CHAIR, ROUND_WIND and REPEAT of the hand; its hands are overwritten.
    plans
        int64 (n, N_PLAN_COLUMNS), written for each discard: seat; plan, need and acceptance after it; tiles left in the
        wall; what `defend` takes its expected loss for (quarter points / 1024).
    ready, waits, aims
        int64 (places, 2), (4, places, 2) and (N_AIMS, 2), added to: cases, and ready seats, winning tiles or hands
        as their melds point to among them.
    """
    s[:4, :N_SEAT_COLUMNS] = 0
    s[VISIBLE, :N_KINDS] = 0
    s[RIVER : RIVER + 4, :N_KINDS] = 0
    s[GAME, GHOST_MASK] = r[FLAG, R_GHOST_MASK]
    s[GAME, HEAD] = 0
    n = 0
    by_discard = r[FLAG, R_WAYS] & BY_DISCARD != 0
    for i in range(n_moves):
        if trace[i, 0] == INDICATOR:
            ghost = r[SUCCESSOR, trace[i, 2]]
            s[GAME, GHOST_MASK] = 1 << ghost
            if r[FLAG, R_GHOST_MODE] == GHOST_TURNED_TWO:
                s[GAME, GHOST_MASK] |= 1 << r[SUCCESSOR, ghost]
            s[VISIBLE, trace[i, 2]] += 1
    last = drawn = -1
    for i in range(n_moves):
        what, seat, k, other = trace[i, 0], trace[i, 1], trace[i, 2], trace[i, 3]
        if what in (DEAL, DRAW, DRAW_TAIL):
            if k < N_KINDS:
                add_tile(s, seat, k)
            drawn = k if what != DEAL else -1
            if what != DEAL:
                s[GAME, TAIL] = other - 1
        elif what == DISCARD:
            plans[n, P_LOSS] = 0
            if by_discard:
                list_threats(s, r, seat, DEFEND_WEIGHTS, THREATS)
                plans[n, P_LOSS] = np.int64(expected_loss(s, r, seat, DEFEND_WEIGHTS, THREATS, k) * 1024.0)
                _count_waits(s, r, t, seat, ready, waits, aims)
            take_tiles(s, seat, k, 1)
            s[VISIBLE, k] += 1
            s[RIVER + seat, k] += 1
            s[seat, DISCARDS] += 1
            if k != drawn:
                change_hand(s, seat)
            else:
                s[seat, KEPT] += 1
            drawn = -1
            for j in range(4):
                s[j, SAFE] |= 1 << k
            last = k
            n_plans = list_plans(s, r, t, seat, r[VALUE_WEIGHTS, W_MARGIN])
            waiting(s, r, t, seat, VALUE_WEIGHTS, n_plans, False, relief(s, r, VALUE_WEIGHTS, n_plans))
            plans[n, P_SEAT], plans[n, P_NUMBER] = seat, s[PLAN_FOLLOWED, 0]
            plans[n, P_NEED], plans[n, P_ACCEPTANCE] = s[PLAN_FOLLOWED, 1], s[PLAN_FOLLOWED, 2]
            plans[n, P_LEFT] = s[GAME, TAIL] + 1
            n += 1
        elif what == DECLARE:
            s[seat, DECLARED] = 1
            change_hand(s, seat)
        elif what in (PENG, GANG_EXPOSED):
            change_hand(s, seat)
            taken = 2 if what == PENG else 3
            take_tiles(s, seat, k, taken)
            s[VISIBLE, k] += taken
            add_meld(s, seat, MELD_PENG if what == PENG else MELD_EXPOSED, k, other)
        elif what == GANG_CONCEALED:
            change_hand(s, seat)
            take_tiles(s, seat, k, 4)
            s[VISIBLE, k] += 4
            add_meld(s, seat, MELD_CONCEALED, k, -1)
        elif what == GANG_ADDED:
            change_hand(s, seat)
            take_tiles(s, seat, k, 1)
            s[VISIBLE, k] += 1
            for m in range(s[seat, N_MELDS]):
                if s[seat, MELD_KIND + m] == k and s[seat, MELD_TYPE + m] == MELD_PENG:
                    s[seat, MELD_TYPE + m] = MELD_ADDED
        elif what == CHI:
            for kind in range(k, k + 3):
                if kind != last:
                    take_tiles(s, seat, kind, 1)
                    s[VISIBLE, kind] += 1
            add_meld(s, seat, MELD_CHI, k, other)
    return n
