"""What patterns look like: one winning hand for each pattern that can be seen on the tiles."""

from __future__ import annotations

from typing import NamedTuple

from sim import tiles


class Example(NamedTuple):
    """A winning hand in tile notation: exposed sets, the other concealed tiles, the winning tile last."""

    melds: tuple[str, ...]
    concealed: str
    win: str

    def groups(self) -> list[list[int]]:
        """Kinds of each set, of the concealed tiles, and the winning tile by itself."""
        return [tiles.parse(text) for text in (*self.melds, self.concealed, self.win)]

    def name(self) -> str:
        """Notation of the whole hand."""
        return " ".join((*self.melds, self.concealed, self.win))


# East deals and the round is East's; seat 1 (South) wins.
EXAMPLES: dict[str, Example] = {
    "chicken": Example((), "123m456p789s55sNN", "5s"),
    "pinghu": Example((), "123456m23p678s99p", "4p"),
    "pengpeng": Example(("111m", "444p"), "777sEE55p", "E"),
    "hunyise": Example((), "123456m78mEEE99m", "9m"),
    "qingyise": Example((), "12334556778m22m", "9m"),
    "hunpeng": Example(("111m",), "333m777mEE99m", "E"),
    "qingpeng": Example(("111m",), "333555m77m99m", "7m"),
    "seven_pairs": Example((), "1133m5577p2288sE", "E"),
    "luxury_seven_pairs": Example((), "1133m5555p2288sE", "E"),
    "double_luxury": Example((), "1111m5555p2288sE", "E"),
    "triple_luxury": Example((), "1111m5555p2222sE", "E"),
    "hunyaojiu": Example(("111m",), "999p11sEEE99s", "1s"),
    "qingyaojiu": Example(("111m",), "999m111p99p11s", "9p"),
    "xiaosanyuan": Example(("ZZZ",), "FFFBB123m56p", "4p"),
    "dasanyuan": Example(("ZZZ",), "FFFBB123m55p", "B"),
    "xiaosixi": Example(("EEE",), "SSSWWWNN12m", "3m"),
    "dasixi": Example(("EEE",), "SSSWWWNN55p", "N"),
    "ziyise": Example(("EEE",), "SSSWWWZZFF", "Z"),
    "jiulian": Example((), "1112345678999m", "5m"),
    "thirteen_orphans": Example((), "19m19p19sESWNZFB", "1m"),
    "quanqiuren": Example(("123m", "456p", "777s", "EEE"), "5p", "5p"),
    "jiangyise": Example(("222m",), "555p88s222s55m", "8s"),
    "seat_wind": Example((), "SSS123m456p78s99p", "9s"),
    "round_wind": Example((), "EEE123m456p78s99p", "9s"),
    "dragon_1": Example((), "ZZZ123m456p78s99p", "9s"),
    "dragon_2": Example((), "ZZZFFF123m56p99s", "4p"),
    "quemen": Example((), "123m456m789m33p56p", "4p"),
}
