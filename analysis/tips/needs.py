"""Why a rule set cannot show a tip: reasons by what it lacks; None where it lacks nothing."""

from __future__ import annotations

from collections.abc import Callable

from analysis.labels import Label
from sim.rules import Rules


def discards_win(rules: Rules) -> Label | None:
    """Wins on discards."""
    return None if "dianpao" in rules.win.ways else Label("不能点炮", "discards cannot be won on")


def chi(rules: Rules) -> Label | None:
    """Chis."""
    return None if rules.play.chi else Label("不能吃牌", "there is no chi")


def chi_and_ghost(rules: Rules) -> Label | None:
    """Chis beside ghosts."""
    if missing := chi(rules):
        return missing
    return None if rules.ghost.mode != "none" else Label("没有鬼牌", "there are no ghosts")


def added_kongs_robbed(rules: Rules) -> Label | None:
    """Robbing of added kongs."""
    is_so = "qianggang" in rules.win.ways and "added" in rules.win.rob_kongs
    return None if is_so else Label("补杠不能抢", "added kongs cannot be robbed")


def chicken_minimum(rules: Rules) -> Label | None:
    """Minimum of fan for a win."""
    return None if rules.win.min_fan >= 1 else Label("没有起胡番数", "there is no minimum")


def several_worths(rules: Rules) -> Label | None:
    """Wins of different worth."""
    levels = {price.value for price in rules.patterns.values() if price.role != "none"}
    return None if len(levels) > 1 else Label("每次胡牌一样大", "every win is worth the same")


def priced(*slugs: str) -> Callable[[Rules], Label | None]:
    """Make a need: these patterns have a price of their own."""

    def need(rules: Rules) -> Label | None:
        for slug in slugs:
            if slug not in rules.patterns or rules.patterns[slug].role == "none":
                name = slug.replace("_", " ")
                return Label(f"规则里没有这个番型（{name}）", f"the rule set does not price {name}")
        return None

    return need
