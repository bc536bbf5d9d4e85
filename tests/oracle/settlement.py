"""Who pays whom: wins, liability, kongs and flowers; `horses` follows with theirs."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from sim import schema
from sim.rules import MAX_REPEAT, Rules
from sim.tiles import FIRST_DRAGON, FIRST_HONOUR, N_SEATS

from .scoring import SHAPES
from .state import Meld

NOBODY = -1
Points = list[int]  # of seats 0..3; the sum is 0


class Payment(NamedTuple):
    """What one seat pays another."""

    payer: int
    winner: int
    points: int


class Debt(NamedTuple):
    """What the other seats owe a winner, and who pays it."""

    winner: int
    owed: tuple[int, ...]  # by each seat; 0 by the winner
    payer: tuple[int, ...]  # of what each seat owes; NOBODY where it is not paid


def payments(debts: Iterable[Debt]) -> list[Payment]:
    """Return what is paid of some debts."""
    return [
        Payment(payer, debt.winner, points)
        for debt in debts
        for points, payer in zip(debt.owed, debt.payer, strict=True)
        if payer != NOBODY
    ]


def total(payments: Iterable[Payment]) -> Points:
    """Add payments up by seat."""
    seats = [0] * N_SEATS
    for payment in payments:
        seats[payment.payer] -= payment.points
        seats[payment.winner] += payment.points
    return seats


def at_most(rules: Rules, points: int) -> int:
    """Return points under the cap of what one seat may owe."""
    return min(points, rules.scoring.loss_cap * rules.scoring.base) if rules.scoring.loss_cap else points


def capped(rules: Rules, winner: int, owed: Sequence[int]) -> tuple[int, ...]:
    """Return what each seat owes under the caps; 金顶: more when all three owe more than the cap of one."""
    scoring = rules.scoring
    all_over = all(owed[s] > scoring.loss_cap * scoring.base for s in range(N_SEATS) if s != winner)
    if scoring.loss_cap_all and all_over:
        return tuple(0 if s == winner else scoring.loss_cap_all * scoring.base for s in range(N_SEATS))
    return tuple(at_most(rules, points) for points in owed)


def _times(points: int, tenths: Iterable[int]) -> int:
    for m in tenths:
        points = points * m // 10
    return points


def _meld_multiples(rules: Rules, melds: Sequence[Meld]) -> list[int]:
    """Return what the melds of a winner or loser multiply a share with, in tenths and in order."""
    multiples = rules.multiples
    n_exposed = sum(meld.is_exposed for meld in melds)
    n_kongs = sum(meld.is_kong for meld in melds)
    n_concealed = len(melds) - n_exposed
    opened = n_exposed if multiples.opened_each else min(n_exposed, 1)
    return (
        [multiples.opened] * opened
        + [multiples.concealed_kong] * n_concealed
        + [multiples.exposed_kong] * (n_kongs - n_concealed)
    )


def share_of(rules: Rules, points: int, repeat: int, melds: Sequence[Meld] = (), is_zimo: bool = False) -> int:
    """Return a hand's points after repeat deals and the winner's multiples, without caps and horses."""
    n = min(repeat, MAX_REPEAT)
    if rules.dealer.repeat_mode == "add":
        points += n * rules.dealer.repeat_points * rules.scoring.base
    elif rules.dealer.repeat_mode == "double":
        points *= 2**n
    return _times(points, _meld_multiples(rules, melds) + [rules.multiples.zimo] * is_zimo)


def owed_to(
    rules: Rules, winner: int, share: int, melds: Sequence[Sequence[Meld]] = ((),) * N_SEATS, feeder: int = NOBODY
) -> tuple[int, ...]:
    """Return what each seat owes a winner: the share times the multiples of its own, under the caps.

    ``feeder`` is the seat whose discard was won on, if one was.
    """
    owed = [
        0 if s == winner else _times(share, _meld_multiples(rules, melds[s]) + [rules.multiples.feeder] * (s == feeder))
        for s in range(N_SEATS)
    ]
    return capped(rules, winner, owed)


def win_debt(rules: Rules, winner: int, source: int, from_seat: int, owed: Sequence[int], liable: int = NOBODY) -> Debt:
    """Return what is owed for one win, and who pays each seat's part."""
    own = tuple(NOBODY if s == winner else s for s in range(N_SEATS))
    pays_all = liable
    if liable == NOBODY and source == schema.QIANGGANG and rules.win.rob_shares == 3:
        pays_all = from_seat
    if pays_all != NOBODY:
        payer = tuple(NOBODY if s == NOBODY else pays_all for s in own)
    elif source == schema.ZIMO or rules.win.payers == "all":
        payer = own
    else:
        payer = tuple(s if s == from_seat else NOBODY for s in own)
    return Debt(winner, tuple(owed), payer)


def from_others(seat: int, points: int) -> list[Payment]:
    """Return the payments of points to a seat by each of the other three."""
    return [Payment(payer, seat, points) for payer in range(N_SEATS) if payer != seat]


def kong_payments(rules: Rules, t: int, owner: int, feeder: int = -1) -> list[Payment]:
    """Return what is paid for a kong at once; ``t`` is its meld code."""
    price = {
        schema.MELD_EXPOSED: rules.kong.direct,
        schema.MELD_ADDED: rules.kong.added,
        schema.MELD_CONCEALED: rules.kong.concealed,
    }[t] * rules.scoring.base
    if t == schema.MELD_EXPOSED and rules.kong.direct_payer == "feeder":
        return [Payment(feeder, owner, price)]
    return from_others(owner, price)


def flower_payments(rules: Rules, owner: int) -> list[Payment]:
    """Return what is paid for a flower at once."""
    return from_others(owner, rules.play.flower_price * rules.scoring.base)


def follow_payments(rules: Rules, dealer: int) -> list[Payment]:
    """Return what the dealer pays when everybody's first discard was the same (跟庄)."""
    price = rules.dealer.follow_points * rules.scoring.base
    return [Payment(dealer, seat, price) for seat in range(N_SEATS) if seat != dealer]


def liable_seat(
    rules: Rules,
    winner: int,
    melds: Sequence[Meld],
    replacement_of: Meld | None,
    completions: Sequence[tuple[int, int]],
    counted: Collection[str] = (),
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
    counted
        Patterns of the win that counted.
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
    twelve = rules.liability.twelve_tiles
    is_big = any(slug in SHAPES and slug != "pinghu" for slug in counted)
    if (twelve == "on" or (twelve == "big" and is_big)) and len(exposed) == 4:
        feeder = exposed[3].feeder
        fed = [seat for by, seat in completions if by == feeder]
        if fed[0] == winner:
            return feeder
    return NOBODY


def liable_discarder(rules: Rules, melds: Sequence[Meld], discarder: int, need: int) -> int:
    """Return the discarder when it pays for all three (全求人), else -1; ``need`` is its own after the discard."""
    four_exposed = len(melds) == 4 and all(meld.is_exposed for meld in melds)
    return discarder if rules.liability.quanqiuren and four_exposed and need > 1 else NOBODY
