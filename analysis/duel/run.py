"""Plays two bots against each other: two seats each, every wall from both seatings, until something says to stop.

On each wall A sits at places 0 and 2 and B at 1 and 3, then the other way round. What the wall gives to a seat thus
goes to both; of the seatings of two and two this pair has the least variance for each hand (measured: 1.1 to 1.5 times
less than all six, ten times less than one seating for bots that differ in one discard of a hundred).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import special

from analysis import saved, sequence
from analysis.luck import LuckTable, pilot
from analysis.moments import Moments
from analysis.sequence import Look, Target
from analysis.sprt import MIN_EVENTS, MIN_UNITS, Sprt
from sim.jit import CODE_HASH
from sim.rules import Rules
from sim.trial import F
from sim.trials import Facts, LineUp, Piece, Trial, TrialPlayer, play_in_order, sees_wall

MEASURES = ("points", "win_rate")
# Columns of a wall: both measures; points with the luck of the draws, then also that of the horses; each seating's.
_POINTS, _WINS, _UNADJUSTED, _DRAWN, _FIRST, _SECOND = range(6)
_N_COLUMNS = 6
_BEST_SHARE = 1 / 8  # of the planned walls, at which a confidence sequence is narrowest
_BEST_OF_TESTS = 4 * MIN_UNITS  # walls at which it is narrowest beside a sequential test, which stops early
_ROUNDING = 1e-9
# Walls on which both seatings moved the same points tell nothing; an interval takes more than these that do not.
FEW_EVENTS = 10


class Goal(NamedTuple):
    """When to stop before the planned hands are played."""

    sprt: Sprt | None = None
    targets: tuple[Target, ...] = ()


NO_GOAL = Goal()


@dataclass(frozen=True)
class Duel:
    """A minus B, for each seat and hand.

    ``low`` and ``high`` are the limits of ``mean``, NaN where at most ten walls tell the bots apart; ``worth`` is how
    many hands of one seating on independent walls a hand here counts for, the product of ``by_seatings``,
    ``by_horses`` (their mean in place of what was drawn) and ``by_luck``. ``mean_unadjusted`` is the mean without luck
    adjustment, ``seat_walls`` whether each seat drew from a wall of its own, ``luck`` the provenance of its table.
    """

    rules: str
    a: str
    b: str
    mean: float
    low: float
    high: float
    p: float
    sd: float  # of a wall
    win_rate: float
    win_rate_low: float
    win_rate_high: float
    hands: int
    blocks: int
    differing_blocks: int
    worth: float
    by_seatings: float
    by_horses: float
    by_luck: float
    mean_unadjusted: float
    seat_walls: bool
    luck: dict[str, Any] | None
    llr: float
    decision: str
    stop: str

    def __str__(self) -> str:
        from analysis.duel.text import describe

        return describe((self.a, self.b), (self,))

    __repr__ = __str__

    def _repr_html_(self) -> str:
        from analysis.api.look import duel_html

        return duel_html(self)

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain data; what is unknown is None."""
        return {k: None if isinstance(v, float) and not math.isfinite(v) else v for k, v in asdict(self).items()}


def seatings(a: str, b: str) -> tuple[LineUp, LineUp]:
    """Both alternating line-ups."""
    return (a, b, a, b), (b, a, b, a)


class DuelSums:
    """Moments of the walls' differences, and how many walls tell the bots apart."""

    def __init__(self, table: LuckTable | None = None) -> None:
        self.table = table
        self.moments = Moments.zero(_N_COLUMNS)
        self.n_differ = 0
        self.r = 0.0  # of the confidence sequence, fixed when the run begins

    def add(self, piece: Piece) -> None:
        """Count more walls, each with two seatings and one rule set."""
        units = differences(piece.facts, self.table.of(piece.luck[:, :, 0]) if self.table else None)
        self.n_differ += int((np.abs(units[:, _UNADJUSTED]) > _ROUNDING).sum())
        self.moments.add(units)

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        return {"moments": self.moments.to_dict(), "n_differ": self.n_differ, "r": self.r}

    def load(self, data: dict[str, Any]) -> None:
        """Take over what `to_dict` gave."""
        self.moments, self.n_differ, self.r = Moments.from_dict(data["moments"]), data["n_differ"], data["r"]

    def look(self, measure: str, alpha: float) -> Look:
        """Return one measure as it is watched."""
        column = MEASURES.index(measure)
        n = self.moments.n
        sd = math.sqrt(max(self.moments.covariance()[column, column], 0.0)) if n > 1 else math.inf
        half = sequence.half_width(sd, n, self.r, alpha)
        return Look(float(self.moments.mean[column]), sd, n, self.n_differ, half)


