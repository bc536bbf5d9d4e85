"""Many tables at once: tasks of a few tables on worker threads, results in order, shards written as they fill.

Kernels release the interpreter lock, so plain threads run them in parallel; a shard is written while the next one is
played. The order of tasks, not of threads, decides where rows go: columns do not depend on threads or chunk size.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.codec import Columns, encode
from sim.event_log import EventBuffer
from sim.flags import to_flags
from sim.jit import cache_root, is_cached
from sim.logs import HandLog, LogError, Sink, provenance, write_shard
from sim.manifest import Shard
from sim.policy import bot_codes
from sim.policy.entries import state_for
from sim.rules import Rules
from sim.run_writer import RunWriter
from sim.schema import MAX_WINNERS, MODES, N_ROW_COLUMNS, N_WIN_COLUMNS
from sim.session import play_tables
from sim.shards import missing
from sim.store import Store
from sim.tables import load as load_tables
from sim.user_bots import raise_fault

MAX_TASK_HANDS = 1 << 15  # of one task: bounds memory, and the wait after Ctrl-C
MAX_TRACED_HANDS = 1 << 10  # the same where events are kept, some 20 kB a hand
MAX_HANDS_PER_TABLE = 65_536
NO_TRACE = np.zeros((0, 4), np.int64)
_ROTATIONS = 4


class PlanError(ValueError):
    """A run that cannot be planned; the message is one line."""


def whole_number(value: Any, what: str) -> int:
    """Return a whole number, numpy's too, as Python's, which manifests can hold.

    Raises
    ------
    PlanError
        For anything else.
    """
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        raise PlanError(f"{what}: must be a whole number, not {value!r:.60}")
    return int(value)


def checked_seed(seed: Any) -> int:
    """Return a seed that a run can have.

    Raises
    ------
    PlanError
        Unless it is a whole number from 0 to 2^63 - 1.
    """
    found = whole_number(seed, "seed")
    if not 0 <= found < 1 << 63:
        raise PlanError(f"seed: must be from 0 to 2^63 - 1, not {found}")
    return found


@dataclass(frozen=True)
class Plan:
    """What to play. All rows of a run are a function of these fields alone.

    ``n_hands`` in duplicate mode counts every rotation and is rounded up to whole blocks of four.
    """

    rules: Rules
    n_hands: int
    bots: tuple[str, ...]
    seed: int = 1
    mode: str = "session"
    hands_per_table: int = 64

    def __post_init__(self) -> None:
        """Check every field.

        Raises
        ------
        PlanError
            Field, what is allowed, what was given.
        """
        if self.mode not in MODES:
            raise PlanError(f"mode: allowed are {', '.join(MODES)}, not {self.mode!r}")
        for field, what in (("n_hands", "hands"), ("hands_per_table", "hands per table")):
            object.__setattr__(self, field, whole_number(getattr(self, field), what))
        object.__setattr__(self, "seed", checked_seed(self.seed))
        if not 1 <= self.n_hands <= 1 << 40:
            raise PlanError(f"hands: must be from 1 to 2^40, not {self.n_hands}")
        if not 1 <= self.hands_per_table <= MAX_HANDS_PER_TABLE:
            raise PlanError(f"hands per table: must be from 1 to {MAX_HANDS_PER_TABLE}, not {self.hands_per_table}")
        if len(self.bots) != 4:
            raise PlanError(f"bots: one name for all seats or four, not {len(self.bots)}")
        try:
            bot_codes(self.bots)
        except ValueError as error:
            raise PlanError(f"bots: {error}") from None
        if self.n_tables > 1 << 32:
            raise PlanError("hands: more than 2^32 tables; play more hands per table")

    @property
    def table_hands(self) -> int:
        """Hands of one table; the four rotations in duplicate mode."""
        return _ROTATIONS if self.mode == "duplicate" else self.hands_per_table

    @property
    def n_tables(self) -> int:
        """Tables of the whole run; in session mode the last one may be shorter."""
        return -(-self.n_hands // self.table_hands)

    def hands_of(self, first_table: int, n_tables: int) -> int:
        """Hands of a range of tables."""
        total = self.n_tables * _ROTATIONS if self.mode == "duplicate" else self.n_hands
        return min((first_table + n_tables) * self.table_hands, total) - first_table * self.table_hands

    def facts(self, first_table: int, n_tables: int, level: str = "hand") -> dict[str, Any]:
        """Provenance of a range of tables."""
        return provenance(
            self.rules,
            seed=self.seed,
            mode=self.mode,
            bots=self.bots,
            hands_per_table=self.table_hands,
            n_hands=self.hands_of(first_table, n_tables),
            first_table=first_table,
            n_tables=n_tables,
            level=level,
        )


class Rows(NamedTuple):
    """What the kernel wrote: rows, winners (n, 3, N_WIN_COLUMNS), winners of each hand, the last hand's moves."""

    rows: NDArray[np.int64]
    wins: NDArray[np.int64]
    n_wins: NDArray[np.int64]
    trace: NDArray[np.int64]


