"""What lies on the table in one hand: seats, wall, open tiles, and what has happened so far."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from sim import schema
from sim.rules import Rules
from sim.tiles import FIRST_FLOWER, N_KINDS, N_SEATS, copies, parse_one

from .bots import Bot, Move, View
from .horses import Settled
from .plans import Other, Table
from .scoring import Score, seat_wind
from .settlement import Debt, Payment, flower_payments, payments, total
from .shanten import forms_with, need
from .state import Meld, is_concealed, split
from .wall import SeatWalls, Wall

Trace = tuple[int, int, int, int]  # move, seat, kind, other
PLAYING = -1  # outcome of a hand that is not over


@dataclass
class Seat:
    """What one seat has and has done."""

    bot: Bot
    hand: list[int] = field(default_factory=lambda: [0] * N_KINDS)
    standing: list[int] = field(default_factory=lambda: [0] * N_KINDS)  # of the hand, those that stand apart
    melds: list[Meld] = field(default_factory=list)
    declared: bool = False
    passed: dict[int, int] = field(default_factory=dict)  # kinds whose win was passed (漏胡): most points of each
    passed_pengs: set[int] = field(default_factory=set)  # kinds whose pung was passed (漏碰)
    flowers: int = 0
    draws: int = 0
    discards: int = 0
    calls: int = 0
    shanten_deal: int = 0
    ready_turn: int = schema.NEVER
    ghosts_at_end: int = 0
    river: set[int] = field(default_factory=set)
    safe: set[int] = field(default_factory=set)  # kinds discarded since the seat's hand changed last
    kept: int = 0  # own discards in a row of a kind just drawn

    def change_hand(self) -> None:
        """Forget what others could tell while the hand stayed the same."""
        self.safe.clear()
        self.kept = 0

    def give(self, kind: int, n: int = 1) -> None:
        """Let n tiles leave the hand, those that stand last."""
        self.hand[kind] -= n
        self.standing[kind] = min(self.standing[kind], self.hand[kind])


@dataclass
class WinLog:
    """One winner's part of the log."""

    seat: int
    score: Score
    share: int  # after repeat deals and the winner's multiples, before any cap
    liable: int
    waits: int
    live: int


