"""What is one measured number, and how is it measured."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

RUNS = 7
AT_LEAST, AT_MOST = "at least", "at most"


class Aim(NamedTuple):
    """What a figure should be: ``at least`` or ``at most`` a number."""

    kind: str
    value: float

    def is_met(self, value: float) -> bool:
        """Whether a value is good enough."""
        return value >= self.value if self.kind == AT_LEAST else value <= self.value


class Figure(NamedTuple):
    """One measured number.

    ``values`` are the runs' own, in ``unit``; ``aim`` stands in the same unit; ``bound`` says what bounds a figure
    that misses it.
    """

    section: str
    what: str
    unit: str
    values: tuple[float, ...]
    aim: Aim | None = None
    bound: str = ""

    @property
    def median(self) -> float:
        """Median of the runs."""
        return statistics.median(self.values)

    @property
    def is_met(self) -> bool | None:
        """Whether the median meets the aim; None without one."""
        return None if self.aim is None else self.aim.is_met(self.median)

    def to_dict(self) -> dict[str, Any]:
        """Return what JSON holds."""
        return {
            "section": self.section,
            "what": self.what,
            "unit": self.unit,
            "median": self.median,
            "low": min(self.values),
            "high": max(self.values),
            "runs": len(self.values),
            "aim": None if self.aim is None else {"kind": self.aim.kind, "value": self.aim.value},
            "met": self.is_met,
            "values": list(self.values),
            "bound": self.bound,
        }


def from_dict(kept: dict[str, Any]) -> Figure:
    """Read a figure as `Figure.to_dict` writes it."""
    aim = None if kept["aim"] is None else Aim(**kept["aim"])
    return Figure(kept["section"], kept["what"], kept["unit"], tuple(kept["values"]), aim, kept["bound"])


def cpu_seconds(job: Callable[[], object]) -> float:
    """CPU seconds of a job, all threads of this process together."""
    start = time.process_time()
    job()
    return time.process_time() - start


def rates(job: Callable[[], object], n: int, runs: int) -> tuple[float, ...]:
    """How many of ``n`` things a CPU second does, run by run; one run before them compiles and fills caches."""
    job()
    return tuple(n / max(cpu_seconds(job), 1e-9) for _ in range(runs))


def in_turns(jobs: Sequence[Callable[[], float]], runs: int) -> list[tuple[float, ...]]:
    """Values of several jobs, each run once in every round, so that a machine's mood meets all alike."""
    rounds = [[job() for job in jobs] for _ in range(runs)]
    return [tuple(column) for column in zip(*rounds, strict=True)]
