import re
import warnings
from functools import partial

import matplotlib as mpl
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg

from analysis import chart, figures, scan, tables
from analysis.labels import LANGUAGES, Label
from tests import synthetic


@pytest.fixture(scope="module", params=["jipinghu", "maima", "zhuama"])
def case(request, tmp_path_factory):
    rules = synthetic.load(request.param)
    folder = synthetic.write_run(tmp_path_factory.mktemp("run") / rules.slug, rules, n_tables=12)
    (run,) = scan.open_run(folder)
    return run, tables.tables(run)


def makers(run, frames):
    kind, origin, n_horses = tables.shown_horses(run.rules)
    return {
        "win_rate": partial(figures.win_rate_chart, frames["win_rate"]),
        "fan": partial(figures.fan_chart, frames["fan_frequency"], run.rules),
        "turn": partial(figures.turn_chart, frames["win_turns"]),
        "ready": partial(figures.ready_chart, frames["ready_turns"], frames["win_turns"]),
        "dealer": partial(figures.dealer_chart, frames["dealer_advantage"]),
        "repeat": partial(figures.repeat_chart, frames["repeat_lengths"]),
        "horse_mean": partial(figures.horse_mean_chart, frames["horse_expectation"], kind, origin, n_horses),
        "horse_distribution": partial(figures.horse_distribution_chart, frames["horse_distribution"], kind, n_horses),
        "outcome": partial(
            figures.outcome_chart,
            {"a": frames["outcomes"], "b": frames["outcomes"]},
            dict.fromkeys("ab", Label("规则", "rules")),
        ),
    }


def shown_texts(figure):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        FigureCanvasAgg(figure).draw()
    return [text for text in figure.findobj(mpl.text.Text) if text.get_text().strip() and text.get_visible()]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_chart_draws_in_both_languages_without_a_warning(case, language):
    for name, make in makers(*case).items():
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            svg = chart.to_svg(make(language), keeps_text=True)
        has_chinese = re.search(r"[\u4e00-\u9fff]", svg) is not None
        assert has_chinese == (language == "zh"), name


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_text_leaves_its_chart(case, language):
    for name, make in makers(*case).items():
        figure = make(language)
        with chart.style():
            texts = shown_texts(figure)
            width, height = figure.get_size_inches() * figure.dpi
            for text in texts:
                box = text.get_window_extent()
                where = f"{name}: {text.get_text()}"
                if any(text in axes.get_xticklabels() + axes.get_yticklabels() for axes in figure.axes):
                    continue  # ticks outside the limits are not drawn
                assert box.x0 >= -1, where
                assert box.x1 <= width + 1, where
                assert box.y0 >= -1, where
                assert box.y1 <= height + 1, where


def test_patterns_never_seen_show_their_upper_limit(case):
    run, frames = case
    unseen = (frames["fan_frequency"]["count"] == 0).sum()
    figure = figures.fan_chart(frames["fan_frequency"], run.rules, "en")
    (markers,) = [line for line in figure.axes[0].lines if line.get_marker() == "<"]
    assert len(markers.get_xdata()) == unseen


def test_strange_names_are_drawn_as_boxes(case):
    run, frames = case
    names = {"a": Label("$\\frac{1}{2}$ \u9f98", "<b>&")}
    zh, en = (figures.outcome_chart({"a": frames["outcomes"]}, names, language) for language in LANGUAGES)
    assert "□" in chart.to_svg(zh, keeps_text=True)
    assert "&lt;b&gt;&amp;" in chart.to_svg(en, keeps_text=True)
    assert run.rules.slug


def test_the_mark_of_the_unseen_is_explained_only_where_it_is_drawn(case):
    run, frames = case
    frame = frames["fan_frequency"]
    for shown, is_told in ((frame, (frame["count"] == 0).any()), (frame.filter(frame["count"] > 0), False)):
        texts = shown_texts(figures.fan_chart(shown, run.rules, "en"))
        assert any("never seen" in text.get_text() for text in texts) == is_told


def test_changed_fields_stand_under_a_rule_sets_name_and_leave_the_chart_room(case):
    _, frames = case
    names = {"a": Label("规则 · horses.count=2", "rules · " + "horses.count_discard=2, " * 9)}
    figure = figures.outcome_chart({"a": frames["outcomes"]}, names, "en")
    (row,) = [text.get_text() for text in shown_texts(figure) if text.get_text().startswith("rules")]
    assert row.split("\n")[1].startswith("horses.count_discard=2")
    assert row.endswith("…")
    assert figure.axes[0].get_position().width > 0.4