def differences(facts: Facts, luck: Facts | None = None) -> NDArray[np.float64]:
    """Columns of each wall, A minus B; ``luck`` are the points that luck brought, (walls, 2, 4)."""
    sides = np.array([[1, -1, 1, -1], [-1, 1, -1, 1]]) / 2
    means = facts[:, :, 0, F["mean_0"] : F["mean_0"] + 4]
    points = facts[:, :, 0, F["points_0"] : F["points_0"] + 4]
    winners = facts[:, :, 0, F["winners"]].astype(np.int64)
    won = (winners[:, :, None] >> np.arange(4)) & 1
    single = (points * sides).sum(axis=2)
    adjusted = means if luck is None else means - luck
    both = [(part * sides).sum(axis=2).mean(axis=1) for part in (adjusted, won, means, points)]
    return np.column_stack([*both, single])


def duel(
    a: str,
    b: str,
    rules: Rules,
    *,
    hands: int = 200_000,
    seed: int = 1,
    threads: int = 1,
    goal: Goal = NO_GOAL,
    level: float = 0.95,
    adjust_luck: bool = True,
    seat_walls: bool = True,
    save: Path | None = None,
    progress: Callable[[int, str], None] | None = None,
) -> Duel:
    """Play A against B.

    Parameters
    ----------
    hands
        Planned hands, with a goal the most; rounded up to whole walls of two hands.
    goal
        A sequential test, precisions, or none. With a goal the interval is a confidence sequence.
    level
        Of the interval.
    adjust_luck
        Whether to take off what lucky draws brought, by a table fitted on a pilot (`analysis.luck`). Not done where
        a bot sees the wall.
    seat_walls
        Whether each seat draws from its own part of the wall (`sim.trials.Trial`).
    save
        File that keeps the sums; a run with the same facts goes on from it.
    progress
        Called with the hands done since its last call and a word on how it stands.

    Raises
    ------
    analysis.saved.SavedError
        When the file is of another run.
    """
    trial = Trial((rules,), seatings(a, b), seed, seat_walls=seat_walls)
    has_luck = adjust_luck and a != b and not sees_wall(trial.line_ups)
    table = pilot(rules, trial.line_ups, seed, seat_walls=seat_walls) if has_luck else None
    player = TrialPlayer(trial, with_luck=has_luck)
    n_walls = -(-hands // 2)
    sums, alpha = DuelSums(table), 1 - level
    key = {"kind": "duel", "bots": [a, b], "rules": rules.digest(), "seed": seed, "code": CODE_HASH}
    key |= {"seat_walls": trial.has_seat_walls, "luck": table.digest if table else None}
    best = _BEST_OF_TESTS if goal.sprt else max(n_walls * _BEST_SHARE, sequence.MIN_UNITS)
    sums.r = sequence.rho(best, alpha)
    file = saved.Saved(save, key)
    if found := file.read():
        sums.load(found)
        if progress:
            progress(2 * sums.moments.n, "")
    stop = _stop(sums, goal, alpha)
    try:
        left = max(n_walls - sums.moments.n, 0) if stop is None else 0
        for piece in play_in_order(player, sums.moments.n, left, threads):
            sums.add(piece)
            stop = _stop(sums, goal, alpha)
            if progress:
                progress(2 * len(piece.facts), describe(sums, goal, alpha))
            if stop:
                break
            file.write_sometimes(sums.to_dict)
    finally:
        file.write(sums.to_dict())
    return _result(a, b, trial, sums, goal, stop, alpha)


def _stop(sums: DuelSums, goal: Goal, alpha: float) -> str | None:
    """Why to stop now; None to go on."""
    if goal.sprt and sums.moments.n > 1:
        decision = _decision(sums, goal)
        if decision:
            mean = goal.sprt.d0 if decision == "d0" else goal.sprt.d1
            return f"the test took {mean:g} ({decision}), log-likelihood ratio {_llr(sums, goal):+.2f}"
    if goal.targets:
        looks = {target.measure: sums.look(target.measure, alpha) for target in goal.targets if sums.moments.n > 1}
        if looks and sequence.reached(goal.targets, looks):
            return "precision reached: " + _halves(looks)
    return None


def _decision(sums: DuelSums, goal: Goal) -> str | None:
    """Return what the test takes; None before enough walls told the bots apart, or while it goes on."""
    if goal.sprt is None or sums.n_differ < MIN_EVENTS:
        return None
    look = sums.look("points", 0.05)
    return goal.sprt.decision(look.value, look.sd, look.n)


def _llr(sums: DuelSums, goal: Goal) -> float:
    if goal.sprt is None or sums.moments.n < 2:
        return math.nan
    look = sums.look("points", 0.05)
    return goal.sprt.llr(look.value, look.sd, look.n)


def _halves(looks: dict[str, Look]) -> str:
    return ", ".join(f"halfwidth({name}) {look.half:.3g}" for name, look in looks.items())


def describe(sums: DuelSums, goal: Goal, alpha: float) -> str:
    """Return how a duel stands, in a few words."""
    look = sums.look("points", alpha)
    if goal.sprt:
        low, high = goal.sprt.bounds
        return f"{look.value:+.3f}, LLR {_llr(sums, goal):+.2f} in ({low:.2f}, {high:.2f})"
    return f"{look.value:+.3f} ± {look.half:.3f}"


def _factor(before: float, after: float) -> float:
    return float(before / after) if after > 0 else math.nan


def _result(a: str, b: str, trial: Trial, sums: DuelSums, goal: Goal, stop: str | None, alpha: float) -> Duel:
    watched = goal.sprt is not None or bool(goal.targets)
    halves = []
    for measure in MEASURES:
        look = sums.look(measure, alpha)
        fixed = float(special.stdtrit(max(look.n - 1, 1), 1 - alpha / 2)) * look.sd / math.sqrt(look.n)
        half = look.half if watched else fixed
        halves.append((look, half if sums.n_differ > FEW_EVENTS else math.nan))
    (points, half), (wins, half_wins) = halves
    se = points.sd / math.sqrt(points.n)
    if watched:
        p = sequence.p_value(points.value, points.sd, points.n, sums.r)
    else:
        p = float(2 * special.stdtr(max(points.n - 1, 1), -abs(points.value) / se)) if se else math.nan
    variance = np.diag(sums.moments.covariance())
    single = float(variance[_FIRST:].mean()) / 2  # two seatings on walls of their own
    reason = stop or "all planned hands were played"
    if watched and stop is None:
        looks = {target.measure: sums.look(target.measure, alpha) for target in goal.targets}
        reason += " before a decision" if goal.sprt else sequence.shortfall(goal.targets, looks)
    if sums.n_differ == 0:
        reason += "; no wall told the bots apart"
    return Duel(
        rules=trial.rules[0].slug,
        a=a,
        b=b,
        mean=points.value,
        low=points.value - half,
        high=points.value + half,
        p=p,
        sd=points.sd,
        win_rate=wins.value,
        win_rate_low=wins.value - half_wins,
        win_rate_high=wins.value + half_wins,
        hands=2 * points.n,
        blocks=points.n,
        differing_blocks=sums.n_differ,
        worth=_factor(single, variance[_POINTS]),
        by_seatings=_factor(single, variance[_DRAWN]),
        by_horses=_factor(variance[_DRAWN], variance[_UNADJUSTED]),
        by_luck=_factor(variance[_UNADJUSTED], variance[_POINTS]),
        mean_unadjusted=float(sums.moments.mean[_UNADJUSTED]),
        seat_walls=trial.has_seat_walls,
        luck=sums.table.to_dict() if sums.table else None,
        llr=_llr(sums, goal),
        decision=_decision(sums, goal) or "",
        stop=reason,
    )
