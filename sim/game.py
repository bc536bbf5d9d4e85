"""One hand from the deal to the settlement, as written down in PLAY.md.

``play_hand`` is one function over local arrays, without a step interface: bots are asked inside. Everything that
happens can be recorded as a trace of (move, seat, kind, other) rows.
"""

from __future__ import annotations

from sim.flags import (
    FLAG,
    GHOST_TURNED,
    HORSE_CLASS,
    HORSES_DRAWN,
    HORSES_HELD,
    MULTIPLE_BIGGEST,
    MULTIPLE_NEAREST,
    PASSED_ALL,
    PASSED_OFF,
    R_CHI,
    R_GHOST_DISCARD,
    R_GHOST_MASK,
    R_GHOST_MODE,
    R_HORSE_ON_ROB,
    R_HORSES,
    R_KONG_VOID,
    R_MULTIPLE,
    R_N_HORSES,
    R_N_TILES,
    R_OPEN_KONG,
    R_PASSED,
    R_RESERVED,
    R_ROB_IS_ZIMO,
    R_WAYS,
    R_WIND_BY_CHAIR,
    SUCCESSOR,
)
from sim.jit import kernel
from sim.patterns import (
    DIHU,
    GANGKAI,
    GANGPAO,
    HAIDI,
    MENQING,
    P_QIANGGANG,
    P_ZIMO,
    RENHU,
    TIANHU,
    TRIPLE_WIN,
    YINGHU,
)
from sim.policy.dispatch import ask_chi, ask_claim, ask_turn, ask_win
from sim.readings import best_reading
from sim.schema import (
    CHI,
    DEAL,
    DIANPAO,
    DISCARD,
    DRAW,
    DRAW_TAIL,
    END,
    GANG_ADDED,
    GANG_CONCEALED,
    GANG_EXPOSED,
    HORSE,
    HU,
    INDICATOR,
    MELD_ADDED,
    MELD_CHI,
    MELD_CONCEALED,
    MELD_EXPOSED,
    MELD_PENG,
    NEVER,
    PASS,
    PENG,
    QIANGGANG,
    WASHOUT,
    ZIMO,
)
from sim.settlement import has_twelve, liable_seat, pay_kong, settle
from sim.shanten import completes, need
from sim.state import (
    CALLS,
    CHAIR,
    COUNTED,
    DEALER,
    DISCARDS,
    DRAWS,
    FAN,
    FROM_SEAT,
    GAME,
    GHOST_MASK,
    GHOSTS,
    HAND,
    HEAD,
    HELD,
    HORSE_HITS,
    HORSE_HOLDER,
    HORSE_KIND,
    KONG_FEEDER,
    LIABLE,
    MELD_KIND,
    MELD_TYPE,
    N_ADDED,
    N_CONCEALED,
    N_EXPOSED,
    N_FED,
    N_HORSES,
    N_MELDS,
    N_TRACE,
    N_WINNERS,
    NEED,
    OUTCOME,
    PASSED,
    PAY_HAND,
    PAY_HORSE,
    PAY_KONG,
    POINTS,
    PUNGS,
    READY_TURN,
    ROUND_WIND,
    SEATED,
    SHANTEN_DEAL,
    TAIL,
    TURNS,
    TWELVE_FEEDER,
    TWELVE_USED,
    UNTOUCHED,
    VISIBLE,
    WALL,
    WIN_TILE,
    WINNERS,
    add_meld,
    add_tile,
    is_ghost,
    take_tiles,
)


@kernel
def record(s, trace, move, seat, kind, other):
    """Append one row to the trace, if there is room for one."""
    n = s[GAME, N_TRACE]
    if n < trace.shape[0]:
        trace[n, 0] = move
        trace[n, 1] = seat
        trace[n, 2] = kind
        trace[n, 3] = other
        s[GAME, N_TRACE] = n + 1


@kernel
def wall_left(s):
    """Tiles that can still be drawn."""
    return s[GAME, TAIL] - s[GAME, HEAD] + 1


