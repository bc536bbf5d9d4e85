"""Options of every command that plays hands: how many, who, from which seed, on how many threads."""

from __future__ import annotations

import argparse
from pathlib import Path

from analysis.arguments import count
from analysis.checks import MAX_HANDS, MAX_LENGTH, MAX_SEED, MAX_THREADS
from analysis.progress import note_compiling as note_compiling


def add_bots(parser: argparse.ArgumentParser) -> None:
    """Add the line-up."""
    parser.add_argument(
        "--bots",
        default="ukeire",
        metavar="B[,B,B,B]",
        help="one bot for all seats or four (default: ukeire); ukeire+T02 obeys a tip, ukeire-T02 does the opposite,"
        " ukeire+T06.2 obeys one at a level (sim/policy/README.md); your own as module:attribute",
    )


def add_own_bots(parser: argparse.ArgumentParser) -> None:
    """Add the bots that are imported to play a log again."""
    parser.add_argument(
        "--bots",
        action="extend",
        nargs="+",
        default=[],
        metavar="B",
        help="bots of yours that played the run, as module:attribute; a log alone makes nothing be imported",
    )


def add_seed(parser: argparse.ArgumentParser) -> None:
    """Add the seed."""
    parser.add_argument("--seed", type=count(0, MAX_SEED), default=1, metavar="S", help="seed (default: 1)")


def add_threads(parser: argparse.ArgumentParser) -> None:
    """Add the number of threads; None where the command line says nothing."""
    parser.add_argument(
        "--threads", type=count(1, MAX_THREADS), default=None, metavar="T", help="threads (default: all CPUs)"
    )


def add_session_length(parser: argparse.ArgumentParser) -> None:
    """Add the hands of a table."""
    parser.add_argument(
        "--hands-per-table", type=count(1, MAX_LENGTH), default=64, metavar="H", help="session length (default: 64)"
    )


def add_play(parser: argparse.ArgumentParser, hands: int) -> None:
    """Add how much is played at most, from which seed, on how many threads."""
    parser.add_argument(
        "--hands",
        type=count(1, MAX_HANDS),
        default=hands,
        metavar="N",
        help=f"hands, with --until the most (default: {hands:,})",
    )
    add_seed(parser)
    add_threads(parser)


def add_technique(parser: argparse.ArgumentParser) -> None:
    """Add what reduces the variance of comparisons, to be left out, and the file that keeps their sums."""
    parser.add_argument("--no-luck", action="store_true", help="leave the luck of the draws in")
    parser.add_argument(
        "--walls",
        choices=("seats", "shared"),
        default="seats",
        help="seats: every seat draws from its own part of the wall, so that calls of others do not move its draws"
        " (default; no figure changes, only its precision); shared: one wall, as simulate deals",
    )
    parser.add_argument("--save", type=Path, metavar="FILE", help="keep the sums in FILE, and go on from it next time")
