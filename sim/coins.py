"""Points as a game room's coins."""

from __future__ import annotations

from collections.abc import Sequence

from sim.rules import Rules


def to_coins(points: Sequence[int], rules: Rules) -> list[int]:
    """Return what each seat's coins change by after one hand.

    A point is worth ``coins.factor`` coins, and the room takes ``coins.rake`` from every player of the hand, winners
    and losers alike: the loser of X points pays ``X * factor + rake``, who wins X from each of P losers gets
    ``X * P * factor - rake``. All are 0 for a rule set without coins (``coins.factor`` 0).

    Parameters
    ----------
    points
        Net points of the four seats.
    rules
        Rule set with factor and rake.
    """
    coins = rules.coins
    if not coins.factor:
        return [0] * len(points)
    return [seat * coins.factor - coins.rake for seat in points]
