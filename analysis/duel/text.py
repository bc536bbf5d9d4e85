"""Duels as text: what each pair came to, and a matrix where there are more than two bots."""

from __future__ import annotations

import math
from collections.abc import Sequence

from analysis.compare.text import worth
from analysis.duel.plan import DuelPlan
from analysis.duel.run import Duel


def describe(bots: Sequence[str], duels: Sequence[Duel]) -> str:
    """Return the duels of one rule set."""
    walls = "every seat draws from its own part of the wall" if duels[0].seat_walls else "one wall for all seats"
    lines = [f"{duels[0].rules}: first minus second, points of a seat in a hand; walls from both seatings, {walls}"]
    lines += [_line(duel) for duel in duels]
    if len(bots) > 2:
        lines += ["", *_matrix(bots, duels)]
    return "\n".join(lines)


def _line(duel: Duel) -> str:
    who = f"  {duel.a} - {duel.b}"
    if math.isnan(duel.low):
        few = f"{duel.differing_blocks:,} of {duel.blocks:,} walls tell them apart"
        return f"{who}: {duel.mean:+.3f}; {few}; {duel.hands:,} hands. {duel.stop}"
    interval = f"[{duel.low:+.3f}, {duel.high:+.3f}]"
    wins = f"win rate {100 * duel.win_rate:+.2f} pp [{100 * duel.win_rate_low:+.2f}, {100 * duel.win_rate_high:+.2f}]"
    p = "<1e-9" if duel.p < 1e-9 else f"{duel.p:.2g}"
    return (
        f"{who}: {duel.mean:+.3f} {interval}, p {p}; {wins}; {duel.hands:,} hands,"
        f" each worth {worth(duel.worth)} plain ones ({gains(duel)}). {duel.stop}"
    )


def gains(duel: Duel) -> str:
    """Return what each technique multiplies the worth of a hand by."""
    parts = {"both seatings": duel.by_seatings, "mean of horses": duel.by_horses, "luck taken off": duel.by_luck}
    return ", ".join(f"{name} x {factor:.1f}" for name, factor in parts.items() if abs(factor - 1) > 1e-9)


def _matrix(bots: Sequence[str], duels: Sequence[Duel]) -> list[str]:
    """Points for 100 hands that the bot of the row wins from the bot of the column."""
    value = {(duel.a, duel.b): duel.mean for duel in duels} | {(duel.b, duel.a): -duel.mean for duel in duels}
    width = max(10, *(len(bot) + 2 for bot in bots))
    lines = ["points for 100 hands, row minus column", " " * width + "".join(f"{bot:>{width}}" for bot in bots)]
    for row in bots:
        cells = ["-" if row == column else f"{100 * value[row, column]:+.1f}" for column in bots]
        lines.append(f"{row:<{width}}" + "".join(f"{cell:>{width}}" for cell in cells))
    return lines


def describe_plan(plan: DuelPlan) -> str:
    """Return the hands that a duel takes."""
    who = f"{plan.rules} {plan.a} - {plan.b}"
    if plan.sd == 0:
        return f"{who}: in {plan.pilot_hands:,} hands nothing differed"
    return (
        f"{who} (pilot of {plan.pilot_hands:,} hands: {plan.mean:+.3f}, sd of a wall {plan.sd:.2f})\n"
        f"  interval of ±{plan.points:g}: {plan.interval:,} hands; when watched: {plan.sequence:,}\n"
        f"  to find a difference of {plan.points:g} nine times in ten: {plan.power:,} hands; --sprt 0 {plan.points:g}"
        f" 0.05 0.1: {plan.sprt:,} on average if it is true"
    )
