"""What each way to reduce variance gains, for the same hands and for the same CPU time.

``python -m analysis.techniques FILE`` measures and writes a Markdown table. Two questions, under two rule sets each:
what a switch does to the dealer's net points, and how many points one bot wins from another. *Plain* is what anybody
would do first: two independent runs with horses as they are drawn; two bots in alternating seats, each wall once.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from analysis import deal_need, luck
from analysis.compare import luck as comparing
from analysis.compare.measures import C
from analysis.duel.run import differences, seatings
from sim import tables
from sim.rules import Rules, load
from sim.trial import F
from sim.trials import LineUp, Trial, TrialPlayer

Floats = NDArray[np.float64]

HANDS = 40_000
_REPEATS = 5  # of each timing
_TIMED_HANDS = 4_000
UKEIRE: LineUp = ("ukeire",) * 4
SWITCHES = (
    ("maima", "kong.concealed", 4),
    ("maima", "horses.origin", "dealer"),
    ("maima", "patterns.seven_pairs.value", 32),
    ("maima", "ghost.mode", "none"),
    ("jipinghu", "patterns.pengpeng.value", 3),
    ("jipinghu", "scoring.cap", 4),
    ("jipinghu", "play.chi", False),
)
PAIRS = (("ukeire", "slip"), ("ukeire", "shanten"))


class Gain(NamedTuple):
    """One technique: how many plain hands one hand counts for, and one CPU second how many plain seconds."""

    question: str
    technique: str
    per_hand: float
    per_second: float


class _Way(NamedTuple):
    """One way to answer: variance of the answer from one hand's worth of play, and its cost."""

    technique: str
    variance: float  # times hands played, all arms counted
    seconds: float  # CPU time of a hand played


def _seconds(players: list[TrialPlayer], plays: list[int]) -> list[float]:
    """CPU seconds of a hand played, median of several turns of each player."""
    for player in players:
        player.play(0, 2)
    found: list[list[float]] = [[] for _ in players]
    for _ in range(_REPEATS):
        for times, player, n in zip(found, players, plays, strict=True):
            n_tables = _TIMED_HANDS // player.trial.table_hands
            start = time.process_time()
            player.play(0, n_tables)
            times.append((time.process_time() - start) / (n_tables * player.trial.table_hands * n))
    return [float(np.median(times)) for times in found]


def _gains(question: str, ways: list[_Way]) -> list[Gain]:
    plain = ways[0]
    return [
        Gain(
            question,
            way.technique,
            plain.variance / way.variance if way.variance else math.inf,
            plain.variance * plain.seconds / (way.variance * way.seconds) if way.variance else math.inf,
        )
        for way in ways
    ]


def _dealers(facts: Floats, name: str) -> Floats:
    """Dealer's value of a column of seats, float64 (walls, arms)."""
    dealer = facts[..., F["dealer"]].astype(np.int64)
    return np.take_along_axis(facts[..., F[name] : F[name] + 4], dealer[..., None], -1)[..., 0]


def switch(rules: Rules, other: Rules, question: str, seed: int = 5) -> list[Gain]:
    """Gains for the effect of one switch on the dealer's net points."""
    both = TrialPlayer(Trial((rules, other), (UKEIRE,), seed))
    alone = TrialPlayer(Trial((rules,), (UKEIRE,), seed))
    own = Trial((rules, other), (UKEIRE,), seed, seat_walls=True)
    n_plays = len(both.trial.groups)
    lucky = TrialPlayer(own, with_luck=n_plays > 1)
    seconds, single, slowest = _seconds([both, alone, lucky], [n_plays, 1, n_plays])
    facts = both.play(0, HANDS).facts[:, 0]
    drawn, mean = _dealers(facts, "points_0"), _dealers(facts, "mean_0")
    independent = 2 * (drawn[:, 0].var() + drawn[:, 1].var())
    ways = [
        _Way("plain", independent, single),
        _Way("mean of the horses alone", 2 * (mean[:, 0].var() + mean[:, 1].var()), single),
        _Way("deal's strata alone", 2 * (_stratified(facts, drawn, 0) + _stratified(facts, drawn, 1)), single),
        _Way("common walls alone", 2 * (drawn[:, 1] - drawn[:, 0]).var(), single),
    ]
    if n_plays == 1:
        ways.append(_Way("settled from one play (walls are common then)", (drawn[:, 1] - drawn[:, 0]).var(), seconds))
        ways.append(_Way("all that compare does", (mean[:, 1] - mean[:, 0]).var(), seconds))
        return _gains(question, ways)
    piece = lucky.play(0, HANDS)
    by_hand = piece.facts[:, 0]
    off = comparing.pilot(own).of(piece)[:, 0, :, C["dealer_mean"]]
    apart = np.diff(_dealers(by_hand, "mean_0"))[:, 0]
    ways += [
        _Way("seats' own walls alone", 2 * np.diff(_dealers(by_hand, "points_0")).var(), single),
        _Way("seats' own walls, mean of the horses", 2 * apart.var(), single),
        _Way("all that compare does", 2 * (apart - np.diff(off)[:, 0]).var(), slowest),
    ]
    return _gains(question, ways)


