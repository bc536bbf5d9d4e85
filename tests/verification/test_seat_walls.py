"""Seats' own walls change no statistic of any shipped rule set. False-alarm rate of each rule set: 1e-6."""

from __future__ import annotations

import pytest

from sim.rules import names
from tests.test_seat_walls import compare_statistics


@pytest.mark.parametrize("variant", names())
def test_no_statistic_changes(variant: str) -> None:
    compare_statistics(variant, 60_000)
