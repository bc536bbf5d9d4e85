"""User bots: what a bot from outside the project is shown of the table, and whether its answer is legal.

A user bot never gets the state itself: `show` copies what its seat may see into rows of its own, so that it can
neither peek nor spoil anything. `accept` checks what it answers. Both are for user bots alone; the project's own bots
are asked without.
"""

from __future__ import annotations

import numpy as np

from sim.flags import COPIES, FLAG, R_STANDING
from sim.jit import kernel, lowest_bit
from sim.policy.moves import ASK_CLAIM, ASK_TURN, ASK_WIN, move
from sim.rng import STREAM_WORDS, philox
from sim.schema import (
    CHI,
    DECLARE,
    DISCARD,
    GANG_ADDED,
    GANG_CONCEALED,
    GANG_EXPOSED,
    HU,
    PASS,
    PENG,
    STREAM_USER,
)
from sim.shanten import best_discard, need
from sim.state import (
    CALLS,
    CHAIR,
    DEALER,
    DECLARED,
    DECLARES,
    DECLARING,
    DISCARDS,
    DRAWS,
    FOLLOW_KIND,
    FOLLOWED,
    FOURS,
    GAME,
    GHOST_MASK,
    HAND_NUMBER,
    HEAD,
    HELD,
    HELD_BACK,
    KEPT,
    KONG_FEEDER,
    KONGS,
    MELD_TYPE,
    N_ADDED,
    N_CONCEALED,
    N_EXPOSED,
    N_FED,
    N_FLOWERS,
    N_KONGS,
    N_MELDS,
    N_SEAT_COLUMNS,
    ORIGIN,
    PAY_KONG,
    PUNGS,
    REPEAT,
    RIVER,
    ROUND_WIND,
    SAFE,
    SEATED,
    SEED,
    STANDING,
    STREAM,
    TABLE,
    TAIL,
    TURNS,
    TWELVE_FEEDER,
    TWELVE_USED,
    UNTOUCHED,
    VISIBLE,
    add_tile,
    is_ghost,
    live,
    take_tiles,
)

# Columns of a seat's row that everybody knows, beside its melds.
_OPEN = (
    N_MELDS, CALLS, DRAWS, DISCARDS, PUNGS, TWELVE_FEEDER, N_EXPOSED, N_ADDED, N_CONCEALED, N_FED, N_FLOWERS, DECLARED,
    SAFE, KEPT,
)  # fmt: skip
_OPEN_GAME = (
    HEAD, TAIL, DEALER, ROUND_WIND, ORIGIN, CHAIR, GHOST_MASK, UNTOUCHED, KONG_FEEDER, TWELVE_USED, TURNS, REPEAT,
    FOLLOWED, N_KONGS, HELD_BACK,
)  # fmt: skip

# Columns of the row of faults: what was asked and answered when a bot first went wrong.
(
    FAULT,  # 1: it answered what is not legal, 2: it raised an exception
    F_BOT,  # address of its entry
    F_SEAT,
    F_TABLE,
    F_HAND,
    F_QUESTION,
    F_KIND,
    F_OPTIONS,
    F_CAN,
    F_FOURS,
    F_ADDED,
    F_DECLARES,
    F_ANSWER,
) = range(13)
RAISED = -2  # answer of a bot that raised an exception


@kernel
def show(s, r, seen, seat):
    """Copy what ``seat`` may see into ``seen``, int64 (N_ROWS, N_COLUMNS), in the places of the state.

    Empty are the wall, other seats' concealed tiles and all that follows from them. Seed, table and hand are replaced
    by a seed of the seat's own, since the wall follows from them; random numbers (`random_bot.pick`) work as ever.
    """
    seen[:, :] = 0
    for column in range(N_SEAT_COLUMNS):
        seen[seat, column] = s[seat, column]
    for k in range(34):
        if r[FLAG, R_STANDING]:
            seen[seat, STANDING + k] = s[seat, STANDING + k]
        seen[VISIBLE, k] = s[VISIBLE, k]
        for row in range(RIVER, RIVER + 4):
            seen[row, k] = s[row, k]
    for other in range(4):
        if other != seat:
            for column in range(MELD_TYPE, STREAM):
                seen[other, column] = s[other, column]
            for column in _OPEN:
                seen[other, column] = s[other, column]
        seen[PAY_KONG, other] = s[PAY_KONG, other]
        for payer in range(4):
            seen[KONGS + other, payer] = s[KONGS + other, payer]
    for column in _OPEN_GAME:
        seen[GAME, column] = s[GAME, column]
    seen[GAME, FOLLOW_KIND] = s[GAME, FOLLOW_KIND] if s[GAME, FOLLOWED] > 0 else -1
    word = philox(
        np.uint64(s[GAME, SEED]), np.uint64(STREAM_USER + seat), np.uint64(1), np.uint64(s[GAME, HAND_NUMBER]),
        np.uint64(s[GAME, TABLE]),
    )[0]  # fmt: skip
    seen[GAME, SEED] = np.int64(word >> np.uint64(1))


@kernel
def added_kongs(s, seat):
    """Mask of the kinds of which a seat can make an added kong."""
    return s[seat, PUNGS] & s[seat, HELD]


