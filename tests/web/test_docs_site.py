"""The documentation in a browser, opened from disk: found, readable, and nothing from elsewhere."""

from __future__ import annotations

import functools
import json
import re
import threading
import tomllib
from collections.abc import Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import quote_plus

import pytest

import rocsolid as rs
from site_links import broken_links

PAGES = (
    "index", "learn", "tour", "coming", "report", "audit", "trec_eval", "theorems/auc-bounds",
    "reference", "reference/results",
)  # fmt: skip
CONTENTS = Path(__file__).parents[2] / "docs" / "contents.toml"
SITE = tomllib.loads(CONTENTS.read_text("utf-8"))
SEARCHED = SITE["search"]
UNWRITTEN = SITE["queries"]
TEACHING = [page for part in SITE["section"][:2] for page in part["pages"]]  # Learn and Scores
SEEN = """(() => { const one = document.querySelector("article :is(img, iframe, form)");
    return one ? [one.getBoundingClientRect().top, one.getBoundingClientRect().height] : []; })()"""
FIRST = """new Promise((found) => { const look = () => {
    const first = document.querySelector("#search-results li > a");
    first ? found(first.getAttribute("href")) : setTimeout(look, 50); }; look(); })"""
LOADED = "performance.getEntriesByType('resource').map((one) => one.name)"


@pytest.fixture(scope="module")
def served(docs_site: Path) -> Iterator[str]:
    """The address of the site on a server of this machine."""
    handler = functools.partial(QuietHandler, directory=str(docs_site))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


