"""Single hands: tiles to look at, what a win is worth, how far a hand is from winning, one hand of a run again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

from analysis import checks
from analysis.api import markup
from analysis.move_text import last_hands, moves
from analysis.scan import Run
from analysis.single.answers import hand_answer, score_answer
from sim import replay as replayer
from sim import rules as _files
from sim import tiles as kinds
from sim.rules import Rules


class Tiles(NamedTuple):
    """Tiles in groups, drawn in a notebook."""

    groups: tuple[tuple[int, ...], ...]

    def __str__(self) -> str:
        return " ".join(kinds.show(group) for group in self.groups)

    def __repr__(self) -> str:
        return f"tiles({str(self)!r})"

    def _repr_html_(self) -> str:
        return markup.box(markup.row_of_tiles(self.groups))


class Score(dict[str, Any]):
    """An answer of `score` as the README describes it, with the hand drawn in a notebook."""

    groups: tuple[tuple[int, ...], ...] = ()

    def _repr_html_(self) -> str:
        lines = [("is_win", self["is_win"])]
        lines += [(key, self[key]) for key in ("reason", "fans", "fan", "points", "payments", "paid") if key in self]
        rows = [(key, ", ".join(map(str, value)) if isinstance(value, list) else value) for key, value in lines]
        return markup.box(markup.row_of_tiles(self.groups), markup.table(("", ""), rows, n_texts=2))


class Hand(dict[str, Any]):
    """An answer of `hand` as the README describes it, with the hand drawn in a notebook."""

    groups: tuple[tuple[int, ...], ...] = ()

    def _repr_html_(self) -> str:
        head = markup.title(f"向听 shanten {self['shanten']}")
        if "ukeire" in self:
            body = markup.row_of_tiles([[kinds.KIND_OF[name] for name in self["ukeire"]]])
        else:
            rows = [(tile, told["shanten"], " ".join(told["ukeire"])) for tile, told in self["discards"].items()]
            body = markup.table(("打 discard", "向听 shanten", "进张 ukeire"), rows, n_texts=3)
        return markup.box(markup.row_of_tiles(self.groups), head, body)


class Replayed(NamedTuple):
    """One hand of a run played again: log row, winners' rows, moves as lines of text, tiles of the seats at its end."""

    row: dict[str, int]
    wins: list[dict[str, int]]
    moves: tuple[str, ...]
    hands: tuple[Tiles, ...]

    def __repr__(self) -> str:
        return "\n".join(self.moves)

    def _repr_html_(self) -> str:
        seats = "".join(
            f"<tr><td>座位{seat} seat {seat}</td><td>{markup.row_of_tiles(tiles.groups)}</td>"
            f'<td class="n">{self.row[f"points_{seat}"]:+d}</td></tr>'
            for seat, tiles in enumerate(self.hands)
        )
        told = escape("\n".join(self.moves))
        return markup.box(f"<table>{seats}</table>", f"<details><summary>moves</summary><pre>{told}</pre></details>")


def tiles(text: str) -> Tiles:
    """Read tiles in notation, groups apart by spaces, and show them in a notebook.

    Raises
    ------
    ValueError
        For what is no tile.

    Examples
    --------
    >>> from analysis import tiles
    >>> tiles("111m 345p99sEE")
    tiles('111m 345p99sEE')
    """
    return Tiles(tuple(tuple(kinds.parse(part)) for part in checks.text("tiles", text).split()))


def score(
    rules: str | Path | Rules,
    hand: str | None = None,
    win: str | None = None,
    source: str | None = None,
    winner: int | None = None,
    *,
    from_seat: int | None = None,
    explain: bool = False,
    **fields: Any,
) -> Score:
    """Find what a win is worth and who pays whom; the fields of ``gdmj score``, which the README lists.

    Parameters
    ----------
    hand, win
        Concealed tiles without the winning one; the winning tile.
    source
        ``zimo``, ``dianpao`` or ``qianggang``.
    winner, from_seat
        Seats; the second is the discarder, or the konger for ``qianggang``.
    explain
        Also say why, in the field ``explain``.
    fields
        Others, such as ``melds``, ``ghost``, ``horses``, ``dealer``, or ``winners`` in place of the first ones.

    Raises
    ------
    analysis.single.fields.InputError, sim.score.ScoreError, sim.rules.RulesError
        One line.

    Examples
    --------
    >>> from analysis import score
    >>> answer = score("jipinghu", "123m456p789s55sNN", "5s", "zimo", winner=1)
    >>> answer["fans"], answer["payments"]
    (['鸡胡', '自摸'], [-2, 6, -2, -2])
    """
    given = {"hand": hand, "win": win, "source": source, "winner": winner, "from": from_seat}
    data = {key: value for key, value in given.items() if value is not None} | fields
    answer = Score(score_answer(data, _files.load(rules), explained=explain))
    answer.groups = tuple(group for one in fields.get("winners", [data]) for group in _groups(one))
    return answer


def hand(
    hand: str,
    *,
    n_ghosts: int = 0,
    melds: Sequence[Mapping[str, Any]] = (),
    forms: Sequence[str] = ("standard", "seven_pairs", "thirteen_orphans"),
) -> Hand:
    """Find how far a hand is from winning and which tiles help; the fields of ``gdmj hand``, which the README lists.

    Raises
    ------
    analysis.single.fields.InputError
        One line.

    Examples
    --------
    >>> from analysis import hand
    >>> hand("123m456p78s11225p")["shanten"]
    1
    """
    if not isinstance(melds, Sequence) or not all(isinstance(meld, Mapping) for meld in melds):
        raise checks.RequestError(f"melds: mappings of t and tiles are needed, not {checks.shown(melds)}")
    if not isinstance(forms, Sequence):
        raise checks.RequestError(f"forms: names of forms are needed, not {checks.shown(forms)}")
    data = {"hand": hand, "n_ghosts": n_ghosts, "melds": [dict(meld) for meld in melds], "forms": list(forms)}
    answer = Hand(hand_answer(data))
    answer.groups = _groups(data)
    return answer


def replay(run: Run, table: int, hand: int = 0) -> Replayed:
    """Play one hand of a run again, move by move.

    Parameters
    ----------
    table, hand
        As in ``run.hands``; in duplicate mode ``hand`` is the rotation.

    Raises
    ------
    sim.engine.PlanError, sim.user_bots.BotError
        When the run has no such hand, or was played by a bot that is not here.

    Examples
    --------
    >>> from analysis import replay, simulate
    >>> again = replay(simulate("jipinghu", hands=256, progress=False), table=1, hand=2)
    >>> again.moves[-1].startswith("        end:")
    True
    """
    at, place = checks.whole("table", table, 0, 2**32), checks.whole("hand", hand, 0, checks.MAX_LENGTH)
    played = replayer.replay(checks.run("replay", run).manifest, at, place)
    seats = [Tiles((*map(tuple, seat.melds), tuple(sorted(seat.concealed)))) for seat in last_hands(played.trace)]
    return Replayed(played.row, played.wins, tuple(moves(played.trace)), tuple(seats))


def _groups(data: Mapping[str, Any]) -> tuple[tuple[int, ...], ...]:
    """Kinds of melds, concealed tiles and the winning tile of a request that was answered."""
    texts = [*(meld["tiles"] for meld in data.get("melds") or ()), data["hand"], data.get("win") or ""]
    return tuple(tuple(sorted(kinds.parse(text))) for text in texts if text)
