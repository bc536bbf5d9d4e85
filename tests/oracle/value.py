"""The bots `value` and `defend`, as `sim/policy/README.md` tells their procedure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sim import schema
from sim.weights import read

from .bots import Move, View, best_discard, discard_rank
from .plans import (
    ALL,
    HONOURS,
    PLANS,
    Hand,
    Other,
    Plan,
    acceptance,
    expected_owed,
    expected_pay,
    hand_worth,
    is_flat,
    is_possible,
    meld_pungs,
    n_payers,
    need_of,
    patterns_points,
    patterns_worth,
    plan_patterns,
    set_patterns,
    state_patterns,
)
from .state import Meld

KONGS = (schema.GANG_CONCEALED, schema.GANG_ADDED, schema.GANG_EXPOSED)
USUAL = 5.0


class Listed:
    """A plan that is looked at: its worths and its least need."""

    def __init__(self, hand: Hand, plan: Plan) -> None:
        self.plan = plan
        self.least = max(need_of(hand, plan), 1)
        self.worths = plan_worths(hand, plan)


def plan_worths(hand: Hand, plan: Plan) -> tuple[int, int]:
    """Quarter points by self-draw and by discard."""
    found = plan_patterns(hand, plan)
    return patterns_worth(hand, found, schema.ZIMO), patterns_worth(hand, found, schema.DIANPAO)


class ValueBot:
    """Weighs each move by what the hand after it can be expected to bring."""

    def __init__(self, name: str) -> None:
        self.name = name

    def turn(self, view: View, moves: Sequence[Move]) -> Move:
        """Choose after a draw or a claim."""
        hand = hand_of(view)
        weights = read(hand.table.rules, self.name)
        rules = hand.table.rules
        afraid = weights[stage(hand.table.wall_left)] != 0 and "dianpao" in rules.win.ways
        threats = [threat(other, hand, weights) for other in hand.table.others] if afraid else []
        considered = view.considered(moves)
        kind, best, ease = discard_of(hand, weights, threats, considered)
        chosen = Move(schema.DISCARD, kind)
        for move in moves:
            if view.holds_barred or move.code not in (schema.GANG_CONCEALED, schema.GANG_ADDED):
                continue
            worth = kong_value(after(hand, move, -1), weights) + kong_price(rules, move.code)
            if worth > best:
                best, chosen = worth, move
        if moves[0].code == schema.HU and expected_pay(hand, view.points, schema.ZIMO, 3) + ease >= best:
            return moves[0]
        naturals = [k for k in considered if hand.naturals[k]]
        if chosen.code == schema.DISCARD and not naturals:
            return Move(schema.DISCARD, considered[0])
        if chosen.code == schema.DISCARD and best == 0.0 and not afraid:
            return Move(schema.DISCARD, best_discard(view, naturals)[0])
        return chosen

    def declares(self) -> bool:
        """Declare ready whenever that is legal."""
        return True

    def claim(self, view: View, moves: Sequence[Move], kind: int) -> Move:
        """Choose whether to win on, claim or pass another seat's tile."""
        hand = hand_of(view)
        rules, weights = hand.table.rules, read(hand.table.rules, self.name)
        plans = list_plans(hand, weights)
        ease = relief(plans, weights)
        best, chosen = waiting(hand, plans, weights, ease), moves[0]
        legal = {move.code: move for move in moves}
        if schema.HU in legal:
            shares = 3 if view.is_rob and rules.win.rob_shares == 3 else n_payers(rules, schema.DIANPAO)
            source = schema.QIANGGANG if view.is_rob else schema.DIANPAO
            gain = expected_pay(hand, view.points, source, shares) + ease
            return legal[schema.HU] if gain >= best else chosen
        if kind in view.barred:
            return chosen
        best *= weights["claim"] / 64.0
        for move in sorted(moves[1:], key=lambda m: m.code != schema.GANG_EXPOSED):
            new = after(hand, move, kind)
            if move.code == schema.GANG_EXPOSED:
                worth = kong_value(new, weights) + kong_price(rules, move.code)
            else:
                worth = discard_of(new, weights, [], range(34))[1]
            if worth > best:
                best, chosen = worth, move
        return chosen


