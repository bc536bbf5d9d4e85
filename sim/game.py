"""One hand from the deal to the settlement, as written down in PLAY.md.

``play_hand`` is one function over the state's array, without a step interface: bots are asked inside. Everything that
happens can be recorded as a trace of (move, seat, kind, other) rows.
"""

from __future__ import annotations

from sim.claims import (
    claim,
    own_kong,
)
from sim.deal import (
    change_hand,
    deal,
    draw,
    log_event,
    record,
    reset,
    wall_left,
)
from sim.flags import (
    FLAG,
    R_DECLARE,
    R_GHOST_DISCARD,
    R_GHOST_KONG,
    R_KONG_VOID,
    R_MUST,
    R_STANDING,
)
from sim.jit import (
    kernel,
    lowest_bit,
)
from sim.patterns import (
    GANGPAO,
    P_DIANPAO,
    RENHU,
)
from sim.policy.dispatch import (
    ask_declare,
    ask_turn,
)
from sim.schema import (
    DECLARE,
    DIANPAO,
    DISCARD,
    END,
    GANG_EXPOSED,
    HU,
    NEVER,
    OFFER_GANG,
    OFFER_HU,
    PASS,
    QIANGGANG,
    WASHOUT,
    ZIMO,
)
from sim.settlement import (
    pay_follow,
)
from sim.shanten import (
    need,
)
from sim.state import (
    CLAIMED,
    DEALER,
    DECLARED,
    DECLARES,
    DISCARDS,
    DRAWN,
    FIRST,
    FOLLOW_KIND,
    FOLLOW_PAID,
    FOLLOWED,
    FOURS,
    FROM_SEAT,
    GAME,
    GHOST_MASK,
    HAND,
    HELD,
    HORSE_HITS,
    KEPT,
    LAST_MOVE,
    LOOKS,
    N_WINNERS,
    NEED,
    OUTCOME,
    PAY_KONG,
    PUNGS,
    READY_TURN,
    REPLACED,
    RIVER,
    SAFE,
    SCRIPTED,
    SEATED,
    STANDING,
    TURN_SEAT,
    UNTOUCHED,
    VISIBLE,
    WIN_TILE,
    WINNERS,
    add_tile,
    is_ghost,
    keep_start,
    lay_standing,
    stop_following,
    take_tiles,
)
from sim.winning import (
    ask_wins,
    can_hu,
    pay_wins,
)


@kernel
def _legal_discards(s, r, t, seat, drawn):
    """Mask of legal discards; the column DECLARES gets those that may declare ready."""
    discards = s[seat, HELD]
    if discards == 0 or r[FLAG, R_GHOST_DISCARD]:
        for k in range(34):
            if s[seat, HAND + k] > 0:
                discards |= 1 << k
    if not r[FLAG, R_DECLARE]:
        return discards
    s[seat, DECLARES] = 0
    if s[seat, DECLARED]:
        return 1 << drawn
    ready = need(s, r, t, seat, 0) <= 1
    plain = 0
    rest = discards
    while rest != 0:
        k = lowest_bit(rest)
        rest &= rest - 1
        standing = s[seat, STANDING + k] if r[FLAG, R_STANDING] else 0
        if s[seat, HAND + k] > standing:
            plain |= 1 << k
        if ready and (standing > 0 or not r[FLAG, R_STANDING]):
            take_tiles(s, seat, k, 1)
            if need(s, r, t, seat, 0) == 1:
                s[seat, DECLARES] |= 1 << k
            add_tile(s, seat, k)
    legal = plain | s[seat, DECLARES]
    return legal if legal != 0 else discards


@kernel
def _declare(s, r, t, seat, kind, drawn, trace):
    """Declare ready with the discard of ``kind``, where that is legal and the seat must or wants to."""
    if (s[seat, DECLARES] >> kind) & 1 == 0:
        return
    standing = s[seat, STANDING + kind] if r[FLAG, R_STANDING] else 0
    if s[seat, HAND + kind] > standing and not ask_declare(s, s[GAME, SEATED + seat], seat):
        return
    s[seat, DECLARED] = 1
    change_hand(s, seat)  # what it let go before, when it could not win, tells nothing
    record(s, trace, DECLARE, seat, kind, -1)
    log_event(s, r, t, DECLARE, seat, kind, -1, 0, drawn)


@kernel
def _log_turn(s, r, t, seat, move, k, drawn, may_win, can_kong):
    """Log a seat's own move; ``drawn`` is the tile just drawn, -1 after a claim."""
    offers = OFFER_HU if may_win else 0
    if can_kong and s[seat, FOURS] | (s[seat, PUNGS] & s[seat, HELD]):
        offers |= OFFER_GANG
    log_event(s, r, t, move, seat, drawn if move == HU else k, -1, offers, drawn)


@kernel
def _mark_ghost_kongs(s, seat):
    """Put the ghosts of which a seat holds four into its mask of fours."""
    s[seat, FOURS] &= ~s[GAME, GHOST_MASK]
    rest = s[GAME, GHOST_MASK]
    while rest != 0:
        k = lowest_bit(rest)
        rest &= rest - 1
        if s[seat, HAND + k] == 4:
            s[seat, FOURS] |= 1 << k


@kernel
def _follow(s, r, kind):
    """Count equal discards from the first one on (跟庄); the dealer pays when there are four."""
    followed = s[GAME, FOLLOWED]
    if followed == 0:
        s[GAME, FOLLOW_KIND] = kind
    if 0 <= followed < 4:
        if kind != s[GAME, FOLLOW_KIND]:
            stop_following(s)
            return
        s[GAME, FOLLOWED] = followed + 1
        if followed + 1 == 4:
            pay_follow(s, r)


