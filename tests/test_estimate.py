import numpy as np
import polars as pl
import pytest
import statsmodels.api as sm
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from analysis import estimate
from sim import codec


def hands_of(table, **columns):
    return pl.LazyFrame({"table": pl.Series(table, dtype=pl.UInt32), **columns})


def y_over_x():
    return {"ratio": (pl.col("y").sum(), pl.col("x").sum())}


def a_sample(rng, n_tables=60, hands=20):
    table = np.repeat(np.arange(n_tables), hands)
    effect = rng.normal(0, 0.6, n_tables)[table]
    return table, effect + rng.normal(1, 1, len(table))


def test_mean_has_the_cluster_robust_error_of_statsmodels():
    table, y = a_sample(np.random.default_rng(3))
    row = (
        estimate.means(estimate.sums(hands_of(table, y=y), {"m": (pl.col("y").sum(), pl.len())}))
        .collect()
        .row(0, named=True)
    )
    fit = sm.OLS(y, np.ones_like(y)).fit(cov_type="cluster", cov_kwds={"groups": table, "use_correction": False})
    groups = len(np.unique(table))
    se = fit.bse[0] * np.sqrt(groups / (groups - 1))
    half = stats.t.ppf(0.975, groups - 1) * se
    assert row["n"] == len(y)
    assert row["n_clusters"] == groups
    assert row["mean"] == pytest.approx(y.mean())
    assert (row["low"], row["high"]) == pytest.approx((y.mean() - half, y.mean() + half))


def test_ratio_error_is_the_jackknifes_to_first_order():
    rng = np.random.default_rng(4)
    table = np.repeat(np.arange(400), rng.integers(1, 40, 400))
    x = rng.poisson(2, len(table)).astype(float)
    y = x * rng.normal(3, 1, len(table)) + rng.normal(0, 0.5, 400)[table]
    row = estimate.means(estimate.sums(hands_of(table, y=y, x=x), y_over_x())).collect().row(0, named=True)
    a, b = np.bincount(table, y), np.bincount(table, x)
    left_out = (a.sum() - a) / (b.sum() - b)
    se = np.sqrt(399 / 400 * ((left_out - left_out.mean()) ** 2).sum())
    assert row["mean"] == pytest.approx(a.sum() / b.sum())
    assert (row["high"] - row["low"]) / 2 / stats.t.ppf(0.975, 399) == pytest.approx(se, rel=0.02)


def test_variance_error_is_the_jackknifes_to_first_order():
    table, y = a_sample(np.random.default_rng(5), 400, 10)
    sums = (
        pl.LazyFrame({"t": table, "y": y})
        .group_by("t")
        .agg(x=pl.len().cast(pl.Float64), y2=pl.col("y").pow(2).sum(), y=pl.col("y").sum())
    )
    se = sums.select(estimate.variance_error(pl.col("y"), pl.col("y2"), pl.col("x"))).collect().item()
    left_out = np.array([y[table != t].var() for t in range(400)])
    assert se == pytest.approx(np.sqrt(399 / 400 * ((left_out - left_out.mean()) ** 2).sum()), rel=0.02)


def test_one_cluster_gives_no_interval_for_a_mean_and_plain_wilson_for_a_rate():
    frame = hands_of([7] * 50, y=[1] * 20 + [0] * 30)
    sums = estimate.sums(frame, {"m": (pl.col("y").sum(), pl.len())})
    assert estimate.means(sums).collect().select("low", "high").row(0) == (None, None)
    low, high = estimate.rates(sums).collect().select("low", "high").row(0)
    assert (low, high) == pytest.approx(tuple(stats.binomtest(20, 50).proportion_ci(method="wilson")))


def test_rare_events_get_the_exact_interval():
    y = [1] * 3 + [0] * 497
    sums = estimate.sums(hands_of(list(range(50)) * 10, y=y), {"m": (pl.col("y").sum(), pl.len())})
    rate = estimate.rates(sums).collect().row(0, named=True)
    assert (rate["low"], rate["high"]) == pytest.approx(tuple(stats.binomtest(3, 500).proportion_ci(method="exact")))
    frequency = estimate.frequencies(sums).collect().row(0, named=True)
    assert (frequency["low"], frequency["high"]) == pytest.approx(
        (stats.chi2.ppf(0.025, 6) / 1000, stats.chi2.ppf(0.975, 8) / 1000)
    )


