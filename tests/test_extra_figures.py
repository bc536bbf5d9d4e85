"""Charts of other commands' results: what is coloured, where marks stand, and that nothing leaves the picture."""

from __future__ import annotations

import warnings

import matplotlib as mpl
import polars as pl
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.patches import Rectangle

from analysis import chart
from analysis import extra_figures as figures
from analysis.labels import LANGUAGES, Label
from tests import extras

NAMES = [Label("先打字牌" * 8, "Discard honours first, " * 4)] * 4


def effects(*rows):
    return pl.DataFrame([extras.effect(*row) for row in rows])


def tips():
    return pl.DataFrame(extras.verdicts()["verdicts"], infer_schema_length=None)


def panel(ruin=(50.0, 400.0)):
    quantiles = {p: [100 * (p - 0.5) * hand**0.5 for hand in range(1, 9)] for p in (0.05, 0.25, 0.5, 0.75, 0.95)}
    return figures.Sessions(Label("买马", "horses"), Label("分", "points"), range(1, 9), quantiles, ruin)


def patches(figure):
    return [patch for patch in figure.axes[0].patches if isinstance(patch, Rectangle)]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("which", ["effects", "tips", "sessions"])
def test_every_text_is_drawn_and_stays_inside(which, language):
    long = "horses.count=8 + horses.origin=previous_winner"
    figure = {
        "effects": lambda: figures.effect_chart(
            effects(*((long, measure, 0.5) for measure in figures.EFFECT_HEADS), (long, "another measure", -1.0)),
            language,
        ),
        "tips": lambda: figures.tip_chart(tips(), NAMES, language),
        "sessions": lambda: figures.session_chart([panel(), panel(())], language),
    }[which]()
    with chart.style(), warnings.catch_warnings():
        warnings.simplefilter("error")
        FigureCanvasAgg(figure).draw()
        width, height = figure.get_size_inches() * figure.dpi
        ticks = [tick for axes in figure.axes for tick in axes.get_xticklabels() + axes.get_yticklabels()]
        for text in figure.findobj(mpl.text.Text):
            if text.get_text().strip() and text.get_visible() and (text not in ticks or which != "sessions"):
                box = text.get_window_extent()
                assert -1 <= box.x0 <= box.x1 <= width + 1, text.get_text()
                assert -1 <= box.y0 <= box.y1 <= height + 1, text.get_text()


def test_only_what_is_clear_has_a_colour_and_more_change_has_more_of_it():
    figure = figures.effect_chart(
        effects(("a", "turns", 0.05), ("b", "turns", 0.5), ("c", "turns", -0.2), ("d", "turns", -5.0)), "en"
    )
    made = {round(patch.get_y() + 0.46): patch for patch in patches(figure)}
    assert sorted(made) == [1, 2, 3]  # the first one's interval holds 0
    colors = [mpl.colors.to_hex(made[row].get_facecolor()) for row in (1, 2, 3)]
    assert colors == [chart.BLUE, chart.ORANGE, chart.ORANGE]
    assert made[2].get_alpha() < made[1].get_alpha() < made[3].get_alpha() == 0.6


@pytest.mark.parametrize(
    ("effect", "half", "measure", "text"),
    [(0.0123, 0.002, "win_rate", "+1.23pp"), (-0.000375, None, "win_rate", "−0.04pp"), (-2.5, 0.4, "turns", "−2.5"),
     (0.0, 0.1, "turns", "0"), (1e-15, 0.1, "turns", "0"), (12345.6, 99.0, "points_sd", "+12,346")],
)  # fmt: skip
def test_numbers_in_the_map_have_the_digits_of_the_table(effect, half, measure, text):
    row = extras.effect("a", measure, effect, half or 0.1) | ({} if half else {"low": None, "high": None})
    figure = figures.effect_chart(pl.DataFrame([row]), "en")
    assert text in [found.get_text() for found in figure.axes[0].texts]


def test_tips_are_measured_by_what_would_matter():
    figure = figures.tip_chart(tips(), NAMES, "en")
    marks = {line.get_color(): line.get_xdata().tolist() for line in figure.axes[0].lines if line.get_marker() in "osD"}
    assert marks[chart.BLUE] == pytest.approx([3.0])
    assert marks[chart.ORANGE] == pytest.approx([-2.0])
    assert marks[chart.PURPLE] == pytest.approx([3.0])


def test_lost_bankrolls_have_lines_inside_the_chart():
    (axes,) = figures.session_chart([panel()], "en").axes
    levels = {line.get_ydata()[0] for line in axes.lines if line.get_linestyle() == "--"}
    assert levels == {-50.0, -400.0}
    assert axes.get_ylim()[0] < -400
    assert axes.get_xlim() == (0, 8)
