"""Words for what may be won, how, and who pays for it."""

from __future__ import annotations

from collections.abc import Iterator

from analysis.rule_words.facts import Facts
from analysis.rule_words.text import Both, for_all, kinds, listed
from sim import patterns
from sim.rules import Rules

WAYS: dict[str, Both] = {
    "zimo": ("自摸", "self-draw"),
    "dianpao": ("点炮", "discard"),
    "qianggang": ("抢杠", "robbing a kong"),
}
FORMS: dict[str, Both] = {
    "standard": ("四组一对", "four sets and a pair"),
    "seven_pairs": ("七对", "seven pairs"),
    "thirteen_orphans": ("十三幺", "thirteen orphans"),
}
KONGS: dict[str, Both] = {
    "added": ("补杠", "added kongs"),
    "direct": ("直杠", "direct kongs"),
    "concealed": ("暗杠", "concealed kongs"),
}
LISTS: dict[str, dict[str, Both]] = {
    "win.ways": WAYS,
    "win.chicken_ways": WAYS,
    "win.forms": FORMS,
    "win.natural_forms": FORMS,
    "win.rob_kongs": KONGS,
}
VALUES: dict[str, dict[str, Both]] = {
    "win.multiple": {
        "all": ("都胡", "all are paid"),
        "nearest": ("截胡，按顺序第一家胡", "only the first in turn order wins"),
        "biggest": ("只胡分最大的一家", "only the biggest hand wins"),
        "from_dealer": ("从庄家数起第一家胡", "only the first counted from the dealer wins"),
    },
    "win.passed": {
        "off": ("不限", "nothing"),
        "same_tile": ("不能再胡同一种牌", "wins on the same kind of tile"),
        "all_tiles": ("不能再胡任何牌", "wins on every tile"),
        "rest_of_hand": ("本局不能再胡，自摸也不行", "every win for the rest of the hand"),
        "same_value": ("不能再胡分不更大的牌", "wins that are not worth more"),
    },
    "win.payers": {
        "discarder": ("点炮的人", "the discarder"),
        "all": ("三家都付", "all three"),
    },
    "win.first_turn_closed_by": {
        "any_call": ("任何吃碰杠", "any chi, peng or kong"),
        "chi_peng": ("吃碰，杠不算", "chi and peng, not a kong"),
    },
}


def tell(rules: Rules, can: Facts) -> Iterator[Both]:
    """Yield what this section says, without what is off."""
    win = rules.win
    zh, en = listed(win.ways, WAYS, " or ")
    yield f"可胡：{zh}。", f"A hand may be won by {en}."
    if set(win.chicken_ways) != set(win.ways):
        zh, en = listed(win.chicken_ways, WAYS, " or ")
        chicken = rules.pattern_name(patterns.CHICKEN)
        yield (
            (f"{chicken}只可：{zh}。", f"A chicken hand only by {en}.")
            if win.chicken_ways
            else (f"{chicken}不可胡。", "A chicken hand cannot win.")
        )
    zh, en = listed(win.forms, FORMS, " or ")
    yield f"牌型：{zh}。", f"Winning forms: {en}."
    if can.ghosts and win.natural_forms:
        zh, en = listed(win.natural_forms, FORMS, " or ")
        yield f"有鬼不能胡：{zh}。", f"Not with a ghost in hand: {en}."
    if win.barred:
        zh, en = kinds(win.barred)
        but = ("（做鬼的不算）", ", ghosts apart,") if can.ghosts else ("", "")
        yield f"持有{zh}{but[0]}不能胡。", f"Who holds any of {en}{but[1]} cannot win."
    unit = ("分（番型分乘倍数）", "items times doubles") if can.is_sum else ("番", "fan")
    if win.min_fan:
        yield f"{win.min_fan}{unit[0]}起胡。", f"A win needs at least {win.min_fan} ({unit[1]})."
    if can.discard and win.min_fan_discard > win.min_fan:
        n = win.min_fan_discard
        yield f"点炮须{n}{unit[0]}起胡。", f"A win by discard needs at least {n} ({unit[1]})."
    if win.must:
        yield "有胡必胡。", "Every legal win is taken."
    if can.by_tile:
        zh, en = VALUES["win.multiple"][win.multiple]
        yield f"一炮多响：{zh}。", f"Several winners on one tile: {en}."
        if win.passed == "rest_of_hand" and not win.must:
            yield "漏胡后本局不能再胡，自摸也不行。", "Who passes a win cannot win in that hand any more."
        elif win.passed != "off" and not win.must:
            zh, en = VALUES["win.passed"][win.passed]
            yield (
                f"漏胡后到自己摸牌或吃碰杠之前{zh}（自摸不限）。",
                f"A passed win blocks {en} until the player draws or calls; never a self-draw.",
            )
    if can.discard:
        yield (
            ("点炮胡，只有点炮的人付。", "A win by discard is paid by the discarder alone.")
            if win.payers == "discarder"
            else ("点炮胡，三家都付。", "A win by discard is paid by all three.")
        )
    if can.rob:
        zh, en = listed(win.rob_kongs, KONGS)
        yield f"可抢的杠：{zh}。", f"Kongs that can be robbed: {en}."
        if win.rob_shares == 3:
            zh, en = for_all(can.losers_differ)
            yield f"被抢的人包三家，{zh}。", f"The robbed player {en}."
        elif win.payers == "all":
            yield "抢杠胡，三家都付。", "A rob is paid by all three."
        else:
            yield "被抢的人只付自己的一份。", "The robbed player pays his own share alone."
    if can.first_turn:
        zh, en = VALUES["win.first_turn_closed_by"][win.first_turn_closed_by]
        yield f"地和、人和作废于：{zh}。", f"First-turn wins end with {en}."


def idle(rules: Rules, can: Facts) -> Iterator[tuple[str, bool]]:
    """Yield each field of this section that may have no effect, with whether it has none here."""
    yield "win.natural_forms", not can.ghosts
    yield "win.min_fan_discard", not (can.discard and rules.win.min_fan_discard > rules.win.min_fan)
    yield "win.multiple", not can.by_tile
    yield "win.passed", not can.by_tile or rules.win.must
    yield "win.payers", not can.discard
    yield "win.rob_kongs", not can.rob
    yield "win.rob_shares", not can.rob
    yield "win.first_turn_closed_by", not can.first_turn
