"""``python -m analysis.beyond``: write ``reports/beyond-tips.md`` (and ``.zh.md``) with its charts."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from analysis.arguments import count, folder
from analysis.beyond.page import BOTS, RECORD, RULES, play, write
from analysis.checks import MAX_HANDS, MAX_SEED, MAX_THREADS


def main() -> None:
    """Read the options and write the page."""
    parser = argparse.ArgumentParser(prog="python -m analysis.beyond", description=__doc__)
    parser.add_argument(
        "--hands", type=count(1, MAX_HANDS), default=40_000, help="traced hands of each rule set and bot"
    )
    parser.add_argument("--walls", type=count(1, MAX_HANDS), default=60_000, help="walls of the question of flushes")
    parser.add_argument("--seed", type=count(0, MAX_SEED), default=2026)
    parser.add_argument("--threads", type=count(1, MAX_THREADS), default=2)
    parser.add_argument("--out", type=folder, default=Path("reports"), help="folder of the page (default reports)")
    parser.add_argument("--draw", action="store_true", help=f"play nothing, write the page again from its {RECORD}")
    args = parser.parse_args()
    if args.draw:
        record = json.loads((args.out / RECORD).read_text(encoding="utf-8"))
    else:
        facts = {"hands": args.hands, "walls": args.walls, "seed": args.seed}
        record = play(RULES, BOTS, facts, args.threads)
    write(record, args.out)


if __name__ == "__main__":
    main()
