"""The first result of the README, from a run: ``python -m analysis.record RUN`` writes it, nobody types it.

It writes ``reports/first-result.csv`` (the report's comparison table), ``reports/first-result.png`` (how hands end),
``reports/first-result.json`` (provenance) and the table between the README's two markers.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import polars as pl

from analysis.headline import comparison, headline
from analysis.labels import label, rules_label
from analysis.report import write_picture
from analysis.scan import Run, RunError, loaded, open_run
from analysis.tables import tables
from sim.rules import load

BEGIN, END = "<!-- first result: begin -->", "<!-- first result: end -->"
MEASURES = (
    "win_by_zimo",
    "win_by_dianpao",
    "washout",
    "win_turn",
    "win_points",
    "dealer_lead",
    "deal_points",
    "horse_points",
)
_KEPT = ("seed", "mode", "bots", "n_hands", "code_hash", "versions", "rules_digest")


def markdown(numbers: pl.DataFrame) -> str:
    """Table of the README from the comparison's frame: one row a measure, one column a rule set."""
    slugs = numbers["rules"].unique(maintain_order=True).to_list()
    names = [rules_label(load(slug)) for slug in slugs]
    lines = [
        "| | " + " | ".join(f"`{slug}` {name.zh}" for slug, name in zip(slugs, names, strict=True)) + " |",
        "|---|" + "---:|" * len(slugs),
    ]
    for measure in MEASURES:
        cells = [cell(numbers.filter((pl.col("rules") == slug) & (pl.col("measure") == measure))) for slug in slugs]
        lines.append(f"| {label(measure).en} ({label(measure).zh}) | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def cell(found: pl.DataFrame) -> str:
    """One number with half of its interval; a dash where there is none."""
    if found.is_empty() or found["value"][0] is None:
        return "–"
    row = found.row(0, named=True)
    scale, unit = (100, " pp" if row["measure"] == "dealer_lead" else " %") if row["unit"] == "rate" else (1, "")
    if row["unit"] == "rate" and row["value"] == 0:
        return "–"
    half = 0.0 if row["low"] is None else scale * (row["high"] - row["low"]) / 2
    return f"{scale * row['value']:.2f}{unit}" + (f" ± {half:.2f}" if half else "")


def facts(runs: Sequence[Run]) -> dict[str, dict[str, Any]]:
    """Collect what each rule set was played with."""
    return {run.rules.slug: {name: run.manifest[name] for name in _KEPT} for run in runs}


def write(runs: Sequence[Run], root: Path) -> None:
    """Write the record of the runs into ``root`` (the repository)."""
    runs = [loaded(run) for run in runs]
    numbers = comparison({run.rules.slug: headline(tables(run)) for run in runs})
    out = root / "reports"
    out.mkdir(exist_ok=True)
    numbers.write_csv(out / "first-result.csv")
    write_picture(runs, out / "first-result.png", "en")
    (out / "first-result.json").write_text(json.dumps(facts(runs), indent=1) + "\n", encoding="utf-8")
    readme = root / "README.md"
    before, rest = readme.read_text(encoding="utf-8").split(BEGIN)
    after = rest.split(END)[1]
    readme.write_text(f"{before}{BEGIN}\n{markdown(numbers)}\n{END}{after}", encoding="utf-8")


def main() -> None:
    """Write the record of the run that the command line names."""
    parser = argparse.ArgumentParser(prog="python -m analysis.record", description=__doc__.split("\n")[0])
    parser.add_argument("run", metavar="RUN", help="folder of the run")
    try:
        write(open_run(parser.parse_args().run), Path(__file__).parent.parent)
    except RunError as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
