"""Statistics of simulated Guangdong mahjong: Polars pipelines over the logs, charts, reports.

What notebooks call stands in ``__all__`` and is loaded when it is first used, so that ``import analysis`` is quick::

    from analysis import plot, simulate, win_rate

    run = simulate("maima", hands=100_000)
    win_rate(run)
    plot(run, "win_rate")
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from analysis.api.answers import bot_win_rate as bot_win_rate
    from analysis.api.answers import deal_turn as deal_turn
    from analysis.api.answers import dealer_advantage as dealer_advantage
    from analysis.api.answers import fan_frequency as fan_frequency
    from analysis.api.answers import first_draw as first_draw
    from analysis.api.answers import horse_distribution as horse_distribution
    from analysis.api.answers import horse_expectation as horse_expectation
    from analysis.api.answers import outcomes as outcomes
    from analysis.api.answers import ready_turns as ready_turns
    from analysis.api.answers import repeat_lengths as repeat_lengths
    from analysis.api.answers import summary as summary
    from analysis.api.answers import win_rate as win_rate
    from analysis.api.answers import win_turns as win_turns
    from analysis.api.bots import add_bot as add_bot
    from analysis.api.bots import bots as bots
    from analysis.api.bots import check_bot as check_bot
    from analysis.api.hands import hand as hand
    from analysis.api.hands import replay as replay
    from analysis.api.hands import score as score
    from analysis.api.hands import tiles as tiles
    from analysis.api.plot import plot as plot
    from analysis.api.runs import differences as differences
    from analysis.api.runs import open_run as open_run
    from analysis.api.runs import rule_sets as rule_sets
    from analysis.api.runs import rules as rules
    from analysis.api.runs import simulate as simulate
    from analysis.api.runs import write_report as write_report
    from analysis.api.runs import write_rules as write_rules
    from analysis.api.versus import compare as compare
    from analysis.api.versus import duel as duel
    from analysis.api.versus import session as session

_HOMES = {
    "answers": (
        "bot_win_rate", "deal_turn", "dealer_advantage", "fan_frequency", "first_draw", "horse_distribution",
        "horse_expectation", "outcomes", "ready_turns", "repeat_lengths", "summary", "win_rate", "win_turns",
    ),
    "bots": ("add_bot", "bots", "check_bot"),
    "hands": ("hand", "replay", "score", "tiles"),
    "plot": ("plot",),
    "runs": ("differences", "open_run", "rule_sets", "rules", "simulate", "write_report", "write_rules"),
    "versus": ("compare", "duel", "session"),
}  # fmt: skip
_HOME = {name: home for home, names in _HOMES.items() for name in names}
__all__ = sorted(_HOME)


class _Package(ModuleType):
    """A package whose functions win over modules of the same name, which importing them would put in their place.

    `analysis.win_rate` is the function that a notebook calls; the module of that name, which it calls in turn, is only
    ever imported from: ``from analysis.win_rate import ...``.
    """

    def __setattr__(self, name: str, value: Any) -> None:
        if not (name in _HOME and isinstance(value, ModuleType)):
            super().__setattr__(name, value)

    def __getattr__(self, name: str) -> Any:
        if name not in _HOME:
            raise AttributeError(f"module 'analysis' has no attribute {name!r}")
        value = getattr(import_module(f"analysis.api.{_HOME[name]}"), name)
        self.__dict__[name] = value
        return value

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *__all__})


sys.modules[__name__].__class__ = _Package
