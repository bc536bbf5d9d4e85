"""What may be won and how."""

from __future__ import annotations

from sim.rules import Rules
from sim.schema import DIANPAO, QIANGGANG
from sim.tiles import parse_one
from tests import settle
from tests.hands_played import Hand
from tests.referee import Referee
from tests.settle import moves
from tests.toggles.entries import ALL_WAYS, TWO_GHOSTS, Entry, Law, Money, Play
from tests.toggles.looks import (
    Position,
    at_first_difference,
    both,
    counted,
    differing,
    ever,
    has,
    has_win,
    settled,
    win_of,
)

BARRED = ["5m", "5p", "5s", "Z"]
PAIRS = {
    "win.must": True,
    "win.forms": ["standard", "seven_pairs"],
    "patterns.seven_pairs": {"role": "special", "value": 9},
}


def other_winner_law(a: Hand, b: Hand, ra: Rules, rb: Rules) -> bool:
    """Of several winners one is left, by the rule's name."""
    assert len(a.wins) > 1
    seats = [win["winner"] for win in a.wins]
    assert seats == sorted(seats, key=lambda seat: (seat - a.row["from_seat"]) % 4)
    dealer = a.row["dealer"]
    right = {
        "nearest": seats[0],
        "from_dealer": min(seats, key=lambda seat: (seat - dealer) % 4),
        "biggest": max(a.wins, key=lambda win: win["points"])["winner"],
    }[rb.win.multiple]
    assert [win["winner"] for win in b.wins] == [right]
    assert b.row["from_seat"] == a.row["from_seat"]
    return True


def one_winner(hand: Hand, rules: Rules) -> None:
    assert len(hand.wins) < 2


def passed_law(a: Hand, b: Hand, ra: Rules, rb: Rules) -> bool:
    """The seat that is asked once more under "off" has passed a win since its last draw or call."""
    one, _, i = differing(a, b)
    if rb.win.passed == "rest_of_hand":  # bars self-draws too, and nothing lifts it
        assert one[1] in [move[1] for move in moves(a)[:i] if move[0] == "pass"]
        return True
    assert one[0] in ("pass", "hu")
    seat, before = one[1], []
    for move in reversed(moves(a)[:i]):
        if move[1] == seat and move[0] in ("draw", "draw_tail", "chi", "peng", "gang_exposed"):
            break
        before += [move] if move[0] == "pass" and move[1] == seat else []
    assert before
    if rb.win.passed == "same_tile":
        assert one[2] in [move[2] for move in before]
    return True


def robbed_after(name: str) -> Law:
    """The second side robs a kong of one kind."""

    def law(a: Hand, b: Hand, ra: Rules, rb: Rules) -> bool:
        _, other, i = differing(a, b)
        assert other[0] in ("hu", "pass")
        last = [move for move in moves(b)[:i] if move[0] not in ("hu", "pass")][-1]
        assert last[:3] == (name, other[3], other[2])
        return True

    return law


def forms_law(a: Hand, b: Hand, ra: Rules, rb: Rules) -> bool:
    """Random bots that must win: the form changes wins, and what is said of the distance to one."""
    if moves(a) != moves(b):
        _, other, _ = differing(a, b)
        assert other[0] == "hu"
        assert has(b, "seven_pairs")
        return True
    distance = ("shanten_deal_", "ready_turn_")
    changed = [name for name in a.row if a.row[name] != b.row[name] and not name.startswith(distance)]
    assert not changed or has(b, "seven_pairs")
    for x, y in both(a, b):
        assert counted(x) == counted(y) or "seven_pairs" in counted(y)
    return True


def natural_forms_law(a: Hand, b: Hand, ra: Rules, rb: Rules) -> bool:
    """Bots that must win: pairs with ghosts among them do not win, nor count, nor bring a hand nearer to a win."""
    if moves(a) != moves(b):
        one, _, _ = differing(a, b)
        assert one[0] == "hu"
        assert "seven_pairs" in counted(win_of(a, one[1]))
        assert with_ghosts(a, ra, one[1])
        return True
    distance = ("shanten_deal_", "ready_turn_")
    changed = [name for name in a.row if a.row[name] != b.row[name] and not name.startswith(distance)]
    lost = [x for x, y in both(a, b) if "seven_pairs" in counted(x) - counted(y)]
    assert not changed or lost
    for x, y in both(a, b):
        assert counted(x) == counted(y) or x in lost
    assert all(with_ghosts(a, ra, win["winner"]) for win in lost)
    return True


def with_ghosts(hand: Hand, rules: Rules, winner: int) -> bool:
    """Whether a winner's concealed tiles, the winning one included, have a ghost."""
    return hand.row[f"ghosts_{winner}"] > 0 or hand.row["win_tile"] in settle.ghosts(hand, rules)


def natural_pairs_only(hand: Hand, rules: Rules) -> None:
    for win in hand.wins:
        assert "seven_pairs" not in counted(win) or not with_ghosts(hand, rules, win["winner"])


def barred_win_law(a: Hand, b: Hand, ra: Rules, rb: Rules) -> bool:
    """Random bots that must win: only wins with a barred tile, in hand or melded, are gone."""
    one, _, i = differing(a, b)
    _, seat, kind, _ = one
    assert one[0] == "hu"
    position = Position(rb, b, i)
    assert holds_barred(position, seat) or kind in barred(position)
    return True


