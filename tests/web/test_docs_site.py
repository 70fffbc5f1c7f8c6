"""The documentation in a browser: as wide as the screen, and nothing loaded from elsewhere."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

PAGES = (
    "tour", "ranx", "trec_eval", "proc", "benchmarks", "leaks", "theorems/auc-bounds", "reference",
    "reference/guarantees", "reference/command-line",
)  # fmt: skip


def test_nothing_is_loaded_from_elsewhere(docs_site: Path) -> None:
    for page in docs_site.rglob("*.html"):
        text = page.read_text("utf-8")
        loads = re.findall(
            r"<(?:script|link|img|iframe)\b[^>]*?(?:src|href)=[\"']?([^\"'\s>]+)", text
        )
        assert not [one for one in loads if re.match(r"(?:https?:)?//", one)], page


@pytest.mark.parametrize("width", [1280, 320])
def test_pages_are_as_wide_as_the_screen(docs_site: Path, browser: Any, width: int) -> None:
    for page in PAGES:
        tab = browser.open(docs_site / page / "index.html", width=width)
        assert tab.evaluate("document.documentElement.scrollWidth") <= width, page
        assert tab.evaluate("document.documentElement.dataset.bsTheme") == "light"
    dark = browser.open(docs_site / "tour" / "index.html", width=width, dark=True)
    assert dark.evaluate("document.documentElement.dataset.bsTheme") == "dark"
