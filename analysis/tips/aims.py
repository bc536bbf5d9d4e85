"""What to play for: T28."""

from __future__ import annotations

from analysis.labels import Label
from analysis.tips.model import Check, Tip

RULES = ("jipinghu", "xinzhang", "xinzhang:win.min_fan=1", "xinzhang:win.min_fan=3", "guigang")

TIPS = (
    Tip(
        "T28",
        Label("打牌的精髓在大牌，不在鸡胡", "The essence is big hands, not chickens"),
        Label("任何时候", "any time"),
        Label("净分", "net points"),
        Label("只求快胡的 ukeire", "ukeire, which plays for speed alone"),
        (
            Check(
                Label(
                    "按牌值打的 value 比只求快的 ukeire 净分多", "value, which plays for worth, wins more than ukeire"
                ),
                "duel",
                1,
                None,
                "",
                a="value",
                b="ukeire",
                bots=("value",),
                rules=RULES,
            ),
        ),
    ),
)
