"""Score one win from its description, with the simulator's kernels: what ``gdmj score`` and notebooks call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from sim import patterns, tiles
from sim.flags import FLAG, R_BARRED, R_MIN_FAN, R_MIN_FAN_DISCARD, R_WAYS, WAY_BITS, successor, to_flags
from sim.rules import Rules
from sim.schema import DIANPAO, MELD_NAMES, OUTCOMES, ZIMO
from sim.settlement import (
    cap_row,
    drawn_hits,
    draws_horses,
    has_twelve,
    horse_origin,
    liable_seat,
    set_grown,
    settle,
    winners_share,
)
from sim.shanten import need
from sim.state import (
    CHAIR,
    COUNTED,
    DEALER,
    FAN,
    GAME,
    GHOST_MASK,
    GROWN,
    HORSE_HOLDER,
    HORSE_KIND,
    KONGS,
    LIABLE,
    MELD_FROM,
    MELD_KIND,
    MELD_TYPE,
    N_HORSES,
    N_MELDS,
    ORIGIN,
    OWED,
    PAY_HAND,
    PAY_HORSE,
    POINTS,
    REPEAT,
    ROUND_WIND,
    TWELVE_FEEDER,
    WINNERS,
    add_tile,
    has_four_ghosts,
    new_state,
)
from sim.tables import load as load_tables
from sim.winning import holds, value

EVENT_FLAGS = {
    "gangkai": ("zimo", patterns.GANGKAI),
    "gangpao": ("dianpao", patterns.GANGPAO),
    "haidi": ("zimo", patterns.HAIDI),
    "tianhu": ("zimo", patterns.TIANHU),
    "dihu": ("zimo", patterns.DIHU),
    "renhu": ("dianpao", patterns.RENHU),
}
MAX_HORSES = 144
MAX_DRAWN = 20  # horses that winners can draw
_LISTED = {patterns.ROLE_ITEM, patterns.ROLE_PATTERN, patterns.ROLE_EXTRA, patterns.ROLE_SPECIAL}
_KONGS = {"minggang", "bugang", "angang"}
_FIRST_TURN = {"tianhu", "dihu", "renhu"}
_BEFORE_DECLARING = _FIRST_TURN | {"gangkai"}


class ScoreError(ValueError):
    """A win that cannot be: the message says what and why, in one line."""


@dataclass(frozen=True)
class Meld:
    """One meld: chi, peng, minggang (direct), bugang (added) or angang (concealed).

    ``from_seat`` fed it (for bugang: the feeder of its pung); None for angang. ``is_last`` marks the kong made last
    where that is not the last one in order: an added kong keeps its pung's place.
    """

    type: str
    kinds: tuple[int, ...]
    from_seat: int | None
    is_last: bool = False


@dataclass(frozen=True)
class Claim:
    """One winner: concealed kinds without the winning one, winning kind, melds in the order they were made, flags."""

    winner: int
    hand: tuple[int, ...]
    win: int
    melds: tuple[Meld, ...]
    flags: frozenset[str]


@dataclass(frozen=True)
class Table:
    """What all winners share.

    ``source`` zimo, dianpao or qianggang; ``from_seat`` discarder or robbed seat; ``ghosts`` the kinds in play;
    ``horses`` kinds by holder, kinds the winner drew, or None; ``origin`` the seat that counts as "1", None for what
    the rule set says; ``kong_pay`` and ``other_pay`` vectors added to the payments, those of kongs and of all else;
    ``repeat`` hands that the dealer has dealt in a row before this one; ``other_melds`` melds of seats that did not
    win; ``is_from_ready`` whether the discarder was ready.
    """

    source: str
    from_seat: int | None
    dealer: int
    round_wind: int
    ghosts: tuple[int, ...]
    horses: dict[int, tuple[int, ...]] | tuple[int, ...] | None
    origin: int | None
    kong_pay: tuple[tuple[int, int, int, int], ...]
    repeat: int = 0
    other_melds: Mapping[int, tuple[Meld, ...]] = field(default_factory=dict)
    is_from_ready: bool = True
    other_pay: tuple[tuple[int, int, int, int], ...] = ()


@dataclass(frozen=True)
class Result:
    """One winner's hand.

    Whether it wins, else the reason (shape, barred, source, minimum); fans as the rule set names them; fan after floor
    and cap (None in sum tables); points of one payer with drawn and without held horses, a payer's own multiples left
    out. The rest is for `sim.explain`: the hand's points before repeat deals, multiples, caps and horses, masks of
    counted patterns and of events, the liable seat or -1, whether the win is paid (not where another goes before).
    """

    is_win: bool
    reason: str | None
    fans: tuple[str, ...]
    fan: int | None
    points: int
    share: int = 0
    counted: int = 0
    events: int = 0
    liable: int = -1
    is_paid: bool = False


@lru_cache(maxsize=1)
def _tables() -> NDArray[np.uint8]:
    return load_tables()


def _check(rules: Rules, claim: Claim, table: Table) -> None:
    for flag in sorted(claim.flags):
        source, _ = EVENT_FLAGS[flag]
        if source != table.source:
            raise ScoreError(f"flags: {flag} goes with source {source}, not {table.source}")
        if rules.play.declare == "needed" and flag in _BEFORE_DECLARING:
            raise ScoreError(f"flags: {flag} is impossible where a win needs a declared ready hand")
    _check_first_turn(rules, claim, table)
    _check_melds(rules, claim.melds, table)


def _check_first_turn(rules: Rules, claim: Claim, table: Table) -> None:
    """Refuse wins of the first turn and kong wins that cannot be."""
    if "gangkai" in claim.flags and not any(meld.type in _KONGS for meld in claim.melds):
        raise ScoreError("flags: gangkai needs a kong among the melds")
    if "tianhu" in claim.flags and (claim.winner != table.dealer or claim.melds):
        raise ScoreError("flags: tianhu needs the dealer's fourteen dealt tiles, without melds")
    if "dihu" in claim.flags and claim.winner == table.dealer:
        raise ScoreError("flags: dihu is for the other seats, the dealer's is tianhu")
    if "renhu" in claim.flags and (table.from_seat != table.dealer or claim.melds):
        raise ScoreError("flags: renhu needs the dealer's first discard and no melds")
    first = sorted(claim.flags & _FIRST_TURN)
    if first and "haidi" in claim.flags:
        raise ScoreError(f"flags: {first[0]} comes before the last tile, haidi with it")
    kongs_close = rules.win.first_turn_closed_by == "any_call"
    calls = [meld for melds in table.other_melds.values() for meld in melds if kongs_close or meld.type not in _KONGS]
    if first and calls:
        raise ScoreError(f"flags: {first[0]} is over once somebody has called, others have a {calls[0].type}")


def _check_melds(rules: Rules, melds: Sequence[Meld], table: Table) -> None:
    """Refuse melds that the rule set does not know."""
    for meld in melds:
        if meld.type == "chi" and not rules.play.chi:
            raise ScoreError(f"melds: {rules.slug} is played without chi")
        is_kong = meld.type == "angang" and rules.ghost.kong == "allowed"
        if set(table.ghosts) & set(meld.kinds) and not is_kong:
            raise ScoreError("melds: a ghost cannot be melded")
    if sum(meld.is_last for meld in melds) > 1:
        raise ScoreError("melds: one kong was made last, not several")


def _check_ghosts(rules: Rules, table: Table) -> None:
    """Refuse ghosts that the rule set does not have."""
    names = ", ".join(tiles.KIND_NAMES[kind] for kind in table.ghosts)
    if not table.ghosts:
        return
    if rules.ghost.mode == "none":
        raise ScoreError(f"ghost: {rules.slug} has no ghosts, not {names}")
    fixed = {tiles.parse_one(text) for text in rules.ghost.kinds}
    if rules.ghost.mode == "fixed" and set(table.ghosts) != fixed:
        raise ScoreError(f"ghost: the ghosts of {rules.slug} are {', '.join(rules.ghost.kinds)}, not {names}")
    following = successor(rules.honour_cycle)
    turned = [int(following[kind]) for kind in tiles.TILE_SETS[rules.tiles]]
    if rules.ghost.mode == "turned" and table.ghosts not in [(kind,) for kind in turned]:
        raise ScoreError(f"ghost: {rules.slug} turns one kind of ghost that follows another tile, not {names}")
    if rules.ghost.mode == "turned_two" and set(table.ghosts) not in [{kind, int(following[kind])} for kind in turned]:
        raise ScoreError(f"ghost: {rules.slug} turns two kinds that follow one another, not {names}")


def _check_rob(rules: Rules, claims: Sequence[Claim], table: Table) -> None:
    """Refuse a robbed kong that could not be made."""
    by_ghosts = "concealed" in rules.win.rob_kongs and rules.ghost.kong == "allowed"
    if table.source == "qianggang" and claims[0].win in table.ghosts and not by_ghosts:
        raise ScoreError(
            f"win: {tiles.KIND_NAMES[claims[0].win]} is a ghost, of which nobody makes a kong to be robbed"
        )


def _lay(s: NDArray[np.int64], seat: int, melds: Sequence[Meld]) -> None:
    """Put melds into a seat's row."""
    for i, meld in enumerate(melds):
        s[seat, MELD_TYPE + i] = MELD_NAMES.index(meld.type)
        s[seat, MELD_KIND + i] = min(meld.kinds)
        s[seat, MELD_FROM + i] = -1 if meld.from_seat is None else meld.from_seat
    s[seat, N_MELDS] = len(melds)


