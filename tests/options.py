"""Random combinations of house options, each a valid rule set."""

from __future__ import annotations

import random
from typing import Any

from sim.rules import Rules, RulesError, load, names
from sim.tiles import FLOWERS

_CHOICES: dict[str, list[Any]] = {
    "tiles": ["136", "136", "136", "108", "100", "112", "120", "140", "144", "144"],
    "ghost.mode": ["none", "turned", "turned", "fixed", "turned_two"],
    "ghost.discard": ["forbidden", "forbidden", "allowed"],
    "ghost.honour_cycle": ["ESWNZFB", "ESWNFB", "ZFB"],
    "play.chi": [True, False],
    "play.passed_peng": ["off", "off", "same_tile"],
    "play.declare": ["none", "none", "none", "none", "needed"],
    "play.reserve_per_kong": [0, 0, 0, 1, 2],
    "play.odd_tile_stays": [False, False, True],
    "play.last_tiles_reserved": [0, 0, 14],
    "win.ways": [["zimo"], ["zimo", "qianggang"], ["zimo", "dianpao", "qianggang"], ["zimo", "dianpao", "qianggang"]],
    "win.forms": [["standard"], ["standard", "seven_pairs"], ["standard", "seven_pairs", "thirteen_orphans"]],
    "win.min_fan_discard": [0, 0, 0, 2, 6],
    "win.must": [False, False, False, False, True],
    "win.multiple": ["all", "all", "nearest", "biggest", "from_dealer"],
    "win.passed": ["off", "same_tile", "all_tiles", "same_value", "rest_of_hand"],
    "win.rob_kongs": [["added"], ["added"], ["added", "concealed"], ["direct"], ["added", "direct", "concealed"]],
    "win.rob_shares": [1, 3],
    "win.first_turn_closed_by": ["any_call", "chi_peng"],
    "scoring.items": ["add", "add", "add", "highest", "multiply"],
    "scoring.base": [1, 5],
    "scoring.implied": ["drop", "add"],
    "scoring.chicken_with_event": [0, 2],
    "scoring.rob_is_zimo": [True, False],
    "scoring.luxury_natural": [False, False, True],
    "scoring.loss_cap": [0, 0, 0, 4, 30],
    "liability.gangkai_direct": [True, False],
    "liability.twelve_tiles": ["off", "on", "big"],
    "liability.dragons_winds": [True, False],
    "liability.quanqiuren": [True, False],
    "kong.direct": [0, 3],
    "kong.direct_payer": ["feeder", "all"],
    "kong.added": [0, 1],
    "kong.concealed": [0, 2],
    "kong.on_washout": ["kept", "void"],
    "horses.kind": ["none", "drawn", "drawn", "held"],
    "horses.map": [["159E", "26SZ", "37WF", "48NB"], ["159EZ", "26SF", "37WB", "48N"]],
    "horses.origin": ["dealer", "winner", "previous_winner"],
    "horses.origin_multiple": ["same", "from_seat"],
    "horses.on_rob": [True, False],
    "dealer.first": ["random", "random", "east"],
    "dealer.next": ["winner", "next_seat"],
    "dealer.after_rob": ["as_next", "as_next", "robbed"],
    "dealer.on_washout": ["keep", "next_seat", "kong_passes"],
    "dealer.seat_wind": ["deal", "chair"],
    "dealer.repeat_mode": ["none", "none", "add", "double"],
    "dealer.follow_points": [0, 0, 1],
}

# Options of drawn horses; other horses go with the first value of each alone.
_DRAWN: dict[str, list[Any]] = {
    "horses.count_discard": [0, 1, 2, 4, 20],
    "horses.without_ghost": [0, 0, 2],
    "horses.per_repeat": [0, 0, 1, 2],
    "horses.rob_extra": [0, 0, 2],
    "horses.pool": ["wall", "wall", "reserved"],
    "horses.hit": ["class", "class", "class", "number"],
    "horses.honour_number": [0, 0, 1, 10],
    "horses.price": ["hand", "hand", "fixed", "double"],
    "horses.fine": [0, 0, 1],
    "horses.four_ghosts_hit": [False, False, True],
    "kong.follow_horses": [False, False, True],
}


# What multiplies a hand for its winner and losers; half of the rule sets have none of it.
_MULTIPLES: dict[str, list[Any]] = {
    "multiples.zimo": [10, 10, 20],
    "multiples.feeder": [10, 15, 20],
    "multiples.opened": [10, 12, 20],
    "multiples.opened_each": [False, False, True],
    "multiples.concealed_kong": [10, 10, 20],
    "multiples.exposed_kong": [10, 10, 15],
}


