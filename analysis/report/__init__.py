"""What a run showed: one page that opens anywhere without a network, and every table as CSV and Parquet beside it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import jinja2
import polars as pl
from markupsafe import Markup

from analysis import chart, figures, possible, tiles_svg
from analysis.headline import PICKS, comparison, headline
from analysis.labels import Label, Language, label, rules_labels
from analysis.report import alt, downloads, extras, font, provenance, rules_card, svg
from analysis.report.base import base
from analysis.report.blocks import Chart, Section, Table, draw
from analysis.report.cells import Cell, dash, of_row, percentage_points, words
from analysis.report.found import Comparison, Found, look
from analysis.report.sections import sections
from analysis.report.summary import summary
from analysis.report.versus import Versus, extremes, versus
from analysis.scan import Run, RunError
from analysis.tables import Tables, table, tables
from sim.schema import OUTCOMES

HERE = Path(__file__).parent
PAGE = "report.html"
TABLES = "report-tables"
_OPEN_PAIRS = 3  # comparisons that stand open; more are folded


@dataclass(frozen=True)
class RulesReport:
    """Everything the page shows of one rule set."""

    key: str
    name: Label
    topics: list[rules_card.Topic]
    summary: list[Label]
    sections: list[Section]
    facts: list[tuple[Label, str]]
    rules: str
    command: str
    own_file: str | None


def write_report(
    runs: Sequence[Run], out_dir: str | Path, beside: Path | None = None, *, has_downloads: bool = True
) -> Path:
    """Write the report of one or more rule sets.

    Parameters
    ----------
    runs
        Opened runs (`analysis.scan.open_run`); none where only ``beside`` holds something.
    out_dir
        Folder of the page; made if missing, older reports in it are overwritten.
    beside
        Folder in which results of ``gdmj compare``, ``tips`` and ``session`` are looked for.
    has_downloads
        Whether the page brings its tables along as data; without them it is a third as large.

    Returns
    -------
    Path of the page. The tables' CSV and Parquet files lie in ``report-tables/`` beside it.

    Raises
    ------
    RunError
        When a log or a result is damaged or the folder cannot be written.
    """
    out = Path(out_dir)
    with _writing(out):
        out.mkdir(parents=True, exist_ok=True)
    found = look(beside) if beside else Found()
    keyed = dict(zip(_keys(runs), runs, strict=True))
    made = {key: tables(run) for key, run in keyed.items()}
    headlines = {key: headline(frames) for key, frames in made.items()}
    frames = {f"{key}/{name}": frame for key, each in made.items() for name, frame in each.items()}
    if headlines:
        frames["comparison"] = comparison(headlines)
    frames |= extras.frames(found)
    page = _page(keyed, made, headlines, found, downloads.links(frames) if has_downloads else {})
    with _writing(out):
        downloads.write(out / TABLES, frames)
        (out / PAGE).write_text(page, encoding="utf-8")
    return out / PAGE


@contextmanager
def _writing(out: Path) -> Iterator[None]:
    """Tell in one line what cannot be written."""
    try:
        yield
    except OSError as error:
        raise RunError(f"{error.filename or out}: cannot be written ({error.strerror})") from None


def write_picture(runs: Sequence[Run], path: Path, language: Language) -> Path:
    """Write the chart of how hands end in each rule set as a picture; the suffix of ``path`` says which kind.

    Raises
    ------
    RunError
        When the picture cannot be written.
    """
    keyed = dict(zip(_keys(runs), runs, strict=True))
    ends = {key: _possible_ends(run, table(run, "outcomes")) for key, run in keyed.items()}
    figure = figures.outcome_chart(ends, _names(keyed), language)
    try:
        chart.save(figure, path)
    except (OSError, ValueError) as error:
        raise RunError(f"{path}: cannot be written ({error})") from None
    return path


def _keys(runs: Sequence[Run]) -> list[str]:
    """Slug of each run, with a number behind it where two have the same."""
    slugs = [run.rules.slug for run in runs]
    return [slug if slugs.count(slug) == 1 else f"{slug}-{slugs[: i + 1].count(slug)}" for i, slug in enumerate(slugs)]


def _names(keyed: dict[str, Run]) -> dict[str, Label]:
    return rules_labels({key: run.rules for key, run in keyed.items()})


def _possible_ends(run: Run, ends: pl.DataFrame) -> pl.DataFrame:
    return ends.filter(pl.col("outcome").is_in(possible.outcomes(run.rules)))


def _page(
    keyed: dict[str, Run],
    made: dict[str, Tables],
    headlines: dict[str, pl.DataFrame],
    found: Found,
    links: dict[str, downloads.Download],
) -> str:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(HERE),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    names = _names(keyed)
    basis = base({key: run.rules for key, run in keyed.items()}, names) if keyed else None
    content = environment.get_template("template.html").render(
        style=(HERE / "style.css").read_text(encoding="utf-8"),
        script=(HERE / "page.js").read_text(encoding="utf-8"),
        font=_FONT_PLACE,
        symbols=_SYMBOLS_PLACE,
        chart_styles=_STYLES_PLACE,
        links=links,
        shown=set(),
        outcome_chart=_outcome_chart(keyed, made) if keyed else None,
        comparison=_comparison(keyed, headlines) if keyed else None,
        extremes=extremes(names, headlines),
        base=basis,
        base_name=names[basis.key] if basis else None,
        pairs=_pairs(basis.key, keyed, names, headlines, found.comparison) if basis else [],
        has_open_pairs=len(keyed) - 1 <= _OPEN_PAIRS,
        reports=[_rules_report(key, keyed[key], name, made[key], headlines[key]) for key, name in names.items()],
        patterns=rules_card.patterns(run.rules for run in keyed.values()),
        extras=extras.sections(found),
    )
    used = set(map(int, re.findall(r'href="#tile-(\d+)"', content)))
    content, styles = svg.styles_as_classes(content)
    content = content.replace(_STYLES_PLACE, styles)
    content = content.replace(_SYMBOLS_PLACE, tiles_svg.symbols(used) if used else "")
    return content.replace(_FONT_PLACE, font.cut(content))


# What is known only when the rest of the page is: no text of a user's can hold these, since < and > are escaped.
_FONT_PLACE, _SYMBOLS_PLACE, _STYLES_PLACE = Markup("<font>"), Markup("<symbols>"), Markup("<styles>")


def _pairs(
    first: str,
    keyed: dict[str, Run],
    names: dict[str, Label],
    headlines: dict[str, pl.DataFrame],
    compared: Comparison | None,
) -> list[Versus]:
    """Every other rule set against the first."""
    return [
        versus(
            keyed[first].rules,
            keyed[key].rules,
            (names[first], names[key]),
            (headlines[first], headlines[key]),
            compared,
        )
        for key in keyed
        if key != first
    ]


def _rules_report(key: str, run: Run, name: Label, frames: Tables, numbers: pl.DataFrame) -> RulesReport:
    return RulesReport(
        key=key,
        name=name,
        topics=rules_card.topics(run.rules),
        summary=summary(run, frames, numbers),
        sections=sections(run, frames, key),
        facts=provenance.facts(run),
        rules=provenance.rules_text(run),
        command=provenance.command(run),
        own_file=provenance.own_file(run),
    )


def _outcome_chart(keyed: dict[str, Run], made: dict[str, Tables]) -> Chart:
    ends = {key: _possible_ends(keyed[key], frames["outcomes"]) for key, frames in made.items()}
    names = _names(keyed)
    washouts = [float(frame.filter(pl.col("outcome") == OUTCOMES[0])["rate"].sum()) for frame in ends.values()]
    told = alt.ends(list(names.values()), washouts, as_percent=True)
    return draw(
        partial(figures.outcome_chart, ends, names),
        "ends",
        Label("牌局怎样结束", "How hands end"),
        Label(f"流局的比例：{told.zh}", f"Share of washouts: {told.en}"),
    )


def _comparison(keyed: dict[str, Run], headlines: dict[str, pl.DataFrame]) -> Table:
    """Headline numbers, one column for each rule set."""
    picked = {key: {row["measure"]: row for row in frame.iter_rows(named=True)} for key, frame in headlines.items()}
    for key, run in keyed.items():
        for end in set(OUTCOMES) - possible.outcomes(run.rules):
            picked[key].pop(f"win_by_{end}", None)
    rows = [
        [words(label(pick.name)), *(_picked(found.get(pick.name), pick.unit) for found in picked.values())]
        for pick in PICKS
        if any(pick.name in found for found in picked.values())
    ]
    heads = [label("measure"), *_names(keyed).values()]
    return Table(Label("主要数字", "Headline numbers"), heads, rows, "comparison")


def _picked(row: dict[str, Any] | None, unit: str) -> Cell:
    if row is None:
        return dash()
    if row["measure"] == "dealer_lead":
        return percentage_points(row["value"], row["low"], row["high"])
    return of_row(row, "value", as_percent=unit == "rate")
