"""What is compiled on its own and called by address: large bots, tips, the trace log, play for looking ahead.

Only who asks for one of them waits for its compiling, and play can be called from a bot that is called from play.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.events import write_event
from sim.flags import N_COLUMNS as N_RULE_COLUMNS
from sim.flags import N_ROWS as N_RULE_ROWS
from sim.game import play_on
from sim.jit import at, entry, view
from sim.policy import BASE, DEFEND, ORACLE, SEARCH, USER, VALUE, advice, lookahead, value
from sim.policy.user import FAULT, RAISED, accept, first_legal, show
from sim.state import (
    GAME,
    LOG_ENTRY,
    LOOKS,
    N_COLUMNS,
    N_ROWS,
    PLAY_ENTRY,
    THINK_ENTRY,
    TIPS_ENTRY,
    USER_VIEW,
    VALUE_ENTRY,
    new_state,
)
from sim.tables import N_BYTES


def value_entry(s, r, t, seat, w, question, kind, options, points):
    """Answer a question as ``value`` or ``defend``."""
    rows, rules, tables = view(s, N_ROWS, N_COLUMNS), view(r, N_RULE_ROWS, N_RULE_COLUMNS), view(t, 1, N_BYTES)
    return value.answer(rows, rules, tables[0], seat, w, question, kind, options, points)


def think_entry(s, r, t, seat, bot, question, kind, options, points):
    """Answer a question as ``oracle`` or ``search``."""
    rows = view(s, lookahead.N_BLOCKS * N_ROWS, N_COLUMNS)
    rules, tables = view(r, N_RULE_ROWS, N_RULE_COLUMNS), view(t, 1, N_BYTES)
    return lookahead.think(rows, rules, tables[0], seat, bot, question, kind, options, points)


def tips_entry(s, r, t, seat, bot, question, kind, options, answer):
    """Return what strategy tips make of a bot's answer."""
    rows, rules, tables = view(s, N_ROWS, N_COLUMNS), view(r, N_RULE_ROWS, N_RULE_COLUMNS), view(t, 1, N_BYTES)
    return advice.advise(rows, rules, tables[0], seat, bot, question, kind, options, answer)


def event_entry(s, r, t, move, seat, kind, from_seat, offers, detail):
    """Write an event of the trace log."""
    rows, rules, tables = view(s, N_ROWS, N_COLUMNS), view(r, N_RULE_ROWS, N_RULE_COLUMNS), view(t, 1, N_BYTES)
    write_event(rows, rules, tables[0], move, seat, kind, from_seat, offers, detail)
    return 0


def play_entry(s, r, t, a, b, c, d, e, f):
    """Play a hand on from the turn that stands in the state."""
    rows, rules, tables = view(s, N_ROWS, N_COLUMNS), view(r, N_RULE_ROWS, N_RULE_COLUMNS), view(t, 1, N_BYTES)
    play_on(rows, rules, tables[0], view(s, 0, 4))
    return 0


def user_entry(bot: Any) -> Any:
    """Return an entry, to be compiled, that asks a user bot's own kernel (`sim.policy.user`)."""

    def ask(s, r, t, seat, question, kind, options, can, points):
        rows = view(s, N_ROWS, N_COLUMNS)
        place = rows[GAME, USER_VIEW]
        fault = view(at(place + 8 * N_ROWS * N_COLUMNS), 1, N_COLUMNS)[0]
        if fault[FAULT]:
            return first_legal(question, options)
        rules, tables = view(r, N_RULE_ROWS, N_RULE_COLUMNS), view(t, 1, N_BYTES)[0]
        seen = view(at(place), N_ROWS, N_COLUMNS)
        show(rows, rules, seen, seat)
        answer = np.int64(RAISED)
        try:
            answer = np.int64(bot(seen, rules, tables, seat, question, kind, options, can, points))
        except Exception:
            answer = np.int64(RAISED)
        return accept(rows, seen, fault, seat, question, kind, options, can, answer)

    return ask


@cache
def _address(function):
    return entry(function).address


def state_for(bots: Collection[int], *, with_events: bool = False) -> NDArray[np.int64]:
    """Allocate a state for the bots, with the addresses of what they need, which is compiled or loaded.

    ``with_events``: hands are to be traced; who plays says where to (`sim.event_log`).
    """
    bases = {bot % BASE for bot in bots}
    looks = bool({ORACLE, SEARCH} & bases)
    n_blocks = lookahead.N_BLOCKS if looks else 1
    if USER in bases:  # two more blocks: what they see, and their faults
        s = new_state(n_blocks + 2)
        s[GAME, USER_VIEW] = s[n_blocks * N_ROWS :].ctypes.data
    else:
        s = new_state(n_blocks)
    s[GAME, LOOKS] = looks
    if looks or {VALUE, DEFEND} & bases:
        s[GAME, VALUE_ENTRY] = _address(value_entry)
    if looks:
        s[GAME, PLAY_ENTRY] = _address(play_entry)
        s[GAME, THINK_ENTRY] = _address(think_entry)
    if any(bot >= BASE and bot % BASE != USER for bot in bots):
        s[GAME, TIPS_ENTRY] = _address(tips_entry)
    if with_events:
        s[GAME, LOG_ENTRY] = _address(event_entry)
    return s
