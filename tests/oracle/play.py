"""One hand from the deal to its end, move by move, as `sim/PLAY.md` tells it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from sim import schema
from sim.rules import Rules
from sim.tiles import FIRST_FLOWER, N_KINDS, N_SEATS, copies, parse_one

from .bots import Bot, Move, View, make
from .deal import build_wall, turned_ghosts
from .horses import Settled, count_hits, horse_class, horse_origins, n_to_draw, settle_drawn, settle_held
from .log import hand_row, win_rows
from .plans import Other, Table
from .readings import can_start_chow
from .rng import Stream
from .scoring import Score, Win, best_score, holds_four, is_four_ghosts, seat_wind
from .settlement import (
    Payment,
    flower_payments,
    follow_payments,
    kong_payments,
    liable_seat,
    share_of,
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
    passed: dict[int, int] = field(default_factory=dict)  # kinds whose win was passed (漏胡): most points of each
    flowers: int = 0
    draws: int = 0
    discards: int = 0
    calls: int = 0
    shanten_deal: int = 0
    ready_turn: int = schema.NEVER
    ghosts_at_end: int = 0
    river: set[int] = field(default_factory=set)
    safe: set[int] = field(default_factory=set)  # kinds discarded since the seat's hand changed last


@dataclass
class WinLog:
    """One winner's part of the log."""

    seat: int
    score: Score
    share: int  # one payer's points after repeat deals and the loss cap
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
        repeat: int = 0,
        origin: int = 0,
        chair_dealer: int = 0,
    ) -> None:
        self.rules = rules
        self.wall = list(wall)
        self.copies = [int(c) for c in copies(rules.tiles)]
        self.dealer = dealer
        self.round_wind = round_wind
        self.repeat = repeat
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
        self.first_discards: set[int] = set()  # kinds of the hand's first four discards
        self.is_first_round = True  # no call has closed the window of 天和, 地和, 人和
        self.completions: list[tuple[int, int]] = []  # feeder, seat of each fourth exposed meld
        # The end.
        self.outcome = PLAYING
        self.from_seat = -1
        self.win_tile = -1
        self.wins: list[WinLog] = []
        self.kongs: list[Payment] = []
        self.flower_money: list[Payment] = []
        self.follow: list[Payment] = []  # 跟庄
        self.payments: list[Payment] = []
        self.horses = Settled([0] * N_SEATS, 0, 0)
        self.pool_classes: list[int] = []

    @property
    def wall_left(self) -> int:
        """Return how many tiles can still be drawn."""
        return self.tail - self.head + 1

    @property
    def kong(self) -> list[int]:
        """Return the points from kongs, flowers and 跟庄."""
        return total(self.kongs + self.flower_money + self.follow)

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
        flowers: list[list[int]] = [[] for _ in range(N_SEATS)]
        for place in range(52):
            seat, kind = (self.dealer + place // 13) % N_SEATS, self.wall[place]
            if kind >= FIRST_FLOWER:
                flowers[seat].append(kind)
            else:
                self.seats[seat].hand[kind] += 1
            self.trace.append((schema.DEAL, seat, kind, -1))
        self.head = 52
        if self.rules.ghost.mode in ("turned", "turned_two"):
            self._turn_indicator()
        if self.rules.horses.kind == "held":
            for i in range(N_SEATS):
                holder = (self.dealer + i) % N_SEATS
                for _ in range(self.rules.horses.count):
                    kind = self._from_tail()
                    self.held_horses.append((holder, kind))
                    self.trace.append((schema.HORSE, holder, kind, horse_class(self.rules, kind)))
        for i in range(N_SEATS):
            holder = (self.dealer + i) % N_SEATS
            self._replace_dealt(holder, sorted(flowers[holder]))
        self.turns = 0
        if self.wall_left < 1:
            raise ValueError(f"{self.rules.slug}: no tile is left in the wall after the deal")
        for player in self.seats:
            player.shanten_deal = self._need(player) - 1
            if player.shanten_deal <= 0:
                player.ready_turn = 0

    def _turn_indicator(self) -> None:
        """Turn a tile for the ghosts; a flower is out of play and the next one is turned."""
        while (indicator := self._from_tail()) >= FIRST_FLOWER:
            self.trace.append((schema.FLOWER, -1, indicator, -1))
        self.visible[indicator] += 1
        ghosts = turned_ghosts(self.rules, indicator)
        self.ghosts = frozenset(ghosts)
        self.trace.append((schema.INDICATOR, -1, indicator, ghosts[0]))

    def _replace_dealt(self, s: int, flowers: Sequence[int]) -> None:
        """Lay the flowers that a seat was dealt aside, then draw as many tiles."""
        for flower in flowers:
            self._lay_aside(s, flower)
        for _ in flowers:
            kind = self._take_tile(s, from_tail=True)
            if kind is None:
                raise ValueError(f"{self.rules.slug}: the wall is too short for the flowers of the deal")
            self.seats[s].hand[kind] += 1

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
            self._table(self.seats.index(seat)),
        )

    def _table(self, s: int) -> Table:
        """Return what a seat knows of the table."""
        others = tuple(
            Other(
                tuple(self.seats[o].melds),
                seat_wind(o, self.east),
                self.seats[o].discards,
                frozenset(self.seats[o].river),
                frozenset(self.seats[o].safe),
            )
            for o in self._after(s)
        )
        melds = tuple(self.seats[s].melds)
        wind = seat_wind(s, self.east)
        return Table(self.rules, melds, wind, self.round_wind, self.repeat, self.wall_left, others)

    def _ask_turn(self, s: int, claimed: bool) -> Move:
        seat = self.seats[s]
        view = self._view(seat)
        moves = []
        if not claimed:
            if self._score(s, schema.ZIMO, self.drawn):
                moves.append(Move(schema.HU, self.drawn))
                view = view._replace(points=self._points(s, schema.ZIMO, self.drawn))
                if self.rules.win.must:
                    return moves[0]
            if self.wall_left >= 1:
                moves += [Move(schema.GANG_CONCEALED, k) for k in self._naturals(seat, 4)]
                ponged = {meld.kind for meld in seat.melds if meld.t == schema.MELD_PENG}
                moves += [Move(schema.GANG_ADDED, k) for k in self._naturals(seat, 1) if k in ponged]
        moves += [Move(schema.DISCARD, k) for k in view.discards()]
        return moves[0] if len(moves) == 1 else seat.bot.turn(view, moves)

    def _naturals(self, seat: Seat, at_least: int) -> list[int]:
        return [k for k in range(N_KINDS) if seat.hand[k] >= at_least and k not in self.ghosts]

    def _ask_claim(self, s: int, kind: int, moves: list[Move], source: int = schema.DIANPAO) -> Move:
        """Ask for one of some moves or a pass; nothing is asked where only the pass is legal."""
        options = [Move(schema.PASS, kind), *moves]
        if not moves:
            return options[0]
        view = self._view(self.seats[s])
        if moves[0].code == schema.HU:
            view = view._replace(points=self._points(s, source, kind), is_rob=source == schema.QIANGGANG)
        return self.seats[s].bot.claim(view, options, kind)

    # Moves

    def _draw(self, s: int, kong: Meld | None = None) -> None:
        """Draw from the head, or a kong's replacement from the tail; no replacement for a flower is a washout."""
        seat = self.seats[s]
        seat.draws += 1
        seat.passed.clear()
        self.after_kong = kong
        kind = self._take_tile(s, from_tail=kong is not None)
        if kind is None:
            self._wash_out()
            return
        seat.hand[kind] += 1
        self.drawn = kind

    def _take_tile(self, s: int, from_tail: bool) -> int | None:
        """Take a tile and, while it is a flower, lay that aside and take one from the tail; None when none is left."""
        while True:
            if from_tail:
                kind = self._from_tail()
            else:
                kind = self.wall[self.head]
                self.head += 1
            self.turns += 1
            self.trace.append((schema.DRAW_TAIL if from_tail else schema.DRAW, s, kind, self.wall_left))
            if kind < FIRST_FLOWER:
                return kind
            self._lay_aside(s, kind)
            if self.wall_left == 0:
                return None
            from_tail = True

    def _lay_aside(self, s: int, flower: int) -> None:
        """Lay a flower open; it is paid for at once."""
        self.seats[s].flowers += 1
        self.flower_money += flower_payments(self.rules, s)
        self.trace.append((schema.FLOWER, s, flower, self.wall_left))

    def _concealed_kong(self, s: int, kind: int) -> None:
        """Announce, let the others rob where that is allowed, then take the replacement."""
        self.trace.append((schema.GANG_CONCEALED, s, kind, -1))
        self.seats[s].hand[kind] -= 1
        if self._is_robbed("concealed", s, kind):
            return
        self.seats[s].hand[kind] += 1
        meld = Meld(schema.MELD_CONCEALED, kind)
        self._take(s, kind, 4)
        self.seats[s].melds.append(meld)
        self._finish_kong(s, meld)

    def _added_kong(self, s: int, kind: int) -> None:
        """Announce, let the others rob where that is allowed, then take the replacement."""
        self.trace.append((schema.GANG_ADDED, s, kind, -1))
        self.seats[s].hand[kind] -= 1
        if self._is_robbed("added", s, kind):
            return
        self.visible[kind] += 1
        melds = self.seats[s].melds
        place = melds.index(next(m for m in melds if m.t == schema.MELD_PENG and m.kind == kind))
        melds[place] = Meld(schema.MELD_ADDED, kind, melds[place].feeder)
        self._finish_kong(s, melds[place])

    def _direct_kong(self, s: int, kind: int, discarder: int) -> None:
        """Announce, let the two others rob where that is allowed, then take the replacement."""
        meld = Meld(schema.MELD_EXPOSED, kind, discarder)
        self.trace.append((schema.GANG_EXPOSED, s, kind, discarder))
        self.visible[kind] -= 1  # the tile goes from the river to the konger
        if self._is_robbed("direct", s, kind, discarder):
            return
        self.visible[kind] += 1
        self._take(s, kind, 3)
        self._claim(s, meld)
        self._finish_kong(s, meld)

    def _is_robbed(self, which: Literal["added", "direct", "concealed"], s: int, kind: int, but: int = -1) -> bool:
        """Ask who robs a kong that was announced, all others but one seat, and end the hand when it is robbed."""
        if which not in self.rules.win.rob_kongs:
            return False
        winners = self._ask_wins(s, kind, schema.QIANGGANG, but)
        if winners:
            self._end(winners, schema.QIANGGANG, s, kind)
        return bool(winners)

    def _finish_kong(self, s: int, meld: Meld) -> None:
        self.kongs += kong_payments(self.rules, meld.t, s, meld.feeder)
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
        seat.river.add(kind)
        seat.safe.clear()
        for player in self.seats:
            player.safe.add(kind)
        self._look_at_followers(kind)
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
            self._wash_out()
            return s, False
        following = (s + 1) % N_SEATS
        self._draw(following)
        return following, False

    def _look_at_followers(self, kind: int) -> None:
        """跟庄: the dealer pays when the first four moves are discards of one kind."""
        if self.n_discards <= N_SEATS:
            self.first_discards.add(kind)
        if self.n_discards == N_SEATS and len(self.first_discards) == 1 and not any(s.melds for s in self.seats):
            self.follow = follow_payments(self.rules, self.dealer)

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
                self.trace.append((schema.PENG, s, kind, discarder))
                self._claim(s, Meld(schema.MELD_PENG, kind, discarder))
                self._take(s, kind, 2)
                return s
            if move.code == schema.GANG_EXPOSED:
                self._direct_kong(s, kind, discarder)
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
        self.trace.append((schema.CHI, s, move.kind, discarder))
        self._claim(s, Meld(schema.MELD_CHI, move.kind, discarder))
        for k in range(move.kind, move.kind + 3):
            if k != kind:
                self._take(s, k, 1)
        return True

    def _keeps_natural(self, hand: Sequence[int]) -> bool:
        """Say whether anything but ghosts is left in a hand."""
        return sum(split(hand, self.ghosts)[0]) > 0

    def _claim(self, s: int, meld: Meld) -> None:
        """Lay down a claimed meld, without moving its concealed tiles."""
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

    def _ask_wins(self, from_seat: int, kind: int, source: int, but: int = -1) -> list[int]:
        """Ask every seat, but one, that can win on a tile and may; return the winners in turn order."""
        takers = []
        for s in self._after(from_seat):
            if s == but or not self._score(s, source, kind) or self._is_blocked(s, source, kind):
                continue
            if self.rules.win.must or self._ask_claim(s, kind, [Move(schema.HU, kind)], source).code == schema.HU:
                takers.append(s)
            else:
                passed = self.seats[s].passed
                passed[kind] = max(passed.get(kind, 0), self._points(s, source, kind))
                self.trace.append((schema.PASS, s, kind, from_seat))
        if self.rules.win.multiple == "biggest":
            takers.sort(key=lambda s: -self._points(s, source, kind))
        elif self.rules.win.multiple == "from_dealer":
            takers.sort(key=lambda s: (s - self.dealer) % N_SEATS)
        return takers if self.rules.win.multiple == "all" else takers[:1]

    def _is_blocked(self, s: int, source: int, kind: int) -> bool:
        """漏胡: say whether a passed win blocks this one."""
        passed = self.seats[s].passed
        if self.rules.win.passed == "off" or not passed:
            return False
        if self.rules.win.passed == "same_value":
            return self._points(s, source, kind) <= max(passed.values())
        return kind in passed or self.rules.win.passed == "all_tiles"

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
        complete = is_complete(naturals, len(seat.melds), n_ghosts, self.rules.win.forms)
        return best_score(self.rules, win) if complete or is_four_ghosts(self.rules, win) else None

    def _events(self, s: int, source: int, n_winners: int) -> frozenset[str]:
        is_zimo, is_dianpao = source == schema.ZIMO, source == schema.DIANPAO
        is_dealer = s == self.dealer
        happened = {
            "gangkai": is_zimo and self.after_kong is not None,
            "gangpao": is_dianpao and self.after_kong is not None,
            "haidi": is_zimo and self.wall_left == 0,
            "tianhu": is_zimo and is_dealer and self.seats[s].draws == 1,
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
        share = share_of(self.rules, score.points, self.repeat)
        liable = -1
        if source == schema.ZIMO:
            melds = self.seats[s].melds
            liable = liable_seat(self.rules, s, melds, self.after_kong, self.completions, score.counted)
        waits, live = self._waits(s, source, kind)
        return WinLog(s, score, share, liable, waits, live)

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

    def _wash_out(self) -> None:
        self.outcome = schema.WASHOUT
        self._settle()

    def _settle(self) -> None:
        rules = self.rules
        for seat in self.seats:
            seat.ghosts_at_end = sum(seat.hand[k] for k in self.ghosts)
        if self.outcome == schema.WASHOUT:
            if rules.kong.on_washout == "void":
                self.kongs, self.flower_money = [], []
            return
        winners = [win.seat for win in self.wins]
        for win in self.wins:
            self.payments += win_payments(rules, win.seat, self.outcome, self.from_seat, win.share, win.liable)
        reserve: list[int] = []
        if rules.horses.pool == "reserved":
            reserve = self.wall[len(self.wall) - rules.play.last_tiles_reserved :]
        undrawn = self.wall[self.head : self.tail + 1]
        pool = [kind for _, kind in self.held_horses] + reserve + undrawn
        self.pool_classes = [horse_class(rules, kind) for kind in pool]
        origins = horse_origins(rules, winners, self.from_seat, self.dealer, self.origin)
        if rules.horses.kind == "held":
            held = [(holder, horse_class(rules, kind)) for holder, kind in self.held_horses]
            self.horses = settle_held(self.payments, held, origins, origins[winners[0]])
        elif rules.horses.kind == "drawn":
            self._draw_horses(reserve if rules.horses.pool == "reserved" else undrawn, origins)

    def _draw_horses(self, pool: Sequence[int], origins: Mapping[int, int]) -> None:
        """Open horses from a pool and settle them."""
        rules = self.rules
        first = self._hand_at_end(self.wins[0].seat)
        has_ghost = not self.ghosts or any(first[k] for k in self.ghosts)
        drawn = pool[: n_to_draw(rules, self.outcome, self.repeat, has_ghost)]
        self.trace += [(schema.HORSE, -1, kind, horse_class(rules, kind)) for kind in drawn]
        hits = {
            winner: count_hits(
                rules, drawn, (winner - origin) % N_SEATS, holds_four(self._hand_at_end(winner), self.ghosts)
            )
            for winner, origin in origins.items()
        }
        self.horses = settle_drawn(rules, self.payments, self.kongs, len(drawn), hits)

    def _hand_at_end(self, winner: int) -> tuple[int, ...]:
        """Return a winner's concealed tiles with the winning one."""
        return plus(self._hand_before(winner, self.outcome), self.win_tile)

    def hand_points(self) -> list[int]:
        """Return the points from wins, without horses, kongs and flowers."""
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
        repeat=repeat,
        origin=origin,
        chair_dealer=chair_dealer,
    )
    played.play()
    row = hand_row(played, table=table, hand=hand, rotation=rotation)
    return HandResult(row, win_rows(played, table=table, hand=hand), played.trace)
