"""What a run holds: opens a run's folder and gives its logs as lazy frames, with the columns reports start from."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl

from sim import codec
from sim import rules as rule_sets
from sim.manifest import FORMAT, MANIFEST, file_digest
from sim.rules import Rules, RulesError
from sim.schema import MODES, WASHOUT

N_SEATS = 4
# Hands take about 150 bytes each in memory.
IN_MEMORY_HANDS = 4_000_000
KINDS = ("hands", "pool")  # of files in a shard


class RunError(ValueError):
    """A run that cannot be read; the message is one line that names the folder or file and what is wrong."""


@dataclass(frozen=True)
class Run:
    """One rule set's logs.

    ``hands`` has a row for each hand (`sim.schema.HAND_COLUMNS`), ``wins`` a row for each winner
    (`sim.schema.WIN_COLUMNS`), ``pools`` a row for each hand whose pool of horses was logged, a sample of tables
    (`sim.schema.HAND_COLUMNS` and ``POOL_COLUMNS``).
    """

    path: Path
    rules: Rules
    manifest: dict[str, Any]
    hands: pl.LazyFrame
    wins: pl.LazyFrame
    pools: pl.LazyFrame

    @property
    def n_hands(self) -> int:
        """Hands in the log."""
        return sum(int(shard["n_hands"]) for shard in self.manifest["shards"])

    @property
    def is_session(self) -> bool:
        """Whether tables were played on, with a moving deal."""
        return bool(self.manifest["mode"] == "session")


def open_run(path: str | Path) -> list[Run]:
    """Open every rule set of a run, in the order of their slugs.

    Parts of one plan (``--shard i/n``: the same rules, seed, bots, mode, hands per table and code) become one run.

    Parameters
    ----------
    path
        Folder with a ``manifest.json``, or whose sub-folders have one.

    Raises
    ------
    RunError
        For a missing folder, no manifest, another format, a Parquet file that is missing, cut short or not what the
        manifest says, and for parts of one plan with a gap or an overlap between them.
    """
    folder = Path(path)
    if not folder.is_dir():
        raise RunError(f"{folder}: no such folder")
    found = [folder / MANIFEST] if (folder / MANIFEST).is_file() else sorted(folder.glob(f"[!._]*/{MANIFEST}"))
    if not found:
        raise RunError(f"{folder}: no {MANIFEST} in it or in its sub-folders, so it is not a finished run")
    together: dict[str, list[_Part]] = {}
    for part in map(_read, found):
        together.setdefault(part.plan(), []).append(part)
    return sorted((_open(folder, parts) for parts in together.values()), key=lambda run: run.rules.slug)


def loaded(run: Run) -> Run:
    """Return the run with its logs in memory where they are small, so that many questions read and decode them once.

    The pools always are: each of their rows is read some fifty times, and they are a sample.
    """
    small = run.n_hands <= IN_MEMORY_HANDS
    frames = collect([run.pools, run.hands, run.wins] if small else [run.pools])
    pools, *rest = [frame.lazy() for frame in frames]
    hands, wins = rest or (run.hands, run.wins)
    return replace(run, pools=pools, hands=hands, wins=wins)


class _Part(NamedTuple):
    """One folder with a manifest."""

    folder: Path
    rules: Rules
    manifest: dict[str, Any]

    def plan(self) -> str:
        """Whatever parts that belong together have in common."""
        names = ("rules_digest", "seed", "bots", "mode", "hands_per_table", "code_hash")
        return json.dumps([self.rules.slug, *(self.manifest.get(name) for name in names)])

    @property
    def first_table(self) -> int:
        return int(self.manifest["shards"][0]["first_table"])

    @property
    def end(self) -> int:
        """Number of the table after the last one."""
        last = self.manifest["shards"][-1]
        return int(last["first_table"] + last["n_tables"])


def _read(manifest_path: Path) -> _Part:
    manifest = _read_manifest(manifest_path)
    try:
        rules = rule_sets.from_dict(manifest["rules"], str(manifest_path))
    except RulesError as error:
        raise RunError(str(error)) from None
    if rules.digest() != manifest["rules_digest"]:
        raise RunError(f"{manifest_path}: the rules are not those that were played (their digest differs)")
    return _Part(manifest_path.parent, rules, manifest)


def _joined(folder: Path, parts: Sequence[_Part]) -> _Part:
    """Make one part of several in order; names of files begin with their folder's."""
    for before, after in pairwise(parts):
        if before.end != after.first_table:
            what = "overlap" if before.end > after.first_table else "leave a gap"
            raise RunError(
                f"{folder}: the parts {before.folder.name} (tables {before.first_table} to {before.end - 1}) and"
                f" {after.folder.name} ({after.first_table} to {after.end - 1}) of one plan {what}"
            )
    shards = [_renamed(shard, part.folder.name) for part in parts for shard in part.manifest["shards"]]
    totals = {
        "n_hands": sum(shard["n_hands"] for shard in shards),
        "first_table": parts[0].first_table,
        "n_tables": parts[-1].end - parts[0].first_table,
    }
    return _Part(folder, parts[0].rules, parts[0].manifest | totals | {"shards": shards})


