"""What sessions brought, as text."""

from __future__ import annotations

import math

from analysis.session_risk import Estimate, SessionRisk


def describe(risk: SessionRisk) -> str:
    """Return one bot's sessions under one rule set."""
    unit = risk.unit
    n0 = f"{risk.n0:,.0f} hands" if math.isfinite(risk.n0) else "never, the game is even"
    lines = [
        f"{risk.label}: {risk.sessions:,} sessions of {risk.hands} hands, in {unit}",
        _row("mean of a hand", _shown(risk.mean_hand)),
        _row("standard deviation of a session", f"{_shown(risk.sd)}  ({risk.sd_hand:,.1f} for one hand)"),
        _row("ahead after a session", _shown(risk.ahead, 100, " %")),
        _row("mean exceeds spread (N0)", n0),
        _row("longest losing streak", f"{_shown(risk.streak_mean)} hands; 95 %: {risk.streak_95:.0f} or fewer;"),
    ]
    lines[-1] += f" longest seen {risk.streak_longest}"
    lines += [_row(f"{100 * p:g} % of sessions end at or below", _shown(q)) for p, q in risk.quantiles.items()]
    for bankroll, chance in risk.ruin.items():
        ever = f"; however long: {100 * risk.ruin_ever[bankroll]:.4g} %"
        lines.append(_row(f"bankroll {bankroll:,} lost in a session", _shown(chance, 100, " %") + ever))
    return "\n".join(lines)


def _row(name: str, text: str) -> str:
    return f"  {name:38}{text}"


def _shown(value: Estimate, factor: float = 1.0, unit: str = "") -> str:
    ends = [] if math.isnan(value.low) or value.low == value.high else [factor * value.low, factor * value.high]
    is_whole = not unit and all(end == round(end) for end in [factor * value.value, *ends] if math.isfinite(end))
    text, *interval = (f"{end:,.{0 if is_whole else 2}f}" for end in [factor * value.value, *ends])
    return f"{text}{unit}" + (f" [{', '.join(interval)}]" if interval else "")
