"""Which rule sets a comparison plays and what it subtracts from what: one switch at a time, and pairs of switches."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from sim import rules as rule_sets
from sim.rules import Rules, RulesError

MAX_ARMS = 128
# Settings of the ghost by name: mode and kinds belong together.
GHOSTS: dict[str, dict[str, Any]] = {
    "none": {"ghost.mode": "none", "ghost.kinds": [], "ghost.four": "nothing"},
    "white": {"ghost.mode": "fixed", "ghost.kinds": ["B"]},
    "red": {"ghost.mode": "fixed", "ghost.kinds": ["Z"]},
    "turned": {"ghost.mode": "turned", "ghost.kinds": []},
    "turned_two": {"ghost.mode": "turned_two", "ghost.kinds": []},
}


# Fields that tell only where the deal moves on from hand to hand.
MOVING_DEAL = frozenset(
    {
        "dealer.next",
        "dealer.after_rob",
        "dealer.on_washout",
        "dealer.seat_wind",
        "dealer.repeat_mode",
        "dealer.repeat_points",
        "horses.per_repeat",
    }
)


class ToggleError(ValueError):
    """A switch that cannot be set; the message is one line."""


@dataclass(frozen=True)
class Switch:
    """One option set to one value: path as the user wrote it, the value's text, the fields that it changes."""

    path: str
    text: str
    fields: Mapping[str, Any]

    @property
    def label(self) -> str:
        """``path=value``."""
        return f"{self.path}={self.text}"


@dataclass(frozen=True)
class Arm:
    """One rule set of a comparison."""

    label: str
    rules: Rules


@dataclass(frozen=True)
class Contrast:
    """Difference of arms: weight of each by its place."""

    label: str
    weights: Mapping[int, int]

    @property
    def base(self) -> int:
        """Place of the arm that is subtracted; the first arm for an interaction."""
        less = [arm for arm, weight in self.weights.items() if weight < 0]
        return less[0] if len(less) == 1 else 0


def values(text: str) -> list[str]:
    """Split ``2,4,6`` at its commas; those within brackets, braces or quotes stay."""
    found = re.findall(r"""(?:\[[^\]]*\]|\{[^}]*\}|"[^"]*"|'[^']*'|[^,])+""", text)
    return [value.strip() for value in found if value.strip()]


def switches(toggle: str) -> list[Switch]:
    """Read ``PATH=VALUE,VALUE,...``; ``ghost=NAME`` sets mode and kinds, ``VALUE+PATH=VALUE`` other fields together.

    Raises
    ------
    ToggleError
        What is wrong, what is allowed.
    """
    path, found, rest = toggle.partition("=")
    path, texts = path.strip(), values(rest)
    if not found or not path or not texts:
        raise ToggleError(f"toggle: PATH=VALUE,VALUE,... is needed, such as horses.count=2,4,6, not {toggle!r:.60}")
    if path == "ghost":
        for text in texts:
            if text not in GHOSTS:
                raise ToggleError(f"toggle ghost: allowed are {', '.join(GHOSTS)}, not {text!r:.40}")
        return [Switch(path, text, GHOSTS[text]) for text in texts]
    found_switches = []
    for text in texts:
        own, *more = re.split(r"\+(?=[a-z_.]+=)", text)
        fields = dict(part.split("=", 1) for part in more)
        found_switches.append(Switch(path, text, {path: own, **fields}))
    return found_switches


def plan(
    base: str | Rules,
    variants: Sequence[str | Rules],
    toggles: Sequence[str],
    overrides: Mapping[str, Any],
    all_pairs: bool = False,
    mode: str = "duplicate",
) -> tuple[list[Arm], list[Contrast]]:
    """Arms and contrasts of a comparison; arm 0 is the base.

    Each variant and each switch is compared with the base. With ``all_pairs`` also each two switches of different
    options together, and what they do beyond the sum of both (their interaction), and each two variants. A switch that
    changes nothing is left out.

    Raises
    ------
    ToggleError, sim.rules.RulesError
        One line.
    """
    arms = [Arm(_name(base), rule_sets.load(base, overrides))]
    contrasts: list[Contrast] = []

    def add(label: str, rules: Rules) -> int:
        if len(arms) >= MAX_ARMS:
            raise ToggleError(f"toggle: more than {MAX_ARMS} rule sets; name fewer values")
        arms.append(Arm(label, rules))
        return len(arms) - 1

    others = [add(_name(variant), rule_sets.load(variant, overrides)) for variant in variants]
    contrasts += [Contrast(arms[i].label, {i: 1, 0: -1}) for i in others]
    if all_pairs:
        contrasts += [Contrast(f"{arms[j].label} - {arms[i].label}", {j: 1, i: -1}) for i, j in combinations(others, 2)]

    single: dict[str, tuple[Switch, int]] = {}
    for switch in (switch for toggle in toggles for switch in switches(toggle)):
        if mode == "duplicate" and (idle := set(switch.fields) & MOVING_DEAL):
            raise ToggleError(f"toggle {min(idle)}: a wall with one dealer cannot show it; mode session can")
        rules = _switched(base, overrides, switch)
        if rules.digest() != arms[0].rules.digest() and switch.label not in single:
            single[switch.label] = switch, add(switch.label, rules)
            contrasts.append(Contrast(switch.label, {len(arms) - 1: 1, 0: -1}))
    for (first, i), (second, j) in combinations(single.values(), 2) if all_pairs else ():
        if first.path != second.path:
            label = f"{first.label} {second.label}"
            both = add(label, _switched(base, overrides, first, second))
            contrasts.append(Contrast(label, {both: 1, 0: -1}))
            contrasts.append(Contrast(f"{label}, beyond their sum", {both: 1, i: -1, j: -1, 0: 1}))
    if not contrasts:
        raise ToggleError("nothing to compare: name a second rule set, or a toggle that changes the base")
    return arms, contrasts


def _name(variant: str | Rules) -> str:
    return variant.slug if isinstance(variant, Rules) else variant


def _switched(base: str | Rules, overrides: Mapping[str, Any], *chosen: Switch) -> Rules:
    fields = {path: value for switch in chosen for path, value in switch.fields.items()}
    try:
        return rule_sets.load(base, {**overrides, **fields})
    except RulesError as error:
        labels = " ".join(switch.label for switch in chosen)
        raise ToggleError(f"toggle {labels}: {error}") from None
