"""A rule set as a player would tell it: short sentences in Chinese and English, and what differs between two.

Pure functions. `sentences` and `prices` leave out what is off or cannot happen; `without_effect` names the fields that
change nothing with the others as they are. A base unit (底) is ``scoring.base`` points; a share (份) is what one loser
pays.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from analysis.rule_labels import label
from sim import patterns, tiles
from sim.rules import Rules

Both = tuple[str, str]  # one text in Chinese and in English

TOPICS: dict[str, Both] = {
    "tiles": ("牌与鬼", "Tiles and ghosts"),
    "claims": ("吃碰杠", "Claims"),
    "win": ("胡牌", "Winning"),
    "worth": ("算分", "What a hand is worth"),
    "kongs": ("杠分", "Kongs"),
    "horses": ("马", "Horses"),
    "liability": ("包牌", "Liability"),
    "dealer": ("庄家", "Dealer and repeats"),
    "coins": ("游戏币", "Coins"),
}


class Words(NamedTuple):
    """One sentence under its topic."""

    topic: str
    zh: str
    en: str


class Price(NamedTuple):
    """One row of the table of patterns."""

    slug: str
    zh: str
    en: str
    worth_zh: str
    worth_en: str


class Difference(NamedTuple):
    """One field in which two rule sets differ, in words; ``effect`` is false where it changes nothing in either."""

    path: str
    label: Both
    first: Both
    second: Both
    effect: bool


NOTHING: Both = ("无", "none")
YES, NO = ("是", "yes"), ("否", "no")

_WAYS: dict[str, Both] = {
    "zimo": ("自摸", "self-draw"),
    "dianpao": ("点炮", "discard"),
    "qianggang": ("抢杠", "robbing a kong"),
}
_FORMS: dict[str, Both] = {
    "standard": ("四组一对", "four sets and a pair"),
    "seven_pairs": ("七对", "seven pairs"),
    "thirteen_orphans": ("十三幺", "thirteen orphans"),
}
_KONGS: dict[str, Both] = {
    "added": ("补杠", "added kongs"),
    "direct": ("直杠", "direct kongs"),
    "concealed": ("暗杠", "concealed kongs"),
}
_VALUES: dict[str, dict[str, Both]] = {
    "tiles": {
        "136": ("136张，万筒条和字牌", "136 tiles, three suits and honours"),
        "108": ("108张，万筒条，无字牌", "108 tiles, three suits, no honours"),
        "100": ("100张，筒条和字牌，无万", "100 tiles, dots, bamboos and honours, no characters"),
        "120": ("120张，万筒条和中发白，无风", "120 tiles, three suits and dragons, no winds"),
        "140": ("140张，万筒条、字牌和4张花", "140 tiles, three suits, honours and 4 flowers"),
        "144": ("144张，万筒条、字牌和8张花", "144 tiles, three suits, honours and 8 flowers"),
    },
    "ghost.mode": {
        "none": ("无鬼", "no ghosts"),
        "fixed": ("固定鬼牌", "fixed ghosts"),
        "turned": ("翻鬼", "a turned ghost"),
        "turned_two": ("翻双鬼", "two turned ghosts"),
    },
    "ghost.discard": {"forbidden": ("不可打出", "forbidden"), "allowed": ("可以打出", "allowed")},
    "ghost.four": {"nothing": ("不算胡", "nothing"), "win": ("可立即胡", "may win at once")},
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
        "same_value": ("不能再胡分不更大的牌", "wins that are not worth more"),
    },
    "win.first_turn_closed_by": {
        "any_call": ("任何吃碰杠", "any chi, peng or kong"),
        "chi_peng": ("吃碰，杠不算", "chi and peng, not a kong"),
    },
    "scoring.method": {
        "sum": ("番型分乘倍数", "items times doubles"),
        "fan": ("每番加倍", "each fan doubles"),
    },
    "scoring.items": {
        "add": ("相加", "they are added"),
        "highest": ("只算最高一项", "only the highest counts"),
        "multiply": ("相乘", "they are multiplied"),
    },
    "scoring.implied": {"drop": ("不另计", "does not count"), "add": ("也计", "counts too")},
    "liability.twelve_tiles": {
        "off": ("不包", "off"),
        "on": ("包", "on"),
        "big": ("只包大牌", "big hands only"),
    },
    "kong.direct_payer": {"feeder": ("点杠的人", "the feeder"), "all": ("三家各付", "each of three")},
    "kong.on_washout": {"kept": ("照付", "kept"), "void": ("作废（荒庄荒杠）", "void")},
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
    "dealer.next": {"winner": ("胡牌人", "the winner"), "next_seat": ("庄家下家", "the seat after the dealer")},
    "dealer.after_rob": {"as_next": ("同其他胡牌", "as after other wins"), "robbed": ("被抢的人", "the robbed player")},
    "dealer.on_washout": {
        "keep": ("庄家连庄", "the dealer keeps the deal"),
        "next_seat": ("庄家下家", "the seat after the dealer"),
    },
    "dealer.seat_wind": {"deal": ("庄家数起", "the dealer"), "chair": ("首庄座位数起", "the first dealer's chair")},
    "dealer.repeat_mode": {
        "none": ("不加分", "nothing"),
        "add": ("每次加分", "each adds"),
        "double": ("每次翻倍", "each doubles"),
    },
}
_LISTS = {"win.ways": _WAYS, "win.chicken_ways": _WAYS, "win.forms": _FORMS, "win.rob_kongs": _KONGS}
_ZERO_IS_NONE = (
    "scoring.cap",
    "scoring.loss_cap",
    "win.min_fan",
    "win.min_fan_discard",
    "coins.factor",
)
_HONOURS_ZH = dict(zip(tiles.HONOURS, "东南西北中发白", strict=True))
_EVENTS_OF_CHICKEN = ("gangkai", "qianggang", "haidi")
_LUXURY = ("luxury_seven_pairs", "double_luxury", "triple_luxury")
_GROUPS = {"item": 0, "special": 0, "pattern": 0, "extra": 1, "floor": 2, "double": 3}  # of the table, in this order


def flatten(rules: Rules) -> dict[str, Any]:
    """Return dotted path -> value of every field that is a rule; a pattern's price is one value (a dict)."""
    flat: dict[str, Any] = {}
    for key, value in rules.to_dict().items():
        if key in ("slug", "name", "summary", "source"):
            continue
        if isinstance(value, dict):
            flat |= {f"{key}.{name}": item for name, item in value.items()}
        else:
            flat[key] = value
    return flat


