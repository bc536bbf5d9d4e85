"""``slip``: ``ukeire`` that discards at random on one turn in a hundred: a known small flaw to test comparisons."""

from __future__ import annotations

from sim.jit import kernel, n_bits
from sim.policy import ukeire
from sim.policy.moves import move
from sim.policy.random_bot import nth_bit, pick
from sim.schema import DISCARD, HU

ONE_IN = 100  # turns


@kernel
def turn(s, r, t, seat, can_hu, can_kong, discards):
    """Answer the seat's own turn; ``discards`` is the mask of legal discards."""
    if can_hu:
        return move(HU, 0)
    if pick(s, seat, ONE_IN) == 0:
        return move(DISCARD, nth_bit(discards, pick(s, seat, n_bits(discards))))
    return ukeire.turn(s, r, t, seat, 0, can_kong, discards)
