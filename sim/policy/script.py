"""The first moves of a playout, which are known: what each seat answers until the answer that is tried is given."""

from __future__ import annotations

from sim.jit import kernel
from sim.policy.moves import ASK_CHI, ASK_CLAIM, ASK_TURN, move
from sim.schema import PASS
from sim.state import GAME, SCRIPT_ANSWER, SCRIPT_MOVE, SCRIPT_QUESTION, SCRIPT_SEAT, SCRIPTED


@kernel
def scripted(s, seat, question):
    """Return the scripted answer of a playout's first moves, -1 when the seat's bot is to answer."""
    if question == ASK_TURN:
        if s[GAME, SCRIPTED] == 2:  # the turn after the one that was begun by script
            s[GAME, SCRIPTED] = 0
            return -1
        s[GAME, SCRIPTED] = 2
        if s[GAME, SCRIPT_QUESTION] == ASK_TURN:
            s[GAME, SCRIPTED] = 0
            return s[GAME, SCRIPT_ANSWER]
        return s[GAME, SCRIPT_MOVE]
    if seat == s[GAME, SCRIPT_SEAT]:
        if question == s[GAME, SCRIPT_QUESTION]:
            s[GAME, SCRIPTED] = 0
            return s[GAME, SCRIPT_ANSWER]
        return move(PASS, 0)
    if s[GAME, SCRIPT_QUESTION] in (ASK_CLAIM, ASK_CHI):
        return move(PASS, 0)
    return -1
