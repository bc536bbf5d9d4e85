import base64
import io
import re
import shlex
from html.parser import HTMLParser
from urllib.parse import unquote

import polars as pl
import pytest
from fontTools.ttLib import TTFont
from polars.testing import assert_frame_equal

from analysis import horse_wins, scan
from analysis.cli.simulate import add_parser
from analysis.report import PAGE, TABLES, provenance, write_report
from sim import engine
from sim import rules as rule_sets
from sim.engine import Plan, shard_tables
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
        assert link.startswith(("#", "data:text/csv;", "data:application/vnd.apache.parquet;")), link
    text = page.read_text(encoding="utf-8")
    assert not re.search(r"@import|url\((?!\"data:|#)", text)
    assert "default-src 'none'" in text


def test_links_and_ids_fit(page):
    reader = read(page)
    assert len(reader.ids) == len(set(reader.ids))
    for link in reader.links:
        if link.startswith("#"):
            assert link[1:] in reader.ids


def test_the_page_brings_its_tables_along(page):
    links = {attrs["download"]: attrs["href"] for tag, attrs in read(page).tags if "download" in attrs}
    files = {file.relative_to(page.parent / TABLES) for file in (page.parent / TABLES).rglob("*.*")}
    assert {str(file).replace("/", "-") for file in files} >= set(links)
    assert len(links) >= 2 * (3 * 11 + 1)
    for file in files:
        href = links.get(str(file).replace("/", "-"))
        if href is None:
            continue
        stored = (page.parent / TABLES / file).read_bytes()
        if file.suffix == ".parquet":
            found = pl.read_parquet(base64.b64decode(href.split(",", 1)[1]))
            assert_frame_equal(found, pl.read_parquet(stored))
        else:
            found = pl.read_csv(unquote(href.split(",", 1)[1]).encode())
            assert_frame_equal(found, pl.read_csv(stored), rel_tol=1e-9)


def test_a_page_without_downloads_is_much_smaller(folder, page, tmp_path):
    runs = scan.open_run(folder / "maima")
    small, whole = (
        write_report(runs, tmp_path / str(has), has_downloads=has).read_text(encoding="utf-8") for has in (False, True)
    )
    assert "download=" not in small
    assert len(small) < len(whole) - 100_000
    assert small.count("<table") == whole.count("<table")


def test_the_pages_font_has_its_characters_and_no_others_of_chinese(page):
    text = page.read_text(encoding="utf-8")
    font = TTFont(io.BytesIO(base64.b64decode(re.search(r"font/woff;base64,([^\"]+)", text)[1])))
    chinese = {ord(char) for char in text if "\u3400" <= char <= "\u9fff"}
    assert chinese == {code for code in font.getBestCmap() if 0x3400 <= code <= 0x9FFF}


def test_every_text_stands_in_both_languages(page):
    tags = [attrs for tag, attrs in read(page).tags if tag == "span"]
    zh = sum(attrs.get("class") == "zh" for attrs in tags)
    assert zh == sum(attrs.get("class") == "en" for attrs in tags) > 100


def test_english_parts_hold_no_chinese_but_names(page):
    text = page.read_text(encoding="utf-8")
    for part in re.findall(r'<span class="en" lang="en">(.*?)</span>', text):
        part = re.sub(r"\(called .*?\)", "", part)
        assert not re.search(r"[\u4e00-\u9fff]", part), part


def test_charts_are_inline_and_follow_the_pages_colours(page):
    text = page.read_text(encoding="utf-8")
    svgs = re.findall(r"<svg.*?</svg>", "".join(re.findall(r"<figure>.*?</figure>", text, re.DOTALL)), re.DOTALL)
    assert len(svgs) == 2 * (3 * 8 + 1)
    for svg in svgs:
        assert len(svg) < 20_000
        assert "style=" not in svg
        title, told = re.findall(r"<(?:title|desc) id=[^>]*>(.+?)</", svg)
        assert title
        assert re.search(r"\d", told)
    rules = dict(re.findall(r"svg (\.k\d+) \{ (.*?) \}", text))
    assert {f".{name}" for svg in svgs for name in re.findall(r'class="(k\d+)"', svg)} == set(rules)
    assert any("var(--ink)" in rule for rule in rules.values())
    assert set(re.findall(r"#[0-9a-f]{6}", " ".join(rules.values()))) <= {"#ffffff"}


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
    synthetic.refact(folder, bots=["ukeire", "random", "random", "<b>"])
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
    assert {p.name for p in (path.parent / TABLES).iterdir()} == {
        "zhuama-1",
        "zhuama-2",
        "comparison.csv",
        "comparison.parquet",
    }
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


def test_the_command_of_a_part_that_stands_alone(tmp_path):
    rules = synthetic.load("maima")
    synthetic.write_run(tmp_path / "a", rules, n_tables=10, first_table=20)
    (run,) = scan.open_run(tmp_path)
    args = parsed(provenance.command(run))
    plan = Plan(rules, args.hands, ("ukeire",) * 4, hands_per_table=args.hands_per_table)
    first, n = shard_tables(plan, args.shard)
    assert (first, n, plan.hands_of(first, n)) == (20, 10, run.n_hands)


