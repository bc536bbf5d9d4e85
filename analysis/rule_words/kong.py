"""Words for the price of kongs."""

from __future__ import annotations

from collections.abc import Iterator

from analysis.rule_words.facts import Facts
from analysis.rule_words.text import Both, units
from sim.rules import Rules

VALUES: dict[str, dict[str, Both]] = {
    "kong.direct_payer": {"feeder": ("点杠的人", "the feeder"), "all": ("三家各付", "each of three")},
    "kong.on_washout": {"kept": ("照付", "kept"), "void": ("作废（荒庄荒杠）", "void")},
}


def tell(rules: Rules, can: Facts) -> Iterator[Both]:
    """Yield what this section says, without what is off."""
    kong = rules.kong
    if not can.kong_money and not can.kongs_multiply:
        yield "杠不计分。", "Kongs are not paid."
    if kong.direct:
        yield (
            (f"直杠：点杠的人付{kong.direct}底。", f"Direct kong: the feeder pays {units(kong.direct)}.")
            if kong.direct_payer == "feeder"
            else (f"直杠：三家各付{kong.direct}底。", f"Direct kong: each of three pays {units(kong.direct)}.")
        )
    if kong.added:
        yield f"补杠：三家各付{kong.added}底。", f"Added kong: each of three pays {units(kong.added)}."
    if kong.concealed:
        yield f"暗杠：三家各付{kong.concealed}底。", f"Concealed kong: each of three pays {units(kong.concealed)}."
    if can.kong_money or rules.play.flower_price:
        what = ("杠分和花分", "Kong and flower money") if rules.play.flower_price else ("杠分", "Kong money")
        zh, en = VALUES["kong.on_washout"][kong.on_washout]
        yield f"流局时{what[0]}{zh}。", f"{what[1]} of a drawn hand is {en}."
    if can.kong_money and kong.follow_horses:
        yield "马跟杠：每中一匹马，胡牌人的杠分再付一次。", "Each hit pays the winner's kong money once more."


def idle(rules: Rules, can: Facts) -> Iterator[tuple[str, bool]]:
    """Yield each field of this section that may have no effect, with whether it has none here."""
    yield "kong.direct_payer", rules.kong.direct == 0
    yield "kong.on_washout", not (can.kong_money or rules.play.flower_price)
    yield "kong.follow_horses", not (rules.horses.kind == "drawn" and can.kong_money)
