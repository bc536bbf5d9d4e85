"""What a win would pay: from patterns or a complete hand to expected quarter points, repeats and horses included."""

from __future__ import annotations

from sim.flags import (
    FLAG,
    HIT_NUMBER,
    HORSES_DRAWN,
    PRICE_FIXED,
    R_ALL_PAY,
    R_BASE,
    R_HORSE_FINE,
    R_HORSE_FIXED,
    R_HORSE_HIT,
    R_HORSE_PRICE,
    R_HORSES,
    R_HORSES_WITHOUT_GHOST,
    R_N_HORSES,
    R_N_HORSES_DISCARD,
    R_PRICED,
    R_WAYS,
    R_WIND_BY_CHAIR,
    WAY_BITS,
)
from sim.jit import kernel
from sim.patterns import MENQING, P_DIANPAO, P_ZIMO, PATTERNS, YINGHU
from sim.readings import best_reading
from sim.schema import MELD_CONCEALED
from sim.scoring import price
from sim.settlement import capped, with_repeats
from sim.state import CHAIR, DEALER, GAME, GHOST_MASK, GHOSTS, MELD_TYPE, N_MELDS, REPEAT, ROUND_WIND

BY_DRAW, BY_DISCARD = WAY_BITS["zimo"], WAY_BITS["dianpao"]
# Patterns that a hand has or lacks whatever way it is won.
_OF_THE_HAND = sum(1 << i for i, p in enumerate(PATTERNS) if p.scope != "event" and p.slug != "chicken")


@kernel
def is_flat(r):
    """Whether every complete hand is worth the same."""
    return r[FLAG, R_PRICED] & _OF_THE_HAND == 0


@kernel
def seat_wind(s, r, seat):
    """Return the kind of a seat's own wind."""
    first = s[GAME, CHAIR] if r[FLAG, R_WIND_BY_CHAIR] else s[GAME, DEALER]
    return 27 + (seat - first) % 4


@kernel
def is_clean(s, seat):
    """Whether ghosts are in play and the seat holds none."""
    return s[GAME, GHOST_MASK] != 0 and s[seat, GHOSTS] == 0


@kernel
def concealed_pattern(s, seat):
    """Mask of 门清 when all melds of the seat are concealed kongs."""
    for i in range(s[seat, N_MELDS]):
        if s[seat, MELD_TYPE + i] != MELD_CONCEALED:
            return 0
    return 1 << MENQING


@kernel
def state_patterns(s, seat):
    """Patterns of scope state that the seat's own hand has now."""
    return concealed_pattern(s, seat) | ((1 << YINGHU) if is_clean(s, seat) else 0)


@kernel
def expected_share(s, r, clean, points, way):
    """Return one payer's expected quarter points for ``points``: repeat deals, a hit for every 4 horses.

    Where numbers count each horse hits four times. ``clean``: the winner draws the horses of a hand without ghosts.
    """
    points = capped(r, with_repeats(r, points, s[GAME, REPEAT]))
    if r[FLAG, R_HORSES] != HORSES_DRAWN:
        return 4 * points
    n = r[FLAG, R_N_HORSES] if way == BY_DRAW else r[FLAG, R_N_HORSES_DISCARD]
    if clean:
        n += r[FLAG, R_HORSES_WITHOUT_GHOST]
    hits = 16 * n if r[FLAG, R_HORSE_HIT] == HIT_NUMBER else n  # in quarters
    grown = r[FLAG, R_HORSE_FIXED] * r[FLAG, R_BASE] if r[FLAG, R_HORSE_PRICE] == PRICE_FIXED else points
    misses = max(4 * n - hits, 0)
    return 4 * capped(r, (4 * points + hits * grown) // 4) - misses * r[FLAG, R_HORSE_FINE] * r[FLAG, R_BASE]


@kernel
def n_payers(r, way):
    """Return how many seats pay for a win, as far as the bots look at it."""
    return 3 if way == BY_DRAW or r[FLAG, R_ALL_PAY] else 1


@kernel
def patterns_worth(s, r, clean, found, way):
    """Return the quarter points that a win with the patterns ``found`` brings in all, -1 when it is not allowed."""
    if r[FLAG, R_WAYS] & way == 0:
        return -1
    found |= 1 << (P_ZIMO if way == BY_DRAW else P_DIANPAO)
    points = price(r, found, way)[0]
    if points < 0:
        return -1
    return expected_share(s, r, clean, points, way) * n_payers(r, way)


@kernel
def hand_worth(s, r, seat, win, way):
    """Return the same for the seat's complete hand, won on the kind ``win`` that is in it."""
    if r[FLAG, R_WAYS] & way == 0:
        return -1
    events = state_patterns(s, seat) | (1 << (P_ZIMO if way == BY_DRAW else P_DIANPAO))
    points = best_reading(s, r, seat, win, events, way, seat_wind(s, r, seat), 27 + s[GAME, ROUND_WIND])[0]
    if points < 0:
        return -1
    return expected_share(s, r, is_clean(s, seat), points, way) * n_payers(r, way)
