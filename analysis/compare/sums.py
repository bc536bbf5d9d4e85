"""Sums of a comparison while its walls are played: of every rule set's columns together, over tables and over hands."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from analysis.compare.arms import Contrast
from analysis.compare.measures import N_COLUMNS, columns
from analysis.moments import Moments
from sim.trials import Facts

_ROUNDING = 1e-9  # of sums of means of horses; all other columns are whole numbers


class Sums:
    """Moments over tables (the unit of analysis) and over single hands, and in how many tables arms differ."""

    def __init__(self, n_arms: int, contrasts: Sequence[Contrast], table_hands: int) -> None:
        self.table_hands = table_hands
        self.weights = np.zeros((len(contrasts), n_arms))
        for row, contrast in zip(self.weights, contrasts, strict=True):
            for arm, weight in contrast.weights.items():
                row[arm] = weight
        self.tables = Moments.zero(n_arms * N_COLUMNS)
        self.hands = self.tables if table_hands == 1 else Moments.zero(n_arms * N_COLUMNS)
        self.n_differ = np.zeros((len(contrasts), N_COLUMNS), np.int64)

    @property
    def n_hands(self) -> int:
        """Hands of one play."""
        return self.tables.n * self.table_hands

    def add(self, facts: Facts) -> None:
        """Count more tables, float64 (tables, hands, arms, N_FACTS)."""
        each = columns(facts)
        by_table = each.sum(axis=1)
        self.tables.add(by_table.reshape(len(by_table), -1))
        if self.hands is not self.tables:
            self.hands.add(each.reshape(-1, each.shape[2] * N_COLUMNS))
        for row, differ in zip(self.weights, self.n_differ, strict=True):
            used = np.flatnonzero(row)
            differ += (np.abs(np.tensordot(row[used], by_table[:, used], (0, 1))) > _ROUNDING).sum(axis=0)

    def means(self, moments: Moments) -> NDArray[np.float64]:
        """Means of the arms' columns, float64 (arms, N_COLUMNS)."""
        return moments.mean.reshape(-1, N_COLUMNS)
