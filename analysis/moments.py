"""Sums of a few columns over independent units, and what every mean, ratio and difference of them needs.

A unit is a table or deal block. Number of units, sums and the matrix of cross products are all that an estimate and
its linearised standard error take, for one column or for any function of many; parts of a run add up.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass
class Moments:
    """Number of units, sums float64 (c,) and cross products float64 (c, c) of their columns."""

    n: int
    total: Floats
    cross: Floats

    @classmethod
    def zero(cls, n_columns: int) -> Self:
        """Nothing seen yet."""
        return cls(0, np.zeros(n_columns), np.zeros((n_columns, n_columns)))

    def add(self, units: Floats) -> None:
        """Count more units, float64 (n, c)."""
        self.n += len(units)
        self.total += units.sum(axis=0)
        self.cross += units.T @ units

    @property
    def mean(self) -> Floats:
        """Mean of each column."""
        return self.total / self.n

    def covariance(self) -> Floats:
        """Sample covariance of the columns, divisor n - 1."""
        mean = self.mean
        covariance: Floats = (self.cross - self.n * np.outer(mean, mean)) / (self.n - 1)
        return covariance

    def sd(self, gradient: Floats) -> float:
        """Return the standard deviation of one unit's part in a function of the means with this gradient."""
        at = np.flatnonzero(gradient)
        if self.n < 2 or len(at) == 0:
            return 0.0
        g, mean = gradient[at], self.mean[at]
        # Centred before the product: ratios have g . mean = 0, so nothing cancels.
        square = g @ self.cross[np.ix_(at, at)] @ g / self.n - float(g @ mean) ** 2
        return float(np.sqrt(max(float(square), 0.0) * self.n / (self.n - 1)))

    def to_dict(self) -> dict[str, Any]:
        """Return plain data that `from_dict` reads back without loss."""
        return {"n": self.n, "total": self.total.tolist(), "cross": self.cross.tolist()}

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Self:
        """Read what `to_dict` gave."""
        return cls(int(data["n"]), np.array(data["total"], np.float64), np.array(data["cross"], np.float64))
