"""What a report is made of: headed sections of charts and tables, ready for the template."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from markupsafe import Markup
from matplotlib.figure import Figure

from analysis import chart
from analysis.labels import LANGUAGES, Label, Language
from analysis.report.cells import Cell

# Colours that the page changes in the dark.
_COLORS = {
    chart.INK: "ink",
    chart.FAINT: "faint",
    chart.BLUE: "blue",
    chart.ORANGE: "orange",
    chart.GREEN: "green",
    chart.PURPLE: "purple",
}


@dataclass(frozen=True)
class Chart:
    """One chart in both languages, as inline SVG."""

    zh: Markup
    en: Markup
    alt: Label


@dataclass(frozen=True)
class Table:
    """One table; ``csv`` is the file beside the page that holds its frame."""

    caption: Label
    columns: Sequence[Label]
    rows: Sequence[Sequence[Cell]]
    csv: str
    is_folded: bool = False


@dataclass(frozen=True)
class Section:
    """A headed part of a rule set's report."""

    anchor: str
    heading: Label
    text: Sequence[Label] = ()
    charts: Sequence[Chart] = ()
    tables: Sequence[Table] = ()
    notes: Sequence[Label] = field(default=())


def table(
    caption: Label,
    columns: Sequence[Label],
    rows: Sequence[dict[str, Any]],
    cells: Sequence[Callable[[dict[str, Any]], Cell]],
    csv: str,
    *,
    is_folded: bool = False,
) -> Table:
    """Make a table from a frame's rows, one function for each column."""
    return Table(caption, columns, [[cell(row) for cell in cells] for row in rows], csv, is_folded)


def svg(figure: Figure, prefix: str) -> Markup:
    """SVG for use inside a page: no prologue, ids of its own, colours as the page's variables.

    Texts in it were escaped by matplotlib when it wrote the SVG.
    """
    text = chart.to_svg(figure, keeps_text=True)
    text = text[text.index("<svg") :]
    text = re.sub(r'(id="|url\(#|href="#)', lambda match: match[0] + prefix, text)
    for color, name in _COLORS.items():
        text = text.replace(color, f"var(--{name})")
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
    return Markup(re.sub(r'(<svg[^>]*?) width="[^"]*"', r'\1 aria-hidden="true"', text, count=1))


def draw(make: Callable[[Language], Figure], prefix: str, alt: Label) -> Chart:
    """Draw a chart in both languages."""
    drawn = {language: svg(make(language), f"{prefix}-{language}-") for language in LANGUAGES}
    return Chart(drawn["zh"], drawn["en"], alt)