def _sit(s: NDArray[np.int64], claim: Claim) -> None:
    """Put a claim's tiles and melds into its seat's row."""
    seat = claim.winner
    for kind in (*claim.hand, claim.win):
        add_tile(s, seat, kind)
    _lay(s, seat, claim.melds)
    s[seat, TWELVE_FEEDER] = s[seat, MELD_FROM + 3] if has_twelve(s, seat) else -1


def _events(s: NDArray[np.int64], claim: Claim, rules: Rules, source: str) -> int:
    events = sum(1 << EVENT_FLAGS[flag][1] for flag in claim.flags)
    if source == "zimo" or (source == "qianggang" and rules.scoring.rob_is_zimo):
        events |= 1 << patterns.P_ZIMO
    if source == "qianggang":
        events |= 1 << patterns.P_QIANGGANG
    if source == "dianpao":
        events |= 1 << patterns.P_DIANPAO
    if source == "zimo" and rules.ghost.four == "win" and has_four_ghosts(s, claim.winner):
        events |= 1 << patterns.FOUR_GHOSTS
    return events


def kong_feeder(claim: Claim) -> int:
    """Feeder of the direct kong whose replacement won, -1 for any other win."""
    kongs = [meld for meld in claim.melds if meld.type in _KONGS]
    if "gangkai" not in claim.flags:
        return -1
    last = next((meld for meld in kongs if meld.is_last), kongs[-1])
    return last.from_seat if last.type == "minggang" and last.from_seat is not None else -1


