import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from analysis import intervals

COUNTS = [(0, 1), (1, 1), (0, 30), (3, 30), (10, 400), (399, 400), (37, 1000), (5, 10**5)]


def evaluate(limits, **columns):
    frame = pl.LazyFrame(columns).select(low=limits[0], high=limits[1]).collect()
    return frame["low"].to_list(), frame["high"].to_list()


@pytest.mark.parametrize("level", [0.9, 0.95, 0.99])
def test_clopper_pearson_is_scipys(level):
    k, n = zip(*COUNTS, strict=True)
    low, high = evaluate(intervals.clopper_pearson(pl.col("k"), pl.col("n"), level), k=k, n=n)
    expected = [stats.binomtest(a, b).proportion_ci(level, "exact") for a, b in COUNTS]
    np.testing.assert_allclose(low, [e.low for e in expected], rtol=1e-6, atol=1e-15)
    np.testing.assert_allclose(high, [e.high for e in expected], rtol=1e-6)


@pytest.mark.parametrize("level", [0.9, 0.95, 0.99])
def test_wilson_is_statsmodels(level):
    k, n = zip(*COUNTS, strict=True)
    rate = np.array(k) / np.array(n)
    low, high = evaluate(intervals.wilson(pl.col("p"), pl.col("n"), level), p=rate, n=n)
    expected = [proportion_confint(a, b, 1 - level, "wilson") for a, b in COUNTS]
    np.testing.assert_allclose(low, [e[0] for e in expected], rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(high, [e[1] for e in expected], rtol=1e-9)


def test_garwood_is_the_chi_square_interval():
    k = np.array([0, 1, 5, 10, 200])
    low, high = evaluate(intervals.garwood(pl.col("k"), pl.col("x")), k=k, x=np.full(5, 50.0))
    np.testing.assert_allclose(high, stats.chi2.ppf(0.975, 2 * k + 2) / 100, rtol=1e-9)
    np.testing.assert_allclose(low[1:], stats.chi2.ppf(0.025, 2 * k[1:]) / 100, rtol=1e-9)
    assert low[0] == 0


def test_poisson_score_limits_solve_the_score_equation():
    low, high = evaluate(intervals.poisson_score(pl.col("k"), pl.lit(1.0)), k=[0.0, 4.0, 300.0])
    for k, a, b in zip((0, 4, 300), low, high, strict=True):
        for limit in (a, b):
            assert limit == pytest.approx(0, abs=1e-12) or abs(k - limit) / limit**0.5 == pytest.approx(
                1.959964, rel=1e-6
            )


def test_impossible_input_gives_null():
    frame = pl.LazyFrame({"k": [0, None], "n": [0, 5]})
    limits = intervals.clopper_pearson(pl.col("k"), pl.col("n"))
    assert frame.select(low=limits[0], high=limits[1]).collect().rows() == [(None, None), (None, None)]
    assert pl.select(intervals.t_value(pl.lit(0))).item() is None
    assert pl.select(intervals.t_value(pl.lit(12))).item() == pytest.approx(stats.t.ppf(0.975, 12))


@settings(deadline=None, max_examples=50)
@given(n=st.integers(1, 10**7), share=st.floats(0, 1))
def test_intervals_hold_the_estimate_and_narrow_with_the_level(n, share):
    k = round(n * share)
    frame = pl.LazyFrame({"k": [k], "n": [n], "p": [k / n]})
    for make in (
        lambda level: intervals.clopper_pearson(pl.col("k"), pl.col("n"), level),
        lambda level: intervals.wilson(pl.col("p"), pl.col("n"), level),
        lambda level: intervals.garwood(pl.col("k"), pl.col("n"), level),
        lambda level: intervals.poisson_score(pl.col("k"), pl.col("n"), level),
    ):
        wide, narrow = make(0.99), make(0.9)
        a, b, c, d = frame.select(a=wide[0], b=narrow[0], c=narrow[1], d=wide[1]).collect().row(0)
        assert 0 <= a + 1e-12 <= b + 2e-12 <= k / n + 3e-12 <= c + 4e-12 <= d + 5e-12
