"""The trace log: what every seat held, saw and could do at each decision of a hand.

``write_event`` is called by address from play (`sim.deal.log_event`) where events are kept, so that the main job is
compiled without it. A row is what `sim.schema.EVENT_COLUMNS` says, as N_WORDS int64: the narrow columns packed into
the first N_PACKED, low bits first, the others one each.
"""

from __future__ import annotations

from sim.deal import wall_left
from sim.helpful import helpful
from sim.jit import array_at, kernel, lowest_bit
from sim.schema import CHI, DECLARE, DISCARD, GANG_ADDED, GANG_CONCEALED, HU, N_FIRST
from sim.shanten import need
from sim.state import (
    DEALER,
    DISCARDS,
    FIRST_DISCARDS,
    GAME,
    GHOST_MASK,
    HAND,
    HAND_NUMBER,
    LAST_DISCARD,
    LOG_AT,
    LOG_ROOM,
    MELD_FROM,
    MELD_KIND,
    MELD_TYPE,
    N_LOGGED,
    N_MELDS,
    NEED,
    RIVER,
    ROUND_WIND,
    STEP,
    TABLE,
    VISIBLE,
    add_tile,
    live,
    take_tiles,
)
from sim.tiles import N_KINDS

N_PACKED = 5  # words that hold several columns
_WAITS, _HAND_LO, _HAND_HI, _MELDS, _RIVER_LO, _RIVER_HI, _FIRST, _VISIBLE = range(N_PACKED, N_PACKED + 32, 4)
_GHOSTS = _VISIBLE + 2
N_WORDS = _GHOSTS + 1
_LOW_KINDS = 21  # kinds in the low word of three bits a kind


@kernel
def _outlook(s, r, t, seat):
    """Return the acceptance in copies and the waits of a hand between turns."""
    kept = s[seat, NEED]
    s[seat, NEED] = need(s, r, t, seat, 0)
    mask = helpful(s, r, t, seat)
    waits = mask if s[seat, NEED] == 1 else 0
    s[seat, NEED] = kept
    copies = 0
    while mask != 0:
        copies += live(s, r, seat, lowest_bit(mask))
        mask &= mask - 1
    return copies, waits


@kernel
def _outlook_after(s, r, t, seat, move, kind):
    """Do the same for a seat that is about to discard, kong or win by self-draw: without those tiles."""
    n, n_melds = 1, 0
    if move == GANG_CONCEALED:
        n, n_melds = 4, 1
    shown = 0 if move == HU else n
    take_tiles(s, seat, kind, n)
    s[VISIBLE, kind] += shown
    s[seat, N_MELDS] += n_melds
    copies, waits = _outlook(s, r, t, seat)
    s[seat, N_MELDS] -= n_melds
    s[VISIBLE, kind] -= shown
    for _ in range(n):
        add_tile(s, seat, kind)
    return copies, waits


@kernel
def _pack_kinds(s, row, column, low, high):
    """Pack the counts of kinds ``low`` .. ``high`` - 1, which stand in a row from ``column`` on."""
    packed = 0
    for k in range(low, high):
        packed |= s[row, column + k] << (3 * (k - low))
    return packed


@kernel
def _pack_melds(s, seat):
    packed = 0
    for i in range(s[seat, N_MELDS]):
        feeder = s[seat, MELD_FROM + i] & 7
        packed |= (s[seat, MELD_TYPE + i] | (s[seat, MELD_KIND + i] << 3) | (feeder << 9)) << (12 * i)
    return packed


@kernel
def _write(s, r, t, words, n, move, seat, kind, from_seat, offers, detail):
    """Fill column ``n`` of ``words`` (N_WORDS, room)."""
    words[0, n] = s[GAME, TABLE] | (s[GAME, HAND_NUMBER] << 32) | (s[GAME, STEP] << 48)
    is_own_turn = move in (DISCARD, DECLARE, GANG_CONCEALED, GANG_ADDED) or (move == HU and from_seat < 0)
    chi_low = detail if move == CHI else -1
    drawn = detail if is_own_turn else -1
    from_draw = 1 if move == DISCARD and kind == detail else 0
    words[1, n] = (
        move | (seat << 8) | ((kind & 255) << 16) | ((from_seat & 255) << 24) | (offers << 32)
        | ((chi_low & 255) << 40) | (from_draw << 48) | (s[seat, DISCARDS] << 56)
    )  # fmt: skip
    words[2, n] = wall_left(s) | ((drawn & 255) << 8) | (s[GAME, DEALER] << 16) | (s[GAME, ROUND_WIND] << 24)
    words[3, n], words[4, n] = 0, 0
    for other in range(4):
        shanten = need(s, r, t, other, 0) - 1
        if is_own_turn and other == seat:
            if move != HU:
                shanten = max(shanten, 0)
            copies, waits = _outlook_after(s, r, t, seat, move, kind)
        else:
            copies, waits = _outlook(s, r, t, other)
        words[2, n] |= (shanten & 255) << (32 + 8 * other)
        words[3, n] |= (copies << (8 * other)) | (s[other, N_MELDS] << (32 + 8 * other))
        words[4, n] |= (s[GAME, LAST_DISCARD + other] & 255) << (8 * other)
        words[_WAITS + other, n] = waits
        words[_HAND_LO + other, n] = _pack_kinds(s, other, HAND, 0, _LOW_KINDS)
        words[_HAND_HI + other, n] = _pack_kinds(s, other, HAND, _LOW_KINDS, N_KINDS)
        words[_MELDS + other, n] = _pack_melds(s, other)
        words[_RIVER_LO + other, n] = _pack_kinds(s, RIVER + other, 0, 0, _LOW_KINDS)
        words[_RIVER_HI + other, n] = _pack_kinds(s, RIVER + other, 0, _LOW_KINDS, N_KINDS)
        words[_FIRST + other, n] = s[GAME, FIRST_DISCARDS + other]
    words[_VISIBLE, n] = _pack_kinds(s, VISIBLE, 0, 0, _LOW_KINDS)
    words[_VISIBLE + 1, n] = _pack_kinds(s, VISIBLE, 0, _LOW_KINDS, N_KINDS)
    words[_GHOSTS, n] = s[GAME, GHOST_MASK]


@kernel
def write_event(s, r, t, move, seat, kind, from_seat, offers, detail):
    """Write one event; ``detail`` is the lowest kind of a chi, or the tile that was drawn before an own move."""
    if s[GAME, STEP] == 0:
        for other in range(4):
            s[GAME, FIRST_DISCARDS + other], s[GAME, LAST_DISCARD + other] = 0, -1
    n, room = s[GAME, N_LOGGED], s[GAME, LOG_ROOM]
    if n < room:
        words = array_at(s[GAME, LOG_AT], N_WORDS, room)
        _write(s, r, t, words, n, move, seat, kind, from_seat, offers, detail)
    if move == DISCARD:
        s[GAME, LAST_DISCARD + seat] = kind
        if s[seat, DISCARDS] < N_FIRST:
            s[GAME, FIRST_DISCARDS + seat] |= (kind + 1) << (6 * s[seat, DISCARDS])
    s[GAME, N_LOGGED] += 1
    s[GAME, STEP] += 1
