"""The few numbers that tell rule sets apart, picked from a report's tables, nothing computed anew."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import polars as pl

from analysis.tables import Tables


class Pick(NamedTuple):
    """One headline number: the table, the row, and how it is written (rate or mean)."""

    name: str
    table: str
    row: Callable[[], pl.Expr]
    unit: str


def _row(**values: object) -> Callable[[], pl.Expr]:
    return lambda: pl.all_horizontal(pl.col(name) == value for name, value in values.items())


PICKS: tuple[Pick, ...] = (
    Pick("washout", "outcomes", _row(outcome="washout"), "rate"),
    Pick("win_by_zimo", "outcomes", _row(outcome="zimo"), "rate"),
    Pick("win_by_dianpao", "outcomes", _row(outcome="dianpao"), "rate"),
    Pick("win_by_qianggang", "outcomes", _row(outcome="qianggang"), "rate"),
    Pick("win_turn", "mean_win_turn", _row(source="all"), "mean"),
    Pick("win_points", "win_points", _row(measure="win_points"), "mean"),
    Pick("points_sd", "points_sd", _row(measure="points_sd"), "mean"),
    Pick("dealer_win_rate", "dealer_advantage", _row(measure="won", group="dealer"), "rate"),
    Pick("others_win_rate", "dealer_advantage", _row(measure="won", group="others"), "rate"),
    Pick("dealer_lead", "dealer_advantage", _row(measure="won", group="difference"), "rate"),
    Pick("dealer_points", "dealer_advantage", _row(measure="points", group="dealer"), "mean"),
    Pick("deal_hands", "deal_turn", _row(measure="hands"), "mean"),
    Pick("deal_points", "deal_turn", _row(measure="points"), "mean"),
    Pick("horse_points", "own_horses", _row(measure="horse"), "mean"),
)
_VALUES = ("rate", "mean")


def headline(tables: Tables) -> pl.DataFrame:
    """Collect the headline numbers that a rule set's tables hold.

    Returns
    -------
    ``measure`` (names of `PICKS`), ``unit`` (rate or mean), ``n, value, low, high``.
    """
    return pl.concat([_picked(tables[pick.table], pick) for pick in PICKS if pick.table in tables])


def _picked(table: pl.DataFrame, pick: Pick) -> pl.DataFrame:
    value = next(name for name in _VALUES if name in table.columns)
    return table.filter(pick.row()).select(
        pl.lit(pick.name).alias("measure"),
        pl.lit(pick.unit).alias("unit"),
        pl.col("n").cast(pl.Int64),
        pl.col(value).alias("value"),
        "low",
        "high",
    )


def comparison(headlines: dict[str, pl.DataFrame]) -> pl.DataFrame:
    """Put headline numbers of several rule sets into one frame.

    Returns
    -------
    ``rules`` (slug) and the columns of `headline`, by measure in the order of `PICKS`.
    """
    order = pl.Enum([pick.name for pick in PICKS])
    return pl.concat([frame.select(pl.lit(slug).alias("rules"), pl.all()) for slug, frame in headlines.items()]).sort(
        pl.col("measure").cast(order), maintain_order=True
    )
