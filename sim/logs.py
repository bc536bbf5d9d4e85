"""Logs on disk: Parquet shards with their provenance, and a manifest that lists them.

A run is a folder ``RUN/<slug>/`` with ``hands-00000.parquet``, ``pool-00000.parquet``, ... and ``manifest.json``.
Files are written under ``_tmp/``, flushed to disk and moved into place; the manifest comes last, and readers read
nothing but what it lists. Files hold the columns of `sim.codec`; `scan` gives those of `sim.schema`.
"""

from __future__ import annotations

import json
import os
import platform
import shutil
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from sim.codec import Columns, decode_hands, decode_wins
from sim.jit import CODE_HASH
from sim.manifest import FORMAT, MANIFEST, file_digest
from sim.rules import Rules

_ROW_GROUP = 1 << 18


class LogError(ValueError):
    """A folder that cannot be written or read as a run; the message is one line."""


class Log(NamedTuple):
    """A run's log as pipelines see it."""

    hands: pl.LazyFrame  # HAND_COLUMNS
    wins: pl.LazyFrame  # WIN_COLUMNS
    pool: pl.LazyFrame  # table, hand and POOL_COLUMNS, of a sample of tables (sim.codec.in_pool_sample)


def scan(folder: Path, manifest: Mapping[str, Any], rules: Rules) -> Log:
    """Scan the shards that a manifest lists."""
    stored = pl.scan_parquet([folder / shard["hands"] for shard in manifest["shards"]])
    pool = pl.scan_parquet([folder / shard["pool"] for shard in manifest["shards"]])
    return Log(decode_hands(stored, rules), decode_wins(stored), pool)


def _version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:  # run from a source tree that is not installed
        return "unknown"


def provenance(
    rules: Rules,
    *,
    seed: int,
    mode: str,
    bots: Sequence[str],
    hands_per_table: int,
    n_hands: int,
    first_table: int,
    n_tables: int,
) -> dict[str, Any]:
    """All that a run is a function of, and the versions that made it."""
    return {
        "format": FORMAT,
        "rules": rules.to_dict(),
        "rules_digest": rules.digest(),
        "seed": seed,
        "mode": mode,
        "bots": list(bots),
        "n_hands": n_hands,
        "n_tables": n_tables,
        "first_table": first_table,
        "hands_per_table": hands_per_table,
        "code_hash": CODE_HASH,
        "versions": {
            **{name: _version(name) for name in ("gdmj", "numpy", "numba", "polars")},
            "python": platform.python_version(),
        },
    }


class RunWriter:
    """Writes one run's folder shard by shard."""

    def __init__(self, out: Path, facts: dict[str, Any]) -> None:
        self._out = out
        self._facts = facts
        self._shards: list[dict[str, Any]] = []
        self._tmp = out / f"_tmp-{os.getpid()}"
        self._lock = out / "_lock"
        try:
            if (out / MANIFEST).exists():
                raise LogError(
                    f"{out}: holds another finished run ({_difference(out, facts)} differ); choose another folder or"
                    " remove it"
                )
            out.mkdir(parents=True, exist_ok=True)
            _take_lock(self._lock)
            for old in out.glob("_tmp-*"):
                shutil.rmtree(old, ignore_errors=True)
            self._tmp.mkdir()
        except OSError as error:
            raise LogError(f"{out}: cannot be written ({error.strerror})") from None

    def write_shard(self, hands: Sequence[Columns], pool: Sequence[Columns], first_table: int, n_tables: int) -> None:
        """Write the next shard from pieces in order."""
        index = len(self._shards)
        entry: dict[str, Any] = {"first_table": first_table, "n_tables": n_tables, "sha256": {}}
        for kind, pieces in (("hands", hands), ("pool", pool)):
            name = f"{kind}-{index:05d}.parquet"
            columns = {key: np.concatenate([p[key] for p in pieces]) for key in pieces[0]}
            entry[kind] = name
            entry[f"n_{kind}"] = len(columns["table"])
            entry["sha256"][name] = self._write(name, pl.DataFrame(columns))
        self._shards.append(entry)

    def _write(self, name: str, frame: pl.DataFrame) -> str:
        partial = self._tmp / name
        try:
            frame.write_parquet(
                partial,
                compression="zstd",
                compression_level=9,
                row_group_size=_ROW_GROUP,
                metadata={"gdmj": json.dumps(self._facts, ensure_ascii=False)},
            )
            digest = file_digest(partial)
            with partial.open("rb") as file:
                os.fsync(file.fileno())
            partial.replace(self._out / name)
        except OSError as error:
            raise LogError(f"{self._out / name}: cannot be written ({error.strerror or error})") from None
        return digest

    def finish(self) -> dict[str, Any]:
        """Write the manifest and return it."""
        manifest = {
            **self._facts,
            "created": datetime.now(UTC).isoformat(timespec="seconds"),
            "shards": self._shards,
        }
        partial = self._tmp / MANIFEST
        try:
            partial.write_text(json.dumps(manifest, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
            partial.replace(self._out / MANIFEST)
        except OSError as error:
            raise LogError(f"{self._out / MANIFEST}: cannot be written ({error.strerror or error})") from None
        return manifest

    def close(self) -> None:
        """Remove what is temporary and let other runs write here; harmless when done twice."""
        shutil.rmtree(self._tmp, ignore_errors=True)
        self._lock.unlink(missing_ok=True)


def _difference(out: Path, facts: dict[str, Any]) -> str:
    """Names of the facts in which a folder's run differs from another one."""
    manifest = read_manifest(out)
    names = [name for name, value in facts.items() if manifest.get(name) != value]
    return ", ".join(names) or "its files"


def read_manifest(out: Path) -> dict[str, Any]:
    """Return the manifest in a folder, empty when there is none that can be read."""
    try:
        manifest = json.loads((out / MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return manifest if isinstance(manifest, dict) else {}


def remove_run(out: Path) -> None:
    """Remove a finished run's files, those that its manifest lists and the manifest; other files stay."""
    shards = read_manifest(out).get("shards", [])
    names = [name for shard in shards if isinstance(shard, dict) for name in shard.get("sha256", {})]
    for name in (MANIFEST, *names):
        if Path(name).name == name:
            (out / name).unlink(missing_ok=True)


def _take_lock(lock: Path) -> None:
    """Create the lock file with this process's number, or say who holds it; a dead process's lock is taken over."""
    try:
        with lock.open("x", encoding="utf-8") as file:
            file.write(str(os.getpid()))
        return
    except FileExistsError:
        pass
    try:
        holder = int(lock.read_text(encoding="utf-8"))
        os.kill(holder, 0)
    except (ValueError, ProcessLookupError):
        lock.write_text(str(os.getpid()), encoding="utf-8")
        return
    except (OSError, OverflowError):
        holder = 0
    raise LogError(f"{lock.parent}: another run is writing here (process {holder}); if it is not, remove {lock}")


def finished(out: Path, facts: dict[str, Any]) -> dict[str, Any] | None:
    """Return the manifest in ``out`` when it is a finished run of the same facts, else None."""
    manifest = read_manifest(out)
    if any(manifest.get(key) != value for key, value in facts.items()):
        return None
    try:
        for shard in manifest["shards"]:
            for name, digest in shard["sha256"].items():
                if file_digest(out / name) != digest:
                    raise LogError(f"{out / name}: damaged; remove {out} to play the run again")
    except OSError as error:
        raise LogError(f"{error.filename}: {error.strerror}; remove {out} to play the run again") from None
    return manifest
