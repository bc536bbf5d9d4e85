"""How often intervals hold the truth: runs drawn again and again from a population of real deal blocks.

The population's own value is the truth. ``python -m tests.verification.coverage FILE`` writes the table.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from analysis import estimate, sequence
from analysis.compare.arms import plan
from analysis.compare.effects import Effects
from analysis.compare.luck import pilot as pilot_of_arms
from analysis.compare.sums import Sums
from analysis.duel.run import Goal, differences, duel, seatings
from analysis.luck import pilot
from analysis.sprt import MIN_UNITS, Sprt
from sim.rules import load
from sim.trial import F
from sim.trials import Piece, Trial, TrialPlayer

Floats = NDArray[np.float64]
UKEIRE = ("ukeire",) * 4
N_POPULATION = 60_000
N_RUNS = 600


@dataclass(frozen=True)
class Row:
    """Coverage of one interval: runs whose interval held the truth, of ``n``."""

    interval: str
    what: str
    units: int
    covered: float
    n: int
    nominal: float = 0.95
    at_least: bool = False  # a guarantee, which may be exceeded

    @property
    def error(self) -> float:
        """Monte Carlo standard error at the nominal coverage."""
        return math.sqrt(self.nominal * (1 - self.nominal) / self.n)


@cache
def hands(variant: str) -> Floats:
    """Facts of the population, float64 (walls, N_FACTS)."""
    return TrialPlayer(Trial((load(variant),), (UKEIRE,), 77)).play(0, N_POPULATION).facts[:, 0, 0]


def _runs(n_units: int, seed: int, n_runs: int = N_RUNS) -> Iterator[NDArray[np.int64]]:
    rng = np.random.default_rng(seed)
    for _ in range(n_runs):
        yield rng.integers(0, N_POPULATION, n_units)


def _estimated(
    values: tuple[Floats, Floats], n_units: int, estimator: Callable[[pl.LazyFrame], pl.LazyFrame], seed: int
) -> float:
    """Share of runs in which the interval of sum y / sum x holds the population's."""
    y, x = values
    truth = y.sum() / x.sum()
    held = 0
    for chosen in _runs(n_units, seed):
        frame = pl.LazyFrame({"table": np.arange(n_units), "y": y[chosen], "x": x[chosen]})
        sums = estimate.sums(frame, {"v": (pl.col("y").sum(), pl.col("x").sum())})
        row = estimator(sums).collect().row(0, named=True)
        held += row["low"] is not None and row["low"] <= truth <= row["high"]
    return held / N_RUNS


def logs() -> list[Row]:
    """Intervals of reports: means, rates, frequencies, skewed means."""
    rows = []
    for variant in ("maima", "jipinghu"):
        f = hands(variant)
        dealer = f[:, F["dealer"]].astype(int)
        points = f[:, F["points_0"] : F["points_0"] + 4]
        net = np.take_along_axis(points, dealer[:, None], 1)[:, 0]
        one = np.ones(len(f))
        dealt = ((f[:, F["winners"]].astype(int) >> dealer) & 1).astype(float)
        rare = (f[:, F["turns"]] > np.quantile(f[:, F["turns"]], 0.998)).astype(float)
        wins, paid = f[:, F["n_wins"]], f[:, F["win_points"]]
        squares = (points**2).sum(axis=1)
        for name, what, values, n, estimator in (
            ("t over clusters", "dealer's net points", (net, one), 4_000, estimate.means),
            ("t over clusters", "points of a win (ratio)", (paid, wins), 4_000, estimate.means),
            ("Wilson, design effect", "dealer's wins", (dealt, one), 4_000, estimate.rates),
            ("Clopper-Pearson", "a rare event, some 4 a run", (rare, one), 2_000, estimate.rates),
            ("Wilson, design effect", "a rare event, some 20 a run", (rare, one), 10_000, estimate.rates),
            ("Poisson score", "wins for each hand", (wins, one), 4_000, estimate.frequencies),
            ("Hall's skewed t", "mean square of points", (squares, 4 * one), 60_000, estimate.skewed_means),
        ):
            covered = _estimated(values, n, estimator, 5)
            at_least = name == "Clopper-Pearson"
            rows.append(Row(name, f"{variant}: {what}", n, covered, N_RUNS, at_least=at_least))
    return rows


