"""Words for who deals and what repeat deals do."""

from __future__ import annotations

from collections.abc import Iterator

from analysis.rule_words.facts import Facts
from analysis.rule_words.text import Both, units
from sim.rules import Rules

VALUES: dict[str, dict[str, Both]] = {
    "dealer.first": {"random": ("抽签", "drawn by lot"), "east": ("座位0", "seat 0")},
    "dealer.next": {"winner": ("胡牌人", "the winner"), "next_seat": ("庄家下家", "the seat after the dealer")},
    "dealer.after_rob": {"as_next": ("同其他胡牌", "as after other wins"), "robbed": ("被抢的人", "the robbed player")},
    "dealer.on_washout": {
        "keep": ("庄家连庄", "the dealer keeps the deal"),
        "next_seat": ("庄家下家", "the seat after the dealer"),
        "kong_passes": ("无杠连庄，有杠下家", "the dealer without a kong, else the seat after"),
    },
    "dealer.seat_wind": {"deal": ("庄家数起", "the dealer"), "chair": ("首庄座位数起", "the first dealer's chair")},
    "dealer.repeat_mode": {
        "none": ("不加分", "nothing"),
        "add": ("每次加分", "each adds"),
        "double": ("每次翻倍", "each doubles"),
    },
}


def tell(rules: Rules, can: Facts) -> Iterator[Both]:
    """Yield what this section says, without what is off."""
    dealer = rules.dealer
    yield (
        ("第一局抽签定庄。", "The first dealer is drawn by lot.")
        if dealer.first == "random"
        else ("第一局座位0做庄。", "Seat 0 is the first dealer.")
    )
    zh, en = VALUES["dealer.next"][dealer.next]
    yield (
        f"庄家胡牌连庄；闲家胡牌，下一庄是{zh}。",
        f"A dealer who wins stays; when another seat wins, the next dealer is {en}.",
    )
    if can.rob and dealer.after_rob == "robbed":
        yield "抢杠后由被抢的人做庄。", "After a rob the robbed player deals."
    yield {
        "keep": ("流局，庄家连庄。", "After a drawn hand the dealer stays."),
        "next_seat": ("流局，下家做庄。", "After a drawn hand the next seat deals."),
        "kong_passes": (
            "流局，无人开杠则庄家连庄，有杠则下家做庄。",
            "After a drawn hand the dealer stays if there was no kong, else the next seat deals.",
        ),
    }[dealer.on_washout]
    if can.priced("seat_wind"):
        zh, en = VALUES["dealer.seat_wind"][dealer.seat_wind]
        yield f"门风从{zh}。", f"The own wind is counted from {en}."
    if dealer.repeat_mode == "add":
        yield (
            f"每次连庄，一份加{dealer.repeat_points}底。",
            f"Each repeat deal adds {units(dealer.repeat_points)} to every share.",
        )
    elif dealer.repeat_mode == "double":
        yield "每次连庄，一份翻倍。", "Each repeat deal doubles every share."
    if dealer.follow_points:
        yield (
            f"跟庄：开局四家打出同一种牌，庄家付每家{dealer.follow_points}底。",
            f"When the first four discards are equal the dealer pays each seat {units(dealer.follow_points)}.",
        )


def idle(rules: Rules, can: Facts) -> Iterator[tuple[str, bool]]:
    """Yield each field of this section that may have no effect, with whether it has none here."""
    yield "dealer.after_rob", not can.rob
    yield "dealer.seat_wind", not can.priced("seat_wind")
    yield "dealer.repeat_points", rules.dealer.repeat_mode != "add"
