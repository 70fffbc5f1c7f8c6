"""Precision–recall, cumulative gain and low false-positive rates: tabs of the ROC drawing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rocsolid as rs
from explorer_page import MARKER, SEEN, TAB, go, kept, seen, typed

ROWS = 600
SIZE = """(({ a, b }) => parseFloat(getComputedStyle(e).fontSize) * Math.hypot(a, b))
    (e.getScreenCTM())"""


@pytest.fixture(scope="module")
def table() -> dict[str, Any]:
    rng = np.random.default_rng(8)
    y = (rng.random(ROWS) < 0.3).astype(int)
    return {"y": y, "fine": rng.normal(size=ROWS) + y, "tied": np.round(rng.normal(size=ROWS) + y)}


@pytest.fixture(scope="module")
def page(table: dict[str, Any], tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("web") / "tabs.html"
    file.write_text(rs.evaluate(table, label="y", scores=["fine", "tied"]).to_html(), "utf-8")
    return file


def places(table: dict[str, Any], score: str, cut: float) -> dict[str, tuple[float, float]]:
    y, flagged = table["y"] == 1, table[score] >= cut
    hits, alarms = int((flagged & y).sum()), int((flagged & ~y).sum())
    recall, fpr = hits / y.sum(), alarms / (~y).sum()
    low = max(0.0, 1 + np.log10(fpr) / 2) if alarms else 0.0
    return {
        "ROC": (fpr, recall),
        "Precision–recall": (recall, hits / max(1, hits + alarms)),
        "Cumulative gain": ((hits + alarms) / ROWS, recall),
        "low": (low, recall),
    }


@pytest.mark.parametrize("order", [0, 1])
def test_the_typed_threshold_is_marked_in_every_tab(
    browser: Any, page: Path, table: dict[str, Any], order: int
) -> None:
    tab = browser.open(page)
    tab.evaluate("document.querySelector('.side input[type=radio]').focus()")
    for _ in range(order):
        tab.press("ArrowRight")
    names = []
    for key in ("", "ArrowRight", "ArrowRight"):
        tab.evaluate(f"{TAB}.focus()")
        if key:
            tab.press(key)
        names.append(tab.evaluate(f"{TAB}.textContent"))
        assert tab.evaluate(f"document.activeElement === {TAB}")
        for cut in (2.0, 1.0, -0.5):
            typed(tab, "cut", repr(cut))
            wanted = places(table, ["fine", "tied"][order], cut)[names[-1]]
            assert tab.evaluate(MARKER) == pytest.approx(wanted, abs=4e-4)
    assert names == ["ROC", "Precision–recall", "Cumulative gain"]
    tab.evaluate(f"{TAB}.focus()")
    tab.press("ArrowRight")  # around to the first
    assert tab.evaluate(f"{TAB}.textContent") == "ROC"
    tab.press("Tab")  # the panel, which can scroll, and then what it has
    tab.press("Tab")
    assert tab.evaluate("document.activeElement.textContent").startswith("Low false-positive")
    tab.press("Enter")
    assert tab.evaluate("document.activeElement.ariaPressed") == "true"
    for cut in (2.0, 1.0, -0.5, 3.9):
        typed(tab, "cut", repr(cut))
        wanted = places(table, ["fine", "tied"][order], cut)["low"]
        assert tab.evaluate(MARKER) == pytest.approx(wanted, abs=4e-4)
    assert tab.complaints() == []


def test_lines_run_through_the_points_of_the_data(
    browser: Any, page: Path, table: dict[str, Any]
) -> None:
    """A block of ties is a bent line in precision: hits and alarms grow evenly along it."""
    tab = browser.open(page)
    tab.evaluate(f"{TAB}.nextSibling.click()")
    line = tab.evaluate(
        f"{SEEN}.querySelector('.curve[data-of=\"1\"] .line').getAttribute('d').slice(1)"
    )
    drawn = np.array([[float(v) for v in point.split()] for point in line.split("L")]) / 2_000
    y, score = table["y"] == 1, table["tied"]
    cuts = np.unique(score)[::-1]
    hits, alarms = ([int((score[rows] >= cut).sum()) for cut in cuts] for rows in (y, ~y))
    steps = np.arange(len(cuts) + 1)
    fine = np.linspace(0, len(cuts), 6 * len(cuts) + 1)[1:]
    tp, fp = (np.interp(fine, steps, [0, *counts]) for counts in (hits, alarms))
    wanted = np.column_stack((tp / y.sum(), tp / (tp + fp)))
    away = [np.abs(drawn - point).max(axis=1).min() for point in wanted]
    assert max(away) < 1e-3


@pytest.mark.parametrize("what", ["pr", "low"])
def test_the_address_keeps_the_tab_the_axis_and_hidden_curves(
    browser: Any, page: Path, what: str
) -> None:
    tab = browser.open(page)
    if what == "pr":
        tab.evaluate(f"{TAB}.nextSibling.click()")
    else:
        tab.evaluate("document.querySelector('[role=tabpanel] button').click()")
    tab.evaluate("document.querySelector('.side summary').focus()")
    for key in ("Enter", "Tab", "Tab", "Space"):
        tab.press(key)
    typed(tab, "cut", "0.7")
    fragment = kept(tab, "cut=0.7", "tab=pr" if what == "pr" else "zoom=low", "hide=tied")
    assert seen(tab)[-1] == [False, True]  # the curve in front is drawn last
    other = browser.open(page)
    assert seen(other)[-1] == [True, True]
    go(other, fragment)
    assert seen(other) == seen(tab)
    tab.evaluate("document.querySelectorAll('.side input[type=radio]')[1].click()")
    assert seen(tab)[-1] == [True, True]  # whatever is in front is drawn
    go(other, "#score=fine&cut=0.5&tab=constructor")
    assert seen(other)[1] == "ROC"
    assert seen(other)[-1] == [True, True]
    assert [*tab.complaints(), *other.complaints()] == []


@pytest.mark.parametrize(("width", "scheme"), [(360, "dark"), (1280, "light")])
def test_axe_finds_nothing_in_tabs(
    browser: Any, page: Path, axe: str, width: int, scheme: str
) -> None:
    tab = browser.open(page, width=width)
    tab.media("", scheme)
    tab.evaluate("document.querySelector('.side summary').click()")
    for place in (1, 0):
        tab.evaluate(f"document.querySelectorAll('[role=tab]')[{place}].click()")
        if place == 0:
            tab.evaluate("document.querySelector('[role=tabpanel] button').click()")
        assert tab.violations(axe) == []
        small = f"[...{SEEN}.querySelectorAll('text')].map((e) => {SIZE})"
        assert min(tab.evaluate(small)) >= 11
    assert not tab.evaluate("document.documentElement.scrollWidth > innerWidth")


def test_chance_lies_in_the_frame_of_every_tab(browser: Any, page: Path) -> None:
    """The script draws it anew; as a constant precision it is flat, else it is the diagonal."""
    tab = browser.open(page)
    flat = []
    for i in range(3):
        tab.evaluate(f"document.querySelectorAll('[role=tab]')[{i}].click()")
        line, frame = tab.evaluate(
            f"""[".chance", ".curve .line"].map((each) => {{
                const box = {SEEN}.querySelector(each).getBoundingClientRect();
                return [box.left, box.right, box.top, box.bottom];
            }})"""
        )
        assert abs(line[1] - frame[1]) < 3
        assert line[0] >= frame[0] - 3
        flat.append(line[3] - line[2] < 3)
    assert flat == [False, True, False]
