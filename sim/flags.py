"""Rule sets as kernels see them: one int64 array with named rows and columns.

One array, not a tuple of fields, because every call between kernels hands it on (see `sim.state`).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sim import patterns, tiles, weights
from sim.rules import Rules

WAY_BITS = {"zimo": 1, "dianpao": 2, "qianggang": 4}
FORM_BITS = {"standard": 1, "seven_pairs": 2, "thirteen_orphans": 4}
FORM_STANDARD, FORM_PAIRS, FORM_ORPHANS = 1, 2, 4
GHOST_NONE, GHOST_FIXED, GHOST_TURNED, GHOST_TURNED_TWO = range(4)
MULTIPLE_ALL, MULTIPLE_NEAREST, MULTIPLE_BIGGEST, MULTIPLE_FROM_DEALER = range(4)
PASSED_OFF, PASSED_SAME, PASSED_ALL, PASSED_VALUE, PASSED_REST = range(5)
WASHOUT_KEEPS, WASHOUT_PASSES, WASHOUT_KONG_PASSES = range(3)
METHOD_SUM, METHOD_FAN = 0, 1
ITEMS_ADD, ITEMS_HIGHEST, ITEMS_MULTIPLY = 0, 1, 2
HORSES_NONE, HORSES_DRAWN, HORSES_HELD = 0, 1, 2
ORIGIN_DEALER, ORIGIN_WINNER, ORIGIN_PREVIOUS = 0, 1, 2
ROB_BITS = {"added": 1, "direct": 2, "concealed": 4}
ROB_ADDED, ROB_DIRECT, ROB_CONCEALED = 1, 2, 4
TWELVE_OFF, TWELVE_ON, TWELVE_BIG = 0, 1, 2
HIT_CLASS, HIT_NUMBER = 0, 1
PRICE_HAND, PRICE_FIXED, PRICE_DOUBLE = 0, 1, 2
REPEAT_NONE, REPEAT_ADD, REPEAT_DOUBLE = 0, 1, 2


# Rows of the array.
(
    FLAG,  # columns R_* below
    ROLE,  # of each pattern: ROLE_* of sim.patterns
    VALUE,  # of each pattern: item, factor or fan
    IMPLIED_BY,  # of each pattern: mask of priced patterns that hide its item
    COPIES,  # of each kind: tiles in the deck, 0 or 4
    SUCCESSOR,  # of each kind: the ghost that it makes as an indicator
    HORSE_CLASS,  # of each kind and flower: seats after the origin that a horse tile means
    HORSE_NUMBER,  # of each kind and flower: its number where numbers count
    DECK,  # kinds of the unshuffled wall
    VALUE_WEIGHTS,  # of the bots value and defend: columns of sim.policy.weights
    DEFEND_WEIGHTS,
) = range(11)
N_ROWS = 11
N_COLUMNS = 304

# Columns of row FLAG.
(
    R_N_TILES,  # tiles of the deck
    R_PRICED,  # mask of patterns with a role
    R_GHOST_MODE,  # GHOST_*
    R_GHOST_MASK,  # fixed ghosts, bit k for kind k
    R_GHOST_DISCARD,  # 1: ghosts may be discarded
    R_CHI,  # 1: allowed
    R_FLOWER_PRICE,
    R_RESERVED,  # tiles at the end of the wall that are never drawn
    R_WAYS,  # bits of WAY_BITS
    R_CHICKEN_WAYS,  # bits of WAY_BITS
    R_FORMS,  # bits FORM_*
    R_MIN_FAN,
    R_MIN_FAN_DISCARD,
    R_MUST,  # 1: a legal win is always taken
    R_ROB_KONGS,  # bits ROB_*
    R_FOUR_GHOSTS,  # 1: four ghosts may win at once
    R_LUXURY_NATURAL,  # 1: fours of a kind in seven pairs without ghosts only
    R_LOSS_CAP,
    R_MULTIPLE,  # MULTIPLE_*
    R_PASSED,  # PASSED_*
    R_ROB_SHARES,
    R_OPEN_KONG,  # 1: a kong leaves the window of 地和 and 人和 open
    R_METHOD,  # METHOD_*
    R_BASE,
    R_ITEMS,  # ITEMS_*
    R_CAP,
    R_CHICKEN_WITH_EVENT,
    R_ROB_IS_ZIMO,  # 1: a rob counts as 自摸
    R_BAO_GANGKAI,  # 1: liability applies, also the next two
    R_BAO_TWELVE,
    R_BAO_DRAGONS_WINDS,
    R_KONG_DIRECT,
    R_KONG_DIRECT_ALL,  # 1: each of three pays kong_direct
    R_KONG_ADDED,
    R_KONG_CONCEALED,
    R_KONG_VOID,  # 1: no kong money on a washout
    R_HORSES,  # HORSES_*
    R_N_HORSES,  # per hand (drawn) or per seat (held)
    R_HORSE_ORIGIN,  # ORIGIN_*
    R_HORSE_ORIGIN_FROM,  # 1: counted from the discarder or robbed seat when several win
    R_HORSE_ON_ROB,
    R_DEAL_TO_WINNER,  # 1: the winner deals next, 0: the next seat
    R_WASHOUT,  # WASHOUT_*
    R_WIND_BY_CHAIR,  # 1: own wind from the chair, 0: from the dealer
    R_ROBBED_DEALS,  # 1: the robbed player deals after a rob
    R_REPEAT_MODE,  # REPEAT_*
    R_REPEAT_POINTS,
    R_FOLLOW_POINTS,
    R_KONG_FOLLOWS,  # 1: kong money of winners grows with the hits
    R_N_HORSES_DISCARD,
    R_HORSES_WITHOUT_GHOST,
    R_HORSES_PER_REPEAT,
    R_HORSES_ROB_EXTRA,
    R_HORSES_RESERVED,  # 1: drawn from the reserved tail
    R_HORSE_HIT,  # HIT_*
    R_HORSE_PRICE,  # PRICE_*
    R_HORSE_FIXED,
    R_HORSE_FINE,
    R_HORSE_FOUR_GHOSTS,  # 1: all horses hit for a winner with four ghosts
    R_GHOST_KONG,  # 1: four ghosts may be a concealed kong
    R_NATURAL_FORMS,  # bits FORM_* of forms that ghosts do not fill
    R_BARRED,  # mask of kinds whose holder cannot win
    R_ALL_PAY,  # 1: all three pay for a discard
    R_PASSED_PENG,  # 1: no pung of a kind that was passed
    R_STANDING,
    R_DECLARE,  # 1: only who has declared ready can win
    R_RESERVE_PER_KONG,
    R_ODD_TILE_STAYS,
    R_YINGHU_AS_ITSELF,  # 1: also when every ghost counts as its own kind
    R_LOSS_CAP_ALL,
    R_TIMES_ZIMO,  # multiples in tenths
    R_TIMES_FEEDER,
    R_TIMES_OPENED,
    R_OPENED_EACH,  # 1: for each exposed meld
    R_TIMES_CONCEALED,
    R_TIMES_EXPOSED,
    R_BAO_QUANQIUREN,
    R_EAST_DEALS,  # 1: seat 0 is the first dealer
    R_BY_PAYER,  # 1: payers may owe unlike amounts (multiples), or more when all owe much (金顶)
) = range(79)


def successor(cycle: str) -> NDArray[np.int64]:
    """Return the ghost for each indicator, int64 (34,).

    Numbers go up and 9 wraps to 1. Honours follow ``cycle`` and wrap; an honour that the cycle leaves out
    is followed by the one that stands after it in E S W N Z F B (R07 and the reading of 推倒胡).
    """
    result = np.zeros(tiles.N_KINDS, np.int64)
    for kind in range(tiles.FIRST_HONOUR):
        result[kind] = kind // 9 * 9 + (kind % 9 + 1) % 9
    for i, name in enumerate(tiles.HONOURS):
        if name in cycle:
            follower = cycle[(cycle.index(name) + 1) % len(cycle)]
        else:
            later = [h for h in tiles.HONOURS[i + 1 :] if h in cycle]
            follower = later[0] if later else (cycle[0] if cycle else name)
        result[tiles.KIND_OF[name]] = tiles.KIND_OF[follower]
    return result


def horse_classes(mapping: tuple[str, str, str, str]) -> NDArray[np.int64]:
    """Return for each kind and flower how many seats after the origin it means, int64 (42,).

    A flower stands for its number: 1 to 4, twice (R26).
    """
    result = np.zeros(tiles.N_KINDS + tiles.N_FLOWERS, np.int64)
    for seats, names in enumerate(mapping):
        for name in names:
            if name in tiles.HONOURS:
                result[tiles.KIND_OF[name]] = seats
            else:
                result[[int(name) - 1 + 9 * suit for suit in range(3)]] = seats
    result[tiles.FIRST_FLOWER :] = [result[i % 4] for i in range(tiles.N_FLOWERS)]
    return result


def horse_numbers(honour_number: int) -> NDArray[np.int64]:
    """Return for each kind and flower its number where numbers count, int64 (42,)."""
    numbers = [k % 9 + 1 for k in range(tiles.FIRST_HONOUR)]
    numbers += [honour_number] * (tiles.N_KINDS - tiles.FIRST_HONOUR)
    return np.array(numbers + [i % 4 + 1 for i in range(tiles.N_FLOWERS)], np.int64)


def _mask(names: tuple[str, ...], bits: dict[str, int]) -> int:
    return sum(bits[name] for name in set(names))


def _prices(rules: Rules) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    role = np.zeros(patterns.N_PATTERNS, np.int64)
    value = np.zeros(patterns.N_PATTERNS, np.int64)
    hidden = np.zeros(patterns.N_PATTERNS, np.int64)
    for slug, price in rules.patterns.items():
        role[patterns.INDEX[slug]] = patterns.ROLES.index(price.role)
        value[patterns.INDEX[slug]] = price.value
    if rules.scoring.implied == "drop":
        for slug, implied in patterns.IMPLIES.items():
            if role[patterns.INDEX[slug]] == patterns.ROLE_ITEM:
                for other in implied:
                    hidden[patterns.INDEX[other]] |= 1 << patterns.INDEX[slug]
    return role, value, hidden


def to_flags(rules: Rules) -> NDArray[np.int64]:
    """Turn a rule set into numbers, int64 (11, N_COLUMNS)."""
    copies = tiles.copies(rules.tiles)
    flowers = tiles.FIRST_FLOWER + np.arange(tiles.FLOWERS.get(rules.tiles, 0))
    deck = np.concatenate([np.repeat(np.arange(tiles.N_KINDS), copies), flowers])
    role, value, hidden = _prices(rules)
    win, scoring, bao, kong, horses = rules.win, rules.scoring, rules.liability, rules.kong, rules.horses
    flags = {
        R_N_TILES: len(deck),
        R_PRICED: sum(1 << i for i in range(patterns.N_PATTERNS) if role[i] != patterns.ROLE_NONE),
        R_GHOST_MODE: ("none", "fixed", "turned", "turned_two").index(rules.ghost.mode),
        R_GHOST_MASK: sum(1 << tiles.parse_one(k) for k in rules.ghost.kinds),
        R_GHOST_DISCARD: rules.ghost.discard == "allowed",
        R_CHI: rules.play.chi,
        R_RESERVED: rules.play.last_tiles_reserved,
        R_WAYS: _mask(win.ways, WAY_BITS),
        R_CHICKEN_WAYS: _mask(win.chicken_ways, WAY_BITS),
        R_FORMS: _mask(win.forms, FORM_BITS),
        R_MIN_FAN: win.min_fan,
        R_MULTIPLE: ("all", "nearest", "biggest", "from_dealer").index(win.multiple),
        R_PASSED: ("off", "same_tile", "all_tiles", "same_value", "rest_of_hand").index(win.passed),
        R_ROB_SHARES: win.rob_shares,
        R_OPEN_KONG: win.first_turn_closed_by == "chi_peng",
        R_METHOD: ("sum", "fan").index(scoring.method),
        R_BASE: scoring.base,
        R_ITEMS: ("add", "highest", "multiply").index(scoring.items),
        R_CAP: scoring.cap,
        R_CHICKEN_WITH_EVENT: scoring.chicken_with_event,
        R_ROB_IS_ZIMO: scoring.rob_is_zimo,
        R_BAO_GANGKAI: bao.gangkai_direct,
        R_BAO_TWELVE: ("off", "on", "big").index(bao.twelve_tiles),
        R_BAO_DRAGONS_WINDS: bao.dragons_winds,
        R_KONG_DIRECT: kong.direct,
        R_KONG_DIRECT_ALL: kong.direct_payer == "all",
        R_KONG_ADDED: kong.added,
        R_KONG_CONCEALED: kong.concealed,
        R_KONG_VOID: kong.on_washout == "void",
        R_HORSES: ("none", "drawn", "held").index(horses.kind),
        R_N_HORSES: horses.count,
        R_HORSE_ORIGIN: ("dealer", "winner", "previous_winner").index(horses.origin),
        R_HORSE_ORIGIN_FROM: horses.origin_multiple == "from_seat",
        R_HORSE_ON_ROB: horses.on_rob,
        R_DEAL_TO_WINNER: rules.dealer.next == "winner",
        R_WASHOUT: ("keep", "next_seat", "kong_passes").index(rules.dealer.on_washout),
        R_WIND_BY_CHAIR: rules.dealer.seat_wind == "chair",
        R_FLOWER_PRICE: rules.play.flower_price,
        R_MIN_FAN_DISCARD: win.min_fan_discard,
        R_MUST: win.must,
        R_ROB_KONGS: _mask(win.rob_kongs, ROB_BITS),
        R_FOUR_GHOSTS: rules.ghost.four == "win",
        R_LUXURY_NATURAL: scoring.luxury_natural,
        R_LOSS_CAP: scoring.loss_cap,
        R_ROBBED_DEALS: rules.dealer.after_rob == "robbed",
        R_REPEAT_MODE: ("none", "add", "double").index(rules.dealer.repeat_mode),
        R_REPEAT_POINTS: rules.dealer.repeat_points,
        R_FOLLOW_POINTS: rules.dealer.follow_points,
        R_KONG_FOLLOWS: kong.follow_horses,
        R_N_HORSES_DISCARD: horses.count_discard,
        R_HORSES_WITHOUT_GHOST: horses.without_ghost,
        R_HORSES_PER_REPEAT: horses.per_repeat,
        R_HORSES_ROB_EXTRA: horses.rob_extra,
        R_HORSES_RESERVED: horses.pool == "reserved",
        R_HORSE_HIT: ("class", "number").index(horses.hit),
        R_HORSE_PRICE: ("hand", "fixed", "double").index(horses.price),
        R_HORSE_FIXED: horses.fixed,
        R_HORSE_FINE: horses.fine,
        R_HORSE_FOUR_GHOSTS: horses.four_ghosts_hit,
        R_GHOST_KONG: rules.ghost.kong == "allowed",
        R_NATURAL_FORMS: _mask(win.natural_forms, FORM_BITS),
        R_BARRED: sum(1 << kind for kind in {tiles.parse_one(k) for k in win.barred}),
        R_ALL_PAY: win.payers == "all",
        R_PASSED_PENG: rules.play.passed_peng == "same_tile",
        R_STANDING: rules.play.standing,
        R_DECLARE: rules.play.declare == "needed",
        R_RESERVE_PER_KONG: rules.play.reserve_per_kong,
        R_ODD_TILE_STAYS: rules.play.odd_tile_stays,
        R_YINGHU_AS_ITSELF: scoring.yinghu == "as_itself",
        R_LOSS_CAP_ALL: scoring.loss_cap_all,
        R_TIMES_ZIMO: rules.multiples.zimo,
        R_TIMES_FEEDER: rules.multiples.feeder,
        R_TIMES_OPENED: rules.multiples.opened,
        R_OPENED_EACH: rules.multiples.opened_each,
        R_TIMES_CONCEALED: rules.multiples.concealed_kong,
        R_TIMES_EXPOSED: rules.multiples.exposed_kong,
        R_BAO_QUANQIUREN: bao.quanqiuren,
        R_EAST_DEALS: rules.dealer.first == "east",
        R_BY_PAYER: rules.multiples.any or scoring.loss_cap_all > 0,
    }
    r = np.zeros((N_ROWS, N_COLUMNS), np.int64)
    r[FLAG, list(flags)] = list(flags.values())
    for row, entries in (
        (ROLE, role),
        (VALUE, value),
        (IMPLIED_BY, hidden),
        (COPIES, copies),
        (SUCCESSOR, successor(rules.honour_cycle)),
        (HORSE_CLASS, horse_classes(horses.map)),
        (HORSE_NUMBER, horse_numbers(horses.honour_number)),
        (DECK, deck),
        (VALUE_WEIGHTS, weights.of(rules, "value")),
        (DEFEND_WEIGHTS, weights.of(rules, "defend")),
    ):
        r[row, : len(entries)] = entries
    return r
