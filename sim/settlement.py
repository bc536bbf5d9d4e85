"""Who pays whom: wins, liability, kongs and horses, as net points of four seats."""

from __future__ import annotations

from sim.flags import (
    FLAG,
    HIT_NUMBER,
    HORSE_CLASS,
    HORSE_NUMBER,
    HORSES_DRAWN,
    HORSES_HELD,
    ORIGIN_DEALER,
    ORIGIN_WINNER,
    PRICE_DOUBLE,
    PRICE_FIXED,
    R_BAO_DRAGONS_WINDS,
    R_BAO_GANGKAI,
    R_BAO_TWELVE,
    R_BASE,
    R_FOLLOW_POINTS,
    R_HORSE_FINE,
    R_HORSE_FIXED,
    R_HORSE_FOUR_GHOSTS,
    R_HORSE_HIT,
    R_HORSE_ON_ROB,
    R_HORSE_ORIGIN,
    R_HORSE_ORIGIN_FROM,
    R_HORSE_PRICE,
    R_HORSES,
    R_KONG_ADDED,
    R_KONG_CONCEALED,
    R_KONG_DIRECT,
    R_KONG_DIRECT_ALL,
    R_KONG_FOLLOWS,
    R_LOSS_CAP,
    R_REPEAT_MODE,
    R_REPEAT_POINTS,
    R_ROB_SHARES,
    REPEAT_ADD,
    REPEAT_DOUBLE,
    TWELVE_BIG,
    TWELVE_ON,
)
from sim.jit import kernel
from sim.patterns import PINGHU, SHAPE_MASK
from sim.rules import MAX_DOUBLINGS, MAX_REPEAT
from sim.schema import MELD_ADDED, MELD_CHI, MELD_CONCEALED, MELD_EXPOSED, QIANGGANG, ZIMO
from sim.state import (
    DEALER,
    FOLLOW_PAID,
    GAME,
    HORSE_HOLDER,
    HORSE_KIND,
    KONGS,
    LIABLE,
    MELD_FROM,
    MELD_KIND,
    MELD_TYPE,
    N_HORSES,
    N_MELDS,
    ORIGIN,
    PAY_HAND,
    PAY_HORSE,
    PAY_KONG,
    POINTS,
    REPEAT,
    TWELVE_FEEDER,
    WINNERS,
    has_four_ghosts,
)

_BIG_HANDS = SHAPE_MASK & ~(1 << PINGHU)


@kernel
def liable_seat(s, r, seat, kong_feeder, counted):
    """Return the seat that pays for all three when ``seat`` wins by self-draw, -1 when nobody does.

    ``kong_feeder`` fed the direct kong whose replacement won, -1 for any other win; ``counted`` is the mask of counted
    patterns.
    """
    if r[FLAG, R_BAO_GANGKAI] and kong_feeder >= 0:
        return kong_feeder
    if r[FLAG, R_BAO_DRAGONS_WINDS]:
        dragons = winds = 0
        last_dragon = last_wind = -1
        for i in range(s[seat, N_MELDS]):
            kind_of_meld, kind = s[seat, MELD_TYPE + i], s[seat, MELD_KIND + i]
            if kind_of_meld != MELD_CHI and kind_of_meld != MELD_CONCEALED:
                if kind >= 31:
                    dragons += 1
                    last_dragon = s[seat, MELD_FROM + i]
                elif kind >= 27:
                    winds += 1
                    last_wind = s[seat, MELD_FROM + i]
        if dragons == 3:
            return last_dragon
        if winds == 4:
            return last_wind
    twelve = r[FLAG, R_BAO_TWELVE]
    if twelve == TWELVE_ON or (twelve == TWELVE_BIG and counted & _BIG_HANDS):
        return s[seat, TWELVE_FEEDER]
    return -1


@kernel
def has_twelve(s, seat):
    """Whether the seat has four exposed melds (chi, peng, direct or added kong)."""
    if s[seat, N_MELDS] != 4:
        return False
    n_concealed = 0
    for i in range(4):
        n_concealed += 1 if s[seat, MELD_TYPE + i] == MELD_CONCEALED else 0
    return n_concealed == 0


