import numpy as np
import polars as pl
import polars.testing
import pytest
from scipy import stats

from analysis import horse_wins
from analysis.horse_expectation import horse_expectation, horse_income
from tests import synthetic


@pytest.fixture(scope="module")
def case():
    rules = synthetic.load("zhuama")
    rows, _ = synthetic.make_log(rules, 60, 20, seed=12)
    return rules, rows


def test_exact_hits_are_the_hypergeometric_mean_and_variance(case):
    rules, rows = case
    wins = horse_wins.horse_wins(rows.lazy(), rules, "drawn", "dealer").collect()
    hitting = sum(wins[f"pool_{c}"].cast(pl.Int64) * wins[f"class_shares_{c}"] for c in range(4)).to_numpy()
    n_pool = wins["n_pool"].to_numpy()
    out = horse_income(rows.lazy(), rules, "drawn", "dealer", [0, 1, 4, 7]).collect()
    for k in (0, 1, 4, 7):
        drawn = np.minimum(k, n_pool)
        laws = [stats.hypergeom(*law) for law in zip(n_pool, hitting, drawn, strict=True)]
        pmf = [law.pmf(np.arange(k + 1)) for law in laws]
        mean = np.array([(p * np.arange(k + 1)).sum() for p in pmf])
        variance = np.array([(p * np.arange(k + 1) ** 2).sum() for p in pmf]) - mean**2
        row = out.filter((pl.col("n_horses") == k) & (pl.col("role") == "winner") & (pl.col("quantity") == "shares"))
        assert row["n"].item() == wins.height
        assert row["exact"].item() == pytest.approx(mean.mean())
        assert row["exact_variance"].item() == pytest.approx(variance.mean() + mean.var())


def test_sampled_income_is_the_mean_and_variance_of_the_logged_tiles(case):
    rules, rows = case
    wins = horse_wins.horse_wins(rows.lazy(), rules, "held", "winner").collect()
    out = horse_income(rows.lazy(), rules, "held", "winner", [0, 1, 3, 10]).collect()
    for k in (1, 3, 10):
        income = np.array(
            [
                sum(w[f"class_points_{w['pool_classes'] >> 2 * i & 3}"] for i in range(min(k, w["n_pool"])))
                for w in wins.iter_rows(named=True)
            ]
        )
        row = out.filter((pl.col("n_horses") == k) & (pl.col("role") == "all") & (pl.col("quantity") == "points"))
        assert row["sampled"].item() == pytest.approx(income.mean())
        assert row["sampled_variance"].item() == pytest.approx(income.var())


