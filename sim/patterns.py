"""The patterns (番型) that rule sets may price, their order, names and logic of implication.

A rule set gives each pattern a *role* and a value (`sim.rules`). The position in ``PATTERNS`` is the bit in
pattern masks, the order in which fans are listed, and the tie-break between equal ones (the first wins).
"""

from __future__ import annotations

from typing import NamedTuple


class Pattern(NamedTuple):
    """One pattern: slug, Chinese name, English gloss, and what it is a property of.

    ``scope`` is ``shape`` (of the tiles and their reading), ``honours`` (of single pungs), ``event`` (of how the
    hand was won) or ``state`` (of the whole hand: concealed, without ghosts).
    """

    slug: str
    zh: str
    en: str
    scope: str


PATTERNS: tuple[Pattern, ...] = (
    Pattern("chicken", "鸡胡", "chicken hand (a plain shape)", "shape"),
    Pattern("pinghu", "平胡", "all chows", "shape"),
    Pattern("pengpeng", "碰碰胡", "all pungs", "shape"),
    Pattern("hunyise", "混一色", "one suit and honours", "shape"),
    Pattern("qingyise", "清一色", "one suit", "shape"),
    Pattern("hunpeng", "混碰", "all pungs in one suit and honours", "shape"),
    Pattern("qingpeng", "清碰", "all pungs in one suit", "shape"),
    Pattern("seven_pairs", "七对", "seven pairs", "shape"),
    Pattern("luxury_seven_pairs", "豪华七对", "seven pairs with one four of a kind", "shape"),
    Pattern("double_luxury", "双豪华七对", "seven pairs with two fours of a kind", "shape"),
    Pattern("triple_luxury", "三豪华七对", "seven pairs with three fours of a kind", "shape"),
    Pattern("hunyaojiu", "混幺九", "only terminals and honours", "shape"),
    Pattern("qingyaojiu", "清幺九", "only terminals", "shape"),
    Pattern("xiaosanyuan", "小三元", "two dragon pungs and a dragon pair", "shape"),
    Pattern("dasanyuan", "大三元", "three dragon pungs", "shape"),
    Pattern("xiaosixi", "小四喜", "three wind pungs and a wind pair", "shape"),
    Pattern("dasixi", "大四喜", "four wind pungs", "shape"),
    Pattern("ziyise", "字一色", "only honours", "shape"),
    Pattern("jiulian", "九莲宝灯", "nine gates", "shape"),
    Pattern("thirteen_orphans", "十三幺", "thirteen orphans", "shape"),
    Pattern("quanqiuren", "全求人", "four exposed sets", "shape"),
    Pattern("jiangyise", "将一色", "only 2, 5 and 8", "shape"),
    Pattern("tianhu", "天和", "dealer wins with the dealt hand", "event"),
    Pattern("dihu", "地和", "win on the first draw", "event"),
    Pattern("renhu", "人和", "win on the dealer's first discard", "event"),
    Pattern("seat_wind", "门风", "pung of the own wind", "honours"),
    Pattern("round_wind", "圈风", "pung of the round's wind", "honours"),
    Pattern("dragon_1", "三元牌x1", "one dragon pung", "honours"),
    Pattern("dragon_2", "三元牌x2", "two dragon pungs", "honours"),
    Pattern("menqing", "门清", "concealed hand", "state"),
    Pattern("zimo", "自摸", "self-draw", "event"),
    Pattern("gangkai", "杠上开花", "win on a kong's replacement", "event"),
    Pattern("gangpao", "杠上炮", "win on the discard after a kong", "event"),
    Pattern("qianggang", "抢杠胡", "win by robbing a kong", "event"),
    Pattern("haidi", "海底捞月", "self-draw of the last tile", "event"),
    Pattern("triple_win", "一炮三响", "three winners on one discard", "event"),
    Pattern("yinghu", "硬胡", "no ghost in the winning hand", "state"),
    Pattern("four_ghosts", "四鬼胡", "all four ghosts in hand", "shape"),
    Pattern("quemen", "缺一门", "one suit missing", "state"),
    Pattern("dianpao", "点炮胡", "win on a discard", "event"),
)

N_PATTERNS = len(PATTERNS)
INDEX = {pattern.slug: i for i, pattern in enumerate(PATTERNS)}

(
    CHICKEN,
    PINGHU,
    PENGPENG,
    HUNYISE,
    QINGYISE,
    HUNPENG,
    QINGPENG,
    SEVEN_PAIRS,
    LUXURY,
    DOUBLE_LUXURY,
    TRIPLE_LUXURY,
    HUNYAOJIU,
    QINGYAOJIU,
    XIAOSANYUAN,
    DASANYUAN,
    XIAOSIXI,
    DASIXI,
    ZIYISE,
    JIULIAN,
    ORPHANS,
    QUANQIUREN,
    JIANGYISE,
    TIANHU,
    DIHU,
    RENHU,
    SEAT_WIND,
    ROUND_WIND,
    DRAGON_1,
    DRAGON_2,
    MENQING,
    P_ZIMO,
    GANGKAI,
    GANGPAO,
    P_QIANGGANG,
    HAIDI,
    TRIPLE_WIN,
    YINGHU,
    FOUR_GHOSTS,
    QUEMEN,
    P_DIANPAO,
) = range(N_PATTERNS)

SHAPE_MASK = sum(1 << i for i, p in enumerate(PATTERNS) if p.scope == "shape" and i != CHICKEN)

# Pattern -> patterns that every such hand (of the same form) also has: an item priced by a rule set that drops
# implied items (R02) counts alone.
IMPLIES: dict[str, tuple[str, ...]] = {
    "hunpeng": ("pengpeng", "hunyise"),
    "qingpeng": ("pengpeng", "qingyise"),
    "luxury_seven_pairs": ("seven_pairs",),
    "double_luxury": ("seven_pairs", "luxury_seven_pairs"),
    "triple_luxury": ("seven_pairs", "luxury_seven_pairs", "double_luxury"),
    "hunyaojiu": ("pengpeng",),
    "qingyaojiu": ("pengpeng", "hunyaojiu"),
    "dasixi": ("pengpeng",),
    "jiangyise": ("pengpeng",),
    "ziyise": ("pengpeng", "hunyaojiu"),
    "jiulian": ("qingyise", "menqing"),
    "thirteen_orphans": ("hunyaojiu", "menqing"),
}

# Roles a rule set may give to a pattern.
ROLE_NONE, ROLE_ITEM, ROLE_DOUBLE, ROLE_PATTERN, ROLE_EXTRA, ROLE_SPECIAL, ROLE_FLOOR = range(7)
ROLES = ("none", "item", "double", "pattern", "extra", "special", "floor")