# Words of single values


def _list(names: Sequence[str], words: Mapping[str, Both], last: str = ", ") -> Both:
    found = [words[name] for name in names]
    return ("、".join(zh for zh, _ in found), _joined([en for _, en in found], last)) if found else NOTHING


def _joined(parts: Sequence[str], last: str) -> str:
    return last.join([", ".join(parts[:-1]), parts[-1]]) if len(parts) > 1 else "".join(parts)


def _honours(text: str) -> Both:
    return "".join(_HONOURS_ZH.get(char, char) for char in text), text


def _kinds(names: Sequence[str]) -> Both:
    zh = "、".join(tiles.KIND_NAMES_ZH[tiles.KIND_OF[name]] for name in names)
    return (zh, " ".join(names)) if names else NOTHING


def _price(role: str, value: int) -> Both:
    return {
        "none": ("不计", "not priced"),
        "item": (f"{value}", f"{value}"),
        "double": (f"乘{value}", f"times {value}"),
        "pattern": (f"{value}番", f"{value} fan"),
        "extra": (f"另加{value}番", f"{value} fan more"),
        "special": (f"{value}番，单独算，不封顶", f"{value} fan alone, above the cap"),
        "floor": (f"不足{value}番按{value}番", f"at least {value} fan"),
    }[role]


def value_words(path: str, value: Any) -> Both:
    """Return one field's value, as `flatten` gives it, in words; None is an absent price."""
    if path.startswith("patterns."):
        if value is None:
            return _price("none", 0)
        zh, en = _price(value["role"], value["value"])
        return (f"{zh}（叫作{value['name']}）", f"{en} (called {value['name']})") if value.get("name") else (zh, en)
    if path in _LISTS:
        return _list(value, _LISTS[path])
    if path == "ghost.kinds":
        return _kinds(value)
    if path == "ghost.honour_cycle":
        return _honours(value) if value else NOTHING
    if path == "horses.map":
        return "／".join(_honours(part)[0] for part in value), " / ".join(value)
    if isinstance(value, bool):
        return YES if value else NO
    if isinstance(value, str):
        return _VALUES[path][value]
    return NOTHING if value == 0 and path in _ZERO_IS_NONE else (str(value), str(value))


