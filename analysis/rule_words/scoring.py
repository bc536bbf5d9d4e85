"""Words for what a hand is worth."""

from __future__ import annotations

from collections.abc import Iterator

from analysis.rule_words.facts import Facts
from analysis.rule_words.text import Both, units
from sim import patterns
from sim.rules import Rules

VALUES: dict[str, dict[str, Both]] = {
    "scoring.method": {
        "sum": ("番型分乘倍数", "items times doubles"),
        "fan": ("每番加倍", "each fan doubles"),
    },
    "scoring.items": {
        "add": ("相加", "they are added"),
        "highest": ("只算最高一项", "only the highest counts"),
        "multiply": ("相乘", "they are multiplied"),
    },
    "scoring.yinghu": {
        "no_ghost": ("手里无鬼", "no ghost in hand"),
        "as_itself": ("无鬼，或鬼当本身的牌", "no ghost in hand, or each as its own kind"),
    },
    "scoring.implied": {"drop": ("不另计", "does not count"), "add": ("也计", "counts too")},
}


def tell(rules: Rules, can: Facts) -> Iterator[Both]:
    """Yield what this section says, without what is off."""
    scoring, chicken = rules.scoring, rules.pattern_name(patterns.CHICKEN)
    yield f"一底为{scoring.base}分。", f"A base unit is {scoring.base} point{'s' * (scoring.base > 1)}."
    if can.is_sum:
        zh, en = VALUES["scoring.items"][scoring.items]
        yield (
            f"几项番型并存，分数{zh}，再乘各倍数，就是一份的底数。",
            f"Several items: {en}. That times all doubles is a share in base units.",
        )
        if can.doubles_alone:
            yield (
                f"只有翻倍番型的牌，先按{chicken}算，再乘。",
                "A hand with no item but doubles counts as a plain hand, times these.",
            )
        if can.items_imply:
            zh, en = VALUES["scoring.implied"][scoring.implied]
            yield f"被另一番型包含的番型{zh}。", f"An item that another one contains {en}."
        if can.chicken_changes:
            n = scoring.chicken_with_event
            yield (
                f"{chicken}遇杠上开花、抢杠或海底时，{chicken}本身算{n}。",
                f"A chicken hand won on a kong's replacement, by a rob or on the last tile counts {n} for itself.",
            )
    else:
        yield (
            "取最高的番型，另加各项附加番；一番翻一倍，0番为一底。",
            "The best pattern counts, and all extras on top; each fan doubles, 0 fan is a base unit.",
        )
    if scoring.cap:
        zh, en = ("底", "base units") if can.is_sum else ("番", "fan")
        yield f"{scoring.cap}{zh}封顶。", f"Cap: {scoring.cap} {en}."
    if scoring.rob_is_zimo and can.rob and _has_zimo(rules):
        yield "抢杠当自摸。", "A rob counts as a self-draw."
    if can.has_luxury and scoring.luxury_natural:
        yield "豪华七对的四张不能有鬼。", "The four of a kind of luxury seven pairs must be without ghosts."
    if can.has_yinghu and scoring.yinghu == "as_itself":
        yield (
            "鬼都当本身的牌用，也算无鬼。",
            "A hand whose ghosts all count as their own kind counts as one without any.",
        )


def tell_losses(rules: Rules) -> Iterator[Both]:
    """Yield what is said of caps on losses."""
    scoring = rules.scoring
    if n := scoring.loss_cap:
        yield (
            f"每家对一个胡牌人最多付{n}底，连马在内。",
            f"A seat owes a winner at most {units(n)}, drawn horses included.",
        )
    if n := scoring.loss_cap_all:
        yield f"三家都超过，就每家付{n}底（金顶）。", f"When all three are above that, each owes {units(n)}."


def _has_zimo(rules: Rules) -> bool:
    zimo = rules.patterns.get("zimo")
    return zimo is not None and zimo.role != "none"


def idle(rules: Rules, can: Facts) -> Iterator[tuple[str, bool]]:
    """Yield each field of this section that may have no effect, with whether it has none here."""
    yield "scoring.items", not can.is_sum
    yield "scoring.chicken_with_event", not can.chicken_changes
    yield "scoring.implied", not can.items_imply
    yield "scoring.rob_is_zimo", not (can.rob and _has_zimo(rules))
    yield "scoring.luxury_natural", not can.has_luxury
    yield "scoring.yinghu", not can.has_yinghu
