"""In which states strategy tips act, and what they ask for there: slow twins of `sim.policy.advice`, over trace logs.

`STATES` has for each tip and sign a function of a hand's events (of a line-up without the tip) and the place of one of
them: None where the state does not hold, else what the answer must be (a function of the event that came instead).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from sim import schema
from sim.rules import Rules
from sim.tiles import FIRST_HONOUR, N_KINDS, N_SEATS, TILE_SETS

from .shanten import forms_with, need
from .state import Meld, plus, split

Row = dict[str, Any]
Answer = Callable[[Row], bool]
WINDS = range(FIRST_HONOUR, FIRST_HONOUR + 4)


class Seen(NamedTuple):
    """What the asked seat has and sees at one event."""

    rules: Rules
    row: Row
    hand: tuple[int, ...]
    melds: tuple[Meld, ...]
    ghosts: frozenset[int]

    @property
    def naturals(self) -> list[int]:
        """Kinds held that are no ghosts."""
        return [k for k in range(N_KINDS) if self.hand[k] and k not in self.ghosts]

    @property
    def is_discard(self) -> bool:
        return self.row["move"] == schema.DISCARD

    def need(self, hand: tuple[int, ...], more_melds: int = 0) -> int:
        naturals, n_ghosts = split(hand, self.ghosts)
        win = self.rules.win
        forms = forms_with(n_ghosts, win.forms, win.natural_forms)
        return need(naturals, len(self.melds) + more_melds, n_ghosts, forms)

    def after(self, kind: int) -> int:
        """Need after a discard."""
        return self.need(plus(self.hand, kind, -1))

    def least(self) -> int:
        """Least need after a discard."""
        return min(self.after(k) for k in self.naturals)

    def after_peng(self) -> int:
        return max(self.need(plus(self.hand, self.row["kind"], -2), 1), 1)

    def after_chi(self, low: int) -> int:
        hand = self.hand
        for k in range(low, low + 3):
            hand = hand if k == self.row["kind"] else plus(hand, k, -1)
        return max(self.need(hand, 1), 1)

    def lows(self) -> list[int]:
        """Lowest kinds of the chis that are offered."""
        k = self.row["kind"]
        found = [low for low in (k - 2, k - 1, k) if low >= 0 and low // 9 == k // 9 and low % 9 <= 6]
        return [low for low in found if all(j == k or j in self.naturals for j in range(low, low + 3))]

    def visible(self, kind: int) -> int:
        return _count(self.row, "visible", "", kind)

    def river(self, kinds: Sequence[int]) -> int:
        return sum(_count(self.row, "river", f"_{self.row['seat']}", k) for k in kinds)

    def keeping(self, limit: int) -> list[int]:
        return [k for k in self.naturals if self.after(k) <= limit]


def _count(row: Row, name: str, seat: str, kind: int) -> int:
    word = row[f"{name}_lo{seat}"] if kind < 21 else row[f"{name}_hi{seat}"]
    return int(word >> 3 * (kind % 21) & 7)


def melds_of(row: Row, seat: int) -> tuple[Meld, ...]:
    """Decode a seat's melds."""
    words = [row[f"melds_{seat}"] >> 12 * i & 4095 for i in range(row[f"n_melds_{seat}"])]
    return tuple(Meld(word & 7, word >> 3 & 63, word >> 9) for word in words)


def seen(rules: Rules, row: Row) -> Seen:
    """Decode what the asked seat sees."""
    seat = row["seat"]
    hand = tuple(_count(row, "hand", f"_{seat}", k) for k in range(N_KINDS))
    return Seen(rules, row, hand, melds_of(row, seat), frozenset(k for k in range(N_KINDS) if row["ghosts"] >> k & 1))


def _suit(suit: int, ranks: Sequence[int]) -> list[int]:
    return [9 * suit + rank - 1 for rank in ranks]


def _discards(kinds: Sequence[int]) -> Answer:
    return lambda row: row["move"] == schema.DISCARD and row["kind"] in kinds


def _is(move: int) -> Answer:
    return lambda row: bool(row["move"] == move)


