"""Who pays whom: wins, liability, kongs and horses, as net points of four seats."""

from __future__ import annotations

from sim.flags import (
    FLAG,
    HORSE_CLASS,
    HORSES_DRAWN,
    HORSES_HELD,
    ORIGIN_DEALER,
    ORIGIN_WINNER,
    R_BAO_DRAGONS_WINDS,
    R_BAO_GANGKAI,
    R_BAO_TWELVE,
    R_BASE,
    R_HORSE_ON_ROB,
    R_HORSE_ORIGIN,
    R_HORSE_ORIGIN_FROM,
    R_HORSES,
    R_KONG_ADDED,
    R_KONG_CONCEALED,
    R_KONG_DIRECT,
    R_KONG_DIRECT_ALL,
    R_ROB_SHARES,
)
from sim.jit import kernel
from sim.schema import MELD_ADDED, MELD_CHI, MELD_CONCEALED, MELD_EXPOSED, QIANGGANG, ZIMO
from sim.state import (
    DEALER,
    GAME,
    HORSE_HOLDER,
    HORSE_KIND,
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
    TWELVE_FEEDER,
    WINNERS,
)


@kernel
def liable_seat(s, r, seat, kong_feeder):
    """Return the seat that pays for all three when ``seat`` wins by self-draw, -1 when nobody does.

    ``kong_feeder`` fed the direct kong whose replacement won, -1 for any other win.
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
    if r[FLAG, R_BAO_TWELVE]:
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
def pay_kong(s, r, kind_of_meld, owner, feeder):
    """Add the price of one kong to the row PAY_KONG."""
    base = r[FLAG, R_BASE]
    if kind_of_meld == MELD_EXPOSED and not r[FLAG, R_KONG_DIRECT_ALL]:
        s[PAY_KONG, feeder] -= r[FLAG, R_KONG_DIRECT] * base
        s[PAY_KONG, owner] += r[FLAG, R_KONG_DIRECT] * base
        return
    each = r[FLAG, R_KONG_CONCEALED]
    if kind_of_meld == MELD_ADDED:
        each = r[FLAG, R_KONG_ADDED]
    elif kind_of_meld == MELD_EXPOSED:
        each = r[FLAG, R_KONG_DIRECT]
    for seat in range(4):
        s[PAY_KONG, seat] += (3 if seat == owner else -1) * each * base


@kernel
def share(r, source, winner, payer, from_seat, liable, points):
    """Return what ``payer`` pays ``winner`` for the hand, without horses."""
    if payer == winner:
        return 0
    if source == ZIMO:
        if liable >= 0:
            return 3 * points if payer == liable else 0
        return points
    if payer != from_seat:
        return 0
    return points * r[FLAG, R_ROB_SHARES] if source == QIANGGANG else points


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
def settle(s, r, source, from_seat, n_winners, given_origin):
    """Write the payments of all wins into the rows PAY_HAND and PAY_HORSE; return the horse hits.

    The rows WINNERS, POINTS and LIABLE, HORSE_KIND and HORSE_HOLDER and the game's DEALER, ORIGIN and N_HORSES are
    set by the caller. ``given_origin`` is the seat that counts as "1", or -1 for what the rule set says.
    """
    hits = 0
    drawn = r[FLAG, R_HORSES] == HORSES_DRAWN and (source != QIANGGANG or r[FLAG, R_HORSE_ON_ROB])
    held = r[FLAG, R_HORSES] == HORSES_HELD
    for i in range(n_winners):
        winner = s[WINNERS, i]
        origin = given_origin
        if given_origin < 0:
            origin = horse_origin(s, r, source, n_winners, winner, from_seat)
        own_hits = 0
        if drawn:
            for h in range(s[GAME, N_HORSES]):
                own_hits += 1 if _horse_seat(s, r, origin, h) == winner else 0
            hits += own_hits
        for payer in range(4):
            amount = share(r, source, winner, payer, from_seat, s[LIABLE, i], s[POINTS, i])
            s[PAY_HAND, payer] -= amount
            s[PAY_HAND, winner] += amount
            s[PAY_HORSE, payer] -= amount * own_hits
            s[PAY_HORSE, winner] += amount * own_hits
            if held and amount != 0:
                _pay_held(s, r, origin, winner, payer, amount)
    if held:
        origin = given_origin
        if given_origin < 0:
            origin = horse_origin(s, r, source, n_winners, s[WINNERS, 0], from_seat)
        for h in range(s[GAME, N_HORSES]):
            hits += 1 if s[PAY_HAND, _horse_seat(s, r, origin, h)] != 0 else 0
    return hits
