"""Checks of single fields of a JSON request: type, range, tiles, melds.

Every check takes the field's place in the request (``melds[1].tiles``) and raises `InputError` with one line.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from sim import schema, tiles

MAX_TEXT = 100  # characters of a tile string or a name

CHI, PENG, MINGGANG, BUGANG, ANGANG = schema.MELD_NAMES


class InputError(ValueError):
    """A request that cannot be answered; the message is one line."""


def show(value: object) -> str:
    """Return ``value`` for a message: short, one line, ASCII."""
    if isinstance(value, list | dict):
        return "a list" if isinstance(value, list) else "an object"
    text = json.dumps(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def require(data: Mapping[str, Any], key: str, where: str = "") -> Any:
    """Return ``data[key]``; null counts as missing."""
    if data.get(key) is None:
        raise InputError(f"{where}{key}: is missing")
    return data[key]


def optional(data: Mapping[str, Any], key: str, default: Any) -> Any:
    """Return ``data[key]``, or ``default`` where it is missing or null."""
    value = data.get(key)
    return default if value is None else value


def no_other_keys(data: Mapping[str, Any], allowed: Sequence[str], where: str = "") -> None:
    """Refuse keys that the request does not know."""
    for key in data:
        if key not in allowed:
            raise InputError(f"{where}{show(key)}: no such field (allowed: {', '.join(allowed)})")


def integer(value: object, where: str, low: int, high: int) -> int:
    """Return a whole number in a range; true, 1.0 and "1" are none."""
    if type(value) is not int:
        raise InputError(f"{where}: a whole number is needed, not {show(value)}")
    if not low <= value <= high:
        raise InputError(f"{where}: a number from {low} to {high} is needed, not {show(value)}")
    return value


def seat(value: object, where: str) -> int:
    """Return a seat."""
    return integer(value, where, 0, tiles.N_SEATS - 1)


def choice(value: object, where: str, allowed: Sequence[str]) -> str:
    """Return one of a few names."""
    if not isinstance(value, str) or value not in allowed:
        raise InputError(f"{where}: one of {', '.join(allowed)} is needed, not {show(value)}")
    return value


def choices(value: object, where: str, allowed: Sequence[str]) -> tuple[str, ...]:
    """Return a list of different names."""
    names = tuple(choice(item, f"{where}[{i}]", allowed) for i, item in enumerate(array(value, where, len(allowed))))
    if len(set(names)) != len(names):
        raise InputError(f"{where}: each name may stand once")
    return names


def array(value: object, where: str, longest: int) -> list[Any]:
    """Return a list of limited length."""
    if not isinstance(value, list):
        raise InputError(f"{where}: a list is needed, not {show(value)}")
    if len(value) > longest:
        raise InputError(f"{where}: at most {longest} entries are allowed, not {len(value)}")
    return value


def record(value: object, where: str) -> dict[str, Any]:
    """Return an object."""
    if not isinstance(value, dict):
        raise InputError(f"{where}: an object is needed, not {show(value)}")
    return value


def tile_string(value: object, where: str) -> tuple[int, ...]:
    """Return the kinds of a string in tile notation."""
    if not isinstance(value, str):
        raise InputError(f"{where}: tiles such as 123m456pEE are needed, not {show(value)}")
    if len(value) > MAX_TEXT:
        raise InputError(f"{where}: at most {MAX_TEXT} characters are allowed, not {len(value)}")
    try:
        return tuple(tiles.parse(value))
    except ValueError as error:
        raise InputError(f"{where}: {error}") from None


def tile(value: object, where: str) -> int:
    """Return one kind."""
    kinds = tile_string(value, where)
    if len(kinds) != 1:
        raise InputError(f"{where}: exactly one tile is needed, not {show(value)}")
    return kinds[0]


def tile_or_flower(value: object, where: str) -> int:
    """Return one kind, which may be a flower, H1 to H8."""
    if isinstance(value, str) and value in tiles.FLOWER_NAMES:
        return tiles.FIRST_FLOWER + tiles.FLOWER_NAMES.index(value)
    return tile(value, where)


def boolean(value: object, where: str) -> bool:
    """Return true or false."""
    if not isinstance(value, bool):
        raise InputError(f"{where}: true or false is needed, not {show(value)}")
    return value


def meld_kinds(entry: Mapping[str, Any], where: str) -> tuple[str, tuple[int, ...]]:
    """Return type and sorted kinds of a meld, checked: a run of one suit, three or four equal tiles."""
    name = choice(require(entry, "t", where), f"{where}t", schema.MELD_NAMES)
    kinds = tuple(sorted(tile_string(require(entry, "tiles", where), f"{where}tiles")))
    size = 3 if name in (CHI, PENG) else 4
    if len(kinds) != size:
        raise InputError(f"{where}tiles: {name} has {size} tiles, not {len(kinds)}")
    if name == CHI:
        first = kinds[0]
        if first >= tiles.FIRST_HONOUR or first % 9 > 6 or kinds != (first, first + 1, first + 2):
            raise InputError(f"{where}tiles: chi is a run in one suit, not {tiles.show(kinds)}")
    elif len(set(kinds)) != 1:
        raise InputError(f"{where}tiles: {name} has equal tiles, not {tiles.show(kinds)}")
    return name, kinds


def at_most_four(kinds: Sequence[int], where: str) -> None:
    """Refuse a fifth copy of a kind, and a second one of a flower."""
    for kind, copies in Counter(kinds).most_common():
        most = tiles.COPIES if kind < tiles.FIRST_FLOWER else 1
        if copies > most:
            raise InputError(f"{where}: {copies} copies of {tiles.tile_name(kind)}, at most {most} exist")
