"""Who deals, and what the dealer's hands change."""

from __future__ import annotations

from sim.rules import Rules
from tests import settle
from tests.hands_played import Hand
from tests.settle import moves
from tests.toggles.entries import KONG, SHARE, Entry, Money, Play, Session
from tests.toggles.looks import Named, anything, both, counted, has


def repeat_law(a: Hand, b: Hand, ra: Rules, rb: Rules) -> bool:
    n = min(a.row["repeat"], 10)
    for x, y in both(a, b):
        if rb.dealer.repeat_mode == "double":
            assert y["points"] == x["points"] * 2**n
        else:
            more = rb.dealer.repeat_points - ra.dealer.repeat_points
            assert y["points"] == x["points"] + n * more * rb.scoring.base
    return n > 0 and bool(a.wins)


def seat_wind_law(a: Hand, b: Hand, ra: Rules, rb: Rules) -> bool:
    for x, y in both(a, b):
        assert counted(x) ^ counted(y) <= {"seat_wind", "chicken"}
    return a.row["chair"] != a.row["dealer"] and (has(a, "seat_wind") or has(b, "seat_wind"))


def turned(move: Named, by: int) -> Named:
    """The move with all seats so many places further."""
    name, seat, kind, other = move
    is_seat = name in ("hu", "pass", "chi", "peng", "gang_exposed")
    return name, (seat + by) % 4 if seat >= 0 else -1, kind, (other + by) % 4 if is_seat and other >= 0 else other


def first_law(a: Hand, b: Hand, ra: Rules, rb: Rules) -> bool:
    """Seat 0 deals: the same hand, turned round the table."""
    assert [turned(move, -a.row["dealer"]) for move in moves(a)] == moves(b)
    return a.row["dealer"] != 0


def east_deals(hand: Hand, rules: Rules) -> None:
    assert hand.row["dealer"] == 0


ENTRIES: list[Entry] = [
    Play("dealer.first", "random", "east", first_law, always=east_deals, n_tables=300),
    Session("dealer.next", "winner", "next_seat", anything),
    Session("dealer.after_rob", "as_next", "robbed", anything, "zhuama", n_tables=300),
    Session("dealer.on_washout", "keep", "next_seat", anything, "zhuama"),
    Session("dealer.on_washout", "keep", "kong_passes", anything, "zhuama"),
    Session("dealer.on_washout", "next_seat", "kong_passes", anything, "zhuama"),
    Money("dealer.seat_wind", "deal", "chair", seat_wind_law, "xinzhang", win_columns=SHARE, n_hands=6),
    Money("dealer.repeat_mode", "none", "add", repeat_law, also={"dealer.repeat_points": 2}, win_columns=("points",)),
    Money("dealer.repeat_mode", "none", "double", repeat_law, win_columns=("points",)),
    Money(
        "dealer.repeat_points", 1, 3, repeat_law, common={"dealer.repeat_mode": "add"}, win_columns=("points",),
    ),
    Money(
        "dealer.follow_points", 0, 2, lambda a, b, ra, rb: settle.follows(a), columns=KONG, n_tables=3_000,
    ),
]  # fmt: skip
