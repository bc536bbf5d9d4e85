"""What horses bring in a won hand on average, given how it was played: exact, nothing drawn.

Horses are tiles that nobody has seen during play, so given the play they are a random sample of all unseen tiles:
held, reserved or left in the wall. Hits are hypergeometric in it (Rao-Blackwell: only hands differ, not horses).
"""

from __future__ import annotations

from sim.flags import (
    FLAG,
    HIT_NUMBER,
    HORSE_CLASS,
    HORSE_NUMBER,
    HORSES_HELD,
    PRICE_DOUBLE,
    PRICE_FIXED,
    R_BASE,
    R_HORSE_FINE,
    R_HORSE_FIXED,
    R_HORSE_FOUR_GHOSTS,
    R_HORSE_HIT,
    R_HORSE_PRICE,
    R_HORSES,
    R_KONG_FOLLOWS,
    R_LOSS_CAP,
    R_N_HORSES,
    R_N_TILES,
    R_RESERVED,
)
from sim.jit import kernel
from sim.schema import ZIMO
from sim.settlement import debtor, draws_horses, horse_origin, set_grown, set_owed, winners_share
from sim.state import (
    FROM_SEAT,
    GAME,
    GROWN,
    HEAD,
    KONGS,
    LIABLE,
    N_HORSES,
    N_WINNERS,
    OUTCOME,
    OWED,
    PAY_HORSE,
    TAIL,
    WALL,
    WIN_TILE,
    WINNERS,
    WORTH,
    add_tile,
    has_four_ghosts,
    take_tiles,
)


@kernel
def _unseen(s, r, i):
    """Return the ``i``-th unseen tile: the wall's rest with what is held back, the reserved tail; -1 after the last."""
    left = max(s[GAME, TAIL] - s[GAME, HEAD] + 1, 0)
    if i < left:
        return s[WALL, s[GAME, HEAD] + i]
    i -= left
    if i < r[FLAG, R_RESERVED]:
        return s[WALL, r[FLAG, R_N_TILES] - r[FLAG, R_RESERVED] + i]
    return -1


@kernel
def _count_class(s, r, horse_class):
    """Unseen tiles, and those of one class."""
    n = n_class = 0
    kind = _unseen(s, r, 0)
    while kind >= 0:
        n += 1
        n_class += 1 if r[HORSE_CLASS, kind] == horse_class else 0
        kind = _unseen(s, r, n)
    return n, n_class


@kernel
def _mean_number(s, r):
    """Mean number of an unseen tile, and the share of those whose number is 0."""
    n = total = n_zero = 0
    kind = _unseen(s, r, 0)
    while kind >= 0:
        n += 1
        total += r[HORSE_NUMBER, kind]
        n_zero += 1 if r[HORSE_NUMBER, kind] == 0 else 0
        kind = _unseen(s, r, n)
    return total / n, n_zero / n


@kernel
def _pay(s, r, source, from_seat, i, seat, amount, mean):
    """Let whoever pays what ``seat`` owes the ``i``-th winner pay ``amount``."""
    winner = s[WINNERS, i]
    payer = debtor(r, source, seat, from_seat, s[LIABLE, i])
    if seat != winner and payer >= 0:
        mean[payer] -= amount
        mean[winner] += amount


@kernel
def _by_number(s, r, source, from_seat, i, mean):
    """Drawn horses that hit as often as their number says; linear in the hits. Return the mean number of hits."""
    number, share_zero = _mean_number(s, r)
    hits = s[GAME, N_HORSES] * number
    fines = s[GAME, N_HORSES] * share_zero * r[FLAG, R_HORSE_FINE] * r[FLAG, R_BASE]
    for seat in range(4):
        each = r[FLAG, R_HORSE_FIXED] * r[FLAG, R_BASE] if r[FLAG, R_HORSE_PRICE] == PRICE_FIXED else s[OWED, seat]
        _pay(s, r, source, from_seat, i, seat, hits * each - fines, mean)
    return hits


