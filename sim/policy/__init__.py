"""Bots: what a seat answers when it is asked. Each bot is a module of small kernels; ``BOTS`` names them.

A bot sees its own concealed tiles, all melds, discards and the indicator, never the wall or other hands; only
``oracle`` sees everything, as a bound. It is asked four questions (`sim.policy.dispatch`): its turn, whether to take a
win, whether to claim a pung or kong, whether to chi.
"""

from __future__ import annotations

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
# Bots that never look at what anything pays: other prices do not change what they do (`sim.play_key`).
BLIND_TO_PRICES = frozenset({"random", "ukeire", "shanten", "slip"})


def bot_codes(names: tuple[str, ...]) -> tuple[int, ...]:
    """Codes of bots by name; a user bot's code is USER + (address of its entry << 8).

    Raises
    ------
    ValueError
        For an unknown bot.
    """
    return tuple(BOTS[name] if name in BOTS else _user_code(name) for name in names)


def _user_code(name: str) -> int:
    from sim import user_bots  # imports much of `sim`

    return USER + (user_bots.address(name) << 8)