@kernel
def _has(mask, kind):
    return (mask >> kind) & 1 == 1


@kernel
def is_legal(s, seat, question, options, can, code, kind):
    """Whether a move answers a question; ``options`` and ``can`` as `accept` takes them."""
    if question == ASK_TURN:
        if code == HU:
            return can & 1 == 1
        if code == GANG_CONCEALED:
            return can & 2 == 2 and _has(s[seat, FOURS], kind)
        if code == GANG_ADDED:
            return can & 2 == 2 and _has(added_kongs(s, seat), kind)
        if code == DECLARE:
            return _has(s[seat, DECLARES], kind)
        return code == DISCARD and _has(options, kind)
    if code == PASS:
        return True
    if question == ASK_WIN:
        return code == HU
    if question == ASK_CLAIM:
        return (code == PENG and can & 1 == 1) or (code == GANG_EXPOSED and can & 2 == 2)
    return code == CHI and _has(options, kind)


@kernel
def first_legal(question, options):
    """Return what is played in place of an answer that cannot be."""
    return move(DISCARD, lowest_bit(options)) if question == ASK_TURN else move(PASS, 0)


@kernel
def accept(s, seen, fault, seat, question, kind, options, can, answer):
    """Return the answer of a user bot, if it is legal; else note what was wrong and return one that is.

    Parameters
    ----------
    seen, fault
        What the bot was shown, whose stream of random numbers is taken over; row of faults, int64 (N_COLUMNS,).
    kind, options, can
        By question. ASK_TURN: -1, mask of discards, 1 hu + 2 kongs. ASK_WIN: the tile, 0, way of winning. ASK_CLAIM:
        the tile, 0, 1 peng + 2 direct kong. ASK_CHI: the tile, mask of lowest kinds, 0.
    """
    for i in range(STREAM, STREAM + STREAM_WORDS):
        s[seat, i] = seen[seat, i]
    s[GAME, DECLARING] = 0
    code, k = answer // 64, answer % 64
    if answer >= 0 and is_legal(s, seat, question, options, can, code, k):
        if code == DECLARE:
            s[GAME, DECLARING] = 1
            return move(DISCARD, k)
        return answer
    fault[FAULT] = 2 if answer == RAISED else 1
    fault[F_BOT], fault[F_SEAT], fault[F_TABLE], fault[F_HAND] = (
        s[GAME, SEATED + seat] >> 8,
        seat,
        s[GAME, TABLE],
        s[GAME, HAND_NUMBER],
    )
    fault[F_QUESTION], fault[F_KIND], fault[F_OPTIONS], fault[F_CAN] = question, kind, options, can
    fault[F_FOURS], fault[F_ADDED] = s[seat, FOURS], added_kongs(s, seat)
    fault[F_DECLARES], fault[F_ANSWER] = s[seat, DECLARES], answer
    return first_legal(question, options)


@kernel
def acceptance(s, r, t, seat, extra_melds):
    """Live copies of the natural kinds that lower the need of a hand between turns."""
    now, total = need(s, r, t, seat, extra_melds), 0
    for k in range(34):
        left = live(s, r, seat, k)
        if r[COPIES, k] == 0 or left <= 0 or is_ghost(s, k):
            continue
        add_tile(s, seat, k)
        if need(s, r, t, seat, extra_melds) < now:
            total += left
        take_tiles(s, seat, k, 1)
    return total


@kernel
def after(s, r, t, seat, code, kind, low):
    """Return (need, acceptance) of a seat's hand after a discard, kong, pung or chi; a claim's best discard is made.

    ``s`` is what the seat was shown, and is left as it was. ``kind`` is the tile moved, ``low`` the lowest of a chi.
    """
    fours = s[seat, FOURS]
    if code in (DISCARD, DECLARE):
        take_tiles(s, seat, kind, 1)
        s[VISIBLE, kind] += 1
        best, total = need(s, r, t, seat, 0), acceptance(s, r, t, seat, 0)
        s[VISIBLE, kind] -= 1
        add_tile(s, seat, kind)
    elif code == CHI:
        for k in range(low, low + 3):
            if k != kind:
                take_tiles(s, seat, k, 1)
                s[VISIBLE, k] += 1
        _, best, total = best_discard(s, r, t, seat, 1, s[seat, HELD])
        for k in range(low, low + 3):
            if k != kind:
                add_tile(s, seat, k)
                s[VISIBLE, k] -= 1
    else:
        n = 2 if code == PENG else 3 if code == GANG_EXPOSED else 4 if code == GANG_CONCEALED else 1
        take_tiles(s, seat, kind, n)
        s[VISIBLE, kind] += n
        extra = 0 if code == GANG_ADDED else 1
        if code == PENG:
            _, best, total = best_discard(s, r, t, seat, 1, s[seat, HELD])
        else:
            best, total = need(s, r, t, seat, extra), acceptance(s, r, t, seat, extra)
        s[VISIBLE, kind] -= n
        for _ in range(n):
            add_tile(s, seat, kind)
    s[seat, FOURS] = fours  # a ghost's mark as well
    return best, total
