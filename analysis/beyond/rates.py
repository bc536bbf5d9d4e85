"""How often something is so, and what it brings, with intervals that know that decisions of one table go together."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from analysis.intervals import z_value


def rates(decisions: pl.LazyFrame, by: Sequence[str], outcome: str = "hit") -> pl.DataFrame:
    """Mean of a column by groups; tables are the independent units.

    A mean is the ratio of two sums over tables, its variance that of the ratio to first order (Cochran 1977, Sampling
    Techniques, 2.11).

    Parameters
    ----------
    decisions
        One row for each case: ``table``, the columns ``by`` and ``outcome``.

    Returns
    -------
    The columns ``by``, sorted, ``n`` (cases), ``rate``, ``low``, ``high``; no interval below two tables.
    """
    by_table = decisions.group_by("table", *by).agg(cases=pl.len(), total=pl.col(outcome).cast(pl.Float64).sum())
    rate = (pl.col("total").sum() / pl.col("cases").sum()).over(by)
    tables = pl.len()
    half = z_value() * (pl.col("squares").sum() * tables / (tables - 1)).sqrt() / pl.col("cases").sum()
    return (
        by_table.with_columns(rate=rate)
        .with_columns(squares=(pl.col("total") - pl.col("rate") * pl.col("cases")) ** 2)
        .group_by(by)
        .agg(n=pl.col("cases").sum(), rate=pl.col("rate").first(), half=pl.when(tables > 1).then(half))
        .with_columns(low=pl.col("rate") - pl.col("half"), high=pl.col("rate") + pl.col("half"))
        .drop("half")
        .sort(by)
        .collect()
    )
