"""A comparison as text: one block for each switch, one line for each measure."""

from __future__ import annotations

import math

from analysis.compare.effects import FEW_EVENTS, Effect
from analysis.compare.measures import MEASURES, RATES
from analysis.compare.run import Comparison
from analysis.labels import counting

_HEAD = f"  {'':41}{'base':>11}{'effect':>11}   {'95 % interval':<23}{'p':>8}{'worth':>9}"


def describe(result: Comparison) -> str:
    """Return the whole comparison."""
    kinds = dict(zip((arm.label for arm in result.arms), result.how, strict=True))
    blocks = [_title(result)]
    for contrast in result.contrasts:
        effects = [effect for effect in result.effects if effect.contrast == contrast.label]
        how = sorted({kinds[result.arms[arm].label] for arm in contrast.weights if arm} or {"base"})
        lines = [f"{contrast.label}  ({', '.join(how)}; base: {result.arms[contrast.base].label})", _HEAD]
        blocks.append("\n".join([*lines, *map(_line, effects)]))
    blocks.append(_notes(result))
    return "\n\n".join(blocks)


def _title(result: Comparison) -> str:
    trial = result.trial
    bots = trial.line_ups[0]
    who = f"4 x {bots[0]}" if len(set(bots)) == 1 else ", ".join(bots)
    walls = counting(result.n_tables, "wall" if trial.mode == "duplicate" else "table")
    hands = f"{counting(result.n_hands, 'hand')} on {walls}"
    if len(trial.groups) > 1:
        hands += f", played {len(trial.groups)} times"
    return f"{result.arms[0].label}: {who}, {result.policy} policy; {hands}, seed {trial.seed}\n{result.stop}"


def _line(effect: Effect) -> str:
    rate = effect.measure in RATES
    name = f"  {effect.measure:14}{MEASURES[effect.measure].meaning:27}{number(effect.base, rate):>11}"
    if effect.is_exact:
        return f"{name}{'unchanged':>11}"
    if effect.n_events == 0:
        return f"{name}{difference(0.0, rate):>11}   the same in every table"
    shown = f"{name}{difference(effect.effect, rate):>11}"
    if math.isnan(effect.low):
        return f"{shown}   differs in {counting(effect.n_events, 'table')} only, too few to tell"
    interval = f"[{difference(effect.low, rate)}, {difference(effect.high, rate)}]"
    p = "<1e-9" if effect.p < 1e-9 else f"{effect.p:.2g}"
    luck = f"   luck x {effect.by_luck:.1f}" if effect.by_luck != 1 else ""
    return f"{shown}   {interval:<23}{p:>8}{worth(effect.worth):>9}{luck}"


def number(value: float, is_rate: bool, sign: str = "") -> str:
    """Return a value with three digits that count; rates in per cent."""
    if math.isnan(value):
        return "-"
    if is_rate:
        return f"{100 * value:{sign}.2f} %"
    digits = 1 if abs(value) >= 1000 else 2 if abs(value) >= 100 else 3
    return f"{value:{sign},.{digits}f}"


def difference(value: float, is_rate: bool) -> str:
    """Return a difference; that of two rates in percentage points."""
    return number(value, is_rate, "+").replace(" %", " pp")


def worth(value: float) -> str:
    """Return how many plain hands one hand counts for."""
    if not math.isfinite(value):
        return "-"
    return f"{value:,.0f}" if value >= 10 else f"{value:.1f}"


def _notes(result: Comparison) -> str:
    how = "confidence sequences, which hold whenever one stops" if result.targets else "max-T over all effects"
    walls = (
        "Every seat draws from its own part of the wall" if result.trial.has_seat_walls else "One wall for all seats"
    )
    if result.luck:
        walls += "; the luck of the draws is taken off (luck x: its part in worth)"
    lines = (
        f"{walls}.\nIntervals hold for all effects together ({how}); p after Holm.\n"
        "worth: how many hands of plain, independent runs one hand played here counts for.\n"
        "re-scored: the base's play settled under other prices; re-simulated: played anew on the same walls."
    )
    has_few = any(e.n_events > 0 and not e.is_exact and math.isnan(e.low) for e in result.effects)
    return lines + (f"\nNo interval: at most {FEW_EVENTS} tables differ." if has_few else "")
