"""Many hands in a row: walls, dealer and wind rotation, previous winner, log rows.

Session mode plays tables of several hands; duplicate mode plays one wall four times with the line-up rotated.
``play_tables`` is the serial kernel that the engine runs on each worker.
"""

from __future__ import annotations

from sim.deal import wall_left
from sim.flags import (
    COPIES,
    DECK,
    FLAG,
    HORSE_CLASS,
    HORSES_HELD,
    R_DEAL_TO_WINNER,
    R_EAST_DEALS,
    R_HORSES,
    R_HORSES_RESERVED,
    R_N_TILES,
    R_RESERVED,
    R_ROBBED_DEALS,
    R_WASHOUT,
    WASHOUT_KONG_PASSES,
    WASHOUT_PASSES,
)
from sim.game import play_hand
from sim.jit import kernel
from sim.rng import dice, shuffle
from sim.schema import DIANPAO, DUPLICATE, MELD_CONCEALED, N_POOL_CLASSES, QIANGGANG, SESSION, WASHOUT, ZIMO, H, W
from sim.shanten import completes
from sim.state import (
    CALLS,
    CHAIR,
    COUNTED,
    DEALER,
    DISCARDS,
    FAN,
    FROM_SEAT,
    GAME,
    GHOSTS,
    HAND,
    HAND_NUMBER,
    HEAD,
    HORSE_HITS,
    HORSE_KIND,
    LIABLE,
    MELD_TYPE,
    N_ADDED,
    N_CONCEALED,
    N_EXPOSED,
    N_FED,
    N_FLOWERS,
    N_HORSES,
    N_KONGS,
    N_MELDS,
    N_TRACE,
    N_WINNERS,
    ORIGIN,
    OUTCOME,
    PAY_HAND,
    PAY_HORSE,
    PAY_KONG,
    POINTS,
    READY_TURN,
    REPEAT,
    ROUND_WIND,
    SEATED,
    SEED,
    SHANTEN_DEAL,
    TABLE,
    TURNS,
    WALL,
    WIN_TILE,
    WINNERS,
    add_tile,
    live,
    take_tiles,
)

_H_TABLE, _H_HAND, _H_ROTATION, _H_DEALER = H["table"], H["hand"], H["rotation"], H["dealer"]
_H_WIND, _H_REPEAT, _H_ORIGIN, _H_OUTCOME = H["round_wind"], H["repeat"], H["origin"], H["outcome"]
_H_WINNERS, _H_FROM, _H_TILE, _H_TURNS = H["winners"], H["from_seat"], H["win_tile"], H["turns"]
_H_LEFT, _H_N_HORSES, _H_HITS, _H_POOL = H["wall_left"], H["n_horses"], H["n_horse_hits"], H["pool_0"]
_H_CLASSES, _H_POINTS, _H_OPENED = H["pool_classes"], H["points_0"], H["horse_tiles"]
_H_PAY_HAND, _H_PAY_KONG, _H_PAY_HORSE = H["hand_0"], H["kong_0"], H["horse_0"]
_H_EXPOSED, _H_ADDED, _H_CONCEALED = H["gang_exposed_0"], H["gang_added_0"], H["gang_concealed_0"]
_H_FED, _H_FLOWERS = H["gang_fed_0"], H["flowers_0"]
_H_GHOSTS, _H_SHANTEN, _H_READY, _H_CALLS = H["ghosts_0"], H["shanten_deal_0"], H["ready_turn_0"], H["calls_0"]
_W_TABLE, _W_HAND, _W_WINNER, _W_SOURCE, _W_FAN = W["table"], W["hand"], W["winner"], W["source"], W["fan"]
_W_POINTS, _W_PATTERNS, _W_CONCEALED, _W_WAITS = W["points"], W["patterns"], W["concealed"], W["waits"]
_W_LIVE, _W_LIABLE, _W_TURN = W["live"], W["liable"], W["win_turn"]


