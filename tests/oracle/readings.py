"""All readings of a winning hand: its form, its sets, and what each ghost stands for.

Patterns look only at a few traits of a reading, so readings with the same traits are one here.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from functools import cache
from itertools import combinations_with_replacement
from typing import NamedTuple

from sim import schema
from sim.tiles import FIRST_DRAGON, FIRST_HONOUR, N_KINDS

from .shanten import ORPHANS, orphans_need
from .state import Meld, plus

HONOURS_CLASS = 9  # classes 3 s, 3 s + 1, 3 s + 2: terminals, 2 5 8 and 3 4 6 7 of suit s


class Reading(NamedTuple):
    """What patterns need to know of a hand, or of a part of it."""

    form: str = "standard"
    classes: int = 0  # bit c is set when a tile of class c is there
    chows: int = 0
    pungs: int = 0  # kongs included
    dragons: int = 0  # bit d is set when a pung of dragon d is there
    winds: int = 0  # bit w is set when a pung of wind w is there
    dragon_pair: int = 0
    wind_pair: int = 0
    fours: int = 0  # fours of a kind among seven pairs
    natural_fours: int = 0  # of them, those without ghosts

    def join(self, other: Reading) -> Reading:
        """Return the reading of both parts together."""
        return Reading(
            self.form,
            self.classes | other.classes,
            self.chows + other.chows,
            self.pungs + other.pungs,
            self.dragons | other.dragons,
            self.winds | other.winds,
            self.dragon_pair + other.dragon_pair,
            self.wind_pair + other.wind_pair,
            self.fours + other.fours,
            self.natural_fours + other.natural_fours,
        )


def tile_class(kind: int) -> int:
    """Return the class of a kind."""
    if kind >= FIRST_HONOUR:
        return HONOURS_CLASS
    rank = kind % 9 + 1
    return 3 * (kind // 9) + (0 if rank in (1, 9) else 1 if rank in (2, 5, 8) else 2)


def _classes(kinds: Iterable[int]) -> int:
    mask = 0
    for kind in kinds:
        mask |= 1 << tile_class(kind)
    return mask


def _is_wind(kind: int) -> bool:
    return FIRST_HONOUR <= kind < FIRST_DRAGON


@cache
def pair_of(kind: int) -> Reading:
    """Return the part that is a pair."""
    return Reading(classes=_classes([kind]), dragon_pair=int(kind >= FIRST_DRAGON), wind_pair=int(_is_wind(kind)))


@cache
def pung_of(kind: int) -> Reading:
    """Return the part that is a pung or kong."""
    return Reading(
        classes=_classes([kind]),
        pungs=1,
        dragons=1 << kind - FIRST_DRAGON if kind >= FIRST_DRAGON else 0,
        winds=1 << kind - FIRST_HONOUR if _is_wind(kind) else 0,
    )


@cache
def chow_of(low: int) -> Reading:
    """Return the part that is a chow."""
    return Reading(classes=_classes([low, low + 1, low + 2]), chows=1)


def can_start_chow(kind: int) -> bool:
    """Say whether kind, kind + 1, kind + 2 are a chow."""
    return kind < FIRST_HONOUR and kind % 9 <= 6


@cache
def any_pair(deck: tuple[int, ...]) -> frozenset[Reading]:
    """Return every pair of a deck's kinds."""
    return frozenset(pair_of(k) for k in deck)


@cache
def any_set(deck: tuple[int, ...]) -> frozenset[Reading]:
    """Return every pung and chow of a deck's kinds."""
    return frozenset([pung_of(k) for k in deck] + [chow_of(k) for k in deck if can_start_chow(k)])


def of_melds(melds: Iterable[Meld]) -> Reading:
    """Return the part that is laid down."""
    part = Reading()
    for meld in melds:
        part = part.join(chow_of(meld.kind) if meld.t == schema.MELD_CHI else pung_of(meld.kind))
    return part


def _products(parts: Iterable[Reading], others: Collection[Reading]) -> frozenset[Reading]:
    return frozenset(a.join(b) for a in parts for b in others)


def _groups(kind: int) -> Iterator[tuple[Reading, list[int]]]:
    """Each pair, pung and chow that holds a kind, with the other tiles that it needs."""
    yield pair_of(kind), [kind]
    yield pung_of(kind), [kind, kind]
    for low in (kind - 2, kind - 1, kind):
        if low >= 0 and can_start_chow(low) and low // 9 == kind // 9:
            yield chow_of(low), [k for k in (low, low + 1, low + 2) if k != kind]


