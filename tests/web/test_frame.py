"""Every page has the same frame: verdict, number, rivals, large picture, and at most five folds."""

from __future__ import annotations

import base64
import re
from pathlib import Path
from typing import Any

import pytest

from every_page import COMMANDS

A4 = {"paperWidth": 210 / 25.4, "paperHeight": 297 / 25.4, "preferCSSPageSize": True}
ORDER = """[".banner", "h1", ".answer-line", ".summary .big", ".summary .large > svg",
    "main > section:not(.summary)"].map((part) => {
    const all = [...document.querySelectorAll(part)].filter((e) => e.checkVisibility());
    return all.length ? document.querySelectorAll("*").length
        && [...document.querySelectorAll("*")].indexOf(all[0]) : -1; })"""
PICTURE = """(() => { const [e] = [...document.querySelectorAll(".large > svg")]
    .filter((e) => e.checkVisibility()); const r = e.getBoundingClientRect();
    return [r.top + scrollY, r.bottom + scrollY, r.width]; })()"""


@pytest.fixture
def pages(every_page: dict[str, Path]) -> dict[str, Path]:
    return every_page


WITH_PICTURE = [name for name in COMMANDS if name != "qualify"]  # a page of verdicts alone


@pytest.mark.parametrize("name", WITH_PICTURE)
def test_the_parts_stand_in_their_order(browser: Any, pages: dict[str, Path], name: str) -> None:
    tab = browser.open(pages[name], width=1280, height=900)
    places = tab.evaluate(ORDER)
    assert min(places) >= 0, places
    assert places == sorted(places)
    kinds = "document.querySelector('.banner').getClientRects().length"
    assert tab.evaluate(f"{kinds} === 1 && document.querySelector('.banner').offsetHeight < 30")
    tab.close()


@pytest.mark.parametrize("name", WITH_PICTURE)
def test_the_picture_is_on_the_first_screen(
    browser: Any, pages: dict[str, Path], name: str
) -> None:
    """Whole at 1280 by 900, or large there; on a phone most of a picture's height is seen."""
    tab = browser.open(pages[name], width=1280, height=900)
    top, bottom, width = tab.evaluate(PICTURE)
    assert bottom < 900
    assert width > 400
    tab.size(360, 740)
    top, bottom, width = tab.evaluate(PICTURE)
    assert width > 300
    assert bottom < 740 or top < 740 - 90
    assert tab.evaluate("document.documentElement.scrollWidth") == 360
    tab.close()


@pytest.mark.parametrize("name", COMMANDS)
def test_a_page_of_another_verb_has_at_most_five_folds(
    browser: Any, pages: dict[str, Path], name: str
) -> None:
    tab = browser.open(pages[name])
    folds = tab.evaluate(
        "document.querySelectorAll('main > section > .fold > summary > h2').length"
    )
    assert 2 <= folds <= 5
    tab.close()


@pytest.mark.parametrize("name", COMMANDS)
def test_two_sheets_and_a_link_that_prints_everything(
    browser: Any, pages: dict[str, Path], name: str
) -> None:
    tab = browser.open(pages[name])
    short = _sheets(tab)
    assert short <= 2
    tab.evaluate("document.querySelector('footer a').click()")
    assert tab.evaluate("document.querySelector('.everything').checkVisibility()")
    assert _sheets(tab) >= short
    if name == "evaluate-by":
        assert _sheets(tab) > 5
    tab.close()


def _sheets(tab: Any) -> int:
    printed = base64.b64decode(tab.call("Page.printToPDF", **A4)["data"])
    return len(re.findall(rb"/Type\s*/Page[^s]", printed))