# What can happen at all


class _Facts:
    """What a rule set makes possible."""

    def __init__(self, rules: Rules) -> None:
        ways = rules.win.ways
        self.rules = rules
        self.zimo, self.discard, self.rob = ("zimo" in ways, "dianpao" in ways, "qianggang" in ways)
        self.by_tile = self.discard or self.rob
        self.several = self.by_tile and rules.win.multiple == "all"
        self.ghosts = rules.ghost.mode != "none"
        self.four_ghosts = self.ghosts and rules.ghost.four == "win" and self.zimo
        self.honours = rules.tiles != "108"
        self.winds = rules.tiles not in ("108", "120")
        self.standard = "standard" in rules.win.forms
        self.pairs = "seven_pairs" in rules.win.forms
        self.is_sum = rules.scoring.method == "sum"
        self.kong_money = bool(rules.kong.direct or rules.kong.added or rules.kong.concealed)
        self.draws_after_rob = self.rob and rules.horses.on_rob

    def priced(self, slug: str) -> bool:
        """Whether a pattern has a role and can be had."""
        price = self.rules.patterns.get(slug)
        return price is not None and price.role != "none" and self.possible(slug)

    def possible(self, slug: str) -> bool:
        """Whether a hand can have a pattern at all, as far as the options decide it."""
        rules = self.rules
        needs: dict[str, bool] = {
            "chicken": bool(rules.win.chicken_ways),
            "seven_pairs": self.pairs,
            "thirteen_orphans": "thirteen_orphans" in rules.win.forms,
            "hunyise": self.honours,
            "hunpeng": self.standard and self.honours,
            "ziyise": self.honours,
            "tianhu": self.zimo,
            "dihu": self.zimo,
            "renhu": self.discard,
            "zimo": self.zimo or (self.rob and rules.scoring.rob_is_zimo),
            "gangkai": self.zimo,
            "gangpao": self.discard,
            "dianpao": self.discard,
            "qianggang": self.rob,
            "haidi": self.zimo,
            "triple_win": self.several,
            "yinghu": self.ghosts,
            "four_ghosts": self.four_ghosts,
        }
        needs |= dict.fromkeys(_LUXURY, self.pairs)
        needs |= dict.fromkeys(("pinghu", "pengpeng", "qingpeng", "jiulian", "quanqiuren"), self.standard)
        melded = self.standard or self.four_ghosts
        needs |= dict.fromkeys(("xiaosanyuan", "dasanyuan"), self.standard and self.honours)
        needs |= dict.fromkeys(("dragon_1", "dragon_2"), melded and self.honours)
        needs |= dict.fromkeys(("xiaosixi", "dasixi"), self.standard and self.winds)
        needs |= dict.fromkeys(("seat_wind", "round_wind"), melded and self.winds)
        return needs.get(slug, True)

    def is_item(self, slug: str) -> bool:
        return self.priced(slug) and self.rules.patterns[slug].role == "item"

    @property
    def chicken_changes(self) -> bool:
        """Whether an event can change the item of a chicken hand."""
        return self.is_sum and self.is_item("chicken") and any(self.priced(slug) for slug in _EVENTS_OF_CHICKEN)

    @property
    def items_imply(self) -> bool:
        """Whether one item can contain another."""
        return self.is_sum and any(
            self.is_item(slug) and any(self.is_item(other) for other in implied)
            for slug, implied in patterns.IMPLIES.items()
        )

    @property
    def has_luxury(self) -> bool:
        return self.ghosts and any(self.priced(slug) for slug in _LUXURY)

    @property
    def first_turn(self) -> bool:
        return self.priced("dihu") or self.priced("renhu")

    @property
    def draws_after_discard(self) -> bool:
        return self.discard or self.draws_after_rob


