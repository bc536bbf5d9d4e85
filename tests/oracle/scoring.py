"""What a win is worth: the patterns of each reading, their value, and the best reading that is allowed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from sim import schema
from sim.patterns import IMPLIES, INDEX, PATTERNS
from sim.rules import Rules
from sim.tiles import N_KINDS, TILE_SETS

from .readings import HONOURS_CLASS, Reading, readings
from .state import Meld, is_concealed, plus, split

SOURCE_WAY = {source: schema.OUTCOMES[source] for source in (schema.ZIMO, schema.DIANPAO, schema.QIANGGANG)}
SHAPES = tuple(p.slug for p in PATTERNS if p.scope == "shape" and p.slug != "chicken")
NINE_GATES = (3, 1, 1, 1, 1, 1, 1, 1, 3)


@dataclass(frozen=True)
class Win:
    """A hand that may be won, and how."""

    hand: tuple[int, ...]  # concealed tiles without the winning one, ghosts as the kind they are
    tile: int
    melds: tuple[Meld, ...]
    source: int
    ghosts: frozenset[int]  # ghost kinds in play
    seat_wind: int
    round_wind: int
    events: frozenset[str] = frozenset()  # of gangkai, gangpao, haidi, tianhu, dihu, renhu, triple_win


class Score(NamedTuple):
    """The value of a win: one payer's points, the fan (-1: none), and the patterns that counted."""

    points: int
    fan: int
    counted: frozenset[str]

    @property
    def mask(self) -> int:
        """Return the counted patterns as a bit mask."""
        return sum(1 << INDEX[slug] for slug in self.counted)


def _classes_of(reading: Reading) -> set[int]:
    return {c for c in range(HONOURS_CLASS + 1) if reading.classes >> c & 1}


def nine_gates(win: Win) -> Iterator[tuple[int, ...]]:
    """Every concealed 1112345678999 and one tile more, as natural counts, that the tiles of a win may stand for.

    Before the win the tiles were 1112345678999, ghosts in any place; the winning tile is the one more.
    """
    before, _ = split(win.hand, win.ghosts)
    if win.melds:
        return
    for suit in range(3):
        wanted = [0] * N_KINDS
        wanted[9 * suit : 9 * suit + 9] = NINE_GATES
        if any(held > may for held, may in zip(before, wanted, strict=True)):
            continue
        for last in range(9 * suit, 9 * suit + 9):
            if win.tile in win.ghosts or win.tile == last:
                yield plus(tuple(wanted), last)


