"""One hand from the deal to its end, move by move, as `sim/PLAY.md` tells it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from sim import schema
from sim.rules import Rules
from sim.tiles import COPIES, N_KINDS, N_SEATS

from . import ending, winning
from .bots import Move, make
from .claims import ask_chi, ask_same
from .deal import build_wall, deal
from .declaring import Discards, declares, discards_of
from .game import PLAYING, Game, Seat, Trace
from .log import hand_row, win_rows
from .rng import Stream
from .settlement import follow_payments, kong_payments
from .state import Meld


class Hand(Game):
    """One hand being played; `play` runs it to its end."""

    def play(self) -> None:
        """Deal and play to a win or a washout."""
        deal(self)
        self._draw(self.dealer)
        seat, claimed = self.dealer, False
        while self.outcome == PLAYING:
            seat, claimed = self._turn(seat, claimed)
        self.trace.append((schema.END, -1, -1, self.outcome))

    # A turn

    def _turn(self, s: int, claimed: bool) -> tuple[int, bool]:
        """Let a seat move; return whose turn it is then and whether by chi or peng."""
        seat = self.seats[s]
        discards = discards_of(self, seat)
        moves = [] if claimed else self._wins_and_kongs(s)
        if not (moves and moves[0].code == schema.HU and self.rules.win.must):
            moves += [Move(schema.DISCARD, k) for k in discards.legal]
        view = self.view(seat, frozenset(discards.ready))
        if moves[0].code == schema.HU:
            view = view._replace(points=winning.points(self, s, schema.ZIMO, self.drawn))
        move = moves[0] if len(moves) == 1 else seat.bot.turn(view, moves)
        if move.code == schema.DISCARD:
            return self._discard(s, move.kind, discards, not claimed and move.kind == self.drawn)
        if move.code == schema.HU:
            ending.win(self, [s], schema.ZIMO, -1, self.drawn)
        elif move.code == schema.GANG_CONCEALED:
            self._concealed_kong(s, move.kind)
        else:
            self._added_kong(s, move.kind)
        return s, False

    def _wins_and_kongs(self, s: int) -> list[Move]:
        """Return the moves that are legal besides discards; a win that must be taken alone."""
        seat = self.seats[s]
        moves = []
        if winning.can_draw_win(self, s):
            moves.append(Move(schema.HU, self.drawn))
            if self.rules.win.must:
                return moves
        if self.wall_left >= 1 and not seat.declared:
            may_kong = [k for k in range(N_KINDS) if k not in self.ghosts or self.rules.ghost.kong == "allowed"]
            moves += [Move(schema.GANG_CONCEALED, k) for k in may_kong if seat.hand[k] == COPIES]
            ponged = {meld.kind for meld in seat.melds if meld.t == schema.MELD_PENG}
            moves += [Move(schema.GANG_ADDED, k) for k in sorted(ponged) if seat.hand[k]]
        return moves

    def _draw(self, s: int, kong: Meld | None = None) -> None:
        """Draw from the head, or a kong's replacement from the tail; no replacement for a flower is a washout."""
        seat = self.seats[s]
        seat.draws += 1
        self.clear_passed(seat)
        seat.passed_pengs.clear()
        self.after_kong = kong
        kind = self.take_tile(s, from_tail=kong is not None)
        if kind is None:
            ending.wash_out(self)
            return
        seat.hand[kind] += 1
        self.drawn = kind

    # Kongs

    def _concealed_kong(self, s: int, kind: int) -> None:
        """Announce, let the others rob where that is allowed, then take the replacement."""
        self.trace.append((schema.GANG_CONCEALED, s, kind, -1))
        self.seats[s].give(kind)
        if self._is_robbed("concealed", s, kind):
            return
        self.seats[s].give(kind, 3)
        self.visible[kind] += 4
        meld = Meld(schema.MELD_CONCEALED, kind)
        self.seats[s].melds.append(meld)
        self._finish_kong(s, meld)

    def _added_kong(self, s: int, kind: int) -> None:
        """Announce, let the others rob where that is allowed, then take the replacement."""
        self.trace.append((schema.GANG_ADDED, s, kind, -1))
        self.seats[s].give(kind)
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
        self.open_tiles(s, kind, 3)
        self.claim(s, meld)
        self._finish_kong(s, meld)

    def _is_robbed(self, which: Literal["added", "direct", "concealed"], s: int, kind: int, but: int = -1) -> bool:
        """Ask who robs a kong that was announced, all others but one seat, and end the hand when it is robbed."""
        if which not in self.rules.win.rob_kongs:
            return False
        winners = winning.ask_wins(self, s, kind, schema.QIANGGANG, but)
        if winners:
            ending.win(self, winners, schema.QIANGGANG, s, kind)
        return bool(winners)

    def _finish_kong(self, s: int, meld: Meld) -> None:
        """Pay for a kong, draw its replacement, and let the tiles stay that then can no longer be drawn."""
        self.kongs += kong_payments(self.rules, meld.t, s, meld.feeder)
        self.seats[s].change_hand()
        self.close_window(is_kong=True)
        self.n_kongs += 1
        self._draw(s, meld)
        play = self.rules.play
        self.wall.keep((self.n_kongs - 1) * play.reserve_per_kong + (play.odd_tile_stays and self.n_kongs % 2))

    # Discards

    def _discard(self, s: int, kind: int, discards: Discards, from_draw: bool) -> tuple[int, bool]:
        """Discard, settle who takes the tile, and return whose turn it is and whether by chi or peng."""
        seat = self.seats[s]
        if declares(seat, discards, kind):
            seat.declared = True
            seat.change_hand()
            self.trace.append((schema.DECLARE, s, kind, -1))
        self._lay_down(s, seat, kind, from_draw)
        winners = winning.ask_wins(self, s, kind, schema.DIANPAO)
        if winners:
            ending.win(self, winners, schema.DIANPAO, s, kind)
            return s, False
        if self.wall_left >= 1 and kind not in self.ghosts:
            claim = ask_same(self, s, kind)
            if claim and claim[1] == schema.GANG_EXPOSED:
                self._direct_kong(claim[0], kind, s)
                return claim[0], False
            if claim:
                return claim[0], True
            if self.rules.play.chi and ask_chi(self, s, kind):
                return (s + 1) % N_SEATS, True
        if self.wall_left == 0:
            ending.wash_out(self)
            return s, False
        following = (s + 1) % N_SEATS
        self._draw(following)
        return following, False

    def _lay_down(self, s: int, seat: Seat, kind: int, from_draw: bool) -> None:
        """Put a tile into the river and look at what that makes of the hand."""
        seat.give(kind)
        seat.discards += 1
        self.n_discards += 1
        self.visible[kind] += 1
        self.trace.append((schema.DISCARD, s, kind, -1))
        seat.river.add(kind)
        if from_draw:
            seat.kept += 1
        else:
            seat.change_hand()
        for player in self.seats:
            player.safe.add(kind)
        self._look_at_followers(kind)
        if seat.ready_turn == schema.NEVER and self.need(seat) <= 1:
            seat.ready_turn = seat.discards

    def _look_at_followers(self, kind: int) -> None:
        """跟庄: the dealer pays when the first four moves are discards of one kind."""
        if self.n_discards <= N_SEATS:
            self.first_discards.add(kind)
        if self.n_discards == N_SEATS and len(self.first_discards) == 1 and not any(s.melds for s in self.seats):
            self.follow = follow_payments(self.rules, self.dealer)


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
    wall: Sequence[int] | None = None,
    seat_walls: bool = False,
) -> HandResult:
    """Play one hand.

    Parameters
    ----------
    bots
        Bot of each seat.
    wall_hand
        The hand in the wall's counter where it is not ``hand`` (duplicate mode: 0).
    wall
        The wall, where it is not the one of seed, table and hand.
    seat_walls
        Whether every seat draws its own tiles of the wall.
    """
    wall = wall or build_wall(rules, seed, table, hand if wall_hand is None else wall_hand)
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
        seat_walls=seat_walls,
    )
    played.play()
    row = hand_row(played, table=table, hand=hand, rotation=rotation)
    return HandResult(row, win_rows(played, table=table, hand=hand), played.trace)
