"""A plan's shards on a Dask cluster: who plays them, what happens when workers die, what comes back.

Shards are functions of plan and range, so any worker may play any of them, twice if need be, and the files are the
same. A worker writes its shard where the run lies (a folder that all machines share, or an object store) and sends
back its names and checksums, nothing else. `play_on` stands in for `sim.engine.play_shards`.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from copy import deepcopy
from typing import Any

from sim.engine import Plan, Range, play_shards, warm_up
from sim.jit import CODE_HASH
from sim.logs import LogError, Sink
from sim.manifest import Shard
from sim.store import Store, StoreError, open_store
from sim.user_bots import import_bots

# One process plays one shard on one thread; libraries must not start pools of their own beside it.
WORKER_ENVIRONMENT = {
    "NUMBA_NUM_THREADS": "1",
    "POLARS_MAX_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
}
TRIES = 5  # of a shard whose worker died or failed
CONNECT_SECONDS = 30
_POLL_SECONDS = 0.05
STALL_SECONDS = 3600.0  # without any shard finished


def _warm(plan: Plan) -> str:
    """Compile on a worker's machine; return the code that it has."""
    import_bots(plan.bots)
    warm_up(plan)
    return CODE_HASH


def _play(plan: Plan, place: str, shard: Range, sink: Sink, chunk: int) -> Shard:
    """Play one shard on a worker and write it."""
    import_bots(plan.bots)
    done: list[Shard] = []
    play_shards(plan, open_store(place), [shard], deepcopy(sink), threads=1, chunk=chunk, finished=done.append)
    return done[0]


def _distributed() -> Any:
    try:
        import distributed
    except ImportError:
        raise StoreError('--scheduler: needs packages that are not installed: pip install "gdmj[cluster]"') from None
    return distributed


def _local(distributed: Any, n_workers: int) -> Any:
    """Start workers that leave Ctrl-C, which a terminal sends to them too, to this process."""
    is_main = threading.current_thread() is threading.main_thread()
    before = signal.signal(signal.SIGINT, signal.SIG_IGN) if is_main else None
    try:
        return distributed.LocalCluster(
            n_workers=n_workers,
            threads_per_worker=1,
            dashboard_address=None,
            silence_logs=50,
            preload=["import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)"],  # for those started later
        )
    finally:
        if is_main:
            signal.signal(signal.SIGINT, before)


@contextmanager
def _client(scheduler: str) -> Iterator[Any]:
    """Connect to a scheduler, or start one with N workers for ``local:N``."""
    distributed = _distributed()
    import dask

    kind, _, number = scheduler.partition(":")
    with dask.config.set({"distributed.nanny.pre-spawn-environ": WORKER_ENVIRONMENT}):
        if kind == "local":
            if not number.isdecimal() or not 1 <= int(number) <= 1024:
                raise StoreError(
                    f"--scheduler: local:N needs a number of workers from 1 to 1024, not {scheduler!r:.60}"
                )
            with _local(distributed, int(number)) as cluster, distributed.Client(cluster) as client:
                yield client
            return
        try:
            client = distributed.Client(scheduler, timeout=CONNECT_SECONDS)
        except (OSError, ValueError, TimeoutError) as error:
            raise LogError(f"scheduler {scheduler}: cannot be reached ({error})") from None
        with client:
            yield client


def _warm_up(client: Any, plan: Plan, scheduler: str) -> None:
    """Let one worker of each machine compile before all start, and see that all have this code."""
    workers = client.scheduler_info(n_workers=-1)["workers"]
    if not workers:
        raise LogError(f"scheduler {scheduler}: has no workers")
    machines: dict[str, str] = {}
    for address, worker in workers.items():
        machines.setdefault(str(worker.get("host", address)), address)
    futures = {
        machine: client.submit(_warm, plan, workers=[address], pure=False, retries=TRIES, allow_other_workers=True)
        for machine, address in machines.items()
    }
    for machine, future in futures.items():
        code = future.result()
        if code != CODE_HASH:
            raise LogError(
                f"scheduler {scheduler}: the workers on {machine} have other code ({code}, here {CODE_HASH})"
            )


def play_on(
    scheduler: str,
    plan: Plan,
    store: Store,
    shards: Iterable[Range],
    sink: Sink,
    *,
    chunk: int = 64,
    progress: Callable[[int], None] | None = None,
    finished: Callable[[Shard], None] | None = None,
    threads: int = 1,
    stall_seconds: float = STALL_SECONDS,
) -> None:
    """Play shards on the workers of a scheduler; as `sim.engine.play_shards`, whose ``threads`` plays no part here.

    Parameters
    ----------
    scheduler
        Address (``tcp://host:8786``), or ``local:N`` for N processes of this machine.
    stall_seconds
        Give up when no shard was finished for so long.

    Raises
    ------
    sim.logs.LogError
        When the scheduler goes, a shard fails `TRIES` times, or a worker's files are not seen here. What was finished
        is kept.
    """
    distributed = _distributed()
    place = os.path.abspath(str(store)) if "://" not in str(store) else str(store)
    ranges = list(shards)
    with _client(scheduler) as client:
        tries = dict.fromkeys(ranges, 0)

        def submit(shard: Range) -> Any:
            tries[shard] += 1
            return client.submit(
                _play, plan, place, shard, sink, chunk,
                key=f"gdmj-{plan.rules.slug}-{shard[0]}-{shard[1]}-{os.getpid()}-{tries[shard]}",
                priority=-ranges.index(shard), pure=False,
            )  # fmt: skip

        try:
            _warm_up(client, plan, scheduler)
            running = {submit(shard): shard for shard in ranges}
            queue = distributed.as_completed(list(running))
            last = time.monotonic()
            while running:
                for future in queue.next_batch(block=False):
                    shard = running.pop(future)
                    if future.status == "finished":
                        _take(future.result(), store, progress, finished)
                        last = time.monotonic()
                    elif future.status in ("pending", "lost"):  # its answer went with a worker: it is played again
                        running[future] = shard
                        queue.add(future)
                    elif future.status == "error" and tries[shard] < TRIES:
                        again = submit(shard)
                        running[again] = shard
                        queue.add(again)
                    else:
                        raise LogError(_failed(scheduler, shard, future))
                if client.status != "running" or time.monotonic() - last > stall_seconds:
                    raise LogError(_gone(scheduler))
                time.sleep(_POLL_SECONDS)
        except (distributed.comm.CommClosedError, distributed.CancelledError):
            raise LogError(_gone(scheduler)) from None


def _take(shard: Shard, store: Store, progress: Any, finished: Any) -> None:
    for file in shard.files.values():
        try:
            found = store.size(file.name)
        except OSError:
            found = -1
        if found != file.bytes:
            raise LogError(
                f"{store.url(file.name)}: a worker wrote it, and it is not here; --out must be a folder that all"
                " machines share, or a URL"
            )
    if finished:
        finished(shard)
    if progress:
        progress(shard.n_hands)


def _gone(scheduler: str) -> str:
    return f"scheduler {scheduler}: is gone or stands still; what was finished is kept, --resume goes on"


def _failed(scheduler: str, shard: Range, future: Any) -> str:
    if future.status in ("cancelled", "lost"):
        return _gone(scheduler)
    reason = str(future.exception()).splitlines()[0][:200] if future.exception() else "no reason given"
    return f"scheduler {scheduler}: tables {shard[0]} to {shard[0] + shard[1] - 1} failed {TRIES} times ({reason})"
