"""Does the speed last: hands a CPU second and memory of runs from ten thousand to ten million hands."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from analysis.scaling import Measured, measure

SIZES = (10_000, 100_000, 1_000_000, 10_000_000)
LEVELS = ("hand", "agg")
START_HANDS = 64
WITHIN = 0.10  # of the largest run's speed


class Grown(NamedTuple):
    """A run of one size, and the start-up that is taken off."""

    level: str
    hands: int
    cpu_seconds: float
    start_seconds: float
    memory: int  # bytes, the most
    bytes: int

    @property
    def rate(self) -> float:
        """Hands a CPU second after start-up."""
        return self.hands / max(self.cpu_seconds - self.start_seconds, 1e-9)


def run(sizes: Sequence[int]) -> Iterator[Grown]:
    """Play a run of each size at each level, a program of its own on one thread."""
    with tempfile.TemporaryDirectory(prefix="gdmj-bench-") as root:
        folder = Path(root)

        def play(level: str, hands: int, name: str) -> Measured:
            return measure(name, hands, folder / f"{level}-{name}", "--threads", "1", "--level", level)

        for level in LEVELS:
            play(level, START_HANDS, "compile")
            starts = sorted(play(level, START_HANDS, f"start-{i}").cpu_seconds for i in range(3))
            for hands in sizes:
                one = play(level, hands, str(hands))
                yield Grown(level, hands, one.cpu_seconds, starts[1], one.memory, one.bytes)
