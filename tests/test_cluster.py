"""Shards on a Dask cluster: the same bytes, each shard once, whoever dies."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import distributed
import pytest

from analysis import cli
from analysis.agg_log import AggLog
from analysis.scan import open_run
from analysis.tables import tables
from sim import cluster
from sim.cluster import play_on
from sim.engine import Plan, simulate
from sim.logs import HandLog, LogError
from sim.rules import load
from sim.store import StoreError
from tests.test_agg import same
from tests.test_resume import files

pytestmark = pytest.mark.filterwarnings("ignore")  # of distributed's own, on workers that are killed
PLAN = Plan(load("zhuama"), 24 * 2_048, ("random",) * 4, 1, "session", 64)
SHARD = 2_048
LIMIT = 240  # seconds


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    folder = tmp_path_factory.mktemp("undisturbed")
    simulate(PLAN, folder, sink=HandLog(SHARD))
    return files(folder)


@pytest.fixture(scope="module")
def dask() -> Iterator[distributed.LocalCluster]:
    import dask as settings

    with (
        settings.config.set({"distributed.nanny.pre-spawn-environ": cluster.WORKER_ENVIRONMENT}),
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50) as started,
    ):
        yield started


def _workers(started: distributed.LocalCluster) -> list[int]:
    return [worker.pid for worker in started.workers.values() if worker.pid]


def test_two_killed_workers_cost_nothing(
    dask: distributed.LocalCluster, tmp_path: Path, undisturbed: dict[str, bytes]
) -> None:
    """24 shards; a worker is killed after the third and after the tenth."""
    done: list[int] = []
    killed: list[int] = []

    def progress(hands: int) -> None:
        done.append(hands)
        if len(done) in (3, 10):
            victim = next(pid for pid in _workers(dask) if pid not in killed)
            os.kill(victim, signal.SIGKILL)
            killed.append(victim)

    play = partial(play_on, dask.scheduler_address)
    manifest = simulate(PLAN, tmp_path, sink=HandLog(SHARD), play=play, progress=progress)
    assert len(killed) == 2
    assert done == [SHARD] * 24
    assert len(manifest["shards"]) == 24
    assert files(tmp_path) == undisturbed
    assert [path.name for path in tmp_path.glob("*.json")] == ["manifest.json"]


def test_finished_shards_that_go_with_their_worker_are_played_again(
    dask: distributed.LocalCluster, tmp_path: Path, undisturbed: dict[str, bytes]
) -> None:
    """A worker is killed while it holds the answers of shards that are finished and not yet asked for."""
    done: list[int] = []

    def progress(hands: int) -> None:
        done.append(hands)
        if len(done) == 1:
            time.sleep(1.0)
            os.kill(_workers(dask)[0], signal.SIGKILL)
            while len(dask.scheduler.workers) == 2:
                time.sleep(0.001)
            time.sleep(0.01)  # the client is told

    play = partial(play_on, dask.scheduler_address)
    simulate(PLAN, tmp_path, sink=HandLog(SHARD), play=play, progress=progress)
    assert done == [SHARD] * 24
    assert files(tmp_path) == undisturbed


def test_sums_from_a_cluster_are_those_of_one_machine(dask: distributed.LocalCluster, tmp_path: Path) -> None:
    plan = Plan(load("maima"), 3_000, ("random",) * 4, 1, "session", 16)
    simulate(plan, tmp_path / "one", sink=AggLog(plan, 500))
    play = partial(play_on, dask.scheduler_address)
    manifest = simulate(plan, tmp_path / "many", sink=AggLog(plan, 500), play=play)
    assert len(manifest["shards"]) == 1
    (one,), (many,) = open_run(tmp_path / "one"), open_run(tmp_path / "many")
    same(tables(many), tables(one))


def test_from_the_command_line(
    tmp_path: Path, undisturbed: dict[str, bytes], capsys: pytest.CaptureFixture[str]
) -> None:
    argv = ["simulate", "zhuama", "--hands", str(PLAN.n_hands), "--bots", "random", "--shard-hands", str(SHARD)]
    assert cli.main([*argv, "--scheduler", "local:2", "--out", str(tmp_path)]) == 0
    assert "49,152 hands in" in capsys.readouterr().out
    assert files(tmp_path / "zhuama") == undisturbed
    assert cli.main(["verify", str(tmp_path), "--tables", "3"]) == 0


def test_a_scheduler_that_goes_leaves_what_is_finished(tmp_path: Path, undisturbed: dict[str, bytes]) -> None:
    started = distributed.LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=None, silence_logs=50)
    done: list[int] = []
    stop = threading.Thread(target=started.close)

    def progress(hands: int) -> None:
        done.append(hands)
        if len(done) == 3:
            stop.start()

    play = partial(play_on, started.scheduler_address, stall_seconds=20)
    with pytest.raises(LogError, match="is gone or stands still; what was finished is kept, --resume"):
        simulate(PLAN, tmp_path, sink=HandLog(SHARD), play=play, progress=progress)
    stop.join(LIMIT)
    assert 3 <= len(list(tmp_path.glob("shard-*.json"))) < 24
    simulate(PLAN, tmp_path, sink=HandLog(SHARD), resume=True)
    assert files(tmp_path) == undisturbed


def test_a_shard_that_always_fails_is_told(
    dask: distributed.LocalCluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "_play", _failing)
    with pytest.raises(LogError, match=r"tables \d+ to \d+ failed 5 times \(.*no such tile"):
        simulate(PLAN, tmp_path, sink=HandLog(SHARD), play=partial(play_on, dask.scheduler_address))


def _failing(*_: Any) -> None:
    raise ValueError("no such tile")


def test_workers_with_other_code_are_refused(
    dask: distributed.LocalCluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "CODE_HASH", "0" * 16)
    with pytest.raises(LogError, match="have other code"):
        simulate(PLAN, tmp_path, sink=HandLog(SHARD), play=partial(play_on, dask.scheduler_address))


def test_files_that_workers_write_elsewhere_are_told(
    dask: distributed.LocalCluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "_play", partial(_elsewhere, str(tmp_path / "other")))
    with pytest.raises(LogError, match="must be a folder that all machines share"):
        simulate(PLAN, tmp_path / "here", sink=HandLog(SHARD), play=partial(play_on, dask.scheduler_address))


def _elsewhere(other: str, plan: Plan, _: str, *rest: Any) -> Any:
    Path(other).mkdir(exist_ok=True)
    return cluster._play(plan, other, *rest)


def _begin(out: Path) -> subprocess.Popen[str]:
    """Start a run with workers of its own, as a terminal does: in a process group that gets its signals."""
    argv = [sys.executable, "-m", "analysis.cli", "simulate", "zhuama", "--hands", "81920", "--bots", "random"]
    argv += ["--shard-hands", str(SHARD), "--scheduler", "local:2", "--out", str(out)]
    run = subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)
    end = time.monotonic() + LIMIT
    while len(list((out / "zhuama").glob("shard-*.json"))) < 3:
        assert run.poll() is None, run.communicate()
        assert time.monotonic() < end
        time.sleep(0.02)
    return run


def _members(group: int) -> list[int]:
    """Processes of a group that still run."""
    found = subprocess.run(["ps", "-eo", "pid=,pgid=,stat="], capture_output=True, text=True, check=True).stdout
    rows = [line.split() for line in found.splitlines()]
    return [int(pid) for pid, of, state in rows if int(of) == group and not state.startswith("Z")]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_a_run_with_workers_of_its_own_ends_with_them(number: signal.Signals, tmp_path: Path) -> None:
    run = _begin(tmp_path)
    if number == signal.SIGINT:
        os.killpg(run.pid, number)  # Ctrl-C reaches the workers too
    else:
        run.send_signal(number)
    _, errors = run.communicate(timeout=LIMIT)
    if number == signal.SIGINT:
        assert run.returncode == 130, errors
        assert "Traceback" not in errors
        assert "are kept in" in errors.splitlines()[-1]
    end = time.monotonic() + LIMIT
    while _members(run.pid):
        assert time.monotonic() < end
        time.sleep(0.1)
    folder = tmp_path / "zhuama"
    kept = len(list(folder.glob("shard-*.json")))
    assert kept >= 3
    whole = Plan(PLAN.rules, 64 * (SHARD // 64) * 40, PLAN.bots, PLAN.seed, PLAN.mode, 64)
    seen: list[int] = []
    simulate(whole, folder, sink=HandLog(SHARD), resume=True, opened=lambda hands, _: seen.append(hands))
    assert seen == [kept * SHARD]


@pytest.mark.parametrize("scheduler", ["local:0", "local:many", "local:", "local:5000"])
def test_impossible_numbers_of_workers(scheduler: str, tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="local:N needs"):
        simulate(PLAN, tmp_path, sink=HandLog(SHARD), play=partial(play_on, scheduler))


def test_a_scheduler_that_is_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "CONNECT_SECONDS", 1)
    start = time.monotonic()
    for scheduler in ("tcp://127.0.0.1:9", "nonsense://x"):
        with pytest.raises(LogError, match="cannot be reached"):
            simulate(PLAN, tmp_path, sink=HandLog(SHARD), play=partial(play_on, scheduler))
    assert time.monotonic() - start < LIMIT
