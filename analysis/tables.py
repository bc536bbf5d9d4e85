"""All tables of a rule set's report, from one reading of its logs."""

from __future__ import annotations

import polars as pl

from analysis import (
    dealer_advantage,
    fan_frequency,
    horse_distribution,
    horse_expectation,
    own_horses,
    scan,
    swing,
    win_rate,
)
from analysis.horse_wins import Kind, Origin, own_number
from analysis.scan import Run
from sim.rules import Rules

Tables = dict[str, pl.DataFrame]
# Rule sets without horses are shown with the commonest ones, the winner's draw of four counted from the dealer.
WHAT_IF: tuple[Kind, Origin, int] = ("drawn", "dealer", 4)


def shown_horses(rules: Rules) -> tuple[Kind, Origin, int]:
    """Kind, origin and number of horses that a report draws: the rule set's own, or `WHAT_IF`."""
    own = rules.horses
    if own.kind == "none":
        return WHAT_IF
    return own.kind, own.origin, own_number(rules)


def tables(run: Run) -> Tables:
    """Compute every table of a run.

    Returns
    -------
    Name -> frame; the names are those of the functions that make them.
    """
    loaded = scan.loaded(run)
    hands, wins, pools, rules = loaded.hands, loaded.wins, loaded.pools, loaded.rules
    kind, origin, n_horses = shown_horses(rules)
    frames = {
        "win_rate": win_rate.win_rate(hands),
        "outcomes": win_rate.outcomes(hands),
        "win_turns": win_rate.win_turns(wins),
        "mean_win_turn": win_rate.mean_win_turn(wins),
        "fan_frequency": fan_frequency.fan_frequency(hands, wins, rules),
        "dealer_advantage": dealer_advantage.dealer_advantage(hands),
        "first_draw": dealer_advantage.first_draw(hands, wins),
        "horse_expectation": horse_expectation.horse_expectation(pools, rules),
        "horse_distribution": horse_distribution.horse_distribution(pools, rules, kind, origin, n_horses),
        "own_horses": own_horses.own_horses(hands, rules),
        "win_points": swing.win_points(hands, wins, rules),
        "points_sd": swing.points_sd(hands),
    }
    if run.is_session:
        frames["repeat_lengths"] = dealer_advantage.repeat_lengths(hands)
        frames["deal_turn"] = dealer_advantage.deal_turn(hands)
    if len(set(run.manifest["bots"])) > 1:
        frames["bot_win_rate"] = win_rate.bot_win_rate(hands)
    return dict(zip(frames, scan.collect(list(frames.values())), strict=True))
