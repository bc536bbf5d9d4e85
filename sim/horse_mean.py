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
from sim.settlement import draws_horses, horse_origin, n_shares, with_horses
from sim.state import (
    FROM_SEAT,
    GAME,
    HEAD,
    HORSE_KIND,
    KONGS,
    LIABLE,
    N_HORSES,
    N_WINNERS,
    OUTCOME,
    PAY_HORSE,
    POINTS,
    TAIL,
    WALL,
    WIN_TILE,
    WINNERS,
    add_tile,
    has_four_ghosts,
    take_tiles,
)


@kernel
def _unseen(s, r, i):
    """Return the ``i``-th unseen tile: held horses, the wall's rest, the reserved tail; -1 after the last."""
    if r[FLAG, R_HORSES] == HORSES_HELD:
        if i < s[GAME, N_HORSES]:
            return s[HORSE_KIND, i]
        i -= s[GAME, N_HORSES]
    left = s[GAME, TAIL] - s[GAME, HEAD] + 1
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
def _mean_growth(r, points, n_drawn, n_pool, n_class):
    """Mean of what drawn horses add to a share, hits being hypergeometric."""
    low, high = max(0, n_drawn - (n_pool - n_class)), min(n_drawn, n_class)
    weight = total = mean = 1.0
    mean = with_horses(r, points, low, n_drawn - low) - points
    for h in range(low, high):
        # P(h + 1) / P(h)
        weight *= (n_class - h) * (n_drawn - h) / ((h + 1.0) * (n_pool - n_class - n_drawn + h + 1.0))
        total += weight
        mean += weight * (with_horses(r, points, h + 1, n_drawn - h - 1) - points)
    return mean / total


@kernel
def _drawn(s, r, source, from_seat, mean):
    n_drawn = s[GAME, N_HORSES]
    for i in range(s[GAME, N_WINNERS]):
        winner, points = s[WINNERS, i], s[POINTS, i]
        if r[FLAG, R_HORSE_HIT] == HIT_NUMBER:
            number, share_zero = _mean_number(s, r)
            hits = n_drawn * number
            more = hits * (r[FLAG, R_HORSE_FIXED] * r[FLAG, R_BASE] if r[FLAG, R_HORSE_FIXED] else points)
            growth = more - n_drawn * share_zero * r[FLAG, R_HORSE_FINE] * r[FLAG, R_BASE]
        else:
            origin = horse_origin(s, r, source, s[GAME, N_WINNERS], winner, from_seat)
            n_pool, n_class = _count_class(s, r, (winner - origin) % 4)
            if r[FLAG, R_HORSE_FOUR_GHOSTS]:
                if source != ZIMO:
                    add_tile(s, winner, s[GAME, WIN_TILE])
                if has_four_ghosts(s, winner):
                    n_class = n_pool
                if source != ZIMO:
                    take_tiles(s, winner, s[GAME, WIN_TILE], 1)
            hits = n_drawn * n_class / n_pool if n_pool > 0 else 0.0
            growth = _mean_growth(r, points, n_drawn, n_pool, n_class)
        for payer in range(4):
            more = n_shares(r, source, winner, payer, from_seat, s[LIABLE, i]) * growth
            if r[FLAG, R_KONG_FOLLOWS]:
                more += hits * s[KONGS + winner, payer]
            mean[payer] -= more
            mean[winner] += more


@kernel
def _held(s, r, source, from_seat, mean):
    count = r[FLAG, R_N_HORSES]
    for i in range(s[GAME, N_WINNERS]):
        winner = s[WINNERS, i]
        origin = horse_origin(s, r, source, s[GAME, N_WINNERS], winner, from_seat)
        n_pool, n_winner = _count_class(s, r, (winner - origin) % 4)
        for payer in range(4):
            amount = n_shares(r, source, winner, payer, from_seat, s[LIABLE, i]) * s[POINTS, i]
            if amount == 0:
                continue
            n_payer = _count_class(s, r, (payer - origin) % 4)[1]
            for holder in range(4):
                on_winner, on_payer = count * amount * n_winner / n_pool, count * amount * n_payer / n_pool
                mean[payer] -= on_winner
                mean[holder] += on_winner - on_payer
                mean[winner] += on_payer


@kernel
def horse_mean(s, r, mean):
    """Write the four seats' mean points from horses, given the play, into ``mean`` (float64 (4,)).

    The state is that of a settled hand. Where numbers count and a hit doubles, or shares are capped, the mean is not
    linear in the numbers: there the drawn horses' own points are given.
    """
    source, from_seat = s[GAME, OUTCOME], s[GAME, FROM_SEAT]
    bent = r[FLAG, R_HORSE_PRICE] == PRICE_DOUBLE or r[FLAG, R_LOSS_CAP] > 0
    for seat in range(4):
        mean[seat] = 0.0
    if s[GAME, N_WINNERS] == 0:
        return
    if r[FLAG, R_HORSES] == HORSES_HELD:
        _held(s, r, source, from_seat, mean)
    elif draws_horses(r, source):
        if r[FLAG, R_HORSE_HIT] == HIT_NUMBER and bent:
            for seat in range(4):
                mean[seat] = s[PAY_HORSE, seat]
        elif s[GAME, N_HORSES] > 0:
            _drawn(s, r, source, from_seat, mean)
