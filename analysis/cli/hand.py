"""``gdmj hand``: shanten (向听) and accepted tiles (进张) of hands, JSON Lines in and out."""

from __future__ import annotations

import argparse
from typing import Any

from analysis.cli.common import Subparsers, add_command, add_lines

EXAMPLES = """
gdmj hand hands.jsonl
echo '{"hand": "123m456p78s1122p", "n_ghosts": 1, "forms": ["standard"]}' | gdmj hand
"""


def add_parser(sub: Subparsers) -> None:
    """Add the command."""
    parser = add_command(sub, "hand", run, "shanten and accepted tiles, one JSON object a line", EXAMPLES)
    add_lines(parser)


def run(args: argparse.Namespace) -> int:
    """Answer each line; status 1 if any failed."""
    from analysis.cli.json_lines import answer_lines

    return answer_lines(args.file, answer)


def answer(data: dict[str, Any]) -> dict[str, Any]:
    """Analyse one request."""
    from analysis.single.answers import hand_answer

    return hand_answer(data)
