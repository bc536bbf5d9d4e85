"""What the machine does to a run: killed processes, full disks, lost permissions. One line, and nothing lost."""

from __future__ import annotations

import os
import random
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from analysis import cli
from sim import codec
from sim.engine import Plan, PlanError, Player, simulate
from sim.logs import HandLog, LogError
from sim.rules import load, names
from tests.test_resume import files

HANDS, SHARD = 40_000, 2_000
PLAN = Plan(load("zhuama"), HANDS, ("random",) * 4, 1, "session", 64)
COMMAND = (
    *(sys.executable, "-m", "analysis.cli", "simulate", "zhuama", "--hands", str(HANDS), "--bots", "random"),
    *("--shard-hands", str(SHARD), "--threads", "2", "--chunk", "4"),
)
LIMIT = 240


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    folder = tmp_path_factory.mktemp("undisturbed")
    simulate(PLAN, folder, sink=HandLog(SHARD))
    assert len(files(folder)) == 2 * 21
    return files(folder)


def gdmj(out: Path, *more: str, limit: int | None = None) -> subprocess.CompletedProcess[str]:
    """Run the command; ``limit`` is the largest file that it may write, bytes."""

    def small() -> None:
        if limit:
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    return subprocess.run(
        [*COMMAND, "--out", str(out), *more], capture_output=True, text=True, check=False, preexec_fn=small
    )


def one_error(done: subprocess.CompletedProcess[str], *words: str) -> None:
    assert done.returncode == 2, done.stderr
    errors = [line for line in done.stderr.splitlines() if line.startswith("gdmj: error: ")]
    assert len(errors) == 1, done.stderr
    assert "Traceback" not in done.stderr
    assert [word for word in words if word not in errors[0]] == []


