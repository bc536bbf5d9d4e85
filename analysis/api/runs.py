"""Rule sets and runs: read or change rules, play hands, open what was played."""

from __future__ import annotations

import hashlib
import shutil
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from analysis import checks, rule_words
from analysis.api.bots import seated
from analysis.labels import Language
from analysis.overrides import document
from analysis.playing import TARGETS, Work, folder_of, play
from analysis.scan import Run, RunError
from analysis.scan import open_run as open_run
from analysis.sequence import read_until
from sim import engine
from sim import rules as _files
from sim.engine import Plan, PlanError
from sim.jit import CODE_HASH, cache_root
from sim.manifest import LEVELS
from sim.rules import Rules, RulesError
from sim.user_bots import Bot

KEPT_SECONDS = 30 * 86_400.0  # how long a run without a folder of its own stays when nobody asks for it
Changes = Mapping[str, Any]


def rules(variant: str | Path | Rules, set: Changes | None = None) -> Rules:
    """Read a rule set, with some of its fields changed.

    Parameters
    ----------
    variant
        Name of a shipped rule set (`rule_sets` lists them), path of a TOML file, or a rule set.
    set
        Dotted path -> value, as ``--set`` of the command line.

    Raises
    ------
    sim.rules.RulesError
        One line: file, field, what is allowed, what was given.

    Examples
    --------
    >>> from analysis import rules
    >>> house = rules("maima", {"horses.count": 4})
    >>> house.horses.count
    4
    >>> rules("maima", {"horses.cuont": 4})
    Traceback (most recent call last):
        ...
    sim.rules.model.RulesError: maima.toml: horses.cuont: no such field (here: kind, count, ...)
    """
    return _files.load(variant, checks.changes(set))


def rule_sets() -> dict[str, Rules]:
    """Every shipped rule set by its name.

    Examples
    --------
    >>> from analysis import rule_sets
    >>> rule_sets()["jipinghu"].name.zh
    '鸡平胡'
    """
    return {name: _files.load(name) for name in _files.names()}


def differences(first: str | Path | Rules, second: str | Path | Rules) -> pl.DataFrame:
    """Name in words each field in which two rule sets differ, in Chinese and English.

    Returns
    -------
    ``field, zh, en, first_zh, first_en, second_zh, second_en, has_effect`` (false where it changes nothing in either).

    Examples
    --------
    >>> from analysis import differences, rules
    >>> differences("maima", rules("maima", {"horses.count": 4}))["en"].to_list()
    ['number of horses']
    """
    found = rule_words.differences(_files.load(first), _files.load(second))
    names = ("field", "zh", "en", "first_zh", "first_en", "second_zh", "second_en", "has_effect")
    rows = [(d.path, *d.label, *d.first, *d.second, d.effect) for d in found]
    dtypes = [pl.String()] * 7 + [pl.Boolean()]
    return pl.DataFrame(rows, schema=dict(zip(names, dtypes, strict=True)), orient="row")


def write_rules(rules: str | Path | Rules, path: str | Path) -> Path:
    """Write a rule set as a TOML file, to be changed by hand or played by the command line.

    Raises
    ------
    sim.rules.RulesError
        When it cannot be written.

    Examples
    --------
    >>> import os, tempfile
    >>> from analysis import rules, write_rules
    >>> file = write_rules(rules("maima"), os.path.join(tempfile.mkdtemp(), "house.toml"))
    >>> rules(file).horses == rules("maima").horses
    True
    """
    try:
        Path(checks.place("path", path)).write_text(document(_files.load(rules)), encoding="utf-8")
    except OSError as error:
        raise RulesError(f"{path}: cannot be written ({error.strerror})") from None
    return Path(path)


