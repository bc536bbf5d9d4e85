"""When to claim: T02, T03, T06, T07, T32, T35."""

from __future__ import annotations

from functools import partial

import numpy as np
import polars as pl

from analysis.labels import Label
from analysis.tips.levels import level
from analysis.tips.model import Check, Tip
from analysis.tips.moves import Rows, Trace, folded, frame
from analysis.tips.needs import chi, chi_and_ghost, several_worths
from sim.schema import CHI, OFFER_CHI, OFFER_PENG, PASS, PENG
from sim.tiles import FIRST_DRAGON, FIRST_HONOUR, N_SEATS

_PLAN = Label("机器人自己的打法", "the bot's own play")
_PASS_OR_PLAN = Label("放过；机器人自己的打法", "passing; the bot's own play")
_NET = Label("净分", "net points")
_BIG = Label("对手胡大牌（中位数两倍以上）；净分", "an opponent wins big (twice the median or more); net points")
_ON_HAND = Label("自己向听、巡目、副露数", "own shanten, turn, melds")
_LATE, _HALF_A_WALL = 8, 42  # own discards before; tiles left of 84
_FIRST, _WINDOW = 4, 5  # discards looked at, discards after each in which it may come again


def _asked(trace: Trace, offer: int, claims: tuple[int, ...]) -> Rows:
    """Seats that were offered a claim and made it or passed, with the hands' ends."""
    names = ["table", "hand", "step", "move", "seat", "kind", "from_seat", "turn", "wall_left"]
    names += [f"{name}_{s}" for name in ("shanten", "accept", "n_melds") for s in range(N_SEATS)]
    asked = (pl.col("offers") & offer != 0) & pl.col("move").is_in([*claims, PASS])
    return Rows(trace.events.filter(asked).select(names).collect(), trace.rules).with_ends(trace.ends())


def _next_is_ready(trace: Trace) -> pl.DataFrame:
    """Seats that may pong while the next player is ready: whether that one wins the hand, by pung or pass."""
    rows = _asked(trace, OFFER_PENG, (PENG,))
    following = (rows.seat + 1) % N_SEATS
    rows = rows.take((rows.at("shanten", following) == 0) & (rows["from_seat"] != following))
    following = (rows.seat + 1) % N_SEATS
    return frame(
        rows,
        case=rows["move"] == PENG,
        y=(rows["winners"] >> following) & 1,
        shanten=rows.at("shanten", rows.seat),
        turn=rows["turn"] // 2,
        accept=rows.at("accept", following) // 2,
        from_previous=rows["from_seat"] == (rows.seat + 3) % N_SEATS,
    )


