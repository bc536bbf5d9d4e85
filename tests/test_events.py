"""The trace log: every column of every decision equals a slow twin's; it is written, read, resumed and verified."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from analysis.scan import RunError, open_run
from analysis.verify import verify
from sim import event_log
from sim.engine import Plan, Player, simulate
from sim.logs import HandLog
from sim.rules import Rules, load
from sim.schema import EVENT_COLUMNS, MOVES, PASS
from sim.store import Folder
from tests.options import random_rules
from tests.oracle.events import traced_table

MIXED = ("ukeire", "random", "shanten", "ukeire")
PLAN = Plan(load("jipinghu"), 300, ("ukeire",) * 4, 5, "session", 20)


def events_of(plan: Plan, table: int, n_hands: int) -> pl.DataFrame:
    player = Player(plan, "trace")
    player.rows(table, 1, n_hands)
    return pl.DataFrame(player.events())


def first_difference(
    monkeypatch: pytest.MonkeyPatch, rules: Rules, bots: tuple[str, str, str, str], seed: int, table: int, n_hands: int
) -> tuple[str | None, pl.DataFrame]:
    """Compare one table's events; None when all agree, and the kernel's events."""
    got = events_of(Plan(rules, n_hands, bots, seed, "session", n_hands), table, n_hands)
    slow, _ = traced_table(monkeypatch, rules, seed, table, n_hands, bots)
    for a, b in zip(got.iter_rows(named=True), slow, strict=False):
        wrong = {name: (a[name], b[name]) for name in a if a[name] != b[name]}
        if wrong or set(a) != set(b):
            move = MOVES[a["move"]]
            return f"{rules.slug} {bots} seed {seed} hand {a['hand']} step {a['step']} ({move}): {wrong}", got
    return (None if got.height == len(slow) else f"{got.height} events, twin {len(slow)}"), got


@pytest.mark.parametrize("variant", ["jipinghu", "zhuama", "koukoufan", "huapai", "xinzhang", "guigang"])
def test_every_column_equals_the_slow_twin(variant: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found, events = first_difference(monkeypatch, load(variant), MIXED, 31, 2, 4)
    assert found is None
    assert events["move"].n_unique() >= 4
    if variant == "jipinghu":
        assert {"chi", "peng", "pass", "hu", "discard"} <= {MOVES[m] for m in events["move"]}
        passed = events.filter(pl.col("move") == PASS)["offers"].unique()
        assert 2 in passed
        assert 8 in passed


@pytest.mark.parametrize("seed", range(10))
def test_random_options(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    assert first_difference(monkeypatch, random_rules(seed), MIXED, seed, 0, 2)[0] is None
    assert first_difference(monkeypatch, random_rules(seed), ("random",) * 4, seed, 1, 2)[0] is None


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10, 130))
def test_many_options(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    for bots in (MIXED, ("random",) * 4):
        assert first_difference(monkeypatch, random_rules(seed), bots, seed, 0, 4)[0] is None


def test_hands_are_the_same_with_and_without_a_trace() -> None:
    plain, traced = Player(PLAN).play(0, 4), Player(PLAN, "trace").play(0, 4)
    for name, column in plain.hands.items():
        np.testing.assert_array_equal(traced.hands[name], column)
    assert not plain.events


def test_more_events_than_there_was_room_for(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = events_of(PLAN, 1, 20)
    monkeypatch.setattr(event_log, "_PER_HAND", 3)
    assert events_of(PLAN, 1, 20).equals(expected)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("run") / "jipinghu"
    simulate(PLAN, folder, sink=HandLog(100, "trace"))
    return folder


def test_a_run_gives_its_events_in_order_of_play(run: Path) -> None:
    opened = open_run(run)[0]
    events = opened.events.collect()
    assert events.columns == [c.name for c in EVENT_COLUMNS]
    assert events.select("table", "hand", "step").equals(events.select("table", "hand", "step").sort(pl.all()))
    assert events.select("table", "hand").unique().height == opened.n_hands == 300
    wins = opened.wins.collect()
    hu = events.filter(pl.col("move") == MOVES.index("hu"))
    assert hu.height == wins.height
    joined = hu.join(wins, left_on=["table", "hand", "seat"], right_on=["table", "hand", "winner"])
    assert joined.height == wins.height
    assert (joined["turn"] == joined["win_turn"]).all()
    n_waits = joined.select(
        pl.coalesce(*(pl.when(pl.col("seat") == s).then(f"waits_{s}") for s in range(4))).bitwise_count_ones()
    )
    assert (n_waits.to_series() >= joined["waits"]).all()  # `waits` leaves kinds out of which no copy is left


def test_a_run_without_events_says_so(tmp_path: Path) -> None:
    simulate(Plan(load("zhuama"), 64, ("ukeire",) * 4), tmp_path)
    with pytest.raises(RunError, match="--level trace"):
        _ = open_run(tmp_path)[0].events


def test_resume_makes_the_same_bytes_and_verify_finds_what_was_changed(run: Path, tmp_path: Path) -> None:
    started = tmp_path / "part"
    shorter = Plan(PLAN.rules, 200, PLAN.bots, PLAN.seed, "session", 20)
    simulate(shorter, started, sink=HandLog(100, "trace"))
    with pytest.raises(ValueError, match="another run"):
        simulate(PLAN, started, sink=HandLog(100), resume=True)
    simulate(PLAN, started, sink=HandLog(100, "trace"), resume=True)
    for file in sorted(run.glob("*.parquet")):
        assert (started / file.name).read_bytes() == file.read_bytes()
    verdict = verify(Folder(started))
    assert verdict.faults == []
    assert verdict.n_replayed == 300
    (started / "events-0000000005.parquet").unlink()
    assert "missing" in verify(Folder(started)).faults[0]
    simulate(PLAN, started, sink=HandLog(100, "trace"), resume=True)
    assert verify(Folder(started)).faults == []
