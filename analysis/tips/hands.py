"""What a hand may become: T10, T11, T12, T13."""

from __future__ import annotations

from functools import partial

import numpy as np
import polars as pl

from analysis.labels import Label
from analysis.tips import shapes
from analysis.tips.gone_tiles import has_won
from analysis.tips.levels import level
from analysis.tips.model import Check, Tip
from analysis.tips.moves import Rows, Trace, frame
from sim.schema import HU, MELD_CHI
from sim.tiles import FIRST_HONOUR

_EARLY = 4  # own discards
_SECOND = 1  # own discards before the second
_MANY, _SOME = 8, 6


def winning_tiles(trace: Trace) -> tuple[pl.DataFrame, shapes.Counts, shapes.Ints]:
    """All wins: ``table, hand, seat``, natural tiles with those of the melds (n, 34), ghosts in hand."""
    rows = Rows(trace.events.filter(pl.col("move") == HU).collect(), trace.rules)
    counts = shapes.unpack(*rows.words("hand", rows.seat))
    counts[np.arange(len(rows)), rows.kind] += rows["from_seat"] >= 0  # a self-drawn tile is in hand already
    natural, n_ghosts = rows.without_ghosts(counts)
    code, low = rows.sets(rows.seat)
    for i in range(4):
        at = np.flatnonzero(code[:, i] >= 0)
        for step in range(3):
            shift = np.where(code[at, i] == MELD_CHI, step, 0)
            natural[at, low[at, i] + shift] += 1
    return rows.frame.select("table", "hand", "seat"), natural, n_ghosts


def _joined(rows: Rows, wins: pl.DataFrame, name: str) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Whether the discarder's hand is among the wins marked ``name``."""
    marked = wins.filter(pl.col(name)).select("table", "hand", "seat").unique()
    found = rows.frame.select("table", "hand", "seat").join(
        marked.with_columns(yes=True), on=["table", "hand", "seat"], how="left", maintain_order="left"
    )
    return np.asarray(found["yes"].fill_null(False).to_numpy(), bool)


