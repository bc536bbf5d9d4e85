"""What the four seats won and lost in a logged hand, from the few facts that files hold: one pass over the rows.

Polars expressions for the same took nine times as long where every seat holds horses (1.1 against 10 million rows a CPU
second, maima, all payments), since each of sixty payments was a column.
"""

from __future__ import annotations

from sim.flags import (
    FLAG,
    HORSES_DRAWN,
    HORSES_HELD,
    ORIGIN_DEALER,
    ORIGIN_WINNER,
    R_ALL_PAY,
    R_BASE,
    R_HORSE_ORIGIN,
    R_HORSE_ORIGIN_FROM,
    R_HORSES,
    R_KONG_ADDED,
    R_KONG_CONCEALED,
    R_KONG_DIRECT,
    R_KONG_DIRECT_ALL,
    R_KONG_VOID,
    R_N_HORSES,
    R_ROB_SHARES,
)
from sim.jit import kernel, n_bits
from sim.schema import QIANGGANG, WASHOUT, ZIMO

# Rows of the result: four seats each of hand, kong and horse, then the horses that hit.
HAND_ROW, KONG_ROW, HORSE_ROW, HITS_ROW = 0, 4, 8, 12
N_RESULT_ROWS = 13


@kernel
def _hand(r, outcome, winners, source, liable, points, i, out):
    """Points from wins of row ``i``: each winner's share, from each, or from who discarded, was robbed or is liable."""
    factor = r[FLAG, R_ROB_SHARES] if outcome == QIANGGANG else 1
    slot = 0
    for winner in range(4):
        if (winners >> winner) & 1 == 0:
            continue
        share = points[slot, i] * factor
        slot += 1
        for payer in range(4):
            n = 0
            if payer == winner:
                continue
            if outcome == ZIMO and liable < 0:
                n = 1
            elif outcome == ZIMO:
                n = 3 if payer == liable else 0
            elif payer == source:
                n = 1
            out[HAND_ROW + payer, i] -= n * share
            out[HAND_ROW + winner, i] += n * share


@kernel
def _kong(r, outcome, kongs, i, out):
    """Points from kongs of row ``i``; ``kongs`` holds direct, added, concealed and fed ones, 3 bits a seat each."""
    if outcome == WASHOUT and r[FLAG, R_KONG_VOID]:
        return
    all_pay = r[FLAG, R_KONG_DIRECT_ALL]
    for owner in range(4):
        direct, fed = (kongs >> (3 * owner)) & 7, (kongs >> (36 + 3 * owner)) & 7
        each = r[FLAG, R_KONG_ADDED] * ((kongs >> (12 + 3 * owner)) & 7)
        each += r[FLAG, R_KONG_CONCEALED] * ((kongs >> (24 + 3 * owner)) & 7)
        if all_pay:
            each += r[FLAG, R_KONG_DIRECT] * direct
        else:
            out[KONG_ROW + owner, i] += (direct - fed) * r[FLAG, R_KONG_DIRECT] * r[FLAG, R_BASE]
        for seat in range(4):
            out[KONG_ROW + seat, i] += (3 * each if seat == owner else -each) * r[FLAG, R_BASE]


@kernel
def _owed(r, outcome, source, payer, winner, i, out):
    """Return what ``payer`` paid ``winner`` for the hand."""
    if outcome == ZIMO or r[FLAG, R_ALL_PAY]:
        return -out[HAND_ROW + payer, i]
    return out[HAND_ROW + winner, i] if payer == source else 0


@kernel
def _origin(r, dealer, previous, source, n_winners, winner):
    """Return the seat that counts as "1" for the payments to a winner."""
    if n_winners > 1 and r[FLAG, R_HORSE_ORIGIN_FROM]:
        return source
    if r[FLAG, R_HORSE_ORIGIN] == ORIGIN_WINNER:
        return winner
    return dealer if r[FLAG, R_HORSE_ORIGIN] == ORIGIN_DEALER else previous


@kernel
def _drawn(r, outcome, winners, source, dealer, previous, n_horses, classes, i, out):
    """Points from horses that winners drew, and their hits."""
    n_winners = n_bits(winners)
    for winner in range(4):
        if (winners >> winner) & 1 == 0:
            continue
        own = (winner - _origin(r, dealer, previous, source, n_winners, winner)) % 4
        hits = 0
        for h in range(n_horses):
            hits += 1 if (classes >> (2 * h)) & 3 == own else 0
        out[HITS_ROW, i] += hits
        for payer in range(4):
            if payer != winner:
                more = hits * _owed(r, outcome, source, payer, winner, i, out)
                out[HORSE_ROW + payer, i] -= more
                out[HORSE_ROW + winner, i] += more


@kernel
def _held(r, outcome, winners, source, dealer, previous, classes, i, out):
    """Points from horses that seats held (R29), and how many meant a seat that won or paid."""
    n_winners, n_own = n_bits(winners), r[FLAG, R_N_HORSES]
    first = -1
    for j in range(4):
        seat = (source + j) % 4  # by self-draw there is one winner, so that any start will do
        if first < 0 and (winners >> seat) & 1:
            first = seat
    for winner in range(4):
        if (winners >> winner) & 1 == 0:
            continue
        origin = _origin(r, dealer, previous, source, n_winners, winner)
        for h in range(4 * n_own):
            holder, seat = (dealer + h // n_own) % 4, (origin + ((classes >> (2 * h)) & 3)) % 4
            if winner == first and out[HAND_ROW + seat, i] != 0:
                out[HITS_ROW, i] += 1
            if seat == winner:
                for payer in range(4):
                    if payer != winner:
                        amount = _owed(r, outcome, source, payer, winner, i, out)
                        out[HORSE_ROW + payer, i] -= amount
                        out[HORSE_ROW + holder, i] += amount
            else:
                amount = _owed(r, outcome, source, seat, winner, i, out)
                out[HORSE_ROW + holder, i] -= amount
                out[HORSE_ROW + winner, i] += amount


@kernel
def derive(r, outcome, winners, from_seat, dealer, previous, liable, points, kongs, n_horses, classes, has_hand, out):
    """Fill the result's rows for every logged hand.

    Parameters
    ----------
    r
        Rule set (`sim.flags.to_flags`).
    outcome, winners, from_seat, dealer, previous, liable, kongs, n_horses, classes
        Stored columns (`sim.codec`), each (n,); ``previous`` is the previous winner's seat, ``liable`` that of the
        first winner.
    points
        int32 (3, n): shares of the winners in seat order, 0 for none.
    has_hand
        Whether the rows of hand are there already, since they do not follow from the facts.
    out
        int64 (13, n), written; zeros but for the rows that ``has_hand`` says are there.
    """
    kind = r[FLAG, R_HORSES]
    for i in range(len(outcome)):
        source, won = int(from_seat[i]), int(winners[i])
        if outcome[i] != WASHOUT and not has_hand:
            _hand(r, outcome[i], won, source, int(liable[i]), points, i, out)
        _kong(r, outcome[i], int(kongs[i]), i, out)
        if outcome[i] == WASHOUT:
            continue
        if kind == HORSES_DRAWN:
            _drawn(
                r, outcome[i], won, source, int(dealer[i]), int(previous[i]), int(n_horses[i]), int(classes[i]), i, out
            )
        elif kind == HORSES_HELD:
            _held(r, outcome[i], won, source, int(dealer[i]), int(previous[i]), int(classes[i]), i, out)
