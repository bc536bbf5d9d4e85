"""What a run holds: opens a run's folder and gives its logs as lazy frames, with the columns reports start from."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from analysis import checks
from sim import codec
from sim import manifest as manifests
from sim import rules as rule_sets
from sim.manifest import MANIFEST, Shard
from sim.rules import Rules, RulesError
from sim.schema import WASHOUT
from sim.shards import UNREADABLE, faults
from sim.store import Folder, Store, StoreError, open_store

N_SEATS = 4
# Hands take about 150 bytes each in memory.
IN_MEMORY_HANDS = 4_000_000


class RunError(ValueError):
    """A run that cannot be read; the message is one line that names the folder or file and what is wrong."""


class Logs(NamedTuple):
    """A run's hands, wins and pools, and at level ``trace`` its events."""

    hands: pl.LazyFrame
    wins: pl.LazyFrame
    pools: pl.LazyFrame
    traced: pl.LazyFrame | None = None


@dataclass(frozen=True)
class Run:
    """One rule set's logs, or at level ``agg`` its sums.

    ``hands`` has a row for each hand (`sim.schema.HAND_COLUMNS`), ``wins`` a row for each winner
    (`sim.schema.WIN_COLUMNS`), ``pools`` a row for each hand whose pool of horses was logged, a sample of tables
    (`sim.schema.HAND_COLUMNS` and ``POOL_COLUMNS``).
    """

    path: str | Path
    rules: Rules
    manifest: dict[str, Any]
    logs: Logs | None
    stored_sums: pl.LazyFrame | None = None  # `analysis.sums.FILE_SCHEMA`

    def __repr__(self) -> str:
        bots = self.manifest["bots"]
        who = f"4 x {bots[0]}" if len(set(bots)) == 1 else ", ".join(bots)
        return f"<Run of {self.rules.slug}: {self.n_hands:,} hands, {who}, seed {self.manifest['seed']}>"

    def _repr_html_(self) -> str:
        from analysis.api.look import run_html

        return run_html(self)

    @property
    def hands(self) -> pl.LazyFrame:
        """All hands."""
        return self._logs.hands

    @property
    def wins(self) -> pl.LazyFrame:
        """All wins."""
        return self._logs.wins

    @property
    def pools(self) -> pl.LazyFrame:
        """Hands with their pools."""
        return self._logs.pools

    @property
    def events(self) -> pl.LazyFrame:
        """All decisions in order of play (`sim.schema.EVENT_COLUMNS`; helpers in `analysis.events`)."""
        if self._logs.traced is None:
            raise RunError(f"{self.path}: holds no decisions, play it with --level trace")
        return self._logs.traced

    @property
    def _logs(self) -> Logs:
        if self.logs is None:
            raise RunError(f"{self.path}: holds sums and no hands (--level agg), so single hands cannot be read")
        return self.logs

    @property
    def n_hands(self) -> int:
        """Hands in the log."""
        return int(self.manifest["n_hands"])

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
        Folder (or URL) with a ``manifest.json``, or whose sub-folders have one.

    Raises
    ------
    RunError
        For a missing folder, no manifest, another format, a Parquet file that is missing, cut short or not what the
        manifest says, and for parts of one plan with a gap or an overlap between them.
    """
    store, parts = find_parts(path)
    together: dict[str, list[Part]] = {}
    for part in parts:
        together.setdefault(part.plan(), []).append(part)
    return sorted((_open(store, parts) for parts in together.values()), key=lambda run: run.rules.slug)


def find_parts(path: str | Path) -> tuple[Store, list[Part]]:
    """Read the manifest of a folder, or those of its sub-folders.

    Raises
    ------
    RunError
        When there is none, or one that cannot be read.
    """
    try:
        store = open_store(checks.place("path", path))
        if isinstance(store, Folder) and not store.path.is_dir():
            raise RunError(f"{store}: no such folder")
        found = [store] if MANIFEST in store.names() else [s for s in store.folders() if MANIFEST in s.names()]
    except OSError as error:
        raise RunError(f"{path}: cannot be read ({error.strerror or error})") from None
    except StoreError as error:
        raise RunError(str(error)) from None
    if not found:
        raise RunError(f"{store}: no {MANIFEST} in it or in its sub-folders, so it is not a finished run")
    return store, [read_part(store) for store in found]


def loaded(run: Run) -> Run:
    """Return the run with its logs in memory where they are small, so that many questions read and decode them once.

    The pools always are: each of their rows is read some fifty times, and they are a sample.
    """
    if run.logs is None:
        return run
    small = run.n_hands <= IN_MEMORY_HANDS
    frames = collect([run.pools, run.hands, run.wins] if small else [run.pools])
    pools, *rest = [frame.lazy() for frame in frames]
    hands, wins = rest or (run.hands, run.wins)
    return replace(run, logs=Logs(hands, wins, pools, run.logs.traced))


class Part(NamedTuple):
    """One folder with a manifest."""

    store: Store
    rules: Rules
    manifest: dict[str, Any]
    shards: list[tuple[Store, Shard]]

    def plan(self) -> str:
        """Whatever parts that belong together have in common."""
        names = ("level", "rules_digest", "seed", "bots", "mode", "hands_per_table", "code_hash")
        return json.dumps([self.rules.slug, *(self.manifest.get(name) for name in names)])

    @property
    def first_table(self) -> int:
        """Number of the first table."""
        return self.shards[0][1].first_table

    @property
    def end(self) -> int:
        """Number of the table after the last one."""
        return self.shards[-1][1].end

    @property
    def name(self) -> str:
        """Last part of the folder's name."""
        return str(self.store).rstrip("/").rsplit("/", 1)[-1]


