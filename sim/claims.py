"""Claims and kongs: pungs, chis and the three kinds of kong, asked for and carried out."""

from __future__ import annotations

from sim.deal import (
    change_hand,
    forget_passed,
    log_event,
    record,
)
from sim.flags import (
    FLAG,
    R_CHI,
    R_OPEN_KONG,
    R_PASSED_PENG,
    R_STANDING,
    ROB_ADDED,
    ROB_CONCEALED,
    ROB_DIRECT,
)
from sim.jit import (
    kernel,
)
from sim.policy.dispatch import (
    ask_chi,
    ask_claim,
)
from sim.schema import (
    CHI,
    GANG_CONCEALED,
    GANG_EXPOSED,
    MELD_ADDED,
    MELD_CHI,
    MELD_CONCEALED,
    MELD_EXPOSED,
    MELD_PENG,
    OFFER_CHI,
    OFFER_GANG,
    OFFER_PENG,
    PASS,
    PENG,
)
from sim.settlement import (
    has_twelve,
    pay_kong,
)
from sim.shanten import (
    need,
)
from sim.state import (
    CALLS,
    DECLARED,
    FOURS,
    GAME,
    GHOSTS,
    HAND,
    HELD,
    KONG_FEEDER,
    MELD_KIND,
    MELD_TYPE,
    N_ADDED,
    N_CONCEALED,
    N_EXPOSED,
    N_FED,
    N_KONGS,
    N_MELDS,
    N_WINNERS,
    NEED,
    PASSED_PENG,
    PUNGS,
    SEATED,
    TWELVE_FEEDER,
    TWELVE_USED,
    UNTOUCHED,
    VISIBLE,
    add_meld,
    lay_standing,
    stop_following,
    take_tiles,
)
from sim.winning import (
    ask_robbers,
)


@kernel
def _after_kong(s, r, t, seat, kind_of_meld, feeder):
    """Money, counters and marks of a kong that stands."""
    forget_passed(s, r, seat)
    change_hand(s, seat)
    stop_following(s)
    s[GAME, N_KONGS] += 1
    if kind_of_meld == MELD_CONCEALED:
        s[seat, N_CONCEALED] += 1
    elif kind_of_meld == MELD_ADDED:
        s[seat, N_ADDED] += 1
    else:
        s[seat, N_EXPOSED] += 1
        s[feeder, N_FED] += 1
    s[GAME, KONG_FEEDER] = feeder if kind_of_meld == MELD_EXPOSED else -1
    if not r[FLAG, R_OPEN_KONG]:
        s[GAME, UNTOUCHED] = 0
    pay_kong(s, r, kind_of_meld, seat, feeder)
    s[seat, NEED] = need(s, r, t, seat, 0)


@kernel
def _after_exposing(s, r, seat, feeder):
    """Set the marks of a chi, peng or direct kong: window of 地和 and 人和, 漏胡, twelve tiles."""
    s[seat, CALLS] += 1
    forget_passed(s, r, seat)
    stop_following(s)
    if has_twelve(s, seat) and (s[GAME, TWELVE_USED] >> feeder) & 1 == 0:
        s[seat, TWELVE_FEEDER] = feeder
        s[GAME, TWELVE_USED] |= 1 << feeder


@kernel
def _chi_lows(s, seat, kind):
    """Mask of the lowest kinds of the runs that ``seat`` can make with ``kind``."""
    lows = 0
    if kind >= 27:
        return lows
    held = s[seat, HELD]
    rank = kind % 9
    for offset in range(3):
        low_rank = rank - offset
        if low_rank < 0 or low_rank > 6:
            continue
        low = kind - offset
        others = (7 << low) & ~(1 << kind)
        if held & others == others:
            lows |= 1 << low
    return lows