def effects() -> list[Row]:
    """Intervals of comparisons that hold together, single ones beside them."""
    rows = []
    toggles = {
        "maima": ["kong.concealed=4", "patterns.seven_pairs.value=32", "horses.origin=dealer", "ghost=none"],
        "jipinghu": ["scoring.cap=4", "patterns.pengpeng.value=3", "play.chi=false"],
    }
    for variant, chosen in toggles.items():
        arms, contrasts = plan(variant, [], chosen, {})
        trial = Trial(tuple(arm.rules for arm in arms), (UKEIRE,), 78, seat_walls=True)
        piece, tables = TrialPlayer(trial, with_luck=True).play(0, N_POPULATION), pilot_of_arms(trial)
        whole = Sums(len(arms), contrasts, 1, tables)
        whole.add(piece)
        truth = Effects(whole, contrasts, trial.groups, False)
        together, single, n_single = 0, 0, 0
        n_units, n_runs = 5_000, 300
        for picked in _runs(n_units, 6, n_runs):
            sums = Sums(len(arms), contrasts, 1, tables)
            sums.add(Piece(0, piece.facts[picked], piece.luck[picked]))
            found = Effects(sums, contrasts, trial.groups, False)
            ends = found.at_the_end()
            known = [i for i, e in enumerate(ends) if not math.isnan(e.low)]
            together += all(ends[i].low <= truth.value[i] <= ends[i].high for i in known)
            single += sum(abs(ends[i].effect - truth.value[i]) <= 1.959964 * ends[i].se for i in known)
            n_single += len(known)
        rows.append(
            Row("max-T, all effects together", f"{variant}: {len(chosen)} switches", n_units, together / n_runs, n_runs)
        )
        rows.append(Row("each effect alone", f"{variant}: the same", n_units, single / n_single, n_runs))
    return rows


@cache
def duel_units(variant: str, adjusted: bool) -> Floats:
    """Differences of ukeire and slip on the population's walls."""
    rules, line_ups = load(variant), seatings("ukeire", "slip")
    piece = TrialPlayer(Trial((rules,), line_ups, 79, seat_walls=True), with_luck=adjusted).play(0, N_POPULATION)
    units = differences(piece.facts, pilot(rules, line_ups, 79).of(piece.luck[:, :, 0]) if adjusted else None)
    return np.ascontiguousarray(units[:, 0])


def duels() -> list[Row]:
    """Intervals of duels of a fixed length, and sequences that are watched all the time."""
    rows = []
    rng = np.random.default_rng(8)
    for variant in ("maima", "jipinghu"):
        for adjusted in (False, True):
            x = duel_units(variant, adjusted)
            truth, n_units, n_runs = x.mean(), 4_000, 2_000
            held = 0
            for _ in range(n_runs):
                y = x[rng.integers(0, len(x), n_units)]
                held += abs(y.mean() - truth) <= 1.9605 * y.std(ddof=1) / math.sqrt(n_units)
            name = "luck taken off" if adjusted else "plain"
            rows.append(Row("t over walls", f"{variant}: ukeire - slip, {name}", n_units, held / n_runs, n_runs))
        rows.append(
            Row(
                "sequence, every look",
                f"{variant}: ukeire - slip",
                40_000,
                watched(duel_units(variant, True)),
                600,
                at_least=True,
            )
        )
    f = hands("maima")
    net = np.take_along_axis(f[:, F["points_0"] : F["points_0"] + 4], f[:, F["dealer"]].astype(int)[:, None], 1)[:, 0]
    rows.append(Row("sequence, every look", "maima: dealer's net points", 40_000, watched(net), 600, at_least=True))
    return rows


def watched(x: Floats, n_runs: int = 600, most: int = 40_000) -> float:
    """Share of runs in which the sequence held the truth at each of 300 looks."""
    rng = np.random.default_rng(9)
    looks = np.unique(np.geomspace(sequence.MIN_UNITS, most, 300).astype(int))
    r = sequence.rho(most / 8, 0.05)
    truth, held = x.mean(), 0
    for _ in range(n_runs):
        y = x[rng.integers(0, len(x), most)]
        mean = (y.cumsum() / np.arange(1, most + 1))[looks - 1]
        square = ((y * y).cumsum() / np.arange(1, most + 1))[looks - 1]
        sd = np.sqrt(np.maximum(square - mean**2, 0))
        half = np.array([sequence.half_width(s, int(n), r) for s, n in zip(sd, looks, strict=True)])
        held += bool((np.abs(mean - truth) <= half).all())
    return held / n_runs


