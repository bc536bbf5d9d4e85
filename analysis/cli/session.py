"""``gdmj session``: what a session of many hands brings a player, and how much money it takes to sit it out."""

from __future__ import annotations

import argparse
import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

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
    count,
    load_rules,
    print_json,
    read_bots,
    write_json,
)
from analysis.cli.play_options import add_bots, add_seed, add_threads, note_compiling
from analysis.progress import hands_progress

if TYPE_CHECKING:
    from analysis.labels import Language
    from analysis.session_risk import Estimate, SessionRisk

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
        Sessions(
            Label(*[f"{one.rules}, {one.bot}"] * 2), label(one.unit), one.fan.hands, one.fan.quantiles, [*one.ruin]
        )
        for one in found
    ]
    try:
        save(session_chart(panels, language), path)
    except (OSError, ValueError) as error:
        raise UsageError(f"--plot {path}: cannot be written ({error})") from None


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
