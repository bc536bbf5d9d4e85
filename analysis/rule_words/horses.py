"""Words for horses."""

from __future__ import annotations

from collections.abc import Iterator

from analysis.rule_words.facts import Facts
from analysis.rule_words.text import Both, honours, units
from sim.rules import Rules

VALUES: dict[str, dict[str, Both]] = {
    "horses.kind": {
        "none": ("无马", "no horses"),
        "drawn": ("胡牌人摸马", "drawn by the winner"),
        "held": ("每家买马", "held by every seat"),
    },
    "horses.pool": {"wall": ("余下的牌墙", "the rest of the wall"), "reserved": ("留牌", "the tiles never drawn")},
    "horses.origin": {
        "dealer": ("庄家", "the dealer"),
        "winner": ("胡牌人", "the winner"),
        "previous_winner": ("上局胡牌人", "the previous winner"),
    },
    "horses.origin_multiple": {
        "same": ("不变", "as with one"),
        "from_seat": ("点炮或被抢的人", "the discarder or robbed player"),
    },
    "horses.hit": {
        "class": ("属于胡牌人座位的马", "a tile of the winner's seat"),
        "number": ("每匹都中，按点数算", "every tile, as often as its number"),
    },
    "horses.price": {
        "hand": ("再加一份", "the share again"),
        "fixed": ("固定加分", "a fixed price"),
        "double": ("翻倍（爆炸马）", "doubles the share"),
    },
}


def tell(rules: Rules, can: Facts) -> Iterator[Both]:
    """Yield what this section says, without what is off."""
    horses = rules.horses
    if horses.kind == "none":
        return
    held = horses.kind == "held"
    if held:
        yield (
            f"买马：每家有{horses.count}匹马，胡牌后才翻开，每匹代表一家，随那家输赢。",
            f"Every seat has {_horse_tiles(horses.count)}, hidden until somebody has won; each means a seat and"
            " wins and loses with it.",
        )
    else:
        yield from _number_of_horses(rules, can)
    if held or horses.hit == "class":
        zh, en = _map(rules)
        yield f"马的座位：{zh}。", f"Seats that they mean: {en}."
        zh, en = VALUES["horses.origin"][horses.origin]
        yield f"从{zh}数起。", f"They count from {en}."
        if can.several:
            yield (
                ("一炮多响时也这样数。", "The same with several winners.")
                if horses.origin_multiple == "same"
                else (
                    "一炮多响时从点炮或被抢的人数起。",
                    "With several winners they count from the discarder or robbed player.",
                )
            )
    if held:
        return
    if horses.hit == "class":
        yield "属于胡牌人座位的马算中。", "A horse that means the winner hits."
        if can.ghosts and horses.four_ghosts_hit:
            yield "四鬼在手，全部马都中。", "With four ghosts in hand every horse hits."
    else:
        yield "每匹马都中，按点数算（一马全中）。", "Every horse hits as often as its number."
        if can.honours:
            yield f"字牌算{horses.honour_number}点。", f"An honour has the number {horses.honour_number}."
    if horses.price == "fixed":
        yield f"每中一匹，一份加{horses.fixed}底。", f"Each hit adds {units(horses.fixed)} to a share."
    elif horses.price == "double":
        yield "每中一匹，一份翻倍（爆炸马）。", "Each hit doubles a share."
    else:
        yield "每中一匹，再付一份。", "Each hit pays the share once more."
    if horses.fine and can.horses_miss:
        yield f"每匹不中，一份扣{horses.fine}底（罚马）。", f"Each miss takes {units(horses.fine)} off a share."


def _horse_tiles(n: int) -> str:
    return f"{n} horse" if n == 1 else f"{n} horses"


def _map(rules: Rules) -> Both:
    seats = (("本家", "the seat itself"), ("下家", "+1"), ("对家", "+2"), ("上家", "+3"))
    parts = list(zip(rules.horses.map, seats, strict=True))
    zh = "，".join(f"{honours(part)[0]}是{seat[0]}" for part, seat in parts)
    return zh, ", ".join(f"{part} {seat[1]}" for part, seat in parts)


def _number_of_horses(rules: Rules, can: Facts) -> Iterator[Both]:
    horses = rules.horses
    if can.zimo:
        yield f"自摸后摸{horses.count}匹马。", f"After a self-draw the winner draws {_horse_tiles(horses.count)}."
    if can.draws_after_discard:
        n = horses.count_discard
        zh = "、".join([*(["点炮"] if can.discard else []), *(["抢杠"] if can.draws_after_rob else [])])
        en = " or ".join([*(["a discard"] if can.discard else []), *(["a rob"] if can.draws_after_rob else [])])
        yield f"{zh}后摸{n}匹马。", f"After {en} the winner draws {_horse_tiles(n)}."
    if can.rob and not horses.on_rob:
        yield "抢杠胡不摸马。", "A rob draws no horses."
    if can.draws_after_rob and horses.rob_extra:
        yield f"抢杠胡再加{horses.rob_extra}匹。", f"After a rob {horses.rob_extra} more."
    if can.ghosts and horses.without_ghost:
        yield f"胡牌人无鬼，再加{horses.without_ghost}匹。", f"Without a ghost {horses.without_ghost} more."
    if horses.per_repeat:
        yield f"连庄每局再加{horses.per_repeat}匹。", f"For each repeat deal {horses.per_repeat} more."
    zh, en = VALUES["horses.pool"][horses.pool]
    yield f"马从{zh}中摸。", f"They come from {en}."


def idle(rules: Rules, can: Facts) -> Iterator[tuple[str, bool]]:
    """Yield each field of this section that may have no effect, with whether it has none here."""
    horses = rules.horses
    held, drawn = horses.kind == "held", horses.kind == "drawn"
    by_class = drawn and horses.hit == "class"
    yield "horses.count", not (held or (drawn and can.zimo))
    yield "horses.count_discard", not (drawn and can.draws_after_discard)
    yield "horses.without_ghost", not (drawn and can.ghosts)
    yield "horses.per_repeat", not drawn
    yield "horses.on_rob", not (drawn and can.rob)
    yield "horses.rob_extra", not (drawn and can.draws_after_rob)
    yield "horses.pool", not drawn
    yield "horses.map", not (held or by_class)
    yield "horses.origin", not (held or by_class)
    yield "horses.origin_multiple", not ((held or by_class) and can.several)
    yield "horses.hit", not drawn
    yield "horses.honour_number", not (drawn and horses.hit == "number" and can.honours)
    yield "horses.price", not drawn
    yield "horses.fixed", not (drawn and horses.price == "fixed")
    yield "horses.fine", not (drawn and can.horses_miss)
    yield "horses.four_ghosts_hit", not (by_class and can.ghosts)
