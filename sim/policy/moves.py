"""The questions, and how a bot's answer is coded: move code and kind in one integer."""

from __future__ import annotations

from sim.jit import kernel

ASK_TURN, ASK_WIN, ASK_CLAIM, ASK_CHI = range(4)


@kernel
def move(code, kind):
    """Code a move of `sim.schema` and a kind."""
    return code * 64 + kind
