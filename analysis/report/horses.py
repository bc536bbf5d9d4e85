"""The horse report of one rule set."""

from __future__ import annotations

from functools import partial

import polars as pl

from analysis import figures
from analysis.digits import written
from analysis.horse_wins import KINDS, ORIGINS, departures
from analysis.labels import Label, counting, label
from analysis.report import alt
from analysis.report.blocks import Section, Table, draw, table
from analysis.report.cells import Cell, of_row, plain
from analysis.report.columns import Row, counted, n_of, named, pivot, value, value_in
from analysis.rule_labels import label as rule_label
from analysis.scan import Run
from analysis.tables import Tables, shown_horses
from sim.rules import Rules

# Whose income stands for a kind of horses: the winner draws; of held ones any seat's count.
SHOWN_ROLE = {"drawn": "winner", "held": "all"}

_TEXT = Label(
    "精确值：每局已知可能成为马的牌，马是其中不放回的抽样，期望与方差可直接算出。抽样值：用实际翻出的牌。"
    "粗算：用整副牌的比例 kn/N。每次胡牌为一个单位。净份数：从马得到的付分次数减去付出的次数。",
    "Exact: given the tiles that could become horses, they are a sample without replacement, so mean and variance"
    " of each hand are known. Sampled: the tiles that came. Naive: shares of the whole deck, kn/N. The unit is one"
    " win. Net shares: payments gained from horses less payments made.",
)


_WHOSE = Label(
    "买马有两种算法，数字不同。「本规则，实际牌局」：胡牌人因四家的马共得多少，即自己的马所得，加上别家的马落在付分人身上时付给胡牌人的分。"
    "其余各表：只算一家自己的马给这家带来多少。",
    "Held horses are counted in two ways, with different numbers. 'Own rule, as logged' is what a winner nets from the"
    " horses of all four seats: the winner's own, and others' that mean a payer, whose holders pay the winner too. All"
    " other tables count what one seat's own horses bring to that seat.",
)


def horse_section(run: Run, tables: Tables, key: str) -> Section:
    """Horse report of one rule set: its own setting, every number of horses, and what if."""
    kind, origin, n_horses = shown_horses(run.rules)
    frame, heading = tables["horse_expectation"], Label("买马期望", "Horse expectation")
    has_horses, others = run.rules.horses.kind != "none", departures(run.rules)
    is_own = has_horses and not others
    setting = Label(
        f"{label(kind).zh}，{label(f'origin.{origin}').zh}，{n_horses}匹" + ("" if is_own else "（假设）"),
        f"{label(kind).en}, {label(f'origin.{origin}').en}, {counting(n_horses, 'horse')}".capitalize()
        + ("" if is_own else " (what if)"),
    )
    shown = frame.filter((pl.col("kind") == kind) & (pl.col("origin") == origin))
    spread = tables["horse_distribution"]
    return Section(
        f"{key}-horse",
        heading,
        text=[
            _TEXT,
            _sample(frame),
            *([_WHOSE] if kind == "held" else []),
            *([_left_out(others)] if others else []),
            *([_fixed_price(run.rules)] if run.rules.horses.price == "fixed" else []),
        ],
        charts=[
            draw(
                partial(figures.horse_mean_chart, frame, kind, origin, n_horses if is_own else 0),
                f"{key}-horse",
                Label(f"马分随马数的变化：{setting.zh}", f"Horse points by number of horses: {setting.en}"),
                _means(shown, SHOWN_ROLE[kind]),
            ),
            draw(
                partial(figures.horse_distribution_chart, spread, kind, n_horses),
                f"{key}-hits",
                Label(
                    f"{n_horses}匹马的收入分布：精确值与抽样值",
                    f"What {counting(n_horses, 'horse')} may bring: exact and sampled",
                ),
                alt.ends(
                    alt.numbered(spread["shares"].to_list(), label(f"shares.{kind}")),
                    spread["exact"].to_list(),
                    as_percent=True,
                ),
            ),
        ],
        tables=[
            *([_as_logged(tables["own_horses"], kind)] if has_horses else []),
            _horse_roles(shown.filter(pl.col("n_horses") == n_horses), kind, setting),
            _horse_numbers(shown, kind, setting),
            _what_if(frame, run),
        ],
    )


