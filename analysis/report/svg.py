"""How a chart stands in a page: SVG with a title and a description, the page's colours and font, and few bytes."""

from __future__ import annotations

import re
import zlib

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


def _shorter(text: str, prefix: str) -> str:
    """Leave out what a browser does not need: ids that nothing refers to, long names, digits, groups, blanks."""
    names = dict.fromkeys(re.findall(r'(?:url\(#|href="#)([^")]+)', text))
    start = f"c{zlib.crc32(prefix.encode()):x}-"
    short = {name: f"{start}{i}" for i, name in enumerate(names)}
    text = re.sub(r' id="([^"]+)"', lambda found: f' id="{short[found[1]]}"' if found[1] in short else "", text)
    text = re.sub(
        r'(url\(#|xlink:href="#)([^")]+)', lambda found: found[1].removeprefix("xlink:") + short[found[2]], text
    )
    text = re.sub(r' d="([^"]+)"', lambda found: f' d="{_rounded(" ".join(found[1].split()))}"', text)
    text = re.sub(r' (?:x|y|width|height)="[^"]*"', lambda found: _rounded(found[0]), text)
    text = re.sub(
        r' clip-path="[^"]*"(?= style="fill: none; stroke: var\(--faint\))', "", text
    )  # the grid never leaves
    text = re.sub(r' transform="rotate\(-0 [^"]*\)"', "", text)
    text = re.sub(r"<style.*?</style>", "", text, flags=re.DOTALL)  # the page has the same for all charts
    text = text.replace(_PAGE_FONT, "")
    text = re.sub(r"\s*\n\s*", "", text)
    text = re.sub(r'<path d="[^"]*" style="fill: none"/>', "", text)
    text = re.sub(r"<defs></defs>|<g(?: [^>]*)?/>", "", text)
    return _without_groups(text)


def _rounded(numbers: str) -> str:
    """Numbers to a hundredth of a point."""
    return re.sub(r"(\d+\.\d{2})\d+", r"\1", numbers)


def _without_groups(text: str) -> str:
    """Take away groups that say nothing of what they hold."""
    kept: list[bool] = []
    parts = []
    for part in re.split(r"(<g(?: [^>]*)?>|</g>)", text):
        if part.startswith(("<g>", "<g ")):
            kept.append(part != "<g>")
            parts.append(part if kept[-1] else "")
        elif part == "</g>":
            parts.append(part if kept.pop() else "")
        else:
            parts.append(part)
    return "".join(parts)


def inline(figure: Figure, prefix: str, title: str, description: str) -> Markup:
    """SVG for use inside a page: no prologue, ids of its own, a title and a description for who cannot see it.

    Texts in it were escaped by matplotlib when it wrote the SVG.
    """
    text = chart.to_svg(figure, keeps_text=True)
    text = re.sub(r"<metadata>.*?</metadata>", "", text[text.index("<svg") :], flags=re.DOTALL)
    for color, name in _COLORS.items():
        text = text.replace(color, f"var(--{name})")
    text = _shorter(text, prefix)
    box = re.search(r' viewBox="[^"]*"', text)
    assert box is not None
    opening = f'<svg role="img" aria-labelledby="{prefix}t {prefix}d"{box[0]} xmlns="http://www.w3.org/2000/svg">'
    told = f'<title id="{prefix}t">{escape(title)}</title><desc id="{prefix}d">{escape(description)}</desc>'
    return Markup(re.sub(r"<svg[^>]*>", lambda _: opening + told, text, count=1))


def styles_as_classes(page: str) -> tuple[str, str]:
    """Give the charts' styles, of which there are few, names; returns the page and the rules of the names."""
    names: dict[str, str] = {}

    def named(found: re.Match[str]) -> str:
        return f' class="{names.setdefault(found[1], f"k{len(names)}")}"'

    charts = re.compile(r"<svg role=.*?</svg>", re.DOTALL)
    page = charts.sub(lambda chart: re.sub(r' style="([^"]*)"', named, chart[0]), page)
    return page, "\n".join(f"svg .{name} {{ {style} }}" for style, name in names.items())
