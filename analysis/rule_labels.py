"""What each field of a rule set means, in both languages: for tables of rules and of differences."""

from __future__ import annotations

from sim import patterns

# Dotted path -> (Chinese, English).
FIELDS: dict[str, tuple[str, str]] = {
    "tiles": ("用牌", "tile set"),
    "ghost.mode": ("鬼牌", "ghosts: none, fixed or turned"),
    "ghost.kinds": ("固定鬼牌", "fixed ghost kinds"),
    "ghost.honour_cycle": ("字牌翻鬼顺序", "order of honours for a turned ghost"),
    "ghost.discard": ("打出鬼牌", "discarding a ghost"),
    "play.chi": ("可吃", "chi allowed"),
    "play.last_tiles_reserved": ("留牌张数", "wall tiles never drawn"),
    "win.ways": ("胡牌方式", "ways to win"),
    "win.chicken_ways": ("鸡胡方式", "ways to win a chicken hand"),
    "win.forms": ("牌型", "winning forms"),
    "win.min_fan": ("起胡番数", "least fan to win"),
    "win.multiple": ("一炮多响", "several winners on one tile"),
    "win.passed": ("漏胡", "what a passed win blocks"),
    "win.rob_shares": ("抢杠赔几家", "shares paid by a robbed player"),
    "win.first_turn_closed_by": ("地和、人和作废于", "what ends the window of first-turn wins"),
    "scoring.method": ("算分方法", "scoring: items times doubles, or fan"),
    "scoring.base": ("底分", "base points"),
    "scoring.cap": ("封顶", "cap (0: none)"),
    "scoring.chicken_with_event": ("鸡胡遇杠开、抢杠、海底", "item of a chicken hand won with an event"),
    "scoring.implied": ("被包含的番型", "items implied by another one"),
    "scoring.rob_is_zimo": ("抢杠当自摸", "a rob counts as a self-draw"),
    "liability.gangkai_direct": (
        "杠爆包三家",
        "feeder of a direct kong pays for all when its replacement wins",
    ),
    "liability.twelve_tiles": ("十二张落地包自摸", "feeder of the fourth exposed set pays for all"),
    "liability.dragons_winds": (
        "大三元、大四喜包自摸",
        "feeder of the last dragon or wind pung pays for all",
    ),
    "kong.direct": ("直杠", "direct kong"),
    "kong.direct_payer": ("直杠付者", "who pays a direct kong"),
    "kong.added": ("补杠", "added kong, from each"),
    "kong.concealed": ("暗杠", "concealed kong, from each"),
    "kong.on_washout": ("流局杠分", "kong points on a washout"),
    "horses.kind": ("马", "horses: none, drawn by the winner, held by all"),
    "horses.count": ("马数", "number of horses"),
    "horses.map": ("马的座位", "horse tiles of the origin's seat, +1, +2, +3"),
    "horses.origin": ("马从谁数起", "seat that horses count from"),
    "horses.origin_multiple": ("一炮多响时马从谁数起", "the same with several winners"),
    "horses.on_rob": ("抢杠有马", "a rob draws horses"),
    "dealer.next": ("下一庄", "next dealer when the dealer does not win"),
    "dealer.on_washout": ("流局庄家", "dealer after a washout"),
    "dealer.seat_wind": ("门风", "own wind counted from"),
}


def label(path: str) -> tuple[str, str]:
    """Return the Chinese and the English label of a field, or of a pattern's price (``patterns.zimo``).

    Raises
    ------
    KeyError
        For a path that no rule set has.
    """
    if path in FIELDS:
        return FIELDS[path]
    pattern = patterns.PATTERNS[patterns.INDEX[path.removeprefix("patterns.")]]
    return pattern.zh, pattern.en
