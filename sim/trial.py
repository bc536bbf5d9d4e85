"""Hands played once and settled under several rule sets, reduced to a few facts for comparisons.

``play_trial`` is the serial kernel that `sim.trials` runs on each worker: no log rows, for each hand and rule set the
columns of `FACTS`.
"""

from __future__ import annotations

from sim.deal import reset
from sim.flags import DECK, FLAG, R_N_TILES
from sim.game import play_hand
from sim.horse_mean import horse_mean
from sim.jit import kernel
from sim.luck import count_luck
from sim.patterns import CHICKEN
from sim.resettle import resettle
from sim.rng import shuffle
from sim.schema import SESSION
from sim.session import advance, start_table
from sim.state import (
    COUNTED,
    DEALER,
    GAME,
    HAND_NUMBER,
    KEYS,
    N_TRACE,
    N_WINNERS,
    OUTCOME,
    PAY_HAND,
    PAY_HORSE,
    PAY_KONG,
    REPEAT,
    SEAT_WALLS,
    SEATED,
    TURNS,
    WALL,
    WINNERS,
    add_tile,
)
from sim.tables import class_of, pair_class, tiles_to_add, triple_class
from sim.tiles import N_KINDS

FACTS = (
    "dealer",  # seat
    "outcome",
    "turns",  # tiles drawn in play
    "winners",  # bit s is set when seat s won
    "n_wins",
    "n_chickens",  # wins that counted as 鸡胡
    "win_points",  # paid for all wins together, without horses and kongs
    "points_0", "points_1", "points_2", "points_3",  # net points of the seats
    "mean_0", "mean_1", "mean_2", "mean_3",  # the same with the mean of the horses given the play (`sim.horse_mean`)
    # Need of the seats' thirteen dealt tiles in the standard form, ghosts as the tiles that they are, flowers left out:
    "need_0", "need_1", "need_2", "need_3",
)  # fmt: skip
N_FACTS = len(FACTS)
F = {name: i for i, name in enumerate(FACTS)}
_DEALER, _OUTCOME, _TURNS, _WINNERS = F["dealer"], F["outcome"], F["turns"], F["winners"]
_N_WINS, _N_CHICKENS, _WIN_POINTS = F["n_wins"], F["n_chickens"], F["win_points"]
_POINTS, _MEAN, _NEED = F["points_0"], F["mean_0"], F["need_0"]


@kernel
def _deal_needs(s, t, needs):
    """Write the needs of the wall's four deals into ``needs`` (4,); forgets what the state held."""
    reset(s)
    for place in range(52):
        if s[WALL, place] < N_KINDS:
            add_tile(s, (s[GAME, DEALER] + place // 13) % 4, s[WALL, place])
    for seat in range(4):
        two = pair_class(t, class_of(t, 0, 0, s[seat, KEYS]), class_of(t, 0, 1, s[seat, KEYS + 1]))
        three = triple_class(t, two, class_of(t, 0, 2, s[seat, KEYS + 2]))
        needs[seat] = tiles_to_add(t, 4, class_of(t, 0, 3, s[seat, KEYS + 3]), three)


@kernel
def _write_facts(s, row):
    """Fill one row but for the means and needs."""
    row[_DEALER], row[_OUTCOME], row[_TURNS] = s[GAME, DEALER], s[GAME, OUTCOME], s[GAME, TURNS]
    n_wins = s[GAME, N_WINNERS]
    winners = chickens = 0
    for i in range(n_wins):
        winners |= 1 << s[WINNERS, i]
        chickens += (s[COUNTED, i] >> CHICKEN) & 1
    row[_N_WINS], row[_WINNERS], row[_N_CHICKENS] = n_wins, winners, chickens
    paid = 0
    for seat in range(4):
        row[_POINTS + seat] = s[PAY_HAND, seat] + s[PAY_KONG, seat] + s[PAY_HORSE, seat]
        paid += s[PAY_HAND, seat] if (winners >> seat) & 1 else 0
    row[_WIN_POINTS] = paid


@kernel
def play_trial(
    s,
    rules,
    t,
    first_table,
    n_tables,
    n_hands,
    seed,
    mode,
    seat_walls,
    line_ups,
    no_trace,
    follower,
    trace,
    luck,
    facts,
):
    """Play ``n_tables`` tables of ``n_hands`` hands and write their facts under each rule set.

    Parameters
    ----------
    s, t
        State (`sim.state.new_state`) and tables (`sim.tables.load`).
    rules
        int64 (k, rows, columns): rule sets (`sim.flags.to_flags`) of one play key; the first one is played.
    seat_walls
        Whether every seat draws from a wall of its own.
    line_ups
        int64 (n, 4): bots of the seats. In duplicate mode hand i of a table is its wall with line-up i, in session
        mode there is one.
    no_trace
        int64 (0, 4).
    follower, trace, luck
        A second state, int64 (n, 4) with room for a hand's moves, and float64 (tables * hands, 4, N_LUCK), written
        (`sim.luck`); with ``luck`` of length 0 no luck is counted and ``trace`` is of length 0 as well.
    facts
        float64 (tables * hands, k, N_FACTS), written.
    """
    s[GAME, SEAT_WALLS] = seat_walls
    i = 0
    for table in range(first_table, first_table + n_tables):
        start_table(s, rules[0], seed, table)
        repeat = n_passes = 0
        for hand in range(n_hands):
            if mode == SESSION or hand == 0 or seat_walls:  # own walls are put in other order by play
                wall = hand if mode == SESSION else 0
                shuffle(rules[0, DECK], rules[0, FLAG, R_N_TILES], seed, table, wall, s[WALL])
            s[GAME, HAND_NUMBER], s[GAME, REPEAT] = hand, repeat
            line_up = 0 if mode == SESSION else hand
            for seat in range(4):
                s[GAME, SEATED + seat] = line_ups[line_up, seat]
            needs = facts[i, 0, _NEED : _NEED + 4]
            _deal_needs(s, t, needs)
            play_hand(s, rules[0], t, trace)
            if luck.shape[0] > 0:
                count_luck(follower, s, rules[0], t, trace, s[GAME, N_TRACE], luck[i])
            for k in range(rules.shape[0]):
                resettle(s, rules[k], no_trace)
                row = facts[i, k]
                _write_facts(s, row)
                horse_mean(s, rules[k], row[_MEAN : _MEAN + 4])
                for seat in range(4):
                    row[_MEAN + seat] += s[PAY_HAND, seat] + s[PAY_KONG, seat]
                    row[_NEED + seat] = needs[seat]
            if mode == SESSION:
                repeat, n_passes = advance(s, rules[0], repeat, n_passes)
            i += 1
