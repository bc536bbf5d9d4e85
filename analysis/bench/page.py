"""The page of speeds: tables, charts and JSON from what was measured; nobody types it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Chart

from analysis.bench import growth, peers
from analysis.bench.figure import AT_LEAST, Figure, from_dict
from analysis.bench.growth import Grown
from analysis.chart import BLUE, FONT_SIZE, INK, ORANGE, em_width, plain_number, rows, style

NAME = "bench"
TITLES = {
    "kernels": "Look-ups, rows of hands in and out",
    "play": "Hands",
    "logs": "Logs",
    "start": "Start",
    peers.SECTION: "Beside others, in turns in the same call",
}
_UNITS = ("hands/s", "rows/s", "/s")


def number(value: float, unit: str) -> str:
    """Format a value for a table."""
    if unit not in _UNITS:
        return f"{value:,.0f}" if unit == "hands" else f"{value:,.2f}"
    if value >= 1e6:
        return f"{value / 1e6:,.2f}M"
    return f"{value:,.0f}"


def row(figure: Figure) -> list[str]:
    """Return the cells of a table's row: what, median and unit, range and runs, aim, whether it is met."""
    unit = figure.unit
    low, high = (number(f(figure.values), unit) for f in (min, max))
    spread = f"{low} to {high} ({len(figure.values)})" if len(figure.values) > 1 else "(1)"
    aim = "" if figure.aim is None else f"{figure.aim.kind} {number(figure.aim.value, unit)}"
    met = {None: "", True: "yes", False: "**no**"}[figure.is_met]
    return [figure.what, f"{number(figure.median, unit)} {unit}", spread, aim, met]


