"""Words for one seat paying for all three (包)."""

from __future__ import annotations

from collections.abc import Iterator

from analysis.rule_words.facts import Facts
from analysis.rule_words.text import Both, for_all
from sim.rules import Rules

VALUES: dict[str, dict[str, Both]] = {
    "liability.twelve_tiles": {
        "off": ("不包", "off"),
        "on": ("包", "on"),
        "big": ("只包大牌", "big hands only"),
    },
}


def tell(rules: Rules, can: Facts) -> Iterator[Both]:
    """Yield what this section says, without what is off."""
    bao = rules.liability
    if bao.quanqiuren and _can_feed_all(can):
        zh, en = for_all(can.losers_differ or rules.multiples.feeder > 10)
        yield (
            f"点炮给全求人而自己没听牌：点炮的人{zh}。",
            f"Who is not ready and discards to a hand of four exposed sets {en}.",
        )
    if not can.zimo:
        return
    zh, en = for_all(can.losers_differ)
    if bao.gangkai_direct and can.melded and not can.declares:
        yield (
            f"直杠后杠上开花：点杠的人{zh}。",
            f"Win on the replacement of a direct kong: its feeder {en}.",
        )
    if bao.twelve_tiles != "off" and can.standard:
        big = bao.twelve_tiles == "big"
        yield (
            f"十二张落地{'（只限大牌）' if big else ''}自摸：喂第四组的人{zh}。",
            f"Self-draw with four exposed sets{' (big hands only)' if big else ''}: the feeder of the fourth {en}.",
        )
    if bao.dragons_winds and can.dragons and can.melded:
        yield (
            f"大三元、大四喜自摸：喂最后一个刻子的人{zh}。",
            f"Self-draw of big dragons or big winds: the feeder of the last pung {en}.",
        )


def _can_feed_all(can: Facts) -> bool:
    return can.discard and can.standard


def idle(rules: Rules, can: Facts) -> Iterator[tuple[str, bool]]:
    """Yield each field of this section that may have no effect, with whether it has none here."""
    yield "liability.quanqiuren", not _can_feed_all(can)
    yield "liability.gangkai_direct", not (can.zimo and can.melded) or can.declares
    yield "liability.twelve_tiles", not (can.zimo and can.standard)
    yield "liability.dragons_winds", not (can.zimo and can.dragons and can.melded)
