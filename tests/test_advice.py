"""Tips that bots follow: on the same walls nothing differs before a state that the tip names, and there as it asks."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from sim.engine import Plan, PlanError, Player
from sim.play_key import play_key
from sim.policy import BOTS, LEVEL, LEVELLED, LEVELS, OBEY, OPPOSE, TIPS, bot_codes, is_blind_to_prices, sees_wall
from sim.rules import Rules, load
from sim.schema import PASS
from sim.trials import Trial, TrialPlayer
from tests.oracle.tip_levels import LEVEL_STATES
from tests.oracle.tips import STATES, Seen, seen

Played = dict[tuple[str, str, str, int], list[pl.DataFrame]]

ALL_STATES = STATES | LEVEL_STATES
# Whether an answer was another one: the same seat was asked the same, with the same tiles everywhere.
ANSWERS = ("move", "kind", "chi_low", "from_draw")
ASKED = ("seat", "turn", "wall_left", *(f"{name}_{s}" for name in ("hand_lo", "hand_hi", "melds") for s in range(4)))
PLAIN: tuple[str, dict[str, str]] = ("jipinghu", {})
# Rule set, the other seats' bot, hands, and hands that must differ at least, for tips whose states are rare; hands
# under a minimum that `ukeire` cannot plan for last long. All others: DEFAULT. The numbers are those of the fixed seed.
DEFAULT = (PLAIN, "ukeire", 300, 10)
LONG = (("jipinghu", {"win.min_fan": "3"}), "ukeire", 1000, 5)
GHOSTS = (("jipinghu", {"ghost.mode": "turned"}), "random", 1000, 1)
CASES: dict[str, tuple[tuple[str, dict[str, str]], str, int, int]] = {
    "+T02": (*LONG[:3], 0),  # `ukeire` has no pair of winds so late, or is ready with it
    "-T02": (*LONG[:3], 1),
    "+T07": GHOSTS,
    "-T07": GHOSTS,
    "+T08": LONG,
    "-T08": LONG,
    "+T12": (*LONG[:3], 1),  # `ukeire` pungs nearly all of them anyway
    "-T12": (PLAIN, "ukeire", 300, 2),
    "+T23": LONG,
    "-T23": (*LONG[:3], 0),  # `ukeire` pushes anyway
    "+T26": LONG,
    "-T26": LONG,
    "+T32": LONG,
    "-T32": LONG,
    "+T33": (("zhuama", {}), "ukeire", 1000, 5),
    "-T33": (*LONG[:3], 1),  # `ukeire` makes all kongs but those that cost it a step
    "+T35": (PLAIN, "ukeire", 300, 0),  # `ukeire` calls anyway
    "+T06.1": (PLAIN, "ukeire", 300, 2),
    "-T06.1": (PLAIN, "ukeire", 300, 2),
    "+T06.2": (PLAIN, "ukeire", 300, 5),
    "-T06.2": (PLAIN, "ukeire", 300, 5),
    "+T12.1": (PLAIN, "ukeire", 1000, 5),
    **{f"-T23.{level}": (PLAIN, "ukeire", 300, 0) for level in (1, 2, 3, 4)},  # it pushes; the next test has others
}


def hands(rules: Rules, bots: tuple[str, str, str, str], n: int) -> list[pl.DataFrame]:
    """Play the first hand of ``n`` tables; return the decisions of each."""
    player = Player(Plan(rules, n, bots, 17, "session", 1), "trace")
    player.rows(0, n, 1)
    return pl.DataFrame(player.events()).partition_by("table", maintain_order=True)


@pytest.fixture(scope="module")
def played() -> Played:
    return {}


def check(tip: str, base: str, others: str, rules: Rules, without: list[pl.DataFrame]) -> int:
    """Compare hands with and without a tip; return how many differ."""
    n_different = 0
    tipped_hands = hands(rules, (base + tip, others, others, others), len(without))
    for one, two in zip(without, tipped_hands, strict=True):
        if one.equals(two):
            continue
        n_different += 1
        plain, tipped = one.to_dicts(), two.to_dicts()
        place = next(i for i, (a, b) in enumerate(zip(plain, tipped, strict=False)) if a != b)
        a, b = plain[place], tipped[place]
        where = f"{base}{tip} table {a['table']} step {place}"
        assert a["seat"] == 0, where
        assert [a[name] for name in ASKED] == [b[name] for name in ASKED], where
        assert [a[name] for name in ANSWERS] != [b[name] for name in ANSWERS], where
        earlier: list[Seen] = [seen(rules, row) for row in plain[:place] if row["seat"] == 0]
        answer = ALL_STATES[tip](seen(rules, a), earlier)
        assert answer is not None, f"{where}: the state does not hold"
        assert answer(b), f"{where}: another answer than the tip's"
    return n_different


@pytest.mark.parametrize("tip", sorted(ALL_STATES))
def test_hands_differ_in_the_named_states_alone(tip: str, played: Played) -> None:
    (variant, overrides), others, n, least = CASES.get(tip, DEFAULT)
    rules = load(variant, overrides)
    key = (variant, str(overrides), others, n)
    if key not in played:
        played[key] = hands(rules, ("ukeire", others, others, others), n)
    n_different = check(tip, "ukeire", others, rules, played[key])
    assert n_different >= least


@pytest.mark.parametrize("base", ["value", "shanten"])
def test_other_bots_follow_tips_too(base: str) -> None:
    rules = load("jipinghu")
    without = hands(rules, (base,) * 4, 150)
    for tip in ("+T10", "-T15", "-T35", "+T03", "+T11"):
        assert check(tip, base, base, rules, without) > 0


@pytest.mark.parametrize(
    ("variant", "overrides"),
    [
        ("maima", {}),
        ("jipinghu", {"ghost.mode": "turned"}),
        ("xinzhang", {"win.min_fan": "1"}),
        pytest.param("guigang", {}, marks=pytest.mark.slow),
        pytest.param("jipinghu", {"win.min_fan": "3"}, marks=pytest.mark.slow),
    ],
)
def test_a_small_hand_is_what_the_rule_set_prices_so(variant: str, overrides: dict[str, str]) -> None:
    """T23 by worth and risk where ghosts, minimums and other tables decide what a hand can win."""
    rules = load(variant, overrides)
    without = hands(rules, ("ukeire",) * 4, 600)
    for level in (1, 2, 3, 4):
        assert check(f"+T23.{level}", "ukeire", "ukeire", rules, without) >= 5


def test_no_hand_is_more_than_a_chicken_where_all_wins_pay_the_same() -> None:
    rules = load("zhuama")
    without = hands(rules, ("ukeire",) * 4, 200)
    differing = [check(f"+T23.{level}", "ukeire", "ukeire", rules, without) for level in (1, 2, 3, 4)]
    assert min(differing[:2]) > 50
    assert differing[2:] == [0, 0]


@pytest.mark.parametrize(("base", "n_hands"), [("shanten", 400), ("defend", 2_400)])
def test_pushing_by_level(base: str, n_hands: int) -> None:
    rules = load("jipinghu")
    without = hands(rules, (base, "ukeire", "ukeire", "ukeire"), n_hands)
    for level in (1, 2, 3, 4):
        assert check(f"-T23.{level}", base, "ukeire", rules, without) >= 1


def _first_difference(one: pl.DataFrame, two: pl.DataFrame) -> tuple[int, dict[str, int]] | None:
    """Place of the first event that is another one, and what came there."""
    plain, tipped = one.to_dicts(), two.to_dicts()
    return next(((i, b) for i, (a, b) in enumerate(zip(plain, tipped, strict=False)) if a != b), None)


@pytest.mark.parametrize(("tip", "n_levels"), [("+T10", 3), ("-T10", 3), ("+T23", 4)])
def test_levels_divide_the_states_of_a_tip(tip: str, n_levels: int) -> None:
    """Where a tip first changes a hand exactly one of its levels does, with the same move, and no level sooner."""
    rules = load("jipinghu")
    others = ("ukeire",) * 3
    plain = hands(rules, ("ukeire", *others), 300)
    names = [f"ukeire{tip}", *(f"ukeire{tip}.{level}" for level in range(1, n_levels + 1))]
    played = [hands(rules, (name, *others), 300) for name in names]
    n_different = [0] * n_levels
    for one, whole, *parts in zip(plain, *played, strict=True):
        first = _first_difference(one, whole)
        by_level = [_first_difference(one, part) for part in parts]
        if first is None:
            assert by_level == [None] * n_levels
            continue
        assert by_level.count(first) == 1
        n_different[by_level.index(first)] += 1
        assert all(other is None or other[0] > first[0] for other in by_level if other != first)
    assert min(n_different) > 0


def test_the_greatest_level_of_t06_is_the_tip_itself() -> None:
    rules = load("jipinghu")
    played = [hands(rules, (f"ukeire{tip}", *("ukeire",) * 3), 200) for tip in ("+T06", "+T06.4", "+T06.3")]
    whole, greatest, less = (pl.concat(one) for one in played)
    assert whole.equals(greatest)
    assert not whole.equals(less)


def test_a_state_is_what_makes_a_difference() -> None:
    """Where the state holds and the plain answer is not the tip's, the hand differs: no state is passed over."""
    rules = load("jipinghu")
    plain = hands(rules, ("ukeire",) * 4, 200)
    tipped = hands(rules, ("ukeire-T35", "ukeire", "ukeire", "ukeire"), 200)
    for one, two in zip(plain, tipped, strict=True):
        holds = any(STATES["-T35"](seen(rules, row), []) for row in one.to_dicts() if row["seat"] == 0)
        assert one.equals(two) != holds
    claims = pl.concat(tipped).filter((pl.col("seat") == 0) & (pl.col("offers") & 14 != 0) & (pl.col("from_seat") >= 0))
    assert claims.height > 100
    assert (claims["move"] == PASS).all()


