"""The bots that the documents show: they are sound, and the commands beside them work."""

from __future__ import annotations

import re
import shlex
import sys
from pathlib import Path

import pytest

from analysis.cli import main

ROOT = Path(__file__).parents[1]
GUIDE = (ROOT / "sim" / "policy" / "README.md").read_text(encoding="utf-8")
EXAMPLES = dict(re.findall(r"```python\n# (\w+)\.py\n(.*?)```", GUIDE, flags=re.DOTALL))


@pytest.fixture
def folder(tmp_path, monkeypatch):
    for name, text in EXAMPLES.items():
        (tmp_path / f"{name}.py").write_text(text, encoding="utf-8")
        sys.modules.pop(name, None)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_both_documents_show_the_same_bot():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    body = EXAMPLES["my_bots"].split('"""')[-1].strip()
    assert body in readme
    assert set(EXAMPLES) == {"my_bots", "fast_bots"}


def test_the_commands_of_the_guide_work(folder, capsys):
    (commands,) = re.findall(r"```sh\n(gdmj check-bot .*?)```", GUIDE, flags=re.DOTALL)
    for line in commands.splitlines():
        words = shlex.split(line, comments=True)[1:]
        words = [re.sub(r"^20k$", "64", word) for word in words]
        assert main([*words, *(["--hands", "4"] if words[0] == "check-bot" else [])]) == 0, line
    out = capsys.readouterr().out
    assert re.search(r"my_bots:careful@\w{8}: [\d,]+ hands under \d+ rule sets: .*; [\d,]+ hands/s; sound", out)
    assert "matches the log" in out


def test_the_compiled_example_is_sound(folder, capsys):
    assert main(["check-bot", "fast_bots:closed", "--hands", "16"]) == 0
    assert "sound" in capsys.readouterr().out
