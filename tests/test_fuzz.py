"""Files and requests from strangers: whatever is done to them, one line of error or a right answer, soon.

A few inputs of each kind always, a hundred thousand with ``-m slow``. Every input comes from its number, so a failing
one can be made again.
"""

from __future__ import annotations

import json
import random
import shutil
import signal
import tomllib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from analysis import overrides
from analysis.agg_log import AggLog
from analysis.cli import hand, json_lines, score
from analysis.report import write_report
from analysis.report.found import look
from analysis.scan import RunError, collect, open_run
from analysis.verify import verify
from sim import rules as rule_sets
from sim.engine import Plan, simulate
from sim.logs import HandLog
from sim.rules import VARIANTS, RulesError, load
from sim.store import Folder
from tests import extras
from tests.fuzz import mutated, mutated_json
from tests.synthetic import told
from tests.test_cli_input import HAND, VALID

SECONDS = 20  # of one input; the slowest honest one takes well under one
PLAN = Plan(load("maima"), 200, ("random",) * 4, 7, "session", 16)


@contextmanager
def soon() -> Iterator[None]:
    """Fail when an input takes too long."""

    def late(*_: object) -> None:
        raise AssertionError(f"took more than {SECONDS} s")

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def each(n: int, kind: str, check: Callable[[random.Random], bool]) -> tuple[int, int]:
    """Check ``n`` inputs; return how many were refused and accepted."""
    accepted = 0
    for number in range(n):
        with soon():
            try:
                accepted += check(random.Random(f"{kind} {number}"))
            except Exception as error:
                raise AssertionError(f"{kind} {number}: {type(error).__name__}: {error}") from error
    return n - accepted, accepted


def one_line(message: str) -> None:
    assert message.strip()
    assert "\n" not in message
    assert len(message) < 2_000


SOURCES = [path.read_bytes() for path in sorted(VARIANTS.glob("*.toml"))]


def toml(folder: Path, rng: random.Random) -> bool:
    """A changed rule set is refused in one line, or means what its text says and can be written and read again."""
    file = folder / "fuzz.toml"
    file.write_bytes(mutated(rng.choice(SOURCES), rng))
    try:
        rules = load(file)
    except RulesError as error:
        one_line(str(error))
        return False
    said, meant = tomllib.loads(file.read_text(encoding="utf-8")), rules.to_dict()
    assert json.loads(json.dumps(meant)) == json.loads(json.dumps(_filled(said, meant)))
    assert rule_sets.from_dict(tomllib.loads(overrides.document(rules)), "again") == rules
    return True


def _filled(said: Any, meant: Any) -> Any:
    """What a text says, with the optional fields that it leaves out."""
    if isinstance(said, dict) and isinstance(meant, dict):
        assert set(said) <= set(meant)
        return {name: _filled(said[name], meant[name]) if name in said else meant[name] for name in meant}
    return said


def request(valid: list[dict[str, Any]], answer: Callable[..., dict[str, Any]], rng: random.Random) -> bool:
    """A changed request has an answer; payments sum to zero; no hand holds five of a kind."""
    base = rng.choice(valid)
    if rng.random() < 0.5:
        line = json.dumps(mutated_json(base, rng), ensure_ascii=False).encode("utf-8", "surrogatepass")
    else:
        line = mutated(json.dumps(base, ensure_ascii=False).encode(), rng)
    found = json_lines.answer_one(line, answer)
    json.loads(json_lines.to_json(found))
    if "error" in found:
        assert set(found) == {"error"}
        one_line(found["error"])
        return False
    asked = json.loads(line)
    assert sum(found.get("payments", [])) == 0
    for holder in asked.get("winners") or [asked]:
        melds = holder.get("melds") or []
        tiles = _tiles(holder["hand"]) + ([holder["win"]] if holder.get("win") else [])
        n_ghosts = holder.get("n_ghosts") or 0
        assert len(tiles) + n_ghosts + 3 * len(melds) in ((14,) if "win" in holder else (13, 14))
        everything = tiles + [tile for meld in melds for tile in _tiles(meld["tiles"])]
        assert max(everything.count(tile) for tile in everything) <= 4 if everything else True
    return True


def _tiles(text: str) -> list[str]:
    found, digits = [], ""
    for char in text:
        if char.isdigit():
            digits += char
        elif char in "mps":
            found += [digit + char for digit in digits]
            digits = ""
        elif not char.isspace():
            found.append(char)
    return found


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("made")
    simulate(PLAN, root / "hand", sink=HandLog(100))
    simulate(PLAN, root / "agg", sink=AggLog(PLAN))
    return root


