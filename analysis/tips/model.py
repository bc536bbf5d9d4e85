"""What a tip is, how it is checked, and what a check found."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import polars as pl

from analysis.labels import Label
from sim.rules import Rules

if TYPE_CHECKING:
    from analysis.tips.moves import Trace

Verdict = Literal["supported", "refuted", "open", "untestable", "not_applicable"]
Method = Literal["log", "level", "duel", "exact", "none"]
VERDICTS: dict[Verdict, Label] = {
    "supported": Label("成立", "supported"),
    "refuted": Label("不成立", "refuted"),
    "open": Label("未定", "open"),
    "untestable": Label("无法检验", "untestable"),
    "not_applicable": Label("不适用", "not applicable"),
}
METHODS: dict[Method, Label] = {
    "log": Label("牌谱，与同条件的牌相比", "log, against matched states"),
    "level": Label("牌谱，与定值相比", "log, against a fixed level"),
    "duel": Label("两种打法同墙对局", "two policies on common walls"),
    "exact": Label("精确值", "exact value"),
    "none": Label("无", "none"),
}
NO_WORDS = Label("", "")
PP, POINTS = "pp", "points per 100 hands"

# What is of interest where two policies differ: a quarter of an average win in a hundred hands, or a twentieth of one
# in each hand in which the tip changes a move, whichever is less.
WINS_IN_100, WINS_EACH = 0.25, 0.05


def always(rules: Rules) -> Label | None:
    """Reason why a rule set cannot show a check: none."""
    return None


def nowhere(rules: Rules) -> bool:
    """Whether a claim must fail in a rule set: in none."""
    return False


@dataclass(frozen=True)
class Check:
    """One claim of a tip that a number decides.

    Attributes
    ----------
    claim
        One sentence.
    method
        ``log``: mean of ``y`` in cases less its mean in the states matched to them; ``level``: mean of ``y`` less
        ``level``; ``duel``: points of ``a`` less those of ``b`` on common walls; ``exact``: zero events, or a value
        known beforehand.
    direction
        1 where the claim is that the effect is above 0, -1 below, 0 that there is none worth mention.
    smallest
        Least effect of interest, in percentage points (log, level); None for duels, whose rule stands above.
    sample
        For log and level: rows with ``table``, ``y``, and for log ``case`` and the columns of ``match``.
    match
        What cases and baseline have in common: columns of the sample.
    matched_on
        The same in words.
    a, b
        For duels: bots, with ``{bot}`` for the base.
    bots
        Bots that it is run with where not those asked for.
    """

    claim: Label
    method: Method
    direction: int = 1
    smallest: float | None = None
    name: str = ""
    sample: Callable[[Trace], pl.DataFrame] | None = None
    match: tuple[str, ...] = ()
    matched_on: Label = NO_WORDS
    level: float = 0.0
    unit: str = PP
    a: str = ""
    b: str = "{bot}"
    is_level: bool = False  # a tip at one of its levels (`analysis.tips.levels`)
    bots: tuple[str, ...] | None = None
    rules: tuple[str, ...] | None = None  # rule sets of its own, whatever others are tried
    also: tuple[str, ...] = ()  # rule sets beside those asked for by default
    needs: Callable[[Rules], Label | None] = always  # why a rule set cannot show it
    falsifier: Callable[[Rules], bool] = nowhere  # rule sets in which the claim must fail
    find: Callable[[Trace], Found] | None = None  # exact checks


@dataclass(frozen=True)
class Tip:
    """One tip of the sources."""

    id: str
    claim: Label  # one sentence
    condition: Label
    outcome: Label
    baseline: Label
    checks: tuple[Check, ...] = ()
    untestable: Label | None = None


@dataclass(frozen=True)
class Found:
    """A number with what is needed to judge it.

    ``se`` standard error and ``degrees`` of freedom; ``limits(level)`` where another interval is right than Student's.
    """

    effect: float
    se: float
    degrees: float
    n: int
    hands: int
    p: float
    case_mean: float = math.nan
    base_mean: float = math.nan
    dropped: float = 0.0
    changed: float = math.nan  # share of hands in which a policy changes a move
    smallest: float | None = None
    is_exact: bool = False
    note: Label = NO_WORDS
    limits: Callable[[float], tuple[float, float]] | None = None


@dataclass
class Row:
    """One check in one rule set with one bot; ``zh, en`` claim of the check, ``tip_zh, tip_en`` of the tip."""

    id: str
    part: str
    zh: str
    en: str
    method: Method
    rules: str
    bots: str
    effect: float = math.nan
    low: float = math.nan
    high: float = math.nan
    unit: str = ""
    n: int = 0
    hands: int = 0
    smallest: float = math.nan
    case_mean: float = math.nan
    base_mean: float = math.nan
    dropped: float = math.nan
    changed: float = math.nan
    p: float = math.nan
    p_holm: float = math.nan
    verdict: Verdict = "open"
    needed: int | None = None
    direction: int = 0
    is_falsifier: bool = False
    one_family_only: bool = False
    is_level: bool = False
    tip_zh: str = ""
    tip_en: str = ""
    matched_on_zh: str = ""
    matched_on_en: str = ""
    note_zh: str = ""
    note_en: str = ""
    found: Found | None = field(default=None, repr=False)

    def note(self, text: Label) -> None:
        """Add a remark."""
        if text.en and text.en not in self.note_en:
            self.note_zh = f"{self.note_zh}；{text.zh}" if self.note_zh else text.zh
            self.note_en = f"{self.note_en}; {text.en}" if self.note_en else text.en

    def to_dict(self) -> dict[str, Any]:
        """Plain data; what is unknown is None."""
        facts = asdict(self) if self.found is None else asdict(_without_found(self))
        facts.pop("found")
        return {k: None if isinstance(v, float) and not math.isfinite(v) else v for k, v in facts.items()}


def _without_found(row: Row) -> Row:
    values = {name: getattr(row, name) for name in row.__dataclass_fields__}
    return Row(**{**values, "found": None})
