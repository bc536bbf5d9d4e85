"""The guide for authors of rule sets and the schema for editors follow the model."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, get_args

import pytest
from pydantic import BaseModel

from analysis import cli
from sim import patterns
from sim.rules import VARIANTS, Rules, names

GUIDE = (VARIANTS / "README.md").read_text(encoding="utf-8")
SCHEMA = VARIANTS / "schema.json"


def _models(annotation: Any) -> list[type[BaseModel]]:
    """Models inside an annotation: itself, or among its arguments."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    return [model for argument in get_args(annotation) for model in _models(argument)]


def _paths(model: type[BaseModel], prefix: str = "") -> dict[str, Any]:
    """Dotted path -> annotation of every field; the key of a mapping of models is SLUG."""
    found: dict[str, Any] = {}
    for name, field in model.model_fields.items():
        path, inner = f"{prefix}{name}", _models(field.annotation)
        if not inner:
            found[path] = field.annotation
            continue
        is_mapping = getattr(field.annotation, "__origin__", None) is dict
        found |= _paths(inner[0], f"{path}.SLUG." if is_mapping else f"{path}.")
    return found


PATHS = _paths(Rules)


def _texts(annotation: Any) -> set[str]:
    """Texts that an annotation allows by name."""
    if not get_args(annotation):
        return {annotation} if isinstance(annotation, str) else set()
    return {text for argument in get_args(annotation) for text in _texts(argument)}


def _row(path: str) -> str:
    """Line of the guide's tables that describes a field."""
    (line,) = [line for line in GUIDE.splitlines() if line.startswith("| `") and f"`{path}`" in line.split(" | ")[0]]
    return line


def test_the_walk_reaches_the_models_fields() -> None:
    assert {"tiles", "name.zh", "summary.en", "ghost.mode", "patterns.SLUG.role", "coins.rake", "source"} <= set(PATHS)
    assert len(PATHS) > 70


@pytest.mark.parametrize("path", [path for path in PATHS if path != "source"])
def test_every_field_has_a_row_in_the_guide_with_its_allowed_names(path: str) -> None:
    row = _row(path)
    if path != "patterns.SLUG.role":  # the roles have a table of their own
        assert [text for text in sorted(_texts(PATHS[path])) if f'`"{text}"`' not in row] == []


def test_sources_are_explained() -> None:
    assert "### `[source]`" in GUIDE


def test_the_guide_names_no_field_that_is_gone() -> None:
    parts = {path.split(".")[0] for path in PATHS if "." in path}
    named = {text for text in re.findall(r"`([a-z_]+\.[a-z_]+)`", GUIDE) if text.split(".")[0] in parts}
    assert sorted(named - set(PATHS)) == []


def test_every_role_and_pattern_is_in_the_guide() -> None:
    assert [role for role in patterns.ROLES if f"| `{role}` |" not in GUIDE] == []
    rows = [line.strip("| ").split(" | ") for line in GUIDE.splitlines() if line.startswith("| `")]
    told = [(row[0], row[1], row[-1]) for row in rows if row[0].strip("`") in patterns.INDEX]
    assert told == [(f"`{p.slug}`", p.zh, p.scope) for p in patterns.PATTERNS]


def test_every_shipped_file_is_in_the_guide() -> None:
    assert [name for name in names() if f"| `{name}` |" not in GUIDE] == []


def test_the_committed_schema_is_the_generated_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["variants", "schema"]) == 0
    printed = capsys.readouterr().out
    assert json.loads(printed) == Rules.model_json_schema()
    assert printed == SCHEMA.read_text(encoding="utf-8"), "run: gdmj variants schema > sim/variants/schema.json"


@pytest.mark.parametrize("name", names())
def test_every_file_names_the_schema_first(name: str) -> None:
    path: Path = VARIANTS / f"{name}.toml"
    assert path.read_text(encoding="utf-8").startswith("#:schema ./schema.json\n")
