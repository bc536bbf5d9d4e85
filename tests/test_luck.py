"""Luck of draws: every draw has mean zero exactly, hands are followed as they were played, adjusted means agree."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import statsmodels.api as sm
from statsmodels.stats.weightstats import DescrStatsW

from analysis import luck as fitting
from analysis.duel.run import differences, duel, seatings
from analysis.luck import PILOT_TABLE, LuckTable, against_others, fit, pilot
from sim.flags import COPIES, DECK, FLAG, R_N_TILES, to_flags
from sim.game import play_hand
from sim.helpful import helpful
from sim.luck import KONG_AT, N_LUCK, ROB_AT, count_luck
from sim.policy import bot_codes
from sim.rng import shuffle
from sim.rules import Rules, load, names
from sim.schema import DRAW, DRAW_TAIL, GANG_ADDED, GANG_EXPOSED, HU, PENG, QIANGGANG, ZIMO
from sim.session import start_table
from sim.shanten import need
from sim.state import (
    GAME,
    GHOSTS,
    HAND,
    MELD_KIND,
    MELD_TYPE,
    N_MELDS,
    N_TRACE,
    NEED,
    OUTCOME,
    REPEAT,
    SEATED,
    WALL,
    WINNERS,
    add_tile,
    is_ghost,
    new_state,
    take_tiles,
)
from sim.tables import load as load_tables
from sim.trial import F
from sim.trials import Trial, TrialPlayer
from tests.options import random_rules

TABLES = load_tables()


def played(rules: Rules, bots: tuple[str, ...], table: int) -> tuple[Any, Any, Any, int]:
    """State, flags, trace and number of moves of one hand."""
    s, r, trace = new_state(), to_flags(rules), np.zeros((1024, 4), np.int64)
    start_table(s, r, 6, table)
    shuffle(r[DECK], r[FLAG, R_N_TILES], 6, table, 0, s[WALL])
    s[GAME, REPEAT] = 0
    s[GAME, SEATED : SEATED + 4] = bot_codes(bots)
    play_hand(s, r, TABLES, trace)
    return s, r, trace, int(s[GAME, N_TRACE])


@pytest.mark.parametrize("seed", range(40))
def test_hands_are_followed_as_they_were_played(seed: int) -> None:
    rules = random_rules(seed)
    for bots in (("random",) * 4, ("ukeire", "random", "ukeire", "slip")):
        for table in range(4):
            s, r, trace, n = played(rules, bots, table)
            follower, luck = new_state(), np.empty((4, N_LUCK))
            count_luck(follower, s, r, TABLES, trace, n, luck)
            is_rob = s[GAME, OUTCOME] == QIANGGANG  # a robbed kong is undone in play, not in the trace
            for seat in range(4):
                if not is_rob:
                    for start, size in ((HAND, 34), (MELD_TYPE, s[seat, N_MELDS]), (MELD_KIND, s[seat, N_MELDS])):
                        np.testing.assert_array_equal(
                            follower[seat, start : start + size], s[seat, start : start + size]
                        )
                    assert follower[seat, GHOSTS] == s[seat, GHOSTS]
            assert np.isfinite(luck).all()


@pytest.mark.parametrize("variant", ["maima", "jipinghu", "huapai", "app-hongzhong"])
def test_every_draw_has_mean_zero_over_the_tiles_that_could_have_come(variant: str) -> None:
    """The whole tree below each draw, one level deep: exact up to rounding."""
    rules = load(variant)
    for table in range(3):
        s, r, trace, n = played(rules, ("ukeire",) * 4, table)
        follower, luck = new_state(), np.empty((4, N_LUCK))
        n_draws = 0
        for i in range(n):
            if trace[i, 0] not in (DRAW, DRAW_TAIL):
                continue
            count_luck(follower, s, r, TABLES, trace, i, luck)
            before = luck.copy()
            unseen = follower[WALL, :42].copy()
            assert unseen[trace[i, 2]] > 0
            mean, changed = np.zeros_like(luck), trace.copy()
            for kind in np.flatnonzero(unseen):
                changed[i, 2] = kind
                count_luck(follower, s, r, TABLES, changed, i + 1, luck)
                mean += unseen[kind] * (luck - before)
            np.testing.assert_allclose(mean / unseen.sum(), 0.0, atol=1e-12)
            n_draws += 1
        assert n_draws > 5


def test_robbers_and_winners_after_a_kong_were_lucky_at_the_cost_of_who_paid() -> None:
    rules, follower, luck = load("jipinghu"), new_state(), np.empty((4, N_LUCK))
    n_robbed = n_after_kong = 0
    for table in range(8_000):
        s, r, trace, n = played(rules, ("ukeire",) * 4, table)
        moves, winner = trace[:n, 0], s[WINNERS, 0]
        if s[GAME, OUTCOME] == QIANGGANG:
            count_luck(follower, s, r, TABLES, trace, n, luck)
            assert luck[winner, ROB_AT] > 0.9
            assert luck[trace[np.flatnonzero(moves == GANG_ADDED)[-1], 1], ROB_AT + 1] > 0.9
            n_robbed += 1
            continue
        end = int(np.flatnonzero(moves == HU)[0]) if s[GAME, OUTCOME] == ZIMO else 0
        if moves[end - 2 : end].tolist() == [GANG_EXPOSED, DRAW_TAIL]:
            count_luck(follower, s, r, TABLES, trace, n, luck)
            assert luck[winner, KONG_AT] > 0.9
            assert luck[trace[end - 2, 3], KONG_AT + 1] > 0.9
            n_after_kong += 1
    assert min(n_robbed, n_after_kong) >= 5


@pytest.mark.parametrize("variant", names())
def test_helpful_tiles_are_those_that_lower_the_need(variant: str) -> None:
    rules = load(variant)
    compared = 0
    for table in range(6):
        s, r, trace, n = played(rules, ("ukeire",) * 4, table)
        follower, luck = new_state(), np.empty((4, N_LUCK))
        for end in range(60, n, 7):
            if trace[end - 1, 0] in (DRAW, DRAW_TAIL, PENG):
                continue
            count_luck(follower, s, r, TABLES, trace, end, luck)
            for seat in range(4):
                now = need(follower, r, TABLES, seat, 0)
                if follower[seat, HAND : HAND + 34].sum() % 3 != 1 or now != follower[seat, NEED]:
                    continue  # in the middle of a turn
                mask = helpful(follower, r, TABLES, seat)
                for k in range(34):
                    if r[COPIES, k] == 0 or follower[seat, HAND + k] == 4:
                        assert (mask >> k) & 1 == 0
                        continue
                    add_tile(follower, seat, k)
                    lower = need(follower, r, TABLES, seat, 0) < now
                    take_tiles(follower, seat, k, 1)
                    assert bool((mask >> k) & 1) == lower, (table, end, seat, k, is_ghost(follower, k))
                    compared += 1
    assert compared > 1_000


def test_a_fit_finds_what_was_put_in() -> None:
    rng = np.random.default_rng(2)
    luck = rng.normal(size=(4_000, 4, N_LUCK))
    weights = rng.normal(size=N_LUCK)
    points = against_others(luck) @ weights + rng.normal(size=(4_000, 4))
    np.testing.assert_allclose(fit(points, luck), weights, atol=0.1)
    table = LuckTable(weights, "", (), 1, 0, 0.0)
    np.testing.assert_allclose(table.of(luck).sum(axis=1), 0.0, atol=1e-9)


def test_a_fit_and_an_interval_are_those_of_statsmodels(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fitting, "RIDGE", 0.0)
    rng = np.random.default_rng(3)
    luck, points = rng.normal(size=(500, 4, N_LUCK)), rng.normal(size=(500, 4))
    ols = sm.OLS(points.reshape(-1), against_others(luck).reshape(-1, N_LUCK)).fit()
    np.testing.assert_allclose(fit(points, luck), ols.params, rtol=1e-6, atol=1e-9)
    rules, line_ups = load("jipinghu"), seatings("ukeire", "slip")
    found = duel("ukeire", "slip", rules, hands=1_000, seed=3)
    piece = TrialPlayer(Trial((rules,), line_ups, 3, seat_walls=True), with_luck=True).play(0, 500)
    x = differences(piece.facts, pilot(rules, line_ups, 3).of(piece.luck[:, :, 0]))[:, 0]
    assert (found.low, found.high) == pytest.approx(DescrStatsW(x).tconfint_mean(0.05))


def test_the_table_is_frozen_before_the_evaluation() -> None:
    """It depends on the pilot alone, whose tables no run plays."""
    line_ups = seatings("ukeire", "shanten")
    one, again = (pilot(load("jipinghu"), line_ups, 3, 1_024) for _ in range(2))
    assert one.digest == again.digest
    assert one.digest != pilot(load("jipinghu"), line_ups, 4, 1_024).digest
    assert one.to_dict()["first_table"] == PILOT_TABLE == 2**31
    assert 0.4 < one.explained < 0.8


@pytest.mark.parametrize("variant", ["maima", "jipinghu", "zhuama"])
def test_adjusted_and_plain_means_agree_and_the_variance_is_halved(variant: str) -> None:
    """Their difference has mean zero: z-bound 4.9 over walls, false-alarm rate 1e-6."""
    rules, line_ups = load(variant), seatings("ukeire", "shanten")
    table = pilot(rules, line_ups, 8, 4_096)
    piece = TrialPlayer(Trial((rules,), line_ups, 8), with_luck=True).play(0, 10_000)
    adjusted, plain = differences(piece.facts, table.of(piece.luck[:, :, 0])), differences(piece.facts)
    gap = adjusted[:, 0] - plain[:, 0]
    assert abs(gap.mean()) < 4.9 * gap.std() / math.sqrt(len(gap))
    assert plain[:, 0].var() / adjusted[:, 0].var() > 2
    by_column = piece.luck.mean(axis=(1, 2, 3))
    z = by_column.mean(axis=0) / np.maximum(by_column.std(axis=0), 1e-12) * math.sqrt(len(by_column))
    assert np.abs(z).max() < 5.5  # of 27 columns


def test_luck_changes_nothing_but_the_estimate_of_points() -> None:
    one = duel("ukeire", "shanten", load("maima"), hands=4_000, seed=5)
    other = duel("ukeire", "shanten", load("maima"), hands=4_000, seed=5, adjust_luck=False)
    assert one.mean_unadjusted == other.mean == other.mean_unadjusted
    assert one.win_rate == other.win_rate
    assert other.luck is None
    assert one.luck is not None
    assert one.sd < other.sd
    assert one.worth == pytest.approx(one.by_seatings * one.by_horses * one.by_luck)
    assert other.by_luck == 1.0


def test_facts_do_not_depend_on_whether_luck_is_counted() -> None:
    trial = Trial((load("maima"), load("maima", {"ghost.mode": "none"})), (("ukeire",) * 4,), 5)
    with_luck, without = TrialPlayer(trial, with_luck=True).play(0, 50), TrialPlayer(trial).play(0, 50)
    np.testing.assert_array_equal(with_luck.facts, without.facts)
    assert with_luck.luck.shape == (50, 1, 2, 4, N_LUCK)
    assert without.luck.size == 0


def test_bots_that_see_the_wall_are_not_averaged_over_it() -> None:
    """Their moves depend on tiles not drawn yet, so neither draws nor horses are a chance to them."""
    line_ups = (("oracle", "random", "random", "random"),)
    with pytest.raises(ValueError, match="sees the wall"):
        TrialPlayer(Trial((load("zhuama"),), line_ups, 5), with_luck=True)
    facts = TrialPlayer(Trial((load("zhuama"),), line_ups, 5)).play(0, 3).facts
    np.testing.assert_array_equal(
        facts[..., F["mean_0"] : F["mean_0"] + 4], facts[..., F["points_0"] : F["points_0"] + 4]
    )
