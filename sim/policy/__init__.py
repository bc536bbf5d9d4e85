"""Bots: what a seat answers when it is asked. Each bot is a module of small kernels; ``BOTS`` names them.

A bot sees its own concealed tiles, all melds, discards and the indicator, never the wall or other hands; only
``oracle`` sees everything, as a bound. It is asked four questions (`sim.policy.dispatch`): its turn, whether to take a
win, whether to claim a pung or kong, whether to chi.

A bot can follow strategy tips: ``ukeire+T02`` obeys T02 in the states that the tip names and ``ukeire-T02`` does the
opposite there; elsewhere both play as ``ukeire`` (README.md). Its code is the bot's own plus a bit for each tip.
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
# Bots that never look at what anything pays: other prices do not change what they do (`sim.play_key`). No tip does.
BLIND_TO_PRICES = frozenset({"random", "ukeire", "shanten", "slip"})

TIPS = (
    "T01", "T02", "T03", "T04", "T06", "T07", "T08", "T10", "T11", "T12", "T15", "T23", "T26", "T32", "T33", "T35",
)  # fmt: skip
TAKES_NO_TIPS = frozenset({"random", "oracle", "search"})
BASE = 256  # code = bot + (tips obeyed << OBEY) + (tips opposed << OPPOSE), a bit for each place in TIPS
OBEY, OPPOSE = 8, 32

_NAME = re.compile(r"([a-z_]+)((?:[+-]T\d\d)*)", re.ASCII)


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
    code, tips = BOTS[base], re.findall(r"([+-])(T\d\d)", name)
    if tips and base in TAKES_NO_TIPS:
        allowed = ", ".join(bot for bot in BOTS if bot not in TAKES_NO_TIPS)
        raise ValueError(f"bot {name!r:.60}: {base} follows no tips; {allowed} do")
    seen = set()
    for sign, tip in tips:
        if tip not in TIPS:
            raise ValueError(f"bot {name!r:.60}: {tip} is no tip that a bot can follow; allowed: {', '.join(TIPS)}")
        if tip in seen:
            raise ValueError(f"bot {name!r:.60}: {tip} stands twice")
        seen.add(tip)
        code += 1 << (TIPS.index(tip) + (OBEY if sign == "+" else OPPOSE))
    return code


def _user_code(name: str) -> int:
    from sim import user_bots  # imports much of `sim`

    return USER + (user_bots.address(name) << 8)


def sees_wall(names: Iterable[str]) -> bool:
    """Whether some of these bots sees the wall."""
    return any(base_name(name) in SEES_WALL for name in names)


def is_blind_to_prices(names: Iterable[str]) -> bool:
    """Whether none of these bots looks at prices."""
    return all(base_name(name) in BLIND_TO_PRICES for name in names)
