"""``gdmj replay``: play one logged hand again and print it move by move."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from analysis.arguments import count
from analysis.cli.common import Subparsers, UsageError, add_command, add_json, bot_names, print_json
from analysis.cli.play_options import add_own_bots
from sim.schema import NEVER

if TYPE_CHECKING:
    from analysis.scan import Run

EXAMPLES = """
gdmj replay demo/maima --table 3 --hand 5
gdmj replay demo --variant jipinghu --table 0 --hand 0 --json
gdmj replay duel --table 17 --rotation 2
gdmj replay run --table 0 --hand 0 --bots my_bots:careful
"""
WINDS = ("East", "South", "West", "North")
_DASH = "-"
_OUTCOMES = ("washout", "self-draw", "discard", "robbed kong")
_BY_SEAT = {
    "points": "points",
    "hand": "from wins",
    "kong": "from kongs",
    "horse": "from horses",
    "gang_exposed": "direct kongs",
    "gang_added": "added kongs",
    "gang_concealed": "concealed kongs",
    "gang_fed": "direct kongs fed",
    "flowers": "flowers",
    "ghosts": "ghosts",
    "shanten_deal": "shanten as dealt",
    "ready_turn": "discards until ready",
    "calls": "calls",
}


def add_parser(sub: Subparsers) -> None:
    """Add the command."""
    parser = add_command(sub, "replay", run, "play one logged hand again, move by move", EXAMPLES)
    parser.add_argument("folder", metavar="DIR", help="folder of a run, or of one rule set in it")
    parser.add_argument("--variant", metavar="NAME", help="rule set, where the run has several")
    parser.add_argument(
        "--table", type=count(0, 2**32 - 1), required=True, metavar="T", help="table or deal block, from 0"
    )
    parser.add_argument("--hand", type=count(0, 2**16 - 1), metavar="H", help="hand of the table, from 0")
    add_own_bots(parser)
    parser.add_argument("--rotation", type=count(0, 3), metavar="R", help="rotation of a deal block, 0 to 3")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Replay one hand; status 1 if it differs from the log."""
    from analysis.scan import open_run
    from sim import replay as replayer

    bot_names(args.bots)
    chosen = _choose(open_run(args.folder), args.variant, args.folder)
    hand = _hand(args, chosen)
    stored_row, stored_wins = _stored(chosen, args.table, hand)
    played = replayer.replay(chosen.manifest, args.table, hand)
    faults = differences(stored_row, played.row, stored_wins, played.wins)
    if args.json:
        print_json(
            {
                "variant": chosen.rules.slug,
                "row": played.row,
                "wins": played.wins,
                "trace": [list(step) for step in played.trace],
                "matches_log": not faults,
            }
        )
    else:
        for line in _page(chosen, played.row, played.wins, played.trace):
            print(line)
    for fault in faults:
        print(f"gdmj: error: differs from the log: {fault}", file=sys.stderr)
    if not faults and not args.json:
        print("matches the log")
    return int(bool(faults))


def differences(
    stored: dict[str, Any],
    row: dict[str, Any],
    stored_wins: Sequence[dict[str, Any]],
    wins: Sequence[dict[str, Any]],
) -> list[str]:
    """Name each value that a replay gives differently from the log, whose wins are sorted by seat."""
    faults = [f"{name}: log {stored[name]}, replay {row.get(name)}" for name in stored if stored[name] != row.get(name)]
    if len(stored_wins) != len(wins):
        return [*faults, f"winners: log {len(stored_wins)}, replay {len(wins)}"]
    for old, new in zip(stored_wins, sorted(wins, key=lambda win: win["winner"]), strict=True):
        faults += [
            f"seat {old['winner']}'s win: {name}: log {old[name]}, replay {new.get(name)}"
            for name in old
            if old[name] != new.get(name)
        ]
    return faults


def _choose(runs: Sequence[Run], variant: str | None, folder: str) -> Run:
    slugs = [found.rules.slug for found in runs]
    if variant is None and len(runs) == 1:
        return runs[0]
    if variant is None:
        raise UsageError(f"{folder}: holds {', '.join(slugs)}; choose one with --variant")
    if variant not in slugs:
        raise UsageError(f"{folder}: holds no {variant}; there is {', '.join(slugs)}")
    return runs[slugs.index(variant)]


