"""Many differences at once, against statsmodels and closed forms."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.multitest import multipletests

from analysis.multiplicity import holm, max_t, two_sided_p


@pytest.mark.parametrize("seed", range(5))
def test_holm_is_statsmodels(seed: int) -> None:
    p = np.random.default_rng(seed).random(17) ** 3
    np.testing.assert_allclose(holm(p), multipletests(p, method="holm")[1])
    assert len(holm(np.zeros(0))) == 0


def test_p_values_are_scipys() -> None:
    z = np.array([-6.0, -1.0, 0.0, 2.5])
    np.testing.assert_allclose(two_sided_p(z), 2 * stats.norm.sf(np.abs(z)))


def test_max_t_of_independent_effects_is_sidaks() -> None:
    for m in (2, 5, 20):
        sidak = stats.norm.ppf((1 + 0.95 ** (1 / m)) / 2)
        assert max_t(np.eye(m)) == pytest.approx(sidak, abs=0.03)
        assert max_t(np.eye(m)) <= stats.norm.ppf(1 - 0.025 / m)


def test_max_t_of_one_thing_said_twice_is_the_plain_quantile() -> None:
    assert max_t(np.eye(1)) == pytest.approx(1.959964, abs=1e-6)
    assert max_t(np.ones((4, 4))) == pytest.approx(1.959964, abs=0.03)
    assert np.isnan(max_t(np.zeros((0, 0))))


def test_max_t_of_correlated_effects_is_scipys() -> None:
    correlation = np.array([[1, 0.7, 0.2], [0.7, 1, 0.5], [0.2, 0.5, 1]])
    c = max_t(correlation)
    inside = stats.multivariate_normal(np.zeros(3), correlation).cdf(
        [c, c, c], lower_limit=[-c, -c, -c], rng=np.random.default_rng(1)
    )
    assert inside == pytest.approx(0.95, abs=0.003)
