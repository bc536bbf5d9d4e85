"""Intervals of counts, rates and means, vectorised as Polars expressions.

Every function takes expressions and returns expressions; a missing or impossible input gives null. ``level`` is
the coverage, 0.95 unless said.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy import special

LEVEL = 0.95
Floats = NDArray[np.float64]
Limits = tuple[pl.Expr, pl.Expr]


def _apply(function: Callable[..., Floats], *inputs: pl.Expr) -> pl.Expr:
    """Run a numpy function on whole columns; a missing input or NaN gives null."""
    names = [f"input_{i}" for i in range(len(inputs))]

    def on_struct(batch: pl.Series) -> pl.Series:
        columns = [batch.struct.field(name).cast(pl.Float64).to_numpy() for name in names]
        with np.errstate(all="ignore"):
            result = np.where(np.isnan(columns).any(axis=0), np.nan, function(*columns))
        return pl.Series(result, dtype=pl.Float64)

    packed = pl.struct(expr.alias(name) for expr, name in zip(inputs, names, strict=True))
    result: pl.Expr = packed.map_batches(on_struct, return_dtype=pl.Float64, is_elementwise=True)
    return result.fill_nan(None)


def z_value(level: float = LEVEL) -> float:
    """Two-sided normal quantile."""
    return float(special.ndtri((1 + level) / 2))


def t_value(degrees: pl.Expr, level: float = LEVEL) -> pl.Expr:
    """Two-sided Student quantile; null below one degree of freedom."""

    def quantile(df: Floats) -> Floats:
        result: Any = np.where(df >= 1, special.stdtrit(np.maximum(df, 1), (1 + level) / 2), np.nan)
        return np.asarray(result, np.float64)

    return _apply(quantile, degrees)


def wilson(rate: pl.Expr, n: pl.Expr, level: float = LEVEL) -> Limits:
    """Score interval of a proportion (Wilson 1927, JASA 22:209); ``n`` may be an effective, broken number."""
    z2 = z_value(level) ** 2
    middle = (rate + z2 / (2 * n)) / (1 + z2 / n)
    half = (z2 * (rate * (1 - rate) / n + z2 / (4 * n * n))).sqrt() / (1 + z2 / n)
    return (middle - half).clip(0, 1), (middle + half).clip(0, 1)


def clopper_pearson(count: pl.Expr, n: pl.Expr, level: float = LEVEL) -> Limits:
    """Exact interval of a proportion (Clopper and Pearson 1934, Biometrika 26:404), by beta quantiles."""
    tail = (1 - level) / 2

    def low(k: Floats, m: Floats) -> Floats:
        limit: Any = np.where(k > 0, special.betaincinv(np.maximum(k, 1), m - k + 1, tail), 0.0)
        return np.asarray(np.where(m > 0, limit, np.nan), np.float64)

    def high(k: Floats, m: Floats) -> Floats:
        limit: Any = np.where(k < m, special.betaincinv(k + 1, np.maximum(m - k, 1), 1 - tail), 1.0)
        return np.asarray(np.where(m > 0, limit, np.nan), np.float64)

    return _apply(low, count, n), _apply(high, count, n)


def poisson_score(count: pl.Expr, exposure: pl.Expr, level: float = LEVEL) -> Limits:
    """Score interval of a frequency for each unit of exposure (Barker 2002, Am. Stat. 56:85, interval 5)."""
    z2 = z_value(level) ** 2
    middle = count + z2 / 2
    half = (z2 * (count + z2 / 4)).sqrt()
    return (middle - half) / exposure, (middle + half) / exposure


def garwood(count: pl.Expr, exposure: pl.Expr, level: float = LEVEL) -> Limits:
    """Exact interval of a Poisson frequency (Garwood 1936, Biometrika 28:437), by chi-square quantiles."""
    tail = (1 - level) / 2

    def low(k: Floats, units: Floats) -> Floats:
        limit: Any = np.where(k > 0, special.gammaincinv(np.maximum(k, 1), tail), 0.0)
        return np.asarray(np.where(units > 0, limit / units, np.nan), np.float64)

    def high(k: Floats, units: Floats) -> Floats:
        limit: Any = special.gammaincinv(k + 1, 1 - tail)
        return np.asarray(np.where(units > 0, limit / units, np.nan), np.float64)

    return _apply(low, count, exposure), _apply(high, count, exposure)
