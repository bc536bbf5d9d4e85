"""What a win would pay: from patterns or a complete hand to expected quarter points.

Repeat deals, horses and caps are included, and multiples by the melds of winner and payers as they lie now.
"""

from __future__ import annotations

from sim.flags import (
    FLAG,
    HIT_NUMBER,
    PRICE_FIXED,
    R_ALL_PAY,
    R_BASE,
    R_BY_PAYER,
    R_HORSE_FINE,
    R_HORSE_FIXED,
    R_HORSE_HIT,
    R_HORSE_PRICE,
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
from sim.schema import DIANPAO, MELD_CONCEALED, ZIMO
from sim.scoring import price
from sim.settlement import cap_row, capped, draws_horses, set_owed, winners_share, with_repeats
from sim.state import CHAIR, DEALER, GAME, GHOST_MASK, GHOSTS, GROWN, MELD_TYPE, N_MELDS, OWED, REPEAT, ROUND_WIND

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
def _expected_hits(r, clean, source):
    """Return the expected hits, in quarters, and the misses, in quarters, of the horses drawn after such a win.

    One horse in four hits; where numbers count each hits four times. ``clean``: the winner draws the horses of a hand
    without ghosts.
    """
    if not draws_horses(r, source):
        return 0, 0
    n = r[FLAG, R_N_HORSES] if source == ZIMO else r[FLAG, R_N_HORSES_DISCARD]
    if clean:
        n += r[FLAG, R_HORSES_WITHOUT_GHOST]
    hits = 16 * n if r[FLAG, R_HORSE_HIT] == HIT_NUMBER else n
    return hits, max(4 * n - hits, 0)


@kernel
def _with_hits(r, points, hits):
    """Return what one seat owes with so many quarters of hits, not capped."""
    grown = r[FLAG, R_HORSE_FIXED] * r[FLAG, R_BASE] if r[FLAG, R_HORSE_PRICE] == PRICE_FIXED else points
    return (4 * points + hits * grown) // 4


@kernel
def _expected_share(s, r, clean, points, source):
    """Return one payer's expected quarter points for a hand's points, where no melds multiply."""
    hits, misses = _expected_hits(r, clean, source)
    points = _with_hits(r, capped(r, with_repeats(r, points, s[GAME, REPEAT])), hits)
    return 4 * capped(r, points) - misses * r[FLAG, R_HORSE_FINE] * r[FLAG, R_BASE]


@kernel
def _set_expected(s, r, winner, clean, points, source, feeder):
    """Write into row GROWN the quarter points that each seat can be expected to owe for a hand's points."""
    hits, misses = _expected_hits(r, clean, source)
    set_owed(s, r, source, winner, feeder, winners_share(s, r, source, winner, points))
    for payer in range(4):
        s[GROWN, payer] = _with_hits(r, s[OWED, payer], hits)
    cap_row(s, r, GROWN, winner)
    for payer in range(4):
        s[GROWN, payer] = 4 * s[GROWN, payer] - misses * r[FLAG, R_HORSE_FINE] * r[FLAG, R_BASE]
    s[GROWN, winner] = 0


@kernel
def expected_pay(s, r, winner, clean, points, source, n_shares):
    """Return the quarter points that a win can be expected to bring, from all three seats or one.

    Parameters
    ----------
    clean
        Whether the winner draws the horses of a hand without ghosts.
    points
        The hand's points, before repeat deals and multiples.
    source
        ZIMO, DIANPAO or QIANGGANG; who feeds the win counts as each of the others alike.
    n_shares
        1: the feeder pays; 3: what all three owe is paid.
    """
    if r[FLAG, R_BY_PAYER] == 0:
        return n_shares * _expected_share(s, r, clean, points, source)
    if source != DIANPAO:  # who feeds it changes nothing
        _set_expected(s, r, winner, clean, points, source, -1)
        return s[GROWN, :4].sum() * n_shares // 3
    total = 0
    for feeder in range(4):
        if feeder != winner:
            _set_expected(s, r, winner, clean, points, source, feeder)
            total += s[GROWN, :4].sum() if n_shares == 3 else s[GROWN, feeder]
    return total // 3


@kernel
def n_payers(r, way):
    """Return how many seats pay for a win, as far as the bots look at it."""
    return 3 if way == BY_DRAW or r[FLAG, R_ALL_PAY] else 1


@kernel
def _pay(s, r, winner, clean, points, way):
    """Return the quarter points that a win by draw or discard brings in all, -1 without points."""
    if points < 0:
        return -1
    return expected_pay(s, r, winner, clean, points, ZIMO if way == BY_DRAW else DIANPAO, n_payers(r, way))


@kernel
def patterns_points(r, found, way):
    """Return the points of a hand with the patterns ``found``, -1 when it may not win so."""
    if r[FLAG, R_WAYS] & way == 0:
        return -1
    return price(r, found | (1 << (P_ZIMO if way == BY_DRAW else P_DIANPAO)), way)[0]


@kernel
def patterns_worth(s, r, seat, clean, found, way):
    """Return the quarter points that a win with the patterns ``found`` brings in all, below 0 for no win.

    A win that fines make a loss (`horses.fine`) counts as none.
    """
    return _pay(s, r, seat, clean, patterns_points(r, found, way), way)


@kernel
def feeder_pays(s, r, winner, feeder, clean, points):
    """Return the quarter points that ``feeder`` itself pays when its discard wins a hand of so many points."""
    if r[FLAG, R_BY_PAYER] == 0:
        return _expected_share(s, r, clean, points, DIANPAO)
    _set_expected(s, r, winner, clean, points, DIANPAO, feeder)
    return s[GROWN, feeder]


@kernel
def hand_worth(s, r, seat, win, way):
    """Return the quarter points that the seat's complete hand, won on the kind ``win`` that is in it, brings in all.

    As `patterns_worth`.
    """
    if r[FLAG, R_WAYS] & way == 0:
        return -1
    events = state_patterns(s, seat) | (1 << (P_ZIMO if way == BY_DRAW else P_DIANPAO))
    points = best_reading(s, r, seat, win, events, way, seat_wind(s, r, seat), 27 + s[GAME, ROUND_WIND])[0]
    return _pay(s, r, seat, is_clean(s, seat), points, way)
