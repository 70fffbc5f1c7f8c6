"""The point on the curve of a plan, in a real browser: the numbers are those of the table."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rocsolid.cli.app import run

NUMBERS = "[...document.querySelectorAll('.large .readings dd')].map((field) => field.textContent)"
ROWS = """[...document.querySelectorAll('.large tbody tr')].map(
    (row) => [...row.cells].map((cell) => cell.textContent))"""
MARKER = """(() => { const box = document.querySelector('.large .wide .marker')
    .getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; })()"""
DRAG = """(() => { const svg = document.querySelector('.large .wide'), box = svg
    .getBoundingClientRect(), at = (share) => ({ clientX: box.x + share * box.width,
    clientY: box.y + 100, bubbles: true, buttons: 1, pointerId: 1 });
    svg.setPointerCapture = () => null;
    svg.dispatchEvent(new PointerEvent('pointerdown', at(0.4)));
    svg.dispatchEvent(new PointerEvent('pointermove', at(%s))); })()"""


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("web") / "plan.html"
    plan = "plan power --auc 0.73 --n-pos 41 --n-neg 72 --html"
    assert run([*plan.split(), str(file)]) == 0
    return file


def test_the_point_begins_at_the_plan(browser: Any, page: Path) -> None:
    tab = browser.open(page, width=1280)
    assert tab.evaluate(NUMBERS) == ["41", "72", "113", "0.9897"]
    assert tab.complaints() == []


def test_the_point_moves_by_keys_and_by_dragging(browser: Any, page: Path) -> None:
    tab = browser.open(page, width=1280)
    rows = tab.evaluate(ROWS)
    start = rows.index(["41", "72", "113", "0.9897"])
    x, y = tab.evaluate(MARKER)
    tab.evaluate("document.querySelector('.large input').focus()")
    tab.press("ArrowRight")
    assert tab.evaluate(NUMBERS) == rows[start + 1]
    right, up = tab.evaluate(MARKER)
    assert right > x
    assert up < y
    text = tab.evaluate("document.querySelector('.large input').getAttribute('aria-valuetext')")
    assert text.startswith(f"positives {rows[start + 1][0]}, negatives")
    for share, row in ((0.0, rows[0]), (1.0, rows[-1])):
        tab.evaluate(DRAG % share)
        assert tab.evaluate(NUMBERS) == row


def test_a_narrow_page_has_the_point_too(browser: Any, page: Path) -> None:
    tab = browser.open(page, width=360)
    assert tab.evaluate("document.querySelector('.large .narrow .marker').checkVisibility()")
    assert tab.evaluate("document.documentElement.scrollWidth") == 360
