"""The curves of a report in a real browser: close-ups, operating points, tables, and paper."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rocsolid as rs

HOSTILE = '<script>document.title="taken"</script>'
LONG = "a_rather_long_name_without_any_space_in_it_" * 2
MEASURES = ["auc", "partial_auc(fpr<=0.1)", "partial_auc(fpr<=0.1, scale=mcclish)"]


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three scores, one with ties, one with a name that is an attack and one with a long one."""
    rng = np.random.default_rng(12)
    n = 1_200
    y = (rng.random(n) < 0.3).astype(int)
    good = rng.normal(size=n) + 1.2 * y
    table: dict[str, Any] = {
        "y": y,
        HOSTILE: good,
        LONG: good + rng.normal(size=n),
        "grade": np.round(good),
        "site": np.where(rng.random(n) < 0.5, "north", "south"),
    }
    names = [HOSTILE, LONG, "grade"]
    evaluation = rs.evaluate(table, label="y", scores=names, measures=MEASURES, by="site")
    file = tmp_path_factory.mktemp("web") / "curves.html"
    file.write_text(evaluation.to_html(title="Curves"), encoding="utf-8")
    return file


def marker(tab: Any, drawing: str) -> Any:
    """Where the read-out stands in a drawing, in shares of its sides; None where it is not."""
    return tab.evaluate(
        f"(() => {{ const m = document.querySelector('.panel {drawing} .marker');"
        " return m.hasAttribute('hidden') ? null"
        " : [m.cx.baseVal.value / 2000, m.cy.baseVal.value / 2000]; })()"
    )


@pytest.mark.parametrize("dark", [False, True])
def test_it_renders_without_complaint(browser: Any, page: Path, dark: bool) -> None:
    tab = browser.open(page, dark=dark)
    assert tab.evaluate("document.title") == "Curves"
    assert tab.evaluate("document.querySelectorAll('svg.roc:not([hidden])').length") == 1
    assert tab.evaluate("document.querySelectorAll('svg.zoom').length") == 1
    assert tab.complaints() == []


def test_arrow_keys_move_the_read_out_of_the_close_up_too(browser: Any, page: Path) -> None:
    tab = browser.open(page)
    tab.evaluate("document.getElementById('panel-0-place').focus()")
    top = json.loads(
        "[" + tab.evaluate("document.querySelector('svg.zoom').dataset.box").replace(" ", ",") + "]"
    )[3]
    tab.press("Home")
    assert marker(tab, "svg.zoom") == [0, 0]
    for _ in range(5):
        tab.press("ArrowRight")
    whole, close = marker(tab, "svg.roc"), marker(tab, "svg.zoom")
    assert close == pytest.approx([whole[0] / 0.1, whole[1] / top], abs=0.01)
    assert close[1] > 0
    tab.press("End")
    assert marker(tab, "svg.roc") == [1, 1]
    assert marker(tab, "svg.zoom") is None  # outside its box


def test_the_pointer_works_in_the_close_up(browser: Any, page: Path) -> None:
    tab = browser.open(page)
    tab.evaluate("document.querySelector('details.closeup').open = true")
    tab.evaluate("document.querySelector('svg.zoom').scrollIntoView({block: 'center'})")
    x, y = tab.evaluate(
        "(() => { const p = new DOMPoint(1000, 1000).matrixTransform(document.querySelector("
        "'svg.zoom .marker').parentNode.getScreenCTM()); return [p.x, p.y]; })()"
    )
    tab.point(x, y, click=True)
    near = marker(tab, "svg.zoom")
    assert near is not None
    assert abs(near[0] - 0.5) < 0.3
    assert tab.evaluate("document.activeElement.id") == "panel-0-place"


def test_the_score_in_front_is_the_same_everywhere(browser: Any, page: Path) -> None:
    tab = browser.open(page)
    seen = (
        "(() => { const p = document.querySelector('.panel');"
        " const shown = (e) => getComputedStyle(e).visibility === 'visible'"
        " && e.getClientRects().length > 0;"
        " const of = (s) => [...p.querySelectorAll(s)].filter(shown)"
        ".map((e) => e.closest('[data-of]').dataset.of);"
        " return {band: of('svg.roc .band'), close: of('svg.zoom .band'),"
        " hatched: of('svg.zoom .under'), dots: of('svg.roc .dot'), listed: of('.of-one')}; })()"
    )
    kinds = ["band", "close", "hatched", "dots", "listed"]
    assert tab.evaluate(seen) == {kind: ["0"] for kind in kinds}
    tab.evaluate("document.querySelector('.panel input[type=radio]').focus()")
    tab.press("ArrowRight")
    tab.press("ArrowRight")
    assert tab.evaluate(seen) == {kind: ["2"] for kind in kinds}


