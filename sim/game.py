"""One hand from the deal to the settlement, as written down in PLAY.md.

``play_hand`` is one function over the state's array, without a step interface: bots are asked inside. Everything that
happens can be recorded as a trace of (move, seat, kind, other) rows.
"""

from __future__ import annotations

from sim.flags import (
    FLAG,
    GHOST_TURNED,
    GHOST_TURNED_TWO,
    HORSE_CLASS,
    HORSES_HELD,
    MULTIPLE_ALL,
    MULTIPLE_BIGGEST,
    MULTIPLE_FROM_DEALER,
    PASSED_ALL,
    PASSED_SAME,
    PASSED_VALUE,
    R_CHI,
    R_FLOWER_PRICE,
    R_FOLLOW_POINTS,
    R_FOUR_GHOSTS,
    R_GHOST_DISCARD,
    R_GHOST_MASK,
    R_GHOST_MODE,
    R_HORSES,
    R_HORSES_PER_REPEAT,
    R_HORSES_RESERVED,
    R_HORSES_ROB_EXTRA,
    R_HORSES_WITHOUT_GHOST,
    R_KONG_VOID,
    R_MULTIPLE,
    R_MUST,
    R_N_HORSES,
    R_N_HORSES_DISCARD,
    R_N_TILES,
    R_OPEN_KONG,
    R_PASSED,
    R_RESERVED,
    R_ROB_IS_ZIMO,
    R_ROB_KONGS,
    R_WAYS,
    R_WIND_BY_CHAIR,
    ROB_ADDED,
    ROB_CONCEALED,
    ROB_DIRECT,
    SUCCESSOR,
)
from sim.jit import kernel
from sim.patterns import (
    DIHU,
    FOUR_GHOSTS,
    GANGKAI,
    GANGPAO,
    HAIDI,
    MENQING,
    P_DIANPAO,
    P_QIANGGANG,
    P_ZIMO,
    RENHU,
    TIANHU,
    TRIPLE_WIN,
    YINGHU,
)
from sim.policy.dispatch import ask_chi, ask_claim, ask_turn, ask_win
from sim.readings import best_reading
from sim.rules import MAX_REPEAT
from sim.schema import (
    CHI,
    DEAL,
    DIANPAO,
    DISCARD,
    DRAW,
    DRAW_TAIL,
    END,
    FLOWER,
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
from sim.settlement import draws_horses, has_twelve, liable_seat, pay_each, pay_kong, settle
from sim.shanten import completes, need
from sim.state import (
    CALLS,
    CHAIR,
    COUNTED,
    DEALER,
    DISCARDS,
    DRAWS,
    FAN,
    FOLLOW_KIND,
    FOLLOW_PAID,
    FOLLOWED,
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
    KONGS,
    LIABLE,
    MAX_HORSES,
    MELD_KIND,
    MELD_TYPE,
    N_ADDED,
    N_CONCEALED,
    N_EXPOSED,
    N_FED,
    N_FLOWERS,
    N_HORSES,
    N_MELDS,
    N_SEAT_COLUMNS,
    N_TRACE,
    N_WINNERS,
    NEED,
    OUTCOME,
    PASSED,
    PASSED_POINTS,
    PAY_HAND,
    PAY_HORSE,
    PAY_KONG,
    POINTS,
    PUNGS,
    READY_TURN,
    REPEAT,
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
    has_four_ghosts,
    is_ghost,
    take_tiles,
)
from sim.tiles import FIRST_FLOWER, N_KINDS
from sim.tiles import N_FLOWERS as MAX_FLOWERS


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
    s[:4, :N_SEAT_COLUMNS] = 0
    s[VISIBLE, :34] = 0
    s[PAY_HAND : PAY_HORSE + 1, :4] = 0
    s[KONGS : KONGS + 4, :4] = 0
    s[FOLLOW_PAID, :4] = 0
    s[:4, PASSED_POINTS] = -1
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
    s[GAME, FOLLOWED] = 0


@kernel
def _from_tail(s):
    """Take the tile at the wall's tail; return its kind."""
    kind = s[WALL, s[GAME, TAIL]]
    s[GAME, TAIL] -= 1
    return kind


@kernel
def _turn_indicator(s, r, trace):
    """Turn the ghosts' indicator and set the ghosts."""
    indicator = _from_tail(s)
    while indicator >= N_KINDS:
        record(s, trace, FLOWER, -1, indicator, -1)
        indicator = _from_tail(s)
    ghost = r[SUCCESSOR, indicator]
    s[GAME, GHOST_MASK] = 1 << ghost
    if r[FLAG, R_GHOST_MODE] == GHOST_TURNED_TWO:
        s[GAME, GHOST_MASK] |= 1 << r[SUCCESSOR, ghost]
    s[VISIBLE, indicator] += 1
    return indicator


@kernel
def _lay_flower(s, r, seat, kind, trace):
    """Lay a flower aside and pay for it."""
    s[seat, N_FLOWERS] += 1
    record(s, trace, FLOWER, seat, kind, wall_left(s))
    pay_each(s, r, seat, r[FLAG, R_FLOWER_PRICE])


@kernel
def _replace_dealt_flowers(s, r, seat, first_place, trace):
    """Lay aside the flowers that a seat was dealt, in order of kind, and replace them from the tail."""
    n = 0
    for kind in range(FIRST_FLOWER, FIRST_FLOWER + MAX_FLOWERS):
        for place in range(first_place, first_place + 13):
            if s[WALL, place] == kind:
                _lay_flower(s, r, seat, kind, trace)
                n += 1
    for _ in range(n):
        kind = FIRST_FLOWER
        while kind >= N_KINDS:
            kind = _from_tail(s)
            record(s, trace, DRAW_TAIL, seat, kind, wall_left(s))
            if kind >= N_KINDS:
                _lay_flower(s, r, seat, kind, trace)
        add_tile(s, seat, kind)


@kernel
def _deal(s, r, t, trace):
    """Deal thirteen tiles to each seat, turn the indicator, hand out held horses, replace flowers."""
    dealer = s[GAME, DEALER]
    s[GAME, TAIL] = r[FLAG, R_N_TILES] - 1 - r[FLAG, R_RESERVED]
    s[GAME, HEAD] = 52
    s[GAME, GHOST_MASK] = r[FLAG, R_GHOST_MASK]
    for place in range(52):
        record(s, trace, DEAL, (dealer + place // 13) % 4, s[WALL, place], -1)
    if r[FLAG, R_GHOST_MODE] >= GHOST_TURNED:
        indicator = _turn_indicator(s, r, trace)
        record(s, trace, INDICATOR, -1, indicator, r[SUCCESSOR, indicator])
    for place in range(52):
        if s[WALL, place] < N_KINDS:
            add_tile(s, (dealer + place // 13) % 4, s[WALL, place])
    if r[FLAG, R_HORSES] == HORSES_HELD:
        for j in range(4):
            for _ in range(r[FLAG, R_N_HORSES]):
                n = s[GAME, N_HORSES]
                kind = _from_tail(s)
                s[HORSE_KIND, n] = kind
                s[HORSE_HOLDER, n] = (dealer + j) % 4
                s[GAME, N_HORSES] = n + 1
                record(s, trace, HORSE, s[HORSE_HOLDER, n], kind, r[HORSE_CLASS, kind])
    if r[FLAG, R_N_TILES] > 136:
        for j in range(4):
            _replace_dealt_flowers(s, r, (dealer + j) % 4, 13 * j, trace)
    for seat in range(4):
        s[seat, NEED] = need(s, r, t, seat, 0)
        s[seat, SHANTEN_DEAL] = s[seat, NEED] - 1
        if s[seat, NEED] == 1:
            s[seat, READY_TURN] = 0


@kernel
def _draw(s, r, seat, from_tail, trace):
    """Draw from the head, or a replacement from the tail, flowers replaced; return the kind, -1 at the wall's end."""
    s[seat, PASSED] = 0
    s[seat, PASSED_POINTS] = -1
    s[seat, DRAWS] += 1
    while True:
        if wall_left(s) == 0:
            return -1
        if from_tail:
            kind = _from_tail(s)
        else:
            kind = s[WALL, s[GAME, HEAD]]
            s[GAME, HEAD] += 1
        s[GAME, TURNS] += 1
        record(s, trace, DRAW_TAIL if from_tail else DRAW, seat, kind, wall_left(s))
        if kind < N_KINDS:
            add_tile(s, seat, kind)
            return kind
        _lay_flower(s, r, seat, kind, trace)
        from_tail = True


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
def _is_blocked(s, r, seat, kind):
    """Whether a win on ``kind`` is blocked by one that was passed (漏胡), its value aside."""
    passed = s[seat, PASSED]
    if r[FLAG, R_PASSED] == PASSED_ALL:
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
def _ask_wins(s, r, t, kind, from_seat, left_out, source, events, trace):
    """Ask the seats but ``left_out``, in turn order, whether they win on ``kind``; return the number of winners."""
    if r[FLAG, R_WAYS] & (1 << (source - 1)) == 0:
        return 0
    n = 0
    for j in range(1, 4):
        seat = (from_seat + j) % 4
        if seat == left_out or s[seat, NEED] != 1 or _is_blocked(s, r, seat, kind):
            continue
        if not completes(s, r, t, seat, kind):
            continue
        add_tile(s, seat, kind)
        legal = value(s, r, seat, kind, source, events, n)
        take_tiles(s, seat, kind, 1)
        if not legal or (r[FLAG, R_PASSED] == PASSED_VALUE and s[POINTS, n] <= s[seat, PASSED_POINTS]):
            continue
        if r[FLAG, R_MUST] or ask_win(s, s[GAME, SEATED + seat], seat):
            n += 1
        else:
            s[seat, PASSED] |= 1 << kind
            s[seat, PASSED_POINTS] = max(s[seat, PASSED_POINTS], s[POINTS, n])
            record(s, trace, PASS, seat, kind, from_seat)
    if n > 1 and r[FLAG, R_MULTIPLE] != MULTIPLE_ALL:
        _copy_winner(s, _choose_winner(s, r, n), 0)
        n = 1
    if n == 3:
        for i in range(n):
            seat = s[WINNERS, i]
            add_tile(s, seat, kind)
            value(s, r, seat, kind, source, events | (1 << TRIPLE_WIN), i)
            take_tiles(s, seat, kind, 1)
    return n


@kernel
def _ask_robbers(s, r, t, kind, konger, left_out, which, trace):
    """Ask who robs an announced kong; ``which`` is a bit of ROB_BITS; return the number of winners."""
    if r[FLAG, R_ROB_KONGS] & which == 0:
        return 0
    events = 1 << P_QIANGGANG
    if r[FLAG, R_ROB_IS_ZIMO]:
        events |= 1 << P_ZIMO
    return _ask_wins(s, r, t, kind, konger, left_out, QIANGGANG, events, trace)


@kernel
def _after_kong(s, r, t, seat, kind_of_meld, feeder):
    """Money, counters and marks of a kong that stands."""
    s[seat, PASSED] = 0
    s[seat, PASSED_POINTS] = -1
    s[GAME, FOLLOWED] = -1
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
    s[seat, PASSED_POINTS] = -1
    s[GAME, FOLLOWED] = -1
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
    """Ask for pungs, kongs and chis; carry out the claim; return its move code and seat (PASS, -1 for none).

    A robbed direct kong is not carried out; the robbers stand in the state and N_WINNERS is their number, else 0.
    """
    s[GAME, N_WINNERS] = 0
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
        record(s, trace, answer, seat, kind, from_seat)
        if answer == GANG_EXPOSED:
            s[VISIBLE, kind] -= 1
            n_winners = _ask_robbers(s, r, t, kind, seat, from_seat, ROB_DIRECT, trace)
            if n_winners > 0:
                s[GAME, N_WINNERS] = n_winners
                return answer, seat
            s[VISIBLE, kind] += 1
        taken = 2 if answer == PENG else 3
        take_tiles(s, seat, kind, taken)
        s[VISIBLE, kind] += taken
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
def _pay_wins(s, r, n_winners, source, from_seat, win, replacement, trace):
    """Draw horses, find the liable seats, settle; return the horse hits."""
    for i in range(n_winners):
        seat = s[WINNERS, i]
        record(s, trace, HU, seat, win, from_seat)
        if source == ZIMO:
            s[LIABLE, i] = liable_seat(s, r, seat, s[GAME, KONG_FEEDER] if replacement else -1, s[COUNTED, i])
        else:
            add_tile(s, seat, win)
    if draws_horses(r, source):
        _draw_horses(s, r, source, trace)
    hits = settle(s, r, source, from_seat, n_winners, -1)
    if source != ZIMO:
        for i in range(n_winners):
            take_tiles(s, s[WINNERS, i], win, 1)
    return hits


@kernel
def _follow(s, r, kind):
    """Count equal discards from the first one on (跟庄); the dealer pays when there are four."""
    followed = s[GAME, FOLLOWED]
    if followed == 0:
        s[GAME, FOLLOW_KIND] = kind
    if followed >= 0:
        if kind != s[GAME, FOLLOW_KIND]:
            s[GAME, FOLLOWED] = -1
            return
        s[GAME, FOLLOWED] = followed + 1
        if followed + 1 == 4:
            dealer = s[GAME, DEALER]
            before = s[PAY_KONG, dealer]
            pay_each(s, r, dealer, -r[FLAG, R_FOLLOW_POINTS])
            paid = before - s[PAY_KONG, dealer]
            for seat in range(4):
                s[FOLLOW_PAID, seat] = -paid if seat == dealer else paid // 3
            s[GAME, FOLLOWED] = -1


@kernel
def _can_hu(s, r, t, seat, kind, replacement):
    """Return 1 when the seat may win by self-draw on ``kind``, and price the hand; else 0."""
    if r[FLAG, R_WAYS] & 1 == 0:
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
    return 1 if value(s, r, seat, kind, ZIMO, events, 0) else 0


@kernel
def _own_kong(s, r, t, seat, move, k, trace):
    """Announce a concealed or added kong and make it; return the number of robbers, 0 when it stands."""
    record(s, trace, move, seat, k, -1)
    taken = 4 if move == GANG_CONCEALED else 1
    take_tiles(s, seat, k, taken)
    which = ROB_CONCEALED if move == GANG_CONCEALED else ROB_ADDED
    n_winners = _ask_robbers(s, r, t, k, seat, -1, which, trace)
    if n_winners > 0:
        for _ in range(taken - 1):
            add_tile(s, seat, k)
        return n_winners
    s[VISIBLE, k] += taken
    if move == GANG_CONCEALED:
        add_meld(s, seat, MELD_CONCEALED, k, -1)
        _after_kong(s, r, t, seat, MELD_CONCEALED, -1)
        return 0
    s[seat, PUNGS] &= ~(1 << k)
    for i in range(s[seat, N_MELDS]):
        if s[seat, MELD_KIND + i] == k and s[seat, MELD_TYPE + i] == MELD_PENG:
            s[seat, MELD_TYPE + i] = MELD_ADDED
    _after_kong(s, r, t, seat, MELD_ADDED, -1)
    return 0


@kernel
def play_hand(s, r, t, trace):
    """Play one hand; the caller has set the wall, and in row GAME the bots, the ids and the session's fields.

    ``trace`` int64 (n, 4), n = 0 for none. Outcome, payments and winners stay in the state.
    """
    _reset(s)
    _deal(s, r, t, trace)
    seat = s[GAME, DEALER]
    kind = _draw(s, r, seat, False, trace)
    replacement = claimed = False
    first_discard = True
    outcome, from_seat, n_winners, hits = WASHOUT, -1, 0, 0
    while kind >= 0 or claimed:
        can_hu = 0 if claimed else _can_hu(s, r, t, seat, kind, replacement)
        if can_hu and r[FLAG, R_MUST]:
            move, k = HU, 0
        else:
            can_kong = not claimed and wall_left(s) > 0
            answer = ask_turn(s, r, t, s[GAME, SEATED + seat], seat, can_hu, can_kong, _legal_discards(s, r, seat))
            move, k = answer // 64, answer % 64
        if move == HU:
            outcome, n_winners = ZIMO, 1
            break
        if move != DISCARD:
            n_winners = _own_kong(s, r, t, seat, move, k, trace)
            if n_winners > 0:
                outcome, from_seat, kind = QIANGGANG, seat, k
                break
            kind = _draw(s, r, seat, True, trace)
            replacement = True
            continue

        take_tiles(s, seat, k, 1)
        s[VISIBLE, k] += 1
        s[seat, DISCARDS] += 1
        record(s, trace, DISCARD, seat, k, -1)
        _follow(s, r, k)
        s[seat, NEED] = need(s, r, t, seat, 0)
        if s[seat, NEED] == 1 and s[seat, READY_TURN] == NEVER:
            s[seat, READY_TURN] = s[seat, DISCARDS]
        events = 1 << P_DIANPAO
        if replacement:
            events |= 1 << GANGPAO
        if first_discard and s[GAME, UNTOUCHED]:
            events |= 1 << RENHU
        first_discard = replacement = False
        n_winners = _ask_wins(s, r, t, k, seat, -1, DIANPAO, events, trace)
        if n_winners > 0:
            outcome, from_seat, kind = DIANPAO, seat, k
            break
        claimed = False
        if wall_left(s) == 0:
            break
        if not is_ghost(s, k):
            answer, claimer = _claim(s, r, t, k, seat, trace)
            n_winners = s[GAME, N_WINNERS]
            if n_winners > 0:
                outcome, from_seat, kind = QIANGGANG, claimer, k
                break
            if answer != PASS:
                seat = claimer
                claimed = answer != GANG_EXPOSED
                if not claimed:
                    kind = _draw(s, r, seat, True, trace)
                    replacement = True
                continue
        seat = (seat + 1) % 4
        kind = _draw(s, r, seat, False, trace)

    if n_winners > 0:
        hits = _pay_wins(s, r, n_winners, outcome, from_seat, kind, replacement, trace)
    else:
        kind = -1
        if r[FLAG, R_KONG_VOID]:
            for other in range(4):
                s[PAY_KONG, other] = s[FOLLOW_PAID, other]
    record(s, trace, END, -1, -1, outcome)
    s[GAME, OUTCOME] = outcome
    s[GAME, FROM_SEAT] = from_seat
    s[GAME, WIN_TILE] = kind
    s[GAME, HORSE_HITS] = hits
    s[GAME, N_WINNERS] = n_winners
