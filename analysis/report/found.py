"""Results of other commands that lie in a run's folder as JSON: read, checked, never trusted."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal, TypeVar

import polars as pl
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from analysis.scan import RunError

MAX_BYTES = 20_000_000
_MOST_ROWS = 20_000


class _Part(BaseModel):
    model_config = ConfigDict(extra="ignore", allow_inf_nan=False)


class Effect(_Part):
    """What a switch does to one measure (`analysis.compare.effects.Effect`)."""

    contrast: str
    measure: str
    base: float | None
    effect: float | None
    low: float | None
    high: float | None
    p: float | None = None
    worth: float | None = None
    is_exact: bool = False


class RuleSet(_Part):
    """A rule set of a comparison: its name there, and its digest."""

    label: str
    digest: str


class Comparison(_Part):
    """What ``gdmj compare --json`` prints."""

    base: str
    bots: list[str]
    mode: str
    hands: int
    seed: int
    effects: list[Effect] = Field(min_length=1, max_length=_MOST_ROWS)
    rule_sets: list[RuleSet] = []

    def measures_that_differ(self, first: str, second: str) -> set[str]:
        """Measures in which the base and another rule set, given by their digests in either order, clearly differ."""
        if not self.rule_sets or self.rule_sets[0].digest not in (first, second) or first == second:
            return set()
        labels = {one.label for one in self.rule_sets[1:] if one.digest in (first, second)}
        return {
            one.measure
            for one in self.effects
            if one.contrast in labels and one.low is not None and one.high is not None and not one.low <= 0 <= one.high
        }


class Verdict(_Part):
    """What a strategy tip came to."""

    id: str
    zh: str
    en: str
    method: str = ""
    rules: str | list[str] = ""
    bots: str | list[str] = ""
    part: str = ""
    effect: float | None
    low: float | None
    high: float | None
    unit: str
    n: int | None = None
    smallest: float | None = None
    p: float | None = None
    p_holm: float | None = None
    verdict: Literal["supported", "refuted", "open", "untestable", "not_applicable"]
    needed: float | None = None
    note_zh: str = ""
    note_en: str = ""


class Verdicts(_Part):
    """What ``gdmj tips`` writes."""

    provenance: dict[str, Any] = {}
    verdicts: list[Verdict] = Field(min_length=1, max_length=_MOST_ROWS)


class Estimate(_Part):
    """A value and its interval."""

    value: float | None
    low: float | None
    high: float | None


class Fan(_Part):
    """Quantiles of a seat's result after some of the hands of a session."""

    hands: list[int] = Field(min_length=1, max_length=1_000)
    quantiles: dict[float, list[float]]

    @model_validator(mode="after")
    def _fits(self) -> Fan:
        if any(len(values) != len(self.hands) for values in self.quantiles.values()):
            raise ValueError("each quantile needs a value for each of the hands")
        return self


class Session(_Part):
    """Sessions of one bot under one rule set (`analysis.session_risk.SessionRisk`)."""

    rules: str
    bot: str
    unit: str
    sessions: int
    hands: int
    mean_hand: Estimate
    sd: Estimate
    ahead: Estimate
    n0: float | None
    quantiles: dict[float, Estimate]
    ruin: dict[float, Estimate]
    fan: Fan


class Sessions(_Part):
    """What ``gdmj session --json`` prints."""

    sessions: list[Session] = Field(min_length=1, max_length=_MOST_ROWS)


class Found(BaseModel):
    """What lies in a folder beside its runs."""

    comparison: Comparison | None = None
    verdicts: Verdicts | None = None
    sessions: Sessions | None = None

    def __bool__(self) -> bool:
        """Whether anything was found."""
        return any((self.comparison, self.verdicts, self.sessions))


Kind = TypeVar("Kind", bound=BaseModel)
_COMMANDS: dict[type[BaseModel], str] = {Comparison: "compare", Verdicts: "tips", Sessions: "session"}


def look(folder: Path) -> Found:
    """Read what lies in a folder.

    Raises
    ------
    RunError
        For a file that is not what the command of its name writes.
    """
    return Found(
        comparison=_read(folder / "compare.json", Comparison),
        verdicts=_read(folder / "tips.json", Verdicts),
        sessions=_read(folder / "session.json", Sessions),
    )


def _read(path: Path, kind: type[Kind]) -> Kind | None:
    wrong = f"{path}: not what gdmj {_COMMANDS[kind]} writes"
    try:
        if path.stat().st_size > MAX_BYTES:
            raise RunError(f"{wrong} (larger than {MAX_BYTES:,} bytes)")
        return kind.model_validate(json.loads(path.read_text(encoding="utf-8")))
    except FileNotFoundError:
        return None
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"])) or "the whole"
        raise RunError(f"{wrong} ({where[:80]}: {first['msg']})") from None
    except (OSError, ValueError, RecursionError):
        raise RunError(f"{wrong} (it cannot be read as JSON)") from None


def frame_of(rows: Sequence[BaseModel]) -> pl.DataFrame:
    """One row for each of several models; lists become text."""
    data = [
        {name: ", ".join(map(str, v)) if isinstance(v, list) else v for name, v in row.model_dump().items()}
        for row in rows
    ]
    return pl.DataFrame(data, infer_schema_length=None)
