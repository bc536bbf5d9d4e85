"""Pieces of sentences that every section needs: lists, tiles, numbers with their units."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sim import tiles

Both = tuple[str, str]  # one text in Chinese and in English

NOTHING: Both = ("无", "none")
YES: Both = ("是", "yes")
NO: Both = ("否", "no")
_HONOURS_ZH = dict(zip(tiles.HONOURS, "东南西北中发白", strict=True))


def listed(names: Sequence[str], words: Mapping[str, Both], last: str = ", ") -> Both:
    """Words of several names; ``last`` joins the last two in English."""
    found = [words[name] for name in names]
    return ("、".join(zh for zh, _ in found), _joined([en for _, en in found], last)) if found else NOTHING


def _joined(parts: Sequence[str], last: str) -> str:
    return last.join([", ".join(parts[:-1]), parts[-1]]) if len(parts) > 1 else "".join(parts)


def honours(text: str) -> Both:
    """Honours (and digits) in a row."""
    return "".join(_HONOURS_ZH.get(char, char) for char in text), text


def kinds(names: Sequence[str]) -> Both:
    """Tiles by name."""
    zh = "、".join(tiles.KIND_NAMES_ZH[tiles.KIND_OF[name]] for name in names)
    return (zh, " ".join(names)) if names else NOTHING


def for_all(differ: bool) -> Both:
    """Say what one seat pays for all three, whose shares may differ."""
    return ("付三家输分之和", "pays what all three owe") if differ else ("付全部三份", "pays all three shares")


def units(n: int) -> str:
    """English number of base units."""
    return f"{n} base unit" if n == 1 else f"{n} base units"


def times(tenths: int) -> str:
    """Write a multiple that is given in tenths."""
    return f"{tenths / 10:g}"


def capital(text: str) -> str:
    """Begin with a capital letter."""
    return text[:1].upper() + text[1:]
