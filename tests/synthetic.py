"""Small logs with known laws, in the log's columns: a race of equal seats in turn order, random prices and kongs.

Points, horses, the deal and the pool follow `sim/PLAY.md`, written here as plainly as possible and apart from the
pipelines that read them.
"""

from __future__ import annotations

import hashlib
import json
from itertools import pairwise
from pathlib import Path

import numpy as np
import polars as pl

from sim import codec, patterns, tiles
from sim import rules as rule_sets
from sim.rules import Rules
from sim.schema import (
    DIANPAO,
    MAX_WINNERS,
    N_POOL_CLASSES,
    N_ROW_COLUMNS,
    N_WIN_COLUMNS,
    QIANGGANG,
    ROW_COLUMNS,
    WASHOUT,
    WIN_COLUMNS,
    ZIMO,
    H,
    W,
)

N_ROUNDS = 18
SOURCE_CODES = {"zimo": ZIMO, "dianpao": DIANPAO, "qianggang": QIANGGANG}


def frame(columns, rows):
    """Rows (dicts) as a frame with the log's dtypes."""
    return pl.DataFrame(
        {c.name: [row[c.name] for row in rows] for c in columns},
        schema={c.name: getattr(pl, c.dtype) for c in columns},
    )


def deck_classes(rules):
    """Horse class of each tile of the deck."""
    first = [tiles.KIND_NAMES[kind][0] for kind in tiles.TILE_SETS[rules.tiles]]
    return np.repeat([next(c for c in range(4) if name in rules.horses.map[c]) for name in first], 4)


def horse_payments(payments, horses, origin_of):
    """Horse points of each seat.

    ``payments``: (loser, winner, points); ``horses``: held (holder, class) or drawn (None, class);
    ``origin_of[winner]``: the seat that a class is counted from for that winner's payments.
    """
    net = [0, 0, 0, 0]
    for loser, winner, points in payments:
        for holder, horse_class in horses:
            seat = (origin_of[winner] + horse_class) % 4
            if holder is None:
                if seat == winner:
                    net[loser] -= points
                    net[winner] += points
            elif seat == winner and holder != loser:
                net[loser] -= points
                net[holder] += points
            elif seat == loser and holder != winner:
                net[holder] -= points
                net[winner] += points
    return net


def origins(rules, kind_origin, winners, from_seat, dealer, previous):
    """Origin of each winner's payments."""
    base = {"dealer": dealer, "previous_winner": previous}
    many = len(winners) > 1
    return {
        w: from_seat if many and rules.horses.origin_multiple == "from_seat" else base.get(kind_origin, w)
        for w in winners
    }


def make_log(rules: Rules, n_tables=40, hands_per_table=25, seed=1, *, hazard=0.004, mode="session", ghosts=True):
    """Return (hands with their pools, wins); every seat wins each of its turns with chance ``hazard * (turn + 1)``."""
    rng = np.random.default_rng([seed, n_tables, hands_per_table])
    deck = deck_classes(rules)
    hands, wins = [], []
    for table in range(n_tables):
        dealer = int(rng.integers(4))
        previous, repeat, moved = dealer, 0, 0
        for hand in range(hands_per_table):
            if mode == "duplicate":
                previous, repeat, moved = dealer, 0, 0
            row, won = _hand(rules, rng, deck, dealer, previous, hazard, ghosts)
            row |= {
                "table": table,
                "hand": hand,
                "rotation": hand % 4 if mode == "duplicate" else 0,
                "round_wind": moved // 4 % 4,
                "repeat": repeat,
            }
            hands.append(row)
            wins += [win | {"table": table, "hand": hand} for win in won]
            if mode == "duplicate":
                continue
            seats = [win["winner"] for win in won]
            first = min(seats, key=lambda s: (s - row["from_seat"]) % 4) if seats else None
            keeps = dealer in seats or (not seats and rules.dealer.on_washout == "keep")
            following = first if rules.dealer.next == "winner" and seats else (dealer + 1) % 4
            previous = previous if not seats else (dealer if dealer in seats else first)
            dealer, repeat, moved = (dealer, repeat + 1, moved) if keeps else (following, 0, moved + 1)
    return frame(ROW_COLUMNS, hands), frame(WIN_COLUMNS, wins)


def _race(rng, hazard, dealer):
    """(round, seat) of the first success in turn order, or None."""
    hits = rng.random((N_ROUNDS, 4)) < hazard * np.arange(1, N_ROUNDS + 1)[:, None]
    if not hits.any():
        return None
    turn, place = divmod(int(hits.ravel().argmax()), 4)
    return turn, (dealer + place) % 4


def _price(rules, rng, source):
    """Random patterns of a win: (mask, fan, points of one payer)."""
    priced = [s for s in patterns.INDEX if rules.patterns.get(s) and rules.patterns[s].role != "none"]
    ranks = np.arange(1, len(priced) + 1) ** -1.5
    chosen = {priced[i] for i in rng.choice(len(priced), size=min(2, len(priced)), p=ranks / ranks.sum())}
    if "zimo" in priced:
        chosen = (chosen - {"zimo"}) | ({"zimo"} if source == ZIMO else set())
    chosen = chosen or {priced[0]}
    mask = sum(1 << patterns.INDEX[slug] for slug in chosen)
    value = sum(rules.patterns[slug].value for slug in chosen)
    fan = min(value, 6) if rules.scoring.method == "fan" else -1
    return mask, fan, rules.scoring.base * (2**fan if fan >= 0 else max(value, 1))


