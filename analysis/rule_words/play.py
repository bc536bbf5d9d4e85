"""Words for claims, standing tiles, declaring ready and the wall's end."""

from __future__ import annotations

from collections.abc import Iterator

from analysis.rule_words.text import Both
from sim.rules import Rules

VALUES: dict[str, dict[str, Both]] = {
    "play.passed_peng": {
        "off": ("不限", "nothing"),
        "same_tile": ("摸牌前不能再碰同一种牌", "a pung of the same kind until the next draw"),
    },
    "play.declare": {
        "none": ("不用报听", "not needed"),
        "needed": ("报听才能胡", "only who has declared ready can win"),
    },
}


def tell_wall(rules: Rules) -> Iterator[Both]:
    """Yield what is said of the wall's end."""
    play = rules.play
    if n := play.last_tiles_reserved:
        yield f"牌墙最后{n}张不摸。", f"The last {n} tiles of the wall are never drawn."
    if n := play.reserve_per_kong:
        yield (
            f"第一个杠以后，每多一个杠，再留{n}张。",
            f"For each kong after the hand's first, {n} more {'stays' if n == 1 else 'stay'} undrawn.",
        )
    if play.odd_tile_stays:
        yield "杠数为单时，再多留一张。", "While the number of kongs is odd, one more stays undrawn."


def tell_claims(rules: Rules) -> Iterator[Both]:
    """Yield what is said of claims and of declaring ready."""
    play = rules.play
    if play.chi:
        yield "可吃上家，可碰，可杠。", "Chi from the seat before, peng and kong are allowed."
    else:
        yield "可碰，可杠，不可吃。", "Peng and kong are allowed, chi is not."
    if play.passed_peng == "same_tile":
        yield (
            "漏碰：可碰不碰，自己摸牌之前不能再碰同一种牌。",
            "Who passes a peng may not peng that kind until his next draw.",
        )
    if n := play.standing:
        yield (
            f"每家起手{n}张立牌，可组合，可碰可杠；听牌时必须打出其中一张才能听，别的时候不可打出（别无可打除外）。",
            f"The first {n} of a seat's tiles stand apart: they form sets and melds as others do. Who declares ready"
            " must discard one of them, and they are discarded only then (or when there is nothing else to discard).",
        )
    if play.declare == "needed":
        yield (
            f"报听才能胡；报听后不换牌，{'不吃' if play.chi else ''}不碰不杠。",
            "Only who has declared ready can win; after that the hand does not change, without claims and kongs.",
        )
