"""The conformance test of bots: what it plays, and what it finds."""

from __future__ import annotations

import json

import pytest

from analysis.bot_check import N_RANDOM, check_bot
from analysis.cli import main
from sim import rules as rule_sets
from sim import user_bots
from tests import sample_bots


def test_a_sound_bot_passes_under_all_rules():
    verdict = check_bot(user_bots.add(sample_bots.dice), hands=4, is_quiet=True)
    assert verdict.is_sound
    assert verdict.n_rules == len(rule_sets.names()) + N_RANDOM
    assert verdict.n_hands == verdict.n_rules * 2 * 2 * 8
    assert "34 rule sets: 14 shipped and 20 with random options" in str(verdict)
    assert str(verdict).endswith("; sound")


def test_the_same_fault_is_told_once():
    def broken(view):
        raise KeyError("no idea")

    verdict = check_bot(user_bots.add(broken), hands=4, is_quiet=True)
    (fault,) = verdict.faults
    assert "no idea" in fault
    assert fault.endswith(f"(so under {len(rule_sets.names()) + N_RANDOM} rule sets)")


def test_a_bot_with_a_memory_is_found_out():
    verdict = check_bot(user_bots.add(sample_bots.Counting()), hands=8, is_quiet=True)
    assert not verdict.is_sound
    assert any("must not remember other hands" in fault for fault in verdict.faults)


def test_random_options_reach_what_shipped_rules_do_not_ask():
    """Chance of failure: none, the seed is fixed."""
    seen = set()

    def spy(view):
        seen.update(move.name for move in view.options)
        seen.add(view.way)
        return view.options[view.random(len(view.options))]

    check_bot(user_bots.add(spy), hands=16, is_quiet=True)
    wanted = {"declare", "gang_concealed", "gang_added", "gang_exposed", "chi", "peng", "hu", "pass", "discard"}
    assert wanted <= seen
    assert {"zimo", "dianpao"} <= seen


@pytest.mark.parametrize(("bot", "status"), [("first", 0), ("Counting", 1)])
def test_the_command(bot, status, capsys):
    assert main(["check-bot", f"tests.sample_bots:{bot}", "--hands", "4", "--json"]) == status
    answer = json.loads(capsys.readouterr().out)
    assert answer["sound"] == (status == 0)
    assert bool(answer["faults"]) == (status == 1)
    assert answer["bot"].startswith(f"tests.sample_bots:{bot}@")


def test_the_command_tells_wrong_names_in_one_line(capsys):
    assert main(["check-bot", "nobody"]) == 2
    assert capsys.readouterr().err.startswith("gdmj: error: unknown bot 'nobody'")
