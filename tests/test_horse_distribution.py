import numpy as np
import polars as pl
import polars.testing
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from analysis import horse_wins
from analysis.horse_distribution import bivariate_hypergeometric, horse_distribution
from analysis.horse_expectation import horse_income
from tests import synthetic


@settings(deadline=None, max_examples=60)
@given(st.integers(1, 136), st.data())
def test_chances_are_those_of_scipys_multivariate_hypergeometric(n_pool, data):
    up = data.draw(st.integers(0, n_pool))
    down = data.draw(st.integers(0, n_pool - up))
    k = data.draw(st.integers(0, min(n_pool, 8)))

    def one(value):
        return np.array([value])

    total = 0.0
    for x in range(k + 1):
        for y in range(k + 1 - x):
            chance = bivariate_hypergeometric(one(n_pool), one(up), one(down), one(k), x, y)[0]
            expected = stats.multivariate_hypergeom.pmf([x, y, k - x - y], [up, down, n_pool - up - down], k)
            assert chance == pytest.approx(np.nan_to_num(expected), abs=1e-12)
            total += chance
    assert total == pytest.approx(1)


@pytest.mark.parametrize("kind", horse_wins.KINDS)
@pytest.mark.parametrize("k", [0, 1, 4])
def test_distribution_has_the_moments_of_the_expectation(kind, k):
    rules = synthetic.load("maima")
    rows, _ = synthetic.make_log(rules, 40, 12, seed=2)
    out = horse_distribution(rows.lazy(), rules, kind, "winner", k).collect()
    role = "winner" if kind == "drawn" else "all"
    income = (
        horse_income(rows.lazy(), rules, kind, "winner", [k])
        .filter((pl.col("role") == role) & (pl.col("quantity") == "shares"))
        .collect()
        .row(0, named=True)
    )
    assert (out["n"] == income["n"]).all()
    for method in ("exact", "sampled"):
        assert out[method].sum() == pytest.approx(1)
        mean = (out["shares"] * out[method]).sum()
        assert mean == pytest.approx(income[method], abs=1e-9)
        assert (out["shares"] ** 2 * out[method]).sum() - mean**2 == pytest.approx(
            income[f"{method}_variance"], abs=1e-9
        )


def test_every_share_has_limits_around_it():
    rules = synthetic.load("zhuama")
    rows, _ = synthetic.make_log(rules, 10, 10, seed=2)
    out = horse_distribution(rows.lazy(), rules, "drawn", "winner", 10).collect()
    for method in ("exact", "sampled"):
        assert ((out[f"{method}_low"] >= 0) & (out[f"{method}_low"] <= out[method])).all()
        assert ((out[method] <= out[f"{method}_high"]) & (out[f"{method}_high"] <= 1)).all()


def test_tables_of_the_later_sample_are_clusters_of_their_own():
    rules = synthetic.load("zhuama")
    rows, _ = synthetic.make_log(rules, 60, 20, seed=2)
    later = rows.with_columns((1024 + 16 * pl.col("table").cast(pl.Int64)).cast(pl.UInt32).alias("table"))
    first, second = (horse_distribution(r.lazy(), rules, "drawn", "dealer", 4).collect() for r in (rows, later))
    pl.testing.assert_frame_equal(first, second)


def test_more_horses_than_logged_tiles_are_exact_only():
    rules = synthetic.load("zhuama", horses__count=20, horses__count_discard=20)
    rows, _ = synthetic.make_log(rules, 10, 10, seed=2)
    out = horse_distribution(rows.lazy(), rules, "drawn", "winner", 20).collect()
    assert out["exact"].sum() == pytest.approx(1)
    assert out["sampled"].null_count() == out["count"].null_count() == out.height
