"""Bots from outside: what they see, what they may answer, what their faults look like, and that logs know them."""

from __future__ import annotations

import importlib.metadata
import sys
from pathlib import Path

import numpy as np
import pytest

from sim import rules as rule_sets
from sim import user_bots
from sim.engine import Plan, PlanError, Player, simulate
from sim.logs import LogError
from sim.replay import replay
from sim.schema import MOVES
from sim.state import GAME, HAND, HELD, KEYS, NEED, SEATED, SEED, WALL
from sim.user_bots import BotError, Move, registry
from tests import sample_bots

SHIPPED = rule_sets.names()


def rows(bots, rules="jipinghu", n_tables=2, n_hands=8, seed=1, **changes):
    bots = user_bots.line_up(bots)
    plan = Plan(rule_sets.load(rules, changes), n_tables * n_hands, bots, seed, "session", n_hands)
    return Player(plan).rows(0, n_tables, n_hands)


def same(a, b):
    return all(np.array_equal(x, y) for x, y in zip(a[:3], b[:3], strict=True))


def test_a_compiled_copy_of_a_bot_plays_as_the_bot():
    for rules in ("jipinghu", "maima", "app-100"):
        assert same(rows("ukeire", rules, 4), rows(sample_bots.like_ukeire, rules, 4))


@pytest.mark.parametrize(("python", "compiled"), [("first", "first_compiled"), ("coin", "coin_compiled")])
def test_a_bot_in_python_plays_as_its_compiled_twin(python, compiled):
    for rules in ("jipinghu", "zhuama"):
        a, b = (rows([getattr(sample_bots, name), "ukeire"] * 2, rules) for name in (python, compiled))
        assert same(a, b)
        assert a.n_wins.sum() > 0


@pytest.mark.parametrize("rules", SHIPPED)
def test_every_option_that_a_view_offers_is_legal(rules):
    rows(sample_bots.dice, rules, 1, 4)


def test_each_question_offers_its_own_moves():
    asked = []

    def spy(view):
        asked.append((view.question, view.options))
        return sample_bots.careful(view)

    rows(spy, "jipinghu")
    assert {question for question, _ in asked} == {"turn", "win", "claim", "chi"}
    assert all(options[0].name == "pass" and len(options) > 1 for question, options in asked if question != "turn")
    names = {
        question: {move.name for q, options in asked for move in options if q == question} for question, _ in asked
    }
    assert names["win"] == {"pass", "hu"}
    assert names["chi"] == {"pass", "chi"}
    assert {"pass", "peng", "gang_exposed"} >= names["claim"] >= {"pass", "peng"}
    assert {"hu", "discard"} <= names["turn"] <= {"hu", "discard", "gang_concealed", "gang_added"}


def test_a_view_tells_of_nothing_that_is_hidden():
    seeds = set()

    def look(view):
        s, seat = view._s, view.seat
        for other in set(range(4)) - {seat}:
            assert not s[other, HAND : HAND + 34].any()
            assert not s[other, KEYS : KEYS + 4].any()
            assert s[other, HELD] == s[other, NEED] == 0
        assert not s[WALL].any()
        assert not s[GAME, SEATED : SEATED + 4].any()
        seeds.add(int(s[GAME, SEED]))
        return view.options[0]

    rows(look, "maima", 1, 4, seed=12345)
    assert len(seeds) == 16  # one for each seat and hand, none of them the run's
    assert 12345 not in seeds