def barred_play_law(a: Hand, b: Hand, ra: Rules, rb: Rules) -> bool:
    """Ukeire bots get rid of barred tiles first, and claim none."""
    one, other, i = differing(a, b)
    position = Position(rb, b, i)
    kinds = barred(position)
    if other[0] == "discard":
        assert other[2] in kinds or (one[0] == "hu" and holds_barred(position, other[1]))
    elif one[0] == "hu":
        assert holds_barred(position, one[1]) or one[2] in kinds
    else:
        assert one[0] in ("chi", "peng", "gang_exposed")
        assert position.river[-1] in kinds
    return True


def barred(position: Referee) -> set[int]:
    """Kinds whose holder does not win, ghosts of the hand aside."""
    return {parse_one(kind) for kind in position.rules.win.barred} - position.ghosts


def holds_barred(position: Referee, seat: int) -> bool:
    melded = {kind for meld in position.melds[seat] for kind in meld.tiles}
    return any(position.hands[seat][kind] or kind in melded for kind in barred(position))


def no_barred_win(hand: Hand, rules: Rules) -> None:
    for win in hand.wins:
        assert not holds_barred(settle.followed(hand, rules), win["winner"])


def no_pass(hand: Hand, rules: Rules) -> None:
    assert not moves(hand, "pass")


def at_least_fan(hand: Hand, rules: Rules) -> None:
    for win in hand.wins:
        least = rules.win.min_fan
        if win["source"] == DIANPAO:
            least = max(least, rules.win.min_fan_discard)
        assert win["fan"] >= min(least, rules.scoring.cap)


ENTRIES: list[Entry] = [
    Play(
        "win.ways", ["zimo", "qianggang"], ALL_WAYS,
        at_first_difference(lambda one, other, a, b: other[0] == "hu" and b.row["outcome"] == DIANPAO),
        "xinzhang", {"win.chicken_ways": ["zimo"]},
    ),
    Play(
        "win.ways", ALL_WAYS, ["zimo", "dianpao"],
        at_first_difference(lambda one, other, a, b: one[0] == "hu" and a.row["outcome"] == QIANGGANG),
        "xinzhang", {"win.chicken_ways": ["zimo", "dianpao"]}, n_tables=20_000,
    ),
    Play(
        "win.chicken_ways", ["zimo", "qianggang"], ALL_WAYS,
        at_first_difference(
            lambda one, other, a, b: other[0] == "hu"
            and b.row["outcome"] == DIANPAO
            and "chicken" in counted(win_of(b, other[1]))
        ),
        "maima",
    ),
    Play(
        "win.forms", ["standard"], ["standard", "seven_pairs"], forms_law,
        common=TWO_GHOSTS | {"win.must": True, "patterns.seven_pairs": {"role": "special", "value": 9}},
        bot="random", n_tables=20_000,
    ),
    Play(
        "win.natural_forms", [], ["seven_pairs"], natural_forms_law, always=natural_pairs_only,
        common=TWO_GHOSTS | PAIRS, bot="random", n_tables=20_000,
    ),
    Play(
        "win.barred", [], BARRED, barred_win_law, always=no_barred_win, common=TWO_GHOSTS | {"win.must": True},
        bot="random", n_tables=6_000,
    ),
    Play("win.barred", [], BARRED, barred_play_law, always=no_barred_win, seen=has_win),
    Play(
        "win.min_fan", 0, 2,
        at_first_difference(lambda one, other, a, b: one[0] == "hu" and win_of(a, one[1])["fan"] < 2),
        always=at_least_fan,
    ),
    Play(
        "win.min_fan_discard", 0, 2,
        at_first_difference(
            lambda one, other, a, b: one[0] == "hu" and a.row["outcome"] == DIANPAO and win_of(a, one[1])["fan"] < 2
        ),
        always=at_least_fan,
    ),
    Play(
        "win.must", False, True, at_first_difference(lambda one, other, a, b: other[0] == "hu" != one[0]),
        common=TWO_GHOSTS, bot="random", always=no_pass,
    ),
    *(
        Play("win.multiple", "all", high, other_winner_law, preset, common, always=one_winner, n_tables=3_000)
        for preset, common in (("maima", {"win.chicken_ways": ALL_WAYS}),)
        for high in ("nearest", "from_dealer", "biggest")
    ),
    *(
        Play("win.passed", "off", high, passed_law, common=TWO_GHOSTS, bot="random", n_tables=20_000)
        for high in ("same_tile", "all_tiles", "same_value", "rest_of_hand")
    ),
    Play(
        "win.rob_kongs", ["added"], ["added", "concealed"], robbed_after("gang_concealed"), "zhuama", TWO_GHOSTS,
        n_tables=6_000,
    ),
    Play(
        "win.rob_kongs", ["added"], ["added", "direct"], robbed_after("gang_exposed"), "zhuama", n_tables=6_000
    ),
    Money("win.payers", "discarder", "all", settled(ever(DIANPAO)), common={"win.multiple": "nearest"}),
    Money("win.rob_shares", 1, 3, settled(ever(QIANGGANG)), "zhuama"),
]  # fmt: skip
