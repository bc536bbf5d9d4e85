"""``gdmj report``: the report of a run, as a page."""

from __future__ import annotations

import argparse
from pathlib import Path

from analysis.cli.common import Subparsers, UsageError, add_command, check_picture, existing_store

EXAMPLES = """
gdmj report demo
gdmj report run --out reports/first
gdmj session maima --out run && gdmj report run
gdmj report run --picture ends.png --language zh
"""


def add_parser(sub: Subparsers) -> None:
    """Add the command."""
    parser = add_command(sub, "report", run, "write the report of a run and of results beside it", EXAMPLES)
    parser.add_argument("folder", metavar="DIR", help="folder of a run")
    parser.add_argument(
        "--out", type=Path, default=None, metavar="DIR", help="folder of the report (default: DIR itself)"
    )
    parser.add_argument(
        "--picture",
        type=Path,
        default=None,
        metavar="FILE",
        help="also write the chart of how hands end (PNG, SVG, PDF)",
    )
    parser.add_argument("--language", choices=("en", "zh"), default="en", help="language of the picture")


def run(args: argparse.Namespace) -> int:
    """Write the report and print where it is."""
    folder = str(existing_store(args.folder))
    if "://" in folder and args.out is None:
        raise UsageError(f"--out: is needed, a report is not written to {folder}")
    if args.picture:
        check_picture("--picture", args.picture)
    print(write(folder, args.out))
    if args.picture:
        from analysis.report import write_picture
        from analysis.scan import open_run

        print(write_picture(open_run(folder), args.picture, args.language))
    return 0


def write(folder: str | Path, out: Path | None) -> Path:
    """Write the report of what lies in ``folder`` and return the page's path."""
    from analysis.report import write_report
    from analysis.report.found import look
    from analysis.scan import open_run

    local = None if "://" in str(folder) else Path(folder)
    has_results_only = local is not None and look(local) and not any(local.rglob("manifest.json"))
    page: Path = write_report([] if has_results_only else open_run(folder), out or Path(folder), local)
    return page