def test_degrees_of_freedom_come_from_the_few_clusters_that_differ():
    table = np.arange(1000)

    def degrees(y):
        sums = estimate.sums(hands_of(table, y=y), {"m": (pl.col("y").sum(), pl.len())})
        return sums.select(estimate.error_degrees(pl.col("y"), pl.col("x"))).collect().item()

    assert degrees(np.random.default_rng(4).normal(size=1000)) == pytest.approx(999, rel=0.15)
    assert degrees(1 - (table < 6)) == pytest.approx(12, rel=0.02)
    assert degrees(table % 2) == 999


def test_a_frequency_knows_as_much_as_the_clusters_that_differ():
    y = 1 - (np.arange(1000) < 12)
    sums = estimate.sums(hands_of(np.arange(1000), y=y), {"m": (pl.col("y").sum(), pl.len())})
    row = estimate.frequencies(sums).collect().row(0, named=True)
    kurtosis = stats.kurtosis(y, fisher=False)
    z, t = stats.norm.ppf(0.975), stats.t.ppf(0.975, 2000 / (kurtosis - 1))
    exposure = 0.988 / (y.var(ddof=1) / 1000) * (z / t) ** 2
    middle, half = 0.988 + z**2 / 2 / exposure, z * np.sqrt(0.988 / exposure + (z / exposure) ** 2 / 4)
    assert (row["low"], row["high"]) == pytest.approx((middle - half, middle + half))
    assert t > 1.03 * stats.t.ppf(0.975, 999)


def test_two_clusters_have_one_degree_of_freedom_whatever_is_rounded():
    sums = pl.LazyFrame({"measure": "m", "cluster": [0, 1], "y": [550.0, 2269.0], "x": [1937.0, 1401.0]})
    row = estimate.frequencies(sums).collect().row(0, named=True)
    assert row["low"] < 550 / 1937
    assert row["high"] > 2269 / 1401


def test_groups_without_a_trial_are_left_out():
    frame = hands_of([0, 1, 2], y=[1, 0, 0], x=[1, 1, 0])
    measures = {"some": (pl.col("y").sum(), pl.col("x").sum()), "none": (pl.col("y").sum() * 0, pl.lit(0))}
    assert estimate.rates(estimate.sums(frame, measures)).collect()["measure"].to_list() == ["some"]


def test_distribution_adds_up_and_knows_clusters_without_the_value():
    frame = hands_of([0, 0, 1, 1, 2], turn=[1, 2, 1, 1, 3])
    out = estimate.distribution(frame, "turn").collect()
    assert out["turn"].to_list() == [1, 2, 3]
    assert out["count"].to_list() == [3, 1, 1]
    assert out["n"].to_list() == [5, 5, 5]
    assert out["n_clusters"].to_list() == [3, 3, 3]


@settings(deadline=None, max_examples=30)
@given(
    st.lists(st.tuples(st.integers(0, 5000), st.integers(-50, 50), st.integers(1, 9)), min_size=2, max_size=60),
    st.integers(-9, 9),
)
def test_order_and_splitting_of_rows_change_nothing_and_scale_carries_over(rows, scale):
    table, y, x = zip(*rows, strict=True)
    frame = hands_of(table, y=pl.Series(y, dtype=pl.Int64), x=pl.Series(x, dtype=pl.Int64))

    def run(f):
        return estimate.means(estimate.sums(f, y_over_x())).collect().row(0, named=True)

    base, scaled = run(frame), run(frame.reverse().with_columns(y=pl.col("y") * scale))
    assert scaled["n"] == base["n"]
    assert scaled["mean"] == pytest.approx(scale * base["mean"], abs=1e-9)
    if base["low"] is not None and scale:
        assert scaled["high"] - scaled["low"] == pytest.approx(
            abs(scale) * (base["high"] - base["low"]), rel=1e-6, abs=1e-6
        )


