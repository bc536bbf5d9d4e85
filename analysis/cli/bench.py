"""``gdmj bench``: how fast this is, here, beside the aims and beside other programs."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from analysis.arguments import count
from analysis.cli.common import Subparsers, UsageError, add_command, add_json, check_folder, load_rules, print_json

if TYPE_CHECKING:
    from analysis.bench.figure import Figure

SECTIONS = ("kernels", "play", "logs", "start")
RULES = ("zhuama", "maima", "jipinghu")
EXAMPLES = """
gdmj bench
gdmj bench --only play --rules guigang xinzhang
gdmj bench --against riichienv mahjong --json
gdmj bench --against all --sizes 1e4 1e5 1e6 1e7 --out reports
"""


def add_parser(sub: Subparsers) -> None:
    """Add the command."""
    parser = add_command(sub, "bench", run, "measure speed, beside aims and other programs", EXAMPLES)
    parser.add_argument(
        "--rules", nargs="+", default=list(RULES), metavar="VARIANT", help=f"rule sets (default: {' '.join(RULES)})"
    )
    parser.add_argument(
        "--only", nargs="+", choices=(*SECTIONS, "none"), default=list(SECTIONS), metavar="SECTION",
        help=f"what is measured, of {', '.join(SECTIONS)}, or none (default: all)",
    )  # fmt: skip
    parser.add_argument(
        "--against",
        nargs="+",
        default=[],
        metavar="PEER",
        help="other programs, or all: each is installed into the cache folder the first time, which needs the network",
    )
    parser.add_argument(
        "--sizes", type=count(1, 10**10), nargs="+", default=[], metavar="N", help="also play runs of these many hands"
    )
    parser.add_argument("--runs", type=count(1, 1000), default=7, metavar="N", help="runs of each figure (default: 7)")
    parser.add_argument(
        "--out", type=Path, metavar="DIR",
        help="write bench.md, charts and bench.json there; what another call wrote of the same code stays",
    )  # fmt: skip
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Measure, print, write."""
    from analysis.bench import growth, page
    from analysis.scaling import facts
    from sim.jit import CODE_HASH

    if "none" in args.only and len(set(args.only)) > 1:
        raise UsageError(f"--only: none and {next(name for name in args.only if name != 'none')} exclude each other")
    chosen = _peers(args.against)
    if args.out:
        check_folder("--out", args.out)
    for name in args.rules:
        load_rules(name, [])
    about = facts()
    figures: list[Figure] = []
    for figure in _measured(args):
        figures.append(figure)
        _tell(figure)
    notes = []
    for name in chosen:
        found, note = _against(name, args.runs)
        figures += found
        notes += [note] if note else []
    grown = []
    for one in growth.run(args.sizes) if args.sizes else ():
        grown.append(one)
        print(f"{one.hands:,} hands, {one.level}: {one.rate:,.0f} hands/CPU s", file=sys.stderr)
    if args.out:
        before, grown_before, about_before = page.kept(args.out, CODE_HASH)
        done = {figure.section for figure in figures}
        figures = [figure for figure in before if figure.section not in done] + figures
        print(page.write(args.out, figures, grown or grown_before, notes, about_before | about), file=sys.stderr)
    if args.json:
        print_json(page.record(figures, grown, notes, about))
    elif not args.out:
        print(page.markdown(figures, grown, notes, about, ()), end="")
    return 0


def _peers(names: list[str]) -> list[str]:
    from analysis.bench.peers import BY_NAME

    if names == ["all"]:
        return list(BY_NAME)
    for name in names:
        if name not in BY_NAME:
            raise UsageError(f"--against: unknown peer {name!r:.60}; allowed: {', '.join(BY_NAME)}, all")
    return names


def _measured(args: argparse.Namespace) -> Iterator[Figure]:
    """Measure the sections asked for."""
    from analysis.bench import kernels, logs, play, start

    if "kernels" in args.only:
        yield from kernels.measure(args.rules, args.runs)
    if "play" in args.only:
        yield from play.measure(args.rules, args.runs)
    if "logs" in args.only:
        yield from logs.measure(args.rules, args.runs)
    if "start" in args.only:
        yield from start.measure(args.rules)


def _against(name: str, runs: int) -> tuple[list[Figure], str]:
    """Figures of one peer and ours beside it, or why there are none; the reason also goes to stderr."""
    from analysis.bench.peers import BY_NAME, RULES, PeerError, measure

    found: list[Any] = []
    try:
        for figure in measure(BY_NAME[name], RULES, runs):
            found.append(figure)
            _tell(figure)
    except PeerError as error:
        print(f"gdmj: {error}", file=sys.stderr)
        return found, str(error)
    return found, ""


def _tell(figure: Figure) -> None:
    from analysis.bench.page import row

    what, middle, spread, aim, met = row(figure)
    print(f"{what}: {middle}, {spread}{f', aim {aim}: {met}' if aim else ''}".replace("*", ""), file=sys.stderr)
