"""What a user bot is made of: a hash of its source, so that a log names the very bot that played it."""

from __future__ import annotations

import functools
import hashlib
import inspect
import sys
from collections.abc import Callable, Iterator
from pathlib import PurePath
from types import BuiltinFunctionType, CodeType, FunctionType, MemberDescriptorType, MethodType, ModuleType
from typing import Any

import numpy as np

from sim.user_bots.fault import BotError

_DIGITS = 8
_SESSION = "__main__"
_HEAP_TYPE = 1 << 9  # Py_TPFLAGS_HEAPTYPE of CPython's Include/object.h: a class that is made while Python runs
_PLAIN = (type(None), type(...), bool, int, float, complex, str, bytes)
_HOLDERS = (int, float, complex, str, bytes, list, tuple, set, frozenset, dict)
_DATA = (*_HOLDERS, np.ndarray, functools.partial)  # classes written in C whose whole state is read here
Seen = dict[int, tuple[int, Any]]  # id -> how many came before it, and the thing, so that no id is used twice


def is_compiled(bot: Any) -> bool:
    """Whether numba compiled it."""
    return hasattr(bot, "py_func")


def source_hash(bot: Callable[..., Any], name: str) -> str:
    """Hash of a bot's source and settings, eight hex digits.

    Of what lies in a file the whole file counts, of a class those of the classes that it inherits from too; of what was
    defined in a session (a notebook) the function or class, and the functions, classes and plain values of the session
    that it names. Settings count as well: an object's attributes, the object of a bound method, arguments that are
    given in advance (`functools.partial`), defaults, and what a function encloses.

    Raises
    ------
    BotError
        For what nothing can tell from another: what is written in C, or such a setting.
    """
    inner = bot
    while isinstance(inner, functools.partial):
        inner = inner.func
    if not isinstance(getattr(inner, "py_func", inner), FunctionType | MethodType) and _in_c(type(inner)):
        raise BotError(f"bot {name}: a function or an object of Python or numba is needed, not {_shown(inner)}")
    digest = hashlib.sha256(b"compiled" if is_compiled(bot) else b"python")
    try:
        for part in _parts(bot, {}):
            digest.update(b"%d:" % len(part) + part)
    except _Unknown as unknown:
        raise BotError(
            f"bot {name}: its settings (attributes, arguments, defaults, what it encloses) must be numbers, texts,"
            f" arrays, lists, sets, dicts, functions, classes or objects of Python classes, so that a hash can tell it"
            f" from another, not {_shown(unknown.args[0])}"
        ) from None
    except RecursionError:
        raise BotError(f"bot {name}: its settings are nested too deeply") from None
    return digest.hexdigest()[:_DIGITS]


class _Unknown(Exception):
    """A thing that cannot be told from another."""


def _shown(thing: Any) -> str:
    return f"{' '.join(repr(thing).split()):.60} ({type(thing).__name__})"


def _in_c(kind: type) -> bool:
    """Whether objects of a class hold what only C code can read."""
    if kind is object:
        return True  # nothing tells two of them apart
    return any(
        base not in (object, *_DATA)
        and (not base.__flags__ & _HEAP_TYPE or isinstance(vars(base).get("__new__"), BuiltinFunctionType))
        for base in kind.__mro__
    )


def _parts(thing: Any, seen: Seen) -> Iterator[bytes]:
    """Yield what a thing is made of, alike in every process; anything but plain data is told once."""
    if type(thing) in _PLAIN:
        yield repr(thing).encode(errors="backslashreplace")
        return
    thing = getattr(thing, "py_func", thing)  # of numba: the Python behind it
    if id(thing) in seen:
        yield b"again %d" % seen[id(thing)][0]
        return
    seen[id(thing)] = len(seen), thing
    if isinstance(thing, FunctionType):
        yield from _function(thing, seen)
    elif isinstance(thing, MethodType):
        yield b"method"
        yield from _parts(thing.__func__, seen)
        yield from _parts(thing.__self__, seen)
    elif isinstance(thing, type):
        yield from _class(thing, seen)
    elif isinstance(thing, ModuleType):
        yield b"module " + thing.__name__.encode()
    elif isinstance(thing, BuiltinFunctionType):
        yield f"builtin {thing.__module__}.{thing.__qualname__}".encode()
        yield from _parts(thing.__self__, seen)  # its module, class or object
    else:
        yield from _object(thing, seen)


def _object(thing: Any, seen: Seen) -> Iterator[bytes]:
    """Yield an object's class, what it holds as data, its attributes and its slots."""
    kind = type(thing)
    if isinstance(thing, np.ndarray | np.generic) and not thing.dtype.hasobject:
        yield f"{thing.dtype}{np.shape(thing)}".encode()
        yield thing.tobytes()
        if kind.__module__ == "numpy":
            return
    elif isinstance(thing, PurePath):
        yield f"{kind.__qualname__} {thing}".encode(errors="backslashreplace")
        return
    elif _in_c(kind):
        raise _Unknown(thing)
    yield from _parts(kind, seen)
    if isinstance(thing, functools.partial):
        yield from _parts([thing.func, thing.args, thing.keywords], seen)
    elif isinstance(thing, dict):
        yield from _pairs(thing, seen)
    elif isinstance(thing, set | frozenset):
        yield from sorted(_joined(item, seen) for item in thing)
        yield b"end"
    elif isinstance(thing, list | tuple):
        yield b"%d items" % len(thing)
        for item in list.__iter__(thing) if isinstance(thing, list) else tuple.__iter__(thing):
            yield from _parts(item, seen)
    elif isinstance(thing, np.ndarray):
        if thing.dtype.hasobject:
            yield from _parts(thing.tolist(), seen)
    elif base := next((base for base in _HOLDERS if isinstance(thing, base)), None):
        yield base.__repr__(thing).encode(errors="backslashreplace")
    yield from _pairs(getattr(thing, "__dict__", {}), seen)
    for owner in kind.__mro__:
        for slot, member in vars(owner).items():
            if isinstance(member, MemberDescriptorType) and owner not in _DATA:
                try:
                    value = member.__get__(thing)
                except AttributeError:
                    continue  # not set
                yield f"slot {slot}".encode()
                yield from _parts(value, seen)


