"""Horses: whom they mean, how many are drawn, and what those drawn or held move."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from sim import schema
from sim.rules import MAX_DOUBLINGS, MAX_REPEAT, Rules
from sim.tiles import FIRST_FLOWER, FIRST_HONOUR, HONOURS, N_SEATS

from .settlement import Debt, Payment, Points, capped, payments, total

MAX_HORSES = 20  # drawn in a hand
MAX_LOGGED_HITS = 255


def face_number(kind: int) -> int:
    """Return the number on a suited tile, 1-9, or of a flower, 1-4."""
    return (kind - FIRST_FLOWER) % 4 + 1 if kind >= FIRST_FLOWER else kind % 9 + 1


def horse_number(rules: Rules, kind: int) -> int:
    """Return how often a horse hits where numbers count."""
    return rules.horses.honour_number if FIRST_HONOUR <= kind < FIRST_FLOWER else face_number(kind)


def horse_class(rules: Rules, kind: int) -> int:
    """Return how many seats after the origin a horse means; a flower means what its number does."""
    is_honour = FIRST_HONOUR <= kind < FIRST_FLOWER
    name = HONOURS[kind - FIRST_HONOUR] if is_honour else str(face_number(kind))
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


class Hits(NamedTuple):
    """How often horses hit one winner, and how many missed."""

    hits: int
    misses: int


def n_to_draw(rules: Rules, outcome: int, repeat: int, has_ghost: bool) -> int:
    """Return how many horses are drawn after a win.

    ``has_ghost`` says whether the first winner has a ghost, or no ghosts are in play.
    """
    horses = rules.horses
    if horses.kind != "drawn" or (outcome == schema.QIANGGANG and not horses.on_rob):
        return 0
    n = horses.count if outcome == schema.ZIMO else horses.count_discard
    if outcome == schema.QIANGGANG:
        n += horses.rob_extra
    if not has_ghost:
        n += horses.without_ghost
    return min(n + horses.per_repeat * min(repeat, MAX_REPEAT), MAX_HORSES)


def count_hits(rules: Rules, horses: Sequence[int], distance: int, four_ghosts: bool = False) -> Hits:
    """Count the hits and misses of drawn horses.

    ``distance`` is how far the winner sits from the origin, ``four_ghosts`` whether it has four of a kind of ghost.
    """
    if rules.horses.hit == "number":
        each = [horse_number(rules, kind) for kind in horses]
    elif rules.horses.four_ghosts_hit and four_ghosts:
        each = [1] * len(horses)
    else:
        each = [int(horse_class(rules, kind) == distance) for kind in horses]
    return Hits(sum(each), each.count(0))


def _with_hits(rules: Rules, debt: Debt, hits: Hits) -> tuple[int, ...]:
    """Return what each seat owes as the hits and misses of its winner make it."""
    horses, base = rules.horses, rules.scoring.base
    raised = []
    for s in debt.owed:
        if horses.price == "hand":
            raised.append(s + hits.hits * s)
        elif horses.price == "fixed":
            raised.append(s + hits.hits * horses.fixed * base)
        else:
            raised.append(s * 2 ** min(hits.hits, MAX_DOUBLINGS))
    return tuple(s - hits.misses * horses.fine * base for s in capped(rules, debt.winner, raised))


def settle_drawn(
    rules: Rules, debts: Sequence[Debt], kongs: Sequence[Payment], n_horses: int, hits: Mapping[int, Hits]
) -> Settled:
    """Settle horses that were drawn: what hits and misses of each winner add to what it is owed.

    ``kongs`` are the payments for kongs, which hits may repeat as well.
    """
    added = payments(debt._replace(owed=_with_hits(rules, debt, hits[debt.winner])) for debt in debts)
    added += [payment._replace(points=-payment.points) for payment in payments(debts)]
    if rules.kong.follow_horses:
        added += [Payment(p.payer, p.winner, p.points * hits[p.winner].hits) for p in kongs if p.winner in hits]
    return Settled(total(added), n_horses, min(sum(h.hits for h in hits.values()), MAX_LOGGED_HITS))


def settle_held(
    paid: Sequence[Payment],
    horses: Sequence[tuple[int, int]],
    origins: Mapping[int, int],
    first_origin: int,
) -> Settled:
    """Settle held horses, ``(holder, class)``: each mirrors every payment of the seat that it means.

    Hits are the horses that mean a seat whose points from wins are not 0, counted from ``first_origin``.
    """
    mirrored = []
    for payer, winner, points in paid:
        for holder, c in horses:
            meant = (origins[winner] + c) % N_SEATS
            if meant == winner and holder != payer:
                mirrored.append(Payment(payer, holder, points))
            if meant == payer and holder != winner:
                mirrored.append(Payment(holder, winner, points))
    moved = total(paid)
    hits = sum(moved[(first_origin + c) % N_SEATS] != 0 for _, c in horses)
    return Settled(total(mirrored), len(horses), hits)
