"""Numbers and verdicts of rows as short text."""

from __future__ import annotations

import math

from analysis.tips.model import Row, Verdict

SIGNS: dict[Verdict, str] = {"supported": "✔", "refuted": "✘", "open": "?", "not_applicable": "·", "untestable": "–"}


def number(value: float, digits: int = 2) -> str:
    """Return a signed number, a dash where it is unknown."""
    return f"{value:+.{digits}f}" if math.isfinite(value) else "–"


def p_text(p: float) -> str:
    """Return a p-value shortly."""
    return "–" if not math.isfinite(p) else "<1e-9" if p < 1e-9 else f"{p:.2g}"


def needed_text(row: Row) -> str:
    """Return how many hands an open row takes, empty where that is unknown."""
    return f"{row.needed:.1e}".replace("e+0", "e") if row.needed is not None else ""
