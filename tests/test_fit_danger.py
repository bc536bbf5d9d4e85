"""What `defend` fears: the weights that are tried are those that are played, and others stay."""

from __future__ import annotations

import tomllib
from functools import partial

import numpy as np
import pytest
from numpy.typing import NDArray

from analysis import fit_danger, luck
from analysis.fit_bots import MEMBERS, Weights
from sim import weights
from sim.policy.weights import FEARS, MEASURED
from sim.rules import Rules, load


@pytest.fixture(autouse=True)
def _a_small_pilot(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(luck, "pilot", partial(luck.pilot, hands=128))


def test_without_fear_it_plays_as_value_and_with_too_much_it_loses() -> None:
    rules = load("jipinghu")
    defend = weights.read(rules, "defend")
    calm = fit_danger.gains([rules], defend | dict.fromkeys(FEARS, 0), 1, 64, 1)
    assert [len(x) for x in calm] == [64]
    assert fit_danger.mean_and_error(calm) == (0.0, 0.0)
    mean, error = fit_danger.mean_and_error(fit_danger.gains([rules], defend | dict.fromkeys(FEARS, 8192), 1, 512, 2))
    assert mean < -3 * error < 0


@pytest.mark.parametrize("n_hands", [0, 20])
def test_a_fit_changes_what_is_feared_alone(monkeypatch: pytest.MonkeyPatch, n_hands: int) -> None:
    monkeypatch.setitem(MEMBERS, "fan", (("jipinghu", {}),))
    old = tomllib.loads(weights.FILE.read_text(encoding="utf-8"))["family"]["fan"]
    new = fit_danger.fit("fan", old, (4, 900), 256, n_hands, 1, 1)
    tables = {"ready", "wait"} if n_hands else set()
    for bot in ("value", "defend"):
        changed = {name for name in new[bot] if new[bot][name] != old[bot][name]}
        assert tables <= changed <= {*(MEASURED if n_hands else ()), *FEARS, "fitted"}
    assert all(new["value"][part] == 0 for part in FEARS)
    assert all(new["defend"][part] in (0, 4) for part in FEARS)


def test_a_part_takes_what_gains_more_than_its_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """Late 32 gains most, what is feared in the middle loses, early fear gains less than its error."""
    noise = np.tile([-1.0, 1.0], 50)

    def gains(members: list[Rules], defend: Weights, *rest: int) -> list[NDArray[np.float64]]:
        late = {0: 0.0, 16: 0.5, 32: 1.0, 64: 0.75}[defend["late"]]
        return [late - defend["middle"] + (defend["early"] > 0) * (0.05 + noise) + noise / 1000 for _ in members]

    monkeypatch.setattr(fit_danger, "gains", gains)
    old = tomllib.loads(weights.FILE.read_text(encoding="utf-8"))["family"]["fan"]
    new = fit_danger.fit("fan", old, (16, 32, 64), 100, 0, 1, 1)
    assert [new["defend"][part] for part in FEARS] == [0, 0, 32]
    old["defend"] |= {"middle": 1, "late": 16}
    one = fit_danger.fit("fan", old, (16, 32, 64), 100, 0, 1, 1, ["late"])["defend"]
    assert [one[part] for part in FEARS] == [old["defend"]["early"], 1, 32]
    assert one["fitted"].startswith("late of 0, 16, 32, 64")
    assert old["defend"]["fitted"] in one["fitted"]
