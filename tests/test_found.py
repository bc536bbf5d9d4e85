"""Results of other commands on the page: shown where they lie, refused in one line where they are something else."""

from __future__ import annotations

import json

import pytest

from analysis import cli
from analysis.report import extras as sections
from analysis.report.found import look
from analysis.scan import RunError
from tests import extras


def shown(folder):
    return {section.anchor: section for section in sections.sections(look(folder))}


def test_nothing_is_shown_where_nothing_lies(tmp_path):
    assert not look(tmp_path)
    assert shown(tmp_path) == {}
    assert sections.frames(look(tmp_path)) == {}


def test_everything_that_lies_there_is_shown_and_can_be_downloaded(tmp_path):
    extras.write(tmp_path)
    made, frames = shown(tmp_path), sections.frames(look(tmp_path))
    assert list(made) == ["effects", "tips", "sessions"]
    assert {name: frame.height for name, frame in frames.items()} == {"effects": 14, "tips": 4, "sessions": 2}
    assert all(table.frame in frames for section in made.values() for table in section.tables)
    matrix = made["effects"].tables[0]
    assert [row[0].text.en for row in matrix.rows] == ["horses.count=2", "horses.count=8"]
    assert matrix.rows[0][5].text.en == "−2.00"
    assert matrix.rows[0][5].detail == "[−2.10, −1.90]"
    assert matrix.rows[0][1].text.en == "0 pp"
    verdicts = [row[1].text.en for row in made["tips"].tables[0].rows]
    assert verdicts == ["supported", "refuted", "open", "untestable"]
    assert "4 tips, 4 checks: 1 supported, 1 refuted, 1 open, 1 untestable" in made["tips"].text[0].en
    assert len(made["sessions"].charts) == 2
    assert [row[0].text.en for row in made["sessions"].tables[0].rows] == [
        "maima, ukeire",
        "zhuama, ukeire (horses.count=2)",
    ]
    assert frames["sessions"]["changes"].to_list() == ["", "horses.count=2"]


