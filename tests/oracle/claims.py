"""Claims of a discard for a pung, kong or chow."""

from __future__ import annotations

from collections.abc import Sequence

from sim import schema
from sim.tiles import N_SEATS

from .bots import Move
from .game import Game
from .readings import can_start_chow
from .state import Meld, plus, split


def ask_same(game: Game, discarder: int, kind: int) -> tuple[int, int] | None:
    """Ask the seat that holds two or three of the discard; return it and the code of its claim, if it makes one.

    A pung is laid down; a kong is left to the caller, since it may be robbed.
    """
    for s in game.after(discarder):
        seat = game.seats[s]
        if seat.hand[kind] < 2 or seat.declared:
            continue
        moves = []
        if kind not in seat.passed_pengs and _keeps_natural(game, plus(seat.hand, kind, -2)):
            moves.append(Move(schema.PENG, kind))
        if seat.hand[kind] >= 3:
            moves.append(Move(schema.GANG_EXPOSED, kind))
        code = game.ask_claim(s, kind, moves).code
        if code == schema.PENG:
            game.trace.append((schema.PENG, s, kind, discarder))
            game.claim(s, Meld(schema.MELD_PENG, kind, discarder))
            game.open_tiles(s, kind, 2)
        if code != schema.PASS:
            return s, code
        if game.rules.play.passed_peng == "same_tile" and Move(schema.PENG, kind) in moves:
            seat.passed_pengs.add(kind)
    return None


def ask_chi(game: Game, discarder: int, kind: int) -> bool:
    """Ask the next seat for a chow; say whether it takes one."""
    s = (discarder + 1) % N_SEATS
    seat = game.seats[s]
    moves = []
    for low in (kind - 2, kind - 1, kind):
        if low < 0 or low // 9 != kind // 9 or not can_start_chow(low) or seat.declared:
            continue
        others = [k for k in range(low, low + 3) if k != kind]
        if any(seat.hand[k] == 0 or k in game.ghosts for k in others):
            continue
        if _keeps_natural(game, plus(plus(seat.hand, others[0], -1), others[1], -1)):
            moves.append(Move(schema.CHI, low))
    move = game.ask_claim(s, kind, moves)
    if move.code != schema.CHI:
        return False
    game.trace.append((schema.CHI, s, move.kind, discarder))
    game.claim(s, Meld(schema.MELD_CHI, move.kind, discarder))
    for k in range(move.kind, move.kind + 3):
        if k != kind:
            game.open_tiles(s, k, 1)
    return True


def _keeps_natural(game: Game, hand: Sequence[int]) -> bool:
    """Say whether anything but ghosts is left in a hand."""
    return sum(split(hand, game.ghosts)[0]) > 0
