"""The report in a browser: switches, sorting, downloads, glyphs, accessibility. Skipped where there is no Chromium."""

from __future__ import annotations

import os
import shutil

import polars as pl
import pytest

from analysis import scan
from analysis.report import TABLES, write_report
from tests import extras, synthetic

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-playwright-python is not installed")
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
# A browser is no Python package, so `pip install` cannot bring it; all other tests of the page run without one.
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine")


# The page looks at what is too wide when it is resized, else only after a moment.
OPEN_ALL = """() => {
  document.querySelectorAll("details").forEach(one => { one.open = true; });
  window.dispatchEvent(new Event("resize"));
}"""
# Marks an element for each character that is shown, so that not all of them need to be asked about.
MARK_NEW_CHARACTERS = """() => {
  const seen = new Set(), walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const parent = walker.currentNode.parentElement;
    if (!parent.getClientRects().length) { continue; }
    for (const char of walker.currentNode.textContent.replace(/\\s/g, "")) {
      if (!seen.has(char)) { seen.add(char); parent.dataset.new = ""; }
    }
  }
  return seen.size;
}"""


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    """Path of a page with two rule sets and everything that may lie beside them."""
    folder = tmp_path_factory.mktemp("run")
    for variant in ("maima", "zhuama"):
        synthetic.write_run(folder / variant, synthetic.load(variant), n_tables=12)
    extras.write(folder)
    return write_report(scan.open_run(folder), folder, folder)


@pytest.fixture(scope="module")
def browser():
    # Chromium refuses to sandbox root, as whom machines of tests run.
    options = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_api.sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=CHROMIUM, args=options)
        yield found
        found.close()


@pytest.fixture
def open_page(browser, report):
    """Open the page with a reader's language, light and width; afterwards nothing may have been complained of.

    ``inspected``: the browser's inspector will look into it, which asks for the file again and is told off for that.
    """
    contexts, complaints, asked = [], [], []

    def opened(language="en-GB", scheme="light", width=1280, inspected=False):
        context = browser.new_context(
            locale=language, color_scheme=scheme, viewport={"width": width, "height": 900}, accept_downloads=True
        )
        contexts.append(context)
        page = context.new_page()
        if not inspected:
            page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("request", lambda request: asked.append(request.url))
        page.goto(report.as_uri())
        return page

    yield opened
    for context in contexts:
        context.close()
    assert complaints == []
    assert {url for url in asked if not url.startswith("data:")} <= {report.as_uri()}


def test_language_follows_the_reader_and_the_switch_and_is_remembered(open_page):
    for locale, lang in (("zh-CN", "zh-Hans"), ("en-GB", "en"), ("fr-FR", "en")):
        assert open_page(locale).evaluate("document.documentElement.lang") == lang
    page = open_page("en-GB")
    heading = page.locator("h1")
    assert heading.inner_text() == "Guangdong mahjong, simulated"
    page.get_by_role("button", name="中文").click()
    assert heading.inner_text() == "广东麻将模拟报告"
    assert page.title() == "广东麻将模拟报告"
    assert page.get_by_role("button", name="中文").get_attribute("aria-pressed") == "true"
    page.reload()
    assert page.evaluate("document.documentElement.lang") == "zh-Hans"


def test_light_and_dark_follow_the_reader_and_the_switch_and_are_remembered(open_page):
    def paper(page):
        return page.evaluate("getComputedStyle(document.body).backgroundColor")

    light, dark = (paper(open_page(scheme=scheme)) for scheme in ("light", "dark"))
    assert light != dark
    page = open_page(scheme="light")
    page.get_by_role("button", name="Dark").click()
    assert paper(page) == dark
    page.reload()
    assert paper(page) == dark
    page.get_by_role("button", name="Auto").click()
    assert paper(page) == light


def test_a_table_is_sorted_by_mouse_and_by_keyboard(open_page):
    page = open_page()
    table = page.locator("#maima-win table.data").first
    head = table.locator("thead th").nth(2)

    def column():
        return [
            float(value)
            for value in table.locator("tbody tr").evaluate_all("rows => rows.map(r => r.cells[2].dataset.order)")
        ]

    before = column()
    assert before != sorted(before)
    head.get_by_role("button").click()
    assert head.get_attribute("aria-sort") == "descending"
    assert column() == sorted(before, reverse=True)
    page.keyboard.press("Enter")
    assert head.get_attribute("aria-sort") == "ascending"
    assert column() == sorted(before)
    page.keyboard.press("Space")
    assert head.get_attribute("aria-sort") == "none"
    assert column() == before


def test_words_are_sorted_by_the_language_shown_and_dashes_stand_last(open_page):
    page = open_page()
    tips = page.locator("#tips table.data")
    names = tips.locator("thead th").first
    names.get_by_role("button").click()
    shown = tips.locator("tbody th .en").all_inner_texts()
    assert shown == sorted(shown, reverse=True)
    effects = tips.locator("thead th").nth(2)
    for _ in range(2):
        effects.get_by_role("button").click()
        assert tips.locator("tbody td:nth-child(3)").last.inner_text() == "–"


def test_tables_are_downloaded_from_the_page(open_page, report, tmp_path):
    page = open_page()
    for suffix, read in (("csv", pl.read_csv), ("parquet", pl.read_parquet)):
        with page.expect_download() as started:
            page.get_by_role("link", name=f"maima-outcomes.{suffix}").click()
        assert started.value.suggested_filename == f"maima-outcomes.{suffix}"
        started.value.save_as(tmp_path / suffix)
        stored = read(report.parent / TABLES / "maima" / f"outcomes.{suffix}")
        assert read(tmp_path / suffix)["count"].to_list() == stored["count"].to_list()


@pytest.mark.parametrize(("language", "at_least"), [("zh-CN", 150), ("en-GB", 60)])
def test_every_glyph_comes_from_the_pages_own_font(open_page, language, at_least):
    page = open_page(language, inspected=True)
    page.evaluate(OPEN_ALL)
    page.evaluate("document.querySelectorAll('pre').forEach(one => one.remove())")  # set in a reader's own font
    page.evaluate("document.fonts.ready")
    n_characters = page.evaluate(MARK_NEW_CHARACTERS)
    session = page.context.new_cdp_session(page)
    session.send("DOM.enable")
    session.send("CSS.enable")
    root = session.send("DOM.getDocument")["root"]["nodeId"]
    nodes = session.send("DOM.querySelectorAll", {"nodeId": root, "selector": "[data-new]"})["nodeIds"]
    used = [session.send("CSS.getPlatformFontsForNode", {"nodeId": node})["fonts"] for node in nodes]
    assert {font["familyName"] for fonts in used for font in fonts} == {"Gdmj Sans SC"}
    assert n_characters > at_least


def test_a_phone_shows_all_without_scrolling_the_page_sideways(open_page):
    for language in ("zh-CN", "en-GB"):
        page = open_page(language, width=390)
        page.evaluate(OPEN_ALL)
        assert page.evaluate("document.documentElement.scrollWidth") == 390


@pytest.mark.parametrize(
    ("language", "scheme", "width"), [("zh-CN", "light", 1280), ("en-GB", "dark", 1280), ("en-GB", "light", 390)]
)
def test_axe_finds_no_fault(open_page, language, scheme, width):
    page = open_page(language, scheme, width)
    page.evaluate(OPEN_ALL)
    found = axe.Axe().run(page)
    assert [(fault["id"], fault["nodes"][0]["html"][:200]) for fault in found.response["violations"]] == []
    assert len(found.response["passes"]) > 20
