"""What it is worth to deal: in wins, in points, through repeat deals and through drawing first."""

from __future__ import annotations

import numpy as np
import polars as pl
from numpy.typing import NDArray

from analysis import estimate, intervals
from analysis.estimate import N_GROUPS
from analysis.intervals import LEVEL, Floats
from analysis.scan import N_SEATS, ahead, at_seat
from analysis.win_rate import turned
from sim.schema import WASHOUT

GROUPS = ("dealer", "others", "difference")
PARTS = ("points", "hand", "kong", "horse")
RATES = ("won", "dealt_in")
MEASURES = (*RATES, *PARTS)
SPLIT_PARTS = ("first_draw", "rest", "total")
TURN_MEASURES = ("hands", "points", "points_first", "points_repeats")


def _seen_from_dealer(hands: pl.LazyFrame) -> pl.LazyFrame:
    """Add the dealer's and the others' wins, deal-ins and points of each hand, Int64."""
    winners = turned(pl.col("winners"), pl.col("dealer"))
    payer = pl.col("from_seat")
    return hands.select(
        "table",
        "hand",
        "repeat",
        dealer_won=(winners & 1).cast(pl.Int64),
        others_won=sum(((winners & (1 << p)) != 0).cast(pl.Int64) for p in range(1, N_SEATS)),
        dealer_dealt_in=(payer == pl.col("dealer").cast(pl.Int8)).cast(pl.Int64),
        others_dealt_in=((payer >= 0) & (payer != pl.col("dealer").cast(pl.Int8))).cast(pl.Int64),
        **{f"dealer_{part}": at_seat(part, pl.col("dealer")).cast(pl.Int64) for part in PARTS},
        **{f"others_{part}": -at_seat(part, pl.col("dealer")).cast(pl.Int64) for part in PARTS},
    )


def dealer_advantage_sums(hands: pl.LazyFrame) -> pl.LazyFrame:
    """Add up the sums of `dealer_advantage` (`estimate.sums`)."""
    n = pl.len().cast(pl.Int64)
    own = {
        f"{measure}:{group}": (pl.col(f"{group}_{measure}").sum(), n * seats)
        for measure in MEASURES
        for group, seats in (("dealer", 1), ("others", 3))
    }
    gap = {
        f"{measure}:difference": (pl.col(f"dealer_{measure}").sum() - pl.col(f"others_{measure}").sum() / 3, n)
        for measure in MEASURES
    }
    return estimate.sums(_seen_from_dealer(hands), {**own, **gap})


def dealer_advantage_of(sums: pl.LazyFrame) -> pl.LazyFrame:
    """`dealer_advantage` from its sums."""
    is_rate = pl.col("measure").str.contains("^(won|dealt_in):(dealer|others)$")
    return (
        pl.concat(
            [
                estimate.means(sums.filter(~is_rate)),
                estimate.rates(sums.filter(is_rate)).rename({"rate": "mean"}).drop("count"),
            ]
        )
        .with_columns(pl.col("measure").str.split_exact(":", 1).struct.rename_fields(["measure", "group"]))
        .unnest("measure")
        .sort(pl.col("measure").cast(pl.Enum(MEASURES)), pl.col("group").cast(pl.Enum(GROUPS)))
        .select("measure", "group", "n", "n_clusters", "mean", "low", "high")
    )


def dealer_advantage(hands: pl.LazyFrame) -> pl.LazyFrame:
    """Compare the dealer with one of the others, on average, for each hand.

    ``points`` is the sum of ``hand`` (from wins), ``kong`` and ``horse``. The difference is taken within the hand
    and its interval from the spread of those differences, so what a hand does to both sides cancels.

    Returns
    -------
    ``measure`` (`MEASURES`), ``group`` (`GROUPS`), ``n`` (seats' hands; hands for the difference), ``n_clusters,
    mean, low, high``; rates have a rate's interval.
    """
    return dealer_advantage_of(dealer_advantage_sums(hands))


def _with_next_hand(hands: pl.LazyFrame) -> pl.LazyFrame:
    """Hands that are followed by another one at their table: only of them it is known whether the dealer stayed."""
    last = hands.group_by("table").agg(last_hand=pl.col("hand").max())
    return hands.join(last, on="table").filter(pl.col("hand") < pl.col("last_hand"))


