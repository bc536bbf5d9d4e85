"""How rare are the rarest hands? Multilevel splitting: go on from where a hand came near, again and again.

Stage by stage the same number of hands starts from those that came to the last distance from the pattern, chosen at
random, each with the undrawn tiles shuffled anew; the share that comes to the next distance is one factor, the last one
is the share that wins with the pattern. The product is an unbiased estimate of the chance that a hand is won with it
(fixed effort: L'Ecuyer, Demers and Tuffin 2007, ACM TOMACS 17:9), whatever the distances are; these are chosen on a
pilot. Independent repetitions give the interval.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import special

from sim import patterns
from sim.flags import DECK, FLAG, R_N_TILES, to_flags
from sim.policy import bot_codes, sees_wall
from sim.policy.entries import state_for
from sim.rules import Rules
from sim.splitting import play_split
from sim.state import DEALER, GAME, SEATED
from sim.tables import load as load_tables
from sim.user_bots import raise_fault

Integers = NDArray[np.int64]

PATTERNS = ("thirteen_orphans", "dasanyuan", "dasixi", "jiulian", "qingyaojiu")
MAX_DISTANCE = 16
_SHARE = 0.3  # of a stage's hands that the next distance lets through, about
_MAX_MOVES = 1024
_FEW_WINS = 10  # repetitions with a win, below which there is no interval


class SplittingError(ValueError):
    """A pattern or bot that cannot be split; the message is one line."""


@dataclass(frozen=True)
class Rare:
    """Chance that a hand is won with a pattern, with its standard error and 95 % interval.

    The interval is missing (NaN) where fewer than ten repetitions came through to a win: so few tell little of a
    product's spread. Where none did (a rate of 0) ``high`` is the exact one-sided 95 % limit (Clopper-Pearson) from the
    hands of the first stages alone, which are plain ones.
    ``gain`` is how many hands played as they come would know it as well as one hand here; ``hands`` counts all hands
    played, the pilot's left out.
    """

    rules: str
    bot: str
    pattern: str
    rate: float
    se: float
    low: float
    high: float
    hands: int
    repetitions: int
    distances: tuple[int, ...]
    gain: float

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain data; what is unknown is None."""
        return {k: None if isinstance(v, float) and not math.isfinite(v) else v for k, v in asdict(self).items()}


class _Stage(NamedTuple):
    """Hands of one stage: their walls, what `sim.splitting.approach` noted, and whether they were won."""

    walls: Integers
    nearest: Integers
    won: NDArray[np.bool_]

    def through(self, distance: int | None) -> NDArray[np.bool_]:
        """Which hands came so near or were won; ``None``: which were won with the pattern."""
        return self.won if distance is None else self.won | (self.nearest[:, distance, 0] >= 0)

    def points(self, distance: int) -> Integers:
        """Where the hands split; those that were won without coming near have no future left."""
        found: Integers = np.where(self.nearest[:, distance] >= 0, self.nearest[:, distance], 0)
        return found


class _Player:
    """Plays stages for one rule set, bot and pattern."""

    def __init__(self, rules: Rules, bot: str, pattern: str, seed: int) -> None:
        self._state, self._rules, self._tables = state_for(bot_codes((bot,))), to_flags(rules), load_tables()
        self._state[GAME, SEATED : SEATED + 4] = bot_codes((bot,) * 4)
        self._pattern, self._seed, self._bot = patterns.INDEX[pattern], seed, bot
        self._trace, self._counts = np.zeros((_MAX_MOVES, 4), np.int64), np.zeros((5, 41), np.int64)
        self._number = 0

    def play(self, walls: Integers, points: Integers) -> _Stage:
        """Play hands with their futures shuffled anew."""
        nearest = np.empty((len(walls), MAX_DISTANCE, 2), np.int64)
        won = np.zeros(len(walls), np.uint8)
        self._number += 1
        self._state[GAME, DEALER] = 0
        if play_split(
            self._state, self._rules, self._tables, walls, points, len(walls), self._pattern, self._seed, self._number,
            self._trace, self._counts, nearest, won,
        ):  # fmt: skip
            raise SplittingError(f"bot {self._bot!r} takes random numbers, so its hands cannot be split")
        raise_fault(self._state)
        return _Stage(walls, nearest, won.astype(bool))

    def first(self, n: int) -> _Stage:
        """Play hands from new deals."""
        n_tiles = int(self._rules[FLAG, R_N_TILES])
        walls = np.tile(self._rules[DECK, :n_tiles], (n, 1))
        return self.play(walls, np.tile(np.array([0, n_tiles]), (n, 1)))

    def following(self, stage: _Stage, distance: int, rng: np.random.Generator) -> _Stage:
        """Play as many hands from those that came to ``distance``."""
        chosen = rng.choice(np.flatnonzero(stage.through(distance)), len(stage.won))
        return self.play(stage.walls[chosen].copy(), stage.points(distance)[chosen])


