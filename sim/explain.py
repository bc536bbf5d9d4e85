"""Why a win pays what it pays: the reading that was priced, its patterns with their sources, every single payment.

The search for readings is plain Python, slower than `sim.readings` and independent of it; what a reading is worth
comes from the same kernels (`sim.scoring`). `explain` finds a reading with exactly the patterns and points that
`sim.score.score` returned, and splits its payments into parts that sum to them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations_with_replacement
from typing import Any, NamedTuple

from sim import patterns, tiles
from sim.flags import WAY_BITS, horse_classes, horse_numbers, to_flags
from sim.rules import MAX_DOUBLINGS, MAX_REPEAT, Rules
from sim.score import Claim, Meld, Result, Table, kong_feeder
from sim.scoring import price, set_patterns, tile_patterns
from sim.shanten import ORPHAN_MASK

STANDARD, SEVEN_PAIRS, ORPHANS, FOUR_GHOSTS = "standard", "seven_pairs", "thirteen_orphans", "four_ghosts"
_NINE_GATES = (3, 1, 1, 1, 1, 1, 1, 1, 3)
_EVENTS_OF_CHICKEN = (patterns.GANGKAI, patterns.P_QIANGGANG, patterns.HAIDI)
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


class _Hand:
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


# Readings


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


def _is_nine_gates(hand: _Hand, groups: Sequence[Group]) -> bool:
    """Whether a concealed one-suit reading is 1112345678999 and the winning tile."""
    kinds = [kind for group in groups for kind in group.kinds]
    over = [kinds.count(kinds[0] // 9 * 9 + rank) - n for rank, n in enumerate(_NINE_GATES)]
    return min(over) >= 0 and (hand.win is None or over[hand.win % 9] == 1)


def _standard(hand: _Hand) -> Iterator[tuple[Reading, int]]:
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


def _seven_pairs(hand: _Hand) -> Iterator[tuple[Reading, int]]:
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


def _orphans(hand: _Hand) -> Iterator[tuple[Reading, int]]:
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


def _four_ghosts(hand: _Hand) -> Iterator[tuple[Reading, int]]:
    """Yield the hand as it lies; it need not be complete."""
    kinds = [k for k, n in enumerate(hand.natural) if n]
    kinds += [kind for meld in hand.melds for kind in meld.kinds]
    pungs = _mask([meld.kinds[0] for meld in hand.melds if not meld.is_chow])
    found = int(set_patterns(_mask(kinds), 1, 1, pungs, 0, *hand.winds)) & _LOOSE
    yield Reading(FOUR_GHOSTS, hand.melds, None), found


def _readings(hand: _Hand, events: int) -> Iterator[tuple[Reading, int]]:
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


def _all_events(hand: _Hand, events: int) -> int:
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
    hand, r = _Hand(rules, claim, table), to_flags(rules)
    ways = [(hand, _all_events(hand, result.events))]
    if rules.scoring.yinghu == "as_itself" and hand.ghosts:
        natural = _Hand(rules, claim, table, as_themselves=True)
        ways.append((natural, (ways[0][1] | 1 << patterns.YINGHU) & ~(1 << patterns.FOUR_GHOSTS)))
    for seen, events in ways:
        for reading, found in _readings(seen, events):
            points, _, counted = price(r, events | found, WAY_BITS[table.source])
            if (points, counted) == (result.share, result.counted):
                return reading
    raise LookupError(f"no reading of {tiles.show([*claim.hand, claim.win])} has what it was priced with")


# Patterns and payments


def _fans(rules: Rules, result: Result) -> list[dict[str, Any]]:
    """Return the counted patterns with role, value and the clause that says so."""
    fans: list[dict[str, Any]] = []
    changes = any(
        result.events >> p & 1 and _role(rules, patterns.PATTERNS[p].slug) != "none" for p in _EVENTS_OF_CHICKEN
    )
    for index, pattern in enumerate(patterns.PATTERNS):
        if not result.counted >> index & 1:
            continue
        value, path = rules.patterns[pattern.slug].value, f"patterns.{pattern.slug}"
        if index == patterns.CHICKEN and changes and rules.scoring.method == "sum":
            value, path = rules.scoring.chicken_with_event, "scoring.chicken_with_event"
        fans.append(
            {
                "name": rules.pattern_name(index),
                "slug": pattern.slug,
                "role": _role(rules, pattern.slug),
                "value": value,
                "source": rules.source_of(path),
            }
        )
    return fans


def _role(rules: Rules, slug: str) -> str:
    entry = rules.patterns.get(slug)
    return entry.role if entry else "none"


def liability_kind(rules: Rules, claim: Claim, table: Table) -> str:
    """Return which field of ``liability`` makes a seat pay for all three; the seat is known to be liable."""
    if table.source == "dianpao":
        return "quanqiuren"
    if rules.liability.gangkai_direct and kong_feeder(claim) >= 0:
        return "gangkai_direct"
    honours = [min(meld.kinds) for meld in claim.melds if meld.type not in ("chi", "angang")]
    dragons = sum(kind >= tiles.FIRST_DRAGON for kind in honours)
    winds = sum(tiles.FIRST_HONOUR <= kind < tiles.FIRST_DRAGON for kind in honours)
    if rules.liability.dragons_winds and (dragons == 3 or winds == 4):
        return "dragons_winds"
    return "twelve_tiles"


def _origin(rules: Rules, table: Table, winner: int, n_winners: int) -> int:
    """Seat that counts as "1" for the payments to a winner."""
    if table.origin is not None:
        return table.origin
    if n_winners > 1 and rules.horses.origin_multiple == "from_seat" and table.from_seat is not None:
        return table.from_seat
    return winner if rules.horses.origin == "winner" else table.dealer


class _Account:
    """The payments on account of one winner."""

    def __init__(self, winner: int) -> None:
        self.winner = winner
        self.entries: list[dict[str, Any]] = []

    def pay(self, payer: int, receiver: int, points: int, reason: str, **details: Any) -> None:
        """Note what ``payer`` pays; what is taken off again goes the other way, nothing is not noted."""
        if points < 0:
            payer, receiver, points = receiver, payer, -points
        if points and payer != receiver:
            entry = {"from": payer, "to": receiver, "points": points, "reason": reason, "winner": self.winner}
            self.entries.append(entry | details)


def _debts(
    rules: Rules, claim: Claim, table: Table, result: Result
) -> Iterator[tuple[int, list[int], str, dict[str, Any]]]:
    """Yield who pays what which seats owe, with reason and details."""
    losers = [seat for seat in range(tiles.N_SEATS) if seat != claim.winner]
    if result.liable >= 0:
        kind = liability_kind(rules, claim, table)
        yield result.liable, losers, "liability", {"kind": kind, "source": rules.source_of(f"liability.{kind}")}
    elif table.source == "qianggang" and table.from_seat is not None and rules.win.rob_shares == tiles.N_SEATS - 1:
        yield table.from_seat, losers, "rob", {"shares": rules.win.rob_shares}
    elif table.source == "zimo" or rules.win.payers == "all":
        yield from ((seat, [seat], "share", {}) for seat in losers)
    elif table.from_seat is not None and table.source == "qianggang":
        yield table.from_seat, [table.from_seat], "rob", {"shares": rules.win.rob_shares}
    elif table.from_seat is not None:
        yield table.from_seat, [table.from_seat], "share", {}


def _multiples(rules: Rules, claim: Claim, table: Table, seat: int, melds: Sequence[Meld]) -> list[tuple[str, int]]:
    """Return what multiplies a hand for what one seat has done, winner or loser: field and tenths, in order."""
    times = rules.multiples
    made = Counter(meld.type for meld in melds)
    n_exposed = made.total() - made["angang"]
    found = [("opened", times.opened)] * (n_exposed if times.opened_each else min(n_exposed, 1))
    found += [("concealed_kong", times.concealed_kong)] * made["angang"]
    found += [("exposed_kong", times.exposed_kong)] * (made["minggang"] + made["bugang"])
    if seat == claim.winner and table.source == "zimo":
        found.append(("zimo", times.zimo))
    if seat == table.from_seat and table.source == "dianpao":
        found.append(("feeder", times.feeder))
    return [(name, tenths) for name, tenths in found if tenths != 10]


def _as_records(multiples: Sequence[tuple[str, int]]) -> list[dict[str, Any]]:
    """Return multiples as a program reads them."""
    return [{"field": name, "times": tenths / 10} for name, tenths in multiples]


def _times(points: int, multiples: Sequence[tuple[str, int]]) -> int:
    for _, tenths in multiples:
        points = points * tenths // 10
    return points


def _repeated(rules: Rules, points: int, repeat: int) -> int:
    n = min(repeat, MAX_REPEAT)
    if rules.dealer.repeat_mode == "double":
        return points << n
    return points + n * rules.dealer.repeat_points * rules.scoring.base


def _has_four_ghosts(claim: Claim, table: Table) -> bool:
    return any([*claim.hand, claim.win].count(kind) == tiles.COPIES for kind in ghost_kinds(table))


def _drawn_hits(rules: Rules, claim: Claim, table: Table, origin: int) -> list[tuple[int, int, int]]:
    """Return (kind, seat that it means, hits) of each drawn horse."""
    horses = rules.horses
    drawn = table.horses if isinstance(table.horses, tuple) else ()
    if horses.kind != "drawn" or (table.source == "qianggang" and not horses.on_rob):
        return []
    classes, numbers = horse_classes(horses.map), horse_numbers(horses.honour_number)
    every = horses.four_ghosts_hit and _has_four_ghosts(claim, table)
    found = []
    for kind in drawn:
        seat = (origin + int(classes[kind])) % tiles.N_SEATS
        hits = int(numbers[kind]) if horses.hit == "number" else int(every or seat == claim.winner)
        found.append((kind, seat, hits))
    return found


def _capped(rules: Rules, owed: dict[int, int]) -> dict[int, int]:
    """Return what the three seats owe after the caps: each alone, or all at the golden cap (金顶)."""
    cap = rules.scoring.loss_cap * rules.scoring.base
    if not cap:
        return owed
    if rules.scoring.loss_cap_all and min(owed.values()) > cap:
        return dict.fromkeys(owed, rules.scoring.loss_cap_all * rules.scoring.base)
    return {seat: min(points, cap) for seat, points in owed.items()}


def _growth(rules: Rules, share: int, hits: int, before: int) -> int:
    """Return what ``hits`` more hits add to a share that had ``before`` hits."""
    horses = rules.horses
    if horses.price == "fixed":
        return hits * horses.fixed * rules.scoring.base
    if horses.price == "double":
        return (share << min(before + hits, MAX_DOUBLINGS)) - (share << min(before, MAX_DOUBLINGS))
    return hits * share


def _of_winner(rules: Rules, claim: Claim, table: Table, result: Result, n_winners: int) -> list[dict[str, Any]]:
    """Return the payments on account of one winner: shares, caps, horses."""
    account, winner = _Account(claim.winner), claim.winner
    origin = _origin(rules, table, winner, n_winners)
    drawn = _drawn_hits(rules, claim, table, origin)
    repeated = _repeated(rules, result.share, table.repeat)
    own = _multiples(rules, claim, table, winner, claim.melds)
    losers = [seat for seat in range(tiles.N_SEATS) if seat != winner]
    theirs = {seat: _multiples(rules, claim, table, seat, table.other_melds.get(seat, ())) for seat in losers}
    uncapped = {seat: _times(_times(repeated, own), theirs[seat]) for seat in losers}
    owed = _capped(rules, uncapped)
    n_hits = sum(hits for *_, hits in drawn)
    grown = {seat: points + _growth(rules, points, n_hits, 0) for seat, points in owed.items()}
    grown_capped = _capped(rules, grown) if drawn else grown
    fine = rules.horses.fine * rules.scoring.base
    for payer, seats, reason, details in _debts(rules, claim, table, result):
        account.pay(payer, winner, len(seats) * result.share, reason, **details)
        account.pay(payer, winner, len(seats) * (repeated - result.share), "repeat", repeat=table.repeat)
        for seat in seats:
            details = {"seat": seat, "winners": _as_records(own), "losers": _as_records(theirs[seat])}
            account.pay(payer, winner, uncapped[seat] - repeated, "multiples", **details)
        account.pay(payer, winner, sum(owed[seat] - uncapped[seat] for seat in seats), "loss_cap")
        before = 0
        for kind, meant, hits in drawn:
            more = sum(_growth(rules, owed[seat], hits, before) for seat in seats)
            account.pay(payer, winner, more, "horse", tile=tiles.tile_name(kind), seat=meant, hits=hits)
            before += hits
        account.pay(payer, winner, sum(grown_capped[seat] - grown[seat] for seat in seats), "loss_cap")
        for kind, meant, hits in drawn:
            if not hits:
                name = tiles.tile_name(kind)
                account.pay(payer, winner, -len(seats) * fine, "horse_fine", tile=name, seat=meant)
        if isinstance(table.horses, dict):
            _mirror(account, rules, table.horses, origin, payer, sum(owed[seat] for seat in seats))
    if rules.kong.follow_horses and n_hits:
        for vector in table.kong_pay:
            is_own_kong = vector[winner] > 0 and sum(points > 0 for points in vector) == 1
            for payer in losers if is_own_kong else []:
                account.pay(payer, winner, -vector[payer] * n_hits, "kong_horse", hits=n_hits)
    return account.entries


def _mirror(
    account: _Account, rules: Rules, held: dict[int, tuple[int, ...]], origin: int, payer: int, amount: int
) -> None:
    """Mirror one payment for every held horse (R29)."""
    classes = horse_classes(rules.horses.map)
    for holder, kinds in held.items():
        for kind in kinds:
            seat = (origin + int(classes[kind])) % tiles.N_SEATS
            details = {"tile": tiles.tile_name(kind), "seat": seat, "holder": holder}
            if seat == account.winner:
                account.pay(payer, holder, amount, "horse", **details)
            elif seat == payer:
                account.pay(holder, account.winner, amount, "horse", **details)


def _other_payments(reason: str, vectors: Sequence[tuple[int, ...]]) -> list[dict[str, Any]]:
    """Split each vector of net points into payments: who pays most pays first, to the one who gets most."""
    entries: list[dict[str, Any]] = []
    for vector in vectors:
        left = list(vector)
        while any(left):
            payer, receiver = left.index(min(left)), left.index(max(left))
            points = min(-left[payer], left[receiver])
            entries.append({"from": payer, "to": receiver, "points": points, "reason": reason})
            left[payer], left[receiver] = left[payer] + points, left[receiver] - points
    return entries


# The whole


def _hand(rules: Rules, claim: Claim, table: Table, result: Result) -> dict[str, Any]:
    reading = find_reading(rules, claim, table, result)
    ghosts = _Hand(rules, claim, table).ghosts
    stands: dict[str, list[str]] = {}
    as_themselves = not reading.filled and reading.form != FOUR_GHOSTS
    stands_for = ghosts if as_themselves else reading.filled  # in 四鬼胡 they stand for nothing
    for ghost, kind in zip(ghosts, stands_for, strict=False):
        stands.setdefault(tiles.KIND_NAMES[ghost], []).append(tiles.KIND_NAMES[kind])
    return {
        "winner": claim.winner,
        "form": reading.form,
        "sets": [tiles.show(group.kinds) for group in reading.sets],
        "pair": tiles.show(reading.pair.kinds) if reading.pair else None,
        "ghosts": stands,
        "fans": _fans(rules, result),
    }


def explain(
    rules: Rules, claims: Sequence[Claim], table: Table, results: Sequence[Result]
) -> tuple[list[dict[str, Any] | None], list[dict[str, Any]]]:
    """Explain what `sim.score.score` returned for the same arguments.

    Returns
    -------
    hands, payments
        For each claim ``winner``, ``form``, ``sets``, ``pair``, ``ghosts`` (kind of ghost -> what each of them stands
        for) and ``fans``, None for no win. Payments of all winners, then of kongs: ``from``, ``to``, ``points``,
        ``reason`` (share, rob, liability, repeat, multiples, horse, horse_fine, kong_horse, loss_cap, kong_pay,
        other_pay) and what belongs to the reason.
    """
    hands = [
        _hand(rules, claim, table, result) if result.is_win else None
        for claim, result in zip(claims, results, strict=True)
    ]
    paid = [(claim, result) for claim, result in zip(claims, results, strict=True) if result.is_paid]
    table = replace(table, other_melds={**table.other_melds, **{claim.winner: claim.melds for claim in claims}})
    payments = [entry for claim, result in paid for entry in _of_winner(rules, claim, table, result, len(paid))]
    others = _other_payments("kong_pay", table.kong_pay) + _other_payments("other_pay", table.other_pay)
    return hands, payments + others


def total(payments: Sequence[dict[str, Any]]) -> list[int]:
    """Return the net points of the four seats."""
    points = [0] * tiles.N_SEATS
    for entry in payments:
        points[entry["from"]] -= entry["points"]
        points[entry["to"]] += entry["points"]
    return points
