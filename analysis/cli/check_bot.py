"""``gdmj check-bot``: find out whether a bot of yours may be seated."""

from __future__ import annotations

import argparse

from analysis.arguments import count
from analysis.cli.common import Subparsers, add_command, add_json, print_json
from analysis.cli.play_options import add_seed

EXAMPLES = """
gdmj check-bot my_bots:careful
gdmj check-bot my_bots:careful --hands 2000 --json
"""


def add_parser(sub: Subparsers) -> None:
    """Add the command."""
    parser = add_command(sub, "check-bot", run, "play a bot of yours under many rules and tell what it broke", EXAMPLES)
    parser.add_argument("bot", metavar="BOT", help="module:attribute (of a file here, too), or an installed bot")
    parser.add_argument(
        "--hands", type=count(1, 10**6), default=200, metavar="N", help="hands of each rule set (default: 200)"
    )
    add_seed(parser)
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Check one bot; status 1 if it broke something."""
    from analysis.bot_check import check_bot
    from sim.user_bots import resolve

    verdict = check_bot(resolve(args.bot), hands=args.hands, seed=args.seed)
    if args.json:
        print_json(
            {
                "bot": verdict.bot,
                "sound": verdict.is_sound,
                "faults": list(verdict.faults),
                "hands": verdict.n_hands,
                "rule_sets": verdict.n_rules,
                "hands_per_second": verdict.hands_per_second,
            }
        )
    else:
        print(verdict)
    return int(not verdict.is_sound)