def run_files(made: Path, folder: Path, level: str, rng: random.Random, *, sealed: bool) -> bool:
    """A changed file of a run is refused in one line, or what is read is what was played.

    With ``sealed`` the manifest is made to tell the changed file's bytes, as a forger would: then what is read need
    only be readable.
    """
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(made / level, folder)
    names = sorted(path.name for path in folder.iterdir())
    name = rng.choice([n for n in names if n.endswith(".parquet")] if sealed else names)
    file = folder / name
    file.write_bytes(mutated(file.read_bytes(), rng))
    if sealed:
        manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
        for shard in manifest["shards"]:
            for entry in shard["files"].values():
                if entry["name"] == name:
                    entry |= told(file)
        (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    verdict = verify(Folder(folder), 2 if sealed else 0)
    for fault in verdict.faults:
        one_line(fault)
    try:
        (run,) = open_run(folder)
        found = collect([run.stored_sums] if run.stored_sums is not None else [run.hands, run.wins, run.pools])
    except RunError as error:
        one_line(str(error))
        return False
    if not sealed:
        assert not verdict.faults
        (good,) = open_run(made / level)
        wanted = collect([good.stored_sums] if good.stored_sums is not None else [good.hands, good.wins, good.pools])
        assert all(a.sort(pl.all()).equals(b.sort(pl.all())) for a, b in zip(found, wanted, strict=True))
    return True


RESULTS = {"compare": extras.comparison, "tips": extras.verdicts, "session": extras.sessions}
# What a float, a column, an axis or an encoder may choke on.
ODD = (1e308, -1.7e308, 5e-324, 10**30, -1, 0, -0.0, "\ud800", "x" * 100_000, "\x00", [], {}, None, [0], 1e12, "")


def results(folder: Path, rng: random.Random) -> bool:
    """A changed result of another command is refused in one line, or drawn on the page."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    name = rng.choice(sorted(RESULTS))
    data = RESULTS[name]()
    if rng.random() < 0.6:
        for _ in range(rng.choice((1, 1, 2))):
            _spoil(data, rng)
    else:
        data = mutated_json(data, rng)
    (folder / f"{name}.json").write_text(json.dumps(data), encoding="utf-8")
    try:
        found = look(folder)
    except RunError as error:
        one_line(str(error))
        return False
    assert "gdmj" in write_report([], folder / "out", folder).read_text(encoding="utf-8")
    assert found
    return True


def _spoil(data: Any, rng: random.Random) -> None:
    """Put something odd somewhere into a document."""
    keys = list(data) if isinstance(data, dict) else list(range(len(data)))
    if not keys:
        return
    key = rng.choice(keys)
    if isinstance(data[key], dict | list) and data[key] and rng.random() < 0.9:
        _spoil(data[key], rng)
    elif isinstance(data, dict) and rng.random() < 0.1:
        data[rng.choice(("1e308", "-1", "\ud800", "0", "nan", "5e-324"))] = data.pop(key)
    else:
        data[key] = rng.choice(ODD)


def checks(made: Path, folder: Path) -> dict[str, Callable[[random.Random], bool]]:
    """Check of each kind of input."""
    return {
        "toml": lambda rng: toml(folder, rng),
        "score": lambda rng: request(VALID, score.answer, rng),
        "hand": lambda rng: request([HAND], hand.answer, rng),
        "run": lambda rng: run_files(made, folder / "run", "hand", rng, sealed=False),
        "sums": lambda rng: run_files(made, folder / "run", "agg", rng, sealed=False),
        "sealed": lambda rng: run_files(made, folder / "run", "hand", rng, sealed=True),
        "results": lambda rng: results(folder / "results", rng),
    }


FEW = {"toml": 300, "score": 300, "hand": 300, "run": 60, "sums": 20, "sealed": 60, "results": 15}
MANY = {"toml": 30_000, "score": 40_000, "hand": 25_000, "run": 4_000, "sums": 500, "sealed": 2_000, "results": 400}


@pytest.mark.parametrize("kind", FEW)
def test_a_few_of_each_kind(kind: str, made: Path, tmp_path: Path) -> None:
    refused, _ = each(FEW[kind], kind, checks(made, tmp_path)[kind])
    assert refused > 0


@pytest.mark.slow
@pytest.mark.parametrize("kind", MANY)
def test_a_hundred_thousand_inputs(kind: str, made: Path, tmp_path: Path) -> None:
    n = MANY[kind]
    refused, accepted = each(n, kind, checks(made, tmp_path)[kind])
    assert refused > n // 20
    print(f"{kind}: {refused} refused, {accepted} accepted")


def test_names_from_strangers_are_text_on_the_page(tmp_path: Path) -> None:
    from tests.synthetic import load as changed
    from tests.synthetic import write_run

    bad = '<script>alert(1)</script><img src=x onerror="x">'
    rules = changed("maima").model_copy(update={"name": rule_sets.Text(zh=bad, en=bad)})
    write_run(tmp_path / "run", rules, n_tables=4)
    page = write_report(open_run(tmp_path / "run"), tmp_path / "out").read_text(encoding="utf-8")
    assert "<script>alert" not in page
    assert "<img src=x" not in page
    assert "&lt;script&gt;alert(1)" in page
