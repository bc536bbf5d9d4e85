"""``value``: the move after which the hand can be expected to bring most, by chance and worth (`sim.policy.outlook`).

It looks at its own tiles, at what lies open, and at what the rule set pays. One kernel answers all questions, so that
the code below it is compiled into one place only.
"""

from __future__ import annotations

import numpy as np

from sim.flags import (
    FLAG,
    R_BASE,
    R_KONG_ADDED,
    R_KONG_CONCEALED,
    R_KONG_DIRECT,
    R_KONG_DIRECT_ALL,
    R_ROB_SHARES,
)
from sim.jit import kernel, lowest_bit
from sim.policy.danger import expected_loss, fear, list_threats
from sim.policy.moves import ASK_CHI, ASK_CLAIM, ASK_TURN, ASK_WIN, move
from sim.policy.outlook import relief, waiting
from sim.policy.plans import list_plans
from sim.policy.weights import UNIT, W_CLAIM, W_KONG, W_MARGIN
from sim.policy.worth import BY_DISCARD, expected_pay, is_clean, is_flat, n_payers
from sim.schema import (
    CHI,
    DISCARD,
    GANG_ADDED,
    GANG_CONCEALED,
    GANG_EXPOSED,
    HU,
    MELD_ADDED,
    MELD_CHI,
    MELD_CONCEALED,
    MELD_EXPOSED,
    MELD_PENG,
    PASS,
    PENG,
    QIANGGANG,
    ZIMO,
)
from sim.shanten import DISCARD_RANK, best_discard
from sim.state import (
    CHOICES,
    FOURS,
    HAND,
    HELD,
    MELD_KIND,
    MELD_TYPE,
    N_MELDS,
    POINTS,
    PUNGS,
    SCORES,
    THREATS,
    VISIBLE,
    add_meld,
    add_tile,
    take_tiles,
)


@kernel
def _show(s, seat, kind, n):
    """Lay ``n`` concealed tiles of a kind open, or take -n back."""
    if n > 0:
        take_tiles(s, seat, kind, n)
    for _ in range(-n):
        add_tile(s, seat, kind)
    s[VISIBLE, kind] += n


@kernel
def _make(s, seat, code, kind, claimed, sign):
    """Carry a claim or kong out in the seat's hand (``sign`` 1), or take it back (-1)."""
    meld = MELD_PENG
    if code == CHI:
        for k in range(kind, kind + 3):
            if k != claimed:
                _show(s, seat, k, sign)
        meld = MELD_CHI
    elif code == PENG:
        _show(s, seat, kind, 2 * sign)
    elif code == GANG_EXPOSED:
        _show(s, seat, kind, 3 * sign)
        meld = MELD_EXPOSED
    elif code == GANG_CONCEALED:
        _show(s, seat, kind, 4 * sign)
        meld = MELD_CONCEALED
    else:
        _show(s, seat, kind, sign)
        old, new = (MELD_PENG, MELD_ADDED) if sign > 0 else (MELD_ADDED, MELD_PENG)
        for i in range(s[seat, N_MELDS]):
            if s[seat, MELD_KIND + i] == kind and s[seat, MELD_TYPE + i] == old:
                s[seat, MELD_TYPE + i] = new
        return
    if sign > 0:
        add_meld(s, seat, meld, kind, -1)
    else:
        s[seat, N_MELDS] -= 1


@kernel
def _kong_price(r, code):
    """Return the quarter points that a kong brings at once; 0 for other moves."""
    units = 0
    if code == GANG_CONCEALED:
        units = 3 * r[FLAG, R_KONG_CONCEALED]
    elif code == GANG_ADDED:
        units = 3 * r[FLAG, R_KONG_ADDED]
    elif code == GANG_EXPOSED:
        units = r[FLAG, R_KONG_DIRECT] * (3 if r[FLAG, R_KONG_DIRECT_ALL] else 1)
    return 4 * units * r[FLAG, R_BASE]


