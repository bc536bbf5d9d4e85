"""Words for what multiplies a hand for its winner and for each payer."""

from __future__ import annotations

from collections.abc import Iterator

from analysis.rule_words.facts import Facts
from analysis.rule_words.text import Both, times
from sim.rules import Rules


def tell(rules: Rules, can: Facts) -> Iterator[Both]:
    """Yield what this section says, without what is off."""
    m = rules.multiples
    if can.zimo and m.zimo > 10:
        yield f"自摸乘{times(m.zimo)}。", f"A self-draw multiplies by {times(m.zimo)}."
    if can.discard and m.feeder > 10:
        yield (
            f"点炮的人付的乘{times(m.feeder)}。",
            f"What the discarder owes is multiplied by {times(m.feeder)}.",
        )
    if m.opened > 10:
        each = ("每开一次口", "Each exposed meld") if m.opened_each else ("开口", "Exposed melds, however many,")
        verb = "multiplies" if m.opened_each else "multiply once"
        yield (
            f"胡牌人、付分人{each[0]}乘{times(m.opened)}。",
            f"{each[1]} of the winner or of a payer {verb} by {times(m.opened)}.",
        )
    if m.concealed_kong > 10:
        yield (
            f"胡牌人、付分人每个暗杠乘{times(m.concealed_kong)}。",
            f"Each concealed kong of the winner or of a payer multiplies by {times(m.concealed_kong)}.",
        )
    if m.exposed_kong > 10:
        yield (
            f"胡牌人、付分人每个直杠、补杠乘{times(m.exposed_kong)}。",
            f"Each direct or added kong of the winner or of a payer multiplies by {times(m.exposed_kong)}.",
        )


def idle(rules: Rules, can: Facts) -> Iterator[tuple[str, bool]]:
    """Yield each field of this section that may have no effect, with whether it has none here."""
    yield "multiples.zimo", not can.zimo
    yield "multiples.feeder", not can.discard
    yield "multiples.opened_each", rules.multiples.opened == 10
