"""Many hands at once: need, win and best discard of rows of counts, and prices of many wins.

The simulator keeps four keys a seat and changes them with every tile (`sim.state`); here rows of counts come from
elsewhere. Their counts are read eight kinds at a time, as the bytes of one word, from which a key takes three
multiplications and pairs a few bit counts.
"""

from __future__ import annotations

import numpy as np

from sim.flags import FORM_ORPHANS, FORM_PAIRS, FORM_STANDARD
from sim.jit import kernel, n_bits
from sim.patterns import P_ZIMO
from sim.schema import ZIMO
from sim.shanten import best_discard, orphans_need, pairs_need
from sim.state import FOURS, GAME, GHOST_MASK, GHOSTS, HAND, HELD, KEYS, N_MELDS, POINTS, POWER, VISIBLE
from sim.tables import class_of, pair_class, tiles_to_add, triple_class
from sim.tiles import COPIES, N_KINDS
from sim.winning import value

_U = np.uint64
_LAST = 5**8  # what the ninth kind of a suit adds to its key
_1, _2, _8, _16, _32, _FF = _U(1), _U(2), _U(8), _U(16), _U(32), _U(0xFF)
_EACH_1, _EACH_2, _EACH_4 = _U(0x0101010101010101), _U(0x0202020202020202), _U(0x0404040404040404)
_LOW_8, _LOW_16, _LOW_32 = _U(0x00FF00FF00FF00FF), _U(0x0000FFFF0000FFFF), _U(0xFFFFFFFF)
_BY_ZIMO = 1 << P_ZIMO
_5, _25, _625 = _U(5), _U(25), _U(625)


@kernel
def _eight(counts, i, first):
    """Return eight counts of row ``i`` as the bytes of one word.

    The compiler makes it one load, if indices are unsigned: signed ones may count from the end.
    """
    word = _U(0)
    for k in range(8):
        word |= _U(counts[_U(i), _U(first + k)]) << _U(8 * k)
    return word


@kernel
def _key(word):
    """Return the key of eight counts: neighbours are joined by 5, pairs of them by 25, fours by 625."""
    word = (word & _LOW_8) + _5 * ((word >> _8) & _LOW_8)
    word = (word & _LOW_16) + _25 * ((word >> _16) & _LOW_16)
    return np.int64((word & _LOW_32) + _625 * (word >> _32))


@kernel
def _some(word):
    """How many of eight counts, at most 7 each, are not 0."""
    return n_bits(np.int64((word | (word >> _1) | (word >> _2)) & _EACH_1))


@kernel
def _pairs(word):
    """How many pairs eight counts hold; a four of a kind is two."""
    return n_bits(np.int64(word & _EACH_2)) + 2 * n_bits(np.int64(word & _EACH_4))


@kernel
def _singles(word):
    return n_bits(np.int64(word & _EACH_1))


@kernel
def _row_need(t, counts, i, melds, ghosts, forms):
    """Return the need of one row over the forms."""
    m, p, s = _eight(counts, i, 0), _eight(counts, i, 9), _eight(counts, i, 18)
    honours = _eight(counts, i, 26) >> _8
    n_m, n_p, n_s = np.int64(counts[i, 8]), np.int64(counts[i, 17]), np.int64(counts[i, 26])
    best = 99
    if forms & FORM_STANDARD:
        v = 1 if ghosts > 0 else 0
        two = pair_class(t, class_of(t, v, 0, _key(m) + _LAST * n_m), class_of(t, v, 1, _key(p) + _LAST * n_p))
        three = triple_class(t, two, class_of(t, v, 2, _key(s) + _LAST * n_s))
        best = max(tiles_to_add(t, 4 - melds, class_of(t, v, 3, _key(honours)), three) - ghosts, 0)
    if melds == 0 and forms & (FORM_PAIRS | FORM_ORPHANS):
        nines = _U(n_m) | _U(n_p) << _8 | _U(n_s) << _16
        if forms & FORM_PAIRS:
            n_pairs = _pairs(m) + _pairs(p) + _pairs(s) + _pairs(honours) + _pairs(nines)
            n_singles = _singles(m) + _singles(p) + _singles(s) + _singles(honours) + _singles(nines)
            best = min(best, pairs_need(n_pairs, n_singles, ghosts))
        if forms & FORM_ORPHANS:
            ones = (m & _FF) | (p & _FF) << _8 | (s & _FF) << _16
            paired = 1 if ((honours | nines | ones) & (_EACH_2 | _EACH_4)) != _U(0) else 0
            best = min(best, orphans_need(_some(honours) + _some(nines) + _some(ones), paired, ghosts))
    return best


