"""What a hand is worth: from the patterns of one reading to points for one payer."""

from __future__ import annotations

from sim.flags import (
    FLAG,
    IMPLIED_BY,
    ITEMS_HIGHEST,
    ITEMS_MULTIPLY,
    METHOD_SUM,
    R_BASE,
    R_CAP,
    R_CHICKEN_WAYS,
    R_CHICKEN_WITH_EVENT,
    R_ITEMS,
    R_METHOD,
    R_MIN_FAN,
    R_MIN_FAN_DISCARD,
    R_PRICED,
    ROLE,
    VALUE,
    WAY_BITS,
)
from sim.jit import kernel, lowest_bit
from sim.patterns import (
    CHICKEN,
    DASANYUAN,
    DASIXI,
    DRAGON_1,
    DRAGON_2,
    GANGKAI,
    HAIDI,
    HUNPENG,
    HUNYAOJIU,
    HUNYISE,
    JIANGYISE,
    P_QIANGGANG,
    PENGPENG,
    PINGHU,
    QINGPENG,
    QINGYAOJIU,
    QINGYISE,
    QUEMEN,
    ROLE_DOUBLE,
    ROLE_EXTRA,
    ROLE_FLOOR,
    ROLE_ITEM,
    ROLE_PATTERN,
    ROLE_SPECIAL,
    ROUND_WIND,
    SEAT_WIND,
    SHAPE_MASK,
    XIAOSANYUAN,
    XIAOSIXI,
    ZIYISE,
)
from sim.tiles import HONOUR_MASK, TERMINAL_MASK

_SUIT_MASK = (1 << 9) - 1
_RAISES_CHICKEN = (1 << GANGKAI) | (1 << P_QIANGGANG) | (1 << HAIDI)
_YAOJIU_MASK = TERMINAL_MASK | HONOUR_MASK
_JIANG_MASK = sum(1 << (9 * s + r) for s in range(3) for r in (1, 4, 7))
_WINDS = 0b1111 << 27
_DRAGONS = 0b111 << 31
_BY_DISCARD = WAY_BITS["dianpao"]


@kernel
def tile_patterns(kinds):
    """Patterns that depend only on which kinds a hand holds (mask of kinds)."""
    suits = (
        (1 if kinds & _SUIT_MASK else 0)
        + (1 if (kinds >> 9) & _SUIT_MASK else 0)
        + (1 if (kinds >> 18) & _SUIT_MASK else 0)
    )
    honours = kinds & HONOUR_MASK
    found = 1 << QUEMEN if suits <= 2 else 0
    if suits == 1:
        found |= (1 << HUNYISE) if honours else (1 << QINGYISE)
    elif suits == 0:
        found |= 1 << ZIYISE
    if kinds & ~_YAOJIU_MASK == 0:
        found |= 1 << HUNYAOJIU
        if honours == 0:
            found |= 1 << QINGYAOJIU
    elif kinds & ~_JIANG_MASK == 0:
        found |= 1 << JIANGYISE
    return found


@kernel
def set_patterns(kinds, n_chows, n_pungs, pungs, pair, seat_wind, round_wind):
    """Patterns of a standard reading: ``kinds`` and ``pungs`` masks of kinds, ``pair`` a kind, winds as kinds."""
    found = tile_patterns(kinds)
    if n_pungs == 0:
        found |= 1 << PINGHU
    if n_chows == 0:
        found |= 1 << PENGPENG
        if found & (1 << HUNYISE):
            found |= 1 << HUNPENG
        if found & (1 << QINGYISE):
            found |= 1 << QINGPENG
    honours = pungs & HONOUR_MASK
    if honours:
        dragons = (honours >> 31 & 1) + (honours >> 32 & 1) + (honours >> 33 & 1)
        winds = (honours >> 27 & 1) + (honours >> 28 & 1) + (honours >> 29 & 1) + (honours >> 30 & 1)
        if dragons == 3:
            found |= 1 << DASANYUAN
        elif dragons == 2 and (_DRAGONS >> pair) & 1:
            found |= 1 << XIAOSANYUAN
        if winds == 4:
            found |= 1 << DASIXI
        elif winds == 3 and (_WINDS >> pair) & 1:
            found |= 1 << XIAOSIXI
        if dragons == 1:
            found |= 1 << DRAGON_1
        elif dragons >= 2:
            found |= 1 << DRAGON_2
        if (honours >> seat_wind) & 1:
            found |= 1 << SEAT_WIND
        if (honours >> round_wind) & 1:
            found |= 1 << ROUND_WIND
    return found


