"""A referee that follows the moves of a hand in plain Python and lets none pass that `sim/PLAY.md` does not allow.

It shares no code with the kernel: own tile bookkeeping, own test of complete hands, own order of the honours. Only the
value of a hand (least fan, the most points) comes from the slow twin's scorer.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from itertools import product

from sim.rules import Rules
from sim.schema import MELD_ADDED, MELD_CHI, MELD_CONCEALED, MELD_EXPOSED, MELD_PENG, MOVES, OUTCOMES
from sim.tiles import FLOWERS, HONOURS, TILE_SETS, parse_one
from tests.hands_played import Hand
from tests.oracle.scoring import Score, Win, best_score
from tests.oracle.state import Meld

ORPHANS = [0, 8, 9, 17, 18, 26, *range(27, 34)]
MAX_HORSES = 20


# Complete hands


@lru_cache(maxsize=1 << 17)
def _least_sets(suit: tuple[int, ...], runs: bool) -> tuple[int, int]:
    """Fewest sets that take up all tiles of a suit, ghosts filling gaps, without and with one pair; 9 for none."""
    first = next((k for k, n in enumerate(suit) if n), None)
    if first is None:
        return 0, 9
    best = [9, 9]
    groups = [(tuple([first] * n), 0) for n in (1, 2, 3) if suit[first] >= n]
    groups += [(tuple([first] * n), 1) for n in (1, 2) if suit[first] >= n]
    if runs:
        for low in range(max(first - 2, 0), min(first, 6) + 1):
            others = [k for k in range(low, low + 3) if k > first and suit[k]]
            groups += [
                ((first, *(k for k, used in zip(others, chosen, strict=True) if used)), 0)
                for chosen in product((True, False), repeat=len(others))
            ]
    for taken, is_pair in groups:
        rest = list(suit)
        for k in taken:
            rest[k] -= 1
        plain, paired = _least_sets(tuple(rest), runs)
        if is_pair:
            best[1] = min(best[1], plain)
        else:
            best[0] = min(best[0], plain + 1)
            best[1] = min(best[1], paired + 1)
    return best[0], best[1]


def is_complete(naturals: list[int], n_ghosts: int, n_melds: int, forms: tuple[str, ...]) -> bool:
    """Whether 14 tiles less three a meld win by shape."""
    if n_melds == 0 and "seven_pairs" in forms and sum(n % 2 for n in naturals) <= n_ghosts:
        return True
    if n_melds == 0 and "thirteen_orphans" in forms:
        others = [n for k, n in enumerate(naturals) if k not in ORPHANS]
        held = [naturals[k] for k in ORPHANS]
        if not any(others) and max(held) <= 2 and held.count(2) <= 1:
            return True
    if "standard" not in forms:
        return False
    suits = [_least_sets(tuple(naturals[9 * s : 9 * s + 9]), s < 3) for s in range(4)]
    without = sum(plain for plain, _ in suits)
    return min(without, *(without - plain + paired for plain, paired in suits)) <= 4 - n_melds


def ghost_after(rules: Rules, indicator: int) -> int:
    """The ghost that an indicator makes."""
    if indicator < 27:
        return indicator - 8 if indicator % 9 == 8 else indicator + 1
    cycle, name = rules.ghost.honour_cycle, HONOURS[indicator - 27]
    if name not in cycle:
        later = [c for c in HONOURS[indicator - 26 :] if c in cycle]
        return 27 + HONOURS.index(later[0] if later else cycle[0])
    return 27 + HONOURS.index(cycle[(cycle.index(name) + 1) % len(cycle)])


class Referee:
    """Follows one hand move by move; every method asserts."""

    def __init__(self, rules: Rules, hand: Hand, chair: int) -> None:
        self.rules, self.row, self.wins = rules, hand.row, hand.wins
        self.moves = [(MOVES[move], seat, kind, other) for move, seat, kind, other in hand.moves]
        self.chair = chair
        self.at = 0
        self.hands = [Counter[int]() for _ in range(4)]
        self.melds: list[list[Meld]] = [[] for _ in range(4)]
        self.river: list[int] = []
        self.flowers = [0] * 4
        self.aside = 0  # indicator, flowers and horses
        self.out = Counter[int]()  # every tile that ever left the wall
        self.ghosts: frozenset[int] = frozenset()
        deck = TILE_SETS[rules.tiles]
        self.stock = Counter({k: 4 for k in deck} | {34 + i: 1 for i in range(FLOWERS.get(rules.tiles, 0))})
        self.left = self.stock.total() - rules.play.last_tiles_reserved - 52
        self.marks: list[set[int]] = [set() for _ in range(4)]  # 漏胡: kinds passed
        self.most_passed = [-1] * 4
        self.draws, self.discards, self.calls = [0] * 4, [0] * 4, [0] * 4
        self.made = {name: [0] * 4 for name in ("exposed", "added", "concealed", "fed")}
        self.turns = 0
        self.untouched = True
        self.after_kong = False  # the present turn began with a replacement
        self.thorough = False
        # Winners so far: seat, winning kind, hand without it, melds, events.
        self.won: list[tuple[int, int, tuple[int, ...], tuple[Meld, ...], frozenset[str]]] = []

    # Reading the moves

    def next(self) -> tuple[str, int, int, int]:
        """The next move, not yet taken."""
        return self.moves[self.at]

    def take(self, *names: str) -> tuple[str, int, int, int]:
        """Take the next move, which must be one of ``names``; tiles are counted after each."""
        move = self.moves[self.at]
        assert move[0] in names, f"{move} where only {names} may follow"
        self.at += 1
        return move

    def leaves_wall(self, kind: int) -> None:
        """Count a tile that comes from the wall."""
        self.out[kind] += 1
        assert self.out[kind] <= self.stock[kind], f"tile {kind} from nowhere"

    def conserved(self) -> None:
        """Every tile that left the wall lies in one place."""
        held = sum(h.total() for h in self.hands) + sum(len(m.tiles) for melds in self.melds for m in melds)
        assert all(n >= 0 for h in self.hands for n in h.values())
        assert held + len(self.river) + self.aside + sum(self.flowers) == self.out.total()

    # The deal

    def deal(self) -> None:
        """Deal, indicator, held horses, flowers dealt."""
        rules, dealer = self.rules, self.row["dealer"]
        dealt: list[list[int]] = [[] for _ in range(4)]
        for place in range(52):
            _, seat, kind, _ = self.take("deal")
            assert seat == (dealer + place // 13) % 4
            self.leaves_wall(kind)
            dealt[seat].append(kind)
        if rules.ghost.mode.startswith("turned"):
            while self.next()[0] == "flower":
                self._aside(self.take("flower")[2])
            _, seat, kind, ghost = self.take("indicator")
            assert (seat, ghost) == (-1, ghost_after(rules, kind))
            self._aside(kind)
            two = rules.ghost.mode == "turned_two"
            self.ghosts = frozenset({ghost, ghost_after(rules, ghost)} if two else {ghost})
        elif rules.ghost.mode == "fixed":
            self.ghosts = frozenset(parse_one(kind) for kind in rules.ghost.kinds)
        if rules.horses.kind == "held":
            for i in range(4 * rules.horses.count):
                _, seat, kind, _ = self.take("horse")
                assert seat == (dealer + i // rules.horses.count) % 4
                self._aside(kind)
        for seat in ((dealer + i) % 4 for i in range(4)):
            flowers = sorted(kind for kind in dealt[seat] if kind >= 34)
            self.hands[seat].update(kind for kind in dealt[seat] if kind < 34)
            for flower in flowers:
                assert self.take("flower")[1:3] == (seat, flower)
                self.flowers[seat] += 1
            for _ in flowers:
                self._tail_until_no_flower(seat)
        self.conserved()

    def _aside(self, kind: int) -> None:
        self.leaves_wall(kind)
        self.aside += 1
        self.left -= 1

    def _tail_until_no_flower(self, seat: int) -> None:
        while True:
            kind = self._drawn(seat, "draw_tail")
            if kind < 34:
                self.hands[seat][kind] += 1
                return
            self._flower(seat, kind)

    def _drawn(self, seat: int, name: str) -> int:
        _, who, kind, left = self.take(name)
        assert who == seat, f"seat {who} draws for seat {seat}"
        self.left -= 1
        assert left == self.left >= 0, "the wall's rest is wrong"
        self.leaves_wall(kind)
        return kind

    def _flower(self, seat: int, kind: int) -> None:
        assert self.take("flower")[1:] == (seat, kind, self.left)
        self.flowers[seat] += 1

    # Play

    def follow(self) -> None:
        """Follow the whole hand."""
        self.deal()
        seat: int | None = self.row["dealer"]
        replacement = False
        while seat is not None:
            kind = self.draw(seat, replacement)
            if kind is None:
                break
            seat, replacement = self.turn(seat, kind)
        self.end()

    def draw(self, seat: int, replacement: bool) -> int | None:
        """A draw with its flowers; None when the wall is out."""
        self.marks[seat], self.most_passed[seat] = set(), -1
        self.draws[seat] += 1
        name = "draw_tail" if replacement else "draw"
        while self.left:
            kind = self._drawn(seat, name)
            self.turns += 1
            if kind < 34:
                self.hands[seat][kind] += 1
                self.conserved()
                self.after_kong = replacement
                return kind
            self._flower(seat, kind)
            name = "draw_tail"
        return None

    def turn(self, seat: int, drawn: int) -> tuple[int | None, bool]:
        """A turn after a draw and what follows it; the next seat to draw and whether from the tail, None at the end."""
        can_kong = self.left > 0
        kongs = ("gang_concealed", "gang_added") if can_kong else ()
        if self.rules.win.must or self.thorough:
            legal = self.value(seat, drawn, "zimo") is not None
            if legal and self.rules.win.must:
                assert self.next()[0] == "hu", "必胡: a legal self-draw was not taken"
            assert legal or self.next()[0] != "hu"
        move, who, kind, other = self.take("hu", "discard", *kongs)
        assert who == seat
        if move == "hu":
            assert (kind, other) == (drawn, -1)
            self.win(seat, drawn, "zimo")
            return None, False
        if move == "discard":
            return self.discard(seat, kind)
        return self.own_kong(seat, kind, move)

    def own_kong(self, seat: int, kind: int, move: str) -> tuple[int | None, bool]:
        """A concealed or added kong: tiles, robbers, the meld."""
        assert kind not in self.ghosts
        concealed = move == "gang_concealed"
        if concealed:
            assert self.hands[seat][kind] == 4
        else:
            assert self.hands[seat][kind] >= 1
            assert any(m.t == MELD_PENG and m.kind == kind for m in self.melds[seat])
        self.hands[seat][kind] -= 4 if concealed else 1
        if self.robbed(seat, kind, -1, "concealed" if concealed else "added"):
            self.hands[seat][kind] += 3 if concealed else 0
            self.river.append(kind)  # the robbers' tile
            self.conserved()
            return None, False
        if concealed:
            self.melds[seat].append(Meld(MELD_CONCEALED, kind))
        else:
            (i,) = [i for i, m in enumerate(self.melds[seat]) if m.t == MELD_PENG and m.kind == kind]
            self.melds[seat][i] = Meld(MELD_ADDED, kind, self.melds[seat][i].feeder)
        self._konged(seat, "concealed" if concealed else "added")
        return seat, True

    def _konged(self, seat: int, name: str) -> None:
        self.made[name][seat] += 1
        self.marks[seat], self.most_passed[seat] = set(), -1
        if self.rules.win.first_turn_closed_by == "any_call":
            self.untouched = False
        self.conserved()

    def robbed(self, konger: int, kind: int, left_out: int, name: str) -> bool:
        """Ask the robbers of an announced kong; whether it was robbed."""
        if name not in self.rules.win.rob_kongs or "qianggang" not in self.rules.win.ways:
            return False
        return self.asked(konger, kind, "qianggang", left_out)

    def discard(self, seat: int, kind: int) -> tuple[int | None, bool]:
        """A discard and all that may follow it, claims and the discards after them included."""
        hand = self.hands[seat]
        assert hand[kind] >= 1
        if kind in self.ghosts:
            only_ghosts = not any(n for k, n in hand.items() if k not in self.ghosts)
            assert self.rules.ghost.discard == "allowed" or only_ghosts, "a ghost was discarded"
        hand[kind] -= 1
        self.discards[seat] += 1
        self.river.append(kind)
        self.conserved()
        if "dianpao" in self.rules.win.ways and self.asked(seat, kind, "dianpao", -1):
            return None, False
        self.after_kong = False
        if not self.left:
            return None, False
        move, who, claimed, feeder = self.next()
        if move not in ("peng", "gang_exposed", "chi"):
            return (seat + 1) % 4, False
        self.take(move)
        assert feeder == seat != who
        assert kind not in self.ghosts
        if move == "chi":
            self.chi(who, claimed, kind, seat)
        else:
            assert claimed == kind
            n = 2 if move == "peng" else 3
            assert self.hands[who][kind] >= n, f"{move} without the tiles"
            if move == "gang_exposed":
                self.river.pop()
                self.calls[who] += 1
                if self.robbed(who, kind, seat, "direct"):
                    self.calls[who] -= 1
                    self.river.append(kind)
                    return None, False
            else:
                self.river.pop()
                self.calls[who] += 1
            self.hands[who][kind] -= n
            self.melds[who].append(Meld(MELD_PENG if move == "peng" else MELD_EXPOSED, kind, seat))
        self.marks[who], self.most_passed[who] = set(), -1
        if move == "gang_exposed":
            self.made["fed"][seat] += 1
            self._konged(who, "exposed")
            return who, True
        self.untouched = False
        self.conserved()
        assert any(n for k, n in self.hands[who].items() if k not in self.ghosts), "nothing but ghosts is left"
        _, next_seat, next_kind, _ = self.take("discard")
        assert next_seat == who
        return self.discard(who, next_kind)

    def chi(self, who: int, low: int, kind: int, feeder: int) -> None:
        """A claimed run."""
        assert self.rules.play.chi, "chi is not allowed"
        assert who == (feeder + 1) % 4, "only the next seat may chi"
        run = [low, low + 1, low + 2]
        assert kind in run
        assert run[-1] < 27
        assert low // 9 == run[-1] // 9
        self.river.pop()
        self.calls[who] += 1
        for k in run:
            if k != kind:
                assert k not in self.ghosts
                assert self.hands[who][k] >= 1, "chi without the tiles"
                self.hands[who][k] -= 1
        self.melds[who].append(Meld(MELD_CHI, low, feeder))

    # Wins

    def asked(self, from_seat: int, kind: int, source: str, left_out: int) -> bool:
        """Passes and wins on one tile; whether somebody won."""
        order = [s for i in (1, 2, 3) if (s := (from_seat + i) % 4) != left_out]
        passed: list[int] = []
        while self.next()[0] == "pass":
            assert not self.rules.win.must, "必胡: a win was passed"
            _, seat, what, whom = self.take("pass")
            assert (what, whom) == (kind, from_seat)
            assert seat in order
            assert seat not in passed
            passed.append(seat)
        assert passed == [s for s in order if s in passed], "passes in turn order"
        winners: list[int] = []
        while self.next()[0] == "hu":
            _, seat, what, whom = self.take("hu")
            assert (what, whom) == (kind, from_seat)
            assert seat in order
            assert seat not in passed
            winners.append(seat)
        assert winners == [s for s in order if s in winners], "winners in turn order"
        values: dict[int, Score] = {}
        for seat in order if winners or self.thorough else passed:
            if not self.is_blocked(seat, kind) and (score := self.value(seat, kind, source)):
                if self.rules.win.passed == "same_value" and score.points <= self.most_passed[seat]:
                    continue
                values[seat] = score
        assert set(passed) | set(winners) <= set(values), "a win that is not legal"
        takers = [seat for seat in values if seat not in passed]
        if winners or self.thorough:
            right = self.who_wins(takers, values)
            assert winners == right, f"won by {winners}, not by {right}"
        for seat in passed:
            self.marks[seat].add(kind)
            self.most_passed[seat] = max(self.most_passed[seat], values[seat].points)
        for seat in winners:
            self.win(seat, kind, source, from_seat)
        return bool(winners)

    def who_wins(self, takers: list[int], values: dict[int, Score]) -> list[int]:
        """Of those who take a win, in turn order, the ones who get it."""
        if len(takers) < 2 or self.rules.win.multiple == "all":
            return takers
        if self.rules.win.multiple == "nearest":
            return takers[:1]
        if self.rules.win.multiple == "from_dealer":
            return [min(takers, key=lambda seat: (seat - self.row["dealer"]) % 4)]
        return [max(takers, key=lambda seat: values[seat].points)]

    def is_blocked(self, seat: int, kind: int) -> bool:
        """Whether a passed win bars this one (漏胡), its value aside."""
        if self.rules.win.passed == "all_tiles":
            return bool(self.marks[seat])
        return self.rules.win.passed == "same_tile" and kind in self.marks[seat]

    def value(self, seat: int, kind: int, source: str) -> Score | None:
        """Value of the seat's hand with ``kind`` (drawn already in a self-draw), None when it may not win."""
        if source not in self.rules.win.ways:
            return None
        counts = [self.hands[seat][k] for k in range(34)]
        counts[kind] += source != "zimo"
        n_ghosts = sum(counts[k] for k in self.ghosts)
        naturals = [0 if k in self.ghosts else n for k, n in enumerate(counts)]
        four = source == "zimo" and self.rules.ghost.four == "win" and any(counts[k] == 4 for k in self.ghosts)
        if not four and not is_complete(naturals, n_ghosts, len(self.melds[seat]), self.rules.win.forms):
            return None
        counts[kind] -= 1
        east = self.chair if self.rules.dealer.seat_wind == "chair" else self.row["dealer"]
        win = Win(
            tuple(counts),
            kind,
            tuple(self.melds[seat]),
            OUTCOMES.index(source),
            self.ghosts,
            (seat - east) % 4,
            self.row["round_wind"],
            self.events(seat, source),
        )
        return best_score(self.rules, win)

    def events(self, seat: int, source: str) -> frozenset[str]:
        """What goes with a win at this point of the hand."""
        is_dealer = seat == self.row["dealer"]
        first = self.untouched and self.draws[seat] == 1 and source == "zimo"
        happened = {
            "gangkai": source == "zimo" and self.after_kong,
            "gangpao": source == "dianpao" and self.after_kong,
            "haidi": source == "zimo" and not self.left,
            "tianhu": first and is_dealer,
            "dihu": first and not is_dealer,
            "renhu": source == "dianpao" and self.untouched and sum(self.discards) == 1,
        }
        return frozenset(event for event, has in happened.items() if has)

    def win(self, seat: int, kind: int, source: str, from_seat: int = -1) -> None:
        """A win, as the log has it."""
        assert source in self.rules.win.ways, f"{source} is no way to win"
        assert self.value(seat, kind, source) is not None
        held = self.hands[seat] - Counter({kind: int(source == "zimo")})
        self.won.append((seat, kind, tuple(held.elements()), tuple(self.melds[seat]), self.events(seat, source)))
        logged = {win["winner"]: win for win in self.wins}[seat]
        assert OUTCOMES[logged["source"]] == source == OUTCOMES[self.row["outcome"]]
        assert (self.row["from_seat"], self.row["win_tile"]) == (from_seat, kind)
        assert logged["win_turn"] == self.discards[seat]
        assert logged["concealed"] == (not any(meld.is_exposed for meld in self.melds[seat]))

    # The end

    def end(self) -> None:
        """Horses drawn, the last move, and the log row."""
        horses = 0
        while self.next()[0] == "horse":
            _, holder, kind, _ = self.take("horse")
            assert holder == -1
            self.leaves_wall(kind)
            horses += 1
        assert horses <= MAX_HORSES
        assert not horses or (self.rules.horses.kind == "drawn" and self.wins)
        assert self.take("end")[1:] == (-1, -1, self.row["outcome"])
        assert self.at == len(self.moves)
        row = self.row
        assert (row["outcome"] == 0) == (not self.wins)
        assert row["winners"] == sum(1 << win["winner"] for win in self.wins)
        if row["outcome"] == 0:
            assert self.left == 0
            assert (row["from_seat"], row["win_tile"]) == (-1, -1)
        if self.rules.horses.kind == "drawn":
            assert row["n_horses"] == horses
        assert (row["turns"], row["wall_left"]) == (self.turns, self.left)
        for seat in range(4):
            assert row[f"flowers_{seat}"] == self.flowers[seat]
            assert row[f"calls_{seat}"] == self.calls[seat]
            assert row[f"ghosts_{seat}"] == sum(self.hands[seat][k] for k in self.ghosts)
            for name, numbers in self.made.items():
                assert row[f"gang_{name}_{seat}"] == numbers[seat]
        for part in ("points", "hand", "kong", "horse"):
            assert sum(row[f"{part}_{seat}"] for seat in range(4)) == 0, part
        for seat in range(4):
            assert row[f"points_{seat}"] == sum(row[f"{part}_{seat}"] for part in ("hand", "kong", "horse"))


def follow(rules: Rules, hand: Hand, chair: int, thorough: bool = False) -> None:
    """Check one hand; ``chair`` is the table's first dealer.

    ``thorough`` also asks at every discard and draw whether a win was legal and nobody was asked for it.
    """
    referee = Referee(rules, hand, chair)
    referee.thorough = thorough
    referee.follow()
