"""The ladder of bots: ``python -m analysis.ladder`` plays every bot against every other and writes a page.

Two seats of one bot and two of the other play each deal block four times, seats rotated; the block's mean points of a
seat of the first bot are one observation, so luck of the wall cancels and blocks are independent. By symmetry bot B's
points are those of A with the other sign. Intervals are normal ones over blocks.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from analysis.intervals import z_value
from sim.engine import Plan, Player
from sim.jit import CODE_HASH
from sim.patterns import INDEX
from sim.rules import Rules, load, names
from sim.schema import OUTCOMES, H, W

LADDER = ("random", "shanten", "ukeire", "value", "defend", "search", "oracle")
LEVEL = 0.99
# Deal blocks of four hands: of a pair, by its slower bot.
BLOCKS = {"search": 12, "oracle": 25, "defend": 1_000, "value": 1_000}
FAST_BLOCKS = 500
CLOSE = ({"value", "ukeire"}, {"value", "defend"})  # pairs that are near each other
CLOSE_BLOCKS = 5_000
SEARCH_RULES = ("jipinghu", "xinzhang", "guigang", "maima", "zhuama")  # where `search`, some 4 hands/s, is seated
_PART = 125
_FLUSHES = ("hunyise", "qingyise", "hunpeng", "qingpeng", "ziyise")


class Duel(NamedTuple):
    """Points for 100 hands of a seat of bot ``a`` against bot ``b``, with its interval."""

    rules: str
    a: str
    b: str
    mean: float
    half: float
    blocks: int
    hands_a_second: float


def variants() -> dict[str, Rules]:
    """Return every shipped rule set, and xinzhang with each minimum that its source names."""
    found = {name: load(name) for name in names()}
    return found | {f"xinzhang, {n} fan at least": load("xinzhang", {"win.min_fan": n}) for n in (1, 3)}


def block_points(rules: Rules, line_up: Sequence[str], n_blocks: int, seed: int, threads: int) -> NDArray[np.float64]:
    """Mean points a hand of a seat of the line-up's first two bots, by block."""
    first, second, third, fourth = line_up
    player = Player(Plan(rules, 4 * n_blocks, (first, second, third, fourth), seed, "duplicate"))
    columns = [H[f"points_{seat}"] for seat in range(4)]

    def part(start: int) -> NDArray[np.float64]:
        n = min(_PART, n_blocks - start)
        points = player.rows(start, n, 4).rows[:, columns].reshape(n, 4, 4)
        own = np.stack([points[:, k, k] + points[:, k, (k + 1) % 4] for k in range(4)])
        return np.asarray(own.mean(axis=0) / 2.0, np.float64)

    with ThreadPoolExecutor(threads) as workers:
        return np.concatenate(list(workers.map(part, range(0, n_blocks, _PART))))


def duel(name: str, rules: Rules, a: str, b: str, n_blocks: int, seed: int, threads: int) -> Duel:
    """Play two bots against each other."""
    block_points(rules, (a, a, b, b), 1, seed, 1)  # compiles
    start = time.process_time()
    points = 100 * block_points(rules, (a, a, b, b), n_blocks, seed, threads)
    seconds = time.process_time() - start
    half = z_value(LEVEL) * points.std(ddof=1) / np.sqrt(n_blocks)
    return Duel(name, a, b, float(points.mean()), float(half), n_blocks, 4 * n_blocks / seconds)


def sanity(rules: Rules, bot: str, n_tables: int, seed: int) -> dict[str, float]:
    """Shares that players would recognise, in hands of four equal bots."""
    played = Player(Plan(rules, 16 * n_tables, (bot,) * 4, seed, "session", 16)).rows(0, n_tables, 16)
    rows, wins = played.rows, np.concatenate([played.wins[i, :n] for i, n in enumerate(played.n_wins)])
    outcome = rows[:, H["outcome"]]
    kongs = rows[:, [H[f"gang_{kind}_{s}"] for kind in ("exposed", "added", "concealed") for s in range(4)]]
    flush = sum(1 << INDEX[slug] for slug in _FLUSHES)
    return {
        "washout": float(np.mean(outcome == OUTCOMES.index("washout"))),
        "deal_in": float(np.mean(outcome == OUTCOMES.index("dianpao"))) / 4,
        "win_turn": float(wins[:, W["win_turn"]].mean()),
        "kongs": float(kongs.sum() / len(rows)),
        "flush": float(np.mean(wins[:, W["patterns"]] & flush != 0)),
        "points": float(wins[:, W["points"]].mean()),
    }


