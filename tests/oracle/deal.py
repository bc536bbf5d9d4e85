"""The wall of a hand and the ghosts that an indicator names."""

from __future__ import annotations

from sim import schema
from sim.rules import Rules
from sim.tiles import COPIES, FIRST_FLOWER, FIRST_HONOUR, FLOWERS, HONOURS, KIND_OF, TILE_SETS

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

    An honour outside the cycle has the same successor as the one before it, that is the next one in it.
    """
    if kind < FIRST_HONOUR:
        return kind - kind % 9 + (kind % 9 + 1) % 9
    cycle = rules.ghost.honour_cycle
    name = HONOURS[kind - FIRST_HONOUR]
    while name not in cycle:
        name = HONOURS[(HONOURS.index(name) + 1) % len(HONOURS)]
        if name in cycle:
            return KIND_OF[name]
    return KIND_OF[cycle[(cycle.index(name) + 1) % len(cycle)]]


def turned_ghosts(rules: Rules, indicator: int) -> list[int]:
    """Return the ghosts that an indicator names, the first one first."""
    first = successor(rules, indicator)
    return [first] if rules.ghost.mode == "turned" else [first, successor(rules, first)]
