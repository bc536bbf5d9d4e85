"""Which reading of a winning hand was priced: sets, pair, and what each ghost stands for.

The search is plain Python, slower than `sim.readings` and independent of it; what a reading is worth comes from the
same kernels (`sim.scoring`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement
from typing import NamedTuple

from sim import patterns, tiles
from sim.flags import WAY_BITS, to_flags
from sim.rules import Rules
from sim.score import Claim, Result, Table
from sim.scoring import price, set_patterns, tile_patterns
from sim.shanten import ORPHAN_MASK

STANDARD, SEVEN_PAIRS, ORPHANS, FOUR_GHOSTS = "standard", "seven_pairs", "thirteen_orphans", "four_ghosts"
_NINE_GATES = (3, 1, 1, 1, 1, 1, 1, 1, 3)
_LUXURY = (patterns.LUXURY, patterns.DOUBLE_LUXURY, patterns.TRIPLE_LUXURY)
# What a hand has without being complete (四鬼胡).
_LOOSE = sum(
    1 << p for p in (patterns.QUEMEN, patterns.SEAT_WIND, patterns.ROUND_WIND, patterns.DRAGON_1, patterns.DRAGON_2)
)


class Group(NamedTuple):
    """Tiles that belong together: a set, a pair or a single tile; ``filled`` are the kinds that ghosts stand for."""

    kinds: tuple[int, ...]
    filled: tuple[int, ...] = ()

    @property
    def is_chow(self) -> bool:
        """Whether it is a run."""
        return len(set(self.kinds)) == 3


class Reading(NamedTuple):
    """One way to see a hand; ``sets`` begins with the melds, seven pairs have no other ``pair``."""

    form: str
    sets: tuple[Group, ...]
    pair: Group | None

    @property
    def filled(self) -> list[int]:
        """Kinds that ghosts stand for, in the order of the sets."""
        groups = [*self.sets, *([self.pair] if self.pair else [])]
        return [kind for group in groups for kind in group.filled]


class OpenHand:
    """A hand with its winning tile, as the search needs it."""

    def __init__(self, rules: Rules, claim: Claim, table: Table, as_themselves: bool = False) -> None:
        self.rules = rules
        self.claim = claim
        ghosts = frozenset[int]() if as_themselves else ghost_kinds(table)
        held = [*claim.hand, claim.win]
        self.natural = [0] * tiles.N_KINDS
        for kind in held:
            self.natural[kind] += kind not in ghosts
        self.ghosts = [kind for kind in sorted(held) if kind in ghosts]
        self.holds_ghost = bool(set(held) & ghost_kinds(table))
        self.win = None if claim.win in ghosts else claim.win
        self.deck = tiles.TILE_SETS[rules.tiles]
        self.melds = tuple(Group(meld.kinds) for meld in claim.melds)
        self.winds = (
            tiles.FIRST_HONOUR + (claim.winner - table.dealer) % 4,
            tiles.FIRST_HONOUR + table.round_wind,
        )
        self.ghosts_in_play = bool(ghosts)


def ghost_kinds(table: Table) -> frozenset[int]:
    """Return the kinds of ghost in play."""
    return frozenset(table.ghosts)


def _mask(kinds: Sequence[int]) -> int:
    return sum(1 << kind for kind in set(kinds))


def _take(natural: list[int], wanted: tuple[int, ...]) -> tuple[list[int], Group]:
    """Take as many of the wanted kinds as there are; ghosts fill up."""
    left, filled = list(natural), []
    for kind in wanted:
        if left[kind]:
            left[kind] -= 1
        else:
            filled.append(kind)
    return left, Group(wanted, tuple(filled))


def _options(kind: int, n_sets: int, needs_pair: bool) -> Iterator[tuple[int, ...]]:
    """Yield the sets and the pair that a tile can belong to."""
    if n_sets:
        yield (kind,) * 3
    if needs_pair:
        yield (kind,) * 2
    if n_sets and kind < tiles.FIRST_HONOUR:
        for low in (kind, kind - 1, kind - 2):
            if low >= 0 and low // 9 == kind // 9 and low % 9 <= 6:
                yield low, low + 1, low + 2


def _arrangements(
    natural: list[int], n_ghosts: int, n_sets: int, needs_pair: bool, deck: Sequence[int]
) -> Iterator[tuple[Group, ...]]:
    """Yield every way to make sets and a pair of tiles and ghosts; the lowest tile is placed first."""
    kind = next((k for k, n in enumerate(natural) if n), None)
    if kind is None:
        yield from _of_ghosts(n_sets, needs_pair, deck)
        return
    for wanted in _options(kind, n_sets, needs_pair):
        left, group = _take(natural, wanted)
        if len(group.filled) > n_ghosts or not set(group.filled) <= set(deck):
            continue
        is_pair = len(wanted) == 2
        rest = _arrangements(
            left, n_ghosts - len(group.filled), n_sets - (not is_pair), needs_pair and not is_pair, deck
        )
        for others in rest:
            yield (group, *others)


def _of_ghosts(n_sets: int, needs_pair: bool, deck: Sequence[int]) -> Iterator[tuple[Group, ...]]:
    """Yield sets and pair made of ghosts alone."""
    triples = [(k,) * 3 for k in deck]
    triples += [(k, k + 1, k + 2) for k in deck if k < tiles.FIRST_HONOUR and k % 9 <= 6]
    pairs = [(Group((k, k), (k, k)),) for k in deck] if needs_pair else [()]
    for sets in combinations_with_replacement(triples, n_sets):
        for pair in pairs:
            yield (*(Group(kinds, kinds) for kinds in sets), *pair)


def _is_nine_gates(hand: OpenHand, groups: Sequence[Group]) -> bool:
    """Whether a concealed one-suit reading is 1112345678999 and the winning tile."""
    kinds = [kind for group in groups for kind in group.kinds]
    over = [kinds.count(kinds[0] // 9 * 9 + rank) - n for rank, n in enumerate(_NINE_GATES)]
    return min(over) >= 0 and (hand.win is None or over[hand.win % 9] == 1)


def _standard(hand: OpenHand) -> Iterator[tuple[Reading, int]]:
    melds, n_melds = hand.melds, len(hand.melds)
    seen: set[int] = set()
    four_melds = n_melds == 4 and all(meld.type != "angang" for meld in hand.claim.melds)
    for groups in _arrangements(hand.natural, len(hand.ghosts), 4 - n_melds, True, hand.deck):
        pair = next(group for group in groups if len(group.kinds) == 2)
        sets = (*melds, *(group for group in groups if len(group.kinds) == 3))
        kinds = _mask([kind for group in (*sets, pair) for kind in group.kinds])
        n_chows = sum(group.is_chow for group in sets)
        pungs = _mask([group.kinds[0] for group in sets if not group.is_chow])
        found = int(set_patterns(kinds, n_chows, 4 - n_chows, pungs, pair.kinds[0], *hand.winds))
        if four_melds:
            found |= 1 << patterns.QUANQIUREN
        if not n_melds and found >> patterns.QINGYISE & 1 and _is_nine_gates(hand, groups):
            found |= 1 << patterns.JIULIAN
        if found not in seen:
            seen.add(found)
            yield Reading(STANDARD, sets, pair), found


def _seven_pairs(hand: OpenHand) -> Iterator[tuple[Reading, int]]:
    singles = sum(n % 2 for n in hand.natural)
    n_free = (len(hand.ghosts) - singles) // 2
    if hand.melds or len(hand.ghosts) < singles:
        return
    seen: set[int] = set()
    for free in combinations_with_replacement(hand.deck, n_free):
        pairs, fours = [], 0
        for kind, n in enumerate(hand.natural):
            pairs += [Group((kind, kind))] * (n // 2) + [Group((kind, kind), (kind,))] * (n % 2)
            size = n if hand.rules.scoring.luxury_natural else (n + 1) // 2 * 2 + 2 * free.count(kind)
            fours += size // 4
        pairs += [Group((kind, kind), (kind, kind)) for kind in free]
        pairs.sort()
        found = int(tile_patterns(_mask([pair.kinds[0] for pair in pairs]))) | 1 << patterns.SEVEN_PAIRS
        for n, pattern in enumerate(_LUXURY, start=1):
            found |= (fours >= n) << pattern
        if found not in seen:
            seen.add(found)
            yield Reading(SEVEN_PAIRS, tuple(pairs), None), found


def _orphans(hand: OpenHand) -> Iterator[tuple[Reading, int]]:
    kinds = [k for k in range(tiles.N_KINDS) if ORPHAN_MASK >> k & 1]
    if hand.melds or sum(hand.natural) != sum(hand.natural[k] for k in kinds):
        return
    missing = [k for k in kinds if not hand.natural[k]]
    paired = [k for k in kinds if hand.natural[k] > 1]
    if len(missing) + (not paired) != len(hand.ghosts) or len(paired) > 1:
        return
    twin = paired[0] if paired else kinds[0]
    pair = Group((twin, twin), () if paired else (twin,) * (1 + (twin in missing)))
    singles = [Group((k,), (k,) if k in missing else ()) for k in kinds if k != twin]
    yield Reading(ORPHANS, tuple(singles), pair), 1 << patterns.ORPHANS | int(tile_patterns(ORPHAN_MASK))


def _four_ghosts(hand: OpenHand) -> Iterator[tuple[Reading, int]]:
    """Yield the hand as it lies; it need not be complete."""
    kinds = [k for k, n in enumerate(hand.natural) if n]
    kinds += [kind for meld in hand.melds for kind in meld.kinds]
    pungs = _mask([meld.kinds[0] for meld in hand.melds if not meld.is_chow])
    found = int(set_patterns(_mask(kinds), 1, 1, pungs, 0, *hand.winds)) & _LOOSE
    yield Reading(FOUR_GHOSTS, hand.melds, None), found


def _readings(hand: OpenHand, events: int) -> Iterator[tuple[Reading, int]]:
    """Yield readings of the allowed forms with their patterns; of those with equal patterns only the first."""
    forms = set(hand.rules.win.forms) - set(hand.rules.win.natural_forms if hand.holds_ghost else ())
    size = sum(hand.natural) + len(hand.ghosts) + 3 * len(hand.melds)
    if size == 14 and STANDARD in forms:
        yield from _standard(hand)
    if SEVEN_PAIRS in forms:
        yield from _seven_pairs(hand)
    if ORPHANS in forms:
        yield from _orphans(hand)
    if events >> patterns.FOUR_GHOSTS & 1:
        yield from _four_ghosts(hand)


def _all_events(hand: OpenHand, events: int) -> int:
    """Events of the win and the states of the whole hand."""
    if all(meld.type == "angang" for meld in hand.claim.melds):
        events |= 1 << patterns.MENQING
    if hand.ghosts_in_play and not hand.ghosts:
        events |= 1 << patterns.YINGHU
    return events


def find_reading(rules: Rules, claim: Claim, table: Table, result: Result) -> Reading:
    """Return a reading of a win with the patterns and the points that it was priced with.

    Raises
    ------
    LookupError
        When there is none, which is a fault of this module.
    """
    hand, r = OpenHand(rules, claim, table), to_flags(rules)
    ways = [(hand, _all_events(hand, result.events))]
    if rules.scoring.yinghu == "as_itself" and hand.ghosts:
        natural = OpenHand(rules, claim, table, as_themselves=True)
        ways.append((natural, (ways[0][1] | 1 << patterns.YINGHU) & ~(1 << patterns.FOUR_GHOSTS)))
    for seen, events in ways:
        for reading, found in _readings(seen, events):
            points, _, counted = price(r, events | found, WAY_BITS[table.source])
            if (points, counted) == (result.share, result.counted):
                return reading
    raise LookupError(f"no reading of {tiles.show([*claim.hand, claim.win])} has what it was priced with")