class QuietHandler(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        pass


def test_nothing_is_loaded_from_elsewhere(docs_site: Path, served: str, browser: Any) -> None:
    for page in docs_site.rglob("*.html"):
        text = page.read_text("utf-8")
        loads = re.findall(
            r"<(?:script|link|img|iframe)\b[^>]*?(?:src|href)=[\"']?([^\"'\s>]+)", text
        )
        assert not [one for one in loads if re.match(r"(?:https?:)?//", one)], page
    for name in PAGES:
        tab = browser.open(f"{served}/{name}.html")
        loaded = tab.evaluate(LOADED)
        assert len(loaded) > 5
        assert [url for url in loaded if not url.startswith((served, "data:"))] == [], name
        tab.close()


def test_no_directive_is_left_as_text(docs_site: Path) -> None:
    for page in docs_site.rglob("*.html"):
        assert ":::" not in page.read_text("utf-8"), page
    assert (docs_site / "learn.html").read_text("utf-8").count("sd-card-title") >= 10
    assert (docs_site / "coming.html").read_text("utf-8").count("sd-tab-label") == 7


def test_every_link_leads_somewhere(docs_site: Path) -> None:
    pages = [page.relative_to(docs_site).as_posix() for page in docs_site.rglob("*.html")]
    assert len(pages) > 70
    broken = [one.rpartition(": ")[::2] for one in broken_links(docs_site)]  # those to no page
    files = [target for _, target in broken if target.startswith("_downloads/")]
    assert all((docs_site / target).is_file() for target in files)
    elsewhere = [target for _, target in broken if target.startswith("https://")]
    assert len(files) + len(elsewhere) == len(broken), broken


def test_each_teaching_page_shows_something_on_its_first_screen(
    docs_site: Path, browser: Any
) -> None:
    assert len(TEACHING) >= 15
    for name in TEACHING:
        tab = browser.open(docs_site / f"{name}.html", width=1280, height=900)
        top, height = tab.evaluate(SEEN)
        assert top + min(height, 100) < 900, name
        assert height > 100, name
        tab.close()


def test_searches_find_their_pages_first(docs_site: Path, served: str, browser: Any) -> None:
    """What pages ask to be found by, and queries that nobody wrote these words for."""
    for place in (docs_site / "search.html", f"{served}/search.html"):
        first = {words: _first(browser, place, words) for words in UNWRITTEN}
        right = [words for words, page in UNWRITTEN.items() if first[words] == f"{page}.html"]
        assert len(UNWRITTEN) == 20
        assert len(right) >= 18, first
    place = docs_site / "search.html"
    for page, listed in SEARCHED.items():
        assert _first(browser, place, listed[0]) == f"{page}.html", listed[0]


def _first(browser: Any, place: Path | str, words: str) -> str:
    tab = browser.open(place, query=f"q={quote_plus(words)}")
    first = str(tab.evaluate(FIRST)).partition("#")[0]
    tab.close()
    return first


@pytest.mark.parametrize("width", [1280, 320])
def test_pages_fit_the_screen_and_axe_finds_nothing(
    docs_site: Path, browser: Any, axe: str, width: int
) -> None:
    """In the light theme on a wide screen, in the dark one on a narrow one."""
    dark = width == 320
    for name in PAGES:
        tab = browser.open(docs_site / f"{name}.html", width=width, dark=dark)
        assert tab.evaluate("document.documentElement.scrollWidth") <= width, name
        theme = tab.evaluate("document.documentElement.dataset.theme")
        assert theme == ("dark" if dark else "light")
        assert tab.violations(axe) == [], name
        tab.close()


PRINTED = (
    {"auc": ".845", "n_pos": 5, "n_neg": 6},
    {"auc": "0.8333", "n_pos": 5, "n_neg": 6, "ci": (".60", ".99")},
    {"auc": ".85", "n_pos": 50, "n_neg": 50, "ci": (".77", ".93"), "vs": ".80", "p": ".04"},
    {"auc": ".85", "n_pos": 50, "n_neg": 50, "ci": (".60", ".99"), "vs": ".15", "p": ".9"},
    {"auc": ".502", "n_pos": 30, "n_neg": 17, "ci": (".499", ".505")},
    {"auc": "1.00", "n_pos": 20, "n_neg": 30, "ci": ("0.2", "1")},
    {"auc": "0.0", "n_pos": 3, "n_neg": 4},
    {"auc": "0.1250", "n_pos": 2, "n_neg": 2, "vs": "1"},
    {"auc": ".762", "n_pos": 100, "n_neg": 100, "ci": (".701", ".822")},  # needs ties
    {"auc": ".87", "n_pos": 4, "n_neg": 2, "ci": ("-0.02", "1.76"), "method": "delong"},
    {"auc": ".85", "n_pos": 3, "n_neg": 7, "ci": (".60", "1.00")},  # cut off
    {"auc": "0.03125", "n_pos": 4, "n_neg": 4, "ci": ("0", ".2"), "method": "exact"},
    {"auc": "0.9333333333333333", "n_pos": 5, "n_neg": 6, "ci": (".7", ".99"), "method": "auto"},
    {"auc": ".5", "n_pos": 9, "n_neg": 6, "ci": (".1", ".3"), "method": "bootstrap"},
    {"auc": ".64", "n_pos": 90, "n_neg": 40, "ci": (".55", ".73"), "vs": ".641", "p": ".04"},
)


@pytest.mark.parametrize("case", PRINTED, ids=lambda case: case["auc"])
def test_the_page_audits_as_the_library_does(
    docs_site: Path, browser: Any, case: dict[str, Any]
) -> None:
    low, high = case.get("ci", ("", ""))
    fields = {key: str(case.get(key, "")) for key in ("auc", "n_pos", "n_neg", "vs", "p", "method")}
    tab = browser.open(docs_site / "audit.html")
    said = tab.evaluate(f"audit({json.dumps(fields | {'low': low, 'high': high})})")
    assert said == list(rs.audit(**case).sentences())
    tab.evaluate("document.querySelector('#audit button').click()")
    answer = tab.evaluate("document.getElementById('audit-answer').innerText")
    assert answer.startswith("An AUC of .845 is not possible with 5 positives")
    tab.close()
