"""Explanations of wins: the reading is the hand, it has what was priced, and the payments add up."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from analysis.cli import score as command
from analysis.single.score_input import TABLE_KEYS, WINNER_KEYS
from sim import patterns, tiles
from sim.explain import explain
from sim.explain_payments import total
from sim.explain_reading import Reading, find_reading, ghost_kinds
from sim.flags import successor
from sim.rules import Rules, load, names
from sim.score import EVENT_FLAGS, Claim, Meld, ScoreError, Table, score
from tests.options import random_rules

CASES = json.loads((Path(__file__).parent / "data" / "cases.json").read_text(encoding="utf-8"))["cases"]
SEEDS = range(300)
HANDS_OF_A_SEED = 20


def request_of(case: dict[str, Any]) -> dict[str, Any]:
    request = {key: case[key] for key in (*TABLE_KEYS, *WINNER_KEYS, "winners") if case.get(key) is not None}
    overrides = {f"win.{name}": case[name] for name in ("min_fan", "rob_shares") if name in case}
    if "winners" in request:
        request["winners"] = [{key: part[key] for key in WINNER_KEYS if key in part} for part in request["winners"]]
    return request | {"rules": overrides}


@pytest.mark.parametrize(
    "case", [c for c in CASES if c["kind"] in ("score", "multi") and c["preset"] in names()], ids=lambda c: c["id"]
)
def test_worked_cases(case: dict[str, Any]) -> None:
    request = request_of(case)
    answer = command.answer_and_explain(request)
    explained = answer.pop("explain", None)
    assert answer == command.answer(request)
    if explained is None:
        assert answer["is_win"] is False
        return
    assert total(explained["payments"]) == answer["payments"] == case["expected"]["payments"]
    hands = explained["hands"] if "winners" in request else [explained]
    fans = answer["fans"] if "winners" in request else [answer["fans"]]
    for hand, listed in zip(hands, fans, strict=True):
        if hand is not None:
            assert [fan["name"] for fan in hand["fans"] if fan["role"] not in ("double", "floor")] == listed
            assert all(fan["source"] for fan in hand["fans"])
    if "bao" in case:
        assert [entry["from"] for entry in explained["payments"] if entry["reason"] == "liability"] == [case["bao"]]


# Random hands


def _set(rng: random.Random, deck: list[int], stock: Counter[int], may_chow: bool = True) -> tuple[int, ...] | None:
    kind = rng.choice(deck)
    is_chow = may_chow and kind < tiles.FIRST_HONOUR and kind % 9 < 7 and rng.random() < 0.5
    kinds = (kind, kind + 1, kind + 2) if is_chow else (kind,) * 3
    return _taken(kinds, stock)


def _taken(kinds: tuple[int, ...], stock: Counter[int]) -> tuple[int, ...] | None:
    wanted = Counter(kinds)
    if any(stock[k] < n for k, n in wanted.items()):
        return None
    stock.subtract(wanted)
    return kinds


def _meld(rng: random.Random, kinds: tuple[int, ...], winner: int, stock: Counter[int]) -> Meld:
    feeder = rng.choice([seat for seat in range(4) if seat != winner])
    if len(set(kinds)) == 3:
        return Meld("chi", kinds, (winner - 1) % 4)
    if rng.random() < 0.5 or _taken(kinds[:1], stock) is None:
        return Meld("peng", kinds, feeder)
    name = rng.choice(["minggang", "bugang", "angang"])
    return Meld(name, kinds[:1] * 4, None if name == "angang" else feeder)


def _concealed(rng: random.Random, rules: Rules, deck: list[int], stock: Counter[int], n_sets: int) -> list[int] | None:
    """Tiles of a complete hand, as one of the forms."""
    form = rng.choice(["standard", "standard", *rules.win.forms]) if n_sets == 4 else "standard"
    if form == "thirteen_orphans":
        kinds = [k for k in range(34) if (tiles.TERMINAL_MASK | tiles.HONOUR_MASK) >> k & 1]
        return [*kinds, rng.choice(kinds)] if set(kinds) <= set(deck) else None
    if form == "seven_pairs":
        found: list[int] = []
        while len(found) < 14:
            found += _taken((rng.choice(deck),) * 2, stock) or ()
        return found
    groups = [_set(rng, deck, stock) for _ in range(n_sets)]
    groups.append(_taken((rng.choice(deck),) * 2, stock))
    if any(group is None for group in groups):
        return None
    return [kind for group in groups if group for kind in group]


def random_win(rng: random.Random, rules: Rules) -> tuple[list[Claim], Table]:
    """A win, or several, that the rule set may know; ghosts take the places of some tiles."""
    deck = list(tiles.TILE_SETS[rules.tiles])
    ghosts = _random_ghosts(rng, rules, deck)
    source = rng.choice(rules.win.ways)
    dealer, winners = rng.randrange(4), rng.sample(range(4), 1 if source == "zimo" else rng.choice([1, 1, 2, 3]))
    from_seat = None if source == "zimo" else rng.choice([seat for seat in range(4) if seat not in winners])
    claims: list[Claim] = []
    win: int | None = None
    for winner in winners:
        claim = None
        while claim is None:
            claim = _random_claim(rng, rules, winner, ghosts, win)
        win = claim.win
        flags = {flag for flag, (way, _) in EVENT_FLAGS.items() if way == source and rng.random() < 0.15}
        claims.append(Claim(winner, claim.hand, claim.win, claim.melds, frozenset(flags)))
    table = Table(
        source,
        from_seat,
        dealer,
        rng.randrange(4),
        ghosts,
        _random_horses(rng, rules, deck),
        rng.randrange(4) if rules.horses.origin == "previous_winner" or rng.random() < 0.1 else None,
        tuple(rng.choice(_kong_payments(rules)) for _ in range(rng.randrange(3))),
        rng.choice([0, 0, 1, 3, 12]),
        {
            seat: _random_melds(rng, rules, [k for k in deck if k not in ghosts], seat)
            for seat in range(4)
            if seat not in winners and rng.random() < 0.7
        },
        rng.random() < 0.7,
        tuple(rng.choice([(6, -2, -2, -2), (1, 1, -5, 3)]) for _ in range(rng.randrange(2))),
    )
    return claims, table


def _kong_payments(rules: Rules) -> list[tuple[int, int, int, int]]:
    of_one = [(6, -2, -2, -2), (0, 3, -3, 0)]
    return of_one if rules.kong.follow_horses else [*of_one, (1, 1, -5, 3)]


def _random_melds(rng: random.Random, rules: Rules, deck: list[int], seat: int) -> tuple[Meld, ...]:
    stock = Counter({kind: 4 for kind in deck})
    groups = [_set(rng, deck, stock, rules.play.chi) for _ in range(rng.randrange(5))]
    return tuple(_meld(rng, kinds, seat, stock) for kinds in groups if kinds)


def _random_ghosts(rng: random.Random, rules: Rules, deck: list[int]) -> tuple[int, ...]:
    """Ghosts that the rule set can have, or none."""
    if rng.random() < 0.2:
        return ()
    following = [int(kind) for kind in successor(rules.honour_cycle)]
    first = following[rng.choice(deck)]
    return {
        "none": (),
        "fixed": tuple(tiles.parse_one(text) for text in rules.ghost.kinds),
        "turned": (first,),
        "turned_two": (first, following[first]) if following[first] != first else (first,),
    }[rules.ghost.mode]


def _random_claim(
    rng: random.Random, rules: Rules, winner: int, ghosts: tuple[int, ...], win: int | None
) -> Claim | None:
    deck = list(tiles.TILE_SETS[rules.tiles])
    if rng.random() < 0.4:
        suit = rng.randrange(3)
        deck = [k for k in deck if k // 9 in (suit, 3)] or deck
    stock = Counter({k: 4 for k in deck if k not in ghosts})
    melds: list[Meld] = []
    for _ in range(rng.choice([0, 0, 1, 2, 4])):
        kinds = _set(rng, deck, stock, rules.play.chi)
        if kinds is not None:
            melds.append(_meld(rng, kinds, winner, stock))
    held = _concealed(rng, rules, deck, stock, 4 - len(melds))
    if held is None:
        return None
    rng.shuffle(held)
    if ghosts:
        n = rng.choice([0, 0, 1, 2, 3, 4])
        if n == 4 and rules.ghost.four == "win":  # four ghosts need no shape
            held[n:] = rng.sample(sorted(stock.elements()), len(held[n:]))
            held[:n] = [ghosts[0]] * len(held[:n])
        else:
            held[:n] = [rng.choice(ghosts) for _ in held[:n]]
        if max(held.count(ghost) for ghost in ghosts) > 4:
            return None
    if win is not None:
        if win not in held:
            held[-1] = win  # perhaps no win
        held.remove(win)
        held.append(win)
    else:
        rng.shuffle(held)
    return Claim(winner, tuple(held[:-1]), held[-1], tuple(melds), frozenset())


def _random_horses(
    rng: random.Random, rules: Rules, deck: list[int]
) -> dict[int, tuple[int, ...]] | tuple[int, ...] | None:
    if rules.horses.kind == "held":
        return {seat: tuple(rng.choice(deck) for _ in range(rng.randrange(3))) for seat in range(4)}
    if rules.horses.kind == "drawn":
        return tuple(rng.choice(deck) for _ in range(rng.choice([0, 2, 6, 14]))) or None
    return None


def assert_is_the_hand(reading: Reading, rules: Rules, claim: Claim, table: Table) -> None:
    """The groups are allowed ones and made of exactly the tiles and ghosts that are there."""
    ghosts = ghost_kinds(table)
    held = [*claim.hand, claim.win]
    concealed = [*reading.sets[len(claim.melds) :], *([reading.pair] if reading.pair else [])]
    assert tuple(group.kinds for group in reading.sets[: len(claim.melds)]) == tuple(m.kinds for m in claim.melds)
    if reading.form == "four_ghosts":
        assert not concealed
        assert any(held.count(ghost) == 4 for ghost in ghosts)
        return
    assert reading.form in rules.win.forms
    filled = reading.filled
    if not filled and rules.scoring.yinghu == "as_itself":
        ghosts = frozenset()  # every ghost is its own kind
    natural = Counter(kind for group in concealed for kind in group.kinds) - Counter(filled)
    assert natural == Counter(kind for kind in held if kind not in ghosts)
    assert len(filled) == sum(kind in ghosts for kind in held)
    assert set(filled) <= set(tiles.TILE_SETS[rules.tiles])
    sizes = [len(group.kinds) for group in concealed]
    if reading.form == "seven_pairs":
        assert sizes == [2] * 7
        assert all(len(set(group.kinds)) == 1 for group in concealed)
    elif reading.form == "thirteen_orphans":
        assert sizes == [1] * 12 + [2]
    else:
        assert sizes == [3] * (4 - len(claim.melds)) + [2]
        for group in concealed:
            assert len(set(group.kinds)) == 1 or group.kinds == tuple(range(group.kinds[0], group.kinds[0] + 3))


def _check(rng: random.Random, rules: Rules) -> Counter[str]:
    """Explain one random win; return what was seen."""
    claims, table = random_win(rng, rules)
    try:
        results, payments = score(rules, claims, table)
    except ScoreError:
        return Counter()
    hands, entries = explain(rules, claims, table, results)
    assert total(entries) == payments
    assert all(entry["points"] > 0 and entry["from"] != entry["to"] for entry in entries)
    seen = Counter(entry["reason"] for entry in entries)
    for claim, result, hand in zip(claims, results, hands, strict=True):
        assert (hand is not None) == result.is_win
        if hand is None:
            continue
        reading = find_reading(rules, claim, table, result)
        assert_is_the_hand(reading, rules, claim, table)
        assert sum(1 << patterns.INDEX[fan["slug"]] for fan in hand["fans"]) == result.counted
        seen[reading.form] += 1
        seen["wins"] += 1
        seen["several"] += len(claims) > 1 and result.is_paid
    return seen


def test_random_wins_of_random_rule_sets() -> None:
    seen: Counter[str] = Counter()
    for seed in SEEDS:
        rng, rules = random.Random(seed), random_rules(seed)
        for _ in range(HANDS_OF_A_SEED):
            seen += _check(rng, rules)
    assert seen["wins"] > 2_000
    forms = ("standard", "seven_pairs", "thirteen_orphans", "four_ghosts")
    reasons = ("share", "rob", "liability", "repeat", "multiples", "horse", "horse_fine", "kong_horse", "loss_cap")
    reasons += ("kong_pay", "other_pay")
    assert [name for name in (*forms, *reasons, "several") if seen[name] < 20] == []


@pytest.mark.parametrize("name", names())
def test_random_wins_of_shipped_rule_sets(name: str) -> None:
    rng, rules = random.Random(name), load(name)
    assert sum((_check(rng, rules) for _ in range(100)), Counter())["wins"] > 20


# Single explanations


def ask(**fields: Any) -> dict[str, Any]:
    request = {"preset": "maima", "source": "zimo", "winner": 1} | fields
    explained: dict[str, Any] = command.answer_and_explain(request)["explain"]
    return explained


def test_ghosts_stand_for_what_pays_most() -> None:
    told = ask(hand="123m456p789s5s6mEE", win="5s", ghost="6m")
    assert (told["form"], told["pair"], told["ghosts"]) == ("standard", "EE", {"6m": ["5s"]})
    assert told["sets"] == ["123m", "456p", "555s", "789s"]
    assert [(fan["slug"], fan["role"], fan["value"]) for fan in told["fans"]] == [
        ("chicken", "item", 2),
        ("zimo", "double", 2),
    ]


def test_each_held_horse_names_its_holder_and_seat() -> None:
    told = ask(hand="123m456p789s55sEE", win="5s", horses={"0": ["4s"], "2": ["9s"]}, ghost="6m")
    horses = [
        (e["from"], e["to"], e["holder"], e["seat"], e["tile"]) for e in told["payments"] if e["reason"] == "horse"
    ]
    assert horses == [(0, 1, 0, 0, "4s"), (0, 2, 2, 1, "9s"), (3, 2, 2, 1, "9s")]


def test_liability_names_its_kind_and_clause() -> None:
    melds = [{"t": "peng", "tiles": tile * 3, "from": seat} for tile, seat in (("Z", 0), ("F", 3), ("B", 2))]
    (entry,) = ask(preset="jipinghu", hand="123m1p", win="1p", melds=melds)["payments"]
    assert (entry["from"], entry["points"], entry["kind"]) == (2, 192, "dragons_winds")
    assert "大三元" in entry["source"]


def test_the_cap_on_losses_is_a_payment_back() -> None:
    told = ask(hand="123m456p789s55sEE", win="5s", ghost="6m", rules={"scoring.loss_cap": 5})
    backs = [(e["from"], e["to"], e["points"]) for e in told["payments"] if e["reason"] == "loss_cap"]
    assert backs == [(1, seat, 3) for seat in (0, 2, 3)]


def test_an_event_changes_what_a_chicken_counts() -> None:
    told = ask(hand="123m456p789s46sEE", win="5s", ghost="6m", source="qianggang", **{"from": 0})
    assert [(fan["slug"], fan["value"]) for fan in told["fans"]] == [("chicken", 0), ("qianggang", 8), ("yinghu", 2)]
    assert "R01" in str(told["fans"][0]["source"])


# The command


WIN = {"preset": "jipinghu", "hand": "123m456p789s55sNN", "win": "5s", "source": "zimo", "winner": 1}


def test_the_file_may_follow_the_option(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from analysis import cli

    file = tmp_path / "hands.jsonl"
    file.write_text(json.dumps(WIN) + "\n", encoding="utf-8")
    for argv in (["--explain", str(file)], [str(file), "--explain"], ["--explain=json", str(file)]):
        assert cli.main(["score", *argv]) == 0
        assert json.loads(capsys.readouterr().out)["explain"]["form"] == "standard"
    assert cli.main(["score", str(file), "--explain=verse"]) == 2
    assert "verse" in capsys.readouterr().err


def test_text_tells_reading_fans_and_payments(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from analysis import cli

    file = tmp_path / "hands.jsonl"
    several = {
        "preset": "maima",
        "from": 0,
        "winners": [
            {"winner": 1, "hand": "111m333p55s99pSSS", "win": "5s"},
            {"winner": 3, "hand": "123s34s66s777s999m", "win": "5s"},
        ],
    }
    lines = [WIN, several, WIN | {"win": "Z"}]
    file.write_text("".join(json.dumps(line) + "\n" for line in lines) + "{\n", encoding="utf-8")
    assert cli.main(["score", str(file), "--explain=text"]) == 1
    printed = capsys.readouterr().out
    wanted = ("123m 456p 555s 789s NN", "自摸  +1 fan", "0 -> 1: 2  一份 share", "-2 +6 -2 -2", "seat 1", "碰碰胡  8")
    assert [text for text in (*wanted, "no win: shape", "error: not JSON") if text not in printed] == []


def test_the_example_of_the_readme_is_what_text_says(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from analysis import cli

    readme = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
    example = r"^\$ echo '([^\n]*)' \| gdmj score --explain=text\n(.*?)^```$"
    ((request, text),) = re.findall(example, readme, re.MULTILINE | re.DOTALL)
    file = tmp_path / "hands.jsonl"
    file.write_text(request, encoding="utf-8")
    assert cli.main(["score", "--explain=text", str(file)]) == 0
    assert capsys.readouterr().out == f"{text}\n"


def test_every_reason_has_a_text() -> None:
    from analysis.single.score_text import to_text

    rng = random.Random(5)
    for seed in range(60):
        rules = random_rules(seed)
        claims, table = random_win(rng, rules)
        try:
            results, payments = score(rules, claims, table)
        except ScoreError:
            continue
        hands, entries = explain(rules, claims, table, results)
        answer = {
            "is_win": [result.is_win for result in results],
            "fan": [result.fan for result in results],
            "points": [result.points for result in results],
            "reason": [result.reason for result in results],
            "payments": payments,
            "explain": {"hands": hands, "payments": entries},
        }
        assert to_text(answer).count(" -> ") == len(entries)