@kernel
def _write_pool(s, r, row):
    """Log the classes of the tiles that horses were or could have been drawn from."""
    n_held = s[GAME, N_HORSES] if r[FLAG, R_HORSES] == HORSES_HELD else 0
    for c in range(4):
        row[_H_POOL + c] = 0
    row[_H_CLASSES] = 0
    if s[GAME, OUTCOME] == WASHOUT:
        return
    n_reserved = r[FLAG, R_RESERVED] if r[FLAG, R_HORSES_RESERVED] else 0
    for i in range(n_held + n_reserved + wall_left(s)):
        if i < n_held:
            kind = s[HORSE_KIND, i]
        elif i < n_held + n_reserved:
            kind = s[WALL, r[FLAG, R_N_TILES] - n_reserved + i - n_held]
        else:
            kind = s[WALL, s[GAME, HEAD] + i - n_reserved]
        cls = r[HORSE_CLASS, kind]
        row[_H_POOL + cls] += 1
        if i < N_POOL_CLASSES:
            row[_H_CLASSES] |= cls << (2 * i)


@kernel
def _write_hand(s, r, row, rotation, repeat):
    """Fill the log row of a finished hand; dealer, wind and origin are still those it was played with."""
    row[_H_TABLE], row[_H_HAND] = s[GAME, TABLE], s[GAME, HAND_NUMBER]
    row[_H_ROTATION], row[_H_REPEAT] = rotation, repeat
    row[_H_DEALER], row[_H_WIND], row[_H_ORIGIN] = s[GAME, DEALER], s[GAME, ROUND_WIND], s[GAME, ORIGIN]
    row[_H_OUTCOME], row[_H_FROM], row[_H_TILE] = s[GAME, OUTCOME], s[GAME, FROM_SEAT], s[GAME, WIN_TILE]
    row[_H_TURNS], row[_H_LEFT] = s[GAME, TURNS], wall_left(s)
    n_opened = 0 if s[GAME, OUTCOME] == WASHOUT else s[GAME, N_HORSES]
    opened = 0
    for h in range(n_opened):
        opened |= r[HORSE_CLASS, s[HORSE_KIND, h]] << (2 * h)
    row[_H_N_HORSES], row[_H_HITS], row[_H_OPENED] = n_opened, s[GAME, HORSE_HITS], opened
    winners = 0
    for i in range(s[GAME, N_WINNERS]):
        winners |= 1 << s[WINNERS, i]
    row[_H_WINNERS] = winners
    for seat in range(4):
        row[_H_POINTS + seat] = s[PAY_HAND, seat] + s[PAY_KONG, seat] + s[PAY_HORSE, seat]
        row[_H_PAY_HAND + seat] = s[PAY_HAND, seat]
        row[_H_PAY_KONG + seat] = s[PAY_KONG, seat]
        row[_H_PAY_HORSE + seat] = s[PAY_HORSE, seat]
        row[_H_FED + seat] = s[seat, N_FED]
        row[_H_FLOWERS + seat] = s[seat, N_FLOWERS]
        row[_H_EXPOSED + seat] = s[seat, N_EXPOSED]
        row[_H_ADDED + seat] = s[seat, N_ADDED]
        row[_H_CONCEALED + seat] = s[seat, N_CONCEALED]
        row[_H_GHOSTS + seat] = s[seat, GHOSTS]
        row[_H_SHANTEN + seat] = s[seat, SHANTEN_DEAL]
        row[_H_READY + seat] = s[seat, READY_TURN]
        row[_H_CALLS + seat] = s[seat, CALLS]
    _write_pool(s, r, row)


@kernel
def _write_win(s, r, t, i, row):
    """Fill the log row of the ``i``-th winner."""
    seat, source, win = s[WINNERS, i], s[GAME, OUTCOME], s[GAME, WIN_TILE]
    row[_W_TABLE], row[_W_HAND] = s[GAME, TABLE], s[GAME, HAND_NUMBER]
    row[_W_WINNER], row[_W_SOURCE], row[_W_FAN] = seat, source, s[FAN, i]
    row[_W_POINTS], row[_W_PATTERNS], row[_W_LIABLE] = s[POINTS, i], s[COUNTED, i], s[LIABLE, i]
    row[_W_TURN] = s[seat, DISCARDS]
    row[_W_CONCEALED] = 1
    for m in range(s[seat, N_MELDS]):
        if s[seat, MELD_TYPE + m] != MELD_CONCEALED:
            row[_W_CONCEALED] = 0
    if source == ZIMO:
        take_tiles(s, seat, win, 1)
    waits, n_live = 0, 1 if source == DIANPAO else 0
    for k in range(34):
        if r[COPIES, k] > s[seat, HAND + k] and completes(s, r, t, seat, k):
            waits += 1
            n_live += live(s, r, seat, k)
    row[_W_WAITS], row[_W_LIVE] = waits, n_live
    if source == ZIMO:
        add_tile(s, seat, win)


