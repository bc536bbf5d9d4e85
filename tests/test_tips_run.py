"""Tips on traces and duels of real play: what is read, planted truths, falsifiers, invariants."""

import dataclasses

import numpy as np
import polars as pl
import pytest

from analysis.horse_wins import deck_classes
from analysis.labels import Label
from analysis.tips import gone_tiles, hands, horses, kongs, shapes
from analysis.tips import run as run_module
from analysis.tips.judge import judge, limits
from analysis.tips.matched import matched
from analysis.tips.model import Check, Found, Tip
from analysis.tips.moves import Trace
from analysis.tips.play import Pilots, quiet, smallest_of_interest, traced
from analysis.tips.registry import TIPS, chosen
from analysis.tips.run import Effort, plan, read, run
from sim.rules import load
from sim.schema import CHI, DISCARD, GANG_EXPOSED, HU, PASS, PENG
from sim.tiles import N_KINDS, N_SEATS


@pytest.fixture(scope="module", params=["jipinghu", "maima"])
def random_play(request):
    """Hands of random bots, with every kind of meld; a turned ghost and held horses in one of them."""
    return traced(request.param, "random", 192, seed=5)


def _piece(trace: Trace) -> Trace:
    (piece,) = trace.pieces()
    return piece


def test_what_is_seen_held_and_in_the_wall_is_the_whole_deck(random_play):
    rows = _piece(random_play).rows("tiles", "seen")
    seats = [np.full(len(rows), s) for s in range(N_SEATS)]
    seen = np.stack([rows.seen(np.full(len(rows), k)) for k in range(N_KINDS)], axis=1)
    held = sum(shapes.unpack(*rows.words("hand", seat)).astype(int) for seat in seats)
    horses_held = 4 * random_play.rules.horses.count
    assert ((seen + held) <= 4).all()
    assert (136 - (seen + held).sum(axis=1) - rows["wall_left"] == horses_held).all()


def test_who_takes_a_discard_is_read_from_the_order_of_play(random_play):
    piece = _piece(random_play)
    events = [row for row in piece.events.collect().iter_rows(named=True) if row["move"] != PASS]
    wanted = []
    for i, row in enumerate(events):
        if row["move"] != DISCARD:
            continue
        same_hand = [e for e in events[i + 1 : i + 8] if (e["table"], e["hand"]) == (row["table"], row["hand"])]
        taken = won = 0
        for event in same_hand:
            if event["move"] not in (HU, PENG, GANG_EXPOSED, CHI) or event["from_seat"] != row["seat"]:
                break
            taken |= 1 << event["seat"]
            won |= (event["move"] == HU) << event["seat"]
        follows = same_hand[0] if same_hand else {"move": 255, "seat": 255, "from_seat": -1}
        wanted.append((taken, won, follows["move"], follows["seat"], follows["from_seat"]))
    columns = ("taken_by", "won_by", "next_move", "next_seat", "next_from")
    assert piece.discards.select(columns).rows() == wanted
    assert any(taken and not won for taken, won, *_ in wanted)


def test_winning_tiles_are_whole_hands(random_play):
    """Fourteen tiles a win, kongs counted as three; more than 100 wins where ghosts help."""
    wins, natural, n_ghosts = hands.winning_tiles(random_play)
    assert wins.height == random_play.wins.collect().height > 0
    assert (natural.sum(axis=1) + n_ghosts == 14).all()


@pytest.fixture(scope="module")
def zhuama():
    return traced("zhuama", "ukeire", 2_048, seed=6)


def test_an_unmatched_baseline_says_more_of_t09():
    """Where the 7 is ponged more 9s are live, so that they are held more often for that alone.

    The gap of the two answers is told from zero by a jackknife over 16 groups of tables: t above 4, by chance alone
    once in 1,000.
    """
    sample = gone_tiles.ends_of_suits(_piece(traced("zhuama", "ukeire", 8_192, seed=6)))
    (check,) = TIPS["T09"].checks

    def gap(frame):
        return matched(frame, (), 1).effect - matched(frame, check.match, 1).effect

    whole = gap(sample)
    parts = np.array([gap(sample.filter(pl.col("table") % 16 != g)) for g in range(16)])
    se = np.sqrt(15 / 16 * ((parts - parts.mean()) ** 2).sum())
    assert whole > 0.01
    assert whole / se > 4
    cases, controls = sample.filter("case"), sample.filter(~pl.col("case"))
    assert cases["live"].mean() != pytest.approx(controls["live"].mean(), abs=0.02)


def test_kongs_of_honours_are_never_robbed(zhuama):
    rows, facts = run([TIPS["T30"]], plan([TIPS["T30"]], ["zhuama"], ["ukeire"]), Effort(trace_hands=2_048), bar=quiet)
    (row,) = rows
    assert (row.verdict, row.effect, row.low, row.high) == ("supported", 0.0, 0.0, 0.0)
    assert row.n > 100
    assert facts["traced_hands"] == {"zhuama, ukeire": 2_048}