def test_without_script_every_score_has_its_points(browser: Any, page: Path) -> None:
    tab = browser.open(page, script=False)
    tree = tab.call("Accessibility.getFullAXTree")["nodes"]
    tables = [
        node["name"]["value"]
        for node in tree
        if not node["ignored"] and node.get("role", {}).get("value") == "table"
    ]
    assert len([name for name in tables if name.startswith("Operating points of")]) == 3
    assert tab.complaints() == []


def test_every_drawing_has_words_and_a_table(browser: Any, page: Path) -> None:
    tab = browser.open(page)
    pictures = tab.evaluate(
        "[...document.querySelectorAll('.panel svg')].map((s) => [s.getAttribute('role'),"
        " s.getAttribute('aria-labelledby').split(' ').every((i) =>"
        " document.getElementById(i)?.textContent.length > 10)])"
    )
    assert pictures == [["img", True]] * len(pictures)
    summaries = tab.evaluate(
        "[...document.querySelectorAll('.panel')].map((p) =>"
        " [...p.querySelectorAll('summary')].map((s) => s.textContent))"
    )
    tables = [[said for said in one if said.endswith("as a table")] for one in summaries]
    assert tables[0] == [
        "The curves as a table", "The close-up as a table", "The ranks as a table"
    ]  # fmt: skip
    segments = tab.evaluate(
        "[...document.querySelectorAll('.segment summary')].map((s) => s.textContent)"
    )
    each = [[f"site = {site}", "The ranks as a table"] for site in ("north", "south")]
    assert segments == ["Curves and ranks of segments as tables", *each[0], *each[1]]


def test_the_strip_says_what_its_average_means(browser: Any, page: Path) -> None:
    tab = browser.open(page)
    tab.evaluate("document.querySelector('.strips').open = true")
    said = tab.evaluate("document.querySelector('.strips .averages').innerText")
    assert said.count("the average positive example is ranked above") == 3


@pytest.mark.parametrize("width", [320, 640, 960, 1280])
def test_nothing_sticks_out_sideways(browser: Any, page: Path, width: int) -> None:
    tab = browser.open(page, width=width)
    tab.evaluate("document.querySelectorAll('details').forEach((d) => { d.open = true; })")
    assert tab.evaluate("document.documentElement.scrollWidth") == width
    outside = tab.evaluate(
        "[...document.querySelectorAll('.panel, .panel *')]"
        ".filter((e) => !e.closest('.scroll, pattern') && !e.closest('[hidden]')"
        f" && e.getBoundingClientRect().right > {width} + 0.5).map((e) => e.outerHTML)"
    )
    assert outside == []


def test_on_paper_the_tables_are_open_and_no_drawing_is_cut(browser: Any, page: Path) -> None:
    tab = browser.open(page, width=690)
    tab.evaluate("document.querySelector('footer a').click()")  # prints everything
    tab.media("print", "light")
    heights = tab.evaluate(
        "[...document.querySelectorAll(':is(.panel details, .of-one, .segment) table')]"
        ".map((t) => t.getBoundingClientRect().height)"
    )
    assert len(heights) == 4 + 2 + 2 + 3  # of all rows, of two segments, operating points
    assert min(heights) > 20
    cut = tab.evaluate(
        "[...document.querySelectorAll('.panel svg')].filter((s) => {"
        " const r = s.getBoundingClientRect(); return r.right > 690 || r.height > 900; }).length"
    )
    assert cut == 0
    shown = "getComputedStyle(document.querySelector('{}')).display"
    for control in (".reader", ".zoom .marker"):
        assert tab.evaluate(shown.format(control)) == "none"


def test_tables_can_be_reached_and_scrolled_by_keyboard(browser: Any, page: Path) -> None:
    tab = browser.open(page, width=320)
    boxes = tab.evaluate(
        "[...document.querySelectorAll('.panel .scroll')].every((b) => b.tabIndex === 0"
        " && b.getAttribute('role') === 'group' && b.getAttribute('aria-label').length > 5)"
    )
    assert boxes
    tab.evaluate("document.querySelector('.of-one .scroll').focus({focusVisible: true})")
    assert tab.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