def repeat_lengths_sums(hands: pl.LazyFrame) -> pl.LazyFrame:
    """Add up the sums of `repeat_lengths`: hands followed by another one (x), and those where the dealer stayed (y).

    Returns
    -------
    ``cluster, repeat, y, x``.
    """
    at_risk = _with_next_hand(hands).group_by(estimate.cluster(), "repeat").agg(x=pl.len().cast(pl.Float64))
    stayed = (
        hands.filter(pl.col("repeat") > 0)
        .group_by(estimate.cluster(), repeat=pl.col("repeat") - 1)
        .agg(y=pl.len().cast(pl.Float64))
    )
    return at_risk.join(stayed, on=["cluster", "repeat"], how="left").with_columns(pl.col("y").fill_null(0.0))


def repeat_lengths_of(sums: pl.LazyFrame, level: float = LEVEL) -> pl.LazyFrame:
    """`repeat_lengths` from its sums."""
    keep = estimate.rates(sums, ["repeat"], level)
    n, kept, reach = pl.col("n"), pl.col("count"), pl.col("reach_rate")
    # Greenwood's sum for reaching a length runs over the shorter ones; log-log limits are reach ^ exp(-+ z sd /
    # ln reach).
    spread = ((n - kept) / (n * kept)).cum_sum().shift(1).sqrt() / reach.log()
    z = intervals.z_value(level)
    return (
        keep.sort("repeat")
        .with_columns(reach_rate=pl.col("rate").cum_prod().shift(1, fill_value=1.0))
        .select(
            pl.col("repeat").cast(pl.Int64).alias("length") + 1,
            "n",
            "count",
            "n_clusters",
            "reach_rate",
            keep_rate="rate",
            keep_rate_low="low",
            keep_rate_high="high",
            reach_rate_low=pl.when(reach < 1).then(reach ** (-z * spread).exp()),
            reach_rate_high=pl.when(reach < 1).then(reach ** (z * spread).exp()),
        )
        .select(pl.exclude("^reach_.*$"), "reach_rate", "reach_rate_low", "reach_rate_high")
    )


def repeat_lengths(hands: pl.LazyFrame, level: float = LEVEL) -> pl.LazyFrame:
    """How many hands in a row does a dealer deal? For session mode.

    ``keep_rate`` is the share of dealers who, having dealt ``length`` hands in a row, deal the next one too.
    ``reach_rate`` is the share of turns as dealer that last at least ``length`` hands: the product-limit estimate
    (Kaplan and Meier 1958, JASA 53:457), so the turn that a table's end cuts short biases nothing; its interval
    is Greenwood's on the log-log scale.

    Returns
    -------
    ``length, n`` (such hands with a next one at the table), ``count`` (dealer stayed), ``n_clusters, keep_rate,
    keep_rate_low, keep_rate_high, reach_rate, reach_rate_low, reach_rate_high``.
    """
    return repeat_lengths_of(repeat_lengths_sums(hands), level)


def deal_turn_sums(hands: pl.LazyFrame) -> pl.LazyFrame:
    """Add up the sums of `deal_turn`: hands with each repeat number, those followed by another, the dealer's points.

    Returns
    -------
    ``group, repeat, n, points, n_followed``.
    """
    group = estimate.cluster(n_clusters=N_GROUPS).cast(pl.Int64).alias("group")
    key = [group, pl.col("repeat").cast(pl.Int64)]
    points = at_seat("points", pl.col("dealer")).cast(pl.Float64)
    dealt = hands.group_by(key).agg(n=pl.len().cast(pl.Float64), points=points.sum())
    followed = _with_next_hand(hands).group_by(key).agg(n_followed=pl.len().cast(pl.Float64))
    return dealt.join(followed, on=["group", "repeat"], how="left").with_columns(pl.col("n_followed").fill_null(0.0))


def deal_turn_of(sums: pl.LazyFrame, level: float = LEVEL) -> pl.LazyFrame:
    """`deal_turn` from its sums."""
    schema = {"measure": pl.String, "n": pl.Int64, "n_clusters": pl.Int64} | dict.fromkeys(
        ("mean", "low", "high"), pl.Float64
    )
    return sums.map_batches(lambda cells: _turns(cells, level), schema=schema, streamable=False)


def deal_turn(hands: pl.LazyFrame, level: float = LEVEL) -> pl.LazyFrame:
    """Value one turn as dealer, from taking the deal to losing it. For session mode.

    ``points_first`` is the mean of the dealer's net points over all first hands. A later hand counts with the chance
    that a turn gets there, the reach rate of `repeat_lengths`: ``points_repeats`` is the sum of reach rate times mean
    points over the second, third, .. hand, ``hands`` the sum of the reach rates. Thus the end of a table biases
    neither; but hands later in a turn than any that was seen are missing, which matters for tables of a few hands
    only. Intervals: `estimate.jackknife`.

    Returns
    -------
    ``measure`` (`TURN_MEASURES`), ``n`` (turns begun), ``n_clusters, mean, low, high``; nulls where the mean is
    unknown because no table had a second hand.
    """
    return deal_turn_of(deal_turn_sums(hands), level)


