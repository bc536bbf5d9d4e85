"""Logs on disk: Parquet shards with their provenance, kept as they are finished, and a manifest that lists them.

A run is a folder ``RUN/<slug>/``. At level ``hand`` each shard is two files, ``hands-0000000000.parquet`` and
``pool-0000000000.parquet``, named by their first table. A file has its name only when it is whole and on disk; then
comes the shard's entry, ``shard-0000000000.json``, and with the last shard ``manifest.json``, which takes the entries'
place. So whatever stops a run, its finished shards stay known. Readers open nothing but what the manifest lists.
Files hold the columns of `sim.codec`; `scan` gives those of `sim.schema`.
"""

from __future__ import annotations

import hashlib
import io
import json
import platform
import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np
import polars as pl

from sim.codec import Columns, decode_hands, decode_wins
from sim.jit import CODE_HASH
from sim.lock import Lock
from sim.manifest import (
    FORMAT,
    MANIFEST,
    File,
    ManifestError,
    Shard,
    differing,
    entry_name,
    file_name,
    is_entry,
    read,
    shards_of,
    totals,
)
from sim.rules import Rules
from sim.shards import METADATA, MixedError, faults, missing, own_facts, recorded, without_overlap
from sim.store import Folder, Store, StoreError, open_store

SHARD_HANDS = 1 << 20
_ROW_GROUP = 1 << 18
_SHARD_FILE = re.compile(r"(?:hands|pool|sums)-\d{10}\.parquet", re.ASCII)

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

    def take(self, batches: Sequence[tuple[Columns, Columns]]) -> None:
        """Take the next stored hands and pools."""

    def frames(self) -> Frames:
        """Files of the hands taken since the last call, by kind."""

    def fold(self, store: Store, shards: Sequence[Shard], facts: dict[str, Any]) -> list[Shard]:
        """Make fewer shards of a finished run's, where they can be added up."""


class HandLog:
    """Level ``hand``: every hand is kept."""

    level = "hand"

    def __init__(self, shard_hands: int = SHARD_HANDS) -> None:
        self.shard_hands = self.piece_hands = shard_hands
        self._batches: list[tuple[Columns, Columns]] = []

    def take(self, batches: Sequence[tuple[Columns, Columns]]) -> None:
        """Keep them."""
        self._batches += batches

    def frames(self) -> Frames:
        """Hands and pools one after the other."""
        batches, self._batches = self._batches, []
        joined = {}
        for i, kind in enumerate(("hands", "pool")):
            pieces = [batch[i] for batch in batches]
            joined[kind] = pl.DataFrame({name: np.concatenate([p[name] for p in pieces]) for name in pieces[0]})
        return joined

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
        compression_level=9,
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
    store.write(entry_name(shard.first_table), _json(entry))


def _json(value: object) -> bytes:
    return (json.dumps(value, ensure_ascii=False, indent=1) + "\n").encode()


