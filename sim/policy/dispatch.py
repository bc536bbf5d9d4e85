"""The four questions a bot is asked, sent to the bot's kernels."""

from __future__ import annotations

from sim.flags import FLAG, R_BARRED
from sim.jit import kernel
from sim.policy import RANDOM, UKEIRE, random_bot, ukeire
from sim.policy.moves import move
from sim.schema import PASS
from sim.state import DECLARES, HELD


@kernel
def ask_turn(s, r, t, bot, seat, can_hu, can_kong, discards):
    """Ask for a move after a draw or claim: hu, a kong or a discard, coded by `sim.policy.moves.move`.

    All bots but ``random`` declare ready when they can and get rid of tiles that bar them from winning.
    """
    if bot != RANDOM:
        if s[seat, DECLARES]:
            discards = s[seat, DECLARES]
        barred = s[seat, HELD] & r[FLAG, R_BARRED]
        if barred:
            can_kong = False
            if discards & barred:
                discards &= barred
    if bot == UKEIRE:
        return ukeire.turn(s, r, t, seat, can_hu, can_kong, discards)
    return random_bot.turn(s, seat, can_hu, can_kong, discards)


@kernel
def ask_declare(s, bot, seat):
    """Ask whether a discard that may declare ready does so, where the seat could also discard it plainly."""
    return bot != RANDOM or random_bot.pick(s, seat, 2) == 1


@kernel
def ask_win(s, bot, seat):
    """Ask whether a legal win on another seat's tile is taken."""
    if bot == UKEIRE:
        return True
    return random_bot.pick(s, seat, 2) == 1


@kernel
def ask_claim(s, r, t, bot, seat, kind, can_peng, can_gang):
    """Ask for PASS, PENG or GANG_EXPOSED."""
    if bot != RANDOM and (r[FLAG, R_BARRED] >> kind) & 1:
        return PASS
    if bot == UKEIRE:
        return ukeire.claim(s, r, t, seat, kind, can_peng, can_gang)
    return random_bot.claim(s, seat, can_peng, can_gang)


@kernel
def ask_chi(s, r, t, bot, seat, kind, lows):
    """Ask for PASS or CHI with its lowest kind, coded by `sim.policy.moves.move`."""
    if bot != RANDOM and (r[FLAG, R_BARRED] >> kind) & 1:
        return move(PASS, 0)
    if bot == UKEIRE:
        return ukeire.chi(s, r, t, seat, kind, lows)
    return random_bot.chi(s, seat, lows)
