"""The private and the public page in a real browser: which is which, and that both can be read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rocsolid as rs

HOSTILE = '<script>document.title="taken"</script>'
BANNER = "document.querySelector('aside.banner')"


def _evaluation() -> Any:
    rng = np.random.default_rng(5)
    n = 180
    y = np.arange(n) % 3 == 0
    table = {
        "ill": y.astype(int),
        "risk": rng.normal(size=n) + y,
        HOSTILE: rng.normal(size=n) + 1.4 * y,
        "site": np.array(["north", "south"])[rng.integers(0, 2, n)],
    }
    return rs.evaluate(table, label="ill", scores=["risk", HOSTILE], by="site")


@pytest.fixture(scope="module")
def kinds(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder, evaluation = tmp_path_factory.mktemp("kinds"), _evaluation()
    files = {}
    for kind in ("Private", "Public"):
        files[kind] = folder / f"{kind}.html"
        shown = evaluation if kind == "Private" else evaluation.public(max_exposed=200)
        html = shown.to_html(title="Two scores")
        files[kind].write_text(html, encoding="utf-8")
    return files


@pytest.mark.parametrize("kind", ["Private", "Public"])
@pytest.mark.parametrize(("width", "dark"), [(1280, False), (320, True)])
def test_the_kind_stands_above_everything(
    browser: Any, kinds: dict[str, Path], kind: str, width: int, dark: bool
) -> None:
    tab = browser.open(kinds[kind], width=width, dark=dark)
    assert tab.evaluate("document.title") == "Two scores"
    assert tab.evaluate(f"{BANNER}.textContent").startswith(f"{kind} report:")
    above = f"{BANNER}.getBoundingClientRect().bottom <= "
    assert tab.evaluate(above + "document.querySelector('h1').getBoundingClientRect().top")
    assert tab.evaluate("document.documentElement.scrollWidth") == width
    headings = tab.evaluate("[...document.querySelectorAll('h2')].map(h => h.textContent)")
    assert "What publishing this page reveals" in headings
    assert tab.complaints() == []


def test_the_public_page_holds_no_control_and_no_hidden_number(
    browser: Any, kinds: dict[str, Path]
) -> None:
    tab = browser.open(kinds["Public"])
    found = "document.querySelectorAll('input, .panel, .ranks, .band, [data-fpr]').length"
    assert tab.evaluate(found) == 0
    data = "[...document.querySelectorAll('*')].flatMap(e => Object.keys(e.dataset))"
    assert tab.evaluate(data) == []
    assert tab.evaluate("document.querySelectorAll('.coarse svg.chart').length") == 2


def test_every_coarse_drawing_has_a_table_of_its_points(
    browser: Any, kinds: dict[str, Path]
) -> None:
    tab = browser.open(kinds["Public"], width=320)
    tab.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
    dots = tab.evaluate(
        "[...document.querySelectorAll('.coarse > section')].map("
        "s => [s.querySelectorAll('.dot').length, s.querySelectorAll('tbody tr').length])"
    )
    assert len(dots) == 2
    assert all(drawn == listed > 4 for drawn, listed in dots)
    assert tab.evaluate("document.documentElement.scrollWidth") == 320
