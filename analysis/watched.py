"""How precisely a growing run knows its measures, and how many hands the wanted precision will take.

The measures are those of comparisons (`analysis.compare.measures`), of one rule set. Units are whole tables in order,
so that hands that end soon do not come first; intervals are confidence sequences, so that one may look after each part.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import polars as pl

from analysis import sequence
from analysis.compare.measures import COLUMNS, MEASURES, N_COLUMNS, C
from analysis.fan_frequency import with_paid
from analysis.moments import Moments
from analysis.scan import N_SEATS, Run, at_seat, collect
from analysis.sequence import Look, Target
from sim.patterns import CHICKEN
from sim.schema import WASHOUT

FIRST_HANDS = 1 << 16  # of the first part
ALPHA = 0.05
# The number of tables at which the sequences are narrowest, fixed so that going on with a run changes nothing.
_BEST_TABLES = 4 * sequence.MIN_UNITS
_SPARE = 1.05  # hands beyond what the precision so far foretells
_MOST_GROWTH = 8


class Watched:
    """Sums over the tables seen so far."""

    def __init__(self) -> None:
        self._moments = Moments.zero(N_COLUMNS)
        self._n_events = [0] * N_COLUMNS
        self._r = sequence.rho(_BEST_TABLES, ALPHA)

    def add(self, run: Run) -> None:
        """Count the tables that came since the last call."""
        units = table_sums(run, self._moments.n).to_numpy()
        self._moments.add(units)
        for column in range(N_COLUMNS):
            self._n_events[column] += int((units[:, column] != 0).sum())

    def looks(self) -> Mapping[str, Look]:
        """Every measure so far."""
        means, n = self._moments.mean, self._moments.n
        found = {}
        for name, measure in MEASURES.items():
            sd = self._moments.sd(measure.gradient(means, plain=True))
            events = self._n_events[C[measure.y]]
            half = sequence.half_width(sd, n, self._r, ALPHA)
            found[name] = Look(measure.value(means), sd, n, events, half)
        return found


def table_sums(run: Run, first_table: int) -> pl.DataFrame:
    """Columns of `analysis.compare.measures.COLUMNS` for each table from ``first_table`` on, in order, Float64.

    The log has horses as drawn; both columns of the dealer's points hold these.
    """
    hand, win = pl.col, pl.col
    dealer = at_seat("points", pl.col("dealer")).cast(pl.Float64)
    squares = pl.sum_horizontal(hand(f"points_{seat}").cast(pl.Float64).pow(2) for seat in range(N_SEATS)) / N_SEATS
    start = pl.col("table") >= first_table
    by_hand = run.hands.filter(start).group_by("table").agg(
        hands=pl.len().cast(pl.Float64),
        washouts=(hand("outcome") == WASHOUT).sum().cast(pl.Float64),
        turns=hand("turns").cast(pl.Float64).sum(),
        dealer=dealer.sum(),
        squares=squares.sum(),
    )  # fmt: skip
    by_win = with_paid(run.hands, run.wins.filter(start), run.rules).group_by("table").agg(
        wins=pl.len().cast(pl.Float64),
        win_points=pl.col("paid").sum().cast(pl.Float64),
        chickens=((win("patterns") & (1 << CHICKEN)) != 0).sum().cast(pl.Float64),
    )  # fmt: skip
    joined = by_hand.join(by_win, on="table", how="left").sort("table").with_columns(dealer_mean="dealer")
    return collect([joined.select(pl.col(name).fill_null(0.0) for name in COLUMNS)])[0]


def next_hands(n_hands: int, targets: tuple[Target, ...], looks: Mapping[str, Look], most: int) -> int:
    """Hands of the next, longer run: what the widest target foretells, at most eight times as many as now."""
    factor = max((looks[t.measure].half / t.bound for t in targets), default=1.0)
    wanted = n_hands * min(factor * factor * _SPARE, _MOST_GROWTH) if math.isfinite(factor) else n_hands * 2
    return min(max(math.ceil(wanted), n_hands + FIRST_HANDS), most)
