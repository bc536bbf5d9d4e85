"""The page of what trace logs say beyond the tips: plays, asks, draws, and writes it in both languages."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl
from matplotlib.figure import Figure

from analysis import chart
from analysis.beyond import danger, figures, flush, ghosts, ready, waits
from analysis.beyond.rates import rates
from analysis.labels import LANGUAGES, Label, Language, rules_label
from analysis.scan import open_run
from sim.engine import Plan, simulate
from sim.jit import CODE_HASH
from sim.logs import HandLog
from sim.rules import load

RULES = ("jipinghu", "maima", "zhuama")
BOTS = ("ukeire", "value")
MAIN = ("jipinghu", "ukeire")  # whose tables are drawn where one chart holds one of them
GHOST_RULES = "maima"
TABLE_HANDS = 16
RECORD = "beyond-tips.json"
Cell = tuple[str, str]  # rule set and bot
_NUMBERS = ("n", "rate", "low", "high")  # of `rates`
_COPIES = (1, 2, 3, 4, 6, 8)  # live copies that the table of waits shows

_TITLE = Label("诀窍之外：牌谱还说了什么", "Beyond the tips: what else the trace logs say")
_MADE = Label(
    "由 `python -m analysis.beyond` 写成；代码 {code}，种子 {seed}，每种规则每种机器人各 {hands:,} 局"
    "（做一色一问：{walls:,} 副牌墙的首局）。四家同一机器人；± 为 95% 区间，以桌为独立单位；少于 {fewest} 例的不列。",
    "Written by `python -m analysis.beyond`; code {code}, seed {seed}, {hands:,} hands of each rule set and bot (flush:"
    " the first hand of {walls:,} walls). Four equal bots; ± is a 95 % interval with tables as the independent units;"
    " numbers of fewer than {fewest} cases are left out.",
)
_ROWS = {
    "late": Label("{tile}", "{tile}"),
    "neighbours": Label("{tile}，见 {seen}", "{tile}, sees {seen}"),
    "ready": Label("第 {turn} 张", "discard {turn}"),
    "waits": Label("{kinds} 种 {copies} 张", "kinds {kinds}, copies {copies}"),
}
# Chart, title, and the tables below it with what is said of them.
_SECTIONS = {
    "danger": (
        Label("打什么牌危险", "Which discards are dangerous"),
        {
            "late": Label(
                "打出的牌正是任一别家所听的比例（只看牌型，不问该规则能否点炮），第 9 张打牌起：",
                "How often the discard is a kind that another hand waits for (shape alone, whatever a discard may"
                " win), from the ninth discard on:",
            ),
            "neighbours": Label(
                "同上，按打牌人看得见的相邻牌张数（上下一点中见得多的那种；2 指两张及以下）：",
                "The same by the copies that the discarder sees of the neighbour (one rank up or down, the more seen;"
                " 2: two and fewer):",
            ),
        },
    ),
    "ready": (
        Label("几巡听牌", "How soon hands are ready"),
        {"ready": Label("还在打的各家中，打出这张后已听牌的：", "Ready after that discard, of those still playing:")},
    ),
    "waits": (
        Label("听什么值多少", "What a wait is worth"),
        {
            "waits": Label(
                "初听后胡牌的比例，按听几种（3：三种及以上）、未见几张：",
                "Share that wins in the end, by kinds (3: three and more) and live copies when first ready:",
            )
        },
    ),
    "ghosts": (
        Label("一张鬼值多少", "What a ghost is worth"),
        {
            "ghosts": Label(
                "首次打牌时手上的鬼牌（3：三张及以上）：", "Ghosts in hand at the first discard (3: or more):"
            )
        },
    ),
    "flush": (
        Label("何时拆牌做一色", "When to break a hand for a flush"),
        {
            "flush": Label(
                "同一牌墙上，座位 0 从首次打牌起只留最多的一门与字（`+T11`）减照常打：每局分数（不计马）之差，"
                "按那一门的张数（10：十张及以上）。",
                "On the same wall, seat 0 keeping nothing but its longest suit and honours from the first discard on"
                " (`+T11`) less playing on: points of a hand, horses aside, by the tiles of that suit (10: or more).",
            )
        },
    ),
}


class Found(NamedTuple):
    """What one rule set and bot gave: frames of `rates`."""

    danger: pl.DataFrame
    late: pl.DataFrame
    neighbours: pl.DataFrame
    ready: pl.DataFrame
    waits: pl.DataFrame
    ghost_points: pl.DataFrame
    ghost_wins: pl.DataFrame
    flush: pl.DataFrame


def ask(rules_name: str, bot: str, n_hands: int, n_walls: int, seed: int, threads: int) -> Found:
    """Play one rule set and answer every question."""
    rules = load(rules_name)
    with tempfile.TemporaryDirectory() as folder:
        plan = Plan(rules, n_hands, (bot,) * 4, seed, "session", TABLE_HANDS)
        simulate(plan, folder, sink=HandLog(level="trace"), threads=threads)
        run = open_run(folder)[0]
        events = run.events
        held = ghosts.at_first_discard(events, run.hands)
        return Found(
            danger=rates(danger.by_turn(events), ["tile", "turn"]),
            late=rates(danger.late(events), ["tile"]),
            neighbours=rates(danger.by_neighbour(events), ["tile", "seen"]),
            ready=rates(ready.by_turn(events), ["turn"]),
            waits=rates(waits.first_ready(events, run.wins), ["kinds", "copies"]),
            ghost_points=rates(held, ["ghosts"], "points"),
            ghost_wins=rates(held, ["ghosts"]),
            flush=rates(flush.paired(rules, bot, n_walls, seed).lazy(), ["tiles"], "gain"),
        )


def _name(cell: Cell, language: Language) -> str:
    """Short name of a rule set and bot."""
    rules, bot = cell
    return f"{rules_label(load(rules)).zh if language == 'zh' else rules} {bot}"


def charts(found: dict[Cell, Found], language: Language) -> dict[str, Figure]:
    """One chart for each question, by name."""
    names = {cell: _name(cell, language) for cell in found}
    plain = {cell: name for cell, name in names.items() if cell[1] == MAIN[1]}
    axis = Label("首次打牌时手上的鬼牌数（3：三张及以上）", "ghosts in hand at the first discard (3: three and more)")
    tiles = Label(
        "首次打牌时最多一门的张数（10：十张及以上）", "tiles of the longest suit at the first discard (10: or more)"
    )
    return {
        "danger": figures.danger_chart(found[MAIN].danger, language),
        "ready": figures.ready_chart({name: found[cell].ready for cell, name in plain.items()}, language),
        "waits": figures.waits_chart(found[MAIN].waits, language),
        "ghosts": figures.points_chart(
            {name: found[cell].ghost_points for cell, name in names.items() if cell[0] == GHOST_RULES},
            "ghosts",
            axis,
            Label("每局净分", "Net points of the hand"),
            language,
        ),
        "flush": figures.points_chart(
            {name: found[cell].flush for cell, name in plain.items()},
            "tiles",
            tiles,
            Label("硬做一色减照常打：每局分数之差（不计马）", "Going for a flush less playing on: points, no horses"),
            language,
        ),
    }


def page(found: dict[Cell, Found], facts: dict[str, Any], language: Language) -> str:
    """Write the page in Markdown."""
    ghostly = {cell: answers for cell, answers in found.items() if cell[0] == GHOST_RULES}
    tables = {name: _rows(found, name, row, True, language) for name, row in _ROWS.items()}
    tables |= {
        "ghosts": [
            *_rows(ghostly, "ghost_points", Label("{ghosts} 鬼：净分", "ghosts {ghosts}: points"), False, language),
            "",
            *_rows(ghostly, "ghost_wins", Label("{ghosts} 鬼：胡牌", "ghosts {ghosts}: wins"), True, language),
        ],
        "flush": _rows(found, "flush", Label("{tiles} 张", "{tiles} tiles"), False, language),
    }
    lines = [f"# {_TITLE.of(language)}", "", _MADE.of(language).format(fewest=figures.FEWEST, **facts)]
    for name, (title, parts) in _SECTIONS.items():
        lines += ["", f"## {title.of(language)}", "", f"![{title.of(language)}](beyond-{name}.{language}.png)"]
        for which, said in parts.items():
            lines += ["", said.of(language), "", *tables[which]]
    return "\n".join([*lines, ""])


def _rows(found: dict[Cell, Found], frame: str, row: Label, is_rate: bool, language: Language) -> list[str]:
    """Markdown table of one frame: a column for each rule set and bot, rows named from the frame's own columns."""
    cells: dict[tuple[Any, ...], dict[Cell, str]] = {}  # by what the frame is grouped by
    names: dict[tuple[Any, ...], str] = {}
    scale, digits, unit = (100, 1, " %") if is_rate else (1, 2, "")
    for cell, answers in found.items():
        for x in getattr(answers, frame).iter_rows(named=True):
            if x["low"] is None or x["n"] < figures.FEWEST or _is_hidden(frame, x):
                continue
            group = tuple(value for name, value in x.items() if name not in _NUMBERS)
            if "tile" in x:
                x["tile"] = figures.CLASS_LABELS[danger.CLASSES[x["tile"]]].of(language)
            half = scale * (x["high"] - x["low"]) / 2
            names[group] = row.of(language).format(**x)
            cells.setdefault(group, {})[cell] = f"{scale * x['rate']:.{digits}f} ± {half:.{digits}f}{unit}"
    heads = [_name(cell, language) for cell in found]
    lines = ["| | " + " | ".join(heads) + " |", "|---|" + "---:|" * len(heads)]
    return [*lines, *(f"| {names[g]} | {' | '.join(cells[g].get(c, '') for c in found)} |" for g in sorted(cells))]


