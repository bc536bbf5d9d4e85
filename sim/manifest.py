"""What a run's manifest says, and whether it can be true: facts, shards, files and their checksums.

``manifest.json`` lists the shards of a finished run. While a run is played, each finished shard has a small file of
its own, an *entry*, with the same facts. Both may come from strangers: everything read is checked here, and nothing
but plain file names in the run's own folder is ever opened.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from sim.schema import MODES
from sim.store import Store

FORMAT = 3
MANIFEST = "manifest.json"
LEVELS = ("hand", "agg", "trace")
# Files of a shard at each level.
KINDS = {"hand": ("hands", "pool"), "agg": ("sums",), "trace": ("hands", "pool", "events")}
# Facts that all shards of one run share; mixing different ones would mix different experiments.
PLAN = ("format", "level", "rules", "rules_digest", "seed", "mode", "bots", "hands_per_table", "code_hash")
MAX_BYTES = 1 << 26  # of a manifest: some 150,000 shards

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}", re.ASCII)
_ENTRY = re.compile(r"shard-\d{10}\.json", re.ASCII)
_SHA256 = re.compile(r"[0-9a-f]{64}", re.ASCII)
_TYPES: dict[str, type] = {"rules": dict, "rules_digest": str, "seed": int, "bots": list, "code_hash": str}


class ManifestError(ValueError):
    """A manifest that cannot be one of this program; the message is one line without the file's name."""


class File(NamedTuple):
    """One Parquet file: plain name, rows, size in bytes, SHA-256 as hex."""

    name: str
    rows: int
    bytes: int
    sha256: str


class Shard(NamedTuple):
    """A range of whole tables (the run's last one may be shorter) and its files by kind."""

    first_table: int
    n_tables: int
    n_hands: int
    files: dict[str, File]

    @property
    def end(self) -> int:
        """Number of the table after the last one."""
        return self.first_table + self.n_tables

    def to_dict(self) -> dict[str, Any]:
        """Return the form that manifests hold."""
        files = {kind: file._asdict() for kind, file in self.files.items()}
        return {**self._asdict(), "files": files}


def file_name(kind: str, first_table: int) -> str:
    """Name of a shard's file: by its first table, so that parts of one plan never collide and sort in order."""
    return f"{kind}-{first_table:010d}.parquet"


def entry_name(first_table: int) -> str:
    """Name of the entry of a finished shard in an unfinished run."""
    return f"shard-{first_table:010d}.json"


def is_entry(name: str) -> bool:
    """Whether a file is the entry of a shard."""
    return _ENTRY.fullmatch(name) is not None


def _is_count(value: object, limit: int = 1 << 62) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= limit


def _file(value: object) -> File:
    match value:
        case {"name": str(name), "rows": rows, "bytes": size, "sha256": str(sha256)}:
            plain = _NAME.fullmatch(name) and name != MANIFEST and _SHA256.fullmatch(sha256)
            if plain and _is_count(rows) and _is_count(size):
                return File(name, rows, size, sha256)
    raise ManifestError("a shard does not name its files, sizes, rows and checksums")


def shard_of(value: object, level: str) -> Shard:
    """Read a shard of a manifest.

    Raises
    ------
    ManifestError
        Unless everything in it is of the right type and range.
    """
    match value:
        case {"first_table": first, "n_tables": n, "n_hands": n_hands, "files": dict(files)}:
            limit = 1 << 32
            if _is_count(first, limit) and _is_count(n, limit) and n > 0 and _is_count(n_hands, 1 << 48):
                if set(files) != set(KINDS[level]):
                    raise ManifestError(f"a shard must have the files {', '.join(KINDS[level])}")
                return Shard(first, n, n_hands, {kind: _file(files[kind]) for kind in KINDS[level]})
    raise ManifestError("a shard does not name its tables, hands and files")


