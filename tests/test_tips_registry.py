"""The list of tips, the page and the command."""

import json
import math

import pytest

from analysis.cli import main
from analysis.cli.tips import duration
from analysis.labels import Label
from analysis.tips import page
from analysis.tips.judge import judge
from analysis.tips.model import POINTS, Found, Row
from analysis.tips.play import load_rules
from analysis.tips.registry import TIPS, TipError, chosen
from analysis.tips.run import BOTS, RULES, plan
from sim.policy import LEVELS, bot_codes

# Rule sets that lack what the tip is about are told so; these tips are about one kind of horses or of minimum.
_FEW_RULE_SETS = {"T14", "T29"}


def test_all_tips_are_there_in_both_languages():
    assert list(TIPS) == [f"T{n:02d}" for n in range(1, 37)]
    for tip in TIPS.values():
        for label in (tip.claim, *(check.claim for check in tip.checks)):
            assert label.zh
            assert label.en
            assert any(0x4E00 <= ord(c) <= 0x9FFF for c in label.zh)
        assert bool(tip.checks) != bool(tip.untestable)
        parts = [check.name for check in tip.checks]
        assert len(set(parts)) == len(parts)
        if not tip.untestable:
            assert tip.condition.en
            assert tip.outcome.en
            assert tip.baseline.en
    assert [tip.id for tip in TIPS.values() if tip.untestable] == ["T31", "T36"]


def test_every_check_says_how_it_is_decided():
    for tip in TIPS.values():
        for check in tip.checks:
            if check.method == "duel":
                assert check.a
                assert check.smallest is None
                assert check.direction == 1
            else:
                assert (check.sample is None) != (check.find is None)
                assert check.smallest is not None
                assert check.smallest >= 0
            if check.method == "log" and check.sample:
                assert check.match
                assert check.matched_on.en


def test_every_tip_is_tried_on_three_rule_sets():
    for tip in TIPS.values():
        if tip.untestable:
            continue
        tasks = plan([tip], None, BOTS)
        tried = {task.place for task in tasks if task.why_not is None}
        told = {task.place for task in tasks}
        assert len(told) >= 3 or tip.id == "T14"
        assert tried
        assert len(tried) >= 3 or tip.id in _FEW_RULE_SETS or len(told) >= 3


def test_tips_whose_hypothesis_is_a_grid_or_a_split_are_tried_at_their_levels():
    """All of them but level 4 of T06, which is the tip itself."""
    levels = [(tip, check) for tip in TIPS.values() for check in tip.checks if check.is_level]
    tried = {f"{tip.id}{check.name}" for tip, check in levels}
    known = {f"{tip}.{level}" for tip, meanings in LEVELS.items() for level in range(1, len(meanings) + 1)}
    assert tried == known - {"T06.4"}
    for tip, check in levels:
        assert (check.method, check.a, check.b) == ("duel", f"{{bot}}+{tip.id}{check.name}", "{bot}")
    main = {tip.id: [check for check in tip.checks if check.a == f"{{bot}}+{tip.id}"] for tip, _ in levels}
    assert all(len(checks) == 1 and not checks[0].is_level for checks in main.values())
    assert {check.needs(load_rules("zhuama")) is None for _, check in levels if check.a.endswith("T23.3")} == {False}
    assert all(check.falsifier(load_rules("zhuama")) for tip, check in levels if tip.id == "T23")


def test_the_bots_of_all_duels_exist():
    names = {
        text.format(bot=task.bot)
        for task in plan(list(TIPS.values()), None, BOTS)
        if task.check.method == "duel" and task.bot
        for text in (task.check.a, task.check.b)
    }
    assert {"ukeire+T02", "value-T35", "value+T06.2"} <= names
    bot_codes(tuple(names))


def test_rule_sets_may_be_changed_in_their_name():
    rules = load_rules('jipinghu:ghost.mode=fixed;ghost.kinds=["B"]')
    assert (rules.ghost.mode, rules.ghost.kinds) == ("fixed", ("B",))
    assert load_rules("xinzhang", [("win.min_fan", "1")]).win.min_fan == 1


def test_rule_sets_that_are_asked_for_replace_all_others():
    tasks = plan([TIPS["T06"], TIPS["T28"]], ["zhuama"], ("ukeire",))
    assert {task.rules.slug for task in tasks} == {"zhuama"}
    assert [task.why_not is None for task in tasks if task.check.name == "play"] == [False]


def test_tips_are_chosen_by_number():
    assert [tip.id for tip in chosen(["t09", "T01", "T09"])] == ["T09", "T01"]
    assert len(chosen([])) == 36
    with pytest.raises(TipError, match="T99"):
        chosen(["T99"])


@pytest.mark.parametrize(("text", "seconds"), [("90", 90), ("90s", 90), ("10m", 600), ("1.5h", 5400)])
def test_budgets(text, seconds):
    assert duration(text) == seconds


