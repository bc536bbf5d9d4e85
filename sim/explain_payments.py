"""Every single payment of a win with its reason; their sum over the seats is what `sim.score.score` returned."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from sim import tiles
from sim.explain_reading import ghost_kinds
from sim.flags import horse_classes, horse_numbers
from sim.rules import MAX_DOUBLINGS, MAX_REPEAT, Rules
from sim.score import Claim, Meld, Result, Table, kong_feeder


def liability_kind(rules: Rules, claim: Claim, table: Table) -> str:
    """Return which field of ``liability`` makes a seat pay for all three; the seat is known to be liable."""
    if table.source == "dianpao":
        return "quanqiuren"
    if rules.liability.gangkai_direct and kong_feeder(claim) >= 0:
        return "gangkai_direct"
    honours = [min(meld.kinds) for meld in claim.melds if meld.type not in ("chi", "angang")]
    dragons = sum(kind >= tiles.FIRST_DRAGON for kind in honours)
    winds = sum(tiles.FIRST_HONOUR <= kind < tiles.FIRST_DRAGON for kind in honours)
    if rules.liability.dragons_winds and (dragons == 3 or winds == 4):
        return "dragons_winds"
    return "twelve_tiles"


def _origin(rules: Rules, table: Table, winner: int, n_winners: int) -> int:
    """Seat that counts as "1" for the payments to a winner."""
    if table.origin is not None:
        return table.origin
    if n_winners > 1 and rules.horses.origin_multiple == "from_seat" and table.from_seat is not None:
        return table.from_seat
    return winner if rules.horses.origin == "winner" else table.dealer


class _Account:
    """The payments on account of one winner."""

    def __init__(self, winner: int) -> None:
        self.winner = winner
        self.entries: list[dict[str, Any]] = []

    def pay(self, payer: int, receiver: int, points: int, reason: str, **details: Any) -> None:
        """Note what ``payer`` pays; what is taken off again goes the other way, nothing is not noted."""
        if points < 0:
            payer, receiver, points = receiver, payer, -points
        if points and payer != receiver:
            entry = {"from": payer, "to": receiver, "points": points, "reason": reason, "winner": self.winner}
            self.entries.append(entry | details)


def _debts(
    rules: Rules, claim: Claim, table: Table, result: Result
) -> Iterator[tuple[int, list[int], str, dict[str, Any]]]:
    """Yield who pays what which seats owe, with reason and details."""
    losers = [seat for seat in range(tiles.N_SEATS) if seat != claim.winner]
    if result.liable >= 0:
        kind = liability_kind(rules, claim, table)
        yield result.liable, losers, "liability", {"kind": kind, "source": rules.source_of(f"liability.{kind}")}
    elif table.source == "qianggang" and table.from_seat is not None and rules.win.rob_shares == tiles.N_SEATS - 1:
        yield table.from_seat, losers, "rob", {"shares": rules.win.rob_shares}
    elif table.source == "zimo" or rules.win.payers == "all":
        yield from ((seat, [seat], "share", {}) for seat in losers)
    elif table.from_seat is not None and table.source == "qianggang":
        yield table.from_seat, [table.from_seat], "rob", {"shares": rules.win.rob_shares}
    elif table.from_seat is not None:
        yield table.from_seat, [table.from_seat], "share", {}


def _multiples(rules: Rules, claim: Claim, table: Table, seat: int, melds: Sequence[Meld]) -> list[tuple[str, int]]:
    """Return what multiplies a hand for what one seat has done, winner or loser: field and tenths, in order."""
    times = rules.multiples
    made = Counter(meld.type for meld in melds)
    n_exposed = made.total() - made["angang"]
    found = [("opened", times.opened)] * (n_exposed if times.opened_each else min(n_exposed, 1))
    found += [("concealed_kong", times.concealed_kong)] * made["angang"]
    found += [("exposed_kong", times.exposed_kong)] * (made["minggang"] + made["bugang"])
    if seat == claim.winner and table.source == "zimo":
        found.append(("zimo", times.zimo))
    if seat == table.from_seat and table.source == "dianpao":
        found.append(("feeder", times.feeder))
    return [(name, tenths) for name, tenths in found if tenths != 10]


def _as_records(multiples: Sequence[tuple[str, int]]) -> list[dict[str, Any]]:
    """Return multiples as a program reads them."""
    return [{"field": name, "times": tenths / 10} for name, tenths in multiples]


def _times(points: int, multiples: Sequence[tuple[str, int]]) -> int:
    for _, tenths in multiples:
        points = points * tenths // 10
    return points


def _repeated(rules: Rules, points: int, repeat: int) -> int:
    n = min(repeat, MAX_REPEAT)
    if rules.dealer.repeat_mode == "double":
        return points << n
    return points + n * rules.dealer.repeat_points * rules.scoring.base


def _has_four_ghosts(claim: Claim, table: Table) -> bool:
    return any([*claim.hand, claim.win].count(kind) == tiles.COPIES for kind in ghost_kinds(table))


def _drawn_hits(rules: Rules, claim: Claim, table: Table, origin: int) -> list[tuple[int, int, int]]:
    """Return (kind, seat that it means, hits) of each drawn horse."""
    horses = rules.horses
    drawn = table.horses if isinstance(table.horses, tuple) else ()
    if horses.kind != "drawn" or (table.source == "qianggang" and not horses.on_rob):
        return []
    classes, numbers = horse_classes(horses.map), horse_numbers(horses.honour_number)
    every = horses.four_ghosts_hit and _has_four_ghosts(claim, table)
    found = []
    for kind in drawn:
        seat = (origin + int(classes[kind])) % tiles.N_SEATS
        hits = int(numbers[kind]) if horses.hit == "number" else int(every or seat == claim.winner)
        found.append((kind, seat, hits))
    return found


def _capped(rules: Rules, owed: dict[int, int]) -> dict[int, int]:
    """Return what the three seats owe after the caps: each alone, or all at the golden cap (金顶)."""
    cap = rules.scoring.loss_cap * rules.scoring.base
    if not cap:
        return owed
    if rules.scoring.loss_cap_all and min(owed.values()) > cap:
        return dict.fromkeys(owed, rules.scoring.loss_cap_all * rules.scoring.base)
    return {seat: min(points, cap) for seat, points in owed.items()}


def _growth(rules: Rules, share: int, hits: int, before: int) -> int:
    """Return what ``hits`` more hits add to a share that had ``before`` hits."""
    horses = rules.horses
    if horses.price == "fixed":
        return hits * horses.fixed * rules.scoring.base
    if horses.price == "double":
        return (share << min(before + hits, MAX_DOUBLINGS)) - (share << min(before, MAX_DOUBLINGS))
    return hits * share


def of_winner(rules: Rules, claim: Claim, table: Table, result: Result, n_winners: int) -> list[dict[str, Any]]:
    """Return the payments on account of one winner: shares, caps, horses."""
    account, winner = _Account(claim.winner), claim.winner
    origin = _origin(rules, table, winner, n_winners)
    drawn = _drawn_hits(rules, claim, table, origin)
    repeated = _repeated(rules, result.share, table.repeat)
    own = _multiples(rules, claim, table, winner, claim.melds)
    losers = [seat for seat in range(tiles.N_SEATS) if seat != winner]
    theirs = {seat: _multiples(rules, claim, table, seat, table.other_melds.get(seat, ())) for seat in losers}
    uncapped = {seat: _times(_times(repeated, own), theirs[seat]) for seat in losers}
    owed = _capped(rules, uncapped)
    n_hits = sum(hits for *_, hits in drawn)
    grown = {seat: points + _growth(rules, points, n_hits, 0) for seat, points in owed.items()}
    grown_capped = _capped(rules, grown) if drawn else grown
    fine = rules.horses.fine * rules.scoring.base
    for payer, seats, reason, details in _debts(rules, claim, table, result):
        account.pay(payer, winner, len(seats) * result.share, reason, **details)
        account.pay(payer, winner, len(seats) * (repeated - result.share), "repeat", repeat=table.repeat)
        for seat in seats:
            details = {"seat": seat, "winners": _as_records(own), "losers": _as_records(theirs[seat])}
            account.pay(payer, winner, uncapped[seat] - repeated, "multiples", **details)
        account.pay(payer, winner, sum(owed[seat] - uncapped[seat] for seat in seats), "loss_cap")
        before = 0
        for kind, meant, hits in drawn:
            more = sum(_growth(rules, owed[seat], hits, before) for seat in seats)
            account.pay(payer, winner, more, "horse", tile=tiles.tile_name(kind), seat=meant, hits=hits)
            before += hits
        account.pay(payer, winner, sum(grown_capped[seat] - grown[seat] for seat in seats), "loss_cap")
        for kind, meant, hits in drawn:
            if not hits:
                name = tiles.tile_name(kind)
                account.pay(payer, winner, -len(seats) * fine, "horse_fine", tile=name, seat=meant)
        if isinstance(table.horses, dict):
            _mirror(account, rules, table.horses, origin, payer, sum(owed[seat] for seat in seats))
    if rules.kong.follow_horses and n_hits:
        for vector in table.kong_pay:
            is_own_kong = vector[winner] > 0 and sum(points > 0 for points in vector) == 1
            for payer in losers if is_own_kong else []:
                account.pay(payer, winner, -vector[payer] * n_hits, "kong_horse", hits=n_hits)
    return account.entries


def _mirror(
    account: _Account, rules: Rules, held: dict[int, tuple[int, ...]], origin: int, payer: int, amount: int
) -> None:
    """Mirror one payment for every held horse (R29)."""
    classes = horse_classes(rules.horses.map)
    for holder, kinds in held.items():
        for kind in kinds:
            seat = (origin + int(classes[kind])) % tiles.N_SEATS
            details = {"tile": tiles.tile_name(kind), "seat": seat, "holder": holder}
            if seat == account.winner:
                account.pay(payer, holder, amount, "horse", **details)
            elif seat == payer:
                account.pay(holder, account.winner, amount, "horse", **details)


def of_vectors(reason: str, vectors: Sequence[tuple[int, ...]]) -> list[dict[str, Any]]:
    """Split each vector of net points into payments: who pays most pays first, to the one who gets most."""
    entries: list[dict[str, Any]] = []
    for vector in vectors:
        left = list(vector)
        while any(left):
            payer, receiver = left.index(min(left)), left.index(max(left))
            points = min(-left[payer], left[receiver])
            entries.append({"from": payer, "to": receiver, "points": points, "reason": reason})
            left[payer], left[receiver] = left[payer] + points, left[receiver] - points
    return entries


def total(payments: Sequence[dict[str, Any]]) -> list[int]:
    """Return the net points of the four seats."""
    points = [0] * tiles.N_SEATS
    for entry in payments:
        points[entry["from"]] -= entry["points"]
        points[entry["to"]] += entry["points"]
    return points
