"""What ``gdmj score`` and `analysis.score` accept, checked: a rule set, the winners' hands, the table."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from analysis.single import fields
from analysis.single.fields import ANGANG, BUGANG, CHI, MINGGANG, PENG, InputError
from sim import rules as rule_sets
from sim import tiles
from sim.rules import Rules
from sim.score import EVENT_FLAGS, Claim, Meld, Table

WINNER_KEYS = ("winner", "hand", "win", "melds", "flags")
TABLE_KEYS = (
    "preset",
    "rules",
    "dealer",
    "round_wind",
    "ghost",
    "source",
    "from",
    "horses",
    "origin",
    "kong_pay",
    "other_pay",
    "repeat",
    "others",
)
MELD_KEYS = ("t", "tiles", "from", "last")
OTHER_KEYS = ("melds", "ready")
SOURCES = ("zimo", "dianpao", "qianggang")
WINDS = ("E", "S", "W", "N")
MAX_MELDS = 4
MAX_WINNERS = 3
MAX_HORSES = 40
MAX_KONGS = 16
MAX_PAY = 10**9
MAX_REPEAT = 255
MAX_GHOSTS = 2
MAX_OVERRIDES = 100


@dataclass(frozen=True)
class ScoreRequest:
    """A checked request; ``several`` asks for lists in the answer."""

    rules: Rules
    claims: tuple[Claim, ...]
    table: Table
    several: bool


def read(data: dict[str, Any], rules: Rules | None = None) -> ScoreRequest:
    """Check one request; ``rules`` stand in for its ``preset``.

    Raises
    ------
    InputError, RulesError
        One line (`sim.score.score` refuses what is well-formed and impossible): field, what is needed, what was given.
    """
    several = data.get("winners") is not None
    fields.no_other_keys(data, (*TABLE_KEYS, "winners", *(() if several else WINNER_KEYS)))
    rules = rules or read_rules(data)
    source = _source(data, several)
    claims = _claims(data) if several else (_claim(data, ""),)
    table = _table(data, rules, source, claims)
    _in_deck(rules, claims, table)
    _copies(claims, table)
    return ScoreRequest(rules, claims, table, several)


def read_rules(data: Mapping[str, Any]) -> Rules:
    """Return the rule set of a request, from a cache where it was asked for before."""
    preset = fields.require(data, "preset")
    if not isinstance(preset, str) or len(preset) > 1000 or not preset.isprintable():
        raise InputError(f"preset: the name or the path of a rule set is needed, not {fields.show(preset)}")
    overrides = fields.record(fields.optional(data, "rules", {}), "rules")
    if len(overrides) > MAX_OVERRIDES:
        raise InputError(f"rules: at most {MAX_OVERRIDES} fields may be set, not {len(overrides)}")
    for path in overrides:
        if path.split(".")[0] == "source":
            raise InputError(f"rules: {fields.show(path)} cannot be set")
    # rule_sets.load reads strings as TOML; a JSON string is meant as it stands ("108" is no number).
    literal = {
        path: json.dumps(value, ensure_ascii=False) if isinstance(value, str) else value
        for path, value in overrides.items()
    }
    return _load(preset, json.dumps(literal))


@lru_cache(maxsize=256)
def _load(preset: str, overrides: str) -> Rules:
    return rule_sets.load(preset, json.loads(overrides))


def _copies(claims: tuple[Claim, ...], table: Table) -> None:
    """Refuse a fifth copy over all winners and horses; the winning tile is there once, and four times after a rob."""
    melds = [meld for claim in claims for meld in claim.melds]
    melds += [meld for group in table.other_melds.values() for meld in group]
    held = [kind for claim in claims for kind in claim.hand] + [kind for meld in melds for kind in meld.kinds]
    horses = table.horses or ()
    opened = [k for kinds in horses.values() for k in kinds] if isinstance(horses, dict) else list(horses)
    win = claims[0].win
    robbed = () if table.from_seat is None else table.other_melds.get(table.from_seat, ())
    elsewhere = Counter([*held, *opened]) - Counter(kind for meld in robbed for kind in meld.kinds)
    if table.source == "qianggang" and elsewhere[win]:
        raise InputError(f"win: the konger has all four {tiles.tile_name(win)}, nobody else can hold one")
    fields.at_most_four([*held, *opened, win], "hands, melds, win and horses together")


def _source(data: Mapping[str, Any], several: bool) -> str:
    if several and data.get("source") is None:
        return "dianpao"  # nothing else but a rob can have several winners
    source = fields.choice(fields.require(data, "source"), "source", SOURCES)
    if several and source == "zimo" and len(fields.array(data["winners"], "winners", MAX_WINNERS)) > 1:
        raise InputError("source: zimo has one winner")
    return source


def _claims(data: Mapping[str, Any]) -> tuple[Claim, ...]:
    entries = fields.array(data["winners"], "winners", MAX_WINNERS)
    if not entries:
        raise InputError("winners: at least one is needed")
    claims = []
    for i, item in enumerate(entries):
        entry = fields.record(item, f"winners[{i}]")
        fields.no_other_keys(entry, WINNER_KEYS, f"winners[{i}].")
        claims.append(_claim(entry, f"winners[{i}]."))
    if len({claim.winner for claim in claims}) != len(claims):
        raise InputError("winners: each seat may win once")
    if len({claim.win for claim in claims}) != 1:
        raise InputError("winners: all must win on the same tile")
    return tuple(claims)


def _claim(entry: Mapping[str, Any], where: str) -> Claim:
    winner = fields.seat(fields.require(entry, "winner", where), f"{where}winner")
    melds = _melds(fields.optional(entry, "melds", []), winner, where)
    hand = fields.tile_string(fields.require(entry, "hand", where), f"{where}hand")
    size = 13 - 3 * len(melds)
    if len(hand) != size:
        raise InputError(
            f"{where}hand: {size} tiles without the winning one are needed with {len(melds)} melds, not {len(hand)}"
        )
    win = fields.tile(fields.require(entry, "win", where), f"{where}win")
    held = [*hand, win, *(kind for meld in melds for kind in meld.kinds)]
    fields.at_most_four(held, f"{where}hand, win and melds")
    flags = fields.choices(fields.optional(entry, "flags", []), f"{where}flags", tuple(EVENT_FLAGS))
    if "dihu" in flags and melds:
        raise InputError(f"{where}flags: dihu goes with no melds")
    return Claim(winner, hand, win, melds, frozenset(flags))


def _melds(value: object, winner: int, where: str) -> tuple[Meld, ...]:
    melds = []
    for i, item in enumerate(fields.array(value, f"{where}melds", MAX_MELDS)):
        place = f"{where}melds[{i}]"
        entry = fields.record(item, place)
        fields.no_other_keys(entry, MELD_KEYS, f"{place}.")
        name, kinds = fields.meld_kinds(entry, f"{place}.")
        is_last = fields.boolean(fields.optional(entry, "last", False), f"{place}.last")
        if is_last and name not in (MINGGANG, BUGANG, ANGANG):
            raise InputError(f"{place}.last: is for kongs, not for {name}")
        melds.append(Meld(name, kinds, _feeder(entry, name, winner, f"{place}."), is_last))
    return tuple(melds)


def _feeder(entry: Mapping[str, Any], name: str, winner: int, where: str) -> int | None:
    """Seat that fed a meld: the one before the winner for chi, nobody for a concealed kong."""
    if name == ANGANG:
        if entry.get("from") is not None:
            raise InputError(f"{where}from: angang was fed by nobody (null), not {fields.show(entry['from'])}")
        return None
    needs = "the seat that fed the pung" if name == BUGANG else "the seat that fed it"
    if entry.get("from") is None:
        raise InputError(f"{where}from: {needs} is needed for {name}")
    feeder = fields.seat(entry["from"], f"{where}from")
    if feeder == winner:
        raise InputError(f"{where}from: nobody feeds himself (seat {winner})")
    before = (winner - 1) % tiles.N_SEATS
    if name == CHI and feeder != before:
        raise InputError(f"{where}from: seat {winner} can chi from seat {before} only, not {feeder}")
    return feeder


def _ghosts(value: object, rules: Rules) -> tuple[int, ...]:
    """Kinds of ghost in play: one, or a list of two; where the rule set fixes them they need not be named."""
    if value is None:
        return tuple(tiles.parse_one(text) for text in rules.ghost.kinds)
    if not isinstance(value, list):
        return (fields.tile(value, "ghost"),)
    ghosts = tuple(fields.tile(item, f"ghost[{i}]") for i, item in enumerate(fields.array(value, "ghost", MAX_GHOSTS)))
    if not ghosts:
        raise InputError("ghost: one or two kinds are needed, not none (leave the field out)")
    if len(set(ghosts)) != len(ghosts):
        raise InputError("ghost: each kind may be named once")
    return ghosts


def _others(
    value: object, claims: tuple[Claim, ...], from_seat: int | None
) -> tuple[dict[int, tuple[Meld, ...]], bool]:
    """Melds of seats that did not win, and whether the discarder was ready."""
    melds: dict[int, tuple[Meld, ...]] = {}
    is_from_ready = True
    for key, item in fields.record(value, "others").items():
        if key not in ("0", "1", "2", "3") or int(key) in {claim.winner for claim in claims}:
            raise InputError(f"others: seats that did not win are needed, not {fields.show(key)}")
        entry = fields.record(item, f"others.{key}")
        fields.no_other_keys(entry, OTHER_KEYS, f"others.{key}.")
        melds[int(key)] = _melds(fields.optional(entry, "melds", []), int(key), f"others.{key}.")
        is_ready = fields.boolean(fields.optional(entry, "ready", True), f"others.{key}.ready")
        is_from_ready = is_from_ready and (is_ready or int(key) != from_seat)
    return melds, is_from_ready


def _with_pung(melds: dict[int, tuple[Meld, ...]], konger: int, kind: int) -> dict[int, tuple[Meld, ...]]:
    """Give the robbed seat the pung that it wanted to add to, where that is not among its melds; any feeder will do."""
    own = melds.get(konger, ())
    if any(kind in meld.kinds and meld.type == PENG for meld in own) or len(own) == MAX_MELDS:
        return melds
    return melds | {konger: (*own, Meld(PENG, (kind,) * 3, (konger + 1) % tiles.N_SEATS))}


def _table(data: Mapping[str, Any], rules: Rules, source: str, claims: tuple[Claim, ...]) -> Table:
    dealer = fields.seat(fields.optional(data, "dealer", 0), "dealer")
    wind = fields.choice(fields.optional(data, "round_wind", "E"), "round_wind", WINDS)
    from_seat = _from_seat(data, source, claims)
    other_melds, is_from_ready = _others(fields.optional(data, "others", {}), claims, from_seat)
    if source == "qianggang" and rules.win.rob_kongs == ("added",) and from_seat is not None:
        other_melds = _with_pung(other_melds, from_seat, claims[0].win)
    origin = None if data.get("origin") is None else fields.seat(data["origin"], "origin")
    return Table(
        source=source,
        from_seat=from_seat,
        dealer=dealer,
        round_wind=WINDS.index(wind),
        ghosts=_ghosts(data.get("ghost"), rules),
        horses=_horses(fields.optional(data, "horses", [])),
        origin=origin,
        kong_pay=_vectors(fields.optional(data, "kong_pay", []), "kong_pay"),
        other_pay=_vectors(fields.optional(data, "other_pay", []), "other_pay"),
        repeat=fields.integer(fields.optional(data, "repeat", 0), "repeat", 0, MAX_REPEAT),
        other_melds=other_melds,
        is_from_ready=is_from_ready,
    )


def _from_seat(data: Mapping[str, Any], source: str, claims: tuple[Claim, ...]) -> int | None:
    given = data.get("from")
    if source == "zimo":
        if given is not None:
            raise InputError(f"from: zimo comes from nobody (null), not {fields.show(given)}")
        return None
    if given is None:
        who = "the discarder's seat" if source == "dianpao" else "the konger's seat"
        raise InputError(f"from: {who} is needed for {source}")
    from_seat = fields.seat(given, "from")
    if any(claim.winner == from_seat for claim in claims):
        raise InputError(f"from: seat {from_seat} is a winner and cannot have fed the tile")
    return from_seat


def _horses(value: object) -> dict[int, tuple[int, ...]] | tuple[int, ...] | None:
    """Horse tiles: by holder where players hold them, a list where the winner draws them; None without any."""
    if isinstance(value, list):
        drawn = _tiles(value, "horses")
        fields.at_most_four(drawn, "horses")
        return drawn or None
    held: dict[int, tuple[int, ...]] = {}
    for key, entries in fields.record(value, "horses").items():
        if key not in ("0", "1", "2", "3"):
            raise InputError(f"horses: a seat from 0 to 3 is needed, not {fields.show(key)}")
        if tiles_held := _tiles(entries, f"horses.{key}"):
            held[int(key)] = tiles_held
    fields.at_most_four([tile for group in held.values() for tile in group], "horses")
    return held or None


def _tiles(value: object, where: str) -> tuple[int, ...]:
    entries = fields.array(value, where, MAX_HORSES)
    return tuple(fields.tile_or_flower(item, f"{where}[{i}]") for i, item in enumerate(entries))


def _vectors(value: object, where: str) -> tuple[tuple[int, int, int, int], ...]:
    vectors = []
    for i, item in enumerate(fields.array(value, where, MAX_KONGS)):
        entries = fields.array(item, f"{where}[{i}]", tiles.N_SEATS)
        if len(entries) != tiles.N_SEATS:
            raise InputError(f"{where}[{i}]: four numbers are needed, not {len(entries)}")
        a, b, c, d = (fields.integer(x, f"{where}[{i}][{j}]", -MAX_PAY, MAX_PAY) for j, x in enumerate(entries))
        if a + b + c + d != 0:
            raise InputError(f"{where}[{i}]: what some pay others receive, the sum must be 0, not {a + b + c + d}")
        vectors.append((a, b, c, d))
    return tuple(vectors)


def _in_deck(rules: Rules, claims: tuple[Claim, ...], table: Table) -> None:
    """Refuse tiles that the rule set is played without."""
    used = {kind for claim in claims for kind in (*claim.hand, claim.win)}
    used |= {kind for claim in claims for meld in claim.melds for kind in meld.kinds}
    used |= set(table.ghosts)
    used |= {kind for group in table.other_melds.values() for meld in group for kind in meld.kinds}
    if table.horses:
        groups = table.horses.values() if isinstance(table.horses, dict) else (table.horses,)
        used |= {kind for group in groups for kind in group}
    flowers = range(tiles.FIRST_FLOWER, tiles.FIRST_FLOWER + tiles.FLOWERS.get(rules.tiles, 0))
    strange = sorted(used - set(tiles.TILE_SETS[rules.tiles]) - set(flowers))
    if strange:
        raise InputError(f"{tiles.tile_name(strange[0])} is not among the {rules.tiles} tiles of {rules.slug}")
