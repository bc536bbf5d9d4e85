"""The moves of a hand as lines of text, with each seat's tiles beside its moves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sim import schema, tiles

Step = tuple[int, int, int, int]  # move, seat, kind, other (`sim.replay`)

# Move -> its line. ``other`` is the seat that fed the tile, the tiles left, or a horse's seats after the origin.
_TEXT = {
    "pass": "passes a win on {kind}",
    "discard": "discards {kind}",
    "hu": "wins on {kind} from seat {other}",
    "peng": "peng {kind} from seat {other}",
    "gang_exposed": "direct kong {kind} from seat {other}",
    "gang_added": "added kong {kind}",
    "gang_concealed": "concealed kong {kind}",
    "chi": "chi {run} from seat {other}",
    "draw": "draws {kind} ({other} left)",
    "draw_tail": "draws {kind} from the tail ({other} left)",
    "indicator": "{kind} is turned: {ghost} is the ghost",
    "horse": "horse {kind}: the origin's seat + {other}",
    "end": "end: {outcome}",
    "flower": "lays flower {kind} aside",
    "declare": "declares ready with {kind}",
}
_SELF_DRAW = "wins on {kind} by self-draw"
_ADDS = ("deal", "draw", "draw_tail")
_REMOVES = {"discard": 1, "flower": 1, "peng": 2, "gang_exposed": 3, "gang_added": 1, "gang_concealed": 4}
_MELDS = {"peng": 3, "gang_exposed": 4, "gang_concealed": 4}


def moves(trace: Sequence[Step]) -> Iterator[str]:
    """Yield one line for each move; the deal is one line for each seat."""
    for i, seats in enumerate(_followed(trace)):
        code, seat, kind, other = trace[i]
        move = schema.MOVES[code]
        if move != "deal":
            yield _line(seat, _text(move, kind, other), seats)
        elif schema.MOVES[trace[i + 1][0]] != "deal":
            yield from (_line(dealt, "is dealt", seats) for dealt in range(tiles.N_SEATS))


def last_hands(trace: Sequence[Step]) -> list[SeatTiles]:
    """Tiles of the four seats after the last move."""
    return list(_followed(trace))[-1]


def _followed(trace: Sequence[Step]) -> Iterator[list[SeatTiles]]:
    """Yield the seats after each move; they are the same objects, which change."""
    seats = [SeatTiles() for _ in range(tiles.N_SEATS)]
    claimable = -1
    for code, seat, kind, _ in trace:
        move = schema.MOVES[code]
        if seat >= 0:
            seats[seat].apply(move, kind, claimable)
        if move == "discard":
            claimable = kind
        yield seats


class SeatTiles:
    """Tiles of one seat: kinds of its melds and concealed ones."""

    def __init__(self) -> None:
        self.concealed: list[int] = []
        self.melds: list[list[int]] = []
        self._announced = -1  # added kong that may still be robbed

    def apply(self, move: str, kind: int, claimable: int) -> None:
        """Carry out one move of this seat."""
        if move in _ADDS:
            self.concealed.append(kind)
        if move == "draw_tail" and self._announced >= 0:
            self.melds[self.melds.index([self._announced] * 3)].append(self._announced)
            self._announced = -1
        if move == "gang_added":
            self._announced = kind
        run = [kind, kind + 1, kind + 2] if move == "chi" else []
        for tile in [kind] * _REMOVES.get(move, 0) + [k for k in run if k != claimable]:
            self.concealed.remove(tile)
        if run:
            self.melds.append(run)
        if move in _MELDS:
            self.melds.append([kind] * _MELDS[move])

    def __str__(self) -> str:
        return " ".join([tiles.show(self.concealed), *(f"[{tiles.show(meld)}]" for meld in self.melds)])


def _text(move: str, kind: int, other: int) -> str:
    template = _SELF_DRAW if move == "hu" and other < 0 else _TEXT[move]
    return template.format(
        kind=tiles.tile_name(kind) if kind >= 0 else "",
        other=other,
        run=tiles.show(range(kind, kind + 3)) if move == "chi" else "",
        ghost=tiles.tile_name(other) if move == "indicator" else "",
        outcome=schema.OUTCOMES[other] if move == "end" else "",
    )


def _line(seat: int, text: str, seats: Sequence[SeatTiles]) -> str:
    who, held = (f"seat {seat}", str(seats[seat])) if seat >= 0 else ("", "")
    return f"{who:<8}{text:<34}{held}".rstrip()