def test_ones_own_rule_set_stands_on_the_page_as_a_file(tmp_path):
    own = tmp_path / "house.toml"
    own.write_text((rule_sets.VARIANTS / "zhuama.toml").read_text(encoding="utf-8"), encoding="utf-8")
    rules = rule_sets.load(own, {"horses.count": 3, "win.min_fan": 1, "slug": "mine"})
    synthetic.write_run(tmp_path / "a", rules, n_tables=2)
    (run,) = scan.open_run(tmp_path)
    args = parsed(provenance.command(run))
    assert (args.variants, args.overrides) == (["mine.toml"], [])
    (tmp_path / "mine.toml").write_text(provenance.rules_text(run), encoding="utf-8")
    assert rule_sets.load(tmp_path / "mine.toml") == rules
    assert "file mine.toml" in write_report([run], tmp_path / "out").read_text(encoding="utf-8")


def test_wide_tables_show_that_they_scroll(page):
    text = page.read_text(encoding="utf-8")
    edge = re.findall(r"\.scroll \{(.*?)\}", text, re.DOTALL)[0]
    assert re.search(r"var\(--paper\).* local.*var\(--shadow\).* scroll", edge, re.DOTALL)
    assert re.search(r"\.scroll tbody th.*\{ position: sticky; left: 0; background: var\(--paper\)", text)


def test_two_versions_of_a_rule_set_have_two_names(tmp_path):
    for i, overrides in enumerate(({}, {"ghost.mode": "none"}, {"horses.count": 2})):
        synthetic.write_run(tmp_path / str(i), rule_sets.load("maima", overrides), n_tables=4)
    synthetic.write_run(tmp_path / "9", rule_sets.load("maima"), n_tables=4, seed=9)
    texts = read(write_report(scan.open_run(tmp_path), tmp_path / "out")).texts
    for name in ("买马翻鬼 (maima-1)", "买马翻鬼 · ghost.mode=none", "买马翻鬼 · horses.count=2", "买马翻鬼 (maima-4)"):
        assert sum(name in text for text in texts) >= 4, name  # navigation, summary, comparison, headings


def test_the_command_of_ones_own_rule_set_names_a_file(tmp_path):
    rules = synthetic.load("zhuama").model_copy(update={"slug": "mine"})
    synthetic.write_run(tmp_path / "a", rules, n_tables=2)
    (run,) = scan.open_run(tmp_path)
    assert parsed(provenance.command(run)).variants == ["mine.toml"]


def shown(path):
    return " ".join(read(path).texts)


# One of each kind of what a page says of horses and flowers; the rest by hand.
KINDS = {"app-100", "app-hongzhong", "huapai", "jiandan", "jipinghu"}


@pytest.mark.parametrize(
    "variant", [pytest.param(name, marks=[] if name in KINDS else pytest.mark.slow) for name in rule_sets.names()]
)
def test_every_shipped_rule_set_has_a_report(tmp_path, variant):
    rules = rule_sets.load(variant)
    engine.simulate(engine.Plan(rules, 128, ("ukeire",) * 4, 3, "session", 16), tmp_path / "run")
    text = shown(write_report(scan.open_run(tmp_path), tmp_path / "out"))
    assert ("Own rule, as logged" in text) == (rules.horses.kind != "none")
    assert ("This rule set has more rules for horses" in text) == bool(horse_wins.departures(rules))
    assert ("this rule set's fixed price" in text) == (rules.horses.price == "fixed")
    assert ("Points from kongs include flowers" in text) == bool(rules.play.flower_price or rules.dealer.follow_points)
    assert "Only patterns that counted for the price are told" in text
    assert "只计算分时起作用的番型" in text


def test_a_rule_set_that_prices_nothing(tmp_path):
    synthetic.write_run(tmp_path / "a", synthetic.load("zhuama"), n_tables=4)
    rules = synthetic.load("zhuama").to_dict() | {"patterns": {}}
    digest = rule_sets.from_dict(rules, "test").digest()
    synthetic.refact(tmp_path / "a", rules=rules, rules_digest=digest)
    assert "This rule set prices no pattern." in shown(write_report(scan.open_run(tmp_path), tmp_path / "out"))


def test_one_hand_and_one_horse_are_no_plural(tmp_path):
    rules = synthetic.load("zhuama", horses__count=1, horses__count_discard=1)
    synthetic.write_run(tmp_path / "a", rules, n_tables=1, hands_per_table=1, n_shards=1, hazard=1.0)
    text = shown(write_report(scan.open_run(tmp_path), tmp_path / "out"))
    assert "1 hand, 1 win." in text
    assert "What 1 horse brings" in text
    assert not re.search(r"(?<![\d.,=])1 (hands|wins|horses)\b", text)
