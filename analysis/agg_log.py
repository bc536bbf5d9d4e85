"""Level ``agg``: a run that keeps no hands, only the sums of its report (`analysis.sums`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl

from analysis import sums
from analysis.scan import Logs
from sim import codec
from sim.codec import Columns
from sim.engine import Plan
from sim.logs import Frames, write_shard
from sim.manifest import Shard, totals
from sim.store import Store

SHARD_HANDS = 1 << 22
_PIECE_HANDS = 1 << 18  # decoded at a time: some 100 MB
_TOGETHER = 4  # sums that are held until they are added up, some 40 MB each


class AggLog:
    """Adds up pieces of a shard, and in the end all shards of a run: `sim.logs.Sink`."""

    level = "agg"
    piece_hands = _PIECE_HANDS

    def __init__(self, plan: Plan, shard_hands: int = SHARD_HANDS) -> None:
        self.shard_hands = shard_hands
        self._rules = plan.rules
        self._questions = sums.asked(plan.mode, plan.bots)
        self._parts: list[dict[str, pl.DataFrame]] = []

    def take(self, batches: Sequence[tuple[Columns, ...]]) -> None:
        """Count a piece's hands."""
        stored, pool = (_joined([batch[i] for batch in batches]) for i in range(2))
        hands = codec.decode_hands(stored, self._rules).collect().lazy()
        logs = Logs(hands, codec.decode_wins(stored), pool.join(hands, on=["table", "hand"]).collect().lazy())
        counted = sums.count(logs, self._rules, self._questions)
        self._parts.append(dict(zip(counted, pl.collect_all(list(counted.values())), strict=True)))
        if len(self._parts) >= _TOGETHER:
            self._parts = [_split(sums.as_file(self._parts), self._questions)]

    def frames(self) -> Frames:
        """Return the sums of the hands taken since the last call."""
        parts, self._parts = self._parts, []
        return {"sums": sums.as_file(parts)}

    def fold(self, store: Store, shards: Sequence[Shard], facts: dict[str, Any]) -> list[Shard]:
        """Make one shard of all: its sums are those of the whole run, however long that was."""
        if len(shards) == 1:
            return list(shards)
        parts: list[dict[str, pl.DataFrame]] = []
        for shard in shards:
            parts.append(_split(pl.read_parquet(store.url(shard.files["sums"].name), glob=False), self._questions))
            if len(parts) >= _TOGETHER:
                parts = [_split(sums.as_file(parts), self._questions)]
        whole = {name: value for name, value in totals(shards).items() if name != "shards"}
        return [write_shard(store, facts | whole, {"sums": sums.as_file(parts)})]


def _joined(pieces: list[Columns]) -> pl.LazyFrame:
    return pl.DataFrame({name: np.concatenate([p[name] for p in pieces]) for name in pieces[0]}).lazy()


def _split(stored: pl.DataFrame, questions: Sequence[str]) -> dict[str, pl.DataFrame]:
    return dict(zip(questions, pl.collect_all(list(sums.of_file(stored.lazy(), questions).values())), strict=True))