def test_more_tables_than_clusters_are_grouped():
    table = np.arange(5 * estimate.N_CLUSTERS)
    row = (
        estimate.means(estimate.sums(hands_of(table, y=table % 2), {"m": (pl.col("y").sum(), pl.len())}))
        .collect()
        .row(0, named=True)
    )
    assert row["n_clusters"] == estimate.N_CLUSTERS
    assert row["n"] == len(table)


def _coverage(rng, n_runs, draw, truth, estimator):
    """Share of runs whose interval holds the truth; runs are the groups of one frame."""
    table, events = draw(rng, n_runs)
    run = np.repeat(np.arange(n_runs), table.shape[1])
    frame = hands_of(table.ravel(), run=run, y=events.ravel())
    sums = estimate.sums(frame, {"m": (pl.col("y").sum(), pl.len())}, by=["run"])
    out = estimator(sums, ["run"]).collect()
    return ((out["low"] <= truth) & (truth <= out["high"])).mean()


def _clustered(rate, spread, hands=25, tables=60):
    def draw(rng, n_runs):
        table = np.tile(np.repeat(np.arange(tables), hands), (n_runs, 1))
        p = (
            rng.beta(rate / spread, (1 - rate) / spread, (n_runs, tables))
            if spread
            else np.full((n_runs, tables), rate)
        )
        return table, (rng.random((n_runs, tables, hands)) < p[:, :, None]).reshape(n_runs, -1).astype(int)

    return draw


def _exclusive(rng, n_runs, hands=25, tables=60):
    """Three seats of a hand of which at most one wins: rates below independent trials' spread."""
    seat = rng.integers(0, 4, (n_runs, tables * hands, 1))
    table = np.tile(np.repeat(np.arange(tables), hands * 3), (n_runs, 1))
    return table, (seat == np.arange(3)).reshape(n_runs, -1).astype(int)


@pytest.mark.parametrize(
    ("draw", "truth", "estimator"),
    [
        (_clustered(0.25, 0.0), 0.25, estimate.rates),
        (_clustered(0.25, 0.05), 0.25, estimate.rates),
        (_clustered(0.02, 0.02), 0.02, estimate.rates),
        (_clustered(0.25, 0.05), 0.25, estimate.means),
        (_clustered(0.25, 0.05), 0.25, estimate.frequencies),
        (_exclusive, 0.25, estimate.rates),
    ],
    ids=["independent", "clustered", "rare", "mean", "frequency", "exclusive"],
)
def test_intervals_cover_at_their_level(draw, truth, estimator):
    # 1,500 runs: a true coverage of 0.95 leaves 0.95 -+ 0.0275 (4.9 standard errors) once in a million.
    covered = _coverage(np.random.default_rng(11), 1500, draw, truth, estimator)
    assert 0.95 - 0.0275 - 0.005 <= covered <= 0.95 + 0.0275


def test_exact_intervals_never_cover_less_than_their_level():
    # One expected event in 1,500 trials: exact intervals are conservative, Wald's would cover 63 %.
    covered = _coverage(np.random.default_rng(12), 1500, _clustered(1 / 1500, 0.0), 1 / 1500, estimate.rates)
    assert covered >= 0.95 - 0.0275


def sampled_tables(n):
    """Numbers of the first ``n`` tables whose pools are logged."""
    table = np.arange(16 * n + 1024)
    return table[codec.in_pool_sample(table)][:n]


def test_pool_numbers_count_the_tables_whose_pools_are_logged():
    table = sampled_tables(5000)
    assert hands_of(table).select(estimate.pool_number()).collect().to_series().to_list() == list(range(5000))


def test_clusters_of_the_pool_log_are_of_one_size():
    frame = hands_of(sampled_tables(3 * 1024))
    sizes = frame.group_by(estimate.cluster(estimate.pool_number())).len().collect()["len"]
    assert sizes.to_list() == [3] * 1024
    few = frame.group_by(estimate.cluster(estimate.pool_number(), estimate.N_GROUPS)).len().collect()["len"]
    assert few.to_list() == [48] * 64


