"""How far a simulation is: a bar on a terminal, now and then a line elsewhere; always on stderr."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

LINE_SECONDS = 5.0  # least time between two lines where stderr is no terminal


class Advance(Protocol):
    """Takes the hands done since its last call, and a word on the precision so far."""

    def __call__(self, hands: int, note: str = "", /) -> None:
        """Show them."""


@contextmanager
def hands_progress(label: str, total: int) -> Iterator[Advance]:
    """Show progress over ``total`` hands."""
    if sys.stderr.isatty():
        with _bar(label, total) as advance:
            yield advance
    else:
        yield _lines(label, total)


@contextmanager
def _bar(label: str, total: int) -> Iterator[Advance]:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, ProgressColumn, Task, TextColumn, TimeRemainingColumn
    from rich.text import Text

    class Hands(ProgressColumn):
        def render(self, task: Task) -> Text:
            rate = task.finished_speed or task.speed
            speed = f"{rate:,.0f} hands/s" if rate else ""
            note = task.fields["note"]
            return Text(f"{int(task.completed):,} of {int(task.total or 0):,} {speed} {note}".rstrip(), no_wrap=True)

    columns = (TextColumn("{task.description}"), BarColumn(bar_width=20), Hands(), TimeRemainingColumn(compact=True))
    with Progress(*columns, console=Console(stderr=True)) as progress:
        task = progress.add_task(label, total=total, note="")
        yield lambda hands, note="": progress.update(task, advance=hands, note=note)


def _lines(label: str, total: int) -> Advance:
    start = shown = time.monotonic()
    done = 0

    def advance(hands: int, note: str = "") -> None:
        nonlocal done, shown
        done += hands
        now = time.monotonic()
        if now - shown < LINE_SECONDS:
            return
        shown = now
        rate = done / (now - start)
        left = (total - done) / rate if rate else 0.0
        more = f", {note}" if note else ""
        print(f"{label}: {done:,} of {total:,} hands, {rate:,.0f} hands/s, {left:,.0f} s left{more}", file=sys.stderr)

    return advance
