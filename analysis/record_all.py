"""The record of all rule sets, from one run: ``python -m analysis.record_all RUN`` writes it, nobody types it.

It writes ``reports/all-rules.html`` (the report's page, without downloads), ``all-rules.md`` and ``.csv`` (headline
numbers), ``.png`` (how hands end) and ``.json`` (provenance), then the first result of the README from the same run
(`analysis.record`). A ``compare.json`` of ``gdmj compare`` in the folder becomes a part of the page.
"""

from __future__ import annotations

import argparse
import json
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

import polars as pl

from analysis import record
from analysis.headline import PICKS
from analysis.labels import label, rules_label
from analysis.report import TABLES, write_picture, write_report
from analysis.scan import Run, RunError, loaded, open_run

FIRST_RESULT = ("jipinghu", "maima", "zhuama")
NAME = "all-rules"
_HEAD = """# All rule sets

{hands} hands of four `{bots}` bots for each, seed {seed}; ± is half of the 95 % interval. Points are in each rule set's
own units. [The whole report]({name}.html) is one page that works without a network; `make record-all` plays the hands
again and writes this page, the report, [the numbers]({name}.csv) and [what they were made with]({name}.json).

![How hands end in each rule set]({name}.png)

"""


def markdown(runs: Sequence[Run], numbers: pl.DataFrame) -> str:
    """Page of headline numbers: one row a rule set, one column a measure."""
    names = {pick.name: label(pick.name) for pick in PICKS}
    first = runs[0].manifest
    lines = [
        _HEAD.format(hands=f"{runs[0].n_hands:,}", bots=first["bots"][0], seed=first["seed"], name=NAME)
        + "| | "
        + " | ".join(f"{name.en} ({name.zh})" for name in names.values())
        + " |",
        "|---|" + "---:|" * len(names),
    ]
    for run in runs:
        own = numbers.filter(pl.col("rules") == run.rules.slug)
        cells = [record.cell(own.filter(pl.col("measure") == measure)) for measure in names]
        lines.append(f"| `{run.rules.slug}` {rules_label(run.rules).zh} | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def write(folder: Path, root: Path) -> None:
    """Write the record of the runs in ``folder`` into ``root`` (the repository)."""
    runs = [loaded(run) for run in open_run(folder)]
    out = root / "reports"
    out.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as made:
        page = write_report(runs, made, folder, has_downloads=False)
        shutil.copyfile(page, out / f"{NAME}.html")
        shutil.copyfile(page.parent / TABLES / "comparison.csv", out / f"{NAME}.csv")
    write_picture(runs, out / f"{NAME}.png", "en")
    facts = json.dumps(record.facts(runs), indent=1) + "\n"
    (out / f"{NAME}.json").write_text(facts, encoding="utf-8")
    numbers = pl.read_csv(out / f"{NAME}.csv")
    (out / f"{NAME}.md").write_text(markdown(runs, numbers), encoding="utf-8")
    record.write([run for run in runs if run.rules.slug in FIRST_RESULT], root)


def main() -> None:
    """Write the record of the run that the command line names."""
    parser = argparse.ArgumentParser(prog="python -m analysis.record_all", description=__doc__.split("\n")[0])
    parser.add_argument("run", metavar="RUN", help="folder of the run")
    try:
        write(Path(parser.parse_args().run), Path(__file__).parent.parent)
    except RunError as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
