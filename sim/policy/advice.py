"""What strategy tips make of a bot's answer: the tips that the seat's bot obeys or opposes, one after the other.

Called by address (`sim.policy.entries`), so that the main job is compiled without it. A win is never given up.
"""

from __future__ import annotations

from sim.jit import kernel
from sim.policy import LEVEL, LEVELLED, OBEY, OPPOSE, TIPS, tip_claims, tip_discards, tip_folding
from sim.policy.moves import ASK_CHI, ASK_CLAIM, ASK_TURN
from sim.schema import DISCARD, HU
from sim.state import HELD

_T01, _T02, _T03, _T04, _T06, _T07, _T08, _T10, _T11, _T12, _T15, _T23, _T26, _T32, _T33, _T35 = range(len(TIPS))


@kernel
def _follows(bot, tip):
    """Whether a bot obeys or opposes a tip."""
    return ((bot >> (OBEY + tip)) | (bot >> (OPPOSE + tip))) & 1


@kernel
def _obeys(bot, tip):
    return (bot >> (OBEY + tip)) & 1


@kernel
def _level(bot, tip):
    """Return the level at which a bot follows a tip, 0 for none."""
    return (bot >> LEVEL) & 7 if (bot >> LEVELLED) & 31 == tip else 0


@kernel
def _turn(s, r, t, seat, bot, may_kong, discards, answer):
    kinds = discards & s[seat, HELD]
    if _follows(bot, _T12):
        tip_claims.note_pairs(s, seat, _level(bot, _T12))
    if _follows(bot, _T33):
        answer = tip_discards.t33(s, r, t, seat, bot, _obeys(bot, _T33), may_kong, kinds, answer)
    if answer // 64 != DISCARD or kinds == 0:
        return answer
    if _follows(bot, _T01):
        answer = tip_discards.t01(s, r, t, seat, bot, _obeys(bot, _T01), kinds, answer)
    if _follows(bot, _T03):
        answer = tip_discards.t03(s, r, t, seat, _obeys(bot, _T03), _level(bot, _T03), kinds, answer)
    if _follows(bot, _T04):
        answer = tip_discards.t04(s, r, t, seat, bot, _obeys(bot, _T04), kinds, answer)
    if _follows(bot, _T08):
        answer = tip_discards.t08(s, r, t, seat, bot, _obeys(bot, _T08), kinds, answer)
    if _follows(bot, _T10):
        answer = tip_discards.t10(s, seat, _obeys(bot, _T10), _level(bot, _T10), kinds, answer)
    if _follows(bot, _T11):
        answer = tip_discards.t11(s, r, t, seat, bot, _obeys(bot, _T11), kinds, answer)
    if _follows(bot, _T15):
        answer = tip_discards.t15(s, r, t, seat, bot, _obeys(bot, _T15), kinds, answer)
    if _follows(bot, _T23):
        answer = tip_folding.t23(s, r, t, seat, _obeys(bot, _T23), _level(bot, _T23), kinds, answer)
    if _follows(bot, _T26):
        answer = tip_folding.t26(s, r, t, seat, _obeys(bot, _T26), kinds, answer)
    return answer


@kernel
def _claim(s, r, t, seat, bot, kind, offers, answer):
    if _follows(bot, _T02):
        answer = tip_claims.t02(s, r, t, seat, _obeys(bot, _T02), kind, offers, answer)
    if _follows(bot, _T03):
        answer = tip_claims.t03(s, r, t, seat, _obeys(bot, _T03), _level(bot, _T03), kind, offers, answer)
    if _follows(bot, _T11):
        answer = tip_claims.t11(s, r, t, seat, _obeys(bot, _T11), kind, offers, False, answer)
    if _follows(bot, _T12):
        tip_claims.note_pairs(s, seat, _level(bot, _T12))
        answer = tip_claims.t12(s, seat, _obeys(bot, _T12), kind, offers, answer)
    if _follows(bot, _T32):
        answer = tip_claims.t32(s, r, t, seat, _obeys(bot, _T32), kind, offers, answer)
    if _follows(bot, _T35):
        answer = tip_claims.t35(s, r, t, seat, _obeys(bot, _T35), kind, offers, False)
    return answer


@kernel
def _chi(s, r, t, seat, bot, kind, lows, answer):
    if _follows(bot, _T03):
        answer = tip_claims.t03_chi(s, r, t, seat, _obeys(bot, _T03), _level(bot, _T03), kind, lows, answer)
    if _follows(bot, _T06):
        answer = tip_claims.t06(s, r, t, seat, _obeys(bot, _T06), _level(bot, _T06), kind, lows, answer)
    if _follows(bot, _T07):
        answer = tip_claims.t07(s, r, t, seat, _obeys(bot, _T07), kind, lows, answer)
    if _follows(bot, _T11):
        answer = tip_claims.t11(s, r, t, seat, _obeys(bot, _T11), kind, lows, True, answer)
    if _follows(bot, _T35):
        answer = tip_claims.t35(s, r, t, seat, _obeys(bot, _T35), kind, lows, True)
    return answer


@kernel
def advise(s, r, t, seat, bot, question, kind, options, answer):
    """Return the answer after the tips; arguments as in `sim.policy.value.answer`, ``answer`` the bot's own."""
    if answer // 64 == HU:
        return answer
    if question == ASK_TURN:
        return _turn(s, r, t, seat, bot, kind & 2, options, answer)
    if question == ASK_CLAIM:
        return _claim(s, r, t, seat, bot, kind, options, answer)
    if question == ASK_CHI:
        return _chi(s, r, t, seat, bot, kind, options, answer)
    return answer
