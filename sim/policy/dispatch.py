"""The questions that a bot is asked, sent to the bot's kernels."""

from __future__ import annotations

from sim.flags import DEFEND_WEIGHTS, FLAG, R_BARRED, VALUE_WEIGHTS
from sim.jit import call_entry, kernel
from sim.policy import BASE, ORACLE, RANDOM, SHANTEN, SLIP, USER, VALUE, random_bot, shanten_bot, slip, ukeire
from sim.policy.moves import ASK_CHI, ASK_CLAIM, ASK_TURN, ASK_WIN, move
from sim.policy.script import scripted
from sim.schema import HU, PASS
from sim.state import DECLARES, DECLARING, GAME, HELD, POINTS, SCRIPTED, THINK_ENTRY, TIPS_ENTRY, VALUE_ENTRY


@kernel
def _call(s, r, t, bot, seat, question, kind, options, points):
    """Ask a bot that is compiled on its own."""
    if bot >= ORACLE:
        return call_entry(s[GAME, THINK_ENTRY], s, r, t, seat, bot, question, kind, options, points)
    w = VALUE_WEIGHTS if bot == VALUE else DEFEND_WEIGHTS
    return call_entry(s[GAME, VALUE_ENTRY], s, r, t, seat, w, question, kind, options, points)


@kernel
def _is_user(bot):
    return bot & 255 == USER


@kernel
def _call_user(s, r, t, bot, seat, question, kind, options, can, points):
    """Ask a bot from outside the project (`sim.user_bots`), whose code holds the address of its entry."""
    return call_entry(bot >> 8, s, r, t, seat, question, kind, options, can, points)


@kernel
def _advised(s, r, t, bot, seat, question, kind, options, answer):
    """Return what the tips that a bot follows make of its answer."""
    if bot < BASE:
        return answer
    return call_entry(s[GAME, TIPS_ENTRY], s, r, t, seat, bot, question, kind, options, answer)


@kernel
def _turn(s, r, t, bot, seat, can_hu, can_kong, discards):
    """Answer a turn as a bot without its tips."""
    if bot >= VALUE:
        return _call(s, r, t, bot, seat, ASK_TURN, can_hu + 2 * can_kong, discards, 0)
    if bot == SHANTEN:
        return shanten_bot.turn(s, r, t, seat, can_hu, can_kong, discards)
    answer = ukeire.turn(s, r, t, seat, can_hu, can_kong, discards)
    return slip.turn(s, seat, answer, discards) if bot == SLIP else answer


@kernel
def ask_turn(s, r, t, bot, seat, can_hu, can_kong, discards):
    """Ask for a move after a draw or claim: hu, a kong or a discard, coded by `sim.policy.moves.move`.

    Where hu is legal its points stand in place 0 of row POINTS. All bots but ``random`` declare ready when they can and
    get rid of tiles that bar them from winning. Tips (`sim.policy.advice`) come after that.
    """
    if s[GAME, SCRIPTED]:
        answer = scripted(s, seat, ASK_TURN)
        if answer >= 0:
            return answer
    if bot == RANDOM:
        return random_bot.turn(s, seat, can_hu, can_kong, discards)
    if _is_user(bot):
        return _call_user(s, r, t, bot, seat, ASK_TURN, -1, discards, can_hu + 2 * can_kong, s[POINTS, 0])
    if s[seat, DECLARES]:
        discards = s[seat, DECLARES]
    barred = s[seat, HELD] & r[FLAG, R_BARRED]
    if barred:
        can_kong = False
        if discards & barred:
            discards &= barred
    answer = _turn(s, r, t, bot % BASE, seat, can_hu, can_kong, discards)
    return _advised(s, r, t, bot, seat, ASK_TURN, can_hu + 2 * can_kong, discards, answer)


@kernel
def ask_declare(s, bot, seat):
    """Ask whether a discard that may declare ready does so, where the seat could also discard it plainly."""
    if _is_user(bot):
        return s[GAME, DECLARING] == 1
    return bot != RANDOM or random_bot.pick(s, seat, 2) == 1


@kernel
def ask_win(s, r, t, bot, seat, kind, source, points):
    """Ask whether a legal win of ``points`` a share on another seat's tile of ``kind`` is taken."""
    if s[GAME, SCRIPTED]:
        answer = scripted(s, seat, ASK_WIN)
        if answer >= 0:
            return answer // 64 == HU
    if _is_user(bot):
        return _call_user(s, r, t, bot, seat, ASK_WIN, kind, 0, source, points) // 64 == HU
    if bot % BASE >= VALUE:
        return _call(s, r, t, bot % BASE, seat, ASK_WIN, source, 0, points) // 64 == HU
    if bot == RANDOM:
        return random_bot.pick(s, seat, 2) == 1
    return True


@kernel
def ask_claim(s, r, t, bot, seat, kind, can_peng, can_gang):
    """Ask for PASS, PENG or GANG_EXPOSED."""
    if s[GAME, SCRIPTED]:
        answer = scripted(s, seat, ASK_CLAIM)
        if answer >= 0:
            return answer // 64
    if bot == RANDOM:
        return random_bot.claim(s, seat, can_peng, can_gang)
    if _is_user(bot):
        return _call_user(s, r, t, bot, seat, ASK_CLAIM, kind, 0, can_peng + 2 * can_gang, 0) // 64
    if (r[FLAG, R_BARRED] >> kind) & 1:
        return PASS
    offers = can_peng + 2 * can_gang
    if bot % BASE >= VALUE:
        answer = _call(s, r, t, bot % BASE, seat, ASK_CLAIM, kind, offers, 0)
    else:
        answer = move(ukeire.claim(s, r, t, seat, kind, can_peng, can_gang), kind)
    return _advised(s, r, t, bot, seat, ASK_CLAIM, kind, offers, answer) // 64


@kernel
def ask_chi(s, r, t, bot, seat, kind, lows):
    """Ask for PASS or CHI with its lowest kind, coded by `sim.policy.moves.move`."""
    if s[GAME, SCRIPTED]:
        answer = scripted(s, seat, ASK_CHI)
        if answer >= 0:
            return answer
    if bot == RANDOM:
        return random_bot.chi(s, seat, lows)
    if _is_user(bot):
        return _call_user(s, r, t, bot, seat, ASK_CHI, kind, lows, 0, 0)
    if (r[FLAG, R_BARRED] >> kind) & 1:
        return move(PASS, 0)
    if bot % BASE >= VALUE:
        answer = _call(s, r, t, bot % BASE, seat, ASK_CHI, kind, lows, 0)
    elif bot % BASE == SHANTEN:
        answer = shanten_bot.chi(s, r, t, seat, kind, lows)
    else:
        answer = ukeire.chi(s, r, t, seat, kind, lows)
    return _advised(s, r, t, bot, seat, ASK_CHI, kind, lows, answer)