class Game:
    """One hand as far as it has been played."""

    def __init__(
        self,
        rules: Rules,
        wall: Sequence[int],
        bots: Sequence[Bot],
        *,
        dealer: int = 0,
        round_wind: int = 0,
        repeat: int = 0,
        origin: int = 0,
        chair_dealer: int = 0,
        seat_walls: bool = False,
    ) -> None:
        self.rules = rules
        n_horses = N_SEATS * rules.horses.count if rules.horses.kind == "held" else 0
        n_reserved = rules.play.last_tiles_reserved
        self.wall = SeatWalls(wall, n_reserved, n_horses, dealer) if seat_walls else Wall(wall, n_reserved, n_horses)
        self.copies = [int(c) for c in copies(rules.tiles)]
        self.dealer = dealer
        self.round_wind = round_wind
        self.repeat = repeat
        self.origin = origin
        self.east = dealer if rules.dealer.seat_wind == "deal" else chair_dealer
        self.seats = [Seat(bot) for bot in bots]
        self.ghosts: frozenset[int] = frozenset(parse_one(text) for text in rules.ghost.kinds)
        self.visible = [0] * N_KINDS  # discards, melds and the indicator
        self.trace: list[Trace] = []
        # The turn in progress and what is over.
        self.drawn = -1  # the tile drawn last
        self.after_kong: Meld | None = None  # the kong whose replacement began this turn
        self.turns = 0
        self.n_discards = 0
        self.n_kongs = 0
        self.first_discards: set[int] = set()  # kinds of the hand's first four discards
        self.is_first_round = True  # no call has closed the window of 天和, 地和, 人和
        self.completions: list[tuple[int, int]] = []  # feeder, seat of each fourth exposed meld
        # The end.
        self.outcome = PLAYING
        self.from_seat = -1
        self.win_tile = -1
        self.wins: list[WinLog] = []
        self.debts: list[Debt] = []
        self.kongs: list[Payment] = []
        self.flower_money: list[Payment] = []
        self.follow: list[Payment] = []  # 跟庄
        self.horses = Settled([0] * N_SEATS, 0, 0)
        self.pool_classes: list[int] = []

    @property
    def wall_left(self) -> int:
        """Return how many tiles can still be drawn."""
        return self.wall.left

    @property
    def barred(self) -> frozenset[int]:
        """Return the kinds that keep whoever holds one from winning."""
        return frozenset(parse_one(text) for text in self.rules.win.barred) - self.ghosts

    @property
    def kong(self) -> list[int]:
        """Return the points from kongs, flowers and 跟庄."""
        return total(self.kongs + self.flower_money + self.follow)

    def hand_points(self) -> list[int]:
        """Return the points from wins, without horses, kongs and flowers."""
        return total(payments(self.debts))

    def is_concealed(self, s: int) -> bool:
        """Say whether a seat is 门清."""
        return is_concealed(self.seats[s].melds)

    def after(self, s: int) -> list[int]:
        """Return the other seats in turn order."""
        return [(s + i) % N_SEATS for i in range(1, N_SEATS)]

    # What a seat sees

    def need(self, seat: Seat) -> int:
        """Return the need of a seat's hand."""
        naturals, n_ghosts = split(seat.hand, self.ghosts)
        win = self.rules.win
        return need(naturals, len(seat.melds), n_ghosts, forms_with(n_ghosts, win.forms, win.natural_forms))

    def view(self, seat: Seat, ready: frozenset[int] = frozenset()) -> View:
        """Return what a seat sees; a discard of a kind in ``ready`` may declare."""
        return View(
            tuple(seat.hand),
            len(seat.melds),
            self.ghosts,
            self.rules.win.forms,
            tuple(self.copies[k] - self.visible[k] - seat.hand[k] for k in range(N_KINDS)),
            self.rules.ghost.discard == "allowed",
            self.rules.win.natural_forms,
            self.barred,
            ready,
            self.table(next(s for s, other in enumerate(self.seats) if other is seat)),
        )

    def table(self, s: int) -> Table:
        """Return what a seat knows of the table beside its own tiles."""
        others = tuple(
            Other(
                tuple(self.seats[o].melds),
                seat_wind(o, self.east),
                self.seats[o].discards,
                frozenset(self.seats[o].river),
                frozenset(self.seats[o].safe),
                self.seats[o].kept,
                self.seats[o].declared,
            )
            for o in self.after(s)
        )
        melds, wind = tuple(self.seats[s].melds), seat_wind(s, self.east)
        return Table(self.rules, melds, wind, self.round_wind, self.repeat, self.wall_left, others)

    def ask_claim(self, s: int, kind: int, moves: list[Move], points: int = 0, is_rob: bool = False) -> Move:
        """Ask for one of some moves or a pass; nothing is asked where only the pass is legal."""
        options = [Move(schema.PASS, kind), *moves]
        if not moves:
            return options[0]
        view = self.view(self.seats[s])._replace(points=points, is_rob=is_rob)
        return self.seats[s].bot.claim(view, options, kind)

    # Tiles

    def take_tile(self, s: int, from_tail: bool) -> int | None:
        """Take a tile and, while it is a flower, lay that aside and take one from the tail; None when none is left."""
        while True:
            kind = self.wall.from_tail() if from_tail else self.wall.from_head(s)
            self.turns += 1
            self.trace.append((schema.DRAW_TAIL if from_tail else schema.DRAW, s, kind, self.wall_left))
            if kind < FIRST_FLOWER:
                return kind
            self.lay_aside(s, kind)
            if self.wall_left == 0:
                return None
            from_tail = True

    def lay_aside(self, s: int, flower: int) -> None:
        """Lay a flower open; it is paid for at once."""
        self.seats[s].flowers += 1
        self.flower_money += flower_payments(self.rules, s)
        self.trace.append((schema.FLOWER, s, flower, self.wall_left))

    def open_tiles(self, s: int, kind: int, n: int) -> None:
        """Move n concealed tiles of a seat into the open."""
        self.seats[s].give(kind, n)
        self.visible[kind] += n

    # Calls

    def clear_passed(self, seat: Seat) -> None:
        """Forget the wins that a seat passed, where a draw or call does that."""
        if self.rules.win.passed != "rest_of_hand":
            seat.passed.clear()

    def close_window(self, is_kong: bool) -> None:
        """Close the window of 天和, 地和 and 人和 after a call that does."""
        if not is_kong or self.rules.win.first_turn_closed_by == "any_call":
            self.is_first_round = False

    def claim(self, s: int, meld: Meld) -> None:
        """Lay down a claimed meld, without moving its concealed tiles."""
        seat = self.seats[s]
        seat.melds.append(meld)
        seat.calls += 1
        self.clear_passed(seat)
        if sum(m.is_exposed for m in seat.melds) == 4:
            self.completions.append((meld.feeder, s))
        self.after_kong = None
        self.close_window(is_kong=meld.is_kong)