def _stratified(facts: Floats, values: Floats, arm: int) -> float:
    """Variance of a hand after post-stratification on the dealer's need; plain where the deck is not the full one."""
    needs = _dealers(facts, "need_0")[:, arm].astype(np.int64)
    chances = deal_need.shares(tables.load(), 13, 3, True)
    return deal_need.poststratified(values[:, arm], needs, chances)[1] ** 2 * len(needs)


def bots(rules: Rules, a: str, b: str, question: str, seed: int = 5) -> list[Gain]:
    """Gains for the difference of two bots."""
    line_ups = seatings(a, b)
    table, shared_table = luck.pilot(rules, line_ups, seed), luck.pilot(rules, line_ups, seed, seat_walls=False)
    plain = TrialPlayer(Trial((rules,), line_ups[:1], seed))
    turned = TrialPlayer(Trial((rules,), line_ups, seed))
    shared = TrialPlayer(Trial((rules,), line_ups, seed), with_luck=True)
    lucky = TrialPlayer(Trial((rules,), line_ups, seed, seat_walls=True), with_luck=True)
    one, two, three, four = _seconds([plain, turned, shared, lucky], [1, 1, 1, 1])
    piece = shared.play(0, HANDS // 2)
    luck_there = shared_table.of(piece.luck[:, :, 0])
    units, adjusted = differences(piece.facts), differences(piece.facts, luck_there)
    own = lucky.play(0, HANDS // 2)
    own_units, own_adjusted = differences(own.facts), differences(own.facts, table.of(own.luck[:, :, 0]))
    sides = np.array([1, -1, 1, -1]) / 2
    means = piece.facts[:, 0, 0, F["mean_0"] : F["mean_0"] + 4]
    drawn = piece.facts[:, 0, 0, F["points_0"] : F["points_0"] + 4]
    off = luck_there[:, 0]
    ways = [
        _Way("plain", float((drawn @ sides).var()), one),
        _Way("mean of the horses alone", float((means @ sides).var()), one),
        _Way("luck taken off alone", float(((drawn - off) @ sides).var()), one * three / two),
        _Way("both seatings alone", 2 * float(units[:, 3].var()), two),
        _Way("both seatings, mean of the horses", 2 * float(units[:, 2].var()), two),
        _Way("both seatings, mean of the horses, luck taken off", 2 * float(adjusted[:, 0].var()), three),
        _Way("both seatings, seats' own walls", 2 * float(own_units[:, 3].var()), two),
        _Way("both seatings, seats' own walls, mean of the horses", 2 * float(own_units[:, 2].var()), two),
        _Way("all that duel does", 2 * float(own_adjusted[:, 0].var()), four),
    ]
    return _gains(question, ways)


def measure(progress: Callable[[str], None] = lambda _: None) -> list[Gain]:
    """Measure everything."""
    gains = []
    for variant, path, value in SWITCHES:
        question = f"{variant}, {path} = {value}: dealer's net points"
        progress(question)
        gains += switch(load(variant), load(variant, {path: value}), question)
    for variant in ("maima", "jipinghu"):
        for a, b in PAIRS:
            question = f"{variant}, {a} - {b}: points of a seat"
            progress(question)
            gains += bots(load(variant), a, b, question)
    return gains


def document(gains: list[Gain]) -> str:
    """Return the table as Markdown."""
    lines = [
        "# What each technique gains",
        "",
        f"Made by `python -m analysis.techniques`: {HANDS:,} hands for each question, one core. A number says how many",
        "hands (CPU seconds) of the plain way one hand (second) counts for. What is marked *alone* is added to the",
        "plain way by itself; the last line of each question is what the command does.",
    ]
    for question in dict.fromkeys(gain.question for gain in gains):
        lines += ["", f"**{question}**", "", "| technique | a hand counts for | a CPU second for |", "|---|---:|---:|"]
        for gain in gains:
            if gain.question == question:
                lines.append(f"| {gain.technique} | {_number(gain.per_hand)} | {_number(gain.per_second)} |")
    return "\n".join(lines) + "\n"


def _number(value: float) -> str:
    if math.isinf(value):
        return "any number"
    return f"{value:,.0f}" if value >= 10 else f"{value:.2f}"


def main() -> None:
    """Measure, and write the file that the command line names."""
    parser = argparse.ArgumentParser(prog="python -m analysis.techniques", description=__doc__.split("\n")[0])
    parser.add_argument("file", metavar="FILE", type=Path, help="the Markdown table that is written")
    file = parser.parse_args().file
    if not file.parent.is_dir():
        parser.error(f"{file.parent}: no such folder")
    file.write_text(document(measure(lambda text: print(text, file=sys.stderr))), encoding="utf-8")


if __name__ == "__main__":
    main()
