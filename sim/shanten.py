"""Distance to a complete hand and the discards that keep it: table look-ups on four suit keys.

*need* = shanten + 1 = draws still needed, over the allowed forms, ghosts counted. The standard form comes from
``sim.tables``: limited while the hand holds no ghost, free when it does; both look at concealed copies only, so a fifth
copy that lies in an exposed meld is not noticed (``sim.hand`` is exact; a test measures how rarely they differ).
"""

from __future__ import annotations

import numpy as np

from sim.flags import FLAG, FORM_ORPHANS, FORM_PAIRS, FORM_STANDARD, R_FORMS, R_NATURAL_FORMS
from sim.jit import kernel, lowest_bit
from sim.state import AS_THEMSELVES, GAME, GHOSTS, HAND, HELD, KEYS, N_MELDS, POWER, WORK, is_ghost, live
from sim.tables import class_of, pair_class, tiles_to_add, triple_class
from sim.tiles import FIRST_HONOUR, HONOUR_MASK, N_KINDS, TERMINAL_MASK

ORPHAN_MASK = HONOUR_MASK | TERMINAL_MASK
_OTHER_FORMS = FORM_PAIRS | FORM_ORPHANS


def _discard_rank() -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Order in which equally good discards go: honours, then from the edge of a suit to its middle."""
    kinds = np.arange(N_KINDS)
    edge = np.minimum(kinds % 9, 8 - kinds % 9)
    order = np.argsort(np.where(kinds >= FIRST_HONOUR, -1, edge), kind="stable")
    return np.argsort(order).astype(np.int64)


DISCARD_RANK = _discard_rank()


@kernel
def pairs_need(n_pairs, n_singles, ghosts):
    """Return the need of seven pairs; a four of a kind is two pairs."""
    filled = min(n_singles, ghosts)
    return max(7 - n_pairs - filled - (ghosts - filled) // 2, 0)


@kernel
def orphans_need(n_distinct, paired, ghosts):
    """Return the need of thirteen orphans; ``paired`` 1 when one of the orphans is held twice."""
    return max(14 - n_distinct - paired - ghosts, 0)


@kernel
def count_pairs(s, seat):
    """Return pairs, singles, distinct orphans and whether an orphan is paired, over the natural concealed tiles."""
    n_pairs = n_singles = n_distinct = paired = 0
    rest = s[seat, HELD]
    while rest != 0:
        k = lowest_bit(rest)
        rest &= rest - 1
        c = s[seat, HAND + k]
        n_pairs += c >> 1
        n_singles += c & 1
        if (ORPHAN_MASK >> k) & 1:
            n_distinct += 1
            if c >= 2:
                paired = 1
    return n_pairs, n_singles, n_distinct, paired


@kernel
def allowed_forms(s, r, seat):
    """Bits of the forms that a seat's hand may take: with a ghost in hand only those that ghosts may fill."""
    if s[seat, GHOSTS] > 0 or s[GAME, AS_THEMSELVES]:
        return r[FLAG, R_FORMS] & ~r[FLAG, R_NATURAL_FORMS]
    return r[FLAG, R_FORMS]


@kernel
def other_forms_need(s, r, seat):
    """Return the need of seven pairs and thirteen orphans, as far as they are allowed; 99 when neither is."""
    forms = allowed_forms(s, r, seat)
    n_pairs, n_singles, n_distinct, paired = count_pairs(s, seat)
    best = 99
    if forms & FORM_PAIRS:
        best = pairs_need(n_pairs, n_singles, s[seat, GHOSTS])
    if forms & FORM_ORPHANS:
        best = min(best, orphans_need(n_distinct, paired, s[seat, GHOSTS]))
    return best


@kernel
def need(s, r, t, seat, extra_melds):
    """Return the need of a seat's hand over the allowed forms, with ``extra_melds`` more melds than it has made."""
    n_melds, ghosts = s[seat, N_MELDS] + extra_melds, s[seat, GHOSTS]
    best = 99
    if r[FLAG, R_FORMS] & FORM_STANDARD:
        v = 1 if ghosts > 0 else 0
        two = pair_class(t, class_of(t, v, 0, s[seat, KEYS]), class_of(t, v, 1, s[seat, KEYS + 1]))
        three = triple_class(t, two, class_of(t, v, 2, s[seat, KEYS + 2]))
        best = max(tiles_to_add(t, 4 - n_melds, class_of(t, v, 3, s[seat, KEYS + 3]), three) - ghosts, 0)
    if n_melds == 0 and r[FLAG, R_FORMS] & _OTHER_FORMS:
        best = min(best, other_forms_need(s, r, seat))
    return best


