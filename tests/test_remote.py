"""Runs in an object store, against a real S3 server of this machine."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from moto.server import ThreadedMotoServer

from analysis import cli
from analysis.agg_log import AggLog
from analysis.scan import RunError, open_run
from analysis.tables import tables
from sim.cluster import play_on
from sim.engine import Plan, simulate
from sim.logs import HandLog, LogError
from sim.rules import load
from sim.store import StoreError, open_store
from tests.test_agg import same

pytestmark = pytest.mark.filterwarnings("ignore")  # of the server and its clients
PLAN = Plan(load("maima"), 500, ("random",) * 4, 1, "session", 16)
ENVIRONMENT = {
    "AWS_ACCESS_KEY_ID": "key",
    "AWS_SECRET_ACCESS_KEY": "secret",
    "AWS_REGION": "us-east-1",
    "AWS_DEFAULT_REGION": "us-east-1",
    "AWS_ALLOW_HTTP": "true",
    "AWS_EC2_METADATA_DISABLED": "true",
}


@pytest.fixture(scope="module")
def bucket() -> Iterator[str]:
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    patch = pytest.MonkeyPatch()
    for name, value in {**ENVIRONMENT, "AWS_ENDPOINT_URL": f"http://{host}:{port}"}.items():
        patch.setenv(name, value)
    try:
        import s3fs

        s3fs.S3FileSystem(skip_instance_cache=True).mkdir("runs")
        yield "s3://runs"
    finally:
        patch.undo()
        server.stop()


def test_a_store_holds_what_is_put_there(bucket: str, tmp_path: Path) -> None:
    store = open_store(f"{bucket}/plain/")
    assert str(store) == "s3://runs/plain"
    assert store.names() == []
    store.write("b", b"xyz")
    store.child("sub").write("c", b"")
    store.write("a", b"1")
    assert store.names() == ["a", "b"]
    assert [str(folder) for folder in store.folders()] == ["s3://runs/plain/sub"]
    assert store.read("b", 3) == b"xyz"
    assert store.size("b") == 3
    with pytest.raises(StoreError, match="larger than the 2 bytes"):
        store.read("b", 2)
    with pytest.raises(FileNotFoundError):
        store.read("nothing", 9)
    store.write("b", b"new")  # seen at once, no listing is remembered
    assert store.digest("b")[0] == 3
    store.remove("b")
    store.remove("b")
    assert store.names() == ["a"]


def test_a_run_there_is_that_of_a_folder(bucket: str, tmp_path: Path) -> None:
    there = f"{bucket}/hand/maima"
    simulate(PLAN, tmp_path, sink=HandLog(100))
    simulate(PLAN, there, sink=HandLog(100))
    store = open_store(there)
    here = {path.name: path.read_bytes() for path in tmp_path.glob("*.parquet")}
    assert {name: store.read(name, 1 << 24) for name in store.names() if name.endswith(".parquet")} == here
    (local,), (remote,) = open_run(tmp_path), open_run(f"{bucket}/hand")
    assert remote.hands.collect().equals(local.hands.collect())
    same(tables(remote), tables(local))
    assert not [name for name in store.names() if name.startswith(("shard-", "_"))]


def test_it_is_resumed_where_it_was_damaged(bucket: str) -> None:
    there = f"{bucket}/resumed/maima"
    simulate(PLAN, there, sink=HandLog(100))
    store = open_store(there)
    whole = {name: store.digest(name) for name in store.names() if name != "manifest.json"}
    store.write("hands-0000000006.parquet", b"damaged")
    store.remove("pool-0000000012.parquet")
    with pytest.raises(LogError, match=r"hands-0000000006\.parquet: holds 7 bytes.*--resume"):
        simulate(PLAN, there, sink=HandLog(100))
    notes: list[str] = []
    simulate(PLAN, there, sink=HandLog(100), resume=True, opened=lambda _, told: notes.extend(told))
    assert len(notes) == 2
    assert {name: store.digest(name) for name in store.names() if name != "manifest.json"} == whole


def test_from_the_command_line(bucket: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    there = f"{bucket}/cli"
    argv = ["simulate", "maima", "--hands", "300", "--bots", "random", "--threads", "1", "--out"]
    for part in ("1/2", "2/2"):
        assert cli.main([*argv, there, "--shard", part]) == 0
    assert cli.main(["verify", there]) == 0
    assert cli.main(["merge", there, "--out", f"{bucket}/merged"]) == 0
    assert cli.main(["verify", f"{bucket}/merged"]) == 0
    assert "2 shards, whole, 300 hands played again" in capsys.readouterr().out
    assert cli.main(["replay", there, "--table", "1", "--hand", "5"]) == 0
    assert cli.main(["report", there]) == 2
    assert "--out" in capsys.readouterr().err
    assert cli.main(["report", there, "--out", str(tmp_path)]) == 0
    assert (tmp_path / "report.html").is_file()


def test_workers_of_a_cluster_write_there(bucket: str) -> None:
    plan = Plan(load("maima"), 2_000, ("random",) * 4, 1, "session", 16)
    simulate(plan, f"{bucket}/dask/one", sink=AggLog(plan, 500))
    simulate(plan, f"{bucket}/dask/many", sink=AggLog(plan, 500), play=partial(play_on, "local:2"))
    (one,), (many,) = open_run(f"{bucket}/dask/one"), open_run(f"{bucket}/dask/many")
    same(tables(many), tables(one))


def test_places_that_are_not_there(bucket: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(RunError, match=r"no manifest\.json"):
        open_run(f"{bucket}/nowhere")
    with pytest.raises(StoreError, match="unknown kind of place 'gopher'"):
        open_store("gopher://x/y")
    argv = ["simulate", "maima", "--hands", "64", "--bots", "random", "--out"]
    for place in ("s3://no-such-bucket/run", "gopher://x/y"):
        assert cli.main([*argv, place]) == 2
        (line,) = [line for line in capsys.readouterr().err.splitlines() if line.startswith("gdmj: error")]
        assert place.split("://")[0] in line


def test_an_end_point_that_does_not_answer_is_one_line(
    bucket: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(os.environ, "AWS_ENDPOINT_URL", "http://127.0.0.1:9")
    monkeypatch.setitem(os.environ, "AWS_MAX_ATTEMPTS", "1")
    assert cli.main(["report", f"{bucket}/cli", "--out", "x"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("gdmj: error: ")