def test_a_robbed_kong_is_seen():
    """Suit kongs of 1,024 hands are robbed as often as the hand log says."""
    trace = traced("jipinghu", "ukeire", 1_024, seed=7)
    announced, robbed = kongs.added_kongs(trace)
    ended = trace.hands.filter(pl.col("outcome") == 3).collect()
    assert robbed.sum() == ended.height > 0
    assert len(announced) > robbed.sum()


def test_horses_of_seat_one_have_their_exact_value(zhuama):
    """Exact: four horses of the tiles left, plainly; what was drawn lies within 4.9 standard errors (1e-6)."""
    frame = horses.hits(zhuama)
    pools = zhuama.pools.collect()
    plain = []
    for row in pools.iter_rows(named=True):
        for winner in range(N_SEATS):
            if row["winners"] >> winner & 1:
                place = (winner - row["origin"]) % 4
                pool = [row[f"pool_{c}"] for c in range(4)]
                plain.append((place == 0, min(4, sum(pool)) * pool[place] / max(sum(pool), 1)))
    found = sorted(zip(frame["seat_one"], frame["exact"], strict=True))
    assert np.allclose(np.array(sorted(plain), float), np.array(found, float))
    rows, _ = run([TIPS["T29"]], plan([TIPS["T29"]], ["zhuama"], ["ukeire"]), Effort(trace_hands=2_048), bar=quiet)
    gain, agrees = rows
    assert gain.verdict == "supported"
    low, high = limits(gain.found, 1 - 1e-6)
    assert low < 4 * (40 - 32) / 136 < high
    assert deck_classes(zhuama.rules).tolist() == [40, 32, 32, 32]
    low, high = limits(agrees.found, 1 - 1e-6)
    assert low < 0 < high


def test_all_log_checks_read_a_trace(zhuama):
    """Each gives a number or says that its state did not come up; shares lie between 0 and 1."""
    checks = [check for tip in TIPS.values() for check in tip.checks if check.method != "duel"]
    able = [check for check in checks if check.needs(zhuama.rules) is None and check.rules is None]
    for check, found in zip(able, read(zhuama, able), strict=True):
        assert np.isnan(found.effect) or -2 <= found.effect <= 2, check.claim.en
        assert found.hands == zhuama.n_hands
        if check.match and found.n:
            assert 0 <= found.dropped <= 1
            assert found.effect == pytest.approx(found.case_mean - found.base_mean)
    assert len(able) >= 25


def _planted(a, b, **more):
    check = Check(Label("甲", "a"), "duel", 1, None, "", a=a, b=b, **more)
    return Tip("T00", Label("甲", "a"), Label("", ""), Label("", ""), Label("", ""), (check,))


@pytest.mark.parametrize(("a", "b", "word"), [("{bot}", "random", "supported"), ("random", "{bot}", "refuted")])
def test_planted_policies_get_the_right_verdict(a, b, word):
    tip = _planted(a, b)
    rows, _ = run([tip], plan([tip], ["maima"], ["ukeire"]), Effort(duel_hands=2_048), bar=quiet)
    assert [row.verdict for row in rows] == [word]
    assert rows[0].smallest > 0


def test_planted_states_get_the_right_verdict(zhuama):
    """The tip of a tile straight from the draw holds; told the other way round it is refuted."""
    (check,) = TIPS["T15"].checks

    def turned(trace):
        return check.sample(trace).with_columns(case=~pl.col("case"))

    for sample, word in ((check.sample, "supported"), (turned, "refuted")):
        one = dataclasses.replace(check, sample=sample)
        tip = dataclasses.replace(TIPS["T15"], checks=(one,))
        (task,) = plan([tip], ["zhuama"], ["ukeire"])
        row = task.row()
        (row.found,) = read(zhuama, [one])
        row.effect, row.p = 100 * row.found.effect, row.found.p
        judge([row])
        assert row.verdict == word


def test_policies_that_never_differ_change_nothing():
    pilots = Pilots(1, hands=64)
    found = pilots.compare(load("maima"), "ukeire", "ukeire")
    assert found.n_changed == 0
    assert found.worth > 2
    assert smallest_of_interest(found) == pytest.approx(found.worth * 100 * 0.05 * found.changed)
    other = pilots.compare(load("maima"), "random", "ukeire")
    assert other.n_changed == 64
    assert smallest_of_interest(other) == pytest.approx(0.25 * other.worth)


def test_a_budget_divides_time():
    """A short budget still plays everything, a trace and a duel, and says how much."""
    tips = chosen(["T24", "T35"])
    rows, facts = run(tips, plan(tips, ["maima"], ["ukeire"]), Effort(seconds=2.0), bar=quiet)
    assert {row.verdict for row in rows} <= {"supported", "refuted", "open"}
    assert facts["traced_hands"]["maima, ukeire"] >= 1_024
    assert all(hands >= 1_024 for hands in facts["duel_hands"].values())
    assert facts["budget_seconds"] == 2.0


