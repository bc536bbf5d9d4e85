"""Verdicts from estimates, over a family."""

import math

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.multitest import multipletests

from analysis.tips.judge import hands_needed, judge, limits, verdict
from analysis.tips.model import Found, Row

NAN = math.nan


def _row(effect, se, direction=1, smallest=1.0, bots="ukeire", part="", hands=1_000, **more):
    found = Found(effect / 100, se / 100, 900, 500, hands, float(2 * stats.t.sf(abs(effect / se), 900)))
    row = Row(
        "T01", part, "", "", "log", "maima", bots, effect=effect, unit="pp", direction=direction, smallest=smallest
    )
    row.found, row.p, row.hands = found, found.p, hands
    for name, value in more.items():
        setattr(row, name, value)
    return row


@pytest.mark.parametrize(
    ("direction", "effect", "p", "wide", "word"),
    [
        (1, 3.0, 0.001, (1.0, 5.0), "supported"),
        (1, 3.0, 0.2, (-1.0, 7.0), "open"),
        (1, -3.0, 0.001, (-5.0, -1.5), "refuted"),
        (1, 0.4, 0.001, (0.1, 0.7), "refuted"),  # too small
        (1, 0.0, 1.0, (-0.5, 0.5), "refuted"),  # no effect of interest
        (-1, -3.0, 0.001, (-5.0, -1.0), "supported"),
        (-1, 3.0, 0.001, (1.5, 5.0), "refuted"),
        (-1, -0.1, 1.0, (-0.5, 0.3), "refuted"),
        (-1, -0.1, 1.0, (-1.5, 1.3), "open"),
        (0, 0.2, 0.5, (-0.5, 0.9), "supported"),
        (0, 2.0, 0.001, (1.2, 2.8), "refuted"),
        (0, 1.0, 0.001, (0.5, 1.5), "open"),
    ],
)
def test_verdicts(direction, effect, p, wide, word):
    assert verdict(direction, effect, p, wide, 1.0) == word


def test_the_family_is_corrected_by_holm_and_intervals_agree():
    rng = np.random.default_rng(2)
    rows = [_row(effect, 1.0, smallest=0.5) for effect in rng.normal(1.5, 2.0, 40)]
    judge(rows)
    p = np.array([row.p for row in rows])
    assert np.allclose([row.p_holm for row in rows], multipletests(p, method="holm")[1])
    for row in rows:
        assert (row.p_holm < 0.05) == (row.low > 0 or row.high < 0)
        if row.p_holm >= 0.05:
            wide = [100 * x for x in limits(row.found, 1 - 0.05 / 40)]
            assert [row.low, row.high] == pytest.approx(wide)
    assert 3 < sum(row.p_holm < 0.05 for row in rows) < 37


def test_what_holds_for_one_bot_only_is_marked():
    for other, words in (
        (_row(-9.0, 1.0, bots="value"), "holds for ukeire only"),
        (_row(0.5, 1.0, bots="value"), "shown"),
    ):
        rows = [_row(9.0, 1.0), other]
        judge(rows)
        assert [row.one_family_only for row in rows] == [True, False]
        assert words in rows[0].note_en
    both = [_row(9.0, 1.0), _row(8.0, 1.0, bots="value")]
    judge(both)
    assert not any(row.one_family_only for row in both)


def test_exact_rows_stay_out_of_the_family():
    exact = _row(0.0, 1.0)
    exact.found = Found(0.0, 0.0, 0, 500, 1_000, NAN, is_exact=True)
    broken = _row(0.0, 1.0)
    broken.found = Found(0.002, 0.0, 0, 500, 1_000, NAN, is_exact=True)
    other = _row(9.0, 1.0)
    judge([exact, broken, other])
    assert (exact.verdict, broken.verdict, other.verdict) == ("supported", "refuted", "supported")
    assert other.p_holm == other.p


def test_a_state_that_never_came_up_is_open():
    row = _row(0.0, 1.0)
    row.found, row.p, row.effect = Found(NAN, NAN, 0, 0, 1_000, NAN), NAN, NAN
    judge([row, _row(9.0, 1.0)])
    assert row.verdict == "open"
    assert "did not come up" in row.note_en


def test_a_falsifier_says_whether_it_failed_as_it_must():
    rows = [_row(-9.0, 1.0, is_falsifier=True), _row(9.0, 1.0, is_falsifier=True)]
    judge(rows)
    assert "and does" in rows[0].note_en
    assert "and does" not in rows[1].note_en
    assert rows[1].verdict == "supported"


def test_hands_that_settle_an_open_row():
    """An effect of 2 with half-width 4 takes four times the hands; one of 0 must exclude the least of interest, 1."""
    assert hands_needed(_row(2.0, 1.0), 4.0, 1_000) == 4_000
    assert hands_needed(_row(0.0, 1.0), 4.0, 1_000) == 16_000
    assert hands_needed(_row(-2.0, 1.0, direction=-1), 4.0, 1_000) == 4_000
    assert hands_needed(_row(2.0, 1.0), NAN, 1_000) is None
