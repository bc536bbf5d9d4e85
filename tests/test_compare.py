"""Comparisons: effects equal those computed from the hands, exact ones are exact, the method says what it gains."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest
from scipy import stats

from analysis.cli import main
from analysis.compare import run as running
from analysis.compare.arms import ToggleError, plan, switches, values
from analysis.compare.effects import Effect
from analysis.compare.measures import MEASURES, C, columns
from analysis.compare.run import Comparison, RescoreError, compare
from analysis.sequence import Target
from sim.rules import RulesError, load
from sim.trial import F
from sim.trials import Piece, Trial, TrialPlayer, rotations

UKEIRE = ("ukeire",) * 4
MIXED = ("ukeire", "random", "random", "random")


def compared(base: str, toggles: list[str], **options: Any) -> Comparison:
    variants = options.pop("variants", [])
    arms, contrasts = plan(
        base, variants, toggles, {}, options.pop("all_pairs", False), options.get("mode", "duplicate")
    )
    return compare(arms, contrasts, **options)


def effect(result: Comparison, contrast: str, measure: str) -> Effect:
    (found,) = [e for e in result.effects if (e.contrast, e.measure) == (contrast, measure)]
    return found


def test_effects_and_errors_are_those_of_the_hands_themselves() -> None:
    """Against the rows: means, paired differences and linearised residuals over walls, with scipy's paired t."""
    result = compared("maima", ["kong.concealed=6", "ghost=none"], bots=MIXED, hands=4_000, seed=3)
    rules = tuple(arm.rules for arm in result.arms)
    facts = TrialPlayer(Trial(rules, rotations(MIXED), 3, seat_walls=True)).play(0, 1_000).facts
    by_wall = columns(facts).sum(axis=1)
    assert result.n_tables == 1_000
    for arm, label in ((1, "kong.concealed=6"), (2, "ghost=none")):
        dealer = by_wall[:, :, C["dealer_mean"]] / 4
        paired = stats.ttest_rel(dealer[:, arm], dealer[:, 0])
        found = effect(result, label, "dealer_net")
        assert found.base == pytest.approx(dealer[:, 0].mean())
        assert found.effect == pytest.approx((dealer[:, arm] - dealer[:, 0]).mean())
        assert found.effect / found.se == pytest.approx(paired.statistic)
    y, x = by_wall[:, :, C["win_points"]], by_wall[:, :, C["wins"]]
    ratio = y.mean(axis=0) / x.mean(axis=0)
    influence = (y - ratio * x) / x.mean(axis=0)
    found = effect(result, "ghost=none", "win_points")
    assert found.effect == pytest.approx(ratio[2] - ratio[0])
    assert found.se == pytest.approx((influence[:, 2] - influence[:, 0]).std(ddof=1) / math.sqrt(1_000))
    squares = by_wall[:, :, C["squares"]] / 4
    root = np.sqrt(squares.mean(axis=0))
    found = effect(result, "ghost=none", "points_sd")
    assert found.effect == pytest.approx(root[2] - root[0])
    parts = squares[:, 2] / (2 * root[2]) - squares[:, 0] / (2 * root[0])
    assert found.se == pytest.approx(parts.std(ddof=1) / math.sqrt(1_000))


def test_prices_change_no_measure_of_play() -> None:
    result = compared("maima", ["kong.concealed=6"], hands=2_000)
    for measure in ("win_rate", "washout", "turns"):
        found = effect(result, "kong.concealed=6", measure)
        assert found.is_exact
        assert found.effect == 0
        assert math.isnan(found.low)
    assert result.how == ("base", "re-scored")
    assert not effect(result, "kong.concealed=6", "dealer_net").is_exact


def test_a_price_is_worth_more_than_ten_plain_hands_and_a_ghost_about_one() -> None:
    result = compared("maima", ["kong.concealed=6", "ghost=none"], hands=20_000)
    assert effect(result, "kong.concealed=6", "dealer_net").worth > 10
    assert 0.7 < effect(result, "ghost=none", "dealer_net").worth < 4
    assert result.how == ("base", "re-scored", "re-simulated")


def test_the_same_rules_twice_give_no_difference() -> None:
    result = compared("maima", [], variants=["maima"], hands=500)
    assert all(e.effect == 0 for e in result.effects)


def test_intervals_hold_together_and_p_values_are_adjusted() -> None:
    result = compared("zhuama", ["horses.count=2,6", "horses.origin=winner"], hands=10_000)
    known = [e for e in result.effects if not math.isnan(e.low)]
    assert len(known) == 6  # spread and dealer's net of three switches
    widths = [(e.high - e.low) / 2 / e.se for e in known]
    assert max(widths) - min(widths) < 1e-9
    assert 1.96 < widths[0] < stats.norm.ppf(1 - 0.025 / 6)
    for e in known:
        alone = 2 * stats.norm.sf(abs(e.effect / e.se))
        assert alone <= e.p <= min(1, 6 * alone) * (1 + 1e-12)


def test_two_switches_together_do_what_both_do_and_more() -> None:
    result = compared("zhuama", ["horses.count=2", "horses.origin=winner"], hands=3_000, all_pairs=True)
    one, two = effect(result, "horses.count=2", "dealer_net"), effect(result, "horses.origin=winner", "dealer_net")
    both = effect(result, "horses.count=2 horses.origin=winner", "dealer_net")
    beyond = effect(result, "horses.count=2 horses.origin=winner, beyond their sum", "dealer_net")
    assert beyond.effect == pytest.approx(both.effect - one.effect - two.effect)
    assert beyond.effect > 0  # two horses lose half of what counting from the winner takes away