def simulate(
    rules: str | Path | Rules,
    hands: float = 100_000,
    *,
    bots: Bot | Sequence[Bot] = "ukeire",
    seed: int = 1,
    set: Changes | None = None,
    mode: str = "session",
    hands_per_table: int = 64,
    level: str = "hand",
    out: str | Path | None = None,
    until: str | None = None,
    scheduler: str | None = None,
    threads: int | None = None,
    progress: bool = True,
) -> Run:
    """Play hands and open their log; what was played before is not played again.

    Parameters
    ----------
    rules, set
        As for `rules`.
    hands
        How many, also as ``1e6``; with ``until`` the most.
    bots
        One bot for all seats or four: names (`bots` lists them), or your own (``sim/policy/README.md``).
    seed
        The same seed gives the same walls.
    mode
        ``session``: tables of ``hands_per_table`` hands with a moving deal; ``duplicate``: each wall from four seats.
    level
        ``hand``: every hand is kept; ``agg``: only the sums that reports need; ``trace``: every decision as well
        (``run.events``), some kB a hand.
    out
        Folder or URL, as ``--out``: the run goes to ``out/SLUG``, and an unfinished or shorter one there goes on.
        None: a folder of the cache, which is kept for 30 days after its last use.
    until
        Stop at a precision, such as ``halfwidth(dealer_net) < 0.1``.
    scheduler
        Play on a Dask cluster: its address, or ``local:N`` for N processes here.
    threads
        All CPUs by default; they change no result.
    progress
        Whether to show how far it is.

    Raises
    ------
    analysis.checks.RequestError, sim.rules.RulesError, sim.engine.PlanError, sim.logs.LogError, sim.user_bots.BotError
        One line.

    Examples
    --------
    >>> from analysis import simulate
    >>> run = simulate("jipinghu", hands=256, progress=False)
    >>> run.n_hands, run.hands.collect().height
    (256, 256)
    """
    n, first, length = checks.hands(hands), checks.seed(seed), checks.length("hands_per_table", hands_per_table)
    n_threads = checks.threads(threads)
    plan = Plan(_files.load(rules, checks.changes(set)), n, seated(bots), first, mode, length)
    if level not in LEVELS:
        raise PlanError(f"level: allowed are {', '.join(LEVELS)}, not {level!r}")
    if until and level == "agg":
        raise PlanError(f"until: sums do not tell how precise they are; leave out level {level!r}")
    targets = read_until(checks.text("until", until), TARGETS) if until else ()
    place = _cached(plan, level, until) if out is None else checks.place("out", out)
    work = Work(
        out=place,
        threads=n_threads,
        resume=True,
        level=level,
        scheduler=None if scheduler is None else checks.text("scheduler", scheduler),
        until=targets,
        is_quiet=not progress,
    )
    engine.warm_up(plan, _say if progress else None)
    play(plan, work, _say)
    (run,) = open_run(str(folder_of(plan, work)))
    return run


def write_report(
    runs: Run | Sequence[Run], out: str | Path, *, picture: str | Path | None = None, language: Language = "en"
) -> Path:
    """Write the report of one or more runs, one page that needs no network, and its tables as files beside it.

    Parameters
    ----------
    out
        Folder of the page.
    picture, language
        Also write the chart of how hands end, in this language; its suffix says what kind of picture.

    Raises
    ------
    analysis.scan.RunError
        When a log is damaged or the place cannot be written.

    Examples
    --------
    >>> from analysis import simulate, write_report
    >>> run = simulate("jipinghu", hands=256, progress=False)
    >>> write_report(run, "report").name  # doctest: +SKIP
    'report.html'
    """
    from analysis import report as pages

    listed = checks.runs("write_report", runs)
    try:
        Path(checks.place("out", out)).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RunError(f"{out}: cannot be written ({error.strerror})") from None
    if picture is not None:
        pages.write_picture(listed, Path(checks.place("picture", picture)), language)
    return pages.write_report(listed, out)


def _say(message: str) -> None:
    print(message, file=sys.stderr)


def _cached(plan: Plan, level: str, until: str | None) -> Path:
    """Folder of the cache for a plan; such folders go when they were not asked for in a long time."""
    facts = plan.facts(0, plan.n_tables, level)
    names = ("rules", "rules_digest", "seed", "mode", "bots", "hands_per_table", "n_hands")
    text = repr([[facts[name] for name in names], level, until, CODE_HASH])
    folder = cache_root() / "runs" / hashlib.sha256(text.encode()).hexdigest()[:16]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        folder.touch()
        for other in folder.parent.iterdir():
            if other.is_dir() and time.time() - other.stat().st_mtime > KEPT_SECONDS:
                shutil.rmtree(other, ignore_errors=True)
    except OSError as error:
        raise PlanError(f"{folder}: cannot be written ({error.strerror}); name a folder with out=") from None
    return folder
