"""How lucky each seat's draws were: for every draw, what it brought minus what it brings on average.

Given all hands and the open tiles, a draw is any unseen tile with equal chance, whatever the bots did before. So
f(drawn tile) minus the mean of f over the unseen tiles has mean zero for any function f of the situation, and sums of
such differences are exact control variates of a hand's points (the correction terms of AIVAT: Burch, Schmid, Moravcik
and Bowling 2018, arXiv 1612.06915). Here f says

* whether a tile lowers the drawer's need, by that and the others' needs, and whether it lowers another seat's that
  could claim it, where the drawer has no use for it;
* what a self-draw with it pays a ready drawer (after a kong apart, for who fed the kong may pay alone), what a discard
  of it would pay another ready seat, where the drawer has no use for it, and what robbing the kong that it makes would;
* what others lose when a draw ends the hand or brings somebody on: the *prospects* of ready seats, the worth of their
  live waits times the chance to be the first, and of those with one tile to go until then, their chance to draw it.

The hand is followed from its trace in a state of its own, so that play knows nothing of this.
"""

from __future__ import annotations

from sim.deal import reset
from sim.flags import DECK, FLAG, R_CHI, R_N_TILES, R_ROB_IS_ZIMO, R_ROB_KONGS, R_WAYS, ROB_ADDED, WAY_BITS
from sim.helpful import helpful, inside_runs
from sim.jit import kernel, lowest_bit
from sim.patterns import GANGKAI, P_DIANPAO, P_QIANGGANG, P_ZIMO
from sim.schema import (
    CHI,
    DEAL,
    DIANPAO,
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
    QIANGGANG,
    ZIMO,
)
from sim.shanten import need
from sim.state import (
    CHAIR,
    DEALER,
    GAME,
    GHOST_MASK,
    HAND,
    HELD,
    KONGS,
    MELD_KIND,
    MELD_TYPE,
    N_MELDS,
    NEED,
    PAY_HAND,
    PAY_HORSE,
    PAY_KONG,
    POINTS,
    RIVER,
    ROUND_WIND,
    WALL,
    add_meld,
    add_tile,
    take_tiles,
)
from sim.tiles import N_FLOWERS, N_KINDS
from sim.winning import value

# Draws and claims of seats with greater needs are left out, and others' needs from here on count as one. With 4 the
# variance is 1 to 2 % less, the cost 4 % more.
MAX_NEED = 2
USEFUL_NEED = 4  # up to here it is looked at whether the drawer has a use for a tile that another seat could take
# Columns of a seat: helpful draws by need, times their chance; what its self-draws and others' feeding pay it; what it
# feeds; others' helpful draws by both needs; prospects lost, those of a ready seat and those with one tile to go: to
# its own self-draw, to another's helpful draw by need, and to a fed win as the winner, the feeder, one of the others;
# what it could claim, and times its chance; what robbing pays it, and costs it; self-draws after a kong, and the same
# after a kong that it fed.
_CHANCE_AT = 0
_ZIMO_AT = _CHANCE_AT + MAX_NEED
_WON_AT = _ZIMO_AT + 1
_FED_AT = _WON_AT + 1
_RACE_AT = _FED_AT + 1
_LOST_AT = _RACE_AT + MAX_NEED**2
_NEAR_AT = _LOST_AT + 1 + MAX_NEED + 3
_FED_WIN = 1 + MAX_NEED  # among the columns of lost prospects
_CLAIM_AT = _NEAR_AT + 1 + MAX_NEED + 3
ROB_AT = _CLAIM_AT + 2
KONG_AT = ROB_AT + 2
N_LUCK = KONG_AT + 2
# Chance of a draw to be won on by a seat that is not ready yet, against which prospects are weighed. With 0.02 or 0.08
# of the unseen tiles the variance is the same to 2 %.
_OTHERS = 0.08

# Rows of the follower's state that have no other use there: counts of the unseen tiles; for each seat what a self-draw
# and a discard of each kind pays it (-1 not known yet) while its thirteen tiles stay the same; the mask of kinds that
# help it (-1 not known yet); of ready seats the worth of the live waits, of those with one tile to go until then the
# number of tiles that help, each added up.
_UNSEEN, _BY_DRAW, _BY_DISCARD, _HELPS, _WAITS, _NEAR = WALL, KONGS, RIVER, PAY_HAND, PAY_HORSE, PAY_KONG
_N_ALL_KINDS = N_KINDS + N_FLOWERS
_DRAWS_WIN, _DISCARDS_WIN = WAY_BITS["zimo"], WAY_BITS["dianpao"]


@kernel
def _price(s, r, seat, kind, source, events):
    """Return one payer's points when a ready seat wins on ``kind``, 0 when it may not."""
    add_tile(s, seat, kind)
    wins = value(s, r, seat, kind, source, events, 0)
    take_tiles(s, seat, kind, 1)
    return s[POINTS, 0] if wins else 0