def _big_hands(trace: Trace, winds: bool) -> pl.DataFrame:
    """Late claims and passes: whether an opponent then wins at least twice the median win.

    With ``winds``: a wind of the previous player, past half the wall, that would not make the seat ready; else every
    pung or chi from the ninth turn on.
    """
    rows = _asked(trace, OFFER_PENG, (PENG,)) if winds else _asked(trace, OFFER_PENG | OFFER_CHI, (PENG, CHI))
    shanten = rows.at("shanten", rows.seat)
    if winds:
        is_wind = (rows.kind >= FIRST_HONOUR) & (rows.kind < FIRST_DRAGON)
        from_previous = rows["from_seat"] == (rows.seat + 3) % N_SEATS
        at = is_wind & from_previous & (rows["wall_left"] < _HALF_A_WALL) & (shanten >= 2)
    else:
        at = rows["turn"] >= _LATE
    wins = trace.wins.select("table", "hand", "winner", "points").collect()
    big = (
        wins.filter(pl.col("points") >= 2 * pl.col("points").median())
        .group_by("table", "hand")
        .agg(big=(2 ** pl.col("winner").cast(pl.Int64)).sum())
    )
    rows = Rows(rows.frame.join(big, on=["table", "hand"], how="left", maintain_order="left"), trace.rules)
    winners = rows.frame["big"].fill_null(0).to_numpy()
    y = (winners & ~(1 << rows.seat)) > 0
    melds = rows.at("n_melds", rows.seat)
    return frame(rows, at, case=rows["move"] != PASS, y=y, shanten=shanten, turn=rows["turn"] // 2, melds=melds)


def _discarded_again(trace: Trace) -> pl.DataFrame:
    """Suit tiles that a seat discards among its first four, against like kinds: whether they come (again) soon.

    The like kinds are those of the same number in the two other suits that the seat has not discarded yet.
    """
    at_end = _FIRST + _WINDOW
    later = trace.rows("first", where=pl.col("turn") == at_end)
    whole = later.frame.select("table", "hand", "seat", sequence=pl.Series(later.at("first", later.seat)))
    rows = trace.rows("seen", where=(pl.col("turn") < _FIRST) & (pl.col("kind") < FIRST_HONOUR))
    rows = Rows(rows.frame.join(whole, on=["table", "hand", "seat"], maintain_order="left"), trace.rules)
    kinds = ((rows["sequence"][:, None] >> (6 * np.arange(at_end))) & 63) - 1
    after = np.arange(at_end) - rows["turn"][:, None]
    parts = []
    for shift in range(3):
        kind = (rows.kind + 9 * shift) % FIRST_HONOUR
        is_kind = kinds == kind[:, None]
        fresh = np.ones(len(rows), bool) if shift == 0 else ~(is_kind & (after <= 0)).any(axis=1)
        y = (is_kind & (after > 0) & (after <= _WINDOW)).any(axis=1)
        live = rows.live(kind) - (shift == 0)
        case = np.full(len(rows), shift == 0)
        parts.append(frame(rows, fresh, case=case, y=y, tile=folded(kind), turn=rows["turn"], live=live))
    return pl.concat(parts)


_FIRST_TURNS = (
    (1, "只在第一巡", "in the first turn alone"),
    (2, "只在前两巡", "in the first two turns alone"),
    (3, "只在前三巡", "in the first three turns alone"),
)
CHI_RULES = ("jipinghu", "xinzhang", "guigang")
CHI_AND_GHOST = (
    "maima:play.chi=true",
    'jipinghu:ghost.mode=fixed;ghost.kinds=["B"]',
    'xinzhang:ghost.mode=fixed;ghost.kinds=["B"]',
)

TIPS = (
    Tip(
        "T02",
        Label(
            "牌墙过半上家才打风：不听就别碰",
            "Past half the wall the previous player starts discarding winds: do not pong unless it makes you ready",
        ),
        Label(
            "牌墙不足一半，上家打风，我有一对",
            "less than half the wall left, the previous player discards a wind, I hold two",
        ),
        _BIG,
        _PASS_OR_PLAN,
        (
            Check(
                Label("碰了以后对手更常胡大牌", "opponents win big hands more often after the pung"),
                "log",
                1,
                1.0,
                "big",
                partial(_big_hands, winds=True),
                ("shanten", "turn", "melds"),
                _ON_HAND,
                needs=several_worths,
            ),
            Check(Label("不碰净分更多", "passing pays"), "duel", 1, None, "play", a="{bot}+T02"),
        ),
    ),
    Tip(
        "T03",
        Label("久无人胡：别吃碰，打熟张", "Nobody wins for long: do not claim, discard tiles that were seen"),
        Label(
            "第九巡起，未听；逐档：第八、十、十二巡起",
            "from the ninth turn on, not ready; by level from the 8th, 10th, 12th",
        ),
        _BIG,
        _PASS_OR_PLAN,
        (
            Check(
                Label("吃碰以后对手更常胡大牌", "opponents win big hands more often after a claim"),
                "log",
                1,
                1.0,
                "big",
                partial(_big_hands, winds=False),
                ("shanten", "turn", "melds"),
                _ON_HAND,
                needs=several_worths,
            ),
            Check(Label("照此打净分更多", "playing so pays"), "duel", 1, None, "play", a="{bot}+T03"),
            *(
                level("T03", n, Label(f"第{turn}巡起照此打净分更多", f"playing so from turn {turn} on pays"))
                for n, turn in ((1, 8), (2, 10), (3, 12))
            ),
        ),
    ),
    Tip(
        "T06",
        Label("头几巡不吃两头，只吃边张嵌张", "First rounds: do not chow open-ended shapes, only closed and edge ones"),
        Label(
            "头几巡，两头顺子等上家的牌", "an open-ended shape and the previous player's discard in the first rounds"
        ),
        Label("净分；上家以后再打那种牌", "net points; the previous player discards that kind again"),
        Label("机器人自己的打法；他还没打过的同类牌", "the bot's own play; like tiles that it has not discarded yet"),
        (
            Check(
                Label("上家打过的牌不久会再打", "what the previous player discarded comes again soon"),
                "log",
                1,
                2.0,
                "again",
                _discarded_again,
                ("tile", "turn", "live"),
                Label("牌类、巡目、未见张数", "tile class, turn, live copies"),
            ),
            Check(
                Label("不吃两头净分更多", "not chowing them pays"),
                "duel",
                1,
                None,
                "play",
                a="{bot}+T06",
                rules=CHI_RULES,
                needs=chi,
            ),
            *(
                level(
                    "T06", n, Label(f"{zh}不吃两头净分更多", f"not chowing them {en} pays"), rules=CHI_RULES, needs=chi
                )
                for n, zh, en in _FIRST_TURNS
            ),
        ),
    ),
    Tip(
        "T07",
        Label(
            "一和一对二，有鬼：人家打三，不听别吃",
            "1 and 2, 2 of a suit and a ghost: when 3 is discarded do not chow unless it makes you ready",
        ),
        Label(
            "手上一二二（八八九对称）和鬼，上家打三（七）",
            "1, 2, 2 (or 8, 8, 9) and a ghost in hand, 3 (7) discarded by the previous player",
        ),
        _NET,
        _PLAN,
        (
            Check(
                Label("不吃净分更多", "passing pays"),
                "duel",
                1,
                None,
                "",
                a="{bot}+T07",
                rules=CHI_AND_GHOST,
                needs=chi_and_ghost,
            ),
        ),
    ),
    Tip(
        "T32",
        Label("下家听了大牌就别轻易碰", "Do not pong lightly when the next player is ready with a good hand"),
        Label(
            "可以碰，下家已听（牌谱）；下家已露三副以上（对局）",
            "a pung is offered and the next player is ready (log); it shows three sets or more (play)",
        ),
        Label("下家胡牌；净分", "the next player wins; net points"),
        Label("放过不碰", "passing it"),
        (
            Check(
                Label("碰了以后下家胡得更多", "the next player wins more after a pung"),
                "log",
                1,
                2.0,
                "wins",
                _next_is_ready,
                ("shanten", "turn", "accept", "from_previous"),
                Label(
                    "自己向听、巡目、下家活张、是否上家打的",
                    "own shanten, turn, the next player's live copies, who discarded",
                ),
            ),
            Check(Label("不碰净分更多", "passing pays"), "duel", 1, None, "play", a="{bot}+T32"),
        ),
    ),
    Tip(
        "T35",
        Label("吃碰能多赢分", "Calling raises the score"),
        Label("任何时候", "any time"),
        _NET,
        Label("从不吃碰的同一机器人", "the same bot that never calls"),
        (
            Check(
                Label("会吃碰的比门清的净分多", "who calls wins more than who never does"),
                "duel",
                1,
                None,
                "",
                a="{bot}",
                b="{bot}-T35",
            ),
        ),
    ),
)
