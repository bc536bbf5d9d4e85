"""The wall of one hand: what can still be drawn, from its head and from its tail."""

from __future__ import annotations

from collections.abc import Sequence


class Wall:
    """Tiles in order; the last ``n_reserved`` are never drawn in play."""

    def __init__(self, tiles: Sequence[int], n_reserved: int) -> None:
        end = len(tiles) - n_reserved
        self.undrawn = list(tiles[:end])
        self.reserve = list(tiles[end:])
        self.staying: list[int] = []  # taken off the tail for kongs, the last one last

    @property
    def left(self) -> int:
        """Return how many tiles can still be drawn."""
        return len(self.undrawn)

    def from_head(self) -> int:
        """Draw the first tile."""
        return self.undrawn.pop(0)

    def from_tail(self) -> int:
        """Draw the last tile."""
        return self.undrawn.pop()

    def keep(self, n: int) -> None:
        """Let n tiles in all stay, as far as there are so many; one that no longer stays is the last one again."""
        while len(self.staying) < n and self.undrawn:
            self.staying.append(self.undrawn.pop())
        while len(self.staying) > n:
            self.undrawn.append(self.staying.pop())
