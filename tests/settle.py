"""What every seat pays and gets in one hand, given each winner's share: the settlement of `sim/PLAY.md`, plainly."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import pairwise

from sim.rules import Rules
from sim.schema import DIANPAO, MELD_ADDED, MELD_EXPOSED, MOVES, QIANGGANG, WASHOUT, ZIMO
from sim.tiles import HONOURS, parse_one
from tests.complete import ghost_after
from tests.hands_played import Hand
from tests.oracle.scoring import best_score
from tests.oracle.state import Meld
from tests.referee import Referee

KONGS = {"gang_exposed": "direct", "gang_added": "added", "gang_concealed": "concealed"}
Parts = dict[str, list[int]]


def moves(hand: Hand, *names: str) -> list[tuple[str, int, int, int]]:
    """The hand's moves by name, those of some names only if any are given."""
    named = [(MOVES[move], seat, kind, other) for move, seat, kind, other in hand.moves]
    return [move for move in named if not names or move[0] in names]


def net(payments: list[tuple[int, int, int]]) -> list[int]:
    """Points of each seat of (payer, receiver, points)."""
    result = [0, 0, 0, 0]
    for payer, receiver, points in payments:
        result[payer] -= points
        result[receiver] += points
    return result


def followed(hand: Hand, rules: Rules) -> Referee:
    """The referee after the whole hand."""
    referee = Referee(rules, hand, hand.row.get("chair", hand.row["dealer"]))
    referee.follow()
    return referee


def times(rules: Rules, melds: list[Meld], points: int) -> int:
    """Points after the multiples that a seat's melds bring."""
    m = rules.multiples
    exposed = [meld for meld in melds if meld.is_exposed]
    bring = [(m.opened, len(exposed) if m.opened_each else bool(exposed))]
    bring.append((m.concealed_kong, len(melds) - len(exposed)))
    bring.append((m.exposed_kong, sum(meld.t in (MELD_EXPOSED, MELD_ADDED) for meld in exposed)))
    for tenths, n in bring:
        for _ in range(n):
            points = points * tenths // 10
    return points


def uncapped(hand: Hand, rules: Rules, win: dict[str, int]) -> int:
    """A winner's share; the log has it under the cap, so that a 金顶 needs the value again."""
    cap = rules.scoring.loss_cap * rules.scoring.base
    if not rules.scoring.loss_cap_all or win["points"] < cap:
        return win["points"]
    referee = followed(hand, rules)
    shape = referee.shapes[win["winner"]]
    if len(hand.wins) == 3:
        shape = replace(shape, events=shape.events | {"triple_win"})
    score = best_score(rules, shape)
    assert score is not None
    n = min(hand.row["repeat"], 10)
    points = {
        "none": score.points,
        "add": score.points + n * rules.dealer.repeat_points * rules.scoring.base,
        "double": score.points * 2**n,
    }[rules.dealer.repeat_mode]
    points = times(rules, referee.melds[win["winner"]], points)
    points = points * rules.multiples.zimo // 10 if win["source"] == ZIMO else points
    assert win["points"] == min(points, cap)
    return points


def capped(rules: Rules, owed: dict[int, int]) -> dict[int, int]:
    """What each seat owes under the caps."""
    cap, most = rules.scoring.loss_cap * rules.scoring.base, rules.scoring.loss_cap_all * rules.scoring.base
    if most and min(owed.values()) > cap:
        return dict.fromkeys(owed, most)
    return {seat: min(points, cap) if cap else points for seat, points in owed.items()}


def owed(hand: Hand, rules: Rules, win: dict[str, int]) -> dict[int, int]:
    """What each other seat owes a winner, horses aside."""
    share = uncapped(hand, rules, win)
    m = rules.multiples
    has_multiples = (m.opened, m.concealed_kong, m.exposed_kong) != (10, 10, 10)
    melds = followed(hand, rules).melds if has_multiples else [[] for _ in range(4)]
    points = {seat: times(rules, melds[seat], share) for seat in range(4) if seat != win["winner"]}
    if win["source"] == DIANPAO:
        feeder = hand.row["from_seat"]
        points[feeder] = points[feeder] * m.feeder // 10
    return capped(rules, points)


