"""What a user bot is made of: a hash of its source, so that a log names the very bot that played it."""

from __future__ import annotations

import hashlib
import inspect
import sys
from collections.abc import Callable
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

from sim.user_bots.fault import BotError

_DIGITS = 8


def python_function(bot: Any) -> Any:
    """Return the Python function behind one that numba compiled, else the bot itself."""
    return getattr(bot, "py_func", bot)


def is_compiled(bot: Any) -> bool:
    """Whether numba compiled it."""
    return hasattr(bot, "py_func")


def source_hash(bot: Callable[..., Any], name: str) -> str:
    """Hash of a bot's source and settings, eight hex digits.

    Of what lies in a file the whole file counts; of what was defined in a session (a notebook) the function or class,
    and the functions, classes and plain values of the session that it names. An object's attributes count as well.

    Raises
    ------
    BotError
        For attributes that are not plain values.
    """
    digest = hashlib.sha256(b"compiled" if is_compiled(bot) else b"python")
    _take(digest, python_function(bot), name, set())
    return digest.hexdigest()[:_DIGITS]


def _take(digest: Any, thing: Any, name: str, seen: set[int]) -> None:
    if id(thing) in seen:
        return
    seen.add(id(thing))
    if not isinstance(thing, FunctionType | type):
        digest.update(_plain(vars(thing), f"bot {name}: its attributes").encode())
        _take(digest, type(thing), name, seen)
        return
    module = sys.modules.get(thing.__module__)
    file = getattr(module, "__file__", None)
    if file is not None and thing.__module__ != "__main__":
        with open(file, "rb") as stream:
            digest.update(stream.read())
        if isinstance(thing, FunctionType) and thing.__closure__:
            cells = [cell.cell_contents for cell in thing.__closure__]
            digest.update(_plain(cells, f"bot {name}: what it encloses").encode())
        return
    digest.update(_text(thing))
    functions = [thing] if isinstance(thing, FunctionType) else [f for f in vars(thing).values() if callable(f)]
    for function in filter(lambda f: isinstance(f, FunctionType), functions):
        for cell in function.__closure__ or ():
            _take_value(digest, cell.cell_contents, name, seen)
        for used in function.__code__.co_names:
            _take_value(digest, function.__globals__.get(used), name, seen)


def _take_value(digest: Any, value: Any, name: str, seen: set[int]) -> None:
    """Add what a function of a session names: its own functions and classes, and plain values."""
    value = python_function(value)
    if isinstance(value, ModuleType) or value is None:
        return
    if isinstance(value, FunctionType | type):
        if value.__module__ == "__main__":
            _take(digest, value, name, seen)
        return
    try:
        digest.update(_plain(value, "").encode())
    except BotError:
        return  # a module's object, a compiled kernel: not of the session's making


def _text(thing: Any) -> bytes:
    """Source of what was defined in a session; its byte code where nobody kept the source."""
    try:
        return inspect.getsource(thing).encode()
    except (OSError, TypeError):
        code = thing.__code__ if isinstance(thing, FunctionType) else None
        return repr((thing.__name__, code.co_code, code.co_consts) if code else thing.__qualname__).encode()


def _plain(value: Any, what: str) -> str:
    """Write plain data in a form that is the same in every process.

    Raises
    ------
    BotError
        For anything else.
    """
    if value is None or isinstance(value, bool | int | float | str):
        return repr(value)
    if isinstance(value, np.ndarray | np.generic):
        return f"{value.dtype}{np.shape(value)}{hashlib.sha256(value.tobytes()).hexdigest()}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(_plain(item, what) for item in value)}]"
    if isinstance(value, set | frozenset):
        return f"{{{', '.join(sorted(_plain(item, what) for item in value))}}}"
    if isinstance(value, dict):
        pairs = sorted((_plain(key, what), _plain(item, what)) for key, item in value.items())
        return f"{{{', '.join(f'{key}: {item}' for key, item in pairs)}}}"
    raise BotError(
        f"{what} must be numbers, texts, lists or arrays, so that a hash can tell it from another: {value!r:.60}"
    )
