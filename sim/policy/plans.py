"""Plans: what a hand could become, how far it is from each, and how many live tiles bring it nearer.

A plan is a form over a set of kinds. The natural tiles of other kinds count as missing ones.
"""

from __future__ import annotations

import numpy as np

from sim.flags import FORM_ORPHANS, FORM_PAIRS, FORM_STANDARD
from sim.jit import kernel, lowest_bit
from sim.patterns import DOUBLE_LUXURY, LUXURY, ORPHANS, SEVEN_PAIRS, TRIPLE_LUXURY, YINGHU
from sim.policy.worth import BY_DISCARD, BY_DRAW, is_clean, is_flat, patterns_worth, seat_wind, state_patterns
from sim.schema import MELD_CHI
from sim.scoring import set_patterns, tile_patterns
from sim.shanten import ORPHAN_MASK, allowed_forms, count_pairs, need, orphans_need, pairs_need
from sim.state import (
    GAME,
    GHOST_MASK,
    GHOSTS,
    HAND,
    HELD,
    KEYS,
    MELD_KIND,
    MELD_TYPE,
    N_MELDS,
    PLANS,
    POWER,
    ROUND_WIND,
    is_ghost,
    live,
)
from sim.tables import class_of, pair_class, tiles_to_add, triple_class
from sim.tiles import FIRST_HONOUR, HONOUR_MASK, N_KINDS

# Forms of a plan. ANY: every allowed form at once, all kinds; HONOUR: the standard form with a pung of one honour.
ANY, STANDARD, PUNGS, PAIRS, ORPHAN_HAND, HONOUR = range(6)
ALL_KINDS = (1 << N_KINDS) - 1
_SUIT = (1 << 9) - 1
_JIANG = sum(1 << (9 * suit + rank) for suit in range(3) for rank in (1, 4, 7))
# Rows of the listed plans: number, worths, least need; and what the last question found: the kinds that `any_distance`
# counted; number, need and acceptance of the best plan.
NUMBER, DRAW_WORTH, DISCARD_WORTH, LEAST, USEFUL, PLAN_FOLLOWED = range(PLANS, PLANS + 6)


def _all_plans() -> list[tuple[int, int]]:
    """Form and kinds of every plan, in the order in which they are listed."""
    plans = [(ANY, ALL_KINDS), (PUNGS, ALL_KINDS), (PAIRS, ALL_KINDS)]
    for suit in range(3):
        one = _SUIT << (9 * suit)
        plans += [(form, kinds) for kinds in (one | HONOUR_MASK, one) for form in (STANDARD, PUNGS, PAIRS)]
    plans += [(PUNGS, kinds) for kinds in (ORPHAN_MASK, HONOUR_MASK, _JIANG)]
    return [*plans, (ORPHAN_HAND, ORPHAN_MASK), *((HONOUR, 1 << k) for k in range(FIRST_HONOUR, N_KINDS))]


PLAN_FORM = np.array([form for form, _ in _all_plans()], np.int64)
PLAN_KINDS = np.array([kinds for _, kinds in _all_plans()], np.int64)


@kernel
def pungs_need(n_sets, n_threes, n_pairs, n_singles, ghosts):
    """Return the need of ``n_sets`` pungs and a pair."""
    threes = min(n_threes, n_sets)
    pairs = min(n_pairs, n_sets - threes)
    singles = min(n_singles, n_sets - threes - pairs)
    missing = pairs + 2 * singles + 3 * (n_sets - threes - pairs - singles)
    if n_threes == threes and n_pairs == pairs:
        missing += 1 if n_singles > singles else 2
    return missing - ghosts


@kernel
def _pairs_need(n_pairs, n_singles, ghosts):
    """Return the need of seven pairs when tiles of other kinds may be among the thirteen."""
    lacking = max(7 - n_pairs, 0)
    return lacking + max(lacking - n_singles, 0) - ghosts


