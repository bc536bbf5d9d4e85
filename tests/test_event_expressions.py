"""Expressions over the trace log equal what plain Python reads from its columns."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

from analysis import events as log
from sim.engine import Plan, Player
from sim.rules import load
from sim.schema import CHI, GANG_EXPOSED, MELD_CHI, MELD_CONCEALED, MELD_PENG, MOVES, PASS, PENG

Row = dict[str, Any]


@pytest.fixture(scope="module", params=["jipinghu", "koukoufan"])
def events(request: pytest.FixtureRequest) -> pl.DataFrame:
    """Some hands with chi and kongs, and some with ghosts, random bots among them so that many melds are made."""
    bots = ("ukeire", "random", "ukeire", "random")
    player = Player(Plan(load(request.param), 16, bots, 8, "session", 8), "trace")
    player.rows(0, 2, 8)
    return pl.DataFrame(player.events())


def triple(row: Row, prefix: str, seat: int | None, kind: int) -> int:
    place = "" if seat is None else f"_{seat}"
    word = row[f"{prefix}_lo{place}"] if kind < 21 else row[f"{prefix}_hi{place}"]
    return word >> 3 * (kind % 21) & 7


def melds_of(row: Row, seat: int) -> list[tuple[int, int, int]]:
    words = [row[f"melds_{seat}"] >> 12 * i & 4095 for i in range(row[f"n_melds_{seat}"])]
    return [(word & 7, word >> 3 & 63, word >> 9) for word in words]


def in_melds(row: Row, seat: int, kind: int) -> int:
    n = 0
    for code, lowest, _ in melds_of(row, seat):
        tiles = [lowest, lowest + 1, lowest + 2] if code == MELD_CHI else [lowest] * (3 if code == MELD_PENG else 4)
        n += tiles.count(kind)
    return n


def agree(events: pl.DataFrame, expression: pl.Expr, by_hand: Any) -> None:
    got = events.select(x=expression)["x"].to_list()
    assert got == [by_hand(row) for row in events.iter_rows(named=True)]


@pytest.mark.parametrize("kind", [0, 8, 20, 21, 27, 33])
def test_counts_of_a_fixed_kind(events: pl.DataFrame, kind: int) -> None:
    for offset in range(4):
        seat = log.after(offset)
        agree(events, log.held(seat, kind), lambda row, o=offset: triple(row, "hand", (row["seat"] + o) % 4, kind))
        agree(events, log.melded(seat, kind), lambda row, o=offset: in_melds(row, (row["seat"] + o) % 4, kind))
    agree(events, log.discarded(2, kind), lambda row: triple(row, "river", 2, kind))
    agree(events, log.visible(kind), lambda row: triple(row, "visible", None, kind))
    agree(events, log.live(1, kind), lambda row: 4 - triple(row, "visible", None, kind) - triple(row, "hand", 1, kind))
    agree(events, log.is_ghost(kind), lambda row: bool(row["ghosts"] >> kind & 1))


def test_counts_of_the_kind_moved(events: pl.DataFrame) -> None:
    kind, seat = pl.col("kind"), log.after(1)
    agree(events, log.held(0, kind), lambda row: triple(row, "hand", 0, row["kind"]))
    agree(events, log.held(seat, kind), lambda row: triple(row, "hand", (row["seat"] + 1) % 4, row["kind"]))
    agree(events, log.discarded(seat, kind), lambda row: triple(row, "river", (row["seat"] + 1) % 4, row["kind"]))
    agree(events, log.visible(kind), lambda row: triple(row, "visible", None, row["kind"]))
    agree(events, log.melded(seat, kind), lambda row: in_melds(row, (row["seat"] + 1) % 4, row["kind"]))
    for offset in range(4):
        agree(
            events,
            log.completes(log.after(offset), kind),
            lambda row, o=offset: bool(row[f"waits_{(row['seat'] + o) % 4}"] >> row["kind"] & 1),
        )


def test_melds_first_discards_and_ghosts(events: pl.DataFrame) -> None:
    def nth(row: Row, place: int, part: int) -> int | None:
        melds = melds_of(row, (row["seat"] + 2) % 4)
        return melds[place][part] if place < len(melds) else None

    seat = log.after(2)
    for place in range(3):
        for part, read in enumerate((log.meld_code, log.meld_kind, log.meld_feeder)):
            agree(events, read(seat, place), lambda row, p=place, q=part: nth(row, p, q))
    agree(events, log.n_exposed(0), lambda row: sum(code != MELD_CONCEALED for code, _, _ in melds_of(row, 0)))
    for place in (0, 3, 9):
        agree(
            events,
            log.first_discard(seat, place),
            lambda row, p=place: (row[f"first_{(row['seat'] + 2) % 4}"] >> 6 * p & 63) - 1,
        )
    agree(events, log.last_discard(seat), lambda row: row[f"last_{(row['seat'] + 2) % 4}"])
    agree(
        events,
        log.n_ghosts(0),
        lambda row: sum(triple(row, "hand", 0, k) for k in range(34) if row["ghosts"] >> k & 1),
    )
    agree(events, log.of_suit(3, 1), lambda row: sum(triple(row, "hand", 3, k) for k in range(9, 18)))
    agree(events, log.n_waits(1), lambda row: row["waits_1"].bit_count())
    with pytest.raises(ValueError, match="first 10"):
        log.first_discard(0, 10)


def test_claims_refusals_and_wins(events: pl.DataFrame) -> None:
    agree(events, log.is_claim(), lambda row: row["move"] in (CHI, PENG, GANG_EXPOSED))
    agree(events, log.is_refusal(2), lambda row: row["move"] == PASS and bool(row["offers"] & 2))
    agree(events, log.is_win(), lambda row: MOVES[row["move"]] == "hu")
    assert events.select(log.is_refusal(2).sum()).item() > 0


def test_open_tiles_are_rivers_and_melds_less_what_was_claimed(events: pl.DataFrame) -> None:
    for row in events.iter_rows(named=True):
        seen = sum(triple(row, "visible", None, k) for k in range(34))
        rivers = sum(triple(row, "river", s, k) for s in range(4) for k in range(34))
        melded = sum(in_melds(row, s, k) for s in range(4) for k in range(34))
        fed = sum(feeder != 7 for s in range(4) for _, _, feeder in melds_of(row, s))
        assert seen - (rivers + melded - fed) in (0, 1)  # the indicator
