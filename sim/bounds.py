"""How much a hand can be worth at most: patterns that exclude each other do not add up.

An upper bound, not the exact maximum; `sim.rules` refuses prices whose bound does not fit the log.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import prod

# Of each group at most one pattern counts in one hand, when implied items are dropped.
_SHAPES = (
    (
        "chicken",
        "pinghu",
        "pengpeng",
        "hunpeng",
        "qingpeng",
        "seven_pairs",
        "luxury_seven_pairs",
        "double_luxury",
        "triple_luxury",
        "thirteen_orphans",
    ),
    ("hunyise", "qingyise", "ziyise", "jiulian"),
    ("hunyaojiu", "qingyaojiu"),
    ("xiaosanyuan", "dasanyuan"),
    ("xiaosixi", "dasixi"),
    ("quanqiuren",),
    ("jiangyise",),
    ("four_ghosts",),
)
_HONOURS = (("seat_wind",), ("round_wind",), ("dragon_1", "dragon_2"))
_STATES = (("menqing",), ("yinghu",), ("quemen",))
# One way to win: by self-draw, by discard, by rob (which may count as self-draw).
_WAYS = (
    (("zimo",), ("gangkai",), ("haidi",), ("tianhu", "dihu")),
    (("dianpao",), ("gangpao",), ("renhu",), ("triple_win",)),
    (("qianggang",), ("zimo",), ("triple_win",)),
)
_KINDS: dict[str, Callable[[list[int]], int]] = {"add": sum, "multiply": prod, "highest": max}


def most_together(values: Mapping[str, int], how: str, implied_dropped: bool) -> int:
    """Return the most that the priced patterns can come to in one hand.

    Parameters
    ----------
    values
        Pattern -> item or factor.
    how
        ``add``, ``multiply`` (factors below 1 count as 1) or ``highest``.
    implied_dropped
        Whether implied items do not count beside those that imply them.
    """
    if not values:
        return 1 if how == "multiply" else 0
    combine = _KINDS[how]
    shapes = _SHAPES if implied_dropped else tuple((slug,) for group in _SHAPES for slug in group)
    best = []
    for way in _WAYS:
        groups = (*shapes, *_HONOURS, *_STATES, *way)
        most = [max((values[slug] for slug in group if slug in values), default=-1) for group in groups]
        found = [max(value, 1) if how == "multiply" else value for value in most if value >= 0]
        best.append(combine(found) if found else (1 if how == "multiply" else 0))
    return max(best)
