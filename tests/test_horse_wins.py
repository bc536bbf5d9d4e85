import numpy as np
import polars as pl
import pytest

from analysis import horse_wins
from sim.schema import QIANGGANG, ZIMO
from tests import synthetic

OPTIONS = [
    {},
    {"horses__kind": "held", "horses__count": 2, "horses__count_discard": 0, "horses__origin": "winner"}
    | {"horses__origin_multiple": "same"},
    {"horses__on_rob": False},
]


def payments_of(row, rules):
    """(loser, winner, points) of one hand from its points without horses."""
    winners = [s for s in range(4) if row["winners"] >> s & 1]
    if row["outcome"] == ZIMO or rules.win.payers == "all":
        return [(s, winners[0], -row[f"hand_{s}"]) for s in range(4) if s != winners[0] and row[f"hand_{s}"]]
    return [(row["from_seat"], w, row[f"hand_{w}"]) for w in winners]


def naive_income(row, rules, kind, origin, winner, holder, horse_class):
    """Points to ``holder`` from one horse of his in the payments to one winner, from PLAY.md's words."""
    winners = [s for s in range(4) if row["winners"] >> s & 1]
    start = synthetic.origins(rules, origin, winners, row["from_seat"], row["dealer"], row["origin"])[winner]
    seat, income = (start + horse_class) % 4, 0
    for loser, won_by, points in payments_of(row, rules):
        if won_by != winner:
            continue
        if kind == "drawn":
            draws = rules.horses.on_rob or row["outcome"] != QIANGGANG
            income += points * (seat == winner and draws)
        elif seat == winner and holder != loser:
            income += points
        elif seat == loser and holder != winner:
            income -= points
    return income


@pytest.mark.parametrize("variant", ["jipinghu", "maima", "zhuama", "koukoufan"])
@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("kind", horse_wins.KINDS)
@pytest.mark.parametrize("origin", horse_wins.ORIGINS)
def test_every_horse_moves_what_the_procedure_says(variant, options, kind, origin):
    rules = synthetic.load(variant, **options)
    rows, _ = synthetic.make_log(rules, 8, 12, seed=4, hazard=0.01)
    keyed = rows.drop("table").with_row_index("table")  # one table a hand, to find the hand again
    out = horse_wins.horse_wins(keyed.lazy(), rules, kind, origin).collect()
    found = sorted(
        (
            row["table"],
            row["is_dealer"],
            row["holder_role"],
            *(row[f"class_points_{c}"] for c in range(4)),
        )
        for row in out.iter_rows(named=True)
    )
    expected = []
    for i, row in enumerate(rows.iter_rows(named=True)):
        losers = {w: [p[0] for p in payments_of(row, rules) if p[1] == w] for w in range(4)}
        for winner in (s for s in range(4) if row["winners"] >> s & 1):
            for holder in [winner] if kind == "drawn" else range(4):
                role = "winner" if holder == winner else "payer" if holder in losers[winner] else "uninvolved"
                income = tuple(naive_income(row, rules, kind, origin, winner, holder, c) for c in range(4))
                expected.append((i, holder == row["dealer"], role, *income))
    assert found == sorted(expected)


@pytest.mark.parametrize("options", [{}, {"horses__on_rob": False, "horses__origin": "winner"}])
def test_drawn_horses_give_the_logged_points(options):
    rules = synthetic.load("zhuama", **options)
    rows, _ = synthetic.make_log(rules, 20, 20, seed=3)
    for row in rows.filter(pl.col("winners") > 0).iter_rows(named=True):
        winner = row["winners"].bit_length() - 1
        classes = [row["pool_classes"] >> 2 * i & 3 for i in range(row["n_horses"])]
        income = sum(naive_income(row, rules, "drawn", rules.horses.origin, winner, winner, c) for c in classes)
        assert income == row[f"horse_{winner}"]


def test_deck_classes_are_the_rule_books_counts():
    assert horse_wins.deck_classes(synthetic.load("zhuama")).tolist() == [40, 32, 32, 32]
    other = synthetic.load("zhuama", horses__map=["159EF", "26S", "37WZ", "48NB"])
    assert horse_wins.deck_classes(other).sum() == 136
    assert horse_wins.deck_classes(synthetic.load("zhuama", tiles="108")).tolist() == [36, 24, 24, 24]
    # A flower's class is that of its number, 1 to 4, twice.
    assert horse_wins.deck_classes(synthetic.load("huapai")).tolist() == [46, 34, 34, 30]


