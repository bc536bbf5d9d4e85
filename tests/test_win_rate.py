import numpy as np
import polars as pl
import pytest
from scipy import stats

from analysis.win_rate import (
    BOTS,
    GROUPS,
    MEASURES,
    POSITIONS,
    SEATS,
    SOURCES,
    bot_win_rate,
    mean_win_turn,
    outcomes,
    turned,
    win_rate,
    win_turns,
)
from sim.schema import OUTCOMES
from tests import synthetic


@pytest.fixture(scope="module")
def log():
    rows, wins = synthetic.make_log(synthetic.load("jipinghu"), 60, 16, seed=3)
    return rows, wins


def counts_by_hand(rows, seats_of):
    """Counts of one group's events, counted hand by hand."""
    total = dict.fromkeys(MEASURES, 0)
    for row in rows.iter_rows(named=True):
        for seat in seats_of(row):
            if row["winners"] >> seat & 1:
                total["won"] += 1
                total[f"won_{OUTCOMES[row['outcome']]}"] += 1
            total["dealt_in"] += row["from_seat"] == seat
    return total


def test_every_count_is_the_one_counted_by_hand(log):
    rows, _ = log
    groups = {f"seat_{s}": lambda row, s=s: [s] for s in range(4)}
    for place, name in enumerate(POSITIONS):
        groups[name] = lambda row, place=place: [(row["dealer"] + place) % 4]
    groups["others"] = lambda row: [s for s in range(4) if s != row["dealer"]]
    out = win_rate(rows.lazy()).collect()
    assert out["group"].unique(maintain_order=True).to_list() == list(GROUPS)
    for name, seats_of in groups.items():
        found = out.filter(pl.col("group") == name)
        assert dict(found.select("measure", "count").iter_rows()) == counts_by_hand(rows, seats_of)
        assert (found["n"] == rows.height * (3 if name == "others" else 1)).all()


def test_parts_add_up(log):
    rows, wins = log
    out = win_rate(rows.lazy()).collect()
    wide = out.pivot("measure", index="group", values="count")
    assert (wide["won"] == wide["won_zimo"] + wide["won_dianpao"] + wide["won_qianggang"]).all()
    for groups in (SEATS, POSITIONS):
        assert wide.filter(pl.col("group").is_in(groups))["won"].sum() == wins.height
    assert ((out["low"] <= out["rate"]) & (out["rate"] <= out["high"])).all()


def test_bots_keep_their_results_when_seats_rotate():
    rows, _ = synthetic.make_log(synthetic.load("jipinghu"), 40, 8, mode="duplicate", seed=8)
    out = bot_win_rate(rows.lazy()).collect()
    for place, name in enumerate(BOTS):
        expected = counts_by_hand(rows, lambda row, place=place: [(row["rotation"] + place) % 4])
        assert dict(out.filter(pl.col("group") == name).select("measure", "count").iter_rows()) == expected


def test_outcomes_are_the_shares_of_hands(log):
    rows, _ = log
    out = outcomes(rows.lazy()).collect()
    assert out["outcome"].to_list() == list(OUTCOMES)
    assert out["count"].to_list() == np.bincount(rows["outcome"], minlength=4).tolist()
    assert out["rate"].sum() == pytest.approx(1)


def test_outcome_never_seen_has_an_exact_upper_limit():
    rows, _ = synthetic.make_log(synthetic.load("zhuama"), 10, 10)
    row = outcomes(rows.lazy()).collect().filter(pl.col("outcome") == "dianpao").row(0, named=True)
    assert (row["count"], row["low"]) == (0, 0)
    assert row["high"] == pytest.approx(stats.binomtest(0, 100).proportion_ci(method="exact").high)


def test_win_turns_and_their_mean(log):
    _, wins = log
    turns = win_turns(wins.lazy()).collect()
    assert turns["count"].sum() == wins.height == turns["n"][0]
    assert turns["win_turn"].is_sorted()
    means = mean_win_turn(wins.lazy()).collect()
    assert means["source"].to_list() == ["all", *SOURCES]
    assert means["mean"][0] == pytest.approx(wins["win_turn"].mean())
    assert means["mean"][0] == pytest.approx((turns["win_turn"] * turns["rate"]).sum())


def test_turned_bits_follow_the_seat():
    frame = pl.DataFrame({"w": list(range(16)) * 4, "s": [s for s in range(4) for _ in range(16)]})
    out = frame.select(turned(pl.col("w"), pl.col("s")) & 15).to_series().to_list()
    assert out == [sum((w >> (s + p) % 4 & 1) << p for p in range(4)) for w, s in frame.iter_rows()]


def test_empty_win_log_gives_empty_tables():
    _, wins = synthetic.make_log(synthetic.load("zhuama"), 3, 3, hazard=0)
    assert wins.is_empty()
    assert win_turns(wins.lazy()).collect().is_empty()
    assert mean_win_turn(wins.lazy()).collect().is_empty()