@pytest.mark.parametrize(("speed", "n_unplayed"), [(1.0, 0), (1.3, 0), (4.0, 4)])
def test_levels_get_a_small_share_after_the_duels_of_all_tips(speed, n_unplayed, monkeypatch):
    """Duels that take ``speed`` times what they are given; levels are left out only when the whole time is used up."""
    now, given = [0.0], []

    def duel(rules, a, b, hands, seconds, **_):
        given.append((a, seconds))
        now[0] += speed * seconds
        return Found(1.0, 1.0, 99, 1_024, 1_024, 0.3, smallest=1.0)

    monkeypatch.setattr(run_module, "play_duel", duel)
    monkeypatch.setattr(run_module, "_compile", lambda *_: None)
    monkeypatch.setattr(run_module.time, "monotonic", lambda: now[0])
    tips = chosen(["T10", "T12", "T26"])
    rows, facts = run(tips, plan(tips, ["maima"], ["ukeire"]), Effort(seconds=76.0), bar=quiet)
    assert [a for a, _ in given[:3]] == ["ukeire+T10", "ukeire+T12", "ukeire+T26"]
    unplayed = [row for row in rows if row.found is None]
    assert len(unplayed) == n_unplayed
    assert all(row.is_level and row.verdict == "open" and "used up" in row.note_en for row in unplayed)
    assert given[0][1] == pytest.approx(20.0)  # three duels of 20 s, four levels of 4 s
    assert all(seconds <= 4.0 for _, seconds in given[3:])
    if speed == 1.0:
        assert [seconds for _, seconds in given[3:]] == pytest.approx([4.0] * 4)
        assert set(facts["duel_hands"]) >= {"T10 maima, ukeire", "T10.3 maima, ukeire", "T12.1 maima, ukeire"}
    assert facts["family"] == 7 - n_unplayed


def test_levels_get_a_fifth_of_the_hands():
    tips = chosen(["T12"])
    rows, facts = run(tips, plan(tips, ["zhuama"], ["ukeire"]), Effort(duel_hands=7_680), bar=quiet)
    assert [row.is_level for row in rows] == [False, True]
    assert facts["duel_hands"] == {"T12 zhuama, ukeire": 7_680, "T12.1 zhuama, ukeire": 1_536}


def test_what_was_played_survives_an_interrupt(monkeypatch):
    def stop(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(run_module, "play_duel", stop)
    tips = chosen(["T24", "T35"])
    rows, facts = run(tips, plan(tips, ["maima"], ["ukeire"]), Effort(trace_hands=1_024), bar=quiet)
    assert facts["interrupted"]
    assert {row.verdict for row in rows if row.id == "T24"} <= {"supported", "refuted"}
    (missing,) = (row for row in rows if row.id == "T35")
    assert missing.verdict == "open"
    assert "interrupted" in missing.note_en


@pytest.mark.slow
@pytest.mark.parametrize(("number", "part"), [("T01", "suits"), ("T04", "holds"), ("T15", "")])
@pytest.mark.parametrize(("sign", "word"), [("+", "supported"), ("-", "refuted")])
def test_a_bot_plants_what_a_log_must_find(number, part, sign, word):
    """Bots whose discards mean what the tip says, or the opposite."""
    (check,) = (check for check in TIPS[number].checks if check.name == part)
    tip = dataclasses.replace(TIPS[number], checks=(check,))
    tasks = plan([tip], ["jipinghu"], [f"ukeire{sign}{number}"])
    rows, _ = run([tip], tasks, Effort(trace_hands=16_384), threads=2, bar=quiet)
    assert [row.verdict for row in rows] == [word]


@pytest.mark.slow
def test_folding_must_lose_where_discards_cost_nothing():
    """The falsifier of T23: in zhuama nobody loses by a discard, so who folds loses."""
    tips = chosen(["T23"])
    rows, _ = run(tips, plan(tips, ["zhuama"], ["ukeire"]), Effort(duel_hands=50_000), threads=2, bar=quiet)
    assert rows[0].is_falsifier
    assert rows[0].verdict == "refuted"


@pytest.mark.slow
def test_edge_waits_win_no_more_where_only_self_draws_win():
    """The falsifier of T17: with equal copies in the wall the class of the tile tells nothing in zhuama."""
    tips = chosen(["T17"])
    rows, _ = run(tips, plan(tips, ["zhuama"], ["ukeire"]), Effort(trace_hands=49_152), threads=2, bar=quiet)
    assert all(row.is_falsifier and row.verdict != "supported" for row in rows)


@pytest.mark.slow
def test_a_tip_and_its_opposite_get_opposite_verdicts():
    """Never calling loses to calling; the other way round it is refuted."""
    for a, b, word in (("{bot}", "{bot}-T35", "supported"), ("{bot}-T35", "{bot}", "refuted")):
        tip = _planted(a, b)
        rows, _ = run([tip], plan([tip], ["jipinghu"], ["ukeire"]), Effort(duel_hands=20_000), threads=2, bar=quiet)
        assert [row.verdict for row in rows] == [word]
