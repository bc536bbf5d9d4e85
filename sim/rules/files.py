"""Rule sets from TOML: found by slug or path, changed by dotted path, checked, with every fault in one line."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from sim.rules.model import PatternPrice, Rules, RulesError

VARIANTS = Path(__file__).parent.parent / "variants"
MAX_FILE_BYTES = 1_000_000
_MARK = "override of "  # of a source; `analysis.overrides` reads it


def names() -> list[str]:
    """Slugs of the shipped rule sets, sorted."""
    return sorted(path.stem for path in VARIANTS.glob("*.toml"))


def from_dict(data: Mapping[str, Any], origin: str) -> Rules:
    """Check plain data; ``origin`` (file or slug) begins every error message."""
    try:
        return Rules.model_validate(dict(data))
    except ValidationError as error:
        raise RulesError(f"{origin}: {_one_line(error):.1200}") from None


def load(variant: str | Path | Rules, overrides: Mapping[str, Any] | None = None) -> Rules:
    """Read a rule set, or change one.

    Parameters
    ----------
    variant
        Slug of a shipped rule set, path of a TOML file, or a rule set that was read before.
    overrides
        Dotted path -> value, e.g. ``{"horses.count": 6}``. A string is read as TOML where that is possible.

    Raises
    ------
    RulesError
        One line: file, field, what is allowed, what was given.
    """
    data, label = (variant.to_dict(), _origin(variant)) if isinstance(variant, Rules) else _read(_find(variant))
    for dotted, value in (overrides or {}).items():
        _override(data, dotted, value, label)
    return from_dict(data, label)


def _origin(rules: Rules) -> str:
    """Name of the file that a rule set comes from."""
    marks = (source.removeprefix(_MARK) for source in rules.source.values() if source.startswith(_MARK))
    changed = next(marks, "").partition(": was ")[0]
    return changed or (f"{rules.slug}.toml" if rules.slug in names() else rules.slug)


def _read(path: Path) -> tuple[dict[str, Any], str]:
    """Return a file's data, unchecked, and what messages call it."""
    try:
        if path.stat().st_size > MAX_FILE_BYTES:
            raise RulesError(f"{path}: larger than {MAX_FILE_BYTES} bytes, not a rule set")
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise RulesError(f"{path}: cannot be read ({error.strerror})") from None
    except UnicodeDecodeError:
        raise RulesError(f"{path}: not UTF-8 text") from None
    except (ValueError, RecursionError) as error:
        raise RulesError(f"{path}: not valid TOML: {error}") from None
    return data, path.name if path.parent == VARIANTS else str(path)


def _find(variant: str | Path) -> Path:
    text = str(variant)
    if text in names():
        return VARIANTS / f"{text}.toml"
    path = Path(text)
    try:
        if path.suffix == ".toml" or path.is_file():
            return path
    except OSError:  # a name that no file can have
        text = f"{text[:60]}..."
    raise RulesError(f"unknown rule set {text!r}; allowed: {', '.join(names())}, or the path of a .toml file")


def _override(data: dict[str, Any], dotted: str, value: Any, label: str) -> None:
    *parents, leaf = dotted.split(".")
    node: Any = data
    for part in parents:
        node = node.get(part) if isinstance(node, dict) else None
        if not isinstance(node, dict):
            raise RulesError(f"{label}: {dotted}: no such field")
    known = set(node) | (set(PatternPrice.model_fields) if parents[:1] == ["patterns"] and parents[1:] else set())
    if not leaf or (leaf not in known and parents != ["patterns"]):
        allowed = ", ".join(k for k in node if not isinstance(node[k], dict))
        raise RulesError(f"{label}: {dotted}: no such field (here: {allowed or 'none'})")
    read = _value(value)
    keep_text = isinstance(node.get(leaf), str) and isinstance(value, str) and not isinstance(read, str)
    before = node.get(leaf)
    node[leaf] = value if keep_text else read  # --set tiles=108 means the text
    sources = data.setdefault("source", {})
    if isinstance(sources, dict):
        sources[dotted] = f"{_MARK}{label}: was {_shown(before)}"


def _value(value: Any) -> Any:
    """Read a string as TOML where that is possible; other values stay as they are."""
    if not isinstance(value, str):
        return value
    try:
        document = tomllib.loads(f"value = {value}")
    except (ValueError, RecursionError):
        return value
    return document["value"] if len(document) == 1 else value


_EXPECTED = {
    "bool_type": "true or false is needed",
    "int_type": "a whole number is needed",
    "string_type": "a text is needed",
    "tuple_type": 'a list such as ["zimo"] is needed',
    "dict_type": "a table is needed",
    "model_type": "a table is needed",
    "missing": "is missing",
    "too_short": "at least {min_length} is needed",
    "string_too_short": "a text of at least {min_length} characters is needed",
    "string_too_long": "a text of at most {max_length} characters is needed",
    "string_pattern_mismatch": "lower-case letters, digits, - and _ are allowed, a letter first",
    "greater_than_equal": "must be at least {ge}",
    "less_than_equal": "must be at most {le}",
    "literal_error": "allowed: {expected}",
}


def _one_line(error: ValidationError) -> str:
    """Most telling fault of a validation as ``field: what is allowed (given: value)``; unknown fields come first."""
    faults = error.errors(include_url=False)
    first = next((fault for fault in faults if fault["type"] == "extra_forbidden"), faults[0])
    where = ".".join(_short(part) for part in first["loc"])
    if first["type"] == "extra_forbidden":
        name = _short(first["loc"][-1])
        missing = [str(fault["loc"][-1]) for fault in faults if fault["type"] == "missing"]
        like = get_close_matches(name, missing, 1)
        return f"{where}: no such field" + (f"; is {like[0]} meant?" if like else "")
    message = first["msg"].removeprefix("Value error, ")
    if first["type"] in _EXPECTED:
        message = _EXPECTED[first["type"]].format(**first.get("ctx", {}))
    if first["type"] == "missing":
        return f"{where}: {message}"
    given = first["input"]
    shown = "" if isinstance(given, dict) or not where else f" (given: {_shown(given)})"
    return f"{where}: {message}{shown}" if where else f"{message}{shown}"


def _short(part: str | int) -> str:
    """Part of a field's path as a message shows it; a stranger's key may be long, or hold line ends."""
    text = "".join(char if char.isprintable() else "?" for char in str(part))
    return text if len(text) <= 60 else f"{text[:57]}..."


def _shown(value: object) -> str:
    """Write a value as TOML would, shortly."""
    try:
        text = json.dumps(list(value) if isinstance(value, tuple) else value, ensure_ascii=False)
    except (TypeError, ValueError):
        text = str(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