class RunWriter:
    """Writes one run's folder shard by shard, from what is there already to the manifest.

    ``kept`` holds the shards that need not be played; ``manifest`` is set when nothing is to be done.
    """

    def __init__(self, out: str | Path | Store, facts: dict[str, Any], *, resume: bool = False) -> None:
        """Open a folder for a run of these facts.

        Parameters
        ----------
        facts
            Provenance of the whole range to be played.
        resume
            Go on with an unfinished, damaged or shorter run of the same plan.

        Raises
        ------
        LogError
            Another run is there, or is being written; or the place cannot be written.
        """
        self.kept: list[Shard] = []
        self.manifest: dict[str, Any] | None = None
        self.notes: list[str] = []
        self._facts = facts
        self._lock: Lock | None = None
        try:
            self._store = store = open_store(out)
            store.make()
            if isinstance(store, Folder):
                self._lock = _take_lock(store)
                store.remove_scratch()
            self._open(resume)
        except OSError as error:
            self.close()
            raise LogError(f"{out}: cannot be written ({error.strerror or error})") from None
        except (StoreError, LogError) as error:
            self.close()
            raise LogError(str(error)) from None
        except BaseException:
            self.close()
            raise

    def _open(self, resume: bool) -> None:
        store, facts = self._store, self._facts
        try:
            found, shards, is_finished = recorded(store)
        except ManifestError as error:
            if not resume or isinstance(error, MixedError):
                raise LogError(f"{store}: {error}; choose another folder or remove it") from None
            self.notes.append(f"{store.url(MANIFEST)}: {error}")
            found, shards, is_finished = None, [], True
        if found is None:  # what has no record is played again, unless it is somebody else's
            for name in filter(_SHARD_FILE.fullmatch, store.names()):
                own = own_facts(store, name)
                if own is not None and differing(facts, own):
                    raise LogError(f"{store}: {name} is of another run; choose another folder or remove it")
            if is_finished:
                self._reopen([])
            return
        if names := differing(facts, found):
            raise LogError(
                f"{store}: holds another run ({', '.join(names)} differ); choose another folder or remove it"
            )
        if not resume and not is_finished:
            hands = sum(shard.n_hands for shard in shards)
            raise LogError(
                f"{store}: holds an unfinished run ({hands:,} of {facts['n_hands']:,} hands); --resume goes on with it"
            )
        first, end = facts["first_table"], facts["first_table"] + facts["n_tables"]
        if shards and (shards[0].first_table < first or shards[-1].end > end or self._is_longer(shards[-1])):
            hands = sum(shard.n_hands for shard in shards)
            raise LogError(
                f"{store}: holds tables {shards[0].first_table} to {shards[-1].end - 1} ({hands:,} hands) of this plan,"
                f" more than the tables {first} to {end - 1} that are asked for; choose another folder or remove it"
            )
        whole = []
        for shard, fault in zip(shards, faults(store, shards, facts), strict=True):
            if fault is not None:
                self.notes.append(fault)
            elif shard.n_hands == self._hands_of(shard):
                whole.append(shard)
        if self.notes and not resume:
            raise LogError(f"{self.notes[0]}; --resume plays it again")
        self.kept = without_overlap(whole)
        covers = bool(self.kept) and not missing(first, end, self.kept, end)
        if is_finished and covers and len(self.kept) == len(shards):
            self.manifest = found
        elif not resume:
            raise LogError(
                f"{store}: holds {sum(s.n_hands for s in shards):,} hands of this plan; --resume extends it to"
                f" {facts['n_hands']:,}"
            )
        else:
            self._reopen(shards)

    def _is_longer(self, last: Shard) -> bool:
        return last.n_hands > self._hands_of(last)

    def _hands_of(self, shard: Shard) -> int:
        """Hands of a shard's tables in the run that is asked for."""
        size, facts = self._facts["hands_per_table"], self._facts
        return int(min(shard.end * size, facts["first_table"] * size + facts["n_hands"]) - shard.first_table * size)

    def _reopen(self, found: Sequence[Shard]) -> None:
        """Turn a manifest into entries of the shards that are kept, and forget the others."""
        store = self._store
        entries = {name for name in store.names() if is_entry(name)}
        kept = {entry_name(shard.first_table): shard for shard in self.kept}
        for name, shard in kept.items():
            facts = self._facts | {name: value for name, value in totals([shard]).items() if name != "shards"}
            if name not in entries or shard not in found:
                write_entry(store, facts, shard)
        store.remove(MANIFEST)
        for name in entries - set(kept):
            store.remove(name)
        self._sweep(self.kept)

    def _sweep(self, shards: Sequence[Shard]) -> None:
        """Remove files of shards that are not listed."""
        listed = {file.name for shard in shards for file in shard.files.values()}
        for name in self._store.names():
            if _SHARD_FILE.fullmatch(name) and name not in listed:
                self._store.remove(name)

    @property
    def store(self) -> Store:
        """Where the run is written."""
        return self._store

    def add(self, shard: Shard) -> None:
        """Take a shard that `write_shard` wrote."""
        self.kept.append(shard)

    def finish(self, sink: Sink) -> dict[str, Any]:
        """Write the manifest and return it."""
        facts = self._facts
        shards = sorted(self.kept, key=lambda shard: shard.first_table)
        if missing(facts["first_table"], facts["first_table"] + facts["n_tables"], shards, 1 << 40):
            raise AssertionError("a finished run must have all tables")
        try:
            shards = sink.fold(self._store, shards, facts)
            manifest = facts | {"created": datetime.now(UTC).isoformat(timespec="seconds")} | totals(shards)
            self._store.write(MANIFEST, _json(manifest))
            for name in filter(is_entry, self._store.names()):
                self._store.remove(name)
            self._sweep(shards)
        except OSError as error:
            raise LogError(f"{self._store.url(MANIFEST)}: cannot be written ({error.strerror or error})") from None
        self.manifest = manifest
        return manifest

    def close(self) -> None:
        """Let other runs write here; harmless when done twice."""
        if self._lock:
            self._lock.release()


def _take_lock(store: Folder) -> Lock:
    try:
        return Lock(store.path)
    except BlockingIOError as error:
        raise LogError(f"{store}: another run is writing here ({error.args[0]})") from None


def is_same_plan(out: Path, facts: Mapping[str, Any]) -> bool:
    """Whether a folder holds nothing but shards of this plan, finished or not, none of them outside its tables."""
    try:
        found, shards, _ = recorded(Folder(out))
    except (ManifestError, StoreError, OSError):
        return False
    end = facts["first_table"] + facts["n_tables"]
    hands = sum(shard.n_hands for shard in shards)
    return found is None or (not differing(facts, found) and shards[-1].end <= end and hands <= facts["n_hands"])


def read_manifest(out: Path) -> dict[str, Any]:
    """Return the manifest in a folder, empty when there is none that can be read."""
    try:
        return read(Folder(out))
    except (ManifestError, StoreError, OSError):
        return {}


def remove_run(out: Path) -> None:
    """Remove a run's files: the manifest, entries and shards; other files stay."""
    store = Folder(out)
    for name in store.names():
        if name == MANIFEST or is_entry(name) or _SHARD_FILE.fullmatch(name):
            store.remove(name)
