"""How far a simulation is: a bar in a notebook or on a terminal, now and then a line elsewhere, on stderr."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from html import escape
from typing import Any, NamedTuple, cast

LINE_SECONDS = 5.0  # least time between two lines where stderr is no terminal
CELL_SECONDS = 0.25  # the same between two changes of a notebook's bar


class Progress(NamedTuple):
    """What is told of a job: hands done since the last call, hands that need not be done, how it stands."""

    advance: Callable[[int], None]
    skip: Callable[[int], None]
    note: Callable[[str], None]

    def tell(self, hands: int, note: str) -> None:
        """Tell of hands done and of how it stands."""
        self.note(note)
        self.advance(hands)


@contextmanager
def hands_progress(label: str, total: int, is_quiet: bool = False) -> Iterator[Progress]:
    """Show progress over ``total`` hands, or nothing."""
    if is_quiet:
        yield Progress(lambda _: None, lambda _: None, lambda _: None)
    elif in_notebook():
        with _cell(label, total) as progress:
            yield progress
    elif sys.stderr.isatty():
        with _bar(label, total) as progress:
            yield progress
    else:
        yield _lines(label, total)


def note_compiling() -> None:
    """Say that the first hand of a comparison will wait for the compiler."""
    from sim.jit import is_cached
    from sim.trial import play_trial

    if not is_cached(play_trial):
        print("compiling kernels (once for each version of the code, about half a minute) ...", file=sys.stderr)


def in_notebook() -> bool:
    """Whether a notebook's kernel runs this process."""
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    return getattr(shell, "kernel", None) is not None


@contextmanager
def _cell(label: str, total: int) -> Iterator[Progress]:
    """Show a bar of plain HTML under the cell; it goes when all is done, and needs no widgets."""
    from IPython import display

    told = _Told(label, total)
    html: Any = display.HTML
    handle: Any = cast(Any, display.DisplayHandle)()
    shown = time.monotonic()
    handle.display(html(told.html()))

    def advance(hands: int) -> None:
        nonlocal shown
        told.done += hands
        if time.monotonic() - shown > CELL_SECONDS:
            shown = time.monotonic()
            handle.update(html(told.html()))

    def note(text: str) -> None:
        told.standing = f", {text}" if text else ""

    try:
        yield Progress(advance, told.skip, note)
    finally:
        handle.update(html(""))


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
            note = task.fields["note"]
            return Text(f"{int(task.completed):,} of {int(task.total or 0):,} {speed} {note}".rstrip(), no_wrap=True)

    columns = (TextColumn("{task.description}"), BarColumn(bar_width=20), Hands(), TimeRemainingColumn(compact=True))
    with bars.Progress(*columns, console=Console(stderr=True)) as bar:
        task = bar.add_task(label, total=total, note="")
        yield Progress(
            advance=lambda done: bar.advance(task, done),
            skip=lambda n: bar.update(task, total=total - n),
            note=lambda text: bar.update(task, note=text),
        )


def _lines(label: str, total: int) -> Progress:
    told = _Told(label, total)
    shown = told.start

    def note(text: str) -> None:
        told.standing = f", {text}" if text else ""

    def advance(hands: int) -> None:
        nonlocal shown
        told.done += hands
        now = time.monotonic()
        if now - shown >= LINE_SECONDS:
            shown = now
            print(told.line(), file=sys.stderr)

    return Progress(advance, told.skip, note)


class _Told:
    """What has been told of a job so far."""

    def __init__(self, label: str, total: int) -> None:
        self.label, self.total, self.done, self.standing = label, total, 0, ""
        self.start = time.monotonic()

    def skip(self, hands: int) -> None:
        """Take off hands that need not be played."""
        self.total -= hands

    def line(self) -> str:
        """Say how it stands, in one line."""
        rate = self.done / max(time.monotonic() - self.start, 1e-9)
        left = f"{(self.total - self.done) / rate:,.0f} s left" if rate else "just begun"
        return f"{self.label}: {self.done:,} of {self.total:,} hands, {rate:,.0f} hands/s, {left}{self.standing}"

    def html(self) -> str:
        """Show a bar and the line."""
        share = min(self.done / self.total, 1.0) if self.total else 1.0
        return f'<progress value="{share:.3f}" style="width:16em"></progress> <span>{escape(self.line())}</span>'
