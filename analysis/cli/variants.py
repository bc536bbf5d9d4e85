"""``gdmj variants``: the rule sets, what stands in them and how they differ."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from analysis.cli.common import Subparsers, add_command, add_json, add_set, load_rules, print_json

if TYPE_CHECKING:
    from rich.table import Table

    from sim.rules import Rules

EXAMPLES = """
gdmj variants list
gdmj variants show maima
gdmj variants show maima --all
gdmj variants show maima --set horses.count=2 --json
gdmj variants check my-house.toml
gdmj variants diff maima zhuama
gdmj variants diff maima maima --set ghost.mode=none
gdmj variants schema > sim/variants/schema.json
"""
ABSENT = "-"
PLAIN_WIDTH = 150  # columns of a table that goes to a file or a pipe, unless COLUMNS is set


def add_parser(sub: Subparsers) -> None:
    """Add the command and its five parts."""
    parser = add_command(sub, "variants", run_list, "list, show, check and compare rule sets", EXAMPLES)
    parser.set_defaults(json=False)
    parts = parser.add_subparsers(dest="part", metavar="PART", title="parts")

    listing = add_command(parts, "list", run_list, "list the shipped rule sets", "gdmj variants list --json")
    add_json(listing)

    showing = add_command(parts, "show", run_show, "tell a rule set in words, in Chinese and English", EXAMPLES)
    showing.add_argument("variant", metavar="NAME", help="shipped rule set, or path of a TOML file")
    add_set(showing)
    every = "print every field and every pattern's price with its source, also what is off"
    showing.add_argument("--all", dest="every", action="store_true", help=every)
    add_json(showing)

    checking = add_command(parts, "check", run_check, "check TOML files", "gdmj variants check my-house.toml")
    checking.add_argument("files", nargs="+", metavar="FILE", help="TOML file, or name of a shipped rule set")
    add_set(checking)
    add_json(checking)

    comparing = add_command(parts, "diff", run_diff, "name in words each field in which two rule sets differ", EXAMPLES)
    comparing.add_argument("first", metavar="A", help="shipped rule set, or path of a TOML file")
    comparing.add_argument("second", metavar="B", help="the same")
    add_set(comparing, "change a field of B")
    add_json(comparing)

    describing = "print the JSON schema of rule sets, for editors"
    add_command(parts, "schema", run_schema, describing, "gdmj variants schema > sim/variants/schema.json")


def run_list(args: argparse.Namespace) -> int:
    """List the shipped rule sets."""
    from sim import rules as rule_sets

    found = [rule_sets.load(name) for name in rule_sets.names()]
    if args.json:
        print_json(
            [
                {
                    "slug": rules.slug,
                    "zh": rules.name.zh,
                    "en": rules.name.en,
                    "summary": rules.summary.en if rules.summary else None,
                    "digest": rules.digest(),
                }
                for rules in found
            ]
        )
        return 0
    table = _table("name", "名称", "English")
    for rules in found:
        table.add_row(rules.slug, rules.name.zh, rules.name.en)
    _print(table)
    return 0


def run_show(args: argparse.Namespace) -> int:
    """Show one rule set."""
    from analysis.labels import rules_label
    from analysis.overrides import overrides

    rules = load_rules(args.variant, args.overrides)
    if args.json:
        print_json(rules.to_dict() | {"digest": rules.digest()})
        return 0
    name = rules_label(rules)
    title = f"{rules.slug}  {name.zh}  {name.en}  ({rules.digest()})"
    # After overrides the file's own summary may no longer be true.
    summary = f"{rules.summary.zh}\n{rules.summary.en}\n" if rules.summary and not overrides(rules) else ""
    print(f"{title}\n{summary}")
    if args.every:
        _print(_field_table(rules))
        _print(_pattern_table(rules))
    else:
        _tell(rules)
    return 0


def run_check(args: argparse.Namespace) -> int:
    """Check rule sets; status 2 if any cannot be used."""
    from sim import rules as rule_sets
    from sim.rules import RulesError

    answers: list[dict[str, Any]] = []
    for file in args.files:
        try:
            rules = load_rules(file, args.overrides)
            answer = {"file": file, "ok": True, "slug": rules.slug, "digest": rules.digest()}
            is_shipped = file in rule_sets.names() or Path(file).resolve().parent == rule_sets.VARIANTS.resolve()
            if not is_shipped and rules.slug in rule_sets.names():
                shipped = f"slug {rules.slug!r} is that of a shipped rule set; give yours one of its own"
                answer["warning"] = shipped
                print(f"gdmj: warning: {file}: {shipped}", file=sys.stderr)
            answers.append(answer)
        except RulesError as error:
            answers.append({"file": file, "ok": False, "error": " ".join(str(error).split())})
    if args.json:
        print_json(answers)
    for entry in answers:
        if not entry["ok"]:
            print(f"gdmj: error: {entry['error']}", file=sys.stderr)
        elif not args.json:
            print(f"{entry['file']}: ok ({entry['slug']}, {entry['digest']})")
    return 0 if all(entry["ok"] for entry in answers) else 2


def run_diff(args: argparse.Namespace) -> int:
    """Name the differences of two rule sets."""
    from analysis.overrides import changes
    from analysis.rule_words import differences, flatten

    first, second = load_rules(args.first, []), load_rules(args.second, args.overrides)
    found = differences(first, second)
    if args.json:
        a, b = flatten(first), flatten(second)
        print_json(
            [
                {"field": d.path, "zh": d.label[0], "en": d.label[1], "a": a.get(d.path), "b": b.get(d.path)}
                for d in found
            ]
        )
        return 0
    if not found:
        print(f"{first.slug} and {second.slug} do not differ in play or payment")
        return 0
    table = _table("项目 meaning", f"A {first.slug}", f"B {second.slug} {changes(second)}".rstrip(), "field")
    for d in found:
        path = d.path if d.effect else f"{d.path}\n不起作用 no effect in A and B"
        table.add_row("\n".join(d.label), *(_both(side) for side in (d.first, d.second)), path, end_section=True)
    _print(table)
    return 0


def run_schema(args: argparse.Namespace) -> int:
    """Print the JSON schema of rule sets, generated from the model: what ``sim/variants/schema.json`` holds."""
    from sim.rules import Rules

    print_json(Rules.model_json_schema())
    return 0


def _both(value: tuple[str, str]) -> str:
    """Return a value's words, once where both languages write the same."""
    zh, en = value
    return zh if zh == en else f"{zh}\n{en}"


