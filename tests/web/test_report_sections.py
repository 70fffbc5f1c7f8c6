"""The sections on comparison, segments and sample size in a real browser."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rocsolid as rs

HOSTILE = '<script>document.title="taken"</script>'
LONG = "a_rather_long_name_without_any_space_in_it_" * 2
TITLES = ["Scores compared", "Segments", "How much more data would help"]
SECTION = (
    "[...document.querySelectorAll('main > section')]"
    ".find(s => s.querySelector('h2')?.textContent === {!r})"
)


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Twelve scores, an attack and a long name among them, in five segments and a poor one."""
    rng = np.random.default_rng(4)
    n = 600
    y = (rng.random(n) < 0.4).astype(int)
    names = [HOSTILE, LONG, *(f"model {i}" for i in range(10))]
    base = y + rng.normal(size=n)
    table: dict[str, Any] = {
        name: base + (0.2 + 0.25 * i) * rng.normal(size=n) for i, name in enumerate(names)
    }
    site = np.array([f"Hospital of {c}" for c in "ABCDE"])[rng.integers(0, 5, n)]
    site[:4], y[:4] = HOSTILE, 1
    evaluation = rs.evaluate(
        {"y": y, "site": site.tolist(), **table}, label="y", scores=names, by="site"
    )
    file = tmp_path_factory.mktemp("web") / "sections.html"
    file.write_text(evaluation.to_html(), encoding="utf-8")
    return file


@pytest.mark.parametrize("dark", [False, True])
def test_the_sections_are_there_without_complaint(browser: Any, page: Path, dark: bool) -> None:
    tab = browser.open(page, dark=dark)
    heads = tab.evaluate("[...document.querySelectorAll('main h2')].map(h => h.textContent)")
    assert [head for head in heads if head in TITLES] == TITLES
    assert HOSTILE not in tab.evaluate("document.title")
    assert tab.complaints() == []


@pytest.mark.parametrize("width", [320, 640, 1280])
def test_nothing_sticks_out_sideways(browser: Any, page: Path, width: int) -> None:
    tab = browser.open(page, width=width)
    tab.evaluate("document.querySelectorAll('details').forEach((d) => { d.open = true; })")
    for title in TITLES:
        outside = tab.evaluate(
            f"[...{SECTION.format(title)}.querySelectorAll('*')]"
            ".filter(e => !e.closest('.scroll, .unseen'))"
            f".filter(e => e.getBoundingClientRect().right > {width} + 0.5).map(e => e.outerHTML)"
        )
        assert outside == [], title


def test_the_matrix_can_be_reached_and_moved_by_keys(browser: Any, page: Path) -> None:
    tab = browser.open(page, width=320)
    tab.evaluate("document.querySelector('.matrix').focus()")
    assert tab.evaluate("document.activeElement.className") == "scroll matrix dense"
    assert tab.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    assert tab.evaluate("document.activeElement.scrollWidth > document.activeElement.clientWidth")
    tab.evaluate("document.activeElement.scrollLeft = 100000")
    name = tab.evaluate("document.querySelector('.matrix tbody th').getBoundingClientRect().left")
    assert 0 <= name < 40  # the names stay in sight


def test_the_matrix_reads_the_same_from_both_sides(browser: Any, page: Path) -> None:
    """A cell and its mirror are shaded alike, and every score has a row and a column."""
    tab = browser.open(page)
    shades = tab.evaluate(
        "[...document.querySelectorAll('.matrix tbody tr')].map(row =>"
        " [...row.querySelectorAll('td:not(.value)')].map(cell => cell.className))"
    )
    assert len(shades) == 12
    assert all(len(row) == 12 for row in shades)
    for i, row in enumerate(shades):
        assert row[i] == "own"
        assert row == [other[i] for other in shades]
    heads = tab.evaluate(
        "[...document.querySelectorAll('.matrix thead .unseen')].slice(1).map(e => e.textContent)"
    )
    names = tab.evaluate(
        "[...document.querySelectorAll('.matrix tbody bdi')].map(e => e.textContent)"
    )
    assert heads == names
    assert HOSTILE in names


@pytest.mark.parametrize("dark", [False, True])
def test_shaded_cells_can_be_read(browser: Any, page: Path, dark: bool) -> None:
    """Every step of the shade, against WCAG's 4.5."""
    tab = browser.open(page, dark=dark)
    for step in range(4):
        colour, ground = tab.evaluate(
            "(() => { const e = document.querySelector('.matrix td:not(.own, .value)');"
            f" e.className = 'p{step}';"
            " const s = getComputedStyle(e), b = getComputedStyle(document.body);"
            " return [s.color, s.backgroundColor === 'rgba(0, 0, 0, 0)' ? b.backgroundColor"
            " : s.backgroundColor]; })()"
        )
        assert _contrast(_channels(colour), _channels(ground)) >= 4.5, step
    paper = tab.evaluate("getComputedStyle(document.body).backgroundColor")
    for selector in (".overall", ".here"):
        line = tab.evaluate(f"getComputedStyle(document.querySelector('{selector}')).stroke")
        assert _contrast(_channels(line), _channels(paper)) >= 3, selector