@kernel
def _pay_side(s, payer, owner, amount):
    s[PAY_KONG, payer] -= amount
    s[PAY_KONG, owner] += amount


@kernel
def pay_kong(s, r, kind_of_meld, owner, feeder):
    """Pay one kong: row PAY_KONG, and the rows KONGS that remember who paid whom."""
    each = r[FLAG, R_KONG_CONCEALED]
    if kind_of_meld == MELD_ADDED:
        each = r[FLAG, R_KONG_ADDED]
    elif kind_of_meld == MELD_EXPOSED:
        each = r[FLAG, R_KONG_DIRECT]
    only_feeder = kind_of_meld == MELD_EXPOSED and not r[FLAG, R_KONG_DIRECT_ALL]
    for seat in range(4):
        if seat != owner and (seat == feeder or not only_feeder):
            _pay_side(s, seat, owner, each * r[FLAG, R_BASE])
            s[KONGS + owner, seat] += each * r[FLAG, R_BASE]


@kernel
def pay_each(s, r, owner, units):
    """Pay ``units`` base units from each of three to ``owner``, row PAY_KONG; from ``owner`` when negative."""
    for seat in range(4):
        if seat != owner:
            _pay_side(s, seat, owner, units * r[FLAG, R_BASE])


@kernel
def pay_follow(s, r):
    """Let the dealer pay for four equal discards (跟庄), rows PAY_KONG and FOLLOW_PAID."""
    dealer = s[GAME, DEALER]
    before = s[PAY_KONG, dealer]
    pay_each(s, r, dealer, -r[FLAG, R_FOLLOW_POINTS])
    paid = before - s[PAY_KONG, dealer]
    for seat in range(4):
        s[FOLLOW_PAID, seat] = -paid if seat == dealer else paid // 3


@kernel
def capped(r, points):
    """Return a share after the cap on losses."""
    if r[FLAG, R_LOSS_CAP] > 0:
        return min(points, r[FLAG, R_LOSS_CAP] * r[FLAG, R_BASE])
    return points


@kernel
def with_repeats(r, points, repeat):
    """Return a share after repeat deals and the cap on losses."""
    n = min(repeat, MAX_REPEAT)
    if r[FLAG, R_REPEAT_MODE] == REPEAT_ADD:
        points += n * r[FLAG, R_REPEAT_POINTS] * r[FLAG, R_BASE]
    elif r[FLAG, R_REPEAT_MODE] == REPEAT_DOUBLE:
        points <<= n
    return capped(r, points)


@kernel
def with_horses(r, points, hits, misses):
    """Return a share after drawn horses."""
    base = r[FLAG, R_BASE]
    if r[FLAG, R_HORSE_PRICE] == PRICE_FIXED:
        points += hits * r[FLAG, R_HORSE_FIXED] * base
    elif r[FLAG, R_HORSE_PRICE] == PRICE_DOUBLE:
        points <<= min(hits, MAX_DOUBLINGS)
    else:
        points += hits * points
    return capped(r, points) - misses * r[FLAG, R_HORSE_FINE] * base


@kernel
def n_shares(r, source, winner, payer, from_seat, liable):
    """Return how many shares of a hand ``payer`` pays ``winner``: 0, 1 or 3."""
    if payer == winner:
        return 0
    if source == ZIMO:
        if liable >= 0:
            return 3 if payer == liable else 0
        return 1
    if payer != from_seat:
        return 0
    return r[FLAG, R_ROB_SHARES] if source == QIANGGANG else 1


@kernel
def horse_origin(s, r, source, n_winners, winner, from_seat):
    """Return the seat that counts as "1" for the payments to ``winner``."""
    if n_winners > 1 and r[FLAG, R_HORSE_ORIGIN_FROM] and source != ZIMO:
        return from_seat
    if r[FLAG, R_HORSE_ORIGIN] == ORIGIN_WINNER:
        return winner
    if r[FLAG, R_HORSE_ORIGIN] == ORIGIN_DEALER:
        return s[GAME, DEALER]
    return s[GAME, ORIGIN]


