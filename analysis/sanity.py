"""Do the hands look like mahjong: ``python -m analysis.sanity`` writes a page of what players would recognise.

Washouts, self-draws, deal-ins, turns, kongs and flushes of four equal bots in every rule set, from logs that this
command plays, beside figures that others have published of games that are not too far.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import polars as pl

from analysis import estimate
from analysis.arguments import count, one_of
from analysis.checks import MAX_HANDS, MAX_SEED
from analysis.scan import open_run
from sim.engine import Plan, simulate
from sim.jit import CODE_HASH
from sim.patterns import INDEX
from sim.policy import BOTS as NAMES
from sim.rules import Rules, load, names
from sim.schema import WASHOUT, ZIMO

BOTS = ("ukeire", "value", "defend")
HANDS = 16_384
TABLE_HANDS = 16
FULL, HALF = ("qingyise", "qingpeng"), ("hunyise", "hunpeng", "ziyise")
# Of each measure: how a table writes it, in percent or as a number with so many digits.
PERCENT, ONE_DIGIT, TWO_DIGITS = "percent", "one", "two"
MEASURES = {
    "washout": ("washouts, of hands", PERCENT),
    "zimo": ("by self-draw, of hands won", PERCENT),
    "deal_in": ("deal-in of a seat, of hands", PERCENT),
    "win_turn": ("winner's discards before the win", ONE_DIGIT),
    "draws": ("tiles drawn in a hand", ONE_DIGIT),
    "kongs": ("kongs in a hand", TWO_DIGITS),
    "half_flush": ("half flushes, of wins", PERCENT),
    "full_flush": ("full flushes, of wins", PERCENT),
    "dealer": ("won by the dealer, of hands", PERCENT),
    "shanten": ("mean shanten as dealt", TWO_DIGITS),
}


class Published(NamedTuple):
    """Figures of somebody else: game and players, hands counted, where, when it was read there, and the figures."""

    game: str
    hands: str
    address: str
    read: str
    figures: Mapping[str, float]


# Rates are fractions. Deal-ins of the four seats were averaged; dealers' wins are East's.
PUBLISHED = (
    Published(
        "common Chinese rules without winds, four simple bots that claim and win whenever they can",
        "10,000",
        "https://blog.csdn.net/usshe/article/details/108184668",
        "2026-11-30",
        {"washout": 0.0226, "zimo": 0.2474 / 0.9774, "deal_in": 0.1825, "draws": 35.0, "dealer": 0.2447},
    ),
    Published(
        "riichi, people of the highest room of Tenhou in 2016",
        "1,710,645",
        "https://blog.kobalab.net/entry/20180113/1515776231",
        "2026-11-30",
        {
            "washout": 0.162,
            "deal_in": 0.125,
            "half_flush": 0.0434,
            "full_flush": 0.0052,
        },
    ),
    Published(
        "riichi, the same hands, as dealt",
        "1,710,645",
        "https://blog.kobalab.net/entry/20180118/1516202840",
        "2026-11-30",
        {"shanten": 3.58},
    ),
    Published(
        "riichi, the same room in 2018",
        "1,849,142",
        "https://mahjong-lurker.xyz/tenhou/paihu-analysis/tenhou-2018-data-1/",
        "2026-11-30",
        {"washout": 0.161, "half_flush": 0.04568, "full_flush": 0.00553},
    ),
    Published(
        "riichi, people of one site",
        "120,589",
        "http://www.ix3.jp/hiii/02mahken/2-10-1toukei.htm",
        "2026-11-30",
        {"washout": 0.1397, "zimo": 1 / 2.904},
    ),
    Published(
        "American rules, people and bots of one site",
        "not told",
        "https://ilovemahj.com/mah-jongg-statistics2",
        "2026-11-30",
        {"washout": 0.1007, "dealer": 0.2426},
    ),
)


def _holds(patterns: Sequence[str]) -> pl.Expr:
    mask = sum(1 << INDEX[slug] for slug in patterns)
    return (pl.col("patterns") & pl.lit(mask, pl.UInt64)) != 0


def measures(hands: pl.LazyFrame, wins: pl.LazyFrame) -> pl.DataFrame:
    """Count what players would recognise.

    Returns
    -------
    ``measure`` (of `MEASURES`), ``n, mean, low, high``: means over hands, hands won, seats or wins, 95 %.
    """
    won = pl.col("outcome") != WASHOUT
    kongs = [f"gang_{kind}_{seat}" for kind in ("exposed", "added", "concealed") for seat in range(4)]
    dealt = pl.sum_horizontal(pl.col(f"shanten_deal_{seat}").cast(pl.Int64) for seat in range(4))
    dealers = (pl.col("winners").cast(pl.Int64) // pl.lit(2).pow(pl.col("dealer").cast(pl.Int64))) % 2
    of_hands = {
        "washout": ((~won).sum(), pl.len()),
        "zimo": ((pl.col("outcome") == ZIMO).sum(), won.sum()),
        "deal_in": ((pl.col("from_seat") >= 0).sum(), 4 * pl.len().cast(pl.Int64)),
        "draws": (pl.col("turns").cast(pl.Int64).sum(), pl.len()),
        "kongs": (pl.sum_horizontal(pl.col(name).cast(pl.Int64) for name in kongs).sum(), pl.len()),
        "dealer": (dealers.cast(pl.Int64).sum(), pl.len()),
        "shanten": (dealt.sum(), 4 * pl.len().cast(pl.Int64)),
    }
    of_wins = {
        "win_turn": (pl.col("win_turn").cast(pl.Int64).sum(), pl.len()),
        "half_flush": (_holds(HALF).sum(), pl.len()),
        "full_flush": (_holds(FULL).sum(), pl.len()),
    }
    order = pl.Enum(list(MEASURES))
    both = pl.concat([estimate.sums(hands, of_hands), estimate.sums(wins, of_wins)])
    return estimate.means(both).sort(pl.col("measure").cast(order)).collect()


def play(name: str, bot: str, n_hands: int, seed: int) -> pl.DataFrame:
    """Log hands of four equal bots and count them."""
    plan = Plan(load(name), n_hands, (bot,) * 4, seed, "session", TABLE_HANDS)
    with tempfile.TemporaryDirectory(prefix="gdmj-sanity-") as root:
        simulate(plan, root)
        (run,) = open_run(root)
        return measures(run.hands, run.wins)


def written(value: float | None, half: float | None, how: str) -> str:
    """Write a value and half its interval's width."""
    if value is None:
        return "–"
    scale, digits, unit = {PERCENT: (100, 1, " %"), ONE_DIGIT: (1, 1, ""), TWO_DIGITS: (1, 2, "")}[how]
    text = f"{scale * value:.{digits}f}{unit}"
    return text if half is None else f"{text} ± {scale * half:.{digits}f}"


