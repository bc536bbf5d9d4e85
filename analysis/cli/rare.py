"""``gdmj rare``: how often the rarest patterns come."""

from __future__ import annotations

import argparse
import math
from typing import TYPE_CHECKING

from analysis.arguments import count
from analysis.cli.common import Subparsers, add_command, add_json, add_set, bot_names, load_rules
from analysis.cli.common import print_json as print_document
from analysis.cli.play_options import add_seed
from analysis.progress import hands_progress

if TYPE_CHECKING:
    from analysis.splitting import Rare

# As in `analysis.splitting`, which is not loaded for help.
PATTERNS = ("thirteen_orphans", "dasanyuan", "dasixi", "jiulian", "qingyaojiu")
EXAMPLES = """
gdmj rare jipinghu
gdmj rare guigang thirteen_orphans jiulian --hands 5000 --repetitions 40
gdmj rare jipinghu dasixi --bot shanten --json
"""


def add_parser(sub: Subparsers) -> None:
    """Add the command."""
    parser = add_command(
        sub, "rare", run, "find how often five of the rarest patterns come, by splitting hands", EXAMPLES
    )
    parser.add_argument("variant", metavar="VARIANT", help="rule set by name, or path of a TOML file")
    parser.add_argument(
        "patterns",
        nargs="*",
        metavar="PATTERN",
        help=f"some of {', '.join(PATTERNS)} (default: those of them that the rule set prices)",
    )
    parser.add_argument("--bot", default="ukeire", metavar="BOT", help="a bot without random numbers (default: ukeire)")
    parser.add_argument(
        "--hands", type=count(100, 10**7), default=2_000, metavar="N", help="of a stage (default: 2,000)"
    )
    parser.add_argument("--repetitions", type=count(2, 10_000), default=20, metavar="R", help="(default: 20)")
    add_seed(parser)
    add_set(parser)
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Estimate each pattern."""
    from analysis.splitting import choose_distances, rare

    rules = load_rules(args.variant, args.overrides)
    (bot,) = bot_names([args.bot])
    priced = [name for name in PATTERNS if name in rules.patterns and rules.patterns[name].role != "none"]
    found = []
    for pattern in args.patterns or priced:
        distances = choose_distances(rules, pattern, bot, args.hands, args.seed)
        with hands_progress(pattern, args.hands * args.repetitions * (1 + len(distances))) as progress:
            found.append(
                rare(
                    rules,
                    pattern,
                    distances,
                    bot,
                    hands=args.hands,
                    repetitions=args.repetitions,
                    seed=args.seed,
                    progress=progress.advance,
                )
            )
        if not args.json:
            print(describe(found[-1]), flush=True)
    if args.json:
        print_document({"patterns": [one.to_dict() for one in found]})
    elif not found:
        print(f"{rules.slug}: none of {', '.join(PATTERNS)} has a price")
    return 0


def describe(found: Rare) -> str:
    """One line about a pattern."""
    from sim import patterns

    pattern = patterns.PATTERNS[patterns.INDEX[found.pattern]]
    head = f"{found.rules}, {found.bot}: {pattern.zh} {pattern.en} ({pattern.slug})"
    if not found.rate:
        return (
            f"{head}: none in {found.hands:,} hands of {found.repetitions} repetitions; below"
            f" {1e6 * found.high:.3g} in a million (95 %, from those dealt afresh)"
        )
    here = f"one in {1 / found.rate:,.0f}; {found.hands:,} hands"
    limits = f"[{1e6 * found.low:.3g}, {1e6 * found.high:.3g}]"
    if math.isnan(found.low):
        # So few tell neither the spread of a product nor what a hand is worth.
        few = "too few repetitions came through for an interval; try more --repetitions"
        return f"{head}: about {1e6 * found.rate:.3g} in a million hands, {here}; {few}"
    return (
        f"{head}: {1e6 * found.rate:.3g} in a million hands {limits}, {here}, each worth {found.gain:,.1f} plain ones"
    )
