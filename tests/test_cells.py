import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.report import cells


@pytest.mark.parametrize(
    ("value", "low", "high", "scale", "expected"),
    [
        (0.2751, 0.2685, 0.2815, 100, ("27.5", "[26.9, 28.1]")),
        (4.6815, 3.57, 5.79, 1, ("4.7", "[3.6, 5.8]")),
        (0, 0, 0.00018, 100, ("0", "[0, 0.018]")),
        (60, 60, 60, 1, ("60", "[60, 60]")),
        (1234.5, 1100, 1400, 1, ("1,234", "[1,100, 1,400]")),
        (-0.0148, -0.0235, -0.0061, 100, ("−1.5", "[−2.4, −0.6]")),
        (-0.00004, -0.01, 0.01, 1, ("0.000", "[−0.010, 0.010]")),
        (1.5, None, None, 1, ("1.50", "")),
        (None, None, None, 1, ("–", "")),
        (math.nan, 0.0, 1.0, 1, ("–", "")),
    ],
)
def test_digits_follow_the_interval(value, low, high, scale, expected):
    assert cells.written(value, low, high, scale) == expected


@given(st.floats(-1e6, 1e6), st.floats(1e-6, 1e5))
def test_rounding_moves_a_value_by_less_than_a_sixth_of_its_interval(value, half):
    text, interval = cells.written(value, value - half, value + half)
    number = float(text.replace(",", "").replace("−", "-"))
    assert abs(number - value) <= max(half / 3, 0.5e-6)
    assert interval.startswith("[")


def test_cells_from_rows():
    row = {"rate": 0.5, "low": 0.4, "high": 0.6, "n": 7, "share": 0.25, "share_low": 0.2, "share_high": 0.31}
    assert cells.of_row(row, "rate", as_percent=True).text.zh == "50%"
    assert cells.of_row(row, "share", as_percent=True).detail == "[20, 31]"
    assert cells.of_row({"mean": 2.0}, "mean") == cells.Cell(cells.plain("2"), order=2.0)
    assert cells.count(1234567).text.en == "1,234,567"
    assert cells.count(None).text.en == "–"
    assert cells.percent(None).text.en == "–"
    assert cells.percent(None).order is None
    assert cells.number(math.nan).order is None
    assert cells.count(3).order == 3
    assert cells.words(cells.plain("b")).order is None
    assert cells.p_value(0.00001).text.en == "< 0.0001"
    assert cells.p_value(None) == cells.dash()
