"""Tips about people, which bots cannot test: T31, T36."""

from __future__ import annotations

from analysis.labels import Label
from analysis.tips.model import Tip

_NONE = Label("", "")

TIPS = (
    Tip(
        "T31",
        Label("神色紧张、摸牌即知的人已听", "Nervous faces, and tiles known by touch, tell who is ready"),
        _NONE,
        _NONE,
        _NONE,
        untestable=Label("这是人的神情，机器人没有", "human tells: bots have none"),
    ),
    Tip(
        "T36",
        Label("叫了不可反悔", "Do not take back a call"),
        _NONE,
        _NONE,
        _NONE,
        untestable=Label(
            "反悔向别人泄露手牌，这些机器人不看别人怎样犹豫",
            "taking back leaks the hand to people; these bots do not watch hesitation",
        ),
    ),
)