def _renamed(shard: dict[str, Any], folder: str) -> dict[str, Any]:
    digests = {f"{folder}/{name}": digest for name, digest in shard["sha256"].items()}
    return shard | {kind: f"{folder}/{shard[kind]}" for kind in KINDS} | {"sha256": digests}


def _open(run_folder: Path, parts: list[_Part]) -> Run:
    parts.sort(key=lambda part: part.first_table)
    folder, rules, manifest = parts[0] if len(parts) == 1 else _joined(run_folder, parts)
    shards = manifest["shards"]
    stored = _scan(folder, shards, "hands", codec.stored_dtypes(rules))
    pool = _scan(folder, shards, "pool", codec.POOL_DTYPES)
    hands = codec.decode_hands(stored, rules)
    return Run(
        path=folder,
        rules=rules,
        manifest=manifest,
        hands=hands,
        wins=codec.decode_wins(stored),
        pools=pool.join(hands, on=["table", "hand"]),
    )


_FIELDS: dict[str, type | tuple[type, ...]] = {
    "rules": dict,
    "rules_digest": str,
    "seed": int,
    "mode": str,
    "bots": list,
    "shards": list,
}


def _read_manifest(path: Path) -> dict[str, Any]:
    try:
        manifest = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise RunError(f"{path}: cannot be read ({error.strerror})") from None
    except (ValueError, RecursionError):
        raise RunError(f"{path}: not valid JSON, the run was cut short or damaged") from None
    if not isinstance(manifest, dict) or "format" not in manifest:
        raise RunError(f"{path}: not the manifest of a run (it names no format)")
    if manifest["format"] != FORMAT or isinstance(manifest["format"], bool):
        raise RunError(f"{path}: format {manifest['format']!r:.20} cannot be read, this version reads {FORMAT}")
    for name, kind in _FIELDS.items():
        if not isinstance(manifest.get(name), kind):
            raise RunError(f"{path}: field {name!r} is missing or of the wrong type")
    if manifest["mode"] not in MODES:
        raise RunError(f"{path}: mode {manifest['mode']!r:.20} is not one of {', '.join(MODES)}")
    if len(manifest["bots"]) != N_SEATS or not all(isinstance(bot, str) for bot in manifest["bots"]):
        raise RunError(f"{path}: field 'bots' must be four names")
    if not all(_is_shard(shard) for shard in manifest["shards"]):
        raise RunError(f"{path}: a shard does not name its tables, files, checksums and numbers of rows")
    ends = [shard["first_table"] + shard["n_tables"] for shard in manifest["shards"]]
    if any(shard["first_table"] != end for shard, end in zip(manifest["shards"][1:], ends, strict=False)):
        raise RunError(f"{path}: the shards do not follow each other")
    if sum(shard["n_hands"] for shard in manifest["shards"]) == 0:
        raise RunError(f"{path}: the run has no hands")
    return manifest


def _is_shard(shard: object) -> bool:
    return (
        isinstance(shard, dict)
        and all(isinstance(shard.get(f"n_{kind}"), int) and shard[f"n_{kind}"] >= 0 for kind in KINDS)
        and all(isinstance(shard.get(name), int) for name in ("first_table", "n_tables"))
        and all(isinstance(shard.get(kind), str) and shard[kind] == Path(shard[kind]).name for kind in KINDS)
        and isinstance(shard.get("sha256"), dict)
        and all(shard[kind] in shard["sha256"] for kind in KINDS)
    )


