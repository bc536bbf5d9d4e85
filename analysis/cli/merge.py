"""``gdmj merge``: make one run of the parts of a plan."""

from __future__ import annotations

import argparse

from analysis.cli.common import Subparsers, UsageError, add_command, add_json, print_json

EXAMPLES = """
gdmj merge run --out merged
gdmj merge machine-1 machine-2 machine-3 --out merged
"""


def add_parser(sub: Subparsers) -> None:
    """Add the command."""
    parser = add_command(sub, "merge", run, "make one run of parts played with --shard", EXAMPLES)
    parser.add_argument("folders", nargs="+", metavar="DIR", help="folder with parts, or of one part")
    parser.add_argument("--out", required=True, metavar="DIR", help="folder of the new run; DIR/VARIANT each")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Merge the parts of each rule set."""
    from analysis.labels import counting
    from analysis.merge import merge, parts_by_slug
    from sim.store import open_store

    out = open_store(args.out)
    if any(str(open_store(folder)) == str(out) for folder in args.folders):
        raise UsageError(f"--out: {out} is one of the folders to merge; choose a new one")
    done = []
    for slug, parts in parts_by_slug(args.folders).items():
        target = out.child(slug)
        n_hands = merge(parts, target)["n_hands"]
        done.append({"variant": slug, "folder": str(target), "parts": len(parts), "hands": n_hands})
        if not args.json:
            print(f"{target}: {counting(n_hands, 'hand')} of {counting(len(parts), 'part')}")
    if args.json:
        print_json({"runs": done})
    return 0
