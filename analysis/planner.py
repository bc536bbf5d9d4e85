"""How many units (tables, deal blocks) a wanted precision takes."""

from __future__ import annotations

import math

from scipy import special

from analysis import sequence


def for_half_width(sd: float, half: float, level: float = 0.95) -> int:
    """Units for a fixed interval of this half-width."""
    return math.ceil((float(special.ndtri((1 + level) / 2)) * sd / half) ** 2)


def for_power(sd: float, difference: float, alpha: float = 0.05, power: float = 0.9) -> int:
    """Units for a two-sided test of level ``alpha`` to find a true ``difference`` with this chance."""
    z = float(special.ndtri(1 - alpha / 2) + special.ndtri(power))
    return math.ceil((z * sd / difference) ** 2)


def for_sequence(sd: float, half: float, alpha: float = 0.05) -> int:
    """Units for a confidence sequence tuned to just this length to reach the half-width."""
    low, high = 1, 1 << 50
    while low < high:
        n = (low + high) // 2
        if sequence.half_width(sd, n, sequence.rho(n, alpha), alpha) <= half:
            high = n
        else:
            low = n + 1
    return low
