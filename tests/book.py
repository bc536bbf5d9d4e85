"""Where every tile of a hand is, followed move by move: the referee's book, which finds tiles from nowhere."""

from __future__ import annotations

from collections import Counter

from sim.rules import Rules
from sim.schema import MOVES
from sim.tiles import FLOWERS, TILE_SETS, parse_one
from tests.complete import ghost_after
from tests.hands_played import Hand
from tests.oracle.state import Meld


class Book:
    """The tiles of one hand; every method asserts."""

    def __init__(self, rules: Rules, hand: Hand) -> None:
        self.rules, self.row, self.wins = rules, hand.row, hand.wins
        self.moves = [(MOVES[move], seat, kind, other) for move, seat, kind, other in hand.moves]
        self.at = 0
        self.hands = [Counter[int]() for _ in range(4)]
        self.standing = [Counter[int]() for _ in range(4)]  # of the hands, the tiles that stand apart
        self.melds: list[list[Meld]] = [[] for _ in range(4)]
        self.river: list[int] = []
        self.flowers = [0] * 4
        self.aside = 0  # indicator and flowers before it
        self.out = Counter[int]()  # every tile that ever left the wall
        self.ghosts: frozenset[int] = frozenset()
        deck = TILE_SETS[rules.tiles]
        self.stock = Counter({k: 4 for k in deck} | {34 + i: 1 for i in range(FLOWERS.get(rules.tiles, 0))})
        self.n_held = 4 * rules.horses.count if rules.horses.kind == "held" else 0  # horses that the seats get
        self.left = self.stock.total() - rules.play.last_tiles_reserved - self.n_held - 52
        self.n_kongs = 0
        self.turns = 0

    # Reading the moves

    def next(self) -> tuple[str, int, int, int]:
        """The next move, not yet taken."""
        return self.moves[self.at]

    def take(self, *names: str) -> tuple[str, int, int, int]:
        """Take the next move, which must be one of ``names``; tiles are counted after each."""
        move = self.moves[self.at]
        assert move[0] in names, f"{move} where only {names} may follow"
        self.at += 1
        return move

    def leaves_wall(self, kind: int) -> None:
        """Count a tile that comes from the wall."""
        self.out[kind] += 1
        assert self.out[kind] <= self.stock[kind], f"tile {kind} from nowhere"

    def conserved(self) -> None:
        """Every tile that left the wall lies in one place."""
        held = sum(h.total() for h in self.hands) + sum(len(m.tiles) for melds in self.melds for m in melds)
        assert all(min(h.values(), default=0) >= 0 for h in self.hands)
        assert held + len(self.river) + self.aside + sum(self.flowers) == self.out.total()

    # The deal

    def deal(self) -> None:
        """Deal, indicator, flowers dealt."""
        rules, dealer = self.rules, self.row["dealer"]
        dealt: list[list[int]] = [[] for _ in range(4)]
        for place in range(52):
            _, seat, kind, _ = self.take("deal")
            assert seat == (dealer + place // 13) % 4
            self.leaves_wall(kind)
            dealt[seat].append(kind)
        if rules.ghost.mode.startswith("turned"):
            while self.next()[0] == "flower":
                self._aside(self.take("flower")[2])
            _, seat, kind, ghost = self.take("indicator")
            assert (seat, ghost) == (-1, ghost_after(rules, kind))
            self._aside(kind)
            two = rules.ghost.mode == "turned_two"
            self.ghosts = frozenset({ghost, ghost_after(rules, ghost)} if two else {ghost})
        elif rules.ghost.mode == "fixed":
            self.ghosts = frozenset(parse_one(kind) for kind in rules.ghost.kinds)
        for seat in ((dealer + i) % 4 for i in range(4)):
            flowers = sorted(kind for kind in dealt[seat] if kind >= 34)
            held = [kind for kind in dealt[seat] if kind < 34]
            self.hands[seat].update(held)
            self.standing[seat].update(held[: rules.play.standing])
            for flower in flowers:
                assert self.take("flower")[1:3] == (seat, flower)
                self.flowers[seat] += 1
            for _ in flowers:
                self._tail_until_no_flower(seat)
        self.conserved()

    def _aside(self, kind: int) -> None:
        self.leaves_wall(kind)
        self.aside += 1
        self.left -= 1

    def _tail_until_no_flower(self, seat: int) -> None:
        while True:
            kind = self._drawn(seat, "draw_tail")
            if kind < 34:
                self.hands[seat][kind] += 1
                return
            self._flower(seat, kind)

    def _drawn(self, seat: int, name: str) -> int:
        _, who, kind, left = self.take(name)
        assert who == seat, f"seat {who} draws for seat {seat}"
        self.left -= 1
        assert left == self.left >= 0, "the wall's rest is wrong"
        self.leaves_wall(kind)
        return kind

    def _flower(self, seat: int, kind: int) -> None:
        assert self.take("flower")[1:] == (seat, kind, self.left)
        self.flowers[seat] += 1

    # Play

    def drawn_tile(self, seat: int, replacement: bool) -> int | None:
        """A draw with its flowers, and the tiles that stay after a kong; None when the wall is out."""
        name = "draw_tail" if replacement else "draw"
        while self.left:
            kind = self._drawn(seat, name)
            self.turns += 1
            if kind < 34:
                self.hands[seat][kind] += 1
                self.conserved()
                if replacement:
                    self.left = max(self.left - self._more_stay(), 0)
                return kind
            self._flower(seat, kind)
            name = "draw_tail"
        return None

    def _more_stay(self) -> int:
        """How many tiles more than before the hand's last kong can no longer be drawn after it."""
        n, play = self.n_kongs, self.rules.play
        odd = int(play.odd_tile_stays)
        return (play.reserve_per_kong if n > 1 else 0) + (odd if n % 2 else -odd)

    def leave(self, seat: int, kind: int, n: int = 1) -> None:
        """Tiles leave a hand, those that stand last."""
        self.hands[seat][kind] -= n
        self.standing[seat][kind] = min(self.standing[seat][kind], self.hands[seat][kind])
