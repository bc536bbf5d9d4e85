import polars as pl
import pytest

from analysis import horse_wins, scan
from analysis.horse_expectation import horse_expectation
from analysis.own_horses import own_horses
from sim import engine
from sim import rules as rule_sets
from tests import synthetic


@pytest.mark.parametrize("variant", ["zhuama", "maima"])
def test_numbers_are_those_counted_by_hand(variant):
    rules = synthetic.load(variant)
    rows, wins = synthetic.make_log(rules, 20, 20, seed=3)
    out = {row["measure"]: row for row in own_horses(rows.lazy(), rules).collect().iter_rows(named=True)}
    won = rows.filter(pl.col("winners") > 0)
    points = sum(row[f"horse_{s}"] for row in won.iter_rows(named=True) for s in range(4) if row["winners"] >> s & 1)
    assert out["n_horses"]["mean"] == pytest.approx(won["n_horses"].mean())
    assert out["horse"]["mean"] == pytest.approx(points / wins.height)
    assert out["horse"]["n"] == wins.height
    if variant == "zhuama":
        assert out["hits"]["mean"] == pytest.approx(won["n_horse_hits"].sum() / wins.height)
    assert ("hits" in out) == (rules.horses.kind == "drawn")


def test_a_rule_set_without_horses_has_no_row():
    rules = synthetic.load("jipinghu")
    rows, _ = synthetic.make_log(rules, 4, 4)
    assert own_horses(rows.lazy(), rules).collect().is_empty()


DRAWN = [
    name
    for name in rule_sets.names()
    if (rules := rule_sets.load(name)).horses.kind == "drawn" and not horse_wins.departures(rules)
]


@pytest.mark.parametrize("variant", [*DRAWN, "fixed price"])
def test_the_log_says_the_same_as_the_first_tiles_of_its_pools(tmp_path, variant):
    # Drawn horses are the pool's first tiles: without further rules both are the same number.
    changed = {"horses.price": "fixed", "horses.fixed": 3, "scoring.base": 2} if variant == "fixed price" else {}
    rules = rule_sets.load("app-tuidaohu" if changed else variant, changed)
    bots = ("ukeire",) * 4
    engine.simulate(engine.Plan(rules, 320, bots, 5, "session", 16), tmp_path / "run", threads=1, chunk=4, shard=(1, 1))
    (run,) = scan.open_run(tmp_path)
    logged = own_horses(run.hands, rules).filter(pl.col("measure") == "horse").collect()
    own = horse_expectation(run.pools, rules).filter(pl.col("is_own")).collect()
    sampled = own.filter(pl.col("quantity") == "points")
    assert sampled["n"].item() == logged["n"].item()
    assert sampled["sampled"].item() == pytest.approx(logged["mean"].item())