def test_a_page_of_results_alone(tmp_path, capsys):
    extras.write(tmp_path)
    assert cli.main(["report", str(tmp_path)]) == 0
    text = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert str(tmp_path) in capsys.readouterr().out
    assert all(f'<section id="{anchor}">' in text for anchor in ("effects", "tips", "sessions"))
    assert 'id="provenance"' not in text
    assert 'id="summary"' not in text
    (tmp_path / "tips.json").write_text("{", encoding="utf-8")
    assert cli.main(["report", str(tmp_path)]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "not what gdmj tips writes" in line


def test_texts_of_others_are_no_markup(tmp_path):
    evil = "</script><img src=x onerror=alert(1)>$\\frac{1}"
    data = extras.verdicts()
    data["verdicts"][0] |= {"id": evil, "zh": evil, "en": evil, "unit": evil, "note_en": evil}
    (tmp_path / "tips.json").write_text(json.dumps(data), encoding="utf-8")
    compared = extras.comparison((evil,)) | {"base": evil, "bots": [evil]}
    (tmp_path / "compare.json").write_text(json.dumps(compared), encoding="utf-8")
    made = shown(tmp_path)
    for section in made.values():
        for chart in section.charts:
            assert "<img" not in chart.en
            assert "&lt;img" in chart.en or section.anchor == "tips"


@pytest.mark.parametrize("name", ["compare", "tips", "session"])
@pytest.mark.parametrize(
    "text",
    [
        "", "[]", "null", "{}", "{", "\x00", '{"effects": 1}', '{"verdicts": []}', '{"sessions": [{}]}', "[" * 20_000,
        '{"verdicts": [{"id": 1}]}', '{"effects": [NaN]}', '"\\ud800"', '{"sessions": null}',
    ],
)  # fmt: skip
def test_other_files_are_refused_in_one_line(tmp_path, name, text):
    (tmp_path / f"{name}.json").write_text(text, encoding="utf-8")
    with pytest.raises(RunError, match=rf"{name}\.json: not what gdmj {name} writes") as caught:
        look(tmp_path)
    assert "\n" not in str(caught.value)


def test_numbers_without_an_end_are_refused(tmp_path):
    data = extras.verdicts()
    data["verdicts"][0]["effect"] = float("inf")
    (tmp_path / "tips.json").write_text(json.dumps(data), encoding="utf-8")
    with pytest.raises(RunError, match=r"tips\.json: not what gdmj tips writes \(verdicts\.0\.effect"):
        look(tmp_path)


def test_a_fan_that_does_not_fit_its_hands_is_refused(tmp_path):
    data = extras.sessions()
    data["sessions"][0]["fan"]["quantiles"]["0.5"] = [1.0]
    (tmp_path / "session.json").write_text(json.dumps(data), encoding="utf-8")
    with pytest.raises(RunError, match="session"):
        look(tmp_path)


LONG, HALF = "x" * 100_000, "\ud800"
DAMAGED = [
    ("compare", "effects.0.effect", 1e308),
    ("compare", "effects.0.effect", 5.0),  # outside its interval
    ("compare", "effects.0.low", None),
    ("compare", "effects.0.effect", None),
    ("compare", "effects.0.base", -1e300),
    ("compare", "effects.0.contrast", LONG),
    ("compare", "effects.0.contrast", HALF),
    ("compare", "effects.0.measure", "a\x1b[2J"),
    ("compare", "bots", []),
    ("compare", "bots.0", HALF),
    ("compare", "hands", -1),
    ("compare", "seed", 10**30),
    ("tips", "verdicts.0.effect", -1e308),
    ("tips", "verdicts.0.low", 0.4),
    ("tips", "verdicts.0.smallest", 5e-324),
    ("tips", "verdicts.0.n", 10**30),
    ("tips", "verdicts.0.needed", 1e308),
    ("tips", "verdicts.0.p", -0.1),
    ("tips", "verdicts.0.note_en", LONG),
    ("tips", "verdicts.0.zh", HALF),
    ("tips", "verdicts.0.rules", ["x"] * 1000),
    ("session", "sessions.0.rules", LONG),
    ("session", "sessions.0.unit", HALF),
    ("session", "sessions.0.sessions", 0),
    ("session", "sessions.0.hands", -(10**30)),
    ("session", "sessions.0.n0", 1e308),
    ("session", "sessions.0.quantiles", {}),
    ("session", "sessions.0.quantiles.0\\.05", {"value": -1.7e308, "low": None, "high": 1.7e308}),
    ("session", "sessions.0.quantiles.\ud800", {"value": 1, "low": 0, "high": 2}),
    ("session", "sessions.0.ruin.1e308", {"value": 1, "low": 0, "high": 2}),
    ("session", "sessions.0.ruin.a\nb", {"value": 1, "low": 0, "high": 2}),
    ("session", "sessions.0.ruin", {str(i): {"value": 1, "low": 0, "high": 2} for i in range(1, 200)}),
    ("session", "sessions.0.fan.hands", [-(10**30), 1, 2]),
    ("session", "sessions.0.fan.hands", [0, 0, 0]),
    ("session", "sessions.0.fan.hands", [2, 1, 3]),
    ("session", "sessions.0.fan.quantiles", {}),
    ("session", "sessions.0.fan.quantiles", {"0.5": [1e308, 0, -1e308]}),
]


def place(data, where, value):
    *path, last = (part.replace("\0", ".") for part in where.replace("\\.", "\0").split("."))
    for part in path:
        data = data[int(part)] if isinstance(data, list) else data[part]
    data[int(last) if isinstance(data, list) else last] = value


@pytest.mark.parametrize(("name", "where", "value"), DAMAGED)
def test_what_no_command_writes_is_refused_in_one_line_that_names_the_field(tmp_path, capsys, name, where, value):
    data = {"compare": extras.comparison, "tips": extras.verdicts, "session": extras.sessions}[name]()
    place(data, where, value)
    (tmp_path / f"{name}.json").write_text(json.dumps(data), encoding="utf-8")
    assert cli.main(["report", str(tmp_path)]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert f"{name}.json: not what gdmj {name} writes (" in line
    assert len(line) < 400 + len(str(tmp_path))
    field = where.split(".")[0]
    assert f"({field}" in line
