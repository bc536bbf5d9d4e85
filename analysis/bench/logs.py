"""What does a log cost: bytes a hand, its share of the time, and rows a second when it is read."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import polars as pl

from analysis.bench.figure import AT_LEAST, AT_MOST, Aim, Figure, cpu_seconds, rates
from analysis.scan import Run, open_run
from analysis.sums import sums_of
from analysis.win_rate import outcomes_sums
from sim.codec import encode
from sim.engine import Plan, Player, Rows, simulate
from sim.logs import HandLog, scan, write_shard
from sim.rules import load
from sim.store import Folder, Store

SECTION = "logs"
HANDS = 1 << 18  # one row group: more take the same bytes a hand, but for the denser pools of the first tables
TABLE_HANDS = 64
POOLS = 1 / 16  # share of hands in the pool log of long runs (`sim.codec.in_pool_sample`)
PIECE = 256  # tables of one piece
BYTES, SHARE, ROWS = Aim(AT_MOST, 10.0), Aim(AT_MOST, 5.0), Aim(AT_LEAST, 20e6)
BOUND_BYTES = "the entropy of what is logged; see CHANGELOG, Speed, for what was tried"
BOUND_ROWS = (
    "payments are not stored, a kernel derives them: it took a sixth of the time, reading another; the rest is handing"
    " it the facts and taking its columns back"
)


def measure(rules: list[str], runs: int) -> Iterator[Figure]:
    """Measure each for every rule set, four `ukeire` bots."""
    for name in rules:
        with tempfile.TemporaryDirectory(prefix="gdmj-bench-") as root:
            yield from _one(name, Path(root), runs)


def _one(name: str, root: Path, runs: int) -> Iterator[Figure]:
    plan = Plan(load(name), HANDS, ("ukeire",) * 4, 1, "session", TABLE_HANDS)
    manifest = simulate(plan, root / name)
    size = {kind: (file["bytes"], file["rows"]) for kind, file in manifest["shards"][0]["files"].items()}
    mean = size["hands"][0] / HANDS + POOLS * size["pool"][0] / size["pool"][1]
    yield Figure(SECTION, f"bytes of a hand, {name}", "bytes", (mean,), BYTES, BOUND_BYTES)
    shares, speeds = _writing(plan, root / "again", runs)
    yield Figure(SECTION, f"share of packing and writing, {name}", "% of the CPU time", shares, SHARE)
    yield Figure(SECTION, f"packed and written, {name}", "rows/s", speeds)
    (run,) = open_run(root / name)
    log = scan(root / name, manifest, run.rules)
    questions: dict[str, Callable[[], object]] = {
        "read and count outcomes": lambda: outcomes_sums(log.hands).collect(),
        "read and add up points by dealer": lambda: _points(log.hands).collect(),
        "all sums of the report": lambda: _report(run),
    }
    for what, ask in questions.items():
        few = min(runs, 3) if what.startswith("all") else runs
        aim = None if what.startswith("all") else ROWS
        yield Figure(SECTION, f"{what}, {name}", "rows/s", rates(ask, HANDS, few), aim, BOUND_ROWS)


def _writing(plan: Plan, folder: Path, runs: int) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Share of packing and writing in the CPU time of a piece, in percent, and rows a CPU second that are."""
    player, store = Player(plan), Folder(folder)
    store.make()
    spent = [_piece(plan, player, store, PIECE * i) for i in range(runs + 1)][1:]
    shares = tuple(100 * writing / (playing + writing) for playing, writing in spent)
    return shares, tuple(PIECE * TABLE_HANDS / writing for _, writing in spent)


def _piece(plan: Plan, player: Player, store: Store, first: int) -> tuple[float, float]:
    """CPU seconds of playing `PIECE` tables, and of packing and writing them."""
    played: list[Rows] = []

    def write() -> None:
        sink = HandLog()
        sink.take([encode(plan.rules, *played[0][:3])])
        write_shard(store, plan.facts(first, PIECE), sink.frames())

    return cpu_seconds(lambda: played.append(player.rows(first, PIECE, TABLE_HANDS))), cpu_seconds(write)


def _points(hands: pl.LazyFrame) -> pl.LazyFrame:
    return hands.group_by("dealer").agg(pl.len(), *(pl.col(f"points_{s}").cast(pl.Int64).sum() for s in range(4)))


def _report(run: Run) -> object:
    return pl.collect_all(list(sums_of(run).values()))
