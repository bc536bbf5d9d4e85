import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis import dealer_advantage as da
from tests import synthetic


@pytest.fixture(scope="module")
def log():
    return synthetic.make_log(synthetic.load("zhuama"), 60, 20, seed=6)


def test_means_are_those_counted_by_hand(log):
    rows, _ = log
    out = da.dealer_advantage(rows.lazy()).collect()
    assert out["measure"].unique(maintain_order=True).to_list() == list(da.MEASURES)
    means = {(m, g): value for m, g, value in out.select("measure", "group", "mean").iter_rows()}
    dealer = rows["dealer"].to_numpy()
    seat = np.arange(4)
    is_dealer = seat == dealer[:, None]
    values = {part: np.stack([rows[f"{part}_{s}"].to_numpy() for s in seat], axis=1).astype(float) for part in da.PARTS}
    values["won"] = (rows["winners"].to_numpy()[:, None] >> seat & 1).astype(float)
    values["dealt_in"] = (rows["from_seat"].to_numpy()[:, None] == seat).astype(float)
    for measure, value in values.items():
        own, others = value[is_dealer].mean(), value[~is_dealer].mean()
        assert means[measure, "dealer"] == pytest.approx(own)
        assert means[measure, "others"] == pytest.approx(others)
        assert means[measure, "difference"] == pytest.approx(own - others)


def test_parts_add_up_to_net_points(log):
    out = da.dealer_advantage(log[0].lazy()).collect()
    for group in da.GROUPS:
        mean = dict(out.filter(pl.col("group") == group).select("measure", "mean").iter_rows())
        assert mean["points"] == pytest.approx(mean["hand"] + mean["kong"] + mean["horse"])


def repeats(*tables):
    """Hands of tables given by their ``repeat`` values."""
    return pl.LazyFrame(
        {
            "table": [t for t, table in enumerate(tables) for _ in table],
            "hand": [h for table in tables for h in range(len(table))],
            "repeat": [r for table in tables for r in table],
        },
        {"table": pl.UInt32, "hand": pl.UInt16, "repeat": pl.UInt8},
    )


def test_repeat_lengths_of_a_known_sequence():
    # Turns of 1, 3 and 2 hands, then one cut short after 2; and a table with a turn of 1 and one cut short after 1.
    out = da.repeat_lengths(repeats([0, 0, 1, 2, 0, 1, 0, 1], [0, 0])).collect()
    assert out["length"].to_list() == [1, 2, 3]
    assert out["n"].to_list() == [5, 2, 1]
    assert out["count"].to_list() == [3, 1, 0]
    assert out["keep_rate"].to_list() == pytest.approx([3 / 5, 1 / 2, 0])
    assert out["reach_rate"].to_list() == pytest.approx([1, 3 / 5, 3 / 10])


def test_reach_rate_is_greenwoods_on_the_log_log_scale():
    from statsmodels.duration.survfunc import SurvfuncRight

    rows, _ = synthetic.make_log(synthetic.load("zhuama"), 80, 30, seed=7)
    out = da.repeat_lengths(rows.lazy()).collect()
    lengths, ended = [], []
    for table in rows.sort("table", "hand").partition_by("table"):
        repeat = table["repeat"].to_list()
        for now, following in zip(repeat, [*repeat[1:], None], strict=True):
            if following == 0 or following is None:
                # Of the turn cut short it is known only that it did not end before its last hand.
                lengths.append(now + (following == 0))
                ended.append(following == 0)
    curve = SurvfuncRight(np.array(lengths), np.array(ended))
    reached = dict(zip(curve.surv_times + 1, curve.surv_prob, strict=True))
    spread = dict(zip(curve.surv_times + 1, curve.surv_prob_se, strict=True))
    for row in out.filter(pl.col("length") > 1).iter_rows(named=True):
        survival = reached[row["length"]]
        assert row["reach_rate"] == pytest.approx(survival)
        half = 1.959964 * spread[row["length"]] / (survival * np.log(survival))
        assert row["reach_rate_low"] == pytest.approx(survival ** np.exp(-half), rel=1e-5)
        assert row["reach_rate_high"] == pytest.approx(survival ** np.exp(half), rel=1e-5)


