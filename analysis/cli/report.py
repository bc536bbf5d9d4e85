"""``gdmj report``: the report of a run, as a page."""

from __future__ import annotations

import argparse
from pathlib import Path

from analysis.cli.common import Subparsers, add_command, existing_folder

EXAMPLES = """
gdmj report demo
gdmj report run --out reports/first
"""


def add_parser(sub: Subparsers) -> None:
    """Add the command."""
    parser = add_command(sub, "report", run, "write the report of a run", EXAMPLES)
    parser.add_argument("folder", metavar="DIR", help="folder of a run")
    parser.add_argument(
        "--out", type=Path, default=None, metavar="DIR", help="folder of the report (default: DIR itself)"
    )


def run(args: argparse.Namespace) -> int:
    """Write the report and print where it is."""
    print(write(existing_folder(args.folder), args.out))
    return 0


def write(folder: Path, out: Path | None) -> Path:
    """Write the report of the runs in ``folder`` and return the page's path."""
    from analysis.report import write_report
    from analysis.scan import open_run

    page: Path = write_report(open_run(folder), out or folder)
    return page
