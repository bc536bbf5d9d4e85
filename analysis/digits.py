"""How a number is written: digits follow the width of its interval; the interval stands beside it."""

from __future__ import annotations

import math

DASH = "–"


def _digits(half_width: float) -> int:
    """Decimals that show the first figure of the interval's half width, two where they are below 36.

    The rule of the Particle Data Group's reviews, section 5.3.
    """
    power = math.floor(math.log10(half_width))
    digits = 1 - power if half_width < 3.55 * 10.0**power else -power
    return min(max(digits, 0), 6)


def _fixed(value: float, digits: int) -> str:
    if value == 0:
        return "0"
    text = f"{value:,.{digits}f}"
    return text.replace("-", "−") if float(text.replace(",", "")) else text.removeprefix("-")


def written(value: float | None, low: float | None, high: float | None, scale: float = 1.0) -> tuple[str, str]:
    """Value and interval as text, multiplied by ``scale``."""
    if value is None or math.isnan(value):
        return DASH, ""
    plain_digits = 0 if scale * value == round(scale * value) else 2
    if low is None or high is None:
        return _fixed(scale * value, plain_digits), ""
    half = scale * (high - low) / 2
    digits = _digits(half) if half > 0 else plain_digits
    return _fixed(scale * value, digits), f"[{_fixed(scale * low, digits)}, {_fixed(scale * high, digits)}]"


def even(value: float, low: float | None, high: float | None, scale: float = 1.0) -> tuple[str, str]:
    """Value and interval as in `written`, for sentences: three figures of the largest of them."""
    ends = [] if low is None or high is None else [scale * low, scale * high]
    largest = max(map(abs, ends or [scale * value]))
    decimals = min(max(2 - math.floor(math.log10(largest)), 0), 6) if largest > 0 else 0
    interval = f"[{', '.join(_fixed(end, decimals) for end in ends)}]" if ends else ""
    return _fixed(scale * value, decimals), interval
