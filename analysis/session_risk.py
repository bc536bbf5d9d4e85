"""What a session of many hands brings a player: spread, ruin, streaks, and when skill outgrows luck.

Results are those of one seat, in points or, where the rule set has coins, in coins after the room's rake. Seats of
equal bots are pooled; they share tables, so intervals are over tables (`analysis.estimate`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from analysis import estimate, intervals
from analysis.overrides import changes
from sim.rules import Rules
from sim.trial import F
from sim.trials import Facts, LineUp, Trial, TrialPlayer, play_in_order

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

QUANTILES = (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)
FAN = (0.05, 0.25, 0.5, 0.75, 0.95)  # quantiles on the way
_MOST_CHANGES, _MOST_WIDTH = 100, 200  # fields, and characters of a value, that are told
_FAN_POINTS, _FAN_SESSIONS = 64, 20_000  # hands at which, and first sessions of which they are taken


@dataclass(frozen=True)
class Estimate:
    """A value with the limits of its 95 % interval; NaN where they are unknown."""

    value: float
    low: float = math.nan
    high: float = math.nan


@dataclass(frozen=True)
class Fan:
    """Result after ``hands`` hands of a session: quantile -> value at each of them."""

    hands: list[int]
    quantiles: dict[float, list[float]]


def heading(rules: str, changes: str, bot: str) -> str:
    """Name of a rule set, a bot, and what was changed in the rules."""
    return f"{rules}, {bot}{f' ({changes})' if changes else ''}"


@dataclass(frozen=True)
class SessionRisk:
    """Sessions of one bot under one rule set; ``changes`` tells all fields that were set, such as ``horses.count=2``.

    A losing streak is a row of hands that each cost something (a washout without kongs ends it where nothing is raked).
    ``n0`` is the number of hands after which the mean result equals one standard deviation, s^2 / m^2 with both for a
    hand; infinite where the game is even. ``ruin`` maps a bankroll to the chance to have lost it within the session,
    ``ruin_ever`` to that of losing it however long one plays, exp(-2 m B / s^2) for m > 0, else 1 (diffusion limit:
    Feller 1968, volume I, XIV.2; single big losses make it a little larger). ``fan`` is how results spread on the way,
    in the first 20,000 sessions.
    """

    rules: str
    changes: str
    bot: str
    unit: str
    sessions: int
    hands: int
    mean_hand: Estimate
    sd_hand: float
    n0: float
    sd: Estimate
    ahead: Estimate
    quantiles: dict[float, Estimate]
    ruin: dict[float, Estimate]
    ruin_ever: dict[float, float]
    streak_mean: Estimate
    streak_95: float
    streak_longest: int
    fan: Fan

    @property
    def label(self) -> str:
        """Who played what, for headings."""
        return heading(self.rules, self.changes, self.bot)

    def __str__(self) -> str:
        from analysis.session_text import describe

        return describe(self)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        from analysis.api.look import session_html

        return session_html(self)

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain data; what is unknown or infinite is None."""
        result: dict[str, Any] = _plain(asdict(self))
        return result


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(key): _plain(v) for key, v in value.items()}
    return None if isinstance(value, float) and not math.isfinite(value) else value


def results(facts: Facts, rules: Sequence[Rules]) -> Floats:
    """Change of each seat in each hand, points or coins: float64 (tables, hands, rule sets, 4)."""
    points = facts[..., F["points_0"] : F["points_0"] + 4]
    factor = np.array([r.coins.factor or 1 for r in rules], np.float64)
    rake = np.array([r.coins.rake if r.coins.factor else 0 for r in rules], np.float64)
    changed: Floats = points * factor[:, None] - rake[:, None]
    return changed


def longest_streak(lost: NDArray[np.bool_]) -> Integers:
    """Length of the longest run of True along axis 1."""
    longest = np.zeros((lost.shape[0], *lost.shape[2:]), np.int64)
    now = np.zeros_like(longest)
    for hand in range(lost.shape[1]):
        now = np.where(lost[:, hand], now + 1, 0)
        longest = np.maximum(longest, now)
    return longest