@kernel
def _reset(s):
    """Forget the last hand; the wall and the fields of the session are set by the caller."""
    s[:4, :73] = 0
    s[VISIBLE, :34] = 0
    s[PAY_HAND : PAY_HORSE + 1, :4] = 0
    s[:4, READY_TURN] = NEVER
    s[:4, TWELVE_FEEDER] = -1
    s[GAME, HEAD] = 0
    s[GAME, GHOST_MASK] = 0
    s[GAME, UNTOUCHED] = 1
    s[GAME, KONG_FEEDER] = -1
    s[GAME, TWELVE_USED] = 0
    s[GAME, TURNS] = 0
    s[GAME, N_TRACE] = 0
    s[GAME, N_HORSES] = 0


@kernel
def _deal(s, r, t, trace):
    """Deal thirteen tiles to each seat, turn the indicator, hand out held horses."""
    dealer = s[GAME, DEALER]
    s[GAME, TAIL] = r[FLAG, R_N_TILES] - 1 - r[FLAG, R_RESERVED]
    s[GAME, GHOST_MASK] = r[FLAG, R_GHOST_MASK]
    indicator = -1
    if r[FLAG, R_GHOST_MODE] == GHOST_TURNED:
        indicator = s[WALL, s[GAME, TAIL]]
        s[GAME, TAIL] -= 1
        s[GAME, GHOST_MASK] = 1 << r[SUCCESSOR, indicator]
        s[VISIBLE, indicator] += 1
    for place in range(52):
        seat = (dealer + place // 13) % 4
        kind = s[WALL, place]
        add_tile(s, seat, kind)
        record(s, trace, DEAL, seat, kind, -1)
    s[GAME, HEAD] = 52
    if indicator >= 0:
        record(s, trace, INDICATOR, -1, indicator, r[SUCCESSOR, indicator])
    if r[FLAG, R_HORSES] == HORSES_HELD:
        for j in range(4):
            for _ in range(r[FLAG, R_N_HORSES]):
                n = s[GAME, N_HORSES]
                kind = s[WALL, s[GAME, TAIL]]
                s[GAME, TAIL] -= 1
                s[HORSE_KIND, n] = kind
                s[HORSE_HOLDER, n] = (dealer + j) % 4
                s[GAME, N_HORSES] = n + 1
                record(s, trace, HORSE, s[HORSE_HOLDER, n], kind, r[HORSE_CLASS, kind])
    for seat in range(4):
        s[seat, NEED] = need(s, r, t, seat, 0)
        s[seat, SHANTEN_DEAL] = s[seat, NEED] - 1
        if s[seat, NEED] == 1:
            s[seat, READY_TURN] = 0


@kernel
def _draw(s, seat, from_tail, trace):
    """Draw one tile from the head, or a replacement from the tail; return its kind."""
    if from_tail:
        kind = s[WALL, s[GAME, TAIL]]
        s[GAME, TAIL] -= 1
    else:
        kind = s[WALL, s[GAME, HEAD]]
        s[GAME, HEAD] += 1
    add_tile(s, seat, kind)
    s[GAME, TURNS] += 1
    s[seat, DRAWS] += 1
    s[seat, PASSED] = 0
    record(s, trace, DRAW_TAIL if from_tail else DRAW, seat, kind, wall_left(s))
    return kind


@kernel
def value(s, r, seat, win, source, events, index):
    """Price the hand of ``seat``, winning tile included, into place ``index`` of the winners; whether it may win."""
    concealed = True
    for i in range(s[seat, N_MELDS]):
        concealed = concealed and s[seat, MELD_TYPE + i] == MELD_CONCEALED
    if concealed:
        events |= 1 << MENQING
    if s[GAME, GHOST_MASK] != 0 and s[seat, GHOSTS] == 0:
        events |= 1 << YINGHU
    first = s[GAME, CHAIR] if r[FLAG, R_WIND_BY_CHAIR] else s[GAME, DEALER]
    points, fan, counted = best_reading(
        s,
        r,
        seat,
        -1 if is_ghost(s, win) else win,
        events,
        1 << (source - 1),
        27 + (seat - first) % 4,
        27 + s[GAME, ROUND_WIND],
    )
    s[WINNERS, index] = seat
    s[POINTS, index] = points
    s[LIABLE, index] = -1
    s[FAN, index] = fan
    s[COUNTED, index] = counted
    return points >= 0


@kernel
def _copy_winner(s, origin, target):
    for row in (WINNERS, POINTS, LIABLE, FAN, COUNTED):
        s[row, target] = s[row, origin]


@kernel
def _ask_wins(s, r, t, kind, from_seat, source, events, trace):
    """Ask the other seats, in turn order, whether they win on ``kind``; return how many winners stand in the state."""
    if r[FLAG, R_WAYS] & (1 << (source - 1)) == 0:
        return 0
    n = 0
    for j in range(1, 4):
        seat = (from_seat + j) % 4
        if s[seat, NEED] != 1:
            continue
        if r[FLAG, R_PASSED] == PASSED_ALL and s[seat, PASSED] != 0:
            continue
        if r[FLAG, R_PASSED] != PASSED_OFF and (s[seat, PASSED] >> kind) & 1:
            continue
        if not completes(s, r, t, seat, kind):
            continue
        add_tile(s, seat, kind)
        legal = value(s, r, seat, kind, source, events, n)
        take_tiles(s, seat, kind, 1)
        if not legal:
            continue
        if ask_win(s, s[GAME, SEATED + seat], seat):
            n += 1
        else:
            s[seat, PASSED] |= 1 << kind
            record(s, trace, PASS, seat, kind, from_seat)
    if n > 1 and r[FLAG, R_MULTIPLE] == MULTIPLE_NEAREST:
        n = 1
    elif n > 1 and r[FLAG, R_MULTIPLE] == MULTIPLE_BIGGEST:
        best = 0
        for i in range(1, n):
            if s[POINTS, i] > s[POINTS, best]:
                best = i
        _copy_winner(s, best, 0)
        n = 1
    if n == 3:
        for i in range(n):
            seat = s[WINNERS, i]
            add_tile(s, seat, kind)
            value(s, r, seat, kind, source, events | (1 << TRIPLE_WIN), i)
            take_tiles(s, seat, kind, 1)
    return n


@kernel
def _after_kong(s, r, t, seat, kind_of_meld, feeder):
    """Money, counters and marks of a kong that stands."""
    s[seat, PASSED] = 0
    if kind_of_meld == MELD_CONCEALED:
        s[seat, N_CONCEALED] += 1
    elif kind_of_meld == MELD_ADDED:
        s[seat, N_ADDED] += 1
    else:
        s[seat, N_EXPOSED] += 1
        s[feeder, N_FED] += 1
    s[GAME, KONG_FEEDER] = feeder if kind_of_meld == MELD_EXPOSED else -1
    if not r[FLAG, R_OPEN_KONG]:
        s[GAME, UNTOUCHED] = 0
    pay_kong(s, r, kind_of_meld, seat, feeder)
    s[seat, NEED] = need(s, r, t, seat, 0)


@kernel
def _after_exposing(s, r, seat, feeder):
    """Set the marks of a chi, peng or direct kong: window of 地和 and 人和, 漏胡, twelve tiles."""
    s[seat, CALLS] += 1
    s[seat, PASSED] = 0
    if has_twelve(s, seat) and (s[GAME, TWELVE_USED] >> feeder) & 1 == 0:
        s[seat, TWELVE_FEEDER] = feeder
        s[GAME, TWELVE_USED] |= 1 << feeder


@kernel
def _legal_discards(s, r, seat):
    discards = s[seat, HELD]
    if discards == 0 or r[FLAG, R_GHOST_DISCARD]:
        for k in range(34):
            if s[seat, HAND + k] > 0:
                discards |= 1 << k
    return discards


@kernel
def _chi_lows(s, seat, kind):
    """Mask of the lowest kinds of the runs that ``seat`` can make with ``kind``."""
    lows = 0
    if kind >= 27:
        return lows
    held = s[seat, HELD]
    rank = kind % 9
    for offset in range(3):
        low_rank = rank - offset
        if low_rank < 0 or low_rank > 6:
            continue
        low = kind - offset
        others = (7 << low) & ~(1 << kind)
        if held & others == others:
            lows |= 1 << low
    return lows


@kernel
def _claim(s, r, t, kind, from_seat, trace):
    """Ask for pungs, kongs and chis; carry out the claim; return its move code and seat (PASS, -1 for none)."""
    for j in range(1, 4):
        seat = (from_seat + j) % 4
        n = s[seat, HAND + kind]
        if n < 2:
            continue
        natural = 13 - 3 * s[seat, N_MELDS] - s[seat, GHOSTS]
        can_peng = 1 if natural > 2 else 0
        can_gang = 1 if n >= 3 else 0
        answer = PASS
        if can_peng + can_gang > 0:
            answer = ask_claim(s, r, t, s[GAME, SEATED + seat], seat, kind, can_peng, can_gang)
        if answer == PASS:
            break  # nobody else can hold two
        taken = 2 if answer == PENG else 3
        take_tiles(s, seat, kind, taken)
        s[VISIBLE, kind] += taken
        record(s, trace, answer, seat, kind, from_seat)
        add_meld(s, seat, MELD_PENG if answer == PENG else MELD_EXPOSED, kind, from_seat)
        _after_exposing(s, r, seat, from_seat)
        if answer == PENG:
            s[seat, PUNGS] |= 1 << kind
            s[GAME, UNTOUCHED] = 0
        else:
            _after_kong(s, r, t, seat, MELD_EXPOSED, from_seat)
        return answer, seat
    seat = (from_seat + 1) % 4
    if r[FLAG, R_CHI] and 13 - 3 * s[seat, N_MELDS] - s[seat, GHOSTS] > 2:
        lows = _chi_lows(s, seat, kind)
        if lows:
            answer = ask_chi(s, r, t, s[GAME, SEATED + seat], seat, kind, lows)
            if answer // 64 == CHI:
                low = answer % 64
                for k in range(low, low + 3):
                    if k != kind:
                        take_tiles(s, seat, k, 1)
                        s[VISIBLE, k] += 1
                s[GAME, UNTOUCHED] = 0
                record(s, trace, CHI, seat, low, from_seat)
                add_meld(s, seat, MELD_CHI, low, from_seat)
                _after_exposing(s, r, seat, from_seat)
                return CHI, seat
    return PASS, -1


@kernel
def _pay_wins(s, r, n_winners, source, from_seat, win, replacement, trace):
    """Draw horses, find the liable seats, settle; return the horse hits."""
    for i in range(n_winners):
        seat = s[WINNERS, i]
        record(s, trace, HU, seat, win, from_seat)
        if source == ZIMO:
            s[LIABLE, i] = liable_seat(s, r, seat, s[GAME, KONG_FEEDER] if replacement else -1)
    if r[FLAG, R_HORSES] == HORSES_DRAWN and (source != QIANGGANG or r[FLAG, R_HORSE_ON_ROB]):
        n = min(r[FLAG, R_N_HORSES], wall_left(s))
        for i in range(n):
            s[HORSE_KIND, i] = s[WALL, s[GAME, HEAD] + i]
            record(s, trace, HORSE, -1, s[HORSE_KIND, i], r[HORSE_CLASS, s[HORSE_KIND, i]])
        s[GAME, N_HORSES] = n
    return settle(s, r, source, from_seat, n_winners, -1)


@kernel
def play_hand(s, r, t, trace):
    """Play one hand; the caller has set the wall, and in row GAME the bots, the ids and the session's fields.

    ``trace`` int64 (n, 4), n = 0 for none. Outcome, payments and winners stay in the state.
    """
    _reset(s)
    _deal(s, r, t, trace)
    seat = s[GAME, DEALER]
    kind = _draw(s, seat, False, trace)
    replacement = claimed = False
    first_discard = True
    outcome, from_seat, n_winners, hits = WASHOUT, -1, 0, 0
    while True:
        can_hu = 0
        if not claimed and s[seat, NEED] == 1 and r[FLAG, R_WAYS] & 1 and need(s, r, t, seat, 0) == 0:
            events = 1 << P_ZIMO
            if replacement:
                events |= 1 << GANGKAI
            if wall_left(s) == 0:
                events |= 1 << HAIDI
            if s[GAME, UNTOUCHED] and s[seat, DRAWS] == 1:
                if seat != s[GAME, DEALER]:
                    events |= 1 << DIHU
                else:
                    events |= 1 << TIANHU
            if value(s, r, seat, kind, ZIMO, events, 0):
                can_hu = 1
        can_kong = not claimed and wall_left(s) > 0
        answer = ask_turn(s, r, t, s[GAME, SEATED + seat], seat, can_hu, can_kong, _legal_discards(s, r, seat))
        move, k = answer // 64, answer % 64
        if move == HU:
            outcome, n_winners = ZIMO, 1
            break
        if move == GANG_CONCEALED:
            record(s, trace, GANG_CONCEALED, seat, k, -1)
            take_tiles(s, seat, k, 4)
            s[VISIBLE, k] += 4
            add_meld(s, seat, MELD_CONCEALED, k, -1)
            _after_kong(s, r, t, seat, MELD_CONCEALED, -1)
            kind = _draw(s, seat, True, trace)
            replacement = True
            continue
        if move == GANG_ADDED:
            record(s, trace, GANG_ADDED, seat, k, -1)
            events = 1 << P_QIANGGANG
            if r[FLAG, R_ROB_IS_ZIMO]:
                events |= 1 << P_ZIMO
            take_tiles(s, seat, k, 1)
            n_winners = _ask_wins(s, r, t, k, seat, QIANGGANG, events, trace)
            if n_winners > 0:
                outcome, from_seat, kind = QIANGGANG, seat, k
                break
            s[VISIBLE, k] += 1
            s[seat, PUNGS] &= ~(1 << k)
            for i in range(s[seat, N_MELDS]):
                if s[seat, MELD_KIND + i] == k and s[seat, MELD_TYPE + i] == MELD_PENG:
                    s[seat, MELD_TYPE + i] = MELD_ADDED
            _after_kong(s, r, t, seat, MELD_ADDED, -1)
            kind = _draw(s, seat, True, trace)
            replacement = True
            continue

        take_tiles(s, seat, k, 1)
        s[VISIBLE, k] += 1
        s[seat, DISCARDS] += 1
        record(s, trace, DISCARD, seat, k, -1)
        s[seat, NEED] = need(s, r, t, seat, 0)
        if s[seat, NEED] == 1 and s[seat, READY_TURN] == NEVER:
            s[seat, READY_TURN] = s[seat, DISCARDS]
        events = 0
        if replacement:
            events |= 1 << GANGPAO
        if first_discard and s[GAME, UNTOUCHED]:
            events |= 1 << RENHU
        first_discard = False
        n_winners = _ask_wins(s, r, t, k, seat, DIANPAO, events, trace)
        if n_winners > 0:
            outcome, from_seat, kind = DIANPAO, seat, k
            break
        replacement = False
        if wall_left(s) == 0:
            kind = -1
            break
        if not is_ghost(s, k):
            answer, claimer = _claim(s, r, t, k, seat, trace)
            if answer != PASS:
                seat = claimer
                claimed = answer != GANG_EXPOSED
                if not claimed:
                    kind = _draw(s, seat, True, trace)
                    replacement = True
                continue
        claimed = False
        seat = (seat + 1) % 4
        kind = _draw(s, seat, False, trace)

    if n_winners > 0:
        hits = _pay_wins(s, r, n_winners, outcome, from_seat, kind, replacement, trace)
    elif r[FLAG, R_KONG_VOID]:
        s[PAY_KONG, :4] = 0
    record(s, trace, END, -1, -1, outcome)
    s[GAME, OUTCOME] = outcome
    s[GAME, FROM_SEAT] = from_seat
    s[GAME, WIN_TILE] = kind
    s[GAME, HORSE_HITS] = hits
    s[GAME, N_WINNERS] = n_winners
