"""What a reader has read before scrolling, and how much there is to read at all."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rocsolid as rs
from page_measures import WORDS

BOTTOM = "document.querySelector('{}').getBoundingClientRect().bottom"


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[int, Path]:
    rng = np.random.default_rng(8)
    n = 3_000
    y = (rng.random(n) < 0.3).astype(int)
    base = y + rng.normal(size=n)
    table = {f"model {i}": base + (0.3 + 0.3 * i) * rng.normal(size=n) for i in range(20)}
    site = np.array(["North", "South"])[rng.integers(0, 2, n)].tolist()
    folder = tmp_path_factory.mktemp("first")
    files = {}
    for count in (1, 3, 20):
        by = "site" if count == 3 else None
        found = rs.evaluate(
            {"y": y, "site": site, **table}, label="y", scores=list(table)[:count], by=by
        )
        files[count] = folder / f"{count}.html"
        files[count].write_text(found.to_html(), encoding="utf-8")
    return files


@pytest.mark.parametrize("count", [1, 3])
def test_the_answer_is_on_the_first_screen(
    browser: Any, pages: dict[int, Path], count: int
) -> None:
    """The verdict, every interval and the curves, at 1280 by 900."""
    tab = browser.open(pages[count], width=1280, height=900)
    for part in (".answer-line", ".summary .wide", ".overview"):
        assert tab.evaluate(BOTTOM.format(part)) < 900, part


def test_twenty_scores_have_the_verdict_and_the_curves_there(
    browser: Any, pages: dict[int, Path]
) -> None:
    tab = browser.open(pages[20], width=1280, height=900)
    assert tab.evaluate(BOTTOM.format(".overview")) < 900
    assert tab.evaluate(BOTTOM.format(".summary .wide")) < 1_000
    rivals = tab.evaluate("document.querySelector('.rivals').innerText")
    assert "14 more in the picture" in rivals


@pytest.mark.parametrize("count", [1, 3, 20])
def test_a_phone_shows_the_verdict_first(browser: Any, pages: dict[int, Path], count: int) -> None:
    tab = browser.open(pages[count], width=360, height=740)
    assert tab.evaluate(BOTTOM.format(".answer-line")) < 740
    assert tab.evaluate("document.documentElement.scrollWidth") == 360


@pytest.mark.parametrize(("count", "most"), [(1, 500), (3, 900), (20, 900)])
def test_little_has_to_be_read(browser: Any, pages: dict[int, Path], count: int, most: int) -> None:
    """Words that are seen; what is folded is for whoever opens it."""
    tab = browser.open(pages[count], width=1280)
    assert tab.evaluate(WORDS) <= most


def test_every_section_can_be_reached_from_the_contents(
    browser: Any, pages: dict[int, Path]
) -> None:
    tab = browser.open(pages[3])
    heads = tab.evaluate("[...document.querySelectorAll('main > section h2[id]')].map(h => h.id)")
    links = tab.evaluate(
        "[...document.querySelectorAll('.contents a')].map(a => a.getAttribute('href').slice(1))"
    )
    assert links == heads
    assert len(links) == 7
