"""Every interval holds the truth as often as it says; sequential tests err as seldom as they say."""

from __future__ import annotations

import math

from tests.verification import coverage

# False-alarm rate of one assertion: 1e-6. Approximate intervals may be off by one percentage point besides.
Z, APPROXIMATE = 4.9, 0.01


def check(rows: list[coverage.Row]) -> None:
    faults = [
        row
        for row in rows
        if row.covered < row.nominal - Z * row.error - APPROXIMATE
        or (not row.at_least and row.covered > row.nominal + Z * row.error + APPROXIMATE)
    ]
    assert faults == []


def test_intervals_of_reports() -> None:
    check(coverage.logs())


def test_intervals_of_comparisons() -> None:
    check(coverage.effects())


def test_intervals_of_duels_and_sequences_under_peeking() -> None:
    check(coverage.duels())


def test_sequential_tests() -> None:
    for row in coverage.sequential_tests(1_000):
        assert row.wrong < row.allowed + Z * math.sqrt(row.allowed * (1 - row.allowed) / row.n)
        assert row.undecided < 0.01