def turn_value(n: Floats, n_followed: Floats, points: Floats) -> Floats:
    """Values of `TURN_MEASURES` from the hands with each repeat number: all, followed by another, dealer's points."""
    keep = np.divide(n[1:], n_followed[:-1], out=np.zeros(len(n) - 1), where=n_followed[:-1] > 0)
    reach = np.concatenate([[1.0], np.cumprod(keep)])
    mean = np.divide(points, n, out=np.zeros(len(n)), where=n > 0)
    if n_followed[0] == 0:
        return np.array([np.nan, np.nan, mean[0], np.nan])
    repeats = float(reach[1:] @ mean[1:])
    return np.array([reach.sum(), mean[0] + repeats, mean[0], repeats])


def _turns(cells: pl.DataFrame, level: float) -> pl.DataFrame:
    groups = np.unique(cells["group"].to_numpy())
    parts = [np.zeros((len(groups), int(cells["repeat"].to_numpy().max()) + 1)) for _ in range(3)]
    at = (np.searchsorted(groups, cells["group"].to_numpy()), cells["repeat"].to_numpy())
    for part, name in zip(parts, ("n", "n_followed", "points"), strict=True):
        part[at] = cells[name].to_numpy()
    value, low, high = estimate.jackknife(parts, turn_value, level)
    return pl.DataFrame(
        {"measure": TURN_MEASURES, "n": int(parts[0][:, 0].sum()), "n_clusters": len(groups)}
        | {"mean": value, "low": low, "high": high}
    ).with_columns(pl.col("n", "n_clusters").cast(pl.Int64), pl.col("mean", "low", "high").fill_nan(None))


def race_split(wins: NDArray[np.float64], washed_out: NDArray[np.float64], n_hands: float) -> float:
    """Part of the dealer's lead in wins that comes from drawing first.

    Turns w = 0, 1, ... count a winner's own discards; in each round the seats act in turn order from the dealer.
    Seat p comes to turn w in a share R_p(w) of hands: those not won at an earlier turn, nor at this one by a seat
    before p, nor washed out before. Its hazard is h_p(w) = wins_p(w) / (hands R_p(w)), so its win rate is sum_w
    R_p(w) h_p(w). The dealer's lead over seat p then splits exactly (Kitagawa 1955, JASA 50:1168) into exposure,
    sum_w (R_0 - R_p) (h_0 + h_p) / 2: the dealer still had a turn that the other did not get any more; and
    hazard, sum_w (h_0 - h_p) (R_0 + R_p) / 2.

    Parameters
    ----------
    wins
        float64 (4, turns): wins by place after the dealer and turn; a hand with m winners counts 1/m for each.
    washed_out
        float64 (4, turns): washouts in which the place still came to the turn.
    n_hands
        Number of hands, washouts included.

    Returns
    -------
    The exposure part, averaged over the three others, in wins for each hand.
    """
    later = wins.sum() - np.cumsum(wins.sum(axis=0)) + wins.sum(axis=0)
    alive = (later - np.cumsum(wins, axis=0) + wins + washed_out) / n_hands
    share = wins / n_hands
    hazard = np.divide(share, alive, out=np.zeros_like(share), where=alive > 0)
    exposure = (alive[0] - alive[1:]) * (hazard[0] + hazard[1:]) / 2
    return float(exposure.sum(axis=1).mean())


def first_draw_sums(hands: pl.LazyFrame, wins: pl.LazyFrame) -> pl.LazyFrame:
    """Add up the sums of `first_draw`: wins by place and turn, and hands and washouts by tiles drawn.

    Returns
    -------
    ``group, place, turn, wins, shared`` of wins, ``group, drawn, n_hands, washed_out`` of hands, null in the others.
    """
    group = estimate.cluster(n_clusters=N_GROUPS).cast(pl.Int64).alias("group")
    weights = hands.select("table", "hand", "dealer", weight=1 / pl.col("winners").bitwise_count_ones())
    won = (
        wins.join(weights, on=["table", "hand"])
        .group_by(
            group,
            ahead(pl.col("winner"), pl.col("dealer")).cast(pl.Int64).alias("place"),
            turn=pl.col("win_turn").cast(pl.Int64),
        )
        .agg(wins=pl.len().cast(pl.Float64), shared=pl.col("weight").sum())
    )
    played = hands.group_by(group, drawn=pl.col("turns").cast(pl.Int64)).agg(
        n_hands=pl.len().cast(pl.Float64), washed_out=(pl.col("outcome") == WASHOUT).sum().cast(pl.Float64)
    )
    return pl.concat([won, played], how="diagonal")


