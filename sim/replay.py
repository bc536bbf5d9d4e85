"""Play one logged hand again and return its rows and every move."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from sim.engine import Plan, PlanError, Player
from sim.rules import from_dict
from sim.schema import ROW_COLUMNS, WIN_COLUMNS

_MAX_MOVES = 1024


class Replay(NamedTuple):
    """One hand: log row, winners' rows, and moves (move, seat, kind, other) with the codes of `sim.schema`.

    deal (seat, kind, -1); indicator (-1, kind, ghost); horse (holder or -1, kind, class); draw and draw_tail (seat,
    kind, wall left); discard (seat, kind, -1); hu (winner, kind, from seat or -1); peng, gang_exposed, chi (seat,
    kind or lowest kind, discarder); gang_added, gang_concealed (seat, kind, -1); pass (seat, kind, from seat) for a
    win that was not taken; end (-1, -1, outcome).
    """

    row: dict[str, int]  # ROW_COLUMNS
    wins: list[dict[str, int]]
    trace: list[tuple[int, int, int, int]]


def plan_of(manifest: Mapping[str, Any]) -> Plan:
    """Read the plan back from a run's manifest."""
    try:
        return Plan(
            rules=from_dict(manifest["rules"], "manifest"),
            n_hands=(manifest["first_table"] + manifest["n_tables"]) * manifest["hands_per_table"],
            bots=tuple(manifest["bots"]),
            seed=manifest["seed"],
            mode=manifest["mode"],
            hands_per_table=manifest["hands_per_table"],
        )
    except (KeyError, TypeError) as error:
        raise PlanError(f"manifest: not a run of this program ({error})") from None


def replay(manifest: Mapping[str, Any], table: int, hand: int) -> Replay:
    """Replay a hand of the run that ``manifest`` describes.

    Raises
    ------
    PlanError
        When the run has no such table or hand.
    """
    plan = plan_of(manifest)
    first, n = manifest["first_table"], manifest["n_tables"]
    if not first <= table < first + n:
        raise PlanError(f"table: the run has tables {first} to {first + n - 1}, not {table}")
    if not 0 <= hand < plan.table_hands:
        raise PlanError(f"hand: each table has hands 0 to {plan.table_hands - 1}, not {hand}")
    played = Player(plan).rows(table, 1, hand + 1, np.zeros((_MAX_MOVES, 4), np.int64))
    wins = played.wins[-1, : played.n_wins[-1]].tolist()
    return Replay(
        row=dict(zip((c.name for c in ROW_COLUMNS), played.rows[-1].tolist(), strict=True)),
        wins=[dict(zip((c.name for c in WIN_COLUMNS), win, strict=True)) for win in wins],
        trace=[(move, seat, kind, other) for move, seat, kind, other in played.trace.tolist()],
    )
