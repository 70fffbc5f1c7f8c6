"""The page in a real browser: it runs without complaint, answers keys, and can be read."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

READINGS = """
Object.fromEntries([...document.querySelector(".panel").querySelectorAll("[data-out]")]
    .map((field) => [field.dataset.out, field.textContent]))
"""
FOCUS = "document.activeElement.id || document.activeElement.className"


def focus(tab: Any, identity: str) -> None:
    """Press Tab until the element has the focus, as a reader would."""
    seen = []
    for _ in range(30):
        tab.press("Tab")
        seen.append(tab.evaluate(FOCUS))
        if seen[-1] == identity:
            return
    raise AssertionError(f"{identity} is not in the tab order: {seen}")


@pytest.mark.parametrize("dark", [False, True])
def test_it_renders_without_complaint(browser: Any, client: Any, report: Path, dark: bool) -> None:
    tab = browser.open(report, width=480, height=480, dark=dark)
    assert tab.evaluate("document.title") == "Chocolate and an attack"
    assert tab.evaluate("document.querySelectorAll('svg.roc .line').length") == 3
    for place in ("0", "document.querySelector('.panel').offsetTop"):
        tab.evaluate(f"window.scrollTo(0, {place})")
        assert len(client.pixels(tab.screenshot())) > 50
    assert tab.complaints() == []


def test_complaints_would_be_seen(browser: Any, tmp_path: Path, report: Path) -> None:
    """The page with an inline style: the policy blocks it, and the client reports it."""
    spoilt = report.read_text(encoding="utf-8").replace("<main>", '<main style="color:red">')
    file = tmp_path / "spoilt.html"
    file.write_text(spoilt, encoding="utf-8")
    complaints = browser.open(file).complaints()
    assert any("Content Security Policy" in text for text in complaints)


def test_arrow_keys_move_the_read_out(browser: Any, report: Path) -> None:
    tab = browser.open(report)
    focus(tab, "panel-0-place")
    tab.press("Home")
    assert tab.evaluate(READINGS) == {"tpr": "0", "fpr": "0", "cut": "≥ ∞"}
    for expected in (
        {"tpr": "0.3333", "fpr": "0", "cut": "≥ 8"},
        {"tpr": "0.3333", "fpr": "0.2500", "cut": "≥ 5"},
        {"tpr": "0.6667", "fpr": "0.2500", "cut": "≥ 3"},
    ):
        tab.press("ArrowRight")
        assert tab.evaluate(READINGS) == expected
    tab.press("ArrowLeft")
    assert tab.evaluate(READINGS)["cut"] == "≥ 5"
    spoken = tab.evaluate("document.activeElement.getAttribute('aria-valuetext')")
    assert spoken == "score ≥ 5: true-positive rate 0.3333, false-positive rate 0.2500"
    tab.press("End")
    assert tab.evaluate(READINGS)["tpr"] == "1"
    marker = tab.evaluate(
        "(({cx, cy}) => [cx.baseVal.value, cy.baseVal.value])(document.querySelector('.marker'))"
    )
    assert marker == [2000, 2000]


def test_another_score_can_be_put_in_front(browser: Any, report: Path) -> None:
    tab = browser.open(report)
    band = "getComputedStyle(document.querySelector('.band')).visibility"
    assert tab.evaluate(band) == "hidden"
    tab.evaluate("document.querySelector('input[type=radio]').focus()")
    tab.press("ArrowRight")
    assert tab.evaluate(band) == "visible"
    label = tab.evaluate("document.getElementById('panel-0-place').getAttribute('aria-label')")
    assert label == 'Move along the curve of <script>document.title="taken"</script>'


def test_the_pointer_moves_the_same_read_out(browser: Any, report: Path) -> None:
    tab = browser.open(report)
    tab.evaluate("document.querySelector('svg.roc').scrollIntoView({block: 'center'})")
    x, y = tab.evaluate(
        "(() => { const p = new DOMPoint(505, 1990).matrixTransform("
        "document.querySelector('.marker').getScreenCTM()); return [p.x, p.y]; })()"
    )
    tab.point(x, y, click=True)
    assert tab.evaluate(READINGS) == {"tpr": "1", "fpr": "0.2500", "cut": "≥ 2"}
    assert tab.evaluate(FOCUS) == "panel-0-place"


def test_the_parts_of_the_page_are_named(browser: Any, report: Path) -> None:
    """What a screen reader is told: roles and names from the browser's own tree."""
    tab = browser.open(report)
    tab.evaluate("document.querySelectorAll('details').forEach((d) => { d.open = true; })")
    nodes = [
        (node.get("role", {}).get("value"), node.get("name", {}).get("value", ""))
        for node in tab.call("Accessibility.getFullAXTree")["nodes"]
        if not node["ignored"]
    ]
    images = [name for role, name in nodes if role in {"image", "img"}]
    assert len(images) == 4
    assert any("goodness: AUC 0.8333" in name for name in images)
    assert ("slider", "Move along the curve of goodness") in nodes
    assert ("radio", "goodness") in nodes
    assert [name for role, name in nodes if role == "group" and "Table" in name]
    nameless = {"slider", "radio", "link", "image", "img", "table", "heading"}
    assert not [role for role, name in nodes if role in nameless and not name.strip()]


