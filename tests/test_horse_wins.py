import numpy as np
import polars as pl
import pytest

from analysis import horse_wins
from sim.schema import QIANGGANG, ZIMO
from tests import synthetic

OPTIONS = [
    {},
    {"horses__kind": "held", "horses__count": 2, "horses__origin": "winner", "horses__origin_multiple": "same"},
    {"horses__on_rob": False},
]


def payments_of(row, rules):
    """(loser, winner, points) of one hand from its points without horses."""
    winners = [s for s in range(4) if row["winners"] >> s & 1]
    if row["outcome"] == ZIMO:
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


@pytest.mark.parametrize("variant", ["jipinghu", "maima", "zhuama"])
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
            *(row["unit_points"] * row[f"class_share_{c}"] for c in range(4)),
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


def test_the_pool_may_be_smaller_than_the_number_of_horses():
    frame = pl.DataFrame(
        {"pool_classes": [0b00_01_10], "n_pool": [2], **{f"class_share_{c}": [10**c] for c in range(4)}}
    )
    out = frame.select(pl.concat_list(horse_wins.drawn_shares(4)).alias("s"))["s"].to_list()
    assert out == [[100, 110, 110, 110]]


def test_more_horses_than_logged_tiles_are_refused():
    with pytest.raises(ValueError, match="0 to 10"):
        horse_wins.drawn_shares(11)


def test_points_are_wide_enough():
    rules = synthetic.load("zhuama", scoring__base=200_000)
    rows, _ = synthetic.make_log(rules, 3, 5)
    out = horse_wins.horse_wins(rows.lazy(), rules, "held", "winner").collect()
    assert out["unit_points"].max() >= 4_000_000
    assert out["unit_points"].dtype == pl.Int64
    assert np.isfinite(out["unit_points"].to_numpy()).all()
