"""``gdmj tips``: whether the strategy tips of the sources hold."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from analysis.arguments import count
from analysis.cli.common import (
    MAX_HANDS,
    Subparsers,
    UsageError,
    add_command,
    add_json,
    add_set,
    available_threads,
    check_folder,
    print_json,
)
from analysis.cli.play_options import add_seed, add_threads, note_compiling
from analysis.progress import hands_progress

if TYPE_CHECKING:
    from analysis.tips.play import Tell

EXAMPLES = """
gdmj tips --list
gdmj tips T09 T19 --budget 5m
gdmj tips --budget 1h --out tips                     # all of them: page, charts, data
gdmj tips T28 --hands 200k                           # the same numbers on any machine
gdmj tips T06 T35 --rules jipinghu xinzhang --set win.min_fan=1 --json
"""
_TIME = re.compile(r"(\d+(?:\.\d+)?)([smh]?)", re.ASCII)
_SECONDS = {"": 1, "s": 1, "m": 60, "h": 3600}
_MOST_SECONDS = 7 * 24 * 3600


def duration(text: str) -> float:
    """Read a time such as 90, 90s, 10m or 1h, in seconds."""
    match = _TIME.fullmatch(text.strip().lower())
    seconds = float(match[1]) * _SECONDS[match[2]] if match else 0.0
    if not 1 <= seconds <= _MOST_SECONDS:
        raise argparse.ArgumentTypeError(f"a time from 1s to 168h is needed, such as 90s, 10m or 1h, not {text!r:.60}")
    return seconds


def add_parser(sub: Subparsers) -> None:
    """Add the command."""
    parser = add_command(sub, "tips", run, "test the strategy tips of the sources", EXAMPLES)
    parser.add_argument("ids", nargs="*", metavar="ID", help="tips by number, such as T09 (default: all)")
    parser.add_argument("--list", action="store_true", dest="only_list", help="list the tips and how each is tested")
    parser.add_argument(
        "--rules",
        nargs="+",
        default=None,
        metavar="VARIANT",
        help="rule sets (default: jipinghu, maima, zhuama; tips that need others name them)",
    )
    parser.add_argument("--bots", nargs="+", default=None, metavar="BOT", help="bots (default: ukeire value)")
    effort = parser.add_mutually_exclusive_group()
    effort.add_argument(
        "--budget",
        type=duration,
        default=600.0,
        metavar="TIME",
        help="time for everything: 90s, 10m, 1h (default: 10m)",
    )
    effort.add_argument(
        "--hands",
        type=count(1_024, MAX_HANDS),
        metavar="N",
        help="traced hands of each rule set and bot, twice as many for each duel, a fifth of these (at least 1,024) for"
        " a tip's level: the same numbers on any machine",
    )
    parser.add_argument("--out", type=Path, metavar="DIR", help="write tips.md, charts and tips.json into DIR")
    add_seed(parser)
    add_threads(parser)
    add_set(parser, "change a field of every rule set")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Try the tips and print verdicts."""
    from analysis.cli import tips_text
    from analysis.tips.registry import chosen

    tips = chosen(args.ids)
    if args.only_list:
        if args.json:
            print_json({"tips": [tips_text.facts(tip) for tip in tips]})
        else:
            print("\n".join(map(tips_text.about, tips)))
        return 0
    from analysis.tips import page
    from analysis.tips import run as tips_run
    from sim.policy import bot_codes

    bots = args.bots or list(tips_run.BOTS)
    tasks = tips_run.plan(tips, args.rules, bots, args.overrides)
    for task in tasks:
        for text in (task.check.a, task.check.b) if task.check.method == "duel" and task.bot else (task.bot,):
            if name := text.format(bot=task.bot):
                try:
                    bot_codes((name,))
                except ValueError as error:
                    raise UsageError(str(error)) from None
    if args.out:
        check_folder("--out", args.out)
    note_compiling()
    rows, facts = tips_run.run(
        tips,
        tasks,
        tips_run.Effort(None, args.hands, 2 * args.hands) if args.hands else tips_run.Effort(seconds=args.budget),
        seed=args.seed,
        threads=args.threads or available_threads(),
        bar=_bar,
    )
    if args.out:
        page.write(args.out, tips, rows, facts)
    if args.json:
        print_json({"provenance": facts, "verdicts": [row.to_dict() for row in rows]})
    else:
        print(tips_text.table(tips, rows))
    if facts["interrupted"]:
        raise KeyboardInterrupt("the verdicts are those of what was played by then")
    return 0


@contextmanager
def _bar(label: str, hands: int) -> Iterator[Tell]:
    with hands_progress(label, hands) as progress:
        yield progress.tell
