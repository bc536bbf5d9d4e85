import re
from xml.etree import ElementTree

from analysis import tiles_svg
from sim import tiles


def test_every_kind_has_a_drawing_of_its_own():
    text = str(tiles_svg.symbols(range(tiles_svg.N_DRAWINGS)))
    root = ElementTree.fromstring(text)
    ids = [symbol.get("id") for symbol in root]
    assert ids == [f"tile-{kind}" for kind in range(tiles.N_KINDS + tiles.N_FLOWERS + 1)]
    drawings = re.findall(r"<symbol[^>]*>(.*?)</symbol>", text)
    assert len(set(drawings)) == len(drawings)
    assert len(text) < 40_000
    assert "<text" not in text  # outlines look the same without the font


def test_dots_and_bamboos_are_as_many_as_the_number_says():
    for suit, mark in (
        ("p", '<circle cx="[0-9.]+" cy="[0-9.]+" r="[0-9.]+" fill="none"'),
        ("s", "<rect x=.[0-9.]+. y=.[0-9.]+. width=.3.8"),
    ):
        for number in range(2, 10):
            text = str(tiles_svg.symbols([tiles.KIND_OF[f"{number}{suit}"]]))
            assert len(re.findall(mark, text)) == number


def test_only_what_is_asked_for_is_drawn_once():
    assert str(tiles_svg.symbols([3, 3, 5])).count("<symbol") == 2


def test_a_hand_names_its_tiles_and_nothing_of_its_name_is_markup():
    text = str(tiles_svg.hand([[0, 1], [33]], '<b>"'))
    assert 'aria-label="&lt;b&gt;&#34;"' in text
    assert re.findall("#tile-[0-9]+", text) == ["#tile-0", "#tile-1", "#tile-33"]
    assert text.count('class="group"') == 2
