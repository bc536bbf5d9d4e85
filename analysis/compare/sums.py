"""Sums of a comparison while its walls are played: of every rule set's columns together, over tables and over hands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analysis.compare.arms import Contrast
from analysis.compare.luck import LuckTables
from analysis.compare.measures import N_COLUMNS, columns
from analysis.moments import Moments
from sim.trials import Piece

_ROUNDING = 1e-9  # of sums of means of horses; all other columns are whole numbers


class Sums:
    """Moments over tables (the unit of analysis) and over single hands, and in how many tables arms differ.

    ``tables`` are those that effects are made of, with luck taken off where there is a table for it; ``drawn`` are the
    same as they came, ``hands`` single hands as they came.
    """

    def __init__(
        self, n_arms: int, contrasts: Sequence[Contrast], table_hands: int, luck: LuckTables | None = None
    ) -> None:
        self.table_hands = table_hands
        self.luck = luck
        self.weights = np.zeros((len(contrasts), n_arms))
        for row, contrast in zip(self.weights, contrasts, strict=True):
            for arm, weight in contrast.weights.items():
                row[arm] = weight
        self.tables = Moments.zero(n_arms * N_COLUMNS)
        self.drawn = Moments.zero(n_arms * N_COLUMNS) if luck else self.tables
        self.hands = self.drawn if table_hands == 1 else Moments.zero(n_arms * N_COLUMNS)
        self.n_differ = np.zeros((len(contrasts), N_COLUMNS), np.int64)

    @property
    def n_hands(self) -> int:
        """Hands of one play."""
        return self.tables.n * self.table_hands

    def add(self, piece: Piece) -> None:
        """Count more tables."""
        each = columns(piece.facts)
        by_table = each.sum(axis=1)
        self.drawn.add(by_table.reshape(len(by_table), -1))
        if self.luck:
            self.tables.add((by_table - self.luck.of(piece).sum(axis=1)).reshape(len(by_table), -1))
        if self.hands is not self.drawn:
            self.hands.add(each.reshape(-1, each.shape[2] * N_COLUMNS))
        for row, differ in zip(self.weights, self.n_differ, strict=True):
            used = np.flatnonzero(row)
            differ += (np.abs(np.tensordot(row[used], by_table[:, used], (0, 1))) > _ROUNDING).sum(axis=0)

    def to_dict(self) -> dict[str, Any]:
        """Plain data that `load` reads back without loss."""
        moments = {"tables": self.tables, "drawn": self.drawn, "hands": self.hands}
        kept = {name: m.to_dict() for name, m in moments.items() if name == "tables" or m is not self.tables}
        return {**kept, "n_differ": self.n_differ.tolist()}

    def load(self, data: dict[str, Any]) -> None:
        """Take over what `to_dict` gave."""
        self.tables = Moments.from_dict(data["tables"])
        self.drawn = Moments.from_dict(data["drawn"]) if self.luck else self.tables
        self.hands = self.drawn if self.table_hands == 1 else Moments.from_dict(data["hands"])
        self.n_differ = np.array(data["n_differ"], np.int64)

    def means(self, moments: Moments) -> NDArray[np.float64]:
        """Means of the arms' columns, float64 (arms, N_COLUMNS)."""
        return moments.mean.reshape(-1, N_COLUMNS)
