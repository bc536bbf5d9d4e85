"""When to break a hand for a flush: the bot that goes for one (T11) less the plain bot, on the same walls.

By the tiles of its longest suit at its first discard: natural ones, melds included. The other seats are plain bots, the
first hand of a table alone is played, and so every table is one independent pair.
"""

from __future__ import annotations

import polars as pl

from analysis.events import held, is_ghost, melded
from sim.engine import Plan, Player
from sim.rules import Rules
from sim.schema import DISCARD, H

FEWEST, MOST = 8, 10  # tiles that T11 asks for; more count as MOST
_PART = 4_000  # tables at a time


def _longest_suit() -> pl.Expr:
    """Tiles of seat 0's longest suit."""
    suits = []
    for suit in range(3):
        kinds = range(9 * suit, 9 * suit + 9)
        natural = [pl.when(is_ghost(k)).then(0).otherwise(held(0, k)) for k in kinds]
        suits.append(pl.sum_horizontal(*natural, *(melded(0, k) for k in kinds)))
    return pl.max_horizontal(suits)


def paired(rules: Rules, bot: str, n_tables: int, seed: int) -> pl.DataFrame:
    """Return a row for each table whose first discard T11 speaks of: ``tiles`` and ``gain`` of seat 0, horses aside."""
    found = []
    for first in range(0, n_tables, _PART):
        n = min(_PART, n_tables - first)
        points, longest = {}, None
        for name in (bot, f"{bot}+T11"):
            line_up = (name, bot, bot, bot)
            player = Player(Plan(rules, n_tables, line_up, seed, "session", 1), "trace" if name == bot else "hand")
            rows = player.rows(first, n, 1).rows
            points[name] = rows[:, H["hand_0"]] + rows[:, H["kong_0"]]
            if name == bot:
                mine = (pl.col("seat") == 0) & (pl.col("move") == DISCARD) & (pl.col("turn") == 0)
                longest = pl.DataFrame(player.events()).filter(mine).select("table", tiles=_longest_suit())
        assert longest is not None
        gain = points[f"{bot}+T11"] - points[bot]
        tables = pl.DataFrame({"table": range(first, first + n), "gain": gain}, schema_overrides={"table": pl.UInt32})
        found.append(longest.join(tables, on="table").filter(pl.col("tiles") >= FEWEST))
    return pl.concat(found).with_columns(pl.col("tiles").clip(FEWEST, MOST))
