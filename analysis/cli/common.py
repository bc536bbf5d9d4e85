"""What several commands share: argument types, ``--set``, JSON output."""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from analysis.checks import MAX_HANDS as MAX_HANDS
from analysis.threads import available_threads as available_threads

if TYPE_CHECKING:
    from sim.rules import Rules
    from sim.store import Store

Subparsers = Any  # argparse has no public name for what add_subparsers returns


class UsageError(Exception):
    """A request that cannot be carried out; the message is one line for the user."""


def shard(text: str) -> tuple[int, int]:
    """Read ``i/n``, the i-th of n parts, from 1."""
    match = re.fullmatch(r"(\d{1,6})/(\d{1,6})", text, re.ASCII)
    part = (int(match[1]), int(match[2])) if match else (0, 0)
    if not 1 <= part[0] <= part[1]:
        raise argparse.ArgumentTypeError(f"i/n with 1 <= i <= n is needed, such as 2/8, not {text!r:.60}")
    return part


def override(text: str) -> tuple[str, str]:
    """Read ``path=value``."""
    path, found, value = text.partition("=")
    if not found or not path.strip():
        raise argparse.ArgumentTypeError(f"path=value is needed, such as horses.count=6, not {text!r:.60}")
    return path.strip(), value.strip()


def add_command(
    sub: Subparsers, name: str, run: Callable[[argparse.Namespace], int], summary: str, examples: str
) -> argparse.ArgumentParser:
    """Add a command whose help ends with examples, one a line."""
    lines = "\n".join(f"  {line}" for line in examples.strip().splitlines())
    parser: argparse.ArgumentParser = sub.add_parser(
        name,
        help=summary,
        description=summary[0].upper() + summary[1:] + ".",
        epilog=f"examples:\n{lines}\n",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.set_defaults(run=run)
    return parser


def add_set(parser: argparse.ArgumentParser, what: str = "change a field of the rule set") -> None:
    """Add ``--set path=value``."""
    parser.add_argument(
        "--set",
        dest="overrides",
        type=override,
        action="extend",
        nargs="+",
        default=[],
        metavar="PATH=VALUE",
        help=f"{what}, e.g. --set horses.count=6 win.min_fan=1",
    )


def add_json(parser: argparse.ArgumentParser) -> None:
    """Add ``--json``."""
    parser.add_argument("--json", action="store_true", help="print one JSON document instead of text")


def add_lines(parser: argparse.ArgumentParser) -> None:
    """Add the file of a JSON Lines command."""
    parser.add_argument("file", nargs="?", default="-", metavar="FILE", help="JSON Lines; - is stdin (default)")


def add_until(parser: argparse._ActionsContainer, first: str) -> None:
    """Add the precision at which to stop; ``first`` is when it is first looked at."""
    parser.add_argument(
        "--until",
        metavar="TARGET",
        help="stop when 'halfwidth(MEASURE) < NUMBER', several joined by 'and'; intervals then hold at any stop;"
        f" first looked at after {first}",
    )


def load_rules(variant: str, overrides: list[tuple[str, str]]) -> Rules:
    """Read a rule set and apply overrides from the command line."""
    from sim import rules

    for path, _ in overrides:
        if path.split(".")[0] == "source":
            raise UsageError(f"--set {path}: the sources of a rule set cannot be set")
    return rules.load(variant, dict(overrides))


def bot_names(names: list[str]) -> list[str]:
    """Return what names the bots in a plan; one that is given as module:attribute is imported."""
    from sim.user_bots import resolve

    return [resolve(name) for name in names]


def read_bots(text: str) -> tuple[str, str, str, str]:
    """Return the line-up of ``B`` or ``B,B,B,B``."""
    names = bot_names([name.strip() for name in text.split(",")])
    if len(names) == 1:
        names *= 4
    if len(names) != 4:
        raise UsageError(f"--bots: one bot or four are needed, not {len(names)}")
    return (names[0], names[1], names[2], names[3])


def existing_folder(text: str) -> Path:
    """Return the folder ``text``, or say that there is none."""
    path = Path(text)
    if not path.is_dir():
        raise UsageError(f"{text}: no such folder")
    return path


def existing_store(text: str) -> Store:
    """Return the folder or URL ``text`` as a place of runs, or say that there is none."""
    from sim.store import Folder, open_store

    store = open_store(text)
    if isinstance(store, Folder):
        existing_folder(text)
    return store


def check_folder(option: str, path: Path) -> None:
    """Make a folder, and say that nothing can be written there before anything is played."""
    try:
        path.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=path):
            pass
    except OSError as error:
        raise UsageError(f"{option} {path}: cannot be written ({error.strerror})") from None


def check_picture(option: str, path: Path) -> None:
    """Say that a picture cannot be written before anything is played or read."""
    from matplotlib.backend_bases import FigureCanvasBase

    kinds = FigureCanvasBase.filetypes
    if path.suffix and path.suffix[1:].lower() not in kinds:
        raise UsageError(f"{option} {path}: no such kind of picture; allowed are {', '.join(sorted(kinds))}")
    if path.is_dir():
        raise UsageError(f"{option} {path}: is a folder, the name of a picture is needed")
    if not path.parent.is_dir():
        raise UsageError(f"{option} {path}: cannot be written (no such folder)")
    check_folder(option, path.parent)


def write_json(path: Path, value: object) -> None:
    """Write one JSON document to a file, whole or not at all."""
    partial = path.with_name(f"{path.name}.partial")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        partial.write_text(json.dumps(value, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
        partial.replace(path)
    except OSError as error:
        raise UsageError(f"{path}: cannot be written ({error.strerror})") from None


def print_json(value: object) -> None:
    """Print one JSON document."""
    json.dump(value, sys.stdout, ensure_ascii=False, indent=2)
    sys.stdout.write("\n")