def session_risk(
    rules: Sequence[Rules],
    bots: LineUp,
    *,
    hands: int = 64,
    sessions: int = 10_000,
    bankrolls: Sequence[float] = (),
    seed: int = 1,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> list[SessionRisk]:
    """Play sessions of ``hands`` hands with a moving deal under every rule set, one entry a rule set and bot."""
    trial = Trial(tuple(rules), (bots,), seed, "session", hands)
    at = np.unique(np.linspace(1, hands, min(hands, _FAN_POINTS)).round().astype(np.int64))
    final, lowest, streak = [], [], []
    ways: list[Floats] = []
    for piece in play_in_order(TrialPlayer(trial), 0, sessions, threads):
        changed = results(piece.facts, rules)
        path = changed.cumsum(axis=1)
        final.append(path[:, -1])
        lowest.append(path.min(axis=1))
        streak.append(longest_streak(changed < 0))
        if sum(len(one) for one in ways) < _FAN_SESSIONS:
            ways.append(path[:, at - 1])
        if progress:
            progress(len(changed) * hands)
    ends, lows, streaks = (np.concatenate(parts) for parts in (final, lowest, streak))
    way = np.concatenate(ways)[:_FAN_SESSIONS]
    names = list(dict.fromkeys(bots))
    return [
        _describe(
            r,
            bot,
            hands,
            bankrolls,
            *(a[:, k][:, _seats(bots, bot)] for a in (ends, lows, streaks)),
            fan=_fan(at, way[:, :, k][:, :, _seats(bots, bot)]),
        )
        for k, r in enumerate(rules)
        for bot in names
    ]


def _seats(bots: Iterable[str], bot: str) -> list[int]:
    return [seat for seat, name in enumerate(bots) if name == bot]


def _fan(at: Integers, way: Floats) -> Fan:
    """Quantiles of results on the way, from float64 (sessions, points, seats)."""
    values = np.quantile(way.swapaxes(1, 2).reshape(-1, len(at)), FAN, axis=0, method="inverted_cdf")
    return Fan(at.tolist(), dict(zip(FAN, values.tolist(), strict=True)))


def _describe(
    rules: Rules,
    bot: str,
    hands: int,
    bankrolls: Sequence[float],
    ends: Floats,
    lows: Floats,
    streaks: Integers,
    *,
    fan: Fan,
) -> SessionRisk:
    """Sessions of one bot; arrays (sessions, seats)."""
    frame = pl.LazyFrame(
        {"table": np.repeat(np.arange(len(ends)), ends.shape[1]), "end": ends.ravel(), "low": lows.ravel()}
        | {"streak": streaks.ravel()}
    )
    n = pl.len().cast(pl.Float64)
    is_even = bool(np.ptp(ends.sum(axis=1)) == 0)  # all four seats: their sum is the same in every session
    mean = _mean(frame, pl.col("end"))
    m, s2 = mean.value / hands, float(((ends - ends.mean()) ** 2).mean()) / hands
    is_known = is_even or mean.low > 0 or mean.high < 0
    ruin = {b: _rate(frame, pl.col("low") <= -b) for b in bankrolls}
    spread = estimate.skewed_means(
        estimate.sums(frame, {"v": ((pl.col("end") - mean.value).pow(2).sum(), n)})
    ).collect().row(0, named=True)  # fmt: skip
    limits = [math.nan if spread[k] is None else math.sqrt(max(spread[k], 0)) for k in ("low", "high")]
    return SessionRisk(
        rules=rules.slug,
        changes=changes(rules, _MOST_CHANGES, _MOST_WIDTH),
        bot=bot,
        unit="coins" if rules.coins.factor else "points",
        sessions=len(ends),
        hands=hands,
        mean_hand=Estimate(m, m, m) if is_even else Estimate(m, mean.low / hands, mean.high / hands),
        sd_hand=math.sqrt(s2),
        n0=s2 / (m * m) if is_known and m else math.inf,
        sd=Estimate(math.sqrt(s2 * hands), *limits),
        ahead=_rate(frame, pl.col("end") > 0),
        quantiles={p: _quantile(ends, p) for p in QUANTILES},
        ruin=ruin,
        ruin_ever={b: math.exp(-2 * m * b / s2) if is_known and m > 0 and s2 else 1.0 for b in bankrolls},
        streak_mean=_mean(frame, pl.col("streak").cast(pl.Float64)),
        streak_95=float(np.quantile(streaks, 0.95, method="inverted_cdf")),
        streak_longest=int(streaks.max()),
        fan=fan,
    )


def _mean(frame: pl.LazyFrame, value: pl.Expr) -> Estimate:
    row = estimate.means(estimate.sums(frame, {"v": (value.sum(), pl.len())})).collect().row(0, named=True)
    return Estimate(row["mean"], *(math.nan if row[k] is None else row[k] for k in ("low", "high")))


def _rate(frame: pl.LazyFrame, event: pl.Expr) -> Estimate:
    row = estimate.rates(estimate.sums(frame, {"v": (event.sum(), pl.len())})).collect().row(0, named=True)
    return Estimate(row["rate"], row["low"], row["high"])


def _quantile(ends: Floats, p: float) -> Estimate:
    """Quantile with Woodruff's interval (1952, JASA 47:635): that of the share below it, turned into values."""
    values = np.sort(ends.ravel())
    value = float(np.quantile(values, p, method="inverted_cdf"))
    below = (ends <= value).mean(axis=1)
    half = intervals.z_value() * float(below.std(ddof=1)) / math.sqrt(len(below)) if len(below) > 1 else math.nan
    if math.isnan(half) or len(values) * min(p, 1 - p) <= estimate.EXACT_COUNT:
        return Estimate(value)
    low, high = (float(np.quantile(values, min(max(q, 0.0), 1.0), method="inverted_cdf")) for q in (p - half, p + half))
    return Estimate(value, low, high)