def parse(data: bytes) -> dict[str, Any]:
    """Read JSON with the facts of a plan; numbers, names and types are checked, the rule set is not.

    Raises
    ------
    ManifestError
        When it cannot be a manifest or an entry of this version.
    """
    try:
        facts = json.loads(data.decode("utf-8"))
    except (ValueError, RecursionError):
        raise ManifestError("not valid JSON, the run was cut short or damaged") from None
    if not isinstance(facts, dict) or "format" not in facts:
        raise ManifestError("not the manifest of a run (it names no format)")
    if facts["format"] != FORMAT or isinstance(facts["format"], bool):
        raise ManifestError(f"format {facts['format']!r:.20} cannot be read, this version reads {FORMAT}")
    for name, kind in _TYPES.items():
        if not isinstance(facts.get(name), kind) or isinstance(facts[name], bool):
            raise ManifestError(f"field {name!r} is missing or of the wrong type")
    for name, allowed in (("mode", MODES), ("level", LEVELS)):
        if facts.get(name) not in allowed:
            raise ManifestError(f"{name} {facts.get(name)!r:.20} is not one of {', '.join(allowed)}")
    if len(facts["bots"]) != 4 or not all(isinstance(bot, str) and len(bot) < 100 for bot in facts["bots"]):
        raise ManifestError("field 'bots' must be four names")
    if not 0 <= facts["seed"] < 1 << 63:
        raise ManifestError("field 'seed' must be from 0 to 2^63 - 1")
    if not _is_count(facts.get("hands_per_table"), 1 << 16) or facts["hands_per_table"] == 0:
        raise ManifestError("field 'hands_per_table' must be from 1 to 65536")
    return facts


def read(store: Store) -> dict[str, Any]:
    """Read a finished run's manifest; its shards are checked to follow each other.

    Raises
    ------
    ManifestError, OSError
        When it is missing or cannot be true.
    """
    manifest = parse(store.read(MANIFEST, MAX_BYTES))
    found = manifest.get("shards")
    if not isinstance(found, list) or not found:
        raise ManifestError("the run has no hands")
    shards = [shard_of(value, manifest["level"]) for value in found]
    if any(before.end != after.first_table for before, after in pairwise(shards)):
        raise ManifestError("the shards do not follow each other")
    names = [file.name for shard in shards for file in shard.files.values()]
    if len(set(names)) != len(names):
        raise ManifestError("two shards name the same file")
    check_hands(manifest, shards)
    return manifest | totals(shards)


def check_hands(manifest: Mapping[str, Any], shards: Sequence[Shard]) -> None:
    """Check that hands follow from tables: all are whole but, in session mode, the run's last one.

    Raises
    ------
    ManifestError
        Unless they do.
    """
    size = manifest["hands_per_table"]
    for i, shard in enumerate(shards):
        full = shard.n_tables * size
        is_short = i == len(shards) - 1 and manifest["mode"] == "session" and full - size < shard.n_hands <= full
        rows = shard.files["hands"].rows if "hands" in shard.files else shard.n_hands
        is_bomb = "hands" in shard.files and shard.files["hands"].bytes < rows  # an honest hand takes some ten bytes
        if (shard.n_hands != full and not is_short) or rows != shard.n_hands or is_bomb:
            raise ManifestError(
                f"the shard of tables {shard.first_table} to {shard.end - 1} has a wrong number of hands"
            )


def shards_of(manifest: Mapping[str, Any]) -> list[Shard]:
    """Shards of a manifest that was checked."""
    return [shard_of(value, manifest["level"]) for value in manifest["shards"]]


def differing(facts: Mapping[str, Any], other: Mapping[str, Any]) -> list[str]:
    """Names of the facts in which two plans differ."""
    names = [name for name in PLAN if facts.get(name) != other.get(name)]
    return [name for name in names if name != "rules_digest" or "rules" not in names]


def totals(shards: Iterable[Shard]) -> dict[str, Any]:
    """Hands and tables of shards in order, and the shards as a manifest holds them."""
    listed = list(shards)
    return {
        "n_hands": sum(shard.n_hands for shard in listed),
        "first_table": listed[0].first_table,
        "n_tables": listed[-1].end - listed[0].first_table,
        "shards": [shard.to_dict() for shard in listed],
    }
