"""The bots' weights: every rule set has some, they fit their columns, refits change only what they should."""

from __future__ import annotations

import numpy as np
import pytest

from analysis import fit_bots
from sim import weights
from sim.flags import N_COLUMNS
from sim.policy.weights import FEARS, N_NEEDS, N_STAGES, N_WEIGHTS, NAMES
from sim.rules import load, names


@pytest.mark.parametrize("bot", ["value", "defend"])
@pytest.mark.parametrize("variant", names())
def test_every_rule_set_has_weights(variant: str, bot: str) -> None:
    row = weights.of(load(variant), bot)
    assert len(row) == N_WEIGHTS <= N_COLUMNS
    assert (row >= 0).all()


def test_families_follow_what_a_hand_may_be_worth() -> None:
    expected = {"zhuama": "flat", "tuidaohu": "draw", "jipinghu": "fan", "huapai": "sum", "maima": "dear"}
    expected |= {"app-100": "quick", "koukoufan": "multiplied"}
    assert {name: weights.family(load(name)) for name in expected} == expected
    assert weights.family(load("maima", {"win.chicken_ways": ["zimo", "dianpao", "qianggang"]})) == "sum"
    assert weights.family(load("maima", {"tiles": "108"})) == "dear"
    assert weights.family(load("jipinghu", {"win.chicken_ways": ["zimo", "qianggang"]})) == "fan"
    assert weights.family(load("jipinghu", {"multiples.opened": 20})) == "multiplied"
    assert weights.family(load("koukoufan", {"multiples": dict(load("maima").multiples)})) == "sum"
    assert weights.family(load("xinzhang")) == weights.family(load("jipinghu", {"scoring.cap": 0})) == "steep_fan"
    assert weights.family(load("xinzhang", {"win.min_fan": 1})) == "minimum"
    assert weights.family(load("xinzhang", {"win.min_fan": 3})) == "high_minimum"


def test_only_defend_is_afraid() -> None:
    for name in names():
        rules = load(name)
        fears = [[weights.read(rules, bot)[part] for part in FEARS] for bot in ("value", "defend")]
        assert fears[0] == [0, 0, 0]
        assert max(fears[1]) > 0 or "dianpao" not in rules.win.ways
        assert weights.read(rules, "value")["chance"] == weights.read(rules, "defend")["chance"]


def test_chances_fall_with_the_need() -> None:
    for name in names():
        chance = np.array(weights.read(load(name), "value")["chance"])
        assert chance.shape == (N_NEEDS, N_STAGES)
        assert (np.diff(chance, axis=0) <= 0).all()


def test_a_proposal_changes_one_to_three_weights_within_bounds() -> None:
    best = {name: 40 for name in NAMES}
    rng = np.random.default_rng(5)
    for _ in range(200):
        candidate = fit_bots._propose(best, ["suit", "mix", "margin", "claim", "kong"], rng)
        changed = [name for name in NAMES if candidate[name] != best[name]]
        assert len(changed) <= 3
        assert candidate["mix"] <= 64
        assert not {*FEARS} & {*changed}


def test_measured_chances_recover_known_ones() -> None:
    """Wins drawn with chance 0.8 a / (a + 8): 60,000 cases, so 0.03 is six standard errors."""
    rng = np.random.default_rng(6)
    n = 60_000
    plans = np.zeros((n, 5), np.int64)
    plans[:, 2], plans[:, 3], plans[:, 4] = 1, rng.integers(1, 30, n), 60
    won = (rng.random(n) < 0.8 * plans[:, 3] / (plans[:, 3] + 8.0)).astype(np.int64)
    best = weights.read(load("maima"), "value")
    chance, half = fit_bots._chances(plans, won, best)
    assert half[0] == 8 * 64
    assert chance[0, 60 // 8] == pytest.approx(0.8, abs=0.03)


def test_shares_of_few_cases_are_drawn_to_those_beside_them() -> None:
    counts = np.array([[1_000_000, 500_000], [0, 0], [0, 0], [1_000_000, 500_000]])
    assert fit_bots._rates(counts, 4) == pytest.approx([0.5, 0.5, 0.5, 0.5], abs=1e-5)
    assert fit_bots._rates(counts[:3], 3)[0] == pytest.approx(0.5, abs=1e-5)
    growing = np.array([[1_000, 100], [1_000, 500], [0, 0], [1_000, 300], [2, 0], [0, 0]])
    shares = fit_bots._rates(growing, 1, 2)
    assert shares[:4] == pytest.approx([0.1, 0.5, 0.5, 0.3], abs=0.01)
    assert shares[4] == pytest.approx(20 * (20 * 0.5 / 22) / 22, abs=0.01)
    assert shares[5] == pytest.approx(shares[2], abs=0.01)
    rare = fit_bots._rates(np.array([[0, 0], [0, 0]]), 2)
    assert (rare > 0).all()
    assert (rare < 0.2).all()
