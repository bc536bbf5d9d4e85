"""Need: how many tiles a hand lacks (shanten + 1), as the bots count it.

A hand here is its natural tiles, counts of 34 kinds without ghosts, beside the number of ghosts.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from sim.tiles import HONOUR_MASK, N_KINDS, TERMINAL_MASK

from .exact import exact_by_form, exact_discards, exact_shanten, exact_ukeire
from .targets import cost, merge, suits_of

__all__ = [
    "exact_by_form",
    "exact_discards",
    "exact_shanten",
    "exact_ukeire",
    "forms_with",
    "is_complete",
    "need",
    "orphans_need",
    "seven_pairs_need",
    "shanten",
    "standard_need",
]

ORPHANS = tuple(k for k in range(N_KINDS) if (HONOUR_MASK | TERMINAL_MASK) >> k & 1)
NO_FORM = 99  # need of a hand that fits none of the allowed forms


def forms_with(n_ghosts: int, forms: Iterable[str], natural: Collection[str]) -> tuple[str, ...]:
    """Return the forms that are there for a hand with so many ghosts; those in ``natural`` only without any."""
    return tuple(form for form in forms if not n_ghosts or form not in natural)


def standard_need(naturals: tuple[int, ...], n_melds: int, n_ghosts: int) -> int:
    """Fewest tiles to add for the sets not yet melded and a pair, minus ghosts.

    Without a ghost in hand no added tile may be a fifth copy among the concealed tiles.
    """
    m, p, s, honours = (cost(suit, limit=n_ghosts == 0) for suit in suits_of(naturals))
    return merge(merge(m, p), merge(s, honours))[2 * (4 - n_melds) + 1] - n_ghosts


def seven_pairs_need(naturals: tuple[int, ...], n_ghosts: int) -> int:
    """Tiles to add for seven pairs; four of a kind is two pairs."""
    pairs = sum(c // 2 for c in naturals)
    singles = sum(c % 2 for c in naturals)
    return max(0, 7 - pairs - min(singles, n_ghosts) - max(n_ghosts - singles, 0) // 2)


def orphans_need(naturals: tuple[int, ...], n_ghosts: int) -> int:
    """Tiles to add for thirteen orphans."""
    held = [naturals[k] for k in ORPHANS if naturals[k]]
    return max(0, 14 - len(held) - any(c > 1 for c in held) - n_ghosts)


def need(naturals: tuple[int, ...], n_melds: int, n_ghosts: int, forms: Iterable[str]) -> int:
    """Return the smallest need over the allowed forms; a hand with melds has only the standard form."""
    needs = [NO_FORM]
    for form in forms:
        if form == "standard":
            needs.append(standard_need(naturals, n_melds, n_ghosts))
        elif n_melds == 0:
            by_form = seven_pairs_need if form == "seven_pairs" else orphans_need
            needs.append(by_form(naturals, n_ghosts))
    return min(needs)


def shanten(naturals: tuple[int, ...], n_melds: int, n_ghosts: int, forms: Iterable[str]) -> int:
    """Return need - 1: 0 is ready, -1 complete."""
    return need(naturals, n_melds, n_ghosts, forms) - 1


def is_complete(naturals: tuple[int, ...], n_melds: int, n_ghosts: int, forms: Iterable[str]) -> bool:
    """Say whether 14 tiles (less 3 a meld) are a winning shape, a fifth natural copy allowed."""
    for form in forms:
        if form == "standard":
            m, p, s, honours = (cost(suit, limit=False) for suit in suits_of(naturals))
            if merge(merge(m, p), merge(s, honours))[2 * (4 - n_melds) + 1] == n_ghosts:
                return True
        elif n_melds == 0 and need(naturals, n_melds, n_ghosts, (form,)) == 0:
            return True
    return False
