"""Fit the weights of the bots ``value`` and ``defend`` by self-play: ``python -m analysis.fit_bots``.

Two kinds of weights, for each family of rule sets (`sim.weights.family`). *Measured* ones are frequencies in hands of
four `value` bots: the chance to win by need, stage and acceptance; who is ready; what ready seats win on. *Fitted*
ones are found by search: a candidate, one seat against three of the best so far on common walls with seats rotated,
replaces it when it gains more than one standard error, and then more than two on three times as many fresh walls.
"""

from __future__ import annotations

import argparse
import time
import tomllib
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analysis.arguments import count, number, one_of
from analysis.checks import MAX_SEED
from sim import weights
from sim.engine import Plan, Player
from sim.flags import DEFEND_WEIGHTS, VALUE_WEIGHTS
from sim.jit import CODE_HASH
from sim.measure import (
    AGAIN,
    INSIDE,
    N_PLAN_COLUMNS,
    OUTSIDE,
    P_ACCEPTANCE,
    P_LEFT,
    P_NEED,
    P_NUMBER,
    P_SEAT,
    PLAIN,
    paid,
    replay,
)
from sim.policy.danger import suspected_kinds, tells
from sim.policy.outlook import SCALE
from sim.policy.weights import (
    CHANCE_UNIT,
    FEARS,
    MAX_PRICE,
    MEASURED,
    N_AIMS,
    N_CLASSES,
    N_KEPT,
    N_NEAR,
    N_NEEDS,
    N_PRICES,
    N_STAGES,
    N_UNSEEN,
    N_WHILES,
    NAMES,
    PUNGS_AIM,
    UNIT,
)
from sim.rules import Rules, load
from sim.schema import OUTCOMES, H
from sim.state import CHAIR, DEALER, GAME, REPEAT, ROUND_WIND, new_state
from sim.tables import load as load_tables

Weights = dict[str, Any]
# The rule sets that each family's weights are fitted on. Families that were one before, ``sum`` with ``dear`` and
# ``quick``, ``fan`` with ``steep_fan``, and the two of a minimum, still have the plans and chances that were fitted on
# all of theirs together; the two of fan also the tables of who is ready, of waits and prices.
MEMBERS: dict[str, tuple[tuple[str, dict[str, Any]], ...]] = {
    "flat": (("zhuama", {}), ("jiandan", {})),
    "draw": (("tuidaohu", {}), ("app-tuidaohu", {}), ("app-hongzhong", {})),
    "multiplied": (("koukoufan", {}),),
    "minimum": (("xinzhang", {"win.min_fan": 1}),),
    "high_minimum": (("xinzhang", {"win.min_fan": 3}),),
    "fan": (("jipinghu", {}), ("app-jihu", {})),
    "steep_fan": (("xinzhang", {}), ("guigang", {})),
    "sum": (("huapai", {}),),
    "dear": (("maima", {}),),
    "quick": (("app-100", {}),),
}
_HALVES = (1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40)
_LEAST_CASES = 30
_PRIOR_CASES = 20  # what the cells beside a cell count for in its share; chosen, not fitted
_START: dict[str, int] = {
    "discards": 154,
    "suit": 18,
    "pure": 26,
    "pungs": 40,
    "pairs": 20,
    "peng": 128,
    "relief": 32,
    "mix": 16,
    "margin": 4,
    "back": 16,
    "kong": 72,
    "claim": 70,
    "early": 0,
    "middle": 0,
    "late": 0,
}
_MOST = {"margin": 6, "mix": 64, "back": 64}


def set_weights(player: Player, row: int, given: Weights) -> None:
    """Put weights into a player's rule array."""
    player.rules[row, : len(weights.columns(given))] = weights.columns(given)


def _points(player: Player, first: int, n_blocks: int) -> NDArray[np.float64]:
    """Points a hand of the line-up's first bot, by block, from its four rotations."""
    rows = player.rows(first, n_blocks, 4).rows
    points = rows[:, [H[f"points_{seat}"] for seat in range(4)]].reshape(n_blocks, 4, 4)
    return np.asarray(np.stack([points[:, k, k] for k in range(4)]).mean(axis=0), np.float64)


