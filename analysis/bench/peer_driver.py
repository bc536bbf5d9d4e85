"""One peer's side of a comparison: a program for the peer's own environment, where gdmj is not installed.

``python peer_driver.py PEER`` reads a line of JSON with the hands, then the name of a job a line, does the job once
and answers with a line ``{"items": n, "seconds": CPU seconds}``; the job ``answers`` gives the shanten of every hand
that was dealt. Tiles are turned into the peer's own form beforehand,
so that its work alone is timed.
"""

from __future__ import annotations

import json
import random
import sys
import time
from collections.abc import Callable
from typing import Any

Job = Callable[[], Any]
Counts = list[int]
ROUNDS = 20  # of one run of the job `random`


def _each(function: Callable[..., Any], arguments: list[Any]) -> Job:
    def job() -> int:
        for argument in arguments:
            function(argument)
        return len(arguments)

    return job


def _tiles(counts: Counts) -> list[int]:
    """Tiles 0 to 135 of a hand."""
    return [4 * kind + copy for kind, n in enumerate(counts) for copy in range(n)]


def riichienv(dealt: list[Counts], complete: list[Counts]) -> dict[str, Job]:
    """RiichiEnv: Rust, one hand a call."""
    import riichienv as lib

    conditions = lib.Conditions(tsumo=True, riichi=True, player_wind=lib.Wind.East, round_wind=lib.Wind.East)
    wins = [(tiles[:-1], tiles[-1]) for tiles in map(_tiles, complete)]

    def score(win: tuple[list[int], int]) -> None:
        lib.HandEvaluator(win[0]).calc(win[1], conditions=conditions)

    def play() -> int:
        env, draw = lib.RiichiEnv(game_mode="4p-red-single"), random.Random(1)
        for _ in range(ROUNDS):
            observed = env.reset()
            while not env.done():
                observed = env.step({seat: draw.choice(o.legal_actions()) for seat, o in observed.items()})
        return ROUNDS

    hands = [_tiles(hand) for hand in dealt]
    return {
        "answers": lambda: [lib.calculate_shanten(hand) for hand in hands],
        "shanten": _each(lib.calculate_shanten, hands),
        "score": _each(score, wins),
        "random": play,
    }


def mahjong(dealt: list[Counts], complete: list[Counts]) -> dict[str, Job]:
    """`mahjong`: plain Python, one hand a call."""
    from mahjong.agari import Agari
    from mahjong.hand_calculating.hand import HandCalculator
    from mahjong.hand_calculating.hand_config import HandConfig
    from mahjong.shanten import Shanten

    config = HandConfig(is_tsumo=True, is_riichi=True, player_wind=27, round_wind=27)
    wins = [_tiles(hand) for hand in complete]
    return {
        "answers": lambda: [Shanten.calculate_shanten(hand) for hand in dealt],
        "shanten": _each(Shanten.calculate_shanten, dealt),
        "win": _each(Agari.is_agari, complete),
        "score": _each(lambda tiles: HandCalculator.estimate_hand_value(tiles, tiles[-1], config=config), wins),
    }


def pymahjonggb(dealt: list[Counts], complete: list[Counts]) -> dict[str, Job]:
    """PyMahjongGB: C++, one hand a call."""
    import MahjongGB as lib

    names = [f"{suit}{i}" for suit, n in (("W", 9), ("B", 9), ("T", 9), ("F", 4), ("J", 3)) for i in range(1, n + 1)]

    def named(counts: Counts) -> tuple[str, ...]:
        return tuple(name for name, n in zip(names, counts, strict=True) for _ in range(n))

    def score(tiles: tuple[str, ...]) -> None:
        lib.MahjongFanCalculator((), tiles[:-1], tiles[-1], 0, True, False, False, False, 0, 0)

    def shanten(tiles: tuple[str, ...]) -> int:
        return int(lib.MahjongShanten(pack=(), hand=tiles))

    hands = [named(hand) for hand in dealt]
    return {
        "answers": lambda: [shanten(hand) for hand in hands],
        "shanten": _each(shanten, hands),
        "score": _each(score, [named(hand) for hand in complete]),
    }


def xiangting(dealt: list[Counts], complete: list[Counts]) -> dict[str, Job]:
    """Xiangting: Rust, one hand a call."""
    import xiangting as lib

    four = lib.PlayerCount.FOUR
    return {
        "answers": lambda: [lib.calculate_replacement_number(hand, four) - 1 for hand in dealt],
        "shanten": _each(lambda hand: lib.calculate_replacement_number(hand, four), dealt),
    }


def main() -> None:
    """Answer jobs until the input ends."""
    if len(sys.argv) != 2 or sys.argv[1] in ("-h", "--help"):
        sys.exit("usage: python peer_driver.py PEER    (reads jobs from stdin)")
    peer = {f.__name__: f for f in (riichienv, mahjong, pymahjonggb, xiangting)}[sys.argv[1]]
    jobs = peer(**json.loads(sys.stdin.readline()))
    for line in sys.stdin:
        job = jobs[line.strip()]
        if line.strip() == "answers":
            print(json.dumps(job()), flush=True)
            continue
        start = time.process_time()
        items = job()
        print(json.dumps({"items": items, "seconds": time.process_time() - start}), flush=True)


if __name__ == "__main__":
    main()
