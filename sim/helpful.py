"""Which tiles bring a hand nearer to winning: all at once, for hands between turns."""

from __future__ import annotations

from sim.flags import COPIES, FLAG, FORM_ORPHANS, FORM_PAIRS, FORM_STANDARD, R_FORMS
from sim.jit import kernel, lowest_bit
from sim.shanten import ORPHAN_MASK, allowed_forms, count_pairs, need, orphans_need, pairs_need
from sim.state import FOURS, GAME, GHOST_MASK, GHOSTS, HAND, HELD, KEYS, N_MELDS, NEED, POWER
from sim.tables import class_of, pair_class, tiles_to_add, triple_class
from sim.tiles import N_KINDS

_SUIT = (1 << 9) - 1
_ALL = (1 << N_KINDS) - 1
_SUITED = (1 << 27) - 1
_FIRST = 1 | 1 << 9 | 1 << 18  # of each suit
_LAST = _FIRST << 8
_NO_FIRST, _NO_LAST = _SUITED & ~_FIRST, _SUITED & ~_LAST
_NO_FIRST_TWO, _NO_LAST_TWO = _NO_FIRST & ~(_FIRST << 1), _NO_LAST & ~(_LAST >> 1)


@kernel
def _near(kinds):
    """Add the kinds of the same suit at most two places away."""
    up = (kinds & _NO_LAST) << 1 | (kinds & _NO_LAST_TWO) << 2
    down = (kinds & _NO_FIRST) >> 1 | (kinds & _NO_FIRST_TWO) >> 2
    return kinds | up | down


@kernel
def inside_runs(kinds):
    """Kinds that make a run with two of the mask's kinds."""
    below_1, above_1 = (kinds & _NO_LAST) << 1, (kinds & _NO_FIRST) >> 1
    below_2, above_2 = (kinds & _NO_LAST_TWO) << 2, (kinds & _NO_FIRST_TWO) >> 2
    return (below_1 & above_1) | (below_1 & below_2) | (above_1 & above_2)


@kernel
def helpful(s, r, t, seat):
    """Mask of the kinds that lower the need of a seat's hand between turns (its NEED is known)."""
    n_melds, ghosts, now = s[seat, N_MELDS], s[seat, GHOSTS], s[seat, NEED]
    v = 1 if ghosts > 0 else 0
    sets = 4 - n_melds
    standard = r[FLAG, R_FORMS] & FORM_STANDARD
    forms = allowed_forms(s, r, seat) if n_melds == 0 else 0
    pairs, orphans = forms & FORM_PAIRS, forms & FORM_ORPHANS
    c0, c1 = class_of(t, v, 0, s[seat, KEYS]), class_of(t, v, 1, s[seat, KEYS + 1])
    c2, c3 = class_of(t, v, 2, s[seat, KEYS + 2]), class_of(t, v, 3, s[seat, KEYS + 3])
    p01, p23 = pair_class(t, c0, c1), pair_class(t, c2, c3)
    o0, o1 = triple_class(t, p23, c1), triple_class(t, p23, c0)
    o2, o3 = triple_class(t, p01, c3), triple_class(t, p01, c2)
    n_pairs = n_singles = n_distinct = paired = 0
    if pairs | orphans:
        # One tile lowers the need of a form by one at most, so a form farther than the nearest is no help.
        n_pairs, n_singles, n_distinct, paired = count_pairs(s, seat)
        pairs = pairs if pairs_need(n_pairs, n_singles, ghosts) <= now else 0
        orphans = orphans if orphans_need(n_distinct, paired, ghosts) <= now else 0
    fours = s[seat, FOURS]
    # Without ghosts and fours a tile two places away from all others is no help: whichever set or pair it would begin,
    # some tile of the hand that is left over begins another one as well.
    tried = _near(s[seat, HELD]) if ghosts == 0 and fours == 0 else _ALL & ~fours
    mask = 0
    if standard:
        for suit in range(4):
            o = o0 if suit == 0 else o1 if suit == 1 else o2 if suit == 2 else o3
            key = s[seat, KEYS + suit]
            rest = tried & (_SUIT << 9 * suit)
            while rest != 0:
                k = lowest_bit(rest)
                rest &= rest - 1
                left = tiles_to_add(t, sets, class_of(t, v, suit, key + POWER[k]), o) - ghosts
                mask |= 1 << k if left < now else 0
    if pairs:
        by_single = pairs_need(n_pairs + 1, n_singles - 1, ghosts) < now
        by_new = pairs_need(n_pairs, n_singles + 1, ghosts) < now
        for k in range(N_KINDS):
            if by_single if s[seat, HAND + k] & 1 else by_new:
                mask |= 1 << k
    if orphans:
        by_new = orphans_need(n_distinct + 1, paired, ghosts) < now
        by_held = orphans_need(n_distinct, 1, ghosts) < now
        for k in range(N_KINDS):
            if (ORPHAN_MASK >> k) & 1 and (by_held if s[seat, HAND + k] > 0 else by_new):
                mask |= 1 << k
    mask &= ~(s[GAME, GHOST_MASK] | fours)
    if s[GAME, GHOST_MASK] != 0:
        s[seat, GHOSTS] += 1
        if need(s, r, t, seat, 0) < now:
            rest = s[GAME, GHOST_MASK]
            while rest != 0:
                k = lowest_bit(rest)
                rest &= rest - 1
                mask |= 1 << k if s[seat, HAND + k] < 4 else 0
        s[seat, GHOSTS] -= 1
    rest = mask
    while rest != 0:
        k = lowest_bit(rest)
        rest &= rest - 1
        if r[COPIES, k] == 0:
            mask &= ~(1 << k)
    return mask
