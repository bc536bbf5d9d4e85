"""What can happen under a rule set at all; a report shows a dash for the rest, not a rate of 0."""

from __future__ import annotations

from analysis.dealer_advantage import MEASURES
from analysis.rule_words import without_effect
from sim import patterns
from sim.rules import Rules
from sim.schema import OUTCOMES


def outcomes(rules: Rules) -> frozenset[str]:
    """Ways in which a hand can end."""
    return frozenset({OUTCOMES[0], *rules.win.ways})


def priced_patterns(rules: Rules) -> frozenset[str]:
    """Patterns that have a price and can occur."""
    idle = without_effect(rules)
    return frozenset(p.slug for p in patterns.PATTERNS if f"patterns.{p.slug}" not in idle)


def dealer_measures(rules: Rules) -> frozenset[str]:
    """Rates and parts of points that can differ from 0."""
    can = {
        "dealt_in": rules.win.ways != ("zimo",),
        "horse": rules.horses.kind != "none",
        "kong": "kong.on_washout" not in without_effect(rules) or rules.dealer.follow_points > 0,
    }
    return frozenset(measure for measure in MEASURES if can.get(measure, True))
