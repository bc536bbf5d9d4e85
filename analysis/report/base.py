"""Which of several rule sets the others are compared with, and why that one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from analysis.labels import Label
from analysis.overrides import base_file
from sim.rules import Rules


class Base(NamedTuple):
    """Key of the rule set, and the sentence that says why it is the base."""

    key: str
    reason: Label


def base(rules: Mapping[str, Rules], names: Mapping[str, Label]) -> Base:
    """Pick the unedited rule set that most others are edited from; where there is none, the first."""
    files = [base_file(one) for one in rules.values()]
    edits = {key: files.count(f"{one.slug}.toml") for key, one in rules.items() if base_file(one) is None}
    key = max(edits, key=lambda one: edits[one], default=next(iter(rules)))
    if edits.get(key):
        return Base(
            key,
            Label(
                f"比较的基准：{names[key].zh}，这里的别的规则有{edits[key]}套是由它改成的。",
                f"Base of the comparisons: {names[key].en}, unedited; {edits[key]} of the other rule sets here"
                f" {'is' if edits[key] == 1 else 'are'} made from it.",
            ),
        )
    key = next(iter(rules))
    return Base(
        key,
        Label(
            f"比较的基准：{names[key].zh}，只因为它的短名（{key}）按字母排在最前。",
            f"Base of the comparisons: {names[key].en}, only because its short name ({key}) comes first.",
        ),
    )
