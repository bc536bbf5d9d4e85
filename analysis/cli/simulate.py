"""``gdmj simulate``: play hands of rule sets and log them to Parquet."""

from __future__ import annotations

import argparse
import shlex
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from analysis.cli.common import (
    MAX_HANDS,
    Subparsers,
    UsageError,
    add_command,
    add_json,
    add_set,
    add_until,
    available_threads,
    count,
    load_rules,
    print_json,
    read_bots,
    shard,
)
from analysis.cli.play_options import add_bots, add_seed, add_session_length, add_threads
from analysis.cli.progress import hands_progress

if TYPE_CHECKING:
    from analysis.sequence import Target
    from sim.engine import Plan
    from sim.logs import Sink
    from sim.store import Store

EXAMPLES = """
gdmj simulate jipinghu --hands 1e6 --out run
gdmj simulate maima zhuama --hands 200k --bots ukeire,random,random,random --mode duplicate --out duel
gdmj simulate maima --set horses.count=2 ghost.mode=none --hands 2m --seed 7 --out what-if
gdmj simulate zhuama --until 'halfwidth(dealer_net) < 0.1' --hands 1e8 --out run
gdmj simulate my-house.toml --hands 1e8 --out run --resume
gdmj simulate maima --hands 1e9 --level agg --out run
gdmj simulate jipinghu --hands 1e5 --level trace --out run
gdmj simulate maima --hands 1e9 --scheduler tcp://10.0.0.1:8786 --out /shared/run
gdmj simulate my-house.toml --hands 1e8 --shard 3/16 --out run
"""
DEFAULT_CHUNK = 16  # tables; 1,024 hands of default sessions, some 40 ms of work


@dataclass(frozen=True)
class Work:
    """How a plan is carried out; nothing of it changes a result."""

    out: str | Path
    threads: int
    chunk: int
    shard: tuple[int, int]
    resume: bool = False
    shard_hands: int | None = None
    level: str = "hand"
    scheduler: str | None = None
    until: tuple[Target, ...] = ()


