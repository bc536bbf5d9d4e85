"""What passes from one hand of a table to the next, and the four rotations of a deal block."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from sim import schema
from sim.rules import Rules
from sim.tiles import N_SEATS

from .play import HandResult, play_hand
from .rng import Stream

Bots = tuple[str, str, str, str]


@dataclass
class Standing:
    """Where a table stands before a hand."""

    first_dealer: int
    dealer: int
    moves: int = 0  # times the deal has moved
    repeat: int = 0
    previous_winner: int | None = None

    @property
    def round_wind(self) -> int:
        """Return the round's wind, 0..3."""
        return self.moves // 4 % 4

    @property
    def origin(self) -> int:
        """Return the previous winner, the first dealer before any win."""
        return self.first_dealer if self.previous_winner is None else self.previous_winner


def first_dealer(rules: Rules, seed: int, table: int) -> int:
    """Return who deals first at a table or in a deal block."""
    if rules.dealer.first == "east":
        return 0
    return Stream(seed, schema.STREAM_DICE, 0, table).below(N_SEATS)


def first_winner(dealer: int, winners: set[int], from_seat: int) -> int:
    """Return the winner that counts afterwards: the dealer, else the first in turn order."""
    if dealer in winners:
        return dealer
    if from_seat < 0:
        return min(winners)
    return min(winners, key=lambda s: (s - from_seat) % N_SEATS)


def next_standing(
    rules: Rules,
    standing: Standing,
    winners: set[int],
    from_seat: int,
    is_rob: bool = False,
    had_kong: bool = False,
) -> Standing:
    """Return the standing after a hand; no winners mean a washout, ``from_seat`` -1 a self-draw."""
    dealer = standing.dealer
    following = (dealer + 1) % N_SEATS
    if not winners:
        passes = {"keep": False, "next_seat": True, "kong_passes": had_kong}[rules.dealer.on_washout]
        new = following if passes else dealer
        previous = standing.previous_winner
    else:
        previous = first_winner(dealer, winners, from_seat)  # the dealer, if among them
        if dealer in winners:
            new = dealer
        elif is_rob and rules.dealer.after_rob == "robbed":
            new = from_seat
        else:
            new = previous if rules.dealer.next == "winner" else following
    kept = new == dealer
    return Standing(
        standing.first_dealer,
        new,
        moves=standing.moves if kept else standing.moves + 1,
        repeat=standing.repeat + 1 if kept else 0,
        previous_winner=previous,
    )


def play_table(
    rules: Rules,
    seed: int,
    table: int,
    n_hands: int,
    bots: Bots,
    mode: Literal["session", "duplicate"] = "session",
) -> list[HandResult]:
    """Play a table's hands one after another, or the rotations of one deal block (``n_hands`` at most 4).

    ``bots`` are the line-up: in session mode of seats 0..3, in duplicate mode seat s has bot (s - rotation)
    mod 4.
    """
    dealer = first_dealer(rules, seed, table)
    if mode == "duplicate":
        return [_rotation(rules, seed, table, rotation, bots, dealer) for rotation in range(min(n_hands, 4))]
    results = []
    standing = Standing(dealer, dealer)
    for hand in range(n_hands):
        result = play_hand(
            rules,
            seed,
            table,
            hand,
            dealer=standing.dealer,
            round_wind=standing.round_wind,
            repeat=standing.repeat,
            origin=standing.origin,
            chair_dealer=standing.first_dealer,
            bots=bots,
        )
        results.append(result)
        winners = {s for s in range(N_SEATS) if result.row["winners"] >> s & 1}
        is_rob = result.row["outcome"] == schema.QIANGGANG
        had_kong = any(
            result.row[f"gang_{kind}_{s}"] for kind in ("exposed", "added", "concealed") for s in range(N_SEATS)
        )
        standing = next_standing(rules, standing, winners, result.row["from_seat"], is_rob, had_kong)
    return results


def _rotation(rules: Rules, seed: int, table: int, rotation: int, bots: Bots, dealer: int) -> HandResult:
    a, b, c, d = (bots[(s - rotation) % N_SEATS] for s in range(N_SEATS))
    return play_hand(
        rules,
        seed,
        table,
        rotation,
        dealer=dealer,
        round_wind=0,
        repeat=0,
        origin=dealer,
        chair_dealer=dealer,
        bots=(a, b, c, d),
        rotation=rotation,
        wall_hand=0,
    )
