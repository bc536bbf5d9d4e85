"""A tip's levels on the page: one table, a line for each level, a column for each rule set and bot."""

from __future__ import annotations

import math
from collections.abc import Sequence

from analysis.labels import Label
from analysis.tips.cells import SIGNS, needed_text, number
from analysis.tips.model import Row

TITLE = Label("逐档净分，各档见下表", "by level; the table below says what each is")


def in_order(rows: Sequence[Row]) -> list[Row]:
    """Rows of levels by rule set and bot, so that a grid can be followed from line to line."""
    places = list(dict.fromkeys((row.rules, row.bots) for row in rows))
    return sorted(rows, key=lambda row: (places.index((row.rules, row.bots)), row.part))


def table(rows: Sequence[Row]) -> list[str]:
    """Return Markdown: the duel of the tip as a whole, then its levels; nothing where it has none."""
    levels = [row for row in rows if row.is_level]
    if not levels:
        return []
    shown = [*(row for row in rows if row.method == "duel" and not row.is_level), *levels]
    places = list(dict.fromkeys((row.rules, row.bots) for row in levels if row.bots))
    heads = [f"{rules}<br>{bot}" for rules, bot in places]
    lines = [
        "",
        f"**逐档** · By level, `BOT+{levels[0].id}.1` and so on: points in 100 hands, interval, hands needed if open.",
        "",
        f"| | | {' | '.join(heads)} |",
        "|---|---|" + "---|" * len(places),
    ]
    for part in dict.fromkeys(row.part for row in shown):
        own = [row for row in shown if row.part == part]
        found = {(row.rules, row.bots): row for row in own}
        cells = [_cell(found.get(place) or found.get((place[0], ""))) for place in places]
        name = part if own[0].is_level else ""
        lines.append(f"| {name} | {own[0].zh}<br>{own[0].en} | {' | '.join(cells)} |")
    return lines


def _cell(row: Row | None) -> str:
    if row is None:
        return ""
    if row.verdict == "not_applicable":
        return f"{SIGNS[row.verdict]} {row.note_zh}<br>{row.note_en}"
    if not math.isfinite(row.effect):
        return f"{SIGNS[row.verdict]} –"
    needs = f"<br>needs {needed_text(row)}" if row.needed is not None else ""
    only = "<br>this bot only" if row.one_family_only else ""
    return f"{SIGNS[row.verdict]} {number(row.effect)}<br>{number(row.low)} .. {number(row.high)}{needs}{only}"