def test_a_turn_as_dealer_ends_when_the_deal_moves(log):
    rows, _ = log
    out = dict(da.deal_turn(rows.lazy()).collect().select("measure", "mean").iter_rows())
    hands = points = first = turns = 0
    for table in rows.sort("table", "hand").partition_by("table"):
        for now, following in zip(table.iter_rows(named=True), list(table.iter_rows(named=True))[1:], strict=False):
            hands += 1
            points += now[f"points_{now['dealer']}"]
            first += now[f"points_{now['dealer']}"] * (now["repeat"] == 0)
            turns += following["repeat"] == 0
    assert out["hands"] == pytest.approx(hands / turns)
    assert out["points"] == pytest.approx(points / turns)
    assert out["points_first"] == pytest.approx(first / turns)
    assert out["points"] == pytest.approx(out["points_first"] + out["points_repeats"])


def expected_race(hazard):
    """Wins by place and turn, and hands alive at the end, of a race with the chances ``hazard[place, turn]``."""
    alive, wins = 1.0, np.zeros_like(hazard)
    for turn in range(hazard.shape[1]):
        for place in range(4):
            wins[place, turn] = alive * hazard[place, turn]
            alive -= wins[place, turn]
    return wins, alive


@settings(deadline=None, max_examples=40)
@given(st.lists(st.floats(0, 0.3), min_size=1, max_size=20), st.floats(1, 1e6))
def test_a_race_of_equal_seats_is_won_by_drawing_first_alone(chances, n_hands):
    wins, alive = expected_race(np.tile(chances, (4, 1)))
    lead = wins[0].sum() - wins[1:].sum() / 3
    washed_out = np.full_like(wins, alive * n_hands)
    assert da.race_split(wins * n_hands, washed_out, n_hands) == pytest.approx(lead, abs=1e-12)


def test_better_hands_at_equal_turns_are_the_rest():
    hazard = np.full((4, 12), 0.03)
    hazard[0] *= 1.5
    wins, alive = expected_race(hazard)
    lead = wins[0].sum() - wins[1:].sum() / 3
    first = da.race_split(wins, np.full_like(wins, alive), 1.0)
    assert 0 < first < lead / 2


def test_first_draw_of_a_race_of_equal_seats():
    rows, wins = synthetic.make_log(synthetic.load("zhuama"), 120, 40, seed=9)
    out = da.first_draw(rows.lazy(), wins.lazy()).collect()
    value = dict(out.select("part", "mean").iter_rows())
    low, high = (dict(out.select("part", side).iter_rows()) for side in ("low", "high"))
    assert value["first_draw"] + value["rest"] == pytest.approx(value["total"])
    wins_by_law, _ = expected_race(np.tile(0.004 * np.arange(1, synthetic.N_ROUNDS + 1), (4, 1)))
    law = wins_by_law[0].sum() - wins_by_law[1:].sum() / 3
    # Half an interval is two standard errors: 2.5 of them leave less than one false alarm in a million.
    for part, truth in (("first_draw", law), ("rest", 0.0), ("total", law)):
        assert abs(value[part] - truth) < 2.5 * (high[part] - low[part]) / 2
    lead = da.dealer_advantage(rows.lazy()).collect().filter(pl.col("measure") == "won")
    assert value["total"] == pytest.approx(lead.filter(pl.col("group") == "difference")["mean"].item())


def test_a_single_table_has_no_interval_and_no_win_no_lead():
    rows, wins = synthetic.make_log(synthetic.load("zhuama"), 1, 30)
    out = da.first_draw(rows.lazy(), wins.lazy()).collect()
    assert out["low"].to_list() == [None] * 3
    rows, wins = synthetic.make_log(synthetic.load("zhuama"), 3, 3, hazard=0)
    assert da.first_draw(rows.lazy(), wins.lazy()).collect()["mean"].to_list() == [0, 0, 0]
