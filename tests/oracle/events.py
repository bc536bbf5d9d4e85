"""The trace log of a hand: each decision, and what every seat held, saw and could do then."""

from __future__ import annotations

from typing import Any

from sim import schema
from sim.rules import Rules
from sim.tiles import COPIES, N_KINDS, N_SEATS

from . import ending, play
from .bots import Move
from .game import Game, Seat
from .play import HandResult
from .shanten import forms_with, need
from .state import Meld, plus, split
from .table import Bots, play_table

Event = dict[str, int]
_OWN = (schema.DISCARD, schema.DECLARE, schema.GANG_CONCEALED, schema.GANG_ADDED)
_BITS = {schema.HU: 1, schema.PENG: 2, schema.GANG_EXPOSED: 4, schema.GANG_ADDED: 4, schema.GANG_CONCEALED: 4}


class TracedHand(play.Hand):
    """A hand that keeps its decisions."""

    def __init__(self, rules: Rules, *args: Any, **options: Any) -> None:
        super().__init__(rules, *args, **options)
        self.events: list[Event] = []
        self.rivers: list[list[int]] = [[] for _ in range(N_SEATS)]
        self._moves: list[Move] = []  # legal on this turn beside discards
        self._is_claimed = False

    # Where decisions are made

    def _turn(self, s: int, claimed: bool) -> tuple[int, bool]:
        self._moves, self._is_claimed = [], claimed
        return super()._turn(s, claimed)

    def _wins_and_kongs(self, s: int) -> list[Move]:
        self._moves = super()._wins_and_kongs(s)
        return self._moves[:]

    def _concealed_kong(self, s: int, kind: int) -> None:
        self.note(schema.GANG_CONCEALED, s, kind, -1, self._moves)
        super()._concealed_kong(s, kind)

    def _added_kong(self, s: int, kind: int) -> None:
        self.note(schema.GANG_ADDED, s, kind, -1, self._moves)
        super()._added_kong(s, kind)

    def _lay_down(self, s: int, seat: Seat, kind: int, from_draw: bool) -> None:
        if self.trace[-1][0] == schema.DECLARE:
            self.note(schema.DECLARE, s, kind, -1, [])
        self.note(schema.DISCARD, s, kind, -1, self._moves)
        self.rivers[s].append(kind)
        super()._lay_down(s, seat, kind, from_draw)

    def ask_claim(self, s: int, kind: int, moves: list[Move], points: int = 0, is_rob: bool = False) -> Move:
        """Ask as ever; keep claims and passes, of wins the passes alone."""
        answer = super().ask_claim(s, kind, moves, points, is_rob)
        if moves and answer.code != schema.HU:
            movers = (schema.DISCARD, schema.GANG_EXPOSED, schema.GANG_ADDED, schema.GANG_CONCEALED)
            from_seat = next(row[1] for row in reversed(self.trace) if row[0] in movers)
            low = answer.kind if answer.code == schema.CHI else -1
            self.note(answer.code, s, kind, from_seat, moves, low)
        return answer

    def note_wins(self, winners: list[int], source: int, from_seat: int, kind: int) -> None:
        """Keep the winners' decisions."""
        for s in winners:
            self.note(schema.HU, s, kind, from_seat, self._moves if source == schema.ZIMO else [Move(schema.HU, kind)])

    # What is kept

    def note(self, code: int, s: int, kind: int, from_seat: int, moves: list[Move], low: int = -1) -> None:
        """Keep one decision, before it changes anything."""
        offers = 0
        for move in moves:
            offers |= _BITS.get(move.code, 8)
        is_own = code in _OWN or (code == schema.HU and from_seat < 0)
        event = {
            "step": len(self.events),
            "move": code,
            "seat": s,
            "kind": kind,
            "from_seat": from_seat,
            "offers": offers,
            "chi_low": low,
            "from_draw": code == schema.DISCARD and not self._is_claimed and kind == self.drawn,
            "turn": len(self.rivers[s]),
            "wall_left": self.wall_left,
            "drawn": self.drawn if is_own and not self._is_claimed else -1,
            "dealer": self.dealer,
            "round_wind": self.round_wind,
            "visible_lo": _octal(self.visible[:21]),
            "visible_hi": _octal(self.visible[21:]),
            "ghosts": sum(1 << k for k in self.ghosts),
        }
        for o in range(N_SEATS):
            is_mover = o == s and is_own
            event |= {f"{name}_{o}": value for name, value in self._seat(o, code if is_mover else None, kind).items()}
        self.events.append(event)

    def _seat(self, o: int, code: int | None, kind: int) -> Event:
        """Return what one seat has; ``code``: its own move with ``kind``, which is about to come."""
        seat = self.seats[o]
        hand, melds, visible = tuple(seat.hand), list(seat.melds), list(self.visible)
        shanten = self._need(hand, len(melds)) - 1
        if code is not None:
            n = 4 if code == schema.GANG_CONCEALED else 1
            after, n_melds = plus(hand, kind, -n), len(melds) + (n == 4)
            if code in _OWN:
                kinds = [k for k in range(N_KINDS) if hand[k]]
                kinds = [k for k in kinds if k not in self.ghosts] or kinds
                shanten = min(self._need(plus(hand, k, -1), len(melds)) for k in kinds) - 1
            if code != schema.HU:
                visible[kind] += n
        else:
            after, n_melds = hand, len(melds)
        now = self._need(after, n_melds)
        better = [
            k
            for k in range(N_KINDS)
            if self.copies[k] and after[k] < COPIES and self._need(plus(after, k), n_melds) < now
        ]
        river = [self.rivers[o].count(k) for k in range(N_KINDS)]
        return {
            "shanten": shanten,
            "accept": sum(self.copies[k] - visible[k] - after[k] for k in better),
            "n_melds": len(melds),
            "last": self.rivers[o][-1] if self.rivers[o] else -1,
            "waits": sum(1 << k for k in better) if now == 1 else 0,
            "hand_lo": _octal(hand[:21]),
            "hand_hi": _octal(hand[21:]),
            "melds": sum(_meld(meld) << 12 * i for i, meld in enumerate(melds)),
            "river_lo": _octal(river[:21]),
            "river_hi": _octal(river[21:]),
            "first": sum((k + 1) << 6 * i for i, k in enumerate(self.rivers[o][:10])),
        }

    def _need(self, hand: tuple[int, ...], n_melds: int) -> int:
        naturals, n_ghosts = split(hand, self.ghosts)
        win = self.rules.win
        return need(naturals, n_melds, n_ghosts, forms_with(n_ghosts, win.forms, win.natural_forms))


