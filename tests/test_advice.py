"""Tips that bots follow: on the same walls nothing differs before a state that the tip names, and there as it asks."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from sim.engine import Plan, PlanError, Player
from sim.play_key import play_key
from sim.policy import BOTS, OBEY, OPPOSE, TIPS, bot_codes, is_blind_to_prices, sees_wall
from sim.rules import Rules, load
from sim.schema import PASS
from sim.trials import Trial, TrialPlayer
from tests.oracle.tips import STATES, Seen, seen

Played = dict[tuple[str, str, str, int], list[pl.DataFrame]]

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
        answer = STATES[tip](seen(rules, a), earlier)
        assert answer is not None, f"{where}: the state does not hold"
        assert answer(b), f"{where}: another answer than the tip's"
    return n_different


@pytest.mark.parametrize("tip", sorted(STATES))
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
    for name, message in {
        "random+T02": "random follows no tips",
        "oracle-T02": "oracle follows no tips",
        "search+T02": "search follows no tips",
        "ukeire+T99": "T99 is no tip",
        "ukeire+T02-T02": "T02 stands twice",
        "ukeire+": "unknown bot",
        "nobody+T02": "unknown bot",
    }.items():
        with pytest.raises(PlanError, match=message) as caught:
            Plan(load("maima"), 1, (name,) * 4)
        assert "\n" not in str(caught.value)


def test_tips_change_nothing_of_what_a_bot_looks_at() -> None:
    assert is_blind_to_prices(["ukeire+T02", "shanten-T35"])
    assert not is_blind_to_prices(["ukeire+T02", "value-T35"])
    assert not sees_wall(["ukeire+T02", "value"])
    one, two = load("zhuama"), load("zhuama", {"kong.added": "3"})
    assert play_key(one, ["ukeire+T33"]) == play_key(two, ["ukeire+T33"])
    assert play_key(one, ["value+T33"]) != play_key(two, ["value+T33"])


def test_trials_seat_bots_with_tips() -> None:
    line_ups = (("ukeire-T35", "ukeire", "ukeire", "ukeire"), ("ukeire",) * 4)
    facts = TrialPlayer(Trial((load("jipinghu"),), line_ups, 3)).play(0, 100).facts
    assert not np.array_equal(facts[:, 0], facts[:, 1])