@pytest.mark.parametrize("width", [320, 360, 640, 1000, 1280])
def test_nothing_sticks_out_sideways(browser: Any, report: Path, width: int) -> None:
    tab = browser.open(report, width=width)
    tab.evaluate("document.querySelectorAll('details').forEach((d) => { d.open = true; })")
    assert tab.evaluate("document.documentElement.scrollWidth") == width
    outside = tab.evaluate(
        "[...document.querySelectorAll('body *')].filter((e) => !e.closest('.scroll, pre, .unseen')"
        f" && e.getBoundingClientRect().right > {width} + 0.5).map((e) => e.outerHTML)"
    )
    assert outside == []


@pytest.mark.parametrize("dark", [False, True])
def test_text_can_be_read(browser: Any, report: Path, dark: bool) -> None:
    """WCAG 2.2: at least 4.5 for every text, 3 for the lines of the curves."""
    tab = browser.open(report, dark=dark)
    paper = _colour(tab, "body", "backgroundColor")
    assert (_luminance(paper) < 0.05) == dark
    for selector in (
        "body",
        ".lead",
        ".muted",
        ".remark",
        ".hint",
        ".about.chosen",
        "figcaption",
        "thead th",
        "td a",
        "summary",
        "footer",
        ".source",
        ".facts dt",
        ".chip",
        "legend",
        ".readings dt",
    ):
        assert _contrast(_colour(tab, selector, "color"), paper) >= 4.5, selector
    for selector in ("svg .tick", "svg .axis", "svg .listed"):
        assert _contrast(_colour(tab, selector, "fill"), paper) >= 4.5, selector
    for i in range(6):
        line = tab.evaluate(
            f"(() => {{ const e = document.querySelector('.key'); e.className = 'key c{i}';"
            " return getComputedStyle(e).borderTopColor; })()"
        )
        assert _contrast(_numbers(line), paper) >= 4.5, i


def test_code_and_chips_can_be_read_on_their_grounds(browser: Any, report: Path) -> None:
    for dark in (False, True):
        tab = browser.open(report, dark=dark)
        assert _contrast(_colour(tab, "pre", "color"), _colour(tab, "pre", "backgroundColor")) > 7
        key = ".chip:has(:checked) .key"
        assert _contrast(_colour(tab, key, "color"), _colour(tab, key, "backgroundColor")) >= 4.5


def test_the_focus_is_visible(browser: Any, report: Path) -> None:
    tab = browser.open(report)
    focus(tab, "panel-0-place")
    style = "getComputedStyle(document.activeElement)"
    assert tab.evaluate(f"{style}.outlineStyle") == "solid"
    assert tab.evaluate(f"{style}.outlineWidth") == "3px"


def test_nothing_moves_by_itself(browser: Any, report: Path) -> None:
    tab = browser.open(report)
    tab.media("", "light", motion="reduce")
    assert tab.evaluate("document.getAnimations().length") == 0
    moving = tab.evaluate(
        "[...document.querySelectorAll('*')].filter((e) => { const s = getComputedStyle(e);"
        " return s.animationName !== 'none' || parseFloat(s.transitionDuration) > 0"
        " || s.scrollBehavior === 'smooth'; }).length"
    )
    assert moving == 0


def test_on_paper_it_is_black_on_white_without_controls(browser: Any, report: Path) -> None:
    tab = browser.open(report, width=690, dark=True)
    tab.media("print", "dark")
    assert _colour(tab, "body", "backgroundColor") == (255, 255, 255)
    assert _colour(tab, "body", "color") == (0, 0, 0)
    assert tab.evaluate("getComputedStyle(document.querySelector('.reader')).display") == "none"
    assert tab.pdf().startswith(b"%PDF-")


def test_without_script_everything_but_the_read_out_is_there(browser: Any, report: Path) -> None:
    tab = browser.open(report, script=False)
    tab.evaluate("document.querySelectorAll('details').forEach((d) => { d.open = true; })")
    tree = tab.call("Accessibility.getFullAXTree")["nodes"]
    roles = [node.get("role", {}).get("value") for node in tree if not node["ignored"]]
    assert "slider" not in roles
    assert "table" in roles
    assert tab.complaints() == []


def _colour(tab: Any, selector: str, kind: str) -> tuple[int, ...]:
    return _numbers(tab.evaluate(f"getComputedStyle(document.querySelector('{selector}')).{kind}"))


def _numbers(colour: str) -> tuple[int, ...]:
    found = re.fullmatch(r"rgb\((\d+), (\d+), (\d+)\)", colour)
    assert found is not None, f"{colour} is not opaque"
    return tuple(int(part) for part in found.groups())


def _luminance(colour: tuple[int, ...]) -> float:
    """WCAG 2.2, relative luminance."""
    parts = [c / 255 for c in colour]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _contrast(a: tuple[int, ...], b: tuple[int, ...]) -> float:
    low, high = sorted((_luminance(a), _luminance(b)))
    return (high + 0.05) / (low + 0.05)
