"""Who pays whom: wins, liability, kongs, and horses drawn or held."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from sim import schema
from sim.rules import Rules
from sim.tiles import FIRST_DRAGON, FIRST_HONOUR, HONOURS, N_SEATS

from .state import Meld

Points = list[int]  # of seats 0..3; the sum is 0


class Payment(NamedTuple):
    """What one loser pays one winner for the hand itself."""

    payer: int
    winner: int
    points: int


def total(payments: Sequence[Payment]) -> Points:
    """Add payments up by seat."""
    seats = [0] * N_SEATS
    for payer, winner, points in payments:
        seats[payer] -= points
        seats[winner] += points
    return seats


def win_payments(
    rules: Rules, winner: int, source: int, from_seat: int, points: int, liable: int = -1
) -> list[Payment]:
    """Return the payments of one win."""
    if source == schema.DIANPAO:
        return [Payment(from_seat, winner, points)]
    if source == schema.QIANGGANG:
        return [Payment(from_seat, winner, points * rules.win.rob_shares)]
    if liable >= 0:
        return [Payment(liable, winner, 3 * points)]
    return [Payment(seat, winner, points) for seat in range(N_SEATS) if seat != winner]


def kong_points(rules: Rules, t: int, owner: int, feeder: int = -1) -> Points:
    """Return what a kong moves at once; ``t`` is its meld code."""
    price = {
        schema.MELD_EXPOSED: rules.kong.direct,
        schema.MELD_ADDED: rules.kong.added,
        schema.MELD_CONCEALED: rules.kong.concealed,
    }[t] * rules.scoring.base
    others = [seat for seat in range(N_SEATS) if seat != owner]
    payers = [feeder] if t == schema.MELD_EXPOSED and rules.kong.direct_payer == "feeder" else others
    return total([Payment(seat, owner, price) for seat in payers])


def liable_seat(
    rules: Rules,
    winner: int,
    melds: Sequence[Meld],
    replacement_of: Meld | None,
    completions: Sequence[tuple[int, int]],
) -> int:
    """Return the seat that pays for all three when ``winner`` wins by self-draw, -1 when none does.

    Parameters
    ----------
    melds
        The winner's, in the order they were made.
    replacement_of
        The kong whose replacement won, if one did.
    completions
        ``(feeder, seat)`` of each fourth exposed meld of this hand, in order.
    """
    exposed = [meld for meld in melds if meld.is_exposed]
    if rules.liability.gangkai_direct and replacement_of and replacement_of.t == schema.MELD_EXPOSED:
        return replacement_of.feeder
    if rules.liability.dragons_winds:
        dragons = [meld for meld in exposed if meld.kind >= FIRST_DRAGON]
        winds = [meld for meld in exposed if FIRST_HONOUR <= meld.kind < FIRST_DRAGON]
        for melded, n in ((dragons, 3), (winds, 4)):
            if len(melded) == n:
                return melded[-1].feeder
    if rules.liability.twelve_tiles and len(exposed) == 4:
        feeder = exposed[3].feeder
        fed = [seat for by, seat in completions if by == feeder]
        if fed[0] == winner:
            return feeder
    return -1


def horse_class(rules: Rules, kind: int) -> int:
    """Return how many seats after the origin a horse means."""
    name = HONOURS[kind - FIRST_HONOUR] if kind >= FIRST_HONOUR else str(kind % 9 + 1)
    return next(c for c in range(N_SEATS) if name in rules.horses.map[c])


def horse_origins(
    rules: Rules, winners: Sequence[int], from_seat: int, dealer: int, previous_winner: int
) -> dict[int, int]:
    """Return, for each winner, the seat that counts as "1" for its payments."""
    if len(winners) > 1 and rules.horses.origin_multiple == "from_seat":
        return dict.fromkeys(winners, from_seat)
    if rules.horses.origin == "winner":
        return {winner: winner for winner in winners}
    return dict.fromkeys(winners, dealer if rules.horses.origin == "dealer" else previous_winner)


class Settled(NamedTuple):
    """What horses moved, how many were opened, and how many hit."""

    points: Points
    n_horses: int
    n_hits: int


def settle_drawn(payments: Sequence[Payment], classes: Sequence[int], origins: Mapping[int, int]) -> Settled:
    """Settle horses that the winner drew: each payment grows by the winner's hits times itself."""
    hits = {winner: classes.count((winner - origin) % N_SEATS) for winner, origin in origins.items()}
    grown = [Payment(p.payer, p.winner, p.points * hits[p.winner]) for p in payments]
    return Settled(total(grown), len(classes), sum(hits.values()))


def settle_held(
    payments: Sequence[Payment],
    horses: Sequence[tuple[int, int]],
    origins: Mapping[int, int],
    first_origin: int,
) -> Settled:
    """Settle held horses, ``(holder, class)``: each mirrors every payment of the seat that it means.

    Hits are the horses that mean a seat whose points from wins are not 0, counted from ``first_origin``.
    """
    mirrored = []
    for payer, winner, points in payments:
        for holder, c in horses:
            meant = (origins[winner] + c) % N_SEATS
            if meant == winner and holder != payer:
                mirrored.append(Payment(payer, holder, points))
            if meant == payer and holder != winner:
                mirrored.append(Payment(holder, winner, points))
    moved = total(payments)
    hits = sum(moved[(first_origin + c) % N_SEATS] != 0 for _, c in horses)
    return Settled(total(mirrored), len(horses), hits)