def paid_by(hand: Hand, rules: Rules, win: dict[str, int], owed: dict[int, int]) -> list[tuple[int, int, int]]:
    """(payer, winner, points) of what each seat owes, as far as it is paid."""
    from_seat, winner = hand.row["from_seat"], win["winner"]
    robbed_of_all = win["source"] == QIANGGANG and rules.win.rob_shares == 3
    pays_all = win["liable"] if win["liable"] >= 0 else from_seat if robbed_of_all else -1
    paid = []
    for seat, points in owed.items():
        if pays_all >= 0:
            paid.append((pays_all, winner, points))
        elif win["source"] == ZIMO or rules.win.payers == "all" or seat == from_seat:
            paid.append((seat, winner, points))
    return paid


def win_payments(hand: Hand, rules: Rules) -> list[tuple[int, int, int]]:
    """(payer, winner, points) of every win, without horses."""
    return [payment for win in hand.wins for payment in paid_by(hand, rules, win, owed(hand, rules, win))]


def kong_payments(hand: Hand, rules: Rules) -> list[tuple[int, int, int]]:
    """Payments of all kongs that stood, without flowers and 跟庄."""
    found = []
    played = [move for move in moves(hand) if move[0] != "pass"]
    for move, after in pairwise(played):
        name, owner, _, feeder = move
        if name not in KONGS or after[0] != "draw_tail":
            continue
        price = getattr(rules.kong, KONGS[name]) * rules.scoring.base
        by_feeder = name == "gang_exposed" and rules.kong.direct_payer == "feeder"
        payers = [feeder] if by_feeder else [seat for seat in range(4) if seat != owner]
        found += [(payer, owner, price) for payer in payers]
    return found


def follows(hand: Hand) -> bool:
    """Whether the hand begins with four equal discards (跟庄)."""
    first = moves(hand, "discard", "peng", "chi", "hu", *KONGS)[:4]
    return [move[0] for move in first] == ["discard"] * 4 and len({move[2] for move in first}) == 1


def kong_part(hand: Hand, rules: Rules) -> list[int]:
    """Points from kongs, flowers and 跟庄."""
    base, dealer = rules.scoring.base, hand.row["dealer"]
    flowers = [
        (payer, owner, hand.row[f"flowers_{owner}"] * rules.play.flower_price * base)
        for owner in range(4)
        for payer in range(4)
    ]
    paid = kong_payments(hand, rules) + flowers
    if hand.row["outcome"] == WASHOUT and rules.kong.on_washout == "void":
        paid = []
    if follows(hand):
        paid += [(dealer, seat, rules.dealer.follow_points * base) for seat in range(4) if seat != dealer]
    return net(paid)


def ghosts(hand: Hand, rules: Rules) -> list[int]:
    """Ghost kinds in play."""
    for _, _, _, ghost in moves(hand, "indicator"):
        return [ghost, ghost_after(rules, ghost)] if rules.ghost.mode == "turned_two" else [ghost]
    return [parse_one(kind) for kind in rules.ghost.kinds]


def n_opened(hand: Hand, rules: Rules) -> int:
    """How many horses are opened: those of the seats, or what the winners draw."""
    horses, row, source = rules.horses, hand.row, hand.row["outcome"]
    if source == WASHOUT or horses.kind == "none":
        return 0
    if horses.kind == "held":
        return 4 * horses.count
    if source == QIANGGANG and not horses.on_rob:
        return 0
    n = horses.count if source == ZIMO else horses.count_discard
    n += horses.rob_extra if source == QIANGGANG else 0
    kinds = ghosts(hand, rules)
    first = hand.wins[0]["winner"]
    if kinds and not row[f"ghosts_{first}"] and (source == ZIMO or row["win_tile"] not in kinds):
        n += horses.without_ghost
    n += horses.per_repeat * min(row["repeat"], 10)
    there = rules.play.last_tiles_reserved if horses.pool == "reserved" else row["wall_left"]
    return min(n, there, 20)


def horse_seat(rules: Rules, kind: int, origin: int) -> int:
    """The seat that a horse means."""
    name = HONOURS[kind - 27] if 27 <= kind < 34 else str(kind % 9 + 1 if kind < 27 else (kind - 34) % 4 + 1)
    return (origin + next(i for i, tiles in enumerate(rules.horses.map) if name in tiles)) % 4


