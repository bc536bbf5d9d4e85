"""How sure an estimate is that is watched while it grows: intervals that hold at every look at once.

Asymptotic confidence sequence of a mean (Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas, "Time-uniform central limit
theory and asymptotic confidence sequences", arXiv 2103.06476, theorem 2.2): with s the standard deviation of a unit
after n units,

    half-width = s sqrt(2 (n r^2 + 1) / (n^2 r^2) ln(sqrt(n r^2 + 1) / alpha)).

An ordinary 95 % interval that is looked at again and again misses the truth in about half of all runs. ``r`` is fixed
before the first look; it makes the sequence narrowest at a number of units that is chosen for it, and costs little
elsewhere.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Mapping
from typing import NamedTuple

# Units before the first look, and events (units in which the two sides differ): before them the normal limit that the
# sequence rests on is not to be trusted.
MIN_UNITS = 1_000
MIN_EVENTS = 200


def rho(best_units: float, alpha: float) -> float:
    """Return the ``r`` that makes it narrowest after ``best_units`` units (arXiv 2103.06476, appendix B.2)."""
    return math.sqrt((-2 * math.log(alpha) + math.log(-2 * math.log(alpha)) + 1) / best_units)


def half_width(sd: float, n: int, r: float, alpha: float = 0.05) -> float:
    """Half-width after ``n`` units whose standard deviation is ``sd``; infinite before the first unit."""
    if n <= 0:
        return math.inf
    t = n * r * r
    return sd * math.sqrt(2 * (t + 1) / (n * t) * math.log(math.sqrt(t + 1) / alpha))


def p_value(mean: float, sd: float, n: int, r: float) -> float:
    """Least alpha whose sequence leaves out zero at this look; may be taken at any look."""
    if sd == 0 or n == 0:
        return 1.0 if mean == 0 else 0.0
    t = n * r * r
    return min(1.0, math.sqrt(t + 1) * math.exp(-(mean**2) * n * t / (2 * sd * sd * (t + 1))))


class Target(NamedTuple):
    """One precision that is asked for: the half-width of a measure below a bound."""

    measure: str
    bound: float


class UntilError(ValueError):
    """A precision target that cannot be read; the message is one line."""


_TARGET = re.compile(r"\s*halfwidth\(\s*([a-z_0-9]+)\s*\)\s*<\s*([0-9.]+(?:e-?[0-9]+)?)\s*", re.ASCII)


def read_until(text: str, measures: Collection[str]) -> tuple[Target, ...]:
    """Read ``halfwidth(MEASURE) < NUMBER``, several joined by ``and``.

    Raises
    ------
    UntilError
        What is needed, which measures there are.
    """
    found = []
    for part in re.split(r"\band\b", text):
        match = _TARGET.fullmatch(part)
        try:
            bound = float(match[2]) if match else 0.0
        except ValueError:
            bound = 0.0
        if not match or not 0 < bound < math.inf:
            raise UntilError(f"--until: 'halfwidth(MEASURE) < NUMBER' is needed, not {part.strip()!r:.60}")
        if match[1] not in measures:
            raise UntilError(f"--until: no measure {match[1]!r:.40}; allowed: {', '.join(measures)}")
        found.append(Target(match[1], bound))
    return tuple(found)


class Look(NamedTuple):
    """One estimate while it is watched."""

    value: float
    sd: float  # of a unit
    n: int
    n_events: int
    half: float


def shortfall(targets: tuple[Target, ...], looks: Mapping[str, Look]) -> str:
    """Say why a run that ends did not reach its targets: intervals too wide, or too few units behind narrow ones."""
    watched = [(looks[t.measure], t.bound) for t in targets if t.measure in looks]
    if any(look.half >= bound for look, bound in watched):
        return " before the precision was reached"
    n = min((look.n for look, _ in watched), default=0)
    n_events = min((look.n_events for look, _ in watched), default=0)
    if n < MIN_UNITS:
        return f"; narrow enough, but an interval is trusted from {MIN_UNITS:,} tables or walls on, and these are {n:,}"
    return f"; narrow enough, but an interval is trusted from {MIN_EVENTS} events on, and these are {n_events:,}"


def reached(targets: tuple[Target, ...], looks: Mapping[str, Look]) -> bool:
    """Whether every target is met, each with enough units and events; a measure without a look is known exactly."""
    return bool(targets) and all(
        looks[t.measure].n >= MIN_UNITS and looks[t.measure].n_events >= MIN_EVENTS and looks[t.measure].half < t.bound
        for t in targets
        if t.measure in looks
    )
