"""``gdmj simulate``: play hands of rule sets and log them to Parquet."""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from analysis.arguments import count
from analysis.cli.common import (
    MAX_HANDS,
    Subparsers,
    UsageError,
    add_command,
    add_json,
    add_set,
    add_until,
    available_threads,
    load_rules,
    print_json,
    read_bots,
    shard,
)
from analysis.cli.play_options import add_bots, add_seed, add_session_length, add_threads

if TYPE_CHECKING:
    from analysis.playing import Played, Work
    from analysis.sequence import Target
    from sim.engine import Plan
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
DEFAULT_CHUNK = 16  # as in `analysis.playing`, which is not loaded for help


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
        " trace: log every decision too, 1 to 1.5 kB a hand",
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
    add_until(parser, "65,536 hands, and it takes 1,000 tables (64,000 hands)")
    add_set(parser, "change a field of every rule set")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Simulate each rule set in turn."""
    from analysis.playing import Work
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
        until=_targets(args),
    )
    results = simulate_plans(plans, work)
    if args.json:
        print_json({"runs": [result.to_dict() for result in results]})
        return 0
    for result in results:
        print(describe(result))
    return 0


def simulate_plans(plans: Sequence[Plan], work: Work) -> list[Played]:
    """Compile, then play each plan into its folder."""
    from sim import engine
    from sim.store import open_store

    open_store(work.out).make()  # a folder that cannot be is said before the compiler runs
    engine.warm_up(plans[0], lambda message: print(message, file=sys.stderr))
    return [_simulate(plan, work) for plan in plans]


def _simulate(plan: Plan, work: Work) -> Played:
    from analysis.playing import folder_of, hands_of, play

    try:
        return play(plan, work, lambda fault: print(fault, file=sys.stderr))
    except KeyboardInterrupt:
        raise KeyboardInterrupt(_how_to_go_on(folder_of(plan, work), hands_of(plan, work))) from None


def _targets(args: argparse.Namespace) -> tuple[Target, ...]:
    """Return the precisions that ``--until`` asks for; none without it."""
    from analysis.playing import TARGETS
    from analysis.sequence import read_until

    if not args.until:
        return ()
    if args.shard != (1, 1):
        raise UsageError("--until: a part cannot know when the whole is precise enough; leave out --shard")
    if args.level == "agg":
        raise UsageError(f"--until: sums do not tell how precise they are; leave out --level {args.level}")
    return read_until(args.until, TARGETS)


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


def describe(result: Played) -> str:
    """One line about a run."""
    from analysis.labels import counting

    hands = counting(result.n_hands, "hand")
    if result.seconds is None:
        return f"{result.folder}: {hands} {'was' if result.n_hands == 1 else 'were'} there already"
    rest = f", {result.n_kept:,} of them there already, the others" if result.n_kept else ""
    speed = f"{result.seconds:.1f} s ({result.hands_per_second:,.0f} hands/s)"
    stop = f"; {result.stop}" if result.stop else ""
    return f"{result.folder}: {hands}{rest} in {speed}{stop}"


def _different(slugs: list[str]) -> None:
    for slug in slugs:
        if slugs.count(slug) > 1:
            raise UsageError(f"{slug} stands twice: each rule set of a run needs a slug of its own (--set slug=NAME)")
