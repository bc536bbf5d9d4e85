"""``gdmj verify``: check a run's files, and play some of its tables again."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from analysis.arguments import count
from analysis.cli.common import Subparsers, UsageError, add_command, add_json, bot_names, existing_store, print_json
from analysis.cli.play_options import add_own_bots

if TYPE_CHECKING:
    from analysis.verify import Verdict

EXAMPLES = """
gdmj verify run
gdmj verify run/maima --tables 1000
"""


def add_parser(sub: Subparsers) -> None:
    """Add the command."""
    parser = add_command(sub, "verify", run, "check that a run is whole and what it says it is", EXAMPLES)
    parser.add_argument("folder", metavar="DIR", help="folder of a run, finished or not")
    parser.add_argument(
        "--tables",
        type=count(0, 1 << 20),
        default=64,
        metavar="N",
        help="tables of each rule set to play again (default: 64)",
    )
    add_own_bots(parser)
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Verify each run; status 1 if one is damaged, unfinished or differs from its replay."""
    from analysis.verify import runs_in, verify

    bot_names(args.bots)
    found = runs_in(existing_store(args.folder))
    if not found:
        raise UsageError(f"{args.folder}: holds no run")
    verdicts = [verify(store, args.tables) for store in found]
    if args.json:
        print_json({"runs": [verdict._asdict() for verdict in verdicts]})
    for verdict in verdicts:
        if not args.json:
            print(describe(verdict))
        for fault in verdict.faults:
            print(f"gdmj: error: {fault}", file=sys.stderr)
    return int(any(verdict.faults or not verdict.is_finished for verdict in verdicts))


def describe(verdict: Verdict) -> str:
    """One line about a run."""
    from analysis.labels import counting

    what = f"{counting(verdict.n_hands, 'hand')} in {counting(verdict.n_shards, 'shard')}"
    if verdict.faults:
        return f"{verdict.folder}: {what}, NOT whole; simulate --resume plays again what is damaged"
    again = f", {counting(verdict.n_replayed, 'hand')} played again and the same" if verdict.n_replayed else ""
    if verdict.is_finished:
        return f"{verdict.folder}: {what}, whole{again}"
    return f"{verdict.folder}: UNFINISHED, {what}, whole so far{again}; simulate --resume goes on"
