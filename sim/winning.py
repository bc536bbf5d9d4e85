"""Wins: what a hand is worth, who wins on a tile, who robs a kong, and what the winners are paid."""

from __future__ import annotations

from sim.deal import (
    log_event,
    record,
    wall_left,
)
from sim.flags import (
    FLAG,
    HORSE_CLASS,
    HORSES_HELD,
    MULTIPLE_ALL,
    MULTIPLE_BIGGEST,
    MULTIPLE_FROM_DEALER,
    PASSED_ALL,
    PASSED_REST,
    PASSED_SAME,
    PASSED_VALUE,
    R_BAO_QUANQIUREN,
    R_BARRED,
    R_DECLARE,
    R_FOUR_GHOSTS,
    R_HORSES,
    R_HORSES_PER_REPEAT,
    R_HORSES_RESERVED,
    R_HORSES_ROB_EXTRA,
    R_HORSES_WITHOUT_GHOST,
    R_MULTIPLE,
    R_MUST,
    R_N_HORSES,
    R_N_HORSES_DISCARD,
    R_N_TILES,
    R_PASSED,
    R_RESERVED,
    R_ROB_IS_ZIMO,
    R_ROB_KONGS,
    R_WAYS,
    R_WIND_BY_CHAIR,
    R_YINGHU_AS_ITSELF,
)
from sim.jit import (
    kernel,
    lowest_bit,
)
from sim.patterns import (
    DIHU,
    FOUR_GHOSTS,
    GANGKAI,
    HAIDI,
    MENQING,
    P_QIANGGANG,
    P_ZIMO,
    TIANHU,
    TRIPLE_WIN,
    YINGHU,
)
from sim.policy.dispatch import (
    ask_win,
)
from sim.readings import (
    best_reading,
)
from sim.rules import (
    MAX_REPEAT,
)
from sim.schema import (
    DIANPAO,
    HORSE,
    HU,
    MELD_CHI,
    MELD_CONCEALED,
    OFFER_HU,
    PASS,
    QIANGGANG,
    ZIMO,
)
from sim.settlement import (
    draws_horses,
    has_twelve,
    liable_seat,
    settle,
)
from sim.shanten import (
    completes,
    need,
)
from sim.state import (
    AS_THEMSELVES,
    CHAIR,
    COUNTED,
    DEALER,
    DECLARED,
    DRAWS,
    EVENTS,
    FAN,
    FOURS,
    GAME,
    GHOST_MASK,
    GHOSTS,
    HAND,
    HEAD,
    HELD,
    HORSE_HOLDER,
    HORSE_KIND,
    KONG_FEEDER,
    LIABLE,
    MAX_HORSES,
    MELD_KIND,
    MELD_TYPE,
    N_HORSES,
    N_MELDS,
    NEED,
    PASSED,
    PASSED_POINTS,
    POINTS,
    REPEAT,
    ROUND_WIND,
    SEATED,
    UNTOUCHED,
    WALL,
    WINNERS,
    add_tile,
    has_four_ghosts,
    is_ghost,
    take_tiles,
)


@kernel
def holds(s, seat, kinds):
    """Whether a seat's natural tiles or melds hold one of some kinds (a mask)."""
    held = s[seat, HELD]
    for i in range(s[seat, N_MELDS]):
        held |= (7 if s[seat, MELD_TYPE + i] == MELD_CHI else 1) << s[seat, MELD_KIND + i]
    return held & kinds & ~s[GAME, GHOST_MASK] != 0


@kernel
def _ghosts_as_themselves(s, r, seat, win, events, way, seat_wind, round_wind):
    """Price the readings in which every ghost held is a natural tile of its own kind, as (points, fan, counted)."""
    ghosts, fours = s[GAME, GHOST_MASK], s[seat, FOURS]
    s[GAME, GHOST_MASK], s[GAME, AS_THEMSELVES] = 0, 1
    rest = ghosts
    while rest != 0:
        k = lowest_bit(rest)
        rest &= rest - 1
        n = s[seat, HAND + k]
        s[seat, HAND + k] = 0
        s[seat, GHOSTS] -= n
        for _ in range(n):
            add_tile(s, seat, k)
    events = (events | (1 << YINGHU)) & ~(1 << FOUR_GHOSTS)
    points, fan, counted = best_reading(s, r, seat, win, events, way, seat_wind, round_wind)
    rest = ghosts
    while rest != 0:
        k = lowest_bit(rest)
        rest &= rest - 1
        n = s[seat, HAND + k]
        take_tiles(s, seat, k, n)
        s[seat, HAND + k] = n
        s[seat, GHOSTS] += n
    s[GAME, GHOST_MASK], s[GAME, AS_THEMSELVES], s[seat, FOURS] = ghosts, 0, fours
    return points, fan, counted


