"""What a winner's hand is worth."""

from __future__ import annotations

from math import prod

from sim.patterns import IMPLIES
from sim.rules import Rules, load
from sim.schema import (
    DIANPAO,
    MELD_ADDED,
    MELD_CHI,
    MELD_CONCEALED,
    MELD_EXPOSED,
    MELD_PENG,
    QIANGGANG,
    ZIMO,
)
from tests import settle
from tests.complete import is_complete
from tests.hands_played import Hand
from tests.toggles.entries import KONG, MONEY, SHARE, TWO_GHOSTS, Entry, Law, Money, Play
from tests.toggles.looks import both, counted, has

EXPOSED = (MELD_CHI, MELD_PENG, MELD_EXPOSED, MELD_ADDED)
SHAPES_NONE = {f"patterns.{slug}.role": "none" for slug in load("jipinghu").patterns}


def times_base(a: Hand, b: Hand, ra: Rules, rb: Rules) -> bool:
    factor = rb.scoring.base // ra.scoring.base
    for part in ("points", "hand", "kong", "horse"):
        for seat in range(4):
            assert b.row[f"{part}_{seat}"] == factor * a.row[f"{part}_{seat}"]
    for x, y in both(a, b):
        assert y["points"] == factor * x["points"]
    return any(a.row[f"{part}_{seat}"] for part in ("hand", "kong") for seat in range(4))


def sum_points(win: dict[str, int], rules: Rules) -> int:
    """Share of a sum table from the patterns that counted, before repeat deals."""
    slugs = counted(win)
    items = {slug: rules.patterns[slug].value for slug in slugs if rules.patterns[slug].role == "item"}
    if "chicken" in items and slugs & {"gangkai", "qianggang", "haidi"}:
        items["chicken"] = rules.scoring.chicken_with_event
    total = prod(items.values()) if rules.scoring.items == "multiply" else sum(items.values())
    total *= prod(rules.patterns[slug].value for slug in slugs if rules.patterns[slug].role == "double")
    return (min(total, rules.scoring.cap) if rules.scoring.cap else total) * rules.scoring.base


def n_items(win: dict[str, int], rules: Rules) -> int:
    """How many items counted."""
    return sum(rules.patterns[slug].role == "item" for slug in counted(win))


def items_law(a: Hand, b: Hand, ra: Rules, rb: Rules) -> bool:
    for x, y in both(a, b):
        assert x["points"] == sum_points(x, ra)
        if rb.scoring.items == "highest":
            assert n_items(y, rb) == 1
            assert y["points"] <= x["points"]
        if "chicken" not in counted(y):
            assert y["points"] == sum_points(y, rb)
    return any(n_items(win, ra) > 1 for win in a.wins)


def cap_law(a: Hand, b: Hand, ra: Rules, rb: Rules) -> bool:
    is_fan, happened = ra.scoring.method == "fan", False
    cap = rb.scoring.cap
    for x, y in both(a, b):
        if is_fan:
            special = any(rb.patterns[slug].role == "special" for slug in counted(x))
            assert y["fan"] == (x["fan"] if special else min(x["fan"], cap))
            assert y["points"] == rb.scoring.base * 2 ** y["fan"]
        else:
            assert y["points"] == min(x["points"], cap * rb.scoring.base)
        happened |= x["points"] != y["points"]
    return happened


def chicken_event_law(a: Hand, b: Hand, ra: Rules, rb: Rules) -> bool:
    happened = False
    for x, y in both(a, b):
        raised = "chicken" in counted(x) and bool(counted(x) & {"gangkai", "qianggang", "haidi"})
        assert y["points"] == (sum_points(x, rb) if raised else x["points"])
        happened |= raised
    return happened


def implied_law(a: Hand, b: Hand, ra: Rules, rb: Rules) -> bool:
    happened = False
    for x, y in both(a, b):
        implied = {slug for counting in counted(y) for slug in IMPLIES.get(counting, ())} & counted(y)
        assert x["points"] == sum_points(x, ra)
        assert y["points"] == sum_points(y, rb) >= x["points"]
        happened |= bool(implied)
    return happened


def method_law(a: Hand, b: Hand, ra: Rules, rb: Rules) -> bool:
    """Without any priced pattern a fan table pays base x 2^0, a sum table base x 0."""
    for x, y in both(a, b):
        assert (x["points"], x["fan"], y["points"], y["fan"]) == (1, 0, 0, -1)
    return bool(a.wins)


def rob_is_zimo_law(a: Hand, b: Hand, ra: Rules, rb: Rules) -> bool:
    for x, y in both(a, b):
        if a.row["outcome"] == QIANGGANG and "zimo" in counted(x):
            assert counted(x) - counted(y) == {"zimo"}
            assert y["fan"] == min(x["fan"] - 1, y["fan"])
    return a.row["outcome"] == QIANGGANG and has(a, "zimo")


def luxury_law(a: Hand, b: Hand, ra: Rules, rb: Rules) -> bool:
    lost = False
    for x, y in both(a, b):
        if "luxury_seven_pairs" in counted(x) - counted(y):
            lost = True
            assert a.row[f"ghosts_{x['winner']}"] or a.row["win_tile"] in settle.ghosts(a, ra)
            assert y["points"] < x["points"]
    return lost


def loss_cap_law(a: Hand, b: Hand, ra: Rules, rb: Rules) -> bool:
    cap = rb.scoring.loss_cap * rb.scoring.base
    for x, y in both(a, b):
        assert y["points"] == min(x["points"], cap)
    return bool(a.wins)


