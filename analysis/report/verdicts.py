"""Section on strategy tips that were put to the test."""

from __future__ import annotations

from functools import partial

import polars as pl

from analysis import extra_figures as figures
from analysis.extra_figures import VERDICTS
from analysis.labels import LANGUAGES, Label, counting
from analysis.report.blocks import Section, Table, draw
from analysis.report.cells import Cell, count, number, p_value, plain, words
from analysis.report.effects import MOST_DRAWN
from analysis.report.found import Verdict, Verdicts, frame_of


def section(found: Verdicts) -> Section:
    """Verdicts, their effects and how sure they are."""
    frame = frame_of(found.verdicts).with_columns(pl.col("effect", "low", "high", "smallest").cast(pl.Float64))
    # A tip without a smallest effect has no place on the chart's axis.
    drawable = frame.filter(pl.col("effect").is_not_null() & (pl.col("smallest") != 0))
    drawn = drawable.head(MOST_DRAWN)
    names = [Label(*(_row_name(row, language) for language in LANGUAGES)) for row in drawn.iter_rows(named=True)]
    counts = {key: sum(v.verdict == key for v in found.verdicts) for key in VERDICTS}
    told = Label(
        "，".join(f"{VERDICTS[key].zh}{n}条" for key, n in counts.items() if n),
        ", ".join(f"{n} {VERDICTS[key].en}" for key, n in counts.items() if n),
    )
    n_tips = len({one.id for one in found.verdicts})
    title = Label("各条打法的效果", "What tips are worth")
    return Section(
        "tips",
        Label("打法检验", "Tips, put to the test"),
        text=[
            Label(
                f"{n_tips}条打法，{len(found.verdicts):,}项检验：{told.zh}。区间95%；p值按Holm校正。"
                "log：打法所说的情形与相同条件的其他情形相比；duel：照着打的机器人与不照着打的相比。",
                f"{counting(n_tips, 'tip')}, {counting(len(found.verdicts), 'check')}:"
                f" {told.en}. 95% intervals; p by Holm. log: states that a tip names against others alike; duel: a bot"
                " that follows it against the same bot without.",
            ),
            *(
                [
                    Label(
                        f"图中是前{MOST_DRAWN}项，表里有全部。",
                        f"The chart shows the first {MOST_DRAWN}, the table all.",
                    )
                ]
                if drawable.height > MOST_DRAWN
                else []
            ),
        ],
        charts=[
            draw(
                partial(figures.tip_chart, drawn, names),
                "tips-forest",
                title,
                Label(f"{told.zh}。下面的表列出全部数字。", f"{told.en}. The table below has all numbers."),
                is_wide=True,
            )
        ]
        if drawn.height
        else [],
        tables=[
            Table(
                title,
                [
                    Label("说法", "claim"), Label("结论", "verdict"), Label("效果", "effect"),
                    Label("单位", "unit"),
                    Label("值得在意的最小效果", "smallest that matters"), Label("样本数", "n"),
                    Label("p（Holm）", "p (Holm)"), Label("规则", "rules"),
                    Label("机器人", "bots"), Label("方法", "method"),
                    Label("还要多少局", "hands needed"), Label("说明", "note"),
                ],
                [_verdict(one) for one in found.verdicts],
                "tips",
            )
        ],
    )  # fmt: skip


def _row_name(row: dict[str, str], language: str) -> str:
    """Short name of a row in two lines: the tip, then its part, rule set and bots, which tell its rows apart."""
    name, part = _tried(row["id"], row["part"])
    return f"{name} {row[language]}\n{' · '.join(filter(None, (part, row['rules'], row['bots'])))}"


def _tried(tip: str, part: str) -> tuple[str, str]:
    """Return what was tried, a tip or one of its levels (``T06.2``), and which part of the tip, if it has several."""
    return (f"{tip}{part}", "") if part.startswith(".") else (tip, part)


def _verdict(one: Verdict) -> list[Cell]:
    name, _ = _tried(one.id, one.part)
    return [
        words(Label(f"{name} {one.zh}", f"{name} {one.en}")),
        words(VERDICTS[one.verdict]),
        number(one.effect, one.low, one.high),
        words(plain(one.unit)),
        number(one.smallest),
        count(one.n),
        p_value(one.p_holm),
        words(plain(_listed(one.rules))),
        words(plain(_listed(one.bots))),
        words(plain(one.method)),
        count(None if one.needed is None else round(one.needed)),
        words(Label(one.note_zh, one.note_en)),
    ]


def _listed(value: str | list[str]) -> str:
    return value if isinstance(value, str) else ", ".join(value)
