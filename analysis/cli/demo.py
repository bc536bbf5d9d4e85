"""``gdmj demo``: three rule sets, a report, in a minute or two."""

from __future__ import annotations

import argparse
from pathlib import Path

from analysis.arguments import count
from analysis.cli.common import Subparsers, add_command, available_threads

EXAMPLES = """
gdmj demo
gdmj demo --hands 200k --out bigger-demo
"""
VARIANTS = ("maima", "zhuama", "jipinghu")
SEED = 1
HANDS_PER_TABLE = 64


def add_parser(sub: Subparsers) -> None:
    """Add the command."""
    parser = add_command(sub, "demo", run, "play three rule sets and write a report", EXAMPLES)
    parser.add_argument("--out", type=Path, default=Path("demo"), metavar="DIR", help="default: demo")
    parser.add_argument(
        "--hands",
        type=count(1, 10**9),
        default=20_000,
        metavar="N",
        help="hands of each (default: 20000)",
    )


def run(args: argparse.Namespace) -> int:
    """Simulate, then report."""
    from analysis.cli.common import read_bots
    from analysis.cli.report import write
    from analysis.cli.simulate import describe, simulate_plans
    from analysis.playing import Work
    from sim import rules as rule_sets
    from sim.engine import Plan
    from sim.run_writer import is_same_plan, remove_run

    bots = read_bots("ukeire")
    plans = [Plan(rule_sets.load(name), args.hands, bots, SEED, "session", HANDS_PER_TABLE) for name in VARIANTS]
    for plan in plans:  # a demo of other code or another size gives way
        folder = args.out / plan.rules.slug
        if not is_same_plan(folder, plan.facts(0, plan.n_tables)):
            remove_run(folder)
    for result in simulate_plans(plans, Work(args.out, available_threads(), resume=True)):
        print(describe(result))
    page = write(args.out, None)
    print(f"open {page}")
    return 0
