"""Is an argument what its name asks for: limits that commands and functions share, and refusals of one line."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Mapping, Sequence
from numbers import Integral, Real
from pathlib import Path
from typing import TYPE_CHECKING, Any, SupportsInt, TypeGuard

if TYPE_CHECKING:
    from analysis.scan import Run

MAX_HANDS = 10**12
MAX_SEED = 2**63 - 1
MAX_THREADS = 4096
MAX_LENGTH = 65_535  # hands of a table or session
MIN_SESSIONS, MAX_SESSIONS = 2, 10**8
MAX_BANKROLL = 10**12


class RequestError(ValueError):
    """An argument that cannot be used; the message is one line: its name, what is needed, what was given."""


def shown(value: object) -> str:
    """Begin of what was given, on one line."""
    return " ".join(repr(value).split())[:60]


def whole(name: str, value: object, low: int, high: int) -> int:
    """Return a whole number from ``low`` to ``high``, also where it is numpy's or written as 1e6.

    Raises
    ------
    RequestError
        For anything else.
    """
    number = int(value) if _is_whole(value) else None
    if number is None:
        raise RequestError(f"{name}: a whole number is needed, such as 20_000 or 1e6, not {shown(value)}")
    if not low <= number <= high:
        raise RequestError(f"{name}: a number from {low:,} to {high:,} is needed, not {shown(value)}")
    return number


def _is_whole(value: object) -> TypeGuard[SupportsInt]:
    if isinstance(value, bool) or not isinstance(value, Real):
        return False
    return isinstance(value, Integral) or (math.isfinite(value) and float(value).is_integer())


def hands(value: object) -> int:
    """Return a number of hands to play."""
    return whole("hands", value, 1, MAX_HANDS)


def seed(value: object) -> int:
    """Return a seed."""
    return whole("seed", value, 0, MAX_SEED)


def length(name: str, value: object) -> int:
    """Return a number of hands of a table or session."""
    return whole(name, value, 1, MAX_LENGTH)


def threads(value: object) -> int:
    """Return a number of threads; all CPUs for None."""
    from analysis.threads import available_threads

    return available_threads() if value is None else whole("threads", value, 1, MAX_THREADS)


def real(name: str, value: object) -> float:
    """Return a number that is neither infinite nor NaN."""
    if isinstance(value, bool) or not isinstance(value, Real):
        raise RequestError(f"{name}: a number is needed, not {shown(value)}")
    number = int(value) if isinstance(value, Integral) else float(value)
    if not abs(number) < math.inf:
        raise RequestError(f"{name}: a number is needed, not {shown(value)}")
    return number


def bankrolls(value: object) -> list[float]:
    """Return amounts of money, from one or several."""
    listed = value if isinstance(value, Iterable) and not isinstance(value, str) else [value]
    found = [real("bankroll", one) for one in listed]
    for amount in found:
        if not 0 < amount <= MAX_BANKROLL:
            raise RequestError(f"bankroll: numbers above 0, at most {MAX_BANKROLL:,}, are needed, not {amount!r:.60}")
    return found


def text(name: str, value: object) -> str:
    """Return a text."""
    if not isinstance(value, str):
        raise RequestError(f"{name}: a text is needed, not {shown(value)}")
    return value


def changes(value: object) -> Mapping[str, Any] | None:
    """Return changed fields of a rule set."""
    if value is not None and not (isinstance(value, Mapping) and all(isinstance(path, str) for path in value)):
        raise RequestError(
            f"set: fields and their values are needed, such as {{'horses.count': 4}}, not {shown(value)}"
        )
    return value


def place(name: str, value: object) -> Path | str:
    """Return a path, or a URL as it is."""
    if not isinstance(value, str | os.PathLike) or isinstance(value, bytes):
        raise RequestError(f"{name}: a path is needed, not {shown(value)}")
    return value if isinstance(value, str) else Path(value)


def run(name: str, value: object) -> Run:
    """Return one run."""
    (one,) = runs(name, value if not isinstance(value, Sequence) or isinstance(value, str) else [value])
    return one


def runs(name: str, value: object) -> list[Run]:
    """Return one run or several as a list."""
    from analysis.scan import Run, RunError

    listed = list(value) if isinstance(value, Iterable) and not isinstance(value, str) else [value]
    found = [one for one in listed if isinstance(one, Run)]
    for one in listed:
        if not isinstance(one, Run):
            hint = ", such as open_run(path)[0]" if isinstance(one, str | os.PathLike | list | tuple) else ""
            raise RunError(f"{name}: a run is needed{hint}, not {shown(one)}")
    if not found:
        raise RunError(f"{name}: at least one run is needed")
    return found