def test_a_view_agrees_with_itself():
    turns = []

    def look(view):
        n_melds = len(view.melds[view.seat])
        n_tiles = 14 if view.question == "turn" else 13
        assert sum(view.hand) == n_tiles - 3 * n_melds
        copies = [a + b + c for a, b, c in zip(view.hand, view.visible, view.unseen, strict=True)]
        assert set(copies) == {4}
        claimed = sum(meld.from_seat >= 0 for melds in view.melds for meld in melds)
        melded = sum(len(meld.kinds) for melds in view.melds for meld in melds)
        assert sum(view.visible) == sum(map(sum, view.rivers)) + melded - claimed
        assert sum(view.n_discards) == sum(map(sum, view.rivers))
        if view.question == "turn" and not view.option("hu"):
            after = {move: view.after(move) for move in view.options if move.name == "discard"}
            assert min(shanten for shanten, _ in after.values()) == view.shanten
            turns.append(view.wall_left)
            return min(after, key=lambda move: (after[move][0], -after[move][1]))
        assert (view.kind >= 0) == (view.question != "turn")
        best = min(view.options, key=lambda move: view.after(move)[0])
        assert view.after(best)[0] <= view.shanten
        return best

    played = rows(look, "jipinghu", 1, 6)
    assert played.n_wins.sum() >= 3
    assert max(turns) > min(turns) >= 0


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (lambda view: None, "answered None"),
        (lambda view: "discard", "none of view.options"),
        (lambda view: Move("discard", 99), "none of view.options"),
        (lambda view: Move("peng", 3), "answered peng 4m"),
        (lambda view: Move("discard", next(k for k in range(34) if not view.hand[k])), "answered discard"),
        (lambda view: Move("gang_concealed", 3), "answered gang_concealed 4m"),
        (lambda view: Move("gang_added", 3), "answered gang_added 4m"),
        (lambda view: Move("hu", -1), "answered hu"),
        (lambda view: Move("declare", 3), "answered declare 4m"),
        (lambda view: Move("deal", 3), "answered deal 4m"),
        (lambda view: [][0], "raised IndexError"),
    ],
)
def test_what_is_not_legal_is_told_in_one_line(answer, told):
    def wrong(view):
        return answer(view) if view.question == "turn" and not view.option("hu") else view.options[0]

    with pytest.raises(BotError) as caught:
        rows(wrong)
    text = str(caught.value)
    assert told in text
    assert "\n" not in text
    assert "asked on its own turn" in text
    assert "seat" in text
    assert ("allowed: " in text) == ("raised" not in text)


@pytest.mark.parametrize(("question", "wrong"), [("win", "peng"), ("claim", "chi"), ("chi", "gang_exposed")])
def test_other_questions_are_checked_too(question, wrong):
    def bot(view):
        return Move(wrong, 0) if view.question == question else sample_bots.careful(view)

    with pytest.raises(BotError, match=f"asked for a {question} on .*allowed: pass, "):
        rows(bot, n_tables=4)


def test_a_compiled_bot_is_checked_as_well():
    with pytest.raises(BotError, match=r"asked for a chi on .*answered chi|asked for a win .* raised an exception"):
        rows(sample_bots.wrong_compiled, n_tables=4)


def test_a_fault_spoils_nothing_that_is_played_later():
    def wrong(view):
        raise RuntimeError("gone")

    before = rows("ukeire")
    for _ in range(2):
        with pytest.raises(BotError, match=r"raised RuntimeError: gone \(test_user_bots.py, line \d+\)") as caught:
            rows([wrong, "ukeire", "ukeire", "ukeire"])
        assert isinstance(caught.value.__cause__, RuntimeError)
    assert same(before, rows("ukeire"))


def test_ctrl_c_in_a_bot_is_no_fault_of_it():
    def interrupted(view):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        rows(interrupted)


def test_a_bot_that_cannot_be_compiled_says_why():
    import numba

    @numba.njit
    def no(s, r, t, seat, question, kind, options, can, points):
        return "discard"

    with pytest.raises(PlanError, match=r"bot .*no@\w{8}: numba cannot compile it .* returns a whole number: "):
        rows(no)


def test_threads_and_chunks_change_no_byte(tmp_path):
    plan = Plan(rule_sets.load("maima"), 96, user_bots.line_up([sample_bots.coin, "ukeire"] * 2), 3, hands_per_table=8)
    files = []
    for threads, chunk in ((1, 12), (2, 1), (5, 3)):
        folder = tmp_path / f"{threads}"
        simulate(plan, folder, threads=threads, chunk=chunk)
        files.append([path.read_bytes() for path in sorted(folder.glob("*.parquet"))])
    assert files[0] == files[1] == files[2]


