"""What a discard can be expected to cost: who is ready, who waits for the tile, what that hand would be paid.

How often a seat with so many melds and discards is ready, and how often a ready seat wins on a tile of a class of which
so many copies are unseen, was measured in self-play; what it would be paid is read off its melds.
"""

from __future__ import annotations

import numpy as np

from sim.deal import wall_left
from sim.flags import FLAG, R_DECLARE, R_WAYS
from sim.jit import kernel
from sim.policy.plans import ALL_KINDS
from sim.policy.weights import (
    CHANCE_UNIT,
    LATE_FROM,
    MIDDLE_FROM,
    N_KEPT,
    N_NEAR,
    N_UNSEEN,
    N_WHILES,
    PUNGS_AIM,
    UNIT,
    W_AGAIN,
    W_AIMS,
    W_EARLY,
    W_INSIDE,
    W_LATE,
    W_MIDDLE,
    W_OUTSIDE,
    W_PRICES,
    W_READY,
    W_WAIT,
)
from sim.policy.worth import BY_DISCARD, concealed_pattern, feeder_pays, patterns_points, seat_wind
from sim.schema import MELD_CHI
from sim.scoring import set_patterns
from sim.state import DECLARED, DISCARDS, GAME, KEPT, MELD_KIND, MELD_TYPE, N_MELDS, RIVER, ROUND_WIND, SAFE, live
from sim.tiles import HONOUR_MASK

_SUIT = (1 << 9) - 1


@kernel
def tile_class(kind):
    """0 honour, 1 for 1 and 9, 2 for 2 and 8, 3 for 3 and 7, 4 for 4 to 6."""
    if kind >= 27:
        return 0
    return min(min(kind % 9, 8 - kind % 9), 3) + 1