def read_part(store: Store) -> Part:
    """Read a folder's manifest; its files are not looked at.

    Raises
    ------
    RunError
        When it cannot be read or cannot be true.
    """
    path = store.url(MANIFEST)
    try:
        manifest = manifests.read(store)
        rules = rule_sets.from_dict(manifest["rules"], path)
    except manifests.ManifestError as error:
        raise RunError(f"{path}: {error}") from None
    except OSError as error:
        raise RunError(f"{path}: cannot be read ({error.strerror or error})") from None
    except (RulesError, StoreError) as error:
        raise RunError(str(error)) from None
    if rules.digest() != manifest["rules_digest"]:
        raise RunError(f"{path}: the rules are not those that were played (their digest differs)")
    return Part(store, rules, manifest, [(store, shard) for shard in manifests.shards_of(manifest)])


def joined(store: Store, parts: Sequence[Part]) -> Part:
    """Make one part of several of one plan, in order.

    Raises
    ------
    RunError
        When they leave a gap or overlap.
    """
    for before, after in pairwise(parts):
        if before.end != after.first_table:
            what = "overlap" if before.end > after.first_table else "leave a gap"
            raise RunError(
                f"{store}: the parts {before.name} (tables {before.first_table} to {before.end - 1}) and"
                f" {after.name} ({after.first_table} to {after.end - 1}) of one plan {what}"
            )
    shards = [shard for part in parts for shard in part.shards]
    facts = parts[0].manifest | manifests.totals(shard for _, shard in shards)
    try:
        manifests.check_hands(facts, [shard for _, shard in shards])
    except manifests.ManifestError as error:
        raise RunError(f"{store}: {error}") from None
    return Part(parts[0].store if len(parts) == 1 else store, parts[0].rules, facts, shards)


def _open(run_store: Store, parts: list[Part]) -> Run:
    parts.sort(key=lambda part: part.first_table)
    part = joined(run_store, parts)
    rules = part.rules
    check_files(part)
    path = part.store.path if isinstance(part.store, Folder) else str(part.store)
    facts = part.manifest
    if facts["level"] == "agg":
        return Run(
            path,
            rules,
            facts,
            None,
            pl.scan_parquet([s.url(shard.files["sums"].name) for s, shard in part.shards], glob=False),
        )
    stored_columns = {name: np.zeros(0, dtype) for name, dtype in codec.stored_dtypes(rules).items()}
    stored = _scan(part, "hands", pl.DataFrame(stored_columns).schema)
    pool = _scan(part, "pool", codec.POOL_DTYPES)
    hands = codec.decode_hands(stored, rules)
    pools = pool.join(hands, on=["table", "hand"])
    events = _scan(part, "events", codec.EVENT_DTYPES) if facts["level"] == "trace" else None
    return Run(path, rules, facts, Logs(hands, codec.decode_wins(stored), pools, events))


def check_files(part: Part) -> None:
    """Check every file against the manifest.

    Raises
    ------
    RunError
        For the first that is not what it should be.
    """
    for store, group in groupby(part.shards, key=lambda found: found[0]):
        for fault in faults(store, [shard for _, shard in group], part.manifest):
            if fault is not None:
                raise RunError(fault)


def _scan(part: Part, kind: str, columns: Mapping[str, pl.DataType]) -> pl.LazyFrame:
    """Scan all files of a kind as one frame, if they have these columns and no others."""
    urls = [store.url(shard.files[kind].name) for store, shard in part.shards]
    for url in urls:
        try:
            found = pl.read_parquet_schema(url)
        except UNREADABLE:
            raise RunError(f"{url}: cannot be read as Parquet, the file was cut short or damaged") from None
        if wrong := sorted(name for name in {*columns, *found} if found.get(name) != columns.get(name)):
            what = "is missing" if wrong[0] not in found else "is not one of this log, or of another type"
            raise RunError(f"{url}: column {wrong[0]:.60} {what}, so it is not a log of this version")
    return pl.scan_parquet(urls, glob=False)


def collect(frames: Sequence[pl.LazyFrame]) -> list[pl.DataFrame]:
    """Run several pipelines at once, reading shared logs once.

    Raises
    ------
    RunError
        When a log turns out to be damaged inside.
    """
    try:
        return pl.collect_all(frames)
    except (pl.exceptions.ComputeError, pl.exceptions.PanicException, OSError) as error:
        message = str(error).splitlines()[0]
        if "parquet" not in message.lower() and not isinstance(error, pl.exceptions.PanicException):
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
