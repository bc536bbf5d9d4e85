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

    def from_head(self) -> int:
        """Draw the first tile."""
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
