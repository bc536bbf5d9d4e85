"""How afraid ``defend`` should be: ``python -m analysis.fit_danger`` measures its tables anew and scans its weights.

Who is ready and what ready seats win on are frequencies in hands of four `value` bots, as in `analysis.fit_bots`. How
much the cost of feeding a win counts is scanned for the end of a hand first, then for its middle, then for its
beginning, in duels with `value` on common walls, luck taken off, over the rule sets of the family in which discards can
lose. Taken is the candidate that gains most over no fear in that part, less one standard error: early fear changes many
discards for little, so that its gains are the least sure. The whole gain is then measured again on other walls.
Nothing but what `defend` fears changes, so that `value` plays as before.
"""

from __future__ import annotations

import argparse
import tomllib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from analysis import luck
from analysis.arguments import count, one_of
from analysis.checks import MAX_SEED, MAX_THREADS
from analysis.duel.run import differences, seatings
from analysis.fit_bots import MEMBERS, Weights, measure, scale_of, write
from sim import weights
from sim.flags import DEFEND_WEIGHTS
from sim.jit import CODE_HASH
from sim.policy.weights import FEARS, MEASURED, NAMES
from sim.rules import Rules, load
from sim.trials import Trial, TrialPlayer, play_in_order

CANDIDATES = (16, 32, 64, 96)
Floats = NDArray[np.float64]
_OF_PLANS = ("chance", "half")
_LINE_UPS = seatings("defend", "value")
_FRESH_SEED = 1_000  # added to the seed for the walls of the last measurement


def gains(members: Sequence[Rules], defend: Weights, seed: int, n_walls: int, threads: int) -> list[Floats]:
    """Gains of a seat of ``defend`` on ``value`` by rule set and wall, in standard deviations of a hand's points."""
    found = []
    for rules in members:
        table = luck.pilot(rules, _LINE_UPS, seed)
        player = TrialPlayer(Trial((rules,), _LINE_UPS, seed, seat_walls=True), with_luck=True)
        columns = weights.columns(defend)
        player.flags[0][:, DEFEND_WEIGHTS, : len(columns)] = columns
        pieces = list(play_in_order(player, 0, n_walls, threads))
        points = [differences(piece.facts, table.of(piece.luck[:, :, 0]))[:, 0] for piece in pieces]
        found.append(np.concatenate(points) / scale_of(rules))
    return found


def mean_and_error(found: Sequence[Floats]) -> tuple[float, float]:
    """Mean of the rule sets' means, and its standard error."""
    variances = [x.var(ddof=1) / len(x) for x in found]
    return float(np.mean([x.mean() for x in found])), float(np.sqrt(np.sum(variances)) / len(found))


def fit(
    family: str,
    old: dict[str, Weights],
    candidates: Sequence[int],
    n_walls: int,
    n_hands: int,
    seed: int,
    threads: int,
    parts: Sequence[str] = FEARS,
) -> dict[str, Weights]:
    """Return the family's weights with new ones of what `defend` fears; without hands the measured tables stay.

    Of a hand's ``parts`` that are not named the weights stay too.
    """
    members = [load(name, overrides) for name, overrides in MEMBERS[family]]
    measured, source = {}, "measured tables kept"
    if n_hands:
        tables = measure(members, old["value"], n_hands, seed)
        measured = {name: tables[name] for name in MEASURED if name not in _OF_PLANS}
        source = f"{n_hands} hands measured of each rule set"
    value, defend = old["value"] | measured, old["defend"] | measured | dict.fromkeys(parts, 0)
    feared = [rules for rules in members if "dianpao" in rules.win.ways]
    if not feared:
        return {"value": value, "defend": defend | {"fitted": "as value: discards cannot lose"}}
    best = gains(feared, defend, seed, n_walls, threads)
    for part in [part for part in reversed(FEARS) if part in parts]:
        base, surest = best, 0.0
        for candidate in sorted(set(candidates) - {0}):
            tried = gains(feared, defend | {part: candidate}, seed, n_walls, threads)
            mean, error = mean_and_error([x - y for x, y in zip(tried, base, strict=True)])
            print(f"  {part} {candidate}: {mean:+.5f} (+-{error:.5f}) sd a hand more than none", flush=True)
            if mean - error > surest:
                surest, best, defend = mean - error, tried, defend | {part: candidate}
    mean, error = mean_and_error(gains(feared, defend, seed + _FRESH_SEED, n_walls, threads))
    taken = ", ".join(f"{part} {defend[part]}" for part in FEARS)
    print(f"  {taken} on other walls: {mean:+.5f} (+-{error:.5f}) sd a hand", flush=True)
    scanned = ", ".join(part for part in reversed(FEARS) if part in parts)
    scan = f"{scanned} of 0, {', '.join(map(str, candidates))}, seed {seed}, {n_walls} walls"
    own = [f"{name} {defend[name]} by fit_bots" for name in NAMES if name not in FEARS and defend[name] != value[name]]
    rest = ", ".join([*own, "else as value" if len(parts) == len(FEARS) else f"other parts: {old['defend']['fitted']}"])
    return {"value": value, "defend": defend | {"fitted": f"{scan}, {source}, code {CODE_HASH}; {rest}"}}


def main() -> None:
    """Refit what `defend` fears in one family or all, and write the weights file."""
    parser = argparse.ArgumentParser(prog="python -m analysis.fit_danger", description=__doc__)
    parser.add_argument(
        "family", nargs="*", type=one_of(MEMBERS), default=list(MEMBERS), help=f"of {', '.join(MEMBERS)} (default: all)"
    )
    parser.add_argument(
        "--walls", type=count(100, 10**8), default=30_000, help="walls of each candidate, played twice (default 30,000)"
    )
    parser.add_argument(
        "--hands",
        type=count(0, 10**6),
        default=4_000,
        help="hands of each rule set that are measured (default 4,000; 0: the measured tables stay)",
    )
    parser.add_argument(
        "--candidates", type=count(0, 1_024), nargs="+", default=CANDIDATES, help="weights that are tried"
    )
    parser.add_argument(
        "--parts", nargs="+", choices=FEARS, default=FEARS, help="parts of a hand whose weight is fitted (default: all)"
    )
    parser.add_argument("--seed", type=count(0, MAX_SEED), default=1)
    parser.add_argument("--threads", type=count(1, MAX_THREADS), default=2)
    args = parser.parse_args()
    for family in args.family:
        print(family, flush=True)
        families = tomllib.loads(weights.FILE.read_text(encoding="utf-8"))["family"]
        families[family] = fit(
            family, families[family], args.candidates, args.walls, args.hands, args.seed, args.threads, args.parts
        )
        write(families)


if __name__ == "__main__":
    main()
