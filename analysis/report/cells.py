"""Cells of a table: a number as `analysis.digits` writes it, its interval, and what rows are sorted by."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from analysis.digits import DASH, written
from analysis.labels import Label


class Cell(NamedTuple):
    """One cell of a table: a text in both languages, the interval under a number, and what rows are sorted by.

    ``order`` is None where there is no number: words are sorted by their text, dashes stand last.
    """

    text: Label
    detail: str = ""
    is_number: bool = True
    order: float | None = None


def words(label: Label) -> Cell:
    """Cell with a text."""
    return Cell(label, is_number=False)


def plain(text: str) -> Label:
    """Give both languages the same text."""
    return Label(text, text)


def count(value: int | None) -> Cell:
    """Cell with a whole number."""
    return Cell(plain(DASH if value is None else f"{value:,}"), order=value)


def _order(value: float | None) -> float | None:
    return None if value is None or math.isnan(value) else float(value)


def number(value: float | None, low: float | None = None, high: float | None = None) -> Cell:
    """Cell with a mean and its interval."""
    text, detail = written(value, low, high)
    return Cell(plain(text), detail, order=_order(value))


def percent(value: float | None, low: float | None = None, high: float | None = None) -> Cell:
    """Cell with a rate and its interval, in percent."""
    text, detail = written(value, low, high, 100.0)
    return Cell(plain(text if text == DASH else f"{text}%"), detail, order=_order(value))


def percentage_points(value: float | None, low: float | None = None, high: float | None = None) -> Cell:
    """Cell with a difference of two rates and its interval, in percentage points."""
    text, detail = written(value, low, high, 100.0)
    return Cell(plain(text) if text == DASH else Label(f"{text}个百分点", f"{text} pp"), detail, order=_order(value))


def dash() -> Cell:
    """Cell for what cannot be."""
    return Cell(plain(DASH))


def of_row(row: dict[str, Any], name: str, as_percent: bool = False) -> Cell:
    """Cell from the columns ``name, name_low, name_high``, or ``name, low, high``."""
    sides = (f"{name}_low", f"{name}_high") if f"{name}_low" in row else ("low", "high")
    return (percent if as_percent else number)(row[name], row.get(sides[0]), row.get(sides[1]))


def p_value(value: float | None) -> Cell:
    """Cell with a p-value."""
    if value is None:
        return dash()
    return Cell(plain("< 0.0001" if value < 0.0001 else f"{value:.4f}"), order=value)
