"""Which of two sizes a difference has, with as few hands as that takes: a sequential test.

Generalised sequential probability ratio test of a mean with unknown variance: after n units with mean x and standard
deviation s the log-likelihood ratio of m1 against m0 is close to

    LLR = n (m1 - m0) (2 x - m0 - m1) / (2 s^2)

(Wald 1947, Sequential Analysis, section 3.4, with s for the unknown deviation; as used for chess engines). It stops
for m0 below ln(beta / (1 - alpha)) and for m1 above ln((1 - beta) / alpha).
"""

from __future__ import annotations

import math
from typing import NamedTuple

# Before the first decision: s must be known, which it is not where most units are zero and few are not.
MIN_UNITS = 500
MIN_EVENTS = 100


class Sprt(NamedTuple):
    """Test of the mean ``d0`` against ``d1``: alpha is the chance to take d1 where d0 holds, beta the reverse."""

    d0: float
    d1: float
    alpha: float = 0.05
    beta: float = 0.05

    @property
    def bounds(self) -> tuple[float, float]:
        """Log-likelihood ratios at which d0 and d1 are taken."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def llr(self, mean: float, sd: float, n: int) -> float:
        """Log-likelihood ratio of d1 against d0; 0 while nothing is known, infinite where units do not differ."""
        middle = 2 * mean - self.d0 - self.d1
        if n == 0 or middle == 0:
            return 0.0
        if sd == 0:
            return math.copysign(math.inf, (self.d1 - self.d0) * middle)
        return n * (self.d1 - self.d0) * middle / (2 * sd * sd)

    def decision(self, mean: float, sd: float, n: int) -> str | None:
        """``d0``, ``d1`` or None while it goes on."""
        if n < MIN_UNITS:
            return None
        low, high = self.bounds
        llr = self.llr(mean, sd, n)
        return "d0" if llr <= low else "d1" if llr >= high else None

    def expected_units(self, mean: float, sd: float) -> float:
        """Return about how many units it takes at a true mean (Wald 1947, equation A:82); overshoot left out."""
        low, high = self.bounds
        drift = (self.d1 - self.d0) * (2 * mean - self.d0 - self.d1) / (2 * sd * sd)
        variance = (self.d1 - self.d0) ** 2 / sd**2
        if abs(drift) < 1e-12:
            return -low * high / variance
        h = 2 * drift / variance
        accept = (1 - math.exp(-h * high)) / (math.exp(-h * low) - math.exp(-h * high))
        return (accept * low + (1 - accept) * high) / drift


class SprtError(ValueError):
    """A test that means nothing; the message is one line."""


def check(test: Sprt) -> Sprt:
    """Return the test.

    Raises
    ------
    SprtError
        For equal means, and for error rates out of (0, 0.5).
    """
    if not all(map(math.isfinite, test)):
        raise SprtError("--sprt: four finite numbers are needed, d0 d1 alpha beta")
    if test.d0 == test.d1:
        raise SprtError("--sprt: d0 and d1 must differ")
    if not (0 < test.alpha < 0.5 and 0 < test.beta < 0.5):
        raise SprtError("--sprt: alpha and beta must be above 0 and below 0.5")
    return test
