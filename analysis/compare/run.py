"""Plays a comparison: rule sets on common walls, until the planned hands or the wanted precision."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from analysis import sequence
from analysis.compare.arms import Arm, Contrast
from analysis.compare.effects import Effect, Effects, by_measure, family_size
from analysis.compare.sums import Sums
from analysis.sequence import Look, Target
from sim.jit import CODE_HASH
from sim.policy import is_blind_to_prices
from sim.trials import LineUp, Trial, TrialPlayer, play_in_order, rotations

CHECK_HANDS = 256  # on which every re-scored rule set is also played on its own
ALPHA = 0.05
# The share of the planned tables at which a confidence sequence is narrowest; it stays close for several times that.
_BEST_SHARE = 1 / 8


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
    progress
        Called with the hands done since its last call and a word on the precision so far.

    Raises
    ------
    RescoreError
        When settling from another play is not the same as playing; a fault of the program.
    """
    line_ups = (bots,) if mode == "session" else rotations(bots)
    trial = Trial(tuple(arm.rules for arm in arms), line_ups, seed, mode, hands_per_table)
    player = TrialPlayer(trial)
    check_rescoring(player)
    sums = Sums(len(arms), contrasts, trial.table_hands)
    n_tables = -(-hands // trial.table_hands)
    r = sequence.rho(max(n_tables * _BEST_SHARE, sequence.MIN_UNITS), ALPHA)
    alpha = ALPHA / family_size(contrasts, trial.groups)
    is_session = mode == "session"
    stop, next_look, note = "all planned hands were played", sequence.MIN_UNITS, ""
    for piece in play_in_order(player, 0, n_tables, threads):
        sums.add(piece.facts)
        if targets and sums.tables.n >= next_look:
            next_look = int(sums.tables.n * 1.02) + 1
            effects = Effects(sums, contrasts, trial.groups, is_session)
            looks = by_measure(effects, effects.looks(r, alpha))
            note = describe_looks(targets, looks)
            if sequence.reached(targets, looks):
                stop = f"precision reached: {note}"
                break
        if progress:
            progress(len(piece.facts) * trial.table_hands, note)
    effects = Effects(sums, contrasts, trial.groups, is_session)
    found = effects.when_stopped(r, alpha) if targets else effects.at_the_end()
    if targets and not stop.startswith("precision"):
        stop += " before the precision was reached"
    how = tuple(_how(place, trial.groups) for place in range(len(arms)))
    return Comparison(tuple(arms), tuple(contrasts), tuple(found), how, trial, sums.tables.n, targets, stop)


def describe_looks(targets: Sequence[Target], looks: Mapping[str, Look]) -> str:
    """Half-widths of the targets so far."""
    return ", ".join(f"halfwidth({t.measure}) {looks[t.measure].half:.3g}" for t in targets if t.measure in looks)


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
