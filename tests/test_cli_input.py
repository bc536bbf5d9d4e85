"""What `gdmj score` and `gdmj hand` accept: each malformed line gets one clear error."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.cli import hand, json_lines, score

WIN: dict[str, Any] = {
    "preset": "maima",
    "hand": "123m456p789s55sEE",
    "win": "5s",
    "source": "dianpao",
    "winner": 1,
    "from": 0,
    "ghost": "6m",
}
MELDED: dict[str, Any] = {
    "preset": "jipinghu",
    "hand": "55sEE",
    "win": "5s",
    "source": "zimo",
    "winner": 1,
    "melds": [
        {"t": "chi", "tiles": "123m", "from": 0},
        {"t": "bugang", "tiles": "7777p", "from": 3},
        {"t": "angang", "tiles": "9999s", "from": None},
    ],
    "flags": ["gangkai"],
}
HORSES: dict[str, Any] = {
    "preset": "zhuama",
    "hand": "123m456p789s55sEE",
    "win": "5s",
    "source": "zimo",
    "winner": 2,
    "horses": ["7s", "F"],
    "origin": 0,
    "kong_pay": [[30, -10, -10, -10]],
}
SEVERAL: dict[str, Any] = {
    "preset": "maima",
    "source": "dianpao",
    "from": 0,
    "winners": [
        {"winner": 1, "hand": "111m333p55s99pSSS", "win": "5s"},
        {"winner": 3, "hand": "123s34s66s777s999s", "win": "5s"},
    ],
}
HAND: dict[str, Any] = {"hand": "123m456p78sEE", "melds": [{"t": "peng", "tiles": "555p"}], "n_ghosts": 0}
VALID = (WIN, MELDED, HORSES, SEVERAL)


def ask(request: Any) -> dict[str, Any]:
    return json_lines.answer_one(json.dumps(request).encode(), score.answer)


@pytest.mark.parametrize("request_", VALID, ids=["win", "melds", "horses", "several"])
def test_valid_requests_are_answered(request_: dict[str, Any]) -> None:
    answer = ask(request_)
    assert "is_win" in answer
    assert sum(answer.get("payments", [])) == 0


def melds(*changes: tuple[int, dict[str, Any]]) -> dict[str, Any]:
    entries = [dict(meld) for meld in MELDED["melds"]]
    for index, change in changes:
        entries[index] |= change
    return MELDED | {"melds": entries}


@pytest.mark.parametrize(
    ("request_", "words"),
    [
        ([], ["an object is needed"]),
        (WIN | {"colour": 1}, ["colour", "no such field"]),
        (WIN | {"preset": None}, ["preset", "missing"]),
        (WIN | {"preset": "nowhere"}, ["nowhere", "maima"]),
        (WIN | {"preset": "x" * 5000}, ["preset"]),
        (WIN | {"preset": "a\0.toml"}, ["preset"]),
        (WIN | {"preset": 7}, ["preset"]),
        (WIN | {"rules": {"horses.colour": 1}}, ["horses.colour"]),
        (WIN | {"rules": {"horses.count": -1}}, ["horses.count"]),
        (WIN | {"rules": {"source": "mine", "horses.count": 2}}, ["source"]),
        (WIN | {"rules": ["horses.count"]}, ["rules", "an object"]),
        (WIN | {"hand": None}, ["hand", "missing"]),
        (WIN | {"hand": "123m456p789s55sE"}, ["hand", "13", "12"]),
        (WIN | {"hand": "123m456p789s555sEE"}, ["hand", "13", "14"]),
        (WIN | {"hand": "123m456p5555s55sE"}, ["copies of 5s"]),
        (WIN | {"hand": "123m456p789s55sEX"}, ["'X'"]),
        (WIN | {"hand": "123m456p789s55EE"}, ["no suit"]),
        (WIN | {"hand": "m" * 101}, ["100 characters"]),
        (WIN | {"hand": 13}, ["hand", "13"]),
        (WIN | {"win": "5s5s"}, ["win", "exactly one"]),
        (WIN | {"win": ""}, ["win", "exactly one"]),
        (WIN | {"winner": 4}, ["winner", "0 to 3"]),
        (WIN | {"winner": -1}, ["winner"]),
        (WIN | {"winner": True}, ["winner", "true"]),
        (WIN | {"winner": 1.0}, ["winner", "1.0"]),
        (WIN | {"winner": "1"}, ["winner"]),
        (WIN | {"winner": 10**29}, ["winner"]),
        (WIN | {"winner": 10**200}, ["digits"]),
        (WIN | {"source": "theft"}, ["source", "zimo"]),
        (WIN | {"source": None}, ["source", "missing"]),
        (WIN | {"source": "zimo"}, ["from", "nobody"]),
        (WIN | {"from": None}, ["from", "discarder"]),
        (WIN | {"from": None, "source": "qianggang"}, ["from", "konger"]),
        (WIN | {"from": 1}, ["from", "winner"]),
        (WIN | {"dealer": 9}, ["dealer"]),
        (WIN | {"round_wind": "Z"}, ["round_wind"]),
        (WIN | {"ghost": "6m6m"}, ["ghost"]),
        (WIN | {"ghost": 5}, ["ghost"]),
        (WIN | {"flags": "gangkai"}, ["flags", "list"]),
        (WIN | {"flags": ["luck"]}, ["flags[0]", "luck"]),
        (WIN | {"flags": ["gangpao", "gangpao"]}, ["flags", "once"]),
        (WIN | {"flags": ["gangkai"]}, ["gangkai", "zimo"]),
        (WIN | {"flags": ["haidi"]}, ["haidi", "zimo"]),
        (WIN | {"flags": ["renhu"], "dealer": 2}, ["renhu", "dealer"]),
        (WIN | {"source": "zimo", "from": None, "flags": ["gangkai"]}, ["gangkai", "kong"]),
        (WIN | {"source": "zimo", "from": None, "flags": ["tianhu"]}, ["tianhu", "dealer"]),
        (WIN | {"source": "zimo", "from": None, "flags": ["dihu"], "dealer": 1}, ["dihu", "dealer"]),
        (MELDED | {"flags": ["dihu"]}, ["dihu", "melds"]),
        (MELDED | {"melds": 3}, ["melds", "list"]),
        (MELDED | {"melds": MELDED["melds"] * 2}, ["melds", "at most 4"]),
        (melds((0, {"t": "kan"})), ["melds[0].t", "kan"]),
        (melds((0, {"tiles": "124m"})), ["melds[0].tiles", "run"]),
        (melds((0, {"tiles": "891m"})), ["melds[0].tiles", "run"]),
        (melds((0, {"tiles": "12m3p"})), ["melds[0].tiles", "run"]),
        (melds((0, {"tiles": "ESW"})), ["melds[0].tiles", "run"]),
        (melds((0, {"tiles": "1234m"})), ["melds[0].tiles", "3 tiles"]),
        (melds((0, {"from": 2})), ["melds[0].from", "seat 0"]),
        (melds((0, {"from": 1})), ["melds[0].from", "himself"]),
        (melds((0, {"from": None})), ["melds[0].from", "needed"]),
        (melds((0, {"colour": 1})), ["melds[0].", "colour"]),
        (melds((1, {"tiles": "777p"})), ["melds[1].tiles", "4 tiles"]),
        (melds((1, {"tiles": "7778p"})), ["melds[1].tiles", "equal"]),
        (melds((1, {"from": None})), ["melds[1].from", "pung"]),
        (melds((2, {"from": 0})), ["melds[2].from", "nobody"]),
        (HORSES | {"horses": ["7s"], "origin": None}, ["origin", "previous winner"]),
        (HORSES | {"horses": {"0": ["7s"]}}, ["horses", "drawn"]),
        (HORSES | {"horses": ["7s7s"]}, ["horses[0]"]),
        (HORSES | {"horses": ["1m"] * 5}, ["horses", "copies of 1m"]),
        (HORSES | {"origin": 5}, ["origin"]),
        (HORSES | {"kong_pay": [[1, 2, 3]]}, ["kong_pay[0]", "four"]),
        (HORSES | {"kong_pay": [[1, 0, 0, 0]]}, ["kong_pay[0]", "sum"]),
        (HORSES | {"kong_pay": [[1.5, -1.5, 0, 0]]}, ["kong_pay[0][0]"]),
        (HORSES | {"kong_pay": [[10**12, -(10**12), 0, 0]]}, ["kong_pay[0][0]"]),
        (WIN | {"horses": ["7s"]}, ["horses", "by holder"]),
        (WIN | {"horses": {"4": ["7s"]}}, ["horses", "0 to 3"]),
        (WIN | {"horses": {"0": "7s"}}, ["horses.0", "list"]),
        (MELDED | {"horses": ["7s"]}, ["horses", "no horses"]),
        (WIN | {"rules": {"tiles": "108"}}, ["E", "108"]),
        (SEVERAL | {"winner": 1}, ["winner", "no such field"]),
        (SEVERAL | {"winners": []}, ["winners"]),
        (SEVERAL | {"winners": SEVERAL["winners"] * 2}, ["winners", "at most 3"]),
        (SEVERAL | {"winners": [SEVERAL["winners"][0]] * 2}, ["winners", "once"]),
        (
            SEVERAL | {"winners": [SEVERAL["winners"][0], SEVERAL["winners"][1] | {"win": "6m"}]},
            ["same tile"],
        ),
        (SEVERAL | {"winners": [1]}, ["winners[0]", "an object"]),
        (SEVERAL | {"source": "zimo", "from": None}, ["zimo"]),
        (SEVERAL | {"from": 3}, ["from", "3"]),
    ],
    ids=lambda value: (
        " ".join(value)[:40] if isinstance(value, list) and all(isinstance(v, str) for v in value) else ""
    ),
)
def test_malformed_score_requests_name_the_fault(request_: Any, words: list[str]) -> None:
    answer = ask(request_)
    assert set(answer) == {"error"}
    assert "\n" not in answer["error"]
    assert [word for word in words if word not in answer["error"]] == []


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"hand": "123m456p78sE"}, ["hand", "10 or 11", "9"]),
        ({"n_ghosts": 5}, ["hand", "15"]),
        ({"n_ghosts": -1}, ["n_ghosts"]),
        ({"n_ghosts": 99}, ["n_ghosts"]),
        ({"n_ghosts": False}, ["n_ghosts"]),
        ({"forms": []}, ["forms"]),
        ({"forms": ["round"]}, ["forms[0]", "round"]),
        ({"forms": "standard"}, ["forms", "list"]),
        ({"melds": {}}, ["melds", "list"]),
        ({"melds": [{"t": "peng", "tiles": "44p4p4p"}]}, ["melds[0].tiles"]),
        ({"melds": [{"t": "peng"}]}, ["melds[0].tiles", "missing"]),
        ({"melds": [{"t": "angang", "tiles": "4444p"}]}, ["copies of 4p"]),
        ({"preset": "maima"}, ["preset", "no such field"]),
    ],
    ids=str,
)
def test_malformed_hand_requests_name_the_fault(change: dict[str, Any], words: list[str]) -> None:
    answer = json_lines.answer_one(json.dumps(HAND | change).encode(), hand.answer)
    assert set(answer) == {"error"}
    assert [word for word in words if word not in answer["error"]] == []


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (b"", ["not JSON"]),
        (b"{", ["not JSON"]),
        (b"\xff{}", ["UTF-8"]),
        (b'{"hand": NaN}', ["NaN"]),
        (b'{"hand": -Infinity}', ["Infinity"]),
        (b'{"hand": "1m", "hand": "2m"}', ["hand", "twice"]),
        (b"[" * 200_000, ["deep"]),
        (b'{"hand": ' + b"9" * 5000 + b"}", ["digits"]),
        (None, ["longer than"]),
    ],
)
def test_lines_that_are_no_request(line: bytes | None, words: list[str]) -> None:
    answer = json_lines.answer_one(line, hand.answer)
    assert set(answer) == {"error"}
    assert [word for word in words if word not in answer["error"]] == []


def test_long_lines_are_skipped_without_losing_count() -> None:
    text = b"one\n" + b"x" * 2_500_000 + b"\r\ntwo\r\n\nend"
    assert list(json_lines.read_lines(io.BytesIO(text))) == [b"one", None, b"two", b"", b"end"]


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text(max_size=20)
    | st.sampled_from(["5s", "EE", "111m", "zimo", "dianpao", "gangkai", "haidi", "chi", "0", "maima"])
    | st.integers(-1, 4),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
KEYS = st.sampled_from([*sorted({*WIN, *MELDED, *HORSES, *SEVERAL, "dealer", "round_wind", "rules", "origin"}), "x"])


def _is_answer(answer: dict[str, Any]) -> bool:
    if "error" in answer:
        return set(answer) == {"error"} and bool(answer["error"].strip()) and "\n" not in answer["error"]
    return "is_win" in answer or "shanten" in answer


@settings(deadline=None, max_examples=200)
@given(st.binary(max_size=200) | JSON.map(lambda value: json.dumps(value).encode()))
def test_any_line_has_an_answer(line: bytes) -> None:
    assert _is_answer(json_lines.answer_one(line, score.answer))
    assert _is_answer(json_lines.answer_one(line, hand.answer))


@settings(deadline=None, max_examples=300)
@given(st.sampled_from(VALID), st.dictionaries(KEYS, JSON, min_size=1, max_size=3))
def test_any_change_of_a_valid_request_has_an_answer(valid: dict[str, Any], change: dict[str, Any]) -> None:
    answer = ask(valid | change)
    assert _is_answer(answer)
    assert sum(answer.get("payments", [])) == 0


@settings(deadline=None, max_examples=200)
@given(st.dictionaries(st.sampled_from(["hand", "melds", "n_ghosts", "forms", "x"]), JSON, min_size=1))
def test_any_change_of_a_valid_hand_has_an_answer(change: dict[str, Any]) -> None:
    assert _is_answer(json_lines.answer_one(json.dumps(HAND | change).encode(), hand.answer))
