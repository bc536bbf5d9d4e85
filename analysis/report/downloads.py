"""The frames behind a page's tables: files beside it, and the same as links that the one file brings along."""

from __future__ import annotations

import base64
import io
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

import polars as pl
import polars.selectors as cs

_DIGITS = 10  # of numbers in the page's CSV; the Parquet has all


class Download(NamedTuple):
    """One frame as links, and the name (without suffix) under which it is saved."""

    name: str
    csv: str
    parquet: str


def links(frames: Mapping[str, pl.DataFrame]) -> dict[str, Download]:
    """Links that hold the data themselves; keys such as ``maima/win_rate`` become names such as maima-win_rate."""
    return {key: Download(key.replace("/", "-"), _csv(frame), _parquet(frame)) for key, frame in frames.items()}


def _csv(frame: pl.DataFrame) -> str:
    text = frame.with_columns(cs.float().round_sig_figs(_DIGITS)).write_csv()
    return "data:text/csv;charset=utf-8," + quote(text, safe=",.:;-_+()")


def _parquet(frame: pl.DataFrame) -> str:
    out = io.BytesIO()
    frame.write_parquet(out, statistics=False)
    return "data:application/vnd.apache.parquet;base64," + base64.b64encode(out.getvalue()).decode("ascii")


def write(folder: Path, frames: Mapping[str, pl.DataFrame]) -> None:
    """Write every frame as CSV and Parquet under its key."""
    for key, frame in frames.items():
        path = folder / key
        path.parent.mkdir(parents=True, exist_ok=True)
        path.with_name(f"{path.name}.csv").write_text(frame.write_csv(), encoding="utf-8")
        frame.write_parquet(path.with_name(f"{path.name}.parquet"))