def add_parser(sub: Subparsers) -> None:
    """Add the command."""
    parser = add_command(sub, "simulate", run, "play hands and log them to Parquet", EXAMPLES)
    parser.add_argument("variants", nargs="+", metavar="VARIANT", help="rule set by name, or path of a TOML file")
    parser.add_argument(
        "--hands",
        type=count(1, MAX_HANDS),
        required=True,
        metavar="N",
        help="hands of each rule set, e.g. 1e6 or 20k; with --until the most",
    )
    add_bots(parser)
    add_seed(parser)
    parser.add_argument(
        "--out",
        required=True,
        metavar="DIR",
        help="folder of the run (or URL such as s3://bucket/run); DIR/VARIANT each",
    )
    parser.add_argument(
        "--mode",
        choices=("session", "duplicate"),
        default="session",
        help="session: tables with a moving deal (default); duplicate: each wall from all four seats",
    )
    add_session_length(parser)
    add_threads(parser)
    parser.add_argument(
        "--chunk",
        type=count(1, 1 << 20),
        default=DEFAULT_CHUNK,
        metavar="C",
        help=f"tables that a thread plays at a time (default: {DEFAULT_CHUNK})",
    )
    parser.add_argument(
        "--shard",
        type=shard,
        default=(1, 1),
        metavar="I/N",
        help="play only the I-th of N parts, for batch systems",
    )
    parser.add_argument(
        "--level",
        choices=("hand", "agg", "trace"),
        default="hand",
        help="hand: log every hand (default); agg: keep only what the report needs, some MB however many hands;"
        " trace: log every decision too, some kB a hand",
    )
    parser.add_argument(
        "--shard-hands",
        type=count(1, 1 << 28),
        default=None,
        metavar="H",
        help="hands of one shard, what a killed run loses at most (default: 2^20; agg: 2^22, trace: 2^13)",
    )
    parser.add_argument(
        "--scheduler",
        metavar="ADDRESS",
        default=None,
        help="play on a Dask cluster: tcp://host:8786, or local:N for N processes here",
    )
    parser.add_argument(
        "--resume",
        action="store_true",
        help="play only what an unfinished, damaged or shorter run of the same plan in DIR lacks",
    )
    add_until(parser)
    add_set(parser, "change a field of every rule set")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Simulate each rule set in turn."""
    from analysis.cli.until import read_target
    from sim.engine import Plan

    bots = read_bots(args.bots)
    rule_sets = [load_rules(variant, args.overrides) for variant in args.variants]
    _different([rules.slug for rules in rule_sets])
    plans = [Plan(rules, args.hands, bots, args.seed, args.mode, args.hands_per_table) for rules in rule_sets]
    work = Work(
        out=args.out,
        threads=args.threads or available_threads(),
        chunk=args.chunk,
        shard=args.shard,
        resume=args.resume,
        shard_hands=args.shard_hands,
        level=args.level,
        scheduler=args.scheduler,
        until=read_target(args),
    )
    results = simulate_plans(plans, work)
    if args.json:
        print_json({"runs": results})
        return 0
    for result in results:
        print(describe(result))
    return 0


def simulate_plans(plans: Sequence[Plan], work: Work) -> list[dict[str, Any]]:
    """Compile, then play each plan into its folder; returns what was done and how fast."""
    from analysis.cli.until import until
    from sim import engine
    from sim.store import open_store

    open_store(work.out).make()  # a folder that cannot be is said before the compiler runs
    engine.warm_up(plans[0], lambda message: print(message, file=sys.stderr))
    return [until(plan, work, _simulate) if work.until else _simulate(plan, work) for plan in plans]


def _simulate(plan: Plan, work: Work, note: str = "") -> dict[str, Any]:
    from sim import engine
    from sim.store import open_store

    folder = open_store(work.out).child(folder_name(plan.rules.slug, work.shard))
    hands = plan.hands_of(*engine.shard_tables(plan, work.shard))
    n_kept = 0
    start = time.perf_counter()

    def opened(kept: int, faults: list[str]) -> None:
        nonlocal n_kept
        n_kept = kept
        progress.skip(kept)
        for fault in faults:
            print(f"{fault}: played again", file=sys.stderr)

    try:
        with hands_progress(plan.rules.slug, hands) as progress:
            progress.note(note)
            engine.simulate(
                plan,
                folder,
                threads=work.threads,
                chunk=work.chunk,
                shard=work.shard,
                resume=work.resume,
                sink=_sink(plan, work),
                play=_play(work),
                progress=progress.advance,
                opened=opened,
            )
    except KeyboardInterrupt:
        raise KeyboardInterrupt(_how_to_go_on(folder, hands)) from None
    seconds = time.perf_counter() - start
    played = hands - n_kept
    return {
        "variant": plan.rules.slug,
        "folder": str(folder),
        "hands": hands,
        "kept": n_kept,
        "seconds": seconds if played else None,
        "hands_per_second": played / seconds if played else None,
    }


def _sink(plan: Plan, work: Work) -> Sink:
    """Return what keeps the hands, or their sums."""
    if work.level == "agg":
        from analysis.agg_log import SHARD_HANDS, AggLog

        return AggLog(plan, work.shard_hands or SHARD_HANDS)
    from sim.logs import HandLog

    return HandLog(work.shard_hands, work.level)


def _play(work: Work) -> Callable[..., None]:
    """Return what plays the shards."""
    if work.scheduler is None:
        from sim.engine import play_shards

        return play_shards
    from sim.cluster import play_on

    return partial(play_on, work.scheduler)


def _how_to_go_on(folder: Store, hands: int) -> str:
    """Say what an interrupted run has and which command goes on with it."""
    from sim.manifest import ManifestError
    from sim.shards import recorded
    from sim.store import StoreError

    words = sys.argv[1:] if "--resume" in sys.argv else [*sys.argv[1:], "--resume"]
    command = f"to go on: {shlex.join(['gdmj', *words])}"
    try:
        kept = sum(shard.n_hands for shard in recorded(folder)[1])
    except (ManifestError, StoreError, OSError):  # somebody else's folder, or a store that does not answer
        return command
    return f"{kept:,} of {hands:,} hands are kept in {folder}; {command}"


def folder_name(slug: str, part: tuple[int, int]) -> str:
    """Name of a run's folder; a part of a plan has one of its own."""
    index, n = part
    return slug if n == 1 else f"{slug}-{index}of{n}"


def describe(result: dict[str, Any]) -> str:
    """One line about a run."""
    from analysis.labels import counting

    hands = counting(result["hands"], "hand")
    kept = result["kept"]
    if result["seconds"] is None:
        return f"{result['folder']}: {hands} {'was' if result['hands'] == 1 else 'were'} there already"
    rest = f", {kept:,} of them there already, the others" if kept else ""
    speed = f"{result['seconds']:.1f} s ({result['hands_per_second']:,.0f} hands/s)"
    stop = f"; {result['stop']}" if "stop" in result else ""
    return f"{result['folder']}: {hands}{rest} in {speed}{stop}"


def _different(slugs: list[str]) -> None:
    for slug in slugs:
        if slugs.count(slug) > 1:
            raise UsageError(f"{slug} stands twice: each rule set of a run needs a slug of its own (--set slug=NAME)")