@kernel
def any_distance(s, r, t, seat):
    """Return (need, acceptance) of a hand of 3k + 1 tiles over all allowed forms; row USEFUL takes the kinds."""
    n_melds, ghosts = s[seat, N_MELDS], s[seat, GHOSTS]
    v = 1 if ghosts > 0 else 0
    sets = 4 - n_melds
    forms = allowed_forms(s, r, seat)
    standard = forms & FORM_STANDARD
    pairs = n_melds == 0 and forms & FORM_PAIRS != 0
    orphans = n_melds == 0 and forms & FORM_ORPHANS != 0
    n_pairs = n_singles = n_distinct = paired = 0
    best = need(s, r, t, seat, 0)
    if pairs or orphans:
        n_pairs, n_singles, n_distinct, paired = count_pairs(s, seat)
        pairs = pairs and pairs_need(n_pairs, n_singles, ghosts) == best
        orphans = orphans and orphans_need(n_distinct, paired, ghosts) == best
    c0, c1 = class_of(t, v, 0, s[seat, KEYS]), class_of(t, v, 1, s[seat, KEYS + 1])
    c2, c3 = class_of(t, v, 2, s[seat, KEYS + 2]), class_of(t, v, 3, s[seat, KEYS + 3])
    p01, p23 = pair_class(t, c0, c1), pair_class(t, c2, c3)
    o0, o1, o2, o3 = (
        triple_class(t, p23, c1),
        triple_class(t, p23, c0),
        triple_class(t, p01, c3),
        triple_class(t, p01, c2),
    )
    acceptance, useful_kinds = 0, 0
    for k in range(N_KINDS):
        left = live(s, r, seat, k)
        if left <= 0 or (s[GAME, GHOST_MASK] >> k) & 1:
            continue
        suit = k // 9
        useful = False
        if standard:
            o = o0 if suit == 0 else o1 if suit == 1 else o2 if suit == 2 else o3
            useful = tiles_to_add(t, sets, class_of(t, v, suit, s[seat, KEYS + suit] + POWER[k]), o) - ghosts < best
        if pairs and not useful:
            if s[seat, HAND + k] & 1:
                useful = pairs_need(n_pairs + 1, n_singles - 1, ghosts) < best
            else:
                useful = pairs_need(n_pairs, n_singles + 1, ghosts) < best
        if orphans and not useful and (ORPHAN_MASK >> k) & 1:
            useful = s[seat, HAND + k] == 0 or (s[seat, HAND + k] == 1 and paired == 0)
        if useful:
            acceptance += left
            useful_kinds |= 1 << k
    s[USEFUL, 0] = useful_kinds
    return best, acceptance * 1.0


@kernel
def _standard_distance(s, r, t, seat, kinds):
    """Return (need, acceptance) of the standard form over whole suits, or suits and honours."""
    ghosts = s[seat, GHOSTS]
    v = 1 if ghosts > 0 else 0
    sets = 4 - s[seat, N_MELDS]
    k0, k1 = s[seat, KEYS] if kinds & 1 else 0, s[seat, KEYS + 1] if (kinds >> 9) & 1 else 0
    k2, k3 = s[seat, KEYS + 2] if (kinds >> 18) & 1 else 0, s[seat, KEYS + 3] if kinds & HONOUR_MASK else 0
    c0, c1, c2, c3 = class_of(t, v, 0, k0), class_of(t, v, 1, k1), class_of(t, v, 2, k2), class_of(t, v, 3, k3)
    p01, p23 = pair_class(t, c0, c1), pair_class(t, c2, c3)
    o3 = triple_class(t, p01, c2)
    best = tiles_to_add(t, sets, c3, o3)
    acceptance = 0
    rest = kinds & ~s[GAME, GHOST_MASK]
    while rest != 0:
        k = lowest_bit(rest)
        rest &= rest - 1
        left = live(s, r, seat, k)
        if left <= 0:
            continue
        if k < 9:
            after = tiles_to_add(t, sets, class_of(t, v, 0, k0 + POWER[k]), triple_class(t, p23, c1))
        elif k < 18:
            after = tiles_to_add(t, sets, class_of(t, v, 1, k1 + POWER[k]), triple_class(t, p23, c0))
        elif k < 27:
            after = tiles_to_add(t, sets, class_of(t, v, 2, k2 + POWER[k]), triple_class(t, p01, c3))
        else:
            after = tiles_to_add(t, sets, class_of(t, v, 3, k3 + POWER[k]), o3)
        if after < best:
            acceptance += left
    return best - ghosts, acceptance * 1.0


