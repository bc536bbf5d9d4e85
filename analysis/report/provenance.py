"""How a run was made, and which command makes it again."""

from __future__ import annotations

import shlex
from typing import Any

from analysis.labels import Label
from analysis.overrides import base_file, document, overrides, toml
from analysis.scan import Run
from sim import rules as rule_sets
from sim.rules import Rules, RulesError


def _shipped(run: Run) -> str | None:
    """Name of the shipped rule set that gives these rules with the overrides; None where it is somebody's own file."""
    name = (base_file(run.rules) or f"{run.rules.slug}.toml").removesuffix(".toml")
    if name not in rule_sets.names():
        return None
    try:
        loaded = rule_sets.load(name, {path: toml(value) for path, value in overrides(run.rules).items()})
    except RulesError:
        return None
    return name if _told(loaded) == _told(run.rules) else None


def _told(rules: Rules) -> dict[str, Any]:
    """All that a manifest or report may show of a rule set, but for its sources and summary."""
    return rules.model_dump(exclude={"source", "summary"})


def own_file(run: Run) -> str | None:
    """File name under which the command expects the rules; None where a shipped rule set gives them."""
    return None if _shipped(run) else f"{run.rules.slug}.toml"


def _part(run: Run) -> tuple[int, str | None]:
    """Hands of a plan, and the part ``i/n`` of it that holds this run's tables; None where it is the whole plan."""
    first = run.manifest["shards"][0]["first_table"]
    if not first:
        return run.n_hands, None
    n = sum(shard["n_tables"] for shard in run.manifest["shards"])
    table_hands = int(run.manifest["hands_per_table"])
    hands = first * table_hands + run.n_hands
    # The last of so many equal parts; where there is none, the whole plan up to the last table holds this run.
    parts = next((m for m in range(2, first + n + 1) if (first + n) * (m - 1) // m == first), None)
    return hands, f"{parts}/{parts}" if parts else None


def command(run: Run) -> str:
    """Command line that makes the same log again."""
    manifest, own = run.manifest, own_file(run)
    hands, part = _part(run)
    words = ["gdmj", "simulate", own or str(_shipped(run)), "--hands", str(hands)]
    words += ["--bots", ",".join(manifest["bots"][:1] if len(set(manifest["bots"])) == 1 else manifest["bots"])]
    words += ["--seed", str(manifest["seed"])]
    if not run.is_session:
        words += ["--mode", str(manifest["mode"])]
    elif "hands_per_table" in manifest:
        words += ["--hands-per-table", str(manifest["hands_per_table"])]
    if manifest["level"] != "hand":
        words += ["--level", str(manifest["level"])]
    if part:
        words += ["--shard", part]
    if not own and (changed := overrides(run.rules)):
        words += ["--set", *(f"{path}={toml(value)}" for path, value in changed.items())]
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
    """Whole rule set as a TOML file."""
    return document(run.rules)