@kernel
def _worth(s, r, seat, kind, source):
    """Return the same for a plain self-draw or discard, worked out once for a hand."""
    row = (_BY_DRAW if source == ZIMO else _BY_DISCARD) + seat
    if s[row, kind] < 0:
        s[row, kind] = _price(s, r, seat, kind, source, 1 << (P_ZIMO if source == ZIMO else P_DIANPAO))
    return s[row, kind]


@kernel
def _count_waits(s, r, seat):
    """Write the worth of a ready seat's live waits, added up over the tiles; return their number."""
    n = s[_WAITS, seat] = 0
    source = ZIMO if r[FLAG, R_WAYS] & _DRAWS_WIN else DIANPAO
    rest = s[_HELPS, seat]
    while rest != 0:
        k = lowest_bit(rest)
        rest &= rest - 1
        if s[_UNSEEN, k] > 0:
            n += s[_UNSEEN, k]
            s[_WAITS, seat] += s[_UNSEEN, k] * _worth(s, r, seat, k, source)
    return n


@kernel
def _count_live(s, kinds):
    """Unseen tiles of a mask of kinds."""
    n = 0
    while kinds != 0:
        n += s[_UNSEEN, lowest_bit(kinds)]
        kinds &= kinds - 1
    return n


@kernel
def _lose(s, seat, column, surprise, n_unseen, race, luck):
    """Add what an event costs the prospects of a seat."""
    if s[seat, NEED] <= 1:
        luck[seat, _LOST_AT + column] += surprise * s[_WAITS, seat] / race
    elif s[seat, NEED] == 2:
        luck[seat, _NEAR_AT + column] += surprise * s[_NEAR, seat] / n_unseen


@kernel
def _count_after_kong(s, r, seat, feeder, kind, n_unseen, luck):
    """Add what the tile drawn after a kong pays a ready drawer, and costs who fed that kong."""
    paid = total = 0
    rest = s[_HELPS, seat]
    while rest != 0:
        k = lowest_bit(rest)
        rest &= rest - 1
        if s[_UNSEEN, k] > 0:
            worth = _price(s, r, seat, k, ZIMO, 1 << P_ZIMO | 1 << GANGKAI)
            total += s[_UNSEEN, k] * worth
            paid += worth if k == kind else 0
    luck[seat, KONG_AT] += paid - total / n_unseen
    if feeder >= 0:
        luck[feeder, KONG_AT + 1] += paid - total / n_unseen


@kernel
def _count_helpful(s, r, seat, kind, n_unseen, after_kong, feeder, race, luck):
    """Add what the drawn tile does for the drawer, and so to the others."""
    now = max(s[seat, NEED], 1)
    helps = kind < N_KINDS and (s[_HELPS, seat] >> kind) & 1 == 1
    chance = _count_live(s, s[_HELPS, seat]) / n_unseen
    surprise = (1.0 if helps else 0.0) - chance
    luck[seat, _CHANCE_AT + now - 1] += surprise * chance
    if now == 1:
        if r[FLAG, R_WAYS] & _DRAWS_WIN:
            if after_kong:
                _count_after_kong(s, r, seat, feeder, kind, n_unseen, luck)
            else:
                paid = _worth(s, r, seat, kind, ZIMO) if helps else 0
                luck[seat, _ZIMO_AT] += paid - s[_WAITS, seat] / n_unseen
        _lose(s, seat, 0, surprise, n_unseen, race, luck)
    for j in range(1, 4):
        other = (seat + j) % 4
        need_there = min(max(s[other, NEED], 1), MAX_NEED)
        luck[other, _RACE_AT + (now - 1) * MAX_NEED + need_there - 1] += surprise
        _lose(s, other, now, surprise, n_unseen, race, luck)


@kernel
def _for_others(s, seat, other):
    """Mask of the kinds that help another seat and, as far as is known, not the drawer."""
    kinds = s[_HELPS, other] & ~s[GAME, GHOST_MASK]
    return kinds & ~s[_HELPS, seat] if s[_HELPS, seat] >= 0 else kinds


@kernel
def _melded_pungs(s, seat):
    """Mask of the kinds of a seat's pungs."""
    kinds = 0
    for i in range(s[seat, N_MELDS]):
        if s[seat, MELD_TYPE + i] == MELD_PENG:
            kinds |= 1 << s[seat, MELD_KIND + i]
    return kinds


@kernel
def _count_fed(s, r, seat, other, kinds, kind, n_unseen, race, luck):
    """Add what the drawn tile would pay ``other``, who waits for ``kinds`` that the drawer has no use for."""
    hit, n, paid, total = 0, 0, 0, 0
    while kinds != 0:
        k = lowest_bit(kinds)
        kinds &= kinds - 1
        if s[_UNSEEN, k] > 0:
            worth = _worth(s, r, other, k, DIANPAO)
            total += worth * s[_UNSEEN, k]
            n += s[_UNSEEN, k] if worth > 0 else 0
            if k == kind and worth > 0:
                hit, paid = 1, worth
    luck[other, _WON_AT] += paid - total / n_unseen
    luck[seat, _FED_AT] += paid - total / n_unseen
    for j in range(4):
        place = 0 if j == other else 1 if j == seat else 2
        _lose(s, j, _FED_WIN + place, hit - n / n_unseen, n_unseen, race, luck)


