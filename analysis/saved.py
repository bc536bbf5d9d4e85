"""Sums of an unfinished run in a file, so that it can go on later."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

MAX_BYTES = 100_000_000
SECONDS = 10.0  # between two writes of a run that goes on


class SavedError(ValueError):
    """A file that holds another run's sums, or none; the message is one line."""


def read(path: Path, key: dict[str, Any]) -> dict[str, Any] | None:
    """Return what was saved under ``key``; None where there is no file yet.

    Raises
    ------
    SavedError
        When the file is of another run (which facts differ) or cannot be read.
    """
    try:
        if path.stat().st_size > MAX_BYTES:
            raise SavedError(f"{path}: larger than {MAX_BYTES} bytes, not the sums of a run")
        data = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, RecursionError) as error:
        if isinstance(error, SavedError):
            raise
        raise SavedError(f"{path}: cannot be read as the sums of a run") from None
    if not isinstance(data, dict) or not isinstance(data.get("key"), dict) or not isinstance(data.get("sums"), dict):
        raise SavedError(f"{path}: not the sums of a run")
    differ = [name for name in key if data["key"].get(name) != key[name]]
    if differ:
        raise SavedError(f"{path}: holds the sums of another run ({', '.join(differ)} differ); choose another file")
    sums: dict[str, Any] = data["sums"]
    return sums


def write(path: Path, key: dict[str, Any], sums: dict[str, Any]) -> None:
    """Write a file that `read` reads, whole or not at all."""
    partial = path.with_name(f"{path.name}.{os.getpid()}")
    partial.write_text(json.dumps({"key": key, "sums": sums}), encoding="utf-8")
    partial.replace(path)


class Saved:
    """The file of one run, or none: read at its beginning, written now and then and at its end."""

    def __init__(self, path: Path | None, key: dict[str, Any]) -> None:
        self._path, self._key = path, key
        self._written = time.monotonic()

    def read(self) -> dict[str, Any] | None:
        """Return what was saved; None without a file.

        Raises
        ------
        SavedError
            As `read`.
        """
        return read(self._path, self._key) if self._path else None

    def write(self, sums: dict[str, Any]) -> None:
        """Save, where there is a file to save to."""
        if self._path:
            write(self._path, self._key, sums)
            self._written = time.monotonic()

    def write_sometimes(self, sums: Callable[[], dict[str, Any]]) -> None:
        """Save if the last time is long enough ago."""
        if self._path and time.monotonic() - self._written > SECONDS:
            self.write(sums())
