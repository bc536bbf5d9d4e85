"""How many hands a duel takes, from a short pilot."""

from __future__ import annotations

from typing import NamedTuple

from analysis import planner
from analysis.duel.run import duel
from analysis.sprt import Sprt
from sim.rules import Rules

POWER, ALPHA = 0.9, 0.05


class DuelPlan(NamedTuple):
    """Hands that a duel takes to know A minus B to a half-width, or to find a difference of that size."""

    rules: str
    a: str
    b: str
    points: float  # half-width, or difference to find
    pilot_hands: int
    sd: float  # of a wall in the pilot, of two hands
    mean: float  # in the pilot
    interval: int  # fixed 95 % interval
    sequence: int  # confidence sequence, may be watched
    power: int  # fixed test of level 5 % that finds it 9 times in 10
    sprt: int  # test of 0 against it, error rates 5 % and 10 %, on average where it is true


def plan(
    a: str,
    b: str,
    rules: Rules,
    points: float,
    *,
    hands: int,
    seed: int,
    threads: int,
    adjust_luck: bool = True,
    seat_walls: bool = True,
) -> DuelPlan:
    """Play a pilot and plan; a pilot in which nothing differs plans nothing (zeros)."""
    pilot = duel(a, b, rules, hands=hands, seed=seed, threads=threads, adjust_luck=adjust_luck, seat_walls=seat_walls)
    if pilot.sd == 0:
        return DuelPlan(rules.slug, a, b, points, pilot.hands, 0.0, pilot.mean, 0, 0, 0, 0)
    test = Sprt(0.0, points, ALPHA, 1 - POWER)
    return DuelPlan(
        rules.slug,
        a,
        b,
        points,
        pilot.hands,
        pilot.sd,
        pilot.mean,
        2 * planner.for_half_width(pilot.sd, points),
        2 * planner.for_sequence(pilot.sd, points),
        2 * planner.for_power(pilot.sd, points, ALPHA, POWER),
        2 * round(test.expected_units(points, pilot.sd)),
    )
