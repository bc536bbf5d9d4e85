"""``gdmj score``: fans, points and payments of winning hands, JSON Lines in and out."""

from __future__ import annotations

import argparse
from typing import Any

from analysis.cli.common import Subparsers, add_command, add_lines

_LINE = """{"preset": "jipinghu", "hand": "123m456p789s55sNN", "win": "5s", "source": "zimo", "winner": 1}"""
EXAMPLES = f"""
gdmj score hands.jsonl
echo '{_LINE}' | gdmj score
"""


def add_parser(sub: Subparsers) -> None:
    """Add the command."""
    parser = add_command(sub, "score", run, "score winning hands, one JSON object a line", EXAMPLES)
    add_lines(parser)


def run(args: argparse.Namespace) -> int:
    """Answer each line; status 1 if any failed."""
    from analysis.cli.json_lines import answer_lines

    return answer_lines(args.file, answer)


def answer(data: dict[str, Any]) -> dict[str, Any]:
    """Score one request."""
    from analysis.cli import score_input
    from sim import score as scorer

    request = score_input.read(data)
    results, payments = scorer.score(request.rules, request.claims, request.table)
    if not request.several:
        (result,) = results
        if not result.is_win:
            return {"is_win": False, "reason": result.reason}
        return {
            "is_win": True,
            "fans": list(result.fans),
            "fan": result.fan,
            "points": result.points,
            "payments": list(payments),
        }
    output: dict[str, Any] = {
        "is_win": [result.is_win for result in results],
        "fans": [list(result.fans) for result in results],
        "fan": [result.fan for result in results],
        "points": [result.points for result in results],
        "payments": list(payments),
    }
    if not all(result.is_win for result in results):
        output["reason"] = [result.reason for result in results]
    return output
