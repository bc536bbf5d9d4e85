"""Plays a comparison: rule sets on common walls, until the planned hands or the wanted precision."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from analysis import saved, sequence
from analysis.compare.arms import Arm, Contrast
from analysis.compare.effects import Effect, Effects, by_measure, family_size
from analysis.compare.luck import LuckTables, pilot
from analysis.compare.sums import Sums
from analysis.luck import PILOT_HANDS
from analysis.sequence import Look, Target
from sim.jit import CODE_HASH
from sim.policy import is_blind_to_prices
from sim.trials import LineUp, Trial, TrialPlayer, play_in_order, rotations, sees_wall

CHECK_HANDS = 256  # on which every re-scored rule set is also played on its own
ALPHA = 0.05
# The share of the planned tables at which a confidence sequence is narrowest; it stays close for several times that.
_BEST_SHARE = 1 / 8


# With fewer hands the pilot that luck tables are fitted on would take more time than it saves.
LUCK_HANDS = 3 * PILOT_HANDS
_SHOWN = (Target("dealer_net", 0.0),)  # whose precision is shown where none is asked for


class RescoreError(Exception):
    """A rule set that was settled from another one's play moves other points when it is played itself."""


@dataclass(frozen=True)
class Comparison:
    """What a comparison found."""

    arms: tuple[Arm, ...]
    contrasts: tuple[Contrast, ...]
    effects: tuple[Effect, ...]
    how: tuple[str, ...]  # of each arm: base, re-scored or re-simulated
    trial: Trial
    n_tables: int
    targets: tuple[Target, ...]
    stop: str
    luck: dict[str, Any] | None  # provenance of the tables by which luck was taken off

    @property
    def n_hands(self) -> int:
        """Hands played on the walls, once for each group of rule sets that are played alike."""
        return self.n_tables * self.trial.table_hands

    @property
    def policy(self) -> str:
        """``fixed`` where no bot reads prices: it plays the same under all rule sets; else ``adapted``."""
        return "fixed" if is_blind_to_prices(self.trial.line_ups[0]) else "adapted"

    @property
    def frame(self) -> pl.DataFrame:
        """Return the effects as a frame, a row for each contrast and measure (`Effect`)."""
        return pl.DataFrame([dataclasses.asdict(effect) for effect in self.effects])

    def __str__(self) -> str:
        from analysis.compare.text import describe

        return describe(self)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        from analysis.api.look import comparison_html

        return comparison_html(self)

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain data; what is unknown is None."""
        return {
            "base": self.arms[0].label,
            "bots": list(self.trial.line_ups[0]),
            "policy": self.policy,
            "mode": self.trial.mode,
            "seed": self.trial.seed,
            "hands": self.n_hands,
            "hands_played": self.n_hands * len(self.trial.groups),
            "tables": self.n_tables,
            "hands_per_table": self.trial.table_hands,
            "seat_walls": self.trial.has_seat_walls,
            "luck": self.luck,
            "stop": self.stop,
            "code_hash": CODE_HASH,
            "rule_sets": [
                {"label": arm.label, "slug": arm.rules.slug, "digest": arm.rules.digest(), "how": how}
                for arm, how in zip(self.arms, self.how, strict=True)
            ],
            "effects": [
                {key: None if isinstance(v, float) and not np.isfinite(v) else v for key, v in values.items()}
                for values in map(dataclasses.asdict, self.effects)
            ],
        }


def compare(
    arms: Sequence[Arm],
    contrasts: Sequence[Contrast],
    bots: LineUp = ("ukeire", "ukeire", "ukeire", "ukeire"),
    *,
    hands: int = 200_000,
    seed: int = 1,
    mode: str = "duplicate",
    hands_per_table: int = 64,
    threads: int = 1,
    targets: tuple[Target, ...] = (),
    adjust_luck: bool = True,
    seat_walls: bool = True,
    save: Path | None = None,
    progress: Callable[[int, str], None] | None = None,
) -> Comparison:
    """Play every arm on the same walls and estimate every contrast.

    Parameters
    ----------
    arms, contrasts
        As `analysis.compare.arms.plan` gives them.
    hands
        Hands of each play, rounded up to whole tables; with ``targets`` the most.
    targets
        Precisions at which to stop: then all intervals are confidence sequences, which hold whenever one stops.
    adjust_luck
        Whether to take the luck of the draws off where rule sets are played differently (`analysis.compare.luck`). Not
        done where a bot sees the wall, and with fewer than `LUCK_HANDS` hands.
    seat_walls
        Whether each seat draws from its own part of the wall (`sim.trials.Trial`).
    save
        File that keeps the sums; a run with the same facts goes on from it.
    progress
        Called with the hands done since its last call and a word on the precision so far.

    Raises
    ------
    RescoreError
        When settling from another play is not the same as playing; a fault of the program.
    analysis.saved.SavedError
        When the file is of another run.
    """
    line_ups = (bots,) if mode == "session" else rotations(bots)
    trial = Trial(tuple(arm.rules for arm in arms), line_ups, seed, mode, hands_per_table, seat_walls)
    has_luck = adjust_luck and len(trial.groups) > 1 and hands >= LUCK_HANDS and not sees_wall(line_ups)
    player = TrialPlayer(trial, with_luck=has_luck)
    check_rescoring(player)
    sums = Sums(len(arms), contrasts, trial.table_hands, pilot(trial) if has_luck else None)
    n_tables = -(-hands // trial.table_hands)
    r = sequence.rho(max(n_tables * _BEST_SHARE, sequence.MIN_UNITS), ALPHA)
    file = saved.Saved(save, _key(trial, arms, contrasts, sums.luck))
    if found := file.read():
        sums.load(found["sums"])
        r = found["r"]
        if progress:
            progress(sums.n_hands, "")
    watch = _Watch(sums, contrasts, trial, targets, r)
    precise = watch.look()
    try:
        for piece in play_in_order(player, sums.tables.n, 0 if precise else max(n_tables - sums.tables.n, 0), threads):
            sums.add(piece)
            precise = watch.look()
            if progress:
                progress(len(piece.facts) * trial.table_hands, watch.note)
            if precise:
                break
            file.write_sometimes(lambda: {"sums": sums.to_dict(), "r": r})
    finally:
        file.write({"sums": sums.to_dict(), "r": r})
    precise = precise or watch.look(is_last=True)
    stop = f"precision reached: {watch.note}" if precise else "all planned hands were played"
    if targets and not precise:
        stop += watch.shortfall()
    effects = watch.effects()
    found_effects = effects.when_stopped(r, watch.alpha) if targets else effects.at_the_end()
    how = tuple(_how(place, trial.groups) for place in range(len(arms)))
    luck = sums.luck.to_dict() if sums.luck else None
    return Comparison(
        tuple(arms), tuple(contrasts), tuple(found_effects), how, trial, sums.tables.n, targets, stop, luck
    )


def _key(trial: Trial, arms: Sequence[Arm], contrasts: Sequence[Contrast], luck: LuckTables | None) -> dict[str, Any]:
    """Facts that a saved run must share."""
    return {
        "kind": "compare",
        "rules": [arm.rules.digest() for arm in arms],
        "contrasts": [[c.label, sorted([arm, weight] for arm, weight in c.weights.items())] for c in contrasts],
        "bots": [list(bots) for bots in trial.line_ups],
        "seed": trial.seed,
        "mode": trial.mode,
        "hands_per_table": trial.table_hands,
        "seat_walls": trial.has_seat_walls,
        "luck": luck.digest if luck else None,
        "code": CODE_HASH,
    }


class _Watch:
    """How precise a comparison is while it grows, looked at after every 2 % more tables."""

    def __init__(
        self, sums: Sums, contrasts: Sequence[Contrast], trial: Trial, targets: tuple[Target, ...], r: float
    ) -> None:
        self._sums, self._contrasts, self._trial, self._r = sums, contrasts, trial, r
        self._targets = targets
        self.alpha = ALPHA / family_size(contrasts, trial.groups)
        self._next = sequence.MIN_UNITS
        self.note = ""

    def effects(self) -> Effects:
        """Effects so far."""
        return Effects(self._sums, self._contrasts, self._trial.groups, self._trial.mode == "session")

    def look(self, is_last: bool = False) -> bool:
        """Whether the wanted precision is reached; ``note`` says how wide intervals are."""
        if self._sums.tables.n < (sequence.MIN_UNITS if is_last else self._next):
            return False
        self._next = int(self._sums.tables.n * 1.02) + 1
        effects = self.effects()
        looks = by_measure(effects, effects.looks(self._r, self.alpha))
        self.note = describe_looks(self._targets or _SHOWN, looks)
        return sequence.reached(self._targets, looks)

    def shortfall(self) -> str:
        """Why the wanted precision is not reached."""
        effects = self.effects()
        return sequence.shortfall(self._targets, by_measure(effects, effects.looks(self._r, self.alpha)))


def describe_looks(targets: Sequence[Target], looks: Mapping[str, Look]) -> str:
    """Half-widths of the targets so far."""
    return ", ".join(
        f"halfwidth({t.measure}) {looks[t.measure].half if t.measure in looks else 0.0:.3g}" for t in targets
    )


def _how(place: int, groups: Sequence[Sequence[int]]) -> str:
    if place == 0:
        return "base"
    return "re-scored" if place in groups[0] else "re-simulated"


def check_rescoring(player: TrialPlayer) -> None:
    """Play each re-scored rule set on its own for a few hands and compare every fact."""
    trial = player.trial
    n_tables = max(CHECK_HANDS // trial.table_hands, 1)
    if len(trial.groups) == len(trial.rules):
        return
    together = player.play(0, n_tables).facts
    for group in trial.groups:
        for place in group[1:]:
            alone = TrialPlayer(dataclasses.replace(trial, rules=(trial.rules[place],))).play(0, n_tables).facts
            if not np.array_equal(together[:, :, place], alone[:, :, 0]):
                raise RescoreError(
                    f"{trial.rules[place].slug}: settled from another rule set's play it moves other points than played"
                    " itself; please report this with the command"
                )