def first_draw_of(sums: pl.LazyFrame, advantage_sums: pl.LazyFrame, level: float = LEVEL) -> pl.LazyFrame:
    """`first_draw` from its sums and those of `dealer_advantage`, whose interval of the whole lead is taken."""
    schema = {"part": pl.String, "n": pl.Int64, "mean": pl.Float64, "low": pl.Float64, "high": pl.Float64}
    split = sums.map_batches(lambda cells: _jackknife(cells, level), schema=schema, streamable=False)
    lead = estimate.means(advantage_sums.filter(pl.col("measure") == "won:difference"), level=level)
    total = pl.lit("total").alias("part")
    return split.join(
        lead.select(total, lead_low="low", lead_high="high"), on="part", how="left", maintain_order="left"
    ).select(
        "part",
        "n",
        "mean",
        *(
            pl.when(pl.col("part") == "total").then(f"lead_{side}").otherwise(side).alias(side)
            for side in ("low", "high")
        ),
    )


def first_draw(hands: pl.LazyFrame, wins: pl.LazyFrame, level: float = LEVEL) -> pl.LazyFrame:
    """Split the dealer's lead in win rate over the mean of the others into drawing first and the rest.

    ``first_draw`` is the exposure part of `race_split`, ``total`` the whole lead, ``rest`` the difference: how
    much more or less often the dealer wins *at equal turns*. Where tiles are claimed the rest is below zero, for
    at equal turns the seats after the dealer have seen more discards. Calls also skip turns, so the order within
    a round is an approximation, as is the last turn of a washout, taken from the number of tiles drawn.
    Intervals: `estimate.jackknife`; that of the total is the one of `dealer_advantage`.

    Returns
    -------
    ``part`` (`SPLIT_PARTS`), ``n`` (hands), ``mean, low, high`` in wins for each hand.
    """
    return first_draw_of(first_draw_sums(hands, wins), dealer_advantage_sums(hands), level)


def _cells(cells: pl.DataFrame) -> tuple[NDArray[np.float64], ...]:
    """Wins, shared wins and washouts reached, each (groups, 4, turns), and hands (groups,)."""
    won, played = cells.drop_nulls("place"), cells.drop_nulls("drawn")
    groups = np.unique(played["group"].to_numpy())
    n_turns = int(max(won["turn"].to_numpy().max(initial=0), played["drawn"].to_numpy().max(initial=0) // N_SEATS)) + 1
    shape = (len(groups), N_SEATS, n_turns)
    wins, shared, reached, n_hands = np.zeros(shape), np.zeros(shape), np.zeros(shape), np.zeros(len(groups))
    at = (np.searchsorted(groups, won["group"]), won["place"].to_numpy(), won["turn"].to_numpy())
    wins[at], shared[at] = won["wins"].to_numpy(), won["shared"].to_numpy()
    row = np.searchsorted(groups, played["group"])
    np.add.at(n_hands, row, played["n_hands"].to_numpy())
    # Without calls, place p draws for its turn w when 4 w + p tiles were drawn before.
    draws_before = N_SEATS * np.arange(n_turns) + np.arange(N_SEATS)[:, None]
    came = draws_before < played["drawn"].to_numpy()[:, None, None]
    np.add.at(reached, row, came * played["washed_out"].to_numpy()[:, None, None])
    return wins, shared, reached, n_hands


def _jackknife(cells: pl.DataFrame, level: float) -> pl.DataFrame:
    parts = _cells(cells)

    def split(
        wins: NDArray[np.float64], shared: NDArray[np.float64], reached: NDArray[np.float64], n: float
    ) -> NDArray[np.float64]:
        rates = wins.sum(axis=1) / n
        lead, first = float(rates[0] - rates[1:].mean()), race_split(shared, reached, n)
        return np.array([first, lead - first, lead])

    value, low, high = estimate.jackknife(parts, split, level)
    return pl.DataFrame(
        {"part": SPLIT_PARTS, "n": int(parts[-1].sum()), "mean": value, "low": low, "high": high}
    ).with_columns(pl.col("n").cast(pl.Int64), pl.col("low", "high").fill_nan(None))
