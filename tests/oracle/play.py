"""One hand from the deal to its end, move by move, as `sim/PLAY.md` tells it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from sim import schema
from sim.rules import Rules
from sim.tiles import N_KINDS, N_SEATS, copies, parse_one

from .bots import Bot, Move, View, make
from .deal import build_wall, successor
from .log import hand_row, win_rows
from .readings import can_start_chow
from .rng import Stream
from .scoring import Score, Win, best_score, seat_wind
from .settlement import (
    Payment,
    Settled,
    horse_class,
    horse_origins,
    kong_points,
    liable_seat,
    settle_drawn,
    settle_held,
    total,
    win_payments,
)
from .shanten import is_complete, need
from .state import Meld, is_concealed, plus, split

Trace = tuple[int, int, int, int]  # move, seat, kind, other
PLAYING = -1  # outcome of a hand that is not over


@dataclass
class Seat:
    """What one seat has and has done."""

    bot: Bot
    hand: list[int] = field(default_factory=lambda: [0] * N_KINDS)
    melds: list[Meld] = field(default_factory=list)
    passed: set[int] = field(default_factory=set)  # kinds whose win was passed (漏胡)
    draws: int = 0
    discards: int = 0
    calls: int = 0
    shanten_deal: int = 0
    ready_turn: int = schema.NEVER
    ghosts_at_end: int = 0


@dataclass
class WinLog:
    """One winner's part of the log."""

    seat: int
    score: Score
    liable: int
    waits: int
    live: int


