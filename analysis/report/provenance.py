"""How a run was made, and which command makes it again."""

from __future__ import annotations

import json
import shlex
from typing import Any

from analysis.labels import Label
from analysis.scan import Run
from sim import rules as rule_sets
from sim.rules import RulesError


def _overrides(run: Run) -> dict[str, Any]:
    """Fields that were set on the command line, with their values."""
    data: Any = run.rules.to_dict()
    result = {}
    for dotted, source in run.rules.source.items():
        if source == "override":
            node = data
            for part in dotted.split("."):
                node = node.get(part) if isinstance(node, dict) else None
            result[dotted] = node
    return result


def _toml(value: Any) -> str:
    """Value as TOML; inline tables for nested ones."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{k} = {_toml(v)}" for k, v in value.items() if v is not None) + " }"
    return json.dumps(value, ensure_ascii=False)


def _variant(run: Run, overrides: dict[str, Any]) -> str:
    """Name of the shipped rule set that gives these rules with the overrides, else a file's name."""
    if run.rules.slug in rule_sets.names():
        try:
            loaded = rule_sets.load(run.rules.slug, {key: _toml(value) for key, value in overrides.items()})
        except RulesError:
            loaded = None
        if loaded is not None and loaded.digest() == run.rules.digest():
            return run.rules.slug
    return f"{run.rules.slug}.toml"


def command(run: Run) -> str:
    """Command line that makes the same log again."""
    facts = run.manifest
    overrides = _overrides(run)
    words = ["gdmj", "simulate", _variant(run, overrides), "--hands", str(run.n_hands)]
    words += [
        "--bots",
        ",".join(dict.fromkeys(facts["bots"])) if len(set(facts["bots"])) == 1 else ",".join(facts["bots"]),
    ]
    words += ["--seed", str(facts["seed"])]
    if run.is_session:
        words += ["--hands-per-table", str(facts.get("hands_per_table", ""))]
    else:
        words += ["--mode", str(facts["mode"])]
    if overrides:
        words += ["--set", *(f"{key}={_toml(value)}" for key, value in overrides.items())]
    return shlex.join([*words, "--out", "RUN"])


def facts(run: Run) -> list[tuple[Label, str]]:
    """Name and value of each fact about a run."""
    manifest = run.manifest
    versions = manifest.get("versions", {})
    rows = [
        (Label("局数", "hands"), f"{run.n_hands:,}"),
        (Label("模式", "mode"), manifest["mode"]),
        (Label("机器人", "bots"), ", ".join(map(str, manifest["bots"]))),
        (Label("随机种子", "seed"), manifest["seed"]),
        (Label("规则摘要", "digest of the rules"), manifest["rules_digest"]),
        (Label("代码摘要", "digest of the code"), manifest.get("code_hash", "")),
        (Label("版本", "versions"), ", ".join(f"{name} {version}" for name, version in versions.items())),
        (Label("生成时间", "made"), manifest.get("created", "")),
    ]
    return [(name, str(value)) for name, value in rows]


def rules_text(run: Run) -> str:
    """Whole rule set as indented JSON."""
    return json.dumps(run.rules.to_dict(), ensure_ascii=False, indent=1)
