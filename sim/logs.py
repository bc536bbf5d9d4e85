"""Logs on disk: Parquet shards with their provenance, kept as they are finished, and a manifest that lists them.

A run is a folder ``RUN/<slug>/``. At level ``hand`` each shard is two files, ``hands-0000000000.parquet`` and
``pool-0000000000.parquet``, named by their first table; at level ``trace`` ``events-0000000000.parquet`` stands
beside them. A file has its name only when it is whole and on disk; then
comes the shard's entry, ``shard-0000000000.json``, and with the last shard ``manifest.json``, which takes the entries'
place. So whatever stops a run, its finished shards stay known. Readers open nothing but what the manifest lists.
Files hold the columns of `sim.codec`; `scan` gives those of `sim.schema`.
"""

from __future__ import annotations

import hashlib
import io
import json
import platform
from collections.abc import Mapping, Sequence
from importlib import metadata
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np
import polars as pl

from sim.codec import Columns, decode_hands, decode_wins
from sim.jit import CODE_HASH
from sim.manifest import (
    FORMAT,
    KINDS,
    File,
    Shard,
    entry_name,
    file_name,
    shards_of,
    totals,
)
from sim.packing import fill_unused
from sim.rules import Rules
from sim.shards import METADATA
from sim.store import Store

# Hands of a shard by level: what a killed run loses at most, and what is held in memory (events: some 20 kB a hand).
SHARD_HANDS = {"hand": 1 << 20, "trace": 1 << 13}
_ROW_GROUP = 1 << 18
_LEVEL = 1  # of zstd: 9 takes 1.5 times as long for the same bytes a hand, 13 three times as long for 2 % fewer

Frames = dict[str, pl.DataFrame]


class LogError(ValueError):
    """A folder that cannot be written or read as a run; the message is one line."""


class Log(NamedTuple):
    """A run's log as pipelines see it."""

    hands: pl.LazyFrame  # HAND_COLUMNS
    wins: pl.LazyFrame  # WIN_COLUMNS
    pool: pl.LazyFrame  # table, hand and POOL_COLUMNS, of a sample of tables (sim.codec.in_pool_sample)


def scan(folder: Path, manifest: Mapping[str, Any], rules: Rules) -> Log:
    """Scan the shards that a manifest lists."""
    shards = shards_of(manifest)
    stored = pl.scan_parquet([folder / shard.files["hands"].name for shard in shards])
    pool = pl.scan_parquet([folder / shard.files["pool"].name for shard in shards])
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
    level: str,
) -> dict[str, Any]:
    """All that a run is a function of, and the versions that made it."""
    return {
        "format": FORMAT,
        "level": level,
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


class Sink(Protocol):
    """What becomes of the hands of a shard: batches go in, in order, and the shard's files come out."""

    level: str
    shard_hands: int  # hands of one shard
    piece_hands: int  # hands after which `take` is called

    def take(self, batches: Sequence[tuple[Columns, ...]]) -> None:
        """Take the next stored hands, pools and events (`sim.engine.Batch`)."""

    def frames(self) -> Frames:
        """Files of the hands taken since the last call, by kind."""

    def fold(self, store: Store, shards: Sequence[Shard], facts: dict[str, Any]) -> list[Shard]:
        """Make fewer shards of a finished run's, where they can be added up."""


class HandLog:
    """Level ``hand``: every hand is kept. Level ``trace``: every decision of it, too."""

    def __init__(self, shard_hands: int | None = None, level: str = "hand") -> None:
        self.level = level
        self.shard_hands = self.piece_hands = shard_hands or SHARD_HANDS[level]
        self._batches: list[tuple[Columns, ...]] = []

    def take(self, batches: Sequence[tuple[Columns, ...]]) -> None:
        """Keep them."""
        self._batches += batches

    def frames(self) -> Frames:
        """Hands, pools and events one after the other."""
        batches, self._batches = self._batches, []
        joined = {}
        for i, kind in enumerate(KINDS[self.level]):
            pieces = [batch[i] for batch in batches]
            joined[kind] = pl.DataFrame({name: np.concatenate([p[name] for p in pieces]) for name in pieces[0]})
        return joined | {"hands": fill_unused(joined["hands"])}

    def fold(self, store: Store, shards: Sequence[Shard], facts: dict[str, Any]) -> list[Shard]:
        """Hands do not add up."""
        return list(shards)


def write_shard(store: Store, facts: Mapping[str, Any], frames: Frames) -> Shard:
    """Write one shard's files, then its entry.

    Parameters
    ----------
    facts
        Provenance of the shard itself, which is all that its bytes depend on.

    Raises
    ------
    LogError
        When it cannot be written; what is there already stays.
    """
    files: dict[str, File] = {}
    first = facts["first_table"]
    name = entry_name(first)
    try:
        with store.scratch() as folder:
            for kind, frame in frames.items():
                name = file_name(kind, first)
                files[kind] = _write_parquet(folder / name, frame, facts)
            for file in files.values():
                store.publish(folder / file.name, file.name)
        name = entry_name(first)
        shard = Shard(first, facts["n_tables"], facts["n_hands"], files)
        write_entry(store, facts, shard)
    except OSError as error:
        raise LogError(f"{store.url(name)}: cannot be written ({error.strerror or error})") from None
    return shard


def _write_parquet(path: Path, frame: pl.DataFrame, facts: Mapping[str, Any]) -> File:
    """Write a file by way of memory: Polars, writing by itself, does not say why the system refused."""
    buffer = io.BytesIO()
    frame.write_parquet(
        buffer,
        compression="zstd",
        compression_level=_LEVEL,
        row_group_size=_ROW_GROUP,
        metadata={METADATA: json.dumps(facts, ensure_ascii=False)},
    )
    data = buffer.getbuffer()
    path.write_bytes(data)
    return File(path.name, frame.height, len(data), hashlib.sha256(data).hexdigest())


def write_entry(store: Store, facts: Mapping[str, Any], shard: Shard) -> None:
    """Record a shard as finished."""
    entry = {**facts, **totals([shard])}
    entry["shard"] = entry.pop("shards")[0]
    store.write(entry_name(shard.first_table), to_json(entry))


def to_json(value: object) -> bytes:
    """Return a manifest or an entry as it is stored."""
    return (json.dumps(value, ensure_ascii=False, indent=1) + "\n").encode()
