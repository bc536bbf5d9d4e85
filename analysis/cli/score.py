"""``gdmj score``: fans, points and payments of winning hands, JSON Lines in and out."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

from analysis.cli.common import Subparsers, UsageError, add_command, add_lines

_LINE = """{"preset": "jipinghu", "hand": "123m456p789s55sNN", "win": "5s", "source": "zimo", "winner": 1}"""
EXAMPLES = f"""
gdmj score hands.jsonl
echo '{_LINE}' | gdmj score
echo '{_LINE}' | gdmj score --explain
echo '{_LINE}' | gdmj score --explain=text
"""
HOW = ("json", "text")


def add_parser(sub: Subparsers) -> None:
    """Add the command."""
    parser = add_command(sub, "score", run, "score winning hands, one JSON object a line", EXAMPLES)
    add_lines(parser)
    parser.add_argument(
        "--explain",
        nargs="?",
        const="json",
        metavar="HOW",
        help="say why: the reading that was priced, each fan with its source, each payment with its reason; "
        "json (default) in a field of each answer, text for reading",
    )


def run(args: argparse.Namespace) -> int:
    """Answer each line; status 1 if any failed."""
    from analysis.cli.json_lines import answer_lines, to_json
    from analysis.single.score_text import to_text

    file, how = args.file, args.explain
    if how is not None and how not in HOW and file == "-":
        file, how = how, "json"  # gdmj score --explain hands.jsonl
    if how is not None and how not in HOW:
        raise UsageError(f"--explain: one of {', '.join(HOW)} is needed, not {how!r:.60}")
    answering: Callable[[dict[str, Any]], dict[str, Any]] = answer if how is None else answer_and_explain
    return answer_lines(file, answering, to_text if how == "text" else to_json)


def answer(data: dict[str, Any]) -> dict[str, Any]:
    """Score one request."""
    from analysis.single.answers import score_answer

    return score_answer(data)


def answer_and_explain(data: dict[str, Any]) -> dict[str, Any]:
    """Score one request; a win has the field ``explain``."""
    from analysis.single.answers import score_answer

    return score_answer(data, explained=True)
