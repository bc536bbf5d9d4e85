"""Words for a game room's coins."""

from __future__ import annotations

from collections.abc import Iterator

from analysis.rule_words.text import Both
from sim.rules import Rules


def tell(rules: Rules) -> Iterator[Both]:
    """Yield what this section says, without what is off."""
    coins = rules.coins
    if coins.factor:
        yield f"一分折{coins.factor}币。", f"A point is {coins.factor} coins."
    if coins.rake:
        yield (
            f"每局每家付房费{coins.rake}币。",
            f"The room takes {coins.rake} coins from each player for each hand.",
        )