def _hand(rules, rng, deck, dealer, previous, hazard, ghosts):
    race = _race(rng, hazard, dealer)
    row = {
        "dealer": dealer,
        "origin": previous,
        "from_seat": -1,
        "win_tile": -1,
        "outcome": WASHOUT,
        "winners": 0,
    }
    n_held = 4 * rules.horses.count if rules.horses.kind == "held" else 0
    turn = race[0] if race else N_ROUNDS
    drawable = len(deck) - 52 - n_held - rules.play.last_tiles_reserved - (rules.ghost.mode == "turned")
    row["turns"] = min(4 * turn + (race[1] - dealer) % 4 + 1, drawable) if race else drawable
    row["wall_left"] = drawable - row["turns"]
    won, payments = [], []
    if race:
        source = SOURCE_CODES[str(rng.choice(rules.win.ways, p=_way_shares(rules)))]
        others = [s for s in range(4) if s != race[1]]
        payer = int(rng.choice(others)) if source != ZIMO else -1
        winners = [race[1]]
        if source == DIANPAO and rules.win.multiple == "all" and rng.random() < 0.15:
            winners.append(int(rng.choice([s for s in others if s != payer])))
            winners.sort(key=lambda s: (s - payer) % 4)
        liable = int(rng.choice(others)) if source == ZIMO and rng.random() < 0.05 else -1
        row |= {"outcome": source, "from_seat": payer, "win_tile": int(rng.integers(34))}
        row["winners"] = sum(1 << w for w in winners)
        for winner in winners:
            mask, fan, points = _price(rules, rng, source)
            won.append(
                {"winner": winner, "source": source, "fan": fan, "points": points, "patterns": mask}
                | {
                    "concealed": int(rng.integers(2)),
                    "waits": int(rng.integers(1, 5)),
                    "live": int(rng.integers(1, 9)),
                }
                | {"liable": liable, "win_turn": turn}
            )
            if source == ZIMO:
                payers = others if liable < 0 else [liable]
                payments += [(s, winner, _owed(rules, row, s, points) * (1 if liable < 0 else 3)) for s in payers]
            elif rules.win.payers == "all" and not (source == QIANGGANG and rules.win.rob_shares == 3):
                payments += [(s, winner, _owed(rules, row, s, points)) for s in range(4) if s != winner]
            else:
                owed = _owed(rules, row, payer, points)
                payments.append((payer, winner, owed * (rules.win.rob_shares if source == QIANGGANG else 1)))
    hand = [0, 0, 0, 0]
    for loser, winner, points in payments:
        hand[loser] -= points
        hand[winner] += points
    konger = int(rng.integers(4)) if rng.random() < 0.2 else None
    price = rules.kong.concealed * rules.scoring.base
    kong = [0 if konger is None else 3 * price if s == konger else -price for s in range(4)]
    horse = _horses(rules, rng, deck, row, won, payments, n_held)
    for s in range(4):
        row |= {f"hand_{s}": hand[s], f"kong_{s}": kong[s], f"horse_{s}": horse[s]}
        row[f"points_{s}"] = hand[s] + kong[s] + horse[s]
        row |= {f"gang_{kind}_{s}": 0 for kind in ("exposed", "added", "fed")} | {f"flowers_{s}": 0}
        row[f"gang_concealed_{s}"] = int(s == konger)
        row |= {
            f"ghosts_{s}": int(rng.integers(2)) if ghosts else 0,
            f"shanten_deal_{s}": int(rng.integers(1, 6)),
        }
        row |= {
            f"ready_turn_{s}": turn if row["winners"] >> s & 1 else 255,
            f"calls_{s}": int(rng.integers(3)),
        }
    return row, won


def _owed(rules, row, seat, points):
    """What a seat owes: multiplied for the discarder, and for the dealer, who stands for a seat with open melds."""
    feeds = row["outcome"] == DIANPAO and row["from_seat"] == seat
    points = points * rules.multiples.opened // 10 if seat == row["dealer"] else points
    return points * rules.multiples.feeder // 10 if feeds else points


def _way_shares(rules):
    weights = {"zimo": 0.55, "dianpao": 0.4, "qianggang": 0.05}
    shares = np.array([weights[way] for way in rules.win.ways])
    return shares / shares.sum()


