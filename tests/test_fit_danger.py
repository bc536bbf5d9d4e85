"""What `defend` fears: the weights that are tried are those that are played, and others stay."""

from __future__ import annotations

import tomllib
from functools import partial

import pytest

from analysis import fit_danger, luck
from sim import weights
from sim.policy.weights import MEASURED
from sim.rules import load


@pytest.fixture(autouse=True)
def _a_small_pilot(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(luck, "pilot", partial(luck.pilot, hands=128))


def test_without_fear_it_plays_as_value_and_with_too_much_it_loses() -> None:
    rules = load("jipinghu")
    defend = weights.read(rules, "defend")
    assert fit_danger.gain([rules], defend | {"danger": 0}, 1, 64, 1) == (0.0, 0.0)
    mean, error = fit_danger.gain([rules], defend | {"danger": 8192}, 1, 512, 2)
    assert mean < -3 * error < 0


def test_a_fit_changes_what_is_feared_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(fit_danger.MEMBERS, "fan", (("jipinghu", {}),))
    old = tomllib.loads(weights.FILE.read_text(encoding="utf-8"))["family"]["fan"]
    new = fit_danger.fit("fan", old, (4, 900), 256, 20, 1, 1)
    for bot in ("value", "defend"):
        changed = {name for name in new[bot] if new[bot][name] != old[bot][name]}
        assert {"ready", "wait"} <= changed <= {*MEASURED, "danger", "fitted"}
    assert new["value"]["danger"] == 0
    assert new["defend"]["danger"] == 4
    assert weights.columns(new["defend"]).shape == weights.columns(old["defend"]).shape