def _row(found: pl.DataFrame) -> list[str]:
    cells = {}
    for one in found.iter_rows(named=True):
        half = None if one["low"] is None else (one["high"] - one["low"]) / 2
        cells[one["measure"]] = written(one["mean"], half, MEASURES[one["measure"]][1])
    return [cells.get(name, "–") for name in MEASURES]  # no win, no share of wins


def _table(first: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    heads = [*first, *(head for head, _ in MEASURES.values())]
    return [
        f"| {' | '.join(heads)} |",
        f"|{'---|' * len(first)}{'---:|' * len(MEASURES)}",
        *(f"| {' | '.join(row)} |" for row in rows),
    ]


def _wins_freely(rules: Rules) -> bool:
    """Whether any complete hand wins, also on a discard."""
    return "dianpao" in rules.win.chicken_ways and not rules.win.min_fan and rules.play.declare == "none"


def _nearest(found: Mapping[tuple[str, str], pl.DataFrame]) -> list[str]:
    """Say what the rule sets show that come nearest to those of others: as dealt, and in play."""
    rules = {name: load(name) for name, _ in found}
    plain = [name for name, one in rules.items() if one.ghost.mode == "none" and one.tiles == "136"]
    groups = {
        "As dealt, all three forms, 136 tiles, no ghosts": (
            [n for n in plain if len(rules[n].win.forms) == 3],
            ("shanten",),
        ),
        "No ghosts, 136 tiles, any complete hand wins, also on a discard": (
            [n for n in plain if _wins_freely(rules[n])],
            ("zimo", "deal_in", "draws", "washout", "dealer"),
        ),
    }
    lines = []
    for what, (nearest, asked) in groups.items():
        mine = [frame for (name, _), frame in found.items() if name in nearest]
        texts = []
        for measure in asked if mine else ():
            values = [v for f in mine for v in f.filter(pl.col("measure").cast(pl.String) == measure)["mean"]]
            head, how = MEASURES[measure]
            texts.append(f"{head} {written(min(values), None, how)} to {written(max(values), None, how)}")
        lines += [f"- {what} ({', '.join(f'`{name}`' for name in nearest)}): {'; '.join(texts)}."] if mine else []
    return lines


def page(found: Mapping[tuple[str, str], pl.DataFrame], facts: Mapping[str, object]) -> str:
    """Write the page in Markdown."""
    rows = [[f"`{name}`", bot, *_row(frame)] for (name, bot), frame in found.items()]
    others = [
        [one.game, one.hands, *(written(one.figures.get(m), None, how) for m, (_, how) in MEASURES.items())]
        for one in PUBLISHED
    ]
    lines = [
        "# Do the hands look like mahjong?",
        "",
        f"Written by `python -m analysis.sanity`: {facts['hands']:,} logged hands of four equal bots of each kind and"
        f" rule set, seed {facts['seed']}, code {facts['code']}; ± is half of the 95 % interval over tables.",
        "",
        *_table(["rule set", "bots"], rows),
        "",
        "## What others have counted",
        "",
        "No counts of a Guangdong game were found. The nearest are these, of other games: four equal bots of Chinese"
        " rules, people of riichi and American ones. What can be held against them:",
        "",
        "- Shanten as dealt does not depend on play: riichi's 3.58 is for 136 tiles without ghosts, with seven pairs"
        " (of seven kinds) and thirteen orphans. Ghosts, fewer kinds and fewer forms move it.",
        "- Washouts, self-draws and deal-ins go with the rules. Where discards do not win, every win is a self-draw and"
        " nobody deals in. Where any hand wins and bots never fold there are few washouts, as with those four bots'"
        " 2.3 %; riichi asks for a yaku, keeps fourteen tiles back, and people fold.",
        "- Flushes: riichi's 4 to 5 % of half and half a percent of full ones are people's, to whom they pay 2 or 3 and"
        " 5 or 6 han. `ukeire` never looks for them; `value` and `defend` do where the rule set pays.",
        "",
        *_table(["game", "hands"], others),
        "",
        *_nearest(found),
        "",
        *(f"- {one.game}: {one.address} (read {one.read})" for one in PUBLISHED),
        "",
    ]
    return "\n".join(lines)


def main(argv: Sequence[str] | None = None) -> None:
    """Play and write ``reports/sanity.md`` and ``reports/sanity.json``."""
    parser = argparse.ArgumentParser(prog="python -m analysis.sanity", description=__doc__.split("\n")[0])
    parser.add_argument(
        "--rules", nargs="+", type=one_of(names()), default=names(), help="which rule sets (default: all)"
    )
    parser.add_argument(
        "--bots", nargs="+", type=one_of(NAMES), default=BOTS, help=f"which bots (default: {' '.join(BOTS)})"
    )
    parser.add_argument(
        "--hands", type=count(1, MAX_HANDS), default=HANDS, metavar="N", help=f"hands of each (default: {HANDS})"
    )
    parser.add_argument("--seed", type=count(0, MAX_SEED), default=2026)
    parser.add_argument("--out", type=Path, default=Path(__file__).parents[1] / "reports", metavar="DIR")
    args = parser.parse_args(argv)
    found = {}
    for name in args.rules:
        for bot in args.bots:
            found[name, bot] = play(name, bot, args.hands, args.seed)
            print(f"{name}: {bot}", file=sys.stderr)
    facts = {"hands": args.hands, "seed": args.seed, "code": CODE_HASH}
    args.out.mkdir(parents=True, exist_ok=True)
    (args.out / "sanity.md").write_text(page(found, facts), encoding="utf-8")
    kept = [{"rules": name, "bot": bot, "measures": frame.to_dicts()} for (name, bot), frame in found.items()]
    (args.out / "sanity.json").write_text(json.dumps({"facts": facts, "played": kept}, indent=1) + "\n", "utf-8")
    print(args.out / "sanity.md")


if __name__ == "__main__":
    main()