@kernel
def start_table(s, r, seed, table):
    """Seat the first dealer of a table."""
    dealer = 0 if r[FLAG, R_EAST_DEALS] else dice(seed, table, 4)
    s[GAME, SEED], s[GAME, TABLE] = seed, table
    s[GAME, DEALER] = s[GAME, CHAIR] = s[GAME, ORIGIN] = dealer
    s[GAME, ROUND_WIND] = 0


@kernel
def advance(s, r, repeat, n_passes):
    """Move dealer, wind and previous winner on after a hand; return (repeat, n_passes)."""
    dealer, n_winners = s[GAME, DEALER], s[GAME, N_WINNERS]
    following = dealer
    if n_winners == 0:
        passes = r[FLAG, R_WASHOUT]
        if passes == WASHOUT_PASSES or (passes == WASHOUT_KONG_PASSES and s[GAME, N_KONGS] > 0):
            following = (dealer + 1) % 4
    else:
        previous = s[WINNERS, 0]
        for i in range(n_winners):
            if s[WINNERS, i] == dealer:
                previous = dealer
        s[GAME, ORIGIN] = previous
        if previous != dealer:
            following = previous if r[FLAG, R_DEAL_TO_WINNER] else (dealer + 1) % 4
            if r[FLAG, R_ROBBED_DEALS] and s[GAME, OUTCOME] == QIANGGANG:
                following = s[GAME, FROM_SEAT]
    if following == dealer:
        return min(repeat + 1, 255), n_passes
    s[GAME, DEALER] = following
    s[GAME, ROUND_WIND] = (n_passes + 1) // 4 % 4
    return 0, n_passes + 1


@kernel
def play_tables(s, r, t, first_table, n_tables, n_hands, seed, mode, bots, rows, wins, n_wins, trace):
    """Play ``n_tables`` tables of ``n_hands`` hands (four rotations in duplicate mode) and write their log rows.

    Parameters
    ----------
    s, r, t
        State (`sim.state.new_state`), rule set (`sim.flags.to_flags`), tables (`sim.tables.load`).
    bots
        int64 (4,) codes of the line-up.
    rows
        int64 (tables * hands, N_ROW_COLUMNS), written.
    wins, n_wins
        int64 (tables * hands, 3, N_WIN_COLUMNS) and (tables * hands,), written: winners of each hand.
    trace
        int64 (n, 4), takes the moves of the last hand; n = 0 for none.

    Returns
    -------
    int
        Rows of the trace.
    """
    i = 0
    for table in range(first_table, first_table + n_tables):
        start_table(s, r, seed, table)
        repeat = n_passes = 0
        for hand in range(n_hands):
            rotation = hand if mode == DUPLICATE else 0
            if mode == SESSION or hand == 0:
                shuffle(r[DECK], r[FLAG, R_N_TILES], seed, table, hand, s[WALL])
            s[GAME, HAND_NUMBER], s[GAME, REPEAT] = hand, repeat
            for seat in range(4):
                s[GAME, SEATED + seat] = bots[(seat - rotation) % 4]
            play_hand(s, r, t, trace)
            _write_hand(s, r, rows[i], rotation, repeat)
            n_wins[i] = s[GAME, N_WINNERS]
            for w in range(n_wins[i]):
                _write_win(s, r, t, w, wins[i, w])
            if mode == SESSION:
                repeat, n_passes = advance(s, r, repeat, n_passes)
            i += 1
    return s[GAME, N_TRACE]