@kernel
def claim(s, r, t, kind, from_seat, trace):
    """Ask for pungs, kongs and chis; carry out the claim; return its move code and seat (PASS, -1 for none).

    A robbed direct kong is not carried out; the robbers stand in the state and N_WINNERS is their number, else 0.
    """
    s[GAME, N_WINNERS] = 0
    for j in range(1, 4):
        seat = (from_seat + j) % 4
        n = s[seat, HAND + kind]
        if n < 2:
            continue
        if s[seat, DECLARED]:
            break  # nobody else can hold two
        natural = 13 - 3 * s[seat, N_MELDS] - s[seat, GHOSTS]
        can_peng = 1 if natural > 2 and (s[seat, PASSED_PENG] >> kind) & 1 == 0 else 0
        can_gang = 1 if n >= 3 else 0
        answer = PASS
        if can_peng + can_gang > 0:
            answer = ask_claim(s, r, t, s[GAME, SEATED + seat], seat, kind, can_peng, can_gang)
            offers = OFFER_PENG * can_peng + OFFER_GANG * can_gang
            log_event(s, r, t, answer, seat, kind, from_seat, offers, -1)
        if answer == PASS:
            if can_peng and r[FLAG, R_PASSED_PENG]:
                s[seat, PASSED_PENG] |= 1 << kind
            break
        record(s, trace, answer, seat, kind, from_seat)
        if answer == GANG_EXPOSED:
            s[VISIBLE, kind] -= 1
            n_winners = ask_robbers(s, r, t, kind, seat, from_seat, ROB_DIRECT, trace)
            if n_winners > 0:
                s[GAME, N_WINNERS] = n_winners
                return answer, seat
            s[VISIBLE, kind] += 1
        taken = 2 if answer == PENG else 3
        take_tiles(s, seat, kind, taken)
        if r[FLAG, R_STANDING]:
            lay_standing(s, seat, kind)
        s[VISIBLE, kind] += taken
        add_meld(s, seat, MELD_PENG if answer == PENG else MELD_EXPOSED, kind, from_seat)
        _after_exposing(s, r, seat, from_seat)
        if answer == PENG:
            s[seat, PUNGS] |= 1 << kind
            s[GAME, UNTOUCHED] = 0
        else:
            _after_kong(s, r, t, seat, MELD_EXPOSED, from_seat)
        return answer, seat
    seat = (from_seat + 1) % 4
    if r[FLAG, R_CHI] and not s[seat, DECLARED] and 13 - 3 * s[seat, N_MELDS] - s[seat, GHOSTS] > 2:
        lows = _chi_lows(s, seat, kind)
        if lows:
            answer = ask_chi(s, r, t, s[GAME, SEATED + seat], seat, kind, lows)
            low = answer % 64 if answer // 64 == CHI else -1
            log_event(s, r, t, answer // 64, seat, kind, from_seat, OFFER_CHI, low)
            if low >= 0:
                for k in range(low, low + 3):
                    if k != kind:
                        take_tiles(s, seat, k, 1)
                        s[VISIBLE, k] += 1
                        if r[FLAG, R_STANDING]:
                            lay_standing(s, seat, k)
                s[GAME, UNTOUCHED] = 0
                record(s, trace, CHI, seat, low, from_seat)
                add_meld(s, seat, MELD_CHI, low, from_seat)
                _after_exposing(s, r, seat, from_seat)
                return CHI, seat
    return PASS, -1


@kernel
def own_kong(s, r, t, seat, move, k, trace):
    """Announce a concealed or added kong and make it; return the number of robbers, 0 when it stands."""
    record(s, trace, move, seat, k, -1)
    taken = 4 if move == GANG_CONCEALED else 1
    take_tiles(s, seat, k, 1)  # the tile that can be robbed; the others stay then
    which = ROB_CONCEALED if move == GANG_CONCEALED else ROB_ADDED
    n_winners = ask_robbers(s, r, t, k, seat, -1, which, trace)
    if n_winners > 0:
        return n_winners
    take_tiles(s, seat, k, taken - 1)
    s[VISIBLE, k] += taken
    if r[FLAG, R_STANDING]:
        lay_standing(s, seat, k)
    if move == GANG_CONCEALED:
        s[seat, FOURS] &= ~(1 << k)  # a ghost's mark as well
        add_meld(s, seat, MELD_CONCEALED, k, -1)
        _after_kong(s, r, t, seat, MELD_CONCEALED, -1)
        return 0
    s[seat, PUNGS] &= ~(1 << k)
    for i in range(s[seat, N_MELDS]):
        if s[seat, MELD_KIND + i] == k and s[seat, MELD_TYPE + i] == MELD_PENG:
            s[seat, MELD_TYPE + i] = MELD_ADDED
    _after_kong(s, r, t, seat, MELD_ADDED, -1)
    return 0