def yinghu_law(a: Hand, b: Hand, ra: Rules, rb: Rules) -> bool:
    """硬胡 counts more, and only for hands whose ghosts are complete as what they are."""
    happened = False
    for x, y in both(a, b):
        more = "yinghu" in counted(y) - counted(x)
        if more:
            shape = settle.followed(b, rb).shapes[y["winner"]]
            assert any(shape.tiles[ghost] for ghost in shape.ghosts)
            assert is_complete(list(shape.tiles), 0, len(shape.melds), rb.win.forms)
        assert y["points"] > x["points"] if more else (counted(x), x["points"]) == (counted(y), y["points"])
        happened |= more
    return happened


def loss_cap_all_law(a: Hand, b: Hand, ra: Rules, rb: Rules) -> bool:
    """The log's share is capped as before; `tests.settle` knows what all three owe."""
    return any(win["points"] == rb.scoring.loss_cap * rb.scoring.base for win in a.wins)


def multiples_law(a: Hand, b: Hand, ra: Rules, rb: Rules) -> bool:
    """From no multiples to one: the winner's share grows by it; `tests.settle` knows what each seat owes then."""
    melds = settle.followed(b, rb).melds
    is_zimo = b.row["outcome"] == ZIMO
    for x, y in both(a, b):
        share = settle.times(rb, melds[y["winner"]], x["points"])
        assert y["points"] == (share * rb.multiples.zimo // 10 if is_zimo else share)
    return bool(a.wins)


def opened_each_law(a: Hand, b: Hand, ra: Rules, rb: Rules) -> bool:
    """Doubled for each exposed meld of winner or loser, no longer for the first alone."""
    n_exposed = [sum(meld.is_exposed for meld in melds) for melds in settle.followed(b, rb).melds]
    for x, y in both(a, b):
        assert y["points"] == x["points"] * 2 ** max(n_exposed[y["winner"]] - 1, 0)
    return max(n_exposed) > 1 and bool(a.wins)


def of_meld(*types: int) -> Law:
    """The law of multiples, where a seat has melds of some types."""

    def law(a: Hand, b: Hand, ra: Rules, rb: Rules) -> bool:
        melds = settle.followed(b, rb).melds
        return multiples_law(a, b, ra, rb) and any(meld.t in types for seat in melds for meld in seat)

    return law


def ended_by(outcome: int) -> Law:
    """The law of multiples, where the hand ended in some way."""
    return lambda a, b, ra, rb: multiples_law(a, b, ra, rb) and a.row["outcome"] == outcome


def value_law(a: Hand, b: Hand, ra: Rules, rb: Rules) -> bool:
    for x, y in both(a, b):
        assert y["points"] == sum_points(y, rb)
        assert ("pengpeng" in counted(x)) <= ("pengpeng" in counted(y))
    return has(b, "pengpeng")


ENTRIES: list[Entry] = [
    Money("scoring.method", "fan", "sum", method_law, common=SHAPES_NONE, win_columns=SHARE),
    Money("scoring.base", 1, 5, times_base, "maima", columns=(*MONEY, *KONG), win_columns=("points",)),
    Money("scoring.items", "add", "highest", items_law, "maima", win_columns=SHARE),
    Money("scoring.items", "add", "multiply", items_law, "maima", {"scoring.cap": 1000}, win_columns=SHARE),
    Money("scoring.cap", 3, 1, cap_law, win_columns=("points", "fan")),
    Money("scoring.cap", 0, 10, cap_law, "maima", win_columns=SHARE),
    Money("scoring.chicken_with_event", 0, 2, chicken_event_law, "maima", win_columns=SHARE),
    Money("scoring.implied", "drop", "add", implied_law, "maima", win_columns=SHARE, n_tables=3_000),
    Money("scoring.rob_is_zimo", True, False, rob_is_zimo_law, "xinzhang", win_columns=SHARE, n_tables=1_500),
    Money("scoring.luxury_natural", False, True, luxury_law, "maima", TWO_GHOSTS, win_columns=SHARE, n_tables=2_000),
    Money("scoring.loss_cap", 0, 3, loss_cap_law, win_columns=("points",)),
    Money("scoring.loss_cap", 0, 50, loss_cap_law, "zhuama", win_columns=("points",)),
    Money("scoring.loss_cap_all", 0, 9, loss_cap_all_law, common={"scoring.loss_cap": 4}),
    Money(
        "scoring.yinghu", "no_ghost", "as_itself", yinghu_law, "maima",
        TWO_GHOSTS | {"patterns.yinghu": {"role": "double", "value": 2}}, win_columns=SHARE, n_tables=2_000,
    ),
    Money("multiples.zimo", 10, 15, ended_by(ZIMO), win_columns=("points",)),
    Money("multiples.feeder", 10, 15, ended_by(DIANPAO)),
    Money("multiples.opened", 10, 20, of_meld(*EXPOSED), win_columns=("points",)),
    Money(
        "multiples.opened_each", False, True, opened_each_law, common={"multiples.opened": 20}, win_columns=("points",)
    ),
    Money("multiples.concealed_kong", 10, 20, of_meld(MELD_CONCEALED), win_columns=("points",)),
    Money("multiples.exposed_kong", 10, 15, of_meld(MELD_EXPOSED, MELD_ADDED), win_columns=("points",)),
    Play(
        "patterns.SLUG.role", "item", "none", lambda a, b, ra, rb: has(a, "pengpeng"), "maima", n_tables=6_000,
    ),
    Money("patterns.SLUG.value", 8, 16, value_law, "maima", win_columns=SHARE, n_tables=2_000),
]  # fmt: skip
