"""The best-scoring reading of a winning hand, ghosts included.

A *reading* is one way to see the tiles: the form, the sets and pair, and what each ghost stands for. All readings are
walked: the lowest natural tile must belong to some pung, pair or chow, which takes the natural tiles there are and
fills up with ghosts; sets of ghosts alone come last and try every kind of the deck.
"""

from __future__ import annotations

from sim.flags import COPIES, FLAG, FORM_ORPHANS, FORM_PAIRS, FORM_STANDARD, R_LUXURY_NATURAL
from sim.jit import kernel, lowest_bit
from sim.patterns import (
    DOUBLE_LUXURY,
    DRAGON_1,
    DRAGON_2,
    FOUR_GHOSTS,
    JIULIAN,
    LUXURY,
    ORPHANS,
    QINGYISE,
    QUANQIUREN,
    QUEMEN,
    ROUND_WIND,
    SEAT_WIND,
    SEVEN_PAIRS,
    TRIPLE_LUXURY,
)
from sim.schema import MELD_CHI, MELD_CONCEALED
from sim.scoring import price, set_patterns, tile_patterns
from sim.shanten import ORPHAN_MASK, allowed_forms, count_pairs, orphans_need, pairs_need
from sim.state import GHOSTS, HAND, HELD, MELD_KIND, MELD_TYPE, N_MELDS, WORK

_PUNG, _PAIR, _CHOW = 0, 1, 2
_LOOSE = (1 << QUEMEN) | (1 << SEAT_WIND) | (1 << ROUND_WIND) | (1 << DRAGON_1) | (1 << DRAGON_2)
_N_FILLS = 34 + 21 + 34  # pungs, chows, pairs made of ghosts alone

# Scratch rows of the state.
_TYPE, _KIND, _OPTION, _USED, _PLACE = WORK, WORK + 1, WORK + 2, WORK + 3, WORK + 4


