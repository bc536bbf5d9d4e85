"""Which user bots are at hand, by identity: given as objects, imported by name, or installed as entry points."""

from __future__ import annotations

import importlib
import inspect
import os
import re
import sys
import threading
from collections.abc import Callable, Iterable, Sequence
from functools import cache, partial
from importlib.metadata import entry_points
from typing import Any

from sim.policy import BOTS, bot_codes, is_own
from sim.user_bots.fault import BotError
from sim.user_bots.source import is_compiled, source_hash

GROUP = "gdmj.bots"
Bot = str | Callable[..., Any]
_MOST_LETTERS = 80
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*", re.ASCII)
_LOCK = threading.RLock()


_KNOWN: dict[str, Callable[..., Any]] = {}  # identity -> bot
_ENTRIES: dict[str, tuple[int, Any]] = {}  # identity -> address of its entry, and what keeps that alive


def add(bot: Callable[..., Any], name: str | None = None) -> str:
    """Make a bot known and return its identity.

    Parameters
    ----------
    bot
        Function of a `View`, an object that can be called with one, or a function compiled with numba
        (`sim/policy/README.md`).
    name
        Where it comes from; by default ``module:attribute``, or the plain name of what was defined in a session.

    Raises
    ------
    BotError
        When it cannot be a bot.
    """
    if not callable(bot) or isinstance(bot, type):
        which = f"bot {name}: " if name else ""
        raise BotError(f"{which}a bot is a function or an object that can be called, not {_line(repr(bot)):.60}")
    name = name or _own_name(bot)
    if any(map(_is_async, (bot, inspect.getattr_static(type(bot), "__call__", None)))):
        raise BotError(f"bot {name:.80}: it is async; a bot answers at once, by def without async")
    if name in BOTS or len(name) > _MOST_LETTERS or not all(map(_NAME.fullmatch, name.split(":"))):
        raise BotError(
            f"bot {name!r:.60}: its name must be letters, digits, _ and ., at most {_MOST_LETTERS} of them, and none of"
            f" {', '.join(BOTS)}"
        )
    identity = f"{name}@{source_hash(bot, name)}"
    _KNOWN[identity] = bot  # the newest of that source answers: a notebook's cell may have been run again
    return identity


def _is_async(function: Any) -> bool:
    return inspect.iscoroutinefunction(function) or inspect.isasyncgenfunction(function)


def _line(text: str) -> str:
    return " ".join(text.split())


def _own_name(bot: Any) -> str:
    while isinstance(bot, partial):
        bot = bot.func
    thing = bot if hasattr(bot, "__qualname__") else type(bot)
    own = thing.__qualname__.replace("<locals>.", "").replace("<lambda>", "lambda_")
    return own if thing.__module__ == "__main__" else f"{thing.__module__}:{own}"


@cache
def names() -> tuple[str, ...]:
    """Names of the bots that installed packages offer (entry points of the group ``gdmj.bots``), sorted."""
    return tuple(sorted({point.name for point in entry_points(group=GROUP)}))


def resolve(name: Bot) -> str:
    """Return what names a bot in a plan: a bot of the project as it is, any other by its identity.

    Parameters
    ----------
    name
        A bot itself; the name of one of the project, of an installed one, or ``module:attribute``, which is imported;
        or an identity.

    Raises
    ------
    BotError
        One line: no such bot, or it is not the one of that hash.
    """
    if not isinstance(name, str):
        return add(name)
    if is_own(name):
        try:
            bot_codes([name])
        except ValueError as error:
            raise BotError(str(error)) from None
        return name
    if name in _KNOWN:
        return name
    plain, _, digest = name.partition("@")
    if digest:
        return _same(name, add(_installed(plain), plain)) if plain in names() else _absent(name)
    if plain in names():
        return add(_installed(plain), plain)
    if ":" in plain:
        return add(_imported(plain), plain)
    own = [identity for identity in _KNOWN if identity.partition("@")[0] == plain]
    if own:
        return own[-1]
    offered = ", ".join([*BOTS, *names()])
    raise BotError(f"unknown bot {name!r:.60}; allowed: {offered}, module:attribute, or tips such as ukeire+T02")