class Batch(NamedTuple):
    """Stored columns of a range of tables (`sim.codec`), and at level ``trace`` their events."""

    hands: Columns
    pool: Columns
    events: Columns


class Player:
    """Plays ranges of tables of one plan on the calling thread; one state for each thread."""

    def __init__(self, plan: Plan, level: str = "hand") -> None:
        self._plan = plan
        self._with_events = level == "trace"
        self.rules = to_flags(plan.rules)
        self._tables = load_tables()
        self._bots = np.array(bot_codes(plan.bots), np.int64)
        self._local = threading.local()

    def rows(self, first_table: int, n_tables: int, n_hands: int, trace: NDArray[np.int64] = NO_TRACE) -> Rows:
        """Play ``n_hands`` hands of each of some tables; ``trace`` (n, 4) takes the moves of the last hand."""
        if not hasattr(self._local, "state"):
            self._local.state = state_for(self._bots.tolist(), with_events=self._with_events)
            self._local.events = EventBuffer()
        state, events = self._local.state, self._local.events
        rows = np.empty((n_tables * n_hands, N_ROW_COLUMNS), np.int64)
        wins = np.zeros((n_tables * n_hands, MAX_WINNERS, N_WIN_COLUMNS), np.int64)
        n_wins = np.empty(n_tables * n_hands, np.int64)
        for _ in range(2):  # a second time where the events were more than there was room for
            if self._with_events:
                events.attach(state, n_tables * n_hands)
            n_trace = play_tables(
                state, self.rules, self._tables, first_table, n_tables, n_hands, self._plan.seed,
                MODES.index(self._plan.mode), self._bots, rows, wins, n_wins, trace,
            )  # fmt: skip
            raise_fault(state)
            if not self._with_events or events.holds(state):
                break
        return Rows(rows, wins, n_wins, trace[:n_trace])

    def events(self) -> Columns:
        """Events of the hands that this thread played last; none but at level ``trace``."""
        return self._local.events.columns(self._local.state) if self._with_events else {}

    def play(self, first_table: int, n_tables: int) -> Batch:
        """Play whole tables (the run's last one may be shorter) and return their stored columns."""
        size = self._plan.table_hands
        whole, rest = divmod(self._plan.hands_of(first_table, n_tables), size)
        pieces = [(first_table, whole, size)] if whole else []
        if rest:
            pieces.append((first_table + whole, 1, rest))
        parts = []
        try:
            for piece in pieces:
                rows = self.rows(*piece)
                parts.append(Batch(*encode(self._plan.rules, *rows[:3]), self.events()))
        except OverflowError as error:
            tables = f"tables {first_table} to {first_table + n_tables - 1}"
            raise PlanError(f"{tables}: a hand cannot be logged, {error}; lower the rule set's prices") from None
        return Batch(*(_join([part[i] for part in parts]) for i in range(len(Batch._fields))))


def _join(parts: list[Columns]) -> Columns:
    return parts[0] if len(parts) == 1 else {k: np.concatenate([p[k] for p in parts]) for k in parts[0]}


def warm_up(plan: Plan, on_message: Callable[[str], None] | None = None) -> float:
    """Compile the kernels, or load them from the cache; return the seconds it took.

    Raises
    ------
    PlanError
        When they cannot be kept in the cache folder.
    """
    start = time.perf_counter()
    if on_message and not is_cached(play_tables):
        on_message("compiling kernels (once for each version of the code, about half a minute) ...")
    try:
        Player(plan).play(0, 1)
    except OSError as error:
        place = f"{cache_root()}: compiled kernels cannot be kept there"
        raise PlanError(f"{place} ({error.strerror or error}); set GDMJ_CACHE_DIR to another folder") from None
    return time.perf_counter() - start


def shard_tables(plan: Plan, shard: tuple[int, int]) -> tuple[int, int]:
    """First table and number of tables of part i of n (from 1)."""
    index, n = shard
    if not 1 <= index <= n:
        raise PlanError(f"shard: i/n needs 1 <= i <= n, not {index}/{n}")
    first, last = plan.n_tables * (index - 1) // n, plan.n_tables * index // n
    if first == last:
        raise PlanError(f"shard: {plan.n_tables} tables cannot be split into {n} parts")
    return first, last - first


Range = tuple[int, int]  # first table and number of tables


