"""Questions beyond the tips: rates by hand, and each question's rows against plain Python on the same decisions."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from analysis.beyond import danger, flush, ghosts, page, ready, waits
from analysis.beyond.rates import rates
from analysis.scan import Run, open_run
from sim.engine import Plan, simulate
from sim.logs import HandLog
from sim.rules import load
from sim.schema import DISCARD
from tests.oracle.tips import Seen, seen


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("run")
    simulate(Plan(load("maima"), 160, ("ukeire",) * 4, 4, "session", 8), folder, sink=HandLog(level="trace"))
    return open_run(folder)[0]


@pytest.fixture(scope="module")
def discards(run: Run) -> list[Seen]:
    rows = run.events.filter(pl.col("move") == DISCARD).collect()
    return [seen(run.rules, row) for row in rows.iter_rows(named=True)]


def test_rates_are_ratios_with_tables_as_units() -> None:
    tables, hits = [0, 0, 0, 1, 1, 2, 3, 3], [1, 0, 1, 1, 1, 0, 0, 1]
    found = rates(pl.LazyFrame({"table": tables, "g": [0] * 8, "hit": hits}), ["g"]).row(0, named=True)
    y, n = np.array([2.0, 2, 0, 1]), np.array([3.0, 2, 1, 2])
    rate = y.sum() / n.sum()
    half = 1.959964 * np.sqrt(np.sum((y - rate * n) ** 2) * 4 / 3) / n.sum()
    assert (found["n"], found["rate"]) == (8, pytest.approx(5 / 8))
    assert found["high"] - found["rate"] == pytest.approx(half, rel=1e-6)
    alone = rates(pl.LazyFrame({"table": [5, 5], "g": [0, 0], "hit": [1, 0]}), ["g"]).row(0, named=True)
    assert alone["low"] is None


def test_intervals_of_rates_hold() -> None:
    """Tables whose chances differ; of 400 intervals some 95 % hold (false alarm below 1e-6)."""
    rng = np.random.default_rng(3)
    held = 0
    for _ in range(400):
        sizes = rng.integers(1, 9, 60)
        table, chance = np.repeat(np.arange(60), sizes), np.repeat(rng.beta(2, 2, 60), sizes)
        frame = pl.LazyFrame({"table": table, "g": 0, "hit": rng.random(len(chance)) < chance})
        found = rates(frame, ["g"]).row(0, named=True)
        held += found["low"] <= 0.5 <= found["high"]
    assert 0.88 <= held / 400 <= 0.99


def test_danger(run: Run, discards: list[Seen]) -> None:
    def completes(v: Seen) -> bool:
        return any(v.row[f"waits_{s}"] >> v.row["kind"] & 1 for s in range(4) if s != v.row["seat"])

    natural = [v for v in discards if v.row["kind"] not in v.ghosts]
    found = danger.discards(run.events).collect()
    assert found["hit"].to_list() == [completes(v) for v in natural]
    assert 0 < found["hit"].sum() < found.height
    classes = ["honour" if k >= 27 else ("edge", "near", "near", "middle", "middle")[min(k % 9, 8 - k % 9)]
               for k in (v.row["kind"] for v in natural)]  # fmt: skip
    assert [danger.CLASSES[tile] for tile in found["tile"]] == classes
    late = [v for v in natural if v.row["turn"] >= 8 and v.row["kind"] < 27]
    beside = [
        [k for k in (v.row["kind"] - 1, v.row["kind"] + 1) if 0 <= k < 27 and k // 9 == v.row["kind"] // 9]
        for v in late
    ]
    expected = [min(max(max(v.visible(k) + v.hand[k] for k in ks), 2), 4) for v, ks in zip(late, beside, strict=True)]
    assert danger.by_neighbour(run.events).collect()["seen"].to_list() == expected
    assert len(set(expected)) == 3


def test_ready_and_waits(run: Run, discards: list[Seen]) -> None:
    shown = [v for v in discards if v.row["turn"] < ready.MOST_TURNS]
    found = ready.by_turn(run.events).collect()
    assert found["turn"].to_list() == [v.row["turn"] + 1 for v in shown]
    assert found["hit"].to_list() == [v.after(v.row["kind"]) == 1 for v in shown]

    first: dict[tuple[int, int, int], tuple[int, int]] = {}
    for v in discards:
        row, s = v.row, v.row["seat"]
        if row[f"waits_{s}"]:
            key = (row["table"], row["hand"], s)
            first.setdefault(key, (min(row[f"waits_{s}"].bit_count(), 3), min(row[f"accept_{s}"], 10)))
    won = {tuple(row) for row in run.wins.select("table", "hand", "winner").collect().rows()}
    expected = sorted((key[0], *value, key in won) for key, value in first.items())
    assert sorted(waits.first_ready(run.events, run.wins).collect().rows()) == expected


def test_ghosts(run: Run, discards: list[Seen]) -> None:
    points = {(r["table"], r["hand"]): r for r in run.hands.collect().iter_rows(named=True)}
    expected = []
    for v in discards:
        if v.row["turn"] == 0:
            hand, s = points[v.row["table"], v.row["hand"]], v.row["seat"]
            held = min(sum(v.hand[g] for g in v.ghosts), 3)
            expected.append((v.row["table"], held, hand[f"points_{s}"], bool(hand["winners"] >> s & 1)))
    found = ghosts.at_first_discard(run.events, run.hands).collect()
    assert sorted(found.rows()) == sorted(expected)
    assert found["ghosts"].n_unique() >= 3


def test_flush_pairs_hands_that_begin_alike() -> None:
    found = flush.paired(load("jipinghu"), "ukeire", 300, 5)
    assert found.height > 5
    assert found["tiles"].is_between(8, 10).all()
    assert (found["gain"] != 0).any()


def test_the_page_is_written_in_both_languages(tmp_path: Path) -> None:
    facts = {"hands": 600, "walls": 200, "seed": 1}
    page.write(page.play(["jipinghu", "maima"], ["ukeire"], facts, 1), tmp_path)
    for name in ("beyond-tips.md", "beyond-tips.zh.md", "beyond-tips.json"):
        assert (tmp_path / name).stat().st_size > 1000
    text = (tmp_path / "beyond-tips.md").read_text()
    assert "None" not in text
    assert "| honours |" in text
    for line in text.splitlines():
        if line.startswith("!["):
            assert (tmp_path / line.split("(")[1].rstrip(")")).exists()
