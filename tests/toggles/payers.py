"""Who pays for a win, and what kongs cost."""

from __future__ import annotations

from collections.abc import Iterator

from sim.patterns import INDEX, SHAPE_MASK
from sim.rules import Rules
from sim.schema import DIANPAO, WASHOUT, ZIMO
from tests import settle
from tests.hands_played import Hand
from tests.settle import moves
from tests.toggles.entries import KONG, Entry, Law, Money
from tests.toggles.looks import Named, both, settled

NO_BAO = {"liability.gangkai_direct": False, "liability.twelve_tiles": "off", "liability.dragons_winds": False}


def made(*names: str) -> Law:
    """Kongs of some kinds were made."""
    return settled(lambda a, b: any(a.row[f"gang_{name}_{seat}"] for name in names for seat in range(4)))


def claims_of(hand: Hand, seat: int) -> list[Named]:
    """Melds that a seat claimed, in order."""
    return [move for move in moves(hand, "chi", "peng", "gang_exposed") if move[1] == seat]


def nobody_else_liable(a: Hand, b: Hand) -> Iterator[tuple[dict[str, int], dict[str, int]]]:
    """Winners by self-draw whose liable seat differs; the first value makes nobody liable."""
    for x, y in both(a, b):
        assert x["liable"] == -1
        if y["liable"] >= 0:
            assert b.row["outcome"] == ZIMO
            yield x, y


def gangkai_law(a: Hand, b: Hand, ra: Rules, rb: Rules) -> bool:
    happened = False
    for _, win in nobody_else_liable(a, b):
        happened = True
        last = [m for m in moves(b) if m[1] == win["winner"] and m[0].startswith(("gang", "discard"))][-1]
        assert (last[0], last[3]) == ("gang_exposed", win["liable"])
    return happened


def twelve_law(a: Hand, b: Hand, ra: Rules, rb: Rules) -> bool:
    happened = False
    for _, win in nobody_else_liable(a, b):
        happened = True
        claims = claims_of(b, win["winner"])
        assert len(claims) == 4
        assert claims[-1][3] == win["liable"]
    return happened


def big_twelve_law(a: Hand, b: Hand, ra: Rules, rb: Rules) -> bool:
    """From on to big: small hands are free."""
    big = SHAPE_MASK & ~(1 << INDEX["pinghu"])
    for x, y in both(a, b):
        assert y["liable"] == (x["liable"] if x["patterns"] & big else -1)
    return any(win["liable"] >= 0 and not win["patterns"] & big for win in a.wins)


def quanqiuren_law(a: Hand, b: Hand, ra: Rules, rb: Rules) -> bool:
    """The discarder pays for four exposed melds unless it was ready itself."""
    happened = False
    for x, y in both(a, b):
        referee = settle.followed(b, rb)
        exposed = sum(meld.is_exposed for meld in referee.melds[y["winner"]])
        from_seat = b.row["from_seat"]
        free = b.row["outcome"] != DIANPAO or exposed < 4 or referee.is_ready(from_seat, -1)
        assert (x["liable"], y["liable"]) == (-1, -1 if free else from_seat)
        happened |= not free
    return happened


ENTRIES: list[Entry] = [
    # Liability
    Money("liability.gangkai_direct", False, True, gangkai_law, common=NO_BAO, win_columns=("liable",), n_tables=3_000),
    Money("liability.twelve_tiles", "off", "on", twelve_law, common=NO_BAO, win_columns=("liable",), n_tables=4_000),
    Money(
        "liability.twelve_tiles", "on", "big", big_twelve_law, common=NO_BAO, win_columns=("liable",), n_tables=4_000
    ),
    Money("liability.quanqiuren", False, True, quanqiuren_law, common=NO_BAO, win_columns=("liable",), n_tables=4_000),
    # Kongs
    Money("kong.direct", 30, 12, made("exposed"), "zhuama", columns=KONG),
    Money("kong.direct_payer", "feeder", "all", made("exposed"), "zhuama", columns=KONG),
    Money("kong.added", 10, 12, made("added"), "zhuama", columns=KONG),
    Money("kong.concealed", 20, 25, made("concealed"), "zhuama", columns=KONG),
    Money(
        "kong.on_washout", "kept", "void",
        settled(lambda a, b: a.row["outcome"] == WASHOUT and any(a.row[f"kong_{seat}"] for seat in range(4))),
        "zhuama", columns=KONG,
    ),
    Money(
        "kong.follow_horses", False, True,
        lambda a, b, ra, rb: bool(a.row["n_horse_hits"]) and bool(settle.kong_payments(a, ra)),
        "zhuama", columns=("points_", "horse_"),
    ),
]  # fmt: skip
