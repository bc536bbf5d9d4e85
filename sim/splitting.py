"""How near a hand came to a rare pattern, and when: for multilevel splitting (`analysis.splitting`).

A hand's past is its wall's drawn places and what the bots made of them; its future lies in the places not drawn yet,
which nobody has seen. So a hand is split by shuffling these places anew and playing it again from the start: bots that
take no random numbers repeat the past and meet another future.
"""

from __future__ import annotations

from sim.flags import FLAG, R_N_TILES
from sim.game import play_hand
from sim.jit import kernel
from sim.patterns import DASANYUAN, DASIXI, JIULIAN, ORPHANS
from sim.rng import below
from sim.schema import CHI, DEAL, DISCARD, DRAW, DRAW_TAIL, GANG_EXPOSED, PENG
from sim.shanten import ORPHAN_MASK
from sim.state import COUNTED, GAME, N_TRACE, N_WINNERS, STREAM, WALL
from sim.tiles import N_KINDS

FAR = 99
_MELDED = 40  # column of the scratch: whether a seat has claimed a tile
_WINDS, _DRAGONS = 27, 31
_SPLIT_STREAM = 100  # of the numbers that shuffle; hands use 0 to 5


@kernel
def distance(counts, pattern):
    """Natural tiles that a seat lacks of a pattern; ``counts`` int64 (34 or more,) with melds."""
    if pattern in (ORPHANS, JIULIAN) and counts[_MELDED]:
        return FAR
    if pattern == ORPHANS:
        n = paired = 0
        for k in range(N_KINDS):
            if (ORPHAN_MASK >> k) & 1 and counts[k] > 0:
                n += 1
                if counts[k] > 1:
                    paired = 1
        return 14 - n - paired
    if pattern in (DASANYUAN, DASIXI):
        lacking = 0
        first, end = (_DRAGONS, N_KINDS) if pattern == DASANYUAN else (_WINDS, _DRAGONS)
        for k in range(first, end):
            lacking += max(3 - counts[k], 0)
        return lacking
    if pattern == JIULIAN:
        best = FAR
        for suit in range(3):
            lacking = 0
            for rank in range(9):
                lacking += max((3 if rank in (0, 8) else 1) - counts[9 * suit + rank], 0)
            best = min(best, lacking)
        return best
    # Four pungs and a pair of six kinds of terminals: one kind is left out, one is the pair.
    best = FAR
    for out in range(6):
        for pair in range(6):
            if pair == out:
                continue
            lacking = 0
            for i in range(6):
                if i != out:
                    lacking += max((2 if i == pair else 3) - counts[9 * (i // 2) + 8 * (i % 2)], 0)
            best = min(best, lacking)
    return best


@kernel
def approach(trace, n_moves, pattern, counts, nearest):
    """Follow a hand and note when it first came so near to a pattern, for each distance.

    Parameters
    ----------
    trace, n_moves
        The hand's moves.
    counts
        int64 (4, 41), scratch.
    nearest
        int64 (n, 2), written: for distance d the wall's first undrawn place and the number of undrawn ones when some
        seat first came to d or nearer; -1, -1 for never.
    """
    counts[:, :] = 0
    nearest[:, :] = -1
    head, left, last = 52, -1, -1
    low = FAR
    for i in range(n_moves):
        move, seat, kind = trace[i, 0], trace[i, 1], trace[i, 2]
        if move in (DRAW, DRAW_TAIL):
            if left < 0:  # before the first draw
                left = trace[i, 3] + 1
                for other in range(4):
                    low = min(low, distance(counts[other], pattern))
                for d in range(low, nearest.shape[0]):
                    nearest[d, 0], nearest[d, 1] = head, left
            head += 1 if move == DRAW else 0
            left = trace[i, 3]
        if move == DISCARD:
            last = kind
            if kind < N_KINDS:
                counts[seat, kind] -= 1
            continue
        gained = -1
        if move in (DEAL, DRAW, DRAW_TAIL):
            gained = kind
        elif move in (PENG, GANG_EXPOSED):
            gained = kind
            counts[seat, _MELDED] = 1
        elif move == CHI:
            gained = last
            counts[seat, _MELDED] = 1
        if gained < 0 or gained >= N_KINDS:
            continue
        counts[seat, gained] += 1
        if left >= 0:
            now = distance(counts[seat], pattern)
            for d in range(now, min(low, nearest.shape[0])):
                nearest[d, 0], nearest[d, 1] = head, left
            low = min(low, now)


@kernel
def has_won_with(s, pattern):
    """Whether some winner's counted patterns hold ``pattern``."""
    counted = 0
    for i in range(s[GAME, N_WINNERS]):
        counted |= s[COUNTED, i]
    return (counted >> pattern) & 1 == 1


@kernel
def play_split(s, r, t, walls, points, n, pattern, seed, number, trace, counts, nearest, won):
    """Play hands on given walls, their undrawn places shuffled anew, and note how near each comes.

    Parameters
    ----------
    s
        State whose row GAME says dealer, bots and ids for every hand; SEED, TABLE and HAND_NUMBER are those of bots.
    walls
        int64 (n, tiles), changed: the shuffled walls.
    points
        int64 (n, 2): first undrawn place and number of undrawn ones, as `approach` gives them.
    seed, number
        Of the shuffles: hand i uses the numbers (seed, number, i).
    nearest
        int64 (n, distances, 2), written by `approach`.
    won
        uint8 (n,), written: whether the hand was won with the pattern.

    Returns
    -------
    int
        1 when a bot took random numbers, so that its past would not repeat; else 0.
    """
    words = counts[4, :6]
    random = 0
    for i in range(n):
        words[:] = 0
        first, left = points[i, 0], points[i, 1]
        for place in range(left - 1):
            j = place + below(words, _SPLIT_STREAM, seed, number, i, left - place)
            a, b = walls[i, first + place], walls[i, first + j]
            walls[i, first + place], walls[i, first + j] = b, a
        for place in range(r[FLAG, R_N_TILES]):
            s[WALL, place] = walls[i, place]
        play_hand(s, r, t, trace)
        approach(trace, s[GAME, N_TRACE], pattern, counts[:4], nearest[i])
        won[i] = 1 if has_won_with(s, pattern) else 0
        for seat in range(4):
            if s[seat, STREAM] > 0:
                random = 1
    return random
