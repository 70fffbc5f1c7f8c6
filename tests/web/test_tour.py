"""The tour of the five documents in a real browser."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest


@pytest.fixture
def site(every_page: dict[str, Path]) -> Path:
    return every_page["study-index"].parent


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [320, 1200])
def test_the_index_renders_without_complaint(
    browser: Any, site: Path, width: int, dark: bool
) -> None:
    tab = browser.open(site / "index.html", width=width, height=800, dark=dark)
    assert tab.evaluate("document.querySelectorAll('main > section').length") == 5 + 2 + 1 + 1
    assert tab.evaluate("document.documentElement.scrollWidth") <= width
    assert tab.complaints() == []


@pytest.mark.parametrize("name", ["labelings", "ranks", "bounds"])
def test_the_pages_fit_a_narrow_screen(browser: Any, site: Path, name: str) -> None:
    tab = browser.open(site / name / f"{name}.html", width=320, height=800, dark=True)
    assert tab.evaluate("document.documentElement.scrollWidth") <= 320
    assert tab.complaints() == []


def test_a_link_opens_the_page_at_its_figure(browser: Any, site: Path) -> None:
    tab = browser.open(site / "index.html", width=1000, height=800)
    target = tab.evaluate(
        "document.querySelector('#document-whitehill-2019 ~ div a[href*=section-6]').href"
    )
    place, _, anchor = target.removeprefix(site.resolve().as_uri() + "/").partition("#")
    tab = browser.open(site / place, width=1000, height=800)
    heading = tab.evaluate(f"document.getElementById('{anchor}').textContent")
    assert heading == "Section 6: fewer labelings with more rows"
    back = tab.evaluate("document.querySelector('nav a').href")
    assert back == (site / "index.html").resolve().as_uri()
