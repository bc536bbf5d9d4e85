"""Colours of charts: told apart by the colour-blind, and seen on paper, by day and by night."""

from __future__ import annotations

import re
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from analysis import chart

STYLE = (Path(chart.__file__).parent / "report" / "style.css").read_text(encoding="utf-8")
SERIES = ("blue", "orange", "green", "purple")
# Machado, Oliveira & Fernandes 2009, IEEE Trans. Vis. Comput. Graph. 15:1291, severity 1.0, on linear RGB.
SIGHT = {
    "normal": np.eye(3),
    "protanopia": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "deuteranopia": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    "tritanopia": [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ],
}
# Linear sRGB to XYZ and the white of D65 (IEC 61966-2-1).
XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
# CIE 1976 distance: some 2 are just seen; marks of a few pixels want many times that.
APART = 20.0


def palette(theme):
    """Colours of the page by name, linear RGB."""
    place = ("light", "dark").index(theme)
    found = dict(re.findall(r"--(\w+): light-dark\(([^()]+)\)", STYLE))
    return {name: linear(both.split(", ")[place]) for name, both in found.items()}


def linear(color):
    value = np.array([int(color[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    return np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)


def lab(rgb):
    """CIE L*a*b* of linear RGB."""
    xyz = XYZ @ np.clip(rgb, 0, 1) / XYZ.sum(axis=1)
    x, y, z = np.where(xyz > (6 / 29) ** 3, np.cbrt(xyz), xyz / (3 * (6 / 29) ** 2) + 4 / 29)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def contrast(a, b):
    """Contrast ratio of WCAG 2.2."""
    light = sorted(float(XYZ[1] @ color) for color in (a, b))
    return (light[1] + 0.05) / (light[0] + 0.05)


def test_the_page_starts_from_the_charts_colours():
    light = dict(re.findall(r"--(\w+): light-dark\((#\w+),", STYLE))
    assert {name: light[name] for name in ("ink", "faint", *SERIES)} == {
        "ink": chart.INK,
        "faint": chart.FAINT,
        "blue": chart.BLUE,
        "orange": chart.ORANGE,
        "green": chart.GREEN,
        "purple": chart.PURPLE,
    }


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("sight", SIGHT)
def test_series_are_told_apart(theme, sight):
    colors = palette(theme)
    seen = {name: lab(np.array(SIGHT[sight]) @ colors[name]) for name in SERIES}
    distance = {pair: float(np.linalg.norm(seen[pair[0]] - seen[pair[1]])) for pair in combinations(SERIES, 2)}
    assert min(distance.values()) >= APART, distance


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_everything_is_seen_on_its_paper(theme):
    colors = palette(theme)
    for ground in ("paper", "panel"):
        assert min(contrast(colors[name], colors[ground]) for name in SERIES) >= 3  # graphics
        assert min(contrast(colors[name], colors[ground]) for name in ("ink", "soft", "link")) >= 4.5  # texts


def test_distances_are_those_of_known_colours():
    assert lab(linear("#ffffff")) == pytest.approx([100, 0, 0], abs=0.05)
    assert lab(linear("#ff0000")) == pytest.approx([53.24, 80.09, 67.20], abs=0.05)
    assert contrast(linear("#000000"), linear("#ffffff")) == pytest.approx(21)
    for matrix in SIGHT.values():  # white stays white
        assert np.array(matrix) @ np.ones(3) == pytest.approx(np.ones(3), abs=1e-5)
