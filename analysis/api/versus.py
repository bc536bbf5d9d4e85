"""Rule sets against each other, bots against each other, and what an evening costs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from analysis import checks
from analysis.api.bots import seated
from analysis.api.look import session_html
from analysis.api.runs import Changes
from analysis.compare.arms import ToggleError, plan
from analysis.compare.measures import MEASURES
from analysis.compare.run import Comparison
from analysis.compare.run import compare as _compare
from analysis.duel.run import MEASURES as DUEL_MEASURES
from analysis.duel.run import Duel, Goal
from analysis.duel.run import duel as _duel
from analysis.overrides import toml
from analysis.progress import Progress, hands_progress, note_compiling
from analysis.sequence import read_until
from analysis.session_risk import SessionRisk, session_risk
from analysis.sprt import Sprt, SprtError, check
from sim import rules as _files
from sim.engine import PlanError
from sim.rules import Rules
from sim.schema import MODES
from sim.user_bots import Bot, resolve

Toggles = Mapping[str, Any] | Sequence[str]


class Sessions(list[SessionRisk]):
    """What sessions brought, an entry for each rule set and different bot."""

    def __str__(self) -> str:
        return "\n\n".join(map(str, self))

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return "".join(map(session_html, self))


def compare(
    base: str | Rules,
    *variants: str | Rules,
    toggle: Toggles = (),
    all_pairs: bool = False,
    hands: float = 200_000,
    bots: Bot | Sequence[Bot] = "ukeire",
    seed: int = 1,
    set: Changes | None = None,
    mode: str = "duplicate",
    hands_per_table: int = 64,
    until: str | None = None,
    luck: bool = True,
    walls: str = "seats",
    save: str | Path | None = None,
    threads: int | None = None,
    progress: bool = True,
) -> Comparison:
    """Find what rule sets, or single switches of one, do to each other, on the same walls.

    Parameters
    ----------
    base, variants
        Names, paths or rule sets; each variant is compared with the base.
    toggle
        Field -> value, or list of values, each set alone: ``{"horses.count": [2, 4], "ghost": ["none", "white"]}``; or
        texts as ``--toggle`` takes them.
    all_pairs
        Also each two switches together, and each two variants.
    hands
        Of each play; with ``until`` the most.
    set
        Fields changed in every rule set.
    luck
        Take the luck of the draws off where rule sets are played differently.
    walls
        ``seats``: every seat draws from its own part of the wall, which narrows intervals; ``shared``: as simulated.
    save
        File that keeps the sums; the same call goes on from it.
    mode, hands_per_table, bots, seed, until, threads, progress
        As in `analysis.simulate`; a hand for each wall and line-up unless ``mode`` is ``session``.

    Returns
    -------
    Comparison; ``effects`` holds a row for each switch and measure, ``frame`` the same as a Polars frame.

    Raises
    ------
    analysis.checks.RequestError, analysis.compare.arms.ToggleError, sim.rules.RulesError, sim.user_bots.BotError
        One line.

    Examples
    --------
    >>> from analysis import compare
    >>> result = compare("zhuama", toggle={"horses.count": [2, 8]}, hands=512, progress=False)
    >>> result.how
    ('base', 're-scored', 're-scored')
    >>> result.frame.filter(contrast="horses.count=8", measure="points_sd").height
    1
    """
    n, first, length = checks.hands(hands), checks.seed(seed), checks.length("hands_per_table", hands_per_table)
    n_threads, line_up = checks.threads(threads), seated(bots)
    if mode not in MODES:
        raise PlanError(f"mode: allowed are {', '.join(MODES)}, not {checks.shown(mode)}")
    arms, contrasts = plan(base, variants, _toggles(toggle), dict(checks.changes(set) or {}), all_pairs, mode)
    targets = read_until(checks.text("until", until), tuple(MEASURES)) if until else ()
    with _progress(arms[0].rules.slug, n, progress) as told:
        return _compare(
            arms,
            contrasts,
            line_up,
            hands=n,
            seed=first,
            mode=mode,
            hands_per_table=length,
            threads=n_threads,
            targets=targets,
            adjust_luck=luck,
            seat_walls=_has_own(walls),
            save=Path(checks.place("save", save)) if save is not None else None,
            progress=told.tell,
        )


def duel(
    a: Bot,
    b: Bot,
    rules: str | Rules = "maima",
    *,
    hands: float = 200_000,
    seed: int = 1,
    set: Changes | None = None,
    until: str | None = None,
    sprt: tuple[float, float, float, float] | None = None,
    luck: bool = True,
    walls: str = "seats",
    save: str | Path | None = None,
    threads: int | None = None,
    progress: bool = True,
) -> Duel:
    """Find which of two bots wins more, on the same walls from both seatings.

    Parameters
    ----------
    a, b
        Names or your own bots (``sim/policy/README.md``).
    until
        Stop at a precision of ``points`` or ``win_rate``, such as ``halfwidth(points) < 0.1``.
    sprt
        Stop when a sequential test takes one of two differences: (d0, d1, alpha, beta).
    luck
        Whether to take off what lucky draws brought.
    walls
        As in `compare`.
    save
        File that keeps the sums; the same call goes on from it.

    Raises
    ------
    analysis.checks.RequestError, analysis.saved.SavedError, analysis.sprt.SprtError, sim.rules.RulesError,
    sim.user_bots.BotError
        One line.

    Examples
    --------
    >>> from analysis import duel
    >>> result = duel("ukeire", "random", "jipinghu", hands=512, luck=False, progress=False)
    >>> result.mean > 0
    True
    """
    n, start, n_threads = checks.hands(hands), checks.seed(seed), checks.threads(threads)
    first, second = resolve(a), resolve(b)
    rule_set = _files.load(rules, checks.changes(set))
    targets = read_until(checks.text("until", until), DUEL_MEASURES) if until else ()
    goal = Goal(None if sprt is None else _test(sprt), targets)
    with _progress(f"{rule_set.slug} {first}-{second}", n, progress) as told:
        return _duel(
            first,
            second,
            rule_set,
            hands=n,
            seed=start,
            threads=n_threads,
            goal=goal,
            adjust_luck=luck,
            seat_walls=_has_own(walls),
            save=Path(checks.place("save", save)) if save is not None else None,
            progress=told.tell,
        )


def session(
    *rules: str | Rules,
    length: int = 64,
    sessions: float = 5_000,
    bankroll: float | Sequence[float] = (),
    bots: Bot | Sequence[Bot] = "ukeire",
    seed: int = 1,
    set: Changes | None = None,
    threads: int | None = None,
    progress: bool = True,
) -> Sessions:
    """Play many sessions: their spread, losing streaks, and the chance to lose a bankroll.

    Parameters
    ----------
    rules
        One or more rule sets, played on the same walls.
    length
        Hands of a session.
    bankroll
        One amount or several, in points or coins.

    Returns
    -------
    One entry for each rule set and different bot.

    Raises
    ------
    sim.rules.RulesError, sim.engine.PlanError, sim.user_bots.BotError
        One line.

    Examples
    --------
    >>> from analysis import session
    >>> (evening,) = session("jipinghu", length=16, sessions=32, bankroll=[50], progress=False)
    >>> evening.sessions, evening.hands, list(evening.ruin)
    (32, 16, [50])
    """
    n, n_hands = (
        checks.whole("sessions", sessions, checks.MIN_SESSIONS, checks.MAX_SESSIONS),
        checks.length("length", length),
    )
    first, n_threads, amounts = checks.seed(seed), checks.threads(threads), checks.bankrolls(bankroll)
    found, line_up = [_files.load(one, checks.changes(set)) for one in rules or ("maima",)], seated(bots)
    with _progress("sessions", n * n_hands, progress) as told:
        return Sessions(
            session_risk(
                found,
                line_up,
                hands=n_hands,
                sessions=n,
                bankrolls=amounts,
                seed=first,
                threads=n_threads,
                progress=told.advance,
            )
        )


def _test(sprt: Sequence[float]) -> Sprt:
    if not isinstance(sprt, Sequence) or isinstance(sprt, str) or len(sprt) != 4:
        raise SprtError(
            f"sprt: (d0, d1, alpha, beta) is needed, such as (0, 0.3, 0.05, 0.05), not {checks.shown(sprt)}"
        )
    return check(Sprt(*(checks.real("sprt", one) for one in sprt)))


def _has_own(walls: str) -> bool:
    if walls not in ("seats", "shared"):
        raise checks.RequestError(f"walls: 'seats' or 'shared' is needed, not {checks.shown(walls)}")
    return walls == "seats"


@contextmanager
def _progress(label: str, hands: int, is_shown: bool) -> Iterator[Progress]:
    if is_shown:
        note_compiling()
    with hands_progress(label, hands, not is_shown) as told:
        yield told


def _toggles(toggle: Toggles) -> list[str]:
    """Write switches as the command line does."""
    if not isinstance(toggle, Mapping):
        listed = [toggle] if isinstance(toggle, str) else toggle
        if not isinstance(listed, Iterable) or not all(isinstance(one, str) for one in listed):
            raise ToggleError(f"toggle: a field and its values, or texts, are needed, not {checks.shown(toggle)}")
        return list(listed)
    if not all(isinstance(path, str) for path in toggle):
        raise ToggleError(f"toggle: names of fields are texts, not {checks.shown(toggle)}")
    return [f"{path}={','.join(_value(value) for value in _listed(values))}" for path, values in toggle.items()]


def _listed(values: Any) -> Sequence[Any]:
    return values if isinstance(values, list | tuple) else [values]


def _value(value: Any) -> str:
    if isinstance(value, str):
        return value if value.replace("_", "").replace("-", "").isalnum() else json.dumps(value, ensure_ascii=False)
    return toml(list(value) if isinstance(value, tuple) else value)
