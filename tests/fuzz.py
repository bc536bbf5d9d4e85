"""Mutations of good inputs, at random but repeatable: bytes, tokens and parts of JSON."""

from __future__ import annotations

import json
import random
import re
from typing import Any

# What strangers, and other programs, write where a number or a name belongs.
ABSURD = (
    "-1", "0", "1", "9", "255", "256", "65536", "2147483647", "2147483648", "-2147483649", "9223372036854775807",
    "9223372036854775808", "1e308", "1e999", "-0.0", "nan", "inf", "0x7f", "1_000", "9" * 400, "true", "null", '""',
    '"x"', "[]", "{}", "[[[[[[[[]]]]]]]]", '"../../etc/passwd"', '"<script>alert(1)</script>"', '"\\u0000"', '"鬼"',
    '"' + "a" * 3000 + '"', "1979-05-27",
)  # fmt: skip
_TOKEN = re.compile(rb"[A-Za-z0-9_.+-]+|\"[^\"]*\"")


def mutated(data: bytes, rng: random.Random) -> bytes:
    """Change bytes or tokens of a text, one to four times."""
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        data = rng.choice(_MUTATIONS)(data, rng)
    return data


def _flip(data: bytes, rng: random.Random) -> bytes:
    changed = bytearray(data or b"x")
    changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
    return bytes(changed)


def _byte(data: bytes, rng: random.Random) -> bytes:
    at = rng.randrange(len(data) + 1)
    return data[:at] + bytes([rng.randrange(256)]) + data[at + rng.randrange(2) :]


def _cut(data: bytes, rng: random.Random) -> bytes:
    return data[: rng.randrange(len(data) + 1)]


def _drop(data: bytes, rng: random.Random) -> bytes:
    at = rng.randrange(len(data) + 1)
    return data[:at] + data[at + rng.randrange(1, 60) :]


def _repeat(data: bytes, rng: random.Random) -> bytes:
    at = rng.randrange(len(data) + 1)
    return data[:at] + data[max(at - rng.randrange(1, 80), 0) :]


def _token(data: bytes, rng: random.Random) -> bytes:
    found = list(_TOKEN.finditer(data))
    if not found:
        return data
    token = rng.choice(found)
    other = rng.choice((rng.choice(ABSURD).encode(), rng.choice(found)[0]))
    return data[: token.start()] + other + data[token.end() :]


def _swap(data: bytes, rng: random.Random) -> bytes:
    lines = data.split(b"\n")
    i, j = rng.randrange(len(lines)), rng.randrange(len(lines))
    lines[i], lines[j] = lines[j], lines[i]
    return b"\n".join(lines)


_MUTATIONS = (_flip, _byte, _cut, _drop, _repeat, _token, _token, _token, _swap)


def mutated_json(value: Any, rng: random.Random) -> Any:
    """Change, drop or move one part of a JSON value."""
    value = json.loads(json.dumps(value))
    places: list[tuple[Any, Any]] = []

    def visit(node: Any) -> None:
        items = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
        for key, child in items:
            places.append((node, key))
            visit(child)

    visit(value)
    for _ in range(rng.choice((1, 1, 2, 3))):
        node, key = rng.choice(places)
        match rng.randrange(4):
            case 0:
                _set(node, key, _absurd(rng))
            case 1:
                other, place = rng.choice(places)
                _set(node, key, json.loads(json.dumps(_get(other, place))))
            case 2 if isinstance(node, dict):
                node.pop(key, None)
            case _:
                number = _get(node, key)
                _set(node, key, number + rng.choice((-1, 1)) if isinstance(number, int) else _absurd(rng))
    return value


def _absurd(rng: random.Random) -> Any:
    text = rng.choice(ABSURD)
    try:
        return json.loads(text)
    except ValueError:
        return text


def _get(node: Any, key: Any) -> Any:
    try:
        return node[key]
    except (KeyError, IndexError):
        return None


def _set(node: Any, key: Any, value: Any) -> None:
    try:
        node[key] = value
    except IndexError:
        node.append(value)