def test_a_session_shows_what_the_deal_does() -> None:
    result = compared("zhuama", ["dealer.on_washout=next_seat,keep"], hands=1_280, mode="session", hands_per_table=16)
    assert (result.n_tables, result.n_hands) == (80, 1_280)
    (name,) = {e.contrast for e in result.effects}
    assert load("zhuama").dealer.on_washout != name.split("=")[1]


def test_a_precision_target_stops_the_run_and_widens_the_intervals() -> None:
    options: dict[str, Any] = {"hands": 40_000, "seed": 2}
    targets = (Target("dealer_net", 0.6),)
    stopped = compared("zhuama", ["horses.origin=winner"], targets=targets, **options)
    assert stopped.n_hands < 40_000
    assert "precision reached: halfwidth(dealer_net)" in stopped.stop
    found = effect(stopped, "horses.origin=winner", "dealer_net")
    assert (found.high - found.low) / 2 < 0.6
    assert (found.high - found.low) / 2 / found.se > 2.5
    never = compared("zhuama", ["horses.origin=winner"], targets=(Target("dealer_net", 1e-6),), hands=3_000)
    assert never.n_hands == 3_000
    assert "before the precision was reached" in never.stop
    few = compared("zhuama", ["horses.origin=winner"], targets=(Target("dealer_net", 1e6),), hands=300)
    assert "before" not in few.stop
    assert "trusted from 1,000 tables or walls on, and these are" in few.stop


def test_what_a_switch_cannot_change_is_known_at_the_first_look() -> None:
    found = compared("jipinghu", ["patterns.hunyise.value=4"], targets=(Target("turns", 0.1),), hands=6_000)
    assert found.stop == "precision reached: halfwidth(turns) 0"
    assert found.n_hands < 6_000
    assert "unchanged" in str(found)


def test_threads_change_nothing() -> None:
    one = compared("maima", ["ghost=none"], hands=6_000, threads=1)
    three = compared("maima", ["ghost=none"], hands=6_000, threads=3)
    assert json.dumps(one.to_dict()) == json.dumps(three.to_dict())


def test_a_wrong_score_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    class Wrong(TrialPlayer):
        def play(self, first_table: int, n_tables: int) -> Piece:
            piece = super().play(first_table, n_tables)
            if len(self.trial.rules) > 1:
                piece.facts[3, 0, 1, F["points_2"]] += 1
            return piece

    monkeypatch.setattr(running, "TrialPlayer", Wrong)
    with pytest.raises(RescoreError, match="moves other points"):
        compared("maima", ["kong.concealed=6"], hands=100)


def test_values_are_split_at_commas_outside_brackets() -> None:
    assert values("2, 4,6") == ["2", "4", "6"]
    assert values('["159E","26SZ"],{role="item",value=2},"a,b"') == [
        '["159E","26SZ"]',
        '{role="item",value=2}',
        '"a,b"',
    ]
    (switch,) = switches("horses.price=fixed+horses.fixed=2")
    assert switch.fields == {"horses.price": "fixed", "horses.fixed": "2"}


@pytest.mark.parametrize(
    ("toggles", "message"),
    [
        (["horses.count"], "PATH=VALUE"),
        (["horses.count="], "PATH=VALUE"),
        (["ghost=green"], "allowed are none, white"),
        (["horses.colour=2"], "no such field"),
        (["horses.count=99"], "at most 20|less than|must be"),
        (["dealer.next=next_seat"], "mode session can"),
        (["horses.count=4"], "nothing to compare"),
        ([f"scoring.base={','.join(map(str, range(2, 200)))}"], "more than 128"),
    ],
)
def test_switches_that_cannot_be_set(toggles: list[str], message: str) -> None:
    with pytest.raises(ToggleError, match=message):
        plan("zhuama", [], toggles, {})


def test_unknown_rule_sets_are_refused() -> None:
    with pytest.raises(RulesError, match="unknown rule set"):
        plan("maima", ["nowhere"], [], {})


def test_the_command_prints_text_and_json(capsys: pytest.CaptureFixture[str]) -> None:
    line = ["compare", "maima", "--toggle", "kong.concealed=6", "ghost=none", "--hands", "600", "--threads", "1"]
    assert main(line) == 0
    text = capsys.readouterr().out
    for part in ("4 x ukeire, fixed policy", "re-scored", "re-simulated", "unchanged", "dealer_net", "worth"):
        assert part in text
    assert main([*line, "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert {e["measure"] for e in data["effects"]} == set(MEASURES)
    assert [r["how"] for r in data["rule_sets"]] == ["base", "re-scored", "re-simulated"]
    assert (data["hands"], data["hands_played"], data["policy"]) == (600, 1_200, "fixed")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (["compare", "maima"], "nothing to compare"),
        (["compare", "maima", "zhuama", "--until", "halfwidth(luck) < 1"], "no measure 'luck'"),
        (["compare", "maima", "zhuama", "--bots", "nobody"], "unknown bot"),
    ],
)
def test_wrong_commands_are_one_line(line: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(line) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert message in err
    assert err.count("\n") == 1


def test_few_tables_have_no_intervals() -> None:
    few = compared("zhuama", ["horses.origin=winner"], hands=29)
    assert all(math.isnan(e.low) for e in few.effects)
    assert any(e.effect != 0 for e in few.effects)
