"""How far does the program go: hands a second, bytes and seconds, measured here, and what 10^12 hands would take.

``python -m analysis.scaling`` plays small runs as programs of their own, one after the other, and writes
``reports/scaling.md`` and ``reports/scaling.json``; nobody types them. Every run's CPU time and largest memory come
from the operating system, so that what else the machine does spoils the seconds and not the CPU seconds.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from analysis.arguments import count
from analysis.checks import MAX_HANDS
from sim.jit import CODE_HASH

VARIANT = "zhuama"  # its hands are the longest
HANDS = (100_000, 1_000_000, 10_000_000)
SHARDS = (1 << 14, 1 << 16, 1 << 18, 1 << 20)
COMPARED_HANDS = 200_000  # of each run that compares threads, workers or shards
TABLE_HANDS = 64
# The plan: what is wanted, and prices as of 2026 in US dollars, to be changed by who knows better ones.
PLAN_HANDS, PLAN_CORES = 10**12, 1_000
CORE_HOUR, GIGABYTE_MONTH = 0.04, 0.023
MAX_TABLES = 1 << 32


class Measured(NamedTuple):
    """One run: what it was, hands, seconds, CPU seconds of it and its workers, largest memory and files in bytes."""

    what: str
    hands: int
    seconds: float
    cpu_seconds: float
    memory: int
    bytes: int


def measure(what: str, hands: int, folder: Path, *options: str) -> Measured:
    """Play a run as a program of its own.

    Raises
    ------
    RuntimeError
        When it fails.
    """
    argv = [sys.executable, "-m", "analysis.cli", "simulate", VARIANT, "--hands", str(hands), "--out", str(folder)]
    seconds, cpu, memory = timed([*argv, "--json", *options])
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    return Measured(what, hands, seconds, cpu, memory, size)


def timed(argv: Sequence[str], environment: Mapping[str, str] | None = None) -> tuple[float, float, int]:
    """Seconds, CPU seconds and largest memory in bytes of a program.

    Raises
    ------
    RuntimeError
        When it fails.
    """
    launcher = [sys.executable, "-I", "-S", str(Path(__file__).with_name("timed_program.py"))]
    done = subprocess.run(
        [*launcher, *argv], capture_output=True, text=True, errors="replace", env=environment, check=True
    )
    seconds, cpu, memory, status = json.loads(done.stdout)
    if status:
        raise RuntimeError(f"{' '.join(argv)}: {done.stderr}")
    return seconds, cpu, memory


def study(sizes: Sequence[int], compared: int) -> dict[str, list[Measured]]:
    """Measure everything; progress goes to stderr."""
    found: dict[str, list[Measured]] = {}
    counts = [n for n in (1, 2, 4, 8, 16, 32, 64) if n <= (os.cpu_count() or 1)]
    with tempfile.TemporaryDirectory(prefix="gdmj-scaling-") as root:

        def run(group: str, what: str, hands: int, *options: str) -> Path:
            folder = Path(root) / f"{group}-{len(found.get(group, []))}"
            found.setdefault(group, []).append(measure(what, hands, folder, *options))
            print(f"{group}: {what}: {found[group][-1].seconds:.1f} s", file=sys.stderr)
            return folder

        run("start", "start", TABLE_HANDS)  # compiles, if that is still to be done
        found.clear()
        run("start", "start", TABLE_HANDS)
        for n in counts:
            run("threads", str(n), compared, "--threads", str(n))
        for n in counts:
            run("workers", str(n), compared, "--scheduler", f"local:{n}", "--shard-hands", str(compared // 16))
        for size in SHARDS:
            run("shards", f"{size:,}", compared, "--shard-hands", str(size))
        for level in ("hand", "agg"):
            for hands in sizes:
                folder = run(f"sizes {level}", f"{hands:,}", hands, "--level", level)
                argv = [sys.executable, "-m", "analysis.cli", "report", str(folder)]
                found.setdefault(f"reports {level}", []).append(Measured(f"{hands:,}", hands, *timed(argv), 0))
    return found


def cpu_per_hand(run: Measured, start: Measured) -> float:
    """CPU seconds of a hand, without those of starting."""
    return max(run.cpu_seconds - start.cpu_seconds, 0.0) / run.hands


class Costs(NamedTuple):
    """What the plan takes."""

    core_hours: float
    days: float
    dollars: float
    hand_bytes: float
    hand_dollars_month: float
    n_seeds: int


def plan(cpu_seconds_of_hand: float, bytes_of_hand: float) -> Costs:
    """Cost of `PLAN_HANDS` on `PLAN_CORES` cores; a run has at most 2^32 tables, so several seeds share the hands."""
    core_hours = PLAN_HANDS * cpu_seconds_of_hand / 3600
    size = PLAN_HANDS * bytes_of_hand
    return Costs(
        core_hours=core_hours,
        days=core_hours / PLAN_CORES / 24,
        dollars=core_hours * CORE_HOUR,
        hand_bytes=size,
        hand_dollars_month=size / 1e9 * GIGABYTE_MONTH,
        n_seeds=-(-PLAN_HANDS // (MAX_TABLES * TABLE_HANDS)),
    )


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = ["| " + " | ".join(heads) + " |", "|" + "---:|" * len(heads)]
    return "\n".join([*lines, *("| " + " | ".join(row) + " |" for row in rows)])


def _speed_rows(runs: Sequence[Measured], start: Measured) -> list[list[str]]:
    return [
        [
            run.what,
            f"{run.hands / max(run.seconds - start.seconds, 1e-9):,.0f}",
            f"{1 / max(cpu_per_hand(run, start), 1e-9):,.0f}",
            f"{run.bytes / run.hands:.2f}",
            f"{run.memory / 1e6:,.0f}",
        ]
        for run in runs
    ]


def page(found: dict[str, list[Measured]], facts: dict[str, Any]) -> str:
    """Write the page."""
    start = found["start"][0]
    largest, sums = found["sizes hand"][-1], found["sizes agg"][-1]
    costs = plan(cpu_per_hand(sums, start), largest.bytes / largest.hands)
    speed = ("hands/s", "hands/CPU s", "bytes/hand", "MB of memory")
    parts = [
        "# How far it goes",
        "Written by `make scaling`; every number is measured or computed from those measured. Four `ukeire` bots,"
        f" `{VARIANT}`, each run a program of its own. hands/s is what the clock says (with whatever else the machine"
        " did, the load stands below), hands/CPU s what the processor was busy for, workers included. Start-up"
        f" ({start.seconds:.1f} s, {start.cpu_seconds:.1f} CPU s: imports, tables, cached kernels) is taken off.",
        "\n".join(f"- {name}: {value}" for name, value in facts.items()),
        f"## Threads ({found['threads'][0].hands:,} hands)",
        _table(("threads", *speed), _speed_rows(found["threads"], start)),
        f"## Workers of a Dask cluster on this machine ({found['workers'][0].hands:,} hands in 16 shards)",
        "Starting the cluster and its processes is in these times, some seconds that long runs do not notice.",
        _table(("workers", *speed), _speed_rows(found["workers"], start)),
        f"## Shards ({found['shards'][0].hands:,} hands)",
        "A killed run loses at most one shard's work for each process; small shards cost bytes.",
        _table(("hands of a shard", *speed), _speed_rows(found["shards"], start)),
    ]
    for level, words in (("hand", "every hand logged"), ("agg", "sums only")):
        rows = [
            [*row, f"{run.seconds:,.1f}", f"{run.bytes / 1e6:,.1f}", f"{report.seconds:,.1f}"]
            for row, run, report in zip(
                _speed_rows(found[f"sizes {level}"], start),
                found[f"sizes {level}"],
                found[f"reports {level}"],
                strict=True,
            )
        ]
        heads = ("hands", *speed, "seconds", "MB on disk", "report, s")
        parts += [f"## `--level {level}`: {words}", _table(heads, rows)]
    parts += [
        f"## A plan for 10^12 hands on {PLAN_CORES:,} cores",
        f"- Level `agg`: {costs.core_hours:,.0f} core hours at the CPU time above"
        f" ({1e6 * cpu_per_hand(sums, start):.1f} us a hand, from {sums.hands:,} hands), {costs.days:,.1f} days on"
        f" {PLAN_CORES:,} cores, {costs.dollars:,.0f} dollars at {CORE_HOUR} a core hour. The sums are"
        f" {sums.bytes / 1e6:,.1f} MB a part whatever its hands, {sums.bytes * PLAN_CORES / 1e9:,.1f} GB with a part"
        " for each core, and one file when merged.",
        f"- Level `hand`: the same time and {costs.hand_bytes / 1e12:,.1f} TB, {costs.hand_dollars_month:,.0f} dollars"
        f" a month at {GIGABYTE_MONTH} a GB: log a sample, keep sums of the rest.",
        f"- A run has at most 2^32 tables, {MAX_TABLES * TABLE_HANDS:.2e} hands at {TABLE_HANDS} a table, so"
        f" {costs.n_seeds} seeds share the hands, each a run of its own; `report` shows them side by side.",
        f"- One job a core: `gdmj simulate {VARIANT} --hands {PLAN_HANDS // costs.n_seeds} --seed S --level agg --shard"
        f" I/{PLAN_CORES // costs.n_seeds} --threads 1 --out run-S --resume`, then `gdmj merge run-S --out whole-S`. A"
        " job that was killed is started again with the same line.",
    ]
    return "\n\n".join(parts) + "\n"


def facts() -> dict[str, Any]:
    """Tell what the page was measured on."""
    model = platform.processor() or platform.machine()
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        model = next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), model)
    except OSError:
        pass
    return {
        "processor": f"{model}, {os.cpu_count()} CPUs",
        "load before (running programs, 1 minute)": f"{os.getloadavg()[0]:.1f}",
        "Python": platform.python_version(),
        "code": CODE_HASH,
    }


def main(argv: Sequence[str] | None = None) -> None:
    """Measure and write the page."""
    parser = argparse.ArgumentParser(prog="python -m analysis.scaling", description=__doc__.split("\n")[0])
    parser.add_argument("--hands", type=count(1, MAX_HANDS), nargs="+", default=HANDS, metavar="N")
    parser.add_argument("--compared", type=count(16, MAX_HANDS), default=COMPARED_HANDS, metavar="N")
    parser.add_argument("--out", type=Path, default=Path(__file__).parents[1] / "reports", metavar="DIR")
    args = parser.parse_args(argv)
    about = facts()
    found = study(args.hands, args.compared)
    args.out.mkdir(parents=True, exist_ok=True)
    (args.out / "scaling.md").write_text(page(found, about), encoding="utf-8")
    kept = {"facts": about, "runs": {group: [run._asdict() for run in runs] for group, runs in found.items()}}
    (args.out / "scaling.json").write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
    print(args.out / "scaling.md")


if __name__ == "__main__":
    main()