def whole_wall(rules, n=400):
    """Won hands whose pool is the whole deck."""
    rows, _ = synthetic.make_log(rules, 20, n // 20, hazard=1.0)
    deck = horse_wins.deck_classes(rules)
    return rows.with_columns(pl.lit(int(deck[c]), pl.UInt8).alias(f"pool_{c}") for c in range(4))


def test_with_the_whole_wall_as_pool_hits_are_k_n_over_136():
    rules = synthetic.load("zhuama", horses__origin="winner")
    out = horse_income(whole_wall(rules).lazy(), rules, "drawn", "winner").collect()
    shares = out.filter((pl.col("role") == "winner") & (pl.col("quantity") == "shares"))
    k = shares["n_horses"].to_numpy()
    np.testing.assert_allclose(shares["exact"], k * 40 / 136, rtol=1e-12)
    np.testing.assert_allclose(shares["naive"], k * 40 / 136, rtol=1e-12)
    variance = [stats.hypergeom.var(136, 40, n) if n else 0.0 for n in k]
    np.testing.assert_allclose(shares["exact_variance"], variance, rtol=1e-9, atol=1e-12)
    # The rule book's numbers: with four horses seat "1" multiplies its wins by 2.176 on average, the others by 1.941.
    assert 1 + shares["exact"][4] == pytest.approx(2.176, abs=5e-4)
    assert pytest.approx(1.941, abs=5e-4) == 1 + 4 * 32 / 136


def test_exact_and_sampled_agree_and_exact_is_sharper(case):
    rules, rows = case
    out = horse_expectation(rows.lazy(), rules).collect().filter(pl.col("n_horses") == 4)
    for row in out.iter_rows(named=True):
        # Both intervals are two standard errors; together they leave about one false alarm in a million.
        slack = (
            2.5
            * ((row["exact_high"] - row["exact_low"]) ** 2 + (row["sampled_high"] - row["sampled_low"]) ** 2) ** 0.5
            / 2
        )
        assert abs(row["exact"] - row["sampled"]) < slack + 1e-9
    shares = out.filter(pl.col("quantity") == "shares")
    assert ((shares["exact_high"] - shares["exact_low"]) < (shares["sampled_high"] - shares["sampled_low"])).all()


def test_roles_make_up_the_whole(case):
    rules, rows = case
    out = horse_income(rows.lazy(), rules, "held", "winner", [4]).collect().filter(pl.col("quantity") == "points")
    row = {r["role"]: r for r in out.iter_rows(named=True)}
    parts = ("winner", "payer", "uninvolved")
    assert sum(row[p]["n"] for p in parts) == row["all"]["n"] == 4 * row["winner"]["n"]
    for method in ("exact", "sampled", "naive"):
        assert sum(row[p]["n"] * row[p][method] for p in parts) == pytest.approx(row["all"]["n"] * row["all"][method])
    assert row["dealer"]["n"] == row["winner"]["n"]


def test_income_grows_in_proportion_to_the_number_of_horses():
    rules = synthetic.load("jipinghu")
    rows, _ = synthetic.make_log(rules, 20, 20)
    deep = rows.filter(pl.sum_horizontal(pl.col(f"pool_{c}").cast(pl.Int64) for c in range(4)) >= 10)
    out = horse_income(deep.lazy(), rules, "held", "dealer").collect()
    for _, part in out.group_by("role", "quantity"):
        one = part.filter(pl.col("n_horses") == 1)["exact"].item()
        np.testing.assert_allclose(part["exact"], part["n_horses"] * one, atol=1e-9)


def test_own_setting_is_marked_and_more_than_ten_horses_have_no_sample():
    rules = synthetic.load("zhuama", horses__count=20, horses__count_discard=20)
    rows, _ = synthetic.make_log(rules, 10, 10)
    own = horse_expectation(rows.lazy(), rules).collect().filter(pl.col("is_own"))
    assert own.select("kind", "origin", "n_horses").unique().rows() == [("drawn", "previous_winner", 20)]
    assert own["sampled"].to_list() == [None, None]
    assert own["exact"].null_count() == 0
    none = synthetic.load("jipinghu")
    rows, _ = synthetic.make_log(none, 10, 10)
    assert not horse_expectation(rows.lazy(), none, [0, 4]).collect()["is_own"].any()


def in_the_later_sample(rows):
    """Give tables 0, 1, 2, .. the numbers of the pool log's tables from 1,024 on."""
    return rows.with_columns((1024 + 16 * pl.col("table").cast(pl.Int64)).cast(pl.UInt32).alias("table"))


def test_tables_of_the_later_sample_are_clusters_of_their_own():
    rules = synthetic.load("zhuama")
    rows, _ = synthetic.make_log(rules, 150, 5, seed=12)
    for kind in horse_wins.KINDS:
        first = horse_income(rows.lazy(), rules, kind, "winner", [1, 4]).collect()
        later = horse_income(in_the_later_sample(rows).lazy(), rules, kind, "winner", [1, 4]).collect()
        assert first["n_clusters"].max() == 150
        pl.testing.assert_frame_equal(first, later)


def test_horses_that_differ_in_more_than_their_number_are_nobodys_own():
    rules = synthetic.load("zhuama", horses__fine=1)
    rows, _ = synthetic.make_log(synthetic.load("zhuama"), 10, 10)
    assert not horse_expectation(rows.lazy(), rules).collect()["is_own"].any()


def test_wins_on_the_last_tile_draw_nothing(case):
    rules, rows = case
    empty = rows.with_columns(
        [pl.lit(0, pl.UInt8).alias(f"pool_{c}") for c in range(4)], pool_classes=pl.lit(0, pl.UInt32)
    )
    out = horse_income(empty.lazy(), rules, "drawn", "winner").collect()
    assert (out["exact"] == 0).all()
    assert (out["sampled"] == 0).all()