class Hand:
    """One hand being played; `play` runs it to its end."""

    def __init__(
        self,
        rules: Rules,
        wall: Sequence[int],
        bots: Sequence[Bot],
        *,
        dealer: int = 0,
        round_wind: int = 0,
        origin: int = 0,
        chair_dealer: int = 0,
    ) -> None:
        self.rules = rules
        self.wall = list(wall)
        self.copies = [int(c) for c in copies(rules.tiles)]
        self.dealer = dealer
        self.round_wind = round_wind
        self.origin = origin
        self.east = dealer if rules.dealer.seat_wind == "deal" else chair_dealer
        self.seats = [Seat(bot) for bot in bots]
        self.head = 0
        self.tail = len(self.wall) - 1 - rules.play.last_tiles_reserved
        self.ghosts: frozenset[int] = frozenset(parse_one(text) for text in rules.ghost.kinds)
        self.visible = [0] * N_KINDS  # discards, melds and the indicator
        self.held_horses: list[tuple[int, int]] = []  # holder, kind
        self.trace: list[Trace] = []
        # The turn in progress and what is over.
        self.drawn = -1  # the tile drawn last
        self.after_kong: Meld | None = None  # the kong whose replacement began this turn
        self.turns = 0
        self.n_discards = 0
        self.is_first_round = True  # no call has closed the window of 天和, 地和, 人和
        self.completions: list[tuple[int, int]] = []  # feeder, seat of each fourth exposed meld
        # The end.
        self.outcome = PLAYING
        self.from_seat = -1
        self.win_tile = -1
        self.wins: list[WinLog] = []
        self.kong = [0] * N_SEATS
        self.payments: list[Payment] = []
        self.horses = Settled([0] * N_SEATS, 0, 0)
        self.pool_classes: list[int] = []

    @property
    def wall_left(self) -> int:
        """Return how many tiles can still be drawn."""
        return self.tail - self.head + 1

    def play(self) -> None:
        """Deal and play to a win or a washout."""
        self._deal()
        self._draw(self.dealer)
        seat, claimed = self.dealer, False
        while self.outcome == PLAYING:
            move = self._ask_turn(seat, claimed)
            claimed = False
            if move.code == schema.HU:
                self._end([seat], schema.ZIMO, -1, self.drawn)
            elif move.code == schema.GANG_CONCEALED:
                self._concealed_kong(seat, move.kind)
            elif move.code == schema.GANG_ADDED:
                self._added_kong(seat, move.kind)
            else:
                seat, claimed = self._discard(seat, move.kind)
        self.trace.append((schema.END, -1, -1, self.outcome))

    # The deal

    def _deal(self) -> None:
        for place in range(52):
            seat = (self.dealer + place // 13) % N_SEATS
            self.seats[seat].hand[self.wall[place]] += 1
            self.trace.append((schema.DEAL, seat, self.wall[place], -1))
        self.head = 52
        if self.rules.ghost.mode == "turned":
            indicator = self._from_tail()
            self.visible[indicator] += 1
            ghost = successor(self.rules, indicator)
            self.ghosts = frozenset([ghost])
            self.trace.append((schema.INDICATOR, -1, indicator, ghost))
        if self.rules.horses.kind == "held":
            for i in range(N_SEATS):
                holder = (self.dealer + i) % N_SEATS
                for _ in range(self.rules.horses.count):
                    kind = self._from_tail()
                    self.held_horses.append((holder, kind))
                    self.trace.append((schema.HORSE, holder, kind, horse_class(self.rules, kind)))
        if self.wall_left < 1:
            raise ValueError(f"{self.rules.slug}: no tile is left in the wall after the deal")
        for player in self.seats:
            player.shanten_deal = self._need(player) - 1
            if player.shanten_deal <= 0:
                player.ready_turn = 0

    def _from_tail(self) -> int:
        self.tail -= 1
        return self.wall[self.tail + 1]

    # What a seat sees and is asked

    def _need(self, seat: Seat) -> int:
        naturals, n_ghosts = split(seat.hand, self.ghosts)
        return need(naturals, len(seat.melds), n_ghosts, self.rules.win.forms)

    def _view(self, seat: Seat) -> View:
        return View(
            tuple(seat.hand),
            len(seat.melds),
            self.ghosts,
            self.rules.win.forms,
            tuple(self.copies[k] - self.visible[k] - seat.hand[k] for k in range(N_KINDS)),
            self.rules.ghost.discard == "allowed",
        )

    def _ask_turn(self, s: int, claimed: bool) -> Move:
        seat = self.seats[s]
        view = self._view(seat)
        moves = []
        if not claimed:
            if self._score(s, schema.ZIMO, self.drawn):
                moves.append(Move(schema.HU, self.drawn))
            if self.wall_left >= 1:
                moves += [Move(schema.GANG_CONCEALED, k) for k in self._naturals(seat, 4)]
                ponged = {meld.kind for meld in seat.melds if meld.t == schema.MELD_PENG}
                moves += [Move(schema.GANG_ADDED, k) for k in self._naturals(seat, 1) if k in ponged]
        moves += [Move(schema.DISCARD, k) for k in view.discards()]
        return moves[0] if len(moves) == 1 else seat.bot.turn(view, moves)

    def _naturals(self, seat: Seat, at_least: int) -> list[int]:
        return [k for k in range(N_KINDS) if seat.hand[k] >= at_least and k not in self.ghosts]

    def _ask_claim(self, s: int, kind: int, moves: list[Move]) -> Move:
        """Ask for one of some moves or a pass; nothing is asked where only the pass is legal."""
        options = [Move(schema.PASS, kind), *moves]
        if not moves:
            return options[0]
        return self.seats[s].bot.claim(self._view(self.seats[s]), options, kind)

    # Moves

    def _draw(self, s: int, kong: Meld | None = None) -> None:
        """Draw from the head, or a kong's replacement from the tail."""
        if kong:
            kind = self._from_tail()
        else:
            kind = self.wall[self.head]
            self.head += 1
        seat = self.seats[s]
        seat.hand[kind] += 1
        seat.draws += 1
        seat.passed.clear()
        self.turns += 1
        self.drawn = kind
        self.after_kong = kong
        self.trace.append((schema.DRAW_TAIL if kong else schema.DRAW, s, kind, self.wall_left))

    def _concealed_kong(self, s: int, kind: int) -> None:
        self.trace.append((schema.GANG_CONCEALED, s, kind, -1))
        meld = Meld(schema.MELD_CONCEALED, kind)
        self._take(s, kind, 4)
        self.seats[s].melds.append(meld)
        self._finish_kong(s, meld)

    def _added_kong(self, s: int, kind: int) -> None:
        """Announce, let the others rob, then take the replacement."""
        self.trace.append((schema.GANG_ADDED, s, kind, -1))
        self.seats[s].hand[kind] -= 1
        winners = self._ask_wins(s, kind, schema.QIANGGANG)
        if winners:
            self._end(winners, schema.QIANGGANG, s, kind)
            return
        self.visible[kind] += 1
        melds = self.seats[s].melds
        place = melds.index(next(m for m in melds if m.t == schema.MELD_PENG and m.kind == kind))
        melds[place] = Meld(schema.MELD_ADDED, kind, melds[place].feeder)
        self._finish_kong(s, melds[place])

    def _finish_kong(self, s: int, meld: Meld) -> None:
        for seat, points in enumerate(kong_points(self.rules, meld.t, s, meld.feeder)):
            self.kong[seat] += points
        self._close_window(is_kong=True)
        self._draw(s, meld)

    def _take(self, s: int, kind: int, n: int) -> None:
        """Move n concealed tiles of a seat into the open."""
        self.seats[s].hand[kind] -= n
        self.visible[kind] += n

    def _close_window(self, is_kong: bool) -> None:
        if not is_kong or self.rules.win.first_turn_closed_by == "any_call":
            self.is_first_round = False

    def _discard(self, s: int, kind: int) -> tuple[int, bool]:
        """Discard, settle who takes the tile, and return whose turn it is and whether by chi or peng."""
        seat = self.seats[s]
        seat.hand[kind] -= 1
        seat.discards += 1
        self.n_discards += 1
        self.visible[kind] += 1
        self.trace.append((schema.DISCARD, s, kind, -1))
        if seat.ready_turn == schema.NEVER and self._need(seat) <= 1:
            seat.ready_turn = seat.discards
        winners = self._ask_wins(s, kind, schema.DIANPAO)
        if winners:
            self._end(winners, schema.DIANPAO, s, kind)
            return s, False
        if self.wall_left >= 1 and kind not in self.ghosts:
            claimer = self._ask_same(s, kind)
            if claimer is not None:
                return claimer, not self.after_kong
            if self.rules.play.chi and self._ask_chi(s, kind):
                return (s + 1) % N_SEATS, True
        if self.wall_left == 0:
            self.outcome = schema.WASHOUT
            self._settle()
            return s, False
        following = (s + 1) % N_SEATS
        self._draw(following)
        return following, False

    def _ask_same(self, discarder: int, kind: int) -> int | None:
        """Ask the seat that holds two or three of the discard; return it when it claims."""
        for s in self._after(discarder):
            hand = self.seats[s].hand
            moves = []
            if hand[kind] >= 2 and self._keeps_natural(plus(hand, kind, -2)):
                moves.append(Move(schema.PENG, kind))
            if hand[kind] >= 3:
                moves.append(Move(schema.GANG_EXPOSED, kind))
            move = self._ask_claim(s, kind, moves)
            if move.code == schema.PENG:
                self._claim(s, move, Meld(schema.MELD_PENG, kind, discarder))
                self._take(s, kind, 2)
                return s
            if move.code == schema.GANG_EXPOSED:
                meld = Meld(schema.MELD_EXPOSED, kind, discarder)
                self._claim(s, move, meld)
                self._take(s, kind, 3)
                self._finish_kong(s, meld)
                return s
        return None

    def _ask_chi(self, discarder: int, kind: int) -> bool:
        s = (discarder + 1) % N_SEATS
        hand = self.seats[s].hand
        moves = []
        for low in (kind - 2, kind - 1, kind):
            if low < 0 or low // 9 != kind // 9 or not can_start_chow(low):
                continue
            others = [k for k in range(low, low + 3) if k != kind]
            if any(hand[k] == 0 or k in self.ghosts for k in others):
                continue
            if self._keeps_natural(plus(plus(hand, others[0], -1), others[1], -1)):
                moves.append(Move(schema.CHI, low))
        move = self._ask_claim(s, kind, moves)
        if move.code != schema.CHI:
            return False
        self._claim(s, move, Meld(schema.MELD_CHI, move.kind, discarder))
        for k in range(move.kind, move.kind + 3):
            if k != kind:
                self._take(s, k, 1)
        return True

    def _keeps_natural(self, hand: Sequence[int]) -> bool:
        """Say whether anything but ghosts is left in a hand."""
        return sum(split(hand, self.ghosts)[0]) > 0

    def _claim(self, s: int, move: Move, meld: Meld) -> None:
        """Lay down a claimed meld, without moving its concealed tiles."""
        self.trace.append((move.code, s, move.kind, meld.feeder))
        seat = self.seats[s]
        seat.melds.append(meld)
        seat.calls += 1
        seat.passed.clear()
        if sum(m.is_exposed for m in seat.melds) == 4:
            self.completions.append((meld.feeder, s))
        self.after_kong = None
        self._close_window(is_kong=meld.is_kong)

    def _after(self, s: int) -> list[int]:
        """Return the other seats in turn order."""
        return [(s + i) % N_SEATS for i in range(1, N_SEATS)]

    # Winning

    def _ask_wins(self, from_seat: int, kind: int, source: int) -> list[int]:
        """Ask every seat that can win on a tile and may; return the winners in turn order."""
        takers = []
        for s in self._after(from_seat):
            if self._is_blocked(s, kind) or not self._score(s, source, kind):
                continue
            if self._ask_claim(s, kind, [Move(schema.HU, kind)]).code == schema.HU:
                takers.append(s)
            else:
                self.seats[s].passed.add(kind)
                self.trace.append((schema.PASS, s, kind, from_seat))
        if self.rules.win.multiple == "all":
            return takers
        if self.rules.win.multiple == "nearest":
            return takers[:1]
        return sorted(takers, key=lambda s: -self._points(s, source, kind))[:1]

    def _is_blocked(self, s: int, kind: int) -> bool:
        """漏胡: say whether a passed win blocks this one."""
        passed = self.seats[s].passed
        return {"off": False, "same_tile": kind in passed, "all_tiles": bool(passed)}[self.rules.win.passed]

    def _points(self, s: int, source: int, kind: int) -> int:
        score = self._score(s, source, kind)
        return score.points if score else 0

    def _hand_before(self, s: int, source: int) -> tuple[int, ...]:
        """Return the concealed tiles without the winning one."""
        hand = tuple(self.seats[s].hand)
        return plus(hand, self.drawn, -1) if source == schema.ZIMO else hand

    def _score(self, s: int, source: int, kind: int, n_winners: int = 1) -> Score | None:
        """Return the value of a win, None when it is none."""
        seat = self.seats[s]
        before = self._hand_before(s, source)
        naturals, n_ghosts = split(plus(before, kind), self.ghosts)
        if not is_complete(naturals, len(seat.melds), n_ghosts, self.rules.win.forms):
            return None
        win = Win(
            hand=before,
            tile=kind,
            melds=tuple(seat.melds),
            source=source,
            ghosts=self.ghosts,
            seat_wind=seat_wind(s, self.east),
            round_wind=self.round_wind,
            events=self._events(s, source, n_winners),
        )
        return best_score(self.rules, win)

    def _events(self, s: int, source: int, n_winners: int) -> frozenset[str]:
        is_zimo, is_dianpao = source == schema.ZIMO, source == schema.DIANPAO
        is_dealer = s == self.dealer
        happened = {
            "gangkai": is_zimo and self.after_kong is not None,
            "gangpao": is_dianpao and self.after_kong is not None,
            "haidi": is_zimo and self.wall_left == 0,
            "tianhu": is_zimo and is_dealer and self.turns == 1,
            "dihu": is_zimo and not is_dealer and self.seats[s].draws == 1 and self.is_first_round,
            "renhu": is_dianpao and self.n_discards == 1 and self.is_first_round,
            "triple_win": n_winners == 3,
        }
        return frozenset(slug for slug, has in happened.items() if has)

    # The end

    def _end(self, winners: list[int], source: int, from_seat: int, kind: int) -> None:
        self.outcome, self.from_seat, self.win_tile = source, from_seat, kind
        for s in winners:
            self.trace.append((schema.HU, s, kind, from_seat))
            self.wins.append(self._log_win(s, source, kind, len(winners)))
        self._settle()

    def _log_win(self, s: int, source: int, kind: int, n_winners: int) -> WinLog:
        score = self._score(s, source, kind, n_winners)
        assert score is not None
        liable = -1
        if source == schema.ZIMO:
            liable = liable_seat(self.rules, s, self.seats[s].melds, self.after_kong, self.completions)
        waits, live = self._waits(s, source, kind)
        return WinLog(s, score, liable, waits, live)

    def _waits(self, s: int, source: int, kind: int) -> tuple[int, int]:
        """Return how many kinds completed the hand before the win, and how many live copies they had."""
        seat = self.seats[s]
        before = self._hand_before(s, source)
        waits = live = 0
        for k in range(N_KINDS):
            naturals, n_ghosts = split(plus(before, k), self.ghosts)
            if self.copies[k] > before[k] and is_complete(naturals, len(seat.melds), n_ghosts, self.rules.win.forms):
                waits += 1
                live += self.copies[k] - self.visible[k] - before[k]
                live += source == schema.DIANPAO and k == kind
        return waits, live

    def _settle(self) -> None:
        rules = self.rules
        for seat in self.seats:
            seat.ghosts_at_end = sum(seat.hand[k] for k in self.ghosts)
        if self.outcome == schema.WASHOUT:
            if rules.kong.on_washout == "void":
                self.kong = [0] * N_SEATS
            return
        winners = [win.seat for win in self.wins]
        for win in self.wins:
            self.payments += win_payments(rules, win.seat, self.outcome, self.from_seat, win.score.points, win.liable)
        held = [(holder, horse_class(rules, kind)) for holder, kind in self.held_horses]
        undrawn = self.wall[self.head : self.tail + 1]
        self.pool_classes = [c for _, c in held] + [horse_class(rules, kind) for kind in undrawn]
        origins = horse_origins(rules, winners, self.from_seat, self.dealer, self.origin)
        if rules.horses.kind == "held":
            self.horses = settle_held(self.payments, held, origins, origins[winners[0]])
        elif rules.horses.kind == "drawn" and (rules.horses.on_rob or self.outcome != schema.QIANGGANG):
            drawn = undrawn[: rules.horses.count]
            classes = [horse_class(rules, kind) for kind in drawn]
            self.trace += [(schema.HORSE, -1, kind, c) for kind, c in zip(drawn, classes, strict=True)]
            self.horses = settle_drawn(self.payments, classes, origins)

    def hand_points(self) -> list[int]:
        """Return the points from wins, without horses and kongs."""
        return total(self.payments)

    def is_concealed(self, s: int) -> bool:
        """Say whether a seat is 门清."""
        return is_concealed(self.seats[s].melds)


@dataclass
class HandResult:
    """One hand's log rows and moves."""

    row: dict[str, int]
    wins: list[dict[str, int]]
    trace: list[Trace]


def play_hand(
    rules: Rules,
    seed: int,
    table: int,
    hand: int,
    *,
    dealer: int,
    round_wind: int,
    repeat: int,
    origin: int,
    chair_dealer: int,
    bots: tuple[str, str, str, str],
    rotation: int = 0,
    wall_hand: int | None = None,
) -> HandResult:
    """Play one hand.

    Parameters
    ----------
    bots
        Bot of each seat.
    wall_hand
        The hand in the wall's counter where it is not ``hand`` (duplicate mode: 0).
    """
    wall = build_wall(rules, seed, table, hand if wall_hand is None else wall_hand)
    players = [make(name, Stream(seed, schema.STREAM_POLICY + s, hand, table)) for s, name in enumerate(bots)]
    played = Hand(
        rules,
        wall,
        players,
        dealer=dealer,
        round_wind=round_wind,
        origin=origin,
        chair_dealer=chair_dealer,
    )
    played.play()
    row = hand_row(played, table=table, hand=hand, rotation=rotation, repeat=repeat)
    return HandResult(row, win_rows(played, table=table, hand=hand), played.trace)
