"""What a run showed, one table for each question, as Polars frames with counts and 95 % intervals.

Each function computes the report's table of its name, from a log or from the sums of a run at level ``agg``.
"""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from analysis import checks, tables
from analysis.headline import comparison, headline
from analysis.scan import Run


def win_rate(run: Run) -> pl.DataFrame:
    """Share of hands that each seat, and each place after the dealer, wins: in all, by each way, and deals in.

    Returns
    -------
    ``group, measure, n`` (hands), ``count, rate, low, high``.

    Examples
    --------
    >>> from analysis import simulate, win_rate
    >>> rates = win_rate(simulate("jipinghu", hands=256, progress=False))
    >>> rates.filter(group="dealer", measure="won").select("n", "count").row(0)[0]
    256
    """
    return _answer(run, "win_rate")


def outcomes(run: Run) -> pl.DataFrame:
    """Share of hands that end by self-draw, by a discard, by a robbed kong, or without a winner.

    Returns
    -------
    ``outcome, n`` (hands), ``count, rate, low, high``.

    Examples
    --------
    >>> from analysis import outcomes, simulate
    >>> ends = outcomes(simulate("jipinghu", hands=256, progress=False))
    >>> int(ends["count"].sum())
    256
    """
    return _answer(run, "outcomes")


def win_turns(run: Run) -> pl.DataFrame:
    """Share of wins that come after so many of the winner's own discards.

    Returns
    -------
    ``win_turn, n`` (wins), ``count, rate, low, high``.

    Examples
    --------
    >>> from analysis import simulate, win_turns
    >>> win_turns(simulate("jipinghu", hands=256, progress=False)).columns[:2]
    ['win_turn', 'n']
    """
    return _answer(run, "win_turns")


def ready_turns(run: Run) -> pl.DataFrame:
    """Share of seats that have been ready (听牌) with at most so many own discards.

    Returns
    -------
    ``turn, n`` (seats' hands), ``count, rate, low, high``.

    Examples
    --------
    >>> from analysis import ready_turns, simulate
    >>> ready_turns(simulate("jipinghu", hands=256, progress=False))["n"][0]
    1024
    """
    return _answer(run, "ready_turns")


def fan_frequency(run: Run) -> pl.DataFrame:
    """How often hands are won with each pattern (番型), what they pay, and their share of all points.

    Returns
    -------
    ``pattern`` (slug), ``n`` (hands), ``count`` (wins), ``per_1000_hands`` and others with their limits.

    Examples
    --------
    >>> from analysis import fan_frequency, simulate
    >>> fans = fan_frequency(simulate("jipinghu", hands=256, progress=False))
    >>> "qingyise" in fans["pattern"].to_list()
    True
    """
    return _answer(run, "fan_frequency")


def dealer_advantage(run: Run) -> pl.DataFrame:
    """Tell what the deal (庄) is worth: win and deal-in rates and points by part, dealer against the other seats.

    Returns
    -------
    ``measure, group`` (dealer, others, difference), ``n`` (hands), ``mean, low, high``.

    Examples
    --------
    >>> from analysis import dealer_advantage, simulate
    >>> lead = dealer_advantage(simulate("maima", hands=256, progress=False))
    >>> sorted(lead["group"].unique())
    ['dealer', 'difference', 'others']
    """
    return _answer(run, "dealer_advantage")


def first_draw(run: Run) -> pl.DataFrame:
    """How much of the dealer's lead in win rate comes from drawing first, and how much from the rest.

    Examples
    --------
    >>> from analysis import first_draw, simulate
    >>> first_draw(simulate("maima", hands=256, progress=False)).height
    3
    """
    return _answer(run, "first_draw")


def repeat_lengths(run: Run) -> pl.DataFrame:
    """How many hands dealers keep the deal (连庄); needs a moving deal.

    Raises
    ------
    analysis.scan.RunError
        For a run in duplicate mode.

    Examples
    --------
    >>> from analysis import repeat_lengths, simulate
    >>> repeat_lengths(simulate("maima", hands=256, progress=False))["length"][0]
    1
    """
    return _answer(run, "repeat_lengths")


def deal_turn(run: Run) -> pl.DataFrame:
    """Tell what one turn as dealer brings, all its repeat hands together; needs a moving deal.

    Raises
    ------
    analysis.scan.RunError
        For a run in duplicate mode.

    Examples
    --------
    >>> from analysis import deal_turn, simulate
    >>> "points" in deal_turn(simulate("maima", hands=256, progress=False))["measure"].to_list()
    True
    """
    return _answer(run, "deal_turn")


def horse_expectation(run: Run) -> pl.DataFrame:
    """Tell what 0 to 10 horses (马) bring for each win: exact from the tiles that were left, sampled, and naive.

    Returns
    -------
    ``kind, origin, role, n_horses, quantity, n`` (wins), ``exact, sampled`` with their limits, ``naive`` and others.

    Examples
    --------
    >>> from analysis import horse_expectation, simulate
    >>> horses = horse_expectation(simulate("maima", hands=256, progress=False))
    >>> horses.filter(n_horses=0)["exact"].abs().max()
    0.0
    """
    return _answer(run, "horse_expectation")


def horse_distribution(run: Run) -> pl.DataFrame:
    """How the hits (or net shares) of the rule set's own number of horses spread: exact and sampled.

    Returns
    -------
    ``shares, n`` (wins), ``exact, sampled`` with their limits.

    Examples
    --------
    >>> from analysis import horse_distribution, simulate
    >>> spread = horse_distribution(simulate("maima", hands=256, progress=False))
    >>> round(spread["exact"].sum(), 9)
    1.0
    """
    return _answer(run, "horse_distribution")


def bot_win_rate(run: Run) -> pl.DataFrame:
    """Win rate of each bot of the line-up; needs different bots.

    Raises
    ------
    analysis.scan.RunError
        For a run of equal bots.

    Examples
    --------
    >>> from analysis import bot_win_rate, simulate
    >>> line_up = ["ukeire", "random", "random", "random"]
    >>> run = simulate("maima", hands=256, bots=line_up, mode="duplicate", progress=False)
    >>> bot_win_rate(run).filter(measure="won")["group"].to_list()
    ['bot_0', 'bot_1', 'bot_2', 'bot_3']
    """
    return _answer(run, "bot_win_rate")


def summary(runs: Run | Sequence[Run]) -> pl.DataFrame:
    """Few numbers that tell rule sets apart, of one or more runs.

    Returns
    -------
    ``rules`` (slug, numbered where two are the same), ``measure, unit`` (rate or mean), ``n, value, low, high``.

    Examples
    --------
    >>> from analysis import simulate, summary
    >>> runs = [simulate(name, hands=256, progress=False) for name in ("maima", "jipinghu")]
    >>> summary(runs).filter(measure="washout")["rules"].to_list()
    ['maima', 'jipinghu']
    """
    listed = checks.runs("summary", runs)
    slugs = [run.rules.slug for run in listed]
    keys = [slug if slugs.count(slug) == 1 else f"{slug}-{slugs[: i + 1].count(slug)}" for i, slug in enumerate(slugs)]
    return comparison({key: headline(tables.tables(run)) for key, run in zip(keys, listed, strict=True)})


def _answer(run: Run, name: str) -> pl.DataFrame:
    return tables.table(checks.run(name, run), name)