def test_several_tips_and_their_names() -> None:
    assert bot_codes(["ukeire", "value+T02-T33"]) == (
        BOTS["ukeire"],
        BOTS["value"] + (1 << OBEY + TIPS.index("T02")) + (1 << OPPOSE + TIPS.index("T33")),
    )
    (plain, second) = bot_codes(["value-T33+T06", "value-T33+T06.2"])
    assert second - plain == (2 << LEVEL) + (TIPS.index("T06") << LEVELLED)
    assert OPPOSE + len(TIPS) <= LEVEL
    assert OBEY + len(TIPS) <= OPPOSE
    every = [
        f"ukeire{sign}{tip}.{level}" for sign in "+-" for tip in LEVELS for level in range(1, len(LEVELS[tip]) + 1)
    ]
    assert sorted(name.removeprefix("ukeire") for name in every) == sorted(LEVEL_STATES)
    assert len(set(bot_codes(every))) == len(every)
    assert max(bot_codes(every)) < 2**63
    for name, message in {
        "random+T02": "random follows no tips",
        "oracle-T02": "oracle follows no tips",
        "search+T02": "search follows no tips",
        "ukeire+T99": "T99 is no tip",
        "ukeire+T02-T02": "T02 stands twice",
        "ukeire+": "unknown bot",
        "nobody+T02": "unknown bot",
        "ukeire+T06.5": r"T06 has no level '5'; allowed: T06.1 turn 1; T06.2 turns 1-2; T06.3",
        "ukeire+T06.02": "T06 has no level '02'",
        "ukeire+T06.": "T06 has no level ''",
        "ukeire+T06.x": "T06 has no level 'x'",
        "ukeire+T06.1.2": "unknown bot",
        "ukeire-T35.1": "T35 has no level '1'; allowed: none",
        "ukeire+T06.1-T10.2": "one tip of a bot may have a level, not T06 and T10 both",
        "ukeire+T06.1+T06.2": "T06 stands twice",
        "random+T06.1": "random follows no tips",
    }.items():
        with pytest.raises(PlanError, match=message) as caught:
            Plan(load("maima"), 1, (name,) * 4)
        assert "\n" not in str(caught.value)


def test_tips_change_nothing_of_what_a_bot_looks_at() -> None:
    assert is_blind_to_prices(["ukeire+T02", "shanten-T35"])
    assert not is_blind_to_prices(["ukeire+T02", "value-T35"])
    assert is_blind_to_prices(["ukeire+T06.2", "ukeire+T23-T35"])
    assert not is_blind_to_prices(["ukeire+T23.1"])  # whether a hand is small is a price
    assert not sees_wall(["ukeire+T02", "value"])
    one, two = load("zhuama"), load("zhuama", {"kong.added": "3"})
    assert play_key(one, ["ukeire+T33"]) == play_key(two, ["ukeire+T33"])
    assert play_key(one, ["value+T33"]) != play_key(two, ["value+T33"])
    assert play_key(one, ["ukeire-T23.4"]) != play_key(two, ["ukeire-T23.4"])


def test_trials_seat_bots_with_tips() -> None:
    line_ups = (("ukeire-T35", "ukeire", "ukeire", "ukeire"), ("ukeire",) * 4)
    facts = TrialPlayer(Trial((load("jipinghu"),), line_ups, 3)).play(0, 100).facts
    assert not np.array_equal(facts[:, 0], facts[:, 1])