def _octal(counts: tuple[int, ...] | list[int]) -> int:
    return sum(n << 3 * i for i, n in enumerate(counts))


def _meld(meld: Meld) -> int:
    return meld.t + (meld.kind << 3) + ((7 if meld.feeder < 0 else meld.feeder) << 9)


def traced_table(
    monkeypatch: Any, rules: Rules, seed: int, table: int, n_hands: int, bots: Bots
) -> tuple[list[Event], list[HandResult]]:
    """Play a table's hands (session mode); return their decisions, with table and hand, and their results."""
    hands: list[TracedHand] = []

    def make(*args: Any, **options: Any) -> TracedHand:
        hands.append(TracedHand(*args, **options))
        return hands[-1]

    def win(game: Game, winners: list[int], source: int, from_seat: int, kind: int) -> None:
        assert isinstance(game, TracedHand)
        game.note_wins(winners, source, from_seat, kind)
        end(game, winners, source, from_seat, kind)

    end = ending.win
    with monkeypatch.context() as patch:
        patch.setattr(play, "Hand", make)
        patch.setattr(ending, "win", win)
        results = play_table(rules, seed, table, n_hands, bots)
    events = [{"table": table, "hand": i} | event for i, hand in enumerate(hands) for event in hand.events]
    return events, results