def test_the_forest_stands_where_its_numbers_say(browser: Any, page: Path) -> None:
    """In one drawing the dots are ordered as the values beside them, and inside their lines."""
    tab = browser.open(page)
    drawings = tab.evaluate(
        "[...document.querySelectorAll('svg.segments')].map(svg => ({"
        " dots: [...svg.querySelectorAll('circle')].map(c => c.getBoundingClientRect().x),"
        " values: [...svg.querySelectorAll('text.end')].map(t => t.textContent),"
        " line: svg.querySelector('.overall').getBoundingClientRect().x }))"
    )
    assert len(drawings) == 10  # the first ones
    for drawing in drawings:
        values = [float(text) for text in drawing["values"] if re.fullmatch(r"0\.\d+", text)]
        assert len(values) == len(drawing["dots"]) == 5  # the four largest, and all rows
        order = np.argsort(values)
        assert np.all(np.diff(np.array(drawing["dots"])[order]) >= -0.01)
        assert abs(drawing["dots"][-1] + 3.5 * 1.4 - drawing["line"]) < 4  # all rows, last


def test_pictures_have_a_name_and_a_table(browser: Any, page: Path) -> None:
    tab = browser.open(page)
    tab.evaluate("document.querySelectorAll('details').forEach((d) => { d.open = true; })")
    nodes = [
        (node.get("role", {}).get("value"), node.get("name", {}).get("value", ""))
        for node in tab.call("Accessibility.getFullAXTree")["nodes"]
        if not node["ignored"]
    ]
    images = [name for role, name in nodes if role in {"image", "img"}]
    assert sum("by site" in name for name in images) == 10
    assert sum("Half-width against Positives" in name for name in images) == 1
    assert all(name.strip() for name in images)
    summaries = tab.evaluate("[...document.querySelectorAll('summary')].map(s => s.textContent)")
    for text in (
        "The 66 pairs with their intervals as a table",
        "The segments as a table, the largest first: 50 rows",
        "Numbers of positives in all, at the present ratio of classes: 12 rows",
        "The lines as a table",
    ):
        assert text in summaries
    groups = [name for role, name in nodes if role == "group"]
    assert "Matrix of differences of 12 scores" in groups
    boxes = tab.evaluate(
        "[...document.querySelectorAll('.group .scroll')].map(e => [e.tabIndex, e.ariaLabel])"
    )
    assert boxes
    assert all(index == 0 and label for index, label in boxes)


def test_a_long_table_can_be_searched(browser: Any, page: Path) -> None:
    """Rows without what is typed are hidden, and come back; the field has a name."""
    tab = browser.open(page)
    seen = "[...document.querySelectorAll('.long input')].map(i => i.labels[0].textContent)"
    assert set(tab.evaluate(seen)) == {"Show rows with "}
    rows = (
        "(asked => { const box = [...document.querySelectorAll('.long')].find(b =>"
        " b.textContent.startsWith('The segments')); box.open = true;"
        " const field = box.querySelector('input'); field.value = asked;"
        " field.dispatchEvent(new Event('input'));"
        " return [...box.querySelectorAll('tbody tr')].filter(r => r.checkVisibility())"
        ".map(r => r.cells[1].textContent); })"
    )
    every = tab.evaluate(f"{rows}('')")
    assert len(every) == 50
    assert tab.evaluate(f"{rows}(' ALL rows ')") == ["all rows"] * 10
    assert tab.evaluate(f"{rows}('no such segment')") == []
    assert tab.evaluate(f"{rows}('')") == every
    assert tab.complaints() == []


def test_the_segment_of_one_class_is_listed(browser: Any, page: Path) -> None:
    tab = browser.open(page)
    text = tab.evaluate(f"{SECTION.format('Segments')}.textContent")
    assert "there is no negative row" in text
    assert HOSTILE in text


def test_on_paper_the_matrix_keeps_its_shades_and_fits(browser: Any, page: Path) -> None:
    tab = browser.open(page, width=690, dark=True)
    tab.media("print", "dark")
    adjust = "getComputedStyle(document.querySelector('.matrix td')).printColorAdjust"
    assert tab.evaluate(adjust) == "exact"
    right = "document.querySelector('.matrix table').getBoundingClientRect().right"
    assert tab.evaluate(right) <= 690


def _channels(colour: str) -> tuple[float, ...]:
    """The three channels from 0 to 255; mixed colours are given as shares."""
    numbers = [float(part) for part in re.findall(r"[\d.]+", colour.replace("srgb", ""))][:3]
    return tuple(255 * n for n in numbers) if colour.startswith("color(") else tuple(numbers)


def _contrast(a: tuple[float, ...], b: tuple[float, ...]) -> float:
    low, high = sorted(_luminance(colour) for colour in (a, b))
    return (high + 0.05) / (low + 0.05)


def _luminance(colour: tuple[float, ...]) -> float:
    """WCAG 2.2, relative luminance."""
    parts = [c / 255 for c in colour]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