def play(name: str, rules: Rules, bots: Sequence[str], scale: float, seed: int, threads: int) -> list[Duel]:
    """Play the ladder of one rule set; ``scale`` multiplies the numbers of blocks."""
    duels = []
    for a, b in combinations(bots, 2):
        if "search" in (a, b) and (name not in SEARCH_RULES or not {a, b} & {"value", "ukeire"}):
            continue
        blocks = min((n for bot, n in BLOCKS.items() if bot in (a, b)), default=FAST_BLOCKS)
        blocks = CLOSE_BLOCKS if {a, b} in CLOSE else blocks
        duels.append(duel(name, rules, b, a, max(int(blocks * scale), 2), seed, threads))
        d = duels[-1]
        print(f"{name}: {d.a} against {d.b} {d.mean:+.1f} +- {d.half:.1f} ({4 * d.blocks} hands)", flush=True)
    return duels


def page(duels: Sequence[Duel], checks: dict[str, dict[str, dict[str, float]]], facts: dict[str, Any]) -> str:
    """Write the page in Markdown."""
    lines = [
        "# The ladder of bots",
        "",
        f"Written by `python -m analysis.ladder`; code {facts['code']}, seed {facts['seed']}. Points for 100 hands of"
        f" one seat of the row's bot, two of it against two of the column's, {LEVEL:.0%} intervals over deal blocks.",
        "`oracle` sees the wall and all hands and is a bound, not a player; `search` plays sampled worlds out.",
        "",
    ]
    for name in dict.fromkeys(d.rules for d in duels):
        mine = [d for d in duels if d.rules == name]
        columns = [bot for bot in LADDER if any(d.b == bot for d in mine)]
        rows = [bot for bot in reversed(LADDER) if any(d.a == bot for d in mine)]
        lines += [f"## {name}", "", f"| | {' | '.join(columns)} |", f"|---{'|---' * len(columns)}|"]
        found = {(d.a, d.b): f"{d.mean:+.1f} ± {d.half:.1f}" for d in mine}
        lines += [f"| {a} | {' | '.join(found.get((a, b), '') for b in columns)} |" for a in rows]
        lines += ["", f"Hands: {', '.join(f'{d.a} - {d.b} {4 * d.blocks:,}' for d in mine)}.", ""]
    lines += [
        "## What four equal bots look like",
        "",
        "Washouts and deal-ins (of a seat) as shares of hands, the winner's discards at the win, kongs a hand, share of"
        " flushes (one suit, or one suit and honours) among wins, mean points of a win (one share).",
        "",
        "| rule set | bot | washouts | deal-in | win turn | kongs | flushes | points |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for name, bots in checks.items():
        for bot, x in bots.items():
            lines.append(
                f"| {name} | {bot} | {x['washout']:.1%} | {x['deal_in']:.1%} | {x['win_turn']:.1f} | {x['kongs']:.2f}"
                f" | {x['flush']:.1%} | {x['points']:.1f} |"
            )
    return "\n".join([*lines, "", *NOTES, ""])


NOTES = (
    "No published counts of Guangdong games were found. The nearest public figures are of other games: on"
    " ilovemahj.com (American rules, people and bots, https://ilovemahj.com/mah-jongg-statistics2) 10.1 % of hands end"
    " without a winner, and East wins 24.3 % against 21.9 % for the others.",
)


def main() -> None:
    """Play the ladder and write ``reports/ladder.md`` and ``reports/ladder.json``."""
    parser = argparse.ArgumentParser(prog="python -m analysis.ladder", description=__doc__)
    parser.add_argument("--bots", default=",".join(LADDER), help="which bots (default: all of the ladder)")
    parser.add_argument("--rules", nargs="*", help="which rule sets (default: all, as named on the page)")
    parser.add_argument("--resume", action="store_true", help="keep the rule sets that ladder.json has already")
    parser.add_argument("--scale", type=float, default=1.0, help="multiplies the number of deal blocks (default 1)")
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--out", type=Path, default=Path("reports"), help="folder of the page (default reports)")
    args = parser.parse_args()
    chosen = {name: rules for name, rules in variants().items() if not args.rules or name in args.rules}
    duels: list[Duel] = []
    checks: dict[str, dict[str, dict[str, float]]] = {}
    facts = {"code": CODE_HASH, "seed": args.seed}
    file = args.out / "ladder.json"
    if args.resume and file.exists():
        record = json.loads(file.read_text(encoding="utf-8"))
        if record["facts"] == facts:
            duels, checks = [Duel(**d) for d in record["duels"]], record["sanity"]
    for name, rules in chosen.items():
        if name in checks:
            continue
        duels += play(name, rules, tuple(args.bots.split(",")), args.scale, args.seed, args.threads)
        checks[name] = {bot: sanity(rules, bot, 250, args.seed) for bot in ("ukeire", "value", "defend")}
        # Written after each rule set, so that nothing is lost.
        record = {"facts": facts, "duels": [d._asdict() for d in duels], "sanity": checks}
        file.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
        (args.out / "ladder.md").write_text(page(duels, checks, facts), encoding="utf-8")


if __name__ == "__main__":
    main()
