"""Bots: which there are, and your own made known and tried."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from analysis import checks
from analysis.bot_check import Verdict
from analysis.bot_check import check_bot as _check
from sim.policy import BOTS
from sim.user_bots import Bot, BotError, line_up, resolve
from sim.user_bots import names as _installed


def seated(bots: Bot | Sequence[Bot]) -> tuple[str, str, str, str]:
    """Return the names of four bots in a plan, from one for all seats or four.

    Raises
    ------
    sim.user_bots.BotError
        For anything else.
    """
    if not callable(bots) and not isinstance(bots, Iterable):
        raise BotError(f"bots: one bot or four are needed, not {checks.shown(bots)}")
    return line_up(bots)


def bots() -> tuple[str, ...]:
    """Names of the bots at hand: the project's, and those that installed packages offer.

    Examples
    --------
    >>> from analysis import bots
    >>> "ukeire" in bots()
    True
    """
    return (*BOTS, *_installed())


def add_bot(bot: Bot) -> str:
    """Make a bot known to this session and return the name that logs give it, with the hash of its source.

    Functions that take bots do this by themselves; it is needed to replay or go on with a run that it has played.

    Raises
    ------
    sim.user_bots.BotError
        When it cannot be a bot.

    Examples
    --------
    >>> from analysis import add_bot
    >>> def first(view):
    ...     return view.options[0]
    >>> add_bot(first).split("@")[0].endswith("first")
    True
    """
    return resolve(bot)


def check_bot(bot: Bot, *, hands: int = 200, seed: int = 1, progress: bool = True) -> Verdict:
    """Play a bot over all rule sets and random options, and tell what it broke.

    Parameters
    ----------
    hands
        Of each rule set.

    Returns
    -------
    Verdict; ``faults`` is empty for a bot that may be seated.

    Examples
    --------
    >>> from analysis import check_bot
    >>> def careless(view):
    ...     return view.options[0]
    >>> check_bot(careless, hands=4, progress=False).faults
    ()
    """
    n, first = checks.hands(hands), checks.seed(seed)
    return _check(resolve(bot), hands=n, seed=first, is_quiet=not progress)
