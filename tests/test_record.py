"""The README's first result is what the record's table says."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl

from analysis import record_all
from analysis.record import BEGIN, END, markdown, write
from analysis.scan import open_run
from tests import extras, synthetic

ROOT = Path(__file__).parent.parent


def test_the_table_of_the_readme_is_generated() -> None:
    block = (ROOT / "README.md").read_text(encoding="utf-8").split(BEGIN)[1].split(END)[0].strip()
    assert block == markdown(pl.read_csv(ROOT / "reports" / "first-result.csv"))


def test_the_record_says_what_it_was_made_with() -> None:
    facts = json.loads((ROOT / "reports" / "first-result.json").read_text(encoding="utf-8"))
    assert {run["n_hands"] for run in facts.values()} == {1_000_000}
    assert (ROOT / "reports" / "first-result.png").stat().st_size > 10_000


def test_a_record_is_written(tmp_path: Path) -> None:
    for slug in ("maima", "jipinghu"):
        synthetic.write_run(tmp_path / "run" / slug, synthetic.load(slug), n_tables=8)
    (tmp_path / "README.md").write_text(f"before\n{BEGIN}\nold\n{END}\nafter\n", encoding="utf-8")
    write(open_run(tmp_path / "run"), tmp_path)
    text = (tmp_path / "README.md").read_text(encoding="utf-8")
    assert text.startswith("before\n")
    assert text.endswith("after\n")
    assert "old" not in text
    assert "`maima` 买马翻鬼" in text


def test_the_record_of_all_rule_sets_is_written(tmp_path: Path) -> None:
    slugs = ("jipinghu", "maima", "zhuama", "guigang")
    for slug in slugs:
        synthetic.write_run(tmp_path / "run" / slug, synthetic.load(slug), n_tables=8)
    (tmp_path / "run" / "compare.json").write_text(json.dumps(extras.comparison()), encoding="utf-8")
    (tmp_path / "README.md").write_text(f"{BEGIN}\nold\n{END}\n", encoding="utf-8")
    record_all.write(tmp_path / "run", tmp_path)
    made = {path.name: path for path in (tmp_path / "reports").iterdir()}
    assert set(made) == {
        f"{name}.{suffix}" for name in ("all-rules", "first-result") for suffix in ("csv", "json", "png")
    } | {"all-rules.html", "all-rules.md"}
    page = made["all-rules.html"].read_text(encoding="utf-8")
    assert 'id="effects"' in page
    assert "download=" not in page
    assert 'href="report-tables' not in page
    table = made["all-rules.md"].read_text(encoding="utf-8")
    assert all(f"`{slug}`" in table for slug in slugs)
    assert "200 hands of four `ukeire` bots" in table
    readme = (tmp_path / "README.md").read_text(encoding="utf-8")
    assert "`guigang`" not in readme
    assert readme.split(BEGIN)[1].split(END)[0].strip() == markdown(pl.read_csv(made["first-result.csv"]))