def _why_not(s: NDArray[np.int64], r: NDArray[np.int64], claim: Claim, source: str, events: int) -> str | None:
    """Reason why a hand cannot win that holds before its value is known."""
    if not events >> patterns.FOUR_GHOSTS & 1 and need(s, r, _tables(), claim.winner, 0) != 0:
        return "shape"
    if holds(s, claim.winner, r[FLAG, R_BARRED]):
        return "barred"
    return None if r[FLAG, R_WAYS] & WAY_BITS[source] else "source"


def _too_small(s: NDArray[np.int64], r: NDArray[np.int64], claim: Claim, source: int, events: int, place: int) -> str:
    """Reason why a hand of a winning shape, won by an allowed way, has no value: it would have one without minimum."""
    free = r.copy()
    free[FLAG, [R_MIN_FAN, R_MIN_FAN_DISCARD]] = 0
    return "minimum" if value(s, free, claim.winner, claim.win, source, events, place) else "source"


def _winners(rules: Rules, s: NDArray[np.int64], won: list[int], from_seat: int) -> list[int]:
    """Claims that are paid, in turn order from the discarder or robbed seat, as places in the state."""
    order = sorted(won, key=lambda i: (s[WINNERS, i] - from_seat) % 4)
    if len(order) > 1 and rules.win.multiple == "nearest":
        return order[:1]
    if len(order) > 1 and rules.win.multiple == "biggest":
        return [max(order, key=lambda i: s[POINTS, i])]
    if len(order) > 1 and rules.win.multiple == "from_dealer":
        return [min(order, key=lambda i: (s[WINNERS, i] - s[GAME, DEALER]) % 4)]
    return order


def _set_horses(s: NDArray[np.int64], rules: Rules, table: Table) -> None:
    if table.horses is None:
        return
    held = isinstance(table.horses, dict)
    if rules.horses.kind == "none" or (rules.horses.kind == "held") != held:
        expected = {"none": "no horses", "held": "horses by holder", "drawn": "a list of drawn horses"}[
            rules.horses.kind
        ]
        raise ScoreError(f"horses: the rule set has {expected}")
    pairs = (
        [(holder, kind) for holder, kinds in table.horses.items() for kind in kinds]
        if isinstance(table.horses, dict)
        else [(-1, kind) for kind in table.horses]
    )
    if not held and len(pairs) > MAX_DRAWN:
        raise ScoreError(f"horses: at most {MAX_DRAWN} are drawn, not {len(pairs)}")
    if len(pairs) > MAX_HORSES:
        raise ScoreError(f"horses: at most {MAX_HORSES} tiles, not {len(pairs)}")
    for h, (holder, kind) in enumerate(pairs):
        s[HORSE_KIND, h], s[HORSE_HOLDER, h] = kind, holder
    s[GAME, N_HORSES] = len(pairs)