@kernel
def _honour_distance(s, r, t, seat, kind, peng):
    """Return (need, acceptance) of the standard form with a pung of an honour, of which there are at most three."""
    n = s[seat, HAND + kind]
    s[seat, KEYS + 3] -= n * POWER[kind]
    s[seat, N_MELDS] += 1
    rest, acceptance = _standard_distance(s, r, t, seat, ALL_KINDS & ~(1 << kind))
    s[seat, N_MELDS] -= 1
    s[seat, KEYS + 3] += n * POWER[kind]
    if n < 3:
        acceptance += live(s, r, seat, kind) * (peng if n == 2 else 1.0)
    return rest + 3 - n, acceptance


@kernel
def _count_distance(s, r, seat, form, kinds, peng):
    """Return (need, acceptance) of pungs and a pair, or of seven pairs, over a set of kinds."""
    ghosts = s[seat, GHOSTS]
    sets = 4 - s[seat, N_MELDS]
    n_1 = n_2 = n_3 = n_4 = 0
    live_0 = live_1 = live_2 = live_3 = 0
    rest = kinds & ~s[GAME, GHOST_MASK]
    while rest != 0:
        k = lowest_bit(rest)
        rest &= rest - 1
        n = s[seat, HAND + k]
        left = max(live(s, r, seat, k), 0)
        if n == 0:
            live_0 += left
        elif n == 1:
            n_1 += 1
            live_1 += left
        elif n == 2:
            n_2 += 1
            live_2 += left
        elif n == 3:
            n_3 += 1
            live_3 += left
        else:
            n_4 += 1
    acceptance = 0.0
    if form == PAIRS:
        pairs, singles = n_2 + n_3 + 2 * n_4, n_1 + n_3
        best = _pairs_need(pairs, singles, ghosts)
        if _pairs_need(pairs + 1, singles - 1, ghosts) < best:
            acceptance += live_1 + live_3
        if _pairs_need(pairs, singles + 1, ghosts) < best:
            acceptance += live_0 + live_2
        return best, acceptance
    n_3 += n_4
    best = pungs_need(sets, n_3, n_2, n_1, ghosts)
    if pungs_need(sets, n_3, n_2, n_1 + 1, ghosts) < best:
        acceptance += live_0
    if pungs_need(sets, n_3, n_2 + 1, n_1 - 1, ghosts) < best:
        acceptance += live_1
    if pungs_need(sets, n_3 + 1, n_2 - 1, n_1, ghosts) < best:
        acceptance += live_2 * peng
    return best, acceptance


@kernel
def _orphans_distance(s, r, seat):
    """Return (need, acceptance) of thirteen orphans."""
    n_distinct, paired = count_pairs(s, seat)[2:]
    best = orphans_need(n_distinct, paired, s[seat, GHOSTS])
    acceptance = 0
    rest = ORPHAN_MASK & ~s[GAME, GHOST_MASK]
    while rest != 0:
        k = lowest_bit(rest)
        rest &= rest - 1
        n = s[seat, HAND + k]
        if n == 0 or (n == 1 and paired == 0):
            acceptance += max(live(s, r, seat, k), 0)
    return best, acceptance * 1.0


@kernel
def distance(s, r, t, seat, form, kinds, peng):
    """Return (need, acceptance) of a hand of 3k + 1 tiles for one plan."""
    if form == ANY:
        return any_distance(s, r, t, seat)
    if form == STANDARD:
        return _standard_distance(s, r, t, seat, kinds)
    if form == HONOUR:
        return _honour_distance(s, r, t, seat, lowest_bit(kinds), peng)
    if form == ORPHAN_HAND:
        return _orphans_distance(s, r, seat)
    return _count_distance(s, r, seat, form, kinds, peng)


