"""Types of command-line arguments, for ``gdmj`` and for the programs that write pages and weights."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Collection
from decimal import Decimal
from pathlib import Path

_NUMBER = re.compile(r"([+-]?\d[\d_]*(?:\.\d+)?(?:e\d{1,2})?)([kmb]?)", re.ASCII)
_UNITS = {"": 1, "k": 10**3, "m": 10**6, "b": 10**9}


def count(low: int, high: int) -> Callable[[str], int]:
    """Return an argument type: a whole number from ``low`` to ``high``, also as 1e6, 1_000_000, 20k or 2m."""

    def read(text: str) -> int:
        match = _NUMBER.fullmatch(text.strip().lower())
        value = Decimal(match[1].replace("_", "")) * _UNITS[match[2]] if match else Decimal("NaN")
        if not match or value != int(value):
            raise argparse.ArgumentTypeError(
                f"a whole number is needed, such as 20000, 20k, 1e6 or 1_000_000, not {text!r:.60}"
            )
        if not low <= value <= high:
            raise argparse.ArgumentTypeError(f"a number from {low} to {high} is needed, not {text!r:.60}")
        return int(value)

    return read


def one_of(names: Collection[str]) -> Callable[[str], str]:
    """Return an argument type: one of some names."""

    def read(text: str) -> str:
        if text not in names:
            raise argparse.ArgumentTypeError(f"one of {', '.join(names)} is needed, not {text!r:.60}")
        return text

    return read


def number(low: float, high: float) -> Callable[[str], float]:
    """Return an argument type: a number from ``low`` to ``high``."""

    def read(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = float("nan")
        if not low <= value <= high:
            raise argparse.ArgumentTypeError(f"a number from {low:g} to {high:g} is needed, not {text!r:.60}")
        return value

    return read


def folder(text: str) -> Path:
    """Return a folder that there is."""
    path = Path(text)
    if not path.is_dir():
        raise argparse.ArgumentTypeError(f"{text!r:.60}: no such folder")
    return path
