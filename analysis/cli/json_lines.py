"""JSON Lines in, JSON Lines out: one answer for each line, in order; a bad line gets ``{"error": ...}``."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any, BinaryIO

from analysis.single.fields import InputError, show

MAX_LINE_BYTES = 1_000_000
MAX_DIGITS = 30

Request = dict[str, Any]


def to_json(result: dict[str, Any]) -> str:
    """Return an answer as one line of JSON."""
    return json.dumps(result, ensure_ascii=False)


def answer_lines(
    source: str,
    answer: Callable[[Request], dict[str, Any]],
    write: Callable[[dict[str, Any]], str] = to_json,
) -> int:
    """Answer each line of a file, or of stdin for ``-``; ``write`` turns an answer into text.

    Returns
    -------
    int
        0, or 1 if any line failed.
    """
    interactive = source == "-"
    failed = False
    with nullcontext(sys.stdin.buffer) if interactive else Path(source).open("rb") as stream:
        for line in read_lines(stream):
            result = answer_one(line, answer)
            failed |= "error" in result
            sys.stdout.write(write(result) + "\n")
            if interactive:
                sys.stdout.flush()  # a program that waits for the answer before it asks again
    return int(failed)


def answer_one(line: bytes | None, answer: Callable[[Request], dict[str, Any]]) -> dict[str, Any]:
    """Answer one line; None stands for a line that was too long."""
    try:
        return answer(parse(line))
    except RecursionError:
        return {"error": "nested too deeply"}
    except OSError as error:  # a rule set named by its path
        return {"error": f"{show(error.filename)}: {error.strerror}"}
    except ValueError as error:
        return {"error": " ".join(str(error).split())}


def read_lines(stream: BinaryIO) -> Iterator[bytes | None]:
    """Yield lines without their end; None for one over the limit, which is never held in memory."""
    while line := stream.readline(MAX_LINE_BYTES + 1):
        if len(line) <= MAX_LINE_BYTES or line.endswith(b"\n"):
            yield line.rstrip(b"\r\n")
            continue
        while line and not line.endswith(b"\n"):
            line = stream.readline(MAX_LINE_BYTES)
        yield None


def parse(line: bytes | None) -> Request:
    """Read one JSON object; no repeated keys, no NaN."""
    if line is None:
        raise InputError(f"the line is longer than {MAX_LINE_BYTES} bytes")
    try:
        text = line.decode("utf-8")
        value = json.loads(text, object_pairs_hook=_object, parse_constant=_constant, parse_int=_integer)
    except UnicodeDecodeError:
        raise InputError("the line is not UTF-8 text") from None
    except json.JSONDecodeError as error:
        raise InputError(f"not JSON: {error.msg} at character {error.pos + 1}") from None
    if not isinstance(value, dict):
        raise InputError(f"an object is needed, not {show(value)}")
    return value


def _object(pairs: list[tuple[str, Any]]) -> Request:
    found: Request = {}
    for key, value in pairs:
        if key in found:
            raise InputError(f"{show(key)}: stands twice")
        found[key] = value
    return found


def _integer(digits: str) -> int:
    if len(digits) > MAX_DIGITS:
        raise InputError(f"a number has {len(digits)} digits, at most {MAX_DIGITS} are allowed")
    return int(digits)


def _constant(name: str) -> float:
    raise InputError(f"not JSON: {name} is no number")
