"""All tips by number."""

from __future__ import annotations

from analysis.tips import (
    aims,
    calls,
    discards_tell,
    fans,
    folding,
    gone_tiles,
    hands,
    horses,
    kongs,
    people,
    readiness,
    suit_rivers,
    waits,
)
from analysis.tips.model import Tip

_FAMILIES = (
    suit_rivers, gone_tiles, waits, discards_tell, readiness, hands, fans, kongs, calls, folding, horses, aims, people,
)  # fmt: skip
TIPS: dict[str, Tip] = {
    tip.id: tip for tip in sorted((tip for family in _FAMILIES for tip in family.TIPS), key=lambda tip: tip.id)
}


class TipError(ValueError):
    """A request for tips that cannot be carried out; the message is one line."""


def chosen(ids: list[str]) -> list[Tip]:
    """Tips by number, all where none is named.

    Raises
    ------
    TipError
        For a number that no tip has.
    """
    names = [name.upper() for name in ids]
    for name in names:
        if name not in TIPS:
            raise TipError(f"no tip {name:.20}; there are T01 to T{len(TIPS):02d}")
    return [TIPS[name] for name in dict.fromkeys(names)] if names else list(TIPS.values())
