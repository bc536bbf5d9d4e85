"""What a hand could become (`sim/policy/README.md`): plans, how far each is, and what it would pay."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sim import schema
from sim.patterns import PATTERNS
from sim.rules import Rules
from sim.tiles import FIRST_HONOUR, HONOUR_MASK, N_KINDS, TERMINAL_MASK
from sim.weights import family

from .scoring import Score, Win, best_score, fan_score, role, sum_score
from .settlement import NOBODY, capped, owed_to, share_of
from .shanten import forms_with, need, orphans_need, standard_need
from .state import Meld, is_concealed, plus, split

ALL = frozenset(range(N_KINDS))
HONOURS = frozenset(range(FIRST_HONOUR, N_KINDS))
ENDS = frozenset(k for k in range(N_KINDS) if (HONOUR_MASK | TERMINAL_MASK) >> k & 1)
JIANG = frozenset(9 * suit + rank for suit in range(3) for rank in (1, 4, 7))
OF_THE_HAND = {p.slug for p in PATTERNS if p.scope != "event" and p.slug != "chicken"}
SHAPES = {p.slug for p in PATTERNS if p.scope == "shape" and p.slug != "chicken"}


class Plan(NamedTuple):
    """A form over some kinds."""

    form: str  # any, standard, pungs, pairs, orphans, honour
    kinds: frozenset[int]


class Other(NamedTuple):
    """What is open of another seat."""

    melds: tuple[Meld, ...]
    wind: int
    n_discards: int
    river: frozenset[int]
    safe: frozenset[int]  # discarded since its hand changed last
    kept: int  # own discards in a row of a kind just drawn
    declared: bool


class Table(NamedTuple):
    """What a seat knows beside its own tiles, and the rules."""

    rules: Rules
    melds: tuple[Meld, ...]
    seat_wind: int
    round_wind: int
    repeat: int
    wall_left: int
    others: tuple[Other, ...]  # in turn order after the seat


def _all_plans() -> list[Plan]:
    plans = [Plan("any", ALL), Plan("pungs", ALL), Plan("pairs", ALL)]
    for suit in range(3):
        one = frozenset(range(9 * suit, 9 * suit + 9))
        plans += [Plan(form, kinds) for kinds in (one | HONOURS, one) for form in ("standard", "pungs", "pairs")]
    plans += [Plan("pungs", kinds) for kinds in (ENDS, HONOURS, JIANG)]
    return [*plans, Plan("orphans", ENDS), *(Plan("honour", frozenset([k])) for k in sorted(HONOURS))]


PLANS = _all_plans()


def is_flat(rules: Rules) -> bool:
    """Say whether every complete hand is worth the same."""
    return family(rules) == "flat"


class Hand(NamedTuple):
    """A hand and what surrounds it."""

    table: Table
    hand: tuple[int, ...]
    melds: tuple[Meld, ...]
    ghosts: frozenset[int]
    live: tuple[int, ...]

    def without(self, kind: int, n: int = 1) -> Hand:
        """Return the hand with ``n`` tiles of a kind laid open."""
        return self._replace(hand=plus(self.hand, kind, -n))

    def melding(self, meld: Meld) -> Hand:
        """Return the hand with one meld more."""
        return self._replace(melds=(*self.melds, meld))

    @property
    def n_ghosts(self) -> int:
        """Return the ghosts in hand."""
        return split(self.hand, self.ghosts)[1]

    @property
    def forms(self) -> tuple[str, ...]:
        """Return the forms that the hand may take."""
        win = self.table.rules.win
        return forms_with(self.n_ghosts, win.forms, win.natural_forms)

    @property
    def naturals(self) -> tuple[int, ...]:
        """Return the natural tiles."""
        return split(self.hand, self.ghosts)[0]

    def only(self, kinds: frozenset[int]) -> tuple[int, ...]:
        """Return the natural tiles of some kinds."""
        return tuple(n if k in kinds else 0 for k, n in enumerate(self.naturals))


def pungs_need(counts: Sequence[int], n_sets: int) -> int:
    """Return the tiles that pungs and a pair miss: the fullest kinds become pungs, the next one the pair."""
    best = sorted(counts, reverse=True)
    return sum(max(3 - n, 0) for n in best[:n_sets]) + max(2 - best[n_sets], 0)


def pairs_need(counts: Sequence[int]) -> int:
    """Return the tiles that seven pairs miss, tiles of other kinds left out."""
    pairs, singles = sum(n // 2 for n in counts), sum(n % 2 for n in counts)
    lacking = max(7 - pairs, 0)
    return lacking + max(lacking - singles, 0)


def need_of(hand: Hand, plan: Plan, extra: int = -1) -> int:
    """Return the tiles that a plan needs, with one natural tile ``extra`` more."""
    if extra >= 0:
        hand = hand.without(extra, -1)
    n_melds, n_ghosts = len(hand.melds), hand.n_ghosts
    if plan.form == "any":
        return need(hand.naturals, n_melds, n_ghosts, hand.forms)
    if plan.form == "standard":
        return standard_need(hand.only(plan.kinds), n_melds, n_ghosts)
    if plan.form == "pungs":
        return pungs_need(hand.only(plan.kinds), 4 - n_melds) - n_ghosts
    if plan.form == "pairs":
        return pairs_need(hand.only(plan.kinds)) - n_ghosts
    if plan.form == "orphans":
        return orphans_need(hand.naturals, n_ghosts)
    (kind,) = plan.kinds
    rest = standard_need(hand.only(ALL - plan.kinds), n_melds + 1, n_ghosts)
    return rest + max(3 - hand.hand[kind], 0)


def acceptance(hand: Hand, plan: Plan, peng: float) -> float:
    """Live natural tiles that bring a plan nearer; in plans of pungs one that makes a pair a pung counts ``peng``."""
    now = need_of(hand, plan)
    kinds = ALL if plan.form == "honour" else plan.kinds
    plain, pairs = 0, 0
    for k in kinds - hand.ghosts:
        if hand.live[k] > 0 and need_of(hand, plan, k) < now:
            of_pungs = plan.form == "pungs" or (plan.form == "honour" and k in plan.kinds)
            if of_pungs and hand.hand[k] == 2:
                pairs += hand.live[k]
            else:
                plain += hand.live[k]
    return plain + pairs * peng


def is_possible(hand: Hand, plan: Plan) -> bool:
    """Say whether forms and melds allow a plan."""
    forms = hand.forms
    if plan.form in ("pairs", "orphans"):
        wanted = "seven_pairs" if plan.form == "pairs" else "thirteen_orphans"
        return wanted in forms and not hand.melds
    if plan.form == "any":
        return True
    if "standard" not in forms:
        return False
    if plan.form == "honour":
        (kind,) = plan.kinds
        return len(hand.melds) < 4 and hand.hand[kind] == 2 and kind not in hand.ghosts and hand.live[kind] > 0
    if plan.form == "pungs" and any(meld.t == schema.MELD_CHI for meld in hand.melds):
        return False
    return all(set(meld.tiles) <= plan.kinds for meld in hand.melds)


def kinds_patterns(kinds: frozenset[int]) -> set[str]:
    """Patterns of a hand of some kinds."""
    suits = {k // 9 for k in kinds - HONOURS}
    found = {"quemen"} if len(suits) <= 2 else set()
    if len(suits) == 1:
        found.add("hunyise" if kinds & HONOURS else "qingyise")
    if not suits:
        found.add("ziyise")
    if kinds <= ENDS:
        found |= {"hunyaojiu"} if kinds & HONOURS else {"hunyaojiu", "qingyaojiu"}
    elif kinds <= JIANG:
        found.add("jiangyise")
    return found


def set_patterns(kinds: frozenset[int], all_pungs: bool, pungs: set[int], seat_wind: int, round_wind: int) -> set[str]:
    """Patterns of a standard hand of some kinds with some pungs of honours."""
    found = kinds_patterns(kinds)
    if all_pungs:
        found.add("pengpeng")
        if "hunyise" in found:
            found.add("hunpeng")
        if "qingyise" in found:
            found.add("qingpeng")
    dragons, winds = {k for k in pungs if k >= 31}, {k for k in pungs if 27 <= k < 31}
    if dragons:
        found.add("dragon_1" if len(dragons) == 1 else "dragon_2")
    if len(dragons) == 3:
        found.add("dasanyuan")
    if len(winds) == 4:
        found.add("dasixi")
    if 27 + seat_wind in winds:
        found.add("seat_wind")
    if 27 + round_wind in winds:
        found.add("round_wind")
    return found


def meld_pungs(melds: Sequence[Meld]) -> set[int]:
    """Kinds of the melded pungs and kongs of honours."""
    return {meld.kind for meld in melds if meld.t != schema.MELD_CHI and meld.kind >= FIRST_HONOUR}


def state_patterns(melds: Sequence[Meld], ghosts: frozenset[int], holds_ghost: bool) -> set[str]:
    """Patterns of scope state."""
    found = {"menqing"} if is_concealed(melds) else set()
    return found | ({"yinghu"} if ghosts and not holds_ghost else set())


def plan_patterns(hand: Hand, plan: Plan) -> set[str]:
    """Patterns of a hand that was finished by a plan."""
    state = state_patterns(hand.melds, hand.ghosts, hand.n_ghosts > 0)
    if plan.form == "orphans":
        return {"thirteen_orphans"} | kinds_patterns(ENDS) | state
    if plan.form == "pairs":
        fours = sum(n == 4 for n in hand.only(plan.kinds))
        luxury = ("luxury_seven_pairs", "double_luxury", "triple_luxury")[: min(fours, 3)]
        return kinds_patterns(plan.kinds) | {"seven_pairs", *luxury} | state
    pungs = meld_pungs(hand.melds) | {k for k in HONOURS if hand.naturals[k] >= 3}
    kinds = plan.kinds
    if plan.form == "honour":
        pungs, kinds = pungs | plan.kinds, ALL
    found = set_patterns(kinds, plan.form == "pungs", pungs, hand.table.seat_wind, hand.table.round_wind)
    return found | (state - {"menqing"})


def expected_owed(hand: Hand, winner: int, points: int, source: int, feeder: int, clean: bool) -> list[int]:
    """Return the quarter points that each seat can be expected to owe a winner; seats are counted from the hand's.

    One hit for every four horses, or four for every one; ``clean``: the winner draws those of a hand without ghosts.
    """
    rules, horses = hand.table.rules, hand.table.rules.horses
    melds = [hand.melds, *(other.melds for other in hand.table.others)]
    share = share_of(rules, points, hand.table.repeat, melds[winner], source == schema.ZIMO)
    owed = owed_to(rules, winner, share, melds, feeder if source == schema.DIANPAO else NOBODY)
    if horses.kind != "drawn" or (source == schema.QIANGGANG and not horses.on_rob):
        return [4 * x for x in owed]
    n = horses.count if source == schema.ZIMO else horses.count_discard
    n += horses.without_ghost if clean else 0
    quarter_hits = 16 * n if horses.hit == "number" else n
    misses = max(4 * n - quarter_hits, 0)
    grown = [
        (4 * x + quarter_hits * (horses.fixed * rules.scoring.base if horses.price == "fixed" else x)) // 4
        for x in owed
    ]
    fine = misses * horses.fine * rules.scoring.base
    return [4 * x - fine for x in capped(rules, winner, grown)]


def expected_pay(hand: Hand, points: int, source: int, n_shares: int) -> int:
    """Quarter points that a win can be expected to bring; each of the others is its feeder with the same chance."""
    clean = bool(hand.ghosts) and hand.n_ghosts == 0
    total = 0
    for feeder in (1, 2, 3):
        owed = expected_owed(hand, 0, points, source, feeder, clean)
        total += sum(owed[1:]) if n_shares == 3 else owed[feeder]
    return total // 3


def n_payers(rules: Rules, source: int) -> int:
    """How many seats pay for a win, as far as it is looked at."""
    return 3 if source == schema.ZIMO or rules.win.payers == "all" else 1


def patterns_points(rules: Rules, found: set[str], source: int) -> int:
    """Points of a win with some patterns; -1 when it is not allowed."""
    way = schema.OUTCOMES[source]
    if way not in rules.win.ways:
        return -1
    matched = found | {way}
    if not any(role(rules, slug) != "none" for slug in matched & SHAPES):
        if way not in rules.win.chicken_ways:
            return -1
        matched = matched | {"chicken"}
    score: Score
    score, worth = (sum_score if rules.scoring.method == "sum" else fan_score)(rules, frozenset(matched))
    least = max(rules.win.min_fan, rules.win.min_fan_discard if source == schema.DIANPAO else 0)
    return -1 if worth < least else score.points


def patterns_worth(hand: Hand, found: set[str], source: int) -> int:
    """Quarter points of a win with some patterns, from all who pay; -1 when it is not allowed."""
    rules = hand.table.rules
    points = patterns_points(rules, found, source)
    return -1 if points < 0 else expected_pay(hand, points, source, n_payers(rules, source))


def hand_worth(hand: Hand, kind: int, source: int) -> int:
    """Return the same for a ready hand without ghosts and the tile that completes it."""
    if schema.OUTCOMES[source] not in hand.table.rules.win.ways:
        return -1
    win = Win(
        hand.hand, kind, hand.melds, source, hand.ghosts, hand.table.seat_wind, hand.table.round_wind, frozenset()
    )
    score = best_score(hand.table.rules, win)
    if score is None:
        return -1
    return expected_pay(hand, score.points, source, n_payers(hand.table.rules, source))
