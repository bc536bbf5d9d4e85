"""Runs that grow until they know a measure: ``gdmj simulate --until``."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from analysis.cli.common import UsageError

if TYPE_CHECKING:
    from analysis.cli.simulate import Work
    from analysis.sequence import Target
    from sim.engine import Plan


def read_target(args: argparse.Namespace) -> tuple[Target, ...]:
    """Return the precisions that ``--until`` asks for; none without it."""
    from analysis.compare.measures import MEASURES
    from analysis.sequence import read_until

    if not args.until:
        return ()
    if args.shard != (1, 1):
        raise UsageError("--until: a part cannot know when the whole is precise enough; leave out --shard")
    if args.level != "hand":
        raise UsageError(f"--until: sums do not tell how precise they are; leave out --level {args.level}")
    return read_until(args.until, tuple(MEASURES))


def until(plan: Plan, work: Work, simulate: Callable[[Plan, Work, str], dict[str, Any]]) -> dict[str, Any]:
    """Play longer and longer runs into one folder until the precision is reached; ``plan`` names the most hands."""
    from analysis.cli.simulate import folder_name
    from analysis.scan import open_run
    from analysis.sequence import reached
    from analysis.watched import FIRST_HANDS, Watched, next_hands
    from sim.shards import recorded
    from sim.store import open_store

    folder = open_store(work.out).child(folder_name(plan.rules.slug, work.shard))
    there = sum(shard.n_hands for shard in recorded(folder)[1])
    watched, hands, so_far = Watched(), min(max(FIRST_HANDS, there), plan.n_hands), ""
    done: dict[str, Any] = {}
    while True:
        hands = min(-(-hands // plan.table_hands) * plan.table_hands, plan.n_hands)
        part = simulate(replace(plan, n_hands=hands), replace(work, resume=work.resume or bool(done)), so_far)
        done = part | {
            "kept": done.get("kept", part["kept"]),
            "seconds": (done.get("seconds") or 0.0) + (part["seconds"] or 0.0),
        }
        watched.add(open_run(part["folder"])[0])
        looks = watched.looks()
        seen = {t.measure: looks[t.measure] for t in work.until}
        so_far = ", ".join(f"{name} {look.value:.4g} ± {look.half:.3g}" for name, look in seen.items())
        if reached(work.until, looks) or hands >= plan.n_hands:
            stop = "precision reached" if reached(work.until, looks) else "all hands played before the precision"
            played = hands - done["kept"]
            return done | {
                "seconds": done["seconds"] if played else None,
                "hands_per_second": played / done["seconds"] if played else None,
                "stop": f"{stop}: {so_far}",
            }
        hands = next_hands(hands, work.until, looks, plan.n_hands)