def choose_distances(
    rules: Rules, pattern: str, bot: str = "ukeire", hands: int = 2_000, seed: int = 1
) -> tuple[int, ...]:
    """Choose distances on a pilot so that each lets some 30 % of a stage's hands through.

    Raises
    ------
    SplittingError
        For a pattern without a distance or without a price, and for bots that take random numbers or see the wall.
    """
    if pattern not in PATTERNS:
        raise SplittingError(f"pattern {pattern!r:.40} has no distance; allowed: {', '.join(PATTERNS)}")
    price = rules.patterns.get(pattern)
    if price is None or price.role == "none":
        raise SplittingError(f"{rules.slug}: {pattern} has no price, so no hand is won with it")
    if sees_wall([bot]):
        raise SplittingError(f"bot {bot!r} sees the wall, so its hands cannot be split")
    player, rng = _Player(rules, bot, pattern, seed), np.random.default_rng([seed, 0])
    stage, chosen = player.first(hands), list[int]()
    while stage.won.mean() < _SHARE / 3:
        shares = [stage.through(d).mean() for d in range(MAX_DISTANCE)]
        allowed = [d for d in range(min([MAX_DISTANCE, *chosen])) if shares[d] > 0]
        if not allowed:
            break
        chosen.append(min(allowed, key=lambda d: abs(math.log(shares[d] / _SHARE))))
        stage = player.following(stage, chosen[-1], rng)
    return tuple(chosen)


def rare(
    rules: Rules,
    pattern: str,
    distances: tuple[int, ...],
    bot: str = "ukeire",
    *,
    hands: int = 2_000,
    repetitions: int = 20,
    seed: int = 1,
    progress: Callable[[int], None] | None = None,
) -> Rare:
    """Estimate how often a hand is won with a pattern.

    Parameters
    ----------
    distances
        As `choose_distances` gives them: falling, fixed before the first hand.
    hands
        Hands of each stage.
    repetitions
        Independent repetitions, at least two.
    progress
        Called with the hands played since its last call.
    """
    rates, played, plain_wins = [], 0, 0
    for repetition in range(1, repetitions + 1):
        rng = np.random.default_rng([seed, repetition])
        player = _Player(rules, bot, pattern, int(rng.integers(1 << 62)))
        stage, rate = player.first(hands), 1.0
        plain_wins += int(stage.won.sum())
        for here, following in zip((None, *distances), (*distances, None), strict=True):
            if here is not None:
                stage = player.following(stage, here, rng)
            played += hands
            if progress:
                progress(hands)
            rate *= float(stage.through(following).mean())
            if rate == 0:
                break
        rates.append(rate)
    return _summary(rules.slug, bot, pattern, rates, played, distances, (plain_wins, hands * repetitions))


def _summary(
    slug: str,
    bot: str,
    pattern: str,
    rates: Sequence[float],
    played: int,
    distances: tuple[int, ...],
    plain: tuple[int, int],
) -> Rare:
    """Sum up repetitions; ``plain`` is how many hands of the first stages were won with the pattern, of how many."""
    n = len(rates)
    mean, sd = float(np.mean(rates)), float(np.std(rates, ddof=1))
    is_known = sum(rate > 0 for rate in rates) >= _FEW_WINS
    half = float(special.stdtrit(n - 1, 0.975)) * sd / math.sqrt(n) if is_known else math.nan
    gain = mean * (1 - mean) / played / (sd**2 / n) if sd else math.nan
    low = max(mean - half, 0.0) if is_known else math.nan
    high = mean + half
    if mean == 0:
        wins, dealt = plain
        low, high = 0.0, float(special.betaincinv(wins + 1, dealt - wins, 0.95))
    return Rare(slug, bot, pattern, mean, sd / math.sqrt(n), low, high, played, n, distances, gain)
