"""What lucky draws brought to each measure of a comparison, taken off by tables that a pilot fitted beforehand.

Where rule sets are played differently their hands drift apart on common walls, and the luck of draws (`sim.luck`) no
longer cancels. Its columns have mean zero exactly, in every play; so a column of a rule set's measures less any fixed
combination of them keeps its expectation. The combination of each rule set and column is fitted on tables that the
evaluation never plays, then frozen; its hash goes into the provenance.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analysis.compare.measures import columns
from analysis.luck import PILOT_HANDS, PILOT_TABLE, RIDGE
from sim.luck import N_LUCK
from sim.trial import F
from sim.trials import Piece, Trial, TrialPlayer

Floats = NDArray[np.float64]
N_FEATURES = 2 * N_LUCK


@dataclass(frozen=True)
class LuckTables:
    """Weights of the features of a play for each arm's columns, float64 (arms, N_FEATURES, N_COLUMNS)."""

    weights: Floats
    groups: tuple[tuple[int, ...], ...]
    hands: int  # of the pilot

    @property
    def digest(self) -> str:
        """SHA-256 of the weights, 16 hex digits."""
        return hashlib.sha256(self.weights.tobytes()).hexdigest()[:16]

    def to_dict(self) -> dict[str, Any]:
        """Provenance of the tables."""
        return {"digest": self.digest, "first_table": PILOT_TABLE, "hands": self.hands}

    def of(self, piece: Piece) -> Floats:
        """Return what luck brought, as the columns of each hand and arm: (tables, hands, arms, N_COLUMNS)."""
        result = np.empty((*piece.facts.shape[:-1], self.weights.shape[-1]))
        for group, place in _places(self.groups):
            result[..., place, :] = features(piece, group, self.groups) @ self.weights[place]
        return result


def features(piece: Piece, group: int, groups: tuple[tuple[int, ...], ...]) -> Floats:
    """Luck of all seats together, then of the dealer, in one play: (tables, hands, N_FEATURES)."""
    luck = piece.luck[:, :, group]
    dealer = piece.facts[:, :, groups[group][0], F["dealer"]].astype(np.int64)
    own = np.take_along_axis(luck, dealer[..., None, None], 2)[:, :, 0]
    return np.concatenate([luck.sum(axis=2), own], axis=-1)


def _least_squares(x: Floats, y: Floats) -> Floats:
    gram = x.T @ x
    gram[np.diag_indices(len(gram))] *= 1 + RIDGE
    gram[np.diag_indices(len(gram))] += 1e-9
    return np.asarray(np.linalg.solve(gram, x.T @ y), np.float64)


def fit(x: Floats, y: Floats) -> Floats:
    """Least squares of centred columns (n, c) on features (n, k), each column shrunk as far as it must be: (k, c).

    Columns with a long tail, such as squares of points, fit little but the pilot's own chances. How much of a fit holds
    elsewhere is seen by fitting on each half of the pilot and looking at the other one; the smaller share counts.
    """
    half = len(x) // 2
    holds = np.ones(y.shape[1])
    for there, here in ((slice(half), slice(half, None)), (slice(half, None), slice(half))):
        told = x[here] @ _least_squares(x[there], y[there])
        square = (told * told).sum(axis=0)
        holds = np.minimum(holds, np.where(square > 0, (told * y[here]).sum(axis=0) / np.maximum(square, 1e-300), 0.0))
    return np.asarray(_least_squares(x, y) * np.maximum(holds, 0.0), np.float64)


def pilot(trial: Trial, hands: int = PILOT_HANDS) -> LuckTables:
    """Play a pilot of all arms and fit the tables."""
    piece = TrialPlayer(trial, with_luck=True).play(PILOT_TABLE, -(-hands // trial.table_hands))
    values = columns(piece.facts)
    weights = np.empty((len(trial.rules), N_FEATURES, values.shape[-1]))
    for group, place in _places(trial.groups):
        x = features(piece, group, trial.groups).reshape(-1, N_FEATURES)
        y = values[:, :, place].reshape(len(x), -1)
        weights[place] = fit(x, y - y.mean(axis=0))
    return LuckTables(weights, trial.groups, values.shape[0] * values.shape[1])


def _places(groups: tuple[tuple[int, ...], ...]) -> list[tuple[int, int]]:
    return [(group, place) for group, places in enumerate(groups) for place in places]
