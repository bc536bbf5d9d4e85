"""The start of a hand and every draw: dealing, ghosts, held horses, flowers, the wall, seats' own walls."""

from __future__ import annotations

from sim.flags import (
    FLAG,
    GHOST_TURNED,
    GHOST_TURNED_TWO,
    HORSES_HELD,
    PASSED_REST,
    R_FLOWER_PRICE,
    R_GHOST_MASK,
    R_GHOST_MODE,
    R_HORSES,
    R_N_HORSES,
    R_N_TILES,
    R_ODD_TILE_STAYS,
    R_PASSED,
    R_RESERVE_PER_KONG,
    R_RESERVED,
    R_STANDING,
    SUCCESSOR,
)
from sim.jit import (
    call_entry,
    kernel,
)
from sim.schema import (
    DEAL,
    DRAW,
    DRAW_TAIL,
    FLOWER,
    INDICATOR,
    NEVER,
)
from sim.settlement import (
    pay_each,
)
from sim.shanten import (
    need,
)
from sim.state import (
    DEALER,
    DRAWS,
    FOLLOW_PAID,
    FOLLOWED,
    GAME,
    GHOST_MASK,
    HEAD,
    HELD_BACK,
    KEPT,
    KONG_FEEDER,
    KONGS,
    LIES_AT,
    LOG_ENTRY,
    LYING_AT,
    N_FLOWERS,
    N_HORSES,
    N_KONGS,
    N_SEAT_COLUMNS,
    N_TRACE,
    NEED,
    OWN_TILE,
    PASSED,
    PASSED_PENG,
    PASSED_POINTS,
    PAY_HAND,
    PAY_HORSE,
    READY_TURN,
    RIVER,
    SAFE,
    SEAT_WALLS,
    SHANTEN_DEAL,
    STANDING,
    STEP,
    TAIL,
    TURNS,
    TWELVE_FEEDER,
    TWELVE_USED,
    UNTOUCHED,
    VISIBLE,
    WALL,
    add_tile,
)
from sim.tiles import (
    FIRST_FLOWER,
    N_KINDS,
)
from sim.tiles import (
    N_FLOWERS as MAX_FLOWERS,
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
def log_event(s, r, t, move, seat, kind, from_seat, offers, detail):
    """Write a row of the trace log (`sim.events`), where one is kept; called before the move changes anything."""
    if s[GAME, LOG_ENTRY]:
        call_entry(s[GAME, LOG_ENTRY], s, r, t, move, seat, kind, from_seat, offers, detail)


@kernel
def wall_left(s):
    """Tiles that can still be drawn."""
    return max(s[GAME, TAIL] - s[GAME, HEAD] + 1 - s[GAME, HELD_BACK], 0)


@kernel
def forget_passed(s, r, seat):
    """Clear the marks of wins that the seat has passed, where the rule set lets them go."""
    if r[FLAG, R_PASSED] != PASSED_REST:
        s[seat, PASSED] = 0
        s[seat, PASSED_POINTS] = -1


@kernel
def change_hand(s, seat):
    """Clear what the others could tell while the seat's hand stayed the same."""
    s[seat, SAFE] = 0
    s[seat, KEPT] = 0


@kernel
def reset(s):
    """Forget the last hand; the wall and the fields of the session are set by the caller."""
    s[:4, :N_SEAT_COLUMNS] = 0
    s[VISIBLE, :34] = 0
    s[PAY_HAND : PAY_HORSE + 1, :4] = 0
    s[KONGS : KONGS + 4, :4] = 0
    s[FOLLOW_PAID, :4] = 0
    s[RIVER : RIVER + 4, :34] = 0
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
    s[GAME, N_KONGS] = 0
    s[GAME, STEP] = 0


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
def _stand(s, r, seat, first_place):
    """Set the first dealt tiles of a seat apart."""
    s[seat, STANDING : STANDING + N_KINDS] = 0
    n = 0
    for place in range(first_place, first_place + 13):
        if n < r[FLAG, R_STANDING] and s[WALL, place] < N_KINDS:
            s[seat, STANDING + s[WALL, place]] += 1
            n += 1


@kernel
def _lay_seat_walls(s, r):
    """Give every seat its own wall: of the tiles after the deal the j-th of each four to the dealer's j-th seat."""
    for i in range(r[FLAG, R_N_TILES]):
        s[LIES_AT, i] = s[LYING_AT, i] = i
    for j in range(4):
        s[GAME, OWN_TILE + (s[GAME, DEALER] + j) % 4] = 52 + j


@kernel
def _bring_own_tile(s, seat):
    """Swap the next tile of a seat's own wall to the head, the tail's tile once its own ones are used up.

    The choice looks at no tile, so all that players see has the same chances as when the head's tile is taken.
    """
    own, head = s[GAME, OWN_TILE + seat], s[GAME, HEAD]
    s[GAME, OWN_TILE + seat] = own + 4
    place = s[LIES_AT, own] if own <= s[GAME, TAIL] else s[GAME, TAIL]
    if place < head or place > s[GAME, TAIL]:
        place = s[GAME, TAIL]
    s[WALL, head], s[WALL, place] = s[WALL, place], s[WALL, head]
    first, chosen = s[LYING_AT, head], s[LYING_AT, place]
    s[LYING_AT, head], s[LYING_AT, place] = chosen, first
    s[LIES_AT, chosen], s[LIES_AT, first] = head, place


@kernel
def deal(s, r, t, trace):
    """Deal thirteen tiles to each seat, turn the indicator, hold tiles back for horses, replace flowers."""
    dealer = s[GAME, DEALER]
    s[GAME, TAIL] = r[FLAG, R_N_TILES] - 1 - r[FLAG, R_RESERVED]
    s[GAME, HEAD] = 52
    s[GAME, HELD_BACK] = 4 * r[FLAG, R_N_HORSES] if r[FLAG, R_HORSES] == HORSES_HELD else 0
    s[GAME, GHOST_MASK] = r[FLAG, R_GHOST_MASK]
    if s[GAME, SEAT_WALLS]:
        _lay_seat_walls(s, r)
    for place in range(52):
        record(s, trace, DEAL, (dealer + place // 13) % 4, s[WALL, place], -1)
    if r[FLAG, R_GHOST_MODE] >= GHOST_TURNED:
        indicator = _turn_indicator(s, r, trace)
        record(s, trace, INDICATOR, -1, indicator, r[SUCCESSOR, indicator])
    for place in range(52):
        if s[WALL, place] < N_KINDS:
            add_tile(s, (dealer + place // 13) % 4, s[WALL, place])
    if r[FLAG, R_STANDING] > 0:
        for j in range(4):
            _stand(s, r, (dealer + j) % 4, 13 * j)
    if r[FLAG, R_N_TILES] > 136:
        for j in range(4):
            _replace_dealt_flowers(s, r, (dealer + j) % 4, 13 * j, trace)
    for seat in range(4):
        s[seat, NEED] = need(s, r, t, seat, 0)
        s[seat, SHANTEN_DEAL] = s[seat, NEED] - 1
        if s[seat, NEED] == 1:
            s[seat, READY_TURN] = 0


@kernel
def _reserve_for_kong(s, r):
    """Take the tiles off the wall's tail that stay there for one more kong; half a stack that does not count may go."""
    n = s[GAME, N_KONGS]
    if n > 1:
        s[GAME, TAIL] -= r[FLAG, R_RESERVE_PER_KONG]
    if r[FLAG, R_ODD_TILE_STAYS]:
        s[GAME, TAIL] += 1 if n % 2 == 0 else -1


@kernel
def draw(s, r, seat, from_tail, trace):
    """Draw from the head, or a kong's replacement from the tail, flowers replaced; return the kind, -1 for none."""
    forget_passed(s, r, seat)
    s[seat, PASSED_PENG] = 0
    s[seat, DRAWS] += 1
    is_replacement = from_tail
    while True:
        if wall_left(s) == 0:
            return -1
        if from_tail:
            kind = _from_tail(s)
        else:
            if s[GAME, SEAT_WALLS]:
                _bring_own_tile(s, seat)
            kind = s[WALL, s[GAME, HEAD]]
            s[GAME, HEAD] += 1
        s[GAME, TURNS] += 1
        record(s, trace, DRAW_TAIL if from_tail else DRAW, seat, kind, wall_left(s))
        if kind < N_KINDS:
            add_tile(s, seat, kind)
            if is_replacement:
                _reserve_for_kong(s, r)
            return kind
        _lay_flower(s, r, seat, kind, trace)
        from_tail = True