def _ineffective(rules: Rules) -> Iterator[tuple[str, bool]]:
    """Yield paths with whether they change nothing here."""
    can, ghost, horses = _Facts(rules), rules.ghost, rules.horses
    held, drawn = horses.kind == "held", horses.kind == "drawn"
    by_class = drawn and horses.hit == "class"
    turned = ghost.mode.startswith("turned")
    yield "ghost.honour_cycle", not (turned and can.honours)
    yield "ghost.kinds", ghost.mode != "fixed"
    yield "ghost.discard", not can.ghosts
    yield "ghost.four", not (can.ghosts and can.zimo)
    yield "play.flower_price", rules.tiles not in tiles.FLOWERS
    yield "win.min_fan_discard", not (can.discard and rules.win.min_fan_discard > rules.win.min_fan)
    yield "win.multiple", not can.by_tile
    yield "win.passed", not can.by_tile or rules.win.must
    yield "win.rob_kongs", not can.rob
    yield "win.rob_shares", not can.rob
    yield "win.first_turn_closed_by", not can.first_turn
    yield "scoring.items", not can.is_sum
    yield "scoring.chicken_with_event", not can.chicken_changes
    yield "scoring.implied", not can.items_imply
    zimo = rules.patterns.get("zimo")
    yield "scoring.rob_is_zimo", not (can.rob and zimo is not None and zimo.role != "none")
    yield "scoring.luxury_natural", not can.has_luxury
    yield "liability.gangkai_direct", not can.zimo
    yield "liability.twelve_tiles", not can.zimo
    yield "liability.dragons_winds", not (can.zimo and can.honours)
    yield "kong.direct_payer", rules.kong.direct == 0
    yield "kong.on_washout", not (can.kong_money or rules.play.flower_price)
    yield "kong.follow_horses", not (drawn and can.kong_money)
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
    yield "horses.fine", not drawn
    yield "horses.four_ghosts_hit", not (by_class and can.ghosts)
    yield "dealer.after_rob", not can.rob
    yield "dealer.seat_wind", not can.priced("seat_wind")
    yield "dealer.repeat_points", rules.dealer.repeat_mode != "add"
    yield "coins.rake", rules.coins.factor == 0
    for pattern in patterns.PATTERNS:
        yield f"patterns.{pattern.slug}", not can.priced(pattern.slug)


def without_effect(rules: Rules) -> frozenset[str]:
    """Return the paths of the fields whose values change nothing with the other options as they are."""
    return frozenset(path for path, ineffective in _ineffective(rules) if ineffective)


# Sentences


def _tiles(rules: Rules) -> Iterator[Both]:
    ghost, play = rules.ghost, rules.play
    zh, en = _VALUES["tiles"][rules.tiles]
    yield f"用牌{zh}。", f"Played with {en}."
    if ghost.mode == "fixed":
        zh, en = _kinds(ghost.kinds)
        yield f"{zh}做鬼。", f"Ghosts: {en}."
    elif ghost.mode != "none":
        yield (
            ("翻一张牌，它的下一种牌做鬼。", "A tile is turned; the kind after it is the ghost.")
            if ghost.mode == "turned"
            else ("翻一张牌，它之后的两种牌做鬼。", "A tile is turned; the two kinds after it are ghosts.")
        )
        if rules.tiles == "108":
            yield "9之后是1。", "9 is followed by 1."
        else:
            zh, en = _honours(ghost.honour_cycle)
            yield f"9之后是1，字牌按{zh}循环。", f"9 is followed by 1; honours go round as {en}."
    if ghost.mode != "none":
        yield (
            ("鬼可当任何牌，不可打出。", "A ghost stands for any tile and may not be discarded.")
            if ghost.discard == "forbidden"
            else ("鬼可当任何牌，也可打出。", "A ghost stands for any tile and may be discarded.")
        )
        if ghost.four == "win" and "zimo" in rules.win.ways:
            yield "摸齐四张同一种鬼可立即胡。", "Whoever draws all four of a kind of ghost may win at once."
    if rules.tiles in tiles.FLOWERS:
        yield "摸到花就放到一边，从牌墙尾补一张。", "A flower is laid aside and replaced from the end of the wall."
        if play.flower_price:
            yield (
                f"每朵花，三家各付{play.flower_price}底。",
                f"For each flower, each of three pays {_units(play.flower_price)}.",
            )
    if play.last_tiles_reserved:
        n = play.last_tiles_reserved
        yield f"牌墙最后{n}张不摸。", f"The last {n} tiles of the wall are never drawn."


