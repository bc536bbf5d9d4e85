"""``gdmj compare``: what switches of the rules do, on the same walls."""

from __future__ import annotations

import argparse
from pathlib import Path

from analysis.cli.common import (
    Subparsers,
    add_command,
    add_json,
    add_set,
    add_until,
    available_threads,
    check_folder,
    print_json,
    read_bots,
    write_json,
)
from analysis.cli.play_options import add_bots, add_play, add_session_length, add_technique, note_compiling
from analysis.progress import hands_progress

EXAMPLES = """
gdmj compare maima --toggle patterns.qingyise.value=8,32 --toggle kong.concealed=4
gdmj compare zhuama --toggle horses.count=2,4,8 --toggle horses.origin=dealer,winner --all-pairs
gdmj compare maima --toggle ghost=none,white,turned_two --hands 1e6
gdmj compare jipinghu xinzhang guigang --bots ukeire,random,random,random
gdmj compare zhuama --toggle dealer.on_washout=next_seat --mode session
gdmj compare maima --toggle horses.origin=dealer --until 'halfwidth(dealer_net) < 0.05' --hands 1e7
gdmj compare jipinghu --toggle play.chi=false --hands 1e8 --save sums.json --out effects    # again: goes on
gdmj compare maima --toggle 'horses.price=fixed+horses.fixed=2' 'ghost.mode=fixed+ghost.kinds=["B"]' --json
"""


def add_parser(sub: Subparsers) -> None:
    """Add the command."""
    parser = add_command(sub, "compare", run, "find what switches of the rules do, on the same walls", EXAMPLES)
    parser.add_argument("base", metavar="BASE", help="rule set by name, or path of a TOML file")
    parser.add_argument("variants", nargs="*", metavar="VARIANT", help="rule sets to compare with it")
    parser.add_argument(
        "--toggle",
        action="extend",
        nargs="+",
        default=[],
        metavar="PATH=V,V,..",
        help="set one field of the base to each value in turn; ghost=none,white,red,turned,turned_two for short",
    )
    parser.add_argument("--all-pairs", action="store_true", help="also each two switches together, each two variants")
    add_bots(parser)
    add_play(parser, 200_000)
    parser.add_argument(
        "--mode",
        choices=("duplicate", "session"),
        default="duplicate",
        help="duplicate: a hand a wall and line-up (default); session: tables with a moving deal",
    )
    add_session_length(parser)
    add_until(parser, "1,000 tables (walls in duplicate mode)")
    add_technique(parser)
    parser.add_argument("--out", type=Path, metavar="DIR", help="also write DIR/compare.json, what --json prints")
    add_set(parser, "change a field of every rule set")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Play and print the effects."""
    from analysis.compare.arms import plan
    from analysis.compare.measures import MEASURES
    from analysis.compare.run import compare
    from analysis.compare.text import describe
    from analysis.sequence import read_until

    bots = read_bots(args.bots)
    arms, contrasts = plan(args.base, args.variants, args.toggle, dict(args.overrides), args.all_pairs, args.mode)
    targets = read_until(args.until, tuple(MEASURES)) if args.until else ()
    if args.out:
        check_folder("--out", args.out)
    note_compiling()
    with hands_progress(arms[0].rules.slug, args.hands) as progress:
        result = compare(
            arms,
            contrasts,
            bots,
            hands=args.hands,
            seed=args.seed,
            mode=args.mode,
            hands_per_table=args.hands_per_table,
            threads=args.threads or available_threads(),
            targets=targets,
            adjust_luck=not args.no_luck,
            seat_walls=args.walls == "seats",
            save=args.save,
            progress=progress.tell,
        )
    if args.out:
        write_json(args.out / "compare.json", result.to_dict())
    if args.json:
        print_json(result.to_dict())
    else:
        print(describe(result))
    return 0