@kernel
def play_hand(s, r, t, trace):
    """Play one hand; the caller has set the wall, and in row GAME the bots, the ids and the session's fields.

    ``trace`` int64 (n, 4), n = 0 for none. Outcome, payments and winners stay in the state.
    """
    reset(s)
    deal(s, r, t, trace)
    dealer = s[GAME, DEALER]
    s[GAME, TURN_SEAT], s[GAME, DRAWN] = dealer, draw(s, r, dealer, False, trace)
    s[GAME, REPLACED], s[GAME, CLAIMED], s[GAME, FIRST] = 0, 0, 1
    play_on(s, r, t, trace)


@kernel
def play_on(s, r, t, trace):
    """Play a hand to its end from the turn that stands in row GAME."""
    seat, kind = s[GAME, TURN_SEAT], s[GAME, DRAWN]
    replacement, claimed, first_discard = s[GAME, REPLACED] == 1, s[GAME, CLAIMED] == 1, s[GAME, FIRST] == 1
    outcome, from_seat, n_winners, hits = WASHOUT, -1, 0, 0
    while kind >= 0 or claimed:
        s[GAME, TURN_SEAT], s[GAME, DRAWN], s[GAME, CLAIMED] = seat, kind, claimed
        if s[GAME, LOOKS]:
            s[GAME, REPLACED], s[GAME, FIRST] = replacement, first_discard
            keep_start(s)
        may_win = 0 if claimed else can_hu(s, r, t, seat, kind, replacement)
        can_kong = False
        if may_win and r[FLAG, R_MUST] and not s[GAME, SCRIPTED]:
            move, k = HU, 0
        else:
            can_kong = not claimed and wall_left(s) > 0 and not s[seat, DECLARED]
            if can_kong and r[FLAG, R_GHOST_KONG]:
                _mark_ghost_kongs(s, seat)
            discards = _legal_discards(s, r, t, seat, kind)
            answer = ask_turn(s, r, t, s[GAME, SEATED + seat], seat, may_win, can_kong, discards)
            move, k = answer // 64, answer % 64
        s[GAME, LAST_MOVE] = 64 * move + k
        if move == DISCARD and r[FLAG, R_DECLARE] and not s[seat, DECLARED]:
            _declare(s, r, t, seat, k, -1 if claimed else kind, trace)
        _log_turn(s, r, t, seat, move, k, -1 if claimed else kind, may_win, can_kong)
        if move == HU:
            outcome, n_winners = ZIMO, 1
            break
        if move != DISCARD:
            n_winners = own_kong(s, r, t, seat, move, k, trace)
            if n_winners > 0:
                outcome, from_seat, kind = QIANGGANG, seat, k
                break
            kind = draw(s, r, seat, True, trace)
            replacement = True
            continue

        take_tiles(s, seat, k, 1)
        if r[FLAG, R_STANDING]:
            lay_standing(s, seat, k)
        s[VISIBLE, k] += 1
        s[seat, DISCARDS] += 1
        s[RIVER + seat, k] += 1
        if claimed or k != kind:
            change_hand(s, seat)
        else:
            s[seat, KEPT] += 1
        for other in range(4):
            s[other, SAFE] |= 1 << k
        record(s, trace, DISCARD, seat, k, -1)
        _follow(s, r, k)
        s[seat, NEED] = need(s, r, t, seat, 0)
        if s[seat, NEED] == 1 and s[seat, READY_TURN] == NEVER:
            s[seat, READY_TURN] = s[seat, DISCARDS]
        events = 1 << P_DIANPAO
        if replacement:
            events |= 1 << GANGPAO
        if first_discard and s[GAME, UNTOUCHED]:
            events |= 1 << RENHU
        first_discard = replacement = False
        n_winners = ask_wins(s, r, t, k, seat, -1, DIANPAO, events, trace)
        if n_winners > 0:
            outcome, from_seat, kind = DIANPAO, seat, k
            break
        claimed = False
        if wall_left(s) == 0:
            break
        if not is_ghost(s, k):
            answer, claimer = claim(s, r, t, k, seat, trace)
            n_winners = s[GAME, N_WINNERS]
            if n_winners > 0:
                outcome, from_seat, kind = QIANGGANG, claimer, k
                break
            if answer != PASS:
                seat = claimer
                claimed = answer != GANG_EXPOSED
                if not claimed:
                    kind = draw(s, r, seat, True, trace)
                    replacement = True
                continue
        seat = (seat + 1) % 4
        kind = draw(s, r, seat, False, trace)

    if n_winners > 0:
        if outcome != ZIMO:  # one by self-draw is logged as the answer of a turn
            for i in range(n_winners):
                log_event(s, r, t, HU, s[WINNERS, i], kind, from_seat, OFFER_HU, -1)
        hits = pay_wins(s, r, n_winners, outcome, from_seat, kind, replacement, trace)
    else:
        kind = -1
        if r[FLAG, R_KONG_VOID]:
            for other in range(4):
                s[PAY_KONG, other] = s[FOLLOW_PAID, other]
    record(s, trace, END, -1, -1, outcome)
    s[GAME, OUTCOME] = outcome
    s[GAME, FROM_SEAT] = from_seat
    s[GAME, WIN_TILE] = kind
    s[GAME, HORSE_HITS] = hits
    s[GAME, N_WINNERS] = n_winners