def line_up(bots: Bot | Sequence[Bot]) -> tuple[str, str, str, str]:
    """Return the names of four bots in a plan, from one for all seats or four.

    Raises
    ------
    BotError
        For another number, and what `resolve` refuses.
    """
    listed = [bots] if isinstance(bots, str) or callable(bots) else list(bots)
    if len(listed) not in (1, 4):
        raise BotError(f"bots: one bot or four are needed, not {len(listed)}")
    a, b, c, d = [resolve(bot) for bot in listed] * (4 // len(listed))
    return a, b, c, d


def import_bots(identities: Iterable[str]) -> None:
    """Import the bots of a plan that comes from a trusted place: a worker gets them from who started it.

    Raises
    ------
    BotError
        Where one is not here, or another one of that name.
    """
    for identity in identities:
        plain, _, digest = identity.partition("@")
        if digest and identity not in _KNOWN and ":" in plain:
            _same(identity, add(_imported(plain), plain))


def _same(wanted: str, found: str) -> str:
    if wanted != found:
        raise BotError(f"bot {wanted}: its source has changed since, here it is {found}")
    return found


def _absent(identity: str) -> str:
    plain = identity.partition("@")[0]
    here = [known for known in _KNOWN if known.partition("@")[0] == plain]
    if here:
        return _same(identity, here[-1])
    how = f"name it with --bots {plain}" if ":" in plain else "define it again and pass it to analysis.add_bot"
    raise BotError(f"bot {identity} is not here; {how}, if you trust it")


def _installed(name: str) -> Callable[..., Any]:
    (point, *_) = [point for point in entry_points(group=GROUP) if point.name == name]
    return _loaded(name, point.load)


def _imported(name: str) -> Callable[..., Any]:
    """Import ``module:attribute``; the working folder is searched last."""
    module, _, attribute = name.partition(":")
    if not _NAME.fullmatch(module) or not _NAME.fullmatch(attribute):
        raise BotError(f"bot {name!r:.60}: module:attribute is needed, such as my_bots:careful")

    def load() -> Any:
        found: Any = importlib.import_module(module)
        for part in attribute.split("."):
            found = getattr(found, part)
        return found

    here = os.getcwd()
    added = here not in sys.path
    if added:
        sys.path.append(here)
        importlib.invalidate_caches()
    try:
        return _loaded(name, load)
    finally:
        if added:
            sys.path.remove(here)


def _loaded(name: str, load: Callable[[], Any]) -> Callable[..., Any]:
    bot = _tried(load, f"bot {name}: cannot be imported")
    # a class is a bot that is made without settings
    found: Callable[..., Any] = _tried(bot, f"bot {name}: cannot be made") if isinstance(bot, type) else bot
    return found


def _tried(make: Callable[[], Any], told: str) -> Any:
    """Call what others wrote; all that it raises is told in one line, also that it wants to end the process."""
    try:
        return make()
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise BotError(f"{told} ({_line(f'{type(error).__name__}: {error}'):.200})") from error


def address(identity: str) -> int:
    """Address of a bot's entry, compiled when it is asked for first.

    Raises
    ------
    BotError
        For a bot that is not here, or does not compile.
    """
    from sim.user_bots import entries  # which import much of `sim`

    if "@" not in identity:  # a plan read from a file must not make anything be imported
        raise BotError(f"unknown bot {identity!r:.60}; allowed: {', '.join(BOTS)}")
    with _LOCK:
        resolve(identity)
        if identity not in _ENTRIES:
            if is_compiled(_KNOWN[identity]):
                _ENTRIES[identity] = entries.of_kernel(_KNOWN[identity], identity)
            else:
                _ENTRIES[identity] = entries.of_python(lambda view: _KNOWN[identity](view))
        return _ENTRIES[identity][0]


def name_of(entry: int) -> str:
    """Identity of the bot whose entry lies at an address."""
    return next((identity for identity, (place, _) in _ENTRIES.items() if place == entry), "?")
