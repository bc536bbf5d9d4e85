"""Answers about single hands as plain data: what ``gdmj score`` and ``gdmj hand`` print, and notebooks get."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from analysis.single import hand_input, score_input
from sim import hand as hands
from sim import score as scorer
from sim.explain import explain
from sim.rules import Rules

Answer = dict[str, Any]


def score_answer(data: Mapping[str, Any], rules: Rules | None = None, *, explained: bool = False) -> Answer:
    """Score the win that a request describes.

    Parameters
    ----------
    data
        Fields as in the README; ``preset`` is not needed where ``rules`` are given.
    explained
        Whether a win has the field ``explain``.

    Raises
    ------
    analysis.single.fields.InputError, sim.score.ScoreError, sim.rules.RulesError
        One line: field, what is needed, what was given.
    """
    request = score_input.read(dict(data), rules)
    results, payments = scorer.score(request.rules, request.claims, request.table)
    if not request.several:
        (result,) = results
        if not result.is_win:
            return {"is_win": False, "reason": result.reason}
        output: Answer = {
            "is_win": True,
            "fans": list(result.fans),
            "fan": result.fan,
            "points": result.points,
            "payments": list(payments),
        }
    else:
        output = {
            "is_win": [result.is_win for result in results],
            "fans": [list(result.fans) for result in results],
            "fan": [result.fan for result in results],
            "points": [result.points for result in results],
            "payments": list(payments),
        }
        if not all(result.is_win for result in results):
            output["reason"] = [result.reason for result in results]
        if any(result.is_win and not result.is_paid for result in results):
            output["paid"] = [result.is_paid for result in results]
    if explained:
        told, parts = explain(request.rules, request.claims, request.table, results)
        output["explain"] = (
            {"hands": told, "payments": parts} if request.several else {**(told[0] or {}), "payments": parts}
        )
    return output


def hand_answer(data: Mapping[str, Any]) -> Answer:
    """Tell how far the hand that a request describes is from winning.

    Raises
    ------
    analysis.single.fields.InputError
        One line: field, what is needed, what was given.
    """
    request = hand_input.read(dict(data))
    return hands.analyse(request.hand, request.melds, request.n_ghosts, request.forms)
