"""``gdmj replay``: play one logged hand again and print it move by move."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from analysis.cli.common import Subparsers, UsageError, add_command, add_json, count, print_json
from sim import schema

if TYPE_CHECKING:
    from analysis.scan import Run

EXAMPLES = """
gdmj replay demo/maima --table 3 --hand 5
gdmj replay demo --variant jipinghu --table 0 --hand 0 --json
gdmj replay duel --table 17 --rotation 2
"""
WINDS = ("East", "South", "West", "North")
# Move -> its line. ``other`` is the seat that fed it, the tiles left, or a horse's seats after the origin.
_TEXT = {
    "pass": "passes a win on {kind}",
    "discard": "discards {kind}",
    "hu": "wins on {kind} from seat {other}",
    "peng": "peng {kind} from seat {other}",
    "gang_exposed": "direct kong {kind} from seat {other}",
    "gang_added": "added kong {kind}",
    "gang_concealed": "concealed kong {kind}",
    "chi": "chi {run} from seat {other}",
    "draw": "draws {kind} ({other} left)",
    "draw_tail": "draws {kind} from the tail ({other} left)",
    "indicator": "{kind} is turned: {ghost} is the ghost",
    "horse": "horse {kind}: the origin's seat + {other}",
    "end": "end: {outcome}",
}
_SELF_DRAW = "wins on {kind} by self-draw"
_ADDS = ("deal", "draw", "draw_tail")
_REMOVES = {"discard": 1, "peng": 2, "gang_exposed": 3, "gang_added": 1, "gang_concealed": 4}


def add_parser(sub: Subparsers) -> None:
    """Add the command."""
    parser = add_command(sub, "replay", run, "play one logged hand again, move by move", EXAMPLES)
    parser.add_argument("folder", metavar="DIR", help="folder of a run, or of one rule set in it")
    parser.add_argument("--variant", metavar="NAME", help="rule set, where the run has several")
    parser.add_argument(
        "--table", type=count(0, 2**32 - 1), required=True, metavar="T", help="table or deal block, from 0"
    )
    parser.add_argument("--hand", type=count(0, 2**16 - 1), metavar="H", help="hand of the table, from 0")
    parser.add_argument("--rotation", type=count(0, 3), metavar="R", help="rotation of a deal block, 0 to 3")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Replay one hand; status 1 if it differs from the log."""
    from analysis.scan import open_run
    from sim import replay as replayer

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
    """Name each value that a replay gives differently from the log."""
    faults = [
        f"{name}: log {stored[name]}, replay {row.get(name)}"
        for name in stored
        if stored[name] != row.get(name)
    ]
    if len(stored_wins) != len(wins):
        return [*faults, f"winners: log {len(stored_wins)}, replay {len(wins)}"]
    for old, new in zip(stored_wins, wins, strict=True):
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
        raise UsageError(
            "--rotation and --hand: one of them is needed, they mean the same in a duplicate run"
        )
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


def moves(trace: Sequence[tuple[int, int, int, int]]) -> Iterator[str]:
    """One line for each move; a seat's concealed tiles stand beside its own moves."""
    from sim import tiles

    hands: list[list[int]] = [[], [], [], []]

    def line(seat: int, text: str) -> str:
        who, concealed = (f"seat {seat}", tiles.show(hands[seat])) if seat >= 0 else ("", "")
        return f"{who:<8}{text:<34}{concealed}".rstrip()

    claimable = -1
    for i, (code, seat, kind, other) in enumerate(trace):
        move = schema.MOVES[code]
        if move in _ADDS:
            hands[seat].append(kind)
        for tile in _removed(move, kind, claimable):
            hands[seat].remove(tile)
        if move == "discard":
            claimable = kind
        if move == "deal":
            if schema.MOVES[trace[i + 1][0]] != "deal":
                yield from (line(dealt, "is dealt") for dealt in range(tiles.N_SEATS))
            continue
        run = tiles.show(range(kind, kind + 3)) if move == "chi" else ""
        name = tiles.KIND_NAMES[kind] if kind >= 0 else ""
        ghost = tiles.KIND_NAMES[other] if move == "indicator" else ""
        outcome = schema.OUTCOMES[other] if move == "end" else ""
        template = _SELF_DRAW if move == "hu" and other < 0 else _TEXT[move]
        yield line(seat, template.format(kind=name, other=other, run=run, ghost=ghost, outcome=outcome))


def _removed(move: str, kind: int, claimable: int) -> list[int]:
    """Concealed tiles that a move takes out of its seat's hand."""
    if move == "chi":
        return [k for k in range(kind, kind + 3) if k != claimable]
    return [kind] * _REMOVES.get(move, 0)


def result(chosen: Run, row: dict[str, Any], wins: Sequence[dict[str, Any]]) -> Iterator[str]:
    """Lines of the wins and of the row."""
    for win in wins:
        fans = [chosen.rules.pattern_name(bit) for bit in range(64) if win["patterns"] >> bit & 1]
        fan = f", {win['fan']} fan" if win["fan"] >= 0 else ""
        liable = f", seat {win['liable']} pays for all" if win["liable"] >= 0 else ""
        yield f"seat {win['winner']}: {' '.join(fans)}{fan}, {win['points']} points{liable}"
    for part in ("hand", "kong", "horse", "points"):
        yield f"{part:<8}" + "".join(f"{row[f'{part}_{seat}']:>8}" for seat in range(4))
    shown = {
        name: value
        for name, value in row.items()
        if not name.startswith(("points_", "hand_", "kong_", "horse_"))
    }
    yield ""
    yield from _columns([f"{name} {value}" for name, value in shown.items()])


def _columns(cells: Sequence[str], width: int = 26, across: int = 4) -> Iterator[str]:
    for start in range(0, len(cells), across):
        yield "".join(f"{cell:<{width}}" for cell in cells[start : start + across]).rstrip()