def _means(frame: pl.DataFrame, role: str) -> Label:
    shown = frame.filter((pl.col("role") == role) & (pl.col("quantity") == "points"))
    return alt.ends(alt.numbered(shown["n_horses"].to_list(), label("n_horses")), shown["exact"].to_list())


def _sample(frame: pl.DataFrame) -> Label:
    """Tell which hands the tables rest on (`sim.codec.in_pool_sample`)."""
    n = max(frame.filter(pl.col("role") == "winner")["n"].to_list(), default=0)
    return Label(
        f"可能成为马的牌只记录一部分牌局：前1,024桌（或组）的每一局，以后每16桌（或组）记一桌；这里共{n:,}次胡牌。",
        "The tiles that could become horses are logged for a sample: every hand of the first 1,024 tables or deal"
        f" blocks, then of every sixteenth; here {counting(n, 'win')}.",
    )


def _left_out(fields: list[str]) -> Label:
    names = [rule_label(path) for path in fields]
    return Label(
        f"本规则的马还有别的规定：{'、'.join(zh for zh, _ in names)}。「本规则，实际牌局」一表和主要数字照这些规定；"
        "其余图表都是假设，不计这些规定：每次胡牌的马数相同，按座位中马，每中一匹固定多付。",
        f"This rule set has more rules for horses: {'; '.join(en for _, en in names)}. The table 'Own rule, as logged'"
        " and the headline numbers follow them. All other charts and tables are what-ifs that leave them out: every win"
        " draws the same number, a horse hits by its seat, and each hit adds the same.",
    )


def _fixed_price(rules: Rules) -> Label:
    price = f"{rules.horses.fixed * rules.scoring.base:,}"
    return Label(
        f"奖马每中一匹，每份多付{price}分（本规则的固定价），与牌的大小无关；假设的买马照牌分再付。",
        f"A drawn horse that hits adds {price} to each share, this rule set's fixed price, whatever the hand is worth;"
        " held horses, a what-if, copy the hand's payments.",
    )


def _as_logged(frame: pl.DataFrame, kind: str) -> Table:
    is_held = kind == "held"
    return table(
        Label(
            f"本规则，实际牌局（马数每局，其余每次胡牌{'；胡牌人因四家的马净得' if is_held else ''}）",
            "Own rule, as logged (horses in a won hand, the rest in a win"
            f"{'; what a winner nets from the horses of all seats' if is_held else ''})",
        ),
        [label("measure"), label("n"), label("mean")],
        frame.to_dicts(),
        [named("measure"), n_of, value("mean")],
        "own_horses",
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
    is_held = kind == "held"
    return table(
        Label(
            f"{setting.zh}{'：一家自己的马带来的，按这家是谁' if is_held else ''}",
            f"{setting.en}{': what the horses of one seat bring it, by who it is' if is_held else ''}",
        ),
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
    is_own = own.kind != "none" and not departures(run.rules)

    def head(name: str) -> Label:
        kind, origin = name.split(":")
        mark = " ★" if is_own and (own.kind, own.origin) == (kind, origin) else ""
        return Label(
            f"{label(kind).zh}，{label(f'origin.{origin}').zh}{mark}",
            f"{label(kind).en}, {label(f'origin.{origin}').en}{mark}",
        )

    return table(
        Label(
            "假如：每次胡牌的马分（精确值；奖马为胡牌人，买马为任一家）" + ("；★ 本规则" if is_own else ""),
            "What if: horse points in a win (exact; drawn: the winner's, held: any seat's)"
            + ("; ★ own rule" if is_own else ""),
        ),
        [label("n_horses"), *(head(name) for name in columns)],
        pivot(wanted, "n_horses", "setting", columns),
        [counted("n_horses"), *(value_in(name, "exact") for name in columns)],
        "horse_expectation",
        is_folded=True,
    )
