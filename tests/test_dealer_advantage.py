import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.dealer_advantage import (
    GROUPS,
    MEASURES,
    PARTS,
    TURN_MEASURES,
    deal_turn,
    dealer_advantage,
    first_draw,
    race_split,
    repeat_lengths,
)
from tests import synthetic


@pytest.fixture(scope="module")
def log():
    return synthetic.make_log(synthetic.load("zhuama"), 60, 20, seed=6)


def test_means_are_those_counted_by_hand(log):
    rows, _ = log
    out = dealer_advantage(rows.lazy()).collect()
    assert out["measure"].unique(maintain_order=True).to_list() == list(MEASURES)
    means = {(m, g): value for m, g, value in out.select("measure", "group", "mean").iter_rows()}
    dealer = rows["dealer"].to_numpy()
    seat = np.arange(4)
    is_dealer = seat == dealer[:, None]
    values = {part: np.stack([rows[f"{part}_{s}"].to_numpy() for s in seat], axis=1).astype(float) for part in PARTS}
    values["won"] = (rows["winners"].to_numpy()[:, None] >> seat & 1).astype(float)
    values["dealt_in"] = (rows["from_seat"].to_numpy()[:, None] == seat).astype(float)
    for measure, value in values.items():
        own, others = value[is_dealer].mean(), value[~is_dealer].mean()
        assert means[measure, "dealer"] == pytest.approx(own)
        assert means[measure, "others"] == pytest.approx(others)
        assert means[measure, "difference"] == pytest.approx(own - others)


def test_parts_add_up_to_net_points(log):
    out = dealer_advantage(log[0].lazy()).collect()
    for group in GROUPS:
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
    out = repeat_lengths(repeats([0, 0, 1, 2, 0, 1, 0, 1], [0, 0])).collect()
    assert out["length"].to_list() == [1, 2, 3]
    assert out["n"].to_list() == [5, 2, 1]
    assert out["count"].to_list() == [3, 1, 0]
    assert out["keep_rate"].to_list() == pytest.approx([3 / 5, 1 / 2, 0])
    assert out["reach_rate"].to_list() == pytest.approx([1, 3 / 5, 3 / 10])


def test_reach_rate_is_greenwoods_on_the_log_log_scale():
    from statsmodels.duration.survfunc import SurvfuncRight

    rows, _ = synthetic.make_log(synthetic.load("zhuama"), 80, 30, seed=7)
    out = repeat_lengths(rows.lazy()).collect()
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


def deals(n_tables, n_hands, seed=0):
    """Hands of tables: the dealer wins 10 with chance 0.5 in a first hand, 0.25 in later ones, and stays; else loses 4.

    A turn then has 1 + 0.5 / 0.75 hands on average, a first hand is worth 3, each later one -0.5.
    """
    rng = np.random.default_rng([seed, n_tables, n_hands])
    repeat = np.zeros((n_tables, n_hands), int)
    wins = np.zeros((n_tables, n_hands), bool)
    for hand in range(n_hands):
        if hand:
            repeat[:, hand] = np.where(wins[:, hand - 1], repeat[:, hand - 1] + 1, 0)
        wins[:, hand] = rng.random(n_tables) < np.where(repeat[:, hand] == 0, 0.5, 0.25)
    table, hand = np.divmod(np.arange(n_tables * n_hands), n_hands)
    zeros = {f"points_{seat}": 0 for seat in range(1, 4)}
    return pl.DataFrame(
        {"table": table, "hand": hand, "repeat": repeat.ravel(), "points_0": np.where(wins.ravel(), 10, -4)},
        {"table": pl.UInt32, "hand": pl.UInt16, "repeat": pl.UInt8, "points_0": pl.Int32},
    ).with_columns(dealer=pl.lit(0, pl.UInt8), **{name: pl.lit(v, pl.Int32) for name, v in zeros.items()})


def turn_of(hands):
    return {row["measure"]: row for row in deal_turn(hands.lazy()).collect().iter_rows(named=True)}


