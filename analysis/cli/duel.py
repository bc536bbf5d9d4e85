"""``gdmj duel``: which of two bots wins more, on the same walls."""

from __future__ import annotations

import argparse
from itertools import combinations
from typing import TYPE_CHECKING, Any

from analysis.cli.common import (
    Subparsers,
    UsageError,
    add_command,
    add_json,
    add_set,
    add_until,
    available_threads,
    bot_names,
    load_rules,
    print_json,
)
from analysis.cli.play_options import add_play, add_technique, note_compiling
from analysis.progress import hands_progress

if TYPE_CHECKING:
    from analysis.duel.run import Goal
    from sim.rules import Rules

EXAMPLES = """
gdmj duel ukeire shanten --rules maima
gdmj duel ukeire slip --rules maima jipinghu --sprt 0 0.3 0.05 0.05 --hands 1e6
gdmj duel ukeire slip --until 'halfwidth(points) < 0.1' --hands 1e7
gdmj duel ukeire shanten random --hands 50k --json
gdmj duel ukeire slip --plan 0.05
gdmj duel ukeire slip --hands 1e7 --save sums.json    # again: goes on
"""
PILOT_HANDS = 8_192


def add_parser(sub: Subparsers) -> None:
    """Add the command."""
    parser = add_command(sub, "duel", run, "play bots against each other on the same walls", EXAMPLES)
    parser.add_argument("bots", nargs="+", metavar="BOT", help="two bots; more: every two of them")
    parser.add_argument(
        "--rules", nargs="+", default=["maima"], metavar="VARIANT", help="rule sets, one after another (default: maima)"
    )
    add_play(parser, 200_000)
    goal = parser.add_mutually_exclusive_group()
    goal.add_argument(
        "--sprt",
        nargs=4,
        type=float,
        metavar=("D0", "D1", "ALPHA", "BETA"),
        help="stop as soon as a sequential test takes one of two differences in points, with these error rates",
    )
    add_until(goal, "1,000 walls (2,000 hands)")
    goal.add_argument(
        "--plan",
        type=float,
        metavar="POINTS",
        help="play a short pilot and say how many hands it takes to know the difference to +-POINTS",
    )
    add_technique(parser)
    add_set(parser, "change a field of every rule set")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Play each pair under each rule set."""
    names = bot_names(args.bots)
    if len(names) < 2:
        raise UsageError("duel: two bots are needed")
    pairs = list(combinations(names, 2))
    rule_sets = [load_rules(variant, args.overrides) for variant in args.rules]
    if args.save and len(pairs) * len(rule_sets) > 1:
        raise UsageError("--save: one file holds the sums of two bots under one rule set")
    goal = _goal(args)
    note_compiling()
    if args.plan is not None:
        return _plan(args, pairs, rule_sets)
    level = 1 - 0.05 / len(pairs)
    found = [[_duel(args, a, b, rules, goal, level) for a, b in pairs] for rules in rule_sets]
    if args.json:
        rows = [one.to_dict() for duels in found for one in duels]
        print_json({**rows[0], "duels": rows} if len(rows) == 1 else {"duels": rows})
        return 0
    from analysis.duel.text import describe

    print("\n\n".join(describe(names, duels) for duels in found))
    return 0


def _goal(args: argparse.Namespace) -> Goal:
    from analysis.duel.run import MEASURES, Goal
    from analysis.sequence import read_until
    from analysis.sprt import Sprt, check

    if args.sprt:
        return Goal(sprt=check(Sprt(*args.sprt)))
    return Goal(targets=read_until(args.until, MEASURES) if args.until else ())


def _duel(args: argparse.Namespace, a: str, b: str, rules: Rules, goal: Goal, level: float) -> Any:
    from analysis.duel.run import duel

    with hands_progress(f"{rules.slug} {a}-{b}", args.hands) as progress:
        return duel(
            a,
            b,
            rules,
            hands=args.hands,
            seed=args.seed,
            threads=args.threads or available_threads(),
            goal=goal,
            level=level,
            adjust_luck=not args.no_luck,
            seat_walls=args.walls == "seats",
            save=args.save,
            progress=progress.tell,
        )


def _plan(args: argparse.Namespace, pairs: list[tuple[str, str]], rule_sets: list[Rules]) -> int:
    """Print what a wanted precision takes."""
    from analysis.duel.plan import plan
    from analysis.duel.text import describe_plan

    if not 0 < args.plan < float("inf"):
        raise UsageError(f"--plan: a number above 0 is needed, not {args.plan}")
    plans = [
        plan(
            a,
            b,
            rules,
            args.plan,
            hands=min(args.hands, PILOT_HANDS),
            seed=args.seed,
            threads=args.threads or 1,
            adjust_luck=not args.no_luck,
            seat_walls=args.walls == "seats",
        )
        for rules in rule_sets
        for a, b in pairs
    ]
    if args.json:
        print_json({"plans": [one._asdict() for one in plans]})
    else:
        print("\n".join(map(describe_plan, plans)))
    return 0
