"""The value of one field in words."""

from __future__ import annotations

from typing import Any

from analysis.rule_words import dealer, ghost, horses, kong, liability, play, scoring, win
from analysis.rule_words.text import NO, NOTHING, YES, Both, honours, kinds, listed, times

_VALUES = {
    path: words
    for section in (ghost, play, win, scoring, liability, kong, horses, dealer)
    for path, words in section.VALUES.items()
}
_ZERO_IS_NONE = (
    "play.standing",
    "scoring.cap",
    "scoring.loss_cap",
    "scoring.loss_cap_all",
    "win.min_fan",
    "win.min_fan_discard",
    "coins.factor",
)


def price(role: str, value: int) -> Both:
    """Words of a pattern's role and value."""
    return {
        "none": ("不计", "not priced"),
        "item": (f"{value}", f"{value}"),
        "double": (f"乘{value}", f"times {value}"),
        "pattern": (f"{value}番", f"{value} fan"),
        "extra": (f"另加{value}番", f"{value} fan more"),
        "special": (f"{value}番，单独算，不封顶", f"{value} fan alone, above the cap"),
        "floor": (f"不足{value}番按{value}番", f"at least {value} fan"),
    }[role]


def value_words(path: str, value: Any) -> Both:
    """Return one field's value, as `flatten` gives it, in words; None is an absent price."""
    if path.startswith("patterns."):
        if value is None:
            return price("none", 0)
        zh, en = price(value["role"], value["value"])
        return (f"{zh}（叫作{value['name']}）", f"{en} (called {value['name']})") if value.get("name") else (zh, en)
    if path in win.LISTS:
        return listed(value, win.LISTS[path])
    if path in ("ghost.kinds", "win.barred"):
        return kinds(value)
    if path == "ghost.honour_cycle":
        return honours(value) if value else NOTHING
    if path == "horses.map":
        return "／".join(honours(part)[0] for part in value), " / ".join(value)
    if isinstance(value, bool):
        return YES if value else NO
    if isinstance(value, str):
        named: Both = _VALUES[path][value]
        return named
    if path.startswith("multiples."):
        return ("不乘", "once") if value == 10 else (f"乘{times(value)}", f"times {times(value)}")
    return NOTHING if value == 0 and path in _ZERO_IS_NONE else (str(value), str(value))
