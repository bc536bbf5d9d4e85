"""``gdmj session``: what a session of many hands brings a player, and how much money it takes to sit it out."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from analysis.arguments import count
from analysis.checks import MAX_BANKROLL, MAX_LENGTH, MAX_SESSIONS, MIN_SESSIONS
from analysis.cli.common import (
    Subparsers,
    UsageError,
    add_command,
    add_json,
    add_set,
    available_threads,
    check_folder,
    check_picture,
    load_rules,
    print_json,
    read_bots,
    write_json,
)
from analysis.cli.play_options import add_bots, add_seed, add_threads, note_compiling
from analysis.progress import hands_progress

if TYPE_CHECKING:
    from analysis.labels import Language
    from analysis.session_risk import SessionRisk

EXAMPLES = """
gdmj session maima zhuama jipinghu
gdmj session zhuama --length 128 --bankroll 500 1000 2000
gdmj session maima --set coins.factor=100 coins.rake=50 --bankroll 20000
gdmj session maima zhuama --bankroll 500 --out run --plot sessions.png
gdmj session jipinghu --bots ukeire,shanten,shanten,shanten --sessions 50k --json
"""


def add_parser(sub: Subparsers) -> None:
    """Add the command."""
    parser = add_command(sub, "session", run, "find what a session brings: spread, ruin, losing streaks", EXAMPLES)
    parser.add_argument("variants", nargs="+", metavar="VARIANT", help="rule set by name, or path of a TOML file")
    add_bots(parser)
    parser.add_argument(
        "--length", type=count(1, MAX_LENGTH), default=64, metavar="H", help="hands of a session (default: 64)"
    )
    parser.add_argument(
        "--sessions",
        type=count(MIN_SESSIONS, MAX_SESSIONS),
        default=5_000,
        metavar="N",
        help="sessions to play (default: 5,000)",
    )
    parser.add_argument(
        "--bankroll",
        nargs="+",
        type=count(1, MAX_BANKROLL),
        default=[],
        metavar="B",
        help="money in points or coins: the chance to lose it (none by default)",
    )
    add_seed(parser)
    add_threads(parser)
    add_set(parser, "change a field of every rule set")
    parser.add_argument(
        "--out", type=Path, default=None, metavar="DIR", help="also write DIR/session.json, which gdmj report DIR shows"
    )
    parser.add_argument(
        "--plot", type=Path, default=None, metavar="FILE", help="also draw the sessions (PNG, SVG, PDF)"
    )
    parser.add_argument("--language", choices=("en", "zh"), default="en", help="language of the picture")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Play the sessions and print what they came to."""
    from analysis.session_risk import session_risk
    from analysis.session_text import describe

    bots = read_bots(args.bots)
    rules = [load_rules(variant, args.overrides) for variant in args.variants]
    if args.out:
        check_folder("--out", args.out)
    if args.plot:
        check_picture("--plot", args.plot)
    note_compiling()
    with hands_progress("sessions", args.sessions * args.length) as progress:
        found = session_risk(
            rules,
            bots,
            hands=args.length,
            sessions=args.sessions,
            bankrolls=args.bankroll,
            seed=args.seed,
            threads=args.threads or available_threads(),
            progress=progress.advance,
        )
    if args.json:
        print_json({"sessions": [one.to_dict() for one in found]})
    else:
        print("\n\n".join(map(describe, found)))
    if args.out:
        write_json(args.out / "session.json", {"sessions": [one.to_dict() for one in found]})
    if args.plot:
        draw(found, args.plot, args.language)
    return 0


def draw(found: Sequence[SessionRisk], path: Path, language: Language) -> None:
    """Write a picture of sessions; the suffix of ``path`` says which kind."""
    from analysis.chart import save
    from analysis.extra_figures import Sessions, session_chart
    from analysis.labels import Label, label

    panels = [
        Sessions(Label(*[one.label] * 2), label(one.unit), one.fan.hands, one.fan.quantiles, [*one.ruin])
        for one in found
    ]
    try:
        save(session_chart(panels, language), path)
    except (OSError, ValueError) as error:
        raise UsageError(f"--plot {path}: cannot be written ({error})") from None
