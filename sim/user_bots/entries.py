"""Entries of user bots, called by address from the kernels: a callback into Python, or compiled around a kernel."""

from __future__ import annotations

import ctypes
import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.flags import N_COLUMNS as N_RULE_COLUMNS
from sim.flags import N_ROWS as N_RULE_ROWS
from sim.jit import own_entry
from sim.policy.entries import user_entry
from sim.policy.moves import ASK_CLAIM, ASK_WIN
from sim.policy.user import FAULT, RAISED, accept, first_legal, show
from sim.schema import HU, MOVES, PASS
from sim.state import GAME, N_COLUMNS, N_ROWS, USER_VIEW
from sim.tables import N_BYTES
from sim.tiles import N_KINDS
from sim.user_bots.fault import LAST, BotError
from sim.user_bots.view import Move, View

_SIZE = N_ROWS * N_COLUMNS
_CALLBACK = ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_void_p] * 3, *[ctypes.c_int64] * 6)


def _rows(address: int, n_rows: int, n_columns: int) -> NDArray[np.int64]:
    """Array over int64 that lie at an address."""
    memory: Any = (ctypes.c_int64 * (n_rows * n_columns)).from_address(address)
    rows: NDArray[np.int64] = np.frombuffer(memory, np.int64).reshape(n_rows, n_columns)
    return rows


def of_python(bot: Callable[[View], Any]) -> tuple[int, Any]:
    """Address of an entry that asks a Python function, and what must be kept alive with it."""

    def ask(
        s: int, r: int, t: int, seat: int, question: int, kind: int, options: int, can: int, points: int
    ) -> int:  # fmt: skip
        rows = _rows(s, N_ROWS, N_COLUMNS)
        fault = _rows(int(rows[GAME, USER_VIEW]) + 8 * _SIZE, 1, N_COLUMNS)[0]
        if fault[FAULT]:
            return int(first_legal(question, options))
        rules = _rows(r, N_RULE_ROWS, N_RULE_COLUMNS)
        memory: Any = (ctypes.c_uint8 * N_BYTES).from_address(t)
        tables: NDArray[np.uint8] = np.frombuffer(memory, np.uint8)
        seen = np.zeros((N_ROWS, N_COLUMNS), np.int64)
        show(rows, rules, seen, seat)
        try:
            answer = _coded(bot(View(seen, rules, tables, seat, question, kind, options, can, points)), question, kind)
        except BaseException as error:  # nothing may go up through the kernels
            LAST.error, answer = error, RAISED
        return int(accept(rows, seen, fault, seat, question, kind, options, can, answer))

    callback = _CALLBACK(ask)
    address = ctypes.cast(callback, ctypes.c_void_p).value or 0
    return address, callback


def _coded(answer: Any, question: int, asked: int) -> int:
    """Code of a move; -1 for what is none, or moves another tile than the one that is asked about."""
    if isinstance(answer, Move) and answer.name in MOVES and isinstance(answer.kind, int | np.integer):
        code, kind = MOVES.index(answer.name), int(answer.kind)
        if code in (PASS, HU):  # which name no tile
            fits = kind in (-1, asked)
        else:
            fits = kind == asked if question in (ASK_WIN, ASK_CLAIM) else 0 <= kind < N_KINDS
        if fits:
            LAST.answer = ""
            return code * 64 + max(kind, 0)
    if inspect.iscoroutine(answer):
        answer.close()  # nobody will wait for it
    LAST.answer = f"{' '.join(repr(answer).split()):.80}, which is none of view.options"
    return -1


def of_kernel(bot: Any, name: str) -> tuple[int, Any]:
    """Address of an entry compiled around a function of numba, and what must be kept alive with it.

    Raises
    ------
    BotError
        When it does not compile.
    """
    try:
        compiled = own_entry(user_entry(bot))
    except Exception as error:
        raise BotError(
            f"bot {name}: numba cannot compile it as a function of (s, r, t, seat, question, kind, options, can,"
            f" points) that returns a whole number: {_reason(error)}"
        ) from error
    return compiled.address, compiled


def _reason(error: Exception) -> str:
    """Return the most telling line of a compiler's message."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return next((line for line in lines if not line.startswith(("Failed in", "During:", "File "))), "?")[:300]
