import matplotlib as mpl
import numpy as np
import polars as pl
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg

from analysis import chart


def test_style_leaves_the_users_settings_alone():
    before = dict(mpl.rcParams)
    with chart.style():
        assert mpl.rcParams["font.family"] == [chart.FAMILY]
    assert dict(mpl.rcParams) == before


def test_the_same_chart_is_the_same_svg():
    def draw():
        with chart.style():
            figure, axes = chart.canvas(2.0, ["庄家"])
            axes.plot([1, 2], [3, 4])
            chart.title(axes, "庄家 1 < 2 & <script>")
        return figure

    svg = chart.to_svg(draw(), keeps_text=True)
    assert svg == chart.to_svg(draw(), keeps_text=True)
    assert "<text" not in chart.to_svg(draw())
    assert "庄家 1 &lt; 2 &amp; &lt;script&gt;" in svg
    assert "dc:date" not in svg


@pytest.mark.parametrize(
    ("text", "drawn"), [("庄家", "庄家"), ("a$b$", "a□b□"), ("\u9f98\U0001f004", "□□"), ("a\nb", "a□b")]
)
def test_what_the_font_lacks_becomes_a_box(text, drawn):
    assert chart.drawable(text) == drawn


def test_row_names_fit_left_of_the_axes():
    for names in (["short"], ["一二三四五六七八九十"], ["a much longer name of a row"]):
        with chart.style():
            figure, axes = chart.canvas(2.0, names)
            chart.rows(axes, names)
            axes.set_xlabel("x")
            FigureCanvasAgg(figure).draw()
            boxes = [label.get_window_extent() for label in axes.get_yticklabels()]
        assert min(box.x0 for box in boxes) >= 0


def test_missing_limits_have_no_whisker():
    frame = pl.DataFrame({"value": [0.5, 0.2], "low": [0.4, None], "high": [0.7, None]})
    value, low, high = (chart.column(frame, name) for name in frame.columns)
    np.testing.assert_allclose(chart.whiskers(value, low, high), [[0.1, 0], [0.2, 0]])


def test_tick_labels():
    assert chart.percent()(0.125, 0) == "12.5%"
    assert chart.percent(1)(0.1, 0) == "10.0%"
    assert chart.plain_number()(0.001, 0) == "0.001"
    assert chart.plain_number()(10000, 0) == "10,000"
    assert chart.plain_number()(-2.5, 0) == "−2.5"


def test_a_long_name_is_broken_between_words_or_characters_and_then_cut():
    assert chart.wrapped("one two three", 5.0) == ["one two", "three"]
    assert chart.wrapped("先打字牌再打么九", 4.0) == ["先打字牌", "再打么九"]
    assert chart.wrapped("T16 门数相同", 4.7) == ["T16 门数", "相同"]
    assert chart.wrapped("one two three four", 4.0) == ["one two", "three…"]
    assert chart.wrapped("short", 9.0) == ["short"]
    assert chart.wrapped("", 9.0) == [""]