def origin_of(hand: Hand, rules: Rules, winner: int) -> int:
    """The seat that counts as 1 for the payments to a winner."""
    if len(hand.wins) > 1 and rules.horses.origin_multiple == "from_seat":
        return hand.row["from_seat"]
    origins = {"dealer": hand.row["dealer"], "winner": winner, "previous_winner": hand.row["origin"]}
    return origins[rules.horses.origin]


def four_ghosts(hand: Hand, rules: Rules, winner: int) -> bool:
    """Whether a winner has four tiles of a kind of ghost, the winning one included."""
    held = Counter(followed(hand, rules).hands[winner])
    if hand.row["outcome"] in (DIANPAO, QIANGGANG):
        held[hand.row["win_tile"]] += 1
    return any(held[kind] == 4 for kind in ghosts(hand, rules))


def hits_of(hand: Hand, rules: Rules, winner: int) -> tuple[int, int]:
    """Hits and misses of the drawn horses for a winner."""
    horses, hits, misses = rules.horses, 0, 0
    every = horses.hit == "class" and horses.four_ghosts_hit and four_ghosts(hand, rules, winner)
    for _, _, kind, _ in moves(hand, "horse"):
        if horses.hit == "number":
            n = kind % 9 + 1 if kind < 27 else horses.honour_number if kind < 34 else (kind - 34) % 4 + 1
        else:
            n = int(every or horse_seat(rules, kind, origin_of(hand, rules, winner)) == winner)
        hits += n
        misses += n == 0
    return hits, misses


def horse_part(hand: Hand, rules: Rules) -> tuple[list[int], int]:
    """Points from horses, and the number of hits."""
    horses, base = rules.horses, rules.scoring.base
    paid: list[tuple[int, int, int]] = []
    if horses.kind == "none" or not hand.wins:
        return [0, 0, 0, 0], 0
    if horses.kind == "held":
        hand_points = hand_part(hand, rules)
        for payer, winner, points in win_payments(hand, rules):
            for _, holder, kind, _ in moves(hand, "horse"):
                seat = horse_seat(rules, kind, origin_of(hand, rules, winner))
                if seat == winner:
                    paid.append((payer, holder, points))
                elif seat == payer:
                    paid.append((holder, winner, points))
        origin = origin_of(hand, rules, hand.wins[0]["winner"])
        n_hits = sum(hand_points[horse_seat(rules, kind, origin)] != 0 for _, _, kind, _ in moves(hand, "horse"))
        return net(paid), n_hits
    hits = {win["winner"]: hits_of(hand, rules, win["winner"]) for win in hand.wins}
    if hand.row["outcome"] == QIANGGANG and not horses.on_rob:
        return [0, 0, 0, 0], 0
    for win in hand.wins:
        n_hits, n_misses = hits[win["winner"]]
        before = owed(hand, rules, win)
        after = {
            seat: {
                "hand": points * (1 + n_hits),
                "fixed": points + n_hits * horses.fixed * base,
                "double": points * 2 ** min(n_hits, 10),
            }[horses.price]
            for seat, points in before.items()
        }
        more = {seat: n - n_misses * horses.fine * base - before[seat] for seat, n in capped(rules, after).items()}
        paid += paid_by(hand, rules, win, more)
    if rules.kong.follow_horses:
        paid += [
            (p, owner, points * hits[owner][0]) for p, owner, points in kong_payments(hand, rules) if owner in hits
        ]
    return net(paid), min(sum(n for n, _ in hits.values()), 255)


def hand_part(hand: Hand, rules: Rules) -> list[int]:
    """Points from wins."""
    return net(win_payments(hand, rules))


def check(hand: Hand, rules: Rules) -> None:
    """The hand's payments are those of its shares, kongs and horses."""
    got = {part: [hand.row[f"{part}_{seat}"] for seat in range(4)] for part in ("hand", "kong", "horse")}
    horse, n_hits = horse_part(hand, rules)
    assert got == {"hand": hand_part(hand, rules), "kong": kong_part(hand, rules), "horse": horse}
    assert hand.row["n_horse_hits"] == n_hits
    assert hand.row["n_horses"] == n_opened(hand, rules)
