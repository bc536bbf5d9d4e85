"""The sequential test: its bounds, its error rates, its length; the planner against statsmodels."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.power import TTestPower
from statsmodels.stats.weightstats import DescrStatsW

from analysis import planner
from analysis.sprt import MIN_UNITS, Sprt, SprtError, check


def test_the_ratio_is_that_of_two_normal_laws() -> None:
    x = np.random.default_rng(1).normal(0.3, 2.0, 700)
    test = Sprt(0.1, 0.5)
    exact = (stats.norm.logpdf(x, 0.5, 2.0) - stats.norm.logpdf(x, 0.1, 2.0)).sum()
    assert test.llr(x.mean(), 2.0, len(x)) == pytest.approx(exact)
    assert test.bounds == pytest.approx((math.log(0.05 / 0.95), math.log(0.95 / 0.05)))


def test_no_decision_before_the_deviation_is_known() -> None:
    test = Sprt(0, 1)
    assert test.decision(1.0, 0.1, MIN_UNITS - 1) is None
    assert test.decision(1.0, 0.1, MIN_UNITS) == "d1"
    assert test.decision(0.0, 0.1, MIN_UNITS) == "d0"
    assert test.decision(0.5, 0.1, MIN_UNITS) is None
    assert Sprt(0, 1).llr(0.0, 0.0, 10) == -math.inf


@pytest.mark.parametrize(("truth", "wrong"), [(0.0, "d1"), (0.1, "d0")])
def test_error_rates_are_kept(truth: float, wrong: str) -> None:
    """1,000 tests with alpha = beta = 5 %; false-alarm rate under 1e-6 (4.9 standard errors)."""
    rng = np.random.default_rng(5)
    test, n_tests, step, most = Sprt(0.0, 0.1), 1_000, 100, 20_000
    x = rng.normal(truth, 1.5, size=(n_tests, most // step, step))
    n = np.arange(step, most + 1, step)
    mean = x.sum(axis=2).cumsum(axis=1) / n
    sd = np.sqrt(((x**2).sum(axis=2).cumsum(axis=1) / n - mean**2) * n / (n - 1))
    decided = [
        next((d for k in range(len(n)) if (d := test.decision(mean[i, k], sd[i, k], int(n[k])))), None)
        for i in range(n_tests)
    ]
    assert decided.count(wrong) / n_tests < 0.05 + 4.9 * math.sqrt(0.05 * 0.95 / n_tests)
    assert decided.count(None) == 0


def test_the_expected_length_is_about_the_simulated_one() -> None:
    rng = np.random.default_rng(6)
    test, sd = Sprt(0.0, 0.2), 3.0
    x = rng.normal(0.2, sd, size=(400, 20_000))
    llr = np.cumsum((test.d1 - test.d0) * (2 * x - 0.2) / (2 * sd**2), axis=1)
    low, high = test.bounds
    lengths = np.argmax((llr <= low) | (llr >= high), axis=1) + 1
    assert test.expected_units(0.2, sd) == pytest.approx(lengths.mean(), rel=0.15)
    assert test.expected_units(0.1, sd) > test.expected_units(0.2, sd)


@pytest.mark.parametrize("test", [Sprt(0, 0), Sprt(0, 1, 0.0), Sprt(0, 1, 0.05, 0.5), Sprt(0, math.nan)])
def test_tests_that_mean_nothing_are_refused(test: Sprt) -> None:
    with pytest.raises(SprtError, match="--sprt"):
        check(test)


def test_the_planner_is_statsmodels() -> None:
    power = TTestPower().solve_power(effect_size=0.05 / 7.0, alpha=0.05, power=0.9)
    assert planner.for_power(7.0, 0.05, 0.05, 0.9) == pytest.approx(power, rel=1e-3)
    n = planner.for_half_width(7.0, 0.1)
    sample = np.random.default_rng(2).normal(size=n)
    sample = (sample - sample.mean()) / sample.std(ddof=1) * 7.0
    low, high = DescrStatsW(sample).zconfint_mean(0.05)
    assert (high - low) / 2 == pytest.approx(0.1, rel=1e-3)
    assert 1.4 < math.sqrt(planner.for_sequence(7.0, 0.1) / n) < 1.6