@kernel
def ready_place(s, seat):
    """Place of a seat in the table of chances to be ready."""
    place = s[seat, N_MELDS] * N_WHILES + min(s[seat, DISCARDS] // 3, N_WHILES - 1)
    return place * N_KEPT + min(s[seat, KEPT], N_KEPT - 1)


@kernel
def wait_place(s, r, seat, kind):
    """Place of a tile of ``seat`` in the table of chances that a ready seat wins on it."""
    place = tile_class(kind) * N_UNSEEN + min(max(live(s, r, seat, kind), 0), N_UNSEEN - 1)
    near = N_NEAR - 1
    if kind < 27:
        if kind % 9 > 0:
            near = min(near, max(live(s, r, seat, kind - 1), 0))
        if kind % 9 < 8:
            near = min(near, max(live(s, r, seat, kind + 1), 0))
    return place * N_NEAR + near


@kernel
def suspected_kinds(s, seat):
    """Kinds of the flush that a seat's melds point to: two or more, of one suit and perhaps honours; else all."""
    melded = 0
    for i in range(s[seat, N_MELDS]):
        melded |= (7 if s[seat, MELD_TYPE + i] == MELD_CHI else 1) << s[seat, MELD_KIND + i]
    if s[seat, N_MELDS] >= 2 and melded & ~HONOUR_MASK != 0:
        for suit in range(3):
            if melded & ~((_SUIT << (9 * suit)) | HONOUR_MASK) == 0:
                return (_SUIT << (9 * suit)) | (HONOUR_MASK if melded & HONOUR_MASK else 0)
    return ALL_KINDS


@kernel
def _cost(s, r, seat, feeder, kinds, all_pungs, may_pung):
    """Return the quarter points that who feeds a win pays; of pungs or of one suit where it may not win else."""
    pungs = 0
    for i in range(s[seat, N_MELDS]):
        if s[seat, MELD_TYPE + i] != MELD_CHI:
            pungs |= 1 << s[seat, MELD_KIND + i]
    for guess in range(3):
        of = _SUIT if guess == 2 and kinds == ALL_KINDS else kinds
        form = 0 if all_pungs or (may_pung and guess >= 1) else 1
        found = set_patterns(of, form, 1, pungs & HONOUR_MASK, 0, seat_wind(s, r, seat), 27 + s[GAME, ROUND_WIND])
        points = patterns_points(r, found | concealed_pattern(s, seat), BY_DISCARD)
        if points >= 0:
            return feeder_pays(s, r, seat, feeder, False, points)
    return 0


@kernel
def _has_chi(s, seat):
    """Whether one of the seat's melds is a chi."""
    found = False
    for i in range(s[seat, N_MELDS]):
        found |= s[seat, MELD_TYPE + i] == MELD_CHI
    return found


@kernel
def tells(s, seat, kinds):
    """Whether a seat's melds point to a flush (of ``kinds``) or to pungs: place in the table of prices."""
    return kinds != ALL_KINDS or (s[seat, N_MELDS] >= 3 and not _has_chi(s, seat))


@kernel
def told_cost(s, r, w, seat, feeder, kinds):
    """Return what a discard win of a seat costs its feeder by what its melds tell: quarter points / 65536."""
    n = s[seat, N_MELDS]
    has_chi = _has_chi(s, seat)
    flush = 0 if kinds == ALL_KINDS else r[w, W_AIMS + n - 2]
    pungs = 0
    if n >= 3 and not has_chi:
        pungs = r[w, W_AIMS + PUNGS_AIM] if n == 3 else np.int64(CHANCE_UNIT)
    total = 0
    for i in range(4):
        chance = flush if i & 1 else np.int64(CHANCE_UNIT) - flush
        chance = chance * (pungs if i & 2 else np.int64(CHANCE_UNIT) - pungs) // np.int64(CHANCE_UNIT)
        if chance > 0:
            total += chance * _cost(s, r, seat, feeder, kinds if i & 1 else ALL_KINDS, i & 2 != 0, not has_chi)
    return total


@kernel
def list_threats(s, r, seat, w, rows):
    """Write for each other seat its chance to be ready times its price, and the kinds of its flush, into two rows.

    All products stay below 2^63 for prices up to 2^32 quarter points.
    """
    for j in range(1, 4):
        other = (seat + j) % 4
        kinds = suspected_kinds(s, other)
        ready = r[w, W_READY + ready_place(s, other)]
        if s[other, DECLARED]:
            ready = np.int64(CHANCE_UNIT)
        elif r[FLAG, R_DECLARE]:
            ready = np.int64(0)
        cost = told_cost(s, r, w, other, seat, kinds) // 256 * r[w, W_PRICES + tells(s, other, kinds)] // 64
        s[rows, other] = ready * cost // 256
        s[rows + 1, other] = kinds


@kernel
def expected_loss(s, r, seat, w, rows, kind):
    """Return the quarter points that discarding ``kind``, still in hand, can be expected to cost at once."""
    total = 0.0
    waited = r[w, W_WAIT + wait_place(s, r, seat, kind)] / CHANCE_UNIT
    for j in range(1, 4):
        other = (seat + j) % 4
        if (s[other, SAFE] >> kind) & 1:
            continue
        x = waited * s[rows, other] / CHANCE_UNIT
        if s[RIVER + other, kind] > 0:
            x *= r[w, W_AGAIN] / UNIT
        kinds = s[rows + 1, other]
        if kinds != ALL_KINDS:
            x *= r[w, W_INSIDE if (kinds >> kind) & 1 else W_OUTSIDE] / UNIT
        total += x
    return total


@kernel
def fear(s, r, w):
    """Return how much of what a discard can be expected to cost counts against it now, in 1/64; 0 where none can lose.

    Who keeps a tile early will mostly throw it later, when more seats are ready; who keeps it late may never have to.
    """
    if r[FLAG, R_WAYS] & BY_DISCARD == 0:
        return 0
    left = wall_left(s)
    return r[w, W_LATE if left < LATE_FROM else W_MIDDLE if left < MIDDLE_FROM else W_EARLY]
