"""Sections from what other commands left in the folder, and the frames behind them."""

from __future__ import annotations

import polars as pl

from analysis.report import effects, sessions, verdicts
from analysis.report.blocks import Section
from analysis.report.found import Found, frame_of


def sections(found: Found) -> list[Section]:
    """Sections of everything that was found."""
    made = []
    if found.comparison:
        made.append(effects.section(found.comparison))
    if found.verdicts:
        made.append(verdicts.section(found.verdicts))
    if found.sessions:
        made.append(sessions.section(found.sessions))
    return made


def frames(found: Found) -> dict[str, pl.DataFrame]:
    """Frame behind each section, for download."""
    made = {}
    if found.comparison:
        made["effects"] = frame_of(found.comparison.effects)
    if found.verdicts:
        made["tips"] = frame_of(found.verdicts.verdicts)
    if found.sessions:
        made["sessions"] = sessions.frame(found.sessions)
    return made
