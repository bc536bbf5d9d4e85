"""A kernel that deals and counts, many millions of times."""

from __future__ import annotations

from sim.flags import DECK, FLAG, R_N_TILES
from sim.jit import kernel
from sim.rng import shuffle
from sim.shanten import need
from sim.state import GAME, GHOST_MASK, HAND, N_SEAT_COLUMNS, WALL, add_tile


@kernel
def count_needs(s, r, t, n_tiles, n_deals, seed, counts):
    """Deal ``n_tiles`` to seat 0 ``n_deals`` times and count the needs into ``counts``."""
    for deal in range(n_deals):
        shuffle(r[DECK], r[FLAG, R_N_TILES], seed, deal, 0, s[WALL])
        s[:4, :N_SEAT_COLUMNS] = 0
        s[GAME, GHOST_MASK] = 0
        for place in range(n_tiles):
            add_tile(s, 0, s[WALL, place])
        counts[need(s, r, t, 0, 0)] += 1
    return s[0, HAND]
