"""What a chart shows, in a sentence for who cannot see it: the ends of what is drawn; the table has the rest."""

from __future__ import annotations

from collections.abc import Sequence

from analysis.digits import written
from analysis.labels import Label


def ends(names: Sequence[Label], values: Sequence[float | None], *, as_percent: bool = False) -> Label:
    """Name the highest and the lowest of what is drawn."""
    known = [
        (value, name) for name, value in zip(names, values, strict=True) if value is not None and value == value
    ]  # not NaN
    if not known:
        return Label("没有数据。", "No data.")
    (low, lowest), (high, highest) = (pick(known, key=lambda pair: pair[0]) for pick in (min, max))
    tops, bottoms = (_shown(value, as_percent) for value in (high, low))
    if len(known) == 1 or high == low:
        return Label(f"{highest.zh}：{tops}。", f"{highest.en}: {tops}.")
    return Label(
        f"{len(known)}项；最高：{highest.zh}，{tops}；最低：{lowest.zh}，{bottoms}。下面的表列出全部数字。",
        f"{len(known)} values; highest: {highest.en}, {tops}; lowest: {lowest.en}, {bottoms}. The tables below have all"
        " numbers.",
    )


def numbered(numbers: Sequence[float], what: Label) -> list[Label]:
    """Name points of an axis: the number after what it counts."""
    return [Label(f"{what.zh}{number:g}", f"{what.en} {number:g}") for number in numbers]


def _shown(value: float, as_percent: bool) -> str:
    scale = 100.0 if as_percent else 1.0
    size = abs(scale * value)
    half = max(size, 1e-9) * 0.005
    text, _ = written(value, value - half / scale, value + half / scale, scale)
    return f"{text}%" if as_percent else text
