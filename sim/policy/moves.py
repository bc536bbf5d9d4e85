"""How a bot's answer is coded: move code and kind in one integer."""

from __future__ import annotations

from sim.jit import kernel


@kernel
def move(code, kind):
    """Code a move of `sim.schema` and a kind."""
    return code * 64 + kind
