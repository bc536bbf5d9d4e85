"""Hands that go as a test wants them: scripted bots, stacked walls, wins and debts written shortly."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from sim import schema
from sim.rules import Rules, load
from sim.tiles import KIND_OF, counts, parse, parse_one, tile_name
from tests.oracle import Hand
from tests.oracle.bots import Move, View
from tests.oracle.deal import deck
from tests.oracle.scoring import Score, Win, best_score
from tests.oracle.settlement import (
    NOBODY,
    Debt,
    owed_to,
    win_debt,
)
from tests.oracle.state import Meld


def hand(text: str) -> tuple[int, ...]:
    return tuple(int(c) for c in counts(parse(text)))


def debt_of(rules: Rules, winner: int, source: int, from_seat: int, share: int, liable: int = NOBODY) -> Debt:
    """What is owed for a win when nobody's melds multiply it."""
    return win_debt(rules, winner, source, from_seat, owed_to(rules, winner, share), liable)


def win(text: str, tile: str, source: int = schema.ZIMO, melds: Sequence[Meld] = (), **more: Any) -> Win:
    fields: dict[str, Any] = {"ghosts": frozenset(), "seat_wind": 1, "round_wind": 0, **more}
    return Win(hand=hand(text), tile=parse_one(tile), melds=tuple(melds), source=source, **fields)


def scored(rules: Rules, a_win: Win) -> Score:
    score = best_score(rules, a_win)
    assert score is not None
    return score


class Script:
    """Makes the listed moves in its turns, and the listed claims whenever they are legal; else it passes.

    Asked whether it declares by the discard just made, it does if ``declare`` is listed next.
    """

    def __init__(self, turns: str = "", claims: str = "") -> None:
        """Read moves such as ``"discard 5s, gang_added 5s"``."""
        self.turns, self.claims = self._read(turns), self._read(claims)

    @staticmethod
    def _read(text: str) -> list[Move]:
        pairs = [part.split() for part in text.split(",") if part]
        return [Move(schema.MOVES.index(code), parse_one(tile)) for code, tile in pairs]

    def turn(self, view: View, moves: Sequence[Move]) -> Move:
        move = self.turns.pop(0)
        assert move in moves
        return move

    def claim(self, view: View, moves: Sequence[Move], kind: int) -> Move:
        return next((move for move in moves if move in self.claims), moves[0])

    def declares(self) -> bool:
        is_next = bool(self.turns) and self.turns[0].code == schema.DECLARE
        if is_next:
            self.turns.pop(0)
        return is_next


def tiles_of(text: str) -> list[int]:
    """Read kinds as `parse` does, and flowers as f1 to f8."""
    parts = re.findall(r"f\d|[^f]+", text)
    return [k for part in parts for k in ([33 + int(part[1])] if part[0] == "f" else parse(part))]


def stacked(hands: Sequence[str], draws: str, tail: str = "", tile_set: str = "136") -> list[int]:
    """Build a wall that deals these hands from the dealer on; ``tail`` is taken from its end."""
    front = [k for text in hands for k in tiles_of(text)]
    assert len(front) == 52
    front += tiles_of(draws)
    back = tiles_of(tail)[::-1]
    rest = deck(load("zhuama", {"tiles": f'"{tile_set}"'}))
    for k in front + back:
        rest.remove(k)
    return front + rest + back


def played(rules: Rules, wall: list[int], *bots: Script, **where: int) -> Hand:
    game = Hand(rules, wall, bots, **where)
    game.play()
    assert not any(bot.turns for bot in bots)
    return game


def moves_of(game: Hand) -> list[tuple[str, int, str, int]]:
    """Return the moves after the deal, draws from the head left out."""
    skipped = (schema.DEAL, schema.DRAW)
    return [
        (schema.MOVES[code], seat, tile_name(kind) if kind >= 0 else "", other)
        for code, seat, kind, other in game.trace
        if code not in skipped
    ]


JUNK = ("258m258p28sWNZFB", "147m147p17sWNZFB", "369m369p39sWNZFB")


GHOST_B = frozenset([KIND_OF["B"]])
FOUR_GHOSTS = {"ghost.mode": "fixed", "ghost.kinds": ["B"], "ghost.four": "win"}
KONG_ROBBED = ["555s147m147p17sNZ", JUNK[0], "123m456p789s46sSS", JUNK[2]]


def view(text: str, ghosts: str = "", n_melds: int = 0, discard_ghosts: bool = False) -> View:
    tiles = hand(text)
    live = tuple(4 - c for c in tiles)
    return View(tiles, n_melds, frozenset(parse(ghosts)), ("standard",), live, discard_ghosts)
