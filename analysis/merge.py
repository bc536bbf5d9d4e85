"""How do the parts of a plan become one run: their files are put together as they are, or their sums are added up."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from analysis.agg_log import AggLog
from analysis.scan import Part, RunError, check_files, find_parts, joined
from sim.logs import HandLog, Sink, write_entry
from sim.manifest import Shard, differing
from sim.replay import plan_of
from sim.run_writer import RunWriter
from sim.store import Folder, Store, open_store


def parts_by_slug(places: Sequence[str | Path]) -> dict[str, list[Part]]:
    """Find the parts of each rule set in several folders, in order of their tables.

    Raises
    ------
    RunError
        When parts of one slug are of different plans.
    """
    found: dict[str, list[Part]] = {}
    for place in places:
        for part in find_parts(place)[1]:
            found.setdefault(part.rules.slug, []).append(part)
    for slug, parts in found.items():
        for part in parts[1:]:
            if names := differing(parts[0].manifest, part.manifest):
                raise RunError(
                    f"{part.store}: is of another run of {slug} than {parts[0].store} ({', '.join(names)} differ)"
                )
        parts.sort(key=lambda part: part.first_table)
    return found


def merge(parts: Sequence[Part], out: str | Path | Store) -> dict[str, Any]:
    """Make one run of the parts of one plan and return its manifest.

    The parts stay. Hands keep their files, bytes and checksums; on one file system they take no room twice.
    A merge that was stopped goes on when it is called again.

    Raises
    ------
    RunError, sim.logs.LogError
        For gaps, overlaps, damaged files, and when another run is in ``out``.
    """
    store = open_store(out)
    whole = joined(store, parts)
    if whole.first_table:
        raise RunError(f"{store}: tables 0 to {whole.first_table - 1} are in none of the parts")
    check_files(whole)
    facts = {name: value for name, value in whole.manifest.items() if name not in ("shards", "created")}
    plan = plan_of(facts)
    sink: Sink = AggLog(plan) if facts["level"] == "agg" else HandLog(level=facts["level"])
    writer = RunWriter(store, facts, resume=True)
    try:
        if writer.manifest:
            return writer.manifest
        kept = {(shard.first_table, shard.n_tables) for shard in writer.kept}
        covered = {table for shard in writer.kept for table in (shard.first_table, shard.end - 1)}
        for source, shard in whole.shards:
            if (shard.first_table, shard.n_tables) not in kept and not covered & {shard.first_table, shard.end - 1}:
                _copy(source, store, shard)
                own = {"first_table": shard.first_table, "n_tables": shard.n_tables, "n_hands": shard.n_hands}
                write_entry(store, facts | own, shard)
                writer.add(shard)
        return writer.finish(sink)
    finally:
        writer.close()


def _copy(source: Store, target: Store, shard: Shard) -> None:
    """Bring a shard's files to their new place, by a second name where that can be."""
    with target.scratch() as folder:
        for file in shard.files.values():
            if isinstance(source, Folder):
                try:
                    os.link(source.path / file.name, folder / file.name)
                except OSError:  # another file system, or one without links
                    shutil.copyfile(source.path / file.name, folder / file.name)
            else:
                with source.open(file.name) as stream, (folder / file.name).open("wb") as copy:
                    shutil.copyfileobj(stream, copy)
            target.publish(folder / file.name, file.name)
