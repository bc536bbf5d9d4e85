"""``oracle`` and ``search``: bounds, not players. Every answer is played out to the hand's end; the best one is given.

``oracle`` plays out the true wall and hands (cheating, by name). ``search`` plays out sampled ones: the tiles that its
seat does not see are dealt anew each time, to the others' hands and the wall. In playouts each seat
is a ``value`` bot; only for ``oracle`` the other seats stay the bots that they are.

A playout begins with a copy of the state at the start of the turn (`sim.game.play_on` keeps one). The moves since then
are known and repeated by script: the mover's own, then passes, then the answer that is tried.
"""

from __future__ import annotations

from sim.flags import FLAG, R_N_TILES, R_RESERVED, R_STANDING, VALUE_WEIGHTS
from sim.jit import call_entry, kernel, lowest_bit
from sim.policy import BASE, ORACLE, VALUE
from sim.policy.moves import ASK_CHI, ASK_CLAIM, ASK_TURN, move
from sim.policy.random_bot import pick
from sim.schema import CHI, DISCARD, GANG_ADDED, GANG_CONCEALED, GANG_EXPOSED, HU, PASS, PENG
from sim.shanten import need
from sim.state import (
    CHOICES,
    FOURS,
    GAME,
    GHOSTS,
    HAND,
    HEAD,
    HELD,
    KEYS,
    LAST_MOVE,
    LOG_ENTRY,
    LOOKS,
    N_COLUMNS,
    N_ROWS,
    NEED,
    PAY_HAND,
    PAY_HORSE,
    PAY_KONG,
    PLAY_ENTRY,
    PUNGS,
    SCORES,
    SCRIPT_ANSWER,
    SCRIPT_MOVE,
    SCRIPT_QUESTION,
    SCRIPT_SEAT,
    SCRIPTED,
    SEATED,
    STANDING,
    SUMS,
    TAIL,
    TURN_SEAT,
    VALUE_ENTRY,
    WALL,
    add_tile,
)
from sim.tiles import N_FLOWERS, N_KINDS

# Blocks of rows after the state: at the turn's start, the world being played out, the world that answers share.
START, WORLD, SAMPLE = N_ROWS, 2 * N_ROWS, 3 * N_ROWS
N_BLOCKS = 4
N_DISCARDS = 4  # discards that ``search`` tries
N_WORLDS, N_SCREENED = 64, 16  # worlds it plays; worlds after which an answer that is behind is dropped
Z = 2.0


@kernel
def copy_block(s, origin, target):
    """Copy one block of rows to another."""
    for i in range(N_ROWS):
        for j in range(N_COLUMNS):
            s[target + i, j] = s[origin + i, j]


@kernel
def _list_answers(s, seat, question, kind, options):
    """Write all legal answers into row CHOICES; return their number. Arguments as in `sim.policy.value.answer`."""
    n = 0
    if question == ASK_TURN:
        if kind & 1:
            s[CHOICES, n] = move(HU, 0)
            n += 1
        fours, added = (s[seat, FOURS], s[seat, PUNGS] & s[seat, HELD]) if kind & 2 else (0, 0)
        for code, rest in ((GANG_CONCEALED, fours), (GANG_ADDED, added), (DISCARD, options)):
            while rest != 0:
                s[CHOICES, n] = move(code, lowest_bit(rest))
                rest &= rest - 1
                n += 1
        return n
    s[CHOICES, n] = move(PASS, 0)
    n += 1
    if question == ASK_CLAIM:
        if options & 1:
            s[CHOICES, n] = move(PENG, kind)
            n += 1
        if options & 2:
            s[CHOICES, n] = move(GANG_EXPOSED, kind)
            n += 1
    elif question == ASK_CHI:
        while options != 0:
            s[CHOICES, n] = move(CHI, lowest_bit(options))
            options &= options - 1
            n += 1
    else:
        s[CHOICES, n] = move(HU, 0)
        n += 1
    return n


