"""Moves as text: every move has its line, and a seat's tiles follow its moves."""

from __future__ import annotations

from analysis import move_text
from sim import schema, tiles
from sim.schema import DEAL, DECLARE, DISCARD, DRAW


def test_every_move_but_the_deal_has_a_line() -> None:
    assert set(move_text._TEXT) == set(schema.MOVES) - {"deal"}


def test_declaring_ready_stands_before_the_discard_and_takes_no_tile() -> None:
    hand = tiles.parse("123m456m789m1199p")
    trace = [(DEAL, seat, kind, -1) for seat in range(4) for kind in (hand if seat == 0 else tiles.parse("EEE"))]
    trace += [(DRAW, 0, tiles.KIND_OF["5s"], 83), (DECLARE, 0, tiles.KIND_OF["5s"], -1)]
    trace += [(DISCARD, 0, tiles.KIND_OF["5s"], -1)]
    declared, discarded = list(move_text.moves(trace))[-2:]
    assert declared.split(None, 2) == ["seat", "0", "declares ready with 5s            123456789m1199p5s"]
    assert discarded.endswith(" 123456789m1199p")
