import pytest

from analysis import possible, scan, tables
from analysis.headline import headline
from analysis.report import write_report
from analysis.report.cells import DASH, percentage_points
from analysis.report.sections import sections
from analysis.report.summary import summary
from sim import rules as rule_sets
from tests import synthetic

ZIMO_ONLY = {"win.ways": '["zimo"]', "win.chicken_ways": '["zimo"]', "win.rob_kongs": "[]"}


def test_what_can_happen():
    rules = rule_sets.load("jipinghu")
    assert possible.outcomes(rules) == {"washout", *rules.win.ways}
    assert "horse" not in possible.dealer_measures(rules)
    assert "horse" in possible.dealer_measures(rule_sets.load("zhuama"))
    only = rule_sets.load("zhuama", ZIMO_ONLY)
    assert possible.outcomes(only) == {"washout", "zimo"}
    assert "dealt_in" not in possible.dealer_measures(only)
    free = {"kong.direct": 0, "kong.added": 0, "kong.concealed": 0, "kong.follow_horses": False}
    assert "kong" not in possible.dealer_measures(rule_sets.load("zhuama", free))
    assert not {"qianggang", "gangpao", "renhu"} & possible.priced_patterns(only)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    root = tmp_path_factory.mktemp("run")
    changed = ZIMO_ONLY | {"horses.kind": "none", "horses.count": 0}
    held = {name: 0 for name in ("count_discard", "without_ghost", "per_repeat", "rob_extra", "fixed", "fine")}
    rules = rule_sets.load("maima", changed | {f"horses.{name}": value for name, value in held.items()})
    synthetic.write_run(root / "a", rules, n_tables=6)
    (run,) = scan.open_run(root)
    return run, tables.tables(run)


def rows(made, frame):
    found = [table for section in sections(*made, "k") for table in section.tables if table.frame == frame]
    return {row[0].text.en: [cell.text.en for cell in row[1:]] for row in found[0].rows}


def test_what_cannot_happen_is_a_dash_in_tables(made):
    assert rows(made, "outcomes")["rob"][1:] == [DASH, DASH]
    assert rows(made, "outcomes")["self-draw"][1] != DASH
    turns = rows(made, "mean_win_turn")
    assert turns["self-draw"] == turns["all"]
    assert all(turns.get(way, [DASH, DASH]) == [DASH, DASH] for way in ("discard", "rob"))
    assert rows(made, "dealer_advantage")["from horses"][1:] == [DASH] * 3
    assert rows(made, "dealer_advantage")["dealt in"][1:] == [DASH] * 3


def test_what_cannot_happen_is_in_no_chart_and_not_among_the_unseen(made, tmp_path):
    run, frames = made
    charts = [str(chart.en) for section in sections(run, frames, "k") for chart in section.charts]
    assert not any("from horses" in chart or "dealt in" in chart for chart in charts)
    page = write_report([run], tmp_path).read_text(encoding="utf-8")
    ends = page[page.index(">How hands end</title>") :].split("</svg>")[0]
    assert "self-draw" in ends
    assert "rob" not in ends.replace("problem", "")
    shapes = [slug for slug in possible.priced_patterns(run.rules)]
    frame = frames["fan_frequency"]
    unseen = frame.filter(frame["pattern"].is_in(shapes) & (frame["count"] == 0)).height
    told = [line.en for line in summary(run, frames, headline(frames)) if "never seen" in line.en]
    assert all(int(line.split("; ")[1].split()[0]) <= unseen for line in told)


def test_one_rule_set_is_compared_with_nothing(made, tmp_path):
    page = write_report([made[0]], tmp_path).read_text(encoding="utf-8")
    assert 'id="comparison"' not in page
    assert "against" not in page.split('<section id="summary">')[1].split("</section>")[0]
    assert "Headline numbers" in page
    for heading in ("h3", "h4"):
        found = [part.split(f"</{heading}>")[0] for part in page.split(f"<{heading}>")[1:]]
        assert len(found) == len(set(found))


def test_the_horse_section_tells_its_sample(made):
    run, frames = made
    text = " ".join(label.en for label in sections(run, frames, "k")[-1].text)
    assert f"every sixteenth; here {run.wins.collect().height} wins" in text


def test_differences_of_rates_are_percentage_points(made):
    assert percentage_points(0.0123, 0.01, 0.0146).text == ("1.23个百分点", "1.23 pp")
    assert percentage_points(None).text.en == DASH
    assert all(row[-1].endswith(" pp") for row in rows(made, "first_draw").values())
    assert rows(made, "dealer_advantage")["win"][-1].endswith(" pp")
