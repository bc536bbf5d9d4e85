import json
import re
import shlex
from html.parser import HTMLParser

import polars as pl
import pytest

from analysis import scan
from analysis.cli.simulate import add_parser
from analysis.report import PAGE, TABLES, provenance, write_report
from sim import rules as rule_sets
from tests import synthetic

VARIANTS = ("jipinghu", "maima", "zhuama")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    root = tmp_path_factory.mktemp("run")
    for variant in VARIANTS:
        synthetic.write_run(root / variant, synthetic.load(variant), n_tables=10)
    return root


@pytest.fixture(scope="module")
def page(folder):
    path = write_report(scan.open_run(folder), folder / "report")
    assert path == folder / "report" / PAGE
    return path


class Reader(HTMLParser):
    """Collects tags, attributes and texts, and checks that elements nest."""

    VOID = frozenset({"meta", "link", "br", "img", "input", "hr", "use", "path", "rect"})

    def __init__(self):
        super().__init__()
        self.open, self.tags, self.texts, self.ids, self.links = [], [], [], [], []

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        self.ids += [value for name, value in attrs if name == "id"]
        self.links += [value for name, value in attrs if name in ("href", "src", "xlink:href", "action")]
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in self.VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        if tag not in self.VOID:
            assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open and self.open[-1] not in ("style", "script"):
            self.texts.append(data)


def read(path):
    reader = Reader()
    reader.feed(path.read_text(encoding="utf-8"))
    assert reader.open == []
    return reader


def test_the_page_needs_no_network(page):
    reader = read(page)
    for link in reader.links:
        assert link.startswith(("#", TABLES)), link
    text = page.read_text(encoding="utf-8")
    assert not re.search(r"@import|url\((?!\"data:|#)", text)
    assert "default-src 'none'" in text


def test_links_and_ids_fit(page):
    reader = read(page)
    assert len(reader.ids) == len(set(reader.ids))
    for link in reader.links:
        if link.startswith("#"):
            assert link[1:] in reader.ids
        else:
            assert (page.parent / link).is_file(), link


def test_every_text_stands_in_both_languages(page):
    tags = [attrs for tag, attrs in read(page).tags if tag == "span"]
    zh = sum(attrs.get("class") == "zh" for attrs in tags)
    assert zh == sum(attrs.get("class") == "en" for attrs in tags) > 100


def test_english_parts_hold_no_chinese_but_names(page):
    text = page.read_text(encoding="utf-8")
    for part in re.findall(r'<span class="en" lang="en">(.*?)</span>', text):
        assert not re.search(r"[\u4e00-\u9fff]", part), part


def test_charts_are_inline_and_follow_the_pages_colours(page):
    text = page.read_text(encoding="utf-8")
    assert text.count("<svg") == 2 * (3 * 7 + 1)
    svgs = re.findall(r"<svg.*?</svg>", text, re.DOTALL)
    for svg in svgs:
        assert "var(--ink)" in svg
        assert set(re.findall(r"#[0-9a-f]{6}", svg)) <= {"#ffffff"}


def test_tables_lie_beside_the_page_and_numbers_come_from_them(page, folder):
    for run in scan.open_run(folder):
        files = {file.stem for file in (page.parent / TABLES / run.rules.slug).glob("*.csv")}
        assert {"win_rate", "outcomes", "fan_frequency", "dealer_advantage", "horse_expectation"} <= files
        outcomes = pl.read_csv(page.parent / TABLES / run.rules.slug / "outcomes.csv")
        hands = run.hands.select("outcome").collect()["outcome"]
        assert outcomes["count"].to_list() == [(hands == code).sum() for code in range(4)]
    compared = pl.read_csv(page.parent / TABLES / "comparison.csv")
    assert set(compared["rules"]) == set(VARIANTS)


