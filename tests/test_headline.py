import polars as pl
import pytest

from analysis import headline, labels, scan, swing, tables
from tests import synthetic


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    root = tmp_path_factory.mktemp("run")
    for variant in ("jipinghu", "zhuama"):
        synthetic.write_run(root / variant, synthetic.load(variant), n_tables=8)
    return {run.rules.slug: tables.tables(run) for run in scan.open_run(root)}


def test_numbers_are_those_of_the_tables(made):
    frame = headline.headline(made["zhuama"])
    value = dict(frame.select("measure", "value").iter_rows())
    outcomes = dict(made["zhuama"]["outcomes"].select("outcome", "rate").iter_rows())
    assert value["washout"] == outcomes["washout"]
    assert value["win_by_zimo"] == outcomes["zimo"]
    own = made["zhuama"]["own_horses"].filter(pl.col("measure") == "horse")
    assert value["horse_points"] == own["mean"].item()
    assert frame["measure"].to_list() == [pick.name for pick in headline.PICKS]
    assert set(frame["unit"]) == {"rate", "mean"}


def test_rule_sets_without_horses_have_no_horse_points(made):
    assert "horse_points" not in headline.headline(made["jipinghu"])["measure"].to_list()


def test_comparison_keeps_measures_together(made):
    compared = headline.comparison({slug: headline.headline(frames) for slug, frames in made.items()})
    assert compared.columns == ["rules", "measure", "unit", "n", "value", "low", "high"]
    runs = compared["measure"].rle().struct.field("value")
    assert runs.n_unique() == len(runs)
    assert all(labels.label(name) for name in runs)


def test_every_table_has_rows_and_the_same_names_for_every_rule_set(made):
    assert set(made["jipinghu"]) == set(made["zhuama"])
    assert all(frame.height for frame in made["zhuama"].values())


def test_swing_is_the_plain_standard_deviation():
    rules = synthetic.load("jipinghu")
    rows, wins = synthetic.make_log(rules, 30, 10)
    points = rows.select(pl.concat_list(f"points_{s}" for s in range(4)).explode())
    out = swing.points_sd(rows.lazy()).collect().row(0, named=True)
    assert out["mean"] == pytest.approx(points.to_series().std(ddof=0))
    assert (out["low"], out["high"]) == (None, None)
    paid = swing.win_points(rows.lazy(), wins.lazy(), rules).collect().row(0, named=True)
    assert paid["mean"] * paid["n"] == pytest.approx(sum(rows[f"hand_{s}"].clip(0).sum() for s in range(4)))


def test_shown_horses_are_the_rule_sets_own_or_a_what_if():
    assert tables.shown_horses(synthetic.load("zhuama")) == ("drawn", "previous_winner", 4)
    assert tables.shown_horses(synthetic.load("maima")) == ("held", "winner", 1)
    assert tables.shown_horses(synthetic.load("jipinghu")) == tables.WHAT_IF


def test_swing_has_an_interval_where_rare_big_wins_have_shown_themselves(monkeypatch):
    rows, _ = synthetic.make_log(synthetic.load("jipinghu"), 40, 10)
    monkeypatch.setattr(swing, "MIN_SD_HANDS", 400)
    out = swing.points_sd(rows.lazy()).collect().row(0, named=True)
    assert out["low"] < out["mean"] < out["high"]
    few = swing.points_sd(rows.filter(pl.col("table") < 29).lazy()).collect().row(0, named=True)
    assert few["low"] is None
