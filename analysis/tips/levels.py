"""A tip at its levels (`sim.policy.LEVELS`): other values of a threshold, a part of the states, or a control.

Such duels stand beside the tip's main check, count in the family like all others, and get a small share of the budget.
"""

from __future__ import annotations

from typing import Any

from analysis.labels import Label
from analysis.tips.model import Check

SHARE = 0.2  # of a main duel's time or hands


def level(tip: str, number: int, claim: Label, **more: Any) -> Check:
    """Return the check that a tip at one of its levels gains on the bot's own play."""
    return Check(claim, "duel", 1, None, f".{number}", a=f"{{bot}}+{tip}.{number}", is_level=True, **more)