def test_intervals_from_the_pool_log_cover_at_their_level():
    # 20,000 sampled tables in 64 groups. By table alone nearly all would stand in 4 of them, which covers 85 %.
    rng, table, n_runs = np.random.default_rng(13), sampled_tables(20_000), 500
    clusters = hands_of(table).select(estimate.cluster(estimate.pool_number(), estimate.N_GROUPS))
    group = clusters.collect()["cluster"].to_numpy()
    y = np.array([np.bincount(group, rng.normal(size=len(table))) for _ in range(n_runs)])
    n = np.bincount(group).astype(float)
    sums = pl.LazyFrame(
        {
            "run": np.repeat(np.arange(n_runs), estimate.N_GROUPS),
            "y": y.ravel(),
            "x": np.tile(n, n_runs),
        }
    )
    out = estimate.means(sums, ["run"]).collect()
    covered = ((out["low"] <= 0) & (out["high"] >= 0)).mean()
    assert 0.95 - 0.048 <= covered <= 0.95 + 0.048  # 4.9 standard errors of 500 runs


def test_clusters_that_do_not_differ_give_no_interval():
    frame = hands_of([0, 0, 1, 2], y=[3.0, 3.0, 3.0, 3.0])
    row = estimate.means(estimate.sums(frame, {"m": (pl.col("y").sum(), pl.len())})).collect().row(0, named=True)
    assert (row["mean"], row["low"], row["high"]) == (3, None, None)


def test_ten_events_or_fewer_give_a_mean_no_interval():
    frame = pl.LazyFrame({"n": [10, 11], "low": [1.0, 1.0], "high": [2.0, 2.0]})
    assert estimate.without_few(frame).collect().rows() == [(10, None, None), (11, 1.0, 2.0)]


def test_jackknife_of_a_mean_is_its_standard_error():
    y = np.random.default_rng(6).normal(2, 1, 40)
    value, low, high = estimate.jackknife([y, np.ones(40)], lambda total, n: np.array([total / n, 1.0]))
    half = stats.t.ppf(0.975, 39) * y.std(ddof=1) / np.sqrt(40)
    assert value.tolist() == pytest.approx([y.mean(), 1])
    assert (low[0], high[0]) == pytest.approx((y.mean() - half, y.mean() + half))
    assert np.isnan([low[1], high[1]]).all()
    assert np.isnan(estimate.jackknife([y[:1]], lambda total: np.array([total]))[1]).all()


def test_skewed_means_without_skewness_are_the_t_interval():
    y = np.random.default_rng(7).normal(2, 1, 30)
    frame = hands_of(np.arange(60), y=np.concatenate([y, 4 - y]))
    sums = estimate.sums(frame, {"m": (pl.col("y").sum(), pl.len())})
    plain, skewed = (make(sums).collect().row(0, named=True) for make in (estimate.means, estimate.skewed_means))
    assert (skewed["low"], skewed["high"]) == pytest.approx((plain["low"], plain["high"]))


def test_skewed_means_cover_at_their_level_where_the_t_interval_does_not():
    # Rare big values: one cluster in twenty holds 20 times the usual amount; 200 clusters.
    rng, n_runs, n_clusters = np.random.default_rng(14), 1500, 200
    y = rng.exponential(1, (n_runs, n_clusters)) * np.where(rng.random((n_runs, n_clusters)) < 0.02, 20, 1)
    truth = 1 + 0.02 * 19
    sums = pl.LazyFrame({"measure": np.repeat(np.arange(n_runs), n_clusters), "y": y.ravel(), "x": np.ones(y.size)})
    covered = {}
    for make in (estimate.means, estimate.skewed_means):
        out = make(sums).collect()
        covered[make.__name__] = ((out["low"] <= truth) & (truth <= out["high"])).mean()
    assert covered["means"] < 0.90
    assert covered["skewed_means"] > covered["means"] + 0.03
