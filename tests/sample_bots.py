"""Bots for tests: the same procedures in Python and compiled, and some that go wrong."""

from __future__ import annotations

import numba

from sim.jit import lowest_bit
from sim.policy import random_bot, ukeire
from sim.policy.moves import ASK_CHI, ASK_CLAIM, ASK_TURN, ASK_WIN, move
from sim.schema import CHI, DISCARD, GANG_EXPOSED, HU, PASS


def first(view):
    """Take every win, pass every claim, discard the lowest kind."""
    if view.option("hu"):
        return view.option("hu")
    return view.option("pass") or view.option("discard")


@numba.njit(nogil=True)
def first_compiled(s, r, t, seat, question, kind, options, can, points):
    """Answer as `first`."""
    if question == ASK_TURN:
        return move(HU, 0) if can & 1 else move(DISCARD, lowest_bit(options))
    return move(HU, kind) if question == ASK_WIN else move(PASS, kind)


def careful(view):
    """Win, never claim, discard for the least shanten, then the most acceptance."""
    if view.option("hu"):
        return view.option("hu")
    if view.question != "turn":
        return view.option("pass")
    discards = [move for move in view.options if move.name in ("declare", "discard")]
    return min(discards, key=lambda move: (view.after(move)[0], -view.after(move)[1]))


def dice(view):
    """Take any legal move, each alike, by the seat's own random numbers."""
    return view.options[view.random(len(view.options))]


@numba.njit(nogil=True)
def coin_compiled(s, r, t, seat, question, kind, options, can, points):
    """Answer as `coin`."""
    if question == ASK_TURN:
        return move(HU, 0) if can & 1 else move(DISCARD, lowest_bit(options))
    if random_bot.pick(s, seat, 2) == 0:
        return move(PASS, 0)
    if question == ASK_WIN:
        return move(HU, kind)
    return move(GANG_EXPOSED, kind) if can & 2 else move(PASS, 0)


def coin(view):
    """Decide by a coin whether to win on discards and make direct kongs."""
    if view.question == "turn":
        return first(view)
    if view.random(2) == 0:
        return view.option("pass")
    return view.option("hu") or view.option("gang_exposed") or view.option("pass")


@numba.njit(nogil=True)
def like_ukeire(s, r, t, seat, question, kind, options, can, points):
    """Answer as ``ukeire``, by its own kernels."""
    if question == ASK_TURN:
        return ukeire.turn(s, r, t, seat, can & 1, can >> 1, options)
    if question == ASK_WIN:
        return move(HU, 0)
    if question == ASK_CLAIM:
        return move(ukeire.claim(s, r, t, seat, kind, can & 1, can >> 1), kind)
    return ukeire.chi(s, r, t, seat, kind, options)


@numba.njit(nogil=True)
def wrong_compiled(s, r, t, seat, question, kind, options, can, points):
    """Chi what cannot be, raise when asked for a win."""
    if question == ASK_WIN:
        raise ValueError("no")
    if question == ASK_CHI:
        return move(CHI, 33)
    return move(DISCARD, lowest_bit(options)) if question == ASK_TURN else move(PASS, 0)


class Patient:
    """Discard the ``nth`` legal kind."""

    def __init__(self, nth=0):
        self.nth = nth

    def __call__(self, view):
        discards = [move for move in view.options if move.name == "discard"]
        return view.option("hu") or view.option("pass") or discards[min(self.nth, len(discards) - 1)]


class Counting:
    """Remember how often it was asked, which no bot may."""

    def __init__(self):
        self.asked = 0

    def __call__(self, view):
        self.asked += 1
        return view.options[self.asked % len(view.options)]


class Slotted:
    """Discard as `Patient` does; its settings lie in slots."""

    __slots__ = ("nth", "unset")

    def __init__(self, nth=0):
        self.nth = nth

    def play(self, view):
        """Answer."""
        return Patient(self.nth)(view)

    __call__ = play


async def late(view):
    """Answer too late, which no bot may."""
    return view.options[0]


class Late:
    """As `late`."""

    async def __call__(self, view):
        return view.options[0]


def nth(view, n=0):
    """Answer as `Patient`."""
    return Patient(n)(view)


low, high = lambda view: view.options[0], lambda view: view.options[-1]
