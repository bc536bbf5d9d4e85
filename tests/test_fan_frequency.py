import polars as pl
import pytest
from scipy import stats

from analysis.fan_frequency import fan_frequency, priced, with_paid
from sim import patterns
from tests import synthetic


@pytest.fixture(scope="module", params=["jipinghu", "maima", "zhuama", "koukoufan"])
def case(request):
    rules = synthetic.load(request.param)
    rows, wins = synthetic.make_log(rules, 50, 20, seed=2)
    return rules, rows, wins, fan_frequency(rows.lazy(), wins.lazy(), rules).collect()


def test_counts_points_and_turns_are_those_of_the_wins(case):
    rules, rows, wins, out = case
    everything = 0
    seen = {slug: [0, 0, 0] for slug in priced(rules)}
    got = {(row["table"], row["hand"]): [row[f"hand_{s}"] for s in range(4)] for row in rows.iter_rows(named=True)}
    for win in wins.iter_rows(named=True):
        paid = got[win["table"], win["hand"]][win["winner"]]
        everything += paid
        for slug, total in seen.items():
            if win["patterns"] >> patterns.INDEX[slug] & 1:
                for i, value in enumerate((1, paid, win["win_turn"])):
                    total[i] += value
    assert set(out["pattern"]) == set(seen)
    for row in out.iter_rows(named=True):
        n, points, turns = seen[row["pattern"]]
        assert (row["count"], row["n_wins"], row["n_hands"]) == (n, wins.height, rows.height)
        assert row["per_1000_hands"] == pytest.approx(1000 * n / rows.height)
        assert row["win_share"] == pytest.approx(n / wins.height)
        assert row["points_share"] == pytest.approx(points / everything)
        assert row["mean_points"] == (pytest.approx(points / n) if n else None)
        assert row["mean_turn"] == (pytest.approx(turns / n) if n else None)


def test_points_paid_are_what_winners_get(case):
    rules, rows, wins, _ = case
    paid = with_paid(rows.lazy(), wins.lazy(), rules).collect()
    assert paid["paid"].sum() == sum(rows[f"hand_{s}"].clip(0).sum() for s in range(4))
    assert paid.height == wins.height


def test_rare_patterns_have_exact_intervals(case):
    _, rows, wins, out = case
    rare = out.filter(pl.col("count") <= 10)
    for row in rare.iter_rows(named=True):
        exact = stats.binomtest(row["count"], wins.height).proportion_ci(method="exact")
        assert (row["win_share_low"], row["win_share_high"]) == pytest.approx((exact.low, exact.high))
        high = stats.chi2.ppf(0.975, 2 * row["count"] + 2) / 2 / rows.height
        assert row["per_1000_hands_high"] == pytest.approx(1000 * high)
    few = out.select(pl.col("count") <= 10, pl.col(r"^(points_share|mean_points|mean_turn)_(low|high)$"))
    assert few.filter("count").drop("count").null_count().sum_horizontal().item() == 6 * rare.height
    assert few.filter(~pl.col("count"))["mean_turn_low"].null_count() == 0


def test_order_is_by_count_then_by_pattern(case):
    out = case[-1]
    keys = [(-count, patterns.INDEX[slug]) for slug, count in out.select("pattern", "count").iter_rows()]
    assert keys == sorted(keys)


def test_tables_without_a_win_count_as_hands():
    rules = synthetic.load("zhuama")
    rows, wins = synthetic.make_log(rules, 30, 2, hazard=0.001, seed=4)
    assert wins["table"].n_unique() < 30
    out = fan_frequency(rows.lazy(), wins.lazy(), rules).collect()
    assert (out["n_hands"] == 60).all()


def test_no_win_at_all_still_gives_every_pattern():
    rules = synthetic.load("zhuama")
    rows, wins = synthetic.make_log(rules, 3, 3, hazard=0)
    out = fan_frequency(rows.lazy(), wins.lazy(), rules).collect()
    assert out["count"].to_list() == [0, 0]
    assert out["win_share"].to_list() == [None, None]
    assert out["per_1000_hands_high"][0] == pytest.approx(1000 * stats.chi2.ppf(0.975, 2) / 2 / 9)


def test_a_rule_set_that_prices_nothing_has_an_empty_table(case):
    rules, rows, wins, out = case
    nothing = rules.model_copy(update={"patterns": {}})
    empty = fan_frequency(rows.lazy(), wins.lazy(), nothing).collect()
    assert empty.is_empty()
    assert empty.schema == out.schema
