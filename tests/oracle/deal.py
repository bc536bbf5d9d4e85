"""The wall of a hand, the ghosts that an indicator names, and the deal."""

from __future__ import annotations

from collections.abc import Sequence

from sim import schema
from sim.rules import Rules
from sim.tiles import COPIES, FIRST_FLOWER, FIRST_HONOUR, FLOWERS, HONOURS, KIND_OF, N_SEATS, TILE_SETS

from .game import Game
from .rng import Stream


def deck(rules: Rules) -> list[int]:
    """Return all tiles in kind order: four of each kind, then one of each flower."""
    flowers = range(FIRST_FLOWER, FIRST_FLOWER + FLOWERS.get(rules.tiles, 0))
    return [k for k in TILE_SETS[rules.tiles] for _ in range(COPIES)] + list(flowers)


def build_wall(rules: Rules, seed: int, table: int, hand: int) -> list[int]:
    """Return the shuffled deck of a hand."""
    wall = deck(rules)
    Stream(seed, schema.STREAM_WALL, hand, table).shuffle(wall)
    return wall


def successor(rules: Rules, kind: int) -> int:
    """Return the ghost that an indicator names: the next rank, or the next honour of the rule set's cycle.

    The cycle has only honours of the deck. An honour outside it has the same successor as the one before it, that is
    the next one in it; without any cycle it names itself.
    """
    if kind < FIRST_HONOUR:
        return kind - kind % 9 + (kind % 9 + 1) % 9
    cycle = [name for name in rules.ghost.honour_cycle if KIND_OF[name] in TILE_SETS[rules.tiles]]
    name = HONOURS[kind - FIRST_HONOUR]
    if not cycle:
        return kind
    while name not in cycle:
        name = HONOURS[(HONOURS.index(name) + 1) % len(HONOURS)]
        if name in cycle:
            return KIND_OF[name]
    return KIND_OF[cycle[(cycle.index(name) + 1) % len(cycle)]]


def turned_ghosts(rules: Rules, indicator: int) -> list[int]:
    """Return the ghosts that an indicator names, the first one first."""
    first = successor(rules, indicator)
    return [first] if rules.ghost.mode == "turned" else [first, successor(rules, first)]


def deal(game: Game) -> None:
    """Deal thirteen tiles to each seat, turn the indicator, and replace flowers."""
    rules = game.rules
    flowers: list[list[int]] = [[] for _ in range(N_SEATS)]
    for place in range(52):
        s, kind = (game.dealer + place // 13) % N_SEATS, game.wall.from_head()
        seat = game.seats[s]
        if kind >= FIRST_FLOWER:
            flowers[s].append(kind)
        else:
            seat.standing[kind] += sum(seat.hand) < rules.play.standing
            seat.hand[kind] += 1
        game.trace.append((schema.DEAL, s, kind, -1))
    in_order = [(game.dealer + i) % N_SEATS for i in range(N_SEATS)]
    if rules.ghost.mode in ("turned", "turned_two"):
        _turn_indicator(game)
    for holder in in_order:
        _replace_flowers(game, holder, sorted(flowers[holder]))
    game.turns = 0
    if game.wall.left < 1:
        raise ValueError(f"{rules.slug}: no tile is left in the wall after the deal")
    for seat in game.seats:
        seat.shanten_deal = game.need(seat) - 1
        if seat.shanten_deal <= 0:
            seat.ready_turn = 0


def _turn_indicator(game: Game) -> None:
    """Turn a tile for the ghosts; a flower is out of play and the next one is turned."""
    while (indicator := game.wall.from_tail()) >= FIRST_FLOWER:
        game.trace.append((schema.FLOWER, -1, indicator, -1))
    game.visible[indicator] += 1
    ghosts = turned_ghosts(game.rules, indicator)
    game.ghosts = frozenset(ghosts)
    game.trace.append((schema.INDICATOR, -1, indicator, ghosts[0]))


def _replace_flowers(game: Game, s: int, flowers: Sequence[int]) -> None:
    """Lay the flowers that a seat was dealt aside, then draw as many tiles."""
    for flower in flowers:
        game.lay_aside(s, flower)
    for _ in flowers:
        kind = game.take_tile(s, from_tail=True)
        if kind is None:
            raise ValueError(f"{game.rules.slug}: the wall is too short for the flowers of the deal")
        game.seats[s].hand[kind] += 1