def _twin_chows(trace: Trace, outcome: str) -> pl.DataFrame:
    """Look at closed hands of the first four discards, with two bellies and a pair or without; no ghosts held."""
    rows = trace.rows("tiles", "n_melds", "shanten", "accept", where=pl.col("turn") < _EARLY)
    counts, ghosts = rows.hands(rows.seat)
    at = (rows.at("n_melds", rows.seat) == 0) & (ghosts == 0)
    rows, counts = rows.take(at).with_ends(trace.ends()), counts[at]
    if outcome == "twin":
        wins, total, _ = winning_tiles(trace)
        y = _joined(rows, wins.with_columns(twin=pl.Series(shapes.has_twin_chows(total))), "twin")
    else:
        y = has_won(rows)
    shanten, accept = rows.at("shanten", rows.seat), rows.at("accept", rows.seat)
    return frame(rows, case=shapes.has_two_bellies(counts), y=y, shanten=shanten, accept=accept // 4, turn=rows["turn"])


def _is_flush(total: shapes.Counts) -> shapes.Bools:
    """Whether all natural suit tiles are of one suit (honours may be there; all honours count too)."""
    suits = np.stack([total[:, 9 * s : 9 * s + 9].sum(axis=1) for s in range(3)], axis=1)
    is_one: shapes.Bools = (suits > 0).sum(axis=1) <= 1
    return is_one


def flush_chances(trace: Trace) -> tuple[Rows, shapes.Ints, shapes.Bools]:
    """Seats at their second discard: the rows, tiles of the fullest suit (melds included), whether they win a flush."""
    rows = trace.rows("tiles", "melds", "shanten", where=pl.col("turn") == _SECOND)
    counts, _ = rows.hands(rows.seat)
    code, low = rows.sets(rows.seat)
    in_suits = np.stack([counts[:, 9 * s : 9 * s + 9].sum(axis=1) for s in range(3)], axis=1)
    for s in range(3):
        in_suits[:, s] += 3 * ((code >= 0) & (low < FIRST_HONOUR) & (low // 9 == s)).sum(axis=1)
    wins, total, _ = winning_tiles(trace)
    y = _joined(rows, wins.with_columns(flush=pl.Series(_is_flush(total))), "flush")
    return rows, in_suits.max(axis=1), y


def _many_of_a_suit(trace: Trace) -> pl.DataFrame:
    rows, most, y = flush_chances(trace)
    at = most >= _SOME
    return frame(rows, at, case=most >= _MANY, y=y, shanten=rows.at("shanten", rows.seat))


TIPS = (
    Tip(
        "T10",
        Label("开局先打孤张，后打风，风至多留两张", "Open with isolated tiles, then winds; keep at most two winds"),
        Label("前四巡", "the first four discards"),
        Label("净分", "net points"),
        Label("先打字牌", "honours first"),
        (
            Check(Label("照此打净分更多", "playing so pays"), "duel", 1, None, "", a="{bot}+T10", b="{bot}"),
            *(
                level("T10", n, Label(f"有{zh}孤风时照此打净分更多", f"playing so pays with {en} held"))
                for n, zh, en in (
                    (1, "一张", "one single wind"),
                    (2, "两张", "two single winds"),
                    (3, "三四张", "three or four"),
                )
            ),
        ),
    ),
    Tip(
        "T11",
        Label(
            "起手或两巡内一门花色超过七张，做一色机会大",
            "More than seven tiles of one suit at the deal or within two rounds: a good chance of a flush",
        ),
        Label("打第二张后，一门花色八张以上", "eight or more tiles of a suit after the second discard"),
        Label("胡清一色或混一色；净分", "wins with a full or half flush; net points"),
        Label("一门花色六、七张；不做一色的打法", "six or seven tiles of a suit; the bot's own play"),
        (
            Check(
                Label("比六、七张时更多胡成一色", "a flush is won more often than with six or seven"),
                "log",
                1,
                3.0,
                "flush",
                _many_of_a_suit,
                ("shanten",),
                Label("巡目（第二巡）、向听", "turn (the second discard), shanten"),
            ),
            Check(Label("这时专做一色净分更多", "going for the flush pays"), "duel", 1, None, "play", a="{bot}+T11"),
        ),
    ),
    Tip(
        "T12",
        Label("早有四对，其中两对点数相同：见对就碰", "Four pairs early, two of the same number: pong everything"),
        Label("两巡内四对，两对同点数", "four pairs within two rounds, two of them of the same number"),
        Label("净分", "net points"),
        Label("机器人自己的打法", "the bot's own play"),
        (
            Check(Label("照此碰净分更多", "ponging so pays"), "duel", 1, None, "", a="{bot}+T12"),
            level(
                "T12",
                1,
                Label(
                    "对照：四对点数各不相同，见对就碰净分更多",
                    "the control, no two pairs of one number: ponging so pays",
                ),
            ),
        ),
    ),
    Tip(
        "T13",
        Label(
            "两副“大肚”（aa a+1 a+2）加一对：双龙抱机会很大",
            "Two “belly” shapes (a, a, a+1, a+2) and a pair: a great chance of the double twin chows",
        ),
        Label("前四巡门清，手上如此，没有鬼", "closed hands of the first four discards with these shapes, no ghost"),
        Label("胡成两副相同顺子各两组；胡牌", "wins with two pairs of equal chows; wins"),
        Label("向听与进张相同的手牌", "hands of equal shanten and acceptance"),
        tuple(
            Check(
                label,
                "log",
                1,
                smallest,
                name,
                partial(_twin_chows, outcome=name),
                ("shanten", "accept", "turn"),
                Label("向听、进张（每四张一档）、巡目", "shanten, acceptance (by fours), turn"),
            )
            for name, smallest, label in (
                ("twin", 1.0, Label("更多胡成双龙抱", "the double twin chows are won more often")),
                ("win", 2.0, Label("胡得更多", "wins more often")),
            )
        ),
    ),
)
