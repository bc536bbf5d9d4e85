"""Bots from outside the project: functions in Python or compiled with numba that are seated like the project's own.

A bot is known by its identity, ``NAME@HASH``: where it comes from (``module:attribute``, an entry point of the group
``gdmj.bots``, or the plain name of what was defined in a session) and a hash of its source. Identities stand in logs,
so that a run is only gone on with, or replayed, by the bot that played it. How to write one: `sim/policy/README.md`.
"""

from __future__ import annotations

from sim.user_bots.fault import BotError, raise_fault
from sim.user_bots.registry import Bot, add, address, import_bots, line_up, names, resolve
from sim.user_bots.view import Meld, Move, View

__all__ = [
    "Bot",
    "BotError",
    "Meld",
    "Move",
    "View",
    "add",
    "address",
    "import_bots",
    "line_up",
    "names",
    "raise_fault",
    "resolve",
]
