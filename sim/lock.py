"""One writer for each folder: a lock that ends with its process, however that ends."""

from __future__ import annotations

import os
import socket
from contextlib import suppress
from pathlib import Path

try:
    import fcntl

    HAS_LOCKS = True
except ImportError:  # Windows, where nothing but care keeps two runs apart
    HAS_LOCKS = False

NAME = "_lock"


class Lock:
    """Holds ``_lock`` in a folder.

    The operating system frees it with the process, so a killed run leaves a file but no lock. Its text names the
    holder, for the message only.
    """

    def __init__(self, folder: Path) -> None:
        """Take the lock.

        Raises
        ------
        BlockingIOError
            When another process has it; ``args[0]`` names the holder.
        """
        self._path = folder / NAME
        self._descriptor = self._take()
        os.ftruncate(self._descriptor, 0)
        os.pwrite(self._descriptor, f"process {os.getpid()} on {socket.gethostname()}".encode(), 0)

    def _take(self) -> int:
        while True:
            descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
            try:
                if HAS_LOCKS:
                    fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                # The holder before may have removed the file between our two calls: then this lock is of no file.
                if os.path.samestat(os.fstat(descriptor), os.stat(self._path)):
                    return descriptor
            except BlockingIOError:
                holder = os.pread(descriptor, 200, 0).decode("utf-8", "replace")
                os.close(descriptor)
                raise BlockingIOError(holder or "another process") from None
            except FileNotFoundError:
                pass
            os.close(descriptor)

    def release(self) -> None:
        """Let others write; harmless when done twice."""
        if self._descriptor < 0:
            return
        with suppress(OSError):  # the right to write here may be gone; the file alone holds nobody up
            self._path.unlink()
        os.close(self._descriptor)
        self._descriptor = -1