@kernel
def _list_choices(s, seat, question, kind, options):
    """Write the moves to weigh into row CHOICES, the plain discard or the pass first; return their number."""
    n = 1
    if question == ASK_TURN:
        s[CHOICES, 0] = move(DISCARD, 0)
        if kind & 2:
            rest = s[seat, FOURS]
            while rest != 0:
                s[CHOICES, n] = move(GANG_CONCEALED, lowest_bit(rest))
                rest &= rest - 1
                n += 1
            rest = s[seat, PUNGS] & s[seat, HELD]
            while rest != 0:
                s[CHOICES, n] = move(GANG_ADDED, lowest_bit(rest))
                rest &= rest - 1
                n += 1
        return n
    s[CHOICES, 0] = move(PASS, 0)
    if question == ASK_CLAIM:
        if options & 2:
            s[CHOICES, n] = move(GANG_EXPOSED, kind)
            n += 1
        if options & 1:
            s[CHOICES, n] = move(PENG, kind)
            n += 1
    elif question == ASK_CHI:
        while options != 0:
            s[CHOICES, n] = move(CHI, lowest_bit(options))
            options &= options - 1
            n += 1
    return n


@kernel
def answer(s, r, t, seat, w, question, kind, options, points):
    """Answer one of the questions of `sim.policy.dispatch`; ``w`` is the row of the weights.

    Parameters
    ----------
    question, kind, options, points
        ASK_TURN: 1 for a legal hu (its share in row POINTS) + 2 for kongs; mask of legal discards. ASK_WIN: source of
        the win; 0; its points. ASK_CLAIM: kind; 1 for a legal pung + 2 for a kong. ASK_CHI: kind; mask of lowest kinds.
    """
    n_choices = _list_choices(s, seat, question, kind, options)
    best, chosen, ease_now = 0.0, s[CHOICES, 0], 0.0
    counted = fear(s, r, w) if question == ASK_TURN else 0
    is_afraid = counted != 0
    if is_afraid:
        list_threats(s, r, seat, w, THREATS)
    best_kind = -1
    for i in range(n_choices):
        code, k = s[CHOICES, i] // 64, s[CHOICES, i] % 64
        stays = code in (DISCARD, PASS)
        if not stays:
            _make(s, seat, code, k, kind, 1)
        n_plans = list_plans(s, r, t, seat, r[w, W_MARGIN])
        ease = relief(s, r, w, n_plans)
        v, v_kind = 0.0, -1
        discards = code in (DISCARD, PENG, CHI)
        rest = 1
        if discards:
            rest = s[seat, HELD] & options if question == ASK_TURN else s[seat, HELD]
        while rest != 0:
            d = lowest_bit(rest)
            rest &= rest - 1
            changed = False
            if discards:
                changed = s[seat, HAND + d] >= 3 and not is_flat(r)
                _show(s, seat, d, 1)
            x = waiting(s, r, t, seat, w, n_plans, changed, ease)
            if discards:
                _show(s, seat, d, -1)
                if is_afraid:
                    x -= expected_loss(s, r, seat, w, THREATS, d) * counted / UNIT
                if i == 0:
                    s[SCORES, d] = np.int64(x * 4096.0)
            if v_kind < 0 or x > v or (x == v and DISCARD_RANK[d] < DISCARD_RANK[v_kind]):
                v, v_kind = x, d
        if not stays:
            _make(s, seat, code, k, kind, -1)
        if code in (GANG_CONCEALED, GANG_ADDED, GANG_EXPOSED):
            v = v * r[w, W_KONG] / UNIT + _kong_price(r, code)
        if i == 0:
            best, best_kind, ease_now = v, v_kind, ease
            if question in (ASK_CLAIM, ASK_CHI):
                best *= r[w, W_CLAIM] / UNIT
        elif v > best:
            best, chosen = v, s[CHOICES, i]
    if question == ASK_WIN:
        shares = 3 if kind == QIANGGANG and r[FLAG, R_ROB_SHARES] == 3 else n_payers(r, BY_DISCARD)
        gain = expected_pay(s, r, seat, is_clean(s, seat), points, kind, shares)
        return move(HU, 0) if gain + ease_now >= best else move(PASS, 0)
    if question == ASK_TURN:
        if kind & 1 and expected_pay(s, r, seat, is_clean(s, seat), s[POINTS, 0], ZIMO, 3) + ease_now >= best:
            return move(HU, 0)
        if chosen == move(DISCARD, 0):
            if s[seat, HELD] & options == 0:
                return move(DISCARD, lowest_bit(options))
            if best == 0.0 and not is_afraid:
                best_kind = best_discard(s, r, t, seat, 0, options)[0]
            return move(DISCARD, best_kind)
    return chosen
