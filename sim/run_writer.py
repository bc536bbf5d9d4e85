"""One run's folder from what is there already to the manifest: what may be kept, what is refused, what comes last.

Finished shards lie beside their entries until the manifest takes the entries' place (`sim.logs`, `sim.shards`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sim.lock import Lock
from sim.logs import LogError, Sink, to_json, write_entry
from sim.manifest import MANIFEST, ManifestError, Shard, differing, entry_name, is_entry, totals
from sim.shards import MixedError, faults, missing, own_facts, recorded, without_overlap
from sim.store import Folder, Store, StoreError, open_store

_SHARD_FILE = re.compile(r"(?:hands|pool|sums|events)-\d{10}\.parquet", re.ASCII)


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
            self._store.write(MANIFEST, to_json(manifest))
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


def remove_run(out: Path) -> None:
    """Remove a run's files: the manifest, entries and shards; other files stay."""
    store = Folder(out)
    for name in store.names():
        if name == MANIFEST or is_entry(name) or _SHARD_FILE.fullmatch(name):
            store.remove(name)
