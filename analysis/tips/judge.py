"""Verdicts: what intervals say after correction over the whole family of checks.

p-values are Holm's over all rows that were tried (`analysis.multiplicity`). A row that Holm rejects has an interval of
its step's level, 1 - 0.05 / (m - i + 1) for the i-th smallest p, so that it leaves out zero exactly when the adjusted p
is below 0.05; all others have Bonferroni's, 1 - 0.05 / m. Effects are refuted as too small by Bonferroni's alone,
whatever the p, so that all verdicts together are right with 95 %.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from scipy import special

from analysis.labels import Label
from analysis.multiplicity import holm
from analysis.tips.model import Found, Row, Verdict

ALPHA = 0.05
_TOO_SMALL = Label("方向对，但小得不值一提", "right in direction, too small to matter")
_NO_EFFECT = Label("没有值得一提的差别", "no difference worth mention")
_OTHER_WAY = Label("方向相反", "the other way")
_NONE = Label("没有出现这种情况", "the state did not come up")
_NOT_PLAYED = Label("中断，未打", "not played: interrupted")
_HOLDS = Label("伪证规则：在此规则下本应不成立，也确实不成立", "falsifier: must fail in this rule set, and does")
_FAILS = Label("伪证规则：在此规则下本应不成立", "falsifier: must fail in this rule set")


def limits(found: Found, level: float) -> tuple[float, float]:
    """Interval of an estimate."""
    if found.limits:
        return found.limits(level)
    if not found.se > 0 or found.degrees < 1:
        return math.nan, math.nan
    half = float(special.stdtrit(found.degrees, (1 + level) / 2)) * found.se
    return found.effect - half, found.effect + half


def verdict(direction: int, effect: float, p_holm: float, wide: tuple[float, float], smallest: float) -> Verdict:
    """Decide one row.

    Parameters
    ----------
    direction
        1, -1, or 0 for the claim that there is no effect worth mention.
    wide
        Bonferroni's interval.
    smallest
        Least effect of interest, in the unit of the effect.
    """
    low, high = wide
    if direction == 0:
        if -smallest < low and high < smallest:
            return "supported"
        return "refuted" if low > smallest or high < -smallest else "open"
    most = high if direction > 0 else -low
    if most < smallest or (p_holm < ALPHA and direction * effect < 0):
        return "refuted"
    return "supported" if p_holm < ALPHA else "open"


def hands_needed(row: Row, half: float, hands: int) -> int | None:
    """Hands that would settle an open row if its effect is what it seems: zero or the least of interest left out."""
    towards = row.effect if row.direction >= 0 else -row.effect
    gap = abs(row.smallest - abs(row.effect)) if row.direction == 0 else max(abs(towards), row.smallest - towards)
    if not (half > 0 and gap > 0 and hands > 0 and math.isfinite(half)):
        return None
    return math.ceil(hands * (half / gap) ** 2)


def judge(rows: Sequence[Row]) -> None:
    """Fill in adjusted p, limits and verdict of all rows that were tried, and mark what holds for one bot only."""
    exact = [row for row in rows if row.found is not None and row.found.is_exact]
    tried = [
        row for row in rows if row.found is not None and not row.found.is_exact and math.isfinite(row.found.effect)
    ]
    for row in exact:
        assert row.found is not None
        row.low = row.high = row.effect
        row.verdict = "supported" if row.found.effect == 0 else "refuted"
    p = np.array([1.0 if math.isnan(row.p) else row.p for row in tried])
    adjusted, order = holm(p), np.argsort(p, kind="stable")
    step = np.empty(len(p), np.int64)
    step[order] = np.arange(len(p), 0, -1)
    m = len(tried)
    for row, p_holm, left in zip(tried, adjusted, step, strict=True):
        assert row.found is not None
        scale = _scale(row)
        wide = _scaled(limits(row.found, 1 - ALPHA / m), scale)
        row.p_holm = float(p_holm)
        row.low, row.high = _scaled(limits(row.found, 1 - ALPHA / int(left)), scale) if p_holm < ALPHA else wide
        row.verdict = verdict(row.direction, row.effect, row.p_holm, wide, row.smallest)
        _remark(row, wide)
    for row in rows:
        if row.found is None and row.verdict == "open" and not row.note_en:
            row.note(_NOT_PLAYED)
        if row.found is not None and math.isnan(row.found.effect):
            row.verdict = "open"
            row.note(_NONE)
        if row.is_falsifier and row.found is not None:
            row.note(_HOLDS if row.verdict == "refuted" else _FAILS)
    _mark_one_family(rows)


def _scale(row: Row) -> float:
    """Percentage points of a log's shares; other units stay."""
    return 100.0 if row.unit == "pp" else 1.0


def _scaled(pair: tuple[float, float], by: float) -> tuple[float, float]:
    return pair[0] * by, pair[1] * by


def _remark(row: Row, wide: tuple[float, float]) -> None:
    assert row.found is not None
    if row.verdict == "refuted" and row.direction:
        if row.direction * row.effect < 0 and row.p_holm < ALPHA:
            row.note(_OTHER_WAY)
        else:
            row.note(_TOO_SMALL if row.direction * row.effect > 0 and row.p_holm < ALPHA else _NO_EFFECT)
    if row.verdict == "open":
        row.needed = hands_needed(row, (wide[1] - wide[0]) / 2, row.hands)


def _mark_one_family(rows: Sequence[Row]) -> None:
    """Mark a claim that is supported with some bots and not with others, in the same rule set."""
    groups: dict[tuple[str, str, str], list[Row]] = {}
    for row in rows:
        if row.found is not None:
            groups.setdefault((row.id, row.part, row.rules), []).append(row)
    for group in groups.values():
        supported = [row for row in group if row.verdict == "supported"]
        if len(group) > 1 and len(supported) == 1:
            row = supported[0]
            row.one_family_only = True
            if any(other.verdict == "refuted" for other in group):
                row.note(Label(f"只对 {row.bots} 成立", f"holds for {row.bots} only"))
            else:
                row.note(Label(f"只对 {row.bots} 已证明", f"shown for {row.bots} only"))