def _shape_patterns(win: Win, r: Reading, is_nine: bool) -> dict[str, bool]:
    classes = _classes_of(r)
    numbered = classes - {HONOURS_CLASS}
    one_suit = len({c // 3 for c in numbered}) == 1
    honours = HONOURS_CLASS in classes
    standard = r.form == "standard"
    pengpeng = standard and r.chows == 0
    return {
        "pinghu": standard and r.pungs == 0,
        "pengpeng": pengpeng,
        "hunyise": one_suit and honours,
        "qingyise": one_suit and not honours,
        "hunpeng": pengpeng and one_suit and honours,
        "qingpeng": pengpeng and one_suit and not honours,
        "seven_pairs": r.form == "seven_pairs",
        "luxury_seven_pairs": r.form == "seven_pairs" and r.fours >= 1,
        "double_luxury": r.form == "seven_pairs" and r.fours >= 2,
        "triple_luxury": r.form == "seven_pairs" and r.fours >= 3,
        "hunyaojiu": all(c % 3 == 0 for c in numbered),
        "qingyaojiu": all(c % 3 == 0 for c in numbered) and not honours,
        "xiaosanyuan": r.dragons.bit_count() == 2 and r.dragon_pair == 1,
        "dasanyuan": r.dragons.bit_count() == 3,
        "xiaosixi": r.winds.bit_count() == 3 and r.wind_pair == 1,
        "dasixi": r.winds.bit_count() == 4,
        "ziyise": not numbered,
        "jiulian": is_nine,
        "thirteen_orphans": r.form == "thirteen_orphans",
        "quanqiuren": len(win.melds) == 4 and all(meld.is_exposed for meld in win.melds),
        "jiangyise": not honours and all(c % 3 == 1 for c in numbered),
    }


def _other_patterns(rules: Rules, win: Win, r: Reading) -> dict[str, bool]:
    all_tiles = plus(win.hand, win.tile)
    robbed = win.source == schema.QIANGGANG
    return {
        "seat_wind": bool(r.winds >> win.seat_wind & 1),
        "round_wind": bool(r.winds >> win.round_wind & 1),
        "dragon_1": r.dragons.bit_count() == 1,
        "dragon_2": r.dragons.bit_count() >= 2,
        "menqing": is_concealed(win.melds),
        "zimo": win.source == schema.ZIMO or (robbed and rules.scoring.rob_is_zimo),
        "qianggang": robbed,
        "yinghu": bool(win.ghosts) and not any(all_tiles[k] for k in win.ghosts),
    }


def role(rules: Rules, slug: str) -> str:
    """Return the role of a pattern in a rule set."""
    price = rules.patterns.get(slug)
    return price.role if price else "none"


def matched_patterns(rules: Rules, win: Win, reading: Reading, is_nine: bool) -> frozenset[str]:
    """Return every pattern that a reading of a win has, priced or not."""
    shapes = {slug for slug, has in _shape_patterns(win, reading, is_nine).items() if has}
    others = {slug for slug, has in _other_patterns(rules, win, reading).items() if has}
    chicken = set() if any(role(rules, slug) != "none" for slug in shapes) else {"chicken"}
    return frozenset(shapes | others | chicken | win.events)


def sum_score(rules: Rules, matched: frozenset[str]) -> Score:
    """Value as items times doubles."""
    items = {slug for slug in matched if role(rules, slug) == "item"}
    doubles = {slug for slug in matched if role(rules, slug) == "double"}
    if rules.scoring.implied == "drop":
        items -= {hidden for slug in items for hidden in IMPLIES.get(slug, ())}
    total = 0
    for slug in items:
        by_event = slug == "chicken" and items & {"gangkai", "qianggang", "haidi"}
        total += rules.scoring.chicken_with_event if by_event else rules.patterns[slug].value
    for slug in doubles:
        total *= rules.patterns[slug].value
    if rules.scoring.cap:
        total = min(total, rules.scoring.cap)
    return Score(total * rules.scoring.base, -1, frozenset(items | doubles))


def _highest(rules: Rules, matched: frozenset[str], wanted: str) -> str | None:
    """Return the matched pattern of a role with the greatest value, the first in order among equals."""
    ordered = [p.slug for p in PATTERNS if p.slug in matched and role(rules, p.slug) == wanted]
    return max(ordered, key=lambda slug: rules.patterns[slug].value, default=None)


def fan_score(rules: Rules, matched: frozenset[str]) -> tuple[Score, bool]:
    """Value as 2 to the power of the fan, and whether it reaches the minimum."""
    special = _highest(rules, matched, "special")
    floor = _highest(rules, matched, "floor")
    if special:
        counted = {special}
    else:
        pattern = _highest(rules, matched, "pattern")
        extras = {slug for slug in matched if role(rules, slug) == "extra"}
        counted = extras | ({pattern} if pattern else set())
    fan = sum(rules.patterns[slug].value for slug in counted)
    if floor:
        fan = max(fan, rules.patterns[floor].value)
    reached = fan >= rules.win.min_fan
    if not special and rules.scoring.cap:
        fan = min(fan, rules.scoring.cap)
    floors = {slug for slug in matched if role(rules, slug) == "floor"}
    return Score(rules.scoring.base * 2**fan, fan, frozenset(counted | floors)), reached


def score_reading(rules: Rules, win: Win, reading: Reading, is_nine: bool = False) -> Score | None:
    """Return the value of one reading; None when the rules do not allow this win."""
    way = SOURCE_WAY[win.source]
    matched = matched_patterns(rules, win, reading, is_nine)
    if way not in rules.win.ways:
        return None
    if "chicken" in matched and way not in rules.win.chicken_ways:
        return None
    if rules.scoring.method == "sum":
        return sum_score(rules, matched)
    score, reached = fan_score(rules, matched)
    return score if reached else None


def best_score(rules: Rules, win: Win) -> Score | None:
    """Return the value of the allowed reading with the most points, the smallest mask among equals."""
    naturals, n_ghosts = split(plus(win.hand, win.tile), win.ghosts)
    deck = TILE_SETS[rules.tiles]
    found = [(r, False) for r in readings(naturals, n_ghosts, win.melds, rules.win.forms, deck)]
    if "standard" in rules.win.forms:
        found += [(r, True) for tiles in nine_gates(win) for r in readings(tiles, 0, (), ("standard",))]
    scores = [score for r, is_nine in found if (score := score_reading(rules, win, r, is_nine))]
    return max(scores, key=lambda score: (score.points, -score.mask), default=None)


def seat_wind(seat: int, first: int) -> int:
    """Return the own wind of a seat, counted from the seat that is East."""
    return (seat - first) % 4