def _units(n: int) -> str:
    return f"{n} base unit" if n == 1 else f"{n} base units"


def _claims(rules: Rules) -> Iterator[Both]:
    if rules.play.chi:
        yield "可吃上家，可碰，可杠。", "Chi from the seat before, peng and kong are allowed."
    else:
        yield "可碰，可杠，不可吃。", "Peng and kong are allowed, chi is not."


def _win(rules: Rules) -> Iterator[Both]:
    win, can = rules.win, _Facts(rules)
    zh, en = _list(win.ways, _WAYS, " or ")
    yield f"可胡：{zh}。", f"A hand may be won by {en}."
    if set(win.chicken_ways) != set(win.ways):
        zh, en = _list(win.chicken_ways, _WAYS, " or ")
        yield (
            (f"鸡胡只可：{zh}。", f"A chicken hand only by {en}.")
            if win.chicken_ways
            else ("鸡胡不可胡。", "A chicken hand cannot win.")
        )
    zh, en = _list(win.forms, _FORMS, " or ")
    yield f"牌型：{zh}。", f"Winning forms: {en}."
    unit = ("分（番型分乘倍数）", "items times doubles") if can.is_sum else ("番", "fan")
    if win.min_fan:
        yield f"{win.min_fan}{unit[0]}起胡。", f"A win needs at least {win.min_fan} ({unit[1]})."
    if can.discard and win.min_fan_discard > win.min_fan:
        n = win.min_fan_discard
        yield f"点炮须{n}{unit[0]}起胡。", f"A win by discard needs at least {n} ({unit[1]})."
    if win.must:
        yield "有胡必胡。", "Every legal win is taken."
    if can.by_tile:
        zh, en = _VALUES["win.multiple"][win.multiple]
        yield f"一炮多响：{zh}。", f"Several winners on one tile: {en}."
        if win.passed != "off" and not win.must:
            zh, en = _VALUES["win.passed"][win.passed]
            yield (
                f"漏胡后到自己摸牌或吃碰杠之前{zh}（自摸不限）。",
                f"A passed win blocks {en} until the player draws or calls; never a self-draw.",
            )
    if can.rob:
        zh, en = _list(win.rob_kongs, _KONGS)
        yield f"可抢的杠：{zh}。", f"Kongs that can be robbed: {en}."
        yield (
            ("被抢的人付一份。", "The robbed player pays one share.")
            if win.rob_shares == 1
            else ("被抢的人包三家，付三份。", "The robbed player pays three shares.")
        )
    if can.first_turn:
        zh, en = _VALUES["win.first_turn_closed_by"][win.first_turn_closed_by]
        yield f"地和、人和作废于：{zh}。", f"First-turn wins end with {en}."


def _worth(rules: Rules) -> Iterator[Both]:
    scoring, can = rules.scoring, _Facts(rules)
    yield f"一底为{scoring.base}分。", f"A base unit is {scoring.base} point{'s' * (scoring.base > 1)}."
    if can.is_sum:
        zh, en = _VALUES["scoring.items"][scoring.items]
        yield (
            f"几项番型并存，分数{zh}，再乘各倍数，就是一份的底数。",
            f"Several items: {en}. That times all doubles is a share in base units.",
        )
        if can.items_imply:
            zh, en = _VALUES["scoring.implied"][scoring.implied]
            yield f"被另一番型包含的番型{zh}。", f"An item that another one contains {en}."
        if can.chicken_changes:
            n = scoring.chicken_with_event
            yield (
                f"鸡胡遇杠上开花、抢杠或海底时，鸡胡本身算{n}。",
                f"A chicken hand won on a kong's replacement, by a rob or on the last tile counts {n} for itself.",
            )
    else:
        yield (
            "取最高的番型，另加各项附加番；一番翻一倍，0番为一底。",
            "The best pattern counts, and all extras on top; each fan doubles, 0 fan is a base unit.",
        )
    if scoring.cap:
        zh, en = ("底", "base units") if can.is_sum else ("番", "fan")
        yield f"{scoring.cap}{zh}封顶。", f"Cap: {scoring.cap} {en}."
    if can.rob and scoring.rob_is_zimo and "scoring.rob_is_zimo" not in without_effect(rules):
        yield "抢杠当自摸。", "A rob counts as a self-draw."
    if can.has_luxury and scoring.luxury_natural:
        yield "豪华七对的四张不能有鬼。", "The four of a kind of luxury seven pairs must be without ghosts."
    if scoring.loss_cap:
        n = scoring.loss_cap
        yield f"一份最多{n}底，连马在内。", f"A share is at most {_units(n)}, drawn horses included."