@dataclass(frozen=True)
class ErrorRow:
    """Error rate of a sequential test on real walls."""

    what: str
    allowed: float
    wrong: float
    undecided: float
    hands: float  # on average
    n: int


def sequential_tests(n_tests: int) -> list[ErrorRow]:
    """False alarms and misses of the sequential test: ukeire and slip, shifted to a mean of 0 and of ``d1``."""
    rows = []
    for variant, d1 in (("maima", 0.3), ("jipinghu", 0.04)):
        x = duel_units(variant, True) - duel_units(variant, True).mean()
        test = Sprt(0.0, d1)
        for truth, wrong in ((0.0, "d1"), (d1, "d0")):
            decided = [_sprt(x + truth, test, seed) for seed in range(n_tests)]
            rows.append(
                ErrorRow(
                    f"{variant}: 0 against {d1}, truth {truth}",
                    0.05,
                    sum(d == wrong for d, _ in decided) / n_tests,
                    sum(d is None for d, _ in decided) / n_tests,
                    2 * float(np.mean([n for _, n in decided])),
                    n_tests,
                )
            )
    return rows


def _sprt(x: Floats, test: Sprt, seed: int, step: int = 1_024, most: int = 120_000) -> tuple[str | None, int]:
    rng = np.random.default_rng([10, seed])
    n, total, square = 0, 0.0, 0.0
    while n < most:
        y = x[rng.integers(0, len(x), step)]
        n, total, square = n + step, total + y.sum(), square + (y * y).sum()
        sd = math.sqrt(max(square / n - (total / n) ** 2, 0.0))
        if n >= MIN_UNITS and (decision := test.decision(total / n, sd, n)):
            return decision, n
    return None, n


def table() -> str:
    """Return the whole table as Markdown."""
    lines = ["| interval | of | units a run | coverage | nominal | runs |", "|---|---|---:|---:|---:|---:|"]
    for row in [*logs(), *effects(), *duels()]:
        nominal = f"{100 * row.nominal:.0f} %" + (" or more" if row.at_least else "")
        lines.append(
            f"| {row.interval} | {row.what} | {row.units:,} | {100 * row.covered:.1f} % ± {100 * row.error:.1f} |"
            f" {nominal} | {row.n:,} |"
        )
    lines += [
        "",
        "| sequential test | allowed | wrong | undecided | hands on average | tests |",
        "|---|---:|---:|---:|---:|---:|",
    ]
    for test in sequential_tests(1_000):
        lines.append(
            f"| {test.what} | {100 * test.allowed:.0f} % | {100 * test.wrong:.1f} % | {100 * test.undecided:.1f} % |"
            f" {test.hands:,.0f} | {test.n:,} |"
        )
    return "\n".join([*lines, "", *planted_flaws()]) + "\n"


def planted_flaws() -> list[str]:
    """How many hands it takes to find a bot that discards at random on 1 % of turns, and that a bot equals itself."""
    lines = ["| duel | points of a seat | test | took | hands |", "|---|---:|---|---|---:|"]
    for variant, d1 in (("maima", 0.3), ("jipinghu", 0.04)):
        for other in ("slip", "ukeire"):
            found = duel("ukeire", other, load(variant), hands=200_000, goal=Goal(Sprt(0.0, d1)))
            took = f"{found.stop.split(',')[0]}" if found.decision else "nothing: no wall told them apart"
            lines.append(
                f"| {variant}: ukeire - {other} | {found.mean:+.3f} | 0 against {d1}, 5 % and 5 % | {took} |"
                f" {found.hands:,} |"
            )
    return lines


def main() -> None:
    """Measure, and write the file that the command line names."""
    parser = argparse.ArgumentParser(prog="python -m tests.verification.coverage", description=__doc__.split("\n")[0])
    parser.add_argument("file", metavar="FILE", type=Path, help="the Markdown table that is written")
    file = parser.parse_args().file
    if not file.parent.is_dir():
        parser.error(f"{file.parent}: no such folder")
    file.write_text(table(), encoding="utf-8")


if __name__ == "__main__":
    main()
