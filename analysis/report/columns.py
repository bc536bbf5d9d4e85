"""Columns of report tables: a name and how a cell is made from a row."""

from __future__ import annotations

from collections.abc import Callable, Container
from typing import Any

import polars as pl

from analysis.labels import label
from analysis.report.cells import Cell, count, dash, of_row, percentage_points, words

Row = dict[str, Any]
Column = Callable[[Row], Cell]


def named(name: str, prefix: str = "") -> Column:
    """Write a code by its label."""
    return lambda row: words(label(prefix + row[name]))


def n_of(row: Row) -> Cell:
    """Write the sample size."""
    return count(row["n"])


def counted(name: str) -> Column:
    """Write a whole number."""
    return lambda row: count(row[name])


def value(name: str, *, as_percent: bool = False) -> Column:
    """Write a value with its interval."""
    return lambda row: of_row(row, name, as_percent)


def gap(name: str) -> Column:
    """Write a difference of two rates with its interval in percentage points."""
    return lambda row: percentage_points(row[name], row["low"], row["high"])


def where(name: str, possible: Container[str], column: Column) -> Column:
    """Write a dash in rows whose ``name`` cannot be."""
    return lambda row: column(row) if row[name] in possible else dash()


def value_in(group: str, name: str, *, as_percent: bool = False) -> Column:
    """Write a value with its interval from the row that `pivot` put under ``group``."""
    return lambda row: of_row(row[group], name, as_percent)


def pivot(frame: pl.DataFrame, index: str, name: str, columns: list[str]) -> list[Row]:
    """One row for each ``index`` with a row of the frame under each column's name; ``n`` is the first one's."""
    rows: dict[str, Row] = {}
    for row in frame.iter_rows(named=True):
        rows.setdefault(row[index], {index: row[index], "n": row["n"]})[row[name]] = row
    return [row for row in rows.values() if all(column in row for column in columns)]
