"""When not to push: T23, T26."""

from __future__ import annotations

from analysis.labels import Label
from analysis.tips.levels import level
from analysis.tips.model import Check, Tip, always
from analysis.tips.needs import several_worths
from sim.rules import Rules


def _costs_nothing(rules: Rules) -> bool:
    """Whether a discard never costs its owner anything."""
    return "dianpao" not in rules.win.ways


_NET = Label("净分", "net points")
# The levels of T23: what the hand can win, copies seen of the tile that was to go.
_CELLS = (
    (1, "只能胡鸡胡，险张未见", "a chicken at most, the discard unseen"),
    (2, "只能胡鸡胡，险张已见一张", "a chicken at most, one copy seen"),
    (3, "能胡大于鸡胡，险张未见", "more than a chicken, the discard unseen"),
    (4, "能胡大于鸡胡，险张已见一张", "more than a chicken, one copy seen"),
)
_PLAN = Label("机器人自己的打法", "the bot's own play")

TIPS = (
    Tip(
        "T23",
        Label("后巡听小牌：宁可不胡，不可点炮", "A small hand late: rather not win than deal in"),
        Label("第十巡后听小牌，摸到险张", "ready with a small hand from the tenth turn on, holding a risky tile"),
        _NET,
        _PLAN,
        (
            Check(Label("弃胡净分更多", "folding pays"), "duel", 1, None, "", a="{bot}+T23", falsifier=_costs_nothing),
            *(
                level(
                    "T23",
                    n,
                    Label(f"{zh}：弃胡净分更多", f"{en}: folding pays"),
                    falsifier=_costs_nothing,
                    needs=several_worths if n > 2 else always,
                )
                for n, zh, en in _CELLS
            ),
        ),
    ),
    Tip(
        "T26",
        Label("听牌摸到很险的牌：换叫", "Ready, but drew a very dangerous tile: change the wait"),
        Label("同上，而有安全的牌可换", "the same with a safe alternative"),
        _NET,
        _PLAN,
        (
            Check(
                Label("换叫净分更多", "changing the wait pays"),
                "duel",
                1,
                None,
                "",
                a="{bot}+T26",
                falsifier=_costs_nothing,
            ),
        ),
    ),
)
