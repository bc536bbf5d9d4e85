"""The four questions a bot is asked, sent to the bot's kernels."""

from __future__ import annotations

from sim.jit import kernel
from sim.policy import RANDOM, SHANTEN, SLIP, random_bot, shanten_bot, slip, ukeire


@kernel
def ask_turn(s, r, t, bot, seat, can_hu, can_kong, discards):
    """Ask for a move after a draw or claim: hu, a kong or a discard, coded by `sim.policy.moves.move`."""
    if bot == RANDOM:
        return random_bot.turn(s, seat, can_hu, can_kong, discards)
    if bot == SHANTEN:
        return shanten_bot.turn(s, r, t, seat, can_hu, can_kong, discards)
    answer = ukeire.turn(s, r, t, seat, can_hu, can_kong, discards)
    return slip.turn(s, seat, answer, discards) if bot == SLIP else answer


@kernel
def ask_win(s, bot, seat):
    """Ask whether a legal win on another seat's tile is taken."""
    if bot == RANDOM:
        return random_bot.pick(s, seat, 2) == 1
    return True


@kernel
def ask_claim(s, r, t, bot, seat, kind, can_peng, can_gang):
    """Ask for PASS, PENG or GANG_EXPOSED."""
    if bot == RANDOM:
        return random_bot.claim(s, seat, can_peng, can_gang)
    return ukeire.claim(s, r, t, seat, kind, can_peng, can_gang)


@kernel
def ask_chi(s, r, t, bot, seat, kind, lows):
    """Ask for PASS or CHI with its lowest kind, coded by `sim.policy.moves.move`."""
    if bot == RANDOM:
        return random_bot.chi(s, seat, lows)
    if bot == SHANTEN:
        return shanten_bot.chi(s, r, t, seat, kind, lows)
    return ukeire.chi(s, r, t, seat, kind, lows)
