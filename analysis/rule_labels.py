"""What each field of a rule set means, in both languages: for tables of rules and of differences."""

from __future__ import annotations

from sim import patterns

# Dotted path -> (Chinese, English). Units stand in the label: 底 is a base unit, 份 a share.
FIELDS: dict[str, tuple[str, str]] = {
    "tiles": ("用牌", "tile set"),
    "ghost.mode": ("鬼牌", "ghosts"),
    "ghost.kinds": ("固定鬼牌", "fixed ghost kinds"),
    "ghost.honour_cycle": ("字牌翻鬼顺序", "order of honours for a turned ghost"),
    "ghost.discard": ("打出鬼牌", "discarding a ghost"),
    "ghost.kong": ("四张鬼开杠", "a kong of four ghosts"),
    "ghost.four": ("摸齐四张同一种鬼", "all four of a kind of ghost in hand"),
    "play.chi": ("可吃", "chi allowed"),
    "play.passed_peng": ("漏碰", "what a passed peng blocks"),
    "play.standing": ("立牌张数", "standing tiles of each seat"),
    "play.declare": ("报听", "declaring ready"),
    "play.last_tiles_reserved": ("留牌张数", "wall tiles never drawn"),
    "play.reserve_per_kong": ("每多一个杠再留张数", "more of them for each kong after the first"),
    "play.odd_tile_stays": ("杠数为单再留一张", "one more while the number of kongs is odd"),
    "play.flower_price": ("每朵花（底，三家各付）", "price of a flower (base units, from each)"),
    "win.ways": ("胡牌方式", "ways to win"),
    "win.chicken_ways": ("鸡胡方式", "ways to win a chicken hand"),
    "win.forms": ("牌型", "winning forms"),
    "win.natural_forms": ("不能用鬼的牌型", "forms that ghosts do not fill"),
    "win.barred": ("持有就不能胡的牌", "tiles whose holder cannot win"),
    "win.min_fan": ("起胡", "minimum to win"),
    "win.min_fan_discard": ("点炮起胡", "minimum to win by discard"),
    "win.must": ("有胡必胡", "every legal win is taken"),
    "win.multiple": ("一炮多响", "several winners on one tile"),
    "win.passed": ("漏胡", "what a passed win blocks"),
    "win.payers": ("点炮谁付", "who pays for a win by discard"),
    "win.rob_kongs": ("可抢的杠", "kongs that can be robbed"),
    "win.rob_shares": ("抢杠赔几份", "shares paid by a robbed player"),
    "win.first_turn_closed_by": ("地和、人和作废于", "what ends the window of first-turn wins"),
    "scoring.method": ("算分方法", "way of scoring"),
    "scoring.base": ("底分", "points of a base unit"),
    "scoring.items": ("几项番型并存", "several items in one hand"),
    "scoring.cap": ("封顶", "cap"),
    "scoring.chicken_with_event": ("鸡胡遇杠开、抢杠、海底", "item of a chicken hand won with an event"),
    "scoring.implied": ("被包含的番型", "items implied by another one"),
    "scoring.rob_is_zimo": ("抢杠当自摸", "a rob counts as a self-draw"),
    "scoring.luxury_natural": ("豪华七对的四张不能有鬼", "fours of luxury seven pairs without ghosts"),
    "scoring.yinghu": ("怎样算硬胡", "what counts as a hand without ghosts"),
    "scoring.loss_cap": ("每家最多付（底）", "most base units that a seat owes a winner"),
    "scoring.loss_cap_all": ("金顶（底）", "what each owes when all three are above that (base units)"),
    "multiples.zimo": ("自摸倍数", "multiple of a self-draw"),
    "multiples.feeder": ("点炮倍数", "multiple of the discarder"),
    "multiples.opened": ("开口倍数", "multiple of exposed melds"),
    "multiples.opened_each": ("每开一次口都乘", "it counts for each exposed meld"),
    "multiples.concealed_kong": ("每个暗杠倍数", "multiple of each concealed kong"),
    "multiples.exposed_kong": ("每个直杠、补杠倍数", "multiple of each direct or added kong"),
    "liability.gangkai_direct": ("杠爆包三家", "feeder of a direct kong pays for all when its replacement wins"),
    "liability.twelve_tiles": ("十二张落地包自摸", "feeder of the fourth exposed set pays for all"),
    "liability.dragons_winds": ("大三元、大四喜包自摸", "feeder of the last dragon or wind pung pays for all"),
    "liability.quanqiuren": ("全求人包三家", "discarder who is not ready pays for four exposed sets"),
    "kong.direct": ("直杠（底）", "direct kong (base units)"),
    "kong.direct_payer": ("直杠付者", "who pays a direct kong"),
    "kong.added": ("补杠（底，三家各付）", "added kong (base units, from each)"),
    "kong.concealed": ("暗杠（底，三家各付）", "concealed kong (base units, from each)"),
    "kong.on_washout": ("流局杠分", "kong points on a washout"),
    "kong.follow_horses": ("马跟杠", "kong points grow with the hits"),
    "horses.kind": ("马", "horses"),
    "horses.count": ("马数", "number of horses"),
    "horses.count_discard": ("点炮或抢杠的马数", "number of horses after a discard or rob"),
    "horses.without_ghost": ("无鬼加马", "more horses without a ghost"),
    "horses.per_repeat": ("连庄每局加马", "more horses for each repeat deal"),
    "horses.on_rob": ("抢杠有马", "a rob draws horses"),
    "horses.rob_extra": ("抢杠加马", "more horses after a rob"),
    "horses.pool": ("马从哪里摸", "where horses are drawn"),
    "horses.map": ("马的座位", "horse tiles of the origin's seat, +1, +2, +3"),
    "horses.origin": ("马从谁数起", "seat that horses count from"),
    "horses.origin_multiple": ("一炮多响时马从谁数起", "the same with several winners"),
    "horses.hit": ("怎样算中马", "which horses hit"),
    "horses.honour_number": ("字牌马的点数", "number of an honour as a horse"),
    "horses.price": ("中一匹马的分", "what a hit is worth"),
    "horses.fixed": ("每匹马加（底）", "base units that a hit adds"),
    "horses.fine": ("不中每匹扣（底）", "base units that a miss takes off"),
    "horses.four_ghosts_hit": ("四鬼全中马", "every horse hits with four ghosts"),
    "dealer.first": ("首庄", "first dealer"),
    "dealer.next": ("下一庄", "next dealer when the dealer does not win"),
    "dealer.after_rob": ("抢杠后的庄家", "dealer after a rob"),
    "dealer.on_washout": ("流局庄家", "dealer after a washout"),
    "dealer.seat_wind": ("门风", "own wind counted from"),
    "dealer.repeat_mode": ("连庄", "what repeat deals do to a share"),
    "dealer.repeat_points": ("每次连庄加（底）", "base units that each repeat deal adds"),
    "dealer.follow_points": ("跟庄（底，庄家付每家）", "four equal first discards (base units, dealer pays each)"),
    "coins.factor": ("每分折币", "coins for a point"),
    "coins.rake": ("每局每家房费（币）", "room's coins from each player for a hand"),
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
