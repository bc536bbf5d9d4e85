"""The manifest of a run: its file name, format and checksums, without what reading or writing logs needs."""

from __future__ import annotations

import hashlib
from pathlib import Path

FORMAT = 1
MANIFEST = "manifest.json"


def file_digest(path: Path) -> str:
    """SHA-256 of a file, hex."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