def kill_and_resume(out: Path, kills: int, rng: random.Random, undisturbed: dict[str, bytes]) -> tuple[int, int]:
    """Kill runs at random moments until ``kills`` were hit; whenever one gets to its end, compare it and begin anew.

    Returns the kills and the runs that came to their end.
    """
    n_killed = n_finished = 0
    folder = out / "zhuama"
    while n_killed < kills or (folder / "manifest.json").exists() is False:
        seen = {path.name: path.read_bytes() for path in folder.glob("*.parquet")}
        run = subprocess.Popen(
            [*COMMAND, "--out", str(out), "--resume"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
        )
        # Most of the moments fall into the second or two in which shards are written.
        wait = rng.choice((rng.uniform(0, 1), rng.uniform(1.5, 5))) if n_killed < kills else LIMIT
        started = time.monotonic()
        while run.poll() is None and time.monotonic() - started < wait:
            if n_killed < kills and rng.random() < 0.5 and len(list(folder.glob("shard-*.json"))) > len(seen) // 2 + 1:
                break  # while the next shard is on its way
            time.sleep(rng.uniform(0, 0.02))
        if run.poll() is None:
            run.send_signal(signal.SIGKILL)
            n_killed += 1
        _, errors = run.communicate()
        assert run.returncode in (0, -signal.SIGKILL), errors
        # What was whole stays as it was.
        now = files(folder)
        assert all(undisturbed[name] == data for name, data in now.items())
        if run.returncode == 0:
            assert now == undisturbed
            n_finished += 1
            if n_killed < kills:
                for path in folder.iterdir():
                    path.unlink()
    return n_killed, n_finished


def test_a_killed_run_goes_on(tmp_path: Path, undisturbed: dict[str, bytes]) -> None:
    assert kill_and_resume(tmp_path, 3, random.Random(1), undisturbed)[0] == 3
    assert files(tmp_path / "zhuama") == undisturbed


@pytest.mark.slow
def test_sixty_kills_at_random_moments(tmp_path: Path, undisturbed: dict[str, bytes]) -> None:
    n_killed, n_finished = kill_and_resume(tmp_path, 60, random.Random(2), undisturbed)
    assert n_killed == 60
    assert n_finished >= 1
    assert files(tmp_path / "zhuama") == undisturbed
    assert not [path for path in (tmp_path / "zhuama").iterdir() if path.name.startswith(("shard-", "_tmp"))]


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 300 kB."""
    disk = tmp_path / "disk"
    disk.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=300k", "tmpfs", str(disk)], check=False).returncode:
        # Only root may; test_a_file_that_may_not_grow is the same for everybody and always runs.
        pytest.skip("no right to mount a file system")
    yield disk
    subprocess.run(["umount", str(disk)], check=True)


@pytest.mark.slow
def test_a_full_disk(small_disk: Path, undisturbed: dict[str, bytes]) -> None:
    one_error(gdmj(small_disk), "cannot be written", "No space left on device")
    folder = small_disk / "zhuama"
    kept = files(folder)
    n = len(list(folder.glob("shard-*.json")))
    assert 1 <= n <= 20
    assert all(undisturbed[name] == data for name, data in kept.items())
    assert not list(folder.glob("_*"))
    one_error(gdmj(small_disk, "--resume"), "No space left on device")
    subprocess.run(["mount", "-o", "remount,size=50m", str(small_disk)], check=True)
    done = gdmj(small_disk, "--resume")
    assert done.returncode == 0, done.stderr
    assert f"{n * (SHARD // 64 * 64):,} of them there already" in done.stdout
    assert files(folder) == undisturbed


def test_a_file_that_may_not_grow(tmp_path: Path, undisturbed: dict[str, bytes]) -> None:
    """The same as a full disk for who cannot mount one: a limit on the size of files."""
    one_error(gdmj(tmp_path, limit=20_000), "hands-", "cannot be written", "File too large")
    folder = tmp_path / "zhuama"
    assert not list(folder.glob("_*"))
    assert not list(folder.glob("*.parquet"))
    assert gdmj(tmp_path, "--resume").returncode == 0
    assert files(folder) == undisturbed


@pytest.fixture
def ordinary_user(tmp_path: Path) -> Iterator[Path]:
    """A folder of a user for whom permissions count, who is also the one that the test runs as."""
    folder = tmp_path / "mine"
    folder.mkdir()
    is_root = os.geteuid() == 0
    if is_root:
        for parent in tmp_path.parents:
            if parent.owner() == "root" and parent != Path("/") and parent.is_relative_to("/tmp"):
                parent.chmod(parent.stat().st_mode | 0o711)
        tmp_path.chmod(0o711)
        os.chown(folder, 65534, 65534)
        os.seteuid(65534)
    yield folder
    folder.chmod(0o700)
    if is_root:
        os.seteuid(0)


def test_permission_that_is_lost_on_the_way(ordinary_user: Path, undisturbed: dict[str, bytes]) -> None:
    played = 0

    def progress(hands: int) -> None:
        nonlocal played
        played += hands
        if played > 8_000:
            ordinary_user.chmod(0o500)

    with pytest.raises(LogError, match=r"cannot be written \(Permission denied\)"):
        simulate(PLAN, ordinary_user, sink=HandLog(SHARD), progress=progress)
    with pytest.raises(LogError, match=r"cannot be written \(Permission denied\)"):
        simulate(PLAN, ordinary_user, sink=HandLog(SHARD), resume=True)
    ordinary_user.chmod(0o700)
    assert len(list(ordinary_user.glob("shard-*.json"))) >= 1
    simulate(PLAN, ordinary_user, sink=HandLog(SHARD), resume=True)
    assert files(ordinary_user) == undisturbed


def test_a_folder_that_cannot_be_written_is_one_line(ordinary_user: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ordinary_user.chmod(0o500)
    argv = ["simulate", "zhuama", "--hands", "64", "--bots", "random", "--out", str(ordinary_user / "run")]
    assert cli.main(argv) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "Permission denied" in line


def test_a_file_where_the_folder_should_be(tmp_path: Path) -> None:
    (tmp_path / "zhuama").write_text("x", encoding="utf-8")
    with pytest.raises(LogError, match=r"cannot be written \(File exists\)"):
        simulate(PLAN, tmp_path / "zhuama")


@pytest.mark.parametrize("column", ["points_a", "turns", "horse_0"])
def test_numbers_that_do_not_fit_the_log_are_not_wrapped(column: str) -> None:
    from sim.schema import H, W

    rules = PLAN.rules
    if column == "horse_0":
        rules = next(rules for rules in map(load, names()) if column in codec.stored_plainly(rules))
    rows, wins, n_wins, _ = Player(PLAN).rows(0, 4, 64)
    if column == "points_a":
        n_wins[0], wins[0, 0, W["points"]] = 1, 2**31
    else:
        rows[5, H[column]] = 2**31
    with pytest.raises(OverflowError, match="2147483648 does not fit"):
        codec.encode(rules, rows, wins, n_wins)


def test_an_overflow_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def encode(*_: object) -> None:
        raise OverflowError("2147483648 does not fit int32")

    monkeypatch.setattr("sim.engine.encode", encode)
    with pytest.raises(PlanError, match="tables 0 to 7: a hand cannot be logged, 2147483648 does not fit int32"):
        simulate(PLAN, tmp_path, chunk=8)
    assert not list(tmp_path.iterdir())


def test_read_is_never_a_pickle() -> None:
    """No module of the program unpickles: files from strangers run no code."""
    root = Path(__file__).parents[1]
    sources = [path for folder in ("sim", "analysis") for path in (root / folder).rglob("*.py")]
    found = [
        path.name
        for path in sources
        if "pickle" in path.read_text(encoding="utf-8").replace("allow_pickle=False", "")
        or "marshal" in path.read_text(encoding="utf-8")
    ]
    assert found == []
