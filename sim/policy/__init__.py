"""Bots: what a seat answers when it is asked. Each bot is a module of small kernels; ``BOTS`` names them.

A bot sees its own concealed tiles, all melds, discards (and whether they were just drawn) and the indicator, never
the wall or other hands; only ``oracle`` sees everything, as a bound. It is asked four questions
(`sim.policy.dispatch`): its turn, whether to take a win, whether to claim a pung or kong, whether to chi.

A bot can follow strategy tips: ``ukeire+T02`` obeys T02 in the states that the tip names and ``ukeire-T02`` does the
opposite there; elsewhere both play as ``ukeire`` (README.md). Some tips have levels: ``ukeire+T06.2`` obeys T06 in its
first two turns alone. Its code is the bot's own plus a bit for each tip, and the level with the tip's place.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

RANDOM, UKEIRE, SHANTEN, SLIP, VALUE, DEFEND, ORACLE, SEARCH, USER = range(9)
BOTS: dict[str, int] = {
    "random": RANDOM,
    "ukeire": UKEIRE,
    "shanten": SHANTEN,
    "slip": SLIP,
    "value": VALUE,
    "defend": DEFEND,
    "oracle": ORACLE,
    "search": SEARCH,
}
# Bots that see the wall: to them tiles not drawn yet are no chance, so means over these tiles would be wrong.
SEES_WALL = frozenset({"oracle"})
# Bots that never look at what anything pays: other prices do not change what they do (`sim.play_key`). No tip does,
# levels in PRICED_LEVELS apart.
BLIND_TO_PRICES = frozenset({"random", "ukeire", "shanten", "slip"})

TIPS = (
    "T01", "T02", "T03", "T04", "T06", "T07", "T08", "T10", "T11", "T12", "T15", "T23", "T26", "T32", "T33", "T35",
)  # fmt: skip
# What a tip is narrowed to, or where its threshold lies, by level from 1; without one it is as README.md tells it.
LEVELS: dict[str, tuple[str, ...]] = {
    "T03": ("from turn 8", "from turn 10", "from turn 12"),
    "T06": ("turn 1", "turns 1-2", "turns 1-3", "turns 1-4"),
    "T10": ("one single wind held", "two of them", "three or four"),
    "T12": ("four pairs, no two of one number",),
    "T23": (
        "nothing but a chicken, the discard unseen", "a chicken, one copy seen",
        "more than a chicken, the discard unseen", "more, one copy seen",
    ),
}  # fmt: skip
PRICED_LEVELS = frozenset({"T23"})  # tips whose levels look at prices
TAKES_NO_TIPS = frozenset({"random", "oracle", "search"})
# Code = bot + (tips obeyed << OBEY) + (tips opposed << OPPOSE), a bit for each place in TIPS; a bot has one level at
# most: + (level << LEVEL) + (place of its tip << LEVELLED).
BASE = 256
OBEY, OPPOSE, LEVEL, LEVELLED = 8, 32, 54, 57

_NAME = re.compile(r"([a-z_]+)((?:[+-]T\d\d(?:\.\w*)?)*)", re.ASCII)
_TIP = re.compile(r"([+-])(T\d\d)(?:\.(\w*))?", re.ASCII)


def bot_codes(names: Iterable[str]) -> tuple[int, ...]:
    """Codes of bots by name; a user bot's code is USER + (address of its entry << 8).

    Raises
    ------
    ValueError
        For an unknown bot or tip; the message is one line.
    """
    return tuple(_own_code(name) if is_own(name) else _user_code(name) for name in names)


def is_own(name: str) -> bool:
    """Whether a name is that of a bot of the project, with or without tips."""
    match = _NAME.fullmatch(name)
    return match is not None and match[1] in BOTS


def base_name(name: str) -> str:
    """Name of a bot without its tips."""
    return re.split(r"[+-]", name, maxsplit=1)[0] if is_own(name) else name


def _own_code(name: str) -> int:
    base = base_name(name)
    code, tips = BOTS[base], [match.groups() for match in _TIP.finditer(name)]
    if tips and base in TAKES_NO_TIPS:
        allowed = ", ".join(bot for bot in BOTS if bot not in TAKES_NO_TIPS)
        raise ValueError(f"bot {name!r:.60}: {base} follows no tips; {allowed} do")
    seen = set()
    levelled = ""
    for sign, tip, level in tips:
        if tip not in TIPS:
            raise ValueError(f"bot {name!r:.60}: {tip} is no tip that a bot can follow; allowed: {', '.join(TIPS)}")
        if tip in seen:
            raise ValueError(f"bot {name!r:.60}: {tip} stands twice")
        seen.add(tip)
        code += 1 << (TIPS.index(tip) + (OBEY if sign == "+" else OPPOSE))
        if level is not None:
            if levelled:
                raise ValueError(f"bot {name!r:.60}: one tip of a bot may have a level, not {levelled} and {tip} both")
            levelled = tip
            code += (_level(name, tip, level) << LEVEL) + (TIPS.index(tip) << LEVELLED)
    return code


def _level(name: str, tip: str, text: str) -> int:
    levels = {str(i): meaning for i, meaning in enumerate(LEVELS.get(tip, ()), 1)}
    if text not in levels:
        allowed = "; ".join(f"{tip}.{level} {meaning}" for level, meaning in levels.items()) or "none"
        raise ValueError(f"bot {name!r:.60}: {tip} has no level {text!r:.20}; allowed: {allowed}")
    return int(text)


def _user_code(name: str) -> int:
    from sim import user_bots  # imports much of `sim`

    return USER + (user_bots.address(name) << 8)


def sees_wall(names: Iterable[str]) -> bool:
    """Whether some of these bots sees the wall."""
    return any(base_name(name) in SEES_WALL for name in names)


def is_blind_to_prices(names: Iterable[str]) -> bool:
    """Whether none of these bots looks at prices, nor the level of a tip that it follows."""
    return all(base_name(name) in BLIND_TO_PRICES and not _has_priced_level(name) for name in names)


def _has_priced_level(name: str) -> bool:
    return any(match[2] in PRICED_LEVELS and match[3] is not None for match in _TIP.finditer(name))