def hand_of(view: View) -> Hand:
    """Return what a seat sees as a hand."""
    assert view.table is not None
    return Hand(view.table, view.hand, view.table.melds, view.ghosts, view.live)


def after(hand: Hand, move: Move, claimed: int) -> Hand:
    """Return the hand after a claim or kong, before its discard."""
    k = move.kind
    if move.code == schema.CHI:
        for tile in range(k, k + 3):
            hand = hand if tile == claimed else hand.without(tile)
        return hand.melding(Meld(schema.MELD_CHI, k))
    if move.code == schema.GANG_ADDED:
        place = next(i for i, m in enumerate(hand.melds) if m.t == schema.MELD_PENG and m.kind == k)
        melds = list(hand.melds)
        melds[place] = Meld(schema.MELD_ADDED, k)
        return hand.without(k)._replace(melds=tuple(melds))
    n, meld = {
        schema.PENG: (2, schema.MELD_PENG),
        schema.GANG_EXPOSED: (3, schema.MELD_EXPOSED),
        schema.GANG_CONCEALED: (4, schema.MELD_CONCEALED),
    }[move.code]
    return hand.without(k, n).melding(Meld(meld, k))


def kong_price(rules: Any, code: int) -> int:
    """Quarter points that a kong brings at once."""
    units = {
        schema.GANG_CONCEALED: 3 * rules.kong.concealed,
        schema.GANG_ADDED: 3 * rules.kong.added,
        schema.GANG_EXPOSED: rules.kong.direct * (3 if rules.kong.direct_payer == "all" else 1),
    }[code]
    return int(4 * units * rules.scoring.base)


def kong_value(hand: Hand, weights: dict[str, Any]) -> float:
    """Value of a hand that waits for a kong's replacement."""
    plans = list_plans(hand, weights)
    return waiting(hand, plans, weights, relief(plans, weights)) * weights["kong"] / 64.0


def list_plans(hand: Hand, weights: dict[str, Any]) -> list[Listed]:
    """List the plans to look at: any hand first, then dearer ones that are near enough."""
    first = Listed(hand, PLANS[0])
    listed = [first]
    most = need_of(hand, PLANS[0]) + weights["margin"]
    for plan in [] if is_flat(hand.table.rules) else PLANS[1:]:
        if not is_possible(hand, plan) or need_of(hand, plan) > most:
            continue
        new = Listed(hand, plan)
        if new.worths[0] > first.worths[0] or new.worths[1] > first.worths[1]:
            listed.append(new)
    return listed


def relief(plans: Sequence[Listed], weights: dict[str, Any]) -> float:
    """Quarter points that ending the hand is worth."""
    worths = [max(p.worths) for p in plans if max(p.worths) > 0]
    cheapest: float = min(worths, default=0) * weights["relief"] / 64.0
    return cheapest


def discard_of(
    hand: Hand, weights: dict[str, Any], threats: Sequence[Threat], considered: Sequence[int]
) -> tuple[int, float, float]:
    """Return the best natural discard, what is expected after it, and the relief."""
    plans = list_plans(hand, weights)
    ease = relief(plans, weights)
    kinds = [k for k in considered if hand.naturals[k]]
    values = {
        k: waiting(hand.without(k), plans, weights, ease) - danger(hand, k, weights, threats)
        if threats
        else waiting(hand.without(k), plans, weights, ease)
        for k in kinds
    }
    best = min(kinds, key=lambda k: (-values[k], discard_rank(k)), default=-1)
    return best, values[best] if kinds else 0.0, ease


