"""``gdmj session``: what a session of many hands brings a player, and how much money it takes to sit it out."""

from __future__ import annotations

import argparse
import math
from typing import TYPE_CHECKING

from analysis.cli.common import (
    Subparsers,
    add_command,
    add_json,
    add_set,
    available_threads,
    count,
    load_rules,
    print_json,
    read_bots,
)
from analysis.cli.play_options import add_bots, add_seed, add_threads, note_compiling
from analysis.progress import hands_progress

if TYPE_CHECKING:
    from analysis.session_risk import Estimate, SessionRisk

EXAMPLES = """
gdmj session maima zhuama jipinghu
gdmj session zhuama --length 128 --bankroll 500 1000 2000
gdmj session maima --set coins.factor=100 coins.rake=50 --bankroll 20000
gdmj session jipinghu --bots ukeire,shanten,shanten,shanten --sessions 50k --json
"""


def add_parser(sub: Subparsers) -> None:
    """Add the command."""
    parser = add_command(sub, "session", run, "find what a session brings: spread, ruin, losing streaks", EXAMPLES)
    parser.add_argument("variants", nargs="+", metavar="VARIANT", help="rule set by name, or path of a TOML file")
    add_bots(parser)
    parser.add_argument(
        "--length", type=count(1, 65_535), default=64, metavar="H", help="hands of a session (default: 64)"
    )
    parser.add_argument(
        "--sessions", type=count(2, 10**8), default=5_000, metavar="N", help="sessions to play (default: 5,000)"
    )
    parser.add_argument(
        "--bankroll",
        nargs="+",
        type=count(1, 10**12),
        default=[],
        metavar="B",
        help="money in points or coins: the chance to lose it (none by default)",
    )
    add_seed(parser)
    add_threads(parser)
    add_set(parser, "change a field of every rule set")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Play the sessions and print what they came to."""
    from analysis.session_risk import session_risk

    bots = read_bots(args.bots)
    rules = [load_rules(variant, args.overrides) for variant in args.variants]
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
    return 0


def describe(risk: SessionRisk) -> str:
    """Return one bot's sessions under one rule set."""
    unit = risk.unit
    n0 = f"{risk.n0:,.0f} hands" if math.isfinite(risk.n0) else "never, the game is even"
    lines = [
        f"{risk.rules}, {risk.bot}: {risk.sessions:,} sessions of {risk.hands} hands, in {unit}",
        _row("mean of a hand", _shown(risk.mean_hand)),
        _row("standard deviation of a session", f"{_shown(risk.sd)}  ({risk.sd_hand:,.1f} for one hand)"),
        _row("ahead after a session", _shown(risk.ahead, 100, " %")),
        _row("mean exceeds spread (N0)", n0),
        _row("longest losing streak", f"{_shown(risk.streak_mean)} hands; 95 %: {risk.streak_95:.0f} or fewer;"),
    ]
    lines[-1] += f" longest seen {risk.streak_longest}"
    lines += [_row(f"{100 * p:g} % of sessions end at or below", _shown(q)) for p, q in risk.quantiles.items()]
    for bankroll, chance in risk.ruin.items():
        ever = f"; however long: {100 * risk.ruin_ever[bankroll]:.4g} %"
        lines.append(_row(f"bankroll {bankroll:,} lost in a session", _shown(chance, 100, " %") + ever))
    return "\n".join(lines)


def _row(name: str, text: str) -> str:
    return f"  {name:38}{text}"


def _shown(value: Estimate, factor: float = 1.0, unit: str = "") -> str:
    text = f"{factor * value.value:,.2f}{unit}"
    if math.isnan(value.low) or value.low == value.high:
        return text
    return f"{text} [{factor * value.low:,.2f}, {factor * value.high:,.2f}]"