def _horses(rules, rng, deck, row, won, payments, n_held):
    pool = rng.permutation(deck)[: n_held + row["wall_left"]] if won else np.zeros(0, np.int64)
    row |= {f"pool_{c}": int((pool == c).sum()) for c in range(4)}
    row["pool_classes"] = sum(int(c) << (2 * i) for i, c in enumerate(pool[:N_POOL_CLASSES]))
    row |= {"n_horses": 0, "n_horse_hits": 0, "horse_tiles": 0}
    if not won or rules.horses.kind == "none":
        return [0, 0, 0, 0]
    winners = [win["winner"] for win in won]
    origin_of = origins(rules, rules.horses.origin, winners, row["from_seat"], row["dealer"], row["origin"])
    if rules.horses.kind == "held":
        horses = [((row["dealer"] + i // rules.horses.count) % 4, int(c)) for i, c in enumerate(pool[:n_held])]
    elif row["outcome"] == QIANGGANG and not rules.horses.on_rob:
        horses = []
    else:
        horses = [(None, int(c)) for c in pool[: rules.horses.count]]
    row["n_horses"] = len(horses)
    row["horse_tiles"] = sum(c << (2 * i) for i, (_, c) in enumerate(horses))
    involved = {s for payment in payments for s in payment[:2]}
    row["n_horse_hits"] = sum(
        (origin_of[winner] + c) % 4 in ([winner] if holder is None else involved)
        for winner in (winners if rules.horses.kind == "drawn" else winners[:1])
        for holder, c in horses
    )
    return horse_payments(payments, horses, origin_of)


def kernel_rows(rows: pl.DataFrame, wins: pl.DataFrame):
    """A log's frames as the arrays that the kernel writes."""
    n_wins = rows.join(wins.group_by("table", "hand").len("n"), on=["table", "hand"], how="left")["n"].fill_null(0)
    slots = np.zeros((rows.height, MAX_WINNERS, N_WIN_COLUMNS), np.int64)
    index = {key: i for i, key in enumerate(rows.select("table", "hand").iter_rows())}
    seen = dict.fromkeys(index, 0)
    for win in wins.iter_rows(named=True):
        key = (win["table"], win["hand"])
        for name, value in win.items():
            slots[index[key], seen[key], W[name]] = value
        seen[key] += 1
    array = np.zeros((rows.height, N_ROW_COLUMNS), np.int64)
    for name, i in H.items():
        array[:, i] = rows[name].cast(pl.Int64).to_numpy()
    return array, slots, n_wins.to_numpy()


def write_run(
    folder: Path,
    rules: Rules,
    *,
    seed=1,
    n_shards=2,
    mode="session",
    hands_per_table=25,
    first_table=0,
    code_hash="0" * 16,
    **options,
):
    """Write a log as the engine does and return its folder."""
    rows, wins = make_log(rules, hands_per_table=hands_per_table, seed=seed, mode=mode, **options)
    rows, wins = (frame.with_columns(pl.col("table") + first_table) for frame in (rows, wins))
    folder.mkdir(parents=True, exist_ok=True)
    n_tables = rows["table"].max() + 1 - first_table
    facts = {
        "format": 3,
        "level": "hand",
        "rules": rules.to_dict(),
        "rules_digest": rules.digest(),
        "seed": seed,
        "mode": mode,
        "bots": ["ukeire"] * 4,
        "n_hands": rows.height,
        "n_tables": int(n_tables),
        "first_table": first_table,
        "hands_per_table": hands_per_table,
        "code_hash": code_hash,
        "versions": {"gdmj": "0.0", "numpy": "0", "numba": "0", "polars": "0", "python": "0"},
    }
    edges = first_table + np.linspace(0, n_tables, n_shards + 1).astype(int)
    shards = []
    for first, end in pairwise(edges.tolist()):
        stored = codec.encode(
            rules, *kernel_rows(*(f.filter(pl.col("table").is_between(first, end - 1)) for f in (rows, wins)))
        )
        shard = {"first_table": first, "n_tables": end - first, "n_hands": (end - first) * hands_per_table}
        own = json.dumps(facts | shard)
        shard["files"] = {}
        for kind, columns in zip(("hands", "pool"), stored, strict=True):
            file = folder / f"{kind}-{first:010d}.parquet"
            pl.DataFrame(columns).write_parquet(file, metadata={"gdmj": own})
            shard["files"][kind] = told(file) | {"rows": len(columns["table"])}
        shards.append(shard)
    manifest = facts | {"created": "2026-01-01T00:00:00+00:00", "shards": shards}
    (folder / "manifest.json").write_text(json.dumps(manifest, ensure_ascii=False), encoding="utf-8")
    return folder


def refact(folder: Path, **facts: object) -> None:
    """Change facts of a run, in its manifest and in its files."""
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8")) | facts
    for shard in manifest["shards"]:
        for entry in shard["files"].values():
            file = folder / entry["name"]
            own = json.loads(pl.read_parquet_metadata(file)["gdmj"]) | facts
            pl.read_parquet(file).write_parquet(file, metadata={"gdmj": json.dumps(own)})
            entry |= told(file)
    (folder / "manifest.json").write_text(json.dumps(manifest, ensure_ascii=False), encoding="utf-8")


def told(file: Path) -> dict[str, object]:
    """What a manifest says of a file's bytes."""
    data = file.read_bytes()
    return {"name": file.name, "bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}


def load(slug: str, **overrides) -> Rules:
    """Return a shipped rule set with overrides, dots as double underscores."""
    return rule_sets.load(slug, {key.replace("__", "."): value for key, value in overrides.items()})
