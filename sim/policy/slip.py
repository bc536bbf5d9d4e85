"""``slip``: ``ukeire``, but each of its discards is any legal one, at random, with a chance of 1 %."""

from __future__ import annotations

from sim.jit import kernel, n_bits
from sim.policy.moves import move
from sim.policy.random_bot import nth_bit, pick
from sim.schema import DISCARD

ONE_IN = 100


@kernel
def turn(s, seat, answer, discards):
    """Return ``answer``, or now and then another discard in its place."""
    n = n_bits(discards)
    if answer // 64 == DISCARD and n > 1 and pick(s, seat, ONE_IN) == 0:
        return move(DISCARD, nth_bit(discards, pick(s, seat, n)))
    return answer
