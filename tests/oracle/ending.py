"""The end of a hand: the winners' log, horses, and who pays whom."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sim import schema
from sim.tiles import N_SEATS

from . import winning
from .game import Game, WinLog
from .horses import count_hits, horse_class, horse_origins, n_to_draw, settle_drawn, settle_held
from .scoring import Score, holds_four
from .settlement import liable_discarder, liable_seat, owed_to, payments, share_of, win_debt
from .state import plus


def win(game: Game, winners: list[int], source: int, from_seat: int, kind: int) -> None:
    """End a hand that some seats won."""
    game.outcome, game.from_seat, game.win_tile = source, from_seat, kind
    for s in winners:
        game.trace.append((schema.HU, s, kind, from_seat))
        game.wins.append(_log(game, s, source, kind, len(winners)))
    _count_ghosts(game)
    _pay(game)
    _settle_horses(game)


def wash_out(game: Game) -> None:
    """End a hand that nobody won."""
    game.outcome = schema.WASHOUT
    _count_ghosts(game)
    if game.rules.kong.on_washout == "void":
        game.kongs, game.flower_money = [], []


def _count_ghosts(game: Game) -> None:
    for seat in game.seats:
        seat.ghosts_at_end = sum(seat.hand[k] for k in game.ghosts)


def _log(game: Game, s: int, source: int, kind: int, n_winners: int) -> WinLog:
    score = winning.score(game, s, source, kind, n_winners)
    assert score is not None
    share = share_of(game.rules, score.points, game.repeat, game.seats[s].melds, source == schema.ZIMO)
    waits, live = winning.waits(game, s, source, kind)
    return WinLog(s, score, share, _liable(game, s, source, score), waits, live)


def _liable(game: Game, s: int, source: int, score: Score) -> int:
    melds = game.seats[s].melds
    if source == schema.ZIMO:
        return liable_seat(game.rules, s, melds, game.after_kong, game.completions, score.counted)
    if source == schema.DIANPAO:
        return liable_discarder(game.rules, melds, game.from_seat, game.need(game.seats[game.from_seat]))
    return -1


def _pay(game: Game) -> None:
    """Reckon what each seat owes each winner and who pays it."""
    melds = [seat.melds for seat in game.seats]
    feeder = game.from_seat if game.outcome == schema.DIANPAO else -1
    for log in game.wins:
        owed = owed_to(game.rules, log.seat, log.share, melds, feeder)
        game.debts.append(win_debt(game.rules, log.seat, game.outcome, game.from_seat, owed, log.liable))


def _settle_horses(game: Game) -> None:
    rules = game.rules
    winners = [log.seat for log in game.wins]
    reserve = game.wall.reserve if rules.horses.pool == "reserved" else []
    held = _open_held_horses(game)
    pool = [kind for _, kind in held] + reserve + game.wall.undrawn
    game.pool_classes = [horse_class(rules, kind) for kind in pool]
    origins = horse_origins(rules, winners, game.from_seat, game.dealer, game.origin)
    if rules.horses.kind == "held":
        classes = [(holder, horse_class(rules, kind)) for holder, kind in held]
        game.horses = settle_held(payments(game.debts), classes, origins, origins[winners[0]])
    elif rules.horses.kind == "drawn":
        _draw_horses(game, reserve if rules.horses.pool == "reserved" else game.wall.undrawn, origins)


def _open_held_horses(game: Game) -> list[tuple[int, int]]:
    """Open the horses of the seats, from the dealer on: holder and kind of each."""
    each = game.rules.horses.count
    held = [((game.dealer + i // each) % N_SEATS, kind) for i, kind in enumerate(game.wall.open_horses())]
    game.trace += [(schema.HORSE, holder, kind, horse_class(game.rules, kind)) for holder, kind in held]
    return held


def _draw_horses(game: Game, pool: Sequence[int], origins: Mapping[int, int]) -> None:
    """Open horses from a pool and settle them."""
    rules = game.rules
    first = _hand_at_end(game, game.wins[0].seat)
    has_ghost = not game.ghosts or any(first[k] for k in game.ghosts)
    drawn = pool[: n_to_draw(rules, game.outcome, game.repeat, has_ghost)]
    game.trace += [(schema.HORSE, -1, kind, horse_class(rules, kind)) for kind in drawn]
    hits = {
        winner: count_hits(
            rules, drawn, (winner - origin) % N_SEATS, holds_four(_hand_at_end(game, winner), game.ghosts)
        )
        for winner, origin in origins.items()
    }
    game.horses = settle_drawn(rules, game.debts, game.kongs, len(drawn), hits)


def _hand_at_end(game: Game, winner: int) -> tuple[int, ...]:
    """Return a winner's concealed tiles with the winning one."""
    return plus(winning.hand_before(game, winner, game.outcome), game.win_tile)
