"""Who wins how often, by which way, on which turn, and who deals in."""

from __future__ import annotations

import polars as pl

from analysis import estimate
from analysis.scan import N_SEATS, ahead
from sim.schema import DIANPAO, OUTCOMES, QIANGGANG, ZIMO

SOURCES = {"zimo": ZIMO, "dianpao": DIANPAO, "qianggang": QIANGGANG}
SEATS = tuple(f"seat_{seat}" for seat in range(N_SEATS))
POSITIONS = ("dealer", "next", "opposite", "previous")  # 0, 1, 2, 3 seats after the dealer
BOTS = tuple(f"bot_{place}" for place in range(N_SEATS))
GROUPS = (*SEATS, *POSITIONS, "others")
MEASURES = ("won", *(f"won_{name}" for name in SOURCES), "dealt_in")


def turned(winners: pl.Expr, seat: pl.Expr) -> pl.Expr:
    """Winners' bits counted from ``seat``: bit p is the seat p places after it, UInt16 (bits 4-7 repeat 0-3)."""
    twice = winners.cast(pl.UInt16) * 17
    return (
        pl.when(seat == 0)
        .then(twice)
        .when(seat == 1)
        .then(twice // 2)
        .when(seat == 2)
        .then(twice // 4)
        .otherwise(twice // 8)
    )


def _measures(groups: tuple[str, ...], winners: str, payer: str) -> estimate.Measures:
    """Hands of each group in which each event happened; bit p and number p belong to the p-th group."""
    events = {}
    for place, group in enumerate(groups):
        won = (pl.col(winners) & (1 << place)) != 0
        events[f"{group}:won"] = won
        for name, code in SOURCES.items():
            events[f"{group}:won_{name}"] = won & (pl.col("outcome") == code)
        events[f"{group}:dealt_in"] = pl.col(payer) == place
    return {name: (event.sum(), pl.len()) for name, event in events.items()}


def _others(positions: estimate.Measures) -> estimate.Measures:
    """Trials of the three seats that do not deal, together."""
    return {
        f"others:{measure}": (
            pl.sum_horizontal(positions[f"{place}:{measure}"][0].cast(pl.Float64) for place in POSITIONS[1:]),
            3 * pl.len().cast(pl.Int64),
        )
        for measure in MEASURES
    }


def _payer(key: str) -> pl.Expr:
    """Places after ``key`` of the seat that discarded or was robbed; -1 where there is none."""
    return pl.when(pl.col("from_seat") >= 0).then(ahead(pl.col("from_seat"), pl.col(key))).otherwise(-1)


def win_rate_sums(hands: pl.LazyFrame) -> pl.LazyFrame:
    """Add up the sums of `win_rate` (`estimate.sums`)."""
    seats = _measures(SEATS, "winners", "from_seat")
    positions = _measures(POSITIONS, "winners_from_dealer", "payer_from_dealer")
    turned_hands = hands.with_columns(
        winners_from_dealer=turned(pl.col("winners"), pl.col("dealer")), payer_from_dealer=_payer("dealer")
    )
    return estimate.sums(turned_hands, {**seats, **positions, **_others(positions)})


def win_rate_of(sums: pl.LazyFrame) -> pl.LazyFrame:
    """`win_rate` from its sums."""
    return _rates(sums, GROUPS)


def win_rate(hands: pl.LazyFrame) -> pl.LazyFrame:
    """Win and deal-in rates of seats, of places in turn order from the dealer, and of the three others together.

    A hand is one trial of a seat and three of ``others``. ``won`` is the sum of its three ways; ``dealt_in`` counts
    hands in which the seat discarded to a win or was robbed.

    Returns
    -------
    ``group`` (`GROUPS`), ``measure`` (`MEASURES`), ``n`` (trials), ``count, n_clusters, rate, low, high``.
    """
    return win_rate_of(win_rate_sums(hands))


def bot_win_rate_sums(hands: pl.LazyFrame) -> pl.LazyFrame:
    """Add up the sums of `bot_win_rate` (`estimate.sums`)."""
    turned_hands = hands.with_columns(
        winners_from_bot=turned(pl.col("winners"), pl.col("rotation")), payer_from_bot=_payer("rotation")
    )
    return estimate.sums(turned_hands, _measures(BOTS, "winners_from_bot", "payer_from_bot"))


def bot_win_rate_of(sums: pl.LazyFrame) -> pl.LazyFrame:
    """`bot_win_rate` from its sums."""
    return _rates(sums, BOTS)


def bot_win_rate(hands: pl.LazyFrame) -> pl.LazyFrame:
    """Win and deal-in rates of the four places of the bots' line-up, with the columns of `win_rate`."""
    return bot_win_rate_of(bot_win_rate_sums(hands))


def _rates(sums: pl.LazyFrame, groups: tuple[str, ...]) -> pl.LazyFrame:
    return (
        estimate.rates(sums)
        .with_columns(pl.col("measure").str.split_exact(":", 1).struct.rename_fields(["group", "measure"]))
        .unnest("measure")
        .sort(pl.col("group").cast(pl.Enum(groups)), pl.col("measure").cast(pl.Enum(MEASURES)))
    )


def outcomes_sums(hands: pl.LazyFrame) -> pl.LazyFrame:
    """Add up the sums of `outcomes` (`estimate.sums`)."""
    return estimate.sums(
        hands, {name: ((pl.col("outcome") == code).sum(), pl.len()) for code, name in enumerate(OUTCOMES)}
    )


def outcomes_of(sums: pl.LazyFrame) -> pl.LazyFrame:
    """`outcomes` from its sums."""
    return estimate.rates(sums).rename({"measure": "outcome"}).sort(pl.col("outcome").cast(pl.Enum(OUTCOMES)))


def outcomes(hands: pl.LazyFrame) -> pl.LazyFrame:
    """How hands end.

    Returns
    -------
    ``outcome`` (`sim.schema.OUTCOMES`), ``n`` (hands), ``count, n_clusters, rate, low, high``; four rows.
    """
    return outcomes_of(outcomes_sums(hands))


def win_turns_sums(wins: pl.LazyFrame) -> pl.LazyFrame:
    """Add up the sums of `win_turns` (`estimate.distribution_sums`)."""
    return estimate.distribution_sums(wins, "win_turn")


def win_turns_of(sums: pl.LazyFrame) -> pl.LazyFrame:
    """`win_turns` from its sums."""
    return estimate.distribution_of(sums, "win_turn")


def win_turns(wins: pl.LazyFrame) -> pl.LazyFrame:
    """On which turn hands are won: the winner's own discards before the win.

    Returns
    -------
    ``win_turn, n`` (wins), ``count, n_clusters, rate, low, high``; one row for each turn that occurred.
    """
    return win_turns_of(win_turns_sums(wins))


def mean_win_turn_sums(wins: pl.LazyFrame) -> pl.LazyFrame:
    """Add up the sums of `mean_win_turn` (`estimate.sums`)."""
    turn = pl.col("win_turn").cast(pl.Int64)
    by_source = {
        name: (turn.filter(pl.col("source") == code).sum(), (pl.col("source") == code).sum())
        for name, code in SOURCES.items()
    }
    return estimate.sums(wins, {"all": (turn.sum(), pl.len()), **by_source})


def mean_win_turn_of(sums: pl.LazyFrame) -> pl.LazyFrame:
    """`mean_win_turn` from its sums."""
    return (
        estimate.means(sums)
        .pipe(estimate.without_few)
        .rename({"measure": "source"})
        .sort(pl.col("source").cast(pl.Enum(["all", *SOURCES])))
    )


def mean_win_turn(wins: pl.LazyFrame) -> pl.LazyFrame:
    """Mean win turn over all wins and by source.

    Returns
    -------
    ``source`` (all, zimo, dianpao, qianggang), ``n`` (wins), ``n_clusters, mean, low, high``.
    """
    return mean_win_turn_of(mean_win_turn_sums(wins))
