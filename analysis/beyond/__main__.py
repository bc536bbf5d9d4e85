"""``python -m analysis.beyond``: write ``reports/beyond-tips.md`` (and ``.zh.md``) with its charts."""

from __future__ import annotations

import argparse
from pathlib import Path

from analysis.beyond.page import BOTS, RULES, write


def main() -> None:
    """Read the options and write the page."""
    parser = argparse.ArgumentParser(prog="python -m analysis.beyond", description=__doc__)
    parser.add_argument("--hands", type=int, default=60_000, help="traced hands of each rule set and bot")
    parser.add_argument("--walls", type=int, default=60_000, help="walls of the question of flushes")
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--out", type=Path, default=Path("reports"), help="folder of the page (default reports)")
    args = parser.parse_args()
    facts = {"hands": args.hands, "walls": args.walls, "seed": args.seed}
    write(args.out, RULES, BOTS, facts, args.threads)


if __name__ == "__main__":
    main()
