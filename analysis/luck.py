"""What draws were worth on average: a table fitted on a pilot, frozen, and taken off the points of other hands.

`sim.luck` counts for each seat how its draws went against their mean, in columns whose expectation is exactly zero. So
points minus any fixed combination of them keep their expectation, and lose the variance that the combination explains.
The combination is fitted on tables that the evaluation never plays, then frozen; its hash goes into the provenance.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.luck import N_LUCK
from sim.rules import Rules
from sim.trial import F
from sim.trials import LineUp, Trial, TrialPlayer

Floats = NDArray[np.float64]

# Pilots play tables from here on, which runs never reach.
PILOT_TABLE = 1 << 31
PILOT_HANDS = 16_384
RIDGE = 1e-3  # of a column's mean square, for those that hardly ever move


@dataclass(frozen=True)
class LuckTable:
    """Points for a unit of each column of `sim.luck`, float64 (N_LUCK,), and the pilot they were fitted on."""

    weights: Floats
    rules: str
    bots: tuple[LineUp, ...]
    seed: int
    hands: int
    explained: float  # share of the pilot's variance

    @property
    def digest(self) -> str:
        """SHA-256 of the weights, 16 hex digits."""
        return hashlib.sha256(self.weights.tobytes()).hexdigest()[:16]

    def to_dict(self) -> dict[str, Any]:
        """Provenance of the table."""
        return {
            "digest": self.digest,
            "rules_digest": self.rules,
            "line_ups": [list(bots) for bots in self.bots],
            "seed": self.seed,
            "first_table": PILOT_TABLE,
            "hands": self.hands,
            "explained": self.explained,
        }

    def of(self, luck: Floats) -> Floats:
        """Points that luck brought each seat, (..., 4) from (..., 4, N_LUCK); they add up to zero."""
        return np.asarray(against_others(luck) @ self.weights, np.float64)


def against_others(luck: Floats) -> Floats:
    """Return own luck less the mean of the three others', whom it costs what it brings."""
    return np.asarray((4 * luck - luck.sum(axis=-2, keepdims=True)) / 3, np.float64)


def fit(points: Floats, luck: Floats) -> Floats:
    """Least squares of the seats' points (n, 4) on their luck (n, 4, N_LUCK), slightly shrunk: float64 (N_LUCK,)."""
    x, y = against_others(luck).reshape(-1, N_LUCK), points.reshape(-1)
    gram = x.T @ x
    gram[np.diag_indices(N_LUCK)] *= 1 + RIDGE
    gram[np.diag_indices(N_LUCK)] += 1e-9
    return np.asarray(np.linalg.solve(gram, x.T @ y), np.float64)


def pilot(
    rules: Rules, line_ups: Sequence[LineUp], seed: int, hands: int = PILOT_HANDS, seat_walls: bool = True
) -> LuckTable:
    """Play a pilot and fit a table."""
    player = TrialPlayer(Trial((rules,), tuple(line_ups), seed, seat_walls=seat_walls), with_luck=True)
    piece = player.play(PILOT_TABLE, -(-hands // len(line_ups)))
    points = piece.facts[:, :, 0, F["mean_0"] : F["mean_0"] + 4].reshape(-1, 4)
    luck = piece.luck.reshape(-1, 4, N_LUCK)
    weights = fit(points, luck)
    rest = points - against_others(luck) @ weights
    total = float((points**2).sum())
    explained = 1 - float((rest**2).sum()) / total if total else 0.0
    return LuckTable(weights, rules.digest(), tuple(line_ups), seed, len(points), explained)
