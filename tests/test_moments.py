"""Sums and cross products give the same errors as the units themselves."""

from __future__ import annotations

import json

import numpy as np
from scipy import stats

from analysis.moments import Moments


def units(n: int, seed: int = 3) -> np.ndarray:
    rng = np.random.default_rng(seed)
    base = rng.normal(size=(n, 3))
    return np.column_stack([base[:, 0] + 5, base[:, 0] + base[:, 1], 3 + base[:, 2] ** 2, np.ones(n)])


def test_parts_add_up_and_survive_json() -> None:
    x = units(1_000)
    whole, parts = Moments.zero(4), Moments.zero(4)
    whole.add(x)
    for part in np.array_split(x, 7):
        parts.add(part)
        parts = Moments.from_dict(json.loads(json.dumps(parts.to_dict())))
    np.testing.assert_allclose(parts.cross, whole.cross)
    np.testing.assert_allclose(whole.covariance(), np.cov(x, rowvar=False), atol=1e-10)
    np.testing.assert_allclose(whole.mean, x.mean(axis=0))


def test_the_sd_of_a_difference_is_that_of_the_paired_test() -> None:
    x = units(500)
    moments = Moments.zero(4)
    moments.add(x)
    gradient = np.array([1.0, -1.0, 0, 0])
    gradient[3] = -(x[:, 0].mean() - x[:, 1].mean())  # as a ratio over the column of ones has it
    paired = stats.ttest_rel(x[:, 0], x[:, 1])
    value = x[:, 0].mean() - x[:, 1].mean()
    assert np.isclose(value / (moments.sd(gradient) / np.sqrt(500)), paired.statistic)


def test_the_sd_of_a_ratio_is_that_of_its_residuals() -> None:
    x = units(400)
    moments = Moments.zero(4)
    moments.add(x)
    y, z = x[:, 0], x[:, 2]
    ratio = y.mean() / z.mean()
    residual = (y - ratio * z) / z.mean()
    gradient = np.array([1 / z.mean(), 0, -ratio / z.mean(), 0])
    assert np.isclose(moments.sd(gradient), np.sqrt((residual**2).sum() / 399))


def test_columns_that_do_not_matter_cost_nothing() -> None:
    moments = Moments.zero(4)
    moments.add(units(10))
    assert moments.sd(np.zeros(4)) == 0.0
