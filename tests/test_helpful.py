"""Which tiles help: those after which the need is lower, in any hand without ghosts, also with fours."""

from __future__ import annotations

import numpy as np
import pytest

from sim.flags import to_flags
from sim.helpful import helpful
from sim.rules import load
from sim.shanten import need
from sim.state import GAME, GHOST_MASK, HAND, N_MELDS, N_SEAT_COLUMNS, NEED, add_tile, new_state, take_tiles
from sim.tables import load as load_tables


@pytest.mark.parametrize("forms", [["standard"], ["standard", "seven_pairs", "thirteen_orphans"]])
def test_helpful_tiles_are_those_that_lower_the_need(forms: list[str]) -> None:
    s, r, t = new_state(), to_flags(load("zhuama", {"win.forms": forms})), load_tables()
    rng = np.random.default_rng(3)
    deck = np.repeat(np.arange(34), 4)
    for i in range(600):
        n_melds = int(rng.integers(0, 5))
        some = (deck, deck[deck < 18], deck[(deck < 9) | (deck >= 27)])[i % 3]
        s[:4, :N_SEAT_COLUMNS] = 0
        s[GAME, GHOST_MASK] = 0
        for kind in rng.choice(some, 13 - 3 * n_melds, replace=False):
            add_tile(s, 0, kind)
        s[0, N_MELDS] = n_melds
        now = s[0, NEED] = need(s, r, t, 0, 0)
        mask = helpful(s, r, t, 0)
        for kind in range(34):
            if s[0, HAND + kind] == 4:
                assert (mask >> kind) & 1 == 0
                continue
            add_tile(s, 0, kind)
            lower = need(s, r, t, 0, 0) < now
            take_tiles(s, 0, kind, 1)
            assert bool((mask >> kind) & 1) == lower, (i, kind)
