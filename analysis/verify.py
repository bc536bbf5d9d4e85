"""Is a run what it says it is? Files against manifest, manifest against rules, and logged tables against a replay."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import polars as pl
from polars.testing import assert_frame_equal

from analysis.agg_log import AggLog
from sim import rules as rule_sets
from sim.codec import Columns
from sim.engine import Player
from sim.jit import CODE_HASH
from sim.manifest import MANIFEST, ManifestError, Shard, is_entry
from sim.packing import clear_unused
from sim.replay import plan_of
from sim.rules import RulesError
from sim.shards import UNREADABLE, faults, recorded
from sim.store import Store, StoreError

TABLES = 64  # played again unless said otherwise


class Verdict(NamedTuple):
    """What was found in one folder; ``faults`` has a line for each thing that is wrong."""

    folder: str
    level: str
    n_hands: int
    n_shards: int
    n_replayed: int  # hands
    is_finished: bool
    faults: list[str]


def runs_in(store: Store) -> list[Store]:
    """Folders with a run, finished or not: the folder itself or its sub-folders."""

    def is_run(folder: Store) -> bool:
        return any(name == MANIFEST or is_entry(name) for name in folder.names())

    return [store] if is_run(store) else [folder for folder in store.folders() if is_run(folder)]


def verify(store: Store, n_tables: int = TABLES) -> Verdict:
    """Check a run's folder.

    Every file's size, checksum, number of rows and facts; that the rules are those of their digest; and ``n_tables``
    tables against a replay with the manifest's rules, seed and bots: at levels ``hand`` and ``trace`` the first, the
    last, and others at random; at level ``agg``, which does not tell tables apart, whole shards of no more tables.
    """
    try:
        facts, shards, is_finished = recorded(store)
    except (ManifestError, StoreError, OSError) as error:
        return Verdict(str(store), "", 0, 0, 0, False, [f"{store.url(MANIFEST)}: {error}"])
    if facts is None:
        return Verdict(str(store), "", 0, 0, 0, False, [f"{store}: no shard of it can be read"])
    checked = list(zip(shards, faults(store, shards, facts), strict=True))
    found = [fault for _, fault in checked if fault is not None]
    n_replayed = 0
    rules_fault = _rules_fault(store, facts)
    if rules_fault:
        found.append(rules_fault)
    else:
        whole = [shard for shard, fault in checked if fault is None]
        replayed = _added_again if facts["level"] == "agg" else _replayed
        for n_hands, fault in replayed(store, facts, whole, n_tables):
            n_replayed += n_hands
            found += [fault] if fault else []
    n_hands = sum(shard.n_hands for shard in shards)
    return Verdict(str(store), facts["level"], n_hands, len(shards), n_replayed, is_finished, found)


def _rules_fault(store: Store, facts: dict[str, Any]) -> str | None:
    try:
        rules = rule_sets.from_dict(facts["rules"], str(store))
    except RulesError as error:
        return str(error)
    if rules.digest() != facts["rules_digest"]:
        return f"{store}: the rules are not those that were played (their digest differs)"
    return None


def _sample(shards: Sequence[Shard], n_tables: int) -> dict[int, list[int]]:
    """Tables to play again, by the index of their shard."""
    sizes = [shard.n_tables for shard in shards]
    total = sum(sizes)
    chosen = {0, total - 1} | set(random.SystemRandom().sample(range(total), min(n_tables, total)))
    tables: dict[int, list[int]] = {}
    at = 0
    for i, (shard, size) in enumerate(zip(shards, sizes, strict=True)):
        inside = sorted(place for place in chosen if at <= place < at + size)
        if inside:
            tables[i] = [shard.first_table + place - at for place in inside]
        at += size
    return tables


def _replayed(
    store: Store, facts: dict[str, Any], shards: Sequence[Shard], n_tables: int
) -> Iterator[tuple[int, str | None]]:
    """Hands of each table that was played again, and how the log differs."""
    if not shards or not n_tables:
        return
    plan = plan_of(facts | {"first_table": shards[0].first_table, "n_tables": shards[-1].end - shards[0].first_table})
    player = Player(plan, facts["level"])
    code = "" if facts["code_hash"] == CODE_HASH else " (it was played by other code)"
    for i, tables in _sample(shards, n_tables).items():
        shard = shards[i]
        urls = {kind: store.url(file.name) for kind, file in shard.files.items()}
        try:
            stored = {
                kind: pl.scan_parquet(url, glob=False).filter(pl.col("table").is_in(tables)).collect()
                for kind, url in urls.items()
            }
        except UNREADABLE:
            yield 0, f"{urls['hands']}: what is in it or in its pool cannot be read"
            continue
        for table in tables:
            batch = player.play(table, 1)
            found = {kind: frame.filter(pl.col("table") == table) for kind, frame in stored.items()}
            hands, pool, again = found["hands"], found["pool"], pl.DataFrame(batch.hands)
            expected = min(plan.table_hands, shard.n_hands - (table - shard.first_table) * plan.table_hands)
            same = (
                hands.height == expected
                and hands.schema == again.schema
                and again.head(expected).equals(clear_unused(hands))
                and pl.DataFrame(batch.pool).head(pool.height).equals(pool)
                and pool.height in (0, expected)
                and ("events" not in found or _of_hands(batch.events, expected).equals(found["events"]))
            )
            yield expected, None if same else f"{urls['hands']}: table {table} differs from its replay{code}"


def _of_hands(events: Columns, n_hands: int) -> pl.DataFrame:
    """Events of a table's first hands."""
    return pl.DataFrame(events).filter(pl.col("hand") < n_hands)


def _added_again(
    store: Store, facts: dict[str, Any], shards: Sequence[Shard], n_tables: int
) -> Iterator[tuple[int, str | None]]:
    """Hands of each shard of sums that was played again, and whether its sums differ."""
    for shard in shards:
        if shard.n_tables > n_tables:
            continue
        n_tables -= shard.n_tables
        plan = plan_of(facts | {"first_table": shard.first_table, "n_tables": shard.n_tables})
        plan = replace(plan, n_hands=shard.first_table * plan.table_hands + shard.n_hands)
        url = store.url(shard.files["sums"].name)
        sink = AggLog(plan)
        sink.take([Player(plan).play(shard.first_table, shard.n_tables)])
        try:
            assert_frame_equal(sink.frames()["sums"], pl.read_parquet(url), rel_tol=1e-9, abs_tol=1e-9)
        except (AssertionError, *UNREADABLE):
            yield shard.n_hands, f"{url}: differs from its replay"
        else:
            yield shard.n_hands, None