def test_nothing_of_a_rule_set_is_taken_for_markup(tmp_path):
    evil = "</style><script>alert(1)</script><img src=x onerror=alert(1)>&\"'"
    rules = synthetic.load("zhuama")
    rules = rules.model_copy(
        update={
            "name": rules.name.model_copy(update={"zh": evil, "en": evil}),
            "patterns": {
                slug: price.model_copy(update={"name": "<i>$x$</i>"}) for slug, price in rules.patterns.items()
            },
            "source": {"tiles": evil},
        }
    )
    synthetic.write_run(tmp_path / "run", rules, n_tables=4)
    path = write_report(scan.open_run(tmp_path), tmp_path / "out")
    reader = read(path)
    assert [tag for tag, _ in reader.tags].count("script") == 1
    assert not any(tag in ("img", "i") for tag, _ in reader.tags)
    assert any("alert(1)" in text for text in reader.texts)


def test_duplicate_mode_and_mixed_bots(tmp_path):
    folder = synthetic.write_run(
        tmp_path / "a", synthetic.load("maima"), n_tables=8, hands_per_table=4, mode="duplicate"
    )
    path = folder / "manifest.json"
    manifest = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps(manifest | {"bots": ["ukeire", "random", "random", "<b>"]}), encoding="utf-8")
    (run,) = scan.open_run(tmp_path)
    text = write_report([run], tmp_path / "out").read_text(encoding="utf-8")
    tables = {file.stem for file in (tmp_path / "out" / TABLES / "maima").glob("*.csv")}
    assert "bot_win_rate" in tables
    assert "repeat_lengths" not in tables
    assert "&lt;b&gt;" in text
    assert "--mode duplicate" in text


def test_two_runs_of_one_rule_set_stay_apart(tmp_path):
    for seed in (1, 2):
        synthetic.write_run(tmp_path / f"seed-{seed}", synthetic.load("zhuama"), n_tables=3, seed=seed)
    path = write_report(scan.open_run(tmp_path), tmp_path / "out")
    assert {p.name for p in (path.parent / TABLES).iterdir()} == {"zhuama-1", "zhuama-2", "comparison.csv"}
    assert len(set(read(path).ids)) == len(read(path).ids)


@pytest.mark.parametrize(("hazard", "variant"), [(0, "maima"), (0, "jipinghu"), (1, "zhuama")])
def test_logs_without_a_win_or_without_a_washout(tmp_path, hazard, variant):
    synthetic.write_run(tmp_path / variant, synthetic.load(variant), n_tables=2, hands_per_table=3, hazard=hazard)
    read(write_report(scan.open_run(tmp_path), tmp_path / "out"))


def test_a_single_hand_is_enough(tmp_path):
    synthetic.write_run(tmp_path / "a", synthetic.load("maima"), n_tables=1, hands_per_table=1, n_shards=1)
    read(write_report(scan.open_run(tmp_path), tmp_path / "out"))


def test_a_folder_that_cannot_be_written(folder, tmp_path):
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(scan.RunError, match="cannot be written"):
        write_report(scan.open_run(folder), tmp_path / "file" / "out")


def parsed(line):
    import argparse

    words = shlex.split(line)
    assert words[:2] == ["gdmj", "simulate"]
    parser = argparse.ArgumentParser()
    add_parser(parser.add_subparsers())
    return parser.parse_args(words[1:])


@pytest.mark.parametrize(
    ("variant", "overrides"),
    [
        ("maima", {}),
        ("maima", {"horses.count": 2, "ghost.mode": "none", "win.ways": '["zimo"]', "win.chicken_ways": '["zimo"]'}),
        ("jipinghu", {"patterns.chicken.value": 1, "name.zh": '"我家 规则"'}),
    ],
)
def test_the_command_makes_the_same_rules_again(tmp_path, variant, overrides):
    rules = rule_sets.load(variant, overrides)
    synthetic.write_run(tmp_path / "a", rules, n_tables=2, seed=77)
    (run,) = scan.open_run(tmp_path)
    args = parsed(provenance.command(run))
    assert args.variants == [variant]
    assert rule_sets.load(args.variants[0], dict(args.overrides)) == rules
    assert (args.hands, args.seed, args.bots, args.hands_per_table) == (50, 77, "ukeire", 25)


def test_the_command_of_ones_own_rule_set_names_a_file(tmp_path):
    rules = synthetic.load("zhuama").model_copy(update={"slug": "mine"})
    synthetic.write_run(tmp_path / "a", rules, n_tables=2)
    (run,) = scan.open_run(tmp_path)
    assert parsed(provenance.command(run)).variants == ["mine.toml"]