def _is_hidden(frame: str, row: dict[str, Any]) -> bool:
    """Whether a row is left to the chart."""
    return (frame == "ready" and row["turn"] % 2 == 1) or (frame == "waits" and row["copies"] not in _COPIES)


def save(record: dict[str, Any], file: Path) -> None:
    """Keep the numbers, from which the page can be written again."""
    file.write_text(json.dumps(record, separators=(",", ":")) + "\n", encoding="utf-8")


def play(rules: Sequence[str], bots: Sequence[str], facts: dict[str, int], threads: int) -> dict[str, Any]:
    """Play every rule set with every bot and return the record of what was found."""
    cells = []
    for name in rules:
        for bot in bots:
            found = ask(name, bot, facts["hands"], facts["walls"], facts["seed"], threads)
            cells.append([name, bot, {which: frame.to_dicts() for which, frame in found._asdict().items()}])
            print(f"{name} {bot}: done", flush=True)
    return {"code": CODE_HASH, "facts": facts, "cells": cells}


def write(record: dict[str, Any], out: Path) -> None:
    """Write the page and its charts in both languages, and the record."""
    out.mkdir(parents=True, exist_ok=True)
    found = {
        (rules, bot): Found(**{name: pl.DataFrame(rows, infer_schema_length=None) for name, rows in frames.items()})
        for rules, bot, frames in record["cells"]
    }
    save(record, out / RECORD)
    for language in LANGUAGES:
        for name, figure in charts(found, language).items():
            chart.save(figure, out / f"beyond-{name}.{language}.png")
        file = "beyond-tips.md" if language == "en" else f"beyond-tips.{language}.md"
        facts = record["facts"] | {"code": record["code"]}
        (out / file).write_text(page(found, facts, language), encoding="utf-8")
