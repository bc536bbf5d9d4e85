"""How long does a newcomer wait: a first run with nothing compiled, and one after it."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator

from analysis.bench.figure import AT_MOST, Aim, Figure
from analysis.scaling import timed

SECTION = "start"
COLD, WARM = Aim(AT_MOST, 40), Aim(AT_MOST, 3)
N_WARM = 3


def measure(rules: list[str]) -> Iterator[Figure]:
    """CPU seconds of a run of 64 hands by a program of its own, with an empty cache folder and then with a full one."""
    with tempfile.TemporaryDirectory(prefix="gdmj-bench-") as root:
        environment = os.environ | {"GDMJ_CACHE_DIR": f"{root}/cache"}

        def seconds(i: int) -> float:
            argv = ["simulate", rules[0], "--hands", "64", "--threads", "1", "--out", f"{root}/{i}"]
            return timed([sys.executable, "-m", "analysis.cli", *argv], environment)[1]

        bound = "compiling the kernels: the warm start is the same run without it"
        yield Figure(SECTION, "cold start of `simulate`", "CPU s", (seconds(0),), COLD, bound)
        yield Figure(
            SECTION, "warm start of `simulate`", "CPU s", tuple(seconds(i) for i in range(1, N_WARM + 1)), WARM
        )
        argv = [sys.executable, "-m", "analysis.cli", "--help"]
        yield Figure(SECTION, "`gdmj --help`", "CPU s", tuple(timed(argv, environment)[1] for _ in range(N_WARM)))
