"""How a chart stands in a page: SVG with a title and a description, the page's colours and font, and few bytes."""

from __future__ import annotations

import re

from markupsafe import Markup, escape
from matplotlib.figure import Figure

from analysis import chart

# Colours that the page changes in the dark.
_COLORS = {
    chart.INK: "ink",
    chart.FAINT: "faint",
    chart.BLUE: "blue",
    chart.ORANGE: "orange",
    chart.GREEN: "green",
    chart.PURPLE: "purple",
}
_PAGE_FONT = f"font-size: {chart.FONT_SIZE:g}px; font-family: '{chart.FAMILY}'; "  # as the page's style sheet has it


def _shorter(text: str) -> str:
    """Leave out what a browser does not need: ids that nothing refers to, blanks, digits, empty groups."""
    used = set(re.findall(r'(?:url\(#|href="#)([^")]+)', text))
    text = re.sub(r' id="([^"]+)"', lambda match: match[0] if match[1] in used else "", text)
    text = re.sub(r' d="([^"]+)"', lambda match: f' d="{_path(match[1])}"', text)
    text = re.sub(r'( (?:x|y|width|height)=")(-?\d+\.\d{2})\d+"', r'\1\2"', text)
    text = re.sub(r' transform="rotate\(-0 [^"]*\)"', "", text)
    text = text.replace(_PAGE_FONT, "")
    text = re.sub(r"\s*\n\s*", "", text)
    text = re.sub(r'<path d="[^"]*" style="fill: none"/>', "", text)
    while (fewer := re.sub(r"<g>(?:<g>)*(?:</g>)+", _pairs, text)) != text:
        text = fewer
    return text


def _path(data: str) -> str:
    data = re.sub(r"(\d+\.\d{2})\d+", r"\1", data)
    return re.sub(r"\s+", " ", data).strip()


def _pairs(match: re.Match[str]) -> str:
    """Take away the groups that hold nothing."""
    n_open, n_closed = match[0].count("<g>"), match[0].count("</g>")
    n = min(n_open, n_closed)
    return "<g>" * (n_open - n) + "</g>" * (n_closed - n)


def inline(figure: Figure, prefix: str, title: str, description: str) -> Markup:
    """SVG for use inside a page: no prologue, ids of its own, a title and a description for who cannot see it.

    Texts in it were escaped by matplotlib when it wrote the SVG.
    """
    text = chart.to_svg(figure, keeps_text=True)
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
    text = _shorter(text)
    text = re.sub(r'(id="|url\(#|href="#)', lambda match: match[0] + prefix, text)
    for color, name in _COLORS.items():
        text = text.replace(color, f"var(--{name})")
    told = f'<title id="{prefix}title">{escape(title)}</title><desc id="{prefix}text">{escape(description)}</desc>'
    opening = f'<svg role="img" aria-labelledby="{prefix}title {prefix}text"'
    return Markup(re.sub(r"<svg[^>]*>", lambda match: opening + _kept(match[0]) + ">" + told, text, count=1))


def _kept(opening: str) -> str:
    """Attributes of the outermost element that stay: the page sets width and height."""
    box = re.search(r' viewBox="[^"]*"', opening)
    assert box is not None
    return box[0] + ' xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