@kernel
def _deal_anew(s, r, t, seat):
    """Deal the tiles that ``seat`` does not see anew in the sample, but those that the mover is about to show."""
    w = s[SAMPLE : SAMPLE + N_ROWS]
    mover, shown = w[GAME, TURN_SEAT], w[GAME, LAST_MOVE]
    code, shown_kind = shown // 64, shown % 64
    n_shown = 0
    if mover != seat:
        n_shown = 4 if code == GANG_CONCEALED else 1
    # Count what is hidden, so that the order of the true tiles does not matter.
    pool, counts = w[SUMS], w[SUMS + 1]
    for k in range(N_KINDS + N_FLOWERS):
        counts[k] = 0
    n_hands = 0
    for other in range(4):
        if other == seat:
            continue
        for k in range(N_KINDS):
            counts[k] += w[other, HAND + k]
            n_hands += w[other, HAND + k]
    counts[shown_kind] -= n_shown
    n_hands -= n_shown
    for i in range(w[GAME, HEAD], w[GAME, TAIL] + 1):
        counts[w[WALL, i]] += 1
    for i in range(r[FLAG, R_N_TILES] - r[FLAG, R_RESERVED], r[FLAG, R_N_TILES]):
        counts[w[WALL, i]] += 1
    # Flowers never enter a hand: the hands are drawn from the other tiles, the rest from all that is left.
    n = n_plain = 0
    for k in range(N_KINDS + N_FLOWERS):
        for _ in range(counts[k]):
            pool[n] = k
            n += 1
        if k < N_KINDS:
            n_plain = n
    for i in range(n_hands):
        j = i + pick(s, seat, n_plain - i)
        pool[i], pool[j] = pool[j], pool[i]
    for i in range(n_hands, n):
        j = i + pick(s, seat, n - i)
        pool[i], pool[j] = pool[j], pool[i]
    # Hand out in the same order.
    n = 0
    for other in range(4):
        if other == seat:
            continue
        size = 0
        for k in range(N_KINDS):
            size += w[other, HAND + k]
            w[other, HAND + k] = 0
        for suit in range(4):
            w[other, KEYS + suit] = 0
        w[other, HELD] = w[other, FOURS] = w[other, GHOSTS] = 0
        if other == mover:
            for _ in range(n_shown):
                add_tile(w, other, shown_kind)
            size -= n_shown
        for _ in range(size):
            add_tile(w, other, pool[n])
            n += 1
        if r[FLAG, R_STANDING]:
            # Which of the new tiles stand nobody knows; as many do as before, the lowest kinds.
            n_standing = 0
            for k in range(N_KINDS):
                n_standing += w[other, STANDING + k]
            for k in range(N_KINDS):
                w[other, STANDING + k] = min(n_standing, w[other, HAND + k])
                n_standing -= w[other, STANDING + k]
        w[other, NEED] = need(w, r, t, other, 0)
    for i in range(w[GAME, HEAD], w[GAME, TAIL] + 1):
        w[WALL, i] = pool[n]
        n += 1
    for i in range(r[FLAG, R_N_TILES] - r[FLAG, R_RESERVED], r[FLAG, R_N_TILES]):
        w[WALL, i] = pool[n]
        n += 1


@kernel
def _play_out(s, r, t, seat, answer):
    """Play the shared world out with an answer; return the seat's points."""
    copy_block(s, SAMPLE, WORLD)
    w = s[WORLD : WORLD + N_ROWS]
    w[GAME, SCRIPT_ANSWER] = answer
    call_entry(s[GAME, PLAY_ENTRY], w, r, t, 0, 0, 0, 0, 0, 0)
    return w[PAY_HAND, seat] + w[PAY_KONG, seat] + w[PAY_HORSE, seat]


@kernel
def _list_best(s, bot, n, first):
    """Put ``first`` before the other answers, of whose discards ``search`` keeps few; return the number."""
    kept = 1
    for i in range(n):
        answer = s[CHOICES, i]
        better = 0
        if answer // 64 == DISCARD and bot != ORACLE:
            for j in range(n):
                if s[CHOICES, j] // 64 == DISCARD and s[SCORES, s[CHOICES, j] % 64] > s[SCORES, answer % 64]:
                    better += 1
        if answer != first and better < N_DISCARDS:
            s[SUMS, kept] = answer
            kept += 1
    s[CHOICES, 0] = first
    for i in range(1, kept):
        s[CHOICES, i] = s[SUMS, i]
    return kept


@kernel
def _set_scene(s, r, t, seat, bot, question):
    """Prepare the world that the answers share: the turn's start, the bots, the script, for ``search`` new tiles."""
    copy_block(s, START, SAMPLE)
    w = s[SAMPLE : SAMPLE + N_ROWS]
    w[GAME, LOOKS] = w[GAME, LOG_ENTRY] = 0
    w[GAME, LAST_MOVE] = s[GAME, LAST_MOVE]
    for other in range(4):
        if bot != ORACLE or w[GAME, SEATED + other] % BASE >= ORACLE:
            w[GAME, SEATED + other] = VALUE
    w[GAME, SCRIPTED] = 1
    w[GAME, SCRIPT_SEAT], w[GAME, SCRIPT_QUESTION], w[GAME, SCRIPT_MOVE] = seat, question, s[GAME, LAST_MOVE]
    if bot != ORACLE:
        _deal_anew(s, r, t, seat)


@kernel
def think(s, r, t, seat, bot, question, kind, options, points):
    """Answer a question by playing answers out; arguments as those of `sim.policy.value.answer`.

    ``oracle`` gives the answer that ends best. ``search`` gives the answer of ``value`` unless another one is better by
    more than Z standard errors, in the same worlds.
    """
    first = call_entry(s[GAME, VALUE_ENTRY], s, r, t, seat, VALUE_WEIGHTS, question, kind, options, points)
    n = _list_best(s, bot, _list_answers(s, seat, question, kind, options), first)
    for i in range(n):
        s[SUMS, i] = s[SUMS + 1, i] = 0
    n_worlds = 1 if bot == ORACLE else N_WORLDS
    best, gained = 0, 0.0
    for world in range(n_worlds if n > 1 else 0):
        _set_scene(s, r, t, seat, bot, question)
        base = _play_out(s, r, t, seat, s[CHOICES, 0])
        for i in range(1, n):
            if world < N_SCREENED or s[SUMS, i] > 0:
                more = _play_out(s, r, t, seat, s[CHOICES, i]) - base
                s[SUMS, i] += more
                s[SUMS + 1, i] += more * more
    for i in range(1, n):
        total = s[SUMS, i] * 1.0
        spread = s[SUMS + 1, i] - total * total / n_worlds
        if total > gained and (bot == ORACLE or total * total > Z * Z * spread):
            best, gained = i, total
    return s[CHOICES, best]
