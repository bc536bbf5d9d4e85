"""Hypothesis strategies of hands, and states that hold them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from sim.schema import MELD_ADDED, MELD_CHI, MELD_CONCEALED, MELD_EXPOSED, MELD_PENG
from sim.state import GAME, GHOST_MASK, add_meld, add_tile, new_state
from tests.oracle.state import Meld


class Dealt(NamedTuple):
    """Concealed counts (34,), melds, ghost kinds, and tiles of each kind that everybody sees."""

    hand: tuple[int, ...]
    melds: tuple[Meld, ...]
    ghosts: tuple[int, ...]
    visible: tuple[int, ...]

    @property
    def naturals(self) -> tuple[int, ...]:
        return tuple(0 if k in self.ghosts else c for k, c in enumerate(self.hand))

    @property
    def n_ghosts(self) -> int:
        return sum(self.hand[k] for k in self.ghosts)


@st.composite
def dealt(draw: st.DrawFn, size: int = 14, max_ghosts: int = 4) -> Dealt:
    """A random hand of ``size`` tiles less three a meld; often few kinds, so that it is near to complete."""
    ghosts = tuple(draw(st.lists(st.integers(0, 33), max_size=2, unique=True)))
    n_ghosts = draw(st.integers(0, min(4 * len(ghosts), max_ghosts)))
    kinds = [k for k in range(34) if k not in ghosts]
    few = draw(st.integers(5, 31))
    start = draw(st.integers(0, 33))
    chosen = [k for i in range(34) if (k := (start + i) % 34) in kinds][: max(few, 6)]
    stock = {k: 4 for k in chosen}
    melds: list[Meld] = []
    for _ in range(draw(st.integers(0, 4))):
        code = draw(st.sampled_from([MELD_CHI, MELD_PENG, MELD_EXPOSED, MELD_ADDED, MELD_CONCEALED]))
        n = 1 if code == MELD_CHI else 3 if code == MELD_PENG else 4
        runs = [k for k in chosen if k < 27 and k % 9 < 7 and all(stock.get(k + i, 0) for i in range(3))]
        options = runs if code == MELD_CHI else [k for k in chosen if stock[k] >= n]
        if not options:
            continue
        kind = draw(st.sampled_from(options))
        for k in range(kind, kind + 3) if code == MELD_CHI else [kind]:
            stock[k] -= n
        feeder = -1 if code == MELD_CONCEALED else draw(st.integers(1, 3))
        melds.append(Meld(code, kind, feeder))
    left = [k for k in chosen for _ in range(stock[k])]
    n_natural = size - 3 * len(melds) - n_ghosts
    if n_natural < 0 or n_natural > len(left):
        melds, left = [], [k for k in kinds for _ in range(4)]
        n_natural = size - n_ghosts
    order = draw(st.permutations(range(len(left))))
    hand = np.bincount([left[i] for i in order[:n_natural]], minlength=34)
    seen = np.bincount([left[i] for i in order[n_natural : n_natural + draw(st.integers(0, 40))]], minlength=34)
    for meld in melds:
        for k in meld.tiles:
            seen[k] += 1
    for i in range(n_ghosts):
        hand[ghosts[i // 4]] += 1
    return Dealt(tuple(hand.tolist()), tuple(melds), ghosts, tuple(seen.tolist()))


def sit(case: Dealt, seat: int = 0) -> NDArray[np.int64]:
    """A state in which ``seat`` holds the hand."""
    from sim.state import VISIBLE

    s = new_state()
    s[GAME, GHOST_MASK] = sum(1 << k for k in case.ghosts)
    for kind, n in enumerate(case.hand):
        for _ in range(n):
            add_tile(s, seat, kind)
    for meld in case.melds:
        add_meld(s, seat, meld.t, meld.kind, meld.feeder)
    s[VISIBLE, :34] = case.visible
    return s
