"""Wins in play: what a win would be worth, whether it is blocked, who takes it, and what the hand waited for."""

from __future__ import annotations

from sim import schema
from sim.tiles import N_KINDS

from .bots import Move
from .game import Game
from .scoring import Score, Win, best_score, is_four_ghosts, seat_wind
from .shanten import forms_with, is_complete
from .state import plus, split


def hand_before(game: Game, s: int, source: int) -> tuple[int, ...]:
    """Return the concealed tiles without the winning one."""
    hand = tuple(game.seats[s].hand)
    return plus(hand, game.drawn, -1) if source == schema.ZIMO else hand


def score(game: Game, s: int, source: int, kind: int, n_winners: int = 1) -> Score | None:
    """Return the value of a win, None when it is none."""
    seat = game.seats[s]
    if game.rules.play.declare == "needed" and not seat.declared:
        return None
    before = hand_before(game, s, source)
    if _holds_barred(game, s, plus(before, kind)):
        return None
    win = Win(
        hand=before,
        tile=kind,
        melds=tuple(seat.melds),
        source=source,
        ghosts=game.ghosts,
        seat_wind=seat_wind(s, game.east),
        round_wind=game.round_wind,
        events=events(game, s, source, n_winners),
    )
    wins = _completes(game, s, before, kind) or is_four_ghosts(game.rules, win)
    return best_score(game.rules, win) if wins else None


def _holds_barred(game: Game, s: int, hand: tuple[int, ...]) -> bool:
    melded = {k for meld in game.seats[s].melds for k in meld.tiles}
    return any(hand[k] or k in melded for k in game.barred)


def _completes(game: Game, s: int, before: tuple[int, ...], kind: int) -> bool:
    """Say whether a tile makes a seat's hand a winning shape."""
    naturals, n_ghosts = split(plus(before, kind), game.ghosts)
    win = game.rules.win
    forms = forms_with(n_ghosts, win.forms, win.natural_forms)
    return is_complete(naturals, len(game.seats[s].melds), n_ghosts, forms)


def events(game: Game, s: int, source: int, n_winners: int) -> frozenset[str]:
    """Return the patterns of scope event that the course of play gives."""
    is_zimo, is_dianpao = source == schema.ZIMO, source == schema.DIANPAO
    is_dealer = s == game.dealer
    is_first = is_zimo and game.seats[s].draws == 1
    happened = {
        "gangkai": is_zimo and game.after_kong is not None,
        "gangpao": is_dianpao and game.after_kong is not None,
        "haidi": is_zimo and game.wall_left == 0,
        "tianhu": is_first and is_dealer,
        "dihu": is_first and not is_dealer and game.is_first_round,
        "renhu": is_dianpao and game.n_discards == 1 and game.is_first_round,
        "triple_win": n_winners == 3,
    }
    return frozenset(slug for slug, has in happened.items() if has)


def can_draw_win(game: Game, s: int) -> bool:
    """Say whether a seat may win by the tile that it has just drawn."""
    return not _is_blocked(game, s, schema.ZIMO, game.drawn) and score(game, s, schema.ZIMO, game.drawn) is not None


def ask_wins(game: Game, from_seat: int, kind: int, source: int, but: int = -1) -> list[int]:
    """Ask every seat, but one, that can win on a tile and may; return the winners in turn order."""
    rules = game.rules
    takers = []
    for s in game.after(from_seat):
        if s == but or not score(game, s, source, kind) or _is_blocked(game, s, source, kind):
            continue
        if rules.win.must or game.ask_claim(s, kind, [Move(schema.HU, kind)]).code == schema.HU:
            takers.append(s)
        else:
            passed = game.seats[s].passed
            passed[kind] = max(passed.get(kind, 0), _points(game, s, source, kind))
            game.trace.append((schema.PASS, s, kind, from_seat))
    if rules.win.multiple == "biggest":
        takers.sort(key=lambda s: -_points(game, s, source, kind))
    elif rules.win.multiple == "from_dealer":
        takers.sort(key=lambda s: (s - game.dealer) % len(game.seats))
    return takers if rules.win.multiple == "all" else takers[:1]


def _is_blocked(game: Game, s: int, source: int, kind: int) -> bool:
    """漏胡: say whether a passed win blocks this one."""
    passed, rule = game.seats[s].passed, game.rules.win.passed
    if rule == "off" or not passed:
        return False
    if rule == "rest_of_hand":
        return True
    if source == schema.ZIMO:
        return False
    if rule == "same_value":
        return _points(game, s, source, kind) <= max(passed.values())
    return kind in passed or rule == "all_tiles"


def _points(game: Game, s: int, source: int, kind: int) -> int:
    worth = score(game, s, source, kind)
    return worth.points if worth else 0


def waits(game: Game, s: int, source: int, kind: int) -> tuple[int, int]:
    """Return how many kinds completed the hand before the win, and how many live copies they had."""
    before = hand_before(game, s, source)
    n_kinds = live = 0
    for k in range(N_KINDS):
        if game.copies[k] > before[k] and _completes(game, s, before, k):
            n_kinds += 1
            live += game.copies[k] - game.visible[k] - before[k]
            live += source == schema.DIANPAO and k == kind
    return n_kinds, live