def test_logs_know_the_bot_and_go_on_only_with_it(tmp_path):
    def plan(bot, hands):
        return Plan(rule_sets.load("jipinghu"), hands, user_bots.line_up(bot), hands_per_table=8)

    first = plan(sample_bots.Patient(0), 16)
    manifest = simulate(first, tmp_path)
    (name,) = set(manifest["bots"])
    assert name.startswith("tests.sample_bots:Patient@")
    longer = simulate(plan(sample_bots.Patient(0), 32), tmp_path, resume=True)
    assert longer["n_hands"] == 32
    with pytest.raises(LogError, match="holds another run \\(bots differ\\)"):
        simulate(plan(sample_bots.Patient(1), 32), tmp_path, resume=True)
    again = replay(longer, 1, 3)
    assert MOVES[again.trace[-1][0]] == "end"


def test_a_bot_that_is_not_here_is_not_replayed(tmp_path, monkeypatch):
    plan = Plan(rule_sets.load("jipinghu"), 8, user_bots.line_up(sample_bots.Patient(2)), hands_per_table=8)
    manifest = simulate(plan, tmp_path)
    monkeypatch.setattr(registry, "_KNOWN", {})
    with pytest.raises(PlanError, match=r"Patient@\w{8} is not here; name it with --bots tests.sample_bots:Patient"):
        replay(manifest, 0, 0)
    user_bots.add(sample_bots.Patient(3))
    with pytest.raises(PlanError, match=r"its source has changed since, here it is"):
        replay(manifest, 0, 0)


def test_a_manifest_makes_nothing_be_imported(tmp_path, monkeypatch):
    (tmp_path / "evil_module.py").write_text("raise SystemExit('imported')")
    monkeypatch.chdir(tmp_path)
    for name in ("evil_module:bot", "evil_module:bot@00000000"):
        with pytest.raises(PlanError, match=r"unknown bot|is not here"):
            Plan(rule_sets.load("jipinghu"), 8, (name,) * 4)


def test_a_module_in_the_working_folder_is_found_and_its_source_counts(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    found = []
    for text in ("return view.options[0]", "return view.options[-1]"):
        Path("house_bots.py").write_text(f"def bot(view):\n    {text}\n")
        sys.modules.pop("house_bots", None)
        found.append(user_bots.resolve("house_bots:bot"))
    assert [name.partition("@")[0] for name in found] == ["house_bots:bot"] * 2
    assert found[0] != found[1]
    assert str(tmp_path) not in sys.path


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("nobody", "unknown bot 'nobody'; allowed: random, "),
        ("no_such_module:bot", "cannot be imported \\(ModuleNotFoundError"),
        ("tests.sample_bots:nothing", "cannot be imported \\(AttributeError"),
        ("tests/sample_bots:first", "module:attribute is needed"),
    ],
)
def test_names_that_lead_nowhere(name, told):
    with pytest.raises(BotError, match=told):
        user_bots.resolve(name)


def test_settings_are_part_of_an_identity():
    names = {user_bots.add(sample_bots.Patient(n)) for n in (0, 1, 1)}
    assert len(names) == 2
    with pytest.raises(BotError, match="its attributes must be numbers"):
        user_bots.add(sample_bots.Patient(object()))
    with pytest.raises(BotError, match="a bot is a function"):
        user_bots.add(3)  # type: ignore[arg-type]


def test_installed_bots_have_names_of_their_own(monkeypatch):
    point = importlib.metadata.EntryPoint("housebot", "tests.sample_bots:first", registry.GROUP)
    monkeypatch.setattr(registry, "entry_points", lambda group: [point] if group == registry.GROUP else [])
    registry.names.cache_clear()
    try:
        assert user_bots.names() == ("housebot",)
        identity = user_bots.resolve("housebot")
        assert identity.startswith("housebot@")
        monkeypatch.setattr(registry, "_KNOWN", {})
        assert user_bots.resolve(identity) == identity  # a log's name leads to it again
    finally:
        registry.names.cache_clear()


def test_line_ups():
    assert user_bots.line_up("ukeire") == ("ukeire",) * 4
    with pytest.raises(BotError, match="one bot or four are needed, not 3"):
        user_bots.line_up(["ukeire"] * 3)


def test_of_equal_bots_the_newest_answers():
    def make():
        seen = []

        def bot(view):
            seen.append(view.seat)
            return view.options[0]

        return bot, seen

    (old, first), (new, second) = make(), make()
    assert user_bots.add(old) == user_bots.add(new)
    rows(new, n_tables=1, n_hands=1)
    assert (len(first), len(second) > 10) == (0, True)
