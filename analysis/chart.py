"""How charts look: one style, one font that has Chinese, no global settings; SVG text that a page can colour."""

from __future__ import annotations

import io
import re
import unicodedata
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
import polars as pl
from matplotlib import font_manager, ft2font
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter

FONT = Path(__file__).parent / "fonts" / "GdmjSansSC.otf"
FAMILY = "Gdmj Sans SC"
WIDTH, FONT_SIZE = 5.4, 10.5  # inch, point: readable when a phone shows the chart at two thirds

# Near Okabe and Ito's, moved until they stay apart for every kind of colour blindness and are seen on paper
# (tests/test_palette.py); each series has its own marker too.
INK, FAINT = "#1f1f1e", "#d4d4d1"
BLUE, ORANGE, GREEN, PURPLE = "#09507e", "#d15500", "#0e9f71", "#c65fc4"
SERIES = ((BLUE, "o"), (ORANGE, "s"), (GREEN, "^"), (PURPLE, "D"))

_STYLE: Any = {
    "font.family": [FAMILY],
    "font.size": FONT_SIZE,
    "svg.hashsalt": "gdmj",
    "axes.unicode_minus": False,
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "axes.titlesize": FONT_SIZE + 1,
    "axes.titlelocation": "left",
    "axes.titlecolor": INK,
    "axes.grid": True,
    "axes.axisbelow": True,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "grid.color": FAINT,
    "grid.linewidth": 0.6,
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "legend.frameon": False,
    "legend.fontsize": FONT_SIZE - 0.5,
    "figure.facecolor": "white",
    "savefig.facecolor": "none",
    "mathtext.fontset": "custom",
    "mathtext.rm": FAMILY,
}


@lru_cache(maxsize=1)
def _characters() -> frozenset[int]:
    """Make the font known to matplotlib; returns the characters it can draw."""
    font_manager.fontManager.addfont(str(FONT))
    return frozenset(ft2font.FT2Font(str(FONT)).get_charmap())


@contextmanager
def style() -> Iterator[None]:
    """Charts made and saved inside look alike; the caller's settings come back afterwards."""
    _characters()
    with mpl.rc_context(_STYLE):
        yield


def drawable(text: str) -> str:
    """Replace what the font lacks (names in a user's rule set may hold anything) and keep it on one line."""
    known = _characters()
    return "".join(
        char if ord(char) in known and char not in "$\n\r\t" else "□" for char in unicodedata.normalize("NFC", text)
    )


def em_width(text: str) -> float:
    """Rough width of a text in font sizes."""
    return sum(1.0 if unicodedata.east_asian_width(char) in "WFA" else 0.53 for char in text)


def shortened(text: str, ems: float) -> str:
    """Cut a text that is wider."""
    if em_width(text) <= ems:
        return text
    while em_width(text) > ems - 1:
        text = text[:-1]
    return f"{text.rstrip()}…"


def wrapped(text: str, ems: float, most: int = 2) -> list[str]:
    """Break a text into at most so many lines, between words or after a wide character; the last may be cut."""
    lines = [""]
    for piece in re.findall(r"[^\x00-\u2e7f]|[\x00-\u2e7f]+?(?:\s+|(?=[^\x00-\u2e7f])|$)", text):
        if len(lines) < most and lines[-1] and em_width((lines[-1] + piece).rstrip()) > ems:
            lines.append("")
        lines[-1] += piece
    return [shortened(line.rstrip(), ems) for line in lines]


def canvas(
    height: float, row_names: Sequence[str] = (), top: float = 0.42, bottom: float = 0.55, width: float = WIDTH
) -> tuple[Figure, Axes]:
    """Return a figure of ``height`` inches and its only axes, with room on the left for ``row_names``."""
    figure = Figure(figsize=(width, height))
    left = max([0.72, *(em_width(name) * FONT_SIZE / 72 + 0.18 for name in row_names)])
    axes = figure.add_axes(
        (left / width, bottom / height, (width - left - 0.2) / width, (height - top - bottom) / height)
    )
    return figure, axes


def title(axes: Axes, text: str) -> None:
    """Set the title flush with the figure's left edge."""
    figure = axes.get_figure(root=True)
    assert figure is not None
    axes.text(
        0.1 / figure.get_figwidth(),
        1 - 0.12 / figure.get_figheight(),
        drawable(text),
        transform=figure.transFigure,
        ha="left",
        va="top",
        fontsize=FONT_SIZE + 1,
    )


def column(frame: pl.DataFrame, name: str) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Float column; a missing value is NaN."""
    values: np.ndarray[Any, np.dtype[np.float64]] = frame[name].cast(pl.Float64).fill_null(float("nan")).to_numpy()
    return values


def whiskers(value: Any, low: Any, high: Any) -> Any:
    """Interval as matplotlib wants it; a missing limit gives no whisker."""
    return np.nan_to_num(np.clip(np.stack([value - low, high - value]), 0, None))


def percent(digits: int | None = None) -> FuncFormatter:
    """Tick labels in percent."""
    return FuncFormatter(lambda v, _: f"{100 * v:.{digits}f}%" if digits is not None else f"{100 * v:g}%")


def plain_number() -> FuncFormatter:
    """Tick labels as plain numbers, also on a log axis."""
    return FuncFormatter(lambda v, _: (f"{v:,.0f}" if abs(v) >= 1000 else f"{v:g}").replace("-", "−"))


def rows(axes: Axes, names: Sequence[str]) -> None:
    """Name the rows 0, 1, .. from the top; a name may have several lines."""
    axes.set_yticks(range(len(names)), ["\n".join(map(drawable, name.split("\n"))) for name in names])
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.tick_params(axis="y", length=0)
    axes.grid(visible=False, axis="y")


def to_svg(figure: Figure, *, keeps_text: bool = False) -> str:
    """Return a chart as SVG text, the same for the same data.

    Letters become shapes, so the chart looks the same without the font; ``keeps_text`` leaves them to a page that
    brings the font.
    """
    out = io.StringIO()
    with style(), mpl.rc_context({"svg.fonttype": "none" if keeps_text else "path"}):
        figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None}, transparent=True)
    return out.getvalue()


def save(figure: Figure, path: Path) -> None:
    """Write a chart as a picture; the suffix of ``path`` says which kind.

    Raises
    ------
    OSError, ValueError
        When it cannot be written, or no picture has such a suffix.
    """
    with style():
        figure.savefig(path, dpi=150, bbox_inches="tight")