def _kongs(rules: Rules) -> Iterator[Both]:
    kong, can = rules.kong, _Facts(rules)
    if kong.direct:
        yield (
            (f"直杠：点杠的人付{kong.direct}底。", f"Direct kong: the feeder pays {_units(kong.direct)}.")
            if kong.direct_payer == "feeder"
            else (f"直杠：三家各付{kong.direct}底。", f"Direct kong: each of three pays {_units(kong.direct)}.")
        )
    if kong.added:
        yield f"补杠：三家各付{kong.added}底。", f"Added kong: each of three pays {_units(kong.added)}."
    if kong.concealed:
        yield f"暗杠：三家各付{kong.concealed}底。", f"Concealed kong: each of three pays {_units(kong.concealed)}."
    if can.kong_money or rules.play.flower_price:
        what = ("杠分和花分", "Kong and flower money") if rules.play.flower_price else ("杠分", "Kong money")
        zh, en = _VALUES["kong.on_washout"][kong.on_washout]
        yield f"流局时{what[0]}{zh}。", f"{what[1]} of a drawn hand is {en}."
    if can.kong_money and kong.follow_horses:
        yield "马跟杠：每中一匹马，胡牌人的杠分再付一次。", "Each hit pays the winner's kong money once more."


def _horse_tiles(n: int) -> str:
    return f"{n} horse" if n == 1 else f"{n} horses"


def _map(rules: Rules) -> Both:
    seats = (("本家", "the seat itself"), ("下家", "+1"), ("对家", "+2"), ("上家", "+3"))
    parts = list(zip(rules.horses.map, seats, strict=True))
    zh = "，".join(f"{_honours(part)[0]}是{seat[0]}" for part, seat in parts)
    return zh, ", ".join(f"{part} {seat[1]}" for part, seat in parts)


def _number_of_horses(rules: Rules, can: _Facts) -> Iterator[Both]:
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
    zh, en = _VALUES["horses.pool"][horses.pool]
    yield f"马从{zh}中摸。", f"They come from {en}."


def _horses(rules: Rules) -> Iterator[Both]:
    horses, can = rules.horses, _Facts(rules)
    if horses.kind == "none":
        return
    held = horses.kind == "held"
    if held:
        yield (
            f"买马：每家开局有{horses.count}匹马，每匹代表一家，随那家输赢。",
            f"Before play every seat gets {_horse_tiles(horses.count)}; each means a seat and wins and loses with it.",
        )
    else:
        yield from _number_of_horses(rules, can)
    if held or horses.hit == "class":
        zh, en = _map(rules)
        yield f"马的座位：{zh}。", f"Seats that they mean: {en}."
        zh, en = _VALUES["horses.origin"][horses.origin]
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
        yield f"每中一匹，一份加{horses.fixed}底。", f"Each hit adds {_units(horses.fixed)} to a share."
    elif horses.price == "double":
        yield "每中一匹，一份翻倍（爆炸马）。", "Each hit doubles a share."
    else:
        yield "每中一匹，再付一份。", "Each hit pays the share once more."
    if horses.fine:
        yield f"每匹不中，一份扣{horses.fine}底（罚马）。", f"Each miss takes {_units(horses.fine)} off a share."


def _liability(rules: Rules) -> Iterator[Both]:
    bao, can = rules.liability, _Facts(rules)
    if not can.zimo:
        return
    if bao.gangkai_direct:
        yield (
            "直杠后杠上开花：点杠的人付全部三份。",
            "Win on the replacement of a direct kong: its feeder pays all three shares.",
        )
    if bao.twelve_tiles != "off":
        big = bao.twelve_tiles == "big"
        yield (
            f"十二张落地{'（只限大牌）' if big else ''}自摸：喂第四组的人付全部三份。",
            f"Self-draw with four exposed sets{' (big hands only)' if big else ''}: "
            "the feeder of the fourth pays all three shares.",
        )
    if bao.dragons_winds and can.honours:
        yield (
            "大三元、大四喜自摸：喂最后一个刻子的人付全部三份。",
            "Self-draw of big dragons or big winds: the feeder of the last pung pays all three shares.",
        )


