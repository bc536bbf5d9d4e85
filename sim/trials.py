"""Many tables of a trial on worker threads, their facts in order, for comparisons that watch a growing prefix."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim import policy
from sim.flags import to_flags
from sim.luck import N_LUCK
from sim.play_key import play_key
from sim.policy import bot_codes
from sim.policy.entries import state_for
from sim.rules import Rules
from sim.schema import MODES
from sim.state import new_state
from sim.tables import load as load_tables
from sim.trial import N_FACTS, F, play_trial
from sim.user_bots import raise_fault

Facts = NDArray[np.float64]
LineUp = tuple[str, str, str, str]
TASK_HANDS = 2048  # of one task and rule set played: some 60 ms of work
_MAX_MOVES = 1024  # of one hand; the longest seen have some 450
_NO_TRACE = np.zeros((0, 4), np.int64)


def rotations(bots: LineUp) -> tuple[LineUp, ...]:
    """Return the line-ups that moving the bots on by one seat leads to, each once.

    Four equal bots have one: on the same wall they would play the same hand four times.
    """
    a, b, c, d = bots
    return tuple(dict.fromkeys([(a, b, c, d), (d, a, b, c), (c, d, a, b), (b, c, d, a)]))


@dataclass(frozen=True)
class Trial:
    """Rule sets and line-ups on common walls.

    In duplicate mode a table is one wall with a hand for each line-up, in session mode it is ``hands_per_table`` hands
    with a moving deal. Rule sets with the same `sim.play_key` share one play and are settled from it.

    With ``seat_walls`` each seat draws from its own part of the wall, so that one player's calls do not move the
    others' draws: hands that differ in one move stay alike for longer. Which tile a seat draws then depends on no tile
    that is hidden, so all that is seen has the same distribution; but not for a bot that sees the wall, for which it
    stays shared.
    """

    rules: tuple[Rules, ...]
    line_ups: tuple[LineUp, ...]
    seed: int = 1
    mode: str = "duplicate"
    hands_per_table: int = 64
    seat_walls: bool = False

    def __post_init__(self) -> None:
        """Refuse what cannot be played.

        Raises
        ------
        ValueError
            For several line-ups in session mode.
        """
        if self.mode == "session" and len(self.line_ups) != 1:
            raise ValueError("session mode takes one line-up")

    @property
    def has_seat_walls(self) -> bool:
        """Whether each seat draws from a wall of its own."""
        return self.seat_walls and not sees_wall(self.line_ups)

    @property
    def table_hands(self) -> int:
        """Hands of one table."""
        return len(self.line_ups) if self.mode == "duplicate" else self.hands_per_table

    @cached_property
    def groups(self) -> tuple[tuple[int, ...], ...]:
        """Places of the rule sets that share one play, the played one first."""
        bots = {bot for line_up in self.line_ups for bot in line_up}
        found: dict[str, list[int]] = {}
        for place, rules in enumerate(self.rules):
            found.setdefault(play_key(rules, bots), []).append(place)
        return tuple(map(tuple, found.values()))


def sees_wall(line_ups: Iterable[LineUp]) -> bool:
    """Whether some bot of the line-ups sees the wall."""
    return policy.sees_wall(bot for line_up in line_ups for bot in line_up)


class Piece(NamedTuple):
    """Facts of consecutive tables: float64 (tables, hands, rule sets, N_FACTS).

    With a bot that sees the wall the means of horses are what was drawn.
    ``luck`` float64 (tables, hands, groups, 4, N_LUCK) is that of each play (`Trial.groups`), of length 0 unless asked
    for.
    """

    first_table: int
    facts: Facts
    luck: Facts


class TrialPlayer:
    """Plays ranges of tables of one trial on the calling thread; one state for each thread.

    ``flags``: for each group its rule sets as the kernels read them, int64 (rule sets, rows, columns) of `sim.flags`.
    """

    def __init__(self, trial: Trial, with_luck: bool = False) -> None:
        self.trial = trial
        if with_luck and sees_wall(trial.line_ups):
            raise ValueError("the luck of draws has no mean for a bot that sees the wall")
        self._with_luck = with_luck
        self.flags = [np.stack([to_flags(trial.rules[i]) for i in group]) for group in trial.groups]
        self._tables = load_tables()
        self._line_ups = np.array([bot_codes(line_up) for line_up in trial.line_ups], np.int64)
        self._local = threading.local()

    def play(self, first_table: int, n_tables: int) -> Piece:
        """Play tables and return their facts under every rule set."""
        if not hasattr(self._local, "state"):
            self._local.state, self._local.follower = state_for(self._line_ups.ravel().tolist()), new_state()
            self._local.trace = np.zeros((_MAX_MOVES, 4), np.int64) if self._with_luck else _NO_TRACE
        trial, n_hands = self.trial, self.trial.table_hands
        facts = np.empty((n_tables * n_hands, len(trial.rules), N_FACTS))
        luck = np.empty((len(trial.groups), n_tables * n_hands if self._with_luck else 0, 4, N_LUCK))
        for place, (group, flags) in enumerate(zip(trial.groups, self.flags, strict=True)):
            part = facts if len(trial.groups) == 1 else np.empty((n_tables * n_hands, len(group), N_FACTS))
            play_trial(
                self._local.state, flags, self._tables, first_table, n_tables, n_hands, trial.seed,
                MODES.index(trial.mode), int(trial.has_seat_walls), self._line_ups, _NO_TRACE, self._local.follower,
                self._local.trace, luck[place], part,
            )  # fmt: skip
            raise_fault(self._local.state)
            if part is not facts:
                facts[:, group] = part
        if sees_wall(trial.line_ups):
            facts[..., F["mean_0"] : F["mean_0"] + 4] = facts[..., F["points_0"] : F["points_0"] + 4]
        shape = (n_tables, n_hands)
        return Piece(
            first_table,
            facts.reshape(*shape, len(trial.rules), N_FACTS),
            np.moveaxis(luck, 0, 1).reshape(*(shape if self._with_luck else (0, n_hands)), len(luck), 4, N_LUCK),
        )


def play_in_order(player: TrialPlayer, first_table: int, n_tables: int, threads: int = 1) -> Iterator[Piece]:
    """Play tables in tasks on worker threads and give their facts in order of tables.

    Order matters to whoever stops early: hands that end soon must not come first.
    """
    per_task = max(TASK_HANDS // player.trial.table_hands, 1)
    pending: deque[Future[Piece]] = deque()
    following, end = first_table, first_table + n_tables
    with ThreadPoolExecutor(threads) as workers:
        try:
            while following < end or pending:
                while following < end and len(pending) < 2 * threads:
                    n = min(per_task, end - following)
                    pending.append(workers.submit(player.play, following, n))
                    following += n
                yield pending.popleft().result()
        finally:
            for future in pending:
                future.cancel()