def _fillings(naturals: tuple[int, ...], wanted: list[int]) -> Iterator[tuple[tuple[int, ...], int]]:
    """Every way to take the wanted tiles from the hand or from ghosts: the naturals left, the ghosts used."""
    if not wanted:
        yield naturals, 0
        return
    first, rest = wanted[0], wanted[1:]
    if naturals[first]:
        left = plus(naturals, first, -1)
        yield from _fillings(left, rest)
    for left, used in _fillings(naturals, rest):
        yield left, used + 1


def standard_readings(
    naturals: tuple[int, ...], n_ghosts: int, n_sets: int, deck: tuple[int, ...]
) -> frozenset[Reading]:
    """Readings as sets and a pair.

    The lowest natural tile must lie in some group; each such group is tried, its other tiles natural or
    ghosts. When no natural tile is left, ghosts alone make the groups that are missing.
    """
    known: dict[tuple[tuple[int, ...], int, int, int], frozenset[Reading]] = {}

    def cover(left: tuple[int, ...], ghosts: int, sets: int, pairs: int) -> frozenset[Reading]:
        key = (left, ghosts, sets, pairs)
        if key not in known:
            known[key] = _cover(left, ghosts, sets, pairs)
        return known[key]

    def _cover(left: tuple[int, ...], ghosts: int, sets: int, pairs: int) -> frozenset[Reading]:
        lowest = next((k for k in range(N_KINDS) if left[k]), None)
        if lowest is None:
            parts: frozenset[Reading] = frozenset([Reading()])
            for choice in [any_set(deck)] * sets + [any_pair(deck)] * pairs:
                parts = _products(parts, choice)
            return parts
        found: set[Reading] = set()
        without = plus(left, lowest, -1)
        for group, others in _groups(lowest):
            is_pair = len(others) == 1
            if (pairs if is_pair else sets) == 0:
                continue
            for rest, used in set(_fillings(without, others)):
                if used <= ghosts:
                    tail = cover(rest, ghosts - used, sets - (not is_pair), pairs - is_pair)
                    found |= _products(tail, [group])
        return frozenset(found)

    if sum(naturals) + n_ghosts != 3 * n_sets + 2:
        return frozenset()
    return cover(naturals, n_ghosts, n_sets, 1)


def seven_pairs_readings(naturals: tuple[int, ...], n_ghosts: int, deck: tuple[int, ...]) -> frozenset[Reading]:
    """Readings as seven pairs: a ghost beside each single tile, the other ghosts pairs of any kinds."""
    singles = sum(c % 2 for c in naturals)
    spare = n_ghosts - singles
    natural_fours = sum(c // 4 for c in naturals)
    if sum(naturals) + n_ghosts != 14 or spare < 0 or spare % 2:
        return frozenset()
    found = set()
    for chosen in combinations_with_replacement(deck, spare // 2):
        counts = [c + c % 2 for c in naturals]
        for kind in chosen:
            counts[kind] += 2
        fours = sum(c // 4 for c in counts)
        kinds = [k for k in range(N_KINDS) if counts[k]]
        found.add(Reading("seven_pairs", classes=_classes(kinds), fours=fours, natural_fours=natural_fours))
    return frozenset(found)


def orphans_readings(naturals: tuple[int, ...], n_ghosts: int) -> frozenset[Reading]:
    """Return the one reading as thirteen orphans, where there is one."""
    if sum(naturals) + n_ghosts != 14 or orphans_need(naturals, n_ghosts):
        return frozenset()
    return frozenset([Reading("thirteen_orphans", classes=_classes(ORPHANS))])


def four_ghosts_reading(naturals: tuple[int, ...], melds: Iterable[Meld]) -> Reading:
    """Return the reading of a hand that wins by four ghosts alone: no sets but its melds, ghosts as nothing."""
    return Reading("four_ghosts", classes=_classes(k for k in range(N_KINDS) if naturals[k])).join(of_melds(melds))


def readings(
    naturals: tuple[int, ...],
    n_ghosts: int,
    melds: Collection[Meld],
    forms: Iterable[str],
    deck: tuple[int, ...] = tuple(range(N_KINDS)),
) -> frozenset[Reading]:
    """Return every reading of concealed tiles (the winning one included) and melds over the allowed forms."""
    found: set[Reading] = set()
    for form in forms:
        if form == "standard":
            concealed = standard_readings(naturals, n_ghosts, 4 - len(melds), deck)
            found |= _products(concealed, [of_melds(melds)])
        elif not melds and form == "seven_pairs":
            found |= seven_pairs_readings(naturals, n_ghosts, deck)
        elif not melds:
            found |= orphans_readings(naturals, n_ghosts)
    return frozenset(found)
