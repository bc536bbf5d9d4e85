"""How runs are played: what `analysis.simulate` and ``gdmj simulate`` have in common, from a plan to a folder."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from analysis.compare.measures import MEASURES
from analysis.progress import hands_progress
from analysis.scan import open_run
from analysis.sequence import Target, reached, shortfall
from analysis.watched import FIRST_HANDS, Watched, next_hands
from sim import engine
from sim.engine import Plan
from sim.logs import Sink
from sim.shards import recorded
from sim.store import Store, open_store

DEFAULT_CHUNK = 16  # tables; 1,024 hands of default sessions, some 40 ms of work
TARGETS = tuple(MEASURES)  # what a run may know precisely before it stops


@dataclass(frozen=True)
class Work:
    """How a plan is carried out; nothing of it changes a result."""

    out: str | Path
    threads: int
    chunk: int = DEFAULT_CHUNK
    shard: tuple[int, int] = (1, 1)
    resume: bool = False
    shard_hands: int | None = None
    level: str = "hand"
    scheduler: str | None = None
    until: tuple[Target, ...] = ()
    is_quiet: bool = False


@dataclass(frozen=True)
class Played:
    """What was done: ``n_kept`` of the hands were there already; ``seconds`` None where all were; why it stopped."""

    slug: str
    folder: Store
    n_hands: int
    n_kept: int
    seconds: float | None
    stop: str = ""

    @property
    def hands_per_second(self) -> float | None:
        """Speed of what was played."""
        return (self.n_hands - self.n_kept) / self.seconds if self.seconds else None

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain data."""
        facts = {
            "variant": self.slug,
            "folder": str(self.folder),
            "hands": self.n_hands,
            "kept": self.n_kept,
            "seconds": self.seconds,
            "hands_per_second": self.hands_per_second,
        }
        return facts | ({"stop": self.stop} if self.stop else {})


def folder_of(plan: Plan, work: Work) -> Store:
    """Where a run lies; a part of a plan has a folder of its own."""
    index, n = work.shard
    slug = plan.rules.slug
    return open_store(work.out).child(slug if n == 1 else f"{slug}-{index}of{n}")


def hands_of(plan: Plan, work: Work) -> int:
    """Hands of the part that is played."""
    return plan.hands_of(*engine.shard_tables(plan, work.shard))


def play(plan: Plan, work: Work, on_fault: Callable[[str], None]) -> Played:
    """Play a plan into its folder; ``on_fault`` is told of each damaged shard that is played again.

    Raises
    ------
    sim.engine.PlanError, sim.logs.LogError, sim.store.StoreError, sim.user_bots.BotError
        One line.
    """
    return _play_until(plan, work, on_fault) if work.until else _play(plan, work, on_fault)


def _play(plan: Plan, work: Work, on_fault: Callable[[str], None], note: str = "") -> Played:
    folder, hands = folder_of(plan, work), hands_of(plan, work)
    n_kept = 0
    start = time.perf_counter()

    def opened(kept: int, faults: list[str]) -> None:
        nonlocal n_kept
        n_kept = kept
        progress.skip(kept)
        for fault in faults:
            on_fault(f"{fault}: played again")

    with hands_progress(plan.rules.slug, hands, work.is_quiet) as progress:
        progress.note(note)
        engine.simulate(
            plan,
            folder,
            threads=work.threads,
            chunk=work.chunk,
            shard=work.shard,
            resume=work.resume,
            sink=_sink(plan, work),
            play=_shards_by(work),
            progress=progress.advance,
            opened=opened,
        )
    return Played(plan.rules.slug, folder, hands, n_kept, time.perf_counter() - start if hands > n_kept else None)


def _play_until(plan: Plan, work: Work, on_fault: Callable[[str], None]) -> Played:
    """Play longer and longer runs into one folder until the precision is reached; ``plan`` names the most hands."""
    folder = folder_of(plan, work)
    there = sum(shard.n_hands for shard in recorded(folder)[1])
    watched, hands, so_far = Watched(), min(max(FIRST_HANDS, there), plan.n_hands), ""
    n_kept, seconds = None, 0.0
    while True:
        hands = min(-(-hands // plan.table_hands) * plan.table_hands, plan.n_hands)
        resume = work.resume or n_kept is not None
        part = _play(replace(plan, n_hands=hands), replace(work, resume=resume), on_fault, so_far)
        n_kept = part.n_kept if n_kept is None else n_kept
        seconds += part.seconds or 0.0
        watched.add(open_run(str(folder))[0])
        looks = watched.looks()
        seen = {t.measure: looks[t.measure] for t in work.until}
        so_far = ", ".join(f"{name} {look.value:.4g} ± {look.half:.3g}" for name, look in seen.items())
        if reached(work.until, looks) or hands >= plan.n_hands:
            is_precise = reached(work.until, looks)
            stop = "precision reached" if is_precise else f"all hands were played{shortfall(work.until, looks)}"
            return Played(
                plan.rules.slug, folder, hands, n_kept, seconds if hands > n_kept else None, f"{stop}: {so_far}"
            )
        hands = next_hands(hands, work.until, looks, plan.n_hands)


def _sink(plan: Plan, work: Work) -> Sink:
    """Return what keeps the hands, or their sums."""
    if work.level == "agg":
        from analysis.agg_log import SHARD_HANDS, AggLog

        return AggLog(plan, work.shard_hands or SHARD_HANDS)
    from sim.logs import HandLog

    return HandLog(work.shard_hands, work.level)


def _shards_by(work: Work) -> Callable[..., None]:
    """Return what plays the shards."""
    if work.scheduler is None:
        return engine.play_shards
    from sim.cluster import play_on

    return partial(play_on, work.scheduler)
