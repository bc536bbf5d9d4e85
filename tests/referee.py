"""A referee that follows the moves of a hand in plain Python and lets none pass that `sim/PLAY.md` does not allow.

It shares no code with the kernel: own book of the tiles (`tests/book.py`), own test of complete hands
(`tests/complete.py`). Only the value of a hand (least fan, the most points) comes from the slow twin's scorer.
"""

from __future__ import annotations

from collections import Counter

from sim.rules import Rules
from sim.schema import MELD_ADDED, MELD_CHI, MELD_CONCEALED, MELD_EXPOSED, MELD_PENG, OUTCOMES
from sim.tiles import parse_one
from tests.book import Book
from tests.complete import is_complete, is_ready
from tests.hands_played import Hand
from tests.oracle.scoring import Score, Win, best_score
from tests.oracle.state import Meld

MAX_HORSES = 20


class Referee(Book):
    """Follows one hand move by move; every method asserts."""

    def __init__(self, rules: Rules, hand: Hand, chair: int) -> None:
        super().__init__(rules, hand)
        self.chair = chair
        self.declared = [False] * 4
        self.barred = {parse_one(kind) for kind in rules.win.barred}
        self.passed_pengs: list[set[int]] = [set() for _ in range(4)]  # 漏碰: kinds passed
        self.marks: list[set[int]] = [set() for _ in range(4)]  # 漏胡: kinds passed
        self.most_passed = [-1] * 4
        self.draws, self.discards, self.calls = [0] * 4, [0] * 4, [0] * 4
        self.made = {name: [0] * 4 for name in ("exposed", "added", "concealed", "fed")}
        self.untouched = True
        self.after_kong = False  # the present turn began with a replacement
        self.thorough = False
        self.shapes: dict[int, Win] = {}  # the winners' hands
        # Winners so far: seat, winning kind, hand without it, melds, events.
        self.won: list[tuple[int, int, tuple[int, ...], tuple[Meld, ...], frozenset[str]]] = []

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
        self._clear_marks(seat)
        self.passed_pengs[seat] = set()
        self.draws[seat] += 1
        self.after_kong = replacement
        return self.drawn_tile(seat, replacement)

    def _clear_marks(self, seat: int) -> None:
        if self.rules.win.passed != "rest_of_hand":
            self.marks[seat], self.most_passed[seat] = set(), -1

    def turn(self, seat: int, drawn: int) -> tuple[int | None, bool]:
        """A turn after a draw and what follows it; the next seat to draw and whether from the tail, None at the end."""
        kongs = ("gang_concealed", "gang_added") if self.left and not self.declared[seat] else ()
        if self.rules.win.must or self.thorough:
            legal = self.value(seat, drawn, "zimo") is not None and not self.is_blocked(seat, drawn, "zimo")
            if legal and self.rules.win.must:
                assert self.next()[0] == "hu", "必胡: a legal self-draw was not taken"
            assert legal or self.next()[0] != "hu"
        if self.next()[0] in ("discard", "declare"):
            return self.discard(seat, drawn)
        move, who, kind, other = self.take("hu", *kongs)
        assert who == seat
        if move == "hu":
            assert (kind, other) == (drawn, -1)
            assert not self.is_blocked(seat, drawn, "zimo"), "a self-draw after a passed win"
            self.win(seat, drawn, "zimo")
            return None, False
        return self.own_kong(seat, kind, move)

    def own_kong(self, seat: int, kind: int, move: str) -> tuple[int | None, bool]:
        """A concealed or added kong: tiles, robbers, the meld."""
        concealed = move == "gang_concealed"
        assert kind not in self.ghosts or (concealed and self.rules.ghost.kong == "allowed"), "a kong of ghosts"
        if concealed:
            assert self.hands[seat][kind] == 4
        else:
            assert self.hands[seat][kind] >= 1
            assert any(m.t == MELD_PENG and m.kind == kind for m in self.melds[seat])
        self.leave(seat, kind, 4 if concealed else 1)
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
        self.n_kongs += 1
        self._clear_marks(seat)
        if self.rules.win.first_turn_closed_by == "any_call":
            self.untouched = False
        self.conserved()

    def robbed(self, konger: int, kind: int, left_out: int, name: str) -> bool:
        """Ask the robbers of an announced kong; whether it was robbed."""
        if name not in self.rules.win.rob_kongs or "qianggang" not in self.rules.win.ways:
            return False
        return self.asked(konger, kind, "qianggang", left_out)

    def discard(self, seat: int, drawn: int | None) -> tuple[int | None, bool]:
        """A discard and all that may follow it, claims and the discards after them included.

        ``drawn`` is the tile just drawn, None after a claim.
        """
        declares = self.next()[0] == "declare"
        if declares:
            declared = self.take("declare")
            assert declared[1:] == (seat, self.next()[2], -1)
        _, who, kind, _ = self.take("discard")
        assert who == seat
        self.may_discard(seat, kind, declares, drawn)
        self.declared[seat] |= declares
        self.leave(seat, kind)
        self.discards[seat] += 1
        self.river.append(kind)
        self.conserved()
        if "dianpao" in self.rules.win.ways and self.asked(seat, kind, "dianpao", -1):
            return None, False
        self.after_kong = False
        if not self.left:
            return None, False
        move = self.next()[0]
        self.pass_pengs(seat, kind, move)
        if move in ("peng", "gang_exposed", "chi"):
            return self.claim(seat, kind, move)
        return (seat + 1) % 4, False

    def may_discard(self, seat: int, kind: int, declares: bool, drawn: int | None) -> None:
        """Whether a discard is legal, and whether it may or must declare (报听)."""
        hand, standing = self.hands[seat], self.standing[seat]
        assert hand[kind] >= 1
        needed = self.rules.play.declare == "needed"
        assert needed or not declares, "declared where nobody declares"
        if self.declared[seat]:
            assert not declares
            assert kind == drawn, "another tile than the one drawn after declaring"
            return
        kinds = {k for k, n in hand.items() if n and k not in self.ghosts}
        if self.rules.ghost.discard == "allowed" or not kinds:
            kinds = {k for k, n in hand.items() if n}
        assert kind in kinds, "a ghost was discarded"
        if not needed:
            return
        apart = self.rules.play.standing > 0
        plain = {k for k in kinds if not apart or hand[k] > standing[k]}
        ready = {k for k in kinds if (not apart or standing[k]) and self.is_ready(seat, k)}
        if declares:
            assert kind in ready, "declared without being ready"
        else:
            assert kind in plain or not plain | ready, "a standing tile was discarded"

    def is_ready(self, seat: int, without: int) -> bool:
        """Whether a seat is ready without one tile of a kind."""
        counts = [self.hands[seat][k] - (k == without) for k in range(34)]
        naturals, n_ghosts, forms = self.parts(counts)
        return is_ready(naturals, n_ghosts, len(self.melds[seat]), forms)

    def parts(self, counts: list[int]) -> tuple[list[int], int, tuple[str, ...]]:
        """Natural tiles, number of ghosts and the forms that are there for them."""
        n_ghosts = sum(counts[k] for k in self.ghosts)
        win = self.rules.win
        forms = tuple(form for form in win.forms if not n_ghosts or form not in win.natural_forms)
        return [0 if k in self.ghosts else n for k, n in enumerate(counts)], n_ghosts, forms

    def pass_pengs(self, discarder: int, kind: int, move: str) -> None:
        """漏碰: who could make a pung of a discard and neither did nor took a kong may not until its next draw."""
        for seat in range(4):
            hand = self.hands[seat]
            may = seat != discarder and hand[kind] >= 2 and kind not in self.ghosts and not self.declared[seat]
            if not may or kind in self.passed_pengs[seat]:
                continue
            others = sum(n for k, n in hand.items() if k not in self.ghosts) - 2
            claims = move in ("peng", "gang_exposed") and self.next()[1] == seat
            if others and not claims and self.rules.play.passed_peng == "same_tile":
                self.passed_pengs[seat].add(kind)

    def claim(self, discarder: int, kind: int, move: str) -> tuple[int | None, bool]:
        """A claim of a discard and the discard after it."""
        _, who, claimed, feeder = self.take(move)
        assert feeder == discarder != who
        assert kind not in self.ghosts
        assert not self.declared[who], "a claim after declaring"
        if move == "chi":
            self.chi(who, claimed, kind, discarder)
        else:
            assert claimed == kind
            n = 2 if move == "peng" else 3
            assert self.hands[who][kind] >= n, f"{move} without the tiles"
            assert move != "peng" or kind not in self.passed_pengs[who], "漏碰: a pung that was passed"
            self.river.pop()
            if move == "gang_exposed" and self.robbed(who, kind, discarder, "direct"):
                self.river.append(kind)
                return None, False
            self.calls[who] += 1
            self.leave(who, kind, n)
            self.melds[who].append(Meld(MELD_PENG if move == "peng" else MELD_EXPOSED, kind, discarder))
        self._clear_marks(who)
        if move == "gang_exposed":
            self.made["fed"][discarder] += 1
            self._konged(who, "exposed")
            return who, True
        self.untouched = False
        self.conserved()
        assert any(n for k, n in self.hands[who].items() if k not in self.ghosts), "nothing but ghosts is left"
        return self.discard(who, None)

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
                self.leave(who, k)
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
            if not self.is_blocked(seat, kind, source) and (score := self.value(seat, kind, source)):
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

    def is_blocked(self, seat: int, kind: int, source: str) -> bool:
        """Whether a passed win bars this one (漏胡), its value aside."""
        if self.rules.win.passed == "rest_of_hand":
            return bool(self.marks[seat])
        if source == "zimo":
            return False
        if self.rules.win.passed == "all_tiles":
            return bool(self.marks[seat])
        return self.rules.win.passed == "same_tile" and kind in self.marks[seat]

    def value(self, seat: int, kind: int, source: str) -> Score | None:
        """Value of the seat's hand with ``kind`` (drawn already in a self-draw), None when it may not win."""
        win = self.win_of(seat, kind, source)
        return best_score(self.rules, win) if win else None

    def win_of(self, seat: int, kind: int, source: str) -> Win | None:
        """The seat's hand as one that wins by its shape; None when it does not, or may not win at all."""
        if source not in self.rules.win.ways:
            return None
        if self.rules.play.declare == "needed" and not self.declared[seat]:
            return None
        counts = [self.hands[seat][k] for k in range(34)]
        counts[kind] += source != "zimo"
        melded = {k for meld in self.melds[seat] for k in meld.tiles}
        if any(counts[k] or k in melded for k in self.barred - self.ghosts):
            return None
        naturals, n_ghosts, forms = self.parts(counts)
        four = source == "zimo" and self.rules.ghost.four == "win" and any(counts[k] == 4 for k in self.ghosts)
        if not four and not is_complete(naturals, n_ghosts, len(self.melds[seat]), forms):
            return None
        counts[kind] -= 1
        east = self.chair if self.rules.dealer.seat_wind == "chair" else self.row["dealer"]
        return Win(
            tuple(counts),
            kind,
            tuple(self.melds[seat]),
            OUTCOMES.index(source),
            self.ghosts,
            (seat - east) % 4,
            self.row["round_wind"],
            self.events(seat, source),
        )

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
        won = self.win_of(seat, kind, source)
        assert won is not None, "a win that is not legal"
        self.shapes[seat] = won
        held = self.hands[seat] - Counter({kind: int(source == "zimo")})
        assert best_score(self.rules, won) is not None, "a win without the least fan"
        self.won.append((seat, kind, tuple(held.elements()), tuple(self.melds[seat]), self.events(seat, source)))
        logged = {win["winner"]: win for win in self.wins}[seat]
        assert OUTCOMES[logged["source"]] == source == OUTCOMES[self.row["outcome"]]
        assert (self.row["from_seat"], self.row["win_tile"]) == (from_seat, kind)
        assert logged["win_turn"] == self.discards[seat]
        assert logged["concealed"] == (not any(meld.is_exposed for meld in self.melds[seat]))

    # The end

    def end(self) -> None:
        """Horses, the last move, and the log row."""
        horses = self.open_horses()
        assert self.take("end")[1:] == (-1, -1, self.row["outcome"])
        assert self.at == len(self.moves)
        row = self.row
        assert (row["outcome"] == 0) == (not self.wins)
        assert row["winners"] == sum(1 << win["winner"] for win in self.wins)
        if row["outcome"] == 0:
            assert self.left == 0
            assert (row["from_seat"], row["win_tile"]) == (-1, -1)
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

    def open_horses(self) -> int:
        """Horses after a win, those of the seats from the dealer on; how many."""
        holders = []
        while self.next()[0] == "horse":
            _, holder, kind, _ = self.take("horse")
            self.leaves_wall(kind)
            holders.append(holder)
        assert len(holders) <= MAX_HORSES
        assert not holders or self.wins
        if self.rules.horses.kind == "held" and self.wins:
            each = self.rules.horses.count
            assert holders == [(self.row["dealer"] + i) % 4 for i in range(4) for _ in range(each)]
        else:
            assert set(holders) <= {-1}
            assert not holders or self.rules.horses.kind == "drawn"
        return len(holders)


def follow(rules: Rules, hand: Hand, chair: int, thorough: bool = False) -> None:
    """Check one hand; ``chair`` is the table's first dealer.

    ``thorough`` also asks at every discard and draw whether a win was legal and nobody was asked for it.
    """
    referee = Referee(rules, hand, chair)
    referee.thorough = thorough
    referee.follow()