@kernel
def _change(s, seat, kind, n):
    """Add ``n`` (1 or -1) natural tiles of a kind; mask of kinds held four times is not kept."""
    s[seat, HAND + kind] += n
    s[seat, KEYS + kind // 9] += n * POWER[kind]
    if s[seat, HAND + kind] == 0:
        s[seat, HELD] &= ~(1 << kind)
    else:
        s[seat, HELD] |= 1 << kind


@kernel
def completes(s, r, t, seat, kind):
    """Whether one more tile of ``kind``, of which the seat holds at most three, completes its hand."""
    if is_ghost(s, kind):
        s[seat, GHOSTS] += 1
        left = need(s, r, t, seat, 0)
        s[seat, GHOSTS] -= 1
    else:
        _change(s, seat, kind, 1)
        left = need(s, r, t, seat, 0)
        _change(s, seat, kind, -1)
    return left == 0


@kernel
def best_discard(s, r, t, seat, extra_melds, discards):
    """Return (kind, need, acceptance) of the natural discard with the least need, then the most live acceptance.

    The seat holds 14 - 3 * melds tiles; ``discards`` is a mask of kinds, at least one of them a natural tile that it
    holds. Acceptance counts live copies of the natural kinds that lower the need.

    Kinds that do not help the 14 tiles cannot help 13 of them, so they are filtered once; then each (discard, kind)
    costs two loads: the class of the suit with the kind, and the tiles to add together with the class of the three
    other suits.
    """
    n_melds, ghosts = s[seat, N_MELDS] + extra_melds, s[seat, GHOSTS]
    v = 1 if ghosts > 0 else 0
    sets = 4 - n_melds
    standard = r[FLAG, R_FORMS] & FORM_STANDARD
    others = n_melds == 0 and (r[FLAG, R_FORMS] & _OTHER_FORMS) != 0
    c0, c1 = class_of(t, v, 0, s[seat, KEYS]), class_of(t, v, 1, s[seat, KEYS + 1])
    c2, c3 = class_of(t, v, 2, s[seat, KEYS + 2]), class_of(t, v, 3, s[seat, KEYS + 3])
    p01, p02, p12 = pair_class(t, c0, c1), pair_class(t, c0, c2), pair_class(t, c1, c2)
    p03, p13, p23 = pair_class(t, c0, c3), pair_class(t, c1, c3), pair_class(t, c2, c3)
    # Class of the three suits other than 0, 1, 2, 3.
    o0, o1, o2, o3 = (
        triple_class(t, p12, c3),
        triple_class(t, p02, c3),
        triple_class(t, p01, c3),
        triple_class(t, p01, c2),
    )
    target = 99
    if standard:
        target = tiles_to_add(t, sets, c3, o3) - ghosts
    if others:
        target = min(target, other_forms_need(s, r, seat))
    target = max(target, 1)
    if s[seat, HELD] & ~discards:
        target = 99
        rest = s[seat, HELD] & discards
        while rest != 0:
            d = lowest_bit(rest)
            rest &= rest - 1
            _change(s, seat, d, -1)
            target = min(target, need(s, r, t, seat, extra_melds))
            _change(s, seat, d, 1)

    n_useful = 0
    for k in range(N_KINDS):
        left = live(s, r, seat, k)
        if left <= 0 or is_ghost(s, k):
            continue
        suit = k // 9
        with_k = class_of(t, v, suit, s[seat, KEYS + suit] + POWER[k])
        o = o0 if suit == 0 else o1 if suit == 1 else o2 if suit == 2 else o3
        useful = standard and tiles_to_add(t, sets, with_k, o) - ghosts < target
        if others and not useful:
            _change(s, seat, k, 1)
            useful = other_forms_need(s, r, seat) < target
            _change(s, seat, k, -1)
        if useful:
            s[WORK, n_useful] = k
            s[WORK + 1, n_useful] = left
            s[WORK + 2, n_useful] = with_k
            n_useful += 1

    best_kind = best_acceptance = -1
    rest = s[seat, HELD] & discards
    while rest != 0:
        d = lowest_bit(rest)
        rest &= rest - 1
        suit = d // 9
        key = s[seat, KEYS + suit] - POWER[d]
        cls = class_of(t, v, suit, key)
        own = o0 if suit == 0 else o1 if suit == 1 else o2 if suit == 2 else o3
        after = 99
        if standard:
            after = tiles_to_add(t, sets, cls, own) - ghosts
        if others:
            _change(s, seat, d, -1)
            after = min(after, other_forms_need(s, r, seat))
            _change(s, seat, d, 1)
        if after > target:
            continue
        # The same four classes after the discard.
        if suit == 0:
            q0, q1, q2, q3 = own, triple_class(t, p23, cls), triple_class(t, p13, cls), triple_class(t, p12, cls)
        elif suit == 1:
            q0, q1, q2, q3 = triple_class(t, p23, cls), own, triple_class(t, p03, cls), triple_class(t, p02, cls)
        elif suit == 2:
            q0, q1, q2, q3 = triple_class(t, p13, cls), triple_class(t, p03, cls), own, triple_class(t, p01, cls)
        else:
            q0, q1, q2, q3 = triple_class(t, p12, cls), triple_class(t, p02, cls), triple_class(t, p01, cls), own
        acceptance = 0
        for i in range(n_useful):
            k = s[WORK, i]
            other = k // 9
            lower = False
            if standard:
                o = q0 if other == 0 else q1 if other == 1 else q2 if other == 2 else q3
                with_k = s[WORK + 2, i] if other != suit else class_of(t, v, suit, key + POWER[k])
                lower = tiles_to_add(t, sets, with_k, o) - ghosts < target
            if others and not lower:
                _change(s, seat, d, -1)
                _change(s, seat, k, 1)
                lower = other_forms_need(s, r, seat) < target
                _change(s, seat, k, -1)
                _change(s, seat, d, 1)
            if lower:
                acceptance += s[WORK + 1, i]
        if acceptance > best_acceptance or (
            acceptance == best_acceptance and DISCARD_RANK[d] < DISCARD_RANK[best_kind]
        ):
            best_kind, best_acceptance = d, acceptance
    return best_kind, target, best_acceptance
