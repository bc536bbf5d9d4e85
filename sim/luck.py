"""How lucky each seat's draws were: for every draw, what it brought minus what it brings on average.

Given all hands and the open tiles, a draw is any unseen tile with equal chance, whatever the bots did before. So
f(drawn tile) minus the mean of f over the unseen tiles has mean zero for any function f of the situation, and sums of
such differences are exact control variates of a hand's points (the correction terms of AIVAT: Burch, Schmid, Moravcik
and Bowling 2018, arXiv 1612.06915). Here f says whether a tile lowers the drawer's need, by need and stage of the hand,
and what a self-draw with it pays a ready hand, by stage.

The hand is followed from its trace in a state of its own, so that play knows nothing of this.
"""

from __future__ import annotations

from sim.deal import reset
from sim.flags import (
    COPIES,
    DECK,
    FLAG,
    FORM_ORPHANS,
    FORM_PAIRS,
    FORM_STANDARD,
    R_FORMS,
    R_N_TILES,
    R_WAYS,
    WAY_BITS,
)
from sim.jit import kernel
from sim.patterns import P_ZIMO
from sim.schema import (
    CHI,
    DEAL,
    DISCARD,
    DRAW,
    DRAW_TAIL,
    FLOWER,
    GANG_ADDED,
    GANG_CONCEALED,
    GANG_EXPOSED,
    INDICATOR,
    MELD_ADDED,
    MELD_CHI,
    MELD_CONCEALED,
    MELD_EXPOSED,
    MELD_PENG,
    PENG,
    ZIMO,
)
from sim.shanten import ORPHAN_MASK, allowed_forms, count_pairs, need, orphans_need, pairs_need
from sim.state import (
    CHAIR,
    DEALER,
    GAME,
    GHOST_MASK,
    GHOSTS,
    HAND,
    KEYS,
    KONGS,
    MELD_KIND,
    MELD_TYPE,
    N_MELDS,
    NEED,
    POINTS,
    POWER,
    ROUND_WIND,
    WALL,
    add_meld,
    add_tile,
    is_ghost,
    take_tiles,
)
from sim.tables import class_of, pair_class, tiles_to_add, triple_class
from sim.tiles import N_FLOWERS, N_KINDS
from sim.winning import value

MAX_NEED = 7  # needs from here on count as one
N_STAGES = 5
STAGE_DRAWS = 12  # draws of all seats together in one stage
N_HELPFUL = MAX_NEED * N_STAGES
N_LUCK = N_HELPFUL + N_STAGES  # columns of a seat: helpful draws by need and stage, then worth of wins by stage

# Rows of the follower's state that have no other use there: counts of the unseen tiles, and for each seat what a
# self-draw of each kind pays it (-1 not known yet) while its thirteen tiles stay the same.
_UNSEEN, _WORTH = WALL, KONGS
_N_ALL_KINDS = N_KINDS + N_FLOWERS
_BY_ZIMO = WAY_BITS["zimo"]


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
        n_pairs, n_singles, n_distinct, paired = count_pairs(s, seat)
    mask = 0
    by_ghost = -1
    for k in range(N_KINDS):
        held = s[seat, HAND + k]
        if r[COPIES, k] == 0 or held == 4:
            continue
        if is_ghost(s, k):
            if by_ghost < 0:
                s[seat, GHOSTS] += 1
                by_ghost = 1 if need(s, r, t, seat, 0) < now else 0
                s[seat, GHOSTS] -= 1
            helps = by_ghost == 1
        else:
            helps = False
            if standard:
                suit = k // 9
                o = o0 if suit == 0 else o1 if suit == 1 else o2 if suit == 2 else o3
                helps = tiles_to_add(t, sets, class_of(t, v, suit, s[seat, KEYS + suit] + POWER[k]), o) - ghosts < now
            if pairs and not helps:
                helps = held & 1 == 1 and pairs_need(n_pairs + 1, n_singles - 1, ghosts) < now
                helps = helps or (held & 1 == 0 and pairs_need(n_pairs, n_singles + 1, ghosts) < now)
            if orphans and not helps and (ORPHAN_MASK >> k) & 1:
                new = 1 if held == 0 else 0
                helps = orphans_need(n_distinct + new, 1 if held > 0 else paired, ghosts) < now
        if helps:
            mask |= 1 << k
    return mask


@kernel
def _worth(s, r, seat, kind):
    """Return what each of three pays for a self-draw of ``kind`` by a ready seat, 0 when it may not win on it."""
    if s[_WORTH + seat, kind] < 0:
        add_tile(s, seat, kind)
        wins = value(s, r, seat, kind, ZIMO, 1 << P_ZIMO, 0)
        take_tiles(s, seat, kind, 1)
        s[_WORTH + seat, kind] = s[POINTS, 0] if wins else 0
    return s[_WORTH + seat, kind]