def _rare_patterns(rng: random.Random, is_fan: bool) -> dict[str, Any]:
    """Prices of patterns that few or no shipped rule sets know; half of the time none."""
    four = [("special", 4), ("pattern", 3)] if is_fan else [("item", 10)]
    missing = [("extra", 1), ("floor", 2)] if is_fan else [("item", 2), ("double", 2)]
    chosen = {"four_ghosts": four, "quemen": missing, "yinghu": missing}
    if not is_fan:
        chosen["pengpeng"] = [("item", 8), ("double", 2)]  # by doubles alone a hand has the chicken's item
    return {
        f"patterns.{slug}": dict(zip(("role", "value"), rng.choice(prices), strict=True))
        for slug, prices in chosen.items()
        if rng.random() < 0.5
    }


def _ghosts(rng: random.Random, chosen: dict[str, Any]) -> dict[str, Any]:
    """Options of ghosts, for the tile set and mode that were chosen."""
    fixed = {"108": [["5m"], ["1s", "9p"]], "112": [["Z"], ["1s", "9p"]]}
    kinds = fixed.get(chosen["tiles"], [["B"], ["Z", "F"], ["7s"]])
    mode, has_ghosts = chosen["ghost.mode"], chosen["ghost.mode"] != "none"
    return {
        "ghost.kinds": rng.choice(kinds) if mode == "fixed" else [],
        "ghost.four": rng.choice(["nothing", "win"]) if has_ghosts else "nothing",
        "ghost.kong": rng.choice(["forbidden", "allowed"]) if has_ghosts else "forbidden",
        "scoring.yinghu": rng.choice(["no_ghost", "as_itself"]) if has_ghosts else "no_ghost",
    }


def _dependent(rng: random.Random, chosen: dict[str, Any]) -> dict[str, Any]:
    """Options that mean something only beside others."""
    forms = [form for form in chosen["win.forms"] if form != "standard" and rng.random() < 0.3]
    all_may_pay = chosen["win.multiple"] != "all" and "dianpao" in chosen["win.ways"]
    cap = chosen["scoring.loss_cap"]
    barred = [kind for kind in ("9s", "5p", "Z") if rng.random() < 0.15 and kind not in chosen["ghost.kinds"]]
    return {
        "win.natural_forms": forms,
        "win.barred": [kind for kind in barred if kind != "Z" or chosen["tiles"] != "108"],
        "win.payers": rng.choice(["discarder", "all"]) if all_may_pay else "discarder",
        "scoring.loss_cap_all": rng.choice([0, cap, 2 * cap]),
        "play.standing": rng.choice([0, 1, 4, 13]) if chosen["play.declare"] == "needed" else 0,
    }


def random_rules(seed: int) -> Rules:
    """A random valid combination of options on a random shipped rule set."""
    rng = random.Random(seed)
    while True:
        base = rng.choice(names())
        is_fan = load(base).scoring.method == "fan"
        chosen = {path: rng.choice(values) for path, values in _CHOICES.items()}
        chosen |= _ghosts(rng, chosen)
        chosen |= _dependent(rng, chosen)
        has_multiples = rng.random() < 0.5
        chosen |= {path: rng.choice(values) if has_multiples else values[0] for path, values in _MULTIPLES.items()}
        chosen["play.flower_price"] = rng.choice([0, 1, 2]) if chosen["tiles"] in FLOWERS else 0
        kind = chosen["horses.kind"]
        chosen["horses.count"] = {"none": 0, "drawn": rng.choice([0, 2, 4, 8, 20]), "held": rng.choice([1, 2, 5])}[kind]
        for path, values in _DRAWN.items():
            chosen[path] = rng.choice(values) if kind == "drawn" else values[0]
        chosen["horses.fixed"] = rng.choice([1, 3]) if chosen["horses.price"] == "fixed" else 0
        chosen["dealer.repeat_points"] = rng.choice([0, 1, 3]) if chosen["dealer.repeat_mode"] == "add" else 0
        chicken = [way for way in chosen["win.ways"] if rng.random() < 0.8]
        chosen["win.chicken_ways"] = chicken
        chosen["win.min_fan"] = rng.choice([0, 0, 1, 3] if is_fan else [0, 0, 0, 5])
        chosen |= _rare_patterns(rng, is_fan)
        chosen["scoring.cap"] = rng.choice([0, 3, 5, 10])
        try:
            return load(base, chosen)
        except RulesError:
            continue