@kernel
def value(s, r, seat, win, source, events, index):
    """Price the hand of ``seat``, winning tile included, into place ``index`` of the winners; whether it may win."""
    if r[FLAG, R_BARRED] and holds(s, seat, r[FLAG, R_BARRED]):
        return False
    concealed = True
    for i in range(s[seat, N_MELDS]):
        concealed = concealed and s[seat, MELD_TYPE + i] == MELD_CONCEALED
    if concealed:
        events |= 1 << MENQING
    if s[GAME, GHOST_MASK] != 0 and s[seat, GHOSTS] == 0:
        events |= 1 << YINGHU
    first = s[GAME, CHAIR] if r[FLAG, R_WIND_BY_CHAIR] else s[GAME, DEALER]
    way, seat_wind, round_wind = 1 << (source - 1), 27 + (seat - first) % 4, 27 + s[GAME, ROUND_WIND]
    natural_win = -1 if is_ghost(s, win) else win
    points, fan, counted = best_reading(s, r, seat, natural_win, events, way, seat_wind, round_wind)
    if r[FLAG, R_YINGHU_AS_ITSELF] and s[seat, GHOSTS] > 0:
        a, b, c = _ghosts_as_themselves(s, r, seat, win, events, way, seat_wind, round_wind)
        if a > points or (a == points and c < counted):
            points, fan, counted = a, b, c
    s[WINNERS, index] = seat
    s[POINTS, index] = points
    s[LIABLE, index] = -1
    s[FAN, index] = fan
    s[COUNTED, index] = counted
    return points >= 0


@kernel
def can_hu(s, r, t, seat, kind, replacement):
    """Return 1 when the seat may win by self-draw on ``kind``, and price the hand; else 0."""
    if r[FLAG, R_WAYS] & 1 == 0 or (r[FLAG, R_DECLARE] and not s[seat, DECLARED]):
        return 0
    if r[FLAG, R_PASSED] == PASSED_REST and s[seat, PASSED] != 0:
        return 0
    events = 1 << P_ZIMO
    if r[FLAG, R_FOUR_GHOSTS] and has_four_ghosts(s, seat):
        events |= 1 << FOUR_GHOSTS
    elif s[seat, NEED] != 1 or need(s, r, t, seat, 0) != 0:
        return 0
    if replacement:
        events |= 1 << GANGKAI
    if wall_left(s) == 0:
        events |= 1 << HAIDI
    if s[GAME, UNTOUCHED] and s[seat, DRAWS] == 1:
        events |= 1 << (TIANHU if seat == s[GAME, DEALER] else DIHU)
    s[GAME, EVENTS] = events
    return 1 if value(s, r, seat, kind, ZIMO, events, 0) else 0


@kernel
def _copy_winner(s, origin, target):
    for row in (WINNERS, POINTS, LIABLE, FAN, COUNTED):
        s[row, target] = s[row, origin]


@kernel
def _is_blocked(s, r, seat, kind):
    """Whether a win on ``kind`` is blocked by one that was passed (漏胡), its value aside."""
    passed = s[seat, PASSED]
    if r[FLAG, R_PASSED] == PASSED_ALL or r[FLAG, R_PASSED] == PASSED_REST:
        return passed != 0
    return r[FLAG, R_PASSED] == PASSED_SAME and (passed >> kind) & 1 == 1


@kernel
def _choose_winner(s, r, n):
    """Return which of ``n`` winners counts where only one may: the nearest, the first from the dealer, the biggest."""
    best = 0
    for i in range(1, n):
        better = False
        if r[FLAG, R_MULTIPLE] == MULTIPLE_BIGGEST:
            better = s[POINTS, i] > s[POINTS, best]
        elif r[FLAG, R_MULTIPLE] == MULTIPLE_FROM_DEALER:
            dealer = s[GAME, DEALER]
            better = (s[WINNERS, i] - dealer) % 4 < (s[WINNERS, best] - dealer) % 4
        if better:
            best = i
    return best


