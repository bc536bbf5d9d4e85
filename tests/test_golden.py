"""A thousand hands of each rule set, hand by hand, as they were when last looked at.

After a deliberate change of rules or rows: ``GDMJ_UPDATE_GOLDEN=1 pytest tests/test_golden.py`` and say in CHANGELOG
why.
"""

from __future__ import annotations

import os
import zlib
from pathlib import Path

import numpy as np
import pytest

from sim.engine import Plan, Player
from sim.rules import load, names
from sim.schema import ROW_COLUMNS

GOLDEN = Path(__file__).parent / "data" / "golden"
LINE_UP = ("ukeire", "ukeire", "random", "ukeire")


@pytest.mark.parametrize("variant", names())
def test_golden_hands(variant: str) -> None:
    player = Player(Plan(load(variant), 1_000, LINE_UP, 2026, "session", 100))
    rows, wins, n_wins, _ = player.rows(0, 10, 100)
    lines = []
    for row, win, n in zip(rows, wins, n_wins, strict=True):
        lines.append(f"{zlib.crc32(np.concatenate([row, win[:n].ravel()]).astype('<i8').tobytes()):08x}")
    file = GOLDEN / f"{variant}.txt"
    if os.environ.get("GDMJ_UPDATE_GOLDEN"):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("\n".join(lines) + "\n")
    expected = file.read_text().split()
    assert len(lines) == len(expected)
    for i, (a, b) in enumerate(zip(lines, expected, strict=True)):
        shown = dict(zip((c.name for c in ROW_COLUMNS), rows[i].tolist(), strict=True))
        assert a == b, f"first difference: table {i // 100} hand {i % 100}: {shown}"
