"""The bounds: `oracle` gains by what it sees, `search` knows no more than its seat, both play by the rules."""

from __future__ import annotations

import numpy as np
import pytest

from sim.engine import Plan, Player
from sim.flags import DECK, FLAG, R_N_TILES, to_flags
from sim.game import play_hand
from sim.policy import BOTS
from sim.policy.entries import state_for
from sim.rules import load
from sim.schema import DISCARD, H
from sim.state import DEALER, GAME, SEATED, SEED, WALL
from sim.tables import load as load_tables
from tests.hands_played import tables
from tests.referee import follow


def test_oracle_beats_value() -> None:
    """Expected +9 points a hand with a standard error of 1.5 in 40 hands: a false alarm is out of reach."""
    rows = Player(Plan(load("jipinghu"), 40, ("oracle", "value", "value", "value"), 5, "duplicate")).rows(0, 10, 4).rows
    points = rows[:, [H[f"points_{seat}"] for seat in range(4)]].reshape(10, 4, 4)
    assert sum(points[:, k, k].sum() for k in range(4)) > 0


@pytest.mark.parametrize("bot", ["value", "defend", "search"])
def test_hidden_tiles_do_not_change_a_bots_first_discard(bot: str) -> None:
    rules = to_flags(load("jipinghu"))
    rng = np.random.default_rng(11)
    for seed in range(3):
        wall = rng.permutation(rules[DECK, : rules[FLAG, R_N_TILES]])
        first = set()
        for _ in range(2):
            s, trace = state_for([BOTS[bot], BOTS["ukeire"]]), np.zeros((512, 4), np.int64)
            hidden = [*range(13, 52), *range(53, 136)]
            wall[hidden] = rng.permutation(wall[hidden])
            s[WALL, : len(wall)] = wall
            s[GAME, DEALER], s[GAME, SEED] = 0, seed
            s[GAME, SEATED : SEATED + 4] = [BOTS[bot], *[BOTS["ukeire"]] * 3]
            play_hand(s, rules, load_tables(), trace)
            first.add(next(int(kind) for move, seat, kind, _ in trace if move == DISCARD))
        assert len(first) == 1


@pytest.mark.parametrize("variant", ["maima", "huapai", "lisi"])
@pytest.mark.parametrize("bot", ["oracle", "search"])
def test_they_play_by_the_rules(variant: str, bot: str) -> None:
    rules = load(variant)
    for table in tables(rules, (bot, "ukeire", "ukeire", "ukeire"), 3, 1, 2):
        for hand in table.hands:
            follow(rules, hand, table.hands[0].row["dealer"], thorough=True)