@kernel
def needs(t, counts, melds, ghosts, forms, out):
    """Write the need (shanten + 1) of every row, as `sim.shanten.need` has it.

    Parameters
    ----------
    t
        `sim.tables.load`.
    counts
        uint8 (n, 34): concealed natural tiles, at most four of a kind.
    melds, ghosts
        uint8 (n,).
    forms
        Bits FORM_*; rows with melds have the standard form alone.
    out
        int8 (n,), written.
    """
    for i in range(len(out)):
        out[i] = _row_need(t, counts, i, np.int64(melds[i]), np.int64(ghosts[i]), forms)


@kernel
def wins(t, counts, melds, ghosts, forms, out):
    """Write 1 for every row that is complete, else 0; parameters as for `needs`."""
    for i in range(len(out)):
        out[i] = 1 if _row_need(t, counts, i, np.int64(melds[i]), np.int64(ghosts[i]), forms) == 0 else 0


@kernel
def _sit(s, counts, i, melds, ghosts):
    """Give seat 0 the hand of a row, ``melds`` nameless melds and ``ghosts`` ghosts of the kind in the mask."""
    for column in range(KEYS + 4):
        s[0, column] = 0
    s[0, HELD] = s[0, FOURS] = 0
    s[0, N_MELDS], s[0, GHOSTS] = melds, ghosts
    for k in range(N_KINDS):
        n = np.int64(counts[i, k])
        if n > 0:
            s[0, HAND + k] = n
            s[0, KEYS + k // 9] += n * POWER[k]
            s[0, HELD] |= 1 << k
            if n == COPIES:
                s[0, FOURS] |= 1 << k
        if (s[GAME, GHOST_MASK] >> k) & 1:
            s[0, HAND + k] = ghosts


@kernel
def best_discards(s, r, t, counts, melds, ghosts, visible, out):
    """Write what `sim.shanten.best_discard` says of every row.

    Parameters
    ----------
    s, r, t
        A state whose mask of ghosts names one kind or none, a rule set and the tables.
    counts, melds, ghosts
        As for `needs`; rows of 14 tiles, less three a meld, at least one of them natural.
    visible
        uint8 (n, 34): tiles of each kind that everybody sees.
    out
        int64 (n, 3), written: kind, need after it, acceptance.
    """
    for i in range(len(out)):
        _sit(s, counts, i, np.int64(melds[i]), np.int64(ghosts[i]))
        for k in range(N_KINDS):
            s[VISIBLE, k] = visible[i, k]
        out[i, 0], out[i, 1], out[i, 2] = best_discard(s, r, t, 0, 0, s[0, HELD])


@kernel
def prices(s, r, counts, ghosts, win, out):
    """Write the points of one payer for every row won by self-draw, -1 where the rule set has no such win.

    Parameters
    ----------
    s, r
        As for `best_discards`.
    counts, ghosts
        As for `needs`; complete hands without melds, the winning tile included.
    win
        int64 (n,): kinds of the winning tiles.
    out
        int64 (n,), written.
    """
    for i in range(len(out)):
        _sit(s, counts, i, 0, np.int64(ghosts[i]))
        value(s, r, 0, win[i], ZIMO, _BY_ZIMO, 0)
        out[i] = s[POINTS, 0]