@kernel
def ask_wins(s, r, t, kind, from_seat, left_out, source, events, trace):
    """Ask the seats but ``left_out``, in turn order, whether they win on ``kind``; return the number of winners."""
    if r[FLAG, R_WAYS] & (1 << (source - 1)) == 0:
        return 0
    n = 0
    for j in range(1, 4):
        seat = (from_seat + j) % 4
        if seat == left_out or s[seat, NEED] != 1 or _is_blocked(s, r, seat, kind):
            continue
        if r[FLAG, R_DECLARE] and not s[seat, DECLARED]:
            continue
        if not completes(s, r, t, seat, kind):
            continue
        add_tile(s, seat, kind)
        legal = value(s, r, seat, kind, source, events, n)
        take_tiles(s, seat, kind, 1)
        if not legal or (r[FLAG, R_PASSED] == PASSED_VALUE and s[POINTS, n] <= s[seat, PASSED_POINTS]):
            continue
        if r[FLAG, R_MUST] or ask_win(s, r, t, s[GAME, SEATED + seat], seat, kind, source, s[POINTS, n]):
            n += 1
        else:
            s[seat, PASSED] |= 1 << kind
            s[seat, PASSED_POINTS] = max(s[seat, PASSED_POINTS], s[POINTS, n])
            record(s, trace, PASS, seat, kind, from_seat)
            log_event(s, r, t, PASS, seat, kind, from_seat, OFFER_HU, -1)
    if n > 1 and r[FLAG, R_MULTIPLE] != MULTIPLE_ALL:
        _copy_winner(s, _choose_winner(s, r, n), 0)
        n = 1
    if n == 3:
        events |= 1 << TRIPLE_WIN
        for i in range(n):
            seat = s[WINNERS, i]
            add_tile(s, seat, kind)
            value(s, r, seat, kind, source, events, i)
            take_tiles(s, seat, kind, 1)
    s[GAME, EVENTS] = events
    return n


@kernel
def ask_robbers(s, r, t, kind, konger, left_out, which, trace):
    """Ask who robs an announced kong; ``which`` is a bit of ROB_BITS; return the number of winners."""
    if r[FLAG, R_ROB_KONGS] & which == 0:
        return 0
    events = 1 << P_QIANGGANG
    if r[FLAG, R_ROB_IS_ZIMO]:
        events |= 1 << P_ZIMO
    return ask_wins(s, r, t, kind, konger, left_out, QIANGGANG, events, trace)


@kernel
def _draw_horses(s, r, source, trace):
    """Let the winners draw their horses; the winning tile is in their hands."""
    n = r[FLAG, R_N_HORSES] if source == ZIMO else r[FLAG, R_N_HORSES_DISCARD]
    if source == QIANGGANG:
        n += r[FLAG, R_HORSES_ROB_EXTRA]
    if s[GAME, GHOST_MASK] != 0 and s[s[WINNERS, 0], GHOSTS] == 0:
        n += r[FLAG, R_HORSES_WITHOUT_GHOST]
    n += r[FLAG, R_HORSES_PER_REPEAT] * min(s[GAME, REPEAT], MAX_REPEAT)
    place = s[GAME, HEAD]
    left = wall_left(s)
    if r[FLAG, R_HORSES_RESERVED]:
        left = r[FLAG, R_RESERVED]
        place = r[FLAG, R_N_TILES] - left
    n = min(min(n, left), MAX_HORSES)
    for i in range(n):
        s[HORSE_KIND, i] = s[WALL, place + i]
        record(s, trace, HORSE, -1, s[HORSE_KIND, i], r[HORSE_CLASS, s[HORSE_KIND, i]])
    s[GAME, N_HORSES] = n


@kernel
def _open_held_horses(s, r, trace):
    """Give the seats their horses: the tiles at the head of the wall, which nobody has seen."""
    n_own = r[FLAG, R_N_HORSES]
    for n in range(4 * n_own):
        kind, holder = s[WALL, s[GAME, HEAD] + n], (s[GAME, DEALER] + n // n_own) % 4
        s[HORSE_KIND, n], s[HORSE_HOLDER, n] = kind, holder
        record(s, trace, HORSE, holder, kind, r[HORSE_CLASS, kind])
    s[GAME, N_HORSES] = 4 * n_own


@kernel
def pay_wins(s, r, n_winners, source, from_seat, win, replacement, trace):
    """Find the liable seats, open the horses, settle; return the horse hits."""
    for i in range(n_winners):
        seat = s[WINNERS, i]
        record(s, trace, HU, seat, win, from_seat)
        if source == ZIMO:
            s[LIABLE, i] = liable_seat(s, r, seat, s[GAME, KONG_FEEDER] if replacement else -1, s[COUNTED, i])
        else:
            add_tile(s, seat, win)
            unready = source == DIANPAO and s[from_seat, NEED] > 1
            if r[FLAG, R_BAO_QUANQIUREN] and unready and has_twelve(s, seat):
                s[LIABLE, i] = from_seat
    if draws_horses(r, source):
        _draw_horses(s, r, source, trace)
    elif r[FLAG, R_HORSES] == HORSES_HELD:
        _open_held_horses(s, r, trace)
    hits = settle(s, r, source, from_seat, n_winners, -1)
    if source != ZIMO:
        for i in range(n_winners):
            take_tiles(s, s[WINNERS, i], win, 1)
    return hits