def gain(
    members: Sequence[Rules], candidate: Weights, best: Weights, names: tuple[str, str], seed: int, n_blocks: int
) -> tuple[float, float]:
    """Mean gain of one candidate among three of the best, in standard deviations of a hand's points, and its error."""
    rows = {"value": VALUE_WEIGHTS, "defend": DEFEND_WEIGHTS}
    means, variances = [], []
    for rules in members:
        player = Player(Plan(rules, 4 * n_blocks, (names[0], *[names[1]] * 3), seed, "duplicate"))
        set_weights(player, rows[names[0]], candidate)
        set_weights(player, rows[names[1]], best)
        with ThreadPoolExecutor(2) as workers:
            parts = workers.map(lambda i, p=player: _points(p, i, 250), range(0, n_blocks, 250))
            values = np.concatenate(list(parts))
        scale = scale_of(rules)
        means.append(values.mean() / scale)
        variances.append(values.var(ddof=1) / len(values) / scale**2)
    return float(np.mean(means)), float(np.sqrt(np.sum(variances)) / len(means))


_SCALES: dict[str, float] = {}


def scale_of(rules: Rules) -> float:
    """Return the standard deviation of a seat's points in a hand of four ``ukeire`` bots."""
    key = rules.model_dump_json()
    if key not in _SCALES:
        rows = Player(Plan(rules, 2_000, ("ukeire",) * 4, 7)).rows(0, 31, 64).rows
        _SCALES[key] = float(rows[:, H["points_0"]].std())
    return _SCALES[key]


def _collect(rules: Rules, best: Weights, n_hands: int, seed: int) -> tuple[NDArray[np.int64], ...]:
    """Replay hands of four ``value`` bots: plans with whether they won; counts of ready seats, waits, aims; prices."""
    player = Player(Plan(rules, n_hands, ("value",) * 4, seed, "session", 1))
    set_weights(player, VALUE_WEIGHTS, best)
    set_weights(player, DEFEND_WEIGHTS, best)
    tables, s, trace = load_tables(), new_state(), np.zeros((1024, 4), np.int64)
    plans = np.zeros((160 * n_hands, N_PLAN_COLUMNS), np.int64)
    won = np.zeros(160 * n_hands, np.int64)
    ready = np.zeros((5 * N_WHILES * N_KEPT, 2), np.int64)
    waits = np.zeros((4, N_CLASSES * N_UNSEEN * N_NEAR, 2), np.int64)
    aims, prices = np.zeros((N_AIMS, 2), np.int64), np.zeros((N_PRICES, 2), np.int64)
    n = 0
    for table in range(n_hands):
        played = player.rows(table, 1, 1, trace)
        row = played.rows[0]
        s[GAME, DEALER] = s[GAME, CHAIR] = row[H["dealer"]]
        s[GAME, ROUND_WIND] = s[GAME, REPEAT] = 0
        m = replay(s, player.rules, tables, trace, len(played.trace), plans[n:], ready, waits, aims)
        won[n : n + m] = (row[H["winners"]] >> plans[n : n + m, P_SEAT]) & 1
        n += m
        if OUTCOMES[row[H["outcome"]]] == "dianpao":
            for seat in range(4):
                if (row[H["winners"]] >> seat) & 1:
                    told = int(tells(s, seat, suspected_kinds(s, seat)))
                    prices[told] += paid(s, player.rules, seat, row[H["from_seat"]], row[H["win_tile"]])
    return plans[:n], won[:n], ready, waits, aims, prices


