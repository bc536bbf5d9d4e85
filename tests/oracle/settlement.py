"""Who pays whom: wins, liability, kongs and flowers; `horses` follows with theirs."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from sim import schema
from sim.rules import MAX_REPEAT, Rules
from sim.tiles import FIRST_DRAGON, FIRST_HONOUR, N_SEATS

from .scoring import SHAPES
from .state import Meld

Points = list[int]  # of seats 0..3; the sum is 0


class Payment(NamedTuple):
    """What one seat pays another for a win, a kong or a flower: so many equal shares together."""

    payer: int
    winner: int
    points: int
    shares: int = 1

    @property
    def share(self) -> int:
        """Return one of the shares."""
        return self.points // self.shares


def total(payments: Sequence[Payment]) -> Points:
    """Add payments up by seat."""
    seats = [0] * N_SEATS
    for payment in payments:
        seats[payment.payer] -= payment.points
        seats[payment.winner] += payment.points
    return seats


def at_most(rules: Rules, share: int) -> int:
    """Return a share under the cap of what one share may lose."""
    return min(share, rules.scoring.loss_cap * rules.scoring.base) if rules.scoring.loss_cap else share


def share_of(rules: Rules, points: int, repeat: int) -> int:
    """Return one payer's share: a hand's points after repeat deals and the loss cap, without horses."""
    n = min(repeat, MAX_REPEAT)
    if rules.dealer.repeat_mode == "add":
        points += n * rules.dealer.repeat_points * rules.scoring.base
    elif rules.dealer.repeat_mode == "double":
        points *= 2**n
    return at_most(rules, points)


def win_payments(rules: Rules, winner: int, source: int, from_seat: int, share: int, liable: int = -1) -> list[Payment]:
    """Return the payments of one win."""
    if source == schema.DIANPAO:
        return [Payment(from_seat, winner, share)]
    if source == schema.QIANGGANG:
        return [Payment(from_seat, winner, share * rules.win.rob_shares, rules.win.rob_shares)]
    if liable >= 0:
        return [Payment(liable, winner, 3 * share, 3)]
    return from_others(winner, share)


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
    return -1
