"""Tiles: kinds, notation, decks.

A *kind* is 0..33: 0-8 characters (1m-9m 万), 9-17 dots (1p-9p 筒), 18-26 bamboos (1s-9s 条), 27-30 winds
(E S W N 东南西北), 31-33 dragons (Z 中, F 发, B 白). A *hand* is counts, shape (34,). Notation: digits then
their suit letter, honours as capitals, e.g. ``123m456p789sEEZ``.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

N_KINDS = 34
N_SEATS = 4
COPIES = 4
FIRST_HONOUR = 27
FIRST_DRAGON = 31
SUITS = "mps"
HONOURS = "ESWNZFB"
KIND_NAMES: tuple[str, ...] = tuple(f"{r}{s}" for s in SUITS for r in range(1, 10)) + tuple(HONOURS)
KIND_OF = {name: kind for kind, name in enumerate(KIND_NAMES)}
KIND_NAMES_ZH: tuple[str, ...] = tuple(f"{n}{s}" for s in "万筒条" for n in "一二三四五六七八九") + tuple(
    "东南西北中发白"
)

# Bit k is set for kind k.
HONOUR_MASK = sum(1 << k for k in range(FIRST_HONOUR, N_KINDS))
TERMINAL_MASK = sum(1 << (9 * s + r) for s in range(3) for r in (0, 8))

N_FLOWERS = 8
FIRST_FLOWER = N_KINDS  # flowers are kinds 34..41, one tile each; they never enter a hand
FLOWER_NAMES: tuple[str, ...] = tuple(f"H{i}" for i in range(1, N_FLOWERS + 1))
FLOWER_NAMES_ZH: tuple[str, ...] = tuple("春夏秋冬梅兰竹菊")

# Kinds of which a tile set has four, and its number of flowers.
TILE_SETS: dict[str, tuple[int, ...]] = {
    "136": tuple(range(34)),
    "108": tuple(range(27)),
    "100": tuple(range(9, 34)),
    "112": (*range(27), 31),
    "120": (*range(27), 31, 32, 33),
    "140": tuple(range(34)),
    "144": tuple(range(34)),
}
FLOWERS = {"140": 4, "144": 8}


def tile_name(kind: int) -> str:
    """Notation of a kind, flowers included (H1 to H8)."""
    return KIND_NAMES[kind] if kind < N_KINDS else FLOWER_NAMES[kind - N_KINDS]


def copies(tile_set: str) -> NDArray[np.int64]:
    """Return how many tiles of each kind a tile set holds, int64 (34,): 0 or 4."""
    result = np.zeros(N_KINDS, np.int64)
    result[list(TILE_SETS[tile_set])] = COPIES
    return result


def parse(text: str) -> list[int]:
    """Read kinds from notation, in order.

    Raises
    ------
    ValueError
        For an unknown character, digits without a suit, or a 0.
    """
    kinds: list[int] = []
    digits: list[str] = []
    for char in text:
        if char in "123456789":
            digits.append(char)
        elif char in SUITS:
            if not digits:
                raise ValueError(f"tiles {text!r}: suit {char!r} has no number before it")
            kinds += [KIND_OF[d + char] for d in digits]
            digits = []
        elif char in HONOURS:
            if digits:
                raise ValueError(f"tiles {text!r}: numbers {''.join(digits)!r} have no suit (m, p or s)")
            kinds.append(KIND_OF[char])
        else:
            raise ValueError(f"tiles {text!r}: unknown character {char!r} (allowed: 1-9 with m p s, and {HONOURS})")
    if digits:
        raise ValueError(f"tiles {text!r}: numbers {''.join(digits)!r} have no suit (m, p or s)")
    return kinds


def parse_one(text: str) -> int:
    """Read exactly one kind from notation."""
    kinds = parse(text)
    if len(kinds) != 1:
        raise ValueError(f"tile {text!r}: exactly one tile is allowed")
    return kinds[0]


def counts(kinds: Iterable[int]) -> NDArray[np.int64]:
    """Count kinds into a hand, int64 (34,)."""
    return np.bincount(np.fromiter(kinds, np.int64, -1), minlength=N_KINDS).astype(np.int64)


def show(kinds: Iterable[int]) -> str:
    """Write kinds in notation, sorted, suits grouped, flowers last."""
    ordered = sorted(kinds)
    parts: list[str] = []
    for index, suit in enumerate(SUITS):
        ranks = "".join(str(k % 9 + 1) for k in ordered if k < FIRST_HONOUR and k // 9 == index)
        parts.append(ranks + suit if ranks else "")
    parts.append("".join(tile_name(k) for k in ordered if k >= FIRST_HONOUR))
    return "".join(parts)
