"""How results look in a notebook: small HTML tables and rows of tiles, everything from outside escaped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from analysis import tiles_svg
from sim import tiles

_STYLE = (
    "<style>.gdmj table{border-collapse:collapse}.gdmj th,.gdmj td{padding:.15em .6em;text-align:left!important;"
    "vertical-align:top}.gdmj td.n,.gdmj th.n{text-align:right!important;font-variant-numeric:tabular-nums;"
    "white-space:nowrap}.gdmj svg.tile{width:30px;height:40px}.gdmj .group{margin-right:10px}</style>"
)


def box(*parts: str) -> str:
    """Put parts together, with the style that they need."""
    return f'<div class="gdmj">{_STYLE}{"".join(parts)}</div>'


def title(text: str, note: str = "") -> str:
    """Return a line in bold, and one in plain letters under it."""
    return f"<p><b>{escape(text)}</b>{f'<br>{escape(note)}' if note else ''}</p>"


def table(heads: Sequence[str], rows: Iterable[Sequence[object]], n_texts: int = 1) -> str:
    """Return a table whose first columns are text and the others numbers, written as they come."""
    kinds, headed = ("<td>", '<td class="n">'), ("<th>", '<th class="n">')
    head = "".join(f"{headed[i >= n_texts]}{escape(text)}</th>" for i, text in enumerate(heads))
    body = "".join(
        "<tr>" + "".join(f"{kinds[i >= n_texts]}{escape(str(cell))}</td>" for i, cell in enumerate(row)) + "</tr>"
        for row in rows
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def row_of_tiles(groups: Sequence[Sequence[int]]) -> str:
    """Draw tiles in groups; a screen reader says their names in Chinese and English."""
    drawn = [group for group in groups if group]
    return tiles_svg.symbols(kind for group in drawn for kind in group) + tiles_svg.hand(drawn, names(drawn))


def names(groups: Sequence[Sequence[int]]) -> str:
    """Name tiles in Chinese and in notation."""
    zh = (*tiles.KIND_NAMES_ZH, *tiles.FLOWER_NAMES_ZH)
    chinese = "，".join(" ".join(zh[kind] for kind in group) for group in groups)
    return f"{chinese} · {' '.join(tiles.show(group) for group in groups)}"


def number(value: float, digits: int = 2, sign: str = "") -> str:
    """Write a number; a dash for what is unknown."""
    return f"{value:{sign},.{digits}f}" if value == value else "–"


def between(low: float, high: float, digits: int = 2, sign: str = "") -> str:
    """Write an interval; empty where it is unknown."""
    return f"[{number(low, digits, sign)}, {number(high, digits, sign)}]" if low == low else ""
