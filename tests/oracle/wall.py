"""The wall of one hand: what can still be drawn, from its head and from its tail."""

from __future__ import annotations

from collections.abc import Sequence


class Wall:
    """Tiles in order; the last ``n_reserved`` are never drawn in play, and ``n_horses`` more wait for a win."""

    def __init__(self, tiles: Sequence[int], n_reserved: int, n_horses: int = 0) -> None:
        end = len(tiles) - n_reserved
        self.undrawn = list(tiles[:end])
        self.reserve = list(tiles[end:])
        self.staying: list[int] = []  # taken off the tail for kongs, the last one last
        self.n_horses = n_horses  # undrawn tiles that are the seats' horses once somebody has won

    @property
    def left(self) -> int:
        """Return how many tiles can still be drawn."""
        return len(self.undrawn) - self.n_horses

    def from_head(self, seat: int | None = None) -> int:
        """Draw the first tile, whoever draws it."""
        return self.undrawn.pop(0)

    def from_tail(self) -> int:
        """Draw the last tile."""
        return self.undrawn.pop()

    def open_horses(self) -> list[int]:
        """Take the seats' horses: the first tiles that are left."""
        n, self.n_horses = self.n_horses, 0
        return [self.from_head() for _ in range(n)]

    def keep(self, n: int) -> None:
        """Let n tiles in all stay, as far as there are so many; one that no longer stays is the last one again."""
        while len(self.staying) < n and self.left > 0:
            self.staying.append(self.undrawn.pop())
        while len(self.staying) > n:
            self.undrawn.append(self.staying.pop())


class SeatWalls(Wall):
    """Every seat draws its own tiles: after the deal, of each four in a row the j-th to the dealer's j-th seat."""

    def __init__(self, tiles: Sequence[int], n_reserved: int, n_horses: int, dealer: int) -> None:
        super().__init__(tiles, n_reserved, n_horses)
        self._numbers = list(range(len(self.undrawn)))  # of the undrawn tiles, in their order
        self._next = {(dealer + j) % 4: 52 + j for j in range(4)}

    def from_head(self, seat: int | None = None) -> int:
        """Draw the seat's next own tile, the last one of all if that is gone; the first one takes its place."""
        if seat is not None:
            own = self._next[seat]
            self._next[seat] += 4
            left = self._numbers[: len(self.undrawn)]
            place = left.index(own) if own in left else len(left) - 1
            for row in (self.undrawn, self._numbers):
                row[0], row[place] = row[place], row[0]
        self._numbers.pop(0)
        return self.undrawn.pop(0)
