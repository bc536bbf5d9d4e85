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
    R_ALL_PAY,
    R_BAO_DRAGONS_WINDS,
    R_BAO_GANGKAI,
    R_BAO_TWELVE,
    R_BASE,
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
    R_LOSS_CAP_ALL,
    R_OPENED_EACH,
    R_REPEAT_MODE,
    R_REPEAT_POINTS,
    R_ROB_SHARES,
    R_TIMES_CONCEALED,
    R_TIMES_EXPOSED,
    R_TIMES_FEEDER,
    R_TIMES_OPENED,
    R_TIMES_ZIMO,
    REPEAT_ADD,
    REPEAT_DOUBLE,
    TWELVE_BIG,
    TWELVE_ON,
)
from sim.jit import kernel
from sim.patterns import PINGHU, SHAPE_MASK
from sim.rules import MAX_DOUBLINGS, MAX_REPEAT
from sim.schema import DIANPAO, MELD_ADDED, MELD_CHI, MELD_CONCEALED, MELD_EXPOSED, QIANGGANG, ZIMO
from sim.state import (
    DEALER,
    GAME,
    GROWN,
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
    OWED,
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
def capped(r, points):
    """Return what one seat owes after the cap on losses."""
    if r[FLAG, R_LOSS_CAP] > 0:
        return min(points, r[FLAG, R_LOSS_CAP] * r[FLAG, R_BASE])
    return points


@kernel
def cap_row(s, r, row, winner):
    """Cap what the three other seats owe a winner: each alone, or all at the golden cap (金顶)."""
    limit = r[FLAG, R_LOSS_CAP] * r[FLAG, R_BASE]
    if limit == 0:
        return
    n_over = 0
    for seat in range(4):
        if seat != winner and s[row, seat] > limit:
            n_over += 1
    if n_over == 3 and r[FLAG, R_LOSS_CAP_ALL] > 0:
        limit = r[FLAG, R_LOSS_CAP_ALL] * r[FLAG, R_BASE]
        s[row, :4] = limit
    for seat in range(4):
        s[row, seat] = min(s[row, seat], limit)


@kernel
def with_repeats(r, points, repeat):
    """Return a share after repeat deals."""
    n = min(repeat, MAX_REPEAT)
    if r[FLAG, R_REPEAT_MODE] == REPEAT_ADD:
        points += n * r[FLAG, R_REPEAT_POINTS] * r[FLAG, R_BASE]
    elif r[FLAG, R_REPEAT_MODE] == REPEAT_DOUBLE:
        points <<= n
    return points


@kernel
def multiplied(s, r, seat, points):
    """Return points times a seat's multiples for its melds, each rounded down."""
    opened = 0
    for i in range(s[seat, N_MELDS]):
        opened += 1 if s[seat, MELD_TYPE + i] != MELD_CONCEALED else 0
    for _ in range(opened if r[FLAG, R_OPENED_EACH] else min(opened, 1)):
        points = points * r[FLAG, R_TIMES_OPENED] // 10
    for i in range(s[seat, N_MELDS]):
        if s[seat, MELD_TYPE + i] == MELD_CONCEALED:
            points = points * r[FLAG, R_TIMES_CONCEALED] // 10
    for i in range(s[seat, N_MELDS]):
        if s[seat, MELD_TYPE + i] == MELD_EXPOSED or s[seat, MELD_TYPE + i] == MELD_ADDED:
            points = points * r[FLAG, R_TIMES_EXPOSED] // 10
    return points


@kernel
def winners_share(s, r, source, winner, points):
    """Return a winner's share: its hand's points after repeat deals, times its multiples; not capped."""
    points = multiplied(s, r, winner, with_repeats(r, points, s[GAME, REPEAT]))
    if source == ZIMO:
        points = points * r[FLAG, R_TIMES_ZIMO] // 10
    return points


@kernel
def set_owed(s, r, source, winner, from_seat, share):
    """Write into row OWED what each other seat owes a winner whose share is given, 0 for the winner."""
    for seat in range(4):
        owed = multiplied(s, r, seat, share)
        if source == DIANPAO and seat == from_seat:
            owed = owed * r[FLAG, R_TIMES_FEEDER] // 10
        s[OWED, seat] = owed
    cap_row(s, r, OWED, winner)
    s[OWED, winner] = 0


@kernel
def set_grown(s, r, winner, hits, misses):
    """Write into row GROWN what the row OWED becomes by drawn horses."""
    base = r[FLAG, R_BASE]
    for seat in range(4):
        owed = s[OWED, seat]
        if r[FLAG, R_HORSE_PRICE] == PRICE_FIXED:
            s[GROWN, seat] = owed + hits * r[FLAG, R_HORSE_FIXED] * base
        elif r[FLAG, R_HORSE_PRICE] == PRICE_DOUBLE:
            s[GROWN, seat] = owed << min(hits, MAX_DOUBLINGS)
        else:
            s[GROWN, seat] = owed + hits * owed
    cap_row(s, r, GROWN, winner)
    for seat in range(4):
        s[GROWN, seat] -= misses * r[FLAG, R_HORSE_FINE] * base


@kernel
def debtor(r, source, seat, from_seat, liable):
    """Return who pays what ``seat``, no winner, owes a winner; -1 when nobody does."""
    if liable >= 0:
        return liable
    if source == ZIMO:
        return seat
    if source == QIANGGANG and r[FLAG, R_ROB_SHARES] == 3:
        return from_seat
    return seat if r[FLAG, R_ALL_PAY] or seat == from_seat else -1


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
    N_HORSES are set by the caller; POINTS takes the share, capped. ``given_origin`` is the seat that
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
        share = winners_share(s, r, source, winner, s[POINTS, i])
        s[POINTS, i] = capped(r, share)
        set_owed(s, r, source, winner, from_seat, share)
        if draws_horses(r, source):
            set_grown(s, r, winner, hits, misses)
        for seat in range(4):
            payer = debtor(r, source, seat, from_seat, s[LIABLE, i])
            if seat == winner or payer < 0:
                continue
            s[PAY_HAND, payer] -= s[OWED, seat]
            s[PAY_HAND, winner] += s[OWED, seat]
            if draws_horses(r, source):
                s[PAY_HORSE, payer] -= s[GROWN, seat] - s[OWED, seat]
                s[PAY_HORSE, winner] += s[GROWN, seat] - s[OWED, seat]
            if held:
                _pay_held(s, r, origin, winner, payer, s[OWED, seat])
        if r[FLAG, R_KONG_FOLLOWS]:
            for payer in range(4):
                s[PAY_HORSE, payer] -= hits * s[KONGS + winner, payer]
                s[PAY_HORSE, winner] += hits * s[KONGS + winner, payer]
    if held:
        origin = given_origin
        if given_origin < 0:
            origin = horse_origin(s, r, source, n_winners, s[WINNERS, 0], from_seat)
        for h in range(s[GAME, N_HORSES]):
            total_hits += 1 if s[PAY_HAND, _horse_seat(s, r, origin, h)] != 0 else 0
    return min(total_hits, 255)
