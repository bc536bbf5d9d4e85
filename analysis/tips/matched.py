"""How much more often something happens in the cases of a tip than in states that are like them otherwise.

Exact stratification: states are alike when all columns of ``match`` are equal. The baseline is reweighted to the cases,

    effect = (1 / N1) sum over cases (y - m0 of the case's stratum),

over strata that hold both; what share of the cases that leaves out is told. A table is a cluster (`analysis.estimate`):
the linearised influence of a table is

    sum over its cases (y - m0h - effect) / N1  -  sum over its controls w_h (y - m0h) / n0h,   w_h = n1h / N1,

and se^2 = G / (G - 1) sum influence^2 (Binder 1983, Int. Stat. Rev. 51:279); the weights count as random, as cases do.
With events in ten hands or fewer the limits come from the exact interval of the cases' rate, hands as its trials, since
states of one hand are no independent ones (effective sample size: Korn and Graubard 1998, Survey Methodology 24:193),
joined with the baseline's by recovering variances from limits (Zou and Donner 2008, Stat. Med. 27:1693); where the
baseline has as few events, both exact limits are taken at their worst together, which is on the safe side.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy import special

from analysis import estimate
from analysis.estimate import EXACT_COUNT
from analysis.tips.model import Found

Floats = NDArray[np.float64]
Limits = Callable[[float], tuple[float, float]]


class Sums(NamedTuple):
    """A sample added up.

    ``frame`` by cluster, case and stratum: ``n, y, y2``; then the hands that cases, events among them, and cases
    without an event come from.
    """

    frame: pl.DataFrame
    case_hands: int
    event_hands: int
    other_hands: int
    is_known: bool = False  # the baseline is a number known beforehand


def sums_of(sample: pl.DataFrame, match: Sequence[str]) -> Sums:
    """Add a sample up by cluster, case and stratum.

    Parameters
    ----------
    sample
        ``table, case`` (Boolean; all are cases where it is missing), ``y`` (number or Boolean), the columns of
        ``match``, and ``hand`` unless each row is a trial of its own.
    """
    whole = sample if "case" in sample.columns else sample.with_columns(case=pl.lit(True))
    whole = whole.with_columns(pl.col("y").cast(pl.Float64), *(pl.col(name).cast(pl.Int64) for name in match))
    by_cluster = (
        whole.lazy()
        .group_by(estimate.cluster().cast(pl.Int64), "case", *match)
        .agg(n=pl.len().cast(pl.Float64), y=pl.col("y").sum(), y2=pl.col("y").pow(2).sum())
        .collect()
    )
    cases = whole.filter("case")
    parts = (cases, cases.filter(pl.col("y") > 0), cases.filter(pl.col("y") <= 0))
    if "hand" in sample.columns:
        n, events, others = (part.select("table", "hand").n_unique() if part.height else 0 for part in parts)
    else:
        n, events, others = (part.height for part in parts)
    return Sums(by_cluster, n, events, others)


def joined(parts: Sequence[Sums]) -> Sums:
    """Join the sums of samples that share no hand."""
    return Sums(
        pl.concat([part.frame for part in parts]),
        sum(part.case_hands for part in parts),
        sum(part.event_hands for part in parts),
        sum(part.other_hands for part in parts),
    )


def matched(sample: pl.DataFrame, match: Sequence[str], hands: int) -> Found:
    """Estimate the effect of being a case from one sample (`sums_of`); ``hands`` that it was taken from."""
    return matched_of(sums_of(sample, match), match, hands)


def matched_of(whole: Sums, match: Sequence[str], hands: int) -> Found:
    """Estimate the effect of being a case from sums."""
    sums = whole.frame
    if match:
        stratum = sums.select(pl.struct(match).rank("dense")).to_series().to_numpy().astype(np.int64) - 1
    else:
        stratum = np.zeros(sums.height, np.int64)
    case = sums["case"].to_numpy()
    n, y, y2 = (sums[name].to_numpy() for name in ("n", "y", "y2"))
    n_strata = int(stratum.max()) + 1 if len(stratum) else 0
    totals = {
        which: [np.bincount(stratum[at], part[at], n_strata) for part in (n, y)]
        for which, at in ((1, case), (0, ~case))
    }
    (n1, y1), (n0, y0) = totals[1], totals[0]
    both = (n1 > 0) & (n0 > 0)
    all_cases = float(n1.sum())
    n_cases = float(n1[both].sum())
    if n_cases == 0:
        return Found(math.nan, math.nan, 0, 0, hands, math.nan, dropped=1.0 if all_cases else math.nan)
    m0 = np.divide(y0, n0, out=np.zeros(n_strata), where=n0 > 0)
    base = float((n1[both] * m0[both]).sum() / n_cases)
    rate = float(y1[both].sum() / n_cases)
    effect = rate - base
    keep = both[stratum]
    weight = np.divide(n1, n0, out=np.zeros(n_strata), where=n0 > 0) / n_cases
    influence = np.where(case, (y - n * (m0[stratum] + effect)) / n_cases, -weight[stratum] * (y - n * m0[stratum]))
    cluster = sums["cluster"].to_numpy().astype(np.int64)

    def error(at: NDArray[np.bool_]) -> tuple[float, int]:
        """Return the standard error from the influence of these rows, and the clusters that have any."""
        present = np.unique(cluster[at])
        total = np.bincount(cluster[at], influence[at], estimate.N_CLUSTERS)
        g = len(present)
        return (math.sqrt(g / (g - 1) * float((total**2).sum())) if g > 1 else math.nan), g

    se, n_clusters = error(keep)
    se_base, _ = error(keep & ~case)
    at = keep & case
    few = bool(np.allclose(y2[at], y[at])) and min(whole.event_hands, whole.other_hands) <= EXACT_COUNT
    p, limits = _p(effect, se, n_clusters - 1), None
    if few:
        trials = whole.case_hands * n_cases / all_cases
        each = trials / n_cases  # of a state, since those of one hand are no independent ones
        against = (
            None if whole.is_known or y0.sum() > EXACT_COUNT else each / float((weight[both] ** 2 * n0[both]).sum())
        )
        limits = _few_limits(rate, trials, base, 0.0 if whole.is_known else se_base, against)
        p = _inverted(effect, limits)
    return Found(
        effect, se, n_clusters - 1, round(n_cases), hands, p,
        case_mean=rate, base_mean=base, dropped=1 - n_cases / all_cases, limits=limits,
    )  # fmt: skip


def against_level(sample: pl.DataFrame, level: float, hands: int) -> Found:
    """Mean of ``y`` less a fixed level, tables as clusters."""
    return against_level_of(sums_of(sample, ()), level, hands)


def against_level_of(sums: Sums, level: float, hands: int) -> Found:
    """`against_level` from sums: the level is a baseline that is known."""
    known = {"cluster": [0], "case": [False], "n": [1.0], "y": [float(level)], "y2": [float(level) ** 2]}
    frame = pl.concat([sums.frame, pl.DataFrame(known).select(sums.frame.columns)])
    return matched_of(sums._replace(frame=frame, is_known=True), (), hands)


def _p(effect: float, se: float, degrees: int) -> float:
    if not se > 0 or degrees < 1:
        return math.nan
    return float(2 * special.stdtr(degrees, -abs(effect) / se))


def _exact(rate: float, trials: float, tail: float) -> tuple[float, float]:
    """Clopper and Pearson's limits of a rate; events may be a broken number."""
    events = rate * trials
    low = float(special.betaincinv(events, trials - events + 1, tail)) if events > 0 else 0.0
    high = float(special.betaincinv(events + 1, trials - events, 1 - tail)) if events < trials else 1.0
    return low, high


def _few_limits(rate: float, trials: float, base: float, se_base: float, base_trials: float | None) -> Limits:
    """Limits of the difference at any level, exact in the cases, and in the baseline where its trials are given."""

    def limits(level: float) -> tuple[float, float]:
        tail = (1 - level) / 2
        low, high = _exact(rate, trials, tail)
        half = -float(special.ndtri(tail)) * (se_base if math.isfinite(se_base) else 0.0)
        if base_trials:
            under, over = _exact(base, base_trials, tail)
            return low - over, high - under
        effect = rate - base
        return effect - math.hypot(rate - low, half), effect + math.hypot(high - rate, half)

    return limits


def _inverted(effect: float, limits: Limits) -> float:
    """Least alpha whose interval leaves out zero, down to 1e-12; 1 where none does."""
    if effect == 0:
        return 1.0
    low, high = math.log(1e-12), 0.0
    for _ in range(50):
        middle = (low + high) / 2
        side = limits(1 - math.exp(middle))[0 if effect > 0 else 1]
        if side * effect > 0:
            high = middle
        else:
            low = middle
    return math.exp(high)
