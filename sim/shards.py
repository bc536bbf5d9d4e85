"""Which shards of a run are there and whole, and which tables are still to be played."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import polars as pl

from sim.manifest import (
    KINDS,
    MANIFEST,
    MAX_BYTES,
    PLAN,
    ManifestError,
    Shard,
    is_entry,
    parse,
    read,
    shard_of,
    shards_of,
)
from sim.store import Store, StoreError

METADATA = "gdmj"  # key of the facts in a Parquet file's own metadata
_CHECKERS = 8
# What reading a damaged or forged Parquet file raises; Polars' panics are no Exceptions.
UNREADABLE = (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError)


class MixedError(ManifestError):
    """A folder with shards of different plans."""


def own_facts(store: Store, name: str) -> dict[str, Any] | None:
    """Read what a Parquet file says of how it was made; None where it says nothing."""
    try:
        facts = json.loads(pl.read_parquet_metadata(store.url(name)).get(METADATA, "null"))
    except (*UNREADABLE, ValueError, RecursionError):
        return None
    return facts if isinstance(facts, dict) else None


def fault(store: Store, shard: Shard, facts: Mapping[str, Any], *, content: bool = True) -> str | None:
    """Say what is wrong with a shard's files, in one line, or None.

    Sizes first, then checksums (unless ``content`` is false), then rows and the facts in the file itself.
    """
    wanted = {name: facts[name] for name in PLAN} | {"first_table": shard.first_table, "n_tables": shard.n_tables}
    for kind in KINDS[facts["level"]]:
        file = shard.files[kind]
        url = store.url(file.name)
        try:
            size = store.size(file.name)
            if size != file.bytes:
                return f"{url}: holds {size} bytes, the manifest says {file.bytes}: it was cut short or changed"
            if content and store.digest(file.name) != (file.bytes, file.sha256):
                return f"{url}: its checksum is not the manifest's, the file is damaged or another run's"
        except FileNotFoundError:
            return f"{url}: missing, although the run's manifest lists it"
        except OSError as error:
            return f"{url}: cannot be read ({error.strerror or error})"
        try:
            rows = pl.scan_parquet(url, glob=False).select(pl.len()).collect().item()
        except UNREADABLE:
            return f"{url}: cannot be read as Parquet, the file was cut short or damaged"
        if rows != file.rows:
            return f"{url}: holds {rows} rows, the manifest says {file.rows}"
        own = own_facts(store, file.name)
        if own is None:
            return f"{url}: does not say how it was made"
        if differ := [name for name, value in wanted.items() if own.get(name) != value]:
            return f"{url}: is not of this run, its {', '.join(differ)} differ from the manifest's"
    return None


def faults(
    store: Store, shards: Sequence[Shard], facts: Mapping[str, Any], *, content: bool = True
) -> Iterator[str | None]:
    """`fault` of each shard in order, several at a time."""
    with ThreadPoolExecutor(_CHECKERS) as pool:
        try:
            yield from pool.map(lambda shard: fault(store, shard, facts, content=content), shards)
        finally:
            pool.shutdown(cancel_futures=True)


def recorded(store: Store) -> tuple[dict[str, Any] | None, list[Shard], bool]:
    """Read what a folder says of itself: facts (None where nothing is recorded), shards, and whether it is finished.

    An entry that cannot be read is left out, as if its shard had not been played.

    Raises
    ------
    ManifestError
        For a manifest that cannot be read; `MixedError` for entries of different plans.
    """
    names = store.names()
    if MANIFEST in names:
        manifest = read(store)
        return manifest, shards_of(manifest), True
    facts: dict[str, Any] | None = None
    shards = []
    for name in filter(is_entry, names):
        try:
            entry = parse(store.read(name, MAX_BYTES))
            shards.append(shard_of(entry.get("shard"), entry["level"]))
        except (ManifestError, StoreError, FileNotFoundError):
            continue
        if facts and any(entry.get(fact) != facts.get(fact) for fact in PLAN):
            raise MixedError(f"{name} is of another run than the entries before it")
        facts = facts or entry
    return facts, shards, False


def without_overlap(shards: Iterable[Shard]) -> list[Shard]:
    """Shards in order, of overlapping ones the longest."""
    kept: list[Shard] = []
    for shard in sorted(shards, key=lambda shard: -shard.n_tables):
        if all(shard.end <= other.first_table or other.end <= shard.first_table for other in kept):
            kept.append(shard)
    return sorted(kept, key=lambda shard: shard.first_table)


def missing(first: int, end: int, kept: Sequence[Shard], per_shard: int) -> list[tuple[int, int]]:
    """Ranges (first table, tables) that no kept shard has, cut where the number of a table divides by ``per_shard``."""
    gaps, at = [], first
    for shard in kept:
        gaps.append((at, shard.first_table))
        at = shard.end
    gaps.append((at, end))
    ranges = []
    for low, high in gaps:
        while low < high:
            cut = min((low // per_shard + 1) * per_shard, high)
            ranges.append((low, cut - low))
            low = cut
    return ranges
