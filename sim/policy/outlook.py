"""What a hand between turns can be expected to bring: the chance of each plan times its worth.

The chance to win was measured in self-play by need and by tiles left in the wall, and how it grows with the acceptance
a: as a / (a + half). Narrower plans multiply it by a factor for each tile that is still to come after the next one.
"""

from __future__ import annotations

import numpy as np

from sim.deal import wall_left
from sim.flags import FLAG, R_WAYS
from sim.jit import kernel, lowest_bit
from sim.policy.plans import (
    ALL_KINDS,
    DISCARD_WORTH,
    DRAW_WORTH,
    LEAST,
    NUMBER,
    ORPHAN_HAND,
    PAIRS,
    PLAN_FOLLOWED,
    PLAN_FORM,
    PLAN_KINDS,
    PUNGS,
    STANDARD,
    USEFUL,
    distance,
    plan_worths,
)
from sim.policy.weights import (
    CHANCE_UNIT,
    N_NEEDS,
    N_STAGES,
    UNIT,
    W_BACK,
    W_CHANCE,
    W_DISCARDS,
    W_HALF,
    W_MIX,
    W_ONE,
    W_PAIRS,
    W_PENG,
    W_PUNGS,
    W_PURE,
    W_RELIEF,
    W_SUIT,
)
from sim.policy.worth import BY_DISCARD, BY_DRAW, hand_worth, is_flat
from sim.state import GHOSTS, add_tile, live, take_tiles
from sim.tiles import HONOUR_MASK


@kernel
def relief(s, r, w, n_plans):
    """Return the quarter points that ending the hand is worth beside the payment: so many cheapest wins."""
    cheapest = -1
    for i in range(n_plans):
        worth = max(s[DRAW_WORTH, i], s[DISCARD_WORTH, i])
        if worth > 0 and (cheapest < 0 or worth < cheapest):
            cheapest = worth
    return max(cheapest, 0) * r[w, W_RELIEF] / UNIT


def _scales() -> list[tuple[int, int]]:
    """Columns of the weights that say how wide each plan usually is beside the plan of any hand."""
    columns = []
    for form, kinds in zip(PLAN_FORM.tolist(), PLAN_KINDS.tolist(), strict=True):
        by_form = W_PUNGS if form == PUNGS else W_PAIRS if form in (PAIRS, ORPHAN_HAND) else W_ONE
        narrow = form in (STANDARD, PUNGS, PAIRS) and kinds != ALL_KINDS
        is_suit_and_honours = kinds & HONOUR_MASK and kinds.bit_count() == 16
        columns.append((by_form, W_ONE if not narrow else W_SUIT if is_suit_and_honours else W_PURE))
    return columns


USUAL = 5.0  # usual acceptance of a ready hand
SCALE = np.array(_scales(), np.int64)


@kernel
def _chance(s, r, w, n, a):
    """Return the chance to win with a need ``n`` and acceptance ``a``."""
    place = min(n, N_NEEDS) - 1
    stage = min(wall_left(s) // 8, N_STAGES - 1)
    x = r[w, W_CHANCE + place * N_STAGES + stage] / CHANCE_UNIT * (a / (a + r[w, W_HALF + place] / UNIT))
    for _ in range(n - N_NEEDS):
        x *= 0.5
    return x


@kernel
def _rate(r, w, by_draw, by_discard):
    """Return how often a wait with these worths wins, beside one that wins by draw and by discard."""
    discards = r[w, W_DISCARDS] / UNIT if r[FLAG, R_WAYS] & BY_DISCARD else 0.0
    rate = (1.0 if by_draw >= 0 else 0.0) + (discards if by_discard >= 0 else 0.0)
    return rate / (1.0 + discards)


@kernel
def _gain(r, w, by_draw, by_discard, ease):
    """Return the quarter points of a wait with these worths, times its rate."""
    discards = r[w, W_DISCARDS] / UNIT if r[FLAG, R_WAYS] & BY_DISCARD else 0.0
    gain = (by_draw + ease if by_draw >= 0 else 0.0) + (discards * (by_discard + ease) if by_discard >= 0 else 0.0)
    return gain / (1.0 + discards)


@kernel
def _plan_value(s, r, w, number, n, a, by_draw, by_discard, ease):
    """Return the expected quarter points of a plan that needs ``n`` tiles, ``a`` live ones being the first of them."""
    rate = _rate(r, w, by_draw, by_discard)
    if rate == 0.0:
        return 0.0
    worth = _gain(r, w, by_draw, by_discard, ease) / rate
    if n <= 1:
        return _chance(s, r, w, 1, a * rate) * worth
    half = r[w, W_HALF] / UNIT
    x = _chance(s, r, w, n, a) * (rate * (USUAL + half) / (rate * USUAL + half))
    scale = r[w, SCALE[number, 0]] * r[w, SCALE[number, 1]] / (UNIT * UNIT)
    for _ in range(n - 1):
        x *= scale
    return x * worth


@kernel
def _ready_value(s, r, seat, w, kinds, ease):
    """Return the expected quarter points of a ready hand without ghosts, each wait at its own worth."""
    gain, rate = 0.0, 0.0
    while kinds != 0:
        k = lowest_bit(kinds)
        kinds &= kinds - 1
        left = live(s, r, seat, k)
        add_tile(s, seat, k)
        by_draw = by_discard = -1
        for way in (BY_DRAW, BY_DISCARD):
            worth = hand_worth(s, r, seat, k, way)
            if way == BY_DRAW:
                by_draw = worth
            else:
                by_discard = worth
        take_tiles(s, seat, k, 1)
        gain += left * _gain(r, w, by_draw, by_discard, ease)
        rate += left * _rate(r, w, by_draw, by_discard)
    if rate == 0.0:
        return 0.0
    return _chance(s, r, w, 1, rate) * (gain / rate)


@kernel
def waiting(s, r, t, seat, w, n_plans, changed, ease):
    """Return the expected quarter points of a hand of 3k + 1 tiles by the listed plans.

    ``changed``: whether the plans' worths must be looked at again, since a pung or a four of a kind was broken. Row
    FOLLOWED takes number, need and acceptance of the best plan.
    """
    if wall_left(s) == 0:
        return 0.0
    peng = r[w, W_PENG] / UNIT
    best, total = -1.0, 0.0
    exact = False
    for i in range(n_plans):
        number, by_draw, by_discard = s[NUMBER, i], s[DRAW_WORTH, i], s[DISCARD_WORTH, i]
        form, kinds = PLAN_FORM[number], PLAN_KINDS[number]
        n, a = distance(s, r, t, seat, form, kinds, peng)
        if i == 0 and n == 1 and s[seat, GHOSTS] == 0 and not is_flat(r):
            exact = True
            v = _ready_value(s, r, seat, w, s[USEFUL, 0], ease)
        elif exact and n == 1:
            continue
        else:
            if changed:
                by_draw, by_discard = plan_worths(s, r, seat, form, kinds)
            v = _plan_value(s, r, w, number, n, a, by_draw, by_discard, ease)
        if n > s[LEAST, i]:
            v *= r[w, W_BACK] / UNIT
        total += v
        if v > best:
            best = v
            s[PLAN_FOLLOWED, 0], s[PLAN_FOLLOWED, 1], s[PLAN_FOLLOWED, 2] = number, n, np.int64(a)
    return best + (total - best) * r[w, W_MIX] / UNIT