@kernel
def best_reading(s, r, seat, win, events, way, seat_wind, round_wind):
    """Return (points, fan, counted) of the best reading of a seat's hand; points -1 when no reading wins.

    The winning tile ``win`` (a kind, -1 when it was a ghost) is in the concealed hand. ``events`` is the mask of
    patterns of scope event and state, ``way`` a bit of WAY_BITS, the winds are kinds.
    """
    points, fan, counted = -1, -1, 0
    forms, ghosts = allowed_forms(s, r, seat), s[seat, GHOSTS]
    if (events >> FOUR_GHOSTS) & 1:
        points, fan, counted = price(r, events | _loose_patterns(s, seat, seat_wind, round_wind), way)
    if forms & FORM_STANDARD:
        a, b, c = _standard(s, r, seat, win, events, way, seat_wind, round_wind)
        if a > points or (a == points and c < counted):
            points, fan, counted = a, b, c
    if s[seat, N_MELDS] == 0 and forms & (FORM_PAIRS | FORM_ORPHANS):
        n_pairs, n_singles, n_distinct, paired = count_pairs(s, seat)
        if forms & FORM_PAIRS and pairs_need(n_pairs, n_singles, ghosts) == 0:
            a, b, c = _seven_pairs(s, r, seat, (ghosts - n_singles) // 2, events, way)
            if a > points or (a == points and c < counted):
                points, fan, counted = a, b, c
        if forms & FORM_ORPHANS and orphans_need(n_distinct, paired, ghosts) == 0 and s[seat, HELD] & ~ORPHAN_MASK == 0:
            a, b, c = price(r, events | (1 << ORPHANS) | tile_patterns(ORPHAN_MASK), way)
            if a > points or (a == points and c < counted):
                points, fan, counted = a, b, c
    return points, fan, counted


@kernel
def _loose_patterns(s, seat, seat_wind, round_wind):
    """Return the patterns that a hand has without being complete: 缺一门, and those of its melded honours."""
    kinds, pungs = s[seat, HELD], 0
    for i in range(s[seat, N_MELDS]):
        if s[seat, MELD_TYPE + i] == MELD_CHI:
            kinds |= 7 << s[seat, MELD_KIND + i]
        else:
            pungs |= 1 << s[seat, MELD_KIND + i]
    return set_patterns(kinds | pungs, 1, 1, pungs, 0, seat_wind, round_wind) & _LOOSE


@kernel
def _seven_pairs(s, r, seat, n_free, events, way):
    """Best reading as seven pairs; ``n_free`` pairs are made of ghosts alone and try every kind of the deck."""
    held = s[seat, HELD]
    for i in range(n_free):
        s[_PLACE, i] = 0
    points, fan, counted = -1, -1, 0
    while True:
        kinds = held
        allowed = True
        for i in range(n_free):
            kinds |= 1 << s[_PLACE, i]
            if r[COPIES, s[_PLACE, i]] == 0:
                allowed = False
        if allowed:
            n_fours = 0
            rest = kinds
            while rest != 0:
                k = lowest_bit(rest)
                rest &= rest - 1
                n_tiles = s[seat, HAND + k] if (held >> k) & 1 else 0
                if not r[FLAG, R_LUXURY_NATURAL]:
                    n_tiles = (n_tiles + 1) // 2 * 2
                for i in range(n_free):
                    if s[_PLACE, i] == k and not r[FLAG, R_LUXURY_NATURAL]:
                        n_tiles += 2
                n_fours += n_tiles // 4
            found = events | tile_patterns(kinds) | (1 << SEVEN_PAIRS)
            if n_fours >= 1:
                found |= 1 << LUXURY
            if n_fours >= 2:
                found |= 1 << DOUBLE_LUXURY
            if n_fours >= 3:
                found |= 1 << TRIPLE_LUXURY
            a, b, c = price(r, found, way)
            if a > points or (a == points and c < counted):
                points, fan, counted = a, b, c
        # Next non-decreasing sequence of kinds.
        i = n_free - 1
        while i >= 0 and s[_PLACE, i] == 33:
            i -= 1
        if i < 0:
            break
        following = s[_PLACE, i] + 1
        for j in range(i, n_free):
            s[_PLACE, j] = following
    return points, fan, counted


@kernel
def _standard(s, r, seat, win, events, way, seat_wind, round_wind):
    """Best reading as four sets and a pair."""
    n_melds, ghosts = s[seat, N_MELDS], s[seat, GHOSTS]
    kinds = pungs = n_chows = n_pungs = 0
    exposed = True
    for i in range(n_melds):
        k = s[seat, MELD_KIND + i]
        if s[seat, MELD_TYPE + i] == MELD_CHI:
            n_chows += 1
            kinds |= 7 << k
        else:
            n_pungs += 1
            kinds |= 1 << k
            pungs |= 1 << k
            exposed = exposed and s[seat, MELD_TYPE + i] != MELD_CONCEALED
    if n_melds == 4 and exposed:
        events |= 1 << QUANQIUREN

    points, fan, counted = -1, -1, 0
    total = 5 - n_melds
    sets_left, pair_left, left = 4 - n_melds, 1, ghosts
    depth = 0
    rest = s[seat, HELD]
    s[_OPTION, 0] = 0
    while True:
        placed = False
        if depth < total:
            # Try the next option at this depth.
            k = lowest_bit(rest) if rest != 0 else -1
            last = 5 if k >= 0 else _N_FILLS
            while s[_OPTION, depth] < last and not placed:
                option = s[_OPTION, depth]
                s[_OPTION, depth] += 1
                if k >= 0:
                    kind_type = option if option < 2 else _CHOW
                    start = k if option <= 2 else k + 2 - option
                elif option < 34:
                    kind_type, start = _PUNG, option
                elif option < 55:
                    kind_type, start = _CHOW, (option - 34) // 7 * 9 + (option - 34) % 7
                else:
                    kind_type, start = _PAIR, option - 55
                if kind_type == _PAIR:
                    if pair_left == 0:
                        continue
                elif sets_left == 0:
                    continue
                if kind_type == _CHOW:
                    if (
                        k >= 27
                        or start < 0
                        or start % 9 > 6
                        or (k >= 0 and start // 9 != k // 9)
                        or r[COPIES, start] == 0
                    ):
                        continue
                    natural = 0
                    for j in range(3):
                        if (rest >> (start + j)) & 1:
                            natural |= 1 << j
                    cost = 3 - (natural & 1) - (natural >> 1 & 1) - (natural >> 2 & 1)
                    if cost > left:
                        continue
                    for j in range(3):
                        if (natural >> j) & 1:
                            s[seat, HAND + start + j] -= 1
                            if s[seat, HAND + start + j] == 0:
                                rest &= ~(1 << (start + j))
                else:
                    size = 3 if kind_type == _PUNG else 2
                    natural = min(s[seat, HAND + start], size) if k >= 0 else 0
                    cost = size - natural
                    if cost > left or r[COPIES, start] == 0:
                        continue
                    if natural > 0:
                        s[seat, HAND + start] -= natural
                        if s[seat, HAND + start] == 0:
                            rest &= ~(1 << start)
                s[_TYPE, depth], s[_KIND, depth], s[_USED, depth] = kind_type, start, natural
                left -= cost
                if kind_type == _PAIR:
                    pair_left = 0
                else:
                    sets_left -= 1
                placed = True
            if placed:
                depth += 1
                s[_OPTION, depth] = 0
                continue
        elif rest == 0:
            a, b, c = _leaf(s, r, total, kinds, n_chows, n_pungs, pungs, win, events, way, seat_wind, round_wind)
            if a > points or (a == points and c < counted):
                points, fan, counted = a, b, c
        # Take the last set back.
        if depth == 0:
            break
        depth -= 1
        start, natural = s[_KIND, depth], s[_USED, depth]
        if s[_TYPE, depth] == _CHOW:
            left += 3
            sets_left += 1
            for j in range(3):
                if (natural >> j) & 1:
                    left -= 1
                    s[seat, HAND + start + j] += 1
                    rest |= 1 << (start + j)
        else:
            if s[_TYPE, depth] == _PUNG:
                left += 3 - natural
                sets_left += 1
            else:
                left += 2 - natural
                pair_left = 1
            if natural > 0:
                s[seat, HAND + start] += natural
                rest |= 1 << start
    return points, fan, counted


@kernel
def _leaf(s, r, total, kinds, n_chows, n_pungs, pungs, win, events, way, seat_wind, round_wind):
    """Price one complete reading; the first arguments describe the melds, the scratch rows the rest."""
    pair = 0
    for i in range(total):
        k = s[_KIND, i]
        if s[_TYPE, i] == _CHOW:
            n_chows += 1
            kinds |= 7 << k
        elif s[_TYPE, i] == _PUNG:
            n_pungs += 1
            kinds |= 1 << k
            pungs |= 1 << k
        else:
            kinds |= 1 << k
            pair = k
    found = events | set_patterns(kinds, n_chows, n_pungs, pungs, pair, seat_wind, round_wind)
    if total == 5 and found & (1 << QINGYISE) and _nine_gates(s, win):
        found |= 1 << JIULIAN
    return price(r, found, way)


@kernel
def _nine_gates(s, win):
    """Whether the reading is 1112345678999 and the winning tile (``win``, -1 a ghost: any one)."""
    suit = s[_KIND, 0] // 9
    for r in range(9):
        s[_PLACE, r] = 0
    for i in range(5):
        r = s[_KIND, i] - 9 * suit
        if s[_TYPE, i] == _CHOW:
            for j in range(3):
                s[_PLACE, r + j] += 1
        else:
            s[_PLACE, r] += 3 if s[_TYPE, i] == _PUNG else 2
    extra = -1
    for r in range(9):
        over = s[_PLACE, r] - (3 if r in (0, 8) else 1)
        if over < 0:
            return False
        if over == 1:
            extra = r
    return win < 0 or win == 9 * suit + extra