@kernel
def plan_patterns(s, r, seat, form, kinds):
    """Patterns that a hand finished by a plan has: of its kinds and form, of honours' pungs it has, of its state.

    门清 counts only where the form needs it: the measured chance is that of hands that claim.
    """
    if form == ORPHAN_HAND:
        return (1 << ORPHANS) | tile_patterns(ORPHAN_MASK) | state_patterns(s, seat)
    if form == PAIRS:
        found = tile_patterns(kinds) | (1 << SEVEN_PAIRS)
        n_fours = 0
        rest = kinds & s[seat, HELD]
        while rest != 0:
            k = lowest_bit(rest)
            rest &= rest - 1
            n_fours += s[seat, HAND + k] // 4
        if n_fours >= 1:
            found |= 1 << LUXURY
        if n_fours >= 2:
            found |= 1 << DOUBLE_LUXURY
        if n_fours >= 3:
            found |= 1 << TRIPLE_LUXURY
        return found | state_patterns(s, seat)
    pungs = kinds if form == HONOUR else 0
    for i in range(s[seat, N_MELDS]):
        if s[seat, MELD_TYPE + i] != MELD_CHI:
            pungs |= 1 << s[seat, MELD_KIND + i]
    rest = s[seat, HELD] & HONOUR_MASK
    while rest != 0:
        k = lowest_bit(rest)
        rest &= rest - 1
        if s[seat, HAND + k] >= 3:
            pungs |= 1 << k
    if form in (ANY, HONOUR):
        kinds = ALL_KINDS
    n_chows = 0 if form == PUNGS else 1
    found = set_patterns(kinds, n_chows, 1, pungs & HONOUR_MASK, 0, seat_wind(s, r, seat), 27 + s[GAME, ROUND_WIND])
    return found | ((1 << YINGHU) if is_clean(s, seat) else 0)


@kernel
def plan_worths(s, r, seat, form, kinds):
    """Return the quarter points that a plan brings by self-draw and by discard, -1 where that is not allowed."""
    found = plan_patterns(s, r, seat, form, kinds)
    clean = is_clean(s, seat)
    by_draw = patterns_worth(s, r, seat, clean, found, BY_DRAW)
    return by_draw, patterns_worth(s, r, seat, clean, found, BY_DISCARD)


@kernel
def _n_outside(s, seat, kinds):
    """Natural concealed tiles of other kinds."""
    n = 0
    rest = s[seat, HELD] & ~kinds
    while rest != 0:
        n += s[seat, HAND + lowest_bit(rest)]
        rest &= rest - 1
    return n


@kernel
def _need_of(s, r, t, seat, form, kinds, most):
    """Return the need of a plan, 99 when melds, forms or the honours left rule it out or it is surely over ``most``."""
    forms = allowed_forms(s, r, seat)
    if form in (PAIRS, ORPHAN_HAND):
        if s[seat, N_MELDS] > 0 or forms & (FORM_PAIRS if form == PAIRS else FORM_ORPHANS) == 0:
            return 99
    elif form != ANY and forms & FORM_STANDARD == 0:
        return 99
    if form == HONOUR:
        k = lowest_bit(kinds)
        if s[seat, N_MELDS] == 4 or s[seat, HAND + k] != 2 or is_ghost(s, k) or live(s, r, seat, k) <= 0:
            return 99
    else:
        for i in range(s[seat, N_MELDS]):
            is_chi = s[seat, MELD_TYPE + i] == MELD_CHI
            if is_chi and form == PUNGS:
                return 99
            if ((7 if is_chi else 1) << s[seat, MELD_KIND + i]) & ~kinds:
                return 99
        if _n_outside(s, seat, kinds) > most:
            return 99
    return distance(s, r, t, seat, form, kinds, 1.0)[0]


@kernel
def list_plans(s, r, t, seat, margin):
    """List what the seat's hand could become into the rows NUMBER .. LEAST; return the number of plans.

    The first plan is ANY. Others are listed when they are possible, pay more than it does, and need at most ``margin``
    tiles more.
    """
    n_plans = 0
    most = 99
    for number in range(1 if is_flat(r) else len(PLAN_FORM)):
        form, kinds = PLAN_FORM[number], PLAN_KINDS[number]
        n = _need_of(s, r, t, seat, form, kinds, most)
        if n > most:
            continue
        by_draw, by_discard = plan_worths(s, r, seat, form, kinds)
        if number == 0 or by_draw > s[DRAW_WORTH, 0] or by_discard > s[DISCARD_WORTH, 0]:
            s[NUMBER, n_plans], s[LEAST, n_plans] = number, max(n, 1)
            s[DRAW_WORTH, n_plans], s[DISCARD_WORTH, n_plans] = by_draw, by_discard
            n_plans += 1
        if number == 0:
            most = min(n + margin, 98)  # 99: ruled out
    return n_plans
