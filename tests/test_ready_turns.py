from itertools import product

import polars as pl

from analysis import scan
from analysis.ready_turns import LAST_TURN, ready_turns
from tests import synthetic


def test_shares_are_those_of_a_loop_over_hands_and_seats(tmp_path):
    (run,) = scan.open_run(synthetic.write_run(tmp_path / "run", synthetic.load("maima"), n_tables=6))
    found = ready_turns(run.hands).collect()
    hands = run.hands.collect().to_dicts()
    turns = [hand[f"ready_turn_{seat}"] for hand, seat in product(hands, range(4))]
    assert found["turn"].to_list() == list(range(LAST_TURN + 1))
    assert found["count"].to_list() == [sum(turn <= t for turn in turns) for t in range(LAST_TURN + 1)]
    assert set(found["n"]) == {len(turns)}
    assert found["rate"].is_sorted()


def test_seats_that_never_were_ready_count_as_not_ready():
    seats = {f"ready_turn_{seat}": [3, 255] for seat in range(4)}
    frame = pl.LazyFrame({"table": [0, 1]} | seats, schema_overrides=dict.fromkeys(seats, pl.UInt8))
    assert ready_turns(frame).collect()["rate"].to_list() == [0.0] * 3 + [0.5] * (LAST_TURN - 2)
