"""What ``gdmj hand`` and `analysis.hand` accept, checked: concealed natural tiles, melds, ghosts, forms."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from analysis.single import fields
from analysis.single.fields import InputError
from sim.hand import FORMS, MAX_GHOSTS
from sim.score import Meld

KEYS = ("hand", "melds", "n_ghosts", "forms")
MELD_KEYS = ("t", "tiles", "from")
MAX_MELDS = 4


@dataclass(frozen=True)
class HandRequest:
    """A checked request: 13 or 14 tiles, ghosts included, less 3 for each meld."""

    hand: tuple[int, ...]
    melds: tuple[Meld, ...]
    n_ghosts: int
    forms: tuple[str, ...]


def read(data: dict[str, Any]) -> HandRequest:
    """Check one request.

    Raises
    ------
    InputError
        One line: field, what is needed, what was given.
    """
    fields.no_other_keys(data, KEYS)
    melds = _melds(fields.optional(data, "melds", []))
    hand = fields.tile_string(fields.require(data, "hand"), "hand")
    size = 13 - 3 * len(melds)
    n_ghosts = fields.integer(fields.optional(data, "n_ghosts", 0), "n_ghosts", 0, MAX_GHOSTS)
    if len(hand) + n_ghosts not in (size, size + 1):
        raise InputError(
            f"hand: {size} or {size + 1} tiles are needed with {len(melds)} melds, ghosts included,"
            f" not {len(hand) + n_ghosts}"
        )
    fields.at_most_four([*hand, *(kind for meld in melds for kind in meld.kinds)], "hand and melds")
    forms = fields.choices(fields.optional(data, "forms", list(FORMS)), "forms", FORMS)
    if not forms:
        raise InputError(f"forms: at least one of {', '.join(FORMS)} is needed")
    return HandRequest(hand, melds, n_ghosts, forms)


def _melds(value: object) -> tuple[Meld, ...]:
    melds = []
    for i, item in enumerate(fields.array(value, "melds", MAX_MELDS)):
        where = f"melds[{i}]."
        entry = fields.record(item, f"melds[{i}]")
        fields.no_other_keys(entry, MELD_KEYS, where)
        name, kinds = fields.meld_kinds(entry, where)
        feeder = entry.get("from")
        melds.append(Meld(name, kinds, None if feeder is None else fields.seat(feeder, f"{where}from")))
    return tuple(melds)
