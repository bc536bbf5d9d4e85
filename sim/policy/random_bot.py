"""``random``: uniform over the legal moves, passing wins too. Its use is to reach every corner of the rules."""

from __future__ import annotations

from sim.jit import kernel, lowest_bit, n_bits
from sim.policy.moves import move
from sim.rng import STREAM_WORDS, below
from sim.schema import CHI, DISCARD, GANG_ADDED, GANG_CONCEALED, GANG_EXPOSED, HU, PASS, PENG, STREAM_POLICY
from sim.state import FOURS, GAME, HAND_NUMBER, HELD, PUNGS, SEED, STREAM, TABLE


@kernel
def pick(s, seat, n):
    """Return a number below ``n``; no random number is used when there is no choice."""
    if n <= 1:
        return 0
    words = s[seat, STREAM : STREAM + STREAM_WORDS]
    return below(words, STREAM_POLICY + seat, s[GAME, SEED], s[GAME, TABLE], s[GAME, HAND_NUMBER], n)


@kernel
def nth_bit(mask, n):
    """Return the place of the set bit that has ``n`` set bits below it."""
    for _ in range(n):
        mask &= mask - 1
    return lowest_bit(mask)


@kernel
def turn(s, seat, can_hu, can_kong, discards):
    """Answer the seat's own turn; ``discards`` is the mask of legal discards."""
    fours = s[seat, FOURS] if can_kong else 0
    added = s[seat, PUNGS] & s[seat, HELD] if can_kong else 0
    n_fours, n_added = n_bits(fours), n_bits(added)
    i = pick(s, seat, can_hu + n_fours + n_added + n_bits(discards))
    if i < can_hu:
        return move(HU, 0)
    i -= can_hu
    if i < n_fours:
        return move(GANG_CONCEALED, nth_bit(fours, i))
    i -= n_fours
    if i < n_added:
        return move(GANG_ADDED, nth_bit(added, i))
    return move(DISCARD, nth_bit(discards, i - n_added))


@kernel
def claim(s, seat, can_peng, can_gang):
    """Answer the question for a pung or kong."""
    i = pick(s, seat, 1 + can_peng + can_gang)
    if i == 0:
        return PASS
    if i == 1 and can_peng:
        return PENG
    return GANG_EXPOSED


@kernel
def chi(s, seat, lows):
    """Answer the question for a chi; ``lows`` is the mask of possible lowest kinds."""
    i = pick(s, seat, 1 + n_bits(lows))
    if i == 0:
        return move(PASS, 0)
    return move(CHI, nth_bit(lows, i - 1))