@kernel
def _count_draw(s, r, t, seat, kind, n_unseen, n_drawn, luck):
    """Add one draw to the seat's columns; the tile is still unseen."""
    now = max(s[seat, NEED], 1)
    stage = min(n_drawn // STAGE_DRAWS, N_STAGES - 1)
    mask = helpful(s, r, t, seat)
    n_helpful = 0
    mean = 0.0
    is_ready = now == 1 and r[FLAG, R_WAYS] & _BY_ZIMO != 0
    for k in range(N_KINDS):
        if (mask >> k) & 1 and s[_UNSEEN, k] > 0:
            n_helpful += s[_UNSEEN, k]
            if is_ready:
                mean += s[_UNSEEN, k] * _worth(s, r, seat, k)
    drawn_helps = kind < N_KINDS and (mask >> kind) & 1 == 1
    luck[seat, (min(now, MAX_NEED) - 1) * N_STAGES + stage] += (1.0 if drawn_helps else 0.0) - n_helpful / n_unseen
    if is_ready:
        own = _worth(s, r, seat, kind) if drawn_helps else 0
        luck[seat, N_HELPFUL + stage] += own - mean / n_unseen


@kernel
def _changed(s, r, t, seat):
    """Note that a seat's tiles between turns are others than before."""
    s[seat, NEED] = need(s, r, t, seat, 0)
    s[_WORTH + seat, :N_KINDS] = -1


@kernel
def _claim(s, seat, move, kind, last, feeder):
    """Take a claimed tile's companions out of the hand and lay the meld."""
    if move == CHI:
        for k in range(kind, kind + 3):
            if k != last:
                take_tiles(s, seat, k, 1)
        add_meld(s, seat, MELD_CHI, kind, feeder)
    elif move == PENG:
        take_tiles(s, seat, kind, 2)
        add_meld(s, seat, MELD_PENG, kind, feeder)
    elif move == GANG_EXPOSED:
        take_tiles(s, seat, kind, 3)
        add_meld(s, seat, MELD_EXPOSED, kind, feeder)
    elif move == GANG_CONCEALED:
        take_tiles(s, seat, kind, 4)
        add_meld(s, seat, MELD_CONCEALED, kind, -1)
    else:
        take_tiles(s, seat, kind, 1)
        for i in range(s[seat, N_MELDS]):
            if s[seat, MELD_KIND + i] == kind and s[seat, MELD_TYPE + i] == MELD_PENG:
                s[seat, MELD_TYPE + i] = MELD_ADDED


@kernel
def count_luck(s, played, r, t, trace, n_moves, luck):
    """Follow a played hand and write the luck of its draws.

    Parameters
    ----------
    s
        State to follow in, not the played one; its contents do not matter.
    played
        State after the hand, of which ghosts, dealer and winds are taken.
    trace, n_moves
        int64 (n, 4): the hand's moves.
    luck
        float64 (4, N_LUCK), written: columns of each seat.
    """
    reset(s)
    for name in (GHOST_MASK, DEALER, CHAIR, ROUND_WIND):
        s[GAME, name] = played[GAME, name]
    s[_UNSEEN, :_N_ALL_KINDS] = 0
    n_unseen, n_drawn, last = r[FLAG, R_N_TILES], 0, -1
    for i in range(n_unseen):
        s[_UNSEEN, r[DECK, i]] += 1
    for seat in range(4):
        luck[seat, :] = 0.0
    is_dealt = False
    n_head = 0
    drawn = -1
    for i in range(n_moves):
        move, seat, kind = trace[i, 0], trace[i, 1], trace[i, 2]
        if move in (DRAW, DRAW_TAIL):
            if not is_dealt:
                for other in range(4):
                    _changed(s, r, t, other)
                is_dealt = True
            _count_draw(s, r, t, seat, kind, n_unseen, n_drawn, luck)
            n_drawn += 1
            drawn = kind
            n_head += 1 if move == DRAW else 0
        if move in (DEAL, INDICATOR, DRAW, DRAW_TAIL):
            s[_UNSEEN, kind] -= 1
            n_unseen -= 1
            if move != INDICATOR and kind < N_KINDS:
                add_tile(s, seat, kind)
            if move == DRAW_TAIL and n_head == 0:  # in place of a flower that was dealt
                _changed(s, r, t, seat)
        elif move == FLOWER and seat < 0:  # turned in search of an indicator
            s[_UNSEEN, kind] -= 1
            n_unseen -= 1
        elif move == DISCARD:
            take_tiles(s, seat, kind, 1)
            last = kind
            if kind != drawn:
                _changed(s, r, t, seat)
            drawn = -1
        elif move in (CHI, PENG, GANG_EXPOSED, GANG_CONCEALED, GANG_ADDED):
            _claim(s, seat, move, kind, last, trace[i, 3])
            if move in (GANG_EXPOSED, GANG_CONCEALED, GANG_ADDED):
                _changed(s, r, t, seat)
            drawn = -1
