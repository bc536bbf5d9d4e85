"""What a user bot did wrong, told in one line: which question, what was allowed, what was answered."""

from __future__ import annotations

import threading
import traceback
from pathlib import PurePath

import numpy as np
from numpy.typing import NDArray

from sim.policy.moves import ASK_CHI, ASK_CLAIM, ASK_TURN
from sim.policy.user import (
    F_ADDED,
    F_ANSWER,
    F_BOT,
    F_CAN,
    F_DECLARES,
    F_FOURS,
    F_HAND,
    F_KIND,
    F_OPTIONS,
    F_QUESTION,
    F_SEAT,
    F_TABLE,
    FAULT,
    RAISED,
)
from sim.schema import (
    CHI,
    DECLARE,
    DISCARD,
    GANG_ADDED,
    GANG_CONCEALED,
    GANG_EXPOSED,
    HU,
    MOVES,
    PASS,
    PENG,
)
from sim.state import GAME, N_COLUMNS, N_ROWS, USER_VIEW
from sim.tiles import N_KINDS, show, tile_name

QUESTIONS = ("turn", "win", "claim", "chi")
ASKED = ("on its own turn", "for a win", "for a claim", "for a chi")


class BotError(ValueError):
    """A user bot that cannot be used or went wrong; the message is one line."""


class Last(threading.local):
    """What a Python bot raised or answered last, on this thread."""

    error: BaseException | None = None
    answer: str = ""


LAST = Last()


def kinds(mask: int) -> list[int]:
    """Kinds of a mask, ascending."""
    return [k for k in range(N_KINDS) if mask >> k & 1]


def legal_moves(
    question: int, kind: int, options: int, can: int, fours: int, added: int, declares: int, standing: int
) -> list[tuple[int, int]]:
    """Legal answers (move code, kind) in canonical order; arguments as `sim.policy.user.accept` takes them.

    ``declares`` is the mask of discards that may declare ready, ``standing`` those of them that always do.
    """
    if question == ASK_TURN:
        moves = [(HU, -1)] if can & 1 else []
        if can & 2:
            moves += [(GANG_CONCEALED, k) for k in kinds(fours)] + [(GANG_ADDED, k) for k in kinds(added)]
        moves += [(DECLARE, k) for k in kinds(declares & options)]
        return moves + [(DISCARD, k) for k in kinds(options & ~standing)]
    if question == ASK_CLAIM:
        return [(PASS, kind)] + [(m, kind) for bit, m in ((1, PENG), (2, GANG_EXPOSED)) if can & bit]
    if question == ASK_CHI:
        return [(PASS, kind)] + [(CHI, low) for low in kinds(options)]
    return [(PASS, kind), (HU, kind)]


def words(code: int, kind: int) -> str:
    """Write a move, such as ``discard 5m`` or ``chi 345s``."""
    if code == CHI and 0 <= kind < N_KINDS - 2:
        return f"chi {show(range(kind, kind + 3))}"
    return MOVES[code] if code in (PASS, HU) or kind < 0 else f"{MOVES[code]} {tile_name(kind)}"


def raise_fault(s: NDArray[np.int64]) -> None:
    """Raise what a bot of this state did wrong; nothing where all is well.

    Raises
    ------
    BotError
        One line; what the bot itself raised is its cause.
    """
    if not s[GAME, USER_VIEW]:
        return
    fault = s[-N_ROWS]
    if not fault[FAULT]:
        return
    found = fault[:N_COLUMNS].tolist()
    fault[:] = 0
    error, LAST.error = LAST.error, None
    if isinstance(error, KeyboardInterrupt):
        raise error
    from sim.user_bots.registry import name_of

    where = f"bot {name_of(found[F_BOT])} (seat {found[F_SEAT]}, table {found[F_TABLE]}, hand {found[F_HAND]})"
    question, kind = found[F_QUESTION], found[F_KIND]
    asked = f"asked {ASKED[question]}{f' on {tile_name(kind)}' if kind >= 0 else ''}"
    if found[F_ANSWER] == RAISED:
        raise BotError(f"{where}, {asked}, raised {_told(error)}") from error
    moves = legal_moves(
        question, kind, found[F_OPTIONS], found[F_CAN], found[F_FOURS], found[F_ADDED], found[F_DECLARES], 0
    )
    answer, LAST.answer = LAST.answer or _answer(found[F_ANSWER]), ""
    raise BotError(f"{where}, {asked}, answered {answer}; allowed: {', '.join(words(*m) for m in moves)}")


def _answer(answer: int) -> str:
    code, kind = divmod(answer, 64)
    return words(code, kind) if 0 <= code < len(MOVES) and kind < N_KINDS else str(answer)


def _told(error: BaseException | None) -> str:
    if error is None:
        return "an exception (compiled code does not say which)"
    text = " ".join(f"{type(error).__name__}: {error}".split())
    frames = traceback.extract_tb(error.__traceback__)
    return f"{text:.200} ({PurePath(frames[-1].filename).name}, line {frames[-1].lineno})" if frames else f"{text:.200}"
