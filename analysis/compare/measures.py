"""What is compared: seven measures of a rule set, each a ratio of two sums over deal blocks or tables."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.schema import WASHOUT
from sim.trial import F

Floats = NDArray[np.float64]

COLUMNS = (
    "hands",
    "wins",
    "washouts",
    "win_points",
    "chickens",
    "turns",
    "dealer",  # dealer's net points, horses as drawn
    "dealer_mean",  # the same with the mean of the horses given the play
    "squares",  # of a seat's net points, mean over the seats
)
C = {name: i for i, name in enumerate(COLUMNS)}
N_COLUMNS = len(COLUMNS)


class Measure(NamedTuple):
    """``factor`` * y / x, or its square root."""

    meaning: str
    y: str
    x: str
    factor: float = 1.0
    is_root: bool = False
    plain: str = ""  # numerator without its variance reduction, if that is another column

    def value(self, means: Floats) -> float:
        """Value from the means of `COLUMNS`; NaN where there is nothing to divide by."""
        x = means[C[self.x]]
        ratio = self.factor * means[C[self.y]] / x if x else np.nan
        return float(np.sqrt(ratio) if self.is_root else ratio)

    def gradient(self, means: Floats, plain: bool = False) -> Floats:
        """Return the derivative of the value by the means, float64 (N_COLUMNS,)."""
        y, x = self.plain if plain and self.plain else self.y, self.x
        result = np.zeros(N_COLUMNS)
        if not means[C[x]]:
            return result
        result[C[y]] = self.factor / means[C[x]]
        result[C[x]] -= self.factor * means[C[y]] / means[C[x]] ** 2
        if self.is_root:
            root = self.value(means)
            return result / (2 * root) if root else np.zeros(N_COLUMNS)
        return result


MEASURES: dict[str, Measure] = {
    "win_rate": Measure("wins of a seat", "wins", "hands", 0.25),
    "washout": Measure("hands without a winner", "washouts", "hands"),
    "win_points": Measure("paid for a win, no horses", "win_points", "wins"),
    "points_sd": Measure("spread of a seat's points", "squares", "hands", is_root=True),
    "dealer_net": Measure("dealer's net points", "dealer_mean", "hands", plain="dealer"),
    "chicken_share": Measure("chicken hands among wins", "chickens", "wins"),
    "turns": Measure("tiles drawn in a hand", "turns", "hands"),
}
RATES = ("win_rate", "washout", "chicken_share")  # shown in per cent


def columns(facts: Floats) -> Floats:
    """Turn facts (..., N_FACTS) into the columns of `COLUMNS`, float64 (..., N_COLUMNS)."""
    dealer = facts[..., F["dealer"]].astype(np.int64)
    points = facts[..., F["points_0"] : F["points_0"] + 4]
    means = facts[..., F["mean_0"] : F["mean_0"] + 4]
    result = np.empty((*facts.shape[:-1], N_COLUMNS))
    result[..., C["hands"]] = 1
    result[..., C["wins"]] = facts[..., F["n_wins"]]
    result[..., C["washouts"]] = facts[..., F["outcome"]] == WASHOUT
    result[..., C["win_points"]] = facts[..., F["win_points"]]
    result[..., C["chickens"]] = facts[..., F["n_chickens"]]
    result[..., C["turns"]] = facts[..., F["turns"]]
    result[..., C["dealer"]] = np.take_along_axis(points, dealer[..., None], -1)[..., 0]
    result[..., C["dealer_mean"]] = np.take_along_axis(means, dealer[..., None], -1)[..., 0]
    result[..., C["squares"]] = (points * points).sum(axis=-1) / 4
    return result
