"""What tiles look like: small SVG drawings of every kind, of flowers and of a back, for use on a page.

A page holds each drawing that it needs once, as a symbol (`symbols`), and refers to it (`hand`). Characters are drawn
as outlines of the shipped font, so that a tile looks the same wherever the page is opened.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path

from fontTools.pens.svgPathPen import SVGPathPen
from fontTools.ttLib import TTFont
from markupsafe import Markup, escape

from sim import tiles

FONT = Path(__file__).parent / "fonts" / "GdmjSansSC.otf"
BACK = tiles.N_KINDS + tiles.N_FLOWERS
N_DRAWINGS = BACK + 1
WIDTH, HEIGHT = 30, 40

# Okabe and Ito's blue, bluish green and vermillion, darker; shapes tell tiles apart, colours only help.
_INK, _BLUE, _GREEN, _RED = "#22211f", "#005a94", "#00714f", "#b5321c"
_FACE = '<rect x=".8" y=".8" width="28.4" height="38.4" rx="4" fill="#fffdf4" stroke="#8b8878" stroke-width="1.2"/>'
_EM = 1000  # units of the font; characters stand 880 above and 120 below the base line

_ROWS = {  # dots or bamboos in each row, from the top
    2: (1, 1),
    3: (1, 2),
    4: (2, 2),
    5: (2, 1, 2),
    6: (3, 3),
    7: (1, 3, 3),
    8: (3, 2, 3),
    9: (3, 3, 3),
}


@lru_cache(maxsize=1)
def _font() -> TTFont:
    return TTFont(FONT, lazy=True)


def _character(char: str, x: float, y: float, size: float, color: str) -> str:
    """Outline of a character whose em square has its corner at x, y."""
    font = _font()
    glyphs = font.getGlyphSet()
    pen = SVGPathPen(glyphs)
    glyphs[font.getBestCmap()[ord(char)]].draw(pen)
    scale = size / _EM
    place = f"translate({x:g} {y + 0.88 * size:g}) scale({scale:g} {-scale:g})"
    return f'<path transform="{place}" fill="{color}" d="{pen.getCommands()}"/>'


def _places(number: int) -> list[tuple[float, float, int]]:
    """Centre and row of each dot or bamboo of a tile."""
    rows = _ROWS[number]
    step = 32 / len(rows)
    return [
        (15 + 8 * (i - (n - 1) / 2) * (1 if n == 3 else 1.4), 4 + step * (row + 0.5), row)
        for row, n in enumerate(rows)
        for i in range(n)
    ]


def _dot(x: float, y: float, radius: float, color: str) -> str:
    return (
        f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="none" stroke="{color}" stroke-width="{radius * 0.45:g}"/>'
        f'<circle cx="{x:g}" cy="{y:g}" r="{radius * 0.4:g}" fill="{color}"/>'
    )


def _dots(number: int) -> str:
    if number == 1:
        return _dot(15, 20, 8.5, _BLUE) + f'<circle cx="15" cy="20" r="1.6" fill="{_RED}"/>'
    radius = {2: 5.2, 3: 4.4, 4: 4.6, 5: 4.0}.get(number, 3.2)
    colors = (_BLUE, _RED, _GREEN) if number in (3, 5, 7, 9) else (_BLUE, _GREEN, _BLUE)
    return "".join(_dot(x, y, radius, colors[row]) for x, y, row in _places(number))


def _bamboo(x: float, y: float, length: float, color: str) -> str:
    return (
        f'<rect x="{x - 1.9:g}" y="{y - length / 2:g}" width="3.8" height="{length:g}" rx="1.7" fill="{color}"/>'
        f'<path d="M{x - 2.6:g} {y:g}h5.2" stroke="{color}" stroke-width="1.5"/>'
    )


def _bamboos(number: int) -> str:
    if number == 1:  # the bird
        feathers = "".join(
            f'<path d="M14 22 L{x} 36" stroke="{color}" stroke-width="2.4" stroke-linecap="round"/>'
            for x, color in ((8, _GREEN), (14, _BLUE), (20, _RED))
        )
        return (
            f'{feathers}<ellipse cx="14.5" cy="18.5" rx="6.2" ry="7" fill="{_GREEN}"/><circle cx="17.5" cy="9" r="4" '
            f'fill="{_GREEN}"/><path d="M21 7.6 L26 9.4 L21 11z" fill="{_RED}"/><circle cx="18.4" cy="8.3" r="1" '
            'fill="#fffdf4"/>'
        )
    length = 32 / len(_ROWS[number]) - 2.4
    has_red = {5: 1, 7: 0, 9: 1}.get(number)
    return "".join(_bamboo(x, y, length, _RED if row == has_red else _GREEN) for x, y, row in _places(number))


def _drawing(kind: int) -> str:
    """Content of a tile's symbol."""
    if kind == BACK:
        return (
            '<rect x=".8" y=".8" width="28.4" height="38.4" rx="4" fill="#1d7a64" stroke="#8b8878" '
            'stroke-width="1.2"/><rect x="5" y="5" width="20" height="30" rx="2" fill="none" stroke="#d9efe7" '
            'stroke-width="1.2"/>'
        )
    if kind >= tiles.FIRST_FLOWER:
        n = kind - tiles.FIRST_FLOWER
        color = _RED if n < 4 else _BLUE
        name = _character(tiles.FLOWER_NAMES_ZH[n], 4, 13, 22, color)
        return _FACE + name + _character(str(n % 4 + 1), 4, 2, 12, _INK)
    if kind == tiles.N_KINDS - 1:
        return _FACE + f'<path d="M6 6h18v28h-18zM9.5 9.5h11v21h-11z" fill="none" stroke="{_BLUE}" stroke-width="1.8"/>'
    if kind >= tiles.FIRST_HONOUR:
        color = {tiles.FIRST_DRAGON: _RED, tiles.FIRST_DRAGON + 1: _GREEN}.get(kind, _INK)
        return _FACE + _character(tiles.KIND_NAMES_ZH[kind], 2.5, 7, 25, color)
    suit, number = divmod(kind, 9)
    if suit == 0:
        name = tiles.KIND_NAMES_ZH[kind]
        return _FACE + _character(name[0], 6, 1.5, 18, _INK) + _character(name[1], 6, 19, 18, _RED)
    return _FACE + (_dots if suit == 1 else _bamboos)(number + 1)


def symbols(drawn: Iterable[int]) -> Markup:
    """Hidden SVG with the drawings of kinds (flowers from 34, `BACK`) for `hand` to refer to."""
    made = "".join(
        f'<symbol id="tile-{kind}" viewBox="0 0 {WIDTH} {HEIGHT}">{_drawing(kind)}</symbol>'
        for kind in sorted(set(drawn))
    )
    return Markup(f'<svg class="tiles" width="0" height="0" aria-hidden="true">{made}</svg>')


def hand(groups: Sequence[Sequence[int]], name: str) -> Markup:
    """Tiles in a row, with gaps between groups; ``name`` is what a screen reader says.

    Parameters
    ----------
    groups
        Kinds of each group; each needs its symbol on the page.
    """
    drawn = "".join(
        '<span class="group">'
        + "".join(f'<svg class="tile" viewBox="0 0 {WIDTH} {HEIGHT}"><use href="#tile-{k}"/></svg>' for k in group)
        + "</span>"
        for group in groups
    )
    return Markup(f'<span class="hand" role="img" aria-label="{escape(name)}">{drawn}</span>')
