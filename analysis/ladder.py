"""The ladder of bots: ``python -m analysis.ladder`` plays every bot against every other and writes a page.

Each pair is a duel (`analysis.duel`): two seats of one bot and two of the other, both seatings on each wall, luck
taken off unless `search` sits there, which is too slow for a pilot. A pair's number is what a seat of A has more than
a seat of B: twice what A wins, since points sum to 0.
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Sequence
from itertools import combinations, product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from analysis.arguments import count, folder, number, one_of
from analysis.checks import MAX_SEED, MAX_THREADS
from analysis.duel.run import duel
from sim.engine import Plan, Player
from sim.jit import CODE_HASH
from sim.patterns import INDEX
from sim.rules import Rules, load, names
from sim.schema import OUTCOMES, H, W

LADDER = ("random", "shanten", "ukeire", "value", "defend", "search", "oracle")
LEVEL = 0.99
# Hands of a pair, by its slower bot, and of pairs that are near each other.
HANDS = {"search": 192, "oracle": 200}
OTHER_HANDS = 8_000
CLOSE_HANDS = {frozenset(("value", "ukeire")): 40_000, frozenset(("value", "defend")): 400_000}
SEARCH_RULES = ("jipinghu", "xinzhang", "guigang", "maima", "zhuama")  # where `search`, some 4 hands/s, is seated
# Times as many hands of `value` and `defend`, where a fold gains least beside what hands differ by.
FINE = {"maima": 2.5, "xinzhang": 10, "koukoufan": 10}
_FLUSHES = ("hunyise", "qingyise", "hunpeng", "qingpeng", "ziyise")


class Pair(NamedTuple):
    """Points in 100 hands of a seat of bot ``a`` less those of one of ``b``, with limits, NaN where they play alike."""

    rules: str
    a: str
    b: str
    mean: float
    low: float
    high: float
    hands: int
    code: str  # hash of the code that played it


def variants() -> dict[str, Rules]:
    """Return every shipped rule set, and xinzhang with each minimum that its source names."""
    found = {name: load(name) for name in names()}
    return found | {f"xinzhang, {n} fan at least": load("xinzhang", {"win.min_fan": n}) for n in (1, 3)}


def pair(name: str, rules: Rules, a: str, b: str, hands: int, seed: int, threads: int) -> Pair:
    """Play two bots against each other."""
    found = duel(a, b, rules, hands=hands, seed=seed, threads=threads, level=LEVEL, adjust_luck="search" not in (a, b))
    return Pair(name, a, b, 100 * found.mean, 100 * found.low, 100 * found.high, found.hands, CODE_HASH)


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


def play(
    name: str, rules: Rules, bots: Sequence[str], kept: Sequence[Pair], scale: float, seed: int, threads: int
) -> list[Pair]:
    """Play the pairs of one rule set that are not ``kept``; ``scale`` multiplies the numbers of hands."""
    pairs = []
    for b, a in combinations(bots, 2):
        if any({a, b} == {found.a, found.b} for found in kept):
            continue
        if "search" in (a, b) and (name not in SEARCH_RULES or not {a, b} & {"value", "ukeire"}):
            continue
        usual = min((n for bot, n in HANDS.items() if bot in (a, b)), default=OTHER_HANDS)
        are_alike = {a, b} == {"value", "defend"} and "dianpao" not in rules.win.ways
        fine = FINE.get(name, 1) if {a, b} == {"value", "defend"} else 1
        hands = int(scale * fine * (usual if are_alike else CLOSE_HANDS.get(frozenset((a, b)), usual)))
        pairs.append(pair(name, rules, a, b, max(hands, 8), seed, threads))
        print(f"{name}: {a} against {b} {_points(pairs[-1])} ({pairs[-1].hands:,} hands)", flush=True)
    return pairs


def _points(found: Pair) -> str:
    return f"{found.mean:+.1f}" + ("" if math.isnan(found.low) else f" [{found.low:+.1f}, {found.high:+.1f}]")


def page(
    pairs: Sequence[Pair],
    checks: dict[str, dict[str, dict[str, float]]],
    facts: dict[str, Any],
) -> str:
    """Write the page in Markdown."""
    lines = [
        "# The ladder of bots",
        "",
        f"Written by `python -m analysis.ladder`; seed {facts['seed']}. Points in 100 hands"
        f" of a seat of the row's bot less those of a seat of the column's, two of each at the table, both seatings on"
        f" each wall, luck taken off (but for `search`), with {LEVEL:.0%} intervals over walls,"
        " none where the bots scored differently on at most ten.",
        "`oracle` sees the wall and all hands and is a bound, not a player; `search` plays sampled worlds out.",
        "",
    ]
    for name in dict.fromkeys(found.rules for found in pairs):
        mine = [found for found in pairs if found.rules == name]
        columns = [bot for bot in LADDER if any(found.b == bot for found in mine)]
        rows = [bot for bot in reversed(LADDER) if any(found.a == bot for found in mine)]
        lines += [f"## {name}", "", f"| | {' | '.join(columns)} |", f"|---{'|---' * len(columns)}|"]
        shown = {(found.a, found.b): _points(found) for found in mine}
        lines += [f"| {a} | {' | '.join(shown.get((a, b), '') for b in columns)} |" for a in rows]
        lines.append("")
        for code in dict.fromkeys(found.code for found in mine):
            hands = ", ".join(f"{found.a} - {found.b} {found.hands:,}" for found in mine if found.code == code)
            lines += [f"Hands played by code {code}: {hands}.", ""]
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
    known = variants()
    parser.add_argument(
        "--bots", nargs="+", type=one_of(LADDER), default=LADDER, metavar="BOT", help="which bots (default: all)"
    )
    parser.add_argument(
        "--rules",
        nargs="+",
        type=one_of(known),
        default=list(known),
        metavar="NAME",
        help="rule sets (default: all); the page keeps the others as they were played",
    )
    parser.add_argument(
        "--again",
        nargs="+",
        type=one_of(LADDER),
        metavar="BOT",
        help="play the pairs with one of these bots again, and what is missing; the page keeps the others as they were"
        " played (default: all)",
    )
    parser.add_argument("--resume", action="store_true", help="keep also pairs that the present code has played")
    parser.add_argument(
        "--scale", type=number(0.001, 1_000), default=1.0, help="multiplies the numbers of hands (default 1)"
    )
    parser.add_argument("--seed", type=count(0, MAX_SEED), default=2026)
    parser.add_argument("--threads", type=count(1, MAX_THREADS), default=2)
    parser.add_argument("--out", type=folder, default=Path("reports"), help="folder of the page (default reports)")
    args = parser.parse_args()
    chosen = {name: rules for name, rules in known.items() if name in args.rules}
    bots = [bot for bot in LADDER if bot in args.bots]
    again = {*(args.again or bots)}
    if not again <= {*bots}:
        parser.error(f"--again: {', '.join(sorted(again - {*bots}))} not among --bots")
    pairs: list[Pair] = []
    checks: dict[str, dict[str, dict[str, float]]] = {}
    facts = {"seed": args.seed, "bots": bots, "scale": args.scale}
    file = args.out / "ladder.json"
    if file.exists():
        record = json.loads(file.read_text(encoding="utf-8"))
        if record["facts"] == facts:
            pairs = [Pair(**found) for found in record["pairs"] if found["rules"] in known]
            checks = record["sanity"]
        elif args.again:
            parser.error(f"--again: {file} was played with {json.dumps(record['facts'])}, not {json.dumps(facts)}")
    order = {(name, frozenset(bots)): i for i, (name, bots) in enumerate(product(known, combinations(LADDER, 2)))}
    for name, rules in chosen.items():
        old = [found for found in pairs if found.rules == name]
        stay = [p for p in old if not {p.a, p.b} & again or (args.resume and p.code == CODE_HASH)]
        new = play(name, rules, bots, stay, args.scale, args.seed, args.threads)
        if not new:
            continue
        pairs = [found for found in pairs if found.rules != name] + stay + new
        pairs.sort(key=lambda found: order[found.rules, frozenset((found.a, found.b))])
        checks[name] = {bot: sanity(rules, bot, 250, args.seed) for bot in ("ukeire", "value", "defend")}
        checks = {name: checks[name] for name in known if name in checks}
        # Written after each rule set, so that nothing is lost.
        record = {"facts": facts, "pairs": [found._asdict() for found in pairs], "sanity": checks}
        file.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
        (args.out / "ladder.md").write_text(page(pairs, checks, facts), encoding="utf-8")


if __name__ == "__main__":
    main()