@kernel
def price(r, found, way):
    """Return (points, fan, counted) of a reading with the patterns ``found``, won by ``way`` (bit of WAY_BITS).

    Points are one payer's share, -1 when the rule set does not allow the win; fan is -1 in sum tables.
    """
    priced = found & r[FLAG, R_PRICED]
    chicken = priced & SHAPE_MASK == 0
    if chicken:
        if r[FLAG, R_CHICKEN_WAYS] & way == 0:
            return -1, -1, 0
        priced |= r[FLAG, R_PRICED] & (1 << CHICKEN)
    least = r[FLAG, R_MIN_FAN]
    if way == _BY_DISCARD:
        least = max(least, r[FLAG, R_MIN_FAN_DISCARD])
    if r[FLAG, R_METHOD] == METHOD_SUM:
        return _price_sum(r, priced, least)
    return _price_fan(r, priced, least)


@kernel
def _price_sum(r, priced, least):
    total, factor, counted, highest = 0, 1, 0, -1
    product = 1
    factor_only = True
    rest = priced
    while rest != 0:
        i = lowest_bit(rest)
        rest &= rest - 1
        if r[ROLE, i] == ROLE_DOUBLE:
            factor *= r[VALUE, i]
            counted |= 1 << i
            continue
        if r[ROLE, i] != ROLE_ITEM or r[IMPLIED_BY, i] & priced:
            continue
        factor_only = False
        value = r[VALUE, i]
        if i == CHICKEN and priced & _RAISES_CHICKEN:
            value = r[FLAG, R_CHICKEN_WITH_EVENT]
        if r[FLAG, R_ITEMS] == ITEMS_HIGHEST:
            if highest < 0 or value > total:
                if highest >= 0:
                    counted &= ~(1 << highest)
                highest, total = i, value
                counted |= 1 << i
            continue
        total += value
        product *= value
        counted |= 1 << i
    if factor_only and r[ROLE, CHICKEN] == ROLE_ITEM:
        total = product = r[FLAG, R_CHICKEN_WITH_EVENT] if priced & _RAISES_CHICKEN else r[VALUE, CHICKEN]
        counted |= 1 << CHICKEN
    if r[FLAG, R_ITEMS] == ITEMS_MULTIPLY:
        total = product
    times = total * factor
    if times < least:
        return -1, -1, 0
    if r[FLAG, R_CAP] > 0:
        times = min(times, r[FLAG, R_CAP])
    return times * r[FLAG, R_BASE], -1, counted


@kernel
def _price_fan(r, priced, least):
    special = pattern = floor = -1
    best_special = best_pattern = -1
    extras = extras_mask = floors_mask = 0
    rest = priced
    while rest != 0:
        i = lowest_bit(rest)
        rest &= rest - 1
        role, value = r[ROLE, i], r[VALUE, i]
        if role == ROLE_SPECIAL and value > special:
            special, best_special = value, i
        elif role == ROLE_PATTERN and value > pattern:
            pattern, best_pattern = value, i
        elif role == ROLE_EXTRA:
            extras += value
            extras_mask |= 1 << i
        elif role == ROLE_FLOOR:
            floor = max(floor, value)
            floors_mask |= 1 << i
    if best_special >= 0:
        fan, counted = special, 1 << best_special
    else:
        fan, counted = max(pattern, 0) + extras, extras_mask
        if best_pattern >= 0:
            counted |= 1 << best_pattern
    fan = max(fan, floor)
    if fan < least:
        return -1, -1, 0
    if best_special < 0 and r[FLAG, R_CAP] > 0:
        fan = min(fan, r[FLAG, R_CAP])
    return r[FLAG, R_BASE] << fan, fan, counted | floors_mask
