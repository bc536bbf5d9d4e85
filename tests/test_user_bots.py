"""Bots from outside: what they see, what they may answer, what their faults look like, and that logs know them."""

from __future__ import annotations

import importlib.metadata
import operator
import os
import random
import subprocess
import sys
from functools import lru_cache, partial
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
        (lambda view: Move("discard", -1), "none of view.options"),
        (lambda view: Move("hu", 3), "none of view.options"),
        (lambda view: sample_bots.late(view), "answered <coroutine object"),
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
        ("os:sep", "^bot os:sep: a bot is a function or an object that can be called, not '/'$"),
        ("os:getcwd", "^bot os:getcwd: a function or an object of Python or numba is needed, not <built-in function"),
        ("builtins:print", "^bot builtins:print: a function or an object of Python or numba is needed"),
        ("operator:neg", "^bot operator:neg: a function or an object of Python or numba is needed"),
        ("tests.sample_bots:late", "^bot tests.sample_bots:late: it is async"),
        ("tests.sample_bots:Late", "^bot tests.sample_bots:Late: it is async"),
    ],
)
def test_names_that_lead_nowhere(name, told):
    with pytest.raises(BotError, match=told):
        user_bots.resolve(name)


def test_settings_are_part_of_an_identity():
    names = {user_bots.add(sample_bots.Patient(n)) for n in (0, 1, 1)}
    assert len(names) == 2
    with pytest.raises(BotError, match=r"its settings .* must be numbers"):
        user_bots.add(sample_bots.Patient(object()))
    with pytest.raises(BotError, match="a bot is a function"):
        user_bots.add(3)


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


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("import sys; sys.exit('no')", r"cannot be imported \(SystemExit: no\)$"),
        ("raise SystemExit(0)", r"cannot be imported \(SystemExit: 0\)$"),
        ("raise ValueError('a\\nb')", r"cannot be imported \(ValueError: a b\)$"),
        ("class bot:\n    def __init__(self): raise SystemExit", r"cannot be made \(SystemExit:\)$"),
    ],
)
def test_a_module_that_cannot_be_imported_ends_in_one_line(text, told, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("ending_bots.py").write_text(text)
    sys.modules.pop("ending_bots", None)
    with pytest.raises(BotError, match=told):
        user_bots.resolve("ending_bots:bot")


def test_ctrl_c_while_a_bot_is_imported_is_no_fault_of_it(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("slow_bots.py").write_text("raise KeyboardInterrupt")
    with pytest.raises(KeyboardInterrupt):
        user_bots.resolve("slow_bots:bot")


def made(k):
    class Made:
        def __call__(self, view):
            return view.options[k]

    return Made()


class Table(dict):
    __call__ = sample_bots.Patient.__call__
    nth = 0


def chain(*bots):
    def bot(view):
        return bots[0](view)

    return bot


first, careful, nth = sample_bots.first, sample_bots.careful, sample_bots.nth
SETTINGS = [
    lambda: partial(nth),
    lambda: partial(nth, n=1),
    lambda: partial(nth, n=2),
    lambda: partial(first),
    lambda: partial(careful),
    lambda: sample_bots.Patient(1).__call__,
    lambda: sample_bots.Patient(2).__call__,
    lambda: sample_bots.Slotted(1),
    lambda: sample_bots.Slotted(2),
    lambda: sample_bots.Slotted(1).play,
    lambda: sample_bots.Slotted(2).play,
    lambda: sample_bots.low,
    lambda: sample_bots.high,
    lambda: made(0),
    lambda: made(-1),
    lambda: Table(a=1),
    lambda: Table(a=2),
    lambda: chain(first, careful, first),
    lambda: chain(first, careful, careful),
    lambda: sample_bots.Patient(sample_bots.Patient(1)),
    lambda: sample_bots.Patient(sample_bots.Patient(2)),
    lambda: sample_bots.Patient([first]),
    lambda: sample_bots.Patient([careful]),
    lambda: sample_bots.Patient(np.array([first, 1], object)),
    lambda: sample_bots.Patient(np.array([careful, 1], object)),
    lambda: sample_bots.Patient(["ab", "c"]),
    lambda: sample_bots.Patient(["a", "bc"]),
    lambda: sample_bots.Patient({"a", "b"}),
    lambda: sample_bots.Patient({"a": max}),
    lambda: sample_bots.Patient({"a": min}),
    lambda: sample_bots.Patient("a".join),
    lambda: sample_bots.Patient("b".join),
]


def test_bots_that_differ_have_identities_of_their_own():
    hashes = [[user_bots.add(make()).partition("@")[2] for make in SETTINGS] for _ in range(2)]
    assert hashes[0] == hashes[1]
    assert len(set(hashes[0])) == len(SETTINGS)


def test_what_a_class_inherits_counts(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("house_kid.py").write_text("from house_base import Base\nclass Kid(Base):\n    pass\n")
    known = []
    for text in ("view.options[0]", "view.options[-1]"):
        Path("house_base.py").write_text(f"class Base:\n    def __call__(self, view):\n        return {text}\n")
        for module in ("house_base", "house_kid"):
            sys.modules.pop(module, None)
        known.append(user_bots.resolve("house_kid:Kid"))
    assert known[0] != known[1]


def test_what_is_defined_in_a_session_counts(tmp_path):
    text = """
from sim import user_bots
K = {k}
class Base:
    def pick(self, view): return view.options[{base}]
class Kid(Base):
    def __call__(self, view): return self.pick(view)
def rank(move): return {rank}
def bot(view): return min(view.options, key=lambda move: rank(move))
print(user_bots.add(Kid()), user_bots.add(bot))
print(user_bots.add(lambda view: view.options[K] if view.kind in {{"a", "b"}} else 0))
"""
    found = []
    for hash_seed, values in (("1", (0, 0, 0)), ("2", (0, 0, 0)), ("3", (1, 1, 1))):
        script = text.format(**dict(zip(("k", "base", "rank"), values, strict=True)))
        done = subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
        found.append(done.stdout.split())
    assert found[0] == found[1]
    assert all(a != b for a, b in zip(found[0], found[2], strict=True))


def test_what_only_c_can_read_is_refused():
    for setting in (object(), random.Random(1), np.random.default_rng(1), operator.itemgetter(1), random.random):
        with pytest.raises(BotError, match=r"^bot tests.sample_bots:nth: its settings .* must be .*, not [^\n]*$"):
            user_bots.add(partial(nth, n=setting))
    for bot in (operator.itemgetter(1), np.negative, lru_cache(nth), partial(print)):
        with pytest.raises(BotError, match=r"of Python or numba is needed, not [^\n]*$"):
            user_bots.add(bot)


def test_answers_of_another_tile_are_not_taken():
    def bot(view):
        peng = view.option("peng")
        return Move("peng", (peng.kind + 1) % 34) if peng else sample_bots.careful(view)

    with pytest.raises(
        BotError, match=r"asked for a claim on .* answered .* which is none of view.options; allowed: pass"
    ):
        rows(bot, n_tables=4)


@pytest.mark.parametrize(
    ("field", "what"), [("n_hands", "hands"), ("seed", "seed"), ("hands_per_table", "hands per table")]
)
def test_a_plan_holds_whole_numbers(field, what):
    given = {"n_hands": 8, "seed": 1, "hands_per_table": 8}
    for value in (1.5, 2.0, "1", None, True, np.float64(1)):
        with pytest.raises(PlanError, match=f"^{what}: must be a whole number, not "):
            Plan(rule_sets.load("jipinghu"), bots=("random",) * 4, **{**given, field: value})
    plan = Plan(rule_sets.load("jipinghu"), bots=("random",) * 4, **{**given, field: np.int64(3)})
    assert type(getattr(plan, field)) is int
    assert plan == Plan(rule_sets.load("jipinghu"), bots=("random",) * 4, **{**given, field: 3})
