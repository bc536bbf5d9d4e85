"""The log rows of a hand that was played."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sim import schema
from sim.tiles import N_SEATS

from .settlement import at_most

if TYPE_CHECKING:
    from .game import Game


def _by_seat(name: str, values: Sequence[int]) -> dict[str, int]:
    return {f"{name}_{s}": values[s] for s in range(N_SEATS)}


def hand_row(played: Game, *, table: int, hand: int, rotation: int) -> dict[str, int]:
    """Return the row of the hand log."""
    seats, points, kong = played.seats, played.hand_points(), played.kong
    classes = played.pool_classes
    row = {
        "table": table,
        "hand": hand,
        "rotation": rotation,
        "dealer": played.dealer,
        "round_wind": played.round_wind,
        "repeat": played.repeat,
        "origin": played.origin,
        "outcome": played.outcome,
        "winners": sum(1 << win.seat for win in played.wins),
        "from_seat": played.from_seat,
        "win_tile": played.win_tile,
        "turns": played.turns,
        "wall_left": played.wall_left,
        **_by_seat("points", [sum(p) for p in zip(points, kong, played.horses.points, strict=True)]),
        **_by_seat("hand", points),
        **_by_seat("kong", kong),
        **_by_seat("horse", played.horses.points),
        "n_horses": played.horses.n_horses,
        "horse_tiles": sum(c << 2 * i for i, c in enumerate(classes[: played.horses.n_horses])),
        "n_horse_hits": played.horses.n_hits,
        **_by_seat("pool", [classes.count(c) for c in range(4)]),
        "pool_classes": sum(c << 2 * i for i, c in enumerate(classes[: schema.N_POOL_CLASSES])),
    }
    for name, t in (
        ("gang_exposed", schema.MELD_EXPOSED),
        ("gang_added", schema.MELD_ADDED),
        ("gang_concealed", schema.MELD_CONCEALED),
    ):
        row |= _by_seat(name, [sum(meld.t == t for meld in seat.melds) for seat in seats])
    fed = [meld.feeder for seat in seats for meld in seat.melds if meld.t == schema.MELD_EXPOSED]
    row |= _by_seat("gang_fed", [fed.count(s) for s in range(N_SEATS)])
    row |= _by_seat("flowers", [seat.flowers for seat in seats])
    row |= _by_seat("ghosts", [seat.ghosts_at_end for seat in seats])
    row |= _by_seat("shanten_deal", [seat.shanten_deal for seat in seats])
    row |= _by_seat("ready_turn", [seat.ready_turn for seat in seats])
    row |= _by_seat("calls", [seat.calls for seat in seats])
    return row


def win_rows(played: Game, *, table: int, hand: int) -> list[dict[str, int]]:
    """Return the rows of the wins log, in column order."""
    return [
        {
            "table": table,
            "hand": hand,
            "winner": win.seat,
            "source": played.outcome,
            "fan": win.score.fan,
            "points": at_most(played.rules, win.share),
            "patterns": win.score.mask,
            "concealed": int(played.is_concealed(win.seat)),
            "waits": win.waits,
            "live": win.live,
            "liable": win.liable,
            "win_turn": played.seats[win.seat].discards,
        }
        for win in played.wins
    ]
