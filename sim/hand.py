"""Exact shanten and ukeire of one hand: what ``gdmj hand`` answers.

Slower than `sim.shanten` and without its approximation: copies in hand, melds and draws together never exceed four; a
missing tile beyond them must be a ghost that is already held (a ghost may stand for any kind, R28).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.jit import kernel
from sim.score import Meld
from sim.shanten import ORPHAN_MASK, orphans_need, pairs_need
from sim.tiles import COPIES, KIND_NAMES, N_KINDS

FORMS = ("standard", "seven_pairs", "thirteen_orphans")
MAX_GHOSTS = 8  # two kinds of ghost
_FAR = 99
_SETS, _PAIRS, _GHOSTS = 5, 2, MAX_GHOSTS + 1
_STATES = (_SETS, _PAIRS, _GHOSTS, 5, 5)


@kernel
def suit_costs(held, melded, n_kinds, chows, n_ghosts, now, after, costs):
    """Write the fewest tiles missing from one suit into ``costs`` int64 (5, 2, 9).

    Its axes are sets, pairs and ghosts that must stand for a fifth copy.

    ``held``, ``melded`` int64 (n_kinds,): natural copies. Kinds are walked in order; ``now`` and ``after`` int64 (5,
    2, 9, 5, 5) are scratch: the last two axes count chows begun one and two kinds before.
    """
    now[:] = _FAR
    now[0, 0, 0, 0, 0] = 0
    for k in range(n_kinds):
        after[:] = _FAR
        may_begin = chows and k <= n_kinds - 3
        for s in range(5):
            for p in range(2):
                for g in range(n_ghosts + 1):
                    for x in range(s + 1):
                        for y in range(s + 1 - x):
                            cost = now[s, p, g, x, y]
                            if cost >= _FAR:
                                continue
                            for c in range(5 - s if may_begin else 1):
                                for pungs in range(5 - s - c):
                                    for pair in range(2 - p):
                                        wanted = c + x + y + 3 * pungs + 2 * pair
                                        missing = max(wanted - held[k], 0)
                                        over = g + max(wanted + melded[k] - 4, 0) if missing > 0 else g
                                        if over > n_ghosts:
                                            continue
                                        t = s + c + pungs
                                        if cost + missing < after[t, p + pair, over, c, x]:
                                            after[t, p + pair, over, c, x] = cost + missing
        now, after = after, now
    costs[:] = _FAR
    for s in range(5):
        for p in range(2):
            for g in range(n_ghosts + 1):
                costs[s, p, g] = now[s, p, g, 0, 0]


@kernel
def join_costs(a, b, n_ghosts, joined):
    """Write the min-plus combination of two suits' costs into ``joined``, all int64 (5, 2, 9)."""
    joined[:] = _FAR
    for s in range(5):
        for i in range(s + 1):
            for p in range(2):
                for q in range(p + 1):
                    for g in range(n_ghosts + 1):
                        for h in range(g + 1):
                            cost = a[i, q, h] + b[s - i, p - q, g - h]
                            if cost < joined[s, p, g]:
                                joined[s, p, g] = cost


@lru_cache(maxsize=65_536)
def _suit(held: tuple[int, ...], melded: tuple[int, ...], chows: bool, n_ghosts: int) -> NDArray[np.int64]:
    costs = np.empty((_SETS, _PAIRS, _GHOSTS), np.int64)
    now, after = np.empty(_STATES, np.int64), np.empty(_STATES, np.int64)
    suit_costs(np.array(held), np.array(melded), len(held), chows, n_ghosts, now, after, costs)
    return costs


def _standard(hand: tuple[int, ...], melded: tuple[int, ...], n_ghosts: int, n_melds: int) -> int:
    total, joined = _suit(hand[:9], melded[:9], True, n_ghosts), np.empty((_SETS, _PAIRS, _GHOSTS), np.int64)
    for first, last in ((9, 18), (18, 27), (27, 34)):
        join_costs(total, _suit(hand[first:last], melded[first:last], last < 34, n_ghosts), n_ghosts, joined)
        total, joined = joined, np.empty_like(joined)
    return max(int(total[4 - n_melds, 1].min()) - n_ghosts, 0) - 1


def _seven_pairs(hand: tuple[int, ...], n_ghosts: int) -> int:
    return int(pairs_need(sum(c // 2 for c in hand), sum(c % 2 for c in hand), n_ghosts)) - 1


def _orphans(hand: tuple[int, ...], n_ghosts: int) -> int:
    held = [hand[k] for k in range(N_KINDS) if ORPHAN_MASK >> k & 1]
    return int(orphans_need(sum(c > 0 for c in held), int(max(held) > 1), n_ghosts)) - 1


def _by_form(
    hand: tuple[int, ...], melded: tuple[int, ...], n_ghosts: int, n_melds: int, forms: Sequence[str]
) -> dict[str, int | None]:
    found: dict[str, int | None] = {}
    for form in forms:
        if form == "standard":
            found[form] = _standard(hand, melded, n_ghosts, n_melds)
        elif n_melds:
            found[form] = None
        else:
            found[form] = (_seven_pairs if form == "seven_pairs" else _orphans)(hand, n_ghosts)
    return found


def _least(by_form: dict[str, int | None]) -> int | None:
    return min((v for v in by_form.values() if v is not None), default=None)


def _with(hand: tuple[int, ...], kind: int, change: int) -> tuple[int, ...]:
    return (*hand[:kind], hand[kind] + change, *hand[kind + 1 :])


def analyse(hand: Sequence[int], melds: Sequence[Meld], n_ghosts: int, forms: Sequence[str]) -> dict[str, Any]:
    """Shanten and ukeire of a hand.

    Parameters
    ----------
    hand
        Natural concealed kinds.
    melds
        Melds; each takes the place of three tiles.
    n_ghosts
        Ghosts held.
    forms
        Some of ``FORMS``.

    Returns
    -------
    dict
        ``shanten`` (smallest over the forms, -1 complete, None when no form fits the melds) and ``by_form``; for 13
        tiles (less 3 a meld) ``ukeire``: kinds that lower it, drawable; for 14 ``discards``: tile -> its shanten and
        ukeire.
    """
    counts = tuple(np.bincount(np.array(hand, np.int64), minlength=N_KINDS).tolist())
    kinds = [kind for meld in melds for kind in meld.kinds]
    melded = tuple(np.bincount(np.array(kinds, np.int64), minlength=N_KINDS).tolist())

    def least(tiles: tuple[int, ...]) -> int | None:
        return _least(_by_form(tiles, melded, n_ghosts, len(melds), forms))

    def ukeire(tiles: tuple[int, ...], now: int | None) -> list[str]:
        drawable = [k for k in range(N_KINDS) if tiles[k] + melded[k] < COPIES]
        return [KIND_NAMES[k] for k in drawable if now is not None and (least(_with(tiles, k, 1)) or 0) < now]

    by_form = _by_form(counts, melded, n_ghosts, len(melds), forms)
    answer: dict[str, Any] = {"shanten": _least(by_form), "by_form": by_form}
    if len(hand) + n_ghosts + 3 * len(melds) == 13:
        answer["ukeire"] = ukeire(counts, answer["shanten"])
    else:
        answer["discards"] = {}
        for kind in range(N_KINDS):
            if counts[kind]:
                rest = _with(counts, kind, -1)
                shanten = least(rest)
                answer["discards"][KIND_NAMES[kind]] = {"shanten": shanten, "ukeire": ukeire(rest, shanten)}
    return answer