def chance(hand: Hand, weights: dict[str, Any], n: int, a: float) -> float:
    """Chance to win with a need and an acceptance."""
    place, stage = min(n, 6) - 1, min(hand.table.wall_left // 8, 10)
    x: float = weights["chance"][place][stage] / 65536.0 * (a / (a + weights["half"][place] / 64.0))
    for _ in range(n - 6):
        x *= 0.5
    return x


def parts(hand: Hand, weights: dict[str, Any], by_draw: int, by_discard: int, ease: float) -> tuple[float, float]:
    """Return how often a wait wins beside one that wins both ways, and its gain at that rate."""
    discards = weights["discards"] / 64.0 if "dianpao" in hand.table.rules.win.ways else 0.0
    rate = (1.0 if by_draw >= 0 else 0.0) + (discards if by_discard >= 0 else 0.0)
    gain = (by_draw + ease if by_draw >= 0 else 0.0) + (discards * (by_discard + ease) if by_discard >= 0 else 0.0)
    return rate / (1.0 + discards), gain / (1.0 + discards)


def scale_of(plan: Plan, weights: dict[str, Any]) -> float:
    """What a plan multiplies the chance by for each tile after the next one."""
    by_form = {"pungs": "pungs", "pairs": "pairs", "orphans": "pairs"}.get(plan.form)
    by_kinds = None
    if plan.form in ("standard", "pungs", "pairs") and plan.kinds != ALL:
        by_kinds = "suit" if len(plan.kinds) == 16 and plan.kinds & HONOURS else "pure"
    first, second = (weights[name] if name else 64 for name in (by_form, by_kinds))
    return float(first * second / (64.0 * 64.0))


def plan_value(hand: Hand, weights: dict[str, Any], plan: Plan, worths: tuple[int, int], ease: float) -> float:
    """Quarter points that a plan can be expected to bring."""
    n, a = need_of(hand, plan), acceptance(hand, plan, weights["peng"] / 64.0)
    rate, gain = parts(hand, weights, *worths, ease)
    if rate == 0.0:
        return 0.0
    if n <= 1:
        return chance(hand, weights, 1, a * rate) * (gain / rate)
    half = weights["half"][0] / 64.0
    x = chance(hand, weights, n, a) * (rate * (USUAL + half) / (rate * USUAL + half))
    for _ in range(n - 1):
        x *= scale_of(plan, weights)
    return x * (gain / rate)


def ready_value(hand: Hand, weights: dict[str, Any], ease: float) -> float:
    """Quarter points that a ready hand without ghosts can be expected to bring, each wait at its own worth."""
    total_gain = total_rate = 0.0
    for k in range(34):
        if hand.live[k] <= 0 or k in hand.ghosts or need_of(hand, PLANS[0], k) > 0:
            continue
        worths = hand_worth(hand, k, schema.ZIMO), hand_worth(hand, k, schema.DIANPAO)
        rate, gain = parts(hand, weights, *worths, ease)
        total_gain += hand.live[k] * gain
        total_rate += hand.live[k] * rate
    if total_rate == 0.0:
        return 0.0
    return chance(hand, weights, 1, total_rate) * (total_gain / total_rate)


def waiting(hand: Hand, plans: Sequence[Listed], weights: dict[str, Any], ease: float) -> float:
    """Quarter points that a hand between turns can be expected to bring."""
    if hand.table.wall_left == 0:
        return 0.0
    exact = need_of(hand, PLANS[0]) == 1 and hand.n_ghosts == 0 and not is_flat(hand.table.rules)
    values = []
    for listed in plans:
        n = need_of(hand, listed.plan)
        if exact and listed.plan == PLANS[0]:
            v = ready_value(hand, weights, ease)
        elif exact and n == 1:
            continue
        else:
            v = plan_value(hand, weights, listed.plan, plan_worths(hand, listed.plan), ease)
        values.append(v * weights["back"] / 64.0 if n > listed.least else v)
    total = 0.0
    for v in values:
        total += v
    best = max(values)
    return best + (total - best) * weights["mix"] / 64.0


def stage(left: int) -> str:
    """Name the part of a hand in which so many tiles are left in the wall."""
    return "early" if left >= 48 else "middle" if left >= 24 else "late"


Threat = tuple[Other, int, frozenset[int]]  # a seat, its chance to be ready times its price, kinds of its flush


def threat(other: Other, hand: Hand, weights: dict[str, Any]) -> Threat:
    """Judge another seat by what it shows."""
    melded = {k for meld in other.melds for k in meld.tiles}
    kinds = ALL
    if len(other.melds) >= 2 and not melded <= HONOURS:
        for suit in range(3):
            one = frozenset(range(9 * suit, 9 * suit + 9))
            if melded <= one | HONOURS:
                kinds = one | HONOURS if melded & HONOURS else one
                break
    cell = 4 * min(other.n_discards // 3, 6) + min(other.kept, 3)
    ready = weights["ready"][len(other.melds)][cell]
    if other.declared:
        ready = 65536
    elif hand.table.rules.play.declare == "needed":
        ready = 0
    has_chi = any(meld.t == schema.MELD_CHI for meld in other.melds)
    tells = kinds != ALL or (len(other.melds) >= 3 and not has_chi)
    price = loss(other, hand, weights, kinds) // 256 * weights["prices"][tells] // 64
    return other, ready * price // 256, kinds


def loss(other: Other, hand: Hand, weights: dict[str, Any], kinds: frozenset[int]) -> int:
    """65536ths of quarter points that a discard win of a seat can be expected to cost."""
    n, one = len(other.melds), 65536
    has_chi = any(meld.t == schema.MELD_CHI for meld in other.melds)
    flush = 0 if kinds == ALL else weights["aims"][n - 2]
    pungs = 0 if has_chi else {3: weights["aims"][3], 4: one}.get(n, 0)
    cases = [
        ((one - flush) * (one - pungs) // one, ALL, False),
        (flush * (one - pungs) // one, kinds, False),
        ((one - flush) * pungs // one, ALL, True),
        (flush * pungs // one, kinds, True),
    ]
    return sum(chance * cost(other, hand, of, form) for chance, of, form in cases if chance)


def cost(other: Other, hand: Hand, kinds: frozenset[int], is_pungs: bool) -> int:
    """Quarter points of who feeds a win, one of pungs, then of one suit, where it may not be had otherwise."""
    has_chi = any(meld.t == schema.MELD_CHI for meld in other.melds)
    state = state_patterns(other.melds, frozenset(), False)
    for guess in range(3):
        all_pungs = is_pungs or (not has_chi and guess >= 1)
        of = frozenset(range(9)) if guess == 2 and kinds == ALL else kinds
        found = set_patterns(of, all_pungs, meld_pungs(other.melds), other.wind, hand.table.round_wind) | state
        points = patterns_points(hand.table.rules, found, schema.DIANPAO)
        if points >= 0:
            winner = 1 + hand.table.others.index(other)
            return expected_owed(hand, winner, points, schema.DIANPAO, 0, False)[0]
    return 0


def danger(hand: Hand, kind: int, weights: dict[str, Any], threats: Sequence[Threat]) -> float:
    """Quarter points that a discard can be expected to cost."""
    rank = kind % 9
    group = 0 if kind in HONOURS else min(rank, 8 - rank, 3) + 1
    beside = [] if kind in HONOURS else [k for k in (kind - 1, kind + 1) if k // 9 == kind // 9]
    near = min([2, *(max(hand.live[k], 0) for k in beside)])
    waited = weights["wait"][group][3 * min(max(hand.live[kind], 0), 3) + near] / 65536.0
    again, inside, outside = weights["factors"]
    total = 0.0
    for other, price, kinds in threats:
        if kind in other.safe:
            continue
        x = waited * price / 65536.0
        if kind in other.river:
            x *= again / 64.0
        if kinds != ALL:
            x *= (inside if kind in kinds else outside) / 64.0
        total += x
    return float(total * weights[stage(hand.table.wall_left)] / 64.0)
