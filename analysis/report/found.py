"""Results of other commands that lie in a run's folder as JSON: read, checked, never trusted."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Literal, TypeVar

import polars as pl
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, model_validator

from analysis.scan import RunError
from analysis.session_risk import heading

MAX_BYTES = 20_000_000
_MOST_ROWS = 20_000
_MOST_SESSIONS, _MOST_COLUMNS = 500, 100
_ROUNDING = 1e-9  # by which a value may leave its own interval


def _readable(text: str) -> str:
    """Refuse halves of characters, which no file can hold, and what moves a cursor."""
    if any((char < " " and char not in "\n\t") or "\ud800" <= char <= "\udfff" or char == "\x7f" for char in text):
        raise ValueError("not plain text")
    return text


def _visible(size: float | None) -> float | None:
    if size is not None and 0 < abs(size) < 1e-9:
        raise ValueError("0, or at least 1e-9, is needed")
    return size


# What a page and its charts can show: far more than any result, far less than a float or a column can hold.
Name = Annotated[str, Field(max_length=400), AfterValidator(_readable)]
Note = Annotated[str, Field(max_length=2_000), AfterValidator(_readable)]
Names = Name | Annotated[list[Name], Field(max_length=100)]
Number = Annotated[float, Field(ge=-1e12, le=1e12)]
Chance = Annotated[float, Field(ge=0, le=1)]
Hands = Annotated[int, Field(ge=1, le=10**15)]
# Hands that something would take: the square of a ratio that may be close to 0.
Far = Annotated[float, Field(ge=0, le=1e30)]


def _ordered(value: float | None, low: float | None, high: float | None, name: str) -> None:
    slack = _ROUNDING * max([1.0, *(abs(x) for x in (value, low, high) if x is not None)])
    if (low is None) != (high is None):
        raise ValueError("low and high are needed, or neither")
    if value is None and low is not None:
        raise ValueError(f"limits without {name}")
    known = [x for x in (low, value, high) if x is not None]
    if any(b < a - slack for a, b in pairwise(known)):
        raise ValueError(f"low <= {name} <= high is needed")


class _Part(BaseModel):
    model_config = ConfigDict(extra="ignore", allow_inf_nan=False)


class Effect(_Part):
    """What a switch does to one measure (`analysis.compare.effects.Effect`)."""

    contrast: Name
    measure: Name
    base: Number | None
    effect: Number | None
    low: Number | None
    high: Number | None
    p: Chance | None = None
    worth: Number | None = None
    is_exact: bool = False

    @model_validator(mode="after")
    def _fits(self) -> Effect:
        _ordered(self.effect, self.low, self.high, "effect")
        return self


class RuleSet(_Part):
    """A rule set of a comparison: its name there, and its digest."""

    label: str
    digest: str


class Comparison(_Part):
    """What ``gdmj compare --json`` prints."""

    base: Name
    bots: list[Name] = Field(min_length=1, max_length=4)
    mode: Name
    hands: Hands
    seed: int = Field(ge=0, lt=1 << 63)
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

    id: Name
    zh: Name
    en: Name
    method: Name = ""
    rules: Names = ""
    bots: Names = ""
    part: Name = ""
    effect: Number | None
    low: Number | None
    high: Number | None
    unit: Name
    n: Annotated[int, Field(ge=0, le=10**15)] | None = None
    smallest: Annotated[Number, AfterValidator(_visible)] | None = None
    p: Chance | None = None
    p_holm: Chance | None = None
    verdict: Literal["supported", "refuted", "open", "untestable", "not_applicable"]
    needed: Far | None = None
    note_zh: Note = ""
    note_en: Note = ""

    @model_validator(mode="after")
    def _fits(self) -> Verdict:
        _ordered(self.effect, self.low, self.high, "effect")
        return self


class Verdicts(_Part):
    """What ``gdmj tips`` writes."""

    verdicts: list[Verdict] = Field(min_length=1, max_length=_MOST_ROWS)


class Estimate(_Part):
    """A value and its interval."""

    value: Number | None
    low: Number | None
    high: Number | None

    @model_validator(mode="after")
    def _fits(self) -> Estimate:
        _ordered(self.value, self.low, self.high, "value")
        return self


class Fan(_Part):
    """Quantiles of a seat's result after some of the hands of a session."""

    hands: list[Hands] = Field(min_length=1, max_length=1_000)
    quantiles: dict[Chance, list[Number]] = Field(min_length=1, max_length=_MOST_COLUMNS)

    @model_validator(mode="after")
    def _fits(self) -> Fan:
        if any(b <= a for a, b in pairwise(self.hands)):
            raise ValueError("hands must increase")
        if any(len(values) != len(self.hands) for values in self.quantiles.values()):
            raise ValueError("each quantile needs a value for each of the hands")
        return self


class Session(_Part):
    """Sessions of one bot under one rule set (`analysis.session_risk.SessionRisk`)."""

    rules: Name
    changes: Annotated[str, Field(max_length=30_000), AfterValidator(_readable)] = ""
    bot: Name
    unit: Name
    sessions: Hands
    hands: Hands
    mean_hand: Estimate
    sd: Estimate
    ahead: Estimate
    n0: Far | None
    quantiles: dict[Chance, Estimate] = Field(min_length=1, max_length=_MOST_COLUMNS)
    ruin: dict[Annotated[float, Field(gt=0, le=1e12)], Estimate] = Field(max_length=_MOST_COLUMNS)
    fan: Fan

    @property
    def label(self) -> str:
        """Who played what."""
        return heading(self.rules, self.changes, self.bot)


class Sessions(_Part):
    """What ``gdmj session --json`` prints."""

    sessions: list[Session] = Field(min_length=1, max_length=_MOST_SESSIONS)

    @model_validator(mode="after")
    def _fits(self) -> Sessions:
        for name in ("quantiles", "ruin"):
            if len({key for one in self.sessions for key in getattr(one, name)}) > _MOST_COLUMNS:
                raise ValueError(f"{name}: more than {_MOST_COLUMNS} different ones")
        return self


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
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        where = ascii(".".join(map(str, first["loc"]))[:80])[1:-1] or "the whole"
        raise RunError(f"{wrong} ({where}: {first['msg'].removeprefix('Value error, ')})") from None
    except (OSError, ValueError, RecursionError):
        raise RunError(f"{wrong} (it cannot be read as JSON)") from None


def frame_of(rows: Sequence[BaseModel]) -> pl.DataFrame:
    """One row for each of several models; lists become text."""
    data = [
        {name: ", ".join(map(str, v)) if isinstance(v, list) else v for name, v in row.model_dump().items()}
        for row in rows
    ]
    return pl.DataFrame(data, infer_schema_length=None)