def _scan(folder: Path, shards: Sequence[dict[str, Any]], kind: str, columns: Iterable[str]) -> pl.LazyFrame:
    """Check every file's footer against the manifest and scan them as one frame."""
    wanted = set(columns)
    files = [folder / shard[kind] for shard in shards]
    for file, shard in zip(files, shards, strict=True):
        _check(file, shard[f"n_{kind}"], wanted)
        if file_digest(file) != shard["sha256"][shard[kind]]:
            raise RunError(f"{file}: its checksum is not the manifest's, the file is damaged or another run's")
    return pl.scan_parquet([str(file) for file in files], glob=False)


def _check(file: Path, n_rows: int, columns: set[str]) -> None:
    if not file.is_file():
        raise RunError(f"{file}: missing, although the run's manifest lists it")
    try:
        scanned = pl.scan_parquet(str(file), glob=False)
        missing = sorted(columns - set(scanned.collect_schema().names()))
        rows = scanned.select(pl.len()).collect().item()
    except (pl.exceptions.PolarsError, OSError):
        raise RunError(f"{file}: cannot be read as Parquet, the file was cut short or damaged") from None
    if missing:
        raise RunError(f"{file}: column {missing[0]} is missing, so it is not a log of this version")
    if rows != n_rows:
        raise RunError(f"{file}: holds {rows} rows, the manifest says {n_rows}")


def collect(frames: Sequence[pl.LazyFrame]) -> list[pl.DataFrame]:
    """Run several pipelines at once, reading shared logs once.

    Raises
    ------
    RunError
        When a log turns out to be damaged inside.
    """
    try:
        return pl.collect_all(frames)
    except (pl.exceptions.ComputeError, OSError) as error:
        message = str(error).splitlines()[0]
        if "parquet" not in message.lower():
            raise
        raise RunError(f"a log cannot be read, one of its files is damaged ({message:.200})") from None


def has_won(seat: int) -> pl.Expr:
    """Whether ``seat`` is among the hand's winners."""
    return (pl.col("winners") & (1 << seat)) != 0


def at_seat(name: str, seat: pl.Expr) -> pl.Expr:
    """Value of ``name_0`` .. ``name_3`` at the seat that ``seat`` holds."""
    return (
        pl.when(seat == 0)
        .then(f"{name}_0")
        .when(seat == 1)
        .then(f"{name}_1")
        .when(seat == 2)
        .then(f"{name}_2")
        .otherwise(f"{name}_3")
    )


def ahead(seat: pl.Expr | int, origin: pl.Expr) -> pl.Expr:
    """How many seats ``seat`` sits after ``origin`` in turn order, 0..3, Int8."""
    number = seat.cast(pl.Int8) if isinstance(seat, pl.Expr) else pl.lit(seat, pl.Int8)
    return (number - origin.cast(pl.Int8) + N_SEATS) % N_SEATS


def seats(hands: pl.LazyFrame) -> pl.LazyFrame:
    """Return one row for each seat of each hand.

    Returns
    -------
    ``table, hand, seat, is_dealer, position`` (seats after the dealer), ``bot`` (place in the line-up),
    ``outcome, has_won, has_dealt_in`` (discarded to a win or was robbed) and, without their seat number,
    ``points, hand_points, kong_points, horse_points, gang_exposed, gang_added, gang_concealed, ghosts,
    shanten_deal, ready_turn, calls``.
    """
    return pl.concat([hands.select(_seat(seat)) for seat in range(N_SEATS)])


def _seat(seat: int) -> list[pl.Expr]:
    renamed = {"points": "points", "hand_points": "hand", "kong_points": "kong", "horse_points": "horse"}
    kept = ("gang_exposed", "gang_added", "gang_concealed", "ghosts", "shanten_deal", "ready_turn", "calls")
    return [
        pl.col("table"),
        pl.col("hand"),
        pl.lit(seat, pl.UInt8).alias("seat"),
        (pl.col("dealer") == seat).alias("is_dealer"),
        ahead(seat, pl.col("dealer")).cast(pl.UInt8).alias("position"),
        ahead(seat, pl.col("rotation")).cast(pl.UInt8).alias("bot"),
        pl.col("outcome"),
        has_won(seat).alias("has_won"),
        ((pl.col("outcome") != WASHOUT) & (pl.col("from_seat") == seat)).alias("has_dealt_in"),
        *(pl.col(f"{old}_{seat}").alias(new) for new, old in renamed.items()),
        *(pl.col(f"{name}_{seat}").alias(name) for name in kept),
    ]
