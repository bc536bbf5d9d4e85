"""Complete and ready hands, and the ghost after an indicator, as the referee tests them: without the kernel's code."""

from __future__ import annotations

from functools import lru_cache
from itertools import product

from sim.rules import Rules
from sim.tiles import HONOURS, TILE_SETS

ORPHANS = [0, 8, 9, 17, 18, 26, *range(27, 34)]


@lru_cache(maxsize=1 << 17)
def _least_sets(suit: tuple[int, ...], runs: bool) -> tuple[int, int]:
    """Fewest sets that take up all tiles of a suit, ghosts filling gaps, without and with one pair; 9 for none."""
    first = next((k for k, n in enumerate(suit) if n), None)
    if first is None:
        return 0, 9
    best = [9, 9]
    groups = [(tuple([first] * n), 0) for n in (1, 2, 3) if suit[first] >= n]
    groups += [(tuple([first] * n), 1) for n in (1, 2) if suit[first] >= n]
    if runs:
        for low in range(max(first - 2, 0), min(first, 6) + 1):
            others = [k for k in range(low, low + 3) if k > first and suit[k]]
            groups += [
                ((first, *(k for k, used in zip(others, chosen, strict=True) if used)), 0)
                for chosen in product((True, False), repeat=len(others))
            ]
    for taken, is_pair in groups:
        rest = list(suit)
        for k in taken:
            rest[k] -= 1
        plain, paired = _least_sets(tuple(rest), runs)
        if is_pair:
            best[1] = min(best[1], plain)
        else:
            best[0] = min(best[0], plain + 1)
            best[1] = min(best[1], paired + 1)
    return best[0], best[1]


def is_complete(naturals: list[int], n_ghosts: int, n_melds: int, forms: tuple[str, ...]) -> bool:
    """Whether 14 tiles less three a meld win by shape."""
    if n_melds == 0 and "seven_pairs" in forms and sum(n % 2 for n in naturals) <= n_ghosts:
        return True
    if n_melds == 0 and "thirteen_orphans" in forms:
        others = [n for k, n in enumerate(naturals) if k not in ORPHANS]
        held = [naturals[k] for k in ORPHANS]
        if not any(others) and max(held) <= 2 and held.count(2) <= 1:
            return True
    if "standard" not in forms:
        return False
    suits = [_least_sets(tuple(naturals[9 * s : 9 * s + 9]), s < 3) for s in range(4)]
    without = sum(plain for plain, _ in suits)
    return min(without, *(without - plain + paired for plain, paired in suits)) <= 4 - n_melds


def is_ready(naturals: list[int], n_ghosts: int, n_melds: int, forms: tuple[str, ...]) -> bool:
    """Whether one tile more makes 13 tiles less three a meld win by shape; without a ghost no fifth copy does."""
    if n_ghosts or not is_complete(naturals, 1, n_melds, forms):
        return is_complete(naturals, n_ghosts + 1, n_melds, forms)
    drawn = ([n + (k == more) for k, n in enumerate(naturals)] for more in range(34) if naturals[more] < 4)
    return any(is_complete(tiles, 0, n_melds, forms) for tiles in drawn)


def ghost_after(rules: Rules, indicator: int) -> int:
    """The ghost that an indicator makes."""
    if indicator < 27:
        return indicator - 8 if indicator % 9 == 8 else indicator + 1
    name = HONOURS[indicator - 27]
    cycle = [honour for honour in rules.ghost.honour_cycle if 27 + HONOURS.index(honour) in TILE_SETS[rules.tiles]]
    if not cycle:
        return indicator
    if name not in cycle:
        later = [c for c in HONOURS[indicator - 26 :] if c in cycle]
        return 27 + HONOURS.index(later[0] if later else cycle[0])
    return 27 + HONOURS.index(cycle[(cycle.index(name) + 1) % len(cycle)])