def _dealer(rules: Rules) -> Iterator[Both]:
    dealer, can = rules.dealer, _Facts(rules)
    zh, en = _VALUES["dealer.next"][dealer.next]
    yield (
        f"庄家胡牌连庄；闲家胡牌，下一庄是{zh}。",
        f"A dealer who wins stays; when another seat wins, the next dealer is {en}.",
    )
    if can.rob and dealer.after_rob == "robbed":
        yield "抢杠后由被抢的人做庄。", "After a rob the robbed player deals."
    yield (
        ("流局，庄家连庄。", "After a drawn hand the dealer stays.")
        if dealer.on_washout == "keep"
        else ("流局，下家做庄。", "After a drawn hand the next seat deals.")
    )
    if can.priced("seat_wind"):
        zh, en = _VALUES["dealer.seat_wind"][dealer.seat_wind]
        yield f"门风从{zh}。", f"The own wind is counted from {en}."
    if dealer.repeat_mode == "add":
        yield (
            f"每次连庄，一份加{dealer.repeat_points}底。",
            f"Each repeat deal adds {_units(dealer.repeat_points)} to every share.",
        )
    elif dealer.repeat_mode == "double":
        yield "每次连庄，一份翻倍。", "Each repeat deal doubles every share."
    if dealer.follow_points:
        yield (
            f"跟庄：开局四家打出同一种牌，庄家付每家{dealer.follow_points}底。",
            f"When the first four discards are equal the dealer pays each seat {_units(dealer.follow_points)}.",
        )


def _coins(rules: Rules) -> Iterator[Both]:
    coins = rules.coins
    if coins.factor:
        yield f"一分折{coins.factor}币。", f"A point is {coins.factor} coins."
        if coins.rake:
            yield (
                f"每局每家付房费{coins.rake}币。",
                f"The room takes {coins.rake} coins from each player for each hand.",
            )


_TELL = {
    "tiles": _tiles,
    "claims": _claims,
    "win": _win,
    "worth": _worth,
    "kongs": _kongs,
    "horses": _horses,
    "liability": _liability,
    "dealer": _dealer,
    "coins": _coins,
}


def sentences(rules: Rules) -> list[Words]:
    """Return what a rule set says, apart from the prices of patterns, in the order of ``TOPICS``."""
    return [Words(topic, zh, _capital(en)) for topic in TOPICS for zh, en in _TELL[topic](rules)]


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def prices(rules: Rules) -> list[Price]:
    """Return the table of patterns that can be had: by role, the most valuable first."""
    can = _Facts(rules)
    order = [pattern.slug for pattern in patterns.PATTERNS if can.priced(pattern.slug)]
    order.sort(key=lambda slug: (_GROUPS[rules.patterns[slug].role], -rules.patterns[slug].value))
    rows = []
    for slug in order:
        index, price = patterns.INDEX[slug], rules.patterns[slug]
        rows.append(
            Price(slug, rules.pattern_name(index), patterns.PATTERNS[index].en, *_price(price.role, price.value))
        )
    return rows


def words(rules: Rules) -> list[Words]:
    """Return everything that a rule set says: its sentences, and one for each pattern under ``worth``."""
    told = [
        Words("worth", f"{row.zh}：{row.worth_zh}。", f"{_capital(row.en)}: {row.worth_en}.") for row in prices(rules)
    ]
    found = sentences(rules)
    after = max(i for i, entry in enumerate(found) if entry.topic == "worth") + 1
    return [*found[:after], *told, *found[after:]]


def differences(first: Rules, second: Rules) -> list[Difference]:
    """Return each field in which two rule sets differ, in words."""
    a, b = flatten(first), flatten(second)
    idle = without_effect(first) & without_effect(second)
    paths = [*a, *(path for path in b if path not in a)]
    return [
        Difference(path, label(path), value_words(path, a.get(path)), value_words(path, b.get(path)), path not in idle)
        for path in paths
        if a.get(path) != b.get(path)
    ]
