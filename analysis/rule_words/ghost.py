"""Words for the tile set, flowers and ghosts."""

from __future__ import annotations

from collections.abc import Iterator

from analysis.rule_words.facts import Facts
from analysis.rule_words.text import Both, honours, kinds, units
from sim import tiles
from sim.rules import Rules

VALUES: dict[str, dict[str, Both]] = {
    "tiles": {
        "136": ("136张，万筒条和字牌", "136 tiles, three suits and honours"),
        "108": ("108张，万筒条，无字牌", "108 tiles, three suits, no honours"),
        "100": ("100张，筒条和字牌，无万", "100 tiles, dots, bamboos and honours, no characters"),
        "112": ("112张，万筒条和红中，无其他字牌", "112 tiles, three suits and Z, no other honours"),
        "120": ("120张，万筒条和中发白，无风", "120 tiles, three suits and dragons, no winds"),
        "140": ("140张，万筒条、字牌和4张花", "140 tiles, three suits, honours and 4 flowers"),
        "144": ("144张，万筒条、字牌和8张花", "144 tiles, three suits, honours and 8 flowers"),
    },
    "ghost.mode": {
        "none": ("无鬼", "no ghosts"),
        "fixed": ("固定鬼牌", "fixed ghosts"),
        "turned": ("翻鬼", "a turned ghost"),
        "turned_two": ("翻双鬼", "two turned ghosts"),
    },
    "ghost.discard": {"forbidden": ("不可打出", "forbidden"), "allowed": ("可以打出", "allowed")},
    "ghost.kong": {"forbidden": ("不可开杠", "no kong"), "allowed": ("可开暗杠", "may be a concealed kong")},
    "ghost.four": {"nothing": ("不算胡", "nothing"), "win": ("可立即胡", "may win at once")},
}


def tell(rules: Rules, can: Facts) -> Iterator[Both]:
    """Yield what this section says, without what is off."""
    ghost, play = rules.ghost, rules.play
    zh, en = VALUES["tiles"][rules.tiles]
    yield f"用牌{zh}。", f"Played with {en}."
    if ghost.mode == "fixed":
        zh, en = kinds(ghost.kinds)
        yield f"{zh}做鬼。", f"Ghosts: {en}."
    elif ghost.mode != "none":
        yield (
            ("翻一张牌，它的下一种牌做鬼。", "A tile is turned; the kind after it is the ghost.")
            if ghost.mode == "turned"
            else ("翻一张牌，它之后的两种牌做鬼。", "A tile is turned; the two kinds after it are ghosts.")
        )
        yield _successors(rules, can)
    if ghost.mode != "none":
        yield (
            ("鬼可当任何牌，不可打出。", "A ghost stands for any tile and may not be discarded.")
            if ghost.discard == "forbidden"
            else ("鬼可当任何牌，也可打出。", "A ghost stands for any tile and may be discarded.")
        )
        if ghost.kong == "allowed":
            yield (
                "四张同一种鬼可开暗杠，当本身的牌。",
                "Four of a kind of ghost may be a concealed kong; they lie as themselves.",
            )
        if can.four_ghosts:
            yield "摸齐四张同一种鬼可立即胡。", "Whoever draws all four of a kind of ghost may win at once."
    if rules.tiles in tiles.FLOWERS:
        yield "摸到花就放到一边，从牌墙尾补一张。", "A flower is laid aside and replaced from the end of the wall."
        if play.flower_price:
            yield (
                f"每朵花，三家各付{play.flower_price}底。",
                f"For each flower, each of three pays {units(play.flower_price)}.",
            )


def _successors(rules: Rules, can: Facts) -> Both:
    """Say which kind follows which."""
    if not can.honours:
        return "9之后是1。", "9 is followed by 1."
    cycle, present = rules.honour_cycle, _honours(rules)
    if not cycle or len(present) == 1:
        return "9之后是1，字牌之后是它自己。", "9 is followed by 1, an honour by itself."
    zh, en = honours(cycle)
    never = honours("".join(name for name in present if name not in cycle))
    but = (f"，{never[0]}不做鬼", f"; never a ghost: {never[1]}") if never[0] else ("", "")
    return f"9之后是1，字牌按{zh}循环{but[0]}。", f"9 is followed by 1; honours go round as {en}{but[1]}."


def _honours(rules: Rules) -> str:
    return "".join(name for name in tiles.HONOURS if tiles.KIND_OF[name] in tiles.TILE_SETS[rules.tiles])


def same_successors(first: Rules, second: Rules) -> bool:
    """Whether two orders of honours are one, since they differ in tiles that are not there."""
    return first.tiles == second.tiles and first.honour_cycle == second.honour_cycle


def idle(rules: Rules, can: Facts) -> Iterator[tuple[str, bool]]:
    """Yield each field of this section that may have no effect, with whether it has none here."""
    turned = rules.ghost.mode.startswith("turned")
    yield "ghost.honour_cycle", not (turned and len(_honours(rules)) > 1)
    yield "ghost.kinds", rules.ghost.mode != "fixed"
    yield "ghost.discard", not can.ghosts
    yield "ghost.kong", not can.ghosts
    yield "ghost.four", not (can.ghosts and can.zimo)
    yield "play.flower_price", rules.tiles not in tiles.FLOWERS