def _tell(rules: Rules) -> None:
    """Print a rule set in words, topic by topic."""
    from analysis.rule_words import TOPICS, prices, sentences

    told = sentences(rules)
    for topic, (zh, en) in TOPICS.items():
        found = [sentence for sentence in told if sentence.topic == topic]
        if not found:
            continue
        print(f"{zh}  {en}")
        for sentence in found:
            print(f"  {sentence.zh}\n    {sentence.en}")
        if topic == "worth":
            table = _table("番型", "值", "pattern", "worth")
            for row in prices(rules):
                table.add_row(row.zh, row.worth_zh, row.en, row.worth_en)
            _print(table)
        else:
            print()


def _field_table(rules: Rules) -> Table:
    from analysis.rule_labels import label
    from analysis.rule_words import flatten

    table = _table("field", "项目", "meaning", "value", "source", whole="field")
    section = ""
    for path, value in flatten(rules).items():
        if path.startswith("patterns."):
            continue
        if section and path.split(".")[0] != section:
            table.add_section()
        section = path.split(".")[0]
        table.add_row(path, *label(path), _value(value), rules.source_of(path) or ABSENT)
    return table


def _pattern_table(rules: Rules) -> Table:
    from sim import patterns

    table = _table("pattern", "番型", "meaning", "role", "value", "source", whole="pattern")
    for index, pattern in enumerate(patterns.PATTERNS):
        price = rules.patterns.get(pattern.slug)
        if price is None or price.role == "none":
            continue
        source = rules.source_of(f"patterns.{pattern.slug}") or ABSENT
        table.add_row(pattern.slug, rules.pattern_name(index), pattern.en, price.role, str(price.value), source)
    return table


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return " ".join(str(item) for item in value) or ABSENT
    return str(value)


def _table(*columns: str, whole: str = "") -> Table:
    """Make a table whose column ``whole`` keeps its full width."""
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE, pad_edge=False)
    for column in columns:
        table.add_column(column, overflow="fold", no_wrap=column == whole)
    return table


def _print(table: Table) -> None:
    from rich.console import Console

    console = Console(highlight=False, markup=False)
    if not console.is_terminal and not os.environ.get("COLUMNS", "").isdigit():
        console = Console(highlight=False, markup=False, width=PLAIN_WIDTH)
    console.print(table)
