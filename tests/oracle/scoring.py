"""What a win is worth: the patterns of each reading, their value, and the best reading that is allowed."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import NamedTuple

from sim import schema
from sim.patterns import IMPLIES, INDEX, PATTERNS
from sim.rules import Rules
from sim.tiles import COPIES, N_KINDS, TILE_SETS

from .readings import HONOURS_CLASS, Reading, four_ghosts_reading, readings
from .shanten import forms_with
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
    as_itself: bool = False  # every ghost is a natural tile of its own kind

    @property
    def wild(self) -> frozenset[int]:
        """Return the kinds that stand for any other."""
        return frozenset() if self.as_itself else self.ghosts

    @property
    def tiles(self) -> tuple[int, ...]:
        """Return the concealed tiles with the winning one."""
        return plus(self.hand, self.tile)


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
    before, _ = split(win.hand, win.wild)
    if win.melds:
        return
    for suit in range(3):
        wanted = [0] * N_KINDS
        wanted[9 * suit : 9 * suit + 9] = NINE_GATES
        if any(held > may for held, may in zip(before, wanted, strict=True)):
            continue
        for last in range(9 * suit, 9 * suit + 9):
            if win.tile in win.wild or win.tile == last:
                yield plus(tuple(wanted), last)


def is_four_ghosts(rules: Rules, win: Win) -> bool:
    """Say whether a self-draw wins by all four tiles of a kind of ghost in hand."""
    return rules.ghost.four == "win" and win.source == schema.ZIMO and holds_four(win.tiles, win.ghosts)


def holds_four(hand: Sequence[int], ghosts: Collection[int]) -> bool:
    """Say whether all four tiles of some kind of ghost are in a hand."""
    return any(hand[k] == COPIES for k in ghosts)


def _shape_patterns(rules: Rules, win: Win, r: Reading, is_nine: bool) -> dict[str, bool]:
    four_ghosts = is_four_ghosts(rules, win)
    if r.form == "four_ghosts":
        return {"four_ghosts": four_ghosts}
    classes = _classes_of(r)
    numbered = classes - {HONOURS_CLASS}
    one_suit = len({c // 3 for c in numbered}) == 1
    honours = HONOURS_CLASS in classes
    standard = r.form == "standard"
    pengpeng = standard and r.chows == 0
    fours = r.natural_fours if rules.scoring.luxury_natural else r.fours
    return {
        "pinghu": standard and r.pungs == 0,
        "pengpeng": pengpeng,
        "hunyise": one_suit and honours,
        "qingyise": one_suit and not honours,
        "hunpeng": pengpeng and one_suit and honours,
        "qingpeng": pengpeng and one_suit and not honours,
        "seven_pairs": r.form == "seven_pairs",
        "luxury_seven_pairs": r.form == "seven_pairs" and fours >= 1,
        "double_luxury": r.form == "seven_pairs" and fours >= 2,
        "triple_luxury": r.form == "seven_pairs" and fours >= 3,
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
        "four_ghosts": four_ghosts,
    }


def _other_patterns(rules: Rules, win: Win, r: Reading) -> dict[str, bool]:
    suits = {c // 3 for c in _classes_of(r) - {HONOURS_CLASS}}
    robbed = win.source == schema.QIANGGANG
    return {
        "seat_wind": bool(r.winds >> win.seat_wind & 1),
        "round_wind": bool(r.winds >> win.round_wind & 1),
        "dragon_1": r.dragons.bit_count() == 1,
        "dragon_2": r.dragons.bit_count() >= 2,
        "menqing": is_concealed(win.melds),
        "zimo": win.source == schema.ZIMO or (robbed and rules.scoring.rob_is_zimo),
        "qianggang": robbed,
        "dianpao": win.source == schema.DIANPAO,
        "yinghu": bool(win.ghosts) and not any(win.tiles[k] for k in win.wild),
        "quemen": len(suits) <= 2,
    }


def role(rules: Rules, slug: str) -> str:
    """Return the role of a pattern in a rule set."""
    price = rules.patterns.get(slug)
    return price.role if price else "none"


def matched_patterns(rules: Rules, win: Win, reading: Reading, is_nine: bool) -> frozenset[str]:
    """Return every pattern that a reading of a win has, priced or not."""
    shapes = {slug for slug, has in _shape_patterns(rules, win, reading, is_nine).items() if has}
    others = {slug for slug, has in _other_patterns(rules, win, reading).items() if has}
    chicken = set() if any(role(rules, slug) != "none" for slug in shapes) else {"chicken"}
    return frozenset(shapes | others | chicken | win.events)


def sum_score(rules: Rules, matched: frozenset[str]) -> tuple[Score, int]:
    """Value as items times doubles, and the same before the cap and the base."""
    items = {slug for slug in matched if role(rules, slug) == "item"}
    if not items and role(rules, "chicken") == "item":
        items = {"chicken"}
    doubles = {slug for slug in matched if role(rules, slug) == "double"}
    if rules.scoring.implied == "drop":
        items -= {hidden for slug in items for hidden in IMPLIES.get(slug, ())}
    worth = {slug: rules.patterns[slug].value for slug in sorted(items, key=INDEX.__getitem__)}
    priced_events = {slug for slug in ("gangkai", "qianggang", "haidi") if role(rules, slug) != "none"}
    if "chicken" in items and matched & priced_events:
        worth["chicken"] = rules.scoring.chicken_with_event
    if rules.scoring.items == "highest" and worth:
        best = max(worth, key=worth.__getitem__)  # the first in order among equals
        worth, items = {best: worth[best]}, {best}
    total = prod(worth.values()) if rules.scoring.items == "multiply" else sum(worth.values())
    for slug in doubles:
        total *= rules.patterns[slug].value
    capped = min(total, rules.scoring.cap) if rules.scoring.cap else total
    return Score(capped * rules.scoring.base, -1, frozenset(items | doubles)), total


def _highest(rules: Rules, matched: frozenset[str], wanted: str) -> str | None:
    """Return the matched pattern of a role with the greatest value, the first in order among equals."""
    ordered = [p.slug for p in PATTERNS if p.slug in matched and role(rules, p.slug) == wanted]
    return max(ordered, key=lambda slug: rules.patterns[slug].value, default=None)


def fan_score(rules: Rules, matched: frozenset[str]) -> tuple[Score, int]:
    """Value as 2 to the power of the fan, and the fan before the cap."""
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
    uncapped = fan
    if not special and rules.scoring.cap:
        fan = min(fan, rules.scoring.cap)
    floors = {slug for slug in matched if role(rules, slug) == "floor"}
    return Score(rules.scoring.base * 2**fan, fan, frozenset(counted | floors)), uncapped


def score_reading(rules: Rules, win: Win, reading: Reading, is_nine: bool = False) -> Score | None:
    """Return the value of one reading; None when the rules do not allow this win."""
    way = SOURCE_WAY[win.source]
    matched = matched_patterns(rules, win, reading, is_nine)
    if way not in rules.win.ways:
        return None
    if "chicken" in matched and way not in rules.win.chicken_ways:
        return None
    score, worth = (sum_score if rules.scoring.method == "sum" else fan_score)(rules, matched)
    least = rules.win.min_fan
    if win.source == schema.DIANPAO:
        least = max(least, rules.win.min_fan_discard)
    return score if worth >= least else None


def _readings_of(rules: Rules, win: Win) -> Iterator[tuple[Reading, bool]]:
    """Every reading of a hand, and whether it is one of nine gates."""
    naturals, n_ghosts = split(win.tiles, win.wild)
    forms = forms_with(sum(win.tiles[k] for k in win.ghosts), rules.win.forms, rules.win.natural_forms)
    for reading in readings(naturals, n_ghosts, win.melds, forms, TILE_SETS[rules.tiles]):
        yield reading, False
    if "standard" in forms:
        for tiles in nine_gates(win):
            for reading in readings(tiles, 0, (), ("standard",)):
                yield reading, True


def best_score(rules: Rules, win: Win) -> Score | None:
    """Return the value of the allowed reading with the most points, the smallest mask among equals."""
    found = [(win, reading, is_nine) for reading, is_nine in _readings_of(rules, win)]
    if rules.scoring.yinghu == "as_itself":
        hard = replace(win, as_itself=True)
        found += [(hard, reading, is_nine) for reading, is_nine in _readings_of(rules, hard)]
    if is_four_ghosts(rules, win):
        naturals, _ = split(win.tiles, win.ghosts)
        found.append((win, four_ghosts_reading(naturals, win.melds), False))
    scores = [score for part in found if (score := score_reading(rules, *part))]
    return max(scores, key=lambda score: (score.points, -score.mask), default=None)


def seat_wind(seat: int, first: int) -> int:
    """Return the own wind of a seat, counted from the seat that is East."""
    return (seat - first) % 4
