"""Tips and their verdicts as text."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from analysis.chart import em_width
from analysis.tips.cells import needed_text, number
from analysis.tips.model import METHODS, VERDICTS, Row, Tip
from analysis.tips.page import tally


def about(tip: Tip) -> str:
    """Return what a tip says and how it is tested, some lines."""
    lines = [f"{tip.id}  {tip.claim.zh}", f"     {tip.claim.en}"]
    if tip.untestable:
        lines.append(f"     untestable: {tip.untestable.en}")
    for check in tip.checks:
        on = f"; matched on {check.matched_on.en}" if check.matched_on.en else ""
        lines.append(f"     - {check.claim.en} ({METHODS[check.method].en}{on})")
    return "\n".join(lines)


def facts(tip: Tip) -> dict[str, Any]:
    """Return the same as plain data."""
    return {
        "id": tip.id,
        "zh": tip.claim.zh,
        "en": tip.claim.en,
        "condition": tip.condition.en,
        "outcome": tip.outcome.en,
        "baseline": tip.baseline.en,
        "untestable": tip.untestable.en if tip.untestable else None,
        "checks": [
            {
                "part": check.name,
                "zh": check.claim.zh,
                "en": check.claim.en,
                "method": check.method,
                "direction": check.direction,
                "smallest": check.smallest,
                "matched_on": check.matched_on.en,
                "rules": list(check.rules or ()),
                "bots": list(check.bots or ()),
            }
            for check in tip.checks
        ],
    }


def table(tips: Sequence[Tip], rows: Sequence[Row]) -> str:
    """Return all verdicts, tip by tip."""
    lines = []
    for tip in tips:
        own = [row for row in rows if row.id == tip.id]
        lines += ["", f"{tip.id}  {tip.claim.zh}", f"     {tip.claim.en}"]
        for part in dict.fromkeys(row.part for row in own):
            same = [row for row in own if row.part == part]
            if same[0].en != tip.claim.en:
                lines.append(f"  {same[0].zh} · {same[0].en}")
            lines += [_line(row) for row in same]
    lines += ["", tally(rows)]
    return "\n".join(lines[1:])


def _line(row: Row) -> str:
    verdict = VERDICTS[row.verdict]
    word = f"{verdict.zh} {verdict.en}"
    word += " " * max(18 - round(em_width(verdict.zh) * 2) - len(verdict.en), 1)
    if row.verdict in ("untestable", "not_applicable"):
        return f"    {row.rules:<22} {'':<8} {word} {row.note_zh} · {row.note_en}"
    interval = f"{number(row.effect):>9} [{number(row.low)}, {number(row.high)}] {row.unit}"
    needs = f"needs {needed_text(row)} hands" if row.needed is not None else ""
    of_interest = f"least effect of interest {number(row.smallest).lstrip('+')}" if math.isfinite(row.smallest) else ""
    remarks = "; ".join(text for text in (of_interest, needs, row.note_en) if text)
    return f"    {row.rules:<22} {row.bots:<8} {word} {interval:<48} {row.n:,} {_counted(row)}" + (
        f"; {remarks}" if remarks else ""
    )


def _counted(row: Row) -> str:
    """Return what `n` counts: hands of a duel, else states (or wins) in which the tip's case was met."""
    return "hands" if row.method == "duel" else "cases"
