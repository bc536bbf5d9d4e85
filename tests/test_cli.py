"""The command line from end to end: results, status, one-line errors."""

from __future__ import annotations

import io
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from analysis import cli
from sim import rules as rule_sets
from tests.synthetic import told

COMMANDS = (
    "simulate",
    "compare",
    "duel",
    "session",
    "rare",
    "report",
    "demo",
    "score",
    "hand",
    "variants",
    "replay",
    "verify",
    "merge",
    "check-bot",
    "tips",
    "bench",
)
WIN = {"preset": "jipinghu", "hand": "123m456p789s55sNN", "win": "5s", "source": "zimo", "winner": 1}
N_HANDS, HANDS_PER_TABLE = 64, 16


def gdmj(*argv: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """Run the command as a program of its own."""
    return subprocess.run([sys.executable, "-m", "analysis.cli", *argv], input=stdin, capture_output=True, check=False)


def answers(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two rule sets in session mode, one in duplicate mode."""
    folder = tmp_path_factory.mktemp("runs")
    common = ["--hands", str(N_HANDS), "--seed", "5", "--threads", "1", "--bots", "random"]
    session = ["--hands-per-table", str(HANDS_PER_TABLE), "--out", str(folder / "session")]
    assert cli.main(["simulate", "maima", "jipinghu", *common, *session]) == 0
    assert cli.main(["simulate", "zhuama", *common, "--mode", "duplicate", "--out", str(folder / "duplicate")]) == 0
    return folder


# Help and errors


def test_help_imports_nothing_heavy() -> None:
    code = "import sys; from analysis import cli; cli.build_parser().format_help(); print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert not {"numba", "polars", "matplotlib", "numpy", "scipy", "pydantic", "rich"} & set(loaded.split())


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_with_examples(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main([command, "--help"]) == 0
    assert f"examples:\n  gdmj {command}" in capsys.readouterr().out


def test_no_command_prints_the_commands(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main([]) == 0
    printed = capsys.readouterr().out
    assert all(command in printed for command in COMMANDS)


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["--version"]) == 0
    assert capsys.readouterr().out.startswith("gdmj 0.")


def _bad_toml(folder: Path) -> None:
    text = (rule_sets.VARIANTS / "maima.toml").read_text(encoding="utf-8")
    (folder / "key.toml").write_text(f"flowers = 8\n{text}", encoding="utf-8")
    (folder / "cut.toml").write_text(text[:200], encoding="utf-8")
    (folder / "bytes.toml").write_bytes(b"\xff\xfe\x00")
    (folder / "folder.toml").mkdir()


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (["nonsense"], ["nonsense", "simulate"]),
        (["simulate", "maima"], ["--hands", "--out"]),
        (["simulate", "maima", "--hands", "-5", "--out", "x"], ["--hands", "-5"]),
        (["simulate", "maima", "--hands", "0", "--out", "x"], ["--hands", "'0'"]),
        (["simulate", "maima", "--hands", "many", "--out", "x"], ["--hands", "'many'"]),
        (["simulate", "maima", "--hands", "1.5", "--out", "x"], ["--hands", "'1.5'"]),
        (["simulate", "maima", "--hands", "1e99", "--out", "x"], ["--hands", "1e99"]),
        (["simulate", "maima", "--hands", "9", "--out", "x", "--seed", "-1"], ["--seed"]),
        (["simulate", "maima", "--hands", "9", "--out", "x", "--shard", "5/4"], ["--shard", "5/4"]),
        (["simulate", "maima", "--hands", "9", "--out", "x", "--threads", "0"], ["--threads"]),
        (["simulate", "maima", "--hands", "9", "--out", "x", "--bots", "god"], ["'god'", "ukeire"]),
        (["simulate", "maima", "--hands", "9", "--out", "x", "--bots", "random,ukeire"], ["--bots", "four"]),
        (["simulate", "nowhere", "--hands", "9", "--out", "x"], ["'nowhere'", "maima"]),
        (["simulate", "maima", "maima", "--hands", "9", "--out", "x"], ["maima", "twice"]),
        (["simulate", "maima", "--hands", "9", "--out", "x", "--set", "horses"], ["--set", "path=value"]),
        (["simulate", "maima", "--hands", "9", "--out", "x", "--set", "horses.colour=1"], ["horses.colour"]),
        (
            ["simulate", "maima", "--hands", "9", "--out", "x", "--set", "horses.count=lots"],
            ["horses.count", "lots"],
        ),
        (["simulate", "maima", "--hands", "9", "--out", "x", "--set", "source=1"], ["source"]),
        (["simulate", "key.toml", "--hands", "9", "--out", "x"], ["key.toml", "flowers"]),
        (["simulate", "maima", "--hands", "9", "--out", "key.toml"], ["key.toml"]),
        (["variants", "show", "key.toml"], ["key.toml", "flowers"]),
        (["variants", "show", "cut.toml"], ["cut.toml"]),
        (["variants", "show", "bytes.toml"], ["bytes.toml", "UTF-8"]),
        (["variants", "show", "folder.toml"], ["folder.toml"]),
        (["variants", "show", "absent.toml"], ["absent.toml"]),
        (["variants", "diff", "maima", "nowhere"], ["nowhere"]),
        (["report", "nowhere"], ["nowhere"]),
        (["report", "folder.toml"], ["folder.toml"]),
        (["report", "key.toml"], ["key.toml"]),
        (["replay", "nowhere", "--table", "0", "--hand", "0"], ["nowhere"]),
        (["replay", "nowhere", "--table", "-1", "--hand", "0"], ["--table"]),
        (["score", "absent.jsonl"], ["absent.jsonl", "No such file"]),
        (["hand", "folder.toml"], ["folder.toml"]),
    ],
    ids=lambda value: " ".join(value)[:60] if isinstance(value, list) else None,
)
def test_wrong_input_is_one_line_and_status_2(
    argv: list[str],
    words: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    _bad_toml(tmp_path)
    assert cli.main(argv) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    (line,) = printed.err.splitlines()
    assert line.startswith("gdmj: error: ")
    assert [word for word in words if word not in line] == []


def test_interrupt_is_one_line_and_status_130(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(rule_sets, "names", interrupted)
    assert cli.main(["variants", "list"]) == 130
    assert capsys.readouterr().err == "gdmj: interrupted\n"


def test_a_reader_that_leaves_is_no_error() -> None:
    read_end, write_end = os.pipe()
    os.close(read_end)
    command = [sys.executable, "-m", "analysis.cli", "variants", "show", "maima", "--json"]
    done = subprocess.run(command, stdout=write_end, stderr=subprocess.PIPE, check=False)
    os.close(write_end)
    assert done.returncode == 141
    assert done.stderr == b""


def test_a_bug_is_not_taken_for_wrong_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rule_sets, "names", lambda: 1 // 0)
    with pytest.raises(ZeroDivisionError):
        cli.main(["variants", "list"])


def test_every_command_line_of_the_readme_is_understood() -> None:
    text = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line.startswith("gdmj ")]
    assert len(lines) >= 9
    for line in lines:
        assert cli.build_parser().parse_args(shlex.split(line, comments=True)[1:]).command in COMMANDS


def test_the_example_of_the_readme_is_what_score_answers() -> None:
    text = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
    (request, answer) = re.findall(r"^\$ echo '(.*)' \| gdmj score\n(.*)$", text, re.MULTILINE)[0]
    done = gdmj("score", stdin=request.encode())
    assert done.stdout.decode("utf-8") == f"{answer}\n"


@pytest.mark.parametrize(
    ("text", "number"),
    [("20000", 20_000), ("1e6", 10**6), ("1_000", 1000), ("20k", 20_000), ("2.5M", 2_500_000)],
)
def test_numbers_may_be_short(text: str, number: int) -> None:
    from analysis.arguments import count

    assert count(1, 10**9)(text) == number


# Rule sets


def test_variants_list_names_all_in_both_languages(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["variants", "list"]) == 0
    table = capsys.readouterr().out
    assert cli.main(["variants", "list", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    assert [entry["slug"] for entry in listed] == rule_sets.names()
    assert all(entry["slug"] in table and entry["zh"] in table and entry["en"] in table for entry in listed)


@pytest.mark.parametrize("name", rule_sets.names())
def test_variants_show_prints_every_field_and_its_source(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    from analysis.rule_words import flatten

    rules = rule_sets.load(name)
    assert cli.main(["variants", "show", name, "--all"]) == 0
    table = capsys.readouterr().out
    fields = [path for path in flatten(rules) if not path.startswith("patterns.")]
    assert [path for path in fields if path not in table] == []
    assert [rules.pattern_name(i) for i in range(3) if rules.pattern_name(i) not in table] in (
        [],
        ["平胡"],
    ) or rules
    assert cli.main(["variants", "show", name, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["slug"] == name


def test_variants_show_keeps_dotted_paths_whole_in_a_narrow_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from analysis.rule_labels import FIELDS

    monkeypatch.setenv("COLUMNS", "80")
    assert cli.main(["variants", "show", "maima", "--all"]) == 0
    printed = capsys.readouterr().out
    assert [path for path in FIELDS if path not in printed] == []


def test_variants_name_what_was_changed(capsys: pytest.CaptureFixture[str]) -> None:
    changed = ["--set", "horses.count=2", 'win.rob_kongs=["added"]', "slug=mine"]
    assert cli.main(["variants", "show", "maima", *changed]) == 0
    title = capsys.readouterr().out.splitlines()[0]
    rules = rule_sets.load("maima")
    for name in (rules.name.zh, rules.name.en):
        assert f"{name} · horses.count=2, win.rob_kongs=added  " in title
    assert cli.main(["variants", "diff", "maima", "maima", "--set", "horses.count=2"]) == 0
    assert "B maima horses.count=2" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize("name", rule_sets.names())
def test_every_number_of_a_shipped_rule_set_has_a_source(name: str) -> None:
    from analysis.rule_words import flatten

    rules = rule_sets.load(name)
    assert [path for path in flatten(rules) if rules.source_of(path) is None] == []


def test_an_override_is_its_own_source() -> None:
    rules = rule_sets.load("maima", {"horses.count": 2})
    assert rules.source_of("horses.count") == "override of maima.toml: was 1"
    assert rules.source_of("horses.kind") != "override"


@pytest.mark.parametrize("name", rule_sets.names())
def test_variants_show_tells_every_sentence_and_price(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    from analysis.rule_words import prices, sentences

    rules = rule_sets.load(name)
    assert cli.main(["variants", "show", name]) == 0
    printed = capsys.readouterr().out
    told = [text for sentence in sentences(rules) for text in (sentence.zh, sentence.en)]
    assert [text for text in told if text not in printed] == []
    assert [row.zh for row in prices(rules) if row.zh not in printed] == []


def test_variants_diff_is_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["variants", "diff", "maima", "maima", "--set", "ghost.mode=none"]) == 0
    printed = capsys.readouterr().out
    assert [text for text in ("翻鬼", "无鬼", "a turned ghost", "no ghosts", "ghost.mode") if text not in printed] == []


@pytest.mark.parametrize("columns", [60, 100, 200])
def test_variants_diff_keeps_to_the_width_of_the_terminal(
    columns: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from rich.cells import cell_len

    monkeypatch.setenv("COLUMNS", str(columns))
    assert cli.main(["variants", "diff", "maima", "koukoufan"]) == 0
    printed = capsys.readouterr().out.splitlines()
    assert max(map(cell_len, printed)) <= columns


def test_variants_check_answers_for_each_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _bad_toml(tmp_path)
    good = rule_sets.VARIANTS / "maima.toml"
    assert cli.main(["variants", "check", str(good), str(tmp_path / "key.toml")]) == 2
    printed = capsys.readouterr()
    assert printed.out.startswith(f"{good}: ok (maima, ")
    assert printed.err.startswith("gdmj: error: ")
    assert "flowers" in printed.err
    assert cli.main(["variants", "check", "maima", "jipinghu"]) == 0
    assert capsys.readouterr().err == ""
    (tmp_path / "mine.toml").write_text(good.read_text(encoding="utf-8"), encoding="utf-8")
    assert cli.main(["variants", "check", str(tmp_path / "mine.toml")]) == 0
    assert "slug 'maima' is that of a shipped rule set" in capsys.readouterr().err


def test_variants_diff_names_what_differs_and_nothing_else(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["variants", "diff", "maima", "maima", "--set", "horses.count=2", "--json"]) == 0
    (entry,) = json.loads(capsys.readouterr().out)
    assert (entry["field"], entry["a"], entry["b"], entry["zh"]) == ("horses.count", 1, 2, "马数")
    assert cli.main(["variants", "diff", "maima", "maima"]) == 0
    assert "do not differ" in capsys.readouterr().out


# score and hand


def _lines(monkeypatch: pytest.MonkeyPatch, *lines: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"".join(line + b"\n" for line in lines))))


def test_score_answers_each_line_in_order(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    no_win = WIN | {"win": "9p"}
    _lines(monkeypatch, json.dumps(WIN).encode(), b"{", json.dumps(no_win).encode(), b"")
    assert cli.main(["score"]) == 1
    first, broken, lost, empty = answers(capsys)
    assert first == {
        "is_win": True,
        "fans": ["鸡胡", "自摸"],
        "fan": 1,
        "points": 2,
        "payments": [-2, 6, -2, -2],
    }
    assert lost["is_win"] is False
    assert lost["reason"]
    assert set(broken) == set(empty) == {"error"}


def test_score_reads_a_file_and_status_is_0_when_all_lines_are_answered(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "hands.jsonl"
    file.write_text(f"{json.dumps(WIN)}\n{json.dumps(WIN | {'win': 'Z'})}", encoding="utf-8")
    assert cli.main(["score", str(file)]) == 0
    assert [answer["is_win"] for answer in answers(capsys)] == [True, False]


def test_score_of_several_winners_gives_lists(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    request = {
        "preset": "maima",
        "ghost": "E",
        "from": 0,
        "winners": [
            {"winner": 1, "hand": "111m333p55s99pSSS", "win": "5s", "melds": []},
            {"winner": 3, "hand": "123s34s66s777s999s", "win": "5s", "melds": []},
        ],
    }
    _lines(monkeypatch, json.dumps(request).encode())
    assert cli.main(["score", "-"]) == 0
    (answer,) = answers(capsys)
    assert answer == {
        "is_win": [True, True],
        "fans": [["碰碰胡"], ["清一色"]],
        "fan": [None, None],
        "points": [16, 32],
        "payments": [-48, 16, 0, 32],
    }


def test_hand_answers_shanten_and_ukeire(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    ready = {"hand": "123m456p789s55sNN", "forms": ["standard"]}
    waiting = {"hand": "123m456p789s55sNNE", "forms": ["standard"]}
    _lines(monkeypatch, json.dumps(ready).encode(), json.dumps(waiting).encode())
    assert cli.main(["hand"]) == 0
    first, second = answers(capsys)
    assert first["shanten"] == 0
    assert sorted(first["ukeire"]) == ["5s", "N"]
    assert second["discards"]["E"]["shanten"] == 0
    assert sorted(second["discards"]["E"]["ukeire"]) == ["5s", "N"]


def test_score_as_a_program_speaks_utf8_and_keeps_going() -> None:
    done = gdmj("score", stdin=b"\xff\n" + json.dumps(WIN).encode() + b"\n")
    assert done.returncode == 1
    assert done.stderr == b""
    first, second = (json.loads(line) for line in done.stdout.decode("utf-8").splitlines())
    assert "UTF-8" in first["error"]
    assert second["fans"] == ["鸡胡", "自摸"]


# simulate, report, replay


def test_simulate_prints_what_it_did(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    argv = [
        "simulate",
        "zhuama",
        "--hands",
        "64",
        "--bots",
        "random",
        "--threads",
        "1",
        "--out",
        str(tmp_path / "run"),
    ]
    assert cli.main([*argv, "--json"]) == 0
    (entry,) = json.loads(capsys.readouterr().out)["runs"]
    assert entry["variant"] == "zhuama"
    assert entry["hands"] == 64
    assert Path(entry["folder"], "manifest.json").is_file()


def test_another_plan_in_the_same_folder_is_refused(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    argv = [
        "simulate",
        "maima",
        "--hands",
        "64",
        "--hands-per-table",
        "16",
        "--bots",
        "random",
        "--threads",
        "1",
    ]
    assert cli.main([*argv, "--seed", "6", "--out", str(runs / "session")]) == 2
    last = capsys.readouterr().err.splitlines()[-1]
    assert last.startswith("gdmj: error: ")


@pytest.mark.parametrize("hand", [0, 7, HANDS_PER_TABLE - 1])
@pytest.mark.parametrize("variant", ["maima", "jipinghu"])
def test_replay_matches_the_log(variant: str, hand: int, runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    argv = ["replay", str(runs / "session"), "--variant", variant, "--table", "2", "--hand", str(hand)]
    assert cli.main(argv) == 0
    printed = capsys.readouterr().out
    assert printed.splitlines()[-1] == "matches the log"
    assert printed.startswith(f"{variant}, table 2, hand {hand}: seed 5\n")
    assert printed.count("is dealt") == 4
    result = printed.split("outcome ")[1]
    assert not re.search(r"255|_|pool|horse_tiles", result)
    assert cli.main([*argv, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["matches_log"] is True


def test_replay_of_a_rotation(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    argv = ["replay", str(runs / "duplicate"), "--table", "3", "--rotation", "2", "--json"]
    assert cli.main(argv) == 0
    replayed = json.loads(capsys.readouterr().out)
    assert replayed["matches_log"] is True
    assert replayed["row"]["rotation"] == 2


def test_parts_of_a_plan_are_reported_and_replayed_as_one_run(tmp_path: Path) -> None:
    argv = ["simulate", "maima", "--hands", "90", "--hands-per-table", "16", "--bots", "random", "--seed", "5"]
    for part in ("2/2", "1/2"):
        assert cli.main([*argv, "--threads", "1", "--shard", part, "--out", str(tmp_path)]) == 0
    assert cli.main(["report", str(tmp_path)]) == 0
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "gdmj simulate maima --hands 90 --bots random --seed 5 --hands-per-table 16 --out RUN" in page
    for table in ("0", "5"):
        assert cli.main(["replay", str(tmp_path), "--table", table, "--hand", "9"]) == 0
    shutil.rmtree(tmp_path / "maima-1of2")
    assert cli.main(["report", str(tmp_path)]) == 0
    assert "--hands 90 " in (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "--shard 2/2" in (tmp_path / "report.html").read_text(encoding="utf-8")


def test_replay_tells_a_result_in_words() -> None:
    from types import SimpleNamespace

    from analysis.cli.replay import result
    from sim.schema import HAND_COLUMNS

    row = {column.name: 0 for column in HAND_COLUMNS} | {"ready_turn_2": 255, "from_seat": -1, "win_tile": -1}
    chosen: Any = SimpleNamespace(rules=rule_sets.load("maima"))
    lines = [line.split() for line in result(chosen, row, [])]
    for line in ("outcome washout", "winners -", "from -", "winning tile -", "horses -"):
        assert line.split() in lines
    assert ["discards", "until", "ready", "0", "0", "never", "0"] in lines
    row |= {"outcome": 2, "winners": 0b1001, "from_seat": 1, "win_tile": 22, "n_horses": 4, "n_horse_hits": 1}
    lines = [line.split() for line in result(chosen, row, [])]
    for line in ("outcome discard", "winners seat 0, seat 3", "from seat 1", "winning tile 5s", "horses 4, hits 1"):
        assert line.split() in lines


def test_replay_notices_a_changed_log(runs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    import polars as pl

    shutil.copytree(runs / "session" / "maima", tmp_path / "maima")
    manifest = json.loads((tmp_path / "maima" / "manifest.json").read_text(encoding="utf-8"))
    entry = manifest["shards"][0]["files"]["hands"]
    file = tmp_path / "maima" / entry["name"]
    frame = pl.read_parquet(file)
    facts = pl.read_parquet_metadata(file)["gdmj"]
    frame.with_columns(end=pl.col("end") - 2).write_parquet(file, metadata={"gdmj": facts})
    entry |= told(file)  # a changed log that says it is whole
    (tmp_path / "maima" / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    assert cli.main(["replay", str(tmp_path / "maima"), "--table", "0", "--hand", "0"]) == 1
    assert "turns" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (["session", "--table", "0", "--hand", "0"], ["maima", "jipinghu", "--variant"]),
        (["session", "--table", "0", "--hand", "0", "--variant", "zhuama"], ["no zhuama"]),
        (["session/maima", "--table", "99", "--hand", "0"], ["table 99"]),
        (["session/maima", "--table", "0"], ["--hand"]),
        (["session/maima", "--table", "0", "--rotation", "0"], ["--rotation"]),
        (["duplicate", "--table", "0"], ["--rotation"]),
    ],
)
def test_replay_of_what_is_not_there(
    argv: list[str], words: list[str], runs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["replay", str(runs / argv[0]), *argv[1:]]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert [word for word in words if word not in line] == []


@pytest.mark.parametrize("damage", ["truncated", "missing", "manifest"])
def test_a_damaged_run_is_one_line(damage: str, runs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.copytree(runs / "session", tmp_path / "run")
    file = next((tmp_path / "run" / "maima").glob("*.parquet"))
    if damage == "truncated":
        file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])
    elif damage == "missing":
        file.unlink()
    else:
        (tmp_path / "run" / "maima" / "manifest.json").write_text("{", encoding="utf-8")
    assert cli.main(["report", str(tmp_path / "run")]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("gdmj: error: ")


def test_report_prints_the_page(runs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["report", str(runs / "session"), "--out", str(tmp_path / "report")]) == 0
    page = Path(capsys.readouterr().out.strip())
    assert page.is_file()
    assert "maima" in page.read_text(encoding="utf-8")


def test_demo_leaves_three_runs_and_a_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["demo", "--hands", "256", "--out", str(tmp_path / "demo")]) == 0
    page = Path(capsys.readouterr().out.splitlines()[-1].removeprefix("open "))
    assert page.is_file()
    assert {path.parent.name for path in (tmp_path / "demo").glob("*/manifest.json")} == {
        "maima",
        "zhuama",
        "jipinghu",
    }