def _joined(thing: Any, seen: Seen) -> bytes:
    """Hash of a member of a set or a key, which must not depend on the order of members."""
    digest = hashlib.sha256()
    for part in _parts(thing, dict(seen)):
        digest.update(b"%d:" % len(part) + part)
    return digest.digest()


def _pairs(pairs: dict[Any, Any], seen: Seen) -> Iterator[bytes]:
    yield b"%d pairs" % len(pairs)
    for key, value in sorted(((_joined(key, seen), value) for key, value in pairs.items()), key=lambda pair: pair[0]):
        yield key
        yield from _parts(value, seen)


def _class(kind: type, seen: Seen) -> Iterator[bytes]:
    """Yield a class and all that it inherits from; of Python's own library the name alone."""
    for owner in kind.__mro__:
        yield f"class {owner.__module__}.{owner.__qualname__}".encode()
        if owner.__module__.partition(".")[0] in sys.stdlib_module_names or owner.__module__ == "numpy":
            continue
        yield _text(owner)
        if owner.__module__ != _SESSION and _at_home(owner):
            continue
        for key, member in vars(owner).items():
            for part in (getattr(member, "__func__", member), *(getattr(member, f, None) for f in ("fget", "func"))):
                if isinstance(part, FunctionType):
                    yield key.encode()
                    yield from _parts(part, seen)
            if not key.startswith("__"):
                yield from _if_known(member, seen)


def _function(function: FunctionType, seen: Seen) -> Iterator[bytes]:
    yield f"function {function.__qualname__}".encode()
    yield _text(function)
    if "<" in function.__qualname__ or (function.__module__ != _SESSION and not _at_home(function)):
        yield _code(function.__code__).encode()  # several may stand in one file under one name
    for cell in function.__closure__ or ():
        try:
            value = cell.cell_contents
        except ValueError:
            continue  # not yet set
        yield from _parts(value, seen)
    yield from _parts(function.__defaults__, seen)
    yield from _parts(function.__kwdefaults__, seen)
    yield from _pairs(vars(function), seen)
    if function.__module__ == _SESSION:
        for used in _names(function.__code__):
            yield from _named(function.__globals__.get(used), seen)


def _names(code: CodeType) -> list[str]:
    """Names of globals (and attributes) in a function and the functions in it."""
    inner = [name for const in code.co_consts if isinstance(const, CodeType) for name in _names(const)]
    return [*code.co_names, *inner]


def _named(value: Any, seen: Seen) -> Iterator[bytes]:
    """Yield what a function of a session names: its own functions, classes and objects, and plain values."""
    value = getattr(value, "py_func", value)
    owner = value if isinstance(value, FunctionType | type) else type(value)
    if owner.__module__ == _SESSION or isinstance(
        value, (*_PLAIN, *_DATA, np.generic, MethodType)
    ):  # anything else is a library's
        yield from _if_known(value, seen)


def _if_known(value: Any, seen: Seen) -> Iterator[bytes]:
    try:
        yield from list(_parts(value, seen))
    except _Unknown:
        return


def _at_home(thing: Any) -> bool:
    """Whether its module leads to it by its name, so that name and file tell what it is."""
    found: Any = sys.modules.get(thing.__module__ or "")
    for part in thing.__qualname__.split("."):
        found = inspect.getattr_static(found, part, None)
        found = getattr(found, "__func__", getattr(found, "py_func", found))
    return found is thing


def _text(thing: Any) -> bytes:
    """Source: of a file the whole file, of a session that of the thing; its byte code where nobody kept the source."""
    file = getattr(sys.modules.get(thing.__module__), "__file__", None)
    if file is not None and thing.__module__ != _SESSION:
        try:
            with open(file, "rb") as stream:
                return stream.read()
        except OSError:
            pass  # in an archive, or gone
    try:
        return inspect.getsource(thing).encode()
    except (OSError, TypeError):
        return (_code(thing.__code__) if isinstance(thing, FunctionType) else thing.__qualname__).encode()


def _code(code: CodeType) -> str:
    consts = [_const(const) for const in code.co_consts]
    flow = code.co_code, code.co_exceptiontable, code.co_argcount, code.co_kwonlyargcount, code.co_flags
    return repr((*flow, consts, code.co_names, code.co_varnames, code.co_freevars))


def _const(const: Any) -> str:
    if isinstance(const, CodeType):
        return _code(const)
    if isinstance(const, tuple | frozenset):  # the order of a set is another in every process
        items = [_const(item) for item in const]
        return f"{type(const).__name__}{sorted(items) if isinstance(const, frozenset) else items}"
    return repr(const)
