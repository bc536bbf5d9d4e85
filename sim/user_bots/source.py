"""What a user bot is made of: a hash of its source, so that a log names the very bot that played it."""

from __future__ import annotations

import hashlib
import inspect
import sys
from collections.abc import Callable, Iterator
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

from sim.user_bots.fault import BotError

_DIGITS = 8
_SESSION = "__main__"


def is_compiled(bot: Any) -> bool:
    """Whether numba compiled it."""
    return hasattr(bot, "py_func")


def source_hash(bot: Callable[..., Any], name: str) -> str:
    """Hash of a bot's source and settings, eight hex digits.

    Of what lies in a file the whole file counts; of what was defined in a session (a notebook) the function or class,
    and the functions, classes and plain values of the session that it names. An object's attributes count as well, and
    what a function encloses.

    Raises
    ------
    BotError
        For attributes or enclosed things that are not plain values or functions.
    """
    digest = hashlib.sha256(b"compiled" if is_compiled(bot) else b"python")
    for part in _parts(bot, name, set()):
        digest.update(part)
    return digest.hexdigest()[:_DIGITS]


def _parts(thing: Any, name: str, seen: set[int]) -> Iterator[bytes]:
    """Yield what a bot, a function or a class is made of."""
    thing = getattr(thing, "py_func", thing)  # of numba: the Python behind it
    if id(thing) in seen:
        return
    seen.add(id(thing))
    if isinstance(thing, FunctionType):
        yield from _function_parts(thing, name, seen)
    elif isinstance(thing, type):
        yield _text(thing)
        if thing.__module__ == _SESSION:
            for member in vars(thing).values():
                if isinstance(member, FunctionType):
                    yield from _function_parts(member, name, seen)
    else:
        yield _plain(vars(thing), f"bot {name}: its attributes").encode()
        yield from _parts(type(thing), name, seen)


def _function_parts(function: FunctionType, name: str, seen: set[int]) -> Iterator[bytes]:
    yield function.__qualname__.encode()
    yield _text(function)
    enclosed = [cell.cell_contents for cell in function.__closure__ or ()]
    for value in (*enclosed, *(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()):
        value = getattr(value, "py_func", value)
        if isinstance(value, FunctionType):
            yield _code(value.__code__).encode()  # several may stand in one file under one name
        if isinstance(value, FunctionType | type):
            yield from _parts(value, name, seen)
        else:
            yield _plain(value, f"bot {name}: what it encloses").encode()
    if function.__module__ == _SESSION:
        for used in function.__code__.co_names:
            yield from _named(function.__globals__.get(used), name, seen)


def _named(value: Any, name: str, seen: set[int]) -> Iterator[bytes]:
    """Yield what a function of a session names: its own functions and classes, and plain values."""
    value = getattr(value, "py_func", value)
    if isinstance(value, FunctionType | type):
        if value.__module__ == _SESSION:
            yield from _parts(value, name, seen)
    elif not isinstance(value, ModuleType):
        try:
            yield _plain(value, "").encode()
        except BotError:
            return  # a library's object


def _text(thing: Any) -> bytes:
    """Source: of a file the whole file, of a session that of the thing; its byte code where nobody kept the source."""
    file = getattr(sys.modules.get(thing.__module__), "__file__", None)
    if file is not None and thing.__module__ != _SESSION:
        with open(file, "rb") as stream:
            return stream.read()
    try:
        return inspect.getsource(thing).encode()
    except (OSError, TypeError):
        return (_code(thing.__code__) if isinstance(thing, FunctionType) else thing.__qualname__).encode()


def _code(code: CodeType) -> str:
    consts = [_code(const) if isinstance(const, CodeType) else repr(const) for const in code.co_consts]
    return repr((code.co_code, consts, code.co_names))


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
        f"{what} must be numbers, texts, lists, arrays or functions, so that a hash can tell it from another:"
        f" {value!r:.60}"
    )