def _hand(args: argparse.Namespace, chosen: Run) -> int:
    """Return the hand within the table; in duplicate mode its number is the rotation."""
    if args.rotation is not None and chosen.is_session:
        raise UsageError("--rotation: a session run has no rotations, name the hand with --hand")
    if args.rotation is not None and args.hand is not None:
        raise UsageError("--rotation and --hand: one of them is needed, they mean the same in a duplicate run")
    given = args.hand if args.rotation is None else args.rotation
    if given is None:
        raise UsageError("--hand: is needed" if chosen.is_session else "--rotation: is needed")
    return int(given)


def _stored(chosen: Run, table: int, hand: int) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    import polars as pl

    from analysis.scan import collect

    here = (pl.col("table") == table) & (pl.col("hand") == hand)
    rows, wins = collect([chosen.hands.filter(here), chosen.wins.filter(here).sort("winner")])
    if rows.height == 0:
        raise UsageError(f"table {table}, hand {hand}: not in this run ({chosen.path})")
    return rows.to_dicts()[0], wins.to_dicts()


def _page(
    chosen: Run,
    row: dict[str, Any],
    wins: Sequence[dict[str, Any]],
    trace: Sequence[tuple[int, int, int, int]],
) -> Iterator[str]:
    """Lines of a replay: heading, moves, result."""
    from analysis.move_text import moves

    rules, manifest = chosen.rules, chosen.manifest
    part = "hand" if chosen.is_session else "rotation"
    yield f"{rules.slug}, table {row['table']}, {part} {row['hand']}: seed {manifest['seed']}"
    bots = manifest["bots"]
    names = (f"{seat} {bots[(seat - row['rotation']) % 4]}" for seat in range(4))
    yield f"seats: {', '.join(names)}; dealer {row['dealer']}, {WINDS[row['round_wind']]} round"
    yield ""
    yield from moves(trace)
    yield ""
    yield from result(chosen, row, wins)


def result(chosen: Run, row: dict[str, Any], wins: Sequence[dict[str, Any]]) -> Iterator[str]:
    """Lines of the wins and of the row: how the hand ended, then a table of what each seat has."""
    for win in wins:
        fans = [chosen.rules.pattern_name(bit) for bit in range(64) if win["patterns"] >> bit & 1]
        fan = f", {win['fan']} fan" if win["fan"] >= 0 else ""
        liable = f", seat {win['liable']} pays for all" if win["liable"] >= 0 else ""
        points = f"{win['points']} point" if win["points"] == 1 else f"{win['points']} points"
        yield f"seat {win['winner']}: {' '.join(fans)}{fan}, {points}{liable}"
    yield ""
    ending = list(_ending(row))
    width = max(len(name) for name, _ in ending) + 2
    yield from (f"{name:<{width}}{value}" for name, value in ending)
    yield ""
    width = max(map(len, _BY_SEAT.values())) + 2
    yield " " * width + "".join(f"{f'seat {seat}':>8}" for seat in range(4))
    for name, words in _BY_SEAT.items():
        yield f"{words:<{width}}" + "".join(f"{_seat_value(name, row[f'{name}_{seat}']):>8}" for seat in range(4))


def _ending(row: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Names and values of what a hand has once, in words."""
    from sim import tiles

    winners = [str(seat) for seat in range(4) if row["winners"] >> seat & 1]
    yield "outcome", _OUTCOMES[row["outcome"]]
    yield "winner" if len(winners) == 1 else "winners", ", ".join(f"seat {seat}" for seat in winners) or _DASH
    yield "from", f"seat {row['from_seat']}" if row["from_seat"] >= 0 else _DASH
    yield "winning tile", tiles.tile_name(row["win_tile"]) if row["win_tile"] >= 0 else _DASH
    yield "repeat deals", str(row["repeat"])
    yield "tiles drawn", str(row["turns"])
    yield "tiles left", str(row["wall_left"])
    yield "horses", f"{row['n_horses']}, hits {row['n_horse_hits']}" if row["n_horses"] else _DASH


def _seat_value(name: str, value: int) -> str:
    return "never" if name == "ready_turn" and value == NEVER else str(value)