def test_the_pool_may_be_smaller_than_the_number_of_horses():
    frame = pl.DataFrame(
        {"pool_classes": [0b00_01_10], "n_pool": [2], **{f"class_shares_{c}": [10**c] for c in range(4)}}
    )
    out = frame.select(pl.concat_list(horse_wins.drawn(4)).alias("s"))["s"].to_list()
    assert out == [[100, 110, 110, 110]]


def test_more_horses_than_logged_tiles_are_refused():
    with pytest.raises(ValueError, match="0 to 10"):
        horse_wins.drawn(11)


def test_points_are_wide_enough():
    rules = synthetic.load("zhuama", scoring__base=100_000)
    rows, _ = synthetic.make_log(rules, 3, 5)
    out = horse_wins.horse_wins(rows.lazy(), rules, "held", "winner").collect()
    assert out["class_points_0"].max() >= 2_000_000
    assert out["class_points_0"].dtype == pl.Int64
    assert np.isfinite(out["class_points_0"].to_numpy()).all()


def test_a_fixed_price_is_the_unit_of_drawn_horses():
    rules = synthetic.load("zhuama", horses__price="fixed", horses__fixed=3, scoring__base=5)
    rows, _ = synthetic.make_log(rules, 20, 20, seed=3)
    keyed = rows.drop("table").with_row_index("table")
    out = horse_wins.horse_wins(keyed.lazy(), rules, "drawn", "dealer").collect().join(keyed, on="table")
    shares = {ZIMO: 3, QIANGGANG: rules.win.rob_shares}
    assert out.select(pl.max_horizontal(f"class_points_{c}" for c in range(4))).to_series().to_list() == [
        15 * shares[outcome] for outcome in out["outcome"]
    ]


@pytest.mark.parametrize("rob_shares", [1, 3])
def test_a_fixed_price_is_paid_by_all_who_owe(rob_shares):
    changed = {"kind": "drawn", "count": 2, "count_discard": 2, "price": "fixed", "fixed": 3}
    rules = synthetic.load(
        "koukoufan", win__rob_shares=rob_shares, **{f"horses__{name}": value for name, value in changed.items()}
    )
    rows, _ = synthetic.make_log(rules, 30, 20, seed=3)
    out = horse_wins.horse_wins(rows.lazy(), rules, "drawn", "dealer").collect()
    assert set(out.select(pl.max_horizontal(f"class_points_{c}" for c in range(4))).to_series()) == {2 * 3 * 3}


@pytest.mark.parametrize(
    ("variant", "options", "expected"),
    [
        ("zhuama", {}, []),
        ("maima", {}, []),
        ("jipinghu", {}, []),
        ("jiandan", {}, []),
        ("zhuama", {"horses__count": 6}, ["horses.count_discard"]),
        ("zhuama", {"horses__count": 0}, ["horses.count"]),
        ("zhuama", {"horses__count": 6, "horses__on_rob": False}, []),
        ("zhuama", {"horses__hit": "number", "horses__fine": 1}, ["horses.hit", "horses.fine"]),
        ("zhuama", {"horses__price": "double", "scoring__loss_cap": 9}, ["horses.price", "scoring.loss_cap"]),
        ("koukoufan", {}, []),
        (
            "zhuama",
            {"horses__price": "fixed", "horses__fixed": 1, "liability__quanqiuren": True}
            | {"win__ways": ["zimo", "dianpao", "qianggang"]},
            ["liability.quanqiuren"],
        ),
        ("app-100", {}, ["horses.count_discard", "horses.per_repeat", "kong.follow_horses"]),
        ("app-hongzhong", {}, ["horses.without_ghost", "horses.rob_extra", "horses.four_ghosts_hit"]),
    ],
)
def test_what_a_rule_set_has_beyond_number_kind_and_origin_is_named(variant, options, expected):
    assert horse_wins.departures(synthetic.load(variant, **options)) == expected
