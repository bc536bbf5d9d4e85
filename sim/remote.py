"""A run in an object store (``s3://bucket/run`` and whatever else fsspec knows), with the operations of `sim.store`.

An object appears whole or not at all, so files are written in a local scratch folder and sent. There is no lock: two
runs of one plan write the same bytes, and two plans in one place are noticed by their facts. Polars reads the files
there; for S3 both sides take keys, region and end point from the usual ``AWS_`` variables.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from sim.store import Store, StoreError


def open_remote(url: str) -> Store:
    """Return the store at a URL.

    Raises
    ------
    StoreError
        When the package for it is missing, or the kind of URL is unknown.
    """
    scheme = url.partition("://")[0]
    try:
        import fsspec

        filesystem, path = fsspec.core.url_to_fs(url, skip_instance_cache=True)
    except ImportError:
        raise StoreError(f'{url}: needs packages that are not installed: pip install "gdmj[cloud]"') from None
    except ValueError:
        raise StoreError(f"{url}: unknown kind of place {scheme!r:.20}") from None
    filesystem.use_listings_cache = False
    return Remote(scheme, filesystem, path.rstrip("/"))


class Remote(Store):
    """A prefix in an object store."""

    def __init__(self, scheme: str, filesystem: Any, path: str) -> None:
        self._scheme, self._files, self._path = scheme, filesystem, path

    def __str__(self) -> str:
        return f"{self._scheme}://{self._path}"

    def _ask(self, operation: str, *args: Any, **options: Any) -> Any:
        """Call the file system; whatever its client raises becomes an OSError, so that callers know one kind."""
        try:
            return getattr(self._files, operation)(*args, **options)
        except OSError:
            raise
        except Exception as error:
            raise OSError(f"{self}: {str(error).splitlines()[0][:200]}") from None

    def _listed(self, kind: str) -> list[str]:
        self._files.invalidate_cache()
        try:
            found = self._ask("ls", self._path, detail=True)
        except FileNotFoundError:
            return []
        names = (entry["name"].rstrip("/").rsplit("/", 1)[-1] for entry in found if entry["type"] == kind)
        return sorted(name for name in names if name and name != self._path.rsplit("/", 1)[-1])

    def names(self) -> list[str]:
        """List the files."""
        return self._listed("file")

    def folders(self) -> list[Store]:
        """List the sub-folders."""
        return [self.child(name) for name in self._listed("directory") if name[0] not in "._"]

    def child(self, name: str) -> Store:
        """Return a sub-folder."""
        return Remote(self._scheme, self._files, f"{self._path}/{name}")

    def url(self, name: str) -> str:
        """Return the URL of a file."""
        return f"{self}/{name}"

    def size(self, name: str) -> int:
        """Bytes of a file."""
        return int(self._ask("info", f"{self._path}/{name}")["size"])

    def open(self, name: str) -> IO[bytes]:
        """Open a file for reading."""
        opened: IO[bytes] = self._ask("open", f"{self._path}/{name}", "rb")
        return opened

    def make(self) -> None:
        """Nothing: prefixes need no making."""

    def publish(self, file: Path, name: str) -> None:
        """Send a file."""
        self._ask("put_file", str(file), f"{self._path}/{name}")

    def remove(self, name: str) -> None:
        """Remove a file, if it is there."""
        if self._ask("exists", f"{self._path}/{name}"):
            self._ask("rm_file", f"{self._path}/{name}")

    @contextmanager
    def scratch(self) -> Iterator[Path]:
        """Make a local folder."""
        with tempfile.TemporaryDirectory(prefix="gdmj-") as folder:
            yield Path(folder)
