"""What a report is made of: headed sections of charts and tables, ready for the template."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from markupsafe import Markup
from matplotlib.figure import Figure

from analysis.labels import LANGUAGES, Label, Language
from analysis.report.cells import Cell
from analysis.report.svg import inline


@dataclass(frozen=True)
class Chart:
    """One chart in both languages, as inline SVG."""

    zh: Markup
    en: Markup
    is_wide: bool = False


@dataclass(frozen=True)
class Table:
    """One table; ``frame`` names the frame behind it, which can be downloaded ("" where there is none)."""

    caption: Label
    columns: Sequence[Label]
    rows: Sequence[Sequence[Cell]]
    frame: str = ""
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
    frame: str,
    *,
    is_folded: bool = False,
) -> Table:
    """Make a table from a frame's rows, one function for each column."""
    return Table(caption, columns, [[cell(row) for cell in cells] for row in rows], frame, is_folded)


def draw(
    make: Callable[[Language], Figure], prefix: str, title: Label, description: Label, *, is_wide: bool = False
) -> Chart:
    """Draw a chart in both languages.

    Parameters
    ----------
    title, description
        What it shows, and what one sees in it, for who cannot see it.
    """
    drawn = {
        language: inline(make(language), f"{prefix}-{language}-", title.of(language), description.of(language))
        for language in LANGUAGES
    }
    return Chart(drawn["zh"], drawn["en"], is_wide)
