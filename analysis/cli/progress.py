"""How far a simulation is: a bar on a terminal, now and then a line elsewhere; always on stderr."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

LINE_SECONDS = 5.0  # least time between two lines where stderr is no terminal


class Progress(NamedTuple):
    """What is told of a job: hands done since the last call, and hands that need not be done."""

    advance: Callable[[int], None]
    skip: Callable[[int], None]


@contextmanager
def hands_progress(label: str, total: int) -> Iterator[Progress]:
    """Show progress over ``total`` hands."""
    if sys.stderr.isatty():
        with _bar(label, total) as progress:
            yield progress
    else:
        yield _lines(label, total)


@contextmanager
def _bar(label: str, total: int) -> Iterator[Progress]:
    from rich import progress as bars
    from rich.console import Console
    from rich.progress import BarColumn, ProgressColumn, Task, TextColumn, TimeRemainingColumn
    from rich.text import Text

    class Hands(ProgressColumn):
        def render(self, task: Task) -> Text:
            rate = task.finished_speed or task.speed
            speed = f"{rate:,.0f} hands/s" if rate else ""
            return Text(f"{int(task.completed):,} of {int(task.total or 0):,} {speed}", no_wrap=True)

    columns = (TextColumn("{task.description}"), BarColumn(bar_width=20), Hands(), TimeRemainingColumn(compact=True))
    with bars.Progress(*columns, console=Console(stderr=True)) as bar:
        task = bar.add_task(label, total=total)
        yield Progress(
            advance=lambda done: bar.advance(task, done),
            skip=lambda n: bar.update(task, total=total - n),
        )


def _lines(label: str, total: int) -> Progress:
    start = shown = time.monotonic()
    done = 0

    def skip(hands: int) -> None:
        nonlocal total
        total -= hands

    def advance(hands: int) -> None:
        nonlocal done, shown
        done += hands
        now = time.monotonic()
        if now - shown < LINE_SECONDS:
            return
        shown = now
        rate = done / (now - start)
        left = (total - done) / rate if rate else 0.0
        print(f"{label}: {done:,} of {total:,} hands, {rate:,.0f} hands/s, {left:,.0f} s left", file=sys.stderr)

    return Progress(advance, skip)
