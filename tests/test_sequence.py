"""Confidence sequences: the formula, its best place, targets and their texts."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import optimize, stats

from analysis.sequence import Look, Target, UntilError, half_width, p_value, reached, read_until, rho


def test_the_formula_at_one_place() -> None:
    t = 400 * 0.1**2
    expected = 2.0 * math.sqrt(2 * (t + 1) / (400**2 * 0.1**2) * math.log(math.sqrt(t + 1) / 0.05))
    assert half_width(2.0, 400, 0.1) == pytest.approx(expected)
    assert half_width(2.0, 0, 0.1) == math.inf


@pytest.mark.parametrize("n", [1_000, 50_000])
def test_rho_is_about_the_best(n: int) -> None:
    best = optimize.minimize_scalar(lambda r: half_width(1.0, n, r), bounds=(1e-6, 1.0), method="bounded")
    assert half_width(1.0, n, rho(n, 0.05)) == pytest.approx(best.fun, rel=0.01)


def test_it_is_half_as_wide_again_as_a_fixed_interval_near_its_best() -> None:
    r = rho(10_000, 0.05)
    ratio = {n: half_width(1.0, n, r) / (1.959964 / math.sqrt(n)) for n in (1_000, 10_000, 100_000, 1_000_000)}
    assert 1.4 < ratio[10_000] < 1.6
    assert max(ratio.values()) < 2.2


def test_the_p_value_turns_the_interval_around() -> None:
    r = rho(5_000, 0.05)
    mean = half_width(3.0, 7_000, r, 0.01)
    assert p_value(mean, 3.0, 7_000, r) == pytest.approx(0.01)
    assert p_value(0.0, 3.0, 7_000, r) == 1.0


def test_peeking_is_allowed() -> None:
    """2,000 walks looked at 200 times: a fixed interval misses in about half, the sequence in at most 5 %.

    False-alarm rate of this test: under 1e-6 (5 % + 4.9 standard errors).
    """
    rng = np.random.default_rng(11)
    n_walks, looks = 2_000, np.unique(np.geomspace(1_000, 100_000, 200).astype(int))
    r = rho(10_000, 0.05)
    steps = np.diff(np.concatenate([[0], looks]))
    walk = np.cumsum(rng.normal(size=(n_walks, len(looks))) * np.sqrt(steps), axis=1) / looks
    missed = np.abs(walk) > [half_width(1.0, int(n), r) for n in looks]
    naive = np.abs(walk) > 1.959964 / np.sqrt(looks)
    assert missed.any(axis=1).mean() < 0.05 + 4.9 * math.sqrt(0.05 * 0.95 / n_walks)
    assert naive.any(axis=1).mean() > 0.3
    assert stats.norm.ppf(0.975) == pytest.approx(1.959964, abs=1e-6)


def test_targets_are_read() -> None:
    assert read_until("halfwidth(dealer_net) < 0.01", ["dealer_net"]) == (Target("dealer_net", 0.01),)
    found = read_until(" halfwidth( a )<1e-3 and halfwidth(b)<2 ", ["a", "b"])
    assert found == (Target("a", 0.001), Target("b", 2.0))


@pytest.mark.parametrize(
    "text",
    ["", "dealer_net < 1", "halfwidth(a) > 1", "halfwidth(a) < 0", "halfwidth(a) < 1.2.3", "halfwidth(a) < 1 or"],
)
def test_other_targets_are_refused(text: str) -> None:
    with pytest.raises(UntilError, match="is needed"):
        read_until(text, ["a"])


def test_unknown_measures_are_named_with_what_is_allowed() -> None:
    with pytest.raises(UntilError, match="no measure 'b'; allowed: a, c"):
        read_until("halfwidth(b) < 1", ["a", "c"])


def test_a_target_takes_units_and_events() -> None:
    targets = (Target("a", 0.1),)
    assert reached(targets, {"a": Look(0, 1, 1_000, 200, 0.09)})
    assert not reached(targets, {"a": Look(0, 1, 999, 200, 0.09)})
    assert not reached(targets, {"a": Look(0, 1, 1_000, 199, 0.09)})
    assert not reached(targets, {"a": Look(0, 1, 1_000, 200, 0.11)})
    assert not reached((), {})