def _rows():
    made = []
    for i, (bot, effect) in enumerate((("ukeire", 9.0), ("value", 0.2), ("ukeire", -9.0))):
        row = Row("T09", "", "甲", "a", "log", RULES[i], bot, effect=effect, unit="pp", direction=1, smallest=1.0)
        row.found = Found(effect / 100, 0.01, 500, 99, 5_000, 1e-12 if abs(effect) > 1 else 0.8)
        row.p, row.n, row.hands = row.found.p, 99, 5_000
        made.append(row)
    play = Row("T09", "play", "乙", "b", "duel", "maima", "ukeire", effect=50.0, unit=POINTS, direction=1, smallest=2.0)
    play.found, play.p, play.hands = Found(50.0, 4.0, 500, 9_000, 9_000, 1e-20), 1e-20, 9_000
    judge([*made, play])
    return [*made, play]


def test_the_page_holds_every_row(tmp_path):
    rows = [*_rows(), Row("T31", "", "丙", "c", "none", "", "", verdict="untestable")]
    page.write(tmp_path, [TIPS["T09"], TIPS["T31"]], rows, {"seed": 1})
    data = json.loads((tmp_path / "tips.json").read_text(encoding="utf-8"))
    assert [row["verdict"] for row in data["verdicts"]] == ["supported", "open", "refuted", "supported", "untestable"]
    wanted = {
        "id",
        "zh",
        "en",
        "method",
        "rules",
        "bots",
        "effect",
        "low",
        "high",
        "unit",
        "n",
        "smallest",
        "p",
        "p_holm",
    }
    assert wanted | {"verdict", "needed", "note_zh", "note_en"} <= set(data["verdicts"][0])
    assert data["provenance"] == {"seed": 1}
    again, facts = page.read(tmp_path / "tips.json")
    assert page.markdown([TIPS["T09"], TIPS["T31"]], again, facts) == (tmp_path / "tips.md").read_text(encoding="utf-8")
    text = (tmp_path / "tips.md").read_text(encoding="utf-8")
    assert "charts/T09.svg" in text
    assert "T31" in text
    assert "成立 supported" in text
    assert "needs" in text
    svg = (tmp_path / "charts" / "T09.svg").read_text(encoding="utf-8")
    assert svg.startswith("<?xml")
    assert not (tmp_path / "charts" / "T31.svg").exists()


def test_levels_make_one_table_and_one_panel(tmp_path):
    tip = TIPS["T23"]
    rows = [task.row() for task in plan([tip], ["jipinghu", "zhuama"], ["ukeire", "value"])]
    for i, row in enumerate(rows):
        if not row.bots:
            row.verdict = "not_applicable"
            row.note(Label("每次胡牌一样大", "every win is worth the same"))
        elif row.part != ".2":  # the second level was not played
            row.found = Found(i + 1.25, 0.1, 500, 9_000, 9_000, 1e-20)
            row.effect, row.p, row.hands, row.smallest = i + 1.25, 1e-20, 9_000, 2.0
    judge(rows)
    page.write(tmp_path, [tip], rows, {"seed": 1})
    text = (tmp_path / "tips.md").read_text(encoding="utf-8")
    assert text.count("| rules | bot | effect |") == 1  # the tip as a whole
    (start,) = (i for i, line in enumerate(text.splitlines()) if "By level" in line)
    head, _, main, first, second, third, fourth = text.splitlines()[start + 2 : start + 9]
    assert head.count("<br>") == 4
    assert "folding pays" in main
    assert "| .1 |" in first
    assert f"✔ {rows[4].effect:+.2f}" in first
    assert second.count("? – |") == 4
    assert third.count("every win is worth the same") == 2
    assert fourth.count("✔") == 2
    assert "[T23.4](#t23)" in text
    panels = [axes for axes in page.forest(tip, rows).axes if axes.get_yticklabels()]
    assert len(panels) == 2
    names = [label.get_text() for label in panels[1].get_yticklabels()]
    assert names == [f"{part} · {place}" for place, parts in _DRAWN for part in parts]
    again, facts = page.read(tmp_path / "tips.json")
    assert page.markdown([tip], again, facts) == text


_DRAWN = (
    ("jipinghu · ukeire", (".1", ".3", ".4")),
    ("jipinghu · value", (".1", ".3", ".4")),
    ("zhuama · ukeire", (".1",)),
    ("zhuama · value", (".1",)),
)


def test_unknown_numbers_are_null(tmp_path):
    row = Row("T09", "", "甲", "a", "log", "maima", "ukeire")
    assert row.to_dict()["effect"] is None
    assert math.isnan(row.effect)


def test_list(capsys):
    assert main(["tips", "--list"]) == 0
    out = capsys.readouterr().out
    assert out.count("\nT") == 35
    assert "T36" in out
    assert "matched on" in out
    assert main(["tips", "T09", "--list", "--json"]) == 0
    (told,) = json.loads(capsys.readouterr().out)["tips"]
    assert told["id"] == "T09"
    assert told["checks"][0]["method"] == "log"


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (["T77"], "T77"),
        (["T09", "--bots", "nobody"], "nobody"),
        (["T35", "--bots", "ukeire+T06.5"], "T06.4 turns 1-4"),
        (["T03", "--bots", "ukeire+T06.1"], "one tip of a bot may have a level"),
        (["T09", "--rules", "nowhere"], "nowhere"),
        (["T09", "--budget", "soon"], "soon"),
        (["T09", "--set", "win.nothing=1"], "win.nothing"),
    ],
)
def test_errors_are_one_line(words, part, capsys):
    assert main(["tips", *words]) == 2
    error = capsys.readouterr().err.strip()
    assert part in error
    assert error.count("\n") == 0