def score(rules: Rules, claims: Sequence[Claim], table: Table) -> tuple[list[Result], list[int]]:
    """Score all winners on one tile.

    Returns
    -------
    results, payments
        One result for each claim, and net points of the four seats, everything included.

    Raises
    ------
    ScoreError
        For a win that cannot be, or when the seat that counts as "1" must be known and is not given.
    """
    r, s = to_flags(rules), new_state()
    source = OUTCOMES.index(table.source)
    from_seat = -1 if table.from_seat is None else table.from_seat
    s[GAME, DEALER] = s[GAME, CHAIR] = table.dealer
    s[GAME, ROUND_WIND] = table.round_wind
    s[GAME, GHOST_MASK] = sum(1 << kind for kind in table.ghosts)
    s[GAME, REPEAT] = table.repeat
    _check_ghosts(rules, table)
    _check_rob(rules, claims, table)
    for seat, melds in table.other_melds.items():
        _check_melds(rules, melds, table)
        _lay(s, seat, melds)
    reasons: list[str | None] = []
    events: list[int] = []
    for i, claim in enumerate(claims):
        _check(rules, claim, table)
        _sit(s, claim)
        events.append(_events(s, claim, rules, table.source))
        reason = _why_not(s, r, claim, table.source, events[i])
        if reason is None and not value(s, r, claim.winner, claim.win, source, events[i], i):
            reason = _too_small(s, r, claim, source, events[i], i)
        reasons.append(reason)
    won = [i for i, reason in enumerate(reasons) if reason is None]
    if len(won) == 3 and rules.win.multiple == "all":
        events = [mask | 1 << patterns.TRIPLE_WIN for mask in events]
        for i, claim in enumerate(claims):
            value(s, r, claim.winner, claim.win, source, events[i], i)
    if source == ZIMO:
        for i in won:
            s[LIABLE, i] = liable_seat(s, r, claims[i].winner, kong_feeder(claims[i]), s[COUNTED, i])
    if source == DIANPAO and rules.liability.quanqiuren and not table.is_from_ready:
        for i in won:
            s[LIABLE, i] = from_seat if has_twelve(s, claims[i].winner) else -1
    paid = _winners(rules, s, won, from_seat)
    _set_horses(s, rules, table)
    needs_previous = rules.horses.origin == "previous_winner" and not (
        len(paid) > 1 and rules.horses.origin_multiple == "from_seat"
    )
    if paid and table.horses and table.origin is None and needs_previous:
        raise ScoreError("origin: the previous winner's seat must be given for this rule set's horses")
    s[GAME, ORIGIN] = table.dealer if table.origin is None else table.origin
    results = [
        _result(s, r, rules, i, table, len(paid), events[i], i in paid)
        if reason is None
        else Result(False, reason, (), None, 0)
        for i, reason in enumerate(reasons)
    ]
    for row in (WINNERS, POINTS, LIABLE):
        s[row, : len(paid)] = s[row, paid]
    if rules.kong.follow_horses:
        _note_kongs(s, table)
    settle(s, r, source, from_seat, len(paid), -1 if table.origin is None else table.origin)
    payments = s[PAY_HAND, :4] + s[PAY_HORSE, :4]
    total = [
        int(p) + sum(vector[seat] for vector in (*table.kong_pay, *table.other_pay)) for seat, p in enumerate(payments)
    ]
    return results, total


def _note_kongs(s: NDArray[np.int64], table: Table) -> None:
    """Note who paid whom for which kong, since horses follow."""
    for vector in table.kong_pay:
        owners = [seat for seat, points in enumerate(vector) if points > 0]
        if len(owners) > 1:
            raise ScoreError(
                "kong_pay: horses follow kongs in this rule set, so each entry must be one kong's payment"
                " (flowers and 跟庄 stand in other_pay)"
            )
        for seat, points in enumerate(vector):
            if points < 0:
                s[KONGS + owners[0], seat] -= points


def _result(
    s: NDArray[np.int64],
    r: NDArray[np.int64],
    rules: Rules,
    i: int,
    table: Table,
    n_winners: int,
    events: int,
    is_paid: bool,
) -> Result:
    counted, winner, share = int(s[COUNTED, i]), int(s[WINNERS, i]), int(s[POINTS, i])
    source = OUTCOMES.index(table.source)
    roles = {slug: patterns.ROLES.index(price.role) for slug, price in rules.patterns.items()}
    fans = tuple(
        rules.pattern_name(p)
        for p, pattern in enumerate(patterns.PATTERNS)
        if counted >> p & 1 and roles[pattern.slug] in _LISTED
    )
    s[OWED, :4] = winners_share(s, r, source, winner, share)
    cap_row(s, r, OWED, winner)
    row = OWED
    if isinstance(table.horses, tuple) and draws_horses(r, source):
        origin = table.origin
        if origin is None:
            from_seat = -1 if table.from_seat is None else table.from_seat
            origin = int(horse_origin(s, r, source, n_winners, winner, from_seat))
        set_grown(s, r, winner, *drawn_hits(s, r, winner, origin))
        row = GROWN
    points = int(s[row, (winner + 1) % 4])
    fan = int(s[FAN, i]) if rules.scoring.method == "fan" else None
    return Result(True, None, fans, fan, points, share, counted, events, int(s[LIABLE, i]), is_paid)
