"""Fields of a rule set that were changed for one run: what `sim.rules.load` notes in ``Rules.source``."""

from __future__ import annotations

import json
import re
from typing import Any

from sim.rules import Rules

MARK = "override"
_BASE = re.compile(r"override of (.+?): was ", re.DOTALL)
_BARE = re.compile(r"[A-Za-z0-9_-]+", re.ASCII)
_NAMING = ("slug", "name", "summary")  # fields that are shown anyhow
_MOST_SHOWN, _MOST_CHARACTERS = 3, 40


def overrides(rules: Rules) -> dict[str, Any]:
    """Dotted path -> value of every changed field, in the order of the sources."""
    data: Any = rules.to_dict()
    result = {}
    for dotted, source in rules.source.items():
        if source.startswith(MARK):
            node = data
            for part in dotted.split("."):
                node = node.get(part) if isinstance(node, dict) else None
            result[dotted] = node
    return result


def base_file(rules: Rules) -> str | None:
    """Name of the file whose fields were changed; None where nothing was."""
    found = (_BASE.match(source) for source in rules.source.values())
    return next((match[1] for match in found if match), None)


def changes(rules: Rules, most: int = _MOST_SHOWN, width: int = _MOST_CHARACTERS) -> str:
    """Tell changed fields shortly, such as ``horses.count=2, ghost.mode=none``; empty where there are none.

    Values are cut at ``width`` characters, and fields beyond the first ``most`` are counted (``+2``).
    """
    found = {path: value for path, value in overrides(rules).items() if path.split(".")[0] not in _NAMING}
    shown = [f"{path}={_short(value, width)}" for path, value in list(found.items())[:most]]
    more = [f"+{len(found) - most}"] if len(found) > most else []
    return ", ".join([*shown, *more])


def _short(value: Any, width: int) -> str:
    text = value if isinstance(value, str) else toml(value)
    if isinstance(value, list):
        text = "+".join(map(str, value)) or "[]"
    text = "".join(char if char.isprintable() else "\ufffd" for char in text)
    return text if len(text) <= width else f"{text[: width - 1]}…"


def toml(value: Any) -> str:
    """Value as TOML on one line; nested ones are inline tables, what is absent is left out."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{_key(key)} = {toml(v)}" for key, v in value.items() if v is not None) + " }"
    if isinstance(value, list):
        return f"[{', '.join(map(toml, value))}]"
    return _text(value)


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _key(name: str) -> str:
    """Key as TOML: quoted unless it is made of letters, digits, _ and - alone."""
    return name if _BARE.fullmatch(name) else _text(name)


def document(rules: Rules) -> str:
    """Whole rule set as a TOML file that `sim.rules.load` reads back."""
    data = rules.to_dict()
    lines = [
        f"{key} = {toml(value)}" for key, value in data.items() if not isinstance(value, dict) and value is not None
    ]
    for key, table in data.items():
        if isinstance(table, dict):
            lines += ["", f"[{key}]"]
            lines += [f"{_key(name)} = {toml(value)}" for name, value in table.items() if value is not None]
    return "\n".join(lines) + "\n"
