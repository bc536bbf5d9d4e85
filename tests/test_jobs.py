"""Jobs that are run by hand: each takes --help and says its use, and starts nothing then."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
JOBS = sorted(
    path.relative_to(ROOT)
    for folder in ("analysis", "tests/verification")
    for path in (ROOT / folder).rglob("*.py")
    if 'if __name__ == "__main__":' in path.read_text(encoding="utf-8")
)


def called(path: Path, *argv: str) -> subprocess.CompletedProcess[str]:
    name = ".".join(path.with_suffix("").parts).removesuffix(".__main__")
    return subprocess.run([sys.executable, "-m", name, *argv], capture_output=True, text=True, timeout=60, cwd=ROOT)


@pytest.mark.parametrize("path", JOBS, ids=str)
def test_help_is_a_line_of_use(path: Path) -> None:
    done = called(path, "--help")
    told = done.stdout + done.stderr
    assert told.startswith("usage: ")
    assert "Traceback" not in told


@pytest.mark.parametrize("name", ["record", "record_all"])
def test_a_record_of_no_run_is_one_line(name: str, tmp_path: Path) -> None:
    done = called(Path(f"analysis/{name}.py"), str(tmp_path / "none"))
    assert done.returncode == 2
    assert "no such folder" in done.stderr.splitlines()[-1]
    assert "Traceback" not in done.stderr