def _table(heads: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    marks = "|".join(["---", *["---:"] * (len(heads) - 1)])
    return "\n".join([f"| {' | '.join(heads)} |", f"|{marks}|", *(f"| {' | '.join(cells)} |" for cells in lines)])


def ratios(figures: Sequence[Figure]) -> list[tuple[str, str, float, float, float]]:
    """Return (job, peer, median of ours over theirs, least, largest) of each comparison."""
    found = []
    pairs = [f for f in figures if f.section == peers.SECTION and f.unit == "/s"]
    for mine, theirs in zip(pairs[::2], pairs[1::2], strict=True):
        job, _, peer = theirs.what.rpartition(": ")
        each = [a / b for a, b in zip(mine.values, theirs.values, strict=True)]
        found.append((job, peer, float(np.median(each)), min(each), max(each)))
    return found


def markdown(
    figures: Sequence[Figure],
    grown: Sequence[Grown],
    notes: Sequence[str],
    facts: dict[str, Any],
    charts: Sequence[str],
) -> str:
    """Write the page in Markdown."""
    parts = [
        "# How fast it is",
        "Written by `make bench` (`gdmj bench`); every number was measured by that call. Speeds are per second of CPU"
        " time of the whole process: median of several short runs, and their range with the number of runs. Other"
        " programs and shared caches slow CPU seconds too, so the load of the machine stands here; gaps under 1.2x are"
        " noise.",
        "\n".join(f"- {name}: {value}" for name, value in facts.items()),
        *(f"![{Path(name).stem}]({name})" for name in charts),
    ]
    for section, heading in TITLES.items():
        mine = [f for f in figures if f.section == section]
        if mine:
            heads = ["", "median", "range (runs)", "aim", "met"]
            parts += [f"## {heading}", _table(heads, [row(f) for f in mine])]
        if mine and section == peers.SECTION:
            parts += _beside(figures)
    if notes:
        parts.append("\n".join(f"- Not measured: {note}." for note in notes))
    if grown:
        parts += _growth(grown)
    missed = [f for f in figures if f.is_met is False]
    if missed:
        lines = [f"- {f.what}: {number(f.median, f.unit)} {f.unit}. What bounds it: {f.bound}." for f in missed]
        parts += ["## Aims that were missed", "\n".join(lines)]
    return "\n\n".join(parts) + "\n"


def _beside(figures: Sequence[Figure]) -> list[str]:
    lines = [
        [job, peer, f"{middle:,.0f}", f"{low:,.0f} to {high:,.0f}"] for job, peer, middle, low, high in ratios(figures)
    ]
    return [
        "Ours over theirs, run by run:",
        _table(["job", "peer", "times as fast", "range"], lines),
        "They take one hand a call from Python, ours takes rows of hands; that is part of the gap, and of the purpose."
        " Answers differ where rules do: for riichi four of a kind are not two pairs, Chinese official rules know"
        " knitted hands. Ours plays random hands with all its rules and makes the log's rows; RiichiEnv also keeps what"
        " its observers see.",
    ]


def _growth(grown: Sequence[Grown]) -> list[str]:
    lines = []
    for level in growth.LEVELS:
        mine = [one for one in grown if one.level == level]
        for one in mine:
            against = one.rate / mine[-1].rate - 1
            lines.append(
                [f"{one.hands:,}", f"`{level}`", f"{one.rate:,.0f}", f"{against:+.1%}", f"{one.start_seconds:.1f}",
                 f"{one.memory / 1e6:,.0f}", f"{one.bytes / one.hands:,.2f}"]
            )  # fmt: skip
    heads = ["hands", "level", "hands/CPU s", "against the largest", "start-up, CPU s", "MB of memory", "bytes/hand"]
    return [
        "## From ten thousand to ten million hands",
        "`zhuama`, four `ukeire` bots, one thread, each run a program of its own, start-up taken off. The aim is 10 %"
        " and memory that does not grow with the run (a shard of a million hands is held until it is written).",
        "At level `agg` the sums of a piece, up to 262,144 hands, take as long however few its hands are, so that small"
        " runs are slower there.",
        _table(heads, lines),
    ]


def _chart(names: Sequence[str], heading: str, below: str, ticks: Sequence[float]) -> tuple[Chart, Axes]:
    """Return a wide chart of one row a name on a logarithmic axis."""
    width, height = 8.6, 0.25 * len(names) + 1.1
    left = max(em_width(name) for name in names) * FONT_SIZE / 72 + 0.2
    figure = Chart(figsize=(width, height))
    axes = figure.add_axes((left / width, 0.6 / height, (width - left - 0.3) / width, (height - 1.05) / height))
    axes.set_xscale("log")
    axes.set_xticks(list(ticks))
    axes.xaxis.set_major_formatter(plain_number())
    axes.xaxis.set_minor_formatter(lambda *_: "")
    axes.set_xlabel(below)
    figure.text(0.1 / width, 1 - 0.1 / height, heading, ha="left", va="top", fontsize=FONT_SIZE + 1)
    rows(axes, names)
    return figure, axes


def aims_chart(figures: Sequence[Figure]) -> Chart:
    """Chart of how far each figure is beyond its aim (1: just met), medians and ranges."""
    shown = [f for f in figures if f.aim is not None]
    names = [f.what.replace("`", "") for f in shown]
    figure, axes = _chart(
        names, "Speed against aim, median and range", "times the aim (1: met)", (0.25, 0.5, 1, 2, 4, 8)
    )
    for y, one in enumerate(shown):
        assert one.aim is not None
        times = [v / one.aim.value if one.aim.kind == AT_LEAST else one.aim.value / v for v in one.values]
        middle = float(np.median(times))
        colour = BLUE if one.is_met else ORANGE
        axes.plot([min(times), max(times)], [y, y], color=colour, linewidth=1.5)
        axes.plot(middle, y, "o" if one.is_met else "s", color=colour, markersize=4.5)
    axes.axvline(1, color=INK, linewidth=0.8)
    return figure


def peers_chart(figures: Sequence[Figure]) -> Chart:
    """Chart of how many times as fast as each peer, medians and ranges."""
    found = ratios(figures)
    names = [f"{job.split(' (')[0]}: {peer.split(' (')[0]}" for job, peer, *_ in found]
    figure, axes = _chart(names, "Ours over theirs, same hands, in turns", "times as fast", (1, 10, 100, 1000))
    for y, (_, _, middle, low, high) in enumerate(found):
        axes.plot([low, high], [y, y], color=BLUE, linewidth=1.5)
        axes.plot(middle, y, "o", color=BLUE, markersize=4.5)
    axes.set_xlim(left=1)
    return figure


def write(
    out: Path, figures: Sequence[Figure], grown: Sequence[Grown], notes: Sequence[str], facts: dict[str, Any]
) -> Path:
    """Write ``bench.md``, its charts and ``bench.json`` into a folder; return the page."""
    out.mkdir(parents=True, exist_ok=True)
    charts = {}
    with style():
        if any(f.aim for f in figures):
            charts[f"{NAME}-aims.png"] = aims_chart(figures)
        if ratios(figures):
            charts[f"{NAME}-peers.png"] = peers_chart(figures)
        for name, chart in charts.items():
            chart.savefig(out / name, dpi=150, facecolor="white")
    page = out / f"{NAME}.md"
    page.write_text(markdown(figures, grown, notes, facts, list(charts)), encoding="utf-8")
    (out / f"{NAME}.json").write_text(json.dumps(record(figures, grown, notes, facts), indent=1) + "\n", "utf-8")
    return page


def record(
    figures: Sequence[Figure], grown: Sequence[Grown], notes: Sequence[str], facts: dict[str, Any]
) -> dict[str, Any]:
    """Return everything as one JSON document."""
    return {
        "facts": facts,
        "figures": [figure.to_dict() for figure in figures],
        "growth": [one._asdict() | {"hands_per_cpu_second": one.rate} for one in grown],
        "not_measured": list(notes),
    }


def kept(out: Path, code: str) -> tuple[list[Figure], list[Grown], dict[str, Any]]:
    """Read figures, growth and facts that a folder holds from the same code; nothing otherwise."""
    try:
        found = json.loads((out / f"{NAME}.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return [], [], {}
    if found["facts"].get("code") != code:
        return [], [], {}
    grown = [Grown(**{name: one[name] for name in Grown._fields}) for one in found["growth"]]
    return [from_dict(one) for one in found["figures"]], grown, found["facts"]
