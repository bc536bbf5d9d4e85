"""Where a run's files lie, and how they get there whole or not at all.

A `Store` is a folder. Files are written beside their place, flushed to disk and moved, so that whatever carries its
final name is complete, even after the power went. `sim.remote` has the same operations for object stores.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import uuid
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

_SCRATCH = "_tmp-"
_BLOCK = 1 << 20


class StoreError(ValueError):
    """A place that cannot be used; the message is one line."""


class Store(ABC):
    """A folder of plain file names.

    All operations raise OSError where the place itself fails.
    """

    @abstractmethod
    def __str__(self) -> str: ...

    @abstractmethod
    def names(self) -> list[str]:
        """Names of the files, sorted; nothing if there is no such folder."""

    @abstractmethod
    def folders(self) -> list[Store]:
        """Sub-folders, sorted by name."""

    @abstractmethod
    def child(self, name: str) -> Store:
        """Return the sub-folder ``name``."""

    @abstractmethod
    def url(self, name: str) -> str:
        """Return the name by which Polars opens a file."""

    @abstractmethod
    def size(self, name: str) -> int:
        """Bytes of a file."""

    @abstractmethod
    def open(self, name: str) -> IO[bytes]:
        """Open a file for reading."""

    @abstractmethod
    def make(self) -> None:
        """Make the folder."""

    @abstractmethod
    def publish(self, file: Path, name: str) -> None:
        """Move a file of a scratch folder to its place at once; it is on disk when this returns."""

    @abstractmethod
    def remove(self, name: str) -> None:
        """Remove a file, if it is there."""

    @abstractmethod
    def scratch(self) -> Any:
        """Context manager: a local folder, for `publish`, that is gone afterwards."""

    def read(self, name: str, limit: int) -> bytes:
        """Read a small file.

        Raises
        ------
        StoreError
            When it is larger than ``limit`` bytes.
        """
        with self.open(name) as file:
            data = file.read(limit + 1)
        if len(data) > limit:
            raise StoreError(f"{self.url(name)}: larger than the {limit} bytes that are read")
        return data

    def write(self, name: str, data: bytes) -> None:
        """Write a small file at once."""
        with self.scratch() as folder:
            file = folder / name
            file.write_bytes(data)
            self.publish(file, name)

    def digest(self, name: str) -> tuple[int, str]:
        """Size and SHA-256 (hex) of a file."""
        sha256, size = hashlib.sha256(), 0
        with self.open(name) as file:
            while block := file.read(_BLOCK):
                sha256.update(block)
                size += len(block)
        return size, sha256.hexdigest()


class Folder(Store):
    """A folder of this machine."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __str__(self) -> str:
        return str(self.path)

    def names(self) -> list[str]:
        """List the files."""
        try:
            return sorted(entry.name for entry in os.scandir(self.path) if entry.is_file())
        except FileNotFoundError:
            return []

    def folders(self) -> list[Store]:
        """List the sub-folders."""
        return [Folder(path) for path in sorted(self.path.iterdir()) if path.is_dir() and path.name[0] not in "._"]

    def child(self, name: str) -> Store:
        """Return a sub-folder."""
        return Folder(self.path / name)

    def url(self, name: str) -> str:
        """Return the path of a file."""
        return str(self.path / name)

    def size(self, name: str) -> int:
        """Bytes of a file."""
        return (self.path / name).stat().st_size

    def open(self, name: str) -> IO[bytes]:
        """Open a file for reading."""
        return (self.path / name).open("rb")

    def make(self) -> None:
        """Make the folder and those above it."""
        self.path.mkdir(parents=True, exist_ok=True)

    def publish(self, file: Path, name: str) -> None:
        """Flush a file and move it to its place."""
        with file.open("rb") as opened:
            os.fsync(opened.fileno())
        file.replace(self.path / name)
        _flush(self.path)

    def remove(self, name: str) -> None:
        """Remove a file, if it is there."""
        (self.path / name).unlink(missing_ok=True)

    @contextmanager
    def scratch(self) -> Iterator[Path]:
        """Make a folder in this one, on the same file system."""
        folder = self.path / f"{_SCRATCH}{uuid.uuid4().hex}"
        folder.mkdir()
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def remove_scratch(self) -> None:
        """Remove what killed processes left; only for who holds the folder's lock."""
        for old in self.path.glob(f"{_SCRATCH}*"):
            shutil.rmtree(old, ignore_errors=True)


def _flush(folder: Path) -> None:
    """Flush a folder's names to disk, where the system can."""
    if not hasattr(os, "O_DIRECTORY"):
        return
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def open_store(place: str | Path | Store) -> Store:
    """Return the store at a path, or at a URL such as ``s3://bucket/run``.

    Raises
    ------
    StoreError
        For a URL of a kind that cannot be used.
    """
    if isinstance(place, Store):
        return place
    if isinstance(place, str) and "://" in place:
        from sim.remote import open_remote

        return open_remote(place)
    return Folder(Path(place))