@kernel
def _horse_seat(s, r, origin, h):
    return (origin + r[HORSE_CLASS, s[HORSE_KIND, h]]) % 4


@kernel
def _pay_held(s, r, origin, winner, payer, amount):
    """Mirror one payment for every held horse (R29)."""
    for h in range(s[GAME, N_HORSES]):
        seat, holder = _horse_seat(s, r, origin, h), s[HORSE_HOLDER, h]
        if seat == winner:
            s[PAY_HORSE, payer] -= amount
            s[PAY_HORSE, holder] += amount
        elif seat == payer:
            s[PAY_HORSE, holder] -= amount
            s[PAY_HORSE, winner] += amount


@kernel
def drawn_hits(s, r, winner, origin):
    """Return hits and misses of the drawn horses for one winner."""
    hits = misses = 0
    every = r[FLAG, R_HORSE_FOUR_GHOSTS] and has_four_ghosts(s, winner)
    for h in range(s[GAME, N_HORSES]):
        number = r[HORSE_NUMBER, s[HORSE_KIND, h]]
        if r[FLAG, R_HORSE_HIT] == HIT_NUMBER and number > 0:
            hits += number
        elif r[FLAG, R_HORSE_HIT] == HIT_NUMBER:
            misses += 1
        elif every or _horse_seat(s, r, origin, h) == winner:
            hits += 1
        else:
            misses += 1
    return hits, misses


@kernel
def draws_horses(r, source):
    """Whether winners draw horses after this kind of win."""
    return r[FLAG, R_HORSES] == HORSES_DRAWN and (source != QIANGGANG or r[FLAG, R_HORSE_ON_ROB])


@kernel
def settle(s, r, source, from_seat, n_winners, given_origin):
    """Write the payments of all wins into the rows PAY_HAND and PAY_HORSE; return the horse hits.

    The rows WINNERS, POINTS and LIABLE, HORSE_KIND and HORSE_HOLDER, KONGS and the game's DEALER, ORIGIN, REPEAT and
    N_HORSES are set by the caller; POINTS takes the share after repeat deals. ``given_origin`` is the seat that
    counts as "1", or -1 for what the rule set says.
    """
    total_hits = 0
    held = r[FLAG, R_HORSES] == HORSES_HELD
    for i in range(n_winners):
        winner = s[WINNERS, i]
        origin = given_origin
        if given_origin < 0:
            origin = horse_origin(s, r, source, n_winners, winner, from_seat)
        hits = misses = 0
        if draws_horses(r, source):
            hits, misses = drawn_hits(s, r, winner, origin)
            total_hits += hits
        points = with_repeats(r, s[POINTS, i], s[GAME, REPEAT])
        s[POINTS, i] = points
        growth = with_horses(r, points, hits, misses) - points if draws_horses(r, source) else 0
        for payer in range(4):
            shares = n_shares(r, source, winner, payer, from_seat, s[LIABLE, i])
            s[PAY_HAND, payer] -= shares * points
            s[PAY_HAND, winner] += shares * points
            more = shares * growth
            if r[FLAG, R_KONG_FOLLOWS]:
                more += hits * s[KONGS + winner, payer]
            s[PAY_HORSE, payer] -= more
            s[PAY_HORSE, winner] += more
            if held and shares * points != 0:
                _pay_held(s, r, origin, winner, payer, shares * points)
    if held:
        origin = given_origin
        if given_origin < 0:
            origin = horse_origin(s, r, source, n_winners, s[WINNERS, 0], from_seat)
        for h in range(s[GAME, N_HORSES]):
            total_hits += 1 if s[PAY_HAND, _horse_seat(s, r, origin, h)] != 0 else 0
    return min(total_hits, 255)
