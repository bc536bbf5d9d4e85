"""Many differences at once: how sure they are together."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import special

Floats = NDArray[np.float64]

_DRAWS = 100_000  # of the greatest of correlated normals: knows a 95 % quantile to about 0.01
_SEED = 20260101


def two_sided_p(z: Floats) -> Floats:
    """Return p-values of normal statistics."""
    p: Floats = 2 * special.ndtr(-np.abs(z))
    return p


def holm(p: Floats) -> Floats:
    """Return p-values adjusted for their number, so that any false one is rare (Holm 1979, Scand. J. Stat. 6:65)."""
    order = np.argsort(p, kind="stable")
    steps = np.minimum(np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1)), 1.0)
    result = np.empty_like(p)
    result[order] = steps
    return result


def max_t(correlation: Floats, level: float = 0.95) -> float:
    """Return c such that all of some standard normals lie within +-c with probability ``level``.

    Simultaneous intervals with it hold together (single-step max-T: Hothorn, Bretz and Westfall 2008, Biom. J.
    50:346); it knows that effects on common walls move together, so it is at most Bonferroni's. By simulation with a
    fixed seed; ``correlation`` float64 (m, m).
    """
    m = len(correlation)
    if m == 0:
        return float("nan")
    bonferroni = float(special.ndtri(1 - (1 - level) / (2 * m)))
    if m == 1:
        return bonferroni
    values, vectors = np.linalg.eigh((correlation + correlation.T) / 2)
    root = vectors * np.sqrt(np.maximum(values, 0.0))
    rng = np.random.Generator(np.random.PCG64(_SEED))
    greatest = np.concatenate([np.abs(rng.standard_normal((_DRAWS // 20, m)) @ root.T).max(axis=1) for _ in range(20)])
    return min(float(np.quantile(greatest, level)), bonferroni)
