"""The page of verdicts: Markdown with a chart for each tip, and the same as data."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from matplotlib.ticker import MaxNLocator

from analysis import chart
from analysis.chart import FAINT, FONT_SIZE, INK, SERIES, WIDTH
from analysis.labels import Label
from analysis.tips import page_levels
from analysis.tips.cells import SIGNS, needed_text, number, p_text
from analysis.tips.model import METHODS, POINTS, VERDICTS, Row, Tip

DATA, PAGE, CHARTS = "tips.json", "tips.md", "charts"
_ROW, _HEAD, _FOOT = 0.27, 0.62, 0.62  # inch: a row of a panel, what stands over and under its rows
_LINEAR = 2.0  # times the smallest effect of interest up to which a duel's scale is linear
_HOW_TO_READ = (
    "**How to read it.** *log*: how much more often (percentage points) something happens in the tip's states than in",
    "states like them, matched exactly on what is named. *duel*: points in 100 hands for each seat that a bot wins",
    "with the tip's behaviour from the same bot without, on common walls. Intervals and p hold for the whole family",
    "(Holm). *supported*: zero is left out in the claimed direction, and some effect of interest is not; *refuted*:",
    "zero is left out in the other direction, or every effect of interest is; else *open*, with the hands it takes.",
    "Least effect of interest: as given; for duels a quarter of an average win in 100 hands, or a twentieth of one in",
    "each hand that the tip changes, whichever is less.",
)
_TESTED = ("supported", "refuted", "open")


def write(out: Path, tips: Sequence[Tip], rows: Sequence[Row], facts: dict[str, Any]) -> None:
    """Write data, page and charts into a folder."""
    (out / CHARTS).mkdir(parents=True, exist_ok=True)
    (out / DATA).write_text(
        json.dumps({"provenance": facts, "verdicts": [row.to_dict() for row in rows]}, ensure_ascii=False, indent=1)
        + "\n",
        encoding="utf-8",
    )
    (out / PAGE).write_text(markdown(tips, rows, facts), encoding="utf-8")
    for tip in tips:
        own = [row for row in rows if row.id == tip.id]
        if any(_is_drawn(row) for row in own):
            (out / CHARTS / f"{tip.id}.svg").write_text(chart.to_svg(forest(tip, own)), encoding="utf-8")


def read(path: Path) -> tuple[list[Row], dict[str, Any]]:
    """Rows and provenance of a ``tips.json``, to write a page again without playing."""
    data = json.loads(path.read_text(encoding="utf-8"))
    floats = {item.name for item in fields(Row) if item.type == "float"}
    rows = []
    for facts in data["verdicts"]:
        values: dict[str, Any] = {k: math.nan if v is None and k in floats else v for k, v in facts.items()}
        rows.append(Row(**values))
    return rows, data["provenance"]


def tally(rows: Sequence[Row]) -> str:
    """Count verdicts: ``4 supported, 1 open``."""
    counts = {name: sum(row.verdict == name for row in rows) for name in VERDICTS}
    return "，".join(f"{VERDICTS[name].zh} {n}" for name, n in counts.items() if n) + " · " + ", ".join(
        f"{n} {VERDICTS[name].en}" for name, n in counts.items() if n
    )  # fmt: skip


def markdown(tips: Sequence[Tip], rows: Sequence[Row], facts: dict[str, Any]) -> str:
    """Return the page."""
    tested = [row for row in rows if row.verdict in _TESTED]
    lines = [
        "# 打牌口诀，逐条检验 · Strategy tips, tested",
        "",
        f"Made by `gdmj tips`: {len(tips)} tips, {len(tested)} rows (a check, a rule set, a bot), {tally(rows)}.",
        "Between bots of this strength; a finding that holds for one bot only is marked so."
        + (
            f" Played in {facts['seconds'] / 60:.0f} minutes on {facts['threads']} threads."
            if "seconds" in facts
            else ""
        ),
        "",
        *_HOW_TO_READ,
        "",
        *_summary(tips, rows),
    ]
    for tip in tips:
        lines += _section(tip, [row for row in rows if row.id == tip.id])
    lines += ["", "## Provenance", "", "```json", json.dumps(facts, ensure_ascii=False, indent=1), "```"]
    return "\n".join(lines) + "\n"


def _summary(tips: Sequence[Tip], rows: Sequence[Row]) -> list[str]:
    """One line for each check: a sign for each rule set and bot; those that few tips use stand together at the end."""
    played = [(row.rules, row.bots) for row in rows if row.verdict in _TESTED]
    places = list(dict.fromkeys(place for place in played if played.count(place) * 4 >= len(tips)))
    names = [f"{rules}<br>{bot}" for rules, bot in places]
    signs = " · ".join(f"{sign} {VERDICTS[verdict].zh} {VERDICTS[verdict].en}" for verdict, sign in SIGNS.items())
    lines = [signs, "", f"| | | {' | '.join(names)} | others |", "|---|---|" + ":---:|" * len(names) + "---|"]
    for tip in tips:
        own = [row for row in rows if row.id == tip.id]
        link = f"[{tip.id}](#{tip.id.lower()})"
        if tip.untestable:
            lines.append(f"| {link} | {tip.claim.zh}<br>{tip.claim.en} |{' |' * len(names)} {SIGNS['untestable']} |")
        for part in dict.fromkeys(row.part for row in own if not tip.untestable):
            same = [row for row in own if row.part == part]
            found = {(row.rules, row.bots): SIGNS[row.verdict] for row in same}
            cells = [found.get(place) or found.get((place[0], ""), "") for place in places]
            few = [row for row in same if row.verdict in _TESTED and (row.rules, row.bots) not in places]
            rest = "<br>".join(f"{row.rules}, {row.bots} {SIGNS[row.verdict]}" for row in few)
            if same[0].is_level:
                link = f"[{tip.id}{part}](#{tip.id.lower()})"
            lines.append(f"| {link} | {same[0].zh}<br>{same[0].en} | {' | '.join(cells)} | {rest} |")
    return lines


def _section(tip: Tip, rows: Sequence[Row]) -> list[str]:
    lines = ["", f'<a id="{tip.id.lower()}"></a>', "", f"## {tip.id} {tip.claim.zh}", "", f"{tip.claim.en}.", ""]
    if tip.untestable:
        return [*lines, f"{VERDICTS['untestable'].zh} untestable: {tip.untestable.zh} · {tip.untestable.en}"]
    for name, text in (
        ("条件 condition", tip.condition),
        ("结果 outcome", tip.outcome),
        ("基准 baseline", tip.baseline),
    ):
        lines.append(f"* {name}: {text.zh} · {text.en}")
    if any(_is_drawn(row) for row in rows):
        lines += ["", f"![{tip.id}]({CHARTS}/{tip.id}.svg)"]
    for part in dict.fromkeys(row.part for row in rows if not row.is_level):
        own = [row for row in rows if row.part == part]
        first = own[0]
        matched = f" 配对 matched on: {first.matched_on_zh} · {first.matched_on_en}." if first.matched_on_en else ""
        lines += [
            "",
            f"**{first.zh}** · {first.en}. *{METHODS[first.method].en}*, {first.unit}.{matched}",
            "",
            "| rules | bot | effect | interval | of interest | p (Holm) | n | verdict | |",
            "|---|---|---:|---|---:|---:|---:|---|---|",
            *map(_line, own),
        ]
    return lines + page_levels.table(rows)


def _line(row: Row) -> str:
    verdict = VERDICTS[row.verdict]
    if row.verdict == "not_applicable":
        return f"| {row.rules} | – | | | | | | {verdict.zh} {verdict.en} | {row.note_zh} · {row.note_en} |"
    needs = f"needs {needed_text(row)} hands" if row.needed is not None else ""
    dropped = f"{row.dropped:.0%} of cases without a match" if row.dropped > 0.005 else ""
    remarks = [text for text in (needs, row.note_en, dropped) if text]
    interval = f"{number(row.low)} .. {number(row.high)}"
    return (
        f"| {row.rules} | {row.bots} | {number(row.effect)} | {interval} | {number(row.smallest).lstrip('+')} |"
        f" {p_text(row.p_holm)} | {row.n:,} | {verdict.zh} {verdict.en} | {'; '.join(remarks)} |"
    )


def _is_drawn(row: Row) -> bool:
    return row.verdict in _TESTED and math.isfinite(row.low) and math.isfinite(row.high)


def as_table(rows: Sequence[Row]) -> pl.DataFrame:
    """Return the main columns of rows."""
    return pl.DataFrame(
        {
            "level": [row.part if row.is_level else "" for row in rows],
            "claim": [row.en for row in rows],
            "rules": [row.rules for row in rows],
            "bot": [row.bots for row in rows],
            "effect": [row.effect for row in rows],
            "low": [row.low for row in rows],
            "high": [row.high for row in rows],
            "unit": [row.unit for row in rows],
            "n": [row.n for row in rows],
            "verdict": [VERDICTS[row.verdict].en for row in rows],
        }
    )


def forest(tip: Tip, rows: Sequence[Row]) -> Figure:
    """Effects by rule set and bot with the smallest effect of interest, a panel for each claim, one for all levels."""
    drawn = [row for row in rows if _is_drawn(row)]
    mains = [row for row in drawn if not row.is_level]
    parts = [[row for row in mains if row.part == part] for part in dict.fromkeys(row.part for row in mains)]
    if levels := page_levels.in_order([row for row in drawn if row.is_level]):
        parts.append(levels)
    bots = list(dict.fromkeys(row.bots for part in parts for row in part))
    names = [_name(row) for part in parts for row in part]
    height = sum(_HEAD + _FOOT + _ROW * len(part) for part in parts) + 0.35
    left = max(chart.em_width(name) for name in names) * FONT_SIZE / 72 + 0.2
    with chart.style():
        figure = Figure(figsize=(WIDTH, height))
        # Opaque, since a Markdown page may be shown on a dark ground.
        figure.add_artist(Rectangle((0, 0), 1, 1, transform=figure.transFigure, color="white", zorder=-1))
        top = height - 0.35
        for part in parts:
            size = _ROW * len(part)
            top -= _HEAD
            axes = figure.add_axes((left / WIDTH, (top - size) / height, (WIDTH - left - 0.9) / WIDTH, size / height))
            top -= size + _FOOT
            _panel(axes, part, bots)
        figure.text(0.1 / WIDTH, 1 - 0.12 / height, tip.id, ha="left", va="top", fontsize=FONT_SIZE + 3)
    return figure


def _name(row: Row) -> str:
    level = f"{row.part} · " if row.is_level else ""
    return chart.shortened(chart.drawable(f"{level}{row.rules} · {row.bots}"), 26)


def _panel(axes: Any, part: Sequence[Row], bots: Sequence[str]) -> None:
    first = part[0]
    is_duel = first.unit == POINTS
    for at, row in enumerate(part):
        by = row.smallest if is_duel and row.smallest > 0 else 1.0
        color, marker = SERIES[bots.index(row.bots) % len(SERIES)]
        value, low, high = row.effect / by, row.low / by, row.high / by
        face = color if row.verdict == "supported" else "white"
        axes.plot([low, high], [at, at], color=color, lw=1.4)
        axes.plot([value], [at], marker=marker, color=color, mfc=face, ms=5.5, ls="")
        axes.annotate(
            VERDICTS[row.verdict].zh, (1.02, at), xycoords=("axes fraction", "data"), va="center",
            fontsize=FONT_SIZE - 1, color=INK, annotation_clip=False,
        )  # fmt: skip
    smallest = 1.0 if is_duel else first.smallest
    if smallest > 0:
        axes.axvspan(-smallest, smallest, color=FAINT, alpha=0.5, lw=0, zorder=0)
    axes.axvline(0, color=INK, lw=0.8)
    if is_duel:
        axes.set_xscale("symlog", linthresh=_LINEAR)
        most = max([1.5, *(abs(v) / (row.smallest or 1) for row in part for v in (row.low, row.high))])
        axes.set_xlim(-1.15 * most, 1.15 * most)
        ticks = [t for t in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000) if t <= 1.15 * most]
        ticks = [1, ticks[-1]] if ticks[-1] > _LINEAR else [1]
        axes.set_xticks([*(-t for t in reversed(ticks)), *ticks])
        axes.xaxis.set_minor_locator(MaxNLocator(1))
    else:
        axes.xaxis.set_major_locator(MaxNLocator(5))
    axes.xaxis.set_major_formatter(chart.plain_number())
    chart.rows(axes, [_name(row) for row in part])
    unit = Label("每百局净分，以最小关注差别为单位", "points in 100 hands, in units of the least effect of interest")
    scale = f"{unit.zh}\n{unit.en}" if is_duel else {"pp": "百分点 percentage points"}.get(first.unit, first.unit)
    axes.set_xlabel(scale, fontsize=FONT_SIZE - 1.5)
    room = [WIDTH * 72 / size - 1 for size in (FONT_SIZE - 1.5, FONT_SIZE - 0.5)]
    height = axes.get_position().height * axes.get_figure().get_figheight()
    title = page_levels.TITLE if first.is_level else Label(first.zh, first.en)
    for line, words in enumerate((chart.shortened(title.en, room[0]), chart.shortened(title.zh, room[1]))):
        axes.annotate(
            chart.drawable(words), (0.1 / WIDTH, 0), xycoords=("figure fraction", "axes fraction"),
            xytext=(0, height * 72 + 5 + 14 * line), textcoords="offset points",
            fontsize=FONT_SIZE - (0.5 if line else 1.5), color=INK, annotation_clip=False,
        )  # fmt: skip
    axes.margins(x=0.08)
    assert np.isfinite(axes.get_xlim()).all()