def _tasks(shards: Iterable[Range], chunk: int) -> Iterator[tuple[int, int, Range]]:
    """Cut shards into ranges of tables, each with its shard."""
    for shard in shards:
        first, end = shard[0], shard[0] + shard[1]
        while first < end:
            n = min(chunk, end - first)
            yield first, n, shard
            first += n


def play_shards(
    plan: Plan,
    store: Store,
    shards: Iterable[Range],
    sink: Sink,
    *,
    threads: int = 1,
    chunk: int = 64,
    progress: Callable[[int], None] | None = None,
    finished: Callable[[Shard], None] | None = None,
) -> None:
    """Play shards in order and write each when it is full, while the next one is played.

    Parameters
    ----------
    threads, chunk, progress
        As in `simulate`.
    finished
        Called with each shard that is on disk.

    Raises
    ------
    sim.logs.LogError
        One line; shards that were finished are kept, as they are when the caller is interrupted.
    """
    player = Player(plan, sink.level)
    most = max((MAX_TRACED_HANDS if sink.level == "trace" else MAX_TASK_HANDS) // plan.table_hands, 1)
    tasks = _tasks(shards, min(chunk, most))
    pending: deque[tuple[Future[Batch], int, int, Range]] = deque()
    piece: list[Batch] = []
    n_piece = 0
    workers = ThreadPoolExecutor(threads)
    disk = ThreadPoolExecutor(1)
    writing: Future[None] | None = None

    def store_piece(batches: list[Batch], ended: Range | None) -> None:
        sink.take(batches)
        if ended:
            shard = write_shard(store, plan.facts(*ended, sink.level), sink.frames())
            if finished:
                finished(shard)

    try:
        while True:
            while len(pending) < 2 * threads and (task := next(tasks, None)):
                pending.append((workers.submit(player.play, task[0], task[1]), *task))
            if not pending:
                break
            future, first, n, shard = pending.popleft()
            batch = future.result()
            piece.append(batch)
            n_piece += len(batch.hands["table"])
            if progress:
                progress(len(batch.hands["table"]))
            is_last = first + n == shard[0] + shard[1]
            if is_last or n_piece >= sink.piece_hands:
                if writing:
                    writing.result()
                writing = disk.submit(store_piece, piece, shard if is_last else None)
                piece, n_piece = [], 0
        if writing:
            writing.result()
    finally:
        workers.shutdown(wait=True, cancel_futures=True)
        disk.shutdown(wait=True)


def simulate(
    plan: Plan,
    out: str | Path | Store,
    *,
    threads: int = 1,
    chunk: int = 64,
    shard: tuple[int, int] = (1, 1),
    resume: bool = False,
    sink: Sink | None = None,
    play: Callable[..., None] = play_shards,
    progress: Callable[[int], None] | None = None,
    opened: Callable[[int, list[str]], None] | None = None,
) -> dict[str, Any]:
    """Play a plan, or part i of n of its tables, and write the log.

    Parameters
    ----------
    out
        Folder of the run. A finished run of the same plan there is kept and returned; another one is refused.
    threads
        Worker threads.
    chunk
        Tables for one task; a task never has more than MAX_TASK_HANDS hands or one table.
    resume
        Play only what an unfinished, damaged or shorter run of the same plan in ``out`` lacks.
    sink
        What is kept of the hands: all of them unless given.
    play
        What plays the shards: `play_shards` here, or what stands in for it (`sim.cluster`).
    progress
        Called with the hands played since the last call.
    opened
        Called once, before anything is played, with the hands that are there and a line for each damaged shard.

    Returns
    -------
    dict
        The manifest.

    Raises
    ------
    PlanError, sim.logs.LogError
        One line.
    """
    threads, chunk = whole_number(threads, "threads"), whole_number(chunk, "chunk")
    if not 1 <= threads <= 1024:
        raise PlanError(f"threads: must be from 1 to 1024, not {threads}")
    if chunk < 1:
        raise PlanError(f"chunk: must be at least 1 table, not {chunk}")
    sink = sink or HandLog()
    first_table, n_tables = shard_tables(plan, shard)
    writer = RunWriter(out, plan.facts(first_table, n_tables, sink.level), resume=resume)
    try:
        n_kept = sum(shard.n_hands for shard in writer.kept)
        if opened:
            opened(n_kept, writer.notes)
        if writer.manifest:
            return writer.manifest
        per_shard = max(sink.shard_hands // plan.table_hands, 1)
        todo = missing(first_table, first_table + n_tables, writer.kept, per_shard)
        play(plan, writer.store, todo, sink, threads=threads, chunk=chunk, progress=progress, finished=writer.add)
        return writer.finish(sink)
    finally:
        writer.close()


__all__ = ["LogError", "Plan", "PlanError", "Player", "simulate", "warm_up"]