def _chances(plans: NDArray[np.int64], won: NDArray[np.int64], best: Weights) -> tuple[NDArray[np.float64], list[int]]:
    """Chance by need and stage if any tile helped, and the acceptance that halves it, by maximum likelihood."""
    row = weights.columns(best)
    scale = row[SCALE].prod(axis=1)[plans[:, P_NUMBER]] / UNIT**2
    need = np.clip(plans[:, P_NEED], 1, None)
    narrow = scale ** (need - 1)
    place, stage = np.minimum(need, N_NEEDS), np.minimum(plans[:, P_LEFT] // 8, N_STAGES - 1)
    chance, halves = np.zeros((N_NEEDS, N_STAGES)), [6.0] * N_NEEDS
    for i in range(N_NEEDS):
        chosen = (place == i + 1) & (plans[:, P_ACCEPTANCE] > 0)
        a, at, y = plans[chosen, P_ACCEPTANCE], stage[chosen], won[chosen]
        least = np.inf
        for half in _HALVES if len(y) > _LEAST_CASES else ():
            factor = a / (a + half) * narrow[chosen]
            cases = np.bincount(at, minlength=N_STAGES)
            found = np.bincount(at, y, N_STAGES) / np.maximum(np.bincount(at, factor, N_STAGES), 1e-9)
            p = np.clip(found[at] * factor, 1e-6, 1 - 1e-6)
            loss = -float(np.sum(np.where(y == 1, np.log(p), np.log(1 - p))))
            if loss < least:
                least, halves[i] = loss, float(half)
                chance[i] = np.where(cases > _LEAST_CASES, found, 0.0)
        usual = chance[i - 1] * 0.4 if i else np.full(N_STAGES, 0.05)
        chance[i] = np.maximum.accumulate(np.where(chance[i] > 0, chance[i], usual))
        if i:
            chance[i] = np.minimum(chance[i], chance[i - 1] * 0.95)
    return chance, [int(half * UNIT) for half in halves]


def _rates(counts: NDArray[np.int64], n: int, n_rows: int = 0) -> NDArray[np.float64]:
    """Shares of cells, drawn to that of their group of ``n`` neighbours where they have few cases.

    Where groups stand in ``n_rows`` and shares grow along and down them, a group of few cases is drawn to those before.
    """
    groups = counts.reshape(-1, n, 2)
    cases, hits = groups.sum(axis=1).T
    usual = (hits + 0.1) / (cases + 1.0)
    width = len(usual) // n_rows if n_rows else 0
    for i in np.flatnonzero(cases < _LEAST_CASES).tolist() if n_rows else ():
        before = [usual[i - width]] * (i >= width) + [usual[i - 1]] * (i % width > 0)
        usual[i] = (hits[i] + _PRIOR_CASES * max(before, default=0.1)) / (cases[i] + _PRIOR_CASES)
    shares = (groups[:, :, 1] + _PRIOR_CASES * usual[:, None]) / (groups[:, :, 0] + _PRIOR_CASES)
    return np.asarray(shares.reshape(-1), np.float64)


def measure(members: Sequence[Rules], best: Weights, n_hands: int, seed: int) -> Weights:
    """Return the best weights with their measured part taken from new hands."""
    parts = [_collect(rules, best, n_hands, seed) for rules in members]
    chance, half = _chances(np.concatenate([p[0] for p in parts]), np.concatenate([p[1] for p in parts]), best)
    ready, waits, aims = (np.sum([p[i] for p in parts], axis=0) for i in (2, 3, 4))
    told = np.concatenate([_rates(aims[:PUNGS_AIM], 1, 1), _rates(aims[PUNGS_AIM:], 1)])
    found = best | {"aims": (told * CHANCE_UNIT).round().astype(int).tolist()}
    # Prices beside these aims, in the same hands. Rule sets of a family have their own stakes: the mean of the ratios.
    paid_and_told = [p for p in (_collect(rules, found, n_hands, seed)[5] for rules in members) if p.any()]
    ratios = [(p[:, 0] + 1) * CHANCE_UNIT / (p[:, 1] + CHANCE_UNIT) for p in paid_and_told] or [np.ones(N_PRICES)]
    is_ready = _rates(ready, N_KEPT, 5)
    wins = _rates(waits[PLAIN], N_NEAR)
    factors = [
        int(np.clip(UNIT * (waits[what, :, 1].sum() + 1) / ((waits[what, :, 0] * wins).sum() + 1), 1, 512))
        for what in (AGAIN, INSIDE, OUTSIDE)
    ]
    return found | {
        "chance": np.clip((chance * CHANCE_UNIT).round(), 1, 8 * CHANCE_UNIT).astype(int).tolist(),
        "half": half,
        "ready": (is_ready * CHANCE_UNIT).round().astype(int).reshape(5, N_WHILES * N_KEPT).tolist(),
        "wait": (wins * CHANCE_UNIT).round().astype(int).reshape(N_CLASSES, N_UNSEEN * N_NEAR).tolist(),
        "factors": factors,
        "prices": np.clip(UNIT * np.mean(ratios, axis=0), 1, MAX_PRICE).round().astype(int).tolist(),
    }


def _propose(best: Weights, names: Sequence[str], rng: np.random.Generator) -> Weights:
    """Return a copy in which one to three of the named weights are changed at random."""
    candidate = dict(best)
    for name in rng.choice(names, rng.integers(1, 4), replace=False):
        if name == "margin":
            value = best[name] + int(rng.choice([-1, 1]))
        else:
            width = 0.06 if name in ("claim", "kong") else 0.3
            value = round(max(best[name], 4) * float(np.exp(rng.normal(0.0, width)))) + int(rng.integers(-1, 2))
        candidate[name] = int(np.clip(value, 0, _MOST.get(name, 1024)))
    return candidate


def improve(
    members: Sequence[Rules], best: Weights, names: Sequence[str], bot: str, seconds: float, n_blocks: int, seed: int
) -> tuple[Weights, int, int]:
    """Search for better weights for some time; return them, the candidates tried and those taken."""
    rng = np.random.default_rng(seed)
    end = time.monotonic() + seconds
    line_up = ("defend", "value") if bot == "value" else ("value", "defend")
    tried = taken = 0
    while time.monotonic() < end:
        candidate = _propose(best, names, rng)
        tried += 1
        for n in (n_blocks, 3 * n_blocks):
            mean, error = gain(members, candidate, best, line_up, int(rng.integers(1 << 40)), n)
            if mean <= (1.0 if n == n_blocks else 2.0) * error or error == 0.0:
                break
        else:
            best, taken = candidate, taken + 1
            changed = {name: best[name] for name in names}
            print(f"  {bot}: +{mean:.4f} (+-{error:.4f}) sd a hand: {changed}", flush=True)
    return best, tried, taken


def write(families: dict[str, dict[str, Weights]]) -> None:
    """Write the weights file."""
    lines = [
        "# Weights of the bots value and defend, by family of rule sets; sim/policy/weights.py says what each means.",
        "# Written by `python -m analysis.fit_bots` and `fit_danger`, never by hand, which name members and seeds.",
        "",
    ]
    for family, bots in families.items():
        for bot, given in bots.items():
            lines.append(f"[family.{family}.{bot}]")
            for name, value in given.items():
                if isinstance(value, list) and isinstance(value[0], list):
                    lines += [f"{name} = [", *(f"  {row}," for row in value), "]"]
                else:
                    text = f'"{value}"' if isinstance(value, str) else value
                    lines.append(f"{name} = {text}")
            lines.append("")
    weights.FILE.write_text("\n".join(lines), encoding="utf-8")


def fit(
    family: str, old: dict[str, Weights], seconds: float, n_blocks: int, n_hands: int, seed: int
) -> dict[str, Weights]:
    """Measure and search in turns, ``value`` first, then ``defend`` among three of itself."""
    members = [load(name, overrides) for name, overrides in MEMBERS[family]]
    measured = {name: old["value"][name] for name in MEASURED}
    best: Weights = {name: old["value"].get(name, _START[name]) for name in NAMES} | measured | dict.fromkeys(FEARS, 0)
    names = [name for name in NAMES if (name not in FEARS and family != "flat") or name in ("kong", "claim", "relief")]
    tried = taken = 0
    for turn in range(2):
        best = measure(members, best, n_hands, seed + turn)
        best, n, m = improve(members, best, names, "value", seconds / 2, n_blocks, seed + 10 + turn)
        tried, taken = tried + n, taken + m
    note = f"seed {seed}, {tried} candidates, {taken} taken, code {CODE_HASH}"
    defend = best | {name: old["defend"][name] or 32 for name in FEARS}
    note_defend = "as value: discards cannot lose"
    if any("dianpao" in rules.win.ways for rules in members):
        defend, n, m = improve(members, defend, [*FEARS, "back", "claim"], "defend", seconds / 2, n_blocks, seed + 20)
        note_defend = f"seed {seed}, {n} candidates, {m} taken, code {CODE_HASH}"
    return {"value": best | {"fitted": note}, "defend": defend | {"fitted": note_defend}}


def main() -> None:
    """Refit one family or all, and write the weights file."""
    parser = argparse.ArgumentParser(prog="python -m analysis.fit_bots", description=__doc__)
    parser.add_argument(
        "family", nargs="*", type=one_of(MEMBERS), default=list(MEMBERS), help=f"of {', '.join(MEMBERS)} (default: all)"
    )
    parser.add_argument(
        "--seconds", type=number(1, 1e6), default=600.0, help="search for each family and bot (default 600)"
    )
    parser.add_argument(
        "--blocks", type=count(2, 10**7), default=1_000, help="deal blocks of a candidate's first trial"
    )
    parser.add_argument(
        "--hands", type=count(1, 10**6), default=10_000, help="hands of each rule set that are measured"
    )
    parser.add_argument("--seed", type=count(0, MAX_SEED), default=1)
    args = parser.parse_args()
    for family in args.family:
        print(family, flush=True)
        families = tomllib.loads(weights.FILE.read_text(encoding="utf-8"))["family"]
        families[family] = fit(family, families[family], args.seconds, args.blocks, args.hands, args.seed)
        write(families)


if __name__ == "__main__":
    main()