@kernel
def _by_class(s, r, source, from_seat, i, mean):
    """Drawn horses that hit by class: every number of hits with its hypergeometric chance. Return the mean number."""
    winner, n_drawn = s[WINNERS, i], s[GAME, N_HORSES]
    origin = horse_origin(s, r, source, s[GAME, N_WINNERS], winner, from_seat)
    n_pool, n_class = _count_class(s, r, (winner - origin) % 4)
    if r[FLAG, R_HORSE_FOUR_GHOSTS]:
        if source != ZIMO:
            add_tile(s, winner, s[GAME, WIN_TILE])
        if has_four_ghosts(s, winner):
            n_class = n_pool
        if source != ZIMO:
            take_tiles(s, winner, s[GAME, WIN_TILE], 1)
    low, high = max(0, n_drawn - (n_pool - n_class)), min(n_drawn, n_class)
    weight = total = 1.0
    for h in range(low, high):
        # P(h + 1) / P(h)
        weight *= (n_class - h) * (n_drawn - h) / ((h + 1.0) * (n_pool - n_class - n_drawn + h + 1.0))
        total += weight
    weight = 1.0 / total
    for h in range(low, high + 1):
        set_grown(s, r, winner, h, n_drawn - h)
        for seat in range(4):
            _pay(s, r, source, from_seat, i, seat, weight * (s[GROWN, seat] - s[OWED, seat]), mean)
        weight *= (n_class - h) * (n_drawn - h) / ((h + 1.0) * (n_pool - n_class - n_drawn + h + 1.0))
    return n_drawn * n_class / n_pool


@kernel
def _held(s, r, source, from_seat, i, mean):
    """Held horses, each the winner's, a payer's or nobody's by its chance."""
    count, winner = r[FLAG, R_N_HORSES], s[WINNERS, i]
    origin = horse_origin(s, r, source, s[GAME, N_WINNERS], winner, from_seat)
    n_pool, n_winner = _count_class(s, r, (winner - origin) % 4)
    for seat in range(4):
        payer = debtor(r, source, seat, from_seat, s[LIABLE, i])
        if seat == winner or payer < 0:
            continue
        n_payer = _count_class(s, r, (payer - origin) % 4)[1]
        amount = count * s[OWED, seat] / n_pool
        for holder in range(4):
            mean[payer] -= amount * n_winner
            mean[holder] += amount * (n_winner - n_payer)
            mean[winner] += amount * n_payer


@kernel
def horse_mean(s, r, mean):
    """Write the four seats' mean points from horses, given the play, into ``mean`` (float64 (4,)).

    The state is that of a hand settled by `sim.resettle`; the rows OWED and GROWN are written. Where numbers count and
    a hit doubles, or shares are capped, the mean is not linear in the numbers: there the drawn horses' own points are
    given.
    """
    source, from_seat = s[GAME, OUTCOME], s[GAME, FROM_SEAT]
    bent = r[FLAG, R_HORSE_PRICE] == PRICE_DOUBLE or r[FLAG, R_LOSS_CAP] > 0
    for seat in range(4):
        mean[seat] = 0.0
    held = r[FLAG, R_HORSES] == HORSES_HELD
    if s[GAME, N_WINNERS] == 0 or s[GAME, N_HORSES] == 0 or not (held or draws_horses(r, source)):
        return
    by_number = r[FLAG, R_HORSE_HIT] == HIT_NUMBER
    if by_number and bent and not held:
        for seat in range(4):
            mean[seat] = s[PAY_HORSE, seat]
        return
    for i in range(s[GAME, N_WINNERS]):
        winner = s[WINNERS, i]
        set_owed(s, r, source, winner, from_seat, winners_share(s, r, source, winner, s[WORTH, i]))
        if held:
            _held(s, r, source, from_seat, i, mean)
            continue
        hits = (
            _by_number(s, r, source, from_seat, i, mean) if by_number else _by_class(s, r, source, from_seat, i, mean)
        )
        if r[FLAG, R_KONG_FOLLOWS]:
            for payer in range(4):
                mean[payer] -= hits * s[KONGS + winner, payer]
                mean[winner] += hits * s[KONGS + winner, payer]