@kernel
def _count_robbed(s, r, seat, other, kinds, kind, n_unseen, luck):
    """Add what ``other`` would be paid for robbing the kong that the drawn tile adds to one of the pungs ``kinds``."""
    paid = total = 0
    events = 1 << P_QIANGGANG | (1 << P_ZIMO if r[FLAG, R_ROB_IS_ZIMO] else 0)
    while kinds != 0:
        k = lowest_bit(kinds)
        kinds &= kinds - 1
        if s[_UNSEEN, k] > 0:
            worth = _price(s, r, other, k, QIANGGANG, events)
            total += worth * s[_UNSEEN, k]
            paid += worth if k == kind else 0
    luck[other, ROB_AT] += paid - total / n_unseen
    luck[seat, ROB_AT + 1] += paid - total / n_unseen


@kernel
def _count_claim(s, r, seat, other, kinds, kind, n_unseen, luck):
    """Add what the drawn tile brings ``other``, whom ``kinds`` help that the drawer has no use for, if it can claim."""
    hit, n, runs = 0, 0, 0
    if r[FLAG, R_CHI] and other == (seat + 1) % 4:
        runs = inside_runs(s[other, HELD])
    while kinds != 0:
        k = lowest_bit(kinds)
        kinds &= kinds - 1
        if s[other, HAND + k] >= 2 or (runs >> k) & 1:
            n += s[_UNSEEN, k]
            hit |= k == kind
    surprise = hit - n / n_unseen
    luck[other, _CLAIM_AT] += surprise
    luck[other, _CLAIM_AT + 1] += surprise * n / n_unseen


@kernel
def _count_for_others(s, r, seat, kind, n_unseen, race, luck):
    """Add what the drawn tile may bring the others, who could take it."""
    pungs = _melded_pungs(s, seat) if r[FLAG, R_ROB_KONGS] & ROB_ADDED else 0
    for j in range(1, 4):
        other = (seat + j) % 4
        if s[other, NEED] > MAX_NEED:
            continue
        kinds = _for_others(s, seat, other)
        if s[other, NEED] == 2:
            _count_claim(s, r, seat, other, kinds, kind, n_unseen, luck)
            continue
        if kinds & pungs:
            _count_robbed(s, r, seat, other, kinds & pungs, kind, n_unseen, luck)
        if r[FLAG, R_WAYS] & _DISCARDS_WIN:
            _count_fed(s, r, seat, other, kinds & ~pungs, kind, n_unseen, race, luck)


@kernel
def _count_draw(s, r, t, seat, kind, n_unseen, after_kong, feeder, luck):
    """Add one draw to the seats' columns; the tile is still unseen."""
    n_live, least = 0, MAX_NEED + 1
    for j in range(4):
        now = s[j, NEED]
        least = min(least, now)
        if now <= MAX_NEED and s[_HELPS, j] < 0:
            s[_HELPS, j] = helpful(s, r, t, j)
        s[_WAITS, j] = s[_NEAR, j] = 0
        if now <= 1:
            n_live += _count_waits(s, r, j)
        elif now == 2:
            s[_NEAR, j] = _count_live(s, s[_HELPS, j])
    if least > MAX_NEED:
        return
    race = n_live + _OTHERS * n_unseen
    if s[seat, NEED] <= MAX_NEED:
        _count_helpful(s, r, seat, kind, n_unseen, after_kong, feeder, race, luck)
    elif s[seat, NEED] <= USEFUL_NEED and s[_HELPS, seat] < 0:
        s[_HELPS, seat] = helpful(s, r, t, seat)
    _count_for_others(s, r, seat, kind, n_unseen, race, luck)


@kernel
def _changed(s, r, t, seat):
    """Note that a seat's tiles between turns are others than before."""
    s[seat, NEED] = need(s, r, t, seat, 0)
    s[_HELPS, seat] = -1
    if s[seat, NEED] <= 1:
        s[_BY_DRAW + seat, :N_KINDS] = -1
        s[_BY_DISCARD + seat, :N_KINDS] = -1


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
    n_unseen, last = r[FLAG, R_N_TILES], -1
    after_kong, feeder = False, -1
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
            _count_draw(s, r, t, seat, kind, n_unseen, after_kong, feeder, luck)
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
            after_kong = False
            take_tiles(s, seat, kind, 1)
            last = kind
            if kind != drawn:
                _changed(s, r, t, seat)
            drawn = -1
        elif move in (CHI, PENG, GANG_EXPOSED, GANG_CONCEALED, GANG_ADDED):
            _claim(s, seat, move, kind, last, trace[i, 3])
            if move in (GANG_EXPOSED, GANG_CONCEALED, GANG_ADDED):
                after_kong, feeder = True, trace[i, 3] if move == GANG_EXPOSED else -1
                _changed(s, r, t, seat)
            drawn = -1
