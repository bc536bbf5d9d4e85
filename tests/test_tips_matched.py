"""The estimator of matched differences: by hand, against other packages, and by how often its intervals hold."""

import math

import numpy as np
import polars as pl
import pytest
import statsmodels.api as sm
from scipy import stats

from analysis.tips.judge import limits
from analysis.tips.matched import against_level, joined, matched, matched_of, sums_of


def _sample(rows):
    return pl.DataFrame(rows, schema=["table", "case", "live", "y"], orient="row")


def test_a_hand_worked_example():
    """Strata by live copies 3 and 2; the cases of stratum 1 have no control and are dropped.

    Stratum 3: cases 1, 1, 0 (mean 2/3), controls 1, 0 (1/2). Stratum 2: case 0, controls 0, 0, 1, 1 (1/2).
    Effect = (3 (2/3 - 1/2) + 1 (0 - 1/2)) / 4 = 0. Influences, by table:
    0: case 1 in 3: (1 - 1/2)/4 = 1/8;  control 0 in 3: -(3/2)(1/4)(0 - 1/2) = 3/16
    1: case 1 in 3: 1/8;                control 1 in 3: -(3/2)(1/4)(1/2) = -3/16
    2: case 0 in 3: -1/8;               controls 0, 1 in 2: -(1/4)(1/4)(-1/2 + 1/2) = 0
    3: case 0 in 2: -1/8;               controls 0, 1 in 2: 0
    se^2 = 4/3 ((5/16)^2 + (1/16)^2 + (1/8)^2 + (1/8)^2) = 4/3 * 34/256 = 17/96.
    """
    sample = _sample(
        [
            (0, True, 3, 1), (0, False, 3, 0), (1, True, 3, 1), (1, False, 3, 1), (2, True, 3, 0), (2, False, 2, 0),
            (2, False, 2, 1), (3, True, 2, 0), (3, False, 2, 0), (3, False, 2, 1), (3, True, 1, 1),
        ]
    )  # fmt: skip
    found = matched(sample, ("live",), 10)
    assert found.effect == pytest.approx(0, abs=1e-12)
    assert found.se == pytest.approx(math.sqrt(17 / 96))
    assert (found.n, found.degrees) == (4, 3)
    assert found.case_mean == found.base_mean == pytest.approx(1 / 2)
    assert found.dropped == pytest.approx(1 / 5)


def _confounded(seed, n_tables=400, effect=0.0):
    """Cases that come up where more copies live; ``y`` depends on live copies and the table, and on being a case."""
    rng = np.random.default_rng(seed)
    table = np.repeat(np.arange(n_tables), 12)
    live = rng.integers(0, 4, len(table))
    case = rng.random(len(table)) < 0.05 + 0.15 * live
    mood = rng.normal(0, 0.08, n_tables)[table]
    y = rng.random(len(table)) < np.clip(0.1 + 0.15 * live + mood + effect * case, 0, 1)
    return pl.DataFrame({"table": table, "case": case, "live": live, "y": y})


def test_matching_takes_off_what_live_copies_do():
    sample = _confounded(3)
    assert abs(matched(sample, ("live",), 1).effect) < 0.04
    assert matched(sample, (), 1).effect > 0.1


def test_weighted_least_squares_gives_the_same_effect():
    """Controls with weights n1/n0 of their stratum: the coefficient of being a case is the matched difference."""
    sample = _confounded(4, effect=0.1)
    strata = sample.group_by("live").agg(n1=pl.col("case").sum(), n0=(~pl.col("case")).sum())
    whole = sample.join(strata, on="live")
    weights = np.where(whole["case"], 1.0, whole["n1"] / whole["n0"])
    x = sm.add_constant(whole["case"].to_numpy().astype(float))
    fit = sm.WLS(whole["y"].to_numpy().astype(float), x, weights=weights).fit()
    assert matched(sample, ("live",), 1).effect == pytest.approx(fit.params[1], rel=1e-9)


def test_one_stratum_has_the_standard_error_of_clustered_least_squares():
    sample = _confounded(5, effect=0.05)
    x = sm.add_constant(sample["case"].to_numpy().astype(float))
    fit = sm.OLS(sample["y"].to_numpy().astype(float), x).fit(
        cov_type="cluster", cov_kwds={"groups": sample["table"].to_numpy(), "df_correction": True}
    )
    n, g = sample.height, sample["table"].n_unique()
    correction = math.sqrt((n - 1) / (n - 2) * g / (g - 1)) / math.sqrt(g / (g - 1))
    assert matched(sample, (), 1).se == pytest.approx(fit.bse[1] / correction, rel=1e-9)


