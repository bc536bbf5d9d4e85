"""Random combinations of house options, each a valid rule set."""

from __future__ import annotations

import random
from typing import Any

from sim.rules import Rules, RulesError, load

_CHOICES: dict[str, list[Any]] = {
    "tiles": ["136", "136", "108", "100"],
    "ghost.mode": ["none", "turned", "turned", "fixed"],
    "ghost.discard": ["forbidden", "forbidden", "allowed"],
    "ghost.honour_cycle": ["ESWNZFB", "ESWNFB"],
    "play.chi": [True, False],
    "play.last_tiles_reserved": [0, 0, 14],
    "win.ways": [["zimo"], ["zimo", "qianggang"], ["zimo", "dianpao", "qianggang"], ["zimo", "dianpao", "qianggang"]],
    "win.forms": [["standard"], ["standard", "seven_pairs"], ["standard", "seven_pairs", "thirteen_orphans"]],
    "win.multiple": ["all", "nearest", "biggest"],
    "win.passed": ["off", "same_tile", "all_tiles"],
    "win.rob_shares": [1, 3],
    "win.first_turn_closed_by": ["any_call", "chi_peng"],
    "scoring.base": [1, 5],
    "scoring.implied": ["drop", "add"],
    "scoring.chicken_with_event": [0, 2],
    "scoring.rob_is_zimo": [True, False],
    "liability.gangkai_direct": [True, False],
    "liability.twelve_tiles": [True, False],
    "liability.dragons_winds": [True, False],
    "kong.direct": [0, 3],
    "kong.direct_payer": ["feeder", "all"],
    "kong.added": [0, 1],
    "kong.concealed": [0, 2],
    "kong.on_washout": ["kept", "void"],
    "horses.kind": ["none", "drawn", "held"],
    "horses.map": [["159E", "26SZ", "37WF", "48NB"], ["159EZ", "26SF", "37WB", "48N"]],
    "horses.origin": ["dealer", "winner", "previous_winner"],
    "horses.origin_multiple": ["same", "from_seat"],
    "horses.on_rob": [True, False],
    "dealer.next": ["winner", "next_seat"],
    "dealer.on_washout": ["keep", "next_seat"],
    "dealer.seat_wind": ["deal", "chair"],
}


def random_rules(seed: int) -> Rules:
    """A random valid combination of options on a random shipped rule set."""
    rng = random.Random(seed)
    while True:
        base = rng.choice(["maima", "zhuama", "jipinghu", "jipinghu"])
        chosen = {path: rng.choice(values) for path, values in _CHOICES.items()}
        ghosts = [["5m"], ["1s", "9p"]] if chosen["tiles"] == "108" else [["B"], ["Z", "F"], ["7s"]]
        chosen["ghost.kinds"] = rng.choice(ghosts) if chosen["ghost.mode"] == "fixed" else []
        kind = chosen["horses.kind"]
        chosen["horses.count"] = {"none": 0, "drawn": rng.choice([2, 4, 8, 20]), "held": rng.choice([1, 2])}[kind]
        chicken = [way for way in chosen["win.ways"] if rng.random() < 0.8]
        chosen["win.chicken_ways"] = chicken
        chosen["win.min_fan"] = rng.choice([0, 1, 3]) if base == "jipinghu" else 0
        chosen["scoring.cap"] = rng.choice([0, 3, 5, 10])
        try:
            return load(base, chosen)
        except RulesError:
            continue
