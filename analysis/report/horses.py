"""The horse report of one rule set."""

from __future__ import annotations

from functools import partial

import polars as pl

from analysis import figures
from analysis.horse_wins import KINDS, ORIGINS
from analysis.labels import Label, label
from analysis.report.blocks import Section, Table, draw, table
from analysis.report.cells import Cell, of_row, plain, written
from analysis.report.columns import Row, counted, n_of, named, pivot, value, value_in
from analysis.scan import Run
from analysis.tables import Tables, shown_horses

# Whose income stands for a kind of horses: the winner draws; of held ones any seat's count.
SHOWN_ROLE = {"drawn": "winner", "held": "all"}

_TEXT = Label(
    "精确值：每局已知可能成为马的牌，马是其中不放回的抽样，期望与方差可直接算出。抽样值：用实际翻出的牌。"
    "粗算：用整副牌的比例 kn/N。每次胡牌为一个单位。净份数：从马得到的付分次数减去付出的次数。",
    "Exact: given the tiles that could become horses, they are a sample without replacement, so mean and variance"
    " of each hand are known. Sampled: the tiles that came. Naive: shares of the whole deck, kn/N. The unit is one"
    " win. Net shares: payments gained from horses less payments made.",
)


def horse_section(run: Run, tables: Tables, key: str) -> Section:
    """Horse report of one rule set: its own setting, every number of horses, and what if."""
    kind, origin, n_horses = shown_horses(run.rules)
    frame, heading = tables["horse_expectation"], Label("买马期望", "Horse expectation")
    own = run.rules.horses
    setting = Label(
        f"{label(kind).zh}，{label(f'origin.{origin}').zh}，{n_horses}匹" + ("" if own.count else "（假设）"),
        f"{label(kind).en}, {label(f'origin.{origin}').en}, {n_horses} horses".capitalize()
        + ("" if own.count else " (what if)"),
    )
    shown = frame.filter((pl.col("kind") == kind) & (pl.col("origin") == origin))
    return Section(
        f"{key}-horse",
        heading,
        text=[_TEXT],
        charts=[
            draw(partial(figures.horse_mean_chart, frame, kind, origin, own.count), f"{key}-horse", heading),
            draw(
                partial(figures.horse_distribution_chart, tables["horse_distribution"], kind, n_horses),
                f"{key}-hits",
                label(f"shares.{kind}"),
            ),
        ],
        tables=[
            _horse_roles(shown.filter(pl.col("n_horses") == n_horses), kind, setting),
            _horse_numbers(shown, kind, setting),
            _what_if(frame, run),
        ],
    )


def _sd(row: Row) -> Cell:
    """Write a standard deviation from a variance and its interval."""
    root = [
        None if v is None else max(v, 0.0) ** 0.5 for v in (row[f"exact_variance{s}"] for s in ("", "_low", "_high"))
    ]
    return of_row({"sd": root[0], "low": root[1], "high": root[2]}, "sd")


def _naive(row: Row) -> Cell:
    """Write the naive value with as many digits as the exact one beside it."""
    text, _ = written(row["naive"], row["exact_low"], row["exact_high"])
    return Cell(plain(text))


def _horse_roles(frame: pl.DataFrame, kind: str, setting: Label) -> Table:
    rows = pivot(frame, "role", "quantity", ["shares", "points"])
    return table(
        setting,
        [
            label("role"),
            label("n"),
            label(f"shares.{kind}"),
            *(
                Label(f"{label('horse').zh}·{label(m).zh}", f"{label('horse').en}, {label(m).en}")
                for m in ("exact", "sampled", "naive")
            ),
            label("sd"),
        ],
        rows,
        [
            named("role", "role."),
            n_of,
            value_in("shares", "exact"),
            value_in("points", "exact"),
            value_in("points", "sampled"),
            lambda row: _naive(row["points"]),
            lambda row: _sd(row["points"]),
        ],
        "horse_expectation",
    )


def _horse_numbers(frame: pl.DataFrame, kind: str, setting: Label) -> Table:
    role = SHOWN_ROLE[kind]
    chosen = frame.filter((pl.col("role") == role) & (pl.col("quantity") == "shares"))
    name = label(f"shares.{kind}")
    return table(
        Label(
            f"{name.zh}的期望，{label(f'role.{role}').zh}，按马数（{setting.zh.rsplit('，', 1)[0]}）",
            f"Mean {name.en} by number of horses, {label(f'role.{role}').en} ({setting.en.rsplit(', ', 1)[0].lower()})",
        ),
        [label("n_horses"), label("n"), label("exact"), label("sampled"), label("naive"), label("sd")],
        chosen.to_dicts(),
        [
            counted("n_horses"),
            n_of,
            value("exact"),
            value("sampled"),
            _naive,
            _sd,
        ],
        "horse_expectation",
        is_folded=True,
    )


def _what_if(frame: pl.DataFrame, run: Run) -> Table:
    wanted = frame.filter(
        (pl.col("quantity") == "points") & (pl.col("role") == pl.col("kind").replace_strict(SHOWN_ROLE))
    ).with_columns(setting=pl.col("kind") + ":" + pl.col("origin"))
    columns = [f"{kind}:{origin}" for kind in KINDS for origin in ORIGINS]
    own = run.rules.horses

    def head(name: str) -> Label:
        kind, origin = name.split(":")
        mark = " ★" if (own.kind, own.origin) == (kind, origin) else ""
        return Label(
            f"{label(kind).zh}，{label(f'origin.{origin}').zh}{mark}",
            f"{label(kind).en}, {label(f'origin.{origin}').en}{mark}",
        )

    return table(
        Label(
            "假如：每次胡牌的马分（精确值；奖马为胡牌人，买马为任一家）" + ("；★ 本规则" if own.count else ""),
            "What if: horse points in a win (exact; drawn: the winner's, held: any seat's)"
            + ("; ★ own rule" if own.count else ""),
        ),
        [label("n_horses"), *(head(name) for name in columns)],
        pivot(wanted, "n_horses", "setting", columns),
        [counted("n_horses"), *(value_in(name, "exact") for name in columns)],
        "horse_expectation",
        is_folded=True,
    )
