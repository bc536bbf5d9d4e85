"""The mean of the horses given the play equals the average over every way the unseen tiles could lie."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import numpy as np
import pytest

from sim.flags import DECK, FLAG, R_N_HORSES, R_N_TILES, R_RESERVED, to_flags
from sim.game import play_hand
from sim.horse_mean import horse_mean
from sim.policy import UKEIRE
from sim.resettle import resettle
from sim.rng import shuffle
from sim.rules import Rules, load
from sim.session import start_table
from sim.state import (
    GAME,
    HEAD,
    N_HORSES,
    N_WINNERS,
    PAY_HORSE,
    REPEAT,
    SEATED,
    TAIL,
    WALL,
    new_state,
)
from sim.tables import load as load_tables

NO_TRACE = np.zeros((0, 4), np.int64)


def unseen_places(s: Any, r: Any) -> list[int]:
    """Places of the wall that nobody has seen: left over, held as horses, reserved; those of horses first."""
    n_tiles, reserved = r[FLAG, R_N_TILES], r[FLAG, R_RESERVED]
    return [*range(s[GAME, HEAD], s[GAME, TAIL] + 1), *range(n_tiles - reserved, n_tiles)]


def averages(rules: Rules, n_hands: int) -> list[tuple[Any, Any, Any]]:
    """Mean by the kernel, by enumeration, and what the drawn horses moved, for the won hands."""
    s, t, r = new_state(), load_tables(), to_flags(rules)
    found = []
    for hand in range(n_hands):
        start_table(s, r, 4, hand)
        shuffle(r[DECK], r[FLAG, R_N_TILES], 4, hand, 0, s[WALL])
        s[GAME, REPEAT] = hand % 3
        s[GAME, SEATED : SEATED + 4] = UKEIRE
        play_hand(s, r, t, NO_TRACE)
        resettle(s, r, NO_TRACE)
        if s[GAME, N_WINNERS] == 0:
            continue
        drawn = s[PAY_HORSE, :4].copy()
        mean = np.empty(4)
        horse_mean(s, r, mean)
        places = unseen_places(s, r)
        tiles = s[WALL, places].tolist()
        n = int(s[GAME, N_HORSES])
        total, count = np.zeros(4), 0
        for chosen in permutations(range(len(tiles)), n):
            at = r[FLAG, R_N_TILES] - r[FLAG, R_RESERVED] if rules.horses.pool == "reserved" else s[GAME, HEAD]
            s[WALL, at : at + n] = [tiles[i] for i in chosen]
            resettle(s, r, NO_TRACE)
            total += s[PAY_HORSE, :4]
            count += 1
        found.append((mean, total / count, drawn))
    return found


DRAWN = {"horses.kind": "drawn", "horses.count": 2, "horses.count_discard": 1, "horses.origin": "dealer"}


@pytest.mark.parametrize(
    "change",
    [
        {},
        {"horses.price": "double", "horses.fine": 1},
        {"horses.price": "fixed", "horses.fixed": 3, "horses.origin": "winner"},
        {"horses.hit": "number", "horses.honour_number": 0, "horses.fine": 2},
        {"horses.hit": "number", "horses.honour_number": 5, "horses.price": "fixed", "horses.fixed": 2},
        {"scoring.loss_cap": 20},
        {"horses.pool": "reserved", "play.last_tiles_reserved": 12},
        {"kong.follow_horses": True, "horses.origin": "previous_winner"},
        {"horses.four_ghosts_hit": True, "ghost.mode": "turned_two"},
    ],
    ids=lambda change: "+".join(change) or "plain",
)
def test_drawn_horses(change: dict[str, Any]) -> None:
    rules = load("maima", {**DRAWN, **change})
    compared = averages(rules, 6)
    assert len(compared) >= 4
    for mean, enumerated, _ in compared:
        np.testing.assert_allclose(mean, enumerated, rtol=1e-9, atol=1e-9)
    assert any((mean != drawn).any() for mean, _, drawn in compared)


def test_held_horses_by_enumeration_of_one_holder() -> None:
    """All four hold one each: enumerating four of some sixty tiles is long, so the rest of the wall is cut short."""
    rules = load("maima")
    s, t, r = new_state(), load_tables(), to_flags(rules)
    compared = 0
    for hand in range(12):
        start_table(s, r, 9, hand)
        shuffle(r[DECK], r[FLAG, R_N_TILES], 9, hand, 0, s[WALL])
        s[GAME, SEATED : SEATED + 4] = UKEIRE
        play_hand(s, r, t, NO_TRACE)
        resettle(s, r, NO_TRACE)
        if s[GAME, N_WINNERS] == 0:
            continue
        head = s[GAME, HEAD]
        s[GAME, TAIL] = head + 9  # ten unseen, the horses first
        tiles = s[WALL, head : head + 10].tolist()
        mean, total, count = np.empty(4), np.zeros(4), 0
        horse_mean(s, r, mean)
        for chosen in permutations(tiles, 4):
            s[WALL, head : head + 4] = chosen
            resettle(s, r, NO_TRACE)
            total += s[PAY_HORSE, :4]
            count += 1
        np.testing.assert_allclose(mean, total / count, rtol=1e-9, atol=1e-9)
        compared += 1
    assert compared >= 10
    assert r[FLAG, R_N_HORSES] == 1
