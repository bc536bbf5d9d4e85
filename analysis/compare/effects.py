"""What a switch does: differences of rule sets on the same walls, how sure they are, and what the method gains.

Each effect is a difference of ratios of sums; its standard error is the linearised one over tables (as in
`analysis.estimate`), paired because both sides stand in one matrix of cross products.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from analysis import multiplicity, sequence
from analysis.compare.arms import Contrast
from analysis.compare.measures import MEASURES, N_COLUMNS, C
from analysis.compare.sums import Sums
from analysis.sequence import Look

Floats = NDArray[np.float64]
Groups = Sequence[Sequence[int]]

# Measures of play alone, which prices cannot change.
OF_PLAY = ("win_rate", "washout", "turns")
# An interval takes so many tables, and more than these in which the arms differ; below, the normal limit is not to be
# trusted.
MIN_TABLES = 30
FEW_EVENTS = 10


@dataclass(frozen=True)
class Effect:
    """Difference of one measure.

    ``base`` is the value of what is compared with, ``effect`` the difference, ``se`` its standard error; ``low`` and
    ``high`` hold for all effects of a comparison together, ``p`` is Holm's. These are NaN where the effect is
    ``is_exact`` (prices cannot change this measure), where the arms differ in ten tables or fewer (``n_events``) and
    with fewer than 30 tables. ``worth`` is how many hands of plain, independent runs of each rule set one played hand
    counts for, of which ``by_luck`` comes from taking the luck of the draws off (1 without it).
    """

    contrast: str
    measure: str
    base: float
    effect: float
    se: float
    low: float
    high: float
    p: float
    n_events: int
    worth: float
    by_luck: float
    is_exact: bool


class Effects:
    """All effects of a comparison, from its sums; nothing here depends on whether more will be played."""

    def __init__(self, sums: Sums, contrasts: Sequence[Contrast], groups: Groups, is_session: bool) -> None:
        self._sums = sums
        self._contrasts = contrasts
        self._groups = groups
        self._singles = sums.drawn if is_session else sums.hands
        self.keys = [(i, measure) for i in range(len(contrasts)) for measure in MEASURES]
        means = sums.means(sums.tables)
        self.is_exact = np.array([is_exact(contrasts[i], measure, groups) for i, measure in self.keys])
        self.value = np.zeros(len(self.keys))
        self.gradient = np.zeros((len(self.keys), len(means), N_COLUMNS))
        for row, (i, measure) in enumerate(self.keys):
            self.gradient[row] = self._gradient(row, means)
            for arm, weight in contrasts[i].weights.items() if not self.is_exact[row] else ():
                self.value[row] += weight * MEASURES[measure].value(means[arm])
        flat = self.gradient.reshape(len(self.keys), -1)
        self.sd = np.array([sums.tables.sd(g) for g in flat])
        self.n_events = np.array([self._events(i, measure) for i, measure in self.keys])
        self.is_known = ~self.is_exact & (self.sd > 0) & (self.n_events > FEW_EVENTS) & np.isfinite(self.value)
        self.is_known &= self.n >= MIN_TABLES

    @property
    def n(self) -> int:
        """Tables."""
        return self._sums.tables.n

    def _gradient(self, row: int, means: Floats) -> Floats:
        """Return the derivative of an effect by the means of all arms' columns."""
        i, measure = self.keys[row]
        result = np.zeros((len(means), N_COLUMNS))
        for arm, weight in self._contrasts[i].weights.items():
            result[arm] = weight * MEASURES[measure].gradient(means[arm])
        return result

    def _by_luck(self, row: int) -> float:
        """Variance with the luck of the draws over the variance here."""
        if self._sums.luck is None or not self.is_known[row]:
            return 1.0
        drawn = self._sums.drawn
        return float((drawn.sd(self._gradient(row, self._sums.means(drawn)).ravel()) / self.sd[row]) ** 2)

    def _events(self, i: int, measure: str) -> int:
        what = MEASURES[measure]
        return int(max(self._sums.n_differ[i, C[what.y]], self._sums.n_differ[i, C[what.x]]))

    def _worth(self, row: int) -> float:
        """Variance of plain runs with as many hands over the variance here."""
        if not self.is_known[row]:
            return float("nan")
        i, measure = self.keys[row]
        singles, arms = self._singles, self._contrasts[i].weights
        means = self._sums.means(singles)
        plain = 0.0
        for arm, weight in arms.items():
            gradient = np.zeros_like(self.gradient[row])
            gradient[arm] = weight * MEASURES[measure].gradient(means[arm], plain=True)
            plain += singles.sd(gradient.ravel()) ** 2
        hands_of_a_single = self._sums.n_hands / singles.n
        played = self._sums.n_hands * plays(self._contrasts[i], self._groups)
        return float(plain * hands_of_a_single * len(arms) / played / (self.sd[row] ** 2 / self.n))

    def _finish(self, half: Floats, p: Floats) -> list[Effect]:
        means = self._sums.means(self._sums.tables)
        known = np.flatnonzero(self.is_known)
        adjusted = np.full(len(self.keys), np.nan)
        adjusted[known] = multiplicity.holm(p[known])
        half = np.where(self.is_known, half, np.nan)
        return [
            Effect(
                self._contrasts[i].label,
                measure,
                MEASURES[measure].value(means[self._contrasts[i].base]),
                float(self.value[row]),
                float(self.sd[row] / np.sqrt(self.n)),
                float(self.value[row] - half[row]),
                float(self.value[row] + half[row]),
                float(adjusted[row]),
                int(self.n_events[row]),
                self._worth(row),
                self._by_luck(row),
                bool(self.is_exact[row]),
            )
            for row, (i, measure) in enumerate(self.keys)
        ]

    def at_the_end(self, level: float = 0.95) -> list[Effect]:
        """Effects of a run whose length was fixed beforehand: intervals by max-T, p by Holm."""
        se = self.sd / np.sqrt(self.n)
        known = np.flatnonzero(self.is_known)
        critical = np.nan
        if len(known):
            flat = self.gradient.reshape(len(self.keys), -1)[known]
            covariance = flat @ self._sums.tables.covariance() @ flat.T
            scale = np.sqrt(np.diag(covariance))
            critical = multiplicity.max_t(covariance / np.outer(scale, scale), level)
        with np.errstate(invalid="ignore", divide="ignore"):
            p = multiplicity.two_sided_p(self.value / se)
        return self._finish(critical * se, p)

    def looks(self, r: float, alpha: float) -> list[Look]:
        """Every effect as it is watched; ``alpha`` of each single one."""
        return [
            Look(
                float(value),
                float(sd),
                self.n,
                int(events),
                0.0 if exact else sequence.half_width(float(sd), self.n, r, alpha),
            )
            for value, sd, events, exact in zip(self.value, self.sd, self.n_events, self.is_exact, strict=True)
        ]

    def when_stopped(self, r: float, alpha: float) -> list[Effect]:
        """Effects of a run that stopped on what it saw: confidence sequences, p from them and by Holm."""
        half = np.array([look.half for look in self.looks(r, alpha)])
        p = np.array([sequence.p_value(v, s, self.n, r) for v, s in zip(self.value, self.sd, strict=True)])
        return self._finish(half, p)


def plays(contrast: Contrast, groups: Groups) -> int:
    """How many plays of each wall a contrast takes."""
    return sum(bool(set(contrast.weights) & set(group)) for group in groups)


def is_exact(contrast: Contrast, measure: str, groups: Groups) -> bool:
    """Whether an effect is zero by construction: a measure of play, rule sets that are played alike."""
    return measure in OF_PLAY and plays(contrast, groups) == 1


def family_size(contrasts: Sequence[Contrast], groups: Groups) -> int:
    """Effects that are not exact: known before anything is played."""
    return sum(not is_exact(contrast, measure, groups) for contrast in contrasts for measure in MEASURES)


def by_measure(effects: Effects, looks: Sequence[Look]) -> Mapping[str, Look]:
    """Widest look of each measure over all contrasts."""
    widest: dict[str, Look] = {}
    for (_, measure), look, exact in zip(effects.keys, looks, effects.is_exact, strict=True):
        if not exact and (measure not in widest or look.half > widest[measure].half):
            widest[measure] = look
    return widest