def test_the_standard_error_agrees_with_leaving_tables_out():
    sample = _confounded(6, n_tables=150, effect=0.1)
    whole = matched(sample, ("live",), 1)
    left = np.array([matched(sample.filter(pl.col("table") != t), ("live",), 1).effect for t in range(150)])
    jackknife = math.sqrt(149 / 150 * ((left - left.mean()) ** 2).sum())
    assert whole.se == pytest.approx(jackknife, rel=0.03)


def test_intervals_hold():
    """Of 300 intervals of 95 % between 270 and 297 hold; by chance outside in less than 1 of 10,000 runs."""
    held = 0
    for seed in range(300):
        found = matched(_confounded(1_000 + seed, n_tables=80, effect=0.1), ("live",), 1)
        low, high = limits(found, 0.95)
        # With moods inside (0, 1) the true effect is what was planted.
        held += low <= 0.1 <= high
    assert 270 <= held <= 297


def test_parts_add_up():
    sample = _confounded(7)
    half = joined([sums_of(part, ("live",)) for part in (sample[:2001], sample[2001:])])
    both, whole = matched_of(half, ("live",), 1), matched(sample, ("live",), 1)
    assert both.effect == pytest.approx(whole.effect, rel=1e-12)
    assert both.n == whole.n


def test_few_events_have_exact_limits():
    """No event among 50 cases, baseline one half known from many: the interval is Clopper and Pearson's, moved."""
    controls = np.random.default_rng(1).permutation([True, False] * 25_000)
    y = np.concatenate([np.zeros(50, bool), controls])
    sample = pl.DataFrame({"table": np.arange(50_050), "case": np.arange(50_050) < 50, "y": y})
    found = matched(sample, (), 1)
    low, high = limits(found, 0.95)
    exact = stats.binomtest(0, 50).proportion_ci(0.95, "exact")
    assert high == pytest.approx(exact.high - 0.5, abs=0.001)
    assert low == pytest.approx(-0.5, abs=0.01)
    assert found.p < 1e-9


def test_p_of_few_events_is_that_of_the_exact_test():
    sample = pl.DataFrame({"table": np.arange(60), "y": [True] * 5 + [False] * 55})
    found = against_level(sample, 0.02, 60)
    # Central: twice the smaller tail.
    assert found.p == pytest.approx(2 * stats.binom.sf(4, 60, 0.02), rel=1e-6)


def test_one_event_against_none_is_no_finding():
    """One of 50 cases, none of 3,000 controls: the baseline is not known to be zero."""
    sample = pl.DataFrame({"table": np.arange(3_050), "case": np.arange(3_050) < 50, "y": np.arange(3_050) == 0})
    found = matched(sample, (), 1)
    assert found.p > 0.01
    low, high = limits(found, 0.95)
    assert low < 0.001 < high


def test_states_of_one_hand_are_no_trials_of_their_own():
    """Ten states of each of 40 hands: the limits without an event are those of 40 trials."""
    cases = pl.DataFrame({"table": np.repeat(np.arange(40), 10), "hand": 0, "case": True, "y": 0.0})
    low, high = limits(against_level(cases, 0.0, 1), 0.95)
    assert low == 0
    assert high == pytest.approx(stats.binomtest(0, 40).proportion_ci(0.95, "exact").high)


def test_a_level_is_a_baseline_that_is_known():
    rng = np.random.default_rng(8)
    sample = pl.DataFrame({"table": np.arange(500), "y": rng.random(500) < 0.7})
    found = against_level(sample, 0.5, 500)
    p = float(sample["y"].mean())
    assert found.effect == pytest.approx(p - 0.5)
    assert found.se == pytest.approx(math.sqrt(p * (1 - p) / 499), rel=1e-3)


def test_without_cases_nothing_is_known():
    sample = _sample([(0, False, 1, 1), (1, False, 1, 0)])
    found = matched(sample, ("live",), 1)
    assert math.isnan(found.effect)
    assert found.n == 0