@pytest.mark.parametrize("n_hands", [2, 3, 4, 8, 64])
def test_the_end_of_a_table_biases_no_part_of_a_turn(n_hands):
    hands = deals(160_000 // n_hands, n_hands)
    out = turn_of(hands)
    first = hands.filter(pl.col("repeat") == 0)
    assert out["points_first"]["mean"] == pytest.approx(first["points_0"].mean())
    assert out["points_first"]["n"] == first.height
    # Nobody can see more repeats than a table has hands.
    reach = [1.0, *(0.5 * 0.25 ** (length - 1) for length in range(1, n_hands))]
    truth = {"hands": sum(reach), "points_first": 3.0, "points_repeats": -0.5 * sum(reach[1:])}
    truth["points"] = truth["points_first"] + truth["points_repeats"]
    for measure, value in truth.items():
        # Half an interval is two standard errors: 2.5 of them leave less than one false alarm in a million.
        row = out[measure]
        assert abs(row["mean"] - value) < 2.5 * (row["high"] - row["low"]) / 2, measure
    assert out["points"]["mean"] == pytest.approx(out["points_first"]["mean"] + out["points_repeats"]["mean"])


def test_hands_of_a_turn_are_the_sum_of_the_reach_rates(log):
    rows, _ = log
    reach = repeat_lengths(rows.lazy()).collect()
    last = reach.row(-1, named=True)
    total = reach["reach_rate"].sum() + last["reach_rate"] * last["keep_rate"]
    assert turn_of(rows)["hands"]["mean"] == pytest.approx(total)


def test_intervals_of_a_turn_cover_at_their_level():
    covered = {measure: 0 for measure in TURN_MEASURES}
    truth = {"hands": 1 + 2 / 3, "points_first": 3.0, "points_repeats": -1 / 3, "points": 3 - 1 / 3}
    n_runs = 300
    for seed in range(n_runs):
        for measure, row in turn_of(deals(40, 16, seed + 1)).items():
            covered[measure] += row["low"] <= truth[measure] <= row["high"]
    # A true coverage of 0.95 leaves 0.95 -+ 0.06 (4.9 standard errors) once in a million.
    for measure, n in covered.items():
        assert 0.89 <= n / n_runs <= 1, measure


def test_tables_of_one_hand_tell_the_first_hand_only():
    out = turn_of(deals(50, 1))
    assert out["points_first"]["low"] < out["points_first"]["mean"] < out["points_first"]["high"]
    assert [out[m]["mean"] for m in ("hands", "points", "points_repeats")] == [None] * 3


def test_without_a_win_no_difference_is_certain():
    rows, wins = synthetic.make_log(synthetic.load("zhuama"), 12, 3, hazard=0)
    table = dealer_advantage(rows.lazy()).collect()
    won = table.filter((pl.col("measure") == "won") & (pl.col("group") == "difference"))
    assert won.select("mean", "low", "high").row(0) == (0, None, None)
    assert first_draw(rows.lazy(), wins.lazy()).collect()["low"].to_list() == [None] * 3


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
    assert race_split(wins * n_hands, washed_out, n_hands) == pytest.approx(lead, abs=1e-12)


def test_better_hands_at_equal_turns_are_the_rest():
    hazard = np.full((4, 12), 0.03)
    hazard[0] *= 1.5
    wins, alive = expected_race(hazard)
    lead = wins[0].sum() - wins[1:].sum() / 3
    first = race_split(wins, np.full_like(wins, alive), 1.0)
    assert 0 < first < lead / 2


def test_first_draw_of_a_race_of_equal_seats():
    rows, wins = synthetic.make_log(synthetic.load("zhuama"), 120, 40, seed=9)
    out = first_draw(rows.lazy(), wins.lazy()).collect()
    value = dict(out.select("part", "mean").iter_rows())
    low, high = (dict(out.select("part", side).iter_rows()) for side in ("low", "high"))
    assert value["first_draw"] + value["rest"] == pytest.approx(value["total"])
    wins_by_law, _ = expected_race(np.tile(0.004 * np.arange(1, synthetic.N_ROUNDS + 1), (4, 1)))
    law = wins_by_law[0].sum() - wins_by_law[1:].sum() / 3
    # Half an interval is two standard errors: 2.5 of them leave less than one false alarm in a million.
    for part, truth in (("first_draw", law), ("rest", 0.0), ("total", law)):
        assert abs(value[part] - truth) < 2.5 * (high[part] - low[part]) / 2
    lead = dealer_advantage(rows.lazy()).collect().filter(pl.col("measure") == "won")
    whole = lead.filter(pl.col("group") == "difference").row(0, named=True)
    assert value["total"] == pytest.approx(whole["mean"])
    assert (low["total"], high["total"]) == (whole["low"], whole["high"])


def test_a_single_table_has_no_interval_and_no_win_no_lead():
    rows, wins = synthetic.make_log(synthetic.load("zhuama"), 1, 30)
    out = first_draw(rows.lazy(), wins.lazy()).collect()
    assert out["low"].to_list() == [None] * 3
    rows, wins = synthetic.make_log(synthetic.load("zhuama"), 3, 3, hazard=0)
    assert first_draw(rows.lazy(), wins.lazy()).collect()["mean"].to_list() == [0, 0, 0]