def _t01_obeys(v: Seen) -> Answer | None:
    k = v.row["kind"]
    if not v.is_discard or v.row["turn"] >= 6 or k >= FIRST_HONOUR or k % 9 not in (0, 8):
        return None
    suit = range(k // 9 * 9, k // 9 * 9 + 9)
    if v.river(suit) or not any(j in v.naturals for j in suit[1:8]):
        return None
    return _discards([j for j in v.naturals if j not in (suit[0], suit[8])])


def _t01_opposes(v: Seen) -> Answer | None:
    if not v.is_discard or v.row["turn"] >= 6:
        return None
    ends = []
    for suit in range(3):
        if not v.river(_suit(suit, range(1, 10))) and sum(k in v.naturals for k in _suit(suit, range(3, 8))) >= 2:
            ends += [k for k in _suit(suit, (1, 9)) if v.hand[k] == 1 and k in v.naturals]
    return _discards(ends) if ends else None


def _t02(v: Seen, answer: int) -> Answer | None:
    row = v.row
    drawable = 4 * len(TILE_SETS[v.rules.tiles]) - v.rules.play.last_tiles_reserved - 52
    holds = row["kind"] in WINDS and (row["from_seat"] + 1) % N_SEATS == row["seat"] and row["offers"] & 2
    return _is(answer) if holds and 2 * row["wall_left"] < drawable and v.after_peng() > 1 else None


def t03(v: Seen, sign: int, first: int = 8) -> Answer | None:
    """Claims and discards of T03, from ``first`` own discards on."""
    if v.row["turn"] < first or v.row[f"shanten_{v.row['seat']}"] <= 0:
        return None
    if v.is_discard:
        kept = v.keeping(v.least())
        most = max(sign * v.visible(k) for k in kept)
        return _discards([k for k in kept if sign * v.visible(k) == most])
    if v.row["offers"] & 14:
        return _is(schema.PASS) if sign > 0 else lambda row: row["move"] in (schema.PENG, schema.CHI)
    return None


def _beside(v: Seen) -> list[int]:
    """3s and 8s of the suits of which a 5 and a 6 are held."""
    suits = [suit for suit in range(3) if all(k in v.naturals for k in _suit(suit, (5, 6)))]
    return [k for suit in suits for k in _suit(suit, (3, 8))]


def _t04_obeys(v: Seen) -> Answer | None:
    if not v.is_discard:
        return None
    kept = [k for k in v.keeping(max(v.least(), 1)) if k in _beside(v)]
    return _discards(kept) if kept else None


def _t04_opposes(v: Seen) -> Answer | None:
    if not v.is_discard or v.row["kind"] not in _beside(v):
        return None
    return _discards([k for k in v.naturals if k not in _beside(v)])


def _is_open_ended(kind: int, low: int) -> bool:
    held = [k for k in range(low, low + 3) if k != kind]
    return held[1] == held[0] + 1 and held[0] % 9 > 0 and held[1] % 9 < 8


def _t06_obeys(v: Seen) -> Answer | None:
    row = v.row
    holds = row["move"] == schema.CHI and row["turn"] < 4 and _is_open_ended(row["kind"], row["chi_low"])
    return _is(schema.PASS) if holds else None


def _t06_opposes(v: Seen) -> Answer | None:
    row = v.row
    if row["turn"] >= 4 or not row["offers"] & 8:
        return None
    if row["move"] == schema.CHI:
        return None if _is_open_ended(row["kind"], row["chi_low"]) else _is(schema.PASS)
    now = row[f"shanten_{row['seat']}"] + 1
    lows = [low for low in v.lows() if _is_open_ended(row["kind"], low) and v.after_chi(low) <= now]
    return (lambda other: other["chi_low"] in lows) if lows else None


def _t07(v: Seen, obeys: bool) -> Answer | None:
    k = v.row["kind"]
    if not v.row["offers"] & 8 or not sum(v.hand[g] for g in v.ghosts):
        return None
    for edge, two, low in ((k - 2, k - 1, k - 2), (k + 2, k + 1, k)):
        if k % 9 == (2 if low < k else 6) and edge in v.naturals and two in v.naturals and v.hand[two] >= 2:
            if v.after_chi(low) == 1 or (obeys and v.row["chi_low"] != low):
                return None
            return _is(schema.PASS) if obeys else lambda row, wanted=low: row["chi_low"] == wanted
    return None


def _unseen_wind(v: Seen) -> int | None:
    """Return the one wind that nobody has seen, where at least two of each other wind lie open."""
    unseen = [k for k in WINDS if v.visible(k) == 0]
    return unseen[0] if len(unseen) == 1 and sum(v.visible(k) >= 2 for k in WINDS) == 3 else None


def _t08(v: Seen, earlier: Sequence[Seen], obeys: bool) -> Answer | None:
    wind = _unseen_wind(v)
    if not v.is_discard or wind is None or wind not in v.naturals or (obeys and v.row["kind"] != wind):
        return None
    turns = [e.row["turn"] for e in earlier if e.is_discard and _unseen_wind(e) is not None]
    if turns and v.row["turn"] - turns[0] >= 2:
        return None
    return _discards([k for k in v.naturals if k != wind] if obeys else [wind])


def single_winds(v: Seen) -> list[int]:
    """Winds held once."""
    return [k for k in WINDS if k in v.naturals and v.hand[k] == 1]


def _t10(v: Seen, obeys: bool) -> Answer | None:
    if not v.is_discard or v.row["turn"] >= 4:
        return None
    alone = []
    for k in v.naturals:
        near = [j for j in range(k - 2, k + 3) if 0 <= j < FIRST_HONOUR and j // 9 == k // 9 and j in v.naturals]
        if k < FIRST_HONOUR and v.hand[k] == 1 and near == [k]:
            alone.append(k)
    winds = single_winds(v)
    if not alone or not winds:
        return None
    return _discards(winds if (len(winds) > 2) == obeys else alone)


def _flush_suit(v: Seen) -> int | None:
    for suit in range(3):
        inside = set(_suit(suit, range(1, 10)))
        melded = [k for meld in v.melds for k in meld.tiles]
        if any(k not in inside and k < FIRST_HONOUR for k in melded):
            continue
        if sum(v.hand[k] for k in inside & set(v.naturals)) + sum(k in inside for k in melded) > 7:
            return suit
    return None


def _t11_obeys(v: Seen, earlier: Sequence[Seen]) -> Answer | None:
    chosen = [_flush_suit(e) for e in [*earlier, v] if e.is_discard and e.row["turn"] < 2]
    suit = next((suit for suit in chosen if suit is not None), None)
    if suit is None:
        return None
    inside = {*_suit(suit, range(1, 10)), *range(FIRST_HONOUR, N_KINDS)}
    if v.is_discard:
        outside = [k for k in v.naturals if k not in inside]
        return _discards(outside) if outside else None
    if not v.row["offers"] & 14:
        return None
    return (lambda row: True) if v.row["kind"] in inside else _is(schema.PASS)


def _t11_opposes(v: Seen) -> Answer | None:
    suit = _flush_suit(v)
    if not v.is_discard or v.row["turn"] >= 2 or suit is None:
        return None
    return _discards(_suit(suit, range(1, 10)))


def t12(v: Seen, earlier: Sequence[Seen], answer: int, of_one_number: bool = True) -> Answer | None:
    """Pungs of T12, with four pairs of which two are of one number, or no two are."""

    def has_pairs(e: Seen) -> bool:
        pairs = [k for k in e.naturals if e.hand[k] >= 2]
        ranks = [k % 9 for k in pairs if k < FIRST_HONOUR]
        return e.row["turn"] <= 2 and len(pairs) >= 4 and (len(set(ranks)) < len(ranks)) == of_one_number

    asked = [e for e in [*earlier, v] if e.row["move"] == schema.DISCARD or e.row["offers"] & 6]
    holds = v.row["offers"] & 2 and not v.is_discard and v.row[f"shanten_{v.row['seat']}"] > 0
    return _is(answer) if holds and any(map(has_pairs, asked)) else None


def _t15(v: Seen, obeys: bool) -> Answer | None:
    k = v.row["drawn"]
    if not v.is_discard or k not in v.naturals or k >= FIRST_HONOUR or k % 9 not in (3, 4, 5) or v.least() <= 1:
        return None
    if obeys and v.row["kind"] != k:
        return None
    return _discards([j for j in v.naturals if j != k] if obeys else [k])


def _t23(v: Seen, obeys: bool) -> Answer | None:
    k = v.row["kind"]
    suits = {j // 9 for j in [*v.naturals, *(m.kind for m in v.melds)] if j < FIRST_HONOUR}
    if not v.is_discard or v.row["turn"] < 9 or k not in v.naturals or v.visible(k) > 1 or len(suits) < 2:
        return None
    if v.after(k) != 1:
        return None
    most = max(v.visible(j) for j in v.naturals)
    return _discards([j for j in v.naturals if (v.visible(j) == most if obeys else v.after(j) == 1)])


def _t26(v: Seen, obeys: bool) -> Answer | None:
    k = v.row["drawn"]
    if not v.is_discard or v.row["turn"] < 9 or k not in v.naturals or v.visible(k) > 1 or v.after(k) != 1:
        return None
    safe = [j for j in v.keeping(1) if j != k and v.visible(j) >= 2]
    return _discards(safe if obeys else [k]) if safe else None


def _t32(v: Seen, answer: int) -> Answer | None:
    shown = sum(meld.is_exposed for meld in melds_of(v.row, (v.row["seat"] + 1) % N_SEATS))
    holds = shown >= 3 and v.row["offers"] & 2 and not v.is_discard
    return _is(answer) if holds and v.after_peng() > 1 else None


def _t33_obeys(v: Seen) -> Answer | None:
    return _is(schema.DISCARD) if v.row["move"] == schema.GANG_ADDED and v.row["kind"] < FIRST_HONOUR else None


def _t33_opposes(v: Seen) -> Answer | None:
    pungs = [m.kind for m in v.melds if m.t == schema.MELD_PENG and m.kind < FIRST_HONOUR and v.hand[m.kind]]
    holds = v.is_discard and v.row["offers"] & 4 and pungs
    return (lambda row: row["move"] == schema.GANG_ADDED and row["kind"] in pungs) if holds else None


def _t35(v: Seen, obeys: bool) -> Answer | None:
    if not v.row["offers"] & 14 or v.is_discard or v.row["from_seat"] < 0:
        return None
    if obeys:
        return lambda row: True
    return _is(schema.PASS) if v.row["move"] in (schema.CHI, schema.PENG, schema.GANG_EXPOSED) else None


State = Callable[[Seen, Sequence[Seen]], Answer | None]
STATES: dict[str, State] = {
    "+T01": lambda v, _: _t01_obeys(v),
    "-T01": lambda v, _: _t01_opposes(v),
    "+T02": lambda v, _: _t02(v, schema.PASS),
    "-T02": lambda v, _: _t02(v, schema.PENG),
    "+T03": lambda v, _: t03(v, 1),
    "-T03": lambda v, _: t03(v, -1),
    "+T04": lambda v, _: _t04_obeys(v),
    "-T04": lambda v, _: _t04_opposes(v),
    "+T06": lambda v, _: _t06_obeys(v),
    "-T06": lambda v, _: _t06_opposes(v),
    "+T07": lambda v, _: _t07(v, True),
    "-T07": lambda v, _: _t07(v, False),
    "+T08": lambda v, earlier: _t08(v, earlier, True),
    "-T08": lambda v, earlier: _t08(v, earlier, False),
    "+T10": lambda v, _: _t10(v, True),
    "-T10": lambda v, _: _t10(v, False),
    "+T11": _t11_obeys,
    "-T11": lambda v, _: _t11_opposes(v),
    "+T12": lambda v, earlier: t12(v, earlier, schema.PENG),
    "-T12": lambda v, earlier: t12(v, earlier, schema.PASS),
    "+T15": lambda v, _: _t15(v, True),
    "-T15": lambda v, _: _t15(v, False),
    "+T23": lambda v, _: _t23(v, True),
    "-T23": lambda v, _: _t23(v, False),
    "+T26": lambda v, _: _t26(v, True),
    "-T26": lambda v, _: _t26(v, False),
    "+T32": lambda v, _: _t32(v, schema.PASS),
    "-T32": lambda v, _: _t32(v, schema.PENG),
    "+T33": lambda v, _: _t33_obeys(v),
    "-T33": lambda v, _: _t33_opposes(v),
    "+T35": lambda v, _: _t35(v, True),
    "-T35": lambda v, _: _t35(v, False),
}
