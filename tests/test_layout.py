"""The shape of the project: who may import whom, names of modules, characters in the shipped font."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest
from fontTools.ttLib import TTFont

ROOT = Path(__file__).parents[1]
SIM, ANALYSIS = ROOT / "sim", ROOT / "analysis"
KERNEL_MODULES = (
    "jit",
    "rng",
    "shanten",
    "readings",
    "scoring",
    "payments",
    "settlement",
    "state",
    "deal",
    "winning",
    "claims",
    "game",
    "measure",
    "events",
    "batch",
    "session",
    "resettle",
    "horse_mean",
    "helpful",
    "luck",
    "trial",
    "splitting",
)
NOT_IN_KERNELS = {"polars", "pathlib", "json"}
FONT = ANALYSIS / "fonts" / "GdmjSansSC.otf"
TOP_LEVEL = {"sim", "analysis", "notebooks", "reports", "tests"}


def _sources(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.py"))


def _imports(path: Path) -> set[str]:
    """Full names of what a module imports, wherever the import stands."""
    package = path.relative_to(ROOT).parent.parts
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            module = ".".join([*base, *([node.module] if node.module else [])])
            found |= {module} | {f"{module}.{alias.name}" for alias in node.names}
    return found


def _top(names: set[str]) -> set[str]:
    return {name.split(".")[0] for name in names}


def _kernel_files() -> list[Path]:
    named = [SIM / f"{name}.py" for name in KERNEL_MODULES]
    return [path for path in named if path.exists()] + _sources(SIM / "policy")


def test_every_named_kernel_module_exists() -> None:
    assert [name for name in KERNEL_MODULES if not (SIM / f"{name}.py").exists()] == []


@pytest.mark.parametrize("path", _sources(SIM), ids=lambda p: p.relative_to(ROOT).as_posix())
def test_sim_never_imports_analysis(path: Path) -> None:
    assert not _top(_imports(path)) & {"analysis", "tests"}


@pytest.mark.parametrize("path", _kernel_files(), ids=lambda p: p.relative_to(ROOT).as_posix())
def test_kernel_modules_import_no_files_and_frames(path: Path) -> None:
    allowed = {"pathlib"} if path.name == "jit.py" else set()
    assert not _top(_imports(path)) & (NOT_IN_KERNELS - allowed)


@pytest.mark.parametrize("path", _sources(ANALYSIS), ids=lambda p: p.relative_to(ROOT).as_posix())
def test_only_the_command_line_imports_the_command_line(path: Path) -> None:
    if ANALYSIS / "cli" in path.parents:
        return
    assert not {name for name in _imports(path) if name.startswith("analysis.cli")}


def test_only_jit_names_numba() -> None:
    users = {
        path.relative_to(ROOT).as_posix()
        for folder in (SIM, ANALYSIS)
        for path in _sources(folder)
        if "numba" in _top(_imports(path))
    }
    assert users == {"sim/jit.py"}


def test_root_holds_no_modules_and_no_other_folders() -> None:
    assert list(ROOT.glob("*.py")) == []
    packages = {path.parent.relative_to(ROOT).parts[0] for path in ROOT.glob("*/*.py") if ".venv" not in path.parts}
    assert packages <= TOP_LEVEL


def test_no_module_is_named_like_one_of_the_standard_library() -> None:
    modules = [path for folder in (SIM, ANALYSIS) for path in _sources(folder) if not path.stem.startswith("__")]
    assert [path for path in modules if path.stem in sys.stdlib_module_names] == []


def _is_cjk(char: str) -> bool:
    code = ord(char)
    return 0x3000 <= code <= 0x303F or 0x3400 <= code <= 0x9FFF or 0xFF00 <= code <= 0xFFEF


def test_the_font_has_every_chinese_character_of_the_program() -> None:
    patterns = ("*.py", "*.toml", "*.html", "*.css", "*.ipynb")
    folders = ("sim", "analysis", "notebooks")  # tests also use characters that it must lack
    paths = [path for folder in folders for pattern in patterns for path in (ROOT / folder).rglob(pattern)]
    paths = [path for path in paths if ".ipynb_checkpoints" not in path.parts]
    used = {char for path in paths for char in path.read_text(encoding="utf-8") if _is_cjk(char)}
    with TTFont(FONT) as font:
        missing = sorted(char for char in used if ord(char) not in font.getBestCmap())
    assert len(used) > 100
    assert "".join(missing) == ""


def test_the_font_has_a_name_of_its_own_and_its_licence() -> None:
    with TTFont(FONT) as font:
        assert font["name"].getDebugName(1) == "Gdmj Sans SC"
    assert "SIL OPEN FONT LICENSE" in (FONT.parent / "OFL.txt").read_text(encoding="utf-8")


def test_every_field_of_a_rule_set_has_a_label_in_both_languages() -> None:
    from analysis.rule_labels import FIELDS, label
    from analysis.rule_words import flatten
    from sim import rules

    used: set[str] = set()
    for name in rules.names():
        for path in flatten(rules.load(name)):
            assert all(label(path))
            used.add(path)
    assert set(FIELDS) <= used  # no label of a field that is gone
